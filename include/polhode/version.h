/* version.h - the version of Polhode; the build reads it here. */
#ifndef POLHODE_VERSION_H
#define POLHODE_VERSION_H

#define PH_VERSION_MAJOR 0
#define PH_VERSION_MINOR 2
#define PH_VERSION_PATCH 0

#endif
