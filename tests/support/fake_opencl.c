#include "support/fake_opencl.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "integrators/kick.h"
#include "motion/vec.h"

fake_driver fake;

/* ---- objects --------------------------------------------------------------------- */

enum { GROUP = 64, MOST_ARGUMENTS = 32 };

typedef struct object {
    int kind;
    size_t size; /* of a buffer */
    unsigned char *bytes;
    bool own;               /* the bytes are ours */
    char *text;             /* of a program */
    struct object *program; /* of a kernel */
    char name[32];
    bool set[MOST_ARGUMENTS];
    size_t sizes[MOST_ARGUMENTS];
    unsigned char values[MOST_ARGUMENTS][8];
} object;

enum { CONTEXT = 1, QUEUE, PROGRAM, KERNEL, BUFFER };
enum { SUCCESS = 0, NO_SUCH_DEVICE = -1, INVALID_VALUE = -30, INVALID_NAME = -46 };

/* Memory of the driver's own, which there is always. */
static void *memory_of(size_t size)
{
    fake.inside = true;
    void *block = calloc(1, size);
    fake.inside = false;
    return block;
}

static char *copy_of(const char *text)
{
    return strcpy(memory_of(strlen(text) + 1), text);
}

static object *made(int kind, int32_t *error)
{
    object *o = memory_of(sizeof *o);
    o->kind = kind;
    fake.live++;
    *error = SUCCESS;
    return o;
}

static bool demand(bool condition, const char *words)
{
    if (!condition && fake.wrong == NULL)
        fake.wrong = words;
    return condition;
}

static int32_t released(void *pointer, int kind)
{
    object *o = pointer;
    if (!demand(o != NULL && o->kind == kind, "another object is released"))
        return INVALID_VALUE;
    fake.live--;
    if (o->own)
        free(o->bytes);
    free(o->text);
    o->kind = 0;
    free(o);
    return SUCCESS;
}

/* Whether this call is the one that fails. */
static bool fails(const char *name)
{
    const bool now = ++fake.calls == fake.fail_at;
    if (now)
        fake.failed = name;
    return now;
}
#define MAY_FAIL                                                                                   \
    if (fails(__func__))                                                                           \
    return fake.error
#define MAY_FAIL_TO_MAKE                                                                           \
    if (fails(__func__)) {                                                                         \
        *error = fake.error;                                                                       \
        return NULL;                                                                               \
    }

/* ---- devices --------------------------------------------------------------------- */

static int platforms[2];

static int32_t give(const void *what, size_t size, size_t room, void *to, size_t *needed)
{
    if (needed != NULL)
        *needed = size;
    if (to != NULL) {
        if (room < size)
            return INVALID_VALUE;
        memcpy(to, what, size);
    }
    return SUCCESS;
}

static int32_t clGetPlatformIDs(uint32_t room, void **out, uint32_t *count)
{
    MAY_FAIL;
    *count = 2;
    for (uint32_t i = 0; i < 2 && i < room; i++)
        out[i] = &platforms[i];
    return SUCCESS;
}

static int32_t clGetPlatformInfo(void *platform, uint32_t what, size_t room, void *to,
                                 size_t *needed)
{
    static const char name[] = "made for a test";
    MAY_FAIL;
    demand(platform == &platforms[1] && what == 0x0902, "clGetPlatformInfo");
    return give(name, sizeof name, room, to, needed);
}

/* The first platform has no devices. */
static int32_t clGetDeviceIDs(void *platform, uint64_t type, uint32_t room, void **out,
                              uint32_t *count)
{
    MAY_FAIL;
    demand(type == 0xffffffff, "clGetDeviceIDs");
    if (platform == &platforms[0])
        return NO_SUCH_DEVICE;
    *count = fake.count;
    for (uint32_t i = 0; i < fake.count && i < room; i++)
        out[i] = &fake.devices[i];
    return SUCCESS;
}

