/* test_methods.c - every method of the catalog: its order in a field, in one that changes
 * with time too; that it keeps what its descriptor claims, in a field and without, and
 * nothing else; what it does at any scale and where it fails; its first steps to all
 * digits; and the identities between methods. */
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/munthe_kaas.h"
#include "core/vec.h"
#include "polhode/polhode.h"
#include "support/random.h"
#include "support/tangent.h"

/* ---- problems of the user's own -------------------------------------------------- */

/* U = tr(A^T R) + b^2/2 + exp(b)/5, b = tr(B^T R): no symmetry at all. value[0] is its
 * strength, value[1] the strength of its change with time. */
static const ph_mat3 A = {{{.31, -.72, .44}, {.15, .63, -.29}, {-.53, .22, .81}}},
                     B = {{{-.12, .45, .36}, {.71, -.24, .18}, {.27, -.66, .39}}};

/* The y with tr(M hat(x)) = y . x. */
static ph_vec3 axial(ph_mat3 M)
{
    return vec3(M.a[1][2] - M.a[2][1], M.a[2][0] - M.a[0][2], M.a[0][1] - M.a[1][0]);
}

static double trace_product(ph_mat3 M, ph_mat3 N)
{
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            sum += M.a[i][j] * N.a[i][j];
    }
    return sum;
}

/* (A + (b + exp(b)/5) B)^T R */
static ph_mat3 generic_gradient(ph_mat3 R)
{
    const double b = trace_product(B, R), c = b + exp(b) / 5;
    ph_mat3 G = A;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            G.a[i][j] += c * B.a[i][j];
    }
    return matmul(transpose(G), R);
}

static double generic_strength(const ph_problem *p, double t)
{
    return p->value[0] * (1.0 + p->value[1] * sin(3.0 * t));
}

static double generic_potential(const ph_problem *p, ph_mat3 R)
{
    const double b = trace_product(B, R);
    return p->value[0] * (trace_product(A, R) + 0.5 * b * b + exp(b) / 5);
}

static ph_vec3 generic_torque(const ph_problem *p, double t, ph_mat3 R)
{
    const ph_vec3 push = scale(p->value[1] * cos(2.0 * t), vec3(0.3, -0.5, 0.7));
    return add(scale(-generic_strength(p, t), axial(generic_gradient(R))), push);
}

static ph_mat3 generic_derivative(const ph_problem *p, double t, ph_mat3 R)
{
    static const ph_vec3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const ph_mat3 M = generic_gradient(R);
    const ph_vec3 y = axial(matmul(transpose(B), R));
    const double b = trace_product(B, R), f = -generic_strength(p, t);
    ph_vec3 column[3];
    for (int k = 0; k < 3; k++) {
        const ph_vec3 d = axial(matmul(M, ph_hat(axis[k])));
        column[k] = scale(f, add(d, scale((1 + exp(b) / 5) * dot(y, axis[k]), y)));
    }
    return transpose(rows(column[0], column[1], column[2]));
}

static ph_problem generic(double changing)
{
    const ph_vec3 J = {1.3, 2.1, 2.9};
    return (ph_problem){
        .name = "generic",
        .J = J,
        .q = ph_exp(vec3(.3, -.8, .5)),
        .w = over(vec3(.9, -1.4, 1.7), J),
        .value = {1, changing},
        .potential = generic_potential,
        .torque = generic_torque,
        .derivative = generic_derivative,
    };
}

/* U = a.g + s^2 + exp(s)/3, s = b.g, g = R^T e3: symmetric about the vertical and nothing
 * else. */
static ph_vec3 vertical_force(ph_mat3 R, double *s, ph_vec3 *b, ph_vec3 *g)
{
    *b = vec3(.5, .9, -.3);
    *g = vec3(R.a[2][0], R.a[2][1], R.a[2][2]);
    *s = dot(*b, *g);
    return add(vec3(.7, -.4, 1.1), scale(2 * *s + exp(*s) / 3, *b));
}

static ph_vec3 vertical_torque(const ph_problem *p, double t, ph_mat3 R)
{
    (void)p;
    (void)t;
    double s;
    ph_vec3 b, g;
    const ph_vec3 c = vertical_force(R, &s, &b, &g);
    return cross(g, c);
}

