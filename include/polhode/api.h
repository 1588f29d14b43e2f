/* api.h - marks what the shared library exports. */
#ifndef POLHODE_API_H
#define POLHODE_API_H

#if defined(__OPENCL_VERSION__) /* the program of a device is one text */
#define PH_API static
#elif defined(_WIN32) && defined(PH_EXPORTS) /* the library itself */
#define PH_API __declspec(dllexport)
#elif defined(_WIN32) && defined(PH_DLL) /* who defines this uses polhode.dll */
#define PH_API __declspec(dllimport)
#elif defined(__GNUC__) && !defined(_WIN32)
#define PH_API __attribute__((visibility("default")))
#else
#define PH_API
#endif

#endif
