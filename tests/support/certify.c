/* certify.c - the equations of conformance/cases.md as a polynomial differential equation.
 *
 *     q' = q (0, w)/2,   J w' = (J w + wheels) x w + torque
 *
 * with the unknowns q and w, and those of the following that a case needs:
 *
 *     g = R^T up                                      g' = g x w
 *     u, v = R^T (cos, sin, 0), R^T (-sin, cos, 0)    u' = u x w + rate v, v' = v x w - rate u
 *     S, C = sin, cos of frequency t                  S' = frequency C, C' = -frequency S
 */
#include "certify.h"

#include <math.h>

#include "lab/enclose/enclosure.h"

enum { DIGITS = 160 };

enum { Q = 0, W = 4, FIRST = 7 }; /* unknowns: where q, w and the others begin */

typedef struct model {
    enclosure_field field;
    arb_ptr x;     /* the start */
    arb_ptr start; /* the attitude there: the unknown q is the turn from it */
    int used;      /* unknowns so far */
    arb_mat_t J, inverse;
    const json_t *parameters; /* of the torque, or NULL */
} model;

static double number_at(const json_t *value, size_t i)
{
    return json_number_value(json_is_array(value) ? json_array_get(value, i) : value);
}

/* Number i of a parameter; 0 if the case does not have it. */
static double parameter(const model *b, const char *name, size_t i)
{
    return number_at(json_object_get(b->parameters, name), i);
}

static bool has(const model *b, const char *name)
{
    return json_object_get(b->parameters, name) != NULL;
}

static void add_number(model *b, int out, int v, int w, double c)
{
    arb_t x;
    arb_init(x);
    arb_set_d(x, c);
    enclosure_field_add(&b->field, out, v, w, x);
    arb_clear(x);
}

/* Adds a x w to the derivative of the vector a of the body. */
static void add_turn(model *b, int a)
{
    for (int i = 0; i < 3; i++) {
        add_number(b, a + i, a + (i + 1) % 3, W + (i + 2) % 3, 1.0);
        add_number(b, a + i, a + (i + 2) % 3, W + (i + 1) % 3, -1.0);
    }
}

/* Adds the torque c v w about an axis: J^-1 of it to w'. */
static void add_torque(model *b, int axis, int v, int w, const arb_t c)
{
    arb_t x;
    arb_init(x);
    for (int i = 0; i < 3; i++) {
        arb_mul(x, c, arb_mat_entry(b->inverse, i, axis), DIGITS);
        enclosure_field_add(&b->field, W + i, v, w, x);
    }
    arb_clear(x);
}

/* Adds the torque a x (c v e_i). */
static void add_torque_cross(model *b, int a, int i, int v, const arb_t c)
{
    arb_t minus;
    arb_init(minus);
    arb_neg(minus, c);
    add_torque(b, (i + 1) % 3, a + (i + 2) % 3, v, c);
    add_torque(b, (i + 2) % 3, a + (i + 1) % 3, v, minus);
    arb_clear(minus);
}

/* Adds the torque c a x J v. */
static void add_torque_inertia(model *b, int a, int v, const arb_t c)
{
    arb_t x;
    arb_init(x);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            arb_mul(x, c, arb_mat_entry(b->J, i, k), DIGITS);
            add_torque_cross(b, a, i, v + k, x);
        }
    arb_clear(x);
}

/* Begins a vector of the body that has the components `space` in space; returns its first unknown. */
static int begin_vector(model *b, const double space[3], int group)
{
    arb_ptr q = b->start;
    const int at = b->used;
    arb_t a, t;
    arb_init(a);
    arb_init(t);
    b->used += 3;
    for (int i = 0; i < 3; i++) { /* R^T s = (w^2 - |v|^2) s + 2 (v.s) v - 2 w v x s, of |q| = 1 */
        arb_ptr out = b->x + at + i;
        arb_mul(a, q, q, DIGITS);
        for (int k = 1; k < 4; k++)
            arb_submul(a, q + k, q + k, DIGITS);
        arb_set_d(t, space[i]);
        arb_mul(out, a, t, DIGITS);
        arb_zero(a);
        for (int k = 0; k < 3; k++) {
            arb_set_d(t, 2.0 * space[k]);
            arb_addmul(a, q + 1 + k, t, DIGITS);
        }
        arb_addmul(out, a, q + 1 + i, DIGITS);
        arb_set_d(t, 2.0 * space[(i + 2) % 3]);
        arb_mul(a, q + 1 + (i + 1) % 3, t, DIGITS);
        arb_set_d(t, 2.0 * space[(i + 1) % 3]);
        arb_submul(a, q + 1 + (i + 2) % 3, t, DIGITS);
        arb_submul(out, a, q, DIGITS);
        b->field.group[at + i] = group;
    }
    arb_clear(a);
    arb_clear(t);
    return at;
}