static ph_problem vertical(void)
{
    ph_problem p = generic(0.0);
    p.name = "vertical";
    p.torque = vertical_torque;
    p.derivative = NULL; /* from differences */
    p.potential = NULL;
    return p;
}

static ph_problem free_body(void)
{
    ph_problem p = generic(0.0);
    p.name = "free";
    p.torque = NULL;
    p.derivative = NULL;
    p.potential = NULL;
    return p;
}

/* U = Q33, a triaxial top. */
static ph_vec3 top_torque(const ph_problem *p, double t, ph_mat3 R)
{
    (void)p;
    (void)t;
    return vec3(R.a[2][1], -R.a[2][0], 0);
}

static double top_potential(const ph_problem *p, ph_mat3 R)
{
    (void)p;
    return R.a[2][2];
}

static ph_problem heavy_top(void)
{
    return (ph_problem){
        .name = "top",
        .J = {1, 1.6, 2.2},
        .q = ph_exp(vec3(.4, -.3, .2)),
        .w = {0.5, -0.5, 0.5},
        .potential = top_potential,
        .torque = top_torque,
    };
}

/* ---- steps ----------------------------------------------------------------------- */

static ph_state start_of(const ph_problem *p)
{
    return (ph_state){p->q, times(p->J, p->w)};
}

static ph_state step(const ph_method *method, const ph_problem *p, ph_state s, double t,
                     double h)
{
    const ph_status status = method->step(method, p, &s, t, h);
    if (status != PH_OK)
        fail_msg("%s on %s: %s", method->name, p->name, ph_status_text(status));
    return s;
}

static ph_state steps(const ph_method *method, const ph_problem *p, double t, double h,
                      long n)
{
    ph_state s = start_of(p);
    for (long i = 0; i < n; i++)
        s = step(method, p, s, t + (double)i * h, h);
    return s;
}

static ph_integrator integrator_of(const char *name)
{
    ph_integrator i = {0};
    if (!ph_integrator_named(&i, name))
        fail_msg("there is no %s", name);
    return i;
}

/* One step of anything by its name. */
static ph_state by(const char *name, const ph_problem *p, ph_state s, double t, double h)
{
    const ph_integrator i = integrator_of(name);
    const ph_status status = ph_integrator_step(&i, p, &s, t, h);
    if (status != PH_OK)
        fail_msg("%s on %s: %s", name, p->name, ph_status_text(status));
    return s;
}

/* Largest difference of rotations and momenta, the latter in units of one. */
static double distance(ph_state a, ph_state b)
{
    const ph_mat3 P = ph_matrix(a.q), Q = ph_matrix(b.q);
    double worst = norm_max(sub(a.m, b.m)) / norm_max(b.m);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            worst = fmax(worst, fabs(P.a[i][j] - Q.a[i][j]));
    }
    return worst;
}

static void each_method(void (*test)(const ph_method *method))
{
    size_t count;
    const ph_method *const *methods = ph_methods(&count);
    assert_true(count > 0);
    for (size_t i = 0; i < count; i++)
        test(methods[i]);
}

/* ---- the catalog ----------------------------------------------------------------- */

static void check_descriptor(const ph_method *method)
{
    assert_ptr_equal(method, ph_method_named(method->name));
    assert_true(strlen(method->title) > 0 && strlen(method->cite) > 0);
    assert_true(method->order >= 1);
    assert_int_equal(0, method->keeps & ~method->keeps_free);
    assert_int_equal(0, method->keeps & (PH_CASIMIR | PH_ENERGY));
}

static void test_catalog(void **state)
{
    (void)state;
    each_method(check_descriptor);
    assert_null(ph_method_named("no such method"));
    static const char *const names[] = {
        "trap",    "imid",     "trapm",   "imidm",    "swc1",    "akw",
        "bbtrap",  "bbtrapwd", "eln",     "tln",      "eln_exp", "liemid",
        "tln_exp", "prk",      "prk_exp", "mcg",      "new3",    "vlv",
        "rattle",  "vlv_exp",  "saccon",  "mkrk_rk4", "mkrk_gl4"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (ph_method_named(names[i]) == NULL)
            fail_msg("there is no %s", names[i]);
    }
}

