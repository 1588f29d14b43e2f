/* opencl.h - the part of OpenCL 1.2 that is used here, declared by ourselves and found at run
 * time: neither headers nor library are needed to build.
 *
 * The names and numbers are those of the OpenCL specification, version 1.2.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "polhode/polhode.h"

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

/* The errors that are told by name. */
#define CL_ERRORS(X)                                                                     \
    X(CL_SUCCESS, 0)                                                                     \
    X(CL_DEVICE_NOT_AVAILABLE, -2)                                                       \
    X(CL_COMPILER_NOT_AVAILABLE, -3)                                                     \
    X(CL_MEM_OBJECT_ALLOCATION_FAILURE, -4)                                              \
    X(CL_OUT_OF_RESOURCES, -5)                                                           \
    X(CL_OUT_OF_HOST_MEMORY, -6)                                                         \
    X(CL_BUILD_PROGRAM_FAILURE, -11)                                                     \
    X(CL_INVALID_COMMAND_QUEUE, -36)                                                     \
    X(CL_INVALID_KERNEL_NAME, -46)                                                       \
    X(CL_INVALID_KERNEL, -48)                                                            \
    X(CL_INVALID_KERNEL_ARGS, -52)                                                       \
    X(CL_INVALID_WORK_GROUP_SIZE, -54)                                                   \
    X(CL_INVALID_BUFFER_SIZE, -61)
#define CL_ERROR(name, number) name = (number),
enum { CL_ERRORS(CL_ERROR) };

/* Every function that is called: its result, name and arguments. */
#define CL_FUNCTIONS(X)                                                                  \
    X(int32_t, clGetPlatformIDs, (uint32_t, cl_platform *, uint32_t *))                  \
    X(int32_t, clGetPlatformInfo, (cl_platform, uint32_t, size_t, void *, size_t *))     \
    X(int32_t, clGetDeviceIDs,                                                           \
      (cl_platform, uint64_t, uint32_t, cl_device *, uint32_t *))                        \
    X(int32_t, clGetDeviceInfo, (cl_device, uint32_t, size_t, void *, size_t *))         \
    X(cl_context, clCreateContext,                                                       \
      (const intptr_t *, uint32_t, const cl_device *,                                    \
       void (*)(const char *, const void *, size_t, void *), void *, int32_t *))         \
    X(int32_t, clReleaseContext, (cl_context))                                           \
    X(cl_queue, clCreateCommandQueue, (cl_context, cl_device, uint64_t, int32_t *))      \
    X(int32_t, clReleaseCommandQueue, (cl_queue))                                        \
    X(cl_program, clCreateProgramWithSource,                                             \
      (cl_context, uint32_t, const char **, const size_t *, int32_t *))                  \
    X(int32_t, clBuildProgram,                                                           \
      (cl_program, uint32_t, const cl_device *, const char *,                            \
       void (*)(cl_program, void *), void *))                                            \
    X(int32_t, clGetProgramBuildInfo,                                                    \
      (cl_program, cl_device, uint32_t, size_t, void *, size_t *))                       \
    X(int32_t, clReleaseProgram, (cl_program))                                           \
    X(cl_kernel, clCreateKernel, (cl_program, const char *, int32_t *))                  \
    X(int32_t, clSetKernelArg, (cl_kernel, uint32_t, size_t, const void *))              \
    X(int32_t, clReleaseKernel, (cl_kernel))                                             \
    X(cl_memory, clCreateBuffer, (cl_context, uint64_t, size_t, void *, int32_t *))      \
    X(int32_t, clReleaseMemObject, (cl_memory))                                          \
    X(int32_t, clEnqueueWriteBuffer,                                                     \
      (cl_queue, cl_memory, uint32_t, size_t, size_t, const void *, uint32_t,            \
       const cl_event *, cl_event *))                                                    \
    X(int32_t, clEnqueueReadBuffer,                                                      \
      (cl_queue, cl_memory, uint32_t, size_t, size_t, void *, uint32_t,                  \
       const cl_event *, cl_event *))                                                    \
    X(int32_t, clEnqueueFillBuffer,                                                      \
      (cl_queue, cl_memory, const void *, size_t, size_t, size_t, uint32_t,              \
       const cl_event *, cl_event *))                                                    \
    X(int32_t, clEnqueueNDRangeKernel,                                                   \
      (cl_queue, cl_kernel, uint32_t, const size_t *, const size_t *, const size_t *,    \
       uint32_t, const cl_event *, cl_event *))                                          \
    X(int32_t, clFinish, (cl_queue))

/* The library at run time. */
typedef struct opencl {
    void *library;
/* NOLINTNEXTLINE(bugprone-macro-parentheses): a declaration */
#define CL_POINTER(result, name, arguments) result(*name) arguments;
    CL_FUNCTIONS(CL_POINTER)
#undef CL_POINTER
} opencl;
