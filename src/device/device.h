/* device.h - an open device, the programs it was given, and bodies in its memory.
 *
 * After a failure a device does nothing more: its status, which every call of the interface
 * sets to PH_OK first and returns, is the first one. Each of the functions here does nothing
 * unless it is PH_OK. */
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
    ph_status status;
    char *log;
};

/* Calls a function of OpenCL that returns an error; and what it returned, as the status and
 * in the log. */
#define CL_CALL(d, function, ...)                                                        \
    do {                                                                                 \
        if ((d)->status == PH_OK)                                                        \
            ph_device_check((d), #function, (d)->cl.function(__VA_ARGS__));              \
    } while (0)
void ph_device_check(ph_device *d, const char *function, int32_t error);

/* Memory of that many bytes on the device, or if they are not NULL the caller's own; NULL if
 * that failed. */
cl_memory ph_device_memory(ph_device *d, size_t bytes, void *callers);
void ph_device_release(ph_device *d, cl_memory memory);

/* Copies numbers to the device and back, and waits until that is done. */
void ph_device_write(ph_device *d, cl_memory to, size_t offset, size_t bytes,
                     const void *from);
void ph_device_read(ph_device *d, cl_memory from, size_t offset, size_t bytes, void *to);

/* Whether there is the file that a line `#include "..."` asks for. */
bool ph_device_has(const char *line);

/* A kernel of the program whose source are the texts, up to NULL, one after the other, with the
 * files that they include (tools/device.cmake); built if it was not yet. NULL if it could not
 * be. */
cl_kernel ph_device_kernel(ph_device *d, const char *const *texts, const char *name);

/* Arrays of a body's numbers, in the order in which kernels take them. */
enum { BODY_Q = 0, BODY_M = 4, BODY_J = 7, BODY_TIME = 10, BODY_ARRAYS = 11 };

/* Numbers before the bodies on the list of advance.cl. */
enum { DEVICE_LIST_HEAD = 5 };

struct ph_device_bodies {
    ph_device *device;
    size_t capacity, n;
    uint64_t first; /* the number of body 0, where they were generated */
    cl_memory array[BODY_ARRAYS];
    cl_memory left, list; /* of advance.cl */
    cl_memory values;     /* parameters of a field, some of them for each body */
    size_t values_size;
    size_t left_count; /* that took the longer way in the last run */
};

/* Of a group of work-items: reduce.cl counts on it. */
enum { DEVICE_GROUP = 64 };

/* Launches a kernel for `items` work-items or more, in groups. Its arguments are the first
 * `arrays` of the bodies, and then those given, each an ARGUMENT. */
typedef struct kernel_argument {
    const void *value;
    size_t size;
} kernel_argument;
#define ARGUMENT(value)                                                                  \
    {                                                                                    \
        &(value), sizeof(value)                                                          \
    }
#define LAUNCH(b, kernel, items, arrays, ...)                                            \
    ph_device_launch(                                                                    \
        (b), (kernel), (items), (arrays), (const kernel_argument[]){__VA_ARGS__},        \
        sizeof((const kernel_argument[]){__VA_ARGS__}) / sizeof(kernel_argument))
void ph_device_launch(ph_device_bodies *b, cl_kernel kernel, size_t items, int arrays,
                      const kernel_argument *arguments, size_t count);
