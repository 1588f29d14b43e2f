/* bits_interface.c - checksums of what the public interface has beside steps and runs: tangents,
 * derivatives in a field, Lyapunov exponents, events, snapshots, ensembles, fits, measurements.
 * tests/reached.sh names the public functions that no line reaches. */
#include "lab/measure/bits_interface.h"
#include "integrators/expression/compiled.h"
#include "integrators/table.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/elementary.h"
#include "base/random.h"
#include "fit/fit_model.h"
#include "integrators/adaptive_run.h"
#include "lab/measure/properties.h"
#include "motion/vec.h"
#include "polhode/batch.h"
#include "polhode/elliptic.h"
#include "polhode/ensemble.h"
#include "polhode/fit.h"
#include "system/find.h"
#include "system/kind.h"
#if PH_KINDS
#include "kinds/spheres/stepping.h"
#endif

/* Numbers between two bounds, drawn one after the other: in a list of arguments or initial values
 * the compiler chooses the order. */
static void draw(uint64_t *seed, double low, double high, double *x, size_t count)
{
    for (size_t k = 0; k < count; k++)
        x[k] = between(seed, low, high);
}

static ph_vec3 draw_vector(uint64_t *seed, double low, double high)
{
    double x[3];
    draw(seed, low, high, x, 3);
    return vec3(x[0], x[1], x[2]);
}

static ph_quat draw_attitude(uint64_t *seed)
{
    const ph_vec3 v = draw_vector(seed, -1.0, 1.0);
    return ph_quat_unit((ph_quat){0.5, v.x, v.y, v.z});
}

static void add_matrix(bits *b, ph_mat3 A)
{
    add_numbers(b, A.a[0], 9);
}

static ph_integrator integrator_named(const char *name)
{
    ph_integrator i = {0};
    (void)ph_integrator_named(name, &i);
    return i;
}

/* A part of the steps, at least one. */
static uint64_t part_of(const bits *b, uint64_t part)
{
    if (b->steps / part > 0)
        return b->steps / part;
    return 1;
}

/* Adds a status; whether it is good. */
static bool good(bits *b, ph_status status)
{
    add_number(b, status);
    return status == PH_OK;
}

/* ---- functions --------------------------------------------------------------------- */

static void rotations(bits *b)
{
    uint64_t seed = 11;
    for (uint64_t i = 0; i < b->steps; i++) {
        const ph_quat p = draw_attitude(&seed), q = draw_attitude(&seed);
        const ph_vec3 x = draw_vector(&seed, -1.5, 1.5), v = draw_vector(&seed, -3.0, 3.0);
        const ph_mat3 R = ph_quat_matrix(q);
        add_quat(b, ph_quat_product(p, q));
        add_vector(b, ph_quat_rotate(q, v));
        add_vector(b, ph_quat_unrotate(q, v));
        add_matrix(b, R);
        add_quat(b, ph_quat_from_matrix(R));
        add_matrix(b, ph_hat(v));
        add_quat(b, ph_rotation_exp(x));
        add_vector(b, ph_rotation_log(q));
        add_vector(b, ph_rotation_log_matrix(R));
        add_quat(b, ph_cay(x));
        add_vector(b, ph_cay_inverse(q));
        add_vector(b, ph_dexp(x, v));
        add_vector(b, ph_dexp_inverse(x, v));
        add_vector(b, ph_dcay(x, v));
        add_vector(b, ph_dcay_inverse(x, v));
    }
    tell(b, "rotation", "maps");
    for (uint64_t i = 0; i < b->steps; i++) {
        /* G G^T + 1/2, of any principal axes */
        double g[3][3];
        ph_mat3 J;
        ph_body body = {0};
        draw(&seed, -1.0, 1.0, g[0], 9);
        for (int k = 0; k < 9; k++) {
            const double *r = g[k / 3], *s = g[k % 3];
            J.a[k / 3][k % 3] = r[0] * s[0] + r[1] * s[1] + r[2] * s[2] + (k % 4 == 0 ? 0.5 : 0.0);
        }
        add_number(b, ph_body_from_tensor(&body, J));
        add_vector(b, body.J);
        add_quat(b, body.axes);
        const ph_quat q = draw_attitude(&seed);
        const ph_state s = {q, draw_vector(&seed, -1.0, 1.0)};
        add_vector(b, ph_body_velocity(&body, s.m));
        add_vector(b, ph_body_momentum(&body, s.m));
        add_number(b, ph_body_energy(&body, &s));
        add_vector(b, ph_state_space_momentum(&s));
    }
    tell(b, "rotation", "bodies");
    for (uint64_t i = 0; i < b->steps; i++) {
        const double u = between(&seed, -9.0, 9.0), m = between(&seed, -3.0, 1.0);
        const ph_sncndn e[] = {ph_jacobi_sncndn(u, m), ph_jacobi_sncndn_c(u, 1.0 - m)};
        for (int k = 0; k < 2; k++)
            add_vector(b, vec3(e[k].sn, e[k].cn, e[k].dn));
        add_number(b, ph_elliptic_k_c(1.0 - m));
    }
    tell(b, "elliptic", "complementary parameters");
}

/* ---- one body ---------------------------------------------------------------------- */

static void add_derivative(bits *b, const ph_derivative *d)
{
    add_numbers(b, d->attitude[0], sizeof d->attitude / sizeof(double));
    add_numbers(b, d->momentum[0], sizeof d->momentum / sizeof(double));
    add_numbers(b, d->velocity[0], sizeof d->velocity / sizeof(double));
}