/* ---- the order ------------------------------------------------------------------- */

/* The state at the time 1, from two methods that share nothing. */
static ph_state reference_of(const ph_problem *p)
{
    const ph_integrator splitting = integrator_of("s6_10+exact");
    const long n = 400;
    const ph_state a = steps(ph_method_named("mkrk_gl6"), p, 0.0, 1.0 / (double)n, n);
    ph_state b = start_of(p);
    for (long i = 0; i < n; i++)
        assert_int_equal(PH_OK,
                         ph_integrator_step(&splitting, p, &b, (double)i / (double)n,
                                            1.0 / (double)n));
    assert_true(distance(a, b) < 1e-12);
    return a;
}

typedef ph_state stepper(const void *what, const ph_problem *p, ph_state s, double t,
                         double h);

/* The slope of the error between the two finest numbers of steps that resolve it; the
 * errors of a method whose order is wrong, too, fall with some slope. */
static double slope_of(stepper *one_step, const void *what, const ph_problem *p,
                       ph_state right)
{
    const double resolved = 3e-11;
    double coarse = 0.0, slope = 0.0;
    for (long n = 2; n <= 512; n *= 2) {
        const double h = 1.0 / (double)n;
        ph_state s = start_of(p);
        for (long i = 0; i < n; i++)
            s = one_step(what, p, s, (double)i * h, h);
        const double fine = distance(s, right);
        if (!(fine > resolved))
            break;
        slope = coarse > 0.0 ? log2(coarse / fine) : slope;
        coarse = fine;
    }
    return slope;
}

static ph_state method_step(const void *what, const ph_problem *p, ph_state s, double t,
                            double h)
{
    return step(what, p, s, t, h);
}

static void check_order(const ph_method *method)
{
    for (int changing = 0; changing < 2; changing++) {
        const ph_problem p = generic(changing ? 0.5 : 0.0);
        const double slope = slope_of(method_step, method, &p, reference_of(&p));
        if (!(fabs(slope - method->order) < (method->order < 5 ? 0.1 : 0.4)))
            fail_msg("%s: order %g measured, %d claimed%s", method->name, slope,
                     method->order, changing ? ", in a field that changes" : "");
    }
}

static void test_order(void **state)
{
    (void)state;
    each_method(check_order);
}

/* ---- what the papers print ------------------------------------------------------- */

/* K06 takes the torque of the midpoint at t_n + h/2, n being the end of the step. */
static ph_state late_step(const void *what, const ph_problem *p, ph_state s, double t,
                          double h)
{
    return step(what, p, s, t + h, h);
}

static void test_printed_midpoint_time(void **state)
{
    (void)state;
    const ph_problem p = generic(0.5);
    const ph_state right = reference_of(&p);
    static const char *const names[] = {"imid", "imidm", "swc1"};
    for (size_t i = 0; i < 3; i++)
        assert_true(fabs(slope_of(late_step, ph_method_named(names[i]), &p, right) - 1) <
                    0.1);
}

/* K06's stage line with the torque of the stage itself in every term: sum_j a_kj E_j
 * T_k. */
static ph_state printed_mkrk(const void *what, const ph_problem *p, ph_state s, double t,
                             double h)
{
    const tableau *table = what;
    ph_quat E[TABLEAU_STAGES];
    ph_vec3 u[TABLEAU_STAGES], T[TABLEAU_STAGES];
    for (int k = 0; k < table->stages; k++) {
        ph_vec3 x = {0, 0, 0}, m = s.m;
        for (int j = 0; j < k; j++)
            x = add(x, scale(h * table->a[k][j], u[j]));
        E[k] = ph_exp(x);
        T[k] = p->torque(p, t + table->c[k] * h, ph_matrix(mul(s.q, E[k])));
        for (int j = 0; j < k; j++)
            m = add(m, scale(h * table->a[k][j], rotate(E[j], T[k])));
        u[k] = ph_dexp_inverse(scale(-1, x), over(rotate(inverse(E[k]), m), p->J));
    }
    ph_vec3 x = {0, 0, 0}, m = s.m;
    for (int j = 0; j < table->stages; j++) {
        x = add(x, scale(h * table->b[j], u[j]));
        m = add(m, scale(h * table->b[j], rotate(E[j], T[j])));
    }
    return (ph_state){tidy(mul(s.q, ph_exp(x))), rotate(inverse(ph_exp(x)), m)};
}

