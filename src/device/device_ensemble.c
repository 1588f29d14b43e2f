/* device_ensemble.c - the bodies of an ensemble moved on a device: by dop853, each with steps of its own
 * (cl/ensemble.cl), or all by the same steps of a scheme (advance.c).
 *
 * The device takes steps up to the one that has the next row in it. The host then has the state
 * there, and for dop853 the polynomial of that step; it shows the rows as it does those of its own
 * steps (system/run.c).
 */
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "base/arguments.h"
#include "base/array.h"
#include "base/choice.h"
#include "base/parallel.h"
#include "device/device.h"
#include "device/moving.h"
#include "integrators/adaptive.h"
#include "integrators/changes.h"
#include "integrators/expression/expression.h"
#include "polhode/catalog.h"
#include "system/kind.h"

/* Bodies that are moved at once. */
enum { MOST_LANES = 1 << 18, PASSES = 256 };

/* A body on its way. */
typedef struct moved_body {
    ph_system *s;
    ph_observer o;
    course c;
    ph_status status;
    bool over;
} moved_body;

typedef struct device_mover {
    ph_device *d;
    ph_device_run run; /* with the field of all */
    char *torque;      /* its text, of expressions; or NULL */
    double *own;       /* arrays of what differs from body to body */
    const double *each[PH_PARAMETER_VALUES], *axes[4];
    size_t n;
    moved_body *body;
    double end, began;
    ph_adaptive_numbers *numbers; /* by dop853: these of each, */
    moving_body *moving;
    double *rows; /* the time of the next */
    int32_t *state;
    ph_device_bodies *there; /* or by fixed steps these, */
    double *column[BODY_TIME];
    uint32_t *left;
    uint64_t steps; /* to take, of which so many were taken in the last launches */
    uint64_t taken;
} device_mover;

static const ph_problem *problem_of(const ph_system *s, ph_state **state)
{
    const ph_problem *p = NULL;
    if (s->kind->state != NULL)
        *state = s->kind->state(s->self, &p);
    else
        *state = NULL;
    return *state != NULL ? p : NULL;
}

/* ---- what devices take -------------------------------------------------------------- */

/* The run of all bodies that are like this one. */
static ph_device_run run_like(const ph_system *s, const ph_problem *p, char *torque)
{
    return (ph_device_run){.integrator = s->by, .step = s->h, .field = p, .torque = torque};
}

/* The momentum inside is that of a problem of the catalog, which without tables is constant. */
static bool constant_inside(const ph_problem *p)
{
    return p->internal == NULL || p->torque != NULL || p->internal == ph_problem_gyrostat.internal;
}

ph_status ph_device_takes(ph_system *s)
{
    ph_state *state;
    if (s == NULL)
        return PH_NULL_ARGUMENT;
    const ph_problem *p = problem_of(s, &state);
    if (p == NULL || s->watching || !constant_inside(p))
        return PH_NOT_APPLICABLE;
    char *torque = ph_expression_torque(p);
    const ph_device_run run = run_like(s, p, torque);
    bool takes;
    if (s->adaptive != NULL)
        takes = s->by.adaptive == &ph_adaptive_dop853 &&
                (p->torque == NULL || ph_device_has_torque(&run)) && !ph_changes_any(p);
    else
        takes = s->by.scheme != NULL && s->longest == 0.0 && ph_device_applies(&run) == PH_OK;
    free(torque);
    return ok_if(takes, PH_NOT_APPLICABLE);
}

/* Whether a body moves by the program of another. */
static bool alike(const ph_system *a, const ph_system *b)
{
    ph_state *state;
    const ph_problem *p = problem_of(a, &state), *q = problem_of(b, &state);
    return q != NULL && p->torque == q->torque && p->data_count == q->data_count &&
           a->by.tolerance == b->by.tolerance && a->h == b->h &&
           (a->adaptive != NULL || ph_system_clock(a) == ph_system_clock(b));
}

