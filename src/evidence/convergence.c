/* convergence.c - the errors of several integrators at a time. */
#include "evidence/convergence.h"
#include "core/extremes.h"

#include "body/run_body.h"
#include "core/vec.h"
#include "evidence/free_body.h"
#include "evidence/statistics.h"
#include "io/count.h"

enum { FINER = 4 }; /* the reference's steps than the smallest of the others */

/* ---- runs ------------------------------------------------------------------------ */

/* The state at the time, after so many steps. */
static ph_status run(const convergence *c, const ph_integrator *i, work_part *part,
                     long steps, ph_state *s)
{
    const ph_observer o = part_observer(part);
    part->steps = steps;
    *s = ph_problem_start(c->problem);
    return ph_run_body(i, c->problem, s, c->time / (double)steps, (uint64_t)steps, 0, &o,
                       NULL);
}

/* The exact motion; in a field, order 6 with steps as small as round-off allows. */
static bool reference(const convergence *c, work_part *part, ph_state *s)
{
    const ph_state start = ph_problem_start(c->problem);
    ph_integrator fine;
    if (c->problem->torque == NULL)
        return free_exact(c->problem->body.J, &start, c->time, s);
    return ph_integrator_named("srkn6_14a+exact", &fine) == PH_OK &&
           run(c, &fine, part, FINER * (c->coarsest << c->halvings), s) == PH_OK;
}

/* ---- errors ---------------------------------------------------------------------- */

static double frobenius(ph_quat a, ph_quat b)
{
    const ph_mat3 A = ph_quat_matrix(a), B = ph_quat_matrix(b);
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
    ROW(t, WORD(method), NUMBER(h),
        NUMBER(norm(krysl ? dm : over(dm, c->problem->body.J))),
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
                 all = (2.0 * (double)methods + FINER) * finest; /* steps, nearly */
    work_part part = {.work = work, .share = FINER * finest / all};
    ph_state right;
    if (!reference(c, &part, &right)) {
        work->trouble = "there is no reference solution";
        return false;
    }
    part.before = part.share;
    for (size_t i = 0; i < methods && !part.stopped; i++) {
        ph_integrator integrator;
        if (!find_integrator(work, c->methods[i], &integrator))
            return false;
        for (int k = 0; k <= c->halvings && !part.stopped; k++) {
            const long steps = c->coarsest << k;
            ph_state s;
            part.share = (double)steps / all;
            if (run(c, &integrator, &part, steps, &s) != PH_OK)
                s.m = vec3(NAN, NAN, NAN), s.q.w = NAN;
            add_row(c, t, c->methods[i], c->time / (double)steps, &s, &right);
            part.before += part.share;
        }
    }
    return !part.stopped;
}

/* ---- for judges ------------------------------------------------------------------ */

double final_error(const table *t, const char *method, const char *column)
{
    return table_last(t, "method", method, column);
}

double error_ratio(const table *t, const char *a, const char *b, const char *column)
{
    return final_error(t, a, column) / final_error(t, b, column);
}

static double extreme_error(const table *t, const char *const *methods,
                            const char *column, double (*of)(double, double))
{
    double all = final_error(t, methods[0], column);
    for (; *methods != NULL; methods++)
        all = of(all, final_error(t, *methods, column));
    return all;
}

double best_error(const table *t, const char *const *methods, const char *column)
{
    return extreme_error(t, methods, column, smaller_or_nan);
}

double worst_error(const table *t, const char *const *methods, const char *column)
{
    return extreme_error(t, methods, column, larger_or_nan);
}

double order_above(const table *t, const char *key, const char *word, const char *method,
                   const char *column, double round_off)
{
    double order = NAN, last_h = NAN, last = NAN;
    bool first = true;
    for (size_t i = 0; i < t->rows; i++) {
        const double h = table_number(t, i, "h"), error = table_number(t, i, column);
        if (!table_matches(t, i, "method", method) || !table_matches(t, i, key, word))
            continue;
        if (!first && error <= round_off)
            break;
        if (!first)
            order = log(last / error) / log(last_h / h);
        first = false;
        last = error;
        last_h = h;
    }
    return order;
}

double final_order(const table *t, const char *method, const char *column)
{
    const double round_off = 2e-11; /* of some thousand steps */
    return order_above(t, NULL, NULL, method, column, round_off);
}

void claim_order_2(const table *t, findings *out, const char *who,
                   const char *const *methods)
{
    static const char *const columns[] = {"error_momentum", "error_attitude"};
    const double order = 2.0, off = 0.1; /* what a line drawn by eye tells */
    double low = INFINITY, high = -INFINITY;
    for (; *methods != NULL; methods++) {
        for (size_t k = 0; k < COUNT(columns); k++) {
            const double slope = final_order(t, *methods, columns[k]);
            low = smaller_or_nan(low, slope);
            high = larger_or_nan(high, slope);
        }
    }
    claim(out, low, order - off, order + off, "%s are of order 2: the lowest slope", who);
    claim(out, high, order - off, order + off, "%s are of order 2: the highest slope",
          who);
}