static void add_tangent(bits *b, const ph_tangent *v)
{
    add_vector(b, v->attitude);
    add_vector(b, v->momentum);
    add_numbers(b, v->inertia, 6);
    add_number(b, v->t);
}

/* Tangents and cotangents along steps, with and without a change of the inertia; and the same
 * derivatives as matrices. */
static void tangents(bits *b)
{
    for (int k = 0; k < 2 * BODY_COUNT; k++) {
        const ph_body body = body_of(k % BODY_COUNT);
        const double j = k < BODY_COUNT ? 0.0 : 0.1;
        ph_state s = start_of(k % BODY_COUNT);
        ph_tangent v = {{0.1, -0.2, 0.3}, {0.4, 0.1, -0.2}, {j, -j, j, 2 * j, j, -j}, j};
        ph_tangent w = v;
        for (uint64_t n = 0; n < b->steps; n++) {
            add_number(b, ph_flow_cotangent(&body, &s, 0.05, &w));
            add_number(b, ph_flow_tangent(&body, &s, 0.05, &v));
            add_state(b, &s);
            add_tangent(b, &v);
            add_tangent(b, &w);
        }
    }
    tell(b, "motion", "tangents of steps");
    for (int k = 0; k < BODY_COUNT; k++) {
        const ph_body body = body_of(k);
        ph_state s = start_of(k);
        for (uint64_t n = 0; n < part_of(b, 10); n++) {
            ph_derivative d = {0};
            add_number(b, ph_flow_derivative_by_start(&body, &s, 0.2, &d));
            add_derivative(b, &d);
            add_number(b, ph_flow_derivative(&body, &s, 0.2, &d));
            add_derivative(b, &d);
            add_state(b, &s);
        }
    }
    tell(b, "motion", "derivatives of steps");
    for (int k = 0; k < BODY_COUNT; k++) {
        const ph_body body = body_of(k);
        const ph_state start = start_of(k);
        ph_quat q = start.q;
        ph_vec3 w = {0, 0, 0};
        ph_motion motion;
        (void)ph_motion_prepare(&motion, &body, &start);
        for (uint64_t n = 0; n < b->steps; n++) {
            const double t = 0.53 * (double)n;
            double x[7];
            ph_motion_fill(&motion, &t, 1, x, x + 4);
            add_numbers(b, x, 7);
            add_number(b, ph_motion_phase_digits(&motion, 1e6 * t * t));
            add_number(b, ph_flow_turn(find_flow("exact"), BODIES[k].J, &q, start.m, 0.1, &w));
            add_quat(b, q);
            add_vector(b, w);
        }
    }
    tell(b, "motion", "filled and turned");
}

/* One step at a time, by each kind of integrator; and runs that choose their steps, with states
 * within a step. */
static void single_steps(bits *b)
{
    static const char *const names[] = {"vlv", "verlet+mr", "nystrom4+exact", "rattle@suzuki4"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        const ph_integrator i = integrator_named(names[k]);
        const ph_problem *p = find_problem("heavy_top");
        ph_state s = ph_problem_start(p);
        const ph_state start = s;
        for (uint64_t n = 0; n < part_of(b, 10); n++) {
            const double t = 0.01 * (double)n;
            add_number(b, ph_integrator_step(&i, p, &s, t, 0.01));
            add_state(b, &s);
            add_number(b, ph_problem_energy(p, t, &s));
            add_vector(b, ph_problem_torque(p, t, &s));
            add_vector(b, ph_problem_velocity(p, t, s.m));
            add_vector(b, ph_problem_momentum(p, t, s.m));
            add_number(b, ph_state_distance(&s, &start));
        }
    }
    tell(b, "step", "of integrators");
    size_t count;
    const ph_adaptive *const *adaptive = ph_adaptives(&count);
    for (size_t i = 0; i < count; i++) {
        ph_adaptive_run r;
        ph_state s = {0};
        add_number(b,
                   ph_adaptive_prepare(&r, adaptive[i], find_problem("generic"), NULL, 0.0, 1e-9));
        for (uint64_t n = 1; n <= part_of(b, 100); n++) {
            add_number(b, ph_adaptive_advance(&r, 0.3 * (double)n));
            s = ph_adaptive_state(&r);
            add_state(b, &s);
            add_number(b, ph_adaptive_step(&r, 1e9));
            add_number(b, ph_adaptive_at(&r, r.now.t - 1e-3, &s));
            add_state(b, &s);
        }
        tell(b, "step", adaptive[i]->name);
    }
}

/* Many bodies: kicks, and many steps at once. */
static void batch_runs(bits *b)
{
    enum { SOME = 64, COLUMNS = 10 };
    double x[COLUMNS][SOME];
    uint64_t seed = 13;
    for (size_t i = 0; i < SOME; i++) {
        const ph_quat q = draw_attitude(&seed);
        x[0][i] = q.w, x[1][i] = q.x, x[2][i] = q.y, x[3][i] = q.z;
    }
    draw(&seed, 0.5, 1.5, x[4], (size_t)(COLUMNS - 4) * SOME);
    const ph_batch all = {SOME, {x[0], x[1], x[2], x[3]}, {x[4], x[5], x[6]}, {x[7], x[8], x[9]}};
    const ph_integrator i = integrator_named("mr:suzuki4");
    ph_batch_kick(&all, x[1], x[2], x[3], 0.1);
    add_number(b, ph_batch_run(&i, &all, 0.1, part_of(b, 20), NULL, NULL).status);
    add_numbers(b, x[0], (size_t)COLUMNS * SOME);
    tell(b, "batch", "runs and kicks");
}