static int32_t clGetDeviceInfo(void *id, uint32_t what, size_t room, void *to, size_t *needed)
{
    const fake_device *d = id;
    MAY_FAIL;
    switch (what) {
    case 0x1000:
        return give(&d->type, sizeof d->type, room, to, needed);
    case 0x1002:
        return give(&d->units, sizeof d->units, room, to, needed);
    case 0x1010:
        return give(&d->largest, sizeof d->largest, room, to, needed);
    case 0x101f:
        return give(&d->memory, sizeof d->memory, room, to, needed);
    case 0x1027:
        return give(&d->available, sizeof d->available, room, to, needed);
    case 0x1028:
        return give(&d->compiler, sizeof d->compiler, room, to, needed);
    case 0x102b:
        return give(d->name, strlen(d->name) + 1, room, to, needed);
    case 0x1032:
        return give(&d->double_config, sizeof d->double_config, room, to, needed);
    case 0x1035:
        return give(&d->shares, sizeof d->shares, room, to, needed);
    default:
        demand(false, "clGetDeviceInfo");
        return INVALID_VALUE;
    }
}

/* ---- contexts, queues, programs -------------------------------------------------------- */

static void *clCreateContext(const intptr_t *properties, uint32_t count, void *const *devices,
                             void (*notify)(const char *, const void *, size_t, void *), void *user,
                             int32_t *error)
{
    MAY_FAIL_TO_MAKE
    const fake_device *d = devices[0];
    demand(properties == NULL && count == 1 && notify == NULL && user == NULL &&
               d >= fake.devices && d < fake.devices + fake.count,
           "clCreateContext");
    return made(CONTEXT, error);
}

static int32_t clReleaseContext(void *context)
{
    return released(context, CONTEXT);
}

static void *clCreateCommandQueue(void *context, void *id, uint64_t properties, int32_t *error)
{
    MAY_FAIL_TO_MAKE
    demand(((object *)context)->kind == CONTEXT && id != NULL && properties == 0,
           "clCreateCommandQueue");
    return made(QUEUE, error);
}

static int32_t clReleaseCommandQueue(void *queue)
{
    return released(queue, QUEUE);
}

static void *clCreateProgramWithSource(void *context, uint32_t count, const char **texts,
                                       const size_t *lengths, int32_t *error)
{
    MAY_FAIL_TO_MAKE
    demand(((object *)context)->kind == CONTEXT && count == 1 && lengths == NULL,
           "clCreateProgramWithSource");
    object *o = made(PROGRAM, error);
    o->text = copy_of(texts[0]);
    return o;
}

static int32_t clBuildProgram(void *program, uint32_t count, void *const *devices,
                              const char *options, void (*notify)(void *, void *), void *user)
{
    MAY_FAIL;
    demand(((object *)program)->kind == PROGRAM && count == 1 && devices[0] != NULL &&
               strstr(options, "-cl-std=CL1.2") != NULL && notify == NULL && user == NULL,
           "clBuildProgram");
    return fake.build_log == NULL ? SUCCESS : -11;
}

static int32_t clGetProgramBuildInfo(void *program, void *id, uint32_t what, size_t room, void *to,
                                     size_t *needed)
{
    MAY_FAIL;
    const char *log = fake.build_log == NULL ? "" : fake.build_log;
    demand(((object *)program)->kind == PROGRAM && id != NULL && what == 0x1183,
           "clGetProgramBuildInfo");
    return give(log, strlen(log), room, to, needed); /* some leave the zero out */
}

static int32_t clReleaseProgram(void *program)
{
    return released(program, PROGRAM);
}

static void *clCreateKernel(void *program, const char *name, int32_t *error)
{
    MAY_FAIL_TO_MAKE
    char defined[64];
    object *p = program;
    (void)snprintf(defined, sizeof defined, "kernel void %s(", name);
    if (!demand(p->kind == PROGRAM && strstr(p->text, defined) != NULL, "clCreateKernel")) {
        *error = INVALID_NAME;
        return NULL;
    }
    object *o = made(KERNEL, error);
    o->program = p;
    (void)snprintf(o->name, sizeof o->name, "%s", name);
    return o;
}

