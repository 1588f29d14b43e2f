/* fit_twins.c - different motions that look the same: twins, by formulas; then uniform rotations and the
 * small wobbles that look like them.
 *
 * Twins of an observed axis.
 *
 * Let the axis be the first one of a frame of the body, B the inverse tensor times |L| in this frame,
 * and n = m/|L|. The direction of the axis in space is a function of its projection n1 on L, of
 *
 *   n1' = (n x B n)_1   and the rate of its precession about L,   (2T - n1 (B n)_1) / (1 - n1^2)
 *
 * with 2T = n . B n. If the axis is principal, with the eigenvalue c of B, and a, a' are the other two,
 * u = 2T - a, u' = 2T - a' and k = c - 2T, then the bodies with
 *
 *       [ 2c - b   p   0 ]
 *   B = [   p      b   0 ],   b = 2T - r,   p^2 = k (u + u' - 2 r),   r^2 = u u'
 *       [   0      0   b ]
 *
 * have the same n1' and precession for both signs of r, from
 *
 *   n2 = (2T - b + (b - c) n1^2) / (p n1),   n3 = -n1' / (p n1).
 *
 * There are none if the momentum does not encircle the axis: k, u and u' must have one sign.
 *
 * Twins of brightness. An ellipsoid is as bright as its mirror image, and as bright if sun and observer are
 * exchanged. If these do not move, a half turn of the whole motion about each of three directions in
 * space changes nothing: the bisector of sun and observer, the normal of their plane, and the direction
 * across both. If they move little, the images are near other minima.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/random.h"
#include "fit/fit_errors.h"
#include "fit/fit_model.h"
#include "motion/vec.h"

/* ---- twins ----------------------------------------------------------------------------------- */

/* A body and its momentum in a frame whose first axis is the observed one. */
typedef struct framed {
    ph_mat3 inverse; /* times |L| */
    ph_vec3 n;
} framed;

/* The frame, whose axes are the columns. */
static ph_mat3 frame_of(ph_vec3 axis)
{
    const ph_vec3 e1 = scale(1.0 / norm(axis), axis), across = cross(e1, axis_apart(e1)),
                  e2 = scale(1.0 / norm(across), across);
    return columns(e1, e2, cross(e1, e2));
}

static ph_mat3 turn_about_first(double angle)
{
    double s, c;
    ph_sincos(angle, &s, &c);
    return (ph_mat3){{{1, 0, 0}, {0, c, -s}, {0, s, c}}};
}

/* The same body in a frame that is turned about the axis: B -> Q^T B Q, n -> Q^T n. */
static framed turned(const framed *x, double angle)
{
    const ph_mat3 Q = turn_about_first(angle);
    return (framed){matmul(transpose(Q), matmul(x->inverse, Q)), apply(transpose(Q), x->n)};
}

/* The rate of n1. */
static double rate(const framed *x)
{
    return cross(x->n, apply(x->inverse, x->n)).x;
}

/* The twin of a body whose observed axis is principal, with the sign of r. */
static bool twin_of_principal(const framed *x, double sign, framed *out)
{
    const double(*B)[3] = x->inverse.a;
    const framed own = turned(x, 0.5 * ph_atan2(2.0 * B[1][2], B[1][1] - B[2][2]));
    const double c = own.inverse.a[0][0], a1 = own.inverse.a[1][1], a2 = own.inverse.a[2][2],
                 n1 = own.n.x,
                 energy = c * n1 * n1 + a1 * own.n.y * own.n.y + a2 * own.n.z * own.n.z,
                 u1 = energy - a1, u2 = energy - a2, k = c - energy;
    if (!(u1 * u2 > 0.0 && k * u1 > 0.0 && fabs(n1) > 0.0))
        return false;
    const double r = sign * sqrt(u1 * u2), b = energy - r, p = sqrt(k * (u1 + u2 - 2.0 * r)),
                 rate_of_n1 = own.n.y * own.n.z * (a2 - a1);
    if (!(p > 0.0))
        return false;
    out->inverse = (ph_mat3){{{2.0 * c - b, p, 0}, {p, b, 0}, {0, 0, b}}};
    out->n = vec3(n1, (energy - b + (b - c) * n1 * n1) / (p * n1), -rate_of_n1 / (p * n1));
    return true;
}