/* ---- memory ------------------------------------------------------------------------- */

static void free_mover(device_mover *v)
{
    free(v->torque);
    free(v->own);
    free(v->body);
    free(v->numbers);
    free(v->moving);
    free(v->rows);
    free(v->state);
    free(v->column[0]);
    free(v->left);
    ph_device_bodies_destroy(v->there);
}

static bool get_memory(device_mover *v, size_t lanes, bool adaptive)
{
    v->body = array_create(lanes, sizeof *v->body);
    v->own = array_create(size_product(lanes, PH_PARAMETER_VALUES + 4), sizeof *v->own);
    if (adaptive) {
        v->numbers = array_create(lanes, sizeof *v->numbers);
        v->moving = array_create(lanes, sizeof *v->moving);
        v->rows = array_create(lanes, sizeof *v->rows);
        v->state = array_create(lanes, sizeof *v->state);
        return v->body && v->own && v->numbers && v->moving && v->rows && v->state;
    }
    v->column[0] = array_create(size_product(lanes, BODY_TIME), sizeof(double));
    v->left = array_create(lanes, sizeof *v->left);
    return v->body && v->own && v->column[0] && v->left;
}

/* ---- a block of bodies ------------------------------------------------------------------ */

/* Runs a pass over all bodies on all threads. */
typedef struct body_pass {
    device_mover *v;
    void (*of)(device_mover *v, size_t i);
} body_pass;

static void run_pass(void *context, size_t pass)
{
    const body_pass *p = context;
    for (size_t i = pass; i < p->v->n; i += PASSES)
        p->of(p->v, i);
}

static void for_each(device_mover *v, void (*of)(device_mover *v, size_t i))
{
    ph_parallel_for(PASSES, v->n > PASSES, run_pass, &(body_pass){v, of});
}

/* The next bodies that have steps to take. */
static ph_status take_bodies(device_mover *v, size_t lanes, const lane_feed *feed)
{
    for (v->n = 0; v->n < lanes;) {
        moved_body *b = &v->body[v->n];
        *b = (moved_body){.c.o = &b->o};
        b->s = feed->next(feed->context, v->n, &b->o);
        if (b->s == NULL)
            break;
        if (!alike(v->body[0].s, b->s))
            return PH_NOT_APPLICABLE;
        const ph_status status = ph_course_begin(b->s, &b->c, v->end, &v->steps);
        if (status == PH_OK && !b->s->stopped && !ph_system_is_at(b->s, v->end))
            v->n++;
        else
            feed->ended(feed->context, v->n, status);
    }
    if (v->n > 0)
        v->began = ph_system_clock(v->body[0].s);
    else
        v->began = 0.0;
    return PH_OK;
}

/* The parameter k of all bodies, if it is not the same for all. */
static const double *gather(const device_mover *v, size_t *used, int k)
{
    double *to = v->own + *used;
    bool differs = false;
    for (size_t i = 0; i < v->n; i++) {
        ph_state *state;
        to[i] = problem_of(v->body[i].s, &state)->value[k];
        differs = differs || to[i] != to[0] || signbit(to[i]) != signbit(to[0]);
    }
    if (!differs)
        return NULL;
    *used += v->n;
    return to;
}

static double axis_of(const ph_problem *p, int k)
{
    const ph_quat a = p->body.axes;
    const double all[] = {a.w, a.x, a.y, a.z};
    if (p->body.principal)
        return k == 0;
    return all[k];
}

