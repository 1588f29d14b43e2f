/* module.c - the library as a WebAssembly module without imports: what the npm package calls, and
 * by it the page.
 *
 * Numbers and pointers only. Texts are zero-terminated UTF-8. What the page offers, and the
 * defaults it shows, are in the catalog, a JSON document made from the library's tables. A
 * system is created from settings or opened from a snapshot, and seen in rows:
 *
 *   time, the shown fields entry by entry, the energy, the observables
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wasi/api.h>

#include "module.h"
#include "polhode/batch.h"
#include "polhode/grade.h"
#include "polhode/measure.h"
#include "polhode/system.h"

/* ---- files: there are none ------------------------------------------------------- */

/* The C library writes a text through the same functions as a file, and would import these. */
__wasi_errno_t __wasi_fd_close(__wasi_fd_t fd)
{
    (void)fd;
    return __WASI_ERRNO_BADF;
}

__wasi_errno_t __wasi_fd_seek(__wasi_fd_t fd, __wasi_filedelta_t offset, __wasi_whence_t whence,
                              __wasi_filesize_t *to)
{
    (void)fd, (void)offset, (void)whence, (void)to;
    return __WASI_ERRNO_BADF;
}

__wasi_errno_t __wasi_fd_write(__wasi_fd_t fd, const __wasi_ciovec_t *pieces, size_t count,
                               __wasi_size_t *written)
{
    (void)fd, (void)pieces, (void)count, (void)written;
    return __WASI_ERRNO_BADF;
}

/* Nor is there an environment. */
char *getenv(const char *name)
{
    (void)name;
    return NULL;
}

#ifndef POLHODE_PACKAGE

/* ---- kernels: of the exact motion alone ------------------------------------------ */

/* The page moves many bodies exactly; the kernels of other flows would only make it larger. These
 * stand in their place, and leave all bodies to the step of the flow. */
#define NO_KERNEL(name)                                                                            \
    void name(const ph_flow *flow, const ph_batch *b, const double *h, bool h_each,                \
              unsigned char *not_done);                                                            \
    void name(const ph_flow *flow, const ph_batch *b, const double *h, bool h_each,                \
              unsigned char *not_done)                                                             \
    {                                                                                              \
        (void)flow, (void)h, (void)h_each;                                                         \
        memset(not_done, 1, b->n);                                                                 \
    }
NO_KERNEL(ph_batch_dmv_baseline)
NO_KERNEL(ph_batch_gauss_baseline)
NO_KERNEL(ph_batch_mr_baseline)
NO_KERNEL(ph_batch_rotation_gauss_baseline)
NO_KERNEL(ph_batch_sr_baseline)
#endif

/* ---- the catalog ----------------------------------------------------------------- */

/* A text that grows; `failed` once there is no memory. */
typedef struct text {
    char *bytes;
    size_t used, size;
    bool failed;
} text;

static void add_bytes(text *to, const char *bytes, size_t length)
{
    if (to->used + length + 1 > to->size) {
        const size_t size = 2 * (to->used + length + 1);
        char *more = realloc(to->bytes, size);
        if (more == NULL) {
            to->failed = true;
            return;
        }
        to->bytes = more;
        to->size = size;
    }
    memcpy(to->bytes + to->used, bytes, length);
    to->used += length;
    to->bytes[to->used] = '\0';
}

static void add(text *to, const char *bytes)
{
    add_bytes(to, bytes, strlen(bytes));
}

/* A JSON string; the texts of the library have no control characters. */
static void add_string(text *to, const char *bytes)
{
    add(to, "\"");
    for (const char *c = bytes; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\')
            add(to, "\\");
        add_bytes(to, c, 1);
    }
    add(to, "\"");
}

static void add_key(text *to, const char *key)
{
    add_string(to, key);
    add(to, ":");
}

enum { NUMBER_BYTES = 32 };

static void add_number(text *to, double x)
{
    char number[NUMBER_BYTES];
    (void)snprintf(number, sizeof number, "%.17g", x);
    add(to, isfinite(x) ? number : "null");
}

static void add_numbers(text *to, const char *key, const double *x, size_t count)
{
    add_key(to, key);
    add(to, "[");
    for (size_t i = 0; i < count; i++) {
        add(to, i > 0 ? "," : "");
        add_number(to, x[i]);
    }
    add(to, "],");
}

static void add_flag(text *to, const char *key, bool on)
{
    add_key(to, key);
    add(to, on ? "true," : "false,");
}

