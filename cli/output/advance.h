/* advance.h - a block of free bodies brought to their times, on the cores of this machine or on a
 * device. */
#pragma once

#include "cli/tool/command.h"
#include "polhode/device.h"

/* Cases of a block, several times what all cores need to be busy: 1.5 MB. */
enum { CASES_BLOCK = 16384 };

#define CASES_WHY 200 /* bytes */

typedef struct cases_block {
    size_t n;
    double q[4][CASES_BLOCK], m[3][CASES_BLOCK], J[3][CASES_BLOCK], t[CASES_BLOCK];
    unsigned long long line[CASES_BLOCK];
    unsigned long long before; /* cases of the blocks before */
    double from, to;           /* fractions of the file read; negative: unknown */
} cases_block;

/* What is done with the bodies; with --device an open device and room on it for a block. */
typedef struct advancing {
    ph_device_run run;
    ph_device *device;
    ph_device_bodies *bodies;
} advancing;

/* Opens a device by its name, or says why not. */
int device_open(const char *name, ph_device **out);

/* Fails if --device is given without --cases. */
int device_refuse(const arguments *given);

/* Opens the device that --device asks for, and fails if it cannot do the run. Close in either
 * case. */
int advance_open(advancing *a, const arguments *given);
void advance_close(advancing *a);

/* Brings the bodies from their starts to their times. Returns how many are there before the
 * first that is not; `why`, empty at first, is for what that one failed of: nothing where its
 * state is not finite, or after Ctrl-C. */
size_t advance_block(advancing *a, cases_block *b, char why[CASES_WHY]);
