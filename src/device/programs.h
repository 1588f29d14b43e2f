/* programs.h - an open device, and the programs it was given. */
#pragma once

#include "device/opencl.h"
#include "polhode/device.h"

/* A program that was built, and its kernels. */
enum { PROGRAM_KERNELS = 2 };
typedef struct device_program device_program;
struct device_program {
    device_program *next;
    char *text; /* all of its source: programs of the same text are one */
    cl_program program;
    struct {
        const char *name;
        cl_kernel kernel;
    } kernels[PROGRAM_KERNELS];
};

struct ph_device {
    opencl cl;
    cl_device id;
    cl_context context;
    cl_queue queue;
    ph_device_info info;
    device_program *programs;
    char *log;
};

/* Whether there is the file that a line `#include "..."` asks for. */
bool ph_device_has(const char *line);

/* A kernel of the program whose source are the texts, up to NULL, one after the other, with the
 * files that they include (tools/device.cmake); built if it was not yet. PH_NO_MEMORY,
 * PH_DEVICE_BUILD, PH_DEVICE_FAILED. */
ph_status ph_device_kernel(ph_device *d, const char *const *texts, const char *name,
                           cl_kernel *out);

/* Arguments of a kernel, one after the other. */
typedef struct kernel_call {
    ph_device *device;
    cl_kernel kernel;
    uint32_t arguments;
    int32_t error; /* the first */
} kernel_call;

void ph_device_argument(kernel_call *call, const void *value, size_t size);
#define ARGUMENT(call, value) ph_device_argument(call, &(value), sizeof(value))

/* Launches it with `items` work-items or more, in groups. */
ph_status ph_device_launch(kernel_call *call, size_t items, size_t group);

/* Of a group of work-items: reduce.cl counts on it. */
enum { DEVICE_GROUP = 64 };

/* PH_OK, or keeps in the log that a function of OpenCL failed, and why. */
ph_status ph_device_check(ph_device *d, const char *function, int32_t error);