/* The body whose observed axis is principal and of which x is a twin. */
static bool principal_of_twin(const framed *x, framed *out)
{
    const double(*B)[3] = x->inverse.a;
    const framed own = turned(x, ph_atan2(B[0][2], B[0][1]));
    const double p = own.inverse.a[0][1], b = 0.5 * (own.inverse.a[1][1] + own.inverse.a[2][2]),
                 c = 0.5 * (own.inverse.a[0][0] + b), n1 = own.n.x,
                 energy = b + p * n1 * own.n.y + (c - b) * n1 * n1, k = c - energy, r = energy - b,
                 half = 0.5 * p * p / k + r, root = sqrt(larger_or_nan(half * half - r * r, 0.0)),
                 a1 = energy - half - root, a2 = energy - half + root,
                 square = (energy - c * n1 * n1 - a2 * (1.0 - n1 * n1)) / (a1 - a2);
    if (!(square >= 0.0 && square <= 1.0 - n1 * n1 && a1 > 0.0 && a2 > 0.0 && c > 0.0))
        return false;
    const double n3 = sqrt(1.0 - n1 * n1 - square);
    out->inverse = (ph_mat3){{{c, 0, 0}, {0, a1, 0}, {0, 0, a2}}};
    out->n = vec3(n1, sqrt(square), copysign(n3, rate(&own) * (a2 - a1)));
    return true;
}

/* The point of a body in the frame F, whose axis and momentum in space are those of x. */
static bool point_of(const fit_model *f, const fit_point *x, ph_mat3 F, const framed *before,
                     const framed *now, double momentum, fit_point *out)
{
    const double angle = ph_atan2(before->n.z, before->n.y) - ph_atan2(now->n.z, now->n.y);
    const ph_mat3 B = matmul(F, matmul(now->inverse, transpose(F)));
    ph_body b;
    if (ph_body_from_tensor(&b, B) != PH_OK)
        return false;
    const ph_mat3 A = ph_quat_matrix(b.axes);
    *out = *x;
    for (int k = 0; k < 6; k++) {
        const double *r = A.a[tensor_row[k]], *c = A.a[tensor_column[k]];
        out->tensor[k] =
            momentum * (r[0] / b.J.x * c[0] + r[1] / b.J.y * c[1] + r[2] / b.J.z * c[2]);
    }
    const ph_mat3 turn = matmul(F, matmul(turn_about_first(angle), transpose(F)));
    out->q = ph_quat_unit(mul(x->q, ph_quat_from_matrix(turn)));
    out->w = apply(B, apply(F, now->n));
    ph_fit_make_physical(f, out);
    return true;
}

static ph_vec3 mean_direction(const double *all, size_t count)
{
    ph_vec3 sum = {0, 0, 0};
    for (size_t i = 0; i < count; i++) {
        const ph_vec3 v = {all[3 * i], all[3 * i + 1], all[3 * i + 2]};
        sum = add(sum, scale(1.0 / norm(v), v));
    }
    return sum;
}

/* The images of a motion of which the brightness is observed. */
static size_t light_twins(const ph_observations *o, const fit_point *x, fit_point out[FIT_TWINS])
{
    const ph_vec3 sun = mean_direction(o->sun, o->count),
                  observer = mean_direction(o->observer, o->count),
                  bisector =
                      add(scale(1.0 / norm(sun), sun), scale(1.0 / norm(observer), observer)),
                  normal = cross(sun, observer),
                  axis[3] = {bisector, normal, cross(bisector, normal)};
    size_t count = 0;
    for (int k = 0; k < 3; k++) {
        const ph_quat half = {0.0, axis[k].x, axis[k].y, axis[k].z};
        if (!(norm(axis[k]) > 0.0)) /* sun and observer are in one direction, or opposite */
            continue;
        out[count] = *x;
        out[count++].q = ph_quat_unit(mul(half, x->q));
    }
    return count;
}

