/* device.h - cases on a device, for the commands that take --device. */
#pragma once

#include "cases.h"
#include "cli/tool/command.h"
#include "polhode/device.h"

/* An open device and room on it for the cases of a block; all NULL without --device. */
typedef struct device_cases {
    ph_device *device;
    ph_device_bodies *bodies;
} device_cases;

/* Opens the device that --device asks for, and fails if it cannot do the run; without the
 * option nothing is opened. Close in either case. */
int device_cases_open(device_cases *d, const arguments *given, const ph_device_run *run);
void device_cases_close(device_cases *d);

/* Brings the bodies of a block to their times as `run` says: as many as are there before the
 * first that is not, like the function `advance` of a cases_job; *end is how it ended. */
size_t device_cases_advance(const device_cases *d, const ph_device_run *run,
                            cases_block *b, char why[CASES_WHY], ph_batch_result *end);