static void add_gravity(model *b)
{
    double up[3];
    arb_t c, x;
    arb_init(c);
    arb_init(x);
    for (size_t i = 0; i < 3; i++)
        up[i] = parameter(b, "up", i);
    const int g = begin_vector(b, up, 2);
    add_turn(b, g);
    for (int i = 0; i < 3; i++) {
        arb_set_d(c, parameter(b, "strength", 0));
        arb_set_d(x, parameter(b, "centre", (size_t)i));
        arb_mul(c, c, x, DIGITS);
        add_torque_cross(b, g, i, b->field.n, c);
    }
    arb_clear(c);
    arb_clear(x);
}

static void add_orbit(model *b)
{
    const double rate = parameter(b, "rate", 0);
    const int u = begin_vector(b, (double[]){1, 0, 0}, 3),
              v = begin_vector(b, (double[]){0, 1, 0}, 3);
    arb_t c;
    arb_init(c);
    add_turn(b, u);
    add_turn(b, v);
    for (int i = 0; i < 3; i++) {
        add_number(b, u + i, v + i, b->field.n, rate);
        add_number(b, v + i, u + i, b->field.n, -rate);
    }
    arb_set_d(c, rate);
    arb_mul(c, c, c, DIGITS);
    arb_mul_ui(c, c, 3, DIGITS);
    add_torque_inertia(b, u, u, c);
    arb_clear(c);
}

/* Adds torques that are `name` times a variable. */
static void add_axes(model *b, const char *name, int variable)
{
    arb_t c;
    arb_init(c);
    for (int i = 0; i < 3; i++) {
        arb_set_d(c, parameter(b, name, (size_t)i));
        add_torque(b, i, variable, b->field.n, c);
    }
    arb_clear(c);
}

static void add_shaking(model *b)
{
    const double frequency = parameter(b, "frequency", 0);
    const int S = b->used, C = S + 1;
    b->used += 2;
    arb_one(b->x + C);
    b->field.group[S] = b->field.group[C] = 4;
    add_number(b, S, C, b->field.n, frequency);
    add_number(b, C, S, b->field.n, -frequency);
    add_axes(b, "amplitude", S);
}

