/* test_methods.c - every method of the catalog: its order in a field, in one that changes
 * with time too; that it keeps what its descriptor claims, in a field and without, and
 * nothing else; what it does at any scale and where it fails; its first steps to all
 * digits. */
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/extremes.h"
#include "integrators/tableau.h"
#include "lab/measure/properties.h"
#include "motion/vec.h"
#include "support/claims.h"
#include "support/generic.h"
#include "support/page.h"
#include "support/random.h"
#include "support/stepping.h"
#include "system/find.h"

/* ---- steps ----------------------------------------------------------------------- */

static ph_state step(const ph_method *method, const ph_problem *p, ph_state s, double t, double h)
{
    const ph_status status = method->step(method, p, &s, t, h);
    if (status != PH_OK)
        fail_msg("%s on %s: %s", method->name, p->name, ph_status_text(status));
    return s;
}

static ph_state steps(const ph_method *method, const ph_problem *p, double t, double h, long n)
{
    ph_state s = ph_problem_start(p);
    for (long i = 0; i < n; i++)
        s = step(method, p, s, t + (double)i * h, h);
    return s;
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
    assert_true(strlen(method->title) > 0 && strlen(method->cite) > 0);
    assert_true(method->order >= 1);
    assert_int_equal(0, method->keeps & ~method->keeps_free);
}

static void test_catalog(void **state)
{
    (void)state;
    each_method(check_descriptor);
}

/* ---- the order ------------------------------------------------------------------- */

/* What errors are measured from, against a method that shares nothing with it. */
static void test_converged(void **state)
{
    (void)state;
    const ph_problem *const fields[] = {&ph_problem_generic, &timed_problem};
    for (size_t i = 0; i < 2; i++) {
        const long n = 400;
        const ph_state a = steps(find_method("mkrk_gl6"), fields[i], 0.0, 1.0 / (double)n, n);
        ph_state b = ph_problem_start(fields[i]);
        assert_int_equal(PH_OK, ph_reference_solution(fields[i], 1.0, &b));
        assert_true(relative_distance(a, b) < 1e-13);
    }
}

static double slope_of(const ph_method *method, const ph_problem *p)
{
    const ph_integrator i = {.method = method};
    double slope = NAN;
    assert_int_equal(PH_OK, ph_order_slope(&i, p, 1.0, &slope, NULL));
    return slope;
}

static void check_order(const ph_method *method)
{
    for (int changing = 0; changing < 2; changing++) {
        const ph_problem p = changing ? timed_problem : ph_problem_generic;
        const double slope = slope_of(method, &p);
        if (!(fabs(slope - method->order) < (method->order < 5 ? 0.1 : 0.4)))
            fail_msg("%s: order %g measured, %d claimed%s", method->name, slope, method->order,
                     changing ? ", in a field that changes" : "");
    }
}

static void test_order(void **state)
{
    (void)state;
    each_method(check_order);
}

/* ---- what the papers print ------------------------------------------------------- */

/* K06 takes the torque of the midpoint at t_n + h/2, n being the end of the step. */
static ph_status late_step(const ph_method *method, const ph_problem *p, ph_state *s, double t,
                           double h)
{
    const ph_method *right = find_method(method->name);
    return right->step(right, p, s, t + h, h);
}

static void test_printed_midpoint_time(void **state)
{
    (void)state;
    static const char *const names[] = {"imid", "imidm", "swc1"};
    for (size_t i = 0; i < 3; i++) {
        const ph_method late = {.name = names[i], .step = late_step};
        assert_true(fabs(slope_of(&late, &timed_problem) - 1) < 0.1);
    }
    const ph_method imid = {.name = "imid", .step = late_step};
    const ph_integrator printed = {.method = &imid}, right = {.method = find_method("imid")};
    double errors[2] = {NAN, NAN};
    assert_int_equal(PH_OK, ph_error_after(&printed, &timed_problem, 1, 128, &errors[0]));
    assert_int_equal(PH_OK, ph_error_after(&right, &timed_problem, 1, 128, &errors[1]));
    page_says("errata.md", "order 1 as printed (IMID: %.1e at h = 1/128), 2 corrected (%.1e)",
              errors[0], errors[1]);
}

/* K06's stage line with the torque of the stage itself in every term: sum_j a_kj E_j
 * T_k. */
