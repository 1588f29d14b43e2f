/* test_flows.c - every flow of the catalog: that it is the free motion to its order, that
 * it keeps what its descriptor claims, and that it leaves a state alone when it fails. */
#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/extremes.h"
#include "lab/measure/properties.h"
#include "lab/motion/celledoni_forms.h"
#include "motion/composition.h"
#include "motion/vec.h"
#include "support/bodies.h"
#include "support/claims.h"
#include "support/random.h"
#include "system/find.h"

static const ph_flow *exact;

/* Calls a test for every flow there is. */
static void each_flow(void (*test)(const ph_flow *flow))
{
    size_t count;
    const ph_flow *const *flows = ph_flows(&count);
    assert_true(count > 0);
    for (size_t i = 0; i < count; i++)
        test(flows[i]);
}

static ph_state step(const ph_flow *flow, ph_state s, ph_vec3 J, double h)
{
    const ph_status status = flow->step(flow, &s, J, h);
    if (status != PH_OK)
        fail_msg("%s: %s", flow->name, ph_status_text(status));
    return s;
}

static double distance4(ph_quat a, ph_quat b)
{
    const ph_quat d = {a.w - b.w, a.x - b.x, a.y - b.y, a.z - b.z};
    return sqrt(dot4(d, d));
}

static double distance(const ph_state *a, const ph_state *b)
{
    return distance4(a->q, b->q) + norm_max(sub(a->m, b->m)) / norm_max(a->m);
}

/* ---- the catalog ----------------------------------------------------------------- */

static void check_descriptor(const ph_flow *flow)
{
    assert_non_null(flow->name);
    assert_true(strlen(flow->title) > 0 && strlen(flow->cite) > 0);
    assert_true(flow->order >= 0);
    assert_non_null(flow->step);
}

static void test_catalog(void **state)
{
    (void)state;
    each_flow(check_descriptor);
}

/* ---- the motion ------------------------------------------------------------------ */

/* Flows without truncation error: the papers' forms lose digits next to the places where
 * they are not defined, a wrong formula loses all of them. Both momentum regimes, any
 * order of the moments, either sign of time and of every component, up to five periods.
 */
static void check_motion(const ph_flow *flow)
{
    const double digits_lost_by_forms = 1e-9;
    static const enum body_kind kinds[] = {BODY_TRIAXIAL, BODY_WIDE, BODY_FLAT, BODY_NEEDLE,
                                           BODY_MOLECULE};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        uint64_t seed = 100;
        for (int i = 0; i < 1000 && flow->order == PH_ORDER_EXACT; i++) {
            const oracle_case c = random_motion(kinds[k], &seed, 40.0);
            const ph_state a = step(exact, c.start, c.J, c.t), b = step(flow, c.start, c.J, c.t);
            if (!(distance(&a, &b) < digits_lost_by_forms))
                fail_msg("%s: J %a %a %a  m %a %a %a  t %a: off by %g", flow->name, c.J.x, c.J.y,
                         c.J.z, c.start.m.x, c.start.m.y, c.start.m.z, c.t, distance(&a, &b));
        }
    }
}

static void test_motion(void **state)
{
    (void)state;
    each_flow(check_motion);
}

/* ---- the order ------------------------------------------------------------------- */

/* The root mean square error of one step of h, over 200 points of one orbit: smooth in h
 * even where the error itself oscillates along the orbit. */
static double local_error(const ph_integrator *i, double h)
{
    const ph_vec3 J = {0.6, 0.8, 1.0};
    ph_state s = {{1, 0, 0, 0}, {1.8, 0.4, -0.9}};
    const int points = 200;
    double sum = 0.0;
    for (int point = 0; point < points; point++) {
        s.q = (ph_quat){1, 0, 0, 0};
        const ph_state a = step(exact, s, J, h);
        ph_state b = s;
        if (i->composition == NULL)
            b = step(i->flow, s, J, h);
        else
            assert_int_equal(PH_OK, ph_composition_step(i->composition, i->flow, &b, J, h));
        sum += pow(distance(&a, &b), 2);
        s = step(exact, s, J, 0.0371);
    }
    return sqrt(sum / points);
}

/* The slope between the finest pair of steps whose error is above round-off, from the
 * step h down; 0 if there is no pair. */
