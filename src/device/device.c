/* device.c - libOpenCL, if the machine has one; its devices; and one of them opened: memory,
 * programs, built when they are first asked for, launches, and what went wrong. */
#include "polhode/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arguments.h"
#include "base/array.h"
#include "base/text.h"
#include "device/device.h"

/* CMake embeds the sources of programs. A library that is built without it lists no devices. */
#if __has_include("device_files.h")
#include "device_files.h"
enum { HAS_SOURCES = 1 };
#else
enum { HAS_SOURCES = 0 };
static const struct {
    const char *name, *text;
} DEVICE_FILES[] = {{"", ""}};
#endif
enum { FILES = sizeof DEVICE_FILES / sizeof *DEVICE_FILES };

/* ---- the library ----------------------------------------------------------------- */

#if defined __unix__ || defined __APPLE__
#include <dlfcn.h>

/* For a wheel: the versions that these functions had before glibc 2.34, which newer ones keep. */
#if defined PH_OLD_GLIBC && defined __GLIBC__ && defined __x86_64__
#define DL_VERSION "GLIBC_2.2.5"
#elif defined PH_OLD_GLIBC && defined __GLIBC__ && defined __aarch64__
#define DL_VERSION "GLIBC_2.17"
#endif
#ifdef DL_VERSION
__asm__(".symver dlopen,dlopen@" DL_VERSION);
__asm__(".symver dlsym,dlsym@" DL_VERSION);
__asm__(".symver dlclose,dlclose@" DL_VERSION);
#endif

/* The names under which the loader of OpenCL drivers is installed. */
static const char *const NAMES[] = {"libOpenCL.so.1", "libOpenCL.so",
                                    "/System/Library/Frameworks/OpenCL.framework/OpenCL"};

static void unload(opencl *cl)
{
    if (cl->library != NULL)
        (void)dlclose(cl->library);
    *cl = (opencl){0};
}

/* Finds libOpenCL and all functions; false where there is none, or it lacks one. Drivers keep
 * threads of their own, so the library stays in memory (RTLD_NODELETE). */
static bool load(opencl *cl)
{
    *cl = (opencl){0};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES && cl->library == NULL; i++)
        cl->library = dlopen(NAMES[i], RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (cl->library == NULL)
        return false;
    bool all = true;
    void *found;
/* POSIX has pointers to functions and to objects of one size. */
#define CL_FIND(result, name, arguments)                                                           \
    found = dlsym(cl->library, #name);                                                             \
    memcpy(&cl->name, &found, sizeof found);                                                       \
    all = all && found != NULL;
    CL_FUNCTIONS(CL_FIND)
#undef CL_FIND
    if (!all)
        unload(cl);
    return all;
}
#else
static void unload(opencl *cl)
{
    *cl = (opencl){0};
}

static bool load(opencl *cl)
{
    *cl = (opencl){0};
    return false;
}
#endif

/* ---- what there is --------------------------------------------------------------- */

enum { MOST_PLATFORMS = 16, MOST_DEVICES = 64 };

typedef struct found_device {
    cl_device id;
    ph_device_info info;
} found_device;

/* A number of four bytes or eight; 0 if there is none. */
static uint64_t number_of(const opencl *cl, cl_device id, uint32_t what)
{
    union {
        uint64_t wide;
        uint32_t narrow;
    } x = {0};
    size_t size = 0;
    if (cl->clGetDeviceInfo(id, what, sizeof x, &x, &size) != CL_SUCCESS)
        return 0;
    return size == sizeof x.narrow ? x.narrow : x.wide;
}

static ph_device_info about(const opencl *cl, cl_platform platform, cl_device id)
{
    ph_device_info info = {.memory = number_of(cl, id, CL_DEVICE_GLOBAL_MEM_SIZE),
                           .largest = number_of(cl, id, CL_DEVICE_MAX_MEM_ALLOC_SIZE),
                           .units = (int)number_of(cl, id, CL_DEVICE_MAX_COMPUTE_UNITS),
                           .gpu = (number_of(cl, id, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_GPU) != 0,
                           .shares_memory = number_of(cl, id, CL_DEVICE_HOST_UNIFIED_MEMORY) != 0,
                           .double_precision = number_of(cl, id, CL_DEVICE_DOUBLE_FP_CONFIG) != 0};
    (void)cl->clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof info.platform - 1, info.platform,
                                NULL);
    (void)cl->clGetDeviceInfo(id, CL_DEVICE_NAME, sizeof info.name - 1, info.name, NULL);
    return info;
}

static size_t find_devices(const opencl *cl, found_device found[MOST_DEVICES])
{
    cl_platform platforms[MOST_PLATFORMS];
    uint32_t platform_count = 0;
    size_t n = 0;
    if (!HAS_SOURCES ||
        cl->clGetPlatformIDs(MOST_PLATFORMS, platforms, &platform_count) != CL_SUCCESS)
        return 0;
    for (uint32_t p = 0; p < platform_count && p < MOST_PLATFORMS; p++) {
        cl_device ids[MOST_DEVICES];
        uint32_t count = 0;
        if (cl->clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, MOST_DEVICES, ids, &count) !=
            CL_SUCCESS)
            continue;
        for (uint32_t k = 0; k < count && k < MOST_DEVICES && n < MOST_DEVICES; k++) {
            if (number_of(cl, ids[k], CL_DEVICE_AVAILABLE) != 0 &&
                number_of(cl, ids[k], CL_DEVICE_COMPILER_AVAILABLE) != 0)
                found[n++] = (found_device){ids[k], about(cl, platforms[p], ids[k])};
        }
    }
    return n;
}