static const char *const KEEPS[] = {
#define KEEPS_TEXT(code, words) words,
    PH_KEEPS_LIST(KEEPS_TEXT)
#undef KEEPS_TEXT
};

static void add_facts(text *to, int order, unsigned keeps)
{
    add_key(to, "order");
    add_number(to, order);
    add(to, ",\"keeps\":[");
    bool first = true;
    for (int k = 0; k < PH_KEEPS_COUNT; k++) {
        if (keeps & (1U << k)) {
            add(to, first ? "" : ",");
            add_string(to, KEEPS[k]);
            first = false;
        }
    }
    add(to, "],");
}

/* A row: what members say, then its name, title and reference. */
#define ADD_ROW(to, row)                                                                           \
    do {                                                                                           \
        add_key(to, "name");                                                                       \
        add_string(to, (row)->name);                                                               \
        add(to, ",\"title\":");                                                                    \
        add_string(to, (row)->title);                                                              \
        add(to, ",\"cite\":");                                                                     \
        add_string(to, (row)->cite ? (row)->cite : "");                                            \
        add(to, "},\n");                                                                           \
    } while (0)

/* Ends an array of rows, which each end with a comma. */
static void end_rows(text *to)
{
    if (to->used > 2 && to->bytes[to->used - 2] == ',')
        to->used -= 2;
    add(to, "],\n");
}

static void add_parameters(text *to, const ph_parameter *all, int count, const double *value)
{
    add(to, "\"parameters\":[");
    for (int i = 0; i < count; i++) {
        add(to, i > 0 ? ",{" : "{");
        add_numbers(to, "default", value + all[i].first, (size_t)all[i].count);
        add_key(to, "first");
        add_number(to, all[i].first);
        add(to, ",\"name\":");
        add_string(to, all[i].name);
        add(to, ",\"unit\":");
        add_string(to, all[i].unit ? all[i].unit : "");
        add(to, ",\"text\":");
        add_string(to, all[i].text ? all[i].text : "");
        add(to, "}");
    }
    add(to, "],");
}

/* Parts of the start that a problem takes, and of single ones what they are by default. */
static void add_start(text *to, const ph_problem_facts *p)
{
    ph_system *s = NULL;
    const ph_array *f = NULL;
    size_t count;
    (void)ph_system_create(&(ph_system_settings){p->name, .step = 1.0}, &s);
    add_flag(to, "single", s != NULL && !(ph_system_arrays(s, &count)->use & PH_ARRAY_LIST));
    add(to, "\"start\":[");
    for (size_t i = 0; i < p->start_count; i++) {
        add(to, i > 0 ? ",{" : "{");
        add_flag(to, "list", p->start[i].list);
        add_key(to, "width");
        add_number(to, p->start[i].width);
        add(to, ",\"name\":");
        add_string(to, p->start[i].name);
        add(to, ",\"text\":");
        add_string(to, p->start[i].text);
        add(to, "}");
    }
    add(to, "],");
    for (size_t i = 0; s != NULL && i < p->start_count; i++) {
        const ph_start_array *start = &p->start[i];
        double x[PH_ARRAY_WIDTH];
        if (start->list || start->field == NULL ||
            ph_system_array_named(s, start->field, &f) != PH_OK)
            continue;
        for (int k = 0; k < f->width; k++)
            x[k] = f->data[k][0];
        add_numbers(to, start->name, x, (size_t)f->width);
    }
    ph_system_destroy(s);
}

static void add_problems(text *to)
{
    ph_problem_facts p;
    add(to, "\"problems\":[");
    for (size_t i = 0; ph_problem_at(i, &p); i++) {
        add(to, "{\"kind\":");
        add_string(to, p.kind);
        add(to, ",\"about\":");
        add_string(to, p.about);
        add(to, ",\"drift\":");
        add_string(to, p.drift);
        add(to, ",");
        add_parameters(to, p.parameters, p.parameter_count, p.value);
        add_start(to, &p);
        add_flag(to, "free", p.is_free);
        add_flag(to, "firstOrder", p.first_order);
        ADD_ROW(to, &p);
    }
    end_rows(to);
}

static void add_methods(text *to)
{
    ph_method_facts m;
    add(to, "\"methods\":[");
    for (size_t i = 0; ph_method_at(i, &m); i++) {
        add(to, "{\"kind\":");
        add_string(to, m.kind);
        add(to, ",");
        add_flag(to, "adaptive", m.adaptive);
        add_facts(to, m.order, m.keeps);
        ADD_ROW(to, &m);
    }
    end_rows(to);
}