static int32_t clSetKernelArg(void *kernel, uint32_t i, size_t size, const void *value)
{
    MAY_FAIL;
    object *o = kernel;
    if (!demand(o->kind == KERNEL && i < MOST_ARGUMENTS && size <= 8, "clSetKernelArg"))
        return INVALID_VALUE;
    o->set[i] = true;
    o->sizes[i] = size;
    memcpy(o->values[i], value, size);
    return SUCCESS;
}

static int32_t clReleaseKernel(void *kernel)
{
    return released(kernel, KERNEL);
}

/* ---- memory ---------------------------------------------------------------------- */

static void *clCreateBuffer(void *context, uint64_t flags, size_t size, void *host, int32_t *error)
{
    MAY_FAIL_TO_MAKE
    demand(((object *)context)->kind == CONTEXT && flags == (host == NULL ? 1 : 9) && size > 0,
           "clCreateBuffer");
    object *o = made(BUFFER, error);
    o->size = size;
    o->own = host == NULL;
    o->bytes = o->own ? memory_of(size) : host;
    if (o->own)
        memset(o->bytes, 0xa5, size); /* anything */
    return o;
}

static int32_t clReleaseMemObject(void *memory)
{
    return released(memory, BUFFER);
}

/* The bytes of a part of a buffer; NULL if it is not all there. */
static unsigned char *part_of(void *queue, void *buffer, size_t offset, size_t size)
{
    object *o = buffer;
    return demand(((object *)queue)->kind == QUEUE && o->kind == BUFFER && size > 0 &&
                      offset <= o->size && size <= o->size - offset,
                  "a part of a buffer")
               ? o->bytes + offset
               : NULL;
}

static int32_t clEnqueueWriteBuffer(void *queue, void *buffer, uint32_t wait, size_t offset,
                                    size_t size, const void *from, uint32_t events,
                                    const void *list, void *event)
{
    MAY_FAIL;
    unsigned char *to = part_of(queue, buffer, offset, size);
    demand(wait == 1 && events == 0 && list == NULL && event == NULL, "clEnqueueWriteBuffer");
    if (to == NULL)
        return INVALID_VALUE;
    memmove(to, from, size);
    return SUCCESS;
}

static int32_t clEnqueueReadBuffer(void *queue, void *buffer, uint32_t wait, size_t offset,
                                   size_t size, void *to, uint32_t events, const void *list,
                                   void *event)
{
    MAY_FAIL;
    const unsigned char *from = part_of(queue, buffer, offset, size);
    demand(wait == 1 && events == 0 && list == NULL && event == NULL, "clEnqueueReadBuffer");
    if (from == NULL)
        return INVALID_VALUE;
    memmove(to, from, size);
    return SUCCESS;
}

static int32_t clEnqueueFillBuffer(void *queue, void *buffer, const void *pattern, size_t width,
                                   size_t offset, size_t size, uint32_t events, const void *list,
                                   void *event)
{
    MAY_FAIL;
    unsigned char *to = part_of(queue, buffer, offset, size);
    if (!demand(to != NULL && size % width == 0 && offset % width == 0 && events == 0 &&
                    list == NULL && event == NULL,
                "clEnqueueFillBuffer"))
        return INVALID_VALUE;
    for (size_t i = 0; i < size; i += width)
        memcpy(to + i, pattern, width);
    return SUCCESS;
}

static int32_t clFinish(void *queue)
{
    MAY_FAIL;
    demand(((object *)queue)->kind == QUEUE, "clFinish");
    fake.finishes++;
    return SUCCESS;
}

/* ---- kernels --------------------------------------------------------------------- */

/* An argument that is a buffer of so many numbers of a size, or that is a number. */
static void *buffer_at(const object *k, int i, size_t count, size_t size)
{
    object *o;
    memcpy(&o, k->values[i], sizeof o);
    return demand(k->set[i] && k->sizes[i] == sizeof o && o != NULL && o->kind == BUFFER &&
                      o->size >= count * size,
                  "an argument that is no such buffer")
               ? (void *)o->bytes
               : NULL;
}