static void test_printed_mkrk(void **state)
{
    (void)state;
    const tableau rk4 = {.stages = 4,
                         .a = {{0}, {1.0 / 2}, {0, 1.0 / 2}, {0, 0, 1}},
                         .b = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6},
                         .c = {0, 1.0 / 2, 1.0 / 2, 1}};
    const ph_problem p = generic(0.0);
    assert_true(fabs(slope_of(printed_mkrk, &rk4, &p, reference_of(&p)) - 2) < 0.1);
}

/* ---- time symmetry --------------------------------------------------------------- */

/* There and back, over random states. */
static double symmetry_defect(const ph_method *method, const ph_problem *p, double h)
{
    uint64_t seed = 5;
    double worst = 0.0;
    for (int i = 0; i < 20; i++) {
        const ph_vec3 x = {between(&seed, -1, 1), between(&seed, -1, 1),
                           between(&seed, -1, 1)},
                      m = {between(&seed, -2, 2), between(&seed, -2, 2),
                           between(&seed, 1, 2)};
        const ph_state s = {ph_exp(x), m};
        const ph_state there = step(method, p, s, 0.2, h);
        worst = fmax(worst, distance(step(method, p, there, 0.2 + h, -h), s));
    }
    return worst;
}

static void check_symmetry(const ph_method *method)
{
    const ph_problem fields[] = {generic(0.5), free_body()};
    for (size_t i = 0; i < 2; i++) {
        const unsigned keeps = i == 0 ? method->keeps : method->keeps_free;
        const double small = symmetry_defect(method, &fields[i], 0.1),
                     large = symmetry_defect(method, &fields[i], 0.4);
        if (keeps & PH_SYMMETRIC ? !(small < 1e-11) : !(large > 1e-8))
            fail_msg("%s on %s: symmetry defect %g, %g", method->name, fields[i].name,
                     small, large);
    }
}

static void test_symmetry(void **state)
{
    (void)state;
    each_method(check_symmetry);
}

/* ---- structure ------------------------------------------------------------------- */

/* A step of 0.4 of a method on a problem, as tangent.h wants it. */
typedef struct one_method {
    const ph_method *method;
    const ph_problem *p;
} one_method;

static ph_state step_of(const void *context, ph_state s)
{
    const one_method *one = context;
    return step(one->method, one->p, s, 0.0, 0.4);
}

/* The worst over random states. */
static tangent_defects structure_of(const ph_method *method, const ph_problem *p)
{
    uint64_t seed = 13;
    tangent_defects worst = {0, 0};
    const one_method one = {method, p};
    for (int i = 0; i < 20; i++) {
        const ph_vec3 x = {between(&seed, -1, 1), between(&seed, -1, 1),
                           between(&seed, -1, 1)},
                      m = {between(&seed, -1, 1), between(&seed, -1, 1),
                           between(&seed, -1, 1)};
        const tangent_defects d =
            tangent_defects_of(step_of, &one, (ph_state){ph_exp(x), m});
        worst.symplectic = fmax(worst.symplectic, d.symplectic);
        worst.poisson = fmax(worst.poisson, d.poisson);
    }
    return worst;
}

static void check_claim(const ph_method *method, const ph_problem *p, const char *what,
                        bool claimed, double defect, double kept, double plain)
{
    if (claimed ? !(defect < kept) : !(defect > plain))
        fail_msg("%s on %s: %s %sclaimed, defect %g", method->name, p->name, what,
                 claimed ? "" : "not ", defect);
}

