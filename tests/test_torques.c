/* test_torques.c - bodies given by any tensor, torques of momentum and velocity, and
 * internal momenta: against closed solutions, and for every integrator of the catalog. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "motion/vec.h"
#include "support/generic.h"
#include "support/slopes.h"
#include "support/stepping.h"
#include "system/find.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static double max(double a, double b)
{
    return a > b || isnan(a) ? a : b;
}

/* Largest difference of a component of q or, in units of |m|, of m. */
static double difference(ph_state a, ph_state b)
{
    const double q = max(max(fabs(a.q.w - b.q.w), fabs(a.q.x - b.q.x)),
                         max(fabs(a.q.y - b.q.y), fabs(a.q.z - b.q.z)));
    return max(q, norm_max(sub(a.m, b.m)) / norm_max(b.m));
}

/* Every integrator of the catalog: methods, flows, schemes with the flow exact, and flows
 * with the scheme verlet. */
static void each_integrator(void (*test)(const char *name, const ph_integrator *i,
                                         const void *context),
                            const void *context)
{
    size_t methods, flows, schemes;
    const ph_method *const *method = ph_methods(&methods);
    const ph_flow *const *flow = ph_flows(&flows);
    const ph_scheme *const *scheme = ph_schemes(&schemes);
    for (size_t i = 0; i < methods; i++)
        test(method[i]->name, &(ph_integrator){.method = method[i]}, context);
    const ph_integrator verlet = integrator_of("verlet+exact");
    for (size_t i = 0; i < flows; i++) {
        test(flow[i]->name, &(ph_integrator){.flow = flow[i]}, context);
        test(flow[i]->name, &(ph_integrator){.flow = flow[i], .scheme = verlet.scheme}, context);
    }
    for (size_t i = 0; i < schemes; i++)
        test(scheme[i]->name, &(ph_integrator){.flow = verlet.flow, .scheme = scheme[i]}, context);
}

/* ---- problems with closed solutions ---------------------------------------------- */

#define BODY_AND_START                                                                             \
    .body = PH_MOMENTS(1.3, 2.1, 2.9), .q = {0.8, 0.4, -0.4, 0.2}, .w = {0.7, -0.6, 0.5}

static const double DAMPING = 0.4;

/* -d m, half of it from the momentum and half from the velocity. */
static ph_vec3 damping(const ph_problem *p, const ph_instant *now)
{
    const ph_vec3 Jw = ph_body_momentum(&p->body, now->w);
    return scale(-0.5 * DAMPING, add(now->m, Jw));
}

static const ph_problem damped = {
    .name = "damped", BODY_AND_START, .torque = damping, .velocity_dependent = true};

/* m = e^(-d t) M(s) and the attitude of the same instant, where M(s) is the free motion,
 * s = (1 - e^(-d t))/d: Euler's equations are homogeneous of degree 2. */
static ph_state damped_after(const ph_problem *p, double t)
{
    const ph_state start = ph_problem_start(p);
    ph_motion motion;
    assert_int_equal(PH_OK, ph_motion_prepare(&motion, &p->body, &start));
    ph_state s = ph_motion_at(&motion, -expm1(-DAMPING * t) / DAMPING);
    s.m = scale(exp(-DAMPING * t), s.m);
    return s;
}

/* A wheel along the axis of a symmetric body. */
static const double WHEEL = 0.9;

static ph_vec3 axial_wheel(const ph_problem *p, double t)
{
    (void)p, (void)t;
    return vec3(0, 0, WHEEL);
}

static const ph_problem gyrostat = {.name = "gyrostat",
                                    .body = PH_MOMENTS(2, 2, 3),
                                    .q = {0.8, 0.4, -0.4, 0.2},
                                    .w = {0.7, -0.6, 0.5},
                                    .internal = axial_wheel};

/* With n = w3 - m3/A constant, w = m/A + n e3: R = exp(t L/A) R0 exp(t n e3), L in
 * space. */