static ph_status printed_mkrk(const ph_method *method, const ph_problem *p, ph_state *at, double t,
                              double h)
{
    (void)method;
    static const tableau RK4 = {.stages = 4,
                                .a = {{0}, {1.0 / 2}, {0, 1.0 / 2}, {0, 0, 1}},
                                .b = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6},
                                .c = {0, 1.0 / 2, 1.0 / 2, 1}};
    const tableau *table = &RK4;
    const ph_state s = *at;
    ph_quat E[TABLEAU_STAGES];
    ph_vec3 u[TABLEAU_STAGES], T[TABLEAU_STAGES];
    for (int k = 0; k < table->stages; k++) {
        ph_vec3 x = {0, 0, 0}, m = s.m;
        for (int j = 0; j < k; j++)
            x = add(x, scale(h * table->a[k][j], u[j]));
        E[k] = ph_rotation_exp(x);
        T[k] = p->torque(p, AT(t + table->c[k] * h, ph_quat_matrix(mul(s.q, E[k]))));
        for (int j = 0; j < k; j++)
            m = add(m, scale(h * table->a[k][j], rotate(E[j], T[k])));
        u[k] = ph_dexp_inverse(scale(-1, x), over(rotate(inverse(E[k]), m), p->body.J));
    }
    ph_vec3 x = {0, 0, 0}, m = s.m;
    for (int j = 0; j < table->stages; j++) {
        x = add(x, scale(h * table->b[j], u[j]));
        m = add(m, scale(h * table->b[j], rotate(E[j], T[j])));
    }
    *at = (ph_state){renormalize(mul(s.q, ph_rotation_exp(x))),
                     rotate(inverse(ph_rotation_exp(x)), m)};
    return PH_OK;
}

static void test_printed_mkrk(void **state)
{
    (void)state;
    const ph_method printed = {.name = "printed", .step = printed_mkrk};
    assert_true(fabs(slope_of(&printed, &ph_problem_generic) - 2) < 0.1);
}

/* ---- time symmetry --------------------------------------------------------------- */

/* There and back, over random states. */
static double symmetry_defect(const ph_method *method, const ph_problem *p, double h)
{
    uint64_t seed = 5;
    double worst = 0.0;
    for (int i = 0; i < 20; i++) {
        const ph_vec3 x = random_vector(&seed, -1, 1), y = random_vector(&seed, -2, 2),
                      m = {y.x, y.y, 1.0 + fabs(y.z)};
        const ph_state s = {ph_rotation_exp(x), m};
        const ph_integrator one = {.method = method};
        double defect = NAN;
        assert_int_equal(PH_OK, ph_symmetry_defect(&one, p, &s, h, &defect));
        worst = larger_or_nan(worst, defect);
    }
    return worst;
}

/* In a field and without torque. */
static measured_properties in_fields, without_torque;

static void check_symmetry(const ph_method *method)
{
    const ph_problem fields[] = {timed_problem, free_problem};
    for (size_t i = 0; i < 2; i++) {
        const unsigned keeps = i == 0 ? method->keeps : method->keeps_free;
        const double small = symmetry_defect(method, &fields[i], 0.1),
                     large = symmetry_defect(method, &fields[i], 0.4);
        check_property(i == 0 ? &in_fields : &without_torque, method->name, fields[i].name, keeps,
                       (property_defects){PH_SYMMETRIC, small, 1e-11, large, 1e-8});
    }
}

static void test_symmetry(void **state)
{
    (void)state;
    each_method(check_symmetry);
}

/* ---- structure ------------------------------------------------------------------- */

/* The worst of steps of 0.4 over random states. */
static ph_structure_defects structure_of(const ph_method *method, const ph_problem *p)
{
    uint64_t seed = 13;
    ph_structure_defects worst = {0, 0};
    const ph_integrator one = {.method = method};
    for (int i = 0; i < 20; i++) {
        const ph_vec3 x = random_vector(&seed, -1, 1), m = random_vector(&seed, -1, 1);
        const ph_state s = {ph_rotation_exp(x), m};
        ph_structure_defects d;
        assert_int_equal(PH_OK, ph_measure_structure(&one, p, &s, 0.4, &d));
        worst.symplectic = larger_or_nan(worst.symplectic, d.symplectic);
        worst.poisson = larger_or_nan(worst.poisson, d.poisson);
    }
    return worst;
}

static void check_in_field(const ph_method *method, const ph_problem *p, unsigned bit,
                           double defect, double kept, double plain)
{
    check_property(&in_fields, method->name, p->name, method->keeps,
                   (property_defects){bit, defect, kept, defect, plain});
}

static void check_free(const ph_method *method, const ph_problem *p, unsigned bit, double defect,
                       double kept, double plain)
{
    check_property(&without_torque, method->name, p->name, method->keeps_free,
                   (property_defects){bit, defect, kept, defect, plain});
}

