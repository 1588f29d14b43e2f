/* extreme_series.c - extreme motions against Taylor series in multiprecision; with
 * EXTREMES_WITHOUT_ARB, for a machine that has no Arb, no motion is compared. */
#include "support/extreme_checks.h"

#ifdef EXTREMES_WITHOUT_ARB

uint64_t extreme_series(const extreme_search *search)
{
    (void)search;
    return 0;
}

uint64_t extreme_derivatives(const extreme_search *search)
{
    return extreme_series(search);
}

bool extreme_near_series(const oracle_case *c, bool details)
{
    (void)c;
    (void)details;
    return true;
}

#else

#include <float.h>
#include <math.h>
#include <stdio.h>

#include "base/extremes.h"
#include "base/parallel.h"
#include "motion/vec.h"
#include "support/derivative_tests.h"
#include "support/extreme_motions.h"
#include "support/oracle.h"
#include "system/find.h"

/* Multiples of u (1 + condition), the library's promise for moments and momenta of any size. In
 * 25362 motions, seeds 1 to 3, the largest are 4.54 and 4.02, of ph_motion_at() with moments of
 * 2^-683 and 2^948. In ordinary units, which tests of motions have, it is 4. */
static const double PROMISE = 5.0;

/* The larger of the distances of m and q from the solution, in such multiples. */
static double from_solution(const oracle_case *c, ph_state s, arb_srcptr solution,
                            const oracle_condition *condition)
{
    const oracle_condition d = oracle_distance(solution, &s);
    const long double x = c->start.m.x, y = c->start.m.y, z = c->start.m.z;
    const double u = 0x1p-53,
                 subnormal = (double)(4.0L * DBL_TRUE_MIN / sqrtl(x * x + y * y + z * z));
    return larger_or_nan(larger_or_nan(d.m - subnormal, 0.0) / (u * (1.0 + condition->m)),
                         d.q / (u * (1.0 + condition->q)));
}

typedef struct sample {
    double step, motion; /* infinite where it is refused */
} sample;

/* NaN for a motion through more than some turns, or with less than four digits. */
static sample compare_with_series(const oracle_case *c)
{
    const long double longest = 64.0L;
    const double most = 0x1p40;
    sample e = {NAN, NAN};
    if (extreme_angle(c) > longest || norm_max(c->start.m) == 0.0 || extreme_beyond_double(c))
        return e;
    const oracle_condition condition = oracle_condition_of(c);
    if (!(condition.m < most && condition.q < most))
        return e;
    ph_body b;
    ph_motion motion;
    ph_state s = c->start;
    arb_ptr solution = _arb_vec_init(ORACLE_OUTPUTS);
    oracle_solve(solution, c);
    e = (sample){INFINITY, INFINITY};
    if (ph_body_from_moments(&b, c->J) == PH_OK) {
        if (ph_flow_step(find_flow("exact"), &b, &s, c->t) == PH_OK)
            e.step = from_solution(c, s, solution, &condition);
        if (ph_motion_prepare(&motion, &b, &c->start) == PH_OK)
            e.motion = from_solution(c, ph_motion_at(&motion, c->t), solution, &condition);
    }
    _arb_vec_clear(solution, ORACLE_OUTPUTS);
    return e;
}

static bool near_enough(const sample *e)
{
    return e->step <= PROMISE && e->motion <= PROMISE;
}

bool extreme_near_series(const oracle_case *c, bool details)
{
    const sample e = compare_with_series(c);
    if (isnan(e.step))
        return true;
    if (details)
        printf("from the Taylor series: step %g, motion %g u (1 + condition)\n", e.step, e.motion);
    return near_enough(&e);
}

typedef struct series_run {
    const extreme_search *search;
    uint64_t compared, failed;
    sample worst;
} series_run;

static void check_series(void *context, size_t pass)
{
    series_run *r = context;
    const uint64_t number = pass * r->search->parts + r->search->part;
    const oracle_case c = extreme_motion(r->search->seed, number, true);
    const sample e = compare_with_series(&c);
    if (isnan(e.step))
        return;
    ph_parallel_lock();
    r->compared++;
    r->worst =
        (sample){larger_or_nan(r->worst.step, e.step), larger_or_nan(r->worst.motion, e.motion)};
    if (!near_enough(&e)) {
        r->failed++;
        printf("FAILED series: step %g, motion %g u (1 + condition): ", e.step, e.motion);
        extreme_print("exact", "step", &c);
    }
    ph_parallel_unlock();
}

uint64_t extreme_series(const extreme_search *search)
{
    series_run r = {search, 0, 0, {0, 0}};
    const uint64_t motions = extreme_share(search, search->series);
    ph_parallel_for(motions, true, check_series, &r);
    oracle_close();
    if (search->details)
        printf("Taylor series: %llu of %llu motions compared; worst %.3g (step), %.3g "
               "(motion) u (1 + condition)\n",
               (unsigned long long)r.compared, (unsigned long long)motions, r.worst.step,
               r.worst.motion);
    return r.failed;
}

/* ---- derivatives ------------------------------------------------------------------- */

typedef struct derivatives_run {
    const extreme_search *search;
    int kind;
    uint64_t failed;
    double worst;
} derivatives_run;

static void check_derivative(void *context, size_t pass)
{
    derivatives_run *r = context;
    uint64_t seed =
        r->search->seed + 0x9e3779b97f4a7c15U * (pass * r->search->parts + r->search->part + 1);
    const oracle_case c = derivative_motion(r->kind, &seed, 14.0);
    const double error = derivative_error(&c);
    ph_parallel_lock();
    r->worst = larger_or_nan(r->worst, error);
    if (!(error <= derivative_promise(r->kind))) {
        r->failed++;
        printf("FAILED derivatives: %g u (1 + condition): ", error);
        extreme_print("exact", "step", &c);
    }
    ph_parallel_unlock();
}

uint64_t extreme_derivatives(const extreme_search *search)
{
    const uint64_t motions = extreme_share(search, search->derivatives);
    uint64_t failed = 0;
    for (int kind = 0; kind < DERIVATIVE_KIND_COUNT; kind++) {
        derivatives_run r = {search, kind, 0, 0.0};
        ph_parallel_for(motions, true, check_derivative, &r);
        if (search->details)
            printf("derivatives of %llu motions, %s: worst %.3g u (1 + condition)\n",
                   (unsigned long long)motions, derivative_kind_text(kind), r.worst);
        failed += r.failed;
    }
    oracle_close();
    return failed;
}

#endif