#define ADD_ROWS(to, key, type, ...)                                                               \
    do {                                                                                           \
        const type *row;                                                                           \
        add_key(to, key);                                                                          \
        add(to, "[");                                                                              \
        for (size_t i = 0; type##_at(i, &row); i++) {                                              \
            add(to, "{");                                                                          \
            __VA_ARGS__;                                                                           \
            ADD_ROW(to, row);                                                                      \
        }                                                                                          \
        end_rows(to);                                                                              \
    } while (0)

/* JSON, to be released: what there is. NULL without memory. */
char *EXPORT(web_catalog)(void);
char *EXPORT(web_catalog)(void)
{
    text to = {0};
    add(&to, "{");
    ADD_ROWS(&to, "flows", ph_flow, add_facts(&to, row->order, row->keeps));
    ADD_ROWS(&to, "schemes", ph_scheme, add_facts(&to, row->order, 0));
    add_methods(&to);
    add_problems(&to);
    add_numbers(&to, "tolerance",
                (double[]){PH_TOLERANCE_LEAST, PH_TOLERANCE_DEFAULT, PH_TOLERANCE_MOST}, 3);
    add(&to, "\"version\":");
    add_string(&to, ph_version());
    add(&to, "}");
    if (!to.failed)
        return to.bytes;
    free(to.bytes);
    return NULL;
}

/* ---- making systems -------------------------------------------------------------- */

/* A page has no use for more. */
enum { MOST_ENTRIES = 1728, MOST_SETTINGS = 64 };

static ph_message message;

/* What was wrong with the last system that was not made. */
const char *EXPORT(web_message)(void);
const char *EXPORT(web_message)(void)
{
    return message.text;
}

/* A system of a problem and an integrator by their names, that which is recommended if the second is
 * empty, in steps of h, or to a tolerance that is not 0. And settings: their names one after the other, each ending with a zero, and
 * of each how many numbers it has and these. */
ph_status EXPORT(web_create)(ph_system **out, const char *problem, const char *method, double h,
                             double tolerance, size_t count, const char *names,
                             const double *numbers);
ph_status EXPORT(web_create)(ph_system **out, const char *problem, const char *method, double h,
                             double tolerance, size_t count, const char *names,
                             const double *numbers)
{
    ph_setting list[MOST_SETTINGS];
    if (count > MOST_SETTINGS)
        count = MOST_SETTINGS;
    for (size_t i = 0; i < count; i++) {
        list[i] = (ph_setting){names, numbers + 1, (size_t)numbers[0]};
        names += strlen(names) + 1;
        numbers += 1 + list[i].count;
    }
    ph_system_settings with = {problem,
                               .step = h,
                               .tolerance = tolerance,
                               .settings = list,
                               .setting_count = count,
                               .most_entries = MOST_ENTRIES,
                               .message = &message};
    if (method[0] != '\0')
        with.integrator = method;
    return ph_system_create(&with, out);
}

/* The system of a snapshot. */
ph_status EXPORT(web_open)(ph_system **out, const void *snapshot, size_t size);
ph_status EXPORT(web_open)(ph_system **out, const void *snapshot, size_t size)
{
    return ph_system_from_snapshot(snapshot, size, out);
}

void EXPORT(web_free)(ph_system *s);
void EXPORT(web_free)(ph_system *s)
{
    ph_system_destroy(s);
}

/* Whether an integrator can do a problem as it is in the catalog. */
ph_status EXPORT(web_applies)(const char *problem, const char *method);
ph_status EXPORT(web_applies)(const char *problem, const char *method)
{
    return ph_integrator_suits(method, problem);
}

/* ---- looking at systems ---------------------------------------------------------- */

