/* references.c - reads the reference solutions by jansson. */
#include "support/references.h"
#include "base/extremes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "kinds/spheres/spheres_list.h"
#include "motion/vec.h"
#include "system/find.h"

/* ---- which problem a record is of ------------------------------------------------ */

static const struct {
    const char *id, *problem; /* the id begins with this */
    bool flipped;             /* the potential with the opposite sign */
} KNOWN[] = {
    {"krysl_free", "krysl_free", false},     {"krysl_slowtop", "slow_top", false},
    {"krysl_fasttop", "fast_top", false},    {"krysl_softwall", "soft_wall", false},
    {"softwall_flipped", "soft_wall", true}, {"ortolan_sympl", "well", false},
    {"heavytop_Q33", "heavy_top", false},    {"heavytop_u0", "perturbed_free", false},
    {"satellite", "satellite", false},
};

/* The opposite of the problem that is its context. */
static double flipped_potential(const ph_problem *p, const ph_instant *now)
{
    const ph_problem *of = p->context;
    return -of->potential(of, now);
}

static ph_vec3 flipped_torque(const ph_problem *p, const ph_instant *now)
{
    const ph_problem *of = p->context;
    return scale(-1.0, of->torque(of, now));
}

static ph_mat3 flipped_derivative(const ph_problem *p, const ph_instant *now)
{
    const ph_problem *of = p->context;
    ph_mat3 D = of->derivative(of, now);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            D.a[i][j] = -D.a[i][j];
    }
    return D;
}

static ph_problem problem_of(const char *id)
{
    for (size_t i = 0; i < sizeof KNOWN / sizeof KNOWN[0]; i++) {
        if (strncmp(id, KNOWN[i].id, strlen(KNOWN[i].id)) != 0)
            continue;
        const ph_problem *named = find_problem(KNOWN[i].problem);
        if (named == NULL) {
            fail_msg("%s: there is no problem %s", id, KNOWN[i].problem);
            abort(); /* fail_msg does not return, but does not say so */
        }
        ph_problem p = *named;
        if (KNOWN[i].flipped) {
            p.name = "flipped";
            p.context = (void *)named;
            p.potential = flipped_potential;
            p.torque = flipped_torque;
            p.derivative = flipped_derivative;
        }
        return p;
    }
    fail_msg("no problem is known for the reference %s", id);
    return (ph_problem){.name = NULL};
}

/* ---- the file -------------------------------------------------------------------- */

static const json_t *member(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (value == NULL)
        fail_msg("a reference without \"%s\"", key);
    return value;
}

/* Decimal strings of more digits than a double has. */
static double number(const json_t *value)
{
    const char *text = json_string_value(value);
    assert_non_null(text);
    return strtod(text, NULL);
}

static ph_vec3 vector(const json_t *a, size_t first)
{
    return vec3(number(json_array_get(a, first)), number(json_array_get(a, first + 1)),
                number(json_array_get(a, first + 2)));
}

static ph_mat3 matrix(const json_t *a)
{
    return rows(vector(a, 0), vector(a, 3), vector(a, 6));
}

static json_t *file(const char *name)
{
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/%s", TEST_DATA, name);
    json_error_t error;
    json_t *root = json_load_file(path, 0, &error);
    if (root == NULL)
        fail_msg("%s:%d: %s", path, error.line, error.text);
    return root;
}

void references_each(void (*visit)(const reference *r, void *context), void *context)
{
    json_t *root = file("references.json");
    const json_t *records = member(root, "records");
    int visited = 0;
    for (size_t i = 0; i < json_array_size(records); i++) {
        const json_t *c = json_array_get(records, i);
        if (strcmp(json_string_value(member(c, "class")), "rigid_body") != 0)
            continue;
        reference r = {.id = json_string_value(member(c, "id"))};
        r.J = vector(member(c, "J"), 0);
        r.R0 = matrix(member(c, "R0"));
        r.Pi0 = vector(member(c, "Pi0"), 0);
        r.t = number(member(c, "t"));
        r.R = matrix(member(c, "R"));
        r.Pi = vector(member(c, "Pi"), 0);
        r.energy = number(member(c, "H0"));
        r.start = (ph_state){ph_quat_from_matrix(r.R0), r.Pi0};
        r.end = (ph_state){ph_quat_from_matrix(r.R), r.Pi};
        r.problem = problem_of(r.id);
        r.problem.body = (ph_body)PH_MOMENTS(r.J.x, r.J.y, r.J.z);
        r.problem.q = r.start.q;
        r.problem.w = over(r.Pi0, r.J);
        visit(&r, context);
        visited++;
    }
    json_decref(root);
    assert_true(visited > 0);
}

