/* test_problems.c - every problem of the catalog: that its torque is minus the
 * derivative of its potential, and its derivative that of the torque, at attitudes
 * anywhere; that the exact motions keep its energy; and formulas that were printed
 * wrong. */
#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/extremes.h"
#include "integrators/range.h"
#include "rotation/vec.h"
#include "support/generic.h"
#include "support/page.h"
#include "support/parameters.h"
#include "support/random.h"
#include "support/references.h"
#include "system/find.h"

static const ph_vec3 AXES[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

/* Calls a test for every problem there is. */
static void each_problem(void (*test)(const ph_problem *p))
{
    size_t count;
    const ph_problem *const *problems = ph_problems(&count);
    assert_true(count >= 10);
    for (size_t i = 0; i < count; i++)
        test(problems[i]);
}

static const ph_problem *named(const char *name)
{
    const ph_problem *p = find_problem(name);
    if (p == NULL) {
        fail_msg("there is no problem %s", name);
        abort(); /* fail_msg does not return, but does not say so */
    }
    return p;
}

/* Anywhere: every orientation is as likely, nearly. */
static ph_quat random_attitude(uint64_t *seed)
{
    const double w = between(seed, -1, 1);
    return ph_quat_unit(quat(w, random_vector(seed, -1, 1)));
}

static double distance(ph_vec3 a, ph_vec3 b)
{
    return norm_max(sub(a, b));
}

/* ---- the catalog ----------------------------------------------------------------- */

static void check_descriptor(const ph_problem *p)
{
    assert_true(smaller_or_nan(p->body.J.x, smaller_or_nan(p->body.J.y, p->body.J.z)) > 0.0);
    assert_true(fabs(unit_defect(p->q)) < 4e-16);
    assert_true(finite3(p->w) && norm_max(p->w) > 0.0);
    /* A potential and a derivative are those of a torque; a torque of the attitude alone
     * that has no potential changes the energy. */
    assert_true(p->torque != NULL || (p->potential == NULL && p->derivative == NULL));
    assert_true(p->torque == NULL || p->potential != NULL || p->nonconservative ||
                p->velocity_dependent);
    check_parameters(p->name, p->parameters, p->parameter_count);
    for (int i = 0; i < p->parameter_count; i++)
        assert_ptr_equal(&p->parameters[i], ph_problem_parameter(p, p->parameters[i].name));
    assert_null(ph_problem_parameter(p, "no such parameter"));
}

static void test_catalog(void **state)
{
    (void)state;
    each_problem(check_descriptor);
}

/* ---- torque and derivative by differences ---------------------------------------- */

/* An instant at an attitude, with an angular velocity. */
static ph_instant instant_at(ph_quat q, ph_vec3 w)
{
    return (ph_instant){.t = 0.3, .R = ph_quat_matrix(q), .m = w, .w = w};
}

static void set_parameter(ph_problem *p, const ph_parameter *a, double value)
{
    for (int k = a->first; k < a->first + a->count; k++)
        p->value[k] = value;
    if (p->prepare != NULL)
        p->prepare(p);
}

/* Whether a parameter changes the torque and not the potential: a factor of drag, a constant
 * torque. Only a problem whose energy changes may have one. */
static bool has_no_potential(const ph_problem *p, const ph_parameter *a)
{
    uint64_t seed = 2;
    ph_problem other = *p;
    bool changes_torque = false;
    set_parameter(&other, a, 0.2);
    for (int n = 0; p->nonconservative && n < 10; n++) {
        const ph_instant now = instant_at(random_attitude(&seed), vec3(0.3, -0.2, 0.1));
        if (p->potential(p, &now) != p->potential(&other, &now))
            return false;
        if (distance(p->torque(p, &now), p->torque(&other, &now)) > 0.0)
            changes_torque = true;
    }
    return changes_torque;
}

/* The problem with other moments and other values of its parameters; without what has no
 * potential, if so wished. */
static ph_problem varied(const ph_problem *p, bool of_potential, uint64_t *seed)
{
    ph_problem other = *p;
    other.body.J = times(p->body.J, random_vector(seed, 0.5, 2));
    for (int i = 0; i < p->parameter_count; i++) {
        const ph_parameter *a = &p->parameters[i];
        for (int k = a->first; k < a->first + a->count; k++) {
            const double value = p->value[k];
            other.value[k] = value != 0.0
                                 ? value * between(seed, 1, 1.2)
                                 : between(seed, a->range == PH_RANGE_ANY ? -0.3 : 0.0, 0.3);
        }
        if (of_potential && has_no_potential(p, a))
            set_parameter(&other, a, 0.0);
    }
    if (other.prepare != NULL)
        other.prepare(&other);
    return other;
}

/* The four-point difference of four values at -2, -1, 1, 2 times the distance. */
static double difference(const double f[4], double d)
{
    return (8.0 * (f[2] - f[1]) - (f[3] - f[0])) / (12.0 * d);
}

/* At an attitude, at rest: torque and potential, derivative and torque, where there are both. */
static void check_derivatives_at(const ph_problem *p, ph_quat q, bool of_potential)
{
    static const double NEAR[] = {-2, -1, 1, 2};
    const double d = 1e-4, right = 1e-7;
    const ph_instant now = instant_at(q, vec3(0, 0, 0));
    const ph_vec3 tau = p->torque(p, &now);
    for (int k = 0; k < 3; k++) {
        double U[4] = {0}, x[4], y[4], z[4];
        for (int i = 0; i < 4; i++) {
            const ph_instant near =
                instant_at(mul(q, ph_rotation_exp(scale(NEAR[i] * d, AXES[k]))), vec3(0, 0, 0));
            const ph_vec3 there = p->torque(p, &near);
            if (of_potential)
                U[i] = p->potential(p, &near);
            x[i] = there.x, y[i] = there.y, z[i] = there.z;
        }
        const ph_vec3 column = {difference(x, d), difference(y, d), difference(z, d)};
        const double size = fabs(U[0]) + norm_max(tau);
        const double tau_error = fabs(difference(U, d) + dot(tau, AXES[k]));
        if (of_potential && !(tau_error < right * size))
            fail_msg("%s: torque along axis %d off by %g of %g", p->name, k, tau_error, size);
        if (p->derivative == NULL)
            continue;
        const ph_mat3 D = p->derivative(p, &now);
        const ph_vec3 claimed = {D.a[0][k], D.a[1][k], D.a[2][k]};
        const double D_error = distance(column, claimed);
        if (!(D_error <= right * (size + norm_max(column))))
            fail_msg("%s: derivative along axis %d off by %g of %g", p->name, k, D_error,
                     size + norm_max(column));
    }
}

/* A torque that depends on the velocity says so; if it keeps the energy, it does no work. */
static void check_velocity(const ph_problem *p, ph_quat q, ph_vec3 w)
{
    const ph_instant at_rest = instant_at(q, vec3(0, 0, 0)), moving = instant_at(q, w);
    const ph_vec3 by_velocity = sub(p->torque(p, &moving), p->torque(p, &at_rest));
    if (!p->velocity_dependent && norm_max(by_velocity) != 0.0)
        fail_msg("%s: set .velocity_dependent: the torque depends on it", p->name);
    if (!p->nonconservative && !(fabs(dot(by_velocity, w)) <= 1e-14 * norm_max(by_velocity)))
        fail_msg("%s: set .nonconservative: the torque changes the energy", p->name);
}

static void check_derivatives(const ph_problem *p)
{
    if (p->torque == NULL)
        return;
    uint64_t seed = 1;
    for (int n = 0; n < 200; n++) {
        const ph_quat q = n == 0 ? p->q : random_attitude(&seed);
        const ph_problem whole = varied(p, false, &seed);
        check_derivatives_at(&whole, q, false);
        check_velocity(&whole, q, random_vector(&seed, -1, 1));
        if (p->potential != NULL) {
            const ph_problem conservative = varied(p, true, &seed);
            check_derivatives_at(&conservative, q, true);
        }
    }
}

static void test_derivatives(void **state)
{
    (void)state;
    each_problem(check_derivatives);
}

/* ---- the reference solutions ----------------------------------------------------- */

/* The energy is that of the record at its start and at its end, and a problem begins as
 * its record does unless told otherwise. */
static void check_reference(const reference *r, void *context)
{
    int *seen = context;
    const double start = ph_problem_energy(&r->problem, 0.0, &r->start),
                 end = ph_problem_energy(&r->problem, 0.0, &r->end);
    if (!(fabs(start / r->energy - 1) < 5e-15 && fabs(end / r->energy - 1) < 5e-14))
        fail_msg("%s: energies %.17g and %.17g, not %.17g", r->id, start, end, r->energy);
    if (strcmp(r->problem.name, "flipped") != 0) {
        const ph_problem *p = named(r->problem.name);
        assert_true(distance(p->body.J, r->J) == 0.0);
        assert_true(fabs(dot4(p->q, r->start.q)) > 1 - 1e-15);
        assert_true(distance(times(p->body.J, p->w), r->Pi0) <= 2e-16 * norm_max(r->Pi0));
    }
    ++*seen;
}

static void test_references(void **state)
{
    (void)state;
    int seen = 0;
    references_each(check_reference, &seen);
    assert_int_equal(19, seen);
}

/* ---- what was printed wrong ------------------------------------------------------ */

/* O11: y_i = tr(A hat(e_i)) */
static ph_vec3 traces(ph_mat3 A)
{
    return vec3(A.a[1][2] - A.a[2][1], A.a[2][0] - A.a[0][2], A.a[0][1] - A.a[1][0]);
}

static double ortolan_distance(ph_mat3 A)
{
    return sqrt(2 * (3 - A.a[0][0] - A.a[1][1] - A.a[2][2]));
}

/* O11 (3.5): the first term has 2 (m - 1)/m, not 2 (m - 1)/m^2. */
static void test_ortolan_torque(void **state)
{
    (void)state;
    const ph_problem *p = named("well");
    const double *target = p->value + 1;
    const ph_mat3 T = ph_quat_matrix(ph_rotation_exp(vec3(target[0], target[1], target[2])));
    uint64_t seed = 3;
    double corrected = 0.0, printed = INFINITY;
    for (int n = 0; n < 100; n++) {
        const ph_mat3 R = ph_quat_matrix(random_attitude(&seed)), A = matmul(transpose(T), R);
        const double m = ortolan_distance(R), m_target = ortolan_distance(A);
        const ph_vec3 tau = p->torque(p, AT(0.0, R)),
                      second = scale(p->value[0] / pow(m_target, 3), traces(A));
        const ph_vec3 right = add(scale(2 * (m - 1) / m, traces(R)), second),
                      wrong = add(scale(2 * (m - 1) / (m * m), traces(R)), second);
        corrected = larger_or_nan(corrected, distance(tau, right) / norm_max(tau));
        printed = smaller_or_nan(printed, distance(tau, wrong) / norm_max(tau));
    }
    assert_true(corrected < 1e-13);
    assert_true(printed > 1e-3);
}

/* K06 5.4: the formula is the torque of 1/r - 0.001 r^-10, not of an attractive
 * potential with a repulsive wall as the words have it. In space axes. */
static void test_krysl_soft_wall(void **state)
{
    (void)state;
    const ph_problem *p = named("soft_wall");
    uint64_t seed = 4;
    for (int n = 0; n < 100; n++) {
        const ph_mat3 R = ph_quat_matrix(random_attitude(&seed));
        const double r = 1.1 + R.a[2][2];
        const ph_vec3 printed =
            scale(-pow(r, -2) + 0.01 * pow(r, -11), vec3(-R.a[1][2], R.a[0][2], 0));
        const ph_vec3 tau = apply(R, p->torque(p, AT(0.0, R)));
        assert_true(distance(tau, printed) < 1e-13 * norm_max(tau));
    }
    /* It repels far from the core and attracts at it. */
    const ph_mat3 up = ph_quat_matrix(ph_rotation_exp(vec3(0.1, 0, 0))),
                  down = ph_quat_matrix(ph_rotation_exp(vec3(3.1, 0, 0)));
    assert_true(p->torque(p, AT(0.0, up)).x < 0);
    assert_true(p->torque(p, AT(0.0, down)).x > 0);
}

static double wall_turned_over(const ph_problem *p, const ph_instant *now)
{
    return -named("soft_wall")->potential(p, now);
}

static ph_vec3 torque_turned_over(const ph_problem *p, const ph_instant *now)
{
    return scale(-1, named("soft_wall")->torque(p, now));
}

/* How many steps of 0.5 until |H/H0 - 1| leaves the scale of K06 figure 5. */
static long steps_kept(const char *method, const ph_problem *p)
{
    enum { MOST = 1000 };
    const double h = 0.5, scale_of_figure = 0.25;
    ph_integrator i;
    ph_state s = ph_problem_start(p);
    const double start = ph_problem_energy(p, 0, &s);
    assert_int_equal(PH_OK, ph_integrator_named(method, &i));
    long n = 0;
    while (n < MOST && ph_integrator_step(&i, p, &s, (double)n * h, h) == PH_OK &&
           fabs(ph_problem_energy(p, 0, &s) / start - 1) <= scale_of_figure)
        n++;
    return n;
}

/* K06 5.4: with the signs of its prose all methods of figures 4 and 5 blow up. */
static void test_krysl_prose(void **state)
{
    (void)state;
    static const char *const methods[] = {"trap", "imid", "trapm", "imidm",
                                          "swc1", "akw",  "bbtrap"};
    const ph_problem *right = named("soft_wall");
    ph_problem prose = *right;
    prose.potential = wall_turned_over;
    prose.torque = torque_turned_over;
    prose.derivative = NULL;
    long least = 1000, most = 0;
    for (size_t k = 0; k < sizeof methods / sizeof methods[0]; k++) {
        const long n = steps_kept(methods[k], &prose);
        least = n < least ? n : least;
        most = n > most ? n : most;
    }
    assert_int_equal(1000, steps_kept("imid", right));
    assert_int_equal(least, most);
    page_says("errata.md", "\\|H/H0 - 1\\| < 0.25, in step %ld", most + 1);
}

/* O11 (3.5) as printed, in place of the torque of the well. */
static ph_vec3 printed_torque(const ph_problem *p, const ph_instant *now)
{
    const double m = ortolan_distance(now->R);
    return add(named("well")->torque(p, now),
               scale(2 * (m - 1) / (m * m) - 2 * (m - 1) / m, traces(now->R)));
}

/* No integrator can keep the energy with it. */
static void test_energy_of_the_printed_torque(void **state)
{
    (void)state;
    enum { STEPS = 500 };
    const ph_problem *right = named("well");
    ph_problem printed = *right;
    printed.torque = printed_torque;
    printed.derivative = NULL;
    const ph_problem *const problems[] = {&printed, right};
    double lost[2] = {0, 0};
    ph_integrator i;
    assert_int_equal(PH_OK, ph_integrator_named("mkrk_gl6", &i));
    for (int k = 0; k < 2; k++) {
        const double T = 5, h = T / STEPS;
        ph_state s = ph_problem_start(right);
        const double start = ph_problem_energy(right, 0, &s);
        for (int n = 0; n < STEPS; n++) {
            assert_int_equal(PH_OK, ph_integrator_step(&i, problems[k], &s, n * h, h));
            lost[k] = larger_or_nan(lost[k], fabs(ph_problem_energy(right, 0, &s) - start));
        }
    }
    assert_true(lost[1] < 1e-12);
    page_says("errata.md", "moves by %.2f up to T = 5 with the printed torque", lost[0]);
}

/* K06 5.2: in space axes the torque is -20 R e3 x e3. */
static void test_krysl_top(void **state)
{
    (void)state;
    const char *const tops[] = {"slow_top", "fast_top"};
    for (int n = 0; n < 2; n++) {
        const ph_problem *p = named(tops[n]);
        uint64_t seed = 5;
        const ph_mat3 R = ph_quat_matrix(random_attitude(&seed));
        const ph_vec3 printed = scale(-20, cross(apply(R, AXES[2]), AXES[2]));
        assert_true(distance(apply(R, p->torque(p, AT(0.0, R))), printed) < 1e-14);
    }
}

/* CFSZ 3.3.1: f = (u2, -u1, 0) was printed without the factor epsilon. */
static void test_celledoni_epsilon(void **state)
{
    (void)state;
    const ph_problem *p = named("perturbed_free");
    const double epsilon = p->value[ph_problem_parameter(p, "epsilon")->first];
    const double *u0 = p->value + ph_problem_parameter(p, "up")->first;
    uint64_t seed = 6;
    const ph_mat3 R = ph_quat_matrix(random_attitude(&seed));
    const ph_vec3 u = apply(transpose(R), vec3(u0[0], u0[1], u0[2])), printed = {u.y, -u.x, 0},
                  tau = p->torque(p, AT(0.0, R));
    assert_true(distance(tau, scale(epsilon, printed)) < 1e-18);
    assert_true(distance(tau, printed) > 0.1);
}

/* V13: the flow of U is right; V, used by nystrom4, has all three components: the change
 * of the momentum by V = R32^2/J1 + R31^2/J2 is -dV. The printed one has another sign
 * and factor. */
static void test_vilmart_gradient(void **state)
{
    (void)state;
    const ph_problem *p = named("vilmart_top");
    const ph_vec3 J = p->body.J;
    uint64_t seed = 7;
    const ph_mat3 R = ph_quat_matrix(random_attitude(&seed));
    const double R31 = R.a[2][0], R32 = R.a[2][1], R33 = R.a[2][2];
    const ph_vec3 tau = p->torque(p, AT(0.0, R));
    const ph_vec3 ours = scale(-2, apply(transpose(p->derivative(p, AT(0.0, R))), over(tau, J)));
    const ph_vec3 right = {-2 * R32 * R33 / J.x, 2 * R31 * R33 / J.y,
                           2 * R31 * R32 * (1 / J.x - 1 / J.y)};
    const ph_vec3 printed = {R32 * R33 / J.x, -R31 * R33 / J.y, 0};
    assert_true(distance(tau, vec3(R32, -R31, 0)) < 1e-16);
    assert_true(distance(ours, right) < 1e-15);
    assert_true(distance(ours, printed) > 0.1);
}

/* CFSZ 3.3.2: data and potential give the energy they print. */
static void test_satellite_energy(void **state)
{
    (void)state;
    const ph_problem *p = named("satellite");
    const ph_state s = {p->q, times(p->body.J, p->w)};
    assert_true(fabs(ph_problem_energy(p, 0.0, &s) - 12159566.4) < 1e-8);
}

/* ---- domains --------------------------------------------------------------------- */

static void assert_outside(const ph_problem *p, ph_mat3 R, bool no_potential)
{
    if (no_potential)
        assert_true(isnan(p->potential(p, AT(0.0, R))));
    assert_false(finite3(p->torque(p, AT(0.0, R))));
    assert_true(isnan(p->derivative(p, AT(0.0, R)).a[0][0]));
}

static void test_domains(void **state)
{
    (void)state;
    ph_problem wall = *named("soft_wall"), satellite = *named("satellite");
    wall.value[0] = 0.5;
    assert_outside(&wall, ph_quat_matrix(ph_rotation_exp(vec3(0, 2.5, 0))), true);
    assert_true(
        isfinite(wall.potential(&wall, AT(0.0, ph_quat_matrix(ph_rotation_exp(vec3(0, 1, 0)))))));
    const ph_problem *well = named("well");
    const ph_quat identity = {1, 0, 0, 0};
    assert_outside(well, ph_quat_matrix(identity), false); /* the cone has a height */
    ph_problem same = *well;
    same.value[1] = same.value[3] = 0.0; /* the target there too */
    assert_outside(&same, ph_quat_matrix(identity), true);
    satellite.value[1] = 0.0;
    assert_outside(&satellite, ph_quat_matrix(identity), true);
}

/* Next to the identity the torque of the well is as accurate as elsewhere. */
static void test_small_distance(void **state)
{
    (void)state;
    ph_problem p = *named("well");
    p.value[0] = 0.0;
    const ph_vec3 n = {0.48, -0.6, 0.64};
    for (int k = 1; k < 16; k++) {
        const double angle = pow(10, -k), d = sqrt(8) * sin(angle / 2);
        const ph_mat3 R = ph_quat_matrix(ph_rotation_exp(scale(angle, n)));
        const ph_vec3 right = scale(-2 * (d - 1) * sqrt(2) * cos(angle / 2), n);
        assert_true(distance(p.torque(&p, AT(0.0, R)), right) < 4e-15);
        assert_true(fabs(p.potential(&p, AT(0.0, R)) - (d - 1) * (d - 1)) < 4e-16);
    }
}

/* perturbed_free: the same seed is the same body, another one another; seed 0 changes
 * nothing; the energy is what is asked for. */
static void test_seed_and_energy(void **state)
{
    (void)state;
    const ph_problem *origin = find_problem("perturbed_free");
    const ph_parameter *seed = ph_problem_parameter(origin, "seed"),
                       *energy = ph_problem_parameter(origin, "energy");
    assert_non_null(seed);
    assert_non_null(energy);
    ph_problem p = *origin, one = *origin, again = *origin, two = *origin;
    p.prepare(&p);
    assert_memory_equal(&origin->body.J, &p.body.J, sizeof p.body.J);
    assert_memory_equal(&origin->w, &p.w, sizeof p.w);
    one.value[seed->first] = again.value[seed->first] = 1;
    two.value[seed->first] = 2;
    one.prepare(&one);
    again.prepare(&again);
    two.prepare(&two);
    assert_memory_equal(&one.body.J, &again.body.J, sizeof one.body.J);
    assert_memory_equal(&one.w, &again.w, sizeof one.w);
    assert_true(one.body.J.x < one.body.J.y && one.body.J.y < one.body.J.z &&
                one.body.J.x != two.body.J.x);
    for (double wanted = 1e-6; wanted < 1e7; wanted *= 1e3) {
        one.value[energy->first] = wanted;
        one.prepare(&one);
        const double T = 0.5 * dot(one.w, times(one.body.J, one.w));
        assert_true(fabs(T / wanted - 1) < 1e-14);
    }
}

/* What a parameter may be: on either side of every end. */
static void test_ranges(void **state)
{
    (void)state;
    static const struct {
        double x;
        bool positive, not_negative, below_one, whole;
    } cases[] = {
        {-1, false, false, false, false},
        {-DBL_TRUE_MIN, false, false, false, false},
        {0, false, true, true, false},
        {DBL_TRUE_MIN, true, true, true, false},
        {0.5, true, true, true, false},
        {0x1.fffffffffffffp-1, true, true, true, false},
        {1, true, true, false, true},
        {1.5, true, true, false, false},
        {2, true, true, false, true},
        {0x1p53, true, true, false, true},
        {0x1.0000000000001p53, true, true, false, false},
        {DBL_MAX, true, true, false, false},
        {INFINITY, false, false, false, false},
        {NAN, false, false, false, false},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const double x = cases[k].x;
        assert_int_equal(ph_range_has(PH_RANGE_ANY, x), isfinite(x) != 0);
        assert_int_equal(ph_range_has(PH_RANGE_POSITIVE, x), cases[k].positive);
        assert_int_equal(ph_range_has(PH_RANGE_NOT_NEGATIVE, x), cases[k].not_negative);
        assert_int_equal(ph_range_has(PH_RANGE_BELOW_ONE, x), cases[k].below_one);
        assert_int_equal(ph_range_has(PH_RANGE_WHOLE, x), cases[k].whole);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_catalog),
        cmocka_unit_test(test_derivatives),
        cmocka_unit_test(test_references),
        cmocka_unit_test(test_ortolan_torque),
        cmocka_unit_test(test_krysl_prose),
        cmocka_unit_test(test_energy_of_the_printed_torque),
        cmocka_unit_test(test_krysl_soft_wall),
        cmocka_unit_test(test_krysl_top),
        cmocka_unit_test(test_celledoni_epsilon),
        cmocka_unit_test(test_vilmart_gradient),
        cmocka_unit_test(test_satellite_energy),
        cmocka_unit_test(test_domains),
        cmocka_unit_test(test_small_distance),
        cmocka_unit_test(test_seed_and_energy),
        cmocka_unit_test(test_ranges),
    };
    return cmocka_run_group_tests_name("problems", tests, NULL, NULL);
}
