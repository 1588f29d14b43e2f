/* bodies.h - bodies in the memory of a device. */
#pragma once

#include "device/programs.h"

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

/* Memory of that many bytes on the device. */
ph_status ph_device_memory(ph_device *d, size_t bytes, cl_memory *out);
void ph_device_release(ph_device *d, cl_memory memory);

/* Copies numbers to the device and back, and waits until that is done. */
ph_status ph_device_write(ph_device *d, cl_memory to, size_t offset, size_t bytes,
                          const void *from);
ph_status ph_device_read(ph_device *d, cl_memory from, size_t offset, size_t bytes,
                         void *to);

/* The first `count` arrays as arguments. */
void ph_device_arrays(kernel_call *call, const ph_device_bodies *b, int count);