reference steps_record(const char *problem, const char *method, int n)
{
    json_t *root = file("steps.json");
    const json_t *records = member(root, "records");
    reference r = {.id = method};
    for (size_t i = 0; i < json_array_size(records); i++) {
        const json_t *c = json_array_get(records, i);
        if (strcmp(json_string_value(member(c, "problem")), problem) == 0 &&
            strcmp(json_string_value(member(c, "method")), method) == 0 &&
            json_integer_value(member(c, "n")) == n) {
            r.t = n * number(member(c, "h"));
            r.R = matrix(member(c, "R"));
            r.Pi = vector(member(c, "Pi"), 0);
            r.end = (ph_state){ph_quat_from_matrix(r.R), r.Pi};
        }
    }
    json_decref(root);
    if (r.t == 0.0)
        fail_msg("no steps of %s on %s", method, problem);
    return r;
}

double reference_error(const reference *r, const ph_state *s)
{
    const ph_mat3 R = ph_quat_matrix(s->q);
    double worst = norm_max(sub(s->m, r->Pi)) / norm_max(r->Pi);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            worst = larger_or_nan(worst, fabs(R.a[i][j] - r->R.a[i][j]));
    }
    return isfinite(s->q.w) ? worst : INFINITY;
}

/* ---- spheres --------------------------------------------------------------------- */

static const ph_spheres_problem *sphere_problem_of(const char *id)
{
    static const struct {
        const char *id, *problem;
    } known[] = {{"spherical_pendulum", "pendulum"},
                 {"double_pendulum", "double_pendulum"},
                 {"dipoles4x4", "magnets"}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strncmp(id, known[i].id, strlen(known[i].id)) == 0)
            return find_spheres_problem(known[i].problem);
    }
    fail_msg("no problem is known for the reference %s", id);
    return NULL;
}

static int vectors_of(const json_t *c, const char *key, ph_vec3 *out)
{
    const json_t *a = member(c, key);
    const size_t n = json_array_size(a);
    assert_true(n <= SPHERES_MOST);
    for (size_t i = 0; i < n; i++)
        out[i] = vector(json_array_get(a, i), 0);
    return (int)n;
}

void sphere_references_each(void (*visit)(const sphere_reference *r, void *context), void *context)
{
    json_t *root = file("references.json");
    const json_t *records = member(root, "records");
    int visited = 0;
    for (size_t i = 0; i < json_array_size(records); i++) {
        const json_t *c = json_array_get(records, i);
        if (strcmp(json_string_value(member(c, "class")), "two_spheres") != 0)
            continue;
        sphere_reference r = {.id = json_string_value(member(c, "id"))};
        r.problem = sphere_problem_of(r.id);
        r.n = vectors_of(c, "q0", r.q0);
        (void)vectors_of(c, "omega0", r.w0);
        (void)vectors_of(c, "q", r.q);
        (void)vectors_of(c, "omega", r.w);
        r.t = number(member(c, "t"));
        r.energy = number(member(c, "E0"));
        visit(&r, context);
        visited++;
    }
    json_decref(root);
    assert_int_equal(4, visited);
}

sphere_reference sphere_steps_record(const char *method, int n)
{
    json_t *root = file("steps.json");
    const json_t *records = member(root, "records");
    sphere_reference r = {.id = method};
    for (size_t i = 0; i < json_array_size(records); i++) {
        const json_t *c = json_array_get(records, i);
        const char *problem = json_string_value(member(c, "problem"));
        if (strcmp(problem, "spherical_pendulum") == 0 &&
            strcmp(json_string_value(member(c, "method")), method) == 0 &&
            json_integer_value(member(c, "n")) == n) {
            r.problem = sphere_problem_of(problem);
            r.t = n * number(member(c, "h"));
            r.n = vectors_of(c, "q", r.q);
            (void)vectors_of(c, "omega", r.w);
        }
    }
    json_decref(root);
    if (r.n == 0)
        fail_msg("no steps of %s on the spherical pendulum", method);
    return r;
}

double sphere_reference_error(const sphere_reference *r, const ph_vec3 *q, const ph_vec3 *w)
{
    double worst = 0.0;
    for (int i = 0; i < r->n; i++) {
        const double error =
            larger_or_nan(norm_max(sub(q[i], r->q[i])), norm_max(sub(w[i], r->w[i])));
        worst = isfinite(q[i].x + w[i].x) ? larger_or_nan(worst, error) : INFINITY;
    }
    return worst;
}