size_t ph_devices(ph_device_info *info, size_t count)
{
    opencl cl;
    found_device found[MOST_DEVICES];
    if (!load(&cl))
        return 0;
    const size_t n = find_devices(&cl, found);
    for (size_t i = 0; i < n && i < count; i++)
        info[i] = found[i].info;
    unload(&cl);
    return n;
}

/* ---- one of them ----------------------------------------------------------------- */

/* The device of a name; n if there is none. */
static size_t chosen(const found_device *found, size_t n, const char *name)
{
    const bool any = strcmp(name, "any") == 0;
    size_t best = n;
    for (size_t i = n; i-- > 0;) {
        const ph_device_info *info = &found[i].info;
        if (!info->double_precision || (!any && strcmp(info->name, name) != 0))
            continue;
        if (best == n || info->gpu || !found[best].info.gpu)
            best = i;
    }
    return best;
}

ph_status ph_device_create(const char *name, ph_device **out)
{
    found_device found[MOST_DEVICES];
    if (ANY_NULL(name, out))
        return PH_NULL_ARGUMENT;
    ph_device *d = calloc(1, sizeof *d);
    if (d == NULL)
        return PH_NO_MEMORY;
    if (!load(&d->cl)) {
        free(d);
        return PH_NO_DEVICE;
    }
    const size_t n = find_devices(&d->cl, found), i = chosen(found, n, name);
    int32_t error = CL_SUCCESS;
    if (i < n) {
        d->id = found[i].id;
        d->info = found[i].info;
        d->context = d->cl.clCreateContext(NULL, 1, &d->id, NULL, NULL, &error);
        if (error == CL_SUCCESS)
            d->queue = d->cl.clCreateCommandQueue(d->context, d->id, 0, &error);
    }
    if (i == n || error != CL_SUCCESS) {
        ph_device_destroy(d);
        return i == n ? PH_NO_DEVICE : PH_DEVICE_FAILED;
    }
    *out = d;
    return PH_OK;
}

void ph_device_destroy(ph_device *d)
{
    if (d == NULL)
        return;
    while (d->programs != NULL) {
        device_program *p = d->programs;
        d->programs = p->next;
        for (int k = 0; k < PROGRAM_KERNELS; k++) {
            if (p->kernels[k].kernel != NULL)
                (void)d->cl.clReleaseKernel(p->kernels[k].kernel);
        }
        (void)d->cl.clReleaseProgram(p->program);
        free(p->text);
        free(p);
    }
    if (d->queue != NULL)
        (void)d->cl.clReleaseCommandQueue(d->queue);
    if (d->context != NULL)
        (void)d->cl.clReleaseContext(d->context);
    unload(&d->cl);
    free(d->log);
    free(d);
}

const ph_device_info *ph_device_about(const ph_device *d)
{
    return &d->info;
}

/* ---- errors ---------------------------------------------------------------------- */

const char *ph_device_log(const ph_device *d)
{
    return text_or_empty(d->log);
}

/* The name of an error, as the specification has it; "error" if it is another. */
static const char *error_name(int32_t error)
{
    static const struct {
        int32_t error;
        const char *name;
    } names[] = {
#define CL_NAME(name, number) {(number), #name},
        CL_ERRORS(CL_NAME)
#undef CL_NAME
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (names[i].error == error)
            return names[i].name;
    }
    return "error";
}