/* Many bodies in floats: by flows that compute in floats, up to some angle, and in doubles. */
static void batch_floats(bits *b)
{
    enum { SOME = 96, COLUMNS = 10 };
    double x[COLUMNS][SOME];
    float f[COLUMNS][SOME];
    uint64_t seed = 17;
    for (size_t i = 0; i < SOME; i++) {
        const ph_quat q = draw_attitude(&seed);
        x[0][i] = q.w, x[1][i] = q.x, x[2][i] = q.y, x[3][i] = q.z;
    }
    draw(&seed, 0.5, 1.5, x[4], (size_t)(COLUMNS - 4) * SOME);
    for (int k = 0; k < COLUMNS; k++) {
        for (size_t i = 0; i < SOME; i++)
            f[k][i] = (float)x[k][i];
    }
    const ph_batchf all = {SOME, {f[0], f[1], f[2], f[3]}, {f[4], f[5], f[6]}, {f[7], f[8], f[9]}};
    static const char *const flows[] = {"mr", "sr2", "exact"};
    for (size_t i = 0; i < sizeof flows / sizeof flows[0]; i++) {
        for (uint64_t n = 0; n < part_of(b, 20); n++)
            add_number(b, ph_batch_stepf(find_flow(flows[i]), &all, 0.4F, NULL));
    }
    for (int k = 0; k < COLUMNS; k++) {
        for (size_t i = 0; i < SOME; i++)
            add_number(b, f[k][i]);
    }
    tell(b, "batch", "floats");
}

/* ---- systems ----------------------------------------------------------------------- */

/* Adds what a system shows of its state. */
static bool add_shown(void *context, ph_system *s)
{
    bits *b = context;
    const ph_state now = ph_system_state(s);
    add_number(b, ph_system_time(s));
    add_state(b, &now);
    return true;
}

static void add_columns(bits *b, const ph_system *s)
{
    for (size_t k = 0; k < ph_system_derivative_count(s); k++) {
        ph_system_column c = {.name = ""};
        add_number(b, ph_system_derivative(s, k, &c));
        add_vector(b, c.attitude);
        add_vector(b, c.momentum);
        add_vector(b, c.velocity);
    }
}

enum {
    ALL_DERIVATIVES = PH_DERIVATIVES_START | PH_DERIVATIVES_INERTIA | PH_DERIVATIVES_PARAMETERS
};

static ph_status create_with(const char *problem, const char *integrator, double step,
                             unsigned derivatives, ph_system **out)
{
    const ph_system_settings with = {problem, .integrator = integrator, .step = step,
                                     .derivatives = derivatives};
    return ph_system_create(&with, out);
}

/* By all that there is, and by the start alone, by splittings and by methods that choose their
 * steps. The spacecraft has wheels and damping, and an orbit that is no circle. */
static void field_derivatives(bits *b)
{
    static const double wheels[] = {0.03, -0.02, 0.05}, dipole[] = {3.0, -5.0, 2.0},
                        damping[] = {0.02}, eccentricity[] = {0.2};
    static const ph_setting spacecraft[] = {{"wheels", wheels, 3},
                                            {"dipole", dipole, 3},
                                            {"damping", damping, 1},
                                            {"eccentricity", eccentricity, 1}};
    static const struct {
        const char *problem, *integrator;
    } runs[] = {{"heavy_top", "srkn6_14a+exact"},
                {"generic", "nystrom4+exact"},
                {"heavy_top", "verlet+exact@yoshida4"},
                {"generic", "dop853"},
                {"generic", "gauss16"},
                {"heavy_top", "gbs"},
                {"spacecraft", "dop853"},
                {"spacecraft", "gbs"}};
    static const unsigned derivatives[] = {ALL_DERIVATIVES, PH_DERIVATIVES_START};
    for (size_t k = 0; k < sizeof runs / sizeof runs[0] && !b->stopped; k++) {
        const bool own = strcmp(runs[k].problem, "spacecraft") == 0;
        for (int start = 0; start < 2; start++) {
            ph_system *s = NULL;
            const ph_system_settings with = {runs[k].problem,
                                             .integrator = runs[k].integrator,
                                             .step = 0.02,
                                             .derivatives = derivatives[start],
                                             .settings = own ? spacecraft : NULL,
                                             .setting_count =
                                                 own * (sizeof spacecraft / sizeof spacecraft[0])};
            const bool made = good(b, ph_system_create(&with, &s));
            for (uint64_t n = 1; made && n <= part_of(b, 1000); n++) {
                add_number(b, ph_system_run_until(s, 0.1 * (double)n, NULL));
                (void)add_shown(b, s);
                add_columns(b, s);
            }
            ph_system_destroy(s);
        }
        char name[PH_INTEGRATOR_NAME];
        (void)snprintf(name, sizeof name, "derivatives %s %s", runs[k].problem, runs[k].integrator);
        tell(b, "field", name);
    }
}

static void add_lyapunov(bits *b, const ph_lyapunov *l)
{
    add_vector(b, vec3(l->exponent, l->error, l->time));
}

