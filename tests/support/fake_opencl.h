/* fake_opencl.h - a driver of OpenCL for tests, in the process itself: dlopen(), dlsym() and
 * dlclose() of the program that links it (--wrap) find it. It checks what it is told as the
 * specification of OpenCL 1.2 has it, counts what is not released, fails when told to, and does the
 * kernels of src/device/cl in C. */
#ifndef TESTS_SUPPORT_FAKE_OPENCL_H
#define TESTS_SUPPORT_FAKE_OPENCL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "polhode/device.h"

typedef struct fake_device {
    const char *name;
    uint64_t type, memory, largest, double_config;
    uint32_t units, available, compiler, shares;
} fake_device;

enum { FAKE_DEVICES = 8, FAKE_LAUNCHES = 4096 };

typedef struct fake_launch {
    uint64_t first; /* step */
    uint32_t steps, number;
    bool finish;
    size_t items;
} fake_launch;

typedef struct fake_driver {
    fake_device devices[FAKE_DEVICES];
    uint32_t count;
    bool absent;           /* the library is not there */
    const char *lacking;   /* a function that the library does not have */
    int libraries;         /* that are open */
    long live;             /* objects that are not released */
    long calls, fail_at;   /* of functions; the one that fails, 0: none */
    int32_t error;         /* with this */
    const char *failed;    /* the name of the function that did */
    const char *build_log; /* not NULL: programs do not build */
    volatile bool inside;  /* the driver works */
    const char *wrong;     /* what was called as it must not be; NULL: nothing */
    long finishes;         /* how often the queue was waited for */
    const char *text;      /* of the last program that was launched, while it is there */

    /* What the kernels do. */
    const ph_device_run *run;
    bool idle; /* nothing */
    int leave; /* bodies whose number this divides are left for the second program; 0: none */
    double (*value)(uint64_t i, ph_quat q, ph_vec3 m, ph_vec3 J);
    void (*generate)(uint64_t i, ph_state *s, ph_vec3 *J, double *time);
    fake_launch launches[FAKE_LAUNCHES]; /* of `advance` */
    size_t launch_count;
} fake_driver;

extern fake_driver fake;

#endif
