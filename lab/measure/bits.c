/* bits.c - runs everything that there is from fixed starts, and forms checksums of all bits
 * of all states on the way. */
#include "polhode/measure.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/elementary.h"
#include "base/named.h"
#include "base/random.h"
#include "integrators/adaptive_run.h"
#include "lab/measure/bits_interface.h"
#include "lab/measure/common.h"
#include "motion/batch/part.h"
#include "motion/vec.h"
#include "polhode/batch.h"
#include "polhode/elliptic.h"
#include "system/find.h"
#include "system/kind.h"
#include "system/run_body.h"

/* ---- functions --------------------------------------------------------------------- */

/* An argument of any size that counts. */
static double argument(uint64_t *seed)
{
    const double x = between(seed, -4.0, 4.0);
    if (random_bits(seed) >> 63)
        return x;
    return x * ldexp(1.0, (int)between(seed, -20.0, 20.0));
}

static void elementary(bits *b)
{
    static const struct {
        const char *name;
        double (*one)(double x), (*two)(double x, double y);
    } all[] = {{"sin", ph_sin, NULL},      {"cos", ph_cos, NULL},      {"tan", ph_tan, NULL},
               {"asin", ph_asin, NULL},    {"acos", ph_acos, NULL},    {"atan", ph_atan, NULL},
               {"exp", ph_real_exp, NULL}, {"log", ph_real_log, NULL}, {"sinh", ph_sinh, NULL},
               {"cosh", ph_cosh, NULL},    {"tanh", ph_tanh, NULL},    {"asinh", ph_asinh, NULL},
               {"atan2", NULL, ph_atan2},  {"pow", NULL, ph_pow},      {"hypot", NULL, ph_hypot}};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
        uint64_t seed = all[k].one != NULL ? 1 : 2;
        for (uint64_t i = 0; i < b->steps; i++) {
            const double x = argument(&seed);
            if (all[k].one != NULL)
                add_number(b, all[k].one(x));
            else
                add_number(b, all[k].two(x, argument(&seed)));
        }
        tell(b, "elementary", all[k].name);
    }
}

static void elliptic(bits *b)
{
    uint64_t seed = 3;
    for (uint64_t i = 0; i < b->steps; i++) {
        double x[4];
        for (int k = 0; k < 4; k++)
            x[k] = fabs(argument(&seed));
        add_number(b, ph_rc(x[0], x[1]));
        add_number(b, ph_rf(x[0], x[1], x[2]));
        add_number(b, ph_rd(x[0], x[1], x[2]));
        add_number(b, ph_rg(x[0], x[1], x[2]));
        add_number(b, ph_rj(x[0], x[1], x[2], x[3]));
    }
    tell(b, "elliptic", "Carlson");
    for (uint64_t i = 0; i < b->steps; i++) {
        const double m = uniform(&seed), n = between(&seed, -2.0, 1.0), phi = argument(&seed);
        add_number(b, ph_elliptic_k(m));
        add_number(b, ph_elliptic_e(m));
        add_number(b, ph_elliptic_pi(n, m));
        add_number(b, ph_elliptic_f_inc(phi, m));
        add_number(b, ph_elliptic_e_inc(phi, m));
        add_number(b, ph_elliptic_pi_inc(n, phi, m));
    }
    tell(b, "elliptic", "Legendre");
    for (uint64_t i = 0; i < b->steps; i++) {
        const double u = argument(&seed), m1 = ph_pow(2.0, between(&seed, -60.0, 0.0));
        const ph_jacobi j = ph_jacobi_prepare_c(m1);
        const ph_sncndn e = ph_jacobi_at(&j, u);
        add_number(b, e.sn);
        add_number(b, e.cn);
        add_number(b, e.dn);
        add_number(b, ph_jacobi_am(&j, u));
    }
    tell(b, "elliptic", "Jacobi");
}

/* ---- one body ---------------------------------------------------------------------- */

