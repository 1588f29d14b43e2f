/* device.h - an open device, the programs it was given, and bodies in its memory.
 *
 * After a failure a device does nothing more: its status, which every call of the interface
 * sets to PH_OK first and returns, is the first one. Each of the functions here does nothing
 * unless it is PH_OK. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "polhode/device.h"

/* ---- the part of OpenCL 1.2 that is used here --------------------------------------- */

/* Declared by ourselves and found at run time: neither headers nor library are needed to build.
 * The names and numbers are those of the OpenCL specification, version 1.2. */
typedef struct cl_platform *cl_platform;
typedef struct cl_device *cl_device;
typedef struct cl_context *cl_context;
typedef struct cl_queue *cl_queue;
typedef struct cl_program *cl_program;
typedef struct cl_kernel *cl_kernel;
typedef struct cl_memory *cl_memory;
typedef struct cl_event *cl_event;

/* A bit of CL_DEVICE_TYPE; and all of them. */
#define CL_DEVICE_TYPE_GPU ((uint64_t)1 << 2)
#define CL_DEVICE_TYPE_ALL ((uint64_t)0xffffffff)

#define CL_MEM_READ_WRITE   ((uint64_t)1 << 0)
#define CL_MEM_USE_HOST_PTR ((uint64_t)1 << 3)

enum {
    CL_PLATFORM_NAME = 0x0902,
    CL_DEVICE_TYPE = 0x1000,
    CL_DEVICE_MAX_COMPUTE_UNITS = 0x1002,
    CL_DEVICE_MAX_MEM_ALLOC_SIZE = 0x1010,
    CL_DEVICE_GLOBAL_MEM_SIZE = 0x101f,
    CL_DEVICE_AVAILABLE = 0x1027,
    CL_DEVICE_COMPILER_AVAILABLE = 0x1028,
    CL_DEVICE_NAME = 0x102b,
    CL_DEVICE_DOUBLE_FP_CONFIG = 0x1032,
    CL_DEVICE_HOST_UNIFIED_MEMORY = 0x1035,
    CL_PROGRAM_BUILD_LOG = 0x1183,
};

/* Error codes of OpenCL whose names are printed. */
#define CL_ERRORS(X)                                                                               \
    X(CL_SUCCESS, 0)                                                                               \
    X(CL_DEVICE_NOT_AVAILABLE, -2)                                                                 \
    X(CL_COMPILER_NOT_AVAILABLE, -3)                                                               \
    X(CL_MEM_OBJECT_ALLOCATION_FAILURE, -4)                                                        \
    X(CL_OUT_OF_RESOURCES, -5)                                                                     \
    X(CL_OUT_OF_HOST_MEMORY, -6)                                                                   \
    X(CL_BUILD_PROGRAM_FAILURE, -11)                                                               \
    X(CL_INVALID_COMMAND_QUEUE, -36)                                                               \
    X(CL_INVALID_KERNEL_NAME, -46)                                                                 \
    X(CL_INVALID_KERNEL, -48)                                                                      \
    X(CL_INVALID_KERNEL_ARGS, -52)                                                                 \
    X(CL_INVALID_WORK_GROUP_SIZE, -54)                                                             \
    X(CL_INVALID_BUFFER_SIZE, -61)
#define CL_ERROR(name, number) name = (number),
enum { CL_ERRORS(CL_ERROR) };