/* What the field of the bodies is. */
static void set_field(device_mover *v)
{
    ph_state *state;
    const ph_problem *p = problem_of(v->body[0].s, &state);
    size_t used = 0;
    bool turned = false;
    free(v->torque);
    v->torque = ph_expression_torque(p);
    v->run = run_like(v->body[0].s, p, v->torque);
    for (int k = 0; k < PH_PARAMETER_VALUES; k++)
        v->each[k] = gather(v, &used, k);
    for (size_t i = 0; i < v->n && v->numbers == NULL; i++) /* else in moving_body */
        turned = turned || !problem_of(v->body[i].s, &state)->body.principal;
    for (int k = 0; k < 4 && turned; k++) { /* all four, whether they differ or not */
        for (size_t i = 0; i < v->n; i++)
            v->own[used + i] = axis_of(problem_of(v->body[i].s, &state), k);
        v->axes[k] = v->own + used;
        used += v->n;
    }
    v->run.each = v->each;
    v->run.axes = turned ? v->axes : NULL;
}

/* Bodies that are over leave; the lanes of the others stay what they are. Returns how many go on. */
static size_t end_bodies(device_mover *v, const lane_feed *feed, bool all)
{
    size_t left = 0;
    for (size_t i = 0; i < v->n; i++) {
        moved_body *b = &v->body[i];
        if (b->over)
            continue;
        b->over = all || b->status != PH_OK || b->s->stopped || ph_system_is_at(b->s, v->end);
        left += !b->over;
        if (b->over)
            feed->ended(feed->context, i, b->status);
    }
    return left;
}

/* ---- to a tolerance ------------------------------------------------------------------ */

static void upload_body(device_mover *v, size_t i)
{
    moved_body *b = &v->body[i];
    ph_adaptive_run *r = b->s->kind->adaptive_run(b->s->self);
    const ph_problem *p = principal_problem(r);
    const ph_vec3 J = p->body.J, H = p->internal ? p->internal(p, r->now.t) : (ph_vec3){0, 0, 0};
    double longest = 0.0, end = v->end;
    b->status = ph_step_begin(r, &end, &longest);
    v->numbers[i] = r->now;
    v->moving[i] = (moving_body){{J.x, J.y, J.z},
                                 {axis_of(r->problem, 0), axis_of(r->problem, 1),
                                  axis_of(r->problem, 2), axis_of(r->problem, 3)},
                                 {H.x, H.y, H.z},
                                 p->velocity_dependent,
                                 longest};
}

static void choose_row(device_mover *v, size_t i)
{
    const moved_body *b = &v->body[i];
    v->rows[i] = ph_course_next(&b->c, v->end);
    if (b->over || b->status != PH_OK)
        v->state[i] = (int32_t)PH_OK;
    else
        v->state[i] = (int32_t)MOVING;
}

static void show_rows(device_mover *v, size_t i)
{
    moved_body *b = &v->body[i];
    if (b->over || b->status != PH_OK)
        return;
    ph_adaptive_run *r = b->s->kind->adaptive_run(b->s->self);
    const double before = r->now.steps;
    r->now = v->numbers[i];
    b->status = ph_course_after_steps(b->s, &b->c, (uint64_t)(r->now.steps - before), false);
    if (b->status == PH_OK)
        b->status = (ph_status)v->state[i];
}