static void lyapunov(bits *b)
{
    static const char *const bodies[] = {"s6_10+exact", "nystrom4+exact", "vlv", "gbs"};
    const uint64_t steps = 176 + part_of(b, 10); /* 176: the least */
    for (size_t k = 0; k < sizeof bodies / sizeof bodies[0] && !b->stopped; k++) {
        const ph_integrator i = integrator_named(bodies[k]);
        ph_lyapunov found = {0};
        add_number(b, ph_measure_lyapunov(&i, find_problem("generic"), 0.05, steps, &found));
        add_lyapunov(b, &found);
        tell(b, "lyapunov", bodies[k]);
    }
    static const char *const systems[][2] = {
        {"double_pendulum", "rattle"}, {"magnets", "verlet+circle"}, {"orbiter", NULL}};
    for (size_t k = 0; k < sizeof systems / sizeof systems[0] && !b->stopped; k++) {
        ph_system *s = NULL, *twin = NULL;
        ph_lyapunov found = {0};
        add_number(b, system_by_names(&s, systems[k][0], systems[k][1], 0.001));
        add_number(b, system_by_names(&twin, systems[k][0], systems[k][1], 0.001));
        add_number(b, ph_system_lyapunov(s, twin, steps, &found));
        add_lyapunov(b, &found);
        ph_system_destroy(s);
        ph_system_destroy(twin);
        tell(b, "lyapunov", systems[k][0]);
    }
}

/* Adds the windows of a list, which it frees. */
static void add_windows(bits *b, ph_window_list *list)
{
    for (const ph_window *w = list->windows; w < list->windows + list->count; w++) {
        add_vector(b, vec3(w->enter, w->leave, w->extremum));
        add_number(b, w->extremum_time);
    }
    ph_window_list_free(list);
}

/* Runs to the first times at which an expression becomes positive, with steps that are given and
 * steps that are chosen; and states between steps. */
static void events(bits *b)
{
    static const char *const names[] = {"s6_10+exact", "dop853", "gauss16", "gbs"};
    for (size_t k = 0; k < sizeof names / sizeof names[0] && !b->stopped; k++) {
        static const double times[] = {0.033, 0.155};
        const ph_observer observer = {
            .observe = add_shown, .context = b, .times = times, .count = 2};
        ph_system *s = NULL;
        ph_expression *e = NULL;
        if (!good(b, create_with("heavy_top", names[k], 0.01, ALL_DERIVATIVES, &s)))
            return;
        add_number(b, ph_system_run_until(s, 0.2, &observer));
        add_number(
            b, ph_system_expression(s, "R11 < 0.5 + 0.01*w1", PH_EXPRESSION_CONDITION, &e, NULL));
        for (uint64_t n = 0; n < part_of(b, 2000); n++) {
            ph_event event = {.condition = e};
            double by[64] = {0};
            add_number(b, ph_system_run_event(s, 2.0 + (double)n, NULL, &event));
            add_number(b, event.met);
            add_number(b, ph_system_event_derivative(s, &event, by));
            add_numbers(b, by, 64);
            (void)add_shown(b, s);
        }
        add_number(b, ph_system_observe_at(s, ph_system_time(s) + 0.004, add_shown, b));
        ph_event whole = {.condition = e};
        ph_window_list windows = {0};
        add_number(b, ph_system_events(s, ph_system_time(s) + 5.0, NULL, &whole, 1, &windows));
        add_windows(b, &windows);
        ph_expression_destroy(e);
        ph_system_destroy(s);
        tell(b, "events", names[k]);
    }
}

/* What a system shows beside its state, while it is watched, and after it was saved and made anew. */
static void tables(bits *b)
{
    static const char *const runs[][2] = {
        {"spacecraft", "gbs"}, {"free", "exact"}, {"vortices", NULL}, {"water", NULL}};
    enum { MOST = 100000 };
    char *bytes = array_create(MOST, 1);
    for (size_t k = 0; bytes != NULL && k < sizeof runs / sizeof runs[0] && !b->stopped; k++) {
        ph_system *s = NULL, *again = NULL;
        ph_vec3 m = {0, 0, 0};
        size_t count;
        const double *values, *of_one = NULL;
        if (!good(b, system_by_names(&s, runs[k][0], runs[k][1], 0.002)))
            continue;
        ph_system_watch(s, true);
        add_number(b, ph_system_run(s, part_of(b, 1000), NULL));
        const size_t size = ph_system_save(s, bytes, MOST);
        if (!good(b, ph_system_from_snapshot(bytes, size, &again))) {
            ph_system_destroy(s);
            continue;
        }
        add_number(b, ph_system_set_step(again, 0.001));
        add_number(b, ph_system_run(again, 3, NULL));
        add_number(b, ph_system_restore(s, bytes, size));
        add_number(b, ph_system_momentum(s, vec3(0.1, 0.2, 0.3), &m));
        add_vector(b, m);
        ph_system *const both[] = {s, again};
        for (int n = 0; n < 2; n++) {
            const ph_observable *o = ph_system_observables(both[n], &count);
            for (size_t i = 0; i < count; i++) {
                add_numbers(b, o[i].start, (size_t)o[i].width);
                add_numbers(b, o[i].now, (size_t)o[i].width);
                add_number(b, o[i].error);
            }
            if (good(b, ph_system_observable_named(both[n], "energy", &o)))
                add_number(b, o->now[0]);
            const ph_energy_record e = ph_system_energy_record(both[n]);
            add_vector(b, vec3(e.first, e.last, e.largest_error));
            add_vector(b, vec3(e.slope, ph_system_step(both[n]), ph_system_energy(both[n])));
        }
        const ph_parameter *p = ph_system_parameters(s, &count, &values), *same;
        for (size_t i = 0; i < count; i++) {
            add_numbers(b, values + p[i].first, (size_t)p[i].count);
            add_number(b, ph_system_parameter_named(s, p[i].name, &same, &of_one));
            add_number(b, of_one[0]);
        }
        ph_system_destroy(s);
        ph_system_destroy(again);
        tell(b, "tables", runs[k][0]);
    }
    free(bytes);
}