static ph_state gyrostat_after(const ph_problem *p, double t)
{
    const ph_state start = ph_problem_start(p);
    const double A = p->body.J.x, n = p->w.z - start.m.z / A;
    const ph_vec3 L = ph_state_space_momentum(&start);
    const ph_quat precession = ph_rotation_exp(scale(t / A, L)),
                  spin = ph_rotation_exp(vec3(0, 0, n * t));
    const ph_quat q = mul(mul(precession, start.q), spin);
    return (ph_state){q, rotate(inverse(q), L)};
}

/* A wheel that speeds up, beside damping and a field: everything at once. */
static ph_vec3 growing_wheel(const ph_problem *p, double t)
{
    (void)p;
    return vec3(0.3 * sin(2 * t), 0.5, 0.2 + 0.4 * t);
}

static ph_vec3 everything(const ph_problem *p, const ph_instant *now)
{
    const double speed = norm(now->w);
    return add(ph_problem_generic.torque(p, now),
               add(scale(-0.2 * speed, now->w), cross(now->m, vec3(0.1, 0.2, cos(now->t)))));
}

static const ph_problem driven = {.name = "driven",
                                  BODY_AND_START,
                                  .torque = everything,
                                  .velocity_dependent = true,
                                  .internal = growing_wheel};

/* ---- which integrators take them, and how well ----------------------------------- */

static bool must_take(const char *name)
{
    return strncmp(name, "mkrk", 4) == 0 || strncmp(name, "crouch", 6) == 0 ||
           strncmp(name, "lie_euler", 9) == 0;
}

static void check_order(const char *name, const ph_integrator *i, const void *context)
{
    const ph_problem *p = context;
    if (i->method == NULL || !i->method->any_torque) {
        const ph_state start = ph_problem_start(p);
        ph_state s = start;
        assert_false(must_take(name));
        assert_int_equal(PH_NOT_APPLICABLE, ph_integrator_applies(i, p));
        assert_int_equal(PH_NOT_APPLICABLE, ph_integrator_step(i, p, &s, 0, 0.1));
        assert_int_equal(PH_NOT_APPLICABLE, ph_run_body(i, p, &s, 0.1, 2, 0, NULL, NULL));
        assert_memory_equal(&start, &s, sizeof s);
        return;
    }
    assert_int_equal(PH_OK, ph_integrator_applies(i, p));
    const double slope = measured_slope(i, p, 1.0);
    if (!(fabs(slope - i->method->order) < 0.25))
        fail_msg("%s on %s: order %.2f", name, p->name, slope);
}

static void test_orders(void **state)
{
    (void)state;
    each_integrator(check_order, &damped);
    each_integrator(check_order, &gyrostat);
    each_integrator(check_order, &driven);
}

/* The integrator that these orders are measured against, and its own error. */
static void test_closed_solutions(void **state)
{
    (void)state;
    const double T = 3;
    assert_true(difference(converged_end(&damped, T), damped_after(&damped, T)) < 1e-13);
    assert_true(difference(converged_end(&gyrostat, T), gyrostat_after(&gyrostat, T)) < 1e-13);
    const ph_integrator rk4 = integrator_of("mkrk_rk4");
    assert_true(difference(end_after(&rk4, &damped, T, 300), damped_after(&damped, T)) < 1e-8);
    /* a derivative by the attitude would not do: it is left alone */
    ph_problem with = driven;
    with.derivative = ph_problem_generic.derivative;
    const ph_integrator gauss = integrator_of("mkrk_gl4");
    assert_true(difference(end_after(&gauss, &with, 1, 10), end_after(&gauss, &driven, 1, 10)) ==
                0);
}

/* How far the gyrostat's energy is off at the time 1, after that many steps. */
static double energy_error(const ph_integrator *i, uint64_t steps)
{
    const ph_state start = ph_problem_start(&gyrostat), s = end_after(i, &gyrostat, 1, steps);
    return fabs(ph_problem_energy(&gyrostat, 1, &s) - ph_problem_energy(&gyrostat, 0, &start));
}

/* Newton converges quadratically where the derivatives are right: at most so many
 * iterations a step, each with the torque and twelve for its derivatives in every stage. */
