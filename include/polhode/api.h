/* api.h - the macro PH_API, which marks what the shared library exports. */
#ifndef POLHODE_API_H
#define POLHODE_API_H

#if defined(PH_API)                          /* The program has its own definition. */
#elif defined(_WIN32) && defined(PH_EXPORTS) /* The library itself is being built. */
#define PH_API __declspec(dllexport)
#elif defined(_WIN32) && defined(PH_DLL) /* A program uses polhode.dll. */
#define PH_API __declspec(dllimport)
#elif defined(__GNUC__) && !defined(_WIN32)
#define PH_API __attribute__((visibility("default")))
#else
#define PH_API
#endif

#endif