static void keep_log(ph_device *d, const char *function, int32_t error, const char *words)
{
    const char *name = error_name(error);
    const size_t size = strlen(function) + strlen(name) + strlen(words) + 20;
    char *log = array_create(size, 1);
    if (log == NULL)
        return;
    (void)snprintf(log, size, "%s: %s (%d)%s%s", function, name, (int)error,
                   text_if(words[0] != '\0', "\n"), words);
    free(d->log);
    d->log = log;
}

void ph_device_check(ph_device *d, const char *function, int32_t error)
{
    if (error == CL_SUCCESS)
        return;
    keep_log(d, function, error, "");
    if (error == CL_MEM_OBJECT_ALLOCATION_FAILURE || error == CL_OUT_OF_HOST_MEMORY ||
        error == CL_INVALID_BUFFER_SIZE)
        d->status = PH_NO_MEMORY;
    else
        d->status = PH_DEVICE_FAILED;
}

/* ---- memory ---------------------------------------------------------------------- */

cl_memory ph_device_memory(ph_device *d, size_t bytes, void *callers)
{
    if (d->status != PH_OK)
        return NULL;
    int32_t error;
    const uint64_t flags = CL_MEM_READ_WRITE | (callers ? CL_MEM_USE_HOST_PTR : 0);
    cl_memory memory = d->cl.clCreateBuffer(d->context, flags, bytes, callers, &error);
    ph_device_check(d, "clCreateBuffer", error);
    return error == CL_SUCCESS ? memory : NULL;
}

void ph_device_release(ph_device *d, cl_memory memory)
{
    if (memory != NULL)
        (void)d->cl.clReleaseMemObject(memory);
}

void ph_device_write(ph_device *d, cl_memory to, size_t offset, size_t bytes, const void *from)
{
    if (bytes > 0)
        CL_CALL(d, clEnqueueWriteBuffer, d->queue, to, 1, offset, bytes, from, 0, NULL, NULL);
}

void ph_device_read(ph_device *d, cl_memory from, size_t offset, size_t bytes, void *to)
{
    if (bytes > 0)
        CL_CALL(d, clEnqueueReadBuffer, d->queue, from, 1, offset, bytes, to, 0, NULL, NULL);
}

/* ---- programs -------------------------------------------------------------------- */