static void check_structure(const ph_method *method)
{
    const double kept = 2e-11, plain = 2e-10;
    const ph_problem field = generic(0.0), none = free_body();
    const tangent_defects in_field = structure_of(method, &field),
                          alone = structure_of(method, &none);
    check_claim(method, &field, "symplectic", method->keeps & PH_SYMPLECTIC,
                in_field.symplectic, kept, plain);
    check_claim(method, &none, "symplectic", method->keeps_free & PH_SYMPLECTIC,
                alone.symplectic, kept, plain);
    check_claim(method, &none, "poisson", method->keeps_free & PH_POISSON, alone.poisson,
                kept, plain);
    if (method->keeps & PH_POISSON) /* in a field only as a part of the whole structure */
        assert_true(method->keeps & PH_SYMPLECTIC);
}

static void test_structure(void **state)
{
    (void)state;
    each_method(check_structure);
}

/* ---- invariants ------------------------------------------------------------------ */

typedef struct invariants {
    double energy, casimir, vertical; /* vertical: momentum in space about e3 */
    double momentum;                  /* all of it */
} invariants;

/* How far the invariants move over n steps. */
static invariants drift_of(const ph_method *method, const ph_problem *p, double h, long n)
{
    ph_state s = start_of(p);
    const double energy = ph_problem_energy(p, &s), casimir = norm(s.m);
    const ph_vec3 momentum = ph_space_momentum(&s);
    invariants worst = {0, 0, 0, 0};
    for (long i = 0; i < n; i++) {
        s = step(method, p, s, (double)i * h, h);
        const ph_vec3 moved = sub(ph_space_momentum(&s), momentum);
        worst.energy = fmax(worst.energy, fabs(ph_problem_energy(p, &s) - energy));
        worst.casimir = fmax(worst.casimir, fabs(norm(s.m) - casimir));
        worst.vertical = fmax(worst.vertical, fabs(moved.z));
        worst.momentum = fmax(worst.momentum, norm(moved));
    }
    return worst;
}

static void check_invariants(const ph_method *method)
{
    const double kept = 1e-13, plain = 1e-11, h = 0.2;
    const long n = 40;
    const ph_problem none = free_body(), axis = vertical();
    const invariants alone = drift_of(method, &none, h, n),
                     about = drift_of(method, &axis, h, n);
    check_claim(method, &none, "energy", method->keeps_free & PH_ENERGY, alone.energy,
                kept, plain);
    check_claim(method, &none, "casimir", method->keeps_free & PH_CASIMIR, alone.casimir,
                kept, plain);
    check_claim(method, &none, "momentum", method->keeps_free & PH_MOMENTUM,
                alone.momentum, kept, plain);
    check_claim(method, &axis, "momentum", method->keeps & PH_MOMENTUM, about.vertical,
                kept, plain);
}

static void test_invariants(void **state)
{
    (void)state;
    each_method(check_invariants);
}

/* K06 section 4: for the heavy top akw keeps energy and vertical momentum, triaxial or
 * not. Section 3.5: trap keeps the energy of the free body at its midpoints. */
static void test_krysl_invariants(void **state)
{
    (void)state;
    const ph_problem top = heavy_top(), none = free_body();
    const invariants d = drift_of(ph_method_named("akw"), &top, 0.2, 500);
    assert_true(d.energy < 1e-12 && d.vertical < 1e-12);
    ph_state s = start_of(&none);
    const ph_state first = by("lie_euler_forward", &none, s, 0.0, 0.1);
    const double energy = ph_problem_energy(&none, &first);
    for (int i = 0; i < 200; i++) {
        s = by("trap", &none, s, 0.0, 0.2);
        const ph_state middle = by("lie_euler_forward", &none, s, 0.0, 0.1);
        assert_true(fabs(ph_problem_energy(&none, &middle) - energy) < 1e-12);
    }
}

/* ---- any scale, any failure ------------------------------------------------------ */

static void check_scale(const ph_method *method)
{
    static const struct {
        double inertia, time;
    } units[] = {{1e-46, 1e-13}, {1e40, 1e9}};
    for (int field = 0; field < 2; field++) {
        const ph_problem p = field ? generic(0.0) : free_body();
        const ph_state s = steps(method, &p, 0.0, 0.1, 10);
        for (size_t k = 0; k < 2; k++) {
            const double I = units[k].inertia, t = units[k].time;
            ph_problem scaled = p;
            scaled.J = scale(I, p.J);
            scaled.w = scale(1 / t, p.w);
            scaled.value[0] = p.value[0] * (I / t / t);
            ph_state other = steps(method, &scaled, 0.0, 0.1 * t, 10);
            other.m = scale(1.0 / (I / t), other.m);
            if (!(distance(other, s) < 1e-12))
                fail_msg("%s: not the same at moments of %g: %g", method->name, I,
                         distance(other, s));
        }
    }
}