static void check_structure(const ph_method *method)
{
    const double kept = 2e-11, plain = 2e-10;
    const ph_problem field = ph_problem_generic, none = free_problem;
    const ph_structure_defects in_field = structure_of(method, &field),
                               alone = structure_of(method, &none);
    check_in_field(method, &field, PH_SYMPLECTIC, in_field.symplectic, kept, plain);
    /* in a field only as a part of the whole structure */
    check_in_field(method, &field, PH_POISSON, in_field.symplectic, kept, plain);
    check_free(method, &none, PH_SYMPLECTIC, alone.symplectic, kept, plain);
    check_free(method, &none, PH_POISSON, alone.poisson, kept, plain);
}

static void test_structure(void **state)
{
    (void)state;
    each_method(check_structure);
}

/* ---- invariants ------------------------------------------------------------------ */

/* How far the invariants move over n steps. */
static ph_invariant_errors drift_of(const ph_method *method, const ph_problem *p, double h,
                                    uint64_t n)
{
    const ph_integrator i = {.method = method};
    ph_invariant_errors e;
    assert_int_equal(PH_OK, ph_measure_invariants(&i, p, h, n, &e));
    return e;
}

static void check_invariants(const ph_method *method)
{
    const double kept = 1e-13, plain = 1e-11, h = 0.2;
    const uint64_t n = 40;
    ph_problem none = free_problem, axis = ph_problem_vertical;
    axis.derivative = NULL; /* then by differences */
    const ph_invariant_errors alone = drift_of(method, &none, h, n),
                              about = drift_of(method, &axis, h, n);
    check_free(method, &none, PH_ENERGY, alone.energy, kept, plain);
    check_free(method, &none, PH_CASIMIR, alone.casimir, kept, plain);
    check_free(method, &none, PH_MOMENTUM, alone.momentum, kept, plain);
    check_in_field(method, &axis, PH_MOMENTUM, about.vertical, kept, plain);
}

static void test_invariants(void **state)
{
    (void)state;
    each_method(check_invariants);
}

/* After the tests above: no method claims what they do not measure, as energy and casimir
 * in a field. */
static void check_only(const ph_method *method)
{
    check_only_measured(&in_fields, method->name, method->keeps);
    check_only_measured(&without_torque, method->name, method->keeps_free);
}

static void test_only_measured(void **state)
{
    (void)state;
    each_method(check_only);
}

/* K06 section 4: for the heavy top akw keeps energy and vertical momentum, triaxial or
 * not. Section 3.5: trap keeps the energy of the free body at its midpoints. */
static void test_krysl_invariants(void **state)
{
    (void)state;
    const ph_problem top = *find_problem("heavy_top"), none = free_problem;
    const ph_invariant_errors d = drift_of(find_method("akw"), &top, 0.2, 500);
    assert_true(d.energy < 1e-12 && d.vertical < 1e-12);
    ph_state s = ph_problem_start(&none);
    const ph_state first = by("lie_euler_forward", &none, s, 0.0, 0.1);
    const double energy = ph_problem_energy(&none, 0.0, &first);
    for (int i = 0; i < 200; i++) {
        s = by("trap", &none, s, 0.0, 0.2);
        const ph_state middle = by("lie_euler_forward", &none, s, 0.0, 0.1);
        assert_true(fabs(ph_problem_energy(&none, 0.0, &middle) - energy) < 1e-12);
    }
}

/* ---- any scale, any failure ------------------------------------------------------ */

static void check_scale(const ph_method *method)
{
    static const struct {
        double inertia, time;
    } units[] = {{1e-46, 1e-13}, {1e40, 1e9}};
    for (int field = 0; field < 2; field++) {
        const ph_problem p = field ? *find_problem("heavy_top") : free_problem;
        const int strength = 0; /* the place of its parameter */
        const ph_state s = steps(method, &p, 0.0, 0.1, 10);
        for (size_t k = 0; k < 2; k++) {
            const double I = units[k].inertia, t = units[k].time;
            ph_problem scaled = p;
            scaled.body.J = scale(I, p.body.J);
            scaled.w = scale(1 / t, p.w);
            scaled.value[strength] = p.value[strength] * (I / t / t);
            ph_state other = steps(method, &scaled, 0.0, 0.1 * t, 10);
            other.m = scale(1.0 / (I / t), other.m);
            if (!(relative_distance(other, s) < 1e-12))
                fail_msg("%s: not the same at moments of %g: %g", method->name, I,
                         relative_distance(other, s));
        }
    }
}

static void check_without_derivative(const ph_method *method)
{
    const ph_problem p = timed_problem;
    ph_problem other = p;
    other.derivative = NULL;
    assert_true(relative_distance(steps(method, &p, 0.0, 0.1, 10),
                                  steps(method, &other, 0.0, 0.1, 10)) < 1e-12);
}