/* JSON, to be released: kind, names, parameters as they are, fields and observables. */
char *EXPORT(web_describe)(ph_system *s);
char *EXPORT(web_describe)(ph_system *s)
{
    text to = {0};
    size_t count;
    const double *values;
    add(&to, "{\"kind\":");
    add_string(&to, ph_system_kind(s));
    add(&to, ",\"problem\":");
    add_string(&to, ph_system_problem_name(s));
    add(&to, ",\"method\":");
    add_string(&to, ph_system_integrator_name(s));
    add(&to, ",\"step\":");
    add_number(&to, ph_system_step(s));
    add(&to, ",\"time\":");
    add_number(&to, ph_system_time(s));
    add(&to, ",");
    add_flag(&to, "adaptive", ph_system_is_adaptive(s));
    const ph_parameter *parameters = ph_system_parameters(s, &count, &values);
    add_parameters(&to, parameters, (int)count, values);
    const ph_array *fields = ph_system_arrays(s, &count);
    add(&to, "\"fields\":[");
    for (size_t i = 0; i < count; i++) {
        add(&to, i > 0 ? ",{" : "{");
        add_flag(&to, "shown", fields[i].use & PH_ARRAY_SHOWN);
        add_flag(&to, "list", fields[i].use & PH_ARRAY_LIST);
        add(&to, "\"width\":");
        add_number(&to, fields[i].width);
        add(&to, ",\"count\":");
        add_number(&to, (double)fields[i].count);
        add(&to, ",\"columns\":");
        add_string(&to, fields[i].columns);
        if (!(fields[i].use & PH_ARRAY_SHOWN) && fields[i].count == 1) {
            double first[PH_ARRAY_WIDTH];
            for (int k = 0; k < fields[i].width; k++)
                first[k] = fields[i].data[k][0];
            add(&to, ",");
            add_numbers(&to, "values", first, (size_t)fields[i].width);
            to.used--; /* its comma */
        }
        add(&to, ",\"name\":");
        add_string(&to, fields[i].name);
        add(&to, "}");
    }
    add(&to, "],\"observables\":[");
    const ph_observable *observables = ph_system_observables(s, &count);
    for (size_t i = 0; i < count; i++) {
        add(&to, i > 0 ? ",{" : "{");
        add_flag(&to, "conserved", observables[i].conserved);
        add_flag(&to, "defect", observables[i].defect);
        add_flag(&to, "relative", observables[i].relative);
        add(&to, "\"width\":");
        add_number(&to, observables[i].width);
        add(&to, ",\"label\":");
        add_string(&to, observables[i].label);
        add(&to, ",\"name\":");
        add_string(&to, observables[i].name);
        add(&to, "}");
    }
    add(&to, "]}");
    if (!to.failed)
        return to.bytes;
    free(to.bytes);
    return NULL;
}

/* How many doubles a row has. */
size_t EXPORT(web_row_doubles)(ph_system *s);
size_t EXPORT(web_row_doubles)(ph_system *s)
{
    size_t count, doubles = 2;
    const ph_array *fields = ph_system_arrays(s, &count);
    for (size_t i = 0; i < count; i++) {
        if (fields[i].use & PH_ARRAY_SHOWN)
            doubles += (size_t)fields[i].width * fields[i].count;
    }
    const ph_observable *observables = ph_system_observables(s, &count);
    for (size_t i = 0; i < count; i++)
        doubles += (size_t)observables[i].width;
    return doubles;
}

static bool write_row(void *context, ph_system *s)
{
    double *row = context;
    size_t count;
    *row++ = ph_system_time(s);
    const ph_array *fields = ph_system_arrays(s, &count);
    for (size_t i = 0; i < count; i++) {
        const ph_array *f = &fields[i];
        if (!(f->use & PH_ARRAY_SHOWN))
            continue;
        for (size_t at = 0; at < f->count; at++) {
            for (int k = 0; k < f->width; k++)
                *row++ = f->data[k][at * f->stride];
        }
    }
    *row++ = ph_system_energy(s);
    const ph_observable *observables = ph_system_observables(s, &count);
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < observables[i].width; k++)
            *row++ = observables[i].now[k];
    }
    return true;
}

/* Writes the row of a system as it is now; of one that chooses its steps at a time within
 * the last of them. */
void EXPORT(web_look)(ph_system *s, double time, double *row);
void EXPORT(web_look)(ph_system *s, double time, double *row)
{
    if (!ph_system_is_adaptive(s) || time == ph_system_time(s) ||
        ph_system_observe_at(s, time, write_row, row) != PH_OK)
        (void)write_row(row, s);
}

/* Ends a run after its first step; it is seen at the start too. */
static bool see_one_step(void *context, ph_system *s)
{
    const uint64_t *begun = context;
    return ph_system_steps(s) == *begun;
}

enum { MOST_CHOSEN_STEPS = 20000, TOO_MANY_STEPS = -1 };