static void check_without_derivative(const ph_method *method)
{
    const ph_problem p = generic(0.5);
    ph_problem other = p;
    other.derivative = NULL;
    assert_true(distance(steps(method, &p, 0.0, 0.1, 10),
                         steps(method, &other, 0.0, 0.1, 10)) < 1e-12);
}

/* A body at rest stays there without torque and starts to turn with it; a step of no time
 * does nothing. */
static void check_rest(const ph_method *method)
{
    ph_problem none = free_body(), p = generic(0.0);
    none.w = vec3(0, 0, 0);
    const ph_state rest = start_of(&none), after = step(method, &none, rest, 0.0, 0.1);
    assert_true(norm_max(after.m) == 0.0 &&
                norm_max(vec(mul(inverse(rest.q), after.q))) < 1e-15);
    p.w = vec3(0, 0, 0);
    assert_true(norm_max(step(method, &p, start_of(&p), 0.0, 0.1).m) > 0.01);
    const ph_problem moving = generic(0.0);
    const ph_state s = start_of(&moving);
    assert_true(distance(step(method, &moving, s, 0.0, 0.0), s) < 1e-15);
}

static void test_any_scale(void **state)
{
    (void)state;
    each_method(check_scale);
    each_method(check_without_derivative);
    each_method(check_rest);
}

static ph_vec3 no_torque_there(const ph_problem *p, double t, ph_mat3 R)
{
    (void)p;
    (void)t;
    (void)R;
    return vec3(0, NAN, 0);
}

static void check_failure(const ph_method *method)
{
    ph_problem fields[] = {generic(0.0), free_body()};
    static const double huge[] = {30.0, 1e3, 1e10, 1e150, 1e300, 1.7e308, INFINITY, NAN};
    for (size_t i = 0; i < 2; i++) {
        const ph_state start = start_of(&fields[i]);
        for (size_t k = 0; k < sizeof huge / sizeof huge[0]; k++) {
            ph_state s = start;
            if (method->step(method, &fields[i], &s, 0.0, huge[k]) != PH_OK)
                assert_memory_equal(&start, &s, sizeof s);
            else
                assert_true(finite4(s.q) && finite3(s.m) && isfinite(huge[k]));
        }
    }
    fields[0].torque = no_torque_there;
    fields[0].derivative = NULL;
    const ph_state start = start_of(&fields[0]);
    ph_state s = start;
    const ph_status status = method->step(method, &fields[0], &s, 0.0, 0.1);
    if (status != PH_NOT_FINITE)
        fail_msg("%s: %s", method->name, ph_status_text(status));
    assert_memory_equal(&start, &s, sizeof s);
}

static void test_failure(void **state)
{
    (void)state;
    each_method(check_failure);
}

/* ---- the first steps ------------------------------------------------------------- */

static double number(const json_t *text)
{
    return strtod(json_string_value(text), NULL);
}

/* The name of an integrator here for its name in the file. */
static const char *name_here(const char *name, char *lower, size_t size)
{
    static const char *const other[][2] = {
        {"LIEMID[EA]", "liemid"},         {"MCG(corr)", "mcg"},
        {"VMID(Saccon)", "saccon"},       {"RATTLE/DMV", "rattle"},
        {"MR/McL2", "verlet+mr"},         {"MKRK-RK4", "mkrk_rk4"},
        {"Verlet+exact", "verlet+exact"}, {"MKRK-GL4", "mkrk_gl4"}};
    for (size_t i = 0; i < sizeof other / sizeof other[0]; i++) {
        if (strcmp(name, other[i][0]) == 0)
            return other[i][1];
    }
    size_t i = 0;
    for (; name[i] != '\0' && i + 1 < size; i++)
        lower[i] =
            name[i] >= 'A' && name[i] <= 'Z' ? (char)(name[i] - 'A' + 'a') : name[i];
    lower[i] = '\0';
    return lower;
}