/* A body at rest stays there without torque and starts to turn with it; a step of no time
 * does nothing. */
static void check_rest(const ph_method *method)
{
    ph_problem none = free_problem, p = ph_problem_generic;
    none.w = vec3(0, 0, 0);
    const ph_state rest = ph_problem_start(&none), after = step(method, &none, rest, 0.0, 0.1);
    assert_true(norm_max(after.m) == 0.0 && norm_max(vec(mul(inverse(rest.q), after.q))) < 1e-15);
    p.w = vec3(0, 0, 0);
    assert_true(norm_max(step(method, &p, ph_problem_start(&p), 0.0, 0.1).m) > 0.01);
    const ph_problem moving = ph_problem_generic;
    const ph_state s = ph_problem_start(&moving);
    assert_true(relative_distance(step(method, &moving, s, 0.0, 0.0), s) < 1e-15);
}

static void test_any_scale(void **state)
{
    (void)state;
    each_method(check_scale);
    each_method(check_without_derivative);
    each_method(check_rest);
}

static ph_vec3 no_torque_there(const ph_problem *p, const ph_instant *now)
{
    (void)p, (void)now;
    return vec3(0, NAN, 0);
}

static void check_failure(const ph_method *method)
{
    ph_problem fields[] = {ph_problem_generic, free_problem};
    static const double huge[] = {30.0, 1e3, 1e10, 1e150, 1e300, 1.7e308, INFINITY, NAN};
    for (size_t i = 0; i < 2; i++) {
        const ph_state start = ph_problem_start(&fields[i]);
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
    const ph_state start = ph_problem_start(&fields[0]);
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
        {"LIEMID[EA]", "liemid"},         {"MCG(corr)", "mcg"},     {"VMID(Saccon)", "saccon"},
        {"RATTLE/DMV", "rattle"},         {"MR/McL2", "verlet+mr"}, {"MKRK-RK4", "mkrk_rk4"},
        {"Verlet+exact", "verlet+exact"}, {"MKRK-GL4", "mkrk_gl4"}};
    for (size_t i = 0; i < sizeof other / sizeof other[0]; i++) {
        if (strcmp(name, other[i][0]) == 0)
            return other[i][1];
    }
    size_t i = 0;
    for (; name[i] != '\0' && i + 1 < size; i++)
        lower[i] = name[i] >= 'A' && name[i] <= 'Z' ? (char)(name[i] - 'A' + 'a') : name[i];
    lower[i] = '\0';
    return lower;
}

/* tests/vectors/steps.json: binary128, equations solved to 1e-33. */
static void test_first_steps(void **state)
{
    (void)state;
    const ph_problem p = *find_problem("heavy_top");
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
        const char *name =
            name_here(json_string_value(json_object_get(record, "method")), lower, sizeof lower);
        const double h = number(json_object_get(record, "h"));
        const long n = (long)json_integer_value(json_object_get(record, "n"));
        ph_state s = ph_problem_start(&p);
        for (long i = 0; i < n; i++)
            s = by(name, &p, s, (double)i * h, h);
        const ph_mat3 R = ph_quat_matrix(s.q);
        const double m[3] = {s.m.x, s.m.y, s.m.z};
        double worst = 0;
        for (size_t i = 0; i < 3; i++) {
            const json_t *Pi = json_object_get(record, "Pi"),
                         *elements = json_object_get(record, "R");
            worst = larger_or_nan(worst, fabs(m[i] - number(json_array_get(Pi, i))));
            for (size_t j = 0; j < 3; j++)
                worst = larger_or_nan(
                    worst, fabs(R.a[i][j] - number(json_array_get(elements, 3 * i + j))));
        }
        if (!(worst < 1e-12))
            fail_msg("%s: off by %g after %ld steps", name, worst, n);
        compared++;
    }
    json_decref(file);
    assert_int_equal(50, compared);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_catalog),       cmocka_unit_test(test_converged),
        cmocka_unit_test(test_order),         cmocka_unit_test(test_printed_midpoint_time),
        cmocka_unit_test(test_printed_mkrk),  cmocka_unit_test(test_symmetry),
        cmocka_unit_test(test_structure),     cmocka_unit_test(test_invariants),
        cmocka_unit_test(test_only_measured), cmocka_unit_test(test_krysl_invariants),
        cmocka_unit_test(test_any_scale),     cmocka_unit_test(test_failure),
        cmocka_unit_test(test_first_steps),
    };
    return cmocka_run_group_tests_name("methods", tests, NULL, NULL);
}