static void motions(bits *b)
{
    for (int k = 0; k < BODY_COUNT; k++) {
        const ph_body body = body_of(k);
        const ph_state start = start_of(k);
        ph_motion motion;
        add_number(b, ph_motion_prepare(&motion, &body, &start));
        for (uint64_t i = 0; i < b->steps; i++) {
            const double t = 0.37 * (double)i;
            double q[4], m[3];
            const ph_state s = ph_motion_at(&motion, t);
            add_state(b, &s);
            ph_motion_fill_fast(&motion, &t, 1, q, m);
            const ph_state filled = {{q[0], q[1], q[2], q[3]}, {m[0], m[1], m[2]}};
            add_state(b, &filled);
        }
        add_number(b, ph_motion_period(&motion));
        add_number(b, ph_motion_precession(&motion));
    }
    tell(b, "motion", "at any time");
}

/* Of one motion at many times, and of some bodies in lanes. */
static void derivatives(bits *b)
{
    enum { SOME = 96, ROWS = 10, BY = PH_BATCH_DERIVATIVE_COLUMNS };
    for (int k = 0; k < BODY_COUNT; k++) {
        const ph_body body = body_of(k);
        const ph_state start = start_of(k);
        ph_motion motion;
        (void)ph_motion_prepare(&motion, &body, &start);
        for (uint64_t i = 0; i < b->steps; i++) {
            ph_derivative d = {0};
            add_number(b, ph_motion_derivative_at(&motion, 0.37 * (double)i, NULL, &d));
            for (size_t n = 0; n < sizeof d / sizeof(double); n++)
                add_number(b, (&d.attitude[0][0])[n]);
        }
    }
    tell(b, "motion", "derivatives");
    double x[ROWS][SOME], y[2][3][BY][SOME];
    ph_batch_derivative d;
    uint64_t seed = 7;
    for (int i = 0; i < ROWS * SOME; i++)
        (&x[0][0])[i] = i < 4 * SOME ? i < SOME : between(&seed, 0.5, 1.5);
    for (int k = 0; k < 3 * BY; k++) {
        d.attitude[k / BY][k % BY] = y[0][k / BY][k % BY];
        d.momentum[k / BY][k % BY] = y[1][k / BY][k % BY];
    }
    const ph_batch all = {SOME, {x[0], x[1], x[2], x[3]}, {x[4], x[5], x[6]}, {x[7], x[8], x[9]}};
    for (uint64_t n = 0; n < 1 + b->steps / 100; n++) {
        (void)ph_batch_step_derivative(&all, 0.1, &d, NULL);
        for (int i = 0; i < 2 * 3 * BY * SOME; i++)
            add_number(b, (&y[0][0][0][0])[i]);
    }
    tell(b, "batch", "derivatives");
}

static void flows(bits *b)
{
    size_t count;
    const ph_flow *const *all = ph_flows(&count);
    for (size_t i = 0; i < count && !b->stopped; i++) {
        for (int k = 0; k < BODY_COUNT; k++) {
            const ph_body body = body_of(k);
            ph_state s = start_of(k);
            for (uint64_t n = 0; n < b->steps; n++) {
                add_number(b, ph_flow_step(all[i], &body, &s, 0.2));
                add_state(b, &s);
            }
        }
        tell(b, "flow", all[i]->name);
    }
}

/* ---- systems ----------------------------------------------------------------------- */

/* Adds what a run changes or depends on. Names of atoms and the like are not among it. */
static bool add_fields(void *context, ph_system *s)
{
    bits *b = context;
    size_t count;
    const ph_array *field = ph_system_arrays(s, &count);
    for (size_t f = 0; f < count; f++) {
        const bool names = field[f].use == (PH_ARRAY_DERIVED | PH_ARRAY_LIST);
        for (size_t n = 0; !names && n < field_numbers(&field[f]); n++)
            add_number(b, *field_number(&field[f], n));
    }
    return true;
}

