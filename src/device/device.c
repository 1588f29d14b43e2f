/* device.c - the devices of a machine, and one of them opened: its programs, built when they
 * are first asked for, and what went wrong. */
#include "polhode/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/programs.h"
#include "device_files.h"

/* ---- what there is --------------------------------------------------------------- */

enum { MOST_PLATFORMS = 16, MOST_DEVICES = 64 };

typedef struct found_device {
    cl_device id;
    ph_device_info info;
} found_device;

static void device_number(const opencl *cl, cl_device id, uint32_t what, uint64_t *x)
{
    unsigned char bytes[sizeof *x] = {0};
    size_t size = 0;
    uint32_t narrow = 0;
    *x = 0;
    if (cl->clGetDeviceInfo(id, what, sizeof bytes, bytes, &size) != CL_SUCCESS)
        return;
    if (size == sizeof narrow) {
        memcpy(&narrow, bytes, sizeof narrow);
        *x = narrow;
    } else if (size == sizeof *x) {
        memcpy(x, bytes, sizeof *x);
    }
}

static bool device_flag(const opencl *cl, cl_device id, uint32_t what)
{
    uint64_t x;
    device_number(cl, id, what, &x);
    return x != 0;
}

static ph_device_info about(const opencl *cl, cl_platform platform, cl_device id)
{
    ph_device_info info = {0};
    uint64_t type, units;
    (void)cl->clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof info.platform - 1,
                                info.platform, NULL);
    (void)cl->clGetDeviceInfo(id, CL_DEVICE_NAME, sizeof info.name - 1, info.name, NULL);
    device_number(cl, id, CL_DEVICE_TYPE, &type);
    device_number(cl, id, CL_DEVICE_MAX_COMPUTE_UNITS, &units);
    device_number(cl, id, CL_DEVICE_GLOBAL_MEM_SIZE, &info.memory);
    device_number(cl, id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, &info.largest);
    info.units = (int)units;
    info.gpu = (type & CL_DEVICE_TYPE_GPU) != 0;
    info.shares_memory = device_flag(cl, id, CL_DEVICE_HOST_UNIFIED_MEMORY);
    info.double_precision = device_flag(cl, id, CL_DEVICE_DOUBLE_FP_CONFIG);
    return info;
}

static size_t find_devices(const opencl *cl, found_device found[MOST_DEVICES])
{
    cl_platform platforms[MOST_PLATFORMS];
    uint32_t platform_count = 0;
    size_t n = 0;
    if (cl->clGetPlatformIDs(MOST_PLATFORMS, platforms, &platform_count) != CL_SUCCESS)
        return 0;
    for (uint32_t p = 0; p < platform_count && p < MOST_PLATFORMS; p++) {
        cl_device ids[MOST_DEVICES];
        uint32_t count = 0;
        if (cl->clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, MOST_DEVICES, ids,
                               &count) != CL_SUCCESS)
            continue;
        for (uint32_t k = 0; k < count && k < MOST_DEVICES && n < MOST_DEVICES; k++) {
            if (device_flag(cl, ids[k], CL_DEVICE_AVAILABLE) &&
                device_flag(cl, ids[k], CL_DEVICE_COMPILER_AVAILABLE))
                found[n++] = (found_device){ids[k], about(cl, platforms[p], ids[k])};
        }
    }
    return n;
}

size_t ph_devices(ph_device_info *info, size_t count)
{
    opencl cl;
    found_device found[MOST_DEVICES];
    if (!ph_opencl_load(&cl))
        return 0;
    const size_t n = find_devices(&cl, found);
    for (size_t i = 0; i < n && i < count; i++)
        info[i] = found[i].info;
    ph_opencl_unload(&cl);
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

ph_status ph_device_open(const char *name, ph_device **out)
{
    found_device found[MOST_DEVICES];
    if (name == NULL || out == NULL)
        return PH_NULL_ARGUMENT;
    ph_device *d = calloc(1, sizeof *d);
    if (d == NULL)
        return PH_NO_MEMORY;
    const size_t n = ph_opencl_load(&d->cl) ? find_devices(&d->cl, found) : 0,
                 i = chosen(found, n, name);
    if (i == n) {
        ph_device_close(d);
        return PH_NO_DEVICE;
    }
    int32_t error;
    d->id = found[i].id;
    d->info = found[i].info;
    d->context = d->cl.clCreateContext(NULL, 1, &d->id, NULL, NULL, &error);
    if (error == CL_SUCCESS)
        d->queue = d->cl.clCreateCommandQueue(d->context, d->id, 0, &error);
    if (error != CL_SUCCESS) {
        ph_device_close(d);
        return PH_DEVICE_FAILED;
    }
    *out = d;
    return PH_OK;
}

static void free_programs(ph_device *d)
{
    while (d->programs != NULL) {
        device_program *p = d->programs;
        d->programs = p->next;
        for (int k = 0; k < PROGRAM_KERNELS; k++) {
            if (p->kernels[k].kernel != NULL)
                (void)d->cl.clReleaseKernel(p->kernels[k].kernel);
        }
        if (p->program != NULL)
            (void)d->cl.clReleaseProgram(p->program);
        free(p->text);
        free(p);
    }
}

void ph_device_close(ph_device *d)
{
    if (d == NULL)
        return;
    free_programs(d);
    if (d->queue != NULL)
        (void)d->cl.clReleaseCommandQueue(d->queue);
    if (d->context != NULL)
        (void)d->cl.clReleaseContext(d->context);
    ph_opencl_unload(&d->cl);
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
    return d->log == NULL ? "" : d->log;
}

static void keep_log(ph_device *d, const char *function, int32_t error, const char *words)
{
    const char *name = ph_opencl_error(error);
    const size_t size = strlen(function) + strlen(name) + strlen(words) + 20;
    char *log = malloc(size);
    if (log == NULL)
        return;
    (void)snprintf(log, size, "%s: %s (%d)%s%s", function, name, (int)error,
                   words[0] == '\0' ? "" : "\n", words);
    free(d->log);
    d->log = log;
}

ph_status ph_device_check(ph_device *d, const char *function, int32_t error)
{
    if (error == CL_SUCCESS)
        return PH_OK;
    keep_log(d, function, error, "");
    return error == CL_MEM_OBJECT_ALLOCATION_FAILURE || error == CL_OUT_OF_HOST_MEMORY ||
                   error == CL_INVALID_BUFFER_SIZE
               ? PH_NO_MEMORY
               : PH_DEVICE_FAILED;
}

/* ---- programs -------------------------------------------------------------------- */

enum { FILES = sizeof DEVICE_FILES / sizeof *DEVICE_FILES };

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
    while (i < FILES && !(begins(name, DEVICE_FILES[i].name) &&
                          name[strlen(DEVICE_FILES[i].name)] == '"'))
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
        char *more = realloc(t->text, t->room *= 2);
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
            const int size = snprintf(guard, sizeof guard,
                                      "#ifndef FILE_%zu\n#define FILE_%zu\n", file, file);
            t->done[file] = conditions == 0;
            append(t, guard, (size_t)size);
            append_expanded(t, DEVICE_FILES[file].text, conditions);
            append(t, "#endif\n", strlen("#endif\n"));
        } else if (file == FILES && !begins(line, "#include <") &&
                   !begins(line, "#pragma once")) {
            append(t, line, (size_t)(next - line));
        }
    }
}