/* tests/vectors/steps.json: binary128, equations solved to 1e-33. */
static void test_first_steps(void **state)
{
    (void)state;
    const ph_problem p = heavy_top();
    json_error_t error;
    json_t *file = json_load_file(TEST_DATA "/steps.json", 0, &error);
    assert_non_null(file);
    size_t index, compared = 0;
    json_t *record;
    json_array_foreach(json_object_get(file, "records"), index, record)
    {
        const char *problem = json_string_value(json_object_get(record, "problem"));
        if (strcmp(problem, "heavytop_Q33") != 0)
            continue;
        char lower[32];
        const char *name = name_here(json_string_value(json_object_get(record, "method")),
                                     lower, sizeof lower);
        const double h = number(json_object_get(record, "h"));
        const long n = (long)json_integer_value(json_object_get(record, "n"));
        ph_state s = start_of(&p);
        for (long i = 0; i < n; i++)
            s = by(name, &p, s, (double)i * h, h);
        const ph_mat3 R = ph_matrix(s.q);
        const double m[3] = {s.m.x, s.m.y, s.m.z};
        double worst = 0;
        for (size_t i = 0; i < 3; i++) {
            const json_t *Pi = json_object_get(record, "Pi"),
                         *elements = json_object_get(record, "R");
            worst = fmax(worst, fabs(m[i] - number(json_array_get(Pi, i))));
            for (size_t j = 0; j < 3; j++)
                worst = fmax(
                    worst, fabs(R.a[i][j] - number(json_array_get(elements, 3 * i + j))));
        }
        if (!(worst < 1e-12))
            fail_msg("%s: off by %g after %ld steps", name, worst, n);
        compared++;
    }
    json_decref(file);
    assert_int_equal(50, compared);
}

/* ---- identities ------------------------------------------------------------------ */

static const double H = 0.15;

static void assert_same(const char *what, ph_state a, ph_state b)
{
    if (!(distance(a, b) < 1e-13))
        fail_msg("%s: not the same, %g", what, distance(a, b));
}

static ph_state kick(const ph_problem *p, ph_state s, double t, double h)
{
    s.m = add(s.m, scale(h, p->torque(p, t, ph_matrix(s.q))));
    return s;
}

static void test_identities_free(void **state)
{
    (void)state;
    const ph_problem p = free_body();
    static const char *const pairs[][2] = {{"mcg", "imidm"},    {"prk", "akw"},
                                           {"new3", "trapm"},   {"swc1", "bbtrap"},
                                           {"prk_exp", "imid"}, {"rattle", "dmv2"}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        const ph_state s = start_of(&p);
        assert_same(pairs[i][0], by(pairs[i][0], &p, s, 0, H),
                    by(pairs[i][1], &p, s, 0, H));
    }
    const ph_state s = start_of(&p), half = by("mcg", &p, s, 0, H / 2);
    assert_same("liemid", by("liemid", &p, s, 0, H), by("mcg", &p, half, 0, H / 2));
    /* a Moser-Veselov step is one of akw over another time, h* = h (1 + h*^2 |w'|^2/4) */
    const ph_state dmv = by("dmv2", &p, s, 0, H);
    double other = H;
    for (int i = 0; i < 60; i++) {
        const ph_state akw = by("akw", &p, s, 0, other);
        const ph_vec3 w = over(scale(0.5, add(s.m, akw.m)), p.J);
        other = H * (1 + other * other * dot(w, w) / 4);
    }
    assert_same("dmv2", dmv, by("akw", &p, s, 0, other));
}

/* Kick, a free step, kick: with a torque that changes with time. */
static void test_identities_kicks(void **state)
{
    (void)state;
    const ph_problem p = generic(0.5), none = free_body();
    const double t = 0.3;
    static const char *const pairs[][2] = {
        {"mcg", "imidm"}, {"prk", "akw"}, {"rattle", "dmv2"}};
    const ph_state s = start_of(&p), begun = kick(&p, s, t, H / 2);
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        const ph_state moved = by(pairs[i][1], &none, begun, t, H);
        assert_same(pairs[i][0], by(pairs[i][0], &p, s, t, H),
                    kick(&p, moved, t + H, H / 2));
    }
    const ph_state first = by("imidm", &none, begun, t, H / 2),
                   second = by("imidm", &none, first, t, H / 2);
    assert_same("liemid", by("liemid", &p, s, t, H), kick(&p, second, t + H, H / 2));
    assert_same("verlet+dmv2", by("rattle", &p, s, t, H), by("verlet+dmv2", &p, s, t, H));
}