static double measured_slope(const ph_integrator *i, double h, double *coarse)
{
    const double ratio = 1.25, resolved = 2e-13, smallest = 1e-3;
    double slope = 0.0;
    *coarse = local_error(i, h);
    for (; h > smallest; h /= ratio) {
        const double fine = local_error(i, h / ratio);
        if (!(fine > resolved))
            break;
        slope = log(*coarse / fine) / log(ratio);
        *coarse = fine;
    }
    return slope;
}

/* That slope is order + 1. The largest step turns the body by one radian; where a method
 * of high order is at round-off even there, its order is measured in multiprecision
 * (test_dmv.c). */
static void check_order(const ph_flow *flow)
{
    if (flow->order == PH_ORDER_EXACT)
        return;
    static const double one_radian = 0.33;
    const ph_integrator i = {.flow = flow};
    double coarse, slope = measured_slope(&i, one_radian, &coarse);
    if (slope == 0.0 && flow->order < 14) /* those that divide no steps may take larger ones */
        slope = measured_slope(&i, 5.0 * one_radian, &coarse);
    if (slope == 0.0 && !(flow->order >= 14 && coarse < 1e-11))
        fail_msg("%s: no order measured, error %g", flow->name, coarse);
    else if (slope == 0.0)
        return;
    else if (flow->order <= 6 && fabs(slope - flow->order - 1) > 0.1)
        fail_msg("%s: order %g measured, %d claimed", flow->name, slope - 1, flow->order);
    else if (slope - 1 < flow->order - 0.5)
        fail_msg("%s: order %g measured, %d claimed", flow->name, slope - 1, flow->order);
}

static void test_order(void **state)
{
    (void)state;
    each_flow(check_order);
}

/* Compositions of two symmetric flows have the order of their row. */
static void test_compositions(void **state)
{
    (void)state;
    size_t count;
    const ph_composition *rows = ph_compositions(&count);
    assert_true(count >= 7);
    for (size_t r = 0; r < count; r++) {
        double sum = 0.0;
        for (int i = 0; i < rows[r].stages; i++)
            sum += rows[r].half[i <= rows[r].stages / 2 ? i : rows[r].stages - 1 - i];
        assert_true(fabs(sum - 1) < 1e-15);
        const char *bases[] = {"mr", "dmv2"};
        for (size_t b = 0; b < 2; b++) {
            const ph_integrator i = {.flow = find_flow(bases[b]), .composition = &rows[r]};
            double coarse;
            const double order = measured_slope(&i, 0.5, &coarse) - 1;
            if (!(order > rows[r].order - 0.3))
                fail_msg("%s:%s: order %g", bases[b], rows[r].name, order);
        }
    }
}

static void test_integrator_names(void **state)
{
    (void)state;
    ph_integrator i = {.flow = NULL};
    assert_int_equal(PH_OK, ph_integrator_named("dmv8", &i));
    assert_int_equal(8, ph_integrator_order(&i));
    assert_int_equal(PH_OK, ph_integrator_named("sr2:kahan_li6", &i));
    assert_int_equal(6, ph_integrator_order(&i));
    assert_int_equal(find_flow("sr2")->keeps, ph_integrator_keeps(&i));
}

/* ---- hand-overs ------------------------------------------------------------------ */

/* The exact and semi-exact forms of CFSZ hand over to `exact` where they are not defined:
 * then the step is that of `exact`, to the bit. */
static bool hands_over(const ph_flow *flow, ph_state s, ph_vec3 J, double h)
{
    const ph_state a = step(exact, s, J, h), b = step(flow, s, J, h);
    return memcmp(&a, &b, sizeof a) == 0;
}

static bool has_hand_over(const ph_flow *flow)
{
    return strncmp(flow->cite, "CFSZ", 4) == 0 && (flow->keeps & PH_ENERGY);
}

static void check_no_hand_over(const ph_flow *flow)
{
    uint64_t seed = 7;
    int equal = 0;
    for (int i = 0; i < 1000; i++) {
        const oracle_case c = random_motion(BODY_TRIAXIAL, &seed, 20.0);
        equal += hands_over(flow, c.start, c.J, c.t);
    }
    if (equal > 10) /* which round-off may make equal by chance */
        fail_msg("%s: %d of 1000 steps are those of exact", flow->name, equal);
}