/* Every function that is called: its result, name and arguments. */
#define CL_FUNCTIONS(X)                                                                            \
    X(int32_t, clGetPlatformIDs, (uint32_t, cl_platform *, uint32_t *))                            \
    X(int32_t, clGetPlatformInfo, (cl_platform, uint32_t, size_t, void *, size_t *))               \
    X(int32_t, clGetDeviceIDs, (cl_platform, uint64_t, uint32_t, cl_device *, uint32_t *))         \
    X(int32_t, clGetDeviceInfo, (cl_device, uint32_t, size_t, void *, size_t *))                   \
    X(cl_context, clCreateContext,                                                                 \
      (const intptr_t *, uint32_t, const cl_device *,                                              \
       void (*)(const char *, const void *, size_t, void *), void *, int32_t *))                   \
    X(int32_t, clReleaseContext, (cl_context))                                                     \
    X(cl_queue, clCreateCommandQueue, (cl_context, cl_device, uint64_t, int32_t *))                \
    X(int32_t, clReleaseCommandQueue, (cl_queue))                                                  \
    X(cl_program, clCreateProgramWithSource,                                                       \
      (cl_context, uint32_t, const char **, const size_t *, int32_t *))                            \
    X(int32_t, clBuildProgram,                                                                     \
      (cl_program, uint32_t, const cl_device *, const char *, void (*)(cl_program, void *),        \
       void *))                                                                                    \
    X(int32_t, clGetProgramBuildInfo, (cl_program, cl_device, uint32_t, size_t, void *, size_t *)) \
    X(int32_t, clReleaseProgram, (cl_program))                                                     \
    X(cl_kernel, clCreateKernel, (cl_program, const char *, int32_t *))                            \
    X(int32_t, clSetKernelArg, (cl_kernel, uint32_t, size_t, const void *))                        \
    X(int32_t, clReleaseKernel, (cl_kernel))                                                       \
    X(cl_memory, clCreateBuffer, (cl_context, uint64_t, size_t, void *, int32_t *))                \
    X(int32_t, clReleaseMemObject, (cl_memory))                                                    \
    X(int32_t, clEnqueueWriteBuffer,                                                               \
      (cl_queue, cl_memory, uint32_t, size_t, size_t, const void *, uint32_t, const cl_event *,    \
       cl_event *))                                                                                \
    X(int32_t, clEnqueueReadBuffer,                                                                \
      (cl_queue, cl_memory, uint32_t, size_t, size_t, void *, uint32_t, const cl_event *,          \
       cl_event *))                                                                                \
    X(int32_t, clEnqueueFillBuffer,                                                                \
      (cl_queue, cl_memory, const void *, size_t, size_t, size_t, uint32_t, const cl_event *,      \
       cl_event *))                                                                                \
    X(int32_t, clEnqueueNDRangeKernel,                                                             \
      (cl_queue, cl_kernel, uint32_t, const size_t *, const size_t *, const size_t *, uint32_t,    \
       const cl_event *, cl_event *))                                                              \
    X(int32_t, clFinish, (cl_queue))

/* The library at run time. */
typedef struct opencl {
    void *library;
/* NOLINTNEXTLINE(bugprone-macro-parentheses): a declaration */
#define CL_POINTER(result, name, arguments) result(*name) arguments;
    CL_FUNCTIONS(CL_POINTER)
#undef CL_POINTER
} opencl;

/* ---- a device ------------------------------------------------------------------------ */

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
#define CL_CALL(d, function, ...)                                                                  \
    do {                                                                                           \
        if ((d)->status == PH_OK)                                                                  \
            ph_device_check((d), #function, (d)->cl.function(__VA_ARGS__));                        \
    } while (0)
void ph_device_check(ph_device *d, const char *function, int32_t error);

/* Memory of that many bytes on the device, or if they are not NULL the caller's own; NULL if
 * that failed. */
cl_memory ph_device_memory(ph_device *d, size_t bytes, void *callers);
void ph_device_release(ph_device *d, cl_memory memory);

/* Copies numbers to the device and back, and waits until that is done. */
void ph_device_write(ph_device *d, cl_memory to, size_t offset, size_t bytes, const void *from);
void ph_device_read(ph_device *d, cl_memory from, size_t offset, size_t bytes, void *to);

/* Whether there is the file that a line `#include "..."` asks for. */
bool ph_device_has(const char *line);

/* A kernel of the program whose source are the texts, up to NULL, one after the other, with the
 * files that they include (scripts/device.cmake); built if it was not yet. NULL if it could not
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
#define ARGUMENT(value)                                                                            \
    {                                                                                              \
        &(value), sizeof(value)                                                                    \
    }
#define LAUNCH(b, kernel, items, arrays, ...)                                                      \
    ph_device_launch((b), (kernel), (items), (arrays), (const kernel_argument[]){__VA_ARGS__},     \
                     sizeof((const kernel_argument[]){__VA_ARGS__}) / sizeof(kernel_argument))
void ph_device_launch(ph_device_bodies *b, cl_kernel kernel, size_t items, int arrays,
                      const kernel_argument *arguments, size_t count);

/* Of a run (advance.c): whether a torque acts, and is one that devices have; its parameters to the
 * device; the kernel of ensemble.cl with its field. */
bool ph_device_has_field(const ph_device_run *run);
bool ph_device_has_torque(const ph_device_run *run);
void ph_device_upload_values(ph_device_bodies *b, const ph_device_run *run);
cl_kernel ph_device_mover(ph_device *d, const ph_device_run *run);
