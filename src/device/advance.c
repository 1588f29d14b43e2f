/* advance.c - bodies on a device over steps of a flow or a scheme.
 *
 * A program is made for each kind of run: the flow (src/motion/flows), the field
 * (src/integrators/problems), and src/device/cl/advance.cl, whose loop over the stages of a step takes
 * them from a list. The list is what integrators/integrator.c and compositions do, written down.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/arguments.h"
#include "base/text.h"
#include "device/device.h"
#include "integrators/integrator.h"
#include "integrators/table.h"
#include "motion/batch/part.h"
#include "motion/composition.h"
#include "system/find.h"

/* As in advance.cl. */
typedef struct stage {
    double h, h3, from, after;
    int64_t kind;
} stage;
enum { DRIFT = 0, KICK = 1, KICK_AT_END = 2 };
enum { LIST_MOST = 2, LIST_FAILED = 3, LIST_LAUNCH = 4, LIST_HEAD = DEVICE_LIST_HEAD };
enum { STEPS_LEFT_BITS = 24 };

/* Work-items at most for the bodies on the list, whose number the host does not know. */
enum { FINISH_ITEMS = 1 << 16 };

/* Steps of a launch: fewer than STEPS_LEFT_BITS can count. */
enum { MOST_STEPS = 1 << 20 };

/* Launches are made longer, or more of them are queued, until they take this long, in
 * seconds: then Ctrl-C is heard in time, and no driver takes the device for hung. */
static const double LAUNCH_SECONDS = 0.1;

/* ---- flows ----------------------------------------------------------------------- */

/* The line that includes the file of a flow; NULL if it has no kernel: then devices do not have
 * the flow either. */
enum { FILE_NAME = 120 };

static const char *flow_file(const ph_flow *flow, char line[FILE_NAME])
{
    (void)snprintf(line, FILE_NAME, "#include \"flows/%.*s.c\"\n",
                   (int)strcspn(flow->name, "0123456789"), flow->name);
    if (ph_flow_kernel(flow) != NULL && ph_device_has(line))
        return line;
    return NULL;
}

/* ---- the stages of a step -------------------------------------------------------- */

enum { MOST_STAGES = 1024 };

typedef struct stages {
    const ph_composition *composition; /* of the flow */
    double from, end; /* of the part of the step that is written down; NAN: its own end */
    bool kicks;       /* a torque acts */
    int count;
    stage list[MOST_STAGES];
} stages;

static ph_status add_stage(stages *s, stage one)
{
    if (s->count == MOST_STAGES)
        return PH_NOT_APPLICABLE;
    s->list[s->count++] = one;
    return PH_OK;
}

static ph_status add_drift(void *system, double h)
{
    stages *s = system;
    const ph_composition *c = s->composition;
    ph_status status = PH_OK;
    if (c == NULL)
        return add_stage(s, (stage){.h = h, .kind = DRIFT});
    for (int k = 0; k < c->stages && status == PH_OK; k++)
        status = add_stage(s, (stage){.h = composition_part(c, k) * h, .kind = DRIFT});
    return status;
}

static ph_status add_kick(void *system, double t, double h, double h3)
{
    const stages *s = system;
    if (!s->kicks)
        return PH_OK;
    stage kick = {.h = h, .h3 = h3, .from = s->from, .after = t, .kind = KICK};
    if (isnan(t)) { /* the last */
        kick.from = s->end;
        kick.after = 0.0;
        if (isnan(s->end))
            kick.kind = KICK_AT_END;
    }
    return add_stage(system, kick);
}

/* As ph_integrator_step() does them. */
static ph_status stages_of(const ph_integrator *i, double h, stages *s)
{
    static const splitting parts = {add_drift, add_kick, NULL};
    const int last = composition_stages(i->whole) - 1;
    double passed = 0.0;
    ph_status status = PH_OK;
    s->composition = flow_composition(i);
    s->count = 0;
    if (i->scheme == NULL)
        return add_drift(s, h);
    for (int k = 0; k <= last && status == PH_OK; k++) {
        const double g = composition_part(i->whole, k);
        s->from = passed * h;
        passed += g;
        if (k == last)
            s->end = NAN;
        else
            s->end = passed * h;
        status = ph_splitting_step(i->scheme, &parts, s, 0.0, g * h, NAN);
    }
    return status;
}

/* The longest text of load_values(); and the numbers that a body can have. */
enum { LOADING = 4096, ALL_VALUES = PH_PARAMETER_VALUES + 4 };

/* ---- fields ---------------------------------------------------------------------- */

/* The same of the field of a problem: the file, named after its first problem, that has the
 * same function; or NULL. */