/* Runs a system, which was made with a status, for a part of the steps, and ends it. */
static void run_system(bits *b, ph_status made, ph_system *s, uint64_t part, uint64_t every)
{
    add_number(b, made);
    if (made != PH_OK)
        return;
    const ph_observer observer = {.observe = add_fields, .context = b, .every = every};
    const uint64_t steps = b->steps / part > 0 ? b->steps / part : 1;
    add_number(b, ph_system_run(s, steps, &observer));
    add_number(b, ph_system_energy(s));
    ph_system_destroy(s);
}

/* A body in a problem from the starts above. */
static void run_bodies(bits *b, const char *problem, ph_integrator i, double h, uint64_t part)
{
    for (int k = 0; k < BODY_COUNT; k++) {
        ph_problem p = *find_problem(problem);
        const ph_state start = start_of(k);
        ph_system *s = NULL;
        p.body = body_of(k);
        const ph_status made = ph_system_from_problem(&p, &i, &start, h, 0, &s);
        run_system(b, made, s, part, 1);
    }
}

static void integrators(bits *b)
{
    size_t count;
    const ph_flow *exact = find_flow("exact"), *mr = find_flow("mr");
    const ph_scheme *const *scheme = ph_schemes(&count);
    for (size_t i = 0; i < count && !b->stopped; i++) {
        run_bodies(b, "generic", (ph_integrator){.scheme = scheme[i], .flow = exact}, 0.02, 1);
        tell(b, "scheme", scheme[i]->name);
    }
    const ph_method *const *method = ph_methods(&count);
    for (size_t i = 0; i < count && !b->stopped; i++) {
        run_bodies(b, "generic", (ph_integrator){.method = method[i]}, 0.02, 1);
        tell(b, "method", method[i]->name);
    }
    const ph_adaptive *const *adaptive = ph_adaptives(&count);
    for (size_t i = 0; i < count && !b->stopped; i++) {
        const ph_integrator it = {.adaptive = adaptive[i], .tolerance = 1e-11};
        run_bodies(b, "generic", it, 1.0, 20);
        run_bodies(b, "heavy_top", it, 1.0, 20);
        tell(b, "adaptive", adaptive[i]->name);
    }
    const ph_composition *composition = ph_compositions(&count);
    for (size_t i = 0; i < count && !b->stopped; i++) {
        const ph_integrator it = {.flow = mr, .composition = &composition[i]};
        run_bodies(b, "free", it, 0.2, 10);
        tell(b, "composition", composition[i].name);
    }
    const ph_flow *const *flow = ph_flows(&count);
    for (size_t i = 0; i < count && !b->stopped; i++) {
        run_bodies(b, "free", (ph_integrator){.flow = flow[i]}, 0.2, 10);
        tell(b, "run", flow[i]->name);
    }
}

static void run_named(bits *b, const char *problem, const char *by, double h, uint64_t part,
                      uint64_t every)
{
    ph_system *s = NULL;
    const ph_status made = system_by_names(&s, problem, by, h);
    run_system(b, made, s, part, every);
}

static void problems(bits *b)
{
    size_t count;
    const ph_problem *const *p = ph_problems(&count);
    for (size_t i = 0; i < count && !b->stopped; i++) {
        run_named(b, p[i]->name, "s6_10+exact", 0.01, 10, 1);
        run_named(b, p[i]->name, "gbs", 0.01, 10, 1);
        run_named(b, p[i]->name, "lie_euler_forward", 0.01, 10, 1);
        tell(b, "problem", p[i]->name);
    }
}

/* Problems of one body by methods that make another kind of system of them. */
static void slow_motions(bits *b)
{
    static const char *const of[] = {"free", "satellite", "spacecraft", "generic"};
    size_t count;
    const ph_kind *const *kinds = ph_kinds(&count);
    for (size_t k = 0; k < count && !b->stopped; k++) {
        for (size_t i = 0; i < sizeof of / sizeof of[0] && kinds[k]->method_of_bodies; i++) {
            run_named(b, of[i], kinds[k]->method_of_bodies, 0.01, 2, 1);
            tell(b, kinds[k]->name, of[i]);
        }
    }
}

