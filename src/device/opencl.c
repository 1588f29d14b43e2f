/* opencl.c - libOpenCL, if the machine has one. */
#include "device/opencl.h"

#include <string.h>

#if defined __unix__ || defined __APPLE__
#include <dlfcn.h>

/* The names under which the loader of OpenCL drivers is installed. */
static const char *const NAMES[] = {"libOpenCL.so.1", "libOpenCL.so",
                                    "/System/Library/Frameworks/OpenCL.framework/OpenCL"};

/* Drivers keep threads of their own, so the library stays in memory (RTLD_NODELETE). */
bool ph_opencl_load(opencl *cl)
{
    *cl = (opencl){0};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES && cl->library == NULL; i++)
        cl->library = dlopen(NAMES[i], RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (cl->library == NULL)
        return false;
    bool all = true;
    void *found;
/* POSIX has pointers to functions and to objects of one size. */
#define CL_FIND(result, name, arguments)                                                 \
    found = dlsym(cl->library, #name);                                                   \
    memcpy(&cl->name, &found, sizeof found);                                             \
    all = all && found != NULL;
    CL_FUNCTIONS(CL_FIND)
#undef CL_FIND
    if (!all)
        ph_opencl_unload(cl);
    return all;
}

void ph_opencl_unload(opencl *cl)
{
    if (cl->library != NULL)
        (void)dlclose(cl->library);
    *cl = (opencl){0};
}

#else

bool ph_opencl_load(opencl *cl)
{
    *cl = (opencl){0};
    return false;
}

void ph_opencl_unload(opencl *cl)
{
    *cl = (opencl){0};
}

#endif

const char *ph_opencl_error(int32_t error)
{
    static const struct {
        int32_t error;
        const char *name;
    } names[] = {
        {-2, "CL_DEVICE_NOT_AVAILABLE"},
        {-3, "CL_COMPILER_NOT_AVAILABLE"},
        {CL_MEM_OBJECT_ALLOCATION_FAILURE, "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
        {CL_OUT_OF_RESOURCES, "CL_OUT_OF_RESOURCES"},
        {CL_OUT_OF_HOST_MEMORY, "CL_OUT_OF_HOST_MEMORY"},
        {CL_BUILD_PROGRAM_FAILURE, "CL_BUILD_PROGRAM_FAILURE"},
        {-36, "CL_INVALID_COMMAND_QUEUE"},
        {-46, "CL_INVALID_KERNEL_NAME"},
        {-48, "CL_INVALID_KERNEL"},
        {-52, "CL_INVALID_KERNEL_ARGS"},
        {-54, "CL_INVALID_WORK_GROUP_SIZE"},
        {CL_INVALID_BUFFER_SIZE, "CL_INVALID_BUFFER_SIZE"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (names[i].error == error)
            return names[i].name;
    }
    return "error";
}