/* Takes steps. A method that chooses them goes as far as `time`, or beyond it, in those it
 * would take to `end`; TOO_MANY_STEPS, not a status, where these would keep the page waiting.
 * After a failure web_steps() tells how far it came. */
int EXPORT(web_run)(ph_system *s, double steps, double time, double end);
int EXPORT(web_run)(ph_system *s, double steps, double time, double end)
{
    if (!ph_system_is_adaptive(s))
        return (int)ph_system_run(s, (uint64_t)steps, NULL);
    const double sign = ph_system_step(s) < 0.0 ? -1.0 : 1.0;
    ph_status status = PH_OK;
    int taken = 0;
    while (status == PH_OK && sign * (time - ph_system_time(s)) > 0.0) {
        if (taken++ == MOST_CHOSEN_STEPS)
            return TOO_MANY_STEPS;
        uint64_t begun = ph_system_steps(s);
        const ph_observer o = {.observe = see_one_step, .context = &begun, .every = 1};
        if (isfinite(end))
            status = ph_system_run_until(s, end, &o);
        else
            status = ph_system_run(s, 1, NULL);
    }
    return (int)status;
}

double EXPORT(web_time)(const ph_system *s);
double EXPORT(web_time)(const ph_system *s)
{
    return ph_system_time(s);
}

double EXPORT(web_steps)(const ph_system *s);
double EXPORT(web_steps)(const ph_system *s)
{
    return (double)ph_system_steps(s);
}

/* The bytes of a snapshot, to as many as there is room for; returned is how many it has. */
size_t EXPORT(web_save)(const ph_system *s, void *to, size_t room);
size_t EXPORT(web_save)(const ph_system *s, void *to, size_t room)
{
    return ph_system_save(s, to, room);
}

/* Takes so many steps, whoever chooses them. */
ph_status EXPORT(web_take)(ph_system *s, double steps);
ph_status EXPORT(web_take)(ph_system *s, double steps)
{
    return ph_system_run(s, (uint64_t)steps, NULL);
}

/* As far as a time, which a method of fixed steps reaches in whole steps. */
ph_status EXPORT(web_run_until)(ph_system *s, double time);
ph_status EXPORT(web_run_until)(ph_system *s, double time)
{
    return ph_system_run_until(s, time, NULL);
}

/* ---- exact motion of systems; motion.c has that of bodies --------------------------- */

/* The exact motion of a free body from the state it is in; NULL if it is none. */
web_motion *EXPORT(web_motion_from)(ph_system *s);
web_motion *EXPORT(web_motion_from)(ph_system *s)
{
    const ph_problem *named;
    const ph_array *J, *axes;
    web_motion *motion = malloc(sizeof *motion);
    const ph_state start = ph_system_state(s);
    if (motion != NULL && ph_problem_named(ph_system_problem_name(s), &named) == PH_OK &&
        named->torque == NULL && named->internal == NULL &&
        ph_system_array_named(s, "moments", &J) == PH_OK &&
        ph_system_array_named(s, "axes", &axes) == PH_OK) {
        const double *const *a = (const double *const *)axes->data;
        const ph_quat turn = {*a[0], *a[1], *a[2], *a[3]};
        motion->body = (ph_body){{*J->data[0], *J->data[1], *J->data[2]},
                                 turn,
                                 turn.w == 1.0 && turn.x == 0.0 && turn.y == 0.0 && turn.z == 0.0};
        if (ph_motion_prepare(&motion->exact, &motion->body, &start) == PH_OK)
            return motion;
    }
    free(motion);
    return NULL;
}

/* How the angular velocity at a time changes with the initial momentum: nine numbers, row by row.
 */
ph_status EXPORT(web_motion_spread)(const ph_motion *motion, double t, double *by_momentum);
ph_status EXPORT(web_motion_spread)(const ph_motion *motion, double t, double *by_momentum)
{
    ph_derivative d;
    const ph_status status = ph_motion_derivative_at(motion, t, NULL, &d);
    for (int i = 0; i < 3 && status == PH_OK; i++)
        memcpy(by_momentum + 3 * i, d.velocity[i] + PH_BY_MOMENTUM, 3 * sizeof(double));
    return status;
}

/* ---- many bodies ----------------------------------------------------------------- */