static void test_iterations(void **state)
{
    (void)state;
    enum { STEPS = 100, ITERATIONS = 4, TORQUES = 13 };
    static const struct need {
        const char *method;
        int stages;
    } NEED[] = {
        {"lie_euler_backward", 1}, {"lie_euler_backwardm", 1}, {"mkrk_gl4", 2}, {"mkrk_gl6", 3}};
    for (size_t k = 0; k < COUNT(NEED); k++) {
        uint64_t count = 0;
        ph_problem p = driven;
        p.evaluations = &count;
        const ph_integrator i = integrator_of(NEED[k].method);
        (void)end_after(&i, &p, 5.0, STEPS);
        const double iterations = (double)count / (STEPS * TORQUES * NEED[k].stages);
        if (!(iterations < ITERATIONS))
            fail_msg("%s: %.1f iterations a step", NEED[k].method, iterations);
    }
}

/* Methods that keep the momentum in space keep it with wheels, and |m| decays with a
 * damping that is nothing but that. The energy of a gyrostat is kept at their order. */
static void check_momentum(const char *name, const ph_integrator *i, const void *context)
{
    (void)context;
    const double h = 0.05;
    const uint64_t steps = 400;
    if (i->method == NULL || !i->method->any_torque)
        return;
    const ph_state start = ph_problem_start(&gyrostat), s = end_after(i, &gyrostat, 20, steps);
    const double lost =
        norm(sub(ph_state_space_momentum(&s), ph_state_space_momentum(&start))) / norm(start.m);
    if (i->method->keeps & PH_MOMENTUM && !(lost < (double)steps * 0x1p-53))
        fail_msg("%s: the momentum in space changes by %g", name, lost);
    /* far above the round-off of 400 steps, also where the order is 4 */
    if (!(i->method->keeps & PH_MOMENTUM) && !(lost > 1e-9))
        fail_msg("%s keeps the momentum in space to %g, and does not say so", name, lost);
    const double coarse = energy_error(i, 10), fine = energy_error(i, 20);
    if (!(fine < 1e-14 || coarse / fine > 0.7 * pow(2, i->method->order)))
        fail_msg("%s: errors of the energy %g and %g", name, coarse, fine);
    const ph_state slow = end_after(i, &damped, 20, steps);
    const double decay = log(norm(ph_problem_start(&damped).m) / norm(slow.m)) / 20;
    if (!(fabs(decay / DAMPING - 1) < pow(h, i->method->order)))
        fail_msg("%s: decays at the rate %g", name, decay);
}

static void test_momentum(void **state)
{
    (void)state;
    each_integrator(check_momentum, NULL);
}

/* A body turns uniformly about any axis if its wheels make m parallel to w: H = c w - J
 * w. Every method that takes it finds it, to round-off; but rk4, which adds quaternions as
 * numbers, at its order. */
static const ph_vec3 SPIN = {0.5, -0.3, 0.8};
static const double RATIO = 2.4;

static ph_vec3 balancing_wheels(const ph_problem *p, double t)
{
    (void)t;
    return sub(scale(RATIO, SPIN), ph_body_momentum(&p->body, SPIN));
}

static void check_equilibrium(const char *name, const ph_integrator *i, const void *context)
{
    const ph_problem *p = context;
    if (i->method == NULL || !i->method->any_torque)
        return;
    const double T = 10;
    const ph_state s = end_after(i, p, T, 100),
                   right = {mul(p->q, ph_rotation_exp(scale(T, SPIN))), scale(RATIO, SPIN)};
    const double allowed = strcmp(name, "rk4") == 0 ? 1e-6 : 1e-13;
    if (!(difference(s, right) < allowed))
        fail_msg("%s leaves the steady rotation by %g", name, difference(s, right));
}

static ph_body tilted(ph_vec3 J, ph_quat axes)
{
    return (ph_body){.J = J, .axes = axes, .principal = false};
}

static void test_equilibrium(void **state)
{
    (void)state;
    ph_problem p = {.name = "steady", BODY_AND_START, .internal = balancing_wheels};
    p.q = ph_quat_unit(p.q);
    p.w = SPIN;
    each_integrator(check_equilibrium, &p);
    p.body = tilted(p.body.J, ph_rotation_exp(vec3(0.7, 1.1, -0.4)));
    each_integrator(check_equilibrium, &p);
}

