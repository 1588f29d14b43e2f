/* windows.h - what of POSIX the library uses and Windows has not: included before every file of the
 * library where it is built for Windows, so that none of them knows of it. */
#pragma once

#include <pthread.h>
#include <time.h>

#undef pthread_atfork /* there is no fork() */
#define pthread_atfork(before, parent, child) ((void)(child), 0)
#define _SC_NPROCESSORS_ONLN                  0
#define sysconf(name)                         ((long)pthread_num_processors_np())

#ifndef TIME_UTC
#define TIME_UTC                 1
#define timespec_get(time, base) (clock_gettime(CLOCK_REALTIME, time) == 0 ? (base) : 0)
#endif