static bool begins(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

/* The number of the file that a line includes; FILES if it includes none of those that the
 * build embedded. */
static size_t included_file(const char *line)
{
    static const char include[] = "#include \"";
    const char *name = line + strlen(include);
    size_t i = begins(line, include) ? 0 : FILES;
    while (i < FILES &&
           !(begins(name, DEVICE_FILES[i].name) && name[strlen(DEVICE_FILES[i].name)] == '"'))
        i++;
    return i;
}

bool ph_device_has(const char *line)
{
    return included_file(line) < FILES;
}

/* A program while it is put together. */
typedef struct program_text {
    char *text; /* NULL: there was no memory */
    size_t length, room;
    bool done[FILES]; /* included whatever the preprocessor says */
} program_text;

static void append(program_text *t, const char *from, size_t length)
{
    while (t->text != NULL && t->length + length >= t->room) {
        char *more = array_resize(t->text, t->room = size_product(t->room, 2), 1);
        if (more == NULL)
            free(t->text);
        t->text = more;
    }
    if (t->text == NULL)
        return;
    memcpy(t->text + t->length, from, length);
    t->text[t->length += length] = '\0';
}

/* Appends a text with the files that it includes in their places. Each is there once: behind
 * a guard, so that one between #if and #endif, `conditions` deep, may come again. What C has
 * in its own headers portable.h has for a device. */
/* NOLINTNEXTLINE(misc-no-recursion): a file does not include itself */
static void append_expanded(program_text *t, const char *text, int conditions)
{
    for (const char *line = text, *next; *line != '\0'; line = next) {
        const size_t length = strcspn(line, "\n");
        next = line + length + (line[length] == '\n');
        conditions += begins(line, "#if") - begins(line, "#endif");
        const size_t file = included_file(line);
        if (file < FILES && !t->done[file]) {
            char guard[64];
            const int size =
                snprintf(guard, sizeof guard, "#ifndef FILE_%zu\n#define FILE_%zu\n", file, file);
            t->done[file] = conditions == 0;
            append(t, guard, (size_t)size);
            append_expanded(t, DEVICE_FILES[file].text, conditions);
            append(t, "#endif\n", strlen("#endif\n"));
        } else if (file == FILES && !begins(line, "#include <") && !begins(line, "#pragma once")) {
            append(t, line, (size_t)(next - line));
        }
    }
}

/* The steps of many bodies run faster on an NVIDIA H200 if more of them are under way at once, each with no more
 * than 128 registers: `exact` by 4 to 9 %, `dmv8` in long steps by 17 %. */
static const char *options_of(const ph_device *d, const char *kernel)
{
    const bool limited = begins(d->info.platform, "NVIDIA") && strcmp(kernel, "advance") == 0;
    if (limited)
        return "-cl-std=CL1.2 -cl-nv-maxrregcount=128";
    return "-cl-std=CL1.2";
}

/* Without -cl-fast-relaxed-math or the like: results are rounded as IEEE 754 has it. What the
 * compiler says is kept. NULL if it fails. */
static cl_program build(ph_device *d, const char *text, const char *kernel)
{
    int32_t error;
    cl_program program = d->cl.clCreateProgramWithSource(d->context, 1, &text, NULL, &error);
    ph_device_check(d, "clCreateProgramWithSource", error);
    if (error != CL_SUCCESS)
        return NULL;
    error = d->cl.clBuildProgram(program, 1, &d->id, options_of(d, kernel), NULL, NULL);
    if (error == CL_SUCCESS)
        return program;
    size_t size = 0;
    char *words = NULL;
    if (d->cl.clGetProgramBuildInfo(program, d->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) ==
        CL_SUCCESS)
        words = array_create(size_sum(size, 1), 1);
    if (words != NULL)
        (void)d->cl.clGetProgramBuildInfo(program, d->id, CL_PROGRAM_BUILD_LOG, size, words, NULL);
    keep_log(d, "clBuildProgram", error, text_or_empty(words));
    free(words);
    (void)d->cl.clReleaseProgram(program);
    d->status = PH_DEVICE_BUILD;
    return NULL;
}

/* The program of a text, which it keeps or frees, for a kernel of it; NULL if it could not be built. */
static device_program *program_of(ph_device *d, char *text, const char *kernel)
{
    device_program *p = d->programs;
    while (p != NULL && strcmp(p->text, text) != 0)
        p = p->next;
    cl_program program = NULL;
    if (p == NULL)
        program = build(d, text, kernel);
    if (program == NULL || (p = calloc(1, sizeof *p)) == NULL) {
        if (program != NULL) {
            (void)d->cl.clReleaseProgram(program);
            d->status = PH_NO_MEMORY;
        }
        free(text);
        return p;
    }
    *p = (device_program){.next = d->programs, .text = text, .program = program};
    return d->programs = p;
}

cl_kernel ph_device_kernel(ph_device *d, const char *const *texts, const char *name)
{
    if (d->status != PH_OK)
        return NULL;
    program_text t = {.text = array_create(1, 1), .room = 1};
    for (size_t i = 0; texts[i] != NULL; i++) {
        append_expanded(&t, texts[i], 0);
        append(&t, "\n", 1);
    }
    device_program *p = NULL;
    if (t.text == NULL)
        d->status = PH_NO_MEMORY;
    else
        p = program_of(d, t.text, name);
    if (p == NULL)
        return NULL;
    int k = 0;
    while (k < PROGRAM_KERNELS - 1 && p->kernels[k].kernel != NULL &&
           strcmp(p->kernels[k].name, name) != 0)
        k++;
    if (p->kernels[k].kernel == NULL) {
        int32_t error;
        p->kernels[k].kernel = d->cl.clCreateKernel(p->program, name, &error);
        p->kernels[k].name = name;
        ph_device_check(d, "clCreateKernel", error);
    }
    return p->kernels[k].kernel;
}

void ph_device_launch(ph_device_bodies *b, cl_kernel kernel, size_t items, int arrays,
                      const kernel_argument *arguments, size_t count)
{
    ph_device *d = b->device;
    const size_t group = DEVICE_GROUP, all = (items + group - 1) / group * group;
    uint32_t at = 0;
    for (int k = 0; k < arrays; k++)
        CL_CALL(d, clSetKernelArg, kernel, at++, sizeof b->array[k], &b->array[k]);
    for (size_t k = 0; k < count; k++)
        CL_CALL(d, clSetKernelArg, kernel, at++, arguments[k].size, arguments[k].value);
    CL_CALL(d, clEnqueueNDRangeKernel, d->queue, kernel, 1, NULL, &all, &group, 0, NULL, NULL);
}