/* Where no form of the papers is defined. */
static void check_hand_over(const ph_flow *flow)
{
    static const struct {
        ph_vec3 J, m;
    } places[] = {
        {{1, 2, 3}, {0, 0, 0}},         /* no momentum */
        {{1, 2, 3}, {1, 0, 0}},         /* an axis */
        {{1, 2, 3}, {0, 1, 0}},         /* the middle one */
        {{1, 2, 3}, {0, 0, -1}},        /* where Kosenko's turn is singular */
        {{1, 2, 3}, {1e-9, 1e-9, -1}},  /* next to it */
        {{2, 4.25, 4.5}, {-1, 1, 4.5}}, /* the separatrix */
        {{1, 1, 2}, {0.6, 0.8, 0.5}},   /* symmetric bodies */
        {{1, 2, 2}, {0.6, 0.8, 0.5}},   {{2, 2, 2}, {0.6, 0.8, 0.5}},
    };
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const ph_state s = {{1, 0, 0, 0}, places[i].m};
        if (!hands_over(flow, s, places[i].J, 3.0))
            fail_msg("%s does not hand over at place %zu", flow->name, i);
    }
}

static void test_hand_over(void **state)
{
    (void)state;
    size_t count, found = 0;
    const ph_flow *const *flows = ph_flows(&count);
    for (size_t i = 0; i < count; i++) {
        if (!has_hand_over(flows[i]))
            continue;
        check_no_hand_over(flows[i]);
        check_hand_over(flows[i]);
        found++;
    }
    assert_true(found > 0);
}

/* ---- what the descriptors claim -------------------------------------------------- */

/* Worst defects over steps from random states; `error` is the largest error of a step, below
 * which a defect cannot be seen. */
typedef struct defects {
    double momentum, casimir, energy, symmetry, poisson, symplectic, error;
} defects;

static void measure_invariants(defects *worst, const ph_flow *flow, const ph_body *b,
                               const ph_state *s, double h)
{
    const ph_state after = step(flow, *s, b->J, h), back = step(flow, after, b->J, -h),
                   right = step(exact, *s, b->J, h);
    const double m = norm(s->m), energy = ph_body_energy(b, s);
    const ph_vec3 moved = sub(ph_state_space_momentum(&after), ph_state_space_momentum(s));
    worst->momentum = larger_or_nan(worst->momentum, norm(moved) / m);
    worst->casimir = larger_or_nan(worst->casimir, fabs(norm(after.m) / m - 1));
    worst->energy = larger_or_nan(worst->energy, fabs(ph_body_energy(b, &after) / energy - 1));
    worst->symmetry = larger_or_nan(worst->symmetry, distance(&back, s));
    worst->error = larger_or_nan(worst->error, distance(&after, &right));
}

/* Any body, steps of any length up to two. */
static defects short_steps(const ph_flow *flow)
{
    defects worst = {0};
    uint64_t seed = 9;
    for (int i = 0; i < 500; i++) {
        const oracle_case c = random_motion(BODY_TRIAXIAL, &seed, 2.0);
        const ph_body b = {.J = c.J, .axes = {1, 0, 0, 0}, .principal = true};
        measure_invariants(&worst, flow, &b, &c.start, c.t);
    }
    return worst;
}

/* One body, with the structure. */
static defects measure(const ph_flow *flow, double h)
{
    const ph_body b = {.J = {1.3, 2.1, 2.9}, .axes = {1, 0, 0, 0}, .principal = true};
    const ph_problem none = {.name = "none", .body = b};
    const ph_integrator i = {.flow = flow};
    defects worst = {0};
    uint64_t seed = 13;
    for (int n = 0; n < 20; n++) {
        const ph_quat q = ph_rotation_exp(random_vector(&seed, -1, 1));
        const ph_state s = {q, random_vector(&seed, -1, 1)};
        ph_structure_defects d;
        assert_int_equal(PH_OK, ph_measure_structure(&i, &none, &s, h, &d));
        measure_invariants(&worst, flow, &b, &s, h);
        worst.poisson = larger_or_nan(worst.poisson, d.poisson);
        worst.symplectic = larger_or_nan(worst.symplectic, d.symplectic);
    }
    return worst;
}

static measured_properties measured;

/* A bit that is missing is missing for a reason: at a step where the error is plain, so is
 * the defect. */