#define NUMBER(type, k, i) (*(type *)number_at(k, i, sizeof(type)))
static void *number_at(object *k, int i, size_t size)
{
    demand(k->set[i] && k->sizes[i] == size, "an argument of another size");
    return k->values[i];
}

typedef struct stage {
    double h, h3, from, after;
    int64_t kind;
} stage;

typedef struct work {
    double *body[10];
    const double *times, *values;
    const stage *stages;
    int stage_count;
    double start, h;
    uint64_t first, n;
    uint32_t steps;
    uint32_t *left;
    bool finish, timed, one_stage, field, gradient; /* what the program is told */
    size_t place[PH_PARAMETER_VALUES];              /* of the parameters in `values` */
    bool each[PH_PARAMETER_VALUES];                 /* there it is an array */
} work;

enum { LEFT = 100, BITS = 24 };

static ph_status drift(const work *w, size_t i, ph_state *s, ph_vec3 J, double h)
{
    const ph_body body = {J, {1, 0, 0, 0}, true};
    if (!w->finish && fake.leave > 0 && i % (size_t)fake.leave == 0)
        return (ph_status)LEFT;
    const ph_status status = ph_flow_step(fake.run->integrator.flow, &body, s, h);
    return status != PH_OK && !w->finish ? (ph_status)LEFT : status;
}

/* What the program says that it loads: value[k] of values[k], or of values[c + j * n + i]. */
static void read_loading(work *w, const char *text)
{
    const char *at = strstr(text, "static void load_values(");
    for (int k = 0; k < PH_PARAMETER_VALUES; k++) {
        char begin[40];
        unsigned long place = 0, array = 0;
        (void)snprintf(begin, sizeof begin, "    p->value[%d] = values[", k);
        at = at == NULL ? NULL : strstr(at, begin);
        if (!demand(at != NULL, "load_values"))
            return;
        at += strlen(begin);
        w->each[k] = sscanf(at, "%lu + %lu * n + i]", &place, &array) == 2;
        w->place[k] = place + array * w->n;
    }
    demand(strncmp(strchr(at, ';'), ";\n}\n", 4) == 0, "the end of load_values");
}

static bool defines(const char *text, const char *name)
{
    char line[64];
    (void)snprintf(line, sizeof line, "#define %s\n", name);
    return strstr(text, line) != NULL;
}

static ph_status take_step(const work *w, size_t i, ph_state *s, ph_vec3 J, uint64_t number,
                           ph_problem *p)
{
    const double t = w->start + (double)number * w->h, end = w->start + (double)(number + 1) * w->h;
    ph_status status = PH_OK;
    for (int j = 0; j < w->stage_count && status == PH_OK; j++) {
        const stage *g = &w->stages[j];
        if (g->kind == 0) {
            status = drift(w, i, s, J, g->h);
            continue;
        }
        const ph_vec3 none = {NAN, NAN, NAN};
        const ph_instant now = {g->kind == 1 ? (t + g->from) + g->after : end,
                                s->q,
                                ph_quat_matrix(s->q),
                                none,
                                none,
                                none,
                                none};
        const ph_vec3 tau = p->torque(p, &now);
        ph_vec3 m = kicked(s->m, tau, g->h);
        if (g->h3 != 0.0) {
            demand(w->gradient, "WITH_GRADIENT");
            m = kicked_by_gradient(m, tau, J, p->derivative(p, &now), g->h3);
        }
        if (!finite3(m))
            return w->finish ? PH_NOT_FINITE : (ph_status)LEFT;
        s->m = m;
    }
    return status;
}