/* Columns of n doubles, q0 q1 q2 q3 m1 m2 m3 J1 J2 J3: all bodies a time h on by a flow. */
ph_status EXPORT(web_batch)(const char *name, size_t n, double *columns, double h, size_t *failed);
ph_status EXPORT(web_batch)(const char *name, size_t n, double *columns, double h, size_t *failed)
{
    double *const c = columns;
    const ph_batch b = {n,
                        {c, c + n, c + 2 * n, c + 3 * n},
                        {c + 4 * n, c + 5 * n, c + 6 * n},
                        {c + 7 * n, c + 8 * n, c + 9 * n}};
    const ph_flow *flow;
    const ph_status status = ph_flow_named(name, &flow);
    if (status == PH_OK)
        return ph_batch_step(flow, &b, h, failed);
    return status;
}

#ifdef POLHODE_PACKAGE
static bool see_bits(void *context, const char *name, uint64_t sum)
{
    (void)context, (void)name, (void)sum;
    return true;
}

/* The checksum over everything that `polhode bits` prints, for that many steps. */
uint64_t EXPORT(web_bits)(double steps);
uint64_t EXPORT(web_bits)(double steps)
{
    return ph_bits((uint64_t)steps, see_bits, NULL);
}
#endif

/* ---- grades of programs ---------------------------------------------------------- */

/* Grades `count` rows of PH_GRADE_ROW_DOUBLES numbers, which it sorts and completes. The case is an array
 * of numbers: tensor, attitude at the start, wheels, the bounds of attitude and velocity, how many times
 * and mistakes there are, the times, a state of ten numbers for each, and for each mistake an attitude at
 * each time. `names` are the texts of the mistakes, each ending with a zero. Writes the grade in the order
 * of the structure. */
ph_status EXPORT(web_grade)(const double *numbers, const char *names, size_t count,
                            ph_grade_row *rows, double *out);
ph_status EXPORT(web_grade)(const double *numbers, const char *names, size_t count,
                            ph_grade_row *rows, double *out)
{
    enum { ATTITUDE = 6, WHEELS = 10, BOUND = 13, VELOCITY_BOUND, TIMES, MISTAKES, FIRST };
    const double *x = numbers;
    const size_t times = (size_t)x[TIMES];
    ph_grade g;
    ph_grade_case c = {
        .attitude = {x[ATTITUDE], x[ATTITUDE + 1], x[ATTITUDE + 2], x[ATTITUDE + 3]},
        .wheels = {x[WHEELS], x[WHEELS + 1], x[WHEELS + 2]},
        .bound = x[BOUND],
        .velocity_bound = x[VELOCITY_BOUND],
        .times = times,
        .time = x + FIRST,
        .state = (const ph_grade_state *)(x + FIRST + times),
    };
    memcpy(c.tensor, x, sizeof c.tensor);
    x += FIRST + times + 10 * times;
    for (size_t n = (size_t)numbers[MISTAKES];
         c.mistakes < n && c.mistakes < PH_GRADE_MISTAKES_MOST; c.mistakes++) {
        c.mistake[c.mistakes].is = ph_grade_mistake_named(names);
        c.mistake[c.mistakes].attitude = (const ph_quat *)x;
        names += strlen(names) + 1;
        x += 4 * times;
    }
    const ph_status status = ph_grade_rows(&c, rows, count, &g);
    const double all[] = {g.attitude, g.energy,       g.momentum,        g.length,     g.speed,
                          g.velocity, g.energy_drift, g.attitude_drift,  g.order,      g.h,
                          g.diverged, (double)g.rows, (double)g.matched, g.looks_like, g.verdict};
    if (status == PH_OK)
        memcpy(out, all, sizeof all);
    return status;
}

/* The text of a mistake by its number; NULL for none. */
const char *EXPORT(web_mistake)(unsigned number);
const char *EXPORT(web_mistake)(unsigned number)
{
    return ph_grade_mistake_text((ph_grade_mistake)number);
}

/* ---- numbers as text ------------------------------------------------------------- */

/* Rows of numbers as CSV with 17 digits, as the tool writes them; to be released. */
char *EXPORT(web_csv)(const double *numbers, size_t rows, size_t columns);
char *EXPORT(web_csv)(const double *numbers, size_t rows, size_t columns)
{
    text to = {0};
    char number[NUMBER_BYTES];
    for (size_t i = 0; i < rows * columns; i++) {
        (void)snprintf(number, sizeof number, "%.17g%s", numbers[i],
                       (i + 1) % columns == 0 ? "\n" : ",");
        add(&to, number);
    }
    if (!to.failed)
        return to.bytes;
    free(to.bytes);
    return NULL;
}
