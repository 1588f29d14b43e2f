/* version.h - the version of Polhode. The build reads it from this file. */
#ifndef POLHODE_VERSION_H
#define POLHODE_VERSION_H

#define PH_VERSION_MAJOR 0
#define PH_VERSION_MINOR 2
#define PH_VERSION_PATCH 0

#endif