/* Orbit, field and Sun around a spacecraft. */
static void surroundings(bits *b)
{
    static const double epoch = 9700.25;
    const ph_expressions from = {
        .torque = {"0.1*B1", "u2", "sun3"}, .extends = find_problem("spacecraft"), .epoch = &epoch};
    ph_problem p = {0};
    uint64_t seed = 23;
    add_number(b, ph_problem_from_expressions(&from, &p, NULL));
    for (uint64_t n = 0; n < part_of(b, 10); n++) {
        const ph_quat q = draw_attitude(&seed);
        const ph_instant now = {.t = 700.0 * (double)n, .q = q, .R = ph_quat_matrix(q)};
        ph_surroundings seen = {0};
        add_number(b, ph_problem_surroundings(&p, &now, &seen));
        add_vector(b, seen.up);
        add_vector(b, seen.field);
        add_vector(b, seen.position);
        add_vector(b, seen.velocity);
        add_vector(b, seen.sun);
    }
    ph_problem_release(&p);
    tell(b, "surroundings", "spacecraft");
}

/* Expressions, alone and as problems; and a problem with a table. */
static void expressions(bits *b)
{
    static const ph_parameter parameter = {.name = "k", .first = 0, .count = 1};
    static const double k = 0.7, rows[] = {0, 0.1, 0, 0, 1, 0, 0.2, 0.1, 9, 0.3, 0, 0};
    const ph_expressions from = {.potential = "k*(1 - R33) + sin(t)*q1*q2",
                                 .torque = {"0.1*w2", "-k*m1", "exp(-t)*w3"},
                                 .parameters = &parameter,
                                 .parameter_count = 1,
                                 .value = &k};
    ph_problem p = {0}, wheels = *find_problem("spacecraft");
    ph_expression *e = NULL;
    uint64_t seed = 17;
    add_number(b, ph_problem_from_expressions(&from, &p, NULL));
    add_number(b, ph_expression_create("k*sqrt(R11 + 2) + atan2(w1, m2)^2", PH_EXPRESSION_TORQUE,
                                       &parameter, 1, &e, NULL));
    for (uint64_t n = 0; n < part_of(b, 10); n++) {
        const ph_quat q = draw_attitude(&seed);
        const ph_state s = {q, draw_vector(&seed, -1.0, 1.0)};
        const ph_instant now = {.t = (double)n, .R = ph_quat_matrix(s.q), .m = s.m, .w = s.m};
        add_number(b, ph_expression_value(e, &now, &k));
        add_number(b, ph_expression_at(e, &p, (double)n, &s));
        add_vector(b, ph_problem_torque(&p, (double)n, &s));
        add_number(b, ph_problem_energy(&p, (double)n, &s));
    }
    ph_expression_destroy(e);
    tell(b, "expressions", "alone and as fields");
    surroundings(b);
    char bytes[20000];
    const ph_system_settings with = {.own_problem = &p, .integrator = "gbs", .step = 0.1};
    ph_system *s = NULL, *again = NULL;
    if (good(b, ph_system_create(&with, &s))) {
        add_number(b, ph_system_run(s, part_of(b, 100), NULL));
        (void)add_shown(b, s);
        const size_t size = ph_system_save(s, bytes, sizeof bytes);
        if (good(b, ph_system_from_snapshot_of(&p, bytes, size, &again))) {
            add_number(b, ph_system_run(again, 1, NULL));
            (void)add_shown(b, again);
        }
    }
    ph_system_destroy(s);
    ph_system_destroy(again);
    ph_problem_release(&p);
    tell(b, "expressions", "in a run");
    const ph_integrator i = integrator_named("mkrk_gl4");
    add_number(b, ph_problem_set_table(&wheels, "wheels_table", rows, 3));
    ph_state state = ph_problem_start(&wheels);
    for (uint64_t n = 0; n < part_of(b, 100); n++) {
        add_number(b, ph_integrator_step(&i, &wheels, &state, 0.1 * (double)n, 0.1));
        add_state(b, &state);
    }
    ph_problem_release(&wheels);
    tell(b, "problem", "with a table");
}

/* Spheres without a system: accelerations and rotations, unless the build leaves the kinds out. */
static void spheres(bits *b)
{
    (void)b;
#if PH_KINDS
    static const char *const runs[][2] = {{"chain", "rkmk4"}, {"magnets", "s6_10+circle"}};
    enum { MOST = 64 };
    for (size_t k = 0; k < sizeof runs / sizeof runs[0]; k++) {
        const ph_spheres_problem *p = NULL;
        ph_integrator i;
        ph_spheres *s = NULL;
        ph_vec3 q[MOST], w[MOST], a[MOST];
        ph_quat turn[MOST];
        add_number(b, ph_spheres_problem_named(runs[k][0], &p));
        add_number(b, ph_spheres_integrator_named(runs[k][1], &i));
        add_number(b, ph_spheres_create(p, &i, &s));
        if (s == NULL || ph_spheres_count(s) > MOST)
            return;
        ph_spheres_start(s, q, w);
        for (uint64_t n = 0; n < part_of(b, 1000); n++) {
            add_number(b, ph_spheres_step(s, q, w, 0.001));
            add_number(b, ph_spheres_accelerations(s, q, w, a));
            ph_spheres_turns(s, turn);
            for (int j = 0; j < ph_spheres_count(s); j++) {
                add_vector(b, a[j]);
                add_quat(b, turn[j]);
            }
        }
        ph_spheres_destroy(s);
    }
    tell(b, "spheres", "accelerations and rotations");
#endif
}

/* ---- ensembles --------------------------------------------------------------------- */