/* Compositions of Euler steps, and the conjugacies that follow. */
static void test_identities_euler(void **state)
{
    (void)state;
    const ph_problem p = generic(0.5);
    const double t = 0.3, half = H / 2;
    static const struct {
        const char *forward, *backward, *trapezoid, *midpoint;
    } rows_of[] = {{"lie_euler_forward", "lie_euler_backward", "trap", "imid"},
                   {"lie_euler_forwardm", "lie_euler_backwardm", "trapm", "imidm"}};
    for (size_t i = 0; i < 2; i++) {
        const char *forward = rows_of[i].forward, *backward = rows_of[i].backward,
                   *trapezoid = rows_of[i].trapezoid, *midpoint = rows_of[i].midpoint;
        const ph_state s = start_of(&p), f = by(forward, &p, s, t, half),
                       b = by(backward, &p, s, t, half),
                       whole = by(trapezoid, &p, s, t, H);
        assert_same(trapezoid, whole, by(backward, &p, f, t + half, half));
        assert_same(midpoint, by(midpoint, &p, s, t, H),
                    by(forward, &p, b, t + half, half));
        assert_same("conjugate", by(forward, &p, whole, t + H, half),
                    by(midpoint, &p, f, t + half, H));
        assert_same("adjoint", s, by(backward, &p, f, t + half, -half));
    }
    /* chi: R -> R exp(h/2 w), m -> exp(-h/2 w) m, then a kick; chi new3 = mcg chi */
    const ph_problem still = generic(0.0);
    ph_state before = start_of(&still), after = by("new3", &still, before, 0, H);
    ph_state *const both[] = {&before, &after};
    for (size_t i = 0; i < 2; i++) {
        ph_state *s = both[i];
        const ph_quat turn = ph_exp(scale(half, over(s->m, still.J)));
        *s = (ph_state){mul(s->q, turn), rotate(inverse(turn), s->m)};
        *s = kick(&still, *s, 0, half);
    }
    assert_same("new3 and mcg", after, by("mcg", &still, before, 0, H));
}

/* Methods that are Munthe-Kaas with another tableau. */
static void test_identities_mkrk(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        tableau table;
    } all[] = {
        {"lie_euler_forwardm", {.stages = 1, .b = {1}}},
        {"lie_euler_backwardm", {.stages = 1, .a = {{1}}, .b = {1}, .c = {1}}},
        {"imidm", {.stages = 1, .a = {{0.5}}, .b = {1}, .c = {0.5}}},
        {"bbtrapwd", {.stages = 2, .a = {{0}, {0.5, 0.5}}, .b = {0.5, 0.5}, .c = {0, 1}}},
    };
    const ph_problem p = generic(0.5);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        const ph_state s = start_of(&p);
        ph_state next = s;
        assert_int_equal(PH_OK, ph_munthe_kaas_step(&all[i].table, &p, &next, 0.3, H));
        assert_same(all[i].name, by(all[i].name, &p, s, 0.3, H), next);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_catalog),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_printed_midpoint_time),
        cmocka_unit_test(test_printed_mkrk),
        cmocka_unit_test(test_symmetry),
        cmocka_unit_test(test_structure),
        cmocka_unit_test(test_invariants),
        cmocka_unit_test(test_krysl_invariants),
        cmocka_unit_test(test_any_scale),
        cmocka_unit_test(test_failure),
        cmocka_unit_test(test_first_steps),
        cmocka_unit_test(test_identities_free),
        cmocka_unit_test(test_identities_kicks),
        cmocka_unit_test(test_identities_euler),
        cmocka_unit_test(test_identities_mkrk),
    };
    return cmocka_run_group_tests_name("methods", tests, NULL, NULL);
}