static const char *field_file(const ph_problem *field, char line[FILE_NAME])
{
    size_t count;
    const ph_problem *const *all = ph_problems(&count);
    for (size_t i = 0; i < count; i++) {
        (void)snprintf(line, FILE_NAME, "#include \"problems/%s.c\"\n", all[i]->name);
        if (all[i]->torque == field->torque && ph_device_has(line))
            return line;
    }
    return NULL;
}

bool ph_device_has_field(const ph_device_run *run)
{
    return run->torque != NULL || (run->field != NULL && run->field->torque != NULL);
}

/* Whether each body has its own number k: of the parameters, and after these the axes. */
static const double *own_values(const ph_device_run *run, int k)
{
    if (k < PH_PARAMETER_VALUES && run->each != NULL)
        return run->each[k];
    if (k >= PH_PARAMETER_VALUES && run->axes != NULL)
        return run->axes[k - PH_PARAMETER_VALUES];
    return NULL;
}

/* Writes the function that loads the parameters of body i: value[k] of all bodies, and after
 * those the arrays of values that each has its own of. */
static void write_loading(const ph_device_run *run, char text[LOADING])
{
    static const char *const axes[] = {"w", "x", "y", "z"};
    int written = snprintf(text, LOADING,
                           "\nstatic void load_values(ph_problem *p, global const double "
                           "*values, ulong i, ulong n)\n{\n"),
        own = 0;
    for (int k = 0; k < ALL_VALUES && written < LOADING; k++) {
        const bool each = own_values(run, k) != NULL, axis = k >= PH_PARAMETER_VALUES;
        char place[64], name[32];
        if (each)
            (void)snprintf(place, sizeof place, "%d + %d * n + i", PH_PARAMETER_VALUES, own);
        else
            (void)snprintf(place, sizeof place, "%d", k);
        if (axis)
            (void)snprintf(name, sizeof name, "body.axes.%s", axes[k - PH_PARAMETER_VALUES]);
        else
            (void)snprintf(name, sizeof name, "value[%d]", k);
        own += each;
        if (each || !axis)
            written += snprintf(text + written, (size_t)(LOADING - written),
                                "    p->%s = values[%s];\n", name, place);
    }
    if (written < LOADING)
        (void)snprintf(text + written, (size_t)(LOADING - written), "%s}\n",
                       text_if(run->axes != NULL,
                               "    p->body.principal = p->body.axes.x == 0.0 &&\n"
                               "        p->body.axes.y == 0.0 && p->body.axes.z == 0.0;\n"));
}

/* The parameters to the device, in that order. */
void ph_device_upload_values(ph_device_bodies *b, const ph_device_run *run)
{
    ph_device *d = b->device;
    static const double none[PH_PARAMETER_VALUES];
    size_t own = 0, at = sizeof none;
    for (int k = 0; k < ALL_VALUES; k++)
        own += own_values(run, k) != NULL;
    const size_t bytes = b->n * sizeof(double), needed = sizeof none + own * bytes;
    if (needed > b->values_size) {
        ph_device_release(d, b->values);
        b->values = ph_device_memory(d, needed, NULL);
        b->values_size = b->values == NULL ? 0 : needed;
    }
    ph_device_write(d, b->values, 0, sizeof none, run->field == NULL ? none : run->field->value);
    for (int k = 0; k < ALL_VALUES; k++) {
        if (own_values(run, k) == NULL)
            continue;
        ph_device_write(d, b->values, at, bytes, own_values(run, k));
        at += bytes;
    }
}

/* ---- programs -------------------------------------------------------------------- */

/* The part of a program that is the field: principal_torque() and load_values(). */
typedef struct field_text {
    char line[FILE_NAME], loading[LOADING];
    const char *part[4];
} field_text;

static void write_field(const ph_device_run *run, field_text *f)
{
    const bool field = ph_device_has_field(run);
    write_loading(run, f->loading);
    f->part[0] = text_if(field, "#include \"device/cl/library.cl\"\n");
    if (run->torque != NULL)
        f->part[1] = run->torque;
    else if (field)
        f->part[1] = field_file(run->field, f->line);
    else
        f->part[1] = "";
    f->part[2] = text_if(field, "#include \"device/cl/principal.cl\"\n");
    f->part[3] = text_if(field, f->loading);
}

/* The kernel of a run: for all bodies, or for those that are left. */
static cl_kernel kernel_of(ph_device *d, const ph_device_run *run, bool finish)
{
    const ph_integrator *i = &run->integrator;
    const bool gradient = i->scheme != NULL && i->scheme->gradient != NULL;
    const bool one = i->scheme == NULL && flow_composition(i) == NULL;
    char order[FILE_NAME], flow[FILE_NAME];
    field_text f;
    (void)snprintf(order, sizeof order, "#define FLOW_ORDER %d\n", i->flow->order);
    write_field(run, &f);
    const char *const texts[] = {text_if(finish, "#define FINISH\n"),
                                 text_if(run->timed, "#define TIMED\n"),
                                 text_if(one, "#define ONE_STAGE\n"),
                                 text_if(ph_device_has_field(run), "#define WITH_FIELD\n"),
                                 text_if(gradient, "#define WITH_GRADIENT\n"),
                                 order,
                                 "#include \"device/cl/prelude.cl\"\n",
                                 flow_file(i->flow, flow),
                                 "#include \"device/cl/drift.cl\"\n",
                                 f.part[0],
                                 f.part[1],
                                 f.part[2],
                                 f.part[3],
                                 "#include \"device/cl/advance.cl\"\n",
                                 NULL};
    return ph_device_kernel(d, texts, "advance");
}