static void ensembles(bits *b)
{
    enum { N = 12, TIMES = 3 };
    static const char *const names[] = {"dop853", "gbs", "verlet+exact"};
    static const char *const of[] = {"w1", "R33"};
    static const double times[TIMES] = {0.0, 0.5, 1.0}, low[] = {-1, -1}, high[] = {1, 1};
    double w[N][3];
    uint64_t seed = 19;
    draw(&seed, -1.0, 1.0, w[0], (size_t)3 * N);
    for (size_t k = 0; k < sizeof names / sizeof names[0] && !b->stopped; k++) {
        const ph_each each = {"velocity", w[0], 3, 3, 1};
        const ph_system_settings all = {"heavy_top", .integrator = names[k], .step = 0.05};
        const uint64_t longer = b->steps / 1000;
        const double end = 1.0 + (double)longer;
        double mean[TIMES][2] = {{0}}, covariance[TIMES][2][2] = {{{0}}}, first[N] = {0};
        uint64_t bodies[TIMES] = {0}, histogram[TIMES * 2 * 4] = {0}, often[N] = {0};
        const ph_reduction r = {of,        2, times, TIMES, bodies, mean[0], covariance[0][0],
                                histogram, 4, low,   high};
        ph_ensemble *e = NULL;
        if (!good(b, ph_ensemble_create(&all, &each, 1, N, NULL, &e)))
            return;
        add_number(b, ph_ensemble_reduce(e, 1.0, &r, NULL, NULL, NULL));
        add_numbers(b, mean[0], (size_t)2 * TIMES);
        add_numbers(b, covariance[0][0], (size_t)4 * TIMES);
        for (int n = 0; n < TIMES * 2 * 4; n++)
            add_number(b, (double)histogram[n]);
        add_number(b, ph_ensemble_run(e, end, NULL));
        add_number(b, ph_ensemble_events(e, end + 1.0, "w1*R33 > 0", NULL, first, often, NULL));
        for (size_t n = 0; n < N; n++) {
            (void)add_shown(b, ph_ensemble_system(e, n));
            add_vector(b, vec3(first[n], (double)often[n], ph_ensemble_status(e)[n]));
        }
        ph_window_list windows[N] = {0};
        add_number(b, ph_ensemble_windows(e, end + 2.0, "w1*R33 > 0", NULL, windows, NULL));
        for (size_t n = 0; n < N; n++)
            add_windows(b, &windows[n]);
        ph_ensemble_destroy(e);
        tell(b, "ensembles", names[k]);
    }
    static const double C[3][3] = {{4.0, 2.0, 2.0}, {2.0, 2.0, 1.0}, {2.0, 1.0, 1.0}};
    for (uint64_t k = 0; k < b->steps; k++) {
        double x[3] = {0};
        add_number(b, ph_draw_normal(C[0], 3, 5, k, k % 2, x));
        add_numbers(b, x, 3);
    }
    tell(b, "ensembles", "draws");
}

/* ---- fits -------------------------------------------------------------------------- */

enum { OBSERVED = 40 };

/* A body that was seen at times, disturbed a little. */
typedef struct observed {
    ph_body body;
    double t[OBSERVED], q[OBSERVED][4], axis[OBSERVED][3], light[OBSERVED];
    double sun[OBSERVED][3], observer[OBSERVED][3], sigma[OBSERVED];
} observed;

static void observe(observed *o)
{
    const ph_state start = start_of(0);
    ph_motion motion;
    uint64_t seed = 23;
    /* moments that an ellipsoid has */
    (void)ph_body_from_moments(&o->body, vec3(0.6, 0.8, 1.0));
    (void)ph_motion_prepare(&motion, &o->body, &start);
    for (size_t i = 0; i < OBSERVED; i++) {
        o->t[i] = 0.5 * (double)i;
        o->sigma[i] = 0.01;
        const ph_state s = ph_motion_at(&motion, o->t[i]);
        const ph_quat q = ph_quat_product(s.q, ph_rotation_exp(draw_vector(&seed, -0.01, 0.01)));
        const ph_vec3 axis =
                          add(ph_quat_rotate(s.q, vec3(0, 0, 1)), draw_vector(&seed, -0.01, 0.01)),
                      sun = vec3(1, 0, 0),
                      observer = ph_quat_rotate(ph_rotation_exp(vec3(0, 0.1, 0.6)), sun);
        memcpy(o->q[i], &q, sizeof q);
        memcpy(o->axis[i], &axis, sizeof axis);
        memcpy(o->sun[i], &sun, sizeof sun);
        memcpy(o->observer[i], &observer, sizeof observer);
        o->light[i] =
            ph_ellipsoid_brightness(PH_LOMMEL_SEELIGER, o->body.J, ph_quat_unrotate(s.q, observer),
                                    ph_quat_unrotate(s.q, sun), NULL) *
            between(&seed, 0.995, 1.005);
    }
}

static void fit(bits *b, const ph_observations *o, const ph_fit_settings *with, const char *name)
{
    double residuals[OBSERVED * 4] = {0};
    enum { FITTED = 32 }; /* parameter values, more than these problems have */
    ph_fit *found = calloc(1, sizeof *found);
    if (found == NULL || b->stopped) {
        free(found);
        return;
    }
    add_number(b, ph_fit_motion(o, with, residuals, found));
    add_numbers(b, residuals, OBSERVED * ph_fit_width(o));
    add_vector(b, found->body.J);
    add_numbers(b, found->tensor, 6);
    add_quat(b, found->attitude);
    add_vector(b, found->velocity);
    add_vector(b, vec3(found->factor, found->chi2, found->moment_sigma[0]));
    add_numbers(b, found->parameter, FITTED);
    add_numbers(b, found->covariance, found->columns * found->columns);
    free(found);
    tell(b, "fits", name);
}