static void check_claims(const ph_flow *flow)
{
    const double roundoff = 1e-13, /* of a form; `exact` has a test of its own to 2e-15 */
        structure = 2e-11, back = 1e-11, plain = 1e-11, plain_error = 1e-8;
    const defects few = measure(flow, 0.4), many = short_steps(flow);
    defects large = measure(flow, 3.0);
    if (flow->order == PH_ORDER_EXACT)
        large = (defects){0}; /* it keeps everything */
    else if (large.error < plain_error)
        large = (defects){INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, 0};
    const property_defects all[] = {
        {PH_MOMENTUM, many.momentum, roundoff, large.momentum, plain},
        {PH_CASIMIR, many.casimir, roundoff, large.casimir, plain},
        {PH_ENERGY, many.energy, roundoff, large.energy, plain},
        {PH_SYMMETRIC, many.symmetry, back, large.symmetry, plain},
        {PH_POISSON, few.poisson, structure, large.poisson, plain},
        {PH_SYMPLECTIC, few.symplectic, structure, large.symplectic, plain},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        check_property(&measured, flow->name, "free bodies", flow->keeps, all[i]);
}

static void check_only(const ph_flow *flow)
{
    check_only_measured(&measured, flow->name, flow->keeps);
}

static void test_claims(void **state)
{
    (void)state;
    each_flow(check_claims);
    each_flow(check_only);
}

/* ---- the range of double --------------------------------------------------------- */

/* In other units, powers of two of the first, a step is the same: with moments and momenta
 * next to the ends of the range, or where only h makes the angle ordinary. */
static void check_units(const ph_flow *flow)
{
    const ph_vec3 J = {0.6, 0.8, 1.0};
    const ph_state start = {{1, 0, 0, 0}, {1.8, 0.4, -0.9}};
    const double short_step = 0.125; /* exact, as a subnormal too */
    const ph_state right = step(flow, start, J, short_step);
    static const int exponents[] = {-1020, -600, -210, 0, 210, 450, 1022};
    enum { COUNT = sizeof exponents / sizeof exponents[0] };
    for (int i = 0; i < COUNT * COUNT; i++) {
        const int of_J = exponents[i / COUNT], of_m = exponents[i % COUNT];
        const double h = ldexp(short_step, of_J - of_m);
        if (h == 0.0 || isinf(h))
            continue;
        const double unit = ldexp(1.0, of_m);
        const ph_state there =
            step(flow, (ph_state){start.q, scale(unit, start.m)}, scale(ldexp(1.0, of_J), J), h);
        const ph_state back = {there.q, scale(1.0 / unit, there.m)};
        if (!(distance(&right, &back) < 1e-14))
            fail_msg("%s: off by %g with moments 2^%d, momenta 2^%d", flow->name,
                     distance(&right, &back), of_J, of_m);
    }
}

/* Moments far apart and tiny steps, down to the smallest number: of unit length, |m| kept,
 * and the motion the exact one. Beyond 2^100 it is that of `exact`. */
static void check_wide(const ph_flow *flow)
{
    static const ph_vec3 momenta[] = {{0.8, 0.3, -0.2}, {1e-9, 0.8, -0.9}, {0.3, -0.9, 0}};
    for (int i = 0; i < 30; i++) {
        const int apart = 10 + 20 * (i % 10);
        const ph_state start = {{1, 0, 0, 0}, momenta[i / 10]};
        const ph_vec3 J = {ldexp(0.7, -apart), i % 2 ? 1.0 : 1.3, 1.3};
        const ph_body body = {.J = J, .axes = {1, 0, 0, 0}, .principal = true};
        const double fastest = sqrt(2.0 * ph_body_energy(&body, &start) / J.x),
                     largest = (flow->order == PH_ORDER_EXACT ? 0.06 : 6e-5) / fastest;
        for (int k = 0; k < 12; k++) {
            const double h = k > 10 ? 3.0 * DBL_TRUE_MIN : pow(1e-30, k) * largest;
            const ph_state a = step(exact, start, J, h), b = step(flow, start, J, h);
            const ph_vec3 turned =
                sub(ph_state_space_momentum(&b), ph_state_space_momentum(&start));
            const bool kept = !(flow->keeps & PH_MOMENTUM) || norm(turned) < 1e-14;
            if (!(distance(&a, &b) < 4e-10 && fabs(dot4(b.q, b.q) - 1) < 2e-15 &&
                  fabs(norm(b.m) / norm(start.m) - 1) < 1e-14 && kept))
                fail_msg("%s: moments 2^%d apart, h %g: off by %g", flow->name, apart, h,
                         distance(&a, &b));
        }
    }
}

/* A step however long is refused, or keeps what the flow claims in proportion to its
 * angle; none leaves the unit sphere. */
static void check_long(const ph_flow *flow)
{
    uint64_t seed = 12;
    for (int i = 0; i < 2000; i++) {
        const oracle_case c = random_motion(BODY_TRIAXIAL, &seed, 1.0);
        const double angle = log_between(&seed, 1.0, i % 2 ? 1e3 : 1e300);
        ph_state s = c.start;
        if (flow->step(flow, &s, c.J, angle * c.t) != PH_OK) {
            assert_memory_equal(&c.start, &s, sizeof s);
            continue;
        }
        const ph_body b = {.J = c.J, .axes = {1, 0, 0, 0}, .principal = true};
        const double lost = fabs(ph_body_energy(&b, &s) / ph_body_energy(&b, &c.start) - 1),
                     bound = 1e-13 * (1 + smaller_or_nan(angle, 1e5));
        if (!(fabs(dot4(s.q, s.q) - 1) < 2e-15 && (!(flow->keeps & PH_ENERGY) || lost < bound)))
            fail_msg("%s: J %a %a %a  m %a %a %a  t %a: |q|^2 off by %g, energy by %g", flow->name,
                     c.J.x, c.J.y, c.J.z, c.start.m.x, c.start.m.y, c.start.m.z, angle * c.t,
                     dot4(s.q, s.q) - 1, lost);
    }
}

/* Bodies and momenta with what a formula may divide by: moments that are equal or nearly so,
 * in every place, and components that are exactly 0, or nearly; steps of order 8 and more are
 * near the motion. */
static void check_degenerate(const ph_flow *flow)
{
    static const double moments[] = {1, 2}, components[] = {0, 0.4, -1.1};
    for (int k = 0; k < 8 * 27; k++) {
        const ph_vec3 J = {moments[k % 2], moments[k / 2 % 2], moments[k / 4 % 2]};
        const ph_state start = {
            {1, 0, 0, 0}, {components[k / 8 % 3], components[k / 24 % 3], components[k / 72 % 3]}};
        const ph_body b = {J, {1, 0, 0, 0}, true};
        const double h = 0.2;
        ph_motion motion;
        ph_state s = start;
        assert_int_equal(PH_OK, ph_motion_prepare(&motion, &b, &start));
        const ph_state right = ph_motion_at(&motion, h);
        const double near = flow->order == PH_ORDER_EXACT || flow->order >= 8 ? 1e-9 : 0.02;
        const ph_status status = flow->step(flow, &s, J, h);
        if (status != PH_OK || !(norm(sub(s.m, right.m)) < near) ||
            !(fabs(dot4(s.q, right.q)) > 1 - near * near - 1e-15))
            fail_msg("%s: J %g %g %g  m %g %g %g: %s", flow->name, J.x, J.y, J.z, start.m.x,
                     start.m.y, start.m.z, ph_status_text(status));
    }
}

static void test_range(void **state)
{
    (void)state;
    each_flow(check_degenerate);
    each_flow(check_units);
    each_flow(check_wide);
    each_flow(check_long);
}

/* ---- failure --------------------------------------------------------------------- */

static void check_failure(const ph_flow *flow)
{
    const ph_body good = {.J = {1, 2, 3}, .axes = {1, 0, 0, 0}, .principal = true};
    const ph_body bad = {.J = {1, -2, 3}, .axes = {1, 0, 0, 0}, .principal = true};
    const ph_state start = {{1, 0, 0, 0}, {8, 16, 24}};
    ph_state s = start;
    assert_int_equal(PH_BAD_INERTIA, ph_flow_step(flow, &bad, &s, 0.1));
    assert_int_equal(PH_BAD_STEP, ph_flow_step(flow, &good, &s, NAN));
    assert_int_equal(PH_BAD_STEP, ph_flow_step(flow, &good, &s, INFINITY));
    assert_int_not_equal(PH_OK, ph_flow_step(flow, &good, &s, 1.7e308)); /* overflows */
    assert_memory_equal(&start, &s, sizeof s);
    s.m.y = NAN;
    assert_int_equal(PH_BAD_STATE, ph_flow_step(flow, &good, &s, 0.1));
    s.m.y = 2;
    s.q.w = 0;
    assert_int_equal(PH_BAD_STATE, ph_flow_step(flow, &good, &s, 0.1));
}

static void test_failure(void **state)
{
    (void)state;
    each_flow(check_failure);
}

/* In units in which all is far from 1 but the momentum, whose largest component is 1. */
static void check_unit_momentum(const ph_flow *flow)
{
    const ph_state start = {{1, 0, 0, 0}, {0.5, 1.0, -0.25}};
    ph_state found[3];
    for (int k = 0; k < 3; k++) {
        const double unit = ldexp(1.0, 600 * (k - 1));
        const ph_body body = {{unit, 2.0 * unit, 2.5 * unit}, {1, 0, 0, 0}, true};
        found[k] = start;
        assert_int_equal(PH_OK, ph_flow_step(flow, &body, &found[k], 0.3 * unit));
    }
    for (int k = 0; k < 3; k += 2) {
        const double off =
            norm(sub(found[k].m, found[1].m)) + norm(vec(mul(inverse(found[k].q), found[1].q)));
        if (!(off < 1e-14))
            fail_msg("%s: other units, off by %g", flow->name, off);
    }
}

static void test_unit_momentum(void **state)
{
    (void)state;
    each_flow(check_unit_momentum);
}

static int find_exact(void **state)
{
    (void)state;
    exact = find_flow("exact");
    return exact == NULL ? -1 : 0;
}

/* The frame of van Zon and Schofield is not defined with the momentum along the third axis, at
 * either end of a step. */
static void test_frame_at_the_axis(void **state)
{
    (void)state;
    const ph_body body = PH_MOMENTS(1.0, 2.0, 3.0);
    const ph_state start = {{1, 0, 0, 0}, {0.4, 0.5, 0.6}};
    ph_celledoni c;
    ph_quat turn;
    assert_true(ph_celledoni_prepare(&c, &start, body.J, 0.3, PH_ORDER_EXACT));
    assert_true(ph_celledoni_zon(&c, &turn));
    const ph_vec3 ends[] = {c.m0, c.m};
    for (int k = 1; k < 4; k++) {
        c.m0 = k & 1 ? vec3(0, 0, 1) : ends[0];
        c.m = k & 2 ? vec3(0, 0, -1) : ends[1];
        assert_false(ph_celledoni_zon(&c, &turn));
    }
}

/* Steps that end where m has passed an odd number of quarters of its period, or has just not: rounding
 * decides which, and the forms of Celledoni et al. must count half periods accordingly. */
static void test_quarters_of_a_period(void **state)
{
    (void)state;
    static const char *const names[] = {"rotation", "quaternion", "kosenko", "zon"};
    uint64_t seed = 8;
    for (int n = 0; n < 60; n++) {
        ph_body body;
        const double J2 = between(&seed, 1.2, 1.6), J3 = between(&seed, 1.9, 2.4);
        assert_int_equal(PH_OK, ph_body_from_moments(&body, vec3(1.0, J2, J3)));
        const double angle = between(&seed, 0.2, 1.3);
        const ph_state start = {{1, 0, 0, 0}, {cos(angle), 0.0, sin(angle)}};
        ph_motion motion;
        assert_int_equal(PH_OK, ph_motion_prepare(&motion, &body, &start));
        const double quarter = 0.25 * ph_motion_period(&motion);
        for (int k = -7; k <= 7; k += 2) {
            for (int i = 0; i < 12; i++) {
                const double h = k * quarter * (1.0 + (i - 6) * DBL_EPSILON);
                const ph_flow *flow = find_flow(names[(n + i) % 4]);
                const ph_state right = ph_motion_at(&motion, h);
                ph_state s = start;
                assert_int_equal(PH_OK, ph_flow_step(flow, &body, &s, h));
                if (!(norm(sub(s.m, right.m)) < 1e-12 && fabs(dot4(s.q, right.q)) > 1.0 - 1e-12))
                    fail_msg("%s, %d quarters: %g, %g", flow->name, k, norm(sub(s.m, right.m)),
                             1.0 - fabs(dot4(s.q, right.q)));
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_catalog),
        cmocka_unit_test(test_motion),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_compositions),
        cmocka_unit_test(test_integrator_names),
        cmocka_unit_test(test_hand_over),
        cmocka_unit_test(test_claims),
        cmocka_unit_test(test_range),
        cmocka_unit_test(test_failure),
        cmocka_unit_test(test_unit_momentum),
        cmocka_unit_test(test_frame_at_the_axis),
        cmocka_unit_test(test_quarters_of_a_period),
    };
    return cmocka_run_group_tests_name("flows", tests, find_exact, NULL);
}