/* A torque of the velocity that does not say so gets no velocity. */
static void test_undeclared(void **state)
{
    (void)state;
    ph_problem silent = damped;
    silent.velocity_dependent = false;
    const ph_integrator i = integrator_of("mkrk_rk4");
    ph_state s = ph_problem_start(&silent);
    assert_int_equal(PH_NOT_FINITE, ph_integrator_step(&i, &silent, &s, 0, 0.1));
}

/* ---- any body frame -------------------------------------------------------------- */

/* A problem of the catalog in a body frame that is turned from the principal one by A =
 * R(axes): R_p = R A, a torque A tau_p, its derivative A D_p A^T. */
static const ph_problem *given(const ph_problem *p)
{
    return p->context;
}

static ph_instant principal(const ph_problem *p, const ph_instant *now)
{
    const ph_quat A = p->body.axes, q = mul(now->q, A);
    return (ph_instant){.t = now->t,
                        .q = q,
                        .R = ph_quat_matrix(q),
                        .m = rotate(inverse(A), now->m),
                        .w = rotate(inverse(A), now->w)};
}

static double turned_potential(const ph_problem *p, const ph_instant *now)
{
    const ph_instant at = principal(p, now);
    return given(p)->potential(given(p), &at);
}

static ph_vec3 turned_torque(const ph_problem *p, const ph_instant *now)
{
    const ph_instant at = principal(p, now);
    return rotate(p->body.axes, given(p)->torque(given(p), &at));
}

static ph_mat3 turned_derivative(const ph_problem *p, const ph_instant *now)
{
    const ph_instant at = principal(p, now);
    const ph_mat3 A = ph_quat_matrix(p->body.axes);
    return matmul(A, matmul(given(p)->derivative(given(p), &at), transpose(A)));
}

static ph_vec3 turned_internal(const ph_problem *p, double t)
{
    return rotate(p->body.axes, given(p)->internal(given(p), t));
}

static ph_problem turned(const ph_problem *p, ph_quat axes)
{
    ph_problem other = *p;
    other.context = (void *)p;
    other.body = tilted(p->body.J, axes);
    other.q = mul(p->q, inverse(axes));
    other.w = rotate(axes, p->w);
    other.potential = p->potential ? turned_potential : NULL;
    other.torque = p->torque ? turned_torque : NULL;
    other.derivative = p->derivative ? turned_derivative : NULL;
    other.internal = p->internal ? turned_internal : NULL;
    return other;
}

/* Runs in both frames differ by round-off: some u a step, times the growth of a difference
 * over two turns, which no problem here has above some hundred. */
static void check_frame(const char *name, const ph_integrator *i, const void *context)
{
    const ph_problem *p = context;
    if (ph_integrator_applies(i, p) != PH_OK)
        return;
    enum { STEPS = 40 };
    const ph_quat axes = ph_rotation_exp(vec3(0.7, 1.1, -0.4));
    const ph_problem other = turned(p, axes);
    assert_int_equal(PH_OK, ph_integrator_applies(i, &other));
    const double T = 2 / norm(p->w), h = T / STEPS, growth = 200;
    const ph_state a = end_after(i, p, T, STEPS), b = end_after(i, &other, T, STEPS);
    const ph_state back = {mul(b.q, axes), rotate(inverse(axes), b.m)};
    const double off = difference(back, a);
    if (!(off < growth * STEPS * 0x1p-53))
        fail_msg("%s on %s: %g in the other frame", name, p->name, off);
    const double E = ph_problem_energy(p, T, &a),
                 energy = fabs(ph_problem_energy(&other, T, &b) - E);
    if (!(energy < growth * STEPS * 0x1p-53 * max(fabs(E), norm(a.m) * norm(p->w))))
        fail_msg("%s on %s: the energy differs by %g", name, p->name, energy);
    /* a single step, too */
    ph_state one = ph_problem_start(p), two = ph_problem_start(&other);
    assert_int_equal(PH_OK, ph_integrator_step(i, p, &one, 0, h));
    assert_int_equal(PH_OK, ph_integrator_step(i, &other, &two, 0, h));
    const ph_state two_back = {mul(two.q, axes), rotate(inverse(axes), two.m)};
    assert_true(difference(two_back, one) < growth * 0x1p-53);
}