static ph_status advance_body(const work *w, size_t i, uint32_t k)
{
    double *const *c = w->body;
    ph_state s = {{c[0][i], c[1][i], c[2][i], c[3][i]}, {c[4][i], c[5][i], c[6][i]}};
    const ph_vec3 J = {c[7][i], c[8][i], c[9][i]};
    ph_status status = PH_OK;
    ph_problem p = {.torque = NULL};
    if (w->field) {
        p = *fake.run->field;
        p.body = (ph_body){J, {1, 0, 0, 0}, true};
        for (int j = 0; j < PH_PARAMETER_VALUES; j++)
            p.value[j] = w->values[w->place[j] + (w->each[j] ? i : 0)];
    }
    if (w->timed) {
        status = drift(w, i, &s, J, w->times[i]);
    } else {
        for (; k < w->steps && status == PH_OK; k += status == PH_OK) {
            ph_state next = s;
            status = w->one_stage ? drift(w, i, &next, J, w->stages[0].h)
                                  : take_step(w, i, &next, J, w->first + k, &p);
            if (status == PH_OK)
                s = next;
        }
    }
    const double all[7] = {s.q.w, s.q.x, s.q.y, s.q.z, s.m.x, s.m.y, s.m.z};
    for (int j = 0; j < 7; j++)
        c[j][i] = all[j];
    if (w->finish)
        w->left[i] = 0;
    if (status != PH_OK)
        w->left[i] = (w->steps - k) | (uint32_t)status << BITS;
    return status;
}

/* As advance.cl, one body after the other. */
static void advance(object *kernel, size_t items)
{
    enum { COUNT = 0, MOST = 2, FAILED = 3, LAUNCH = 4, HEAD = 5 };
    const char *text = kernel->program->text;
    work w = {.finish = defines(text, "FINISH"),
              .timed = defines(text, "TIMED"),
              .one_stage = defines(text, "ONE_STAGE"),
              .field = defines(text, "WITH_FIELD"),
              .gradient = defines(text, "WITH_GRADIENT")};
    w.n = NUMBER(uint64_t, kernel, 21);
    if (w.field)
        read_loading(&w, text);
    for (int k = 0; k < 10; k++)
        w.body[k] = buffer_at(kernel, k, w.n, sizeof(double));
    w.times = buffer_at(kernel, 10, w.n, sizeof(double));
    w.values = buffer_at(kernel, 11, PH_PARAMETER_VALUES, sizeof(double));
    w.stage_count = NUMBER(int32_t, kernel, 13);
    w.stages = buffer_at(kernel, 12, (size_t)w.stage_count, sizeof(stage));
    w.start = NUMBER(double, kernel, 14);
    w.h = NUMBER(double, kernel, 15);
    w.first = NUMBER(uint64_t, kernel, 16);
    w.steps = NUMBER(uint32_t, kernel, 17);
    w.left = buffer_at(kernel, 22, w.n, sizeof(uint32_t));
    const uint32_t launch = NUMBER(uint32_t, kernel, 18);
    const bool finish_follows = NUMBER(int32_t, kernel, 19) != 0,
               some_failed = NUMBER(int32_t, kernel, 20) != 0;
    uint32_t *list = buffer_at(kernel, 23, HEAD + w.n, sizeof(uint32_t));
    if (fake.launch_count < FAKE_LAUNCHES)
        fake.launches[fake.launch_count++] =
            (fake_launch){w.first, w.steps, launch, w.finish, items};
    for (int k = 0; k < PH_PARAMETER_VALUES && w.field && fake.run->field == NULL; k++)
        demand(w.values[k] == 0.0, "a parameter of no problem");
    if (fake.idle || fake.wrong != NULL)
        return;
    const bool stopped = list[LAUNCH] < launch;
    if (w.finish) {
        const uint32_t count = stopped ? 0 : list[COUNT + launch % 2];
        list[MOST] = list[MOST] > count ? list[MOST] : count;
        list[COUNT + (launch + 1) % 2] = 0;
        for (uint32_t place = 0; place < count; place++) {
            const uint32_t i = list[HEAD + place], to_take = w.left[i] & ((1U << BITS) - 1);
            if (advance_body(&w, i, w.steps - to_take) != PH_OK) {
                list[FAILED] = i < list[FAILED] ? i : list[FAILED];
                list[LAUNCH] = launch;
            }
        }
        return;
    }
    demand(items >= w.n, "too few work-items");
    for (uint32_t i = 0; i < w.n && !stopped; i++) {
        if (some_failed && w.left[i] != 0)
            continue;
        if (advance_body(&w, i, 0) != PH_OK) {
            list[HEAD + list[COUNT + launch % 2]++] = i;
            if (!finish_follows)
                list[LAUNCH] = launch;
        }
    }
}