size_t ph_fit_twins(const fit_model *f, const fit_point *x, fit_point out[FIT_TWINS])
{
    if (f->light_only)
        return light_twins(f->o, x, out);
    const ph_mat3 F = frame_of(f->o->axis), J = symmetric(x->tensor);
    ph_body b;
    size_t count = 0;
    if (ph_body_from_tensor(&b, J) != PH_OK)
        return 0;
    const ph_vec3 m = apply(J, x->w);
    const double momentum = norm(m);
    if (!(momentum > 0.0))
        return 0;
    framed own = {.n = scale(1.0 / momentum, apply(transpose(F), m))}, other;
    for (int k = 0; k < 3; k++) {
        const ph_vec3 e = {F.a[0][k], F.a[1][k], F.a[2][k]},
                      column = apply(transpose(F), scale(momentum, ph_body_velocity(&b, e)));
        own.inverse.a[0][k] = column.x, own.inverse.a[1][k] = column.y;
        own.inverse.a[2][k] = column.z;
    }
    for (int sign = -1; sign <= 1; sign += 2)
        count += twin_of_principal(&own, sign, &other) &&
                 point_of(f, x, F, &own, &other, momentum, &out[count]);
    framed principal;
    if (!principal_of_twin(&own, &principal))
        return count;
    count += point_of(f, x, F, &own, &principal, momentum, &out[count]);
    for (int sign = -1; sign <= 1; sign += 2)
        count += twin_of_principal(&principal, sign, &other) &&
                 point_of(f, x, F, &own, &other, momentum, &out[count]);
    return count;
}

/* ---- uniform rotations and wobbles ----------------------------------------------------------- */

/* A body that turns uniformly shows one principal axis and no moment. Noise is then fitted by small
 * wobbles of some frequency, with a body to it, and the normal matrix of that minimum is deceptive. So
 * a uniform rotation is fitted, too, and compared with wobbles: fit.c. Its covariance is the mean over
 * bodies at random that have this principal axis.
 */

enum { MOST = PH_FIT_COLUMNS };

/* A tensor with a principal axis along w, by these moments, the last of which is about it. */
static void set_tensor_about(fit_point *x, ph_vec3 J, double angle)
{
    const ph_vec3 u = scale(1.0 / norm(x->w), x->w), across = cross(u, axis_apart(u));
    const ph_vec3 a = rotate(turn_about(u, 0.5 * angle), scale(1.0 / norm(across), across)),
                  b = cross(u, a);
    const double p[3] = {a.x, a.y, a.z}, q[3] = {b.x, b.y, b.z}, s[3] = {u.x, u.y, u.z};
    for (int k = 0; k < 6; k++) {
        const int r = tensor_row[k], c = tensor_column[k];
        x->tensor[k] = J.x * p[r] * p[c] + J.y * q[r] * q[c] + J.z * s[r] * s[c];
    }
}

/* Takes a body at random that has the axis of the rotation: that of its largest moment, of its smallest
 * one, or, of a round body, one across the axis of symmetry. About the axis of a middle moment no body turns
 * uniformly for long. */
enum axis_kind { OF_LARGEST, OF_SMALLEST, OF_FLAT, OF_LONG, AXIS_KINDS };
static void set_body_about(fit_point *x, int kind, uint64_t *seed)
{
    const double b = between(seed, 0.25, 1.0), c = b * between(seed, 0.4, 1.0),
                 J[3] = {(b * b + c * c) / (1.0 + b * b), (1.0 + c * c) / (1.0 + b * b), 1.0};
    const ph_vec3 moments[AXIS_KINDS] = {
        [OF_LARGEST] = {J[0], J[1], J[2]},
        [OF_SMALLEST] = {J[1], J[2], J[0]},
        [OF_FLAT] = {J[2], J[1], J[1]},
        [OF_LONG] = {J[0], J[2], J[2]},
    };
    set_tensor_about(x, moments[kind], between(seed, 0.0, PH_PI));
}

