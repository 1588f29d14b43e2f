/* api.h - marks what the shared library exports. */
#ifndef POLHODE_API_H
#define POLHODE_API_H

#if defined(__OPENCL_VERSION__) /* the program of a device is one text */
#define PH_API static
#elif defined(__GNUC__)
#define PH_API __attribute__((visibility("default")))
#else
#define PH_API
#endif

#endif