static void fill(object *kernel, size_t items)
{
    const uint64_t first = NUMBER(uint64_t, kernel, 11), n = NUMBER(uint64_t, kernel, 12);
    demand(items >= n, "too few work-items");
    for (uint64_t i = 0; i < n; i++) {
        ph_state s = {{1, 0, 0, 0}, {0, 0, 0}};
        ph_vec3 J = {1, 1, 1};
        double time = 0.0;
        fake.generate(first + i, &s, &J, &time);
        const double all[11] = {s.q.w, s.q.x, s.q.y, s.q.z, s.m.x, s.m.y,
                                s.m.z, J.x,   J.y,   J.z,   time};
        for (int k = 0; k < 11; k++) {
            double *column = buffer_at(kernel, k, n, sizeof(double));
            if (column == NULL)
                return;
            column[i] = all[k];
        }
    }
}

static void kick_all(object *kernel, size_t items)
{
    const uint64_t n = NUMBER(uint64_t, kernel, 3);
    double *m = buffer_at(kernel, 0, n, sizeof(double));
    const double *torque = buffer_at(kernel, 1, n, sizeof(double)), h = NUMBER(double, kernel, 2);
    for (uint64_t i = 0; i < n && demand(items >= n, "too few work-items"); i++)
        m[i] += h * torque[i];
}

/* One group of what is summed, and its extremes, as reduce.cl. */
static void reduce_group(double x[3][GROUP], double *to, size_t group, size_t groups)
{
    for (int width = GROUP / 2; width > 0; width /= 2) {
        for (int k = 0; k < width; k++) {
            x[0][k] += x[0][k + width];
            x[1][k] = x[1][k + width] < x[1][k] ? x[1][k + width] : x[1][k];
            x[2][k] = x[2][k + width] > x[2][k] ? x[2][k + width] : x[2][k];
        }
    }
    for (size_t k = 0; k < 3; k++)
        to[k * groups + group] = x[k][0];
}

static void reduce_values(object *kernel, size_t items)
{
    const uint64_t first = NUMBER(uint64_t, kernel, 10), n = NUMBER(uint64_t, kernel, 11);
    const double low = NUMBER(double, kernel, 12), high = NUMBER(double, kernel, 13);
    const uint32_t bins = NUMBER(uint32_t, kernel, 14);
    const size_t groups = items / GROUP;
    double *partial = buffer_at(kernel, 15, 3 * groups, sizeof(double)), *c[10];
    uint32_t *counts = buffer_at(kernel, 16, bins + 1, sizeof(uint32_t));
    for (int k = 0; k < 10; k++)
        c[k] = buffer_at(kernel, k, n, sizeof(double));
    demand(items >= n, "too few work-items");
    if (fake.wrong != NULL)
        return;
    for (size_t group = 0; group < groups; group++) {
        double x[3][GROUP];
        for (size_t k = 0; k < GROUP; k++) {
            const size_t i = group * GROUP + k;
            double y = NAN;
            if (i < n) {
                y = fake.value(first + i, (ph_quat){c[0][i], c[1][i], c[2][i], c[3][i]},
                               vec3(c[4][i], c[5][i], c[6][i]), vec3(c[7][i], c[8][i], c[9][i]));
                if (!isfinite(y))
                    counts[bins]++;
            }
            const bool counted = isfinite(y);
            if (counted && bins > 0) {
                const double place = floor((y - low) / (high - low) * bins);
                counts[place < 0.0 ? 0 : place < bins ? (uint32_t)place : bins - 1]++;
            }
            x[0][k] = counted ? y : 0.0;
            x[1][k] = counted ? y : INFINITY;
            x[2][k] = counted ? y : -INFINITY;
        }
        reduce_group(x, partial, group, groups);
    }
}