double ph_fit_uniform(const fit_model *f, const fit_minimum *best, fit_minimum *round)
{
    const ph_observations *o = f->o;
    const unsigned all = PH_FIT_ALL;
    *round = *best;
    if (!f->is_free || f->principal || (f->with->sought & all) != all)
        return 0.0;
    /* A sphere turns uniformly. */
    fit_minimum *found = array_create(FIT_MINIMA, sizeof *found);
    if (found == NULL)
        return 0.0;
    ph_fit_settings with = *f->with;
    fit_model sphere = *f;
    sphere.with = &with;
    with.sought &= ~(unsigned)PH_FIT_INERTIA;
    sphere.only_ratios = false;
    sphere.columns = 0;
    for (int c = 0; c < f->columns; c++) {
        if (f->column[c].kind != OF_TENSOR)
            sphere.column[sphere.columns++] = f->column[c];
    }
    for (int k = 0; k < 6; k++)
        round->x.tensor[k] = k < 3;
    const size_t count = ph_fit_search(&sphere, &round->x, found);
    memcpy(sphere.scale, f->scale, sizeof sphere.scale);
    round->loss = ph_fit_descend(&sphere, &round->x, 100);
    for (size_t k = 0; k < count && k < 2; k++) {
        found[k].loss = ph_fit_descend(&sphere, &found[k].x, 100);
        if (!(round->loss <= found[k].loss))
            *round = found[k];
    }
    free(found);
    set_tensor_about(&round->x, vec3(0.75, 0.75, 1.0), 0.0);
    return norm(round->x.w) * (o->t[o->count - 1] - o->t[0]) / (2.0 * PH_PI);
}

double ph_fit_wobble(const fit_model *f, int k, uint64_t *seed, fit_minimum *x)
{
    set_body_about(&x->x, k % AXIS_KINDS, seed);
    return x->loss = ph_fit_descend(f, &x->x, 16);
}

/* The covariance of a uniform rotation, over bodies that have its axis. */
bool ph_fit_average_bodies(const fit_model *f, const fit_point *x, double noise, double *C,
                           double widest[MOST + 3])
{
    enum { BODIES = 24 };
    const int n = f->columns;
    uint64_t seed = 5;
    double mean[6] = {0}, square[36] = {0};
    memset(C, 0, (size_t)(n * n) * sizeof *C);
    for (int k = 0; k < BODIES; k++) {
        fit_point y = *x;
        fit_directions d;
        ph_body body;
        set_body_about(&y, k % 2 == 0 ? OF_LARGEST : OF_SMALLEST, &seed);
        if (ph_body_from_tensor(&body, symmetric(y.tensor)) != PH_OK ||
            !ph_fit_find_directions(f, &y, &body, noise, &d))
            return false;
        ph_fit_add_covariance(f, &y, &body, &d, 1.0, C);
        ph_fit_add_widest(f, &y, &body, &d, widest);
        for (int i = 0; i < 6; i++)
            mean[i] += y.tensor[i] / BODIES;
        for (int i = 0; i < 36; i++)
            square[i] += y.tensor[i / 6] * y.tensor[i % 6] / BODIES;
    }
    for (int k = 0; k < n + 3; k++)
        widest[k] /= BODIES;
    for (int k = 0; k < n * n; k++) {
        const fit_column a = f->column[k / n], b = f->column[k % n];
        C[k] /= BODIES;
        if (a.kind == OF_TENSOR && b.kind == OF_TENSOR)
            C[k] += square[6 * a.index + b.index] - mean[a.index] * mean[b.index];
    }
    return true;
}
