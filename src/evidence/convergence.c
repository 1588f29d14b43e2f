/* convergence.c - the errors of several integrators at a time. */
#include "evidence/convergence.h"

#include "core/vec.h"

enum { LOOK = 1024 }; /* steps between two reports */

/* ---- runs ------------------------------------------------------------------------ */

typedef struct watcher {
    figure_work *work;
    double before, share; /* of all the work: done before this run, and its own */
    long steps;
    bool stopped;
} watcher;

static bool watch(void *context, long step, double t, const ph_state *s)
{
    (void)t, (void)s;
    watcher *w = context;
    if (step % LOOK == 0)
        w->stopped =
            !go_on(w->work, w->before + w->share * (double)step / (double)w->steps);
    return !w->stopped;
}

/* The exact motion; in a field, order 6 with steps as small as round-off allows. */
static ph_status reference(const convergence *c, watcher *w, ph_state *s)
{
    *s = ph_problem_start(c->problem);
    if (c->problem->torque == NULL) {
        const ph_body b = {.J = c->problem->J, .axes = {1, 0, 0, 0}, .principal = true};
        ph_motion motion;
        const ph_status status = ph_motion_prepare(&motion, &b, s);
        if (status == PH_OK)
            *s = ph_motion_at(&motion, c->time);
        return status;
    }
    const double finer = 4.0;
    ph_integrator fine;
    if (!ph_integrator_named(&fine, "srkn6_14a+exact"))
        return PH_NOT_APPLICABLE;
    const long steps = (long)finer * (c->coarsest << c->halvings);
    w->steps = steps;
    return ph_run_problem(&fine, c->problem, s, c->time / (double)steps, steps, watch, w,
                          NULL);
}

/* ---- errors ---------------------------------------------------------------------- */

static double frobenius(ph_quat a, ph_quat b)
{
    const ph_mat3 A = ph_matrix(a), B = ph_matrix(b);
    double sum = 0.0;
    for (int i = 0; i < 9; i++) {
        const double d = A.a[i / 3][i % 3] - B.a[i / 3][i % 3];
        sum += d * d;
    }
    return sqrt(sum);
}

static void add_row(const convergence *c, table *t, const char *method, double h,
                    const ph_state *s, const ph_state *right)
{
    const bool krysl = c->norms == NORMS_KRYSL; /* whose 2-norm is Frobenius / sqrt 2 */
    const ph_vec3 dm = sub(s->m, right->m);
    ROW(t, WORD(method), NUMBER(h), NUMBER(norm(krysl ? dm : over(dm, c->problem->J))),
        NUMBER(frobenius(s->q, right->q) / (krysl ? sqrt(2.0) : 1.0)));
}

static size_t length(const char *const *names)
{
    size_t n = 0;
    while (names[n] != NULL)
        n++;
    return n;
}

bool convergence_add(const convergence *c, figure_work *work, table *t)
{
    const size_t methods = length(c->methods);
    const double finest = (double)(c->coarsest << c->halvings),
                 all = (2.0 * (double)methods + 4.0) * finest;
    watcher w = {.work = work, .share = 4.0 * finest / all};
    ph_state right;
    if (reference(c, &w, &right) != PH_OK) {
        work->trouble = "there is no reference solution";
        return false;
    }
    w.before = w.share;
    for (size_t i = 0; i < methods && !w.stopped; i++) {
        ph_integrator integrator;
        if (!ph_integrator_named(&integrator, c->methods[i])) {
            work->trouble = "a method is missing";
            return false;
        }
        for (int k = 0; k <= c->halvings && !w.stopped; k++) {
            ph_state s = ph_problem_start(c->problem);
            w.steps = c->coarsest << k;
            w.share = (double)w.steps / all;
            const double h = c->time / (double)w.steps;
            const ph_status status =
                ph_run_problem(&integrator, c->problem, &s, h, w.steps, watch, &w, NULL);
            if (status != PH_OK)
                s.m = vec3(NAN, NAN, NAN), s.q.w = NAN;
            add_row(c, t, c->methods[i], h, &s, &right);
            w.before += w.share;
        }
    }
    return !w.stopped;
}

/* ---- for judges ------------------------------------------------------------------ */

double final_error(const table *t, const char *method, const char *column)
{
    return table_last(t, "method", method, column);
}

double final_order(const table *t, const char *method, const char *column)
{
    const double round_off = 2e-11;
    size_t before = t->rows;
    double order = NAN;
    for (size_t i = 0; i < t->rows; i++) {
        const double error = table_number(t, i, column);
        if (!table_matches(t, i, "method", method))
            continue;
        if (before < t->rows && error > round_off)
            order = log(table_number(t, before, column) / error) /
                    log(table_number(t, before, "h") / table_number(t, i, "h"));
        before = i;
    }
    return order;
}

order_range final_orders(const table *t, const char *const *methods)
{
    static const char *const columns[] = {"error_momentum", "error_attitude"};
    order_range r = {INFINITY, -INFINITY};
    for (; *methods != NULL; methods++) {
        for (int k = 0; k < 2; k++) {
            const double order = final_order(t, *methods, columns[k]);
            if (isnan(order))
                return (order_range){NAN, NAN};
            r = (order_range){fmin(r.low, order), fmax(r.high, order)};
        }
    }
    return r;
}

static double extreme_error(const table *t, const char *const *methods,
                            const char *column, double (*of)(double, double))
{
    double all = final_error(t, methods[0], column);
    for (; *methods != NULL; methods++) {
        const double error = final_error(t, *methods, column);
        if (isnan(error))
            return NAN;
        all = of(all, error);
    }
    return all;
}

double best_error(const table *t, const char *const *methods, const char *column)
{
    return extreme_error(t, methods, column, fmin);
}

double worst_error(const table *t, const char *const *methods, const char *column)
{
    return extreme_error(t, methods, column, fmax);
}