static char *program_of_texts(const char *const *texts)
{
    program_text t = {.text = malloc(1), .room = 1};
    for (size_t i = 0; texts[i] != NULL; i++) {
        append_expanded(&t, texts[i], 0);
        append(&t, "\n", 1);
    }
    return t.text;
}

/* Keeps what the compiler said. */
static void keep_build_log(ph_device *d, cl_program program, int32_t error)
{
    size_t size = 0;
    char *words = NULL;
    if (d->cl.clGetProgramBuildInfo(program, d->id, CL_PROGRAM_BUILD_LOG, 0, NULL,
                                    &size) == CL_SUCCESS)
        words = calloc(size + 1, 1);
    if (words != NULL)
        (void)d->cl.clGetProgramBuildInfo(program, d->id, CL_PROGRAM_BUILD_LOG, size,
                                          words, NULL);
    keep_log(d, "clBuildProgram", error, words == NULL ? "" : words);
    free(words);
}

/* Without -cl-fast-relaxed-math or the like: results are rounded as IEEE 754 has it. */
static ph_status build(ph_device *d, const char *text, cl_program *out)
{
    int32_t error;
    const char *texts[] = {text};
    cl_program program =
        d->cl.clCreateProgramWithSource(d->context, 1, texts, NULL, &error);
    if (error != CL_SUCCESS)
        return ph_device_check(d, "clCreateProgramWithSource", error);
    error = d->cl.clBuildProgram(program, 1, &d->id, "-cl-std=CL1.2", NULL, NULL);
    if (error != CL_SUCCESS) {
        keep_build_log(d, program, error);
        (void)d->cl.clReleaseProgram(program);
        return PH_DEVICE_BUILD;
    }
    *out = program;
    return PH_OK;
}

/* The program of a text, which it keeps or frees. */
static ph_status program_of(ph_device *d, char *text, device_program **out)
{
    for (device_program *p = d->programs; p != NULL; p = p->next) {
        if (strcmp(p->text, text) == 0) {
            free(text);
            *out = p;
            return PH_OK;
        }
    }
    device_program *p = calloc(1, sizeof *p);
    const ph_status status = p == NULL ? PH_NO_MEMORY : build(d, text, &p->program);
    if (status != PH_OK) {
        free(text);
        free(p);
        return status;
    }
    p->text = text;
    p->next = d->programs;
    d->programs = p;
    *out = p;
    return PH_OK;
}

ph_status ph_device_kernel(ph_device *d, const char *const *texts, const char *name,
                           cl_kernel *out)
{
    device_program *p = NULL;
    char *text = program_of_texts(texts);
    if (text == NULL)
        return PH_NO_MEMORY;
    const ph_status status = program_of(d, text, &p);
    if (status != PH_OK)
        return status;
    int k = 0;
    while (k < PROGRAM_KERNELS - 1 && p->kernels[k].kernel != NULL &&
           strcmp(p->kernels[k].name, name) != 0)
        k++;
    int32_t error = CL_SUCCESS;
    if (p->kernels[k].kernel == NULL) {
        p->kernels[k].kernel = d->cl.clCreateKernel(p->program, name, &error);
        p->kernels[k].name = name;
        if (error != CL_SUCCESS)
            return ph_device_check(d, "clCreateKernel", error);
    }
    *out = p->kernels[k].kernel;
    return PH_OK;
}

void ph_device_argument(kernel_call *call, const void *value, size_t size)
{
    const int32_t error =
        call->device->cl.clSetKernelArg(call->kernel, call->arguments++, size, value);
    if (call->error == CL_SUCCESS)
        call->error = error;
}

ph_status ph_device_launch(kernel_call *call, size_t items, size_t group)
{
    ph_device *d = call->device;
    const size_t all = (items + group - 1) / group * group;
    if (call->error != CL_SUCCESS)
        return ph_device_check(d, "clSetKernelArg", call->error);
    return ph_device_check(d, "clEnqueueNDRangeKernel",
                           d->cl.clEnqueueNDRangeKernel(d->queue, call->kernel, 1, NULL,
                                                        &all, &group, 0, NULL, NULL));
}