static bool has_lattice(const ph_problem_facts *p)
{
    return ROW_NAMED(p->parameters, p->parameter_count, "lattice") != NULL;
}

/* A problem by an integrator, with few molecules where their number is a parameter, and at a
 * temperature. */
static ph_status create_small(const ph_problem_facts *p, const char *by, bool heated,
                              ph_system **out)
{
    static const double few = 27.0, temperature = 2.0, seed = 1.0;
    const bool counted = ROW_NAMED(p->parameters, p->parameter_count, "molecules");
    const ph_setting settings[] = {
        {"molecules", &few, 1}, {"temperature", &temperature, 1}, {"seed", &seed, 1}};
    const ph_system_settings with = {p->name, .integrator = by, .step = 0.002,
                                     .settings = settings + !counted,
                                     .setting_count = (size_t)counted + (heated ? 2 : 0)};
    return ph_system_create(&with, out);
}

/* Problems of other kinds than one body, by all methods of their kind and by a scheme; those
 * that begin on a lattice are below. */
static void other_kinds(bits *b)
{
    ph_problem_facts p;
    ph_method_facts m;
    for (size_t i = 0; ph_problem_at(i, &p) && !b->stopped; i++) {
        char scheme[PH_INTEGRATOR_NAME];
        const ph_problem *body;
        ph_system *s = NULL;
        if (ph_problem_named(p.name, &body) == PH_OK || has_lattice(&p))
            continue;
        for (size_t k = 0; ph_method_at(k, &m); k++) {
            if (strcmp(m.kind, p.kind) == 0)
                run_named(b, p.name, m.name, 0.002, 5, 10);
        }
        (void)snprintf(scheme, sizeof scheme, "s6_10+%s", p.drift);
        const ph_status made = create_small(&p, scheme, false, &s);
        run_system(b, made, s, 5, 10);
        tell(b, p.kind, p.name);
    }
}

/* Each thermostat on every problem that can have one, but lattices: a line for each. */
static void thermostats(bits *b)
{
    size_t count;
    const ph_thermostat *const *by = ph_thermostats(&count);
    for (size_t i = 0; i < count && !b->stopped; i++) {
        char name[PH_INTEGRATOR_NAME];
        ph_problem_facts p;
        (void)snprintf(name, sizeof name, "%s+exact", by[i]->name);
        for (size_t k = 0; ph_problem_at(k, &p); k++) {
            ph_system *s = NULL;
            if (has_lattice(&p) || create_small(&p, name, true, &s) != PH_OK)
                continue;
            run_system(b, PH_OK, s, 20, 10);
            char both[PH_INTEGRATOR_NAME];
            (void)snprintf(both, sizeof both, "%s %s", by[i]->name, p.name);
            tell(b, "thermostat", both);
        }
    }
}

/* ---- many bodies ------------------------------------------------------------------- */

/* Lattices in open space, in a box that is too small for the cutoff, which is refused, and in
 * a large one by cells. */
static void lattices(bits *b)
{
    static const struct {
        const char *name;
        double side, edge, cutoff;
    } cases[] = {{"in open space", 6, 0, 0}, {"in a box", 4, 12, 12}, {"in cells", 6, 18, 4}};
    const double noise = 0.05;
    ph_problem_facts p;
    for (size_t i = 0; ph_problem_at(i, &p); i++) {
        for (size_t k = 0; k < sizeof cases / sizeof cases[0] && has_lattice(&p); k++) {
            const double box[] = {cases[k].edge, cases[k].edge, cases[k].edge};
            const ph_setting settings[] = {{"lattice", &cases[k].side, 1},
                                           {"noise", &noise, 1},
                                           {"box", box, 3},
                                           {"cutoff", &cases[k].cutoff, 1}};
            const ph_system_settings with = {p.name, .integrator = "verlet+exact", .step = 0.005,
                                             .settings = settings,
                                             .setting_count = sizeof settings / sizeof settings[0]};
            ph_system *s = NULL;
            if (b->stopped)
                return;
            const ph_status made = ph_system_create(&with, &s);
            run_system(b, made, s, 20, 10);
            tell(b, p.kind, cases[k].name);
        }
    }
}