static void fits(bits *b)
{
    observed *o = calloc(1, sizeof *o);
    if (o == NULL)
        return;
    observe(o);
    const ph_state start = start_of(0);
    const double moments[] = {0.6, 0.8, 1.0}, w[] = {start.m.x / 0.6, start.m.y / 0.8, start.m.z},
                 q[] = {start.q.w, start.q.x, start.q.y, start.q.z};
    const ph_setting known[] = {{"inertia", moments, 3}, {"velocity", w, 3}, {"attitude", q, 4}};
    const ph_system_settings guess = {"free", .settings = known, .setting_count = 3};
    const ph_fit_settings all = {0}, of_start = {.sought = PH_FIT_ATTITUDE | PH_FIT_VELOCITY,
                                                 .system = &guess,
                                                 .loss = PH_LOSS_HUBER};
    const ph_observations by_attitude = {
        .count = OBSERVED, .t = o->t, .seen = {o->q[0]}, .sigma = {o->sigma}};
    const ph_observations by_axis = {.count = OBSERVED,
                                     .t = o->t,
                                     .seen = {[PH_SEEN_AXIS] = o->axis[0]},
                                     .sigma = {[PH_SEEN_AXIS] = o->sigma},
                                     .axis = {0, 0, 1}};
    const ph_observations by_light = {.count = OBSERVED,
                                      .t = o->t,
                                      .seen = {[PH_SEEN_BRIGHTNESS] = o->light},
                                      .sun = o->sun[0],
                                      .observer = o->observer[0]};
    fit(b, &by_attitude, &all, "by attitude");
    fit(b, &by_axis, &of_start, "by axis");
    fit(b, &by_light, &of_start, "by brightness");
    uint64_t seed = 29;
    for (uint64_t k = 0; k < part_of(b, 10); k++) {
        double by[9];
        const ph_vec3 sun = ph_quat_rotate(draw_attitude(&seed), vec3(1, 0, 0)),
                      observer = ph_quat_rotate(draw_attitude(&seed), vec3(1, 0, 0));
        add_number(b, ph_ellipsoid_brightness(k % 2 ? PH_LAMBERT : PH_LOMMEL_SEELIGER, o->body.J,
                                              observer, sun, by));
        add_numbers(b, by, 9);
    }
    tell(b, "fits", "brightness of ellipsoids");
    free(o);
}

/* ---- measurements ------------------------------------------------------------------ */

static void add_trend(bits *b, const ph_trend *t)
{
    add_vector(b, vec3(t->h, t->initial, t->max_error));
    add_vector(b, vec3(t->slope, t->standard_error, (double)t->taken));
    add_number(b, t->drifts + 2 * t->exceeds_tenth);
}

static void add_properties(bits *b, const ph_properties *p)
{
    add_number(b, ph_properties_keep(p));
    add_vector(b, vec3(p->symmetry_defect, p->reversal_defect, p->symplectic_defect));
    add_vector(b, vec3(p->poisson_defect, p->step_error, p->energy_error[0]));
    add_vector(b, vec3(p->energy_error[1], p->momentum_error, p->casimir_error));
}

/* The word on the energy, whose runs are long, is that of few torques. */
static void add_sheet(bits *b, const ph_measurement *s)
{
    add_vector(b, vec3(s->order, s->unit_error, s->stable_step));
    add_properties(b, &s->free);
    add_properties(b, &s->field);
    add_vector(b, vec3(s->test.slope, s->test.standard_error, s->test.horizon));
    add_trend(b, &s->drift[0]);
    add_trend(b, &s->drift[1]);
    add_number(b, s->torques);
}

/* One step and runs of an integrator on a problem. */
static void add_measures(bits *b, const char *integrator, const ph_problem *p)
{
    const ph_integrator i = integrator_named(integrator);
    const ph_state start = ph_problem_start(p);
    ph_state end = start;
    ph_structure_defects d = {0};
    ph_invariant_errors e = {0};
    ph_trend t = {0};
    double x[5] = {0};
    add_number(b, ph_reference_solution(p, 0.5, &end));
    add_state(b, &end);
    add_number(b, ph_error_after(&i, p, 1.0, 7, &x[0]));
    add_number(b, ph_order_slope(&i, p, 1.0, &x[1], &x[2]));
    add_number(b, ph_symmetry_defect(&i, p, &start, 0.3, &x[3]));
    add_number(b, ph_reversal_defect(&i, p, &start, 0.3, &x[4]));
    add_numbers(b, x, 5);
    add_number(b, ph_measure_structure(&i, p, &start, 0.3, &d));
    add_number(b, ph_measure_invariants(&i, p, 0.2, 50, &e));
    add_vector(b, vec3(d.symplectic, d.poisson, e.energy));
    add_vector(b, vec3(e.momentum, e.vertical, e.casimir));
    add_number(b, ph_energy_trend(&i, p, 0.2, part_of(b, 100), &t));
    add_trend(b, &t);
    add_number(b, ph_stable_step(&i, p, part_of(b, 100)));
}