static void combine(object *kernel, size_t items)
{
    const uint64_t n = NUMBER(uint64_t, kernel, 1);
    const size_t groups = items / GROUP;
    const double *from = buffer_at(kernel, 0, 3 * n, sizeof(double));
    double *to = buffer_at(kernel, 2, 3 * groups, sizeof(double));
    demand(items >= n && from != to, "combine");
    for (size_t group = 0; group < groups && fake.wrong == NULL; group++) {
        static const double none[3] = {0.0, INFINITY, -INFINITY};
        double x[3][GROUP];
        for (size_t k = 0; k < GROUP; k++) {
            const size_t i = group * GROUP + k;
            for (size_t j = 0; j < 3; j++)
                x[j][k] = i < n ? from[j * n + i] : none[j];
        }
        reduce_group(x, to, group, groups);
    }
}

static int32_t clEnqueueNDRangeKernel(void *queue, void *kernel, uint32_t dimensions,
                                      const size_t *offset, const size_t *all, const size_t *group,
                                      uint32_t events, const void *list, void *event)
{
    static const struct {
        const char *name;
        int arguments;
        void (*run)(object *kernel, size_t items);
    } kernels[] = {{"advance", 24, advance},
                   {"fill", 13, fill},
                   {"kick_all", 4, kick_all},
                   {"reduce_values", 17, reduce_values},
                   {"combine", 3, combine}};
    MAY_FAIL;
    object *o = kernel;
    if (!demand(((object *)queue)->kind == QUEUE && o->kind == KERNEL && dimensions == 1 &&
                    offset == NULL && *all > 0 && *group == GROUP && *all % *group == 0 &&
                    events == 0 && list == NULL && event == NULL,
                "clEnqueueNDRangeKernel"))
        return INVALID_VALUE;
    fake.text = o->program->text;
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        if (strcmp(o->name, kernels[i].name) != 0)
            continue;
        demand(!o->set[kernels[i].arguments], "too many arguments");
        kernels[i].run(o, *all);
    }
    return fake.wrong == NULL ? SUCCESS : INVALID_VALUE;
}

/* ---- the library ----------------------------------------------------------------- */

void *__wrap_dlopen(const char *name, int flags);
void *__wrap_dlsym(void *library, const char *name);
int __wrap_dlclose(void *library);

void *__wrap_dlopen(const char *name, int flags)
{
    (void)flags;
    if (fake.absent || strcmp(name, "libOpenCL.so") != 0)
        return NULL;
    fake.libraries++;
    return &fake;
}

void *__wrap_dlsym(void *library, const char *name)
{
    typedef void any(void);
#define ROW(f)                                                                                     \
    {                                                                                              \
#f, (any *)f                                                                               \
    }
    static const struct {
        const char *name;
        any *function;
    } all[] = {
        ROW(clGetPlatformIDs),
        ROW(clGetPlatformInfo),
        ROW(clGetDeviceIDs),
        ROW(clGetDeviceInfo),
        ROW(clCreateContext),
        ROW(clReleaseContext),
        ROW(clCreateCommandQueue),
        ROW(clReleaseCommandQueue),
        ROW(clCreateProgramWithSource),
        ROW(clBuildProgram),
        ROW(clGetProgramBuildInfo),
        ROW(clReleaseProgram),
        ROW(clCreateKernel),
        ROW(clSetKernelArg),
        ROW(clReleaseKernel),
        ROW(clCreateBuffer),
        ROW(clReleaseMemObject),
        ROW(clEnqueueWriteBuffer),
        ROW(clEnqueueReadBuffer),
        ROW(clEnqueueFillBuffer),
        ROW(clEnqueueNDRangeKernel),
        ROW(clFinish),
    };
#undef ROW
    demand(library == &fake, "dlsym");
    if (fake.lacking != NULL && strcmp(fake.lacking, name) == 0)
        return NULL;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (strcmp(all[i].name, name) == 0) {
            void *found;
            memcpy(&found, &all[i].function, sizeof found);
            return found;
        }
    }
    return NULL;
}

int __wrap_dlclose(void *library)
{
    demand(library == &fake && fake.libraries > 0, "dlclose");
    fake.libraries--;
    return 0;
}