/* The inertia, its inverse, and the start. */
static void begin_model(model *b, const json_t *json)
{
    static const int place[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    const json_t *tensor = json_object_get(json, "tensor");
    arb_t norm;
    arb_init(norm);
    arb_mat_init(b->J, 3, 3);
    arb_mat_init(b->inverse, 3, 3);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            arb_set_d(arb_mat_entry(b->J, i, k),
                      tensor != NULL ? number_at(tensor, (size_t)place[i][k])
                      : i == k       ? number_at(json_object_get(json, "inertia"), (size_t)i)
                                     : 0.0);
    (void)arb_mat_inv(b->inverse, b->J, DIGITS);
    for (int i = 0; i < 4; i++) {
        arb_set_d(b->start + i, number_at(json_object_get(json, "attitude"), (size_t)i));
        arb_addmul(norm, b->start + i, b->start + i, DIGITS);
    }
    arb_rsqrt(norm, norm, DIGITS);
    for (int i = 0; i < 4; i++)
        arb_mul(b->start + i, b->start + i, norm, DIGITS);
    for (int i = 0; i < 3; i++) {
        arb_set_d(b->x + W + i, number_at(json_object_get(json, "velocity"), (size_t)i));
        b->field.group[W + i] = 1;
    }
    b->used = FIRST;
    arb_clear(norm);
}

static void set_model(model *b, const json_t *json)
{
    arb_t c;
    b->parameters = json_object_get(json_object_get(json, "torque"), "parameters");
    enclosure_field_init(&b->field, FIRST + (has(b, "strength") ? 3 : 0) +
                                        (has(b, "rate") ? 6 : 0) + (has(b, "frequency") ? 2 : 0));
    b->x = _arb_vec_init(b->field.n);
    b->start = _arb_vec_init(4);
    arb_init(c);
    begin_model(b, json);
    for (int i = 0; i < 3; i++) { /* q' = q (0, w)/2 */
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        add_number(b, Q, Q + 1 + i, W + i, -0.5);
        add_number(b, Q + 1 + i, Q, W + i, 0.5);
        add_number(b, Q + 1 + i, Q + 1 + j, W + k, 0.5);
        add_number(b, Q + 1 + i, Q + 1 + k, W + j, -0.5);
    }
    arb_set_si(c, -1);
    add_torque_inertia(b, W, W, c);
    for (int i = 0; i < 3; i++) {
        arb_set_d(c, -parameter(b, "wheels", (size_t)i));
        add_torque_cross(b, W, i, b->field.n, c);
        arb_set_d(c, -parameter(b, "damping", 0));
        add_torque(b, i, W + i, b->field.n, c);
    }
    add_axes(b, "torque", b->field.n);
    if (has(b, "strength"))
        add_gravity(b);
    if (has(b, "rate"))
        add_orbit(b);
    if (has(b, "frequency"))
        add_shaking(b);
    arb_clear(c);
}

static double length_of(const json_t *v)
{
    return sqrt(number_at(v, 0) * number_at(v, 0) + number_at(v, 1) * number_at(v, 1) +
                number_at(v, 2) * number_at(v, 2));
}

/* The largest velocity of the case, or 1 if the body is at rest. */
static double fastest_of(const json_t *json)
{
    double most = length_of(json_object_get(json, "velocity"));
    size_t i;
    const json_t *state;
    json_array_foreach(json_object_get(json, "states"), i, state)
    {
        const double length = length_of(json_object_get(state, "velocity"));
        most = length > most ? length : most;
    }
    return most == 0.0 ? 1.0 : most;
}

/* The larger of `most` and an upper bound of |box - recorded|/size. */
static double larger_error(double most, const arb_t box, double recorded, double size)
{
    arb_t x;
    mag_t m;
    arb_init(x);
    mag_init(m);
    arb_set_d(x, recorded);
    arb_sub(x, x, box, DIGITS);
    arb_get_mag(m, x);
    const double error = mag_get_d(m) / size;
    mag_clear(m);
    arb_clear(x);
    return error > most || isnan(error) ? error : most;
}

double certified_radius(const json_t *json)
{
    const json_t *times = json_object_get(json, "times");
    double most = 0.0, fastest = fastest_of(json);
    model b;
    enclosure_set s;
    arb_ptr turned = _arb_vec_init(4);
    arb_mat_t none, empty;
    arb_t end;
    set_model(&b, json);
    arb_mat_init(none, b.field.n, 0);
    arb_mat_init(empty, 0, 1);
    arb_init(end);
    enclosure_set_init(&s, &b.field, b.x, none, empty, DIGITS);
    for (size_t n = 0; n < json_array_size(times) && isfinite(most); n++) {
        const json_t *recorded = json_array_get(json_object_get(json, "states"), n);
        const json_t *w = json_object_get(recorded, "velocity");
        arb_set_d(end, number_at(times, n));
        while (!enclosure_set_is_at(&s, end) && isfinite(most))
            most = enclosure_set_step(&s, end) ? most : INFINITY;
        enclosure_set_box(&s, b.x);
        enclosure_turn(turned, b.start, b.x, DIGITS);
        for (int i = 0; i < 4; i++)
            most = larger_error(most, turned + i,
                                number_at(json_object_get(recorded, "attitude"), (size_t)i), 1.0);
        for (int i = 0; i < 3; i++)
            most = larger_error(most, b.x + W + i, number_at(w, (size_t)i), fastest);
    }
    enclosure_set_clear(&s);
    arb_clear(end);
    arb_mat_clear(none);
    arb_mat_clear(empty);
    arb_mat_clear(b.J);
    arb_mat_clear(b.inverse);
    _arb_vec_clear(turned, 4);
    _arb_vec_clear(b.start, 4);
    _arb_vec_clear(b.x, b.field.n);
    enclosure_field_clear(&b.field);
    return most;
}