static void measurements(bits *b)
{
    static const char *const names[] = {"vlv", "nystrom4+exact", "dop853"};
    for (size_t k = 0; k < sizeof names / sizeof names[0] && !b->stopped; k++) {
        add_measures(b, names[k], find_problem("generic"));
        add_measures(b, names[k], find_problem("well"));
        tell(b, "measured", names[k]);
    }
    const ph_integrator two[] = {integrator_named("verlet+mr"), integrator_named("dmv4")};
    const ph_measure_settings few = {
        .states = 2, .steps = 50, .drift_time = 50, .drift_torques = 2000, .stable_steps = 20};
    ph_measurement sheet[2];
    (void)ph_measure_all(two, 2, &few, NULL, NULL, sheet);
    add_sheet(b, &sheet[0]);
    add_sheet(b, &sheet[1]);
    const ph_energy_test test = ph_energy_verdict(&two[0], 2000);
    add_vector(b, vec3(test.slope, test.standard_error, test.horizon));
    tell(b, "measured", "sheets");
    ph_modified_measurement m = {0};
    ph_precision precise = {0};
    double energy[PH_TRUNCATIONS];
    const ph_integrator sr2 = integrator_named("sr2");
    const ph_state start = start_of(0);
    add_number(b, ph_measure_modified(&sr2, &m));
    add_numbers(b, m.error[0], sizeof m.error / sizeof(double));
    add_numbers(b, m.slope, PH_TRUNCATIONS);
    add_number(b, ph_modified_energies(&sr2, find_problem("free"), &start, 0.2, energy));
    add_numbers(b, energy, PH_TRUNCATIONS);
    tell(b, "measured", "modified energies");
    const ph_integrator dmv2 = integrator_named("dmv2");
    add_number(b, ph_measure_precisely(&dmv2, &precise));
    add_vector(b, vec3(precise.symplectic_defect, precise.poisson_defect, precise.energy_error));
    tell(b, "measured", "in quadruple precision");
}

/* Systems of any kind. The drift of an energy takes long runs, whose length is not the caller's: it
 * is left out where few steps are asked for. */
enum { DRIFT_STEPS = 1000 };

static void measured_systems(bits *b)
{
    const ph_system_settings pendulum = {"pendulum", .integrator = "verlet+circle"},
                             thermal = {
                                 "heavy_top", .integrator = "baoab+exact", .step = 0.1,
                                 .settings =
                                     (const ph_setting[]){{"temperature", (const double[]){1.0}, 1},
                                                          {"seed", (const double[]){1.0}, 1}},
                                 .setting_count = 2};
    ph_problem_measurement m = {0};
    ph_step_scan *scan = calloc(1, sizeof *scan);
    ph_thermal warm = {0};
    ph_trend t = {0};
    ph_system *s = NULL, *companion = NULL;
    add_number(b, ph_measure_problem(&pendulum, &m));
    add_vector(b, vec3(m.large_step, m.step, m.order));
    add_vector(b, vec3(m.symmetry_defect, m.energy_error, m.momentum_error));
    add_trend(b, &m.drift);
    tell(b, "measured", "pendulum");
    if (scan != NULL) {
        add_number(b, ph_scan_steps(&pendulum, scan));
        add_vector(b, vec3(scan->rate, scan->bounded, scan->reduced));
        for (int k = 0; k < PH_SCAN_STEPS; k++)
            add_vector(b, vec3(scan->row[k].step, scan->row[k].error, scan->row[k].power));
        free(scan);
    }
    tell(b, "measured", "steps of the pendulum");
    if (b->steps >= DRIFT_STEPS) {
        const ph_system_settings rkmk4 = {"pendulum", .integrator = "rkmk4"};
        ph_drift_measurement drift = {0};
        add_number(b, ph_measure_drift(&rkmk4, 0.125, &drift));
        add_vector(b, vec3(drift.step, drift.predicted, drift.predicted_error));
        add_vector(b, vec3(drift.power, drift.measured[0].slope, drift.measured[1].slope));
    }
    tell(b, "measured", "drift of the pendulum");
    add_number(b, ph_measure_thermal(&thermal, 100, NULL, NULL, &warm));
    add_vector(b, vec3(warm.exact, warm.kinetic_limit, warm.potential_limit));
    for (int k = 0; k < PH_THERMAL_STEPS; k++)
        add_vector(b, vec3(warm.row[k].kinetic[3].value, warm.row[k].within[1].value,
                           warm.row[k].potential.value));
    tell(b, "measured", "thermostat");
    add_number(b, system_by_names(&s, "generic", "s6_10+exact", 0.05));
    add_number(b, ph_system_energy_trend(s, part_of(b, 20), &t));
    add_trend(b, &t);
    ph_system_destroy(s);
    ph_digits digits = {0};
    const ph_system_settings follow = {"generic", .integrator = "gbs", .tolerance = 1e-8};
    add_number(b, system_by_names(&s, "generic", "gbs", 1.0));
    add_number(b, ph_system_create(&follow, &companion));
    add_number(b, ph_digits_begin(&digits, companion, 20.0));
    for (int n = 0; n < 10; n++) {
        add_number(b, ph_system_run(s, 1, NULL));
        add_number(b, ph_digits_follow(&digits, s));
        add_vector(b, vec3(digits.held, digits.apart, digits.next));
    }
    ph_system_destroy(s);
    ph_system_destroy(companion);
    tell(b, "measured", "trends and digits of runs");
}

void ph_bits_of_interface(bits *b)
{
    void (*const all[])(bits *) = {rotations,    tangents,          single_steps,    batch_runs,
                                   batch_floats, field_derivatives, lyapunov,        events,
                                   tables,       expressions,       spheres,         ensembles,
                                   fits,         measurements,      measured_systems};
    for (size_t k = 0; k < sizeof all / sizeof all[0] && !b->stopped; k++)
        all[k](b);
}