cl_kernel ph_device_mover(ph_device *d, const ph_device_run *run)
{
    field_text f;
    write_field(run, &f);
    const char *const texts[] = {text_if(ph_device_has_field(run), "#define WITH_FIELD\n"),
                                 "#include \"device/cl/prelude.cl\"\n",
                                 f.part[0],
                                 f.part[1],
                                 f.part[2],
                                 f.part[3],
                                 "#include \"device/cl/ensemble.cl\"\n",
                                 NULL};
    return ph_device_kernel(d, texts, "move");
}

/* ---- launches -------------------------------------------------------------------- */

typedef struct launcher {
    ph_device_bodies *b;
    const ph_device_run *run;
    cl_kernel kernel[2]; /* of all; of those that are left, built when there are some */
    cl_memory stages;
    int32_t stage_count;
    ph_batch_result first; /* failure */
} launcher;

/* A number of launches that are queued one after the other. */
typedef struct launch_round {
    uint64_t first; /* step */
    uint32_t steps; /* of a launch */
    uint32_t launches;
} launch_round;

static void launch(launcher *l, const launch_round *r, uint32_t number, bool finish)
{
    ph_device_bodies *b = l->b;
    const ph_device_run *run = l->run;
    const uint64_t n = b->n, first = run->first_step + r->first + (uint64_t)number * r->steps;
    const int32_t finish_follows = l->kernel[true] != NULL, some_failed = l->first.failed < b->n;
    const size_t items = finish ? smaller_size(b->n, FINISH_ITEMS) : b->n;
    if (l->kernel[finish] == NULL)
        l->kernel[finish] = kernel_of(b->device, run, finish);
    LAUNCH(b, l->kernel[finish], items, BODY_ARRAYS, ARGUMENT(b->values), ARGUMENT(l->stages),
           ARGUMENT(l->stage_count), ARGUMENT(run->start), ARGUMENT(run->step), ARGUMENT(first),
           ARGUMENT(r->steps), ARGUMENT(number), ARGUMENT(finish_follows), ARGUMENT(some_failed),
           ARGUMENT(n), ARGUMENT(b->left), ARGUMENT(b->list));
}

/* Keeps the failure of a body, if it is the first. */
static void keep_failure(launcher *l, uint32_t body, uint64_t first, uint32_t steps)
{
    uint32_t left = 0;
    ph_device_read(l->b->device, l->b->left, body * sizeof left, sizeof left, &left);
    if (l->b->device->status != PH_OK || body >= l->first.failed)
        return;
    const uint32_t to_take = left & ((1U << STEPS_LEFT_BITS) - 1);
    l->first.status = (ph_status)(left >> STEPS_LEFT_BITS);
    l->first.failed = body;
    l->first.step = first + (steps - to_take);
}

/* All bodies over some steps, and then those that were left, launch after launch. After one
 * in which a body fails, or is left for the first time, the others do nothing: returns how
 * many did. */
static uint32_t do_round(launcher *l, const launch_round *r)
{
    static const uint32_t empty[LIST_HEAD] = {
        [LIST_FAILED] = UINT32_MAX, [LIST_LAUNCH] = UINT32_MAX};
    const bool finish_follows = l->kernel[true] != NULL;
    uint32_t head[LIST_HEAD];
    ph_device *d = l->b->device;
    ph_device_write(d, l->b->list, 0, sizeof empty, empty);
    for (uint32_t k = 0; k < r->launches; k++) {
        launch(l, r, k, false);
        if (finish_follows)
            launch(l, r, k, true);
    }
    ph_device_read(d, l->b->list, 0, sizeof head, head);
    if (d->status == PH_OK && !finish_follows && head[LIST_LAUNCH] != UINT32_MAX) {
        launch(l, r, head[LIST_LAUNCH], true);
        ph_device_read(d, l->b->list, 0, sizeof head, head);
    }
    if (d->status != PH_OK)
        return 0;
    if (l->b->left_count < head[LIST_MOST])
        l->b->left_count = head[LIST_MOST];
    if (head[LIST_FAILED] != UINT32_MAX)
        keep_failure(l, head[LIST_FAILED], r->first + (uint64_t)head[LIST_LAUNCH] * r->steps,
                     r->steps);
    if (head[LIST_LAUNCH] == UINT32_MAX)
        return r->launches;
    return head[LIST_LAUNCH] + 1;
}