enum { MANY = 4200, COLUMNS = 11, Q = 0, M = 4, J = 7, H = 10 };

/* The first bodies of the columns once more, as records with momenta in space. */
static void add_records(bits *b, const ph_flow *flow, double *const c[COLUMNS])
{
    enum { RECORDS = 300, WIDTH = 10 };
    double x[RECORDS][WIDTH];
    for (size_t i = 0; i < RECORDS; i++) {
        for (int k = 0; k < WIDTH; k++)
            x[i][k] = c[k][i];
    }
    const ph_batch_strided records = {.n = RECORDS,
                                      .q = x[0],
                                      .q_stride = WIDTH,
                                      .m = x[0] + M,
                                      .m_stride = WIDTH,
                                      .J = x[0] + J,
                                      .J_stride = WIDTH};
    add_number(b, ph_batch_strided_step(flow, &records, 0.1, NULL));
    for (size_t i = 0; i < RECORDS; i++) {
        for (int k = 0; k < WIDTH; k++)
            add_number(b, x[i][k]);
    }
}

/* Enough bodies for threads, of every kind, with the kernels of the flows. */
static void batches(bits *b)
{
    double *x = array_create((size_t)COLUMNS * MANY, sizeof *x);
    size_t count;
    const ph_flow *const *flow = ph_flows(&count);
    for (size_t f = 0; x != NULL && f < count && !b->stopped; f++) {
        uint64_t seed = 5;
        double *c[COLUMNS];
        for (int k = 0; k < COLUMNS; k++)
            c[k] = x + (size_t)k * MANY;
        for (size_t i = 0; i < MANY; i++) {
            double v[3], moments[3];
            draw_each(&seed, 0.0, 1.0, 3, v);
            draw_each(&seed, 0.5, 1.5, 3, moments);
            const ph_quat q = ph_quat_unit((ph_quat){1.0, v[0], v[1], v[2]});
            c[Q][i] = q.w, c[Q + 1][i] = q.x, c[Q + 2][i] = q.y, c[Q + 3][i] = q.z;
            for (int k = 0; k < 3; k++) {
                c[M + k][i] = between(&seed, -1.0, 1.0);
                c[J + k][i] = i % 8 == 0 ? moments[0] : moments[k];
            }
            const double h = between(&seed, -2.0, 2.0);
            c[H][i] = ldexp(h, -(int)between(&seed, 0.0, 20.0));
        }
        if (ph_flow_kernel(flow[f]) == NULL)
            continue;
        const ph_batch all = {MANY,
                              {c[Q], c[Q + 1], c[Q + 2], c[Q + 3]},
                              {c[M], c[M + 1], c[M + 2]},
                              {c[J], c[J + 1], c[J + 2]}};
        const uint64_t steps = b->steps / 500 > 0 ? b->steps / 500 : 1;
        for (uint64_t n = 0; n < steps; n++) {
            (void)ph_batch_step(flow[f], &all, 0.1, NULL);
            (void)ph_batch_step_each(flow[f], &all, c[H], NULL);
        }
        add_records(b, flow[f], c);
        for (size_t i = 0; i < (size_t)COLUMNS * MANY; i++)
            add_number(b, x[i]);
        tell(b, "batch", flow[f]->name);
    }
    free(x);
}

uint64_t ph_bits(uint64_t steps, ph_bits_seen *seen, void *context)
{
    bits b = {
        .seen = seen, .context = context, .steps = steps, .sum = HASH_BEGIN, .all = HASH_BEGIN};
    elementary(&b);
    elliptic(&b);
    motions(&b);
    flows(&b);
    integrators(&b);
    problems(&b);
    other_kinds(&b);
    thermostats(&b);
    lattices(&b);
    batches(&b);
    derivatives(&b);
    slow_motions(&b);
    ph_bits_of_interface(&b);
    return b.all;
}