static double seconds(void)
{
    struct timespec now;
    (void)timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

typedef struct moving_memory {
    cl_kernel kernel;
    cl_memory numbers, bodies, rows, state, count;
} moving_memory;

/* Launches until all have come to their rows; false: nobody wants to go on. The number of attempts
 * in a launch is doubled until one takes a tenth of a second. */
static bool launch_all(device_mover *v, const moving_memory *m, uint32_t *attempts,
                       const lane_feed *feed, bool (*go_on)(void *, double))
{
    static const double LAUNCH_SECONDS = 0.1;
    ph_device *d = v->d;
    const uint64_t n = v->n;
    const double part = (v->rows[0] - v->began) / (v->end - v->began);
    uint32_t left = 1;
    while (d->status == PH_OK && left > 0) {
        const double before = seconds();
        left = 0;
        ph_device_write(d, m->count, 0, sizeof left, &left);
        LAUNCH(v->there, m->kernel, v->n, 0, ARGUMENT(m->numbers), ARGUMENT(m->bodies),
               ARGUMENT(v->there->values), ARGUMENT(m->rows), ARGUMENT(v->run.integrator.tolerance),
               ARGUMENT(v->end), ARGUMENT(*attempts), ARGUMENT(n), ARGUMENT(m->state),
               ARGUMENT(m->count));
        ph_device_read(d, m->count, 0, sizeof left, &left);
        if (seconds() - before < LAUNCH_SECONDS && *attempts < UINT32_MAX / 2)
            *attempts *= 2;
        if (!go_on(feed->context, 0.9 * part))
            return false;
    }
    return true;
}

static void move_to_tolerance(device_mover *v, const lane_feed *feed, bool (*go_on)(void *, double))
{
    ph_device *d = v->d;
    const size_t n = v->n;
    const moving_memory m = {ph_device_mover(d, &v->run),
                             ph_device_memory(d, n * sizeof *v->numbers, NULL),
                             ph_device_memory(d, n * sizeof *v->moving, NULL),
                             ph_device_memory(d, n * sizeof *v->rows, NULL),
                             ph_device_memory(d, n * sizeof *v->state, NULL),
                             ph_device_memory(d, sizeof(uint32_t), NULL)};
    uint32_t attempts = 16;
    bool goes_on = true;
    for_each(v, upload_body);
    ph_device_upload_values(v->there, &v->run);
    ph_device_write(d, m.numbers, 0, n * sizeof *v->numbers, v->numbers);
    ph_device_write(d, m.bodies, 0, n * sizeof *v->moving, v->moving);
    while (d->status == PH_OK && end_bodies(v, feed, !goes_on) > 0) {
        for_each(v, choose_row);
        ph_device_write(d, m.rows, 0, n * sizeof *v->rows, v->rows);
        ph_device_write(d, m.state, 0, n * sizeof *v->state, v->state);
        goes_on = launch_all(v, &m, &attempts, feed, go_on);
        if (!goes_on)
            continue;
        ph_device_read(d, m.numbers, 0, n * sizeof *v->numbers, v->numbers);
        ph_device_read(d, m.state, 0, n * sizeof *v->state, v->state);
        if (d->status == PH_OK)
            for_each(v, show_rows);
    }
    const cl_memory all[] = {m.numbers, m.bodies, m.rows, m.state, m.count};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
        ph_device_release(d, all[k]);
}

/* ---- fixed steps --------------------------------------------------------------------- */

static void upload_state(device_mover *v, size_t i)
{
    ph_state *s;
    const ph_vec3 J = problem_of(v->body[i].s, &s)->body.J;
    const double all[BODY_TIME] = {s->q.w, s->q.x, s->q.y, s->q.z, s->m.x,
                                   s->m.y, s->m.z, J.x,    J.y,    J.z};
    for (int k = 0; k < BODY_TIME; k++)
        v->column[k][i] = all[k];
}

/* The state after some steps, and the rows before the next. A body that failed among these takes
 * them once more on the host, which ends where it fails. */
static void show_state(device_mover *v, size_t i)
{
    moved_body *b = &v->body[i];
    ph_state *s;
    if (b->over)
        return;
    if (v->left[i] != 0) {
        b->status = ph_course_alone(b->s, &b->c, v->taken);
        return;
    }
    if (problem_of(b->s, &s) == NULL) /* begin() took no such body */
        return;
    *s = (ph_state){{v->column[0][i], v->column[1][i], v->column[2][i], v->column[3][i]},
                    {v->column[4][i], v->column[5][i], v->column[6][i]}};
    b->status = ph_course_after_steps(b->s, &b->c, v->taken, v->steps == v->taken);
}

/* The first body that is not over; all are at the same step. */
static const moved_body *first_moving(const device_mover *v)
{
    const moved_body *b = v->body;
    while (b->over)
        b++;
    return b;
}

/* Steps that surely end before the next row. */
static uint64_t steps_to_row(const device_mover *v, const moved_body *b)
{
    const double ahead = ph_course_next(&b->c, v->end) - ph_system_clock(b->s),
                 between = floor(ahead / b->s->h) - 1.0;
    if (!(between >= 1.0))
        return 1;
    if (between < (double)v->steps)
        return (uint64_t)between;
    return v->steps;
}

typedef struct launch_watch {
    const device_mover *v;
    const lane_feed *feed;
    bool (*go_on)(void *, double);
    uint64_t all; /* steps */
} launch_watch;

static bool watch_launch(void *context, double done)
{
    const launch_watch *w = context;
    const double to_come = (double)w->v->steps - done * (double)w->v->taken;
    return w->go_on(w->feed->context, 1.0 - to_come / (double)w->all);
}

static void move_by_steps(device_mover *v, const lane_feed *feed, bool (*go_on)(void *, double))
{
    ph_device *d = v->d;
    launch_watch watch = {v, feed, go_on, v->steps};
    bool goes_on = true;
    for (int k = 0; k < BODY_TIME; k++)
        v->column[k] = v->column[0] + (size_t)k * v->n;
    double *const *c = v->column;
    const ph_batch all = {v->n, {c[0], c[1], c[2], c[3]}, {c[4], c[5], c[6]}, {c[7], c[8], c[9]}};
    v->run.observer = watch_launch;
    v->run.context = &watch;
    for_each(v, upload_state);
    (void)ph_device_upload(v->there, &all);
    while (d->status == PH_OK && end_bodies(v, feed, !goes_on) > 0) {
        const moved_body *b = first_moving(v);
        v->run.start = b->s->origin;
        v->run.first_step = b->s->steps - b->s->origin_steps;
        v->run.steps = v->taken = steps_to_row(v, b);
        goes_on = !ph_device_advance(v->there, &v->run).stopped;
        if (!goes_on || d->status != PH_OK)
            continue;
        (void)ph_device_download(v->there, &all);
        ph_device_read(d, v->there->left, 0, v->n * sizeof *v->left, v->left);
        if (d->status == PH_OK)
            for_each(v, show_state);
        v->steps -= v->taken;
    }
}

/* ---- the interface ----------------------------------------------------------------------- */

static ph_status move_block(void *context, double end, const lane_feed *feed,
                            bool (*go_on)(void *, double))
{
    device_mover *v = context;
    ph_device *d = v->d;
    v->end = end;
    const ph_status status = take_bodies(v, v->there->capacity, feed);
    if (status != PH_OK || v->n == 0)
        return status;
    v->there->n = v->n;
    set_field(v);
    d->status = PH_OK;
    (v->numbers != NULL ? move_to_tolerance : move_by_steps)(v, feed, go_on);
    return d->status;
}

ph_status ph_device_run_ensemble(ph_device *d, ph_ensemble *e, double until,
                                 const ph_ensemble_observer *o)
{
    if (ANY_NULL(d, e))
        return PH_NULL_ARGUMENT;
    const size_t count = ph_ensemble_count(e),
                 most = (size_t)(d->info.largest / sizeof(ph_adaptive_numbers)),
                 bodies = smaller_size(count, MOST_LANES), lanes = smaller_size(bodies, most);
    if (count == 0)
        return PH_OK;
    ph_system *first = ph_ensemble_system(e, 0);
    ph_status status = ph_device_takes(first);
    if (status != PH_OK)
        return status;
    device_mover v = {.d = d};
    if (get_memory(&v, lanes, first->adaptive != NULL))
        status = ph_device_bodies_create(d, lanes, NULL, &v.there);
    else
        status = PH_NO_MEMORY;
    if (status == PH_OK)
        status = ph_ensemble_move(e, until, o, &(ensemble_mover){move_block, &v, lanes});
    free_mover(&v);
    return status;
}