static double seconds(void)
{
    struct timespec now;
    (void)timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Launches of the given length, more and more of them in a round if nobody wants to look
 * between them; or one in a round, longer and longer. */
static void run_launches(launcher *l, uint64_t steps)
{
    const ph_device_run *run = l->run;
    const bool given = run->steps_per_launch > 0;
    uint64_t next = 1, launches = 1, most = MOST_STEPS;
    if (given)
        next = most = smaller_uint64(run->steps_per_launch, MOST_STEPS);
    for (uint64_t done = 0; done < steps && !l->first.stopped;) {
        const uint64_t rest = steps - done, now = smaller_uint64(rest, next),
                       count = smaller_uint64(launches, rest / now);
        const launch_round r = {done, (uint32_t)now, (uint32_t)count};
        const double before = seconds();
        done += now * do_round(l, &r);
        if (l->b->device->status != PH_OK)
            return;
        if (seconds() - before < LAUNCH_SECONDS) {
            if (next <= most / 2)
                next *= 2;
            else if (run->observer == NULL)
                launches *= 4;
        }
        l->first.stopped =
            run->observer != NULL && !run->observer(run->context, (double)done / (double)steps);
    }
}

/* ---- the interface --------------------------------------------------------------- */

bool ph_device_has_torque(const ph_device_run *run)
{
    char name[FILE_NAME];
    for (int k = 0; run->field != NULL && k < run->field->table_count; k++) {
        if (ph_table_rows(run->field, k) > 0)
            return false;
    }
    return run->torque != NULL || field_file(run->field, name) != NULL;
}

ph_status ph_device_applies(const ph_device_run *run)
{
    if (run == NULL)
        return PH_NULL_ARGUMENT;
    const ph_integrator *i = &run->integrator;
    const bool field = ph_device_has_field(run);
    char name[FILE_NAME];
    if (i->flow == NULL || i->method != NULL || flow_file(i->flow, name) == NULL ||
        (field && i->scheme == NULL) || (i->scheme != NULL && i->scheme->parts != NULL) ||
        (run->timed && (i->scheme != NULL || flow_composition(i) != NULL)))
        return PH_NOT_APPLICABLE;
    if (run->field != NULL && (run->field->internal != NULL || run->field->velocity_dependent))
        return PH_NOT_APPLICABLE;
    if (field && !ph_device_has_torque(run))
        return PH_NOT_APPLICABLE;
    return PH_OK;
}

/* What a run needs on the device. */
static void prepare_launch(launcher *l)
{
    const ph_device_run *run = l->run;
    const uint32_t none = 0;
    ph_device *d = l->b->device;
    stages *s = calloc(1, sizeof *s);
    if (s != NULL)
        s->kicks = ph_device_has_field(run);
    if (s == NULL)
        d->status = PH_NO_MEMORY;
    else
        d->status = stages_of(&run->integrator, run->step, s);
    if (d->status == PH_OK) {
        const size_t bytes = (size_t)s->count * sizeof *s->list;
        l->stage_count = s->count;
        l->stages = ph_device_memory(d, bytes, NULL);
        ph_device_write(d, l->stages, 0, bytes, s->list);
    }
    free(s);
    if (l->b->n > 0)
        CL_CALL(d, clEnqueueFillBuffer, d->queue, l->b->left, &none, sizeof none, 0,
                l->b->n * sizeof none, 0, NULL, NULL);
    ph_device_upload_values(l->b, run);
    if (run->timed && run->times != NULL)
        ph_device_write(d, l->b->array[BODY_TIME], 0, l->b->n * sizeof *run->times, run->times);
}

ph_batch_result ph_device_advance(ph_device_bodies *b, const ph_device_run *run)
{
    if (ANY_NULL(b, run))
        return (ph_batch_result){.status = PH_NULL_ARGUMENT};
    launcher l = {.b = b, .run = run, .first = {.failed = b->n}};
    const ph_status applies = ph_device_applies(run);
    if (applies != PH_OK)
        return (ph_batch_result){.status = applies};
    if (!isfinite(run->step) || !isfinite(run->start))
        return (ph_batch_result){.status = isfinite(run->step) ? PH_BAD_TIME : PH_BAD_STEP};
    prepare_launch(&l);
    b->left_count = 0;
    if (b->device->status == PH_OK && b->n > 0)
        run_launches(&l, run->timed ? 1 : run->steps);
    ph_device_release(b->device, l.stages);
    if (b->device->status == PH_OK)
        return l.first;
    return (ph_batch_result){.status = b->device->status};
}

size_t ph_device_fallbacks(const ph_device_bodies *b)
{
    return b->left_count;
}