static void test_frames(void **state)
{
    (void)state;
    size_t count;
    const ph_problem *const *problems = ph_problems(&count);
    for (size_t i = 0; i < count; i++)
        each_integrator(check_frame, problems[i]);
    each_integrator(check_frame, &timed_problem);
    each_integrator(check_frame, &damped);
    each_integrator(check_frame, &driven);
}

/* A heavy top whose centre of mass is given in another frame, and a satellite, of which
 * nothing but the tensor is: the same motions, by the library's own problems. */
static void test_tensors(void **state)
{
    (void)state;
    const ph_quat axes = ph_rotation_exp(vec3(0.2, -0.1, 0.25));
    const ph_mat3 A = ph_quat_matrix(axes);
    static const char *const NAMES[] = {"heavy_top", "satellite"};
    const ph_integrator i = integrator_of("s6_10+exact");
    for (size_t k = 0; k < COUNT(NAMES); k++) {
        const ph_problem *p = find_problem(NAMES[k]);
        assert_non_null(p);
        const ph_vec3 J = p->body.J;
        const ph_mat3 diagonal = {{{J.x, 0, 0}, {0, J.y, 0}, {0, 0, J.z}}};
        ph_problem other = *p;
        assert_int_equal(
            PH_OK, ph_body_from_tensor(&other.body, matmul(matmul(A, diagonal), transpose(A))));
        assert_false(other.body.principal);
        other.q = mul(p->q, inverse(axes));
        other.w = rotate(axes, p->w);
        const ph_parameter *centre = ph_problem_parameter(p, "centre");
        if (centre != NULL) {
            double *c = other.value + centre->first;
            const ph_vec3 moved = rotate(axes, vec3(c[0], c[1], c[2]));
            c[0] = moved.x, c[1] = moved.y, c[2] = moved.z;
        }
        const double T = 2 / norm(p->w);
        const ph_state a = end_after(&i, p, T, 40), b = end_after(&i, &other, T, 40);
        const ph_state back = {mul(b.q, axes), rotate(inverse(axes), b.m)};
        assert_true(difference(back, a) < 1e-13);
    }
}

/* What is asked of a problem, in any frame: velocities, energies, torques; and a body that
 * is none. */
static void test_questions(void **state)
{
    (void)state;
    ph_problem p = driven;
    p.body = tilted(p.body.J, ph_rotation_exp(vec3(0.7, 1.1, -0.4)));
    const double t = 0.3;
    const ph_vec3 w = {0.2, -0.5, 0.9}, H = growing_wheel(&p, t), m = ph_problem_momentum(&p, t, w);
    assert_true(norm(sub(m, add(ph_body_momentum(&p.body, w), H))) < 1e-15);
    assert_true(norm(sub(ph_problem_velocity(&p, t, m), w)) < 1e-15);
    const ph_state s = {p.q, m};
    assert_true(fabs(ph_problem_energy(&p, t, &s) - 0.5 * dot(w, ph_body_momentum(&p.body, w))) <
                1e-15);
    const ph_instant now = {.t = t, .q = s.q, .R = ph_quat_matrix(s.q), .m = m, .w = w};
    assert_true(norm(sub(ph_problem_torque(&p, t, &s), everything(&p, &now))) < 1e-15);
    p.torque = NULL;
    assert_true(norm(ph_problem_torque(&p, t, &s)) == 0);

    const ph_problem empty = {.body = {.J = {1, 2, 3}}, .q = {1, 0, 0, 0}};
    const ph_integrator i = integrator_of("mkrk_rk4");
    ph_state still = {{1, 0, 0, 0}, {1, 2, 3}};
    assert_int_equal(PH_BAD_INERTIA, ph_run_body(&i, &empty, &still, 0.1, 1, 0, NULL, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders),      cmocka_unit_test(test_closed_solutions),
        cmocka_unit_test(test_iterations),  cmocka_unit_test(test_momentum),
        cmocka_unit_test(test_equilibrium), cmocka_unit_test(test_undeclared),
        cmocka_unit_test(test_frames),      cmocka_unit_test(test_tensors),
        cmocka_unit_test(test_questions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
