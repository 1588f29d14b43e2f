/* convergence.c - the errors of several integrators at a time. */
#include "papers/convergence.h"
#include "base/extremes.h"

#include "cli/files/text.h"
#include "papers/free_body.h"
#include "rotation/vec.h"
#include "system/find.h"

enum { FINER = 4 }; /* the reference's steps than the smallest of the others */

typedef struct run {
    figure_work *work;
    long steps;
} run;

static bool observe(void *context, ph_system *s)
{
    const run *r = context;
    return report_step(r->work, ph_system_steps(s), r->steps);
}

/* The system at the time, after so many steps; NULL: work->error says why. */
static ph_system *run_of(const convergence *c, const char *method, figure_work *work,
                         long steps, ph_status *status)
{
    ph_system *s = find_system(work, c->problem, method, c->time / (double)steps);
    run r = {work, steps};
    const ph_observer o = {.see = observe, .context = &r, .every = REPORT_EVERY};
    if (s != NULL)
        *status = ph_system_run(s, (uint64_t)steps, &o);
    return s;
}

/* The solution: a system, or of a free body its exact state. */
typedef struct solution {
    ph_system *system;
    ph_state state;
} solution;

static bool find_solution(const convergence *c, figure_work *work, solution *x)
{
    const ph_problem *p = find_problem(c->problem);
    if (p != NULL && p->torque == NULL) {
        const ph_state start = ph_problem_start(p);
        return free_exact(p->body.J, &start, c->time, &x->state);
    }
    ph_status status;
    x->system = run_of(c, c->norms == NORMS_SPHERES ? "rkmkgl6" : "srkn6_14a+exact", work,
                       FINER * (c->coarsest << c->halvings), &status);
    if (x->system == NULL || status != PH_OK)
        return false;
    if (p != NULL)
        x->state = ph_system_state(x->system);
    return true;
}

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

/* Of the vectors of one field in two systems. */
static double distance(const ph_system *a, const ph_system *b, const char *field)
{
    const ph_field *x = find_field(a, field), *y = find_field(b, field);
    double sum = 0.0;
    for (size_t i = 0; i < x->count; i++) {
        const size_t at = i * x->stride;
        const ph_vec3 d =
            vec3(x->data[0][at] - y->data[0][at], x->data[1][at] - y->data[1][at],
                 x->data[2][at] - y->data[2][at]);
        sum += dot(d, d);
    }
    return sqrt(sum);
}

/* The two errors of a system, in the order of the columns. */
static void find_errors(const convergence *c, const ph_system *s, const solution *right,
                        double error[2])
{
    if (c->norms == NORMS_SPHERES) {
        error[0] = distance(s, right->system, "q");
        error[1] = distance(s, right->system, "w");
        return;
    }
    const bool krysl = c->norms == NORMS_KRYSL; /* whose 2-norm is Frobenius / sqrt 2 */
    const ph_state end = ph_system_state(s);
    const ph_vec3 dm = sub(end.m, right->state.m);
    error[0] = norm(krysl ? dm : over(dm, find_problem(c->problem)->body.J));
    error[1] = frobenius(end.q, right->state.q) / (krysl ? sqrt(2.0) : 1.0);
}

bool convergence_compute(const convergence *c, figure_work *work, table *t)
{
    size_t methods = 0;
    while (c->methods[methods] != NULL)
        methods++;
    const double finest = (double)(c->coarsest << c->halvings),
                 all = (2.0 * (double)methods + FINER) * finest; /* steps, nearly */
    solution right = {0};
    table_begin(t, c->norms == NORMS_SPHERES ? "method,h,error_position,error_velocity"
                                             : "method,h,error_momentum,error_attitude");
    work->share = FINER * finest / all;
    bool good = find_solution(c, work, &right);
    if (!good)
        work->error = "there is no reference solution";
    work->before = work->share;
    for (size_t i = 0; i < methods * (size_t)(c->halvings + 1); i++) {
        const char *method = c->methods[i / (size_t)(c->halvings + 1)];
        const long steps = c->coarsest << i % (size_t)(c->halvings + 1);
        double error[2] = {NAN, NAN};
        ph_status status = PH_OK;
        if (!good || work->stopped)
            break;
        work->share = (double)steps / all;
        ph_system *s = run_of(c, method, work, steps, &status);
        good = s != NULL;
        if (good && status == PH_OK)
            find_errors(c, s, &right, error);
        ROW(t, WORD(method), NUMBER(c->time / (double)steps), NUMBER(error[0]),
            NUMBER(error[1]));
        ph_system_free(s);
        work->before += work->share;
    }
    ph_system_free(right.system);
    return good && !work->stopped;
}

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

double final_order(const table *t, const char *method, const char *column)
{
    const double round_off = 2e-11; /* of some thousand steps */
    return table_order(t, "method", method, "h", column, round_off);
}

void claim_order_2(const table *t, claims *out, const char *who,
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
