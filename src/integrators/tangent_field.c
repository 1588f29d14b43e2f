/* tangent_field.c - the matrices of the variational equations at points of a step, in lanes.
 *
 * With w = J^-1 (m - H) and the torque tau, dots for derivatives by what a column is by, and [v] the
 * matrix of v x, a column (theta, mu) has (tangent.c)
 *
 *   theta' = theta x w + K mu + v,          v = - K (dJ w + dH),   K = J^-1
 *   mu'    = tau_q theta + F mu + s,        F = [m] K - [w] + tau_m,   s = m x v + dtau
 *
 * The derivatives of tau come from the kernel of the problem (tangent_kernels.h), from its functions
 * `derivatives` and `derivative`, or from differences over d, d/2, d/4 ..., extrapolated (Ridders,
 * Adv. Eng. Software 4 (1982) 75), the best of the table: to some 1e-13, and of a torque that is
 * linear, to round-off. They are found once a point, for all columns.
 */
#include "integrators/tangent_kernels.h"

#ifdef SIMD_VECTORS
#include "motion/algebra.h"

/* Sets the point `to` to the point `from`. */
PART void copy_point(tangent_points *x, int from, int to)
{
    x->t[to] = x->t[from];
    x->length[to] = x->length[from];
    for (int k = 0; k < 4; k++)
        x->q[k][to] = x->q[k][from];
    for (int k = 0; k < 3; k++) {
        x->m[k][to] = x->m[k][from];
        x->internal[k][to] = x->internal[k][from];
    }
}

/* Sets v and s to 0 in vectors of columns some of which have none. A negative 0 keeps the sign of a zero. */
PART void clear_sources(tangent_points *x)
{
    const int columns = x->g->columns, sources = x->g->sources;
    for (int c = sources / LANES * LANES; c < columns; c += LANES) {
        for (int i = x->cleared; i < x->count && (c < sources || c + LANES > columns); i++) {
            for (int k = 0; k < 3; k++) {
                vstore(&x->velocity[i][k][c], vsplat(-0.0));
                vstore(&x->torque[i][k][c], vsplat(-0.0));
            }
        }
    }
    if (x->count > x->cleared)
        x->cleared = x->count;
}

/* Attitudes, momenta and w in the frame of the body. Kernels are smooth next to the unit
 * quaternions, and see an attitude to second order of its distance from them; functions see one of
 * unit length. */
void KERNEL(tangent_states)(tangent_points *x)
{
    const double *K = x->g->K;
    const ph_body *b = &x->p->body;
    const vdouble4 axes = {vsplat(b->axes.w), vsplat(b->axes.x), vsplat(b->axes.y),
                           vsplat(b->axes.z)};
    for (int i = x->count; i % LANES != 0; i++) /* lanes without a point */
        copy_point(x, x->count - 1, i);
    if (x->g->sources < x->g->columns)
        clear_sources(x);
    for (int r = 0; r < x->count; r += LANES) {
        vdouble4 q = {vload(&x->q[0][r]), vload(&x->q[1][r]), vload(&x->q[2][r]),
                      vload(&x->q[3][r])};
        if (x->g->slopes != NULL) {
            const vdouble u = 1.5 - 0.5 * ((q.w * q.w + q.x * q.x) + (q.y * q.y + q.z * q.z));
            q = (vdouble4){u * q.w, u * q.x, u * q.y, u * q.z};
        } else {
            q = of_unit_length(q);
        }
        vdouble3 m = point_vector(x->m, r);
        if (!b->principal) {
            q = mul(q, inverse(axes));
            m = rotate(axes, m);
            store_point_vector(x->m, r, m);
        }
        const vdouble unit[4] = {q.w, q.x, q.y, q.z};
        for (int i = 0; i < 4; i++)
            vstore(&x->q[i][r], unit[i]);
        const vdouble3 Jw = x->p->internal != NULL ? sub(m, point_vector(x->internal, r)) : m;
        const vdouble rest[3] = {Jw.x, Jw.y, Jw.z};
        for (int i = 0; i < 3; i++) {
            const int n = 3 * i;
            vstore(&x->w[i][r], b->principal ? K[n + i] * rest[i]
                                             : (K[n] * Jw.x + K[n + 1] * Jw.y) + K[n + 2] * Jw.z);
        }
    }
}

/* What a column has of its own at some points. */
typedef struct source {
    vdouble3 v, s;
} source;

/* From v without the length, and the place of dtau; NULL: it is 0. */
PART source source_of(tangent_points *x, int r, bool damped, vdouble3 v, point_row *torque)
{
    const vdouble length = vload(&x->length[r]);
    v = scale(length, v);
    vdouble3 s = cross(point_vector(x->m, r), v);
    if (damped)
        s = sub(s, scale(vsplat(x->p->damping), v));
    if (torque != NULL)
        s = add(s, scale(length, point_vector(torque, r)));
    return (source){v, s};
}

/* Two numbers of neighbouring columns at the points from r on. */
PART void store_two(double (*row)[3][TANGENT_ROOM], int k, int c, vdouble a, vdouble b)
{
    for (int i = 0; i < LANES; i++) {
        const double two[2] = {a[i], b[i]};
        memcpy(&row[i][k][c], two, sizeof two);
    }
}

/* Stores the columns c and c + 1. */
PART void store_sources(tangent_points *x, int r, int c, const source *of)
{
    store_two(&x->velocity[r], 0, c, of[0].v.x, of[1].v.x);
    store_two(&x->velocity[r], 1, c, of[0].v.y, of[1].v.y);
    store_two(&x->velocity[r], 2, c, of[0].v.z, of[1].v.z);
    store_two(&x->torque[r], 0, c, of[0].s.x, of[1].s.x);
    store_two(&x->torque[r], 1, c, of[0].s.y, of[1].s.y);
    store_two(&x->torque[r], 2, c, of[0].s.z, of[1].s.z);
}

/* That of a parameter. Where no kernel gave the derivatives, those of the torque are at constant m,
 * and v is there. */
PART source source_of_parameter(tangent_points *x, int r, int c, bool damped)
{
    const tangent_run *g = x->g;
    const int value = g->by[c] - BY_PARAMETERS, wheel = value - g->wheels;
    vdouble3 v = vec3(vsplat(0.0), vsplat(0.0), vsplat(0.0));
    for (int i = 0; i < LANES && r + i < x->count && g->slopes == NULL; i++) {
        v.x[i] = x->velocity[r + i][0][c];
        v.y[i] = x->velocity[r + i][1][c];
        v.z[i] = x->velocity[r + i][2][c];
    }
    if (g->slopes != NULL && g->wheels >= 0 && wheel >= 0 && wheel < 3)
        v = vec3(vsplat(-g->K[wheel]), vsplat(-g->K[3 + wheel]), vsplat(-g->K[6 + wheel]));
    return source_of(x, r, damped, v, x->slopes.value[value]);
}

/* v and s of the columns by inertia and parameters. */
PART void find_sources(tangent_points *x, bool damped)
{
    const tangent_run *g = x->g;
    const int inertia = x->wanted & PH_DERIVATIVES_INERTIA ? 6 : 0;
    vdouble3 K[3];
    for (int k = 0; k < 3; k++)
        K[k] = vec3(vsplat(-g->K[k]), vsplat(-g->K[3 + k]), vsplat(-g->K[6 + k]));
    for (int r = 0; r < x->count; r += LANES) {
        const vdouble w[3] = {vload(&x->w[0][r]), vload(&x->w[1][r]), vload(&x->w[2][r])};
        const vdouble3 by[6] = {scale(w[0], K[0]),
                                scale(w[1], K[1]),
                                scale(w[2], K[2]),
                                add(scale(w[1], K[0]), scale(w[0], K[1])),
                                add(scale(w[2], K[0]), scale(w[0], K[2])),
                                add(scale(w[2], K[1]), scale(w[1], K[2]))};
        int c = g->sources;
        for (int n = 0; n < inertia; n += 2, c += 2) {
            source two[2];
            for (int k = 0; k < 2; k++)
                two[k] = source_of(x, r, damped, by[n + k],
                                   x->by_inertia ? x->slopes.inertia[n + k] : NULL);
            store_sources(x, r, c, two);
        }
        for (; c < g->columns; c += 2) { /* a last one twice; there is room */
            const bool alone = c + 1 == g->columns;
            const source first = source_of_parameter(x, r, c, damped),
                         two[2] = {first, alone ? first : source_of_parameter(x, r, c + 1, damped)};
            store_sources(x, r, c, two);
        }
    }
}

/* F = [m] K - [w] + tau_m; where a kernel gave the derivatives, tau_m is that of damping. In principal
 * axes, if no torque depends on m, K and F have zeros that nobody reads. */
PART void find_matrices(tangent_points *x, bool principal)
{
    const bool in_lanes = x->g->slopes != NULL;
    const double *K = x->g->K, damping = x->p->damping;
    for (int r = 0; r < x->count; r += LANES) {
        const vdouble length = vload(&x->length[r]);
        const vdouble m[3] = {length * vload(&x->m[0][r]), length * vload(&x->m[1][r]),
                              length * vload(&x->m[2][r])},
                      w[3] = {length * vload(&x->w[0][r]), length * vload(&x->w[1][r]),
                              length * vload(&x->w[2][r])};
        for (int i = 0; i < 3; i++)
            vstore(&x->wk[i][r], w[i]);
        for (int n = 0; n < 9; n++)
            vstore(&x->D[n][r], length * vload(&x->slopes.attitude[n][r]));
        for (int i = 0; i < 3; i++) {
            const int n = 3 * i, j = (i + 1) % 3, k = (i + 2) % 3;
            vdouble row[3] = {vsplat(0.0), w[k] - m[k] * K[3 * j + j], m[j] * K[3 * k + k] - w[j]};
            vstore(&x->K[n + i][r], length * K[n + i]);
            if (!principal) {
                row[0] += m[j] * K[3 * k + i] - m[k] * K[3 * j + i];
                row[1] += m[j] * K[3 * k + j];
                row[2] -= m[k] * K[3 * j + k];
                vstore(&x->K[n + j][r], length * K[n + j]);
                vstore(&x->K[n + k][r], length * K[n + k]);
                const int at[3] = {n + i, n + j, n + k};
                for (int c = 0; c < 3; c++)
                    row[c] += length * (in_lanes ? vsplat(-damping * K[at[c]])
                                                 : vload(&x->slopes.momentum[at[c]][r]));
                vstore(&x->F[n + i][r], row[0]);
            }
            vstore(&x->F[n + j][r], row[1]);
            vstore(&x->F[n + k][r], row[2]);
        }
    }
}

void KERNEL(tangent_matrices)(tangent_points *x)
{
    if (x->principal)
        find_matrices(x, true);
    else
        find_matrices(x, false);
    if (x->g->sources == x->g->columns)
        return;
    if (x->g->slopes != NULL && x->p->damping != 0.0)
        find_sources(x, true);
    else
        find_sources(x, false);
}

void KERNEL(tangent_multiply)(tangent_product *p)
{
    for (int c = 0; c < p->columns; c += LANES) {
        vdouble y[TANGENT_ROWS];
        for (int n = 0; n < TANGENT_ROWS; n++)
            y[n] = vload(&p->x->x[n][c]);
        for (int r = 0; r < TANGENT_ROWS; r++) {
            const double *a = p->row[r];
            vstore(&p->x->x[r][c], dot_row(a[0], a[1], a[2], y) + dot_row(a[3], a[4], a[5], y + 3));
        }
    }
}

#else
#include "integrators/tangent_field.h"

#include <string.h>

#include "base/choice.h"
#include "integrators/field.h"
#include "integrators/lanes.h"
#include "integrators/range.h"
#include "polhode/catalog.h"

/* ---- vectors at points --------------------------------------------------------------- */

static void put_vector(point_row *row, int i, ph_vec3 v)
{
    row[0][i] = v.x;
    row[1][i] = v.y;
    row[2][i] = v.z;
}

static ph_vec3 get_vector(point_row *row, int i)
{
    return vec3(row[0][i], row[1][i], row[2][i]);
}

static void put_matrix(point_row *row, int i, ph_mat3 A)
{
    for (int k = 0; k < 9; k++)
        row[k][i] = A.a[k / 3][k % 3];
}

/* ---- the problem ------------------------------------------------------------------- */

const ph_parameter *ph_tangent_parameter(const ph_problem *p, int number)
{
    for (int i = 0; i < p->parameter_count; i++) {
        const ph_parameter *one = &p->parameters[i];
        if (number >= one->first && number < one->first + one->count)
            return one;
    }
    return NULL;
}

/* Whether the internal momentum is that of wheels as the catalog has them: the parameter `wheels`,
 * and what does not depend on parameters. */
static bool has_wheels(const ph_problem *p)
{
    static const ph_problem *const with_wheels[] = {&ph_problem_spacecraft, &ph_problem_gyrostat};
    for (size_t i = 0; i < sizeof with_wheels / sizeof with_wheels[0]; i++) {
        const ph_problem *like = with_wheels[i];
        if (like->torque != p->torque || like->prepare != p->prepare ||
            like->parameters != p->parameters)
            continue;
        ph_problem made = *p;
        made.internal = like->internal;
        if (like->prepare != NULL)
            like->prepare(&made);
        return made.internal == p->internal;
    }
    return false;
}

/* Without torque. */
static void no_slopes(tangent_points *x)
{
    memset(x->slopes.attitude, 0, sizeof x->slopes.attitude);
    if (x->wanted & PH_DERIVATIVES_PARAMETERS)
        memset(x->slopes.value, 0, sizeof x->slopes.value);
}

/* Torques of the catalog that come one by one: they have no parameters and do not contain J. */
static void slopes_of_function(tangent_points *x)
{
    no_slopes(x);
    for (int i = 0; i < x->count; i++) {
        const ph_instant now =
            instant_at(x->t[i], (ph_quat){x->q[0][i], x->q[1][i], x->q[2][i], x->q[3][i]});
        put_matrix(x->slopes.attitude, i, x->p->derivative(x->p, &now));
    }
}

static slopes_kernel *slopes_of(const ph_problem *p)
{
    if (p->torque == ph_problem_generic.torque || p->torque == ph_problem_vertical.torque)
        return p->derivative != NULL ? slopes_of_function : NULL;
    return ph_slopes_of(p);
}

void ph_tangent_prepare(tangent_run *g)
{
    const ph_problem *p = g->p;
    const bool wheels = has_wheels(p);
    g->slopes = NULL;
    if (wheels || p->internal == NULL) {
        if (p->torque != NULL)
            g->slopes = slopes_of(p);
        else if (wheels || p->parameter_count == 0)
            g->slopes = no_slopes;
    }
    g->wheels = -1;
    for (int i = 0; i < p->parameter_count && wheels; i++) {
        if (strcmp(p->parameters[i].name, "wheels") == 0)
            g->wheels = p->parameters[i].first;
    }
    for (int k = 0; k < 3; k++) {
        const ph_vec3 v = ph_body_velocity(&g->p->body, axis(k));
        g->K[k] = v.x;
        g->K[3 + k] = v.y;
        g->K[6 + k] = v.z;
    }
}

/* ---- differences ----------------------------------------------------------------- */

/* What is differentiated: at a time and in a state, in vectors. */
enum { VALUES = 2 };
typedef struct values {
    ph_vec3 of[VALUES];
} values;
typedef values function(const ph_problem *p, double t, const ph_state *s);

/* The torque, and the angular velocity. */
static values torque_and_velocity(const ph_problem *p, double t, const ph_state *s)
{
    const ph_vec3 w = ph_problem_velocity(p, t, s->m);
    return (values){{torque_moving(p, t, s->q, s->m, w), w}};
}

/* The torque alone, where the velocity is known or does not matter. */
static values torque_only(const ph_problem *p, double t, const ph_state *s)
{
    return (values){{torque_and_velocity(p, t, s).of[0]}};
}

/* What a kick by the force gradient adds to m, over h3. */
static values force_gradient(const ph_problem *p, double t, const ph_state *s)
{
    const ph_instant now = instant_at(t, s->q);
    const ph_vec3 tau = torque_at(p, t, s->q), g = ph_body_velocity(&p->body, tau);
    const ph_mat3 D = p->derivative(p, &now);
    return (values){{scale(2.0, sub(apply(D, g), cross(tau, g)))}};
}

/* Where a number of J stands: row and column. */
static const int ROW[6] = {0, 1, 2, 0, 0, 1}, COLUMN[6] = {0, 1, 2, 1, 2, 2};

/* A function where what is differentiated by differs by x; NaN where there is nothing. */
static values moved(function *f, const ph_problem *p, double t, const ph_state *s, int by, double x)
{
    const values none = {{{NAN, NAN, NAN}, {NAN, NAN, NAN}}};
    ph_problem q = *p;
    ph_state r = *s;
    if (by < BY_MOMENTUM) {
        r.q = mul(s->q, ph_rotation_exp(scale(x, axis(by))));
    } else if (by < BY_INERTIA) {
        r.m = add(s->m, scale(x, axis(by - BY_MOMENTUM)));
    } else if (by < BY_PARAMETERS) {
        ph_mat3 J =
            columns(ph_body_momentum(&p->body, axis(0)), ph_body_momentum(&p->body, axis(1)),
                    ph_body_momentum(&p->body, axis(2)));
        J.a[ROW[by - BY_INERTIA]][COLUMN[by - BY_INERTIA]] += x;
        if (ph_body_from_tensor(&q.body, J) != PH_OK)
            return none;
    } else {
        const int k = by - BY_PARAMETERS;
        q.value[k] += x;
        if (!ph_range_has(ph_tangent_parameter(p, k)->range, q.value[k]))
            return none;
        if (q.prepare != NULL)
            q.prepare(&q);
        q.body = p->body; /* which are given, as the start is */
    }
    q.evaluations = NULL;
    return (f)(&q, t, &r); /* without parentheses cppcheck sees a constructor */
}

/* The largest difference to begin with. */
static double first_difference(const ph_problem *p, const ph_state *s, int by)
{
    static const double SHARE = 0.125;
    const ph_vec3 J = p->body.J;
    double size = 1.0;
    if (by >= BY_PARAMETERS) {
        const ph_parameter *one = ph_tangent_parameter(p, by - BY_PARAMETERS);
        double largest = 0.0;
        for (int k = 0; k < one->count; k++)
            largest = larger_or_nan(largest, fabs(p->value[one->first + k]));
        size = positive_or_one(largest);
    } else if (by >= BY_INERTIA) {
        size = smaller_or_nan(J.x, smaller_or_nan(J.y, J.z));
    } else if (by >= BY_MOMENTUM) {
        size = positive_or_one(norm_max(s->m));
    }
    return ldexp(SHARE, ilogb(size));
}

static double number_of(const values *v, int n)
{
    const ph_vec3 a = v->of[n / 3];
    const double numbers[3] = {a.x, a.y, a.z};
    return numbers[n % 3];
}

static bool finite_values(const values *v)
{
    return finite3(v->of[0]) && finite3(v->of[1]);
}

/* The derivative of a function by something, each number of it extrapolated for itself; NaN
 * where there is none. A parameter at the end of its range moves to one side. */
static values slope(function *f, const ph_problem *p, double t, const ph_state *s, int by)
{
    enum { LEVELS = 24, ORDERS = 6, NUMBERS = 3 * VALUES };
    static const double ROUNDING = 0x1p-51, LOST = 1e-3, SMALL = 1e-6;
    const values at = f(p, t, s);
    const double first = first_difference(p, s, by);
    const bool one_side =
        by >= BY_PARAMETERS && !ph_range_has(ph_tangent_parameter(p, by - BY_PARAMETERS)->range,
                                             p->value[by - BY_PARAMETERS] - SMALL * first);
    double row[NUMBERS][ORDERS + 1] = {{0}}, error[NUMBERS], best[NUMBERS] = {0};
    for (int n = 0; n < NUMBERS; n++)
        error[n] = INFINITY;
    bool done = false;
    for (int level = 0, filled = 0; level < LEVELS && !done; level++) {
        const double d = ldexp(first, -level), over = one_side ? d : 2.0 * d;
        const values a = moved(f, p, t, s, by, d), b = one_side ? at : moved(f, p, t, s, by, -d);
        done = finite_values(&a) && finite_values(&b);
        if (!done) {
            filled = 0;
            continue;
        }
        for (int n = 0; n < NUMBERS; n++) {
            const double rounding = ROUNDING * norm_max(at.of[n / 3]) / d;
            const double x = number_of(&a, n), y = number_of(&b, n), here = number_of(&at, n);
            double next = (x - y) / over, factor = 1.0;
            if (x == here && y == here)
                error[n] = 0.0; /* it does not depend on this */
            for (int j = 0; j <= filled; j++) {
                const double before = row[n][j];
                row[n][j] = next;
                if (j == filled)
                    break;
                factor *= one_side ? 2.0 : 4.0;
                const double more = next + (next - before) / (factor - 1.0),
                             off = rounding + larger_or_nan(fabs(more - next), fabs(more - before));
                if (off < error[n]) {
                    error[n] = off;
                    best[n] = more;
                }
                next = more;
            }
            done = done && error[n] <= 2.0 * rounding;
        }
        filled += filled < ORDERS;
    }
    values out;
    for (size_t i = 0; i < VALUES; i++) {
        const double *x = &best[3 * i], *e = &error[3 * i];
        const ph_vec3 found = {x[0], x[1], x[2]}, off = {e[0], e[1], e[2]};
        const double much = LOST * norm_max(found) + SMALL * norm_max(at.of[i]) / first;
        if (norm_max(off) <= much)
            out.of[i] = found;
        else
            out.of[i] = vec3(NAN, NAN, NAN);
    }
    return out;
}

/* ---- the field ------------------------------------------------------------------- */

static ph_mat3 slopes_along(const ph_problem *p, double t, const ph_state *s, int by)
{
    ph_vec3 column[3];
    for (int k = 0; k < 3; k++)
        column[k] = slope(torque_only, p, t, s, by + k).of[0];
    return columns(column[0], column[1], column[2]);
}

/* - J^-1 dJ w, for a unit of a number of J */
static ph_vec3 velocity_by_inertia(const double *K, ph_vec3 w, int number)
{
    const double x[3] = {w.x, w.y, w.z};
    const int i = ROW[number], k = COLUMN[number];
    const double a = -x[k], b = i == k ? 0.0 : -x[i];
    return vec3(a * K[i] + b * K[k], a * K[3 + i] + b * K[3 + k], a * K[6 + i] + b * K[6 + k]);
}

/* How the velocity changes with a parameter at constant m, and the torque, unless NULL. */
static ph_vec3 velocity_by_parameter(const tangent_run *g, double t, const ph_state *s, int by,
                                     ph_vec3 *torque)
{
    const int k = by - BY_PARAMETERS - g->wheels;
    if (torque == NULL && g->wheels >= 0) {
        if (k < 0 || k > 2)
            return vec3(0, 0, 0);
        return vec3(-g->K[k], -g->K[3 + k], -g->K[6 + k]);
    }
    if (torque == NULL && g->p->internal == NULL && g->slopes != NULL)
        return vec3(0, 0, 0);
    const values v = slope(torque_and_velocity, g->p, t, s, by);
    if (torque != NULL)
        *torque = v.of[0];
    return v.of[1];
}

/* The derivatives at a point that no kernel gives; those of a column at constant m. */
static void find_slopes(const tangent_run *g, tangent_points *x, int i)
{
    const ph_problem *p = g->p;
    torque_slopes *to = &x->slopes;
    ph_torque_derivatives exact;
    const double t = x->t[i];
    const ph_state s = {{x->q[0][i], x->q[1][i], x->q[2][i], x->q[3][i]}, get_vector(x->m, i)};
    ph_instant now = instant_at(t, s.q);
    ph_mat3 by_attitude = {{{0}}}, by_momentum = {{{0}}};
    if (p->velocity_dependent || p->derivatives != NULL) {
        now.m = s.m;
        now.w = get_vector(x->w, i);
    }
    const bool start_alone = g->sources == g->columns && !p->velocity_dependent;
    if (p->derivatives != NULL && !(start_alone && p->derivative != NULL)) {
        const ph_mat3 K = {{{g->K[0], g->K[1], g->K[2]},
                            {g->K[3], g->K[4], g->K[5]},
                            {g->K[6], g->K[7], g->K[8]}}};
        p->derivatives(p, &now, &exact);
        by_attitude = exact.attitude;
        by_momentum = add_to(exact.momentum, 1.0, matmul(exact.velocity, K));
    } else if (p->torque != NULL) {
        if (p->derivative != NULL)
            by_attitude = p->derivative(p, &now);
        else
            by_attitude = slopes_along(p, t, &s, BY_ROTATION);
        if (p->velocity_dependent)
            by_momentum = slopes_along(p, t, &s, BY_MOMENTUM);
    }
    put_matrix(to->attitude, i, by_attitude);
    put_matrix(to->momentum, i, by_momentum);
    for (int c = g->sources; c < g->columns; c++) {
        const int by = g->by[c];
        const bool parameter = by >= BY_PARAMETERS;
        ph_vec3 torque = {0}, v = {0};
        if (!parameter) {
            if (p->derivatives != NULL)
                torque = apply(exact.velocity, velocity_by_inertia(g->K, now.w, by - BY_INERTIA));
            else if (p->torque != NULL)
                torque = slope(torque_only, p, t, &s, by).of[0];
        } else if (p->derivatives != NULL) {
            if (p->internal != NULL)
                v = velocity_by_parameter(g, t, &s, by, NULL);
            torque = add(exact.value[by - BY_PARAMETERS], apply(exact.velocity, v));
        } else {
            v = velocity_by_parameter(g, t, &s, by, &torque);
        }
        put_vector(parameter ? to->value[by - BY_PARAMETERS] : to->inertia[by - BY_INERTIA], i,
                   torque);
        x->velocity[i][0][c] = v.x; /* of a column by J it is found with the sources */
        x->velocity[i][1][c] = v.y;
        x->velocity[i][2][c] = v.z;
    }
}

void ph_tangent_field(const tangent_run *g, tangent_points *x)
{
    static slopes_kernel *const states[ISA_COUNT] = KERNEL_TABLE(tangent_states),
                                *const matrices[ISA_COUNT] = KERNEL_TABLE(tangent_matrices);
    const ph_problem *p = x->p = g->p;
    x->g = g;
    x->wanted = g->wanted;
    x->by_inertia = g->slopes == NULL;
    x->principal = p->body.principal && !p->velocity_dependent;
    for (int i = 0; i < x->count && p->internal != NULL; i++)
        put_vector(x->internal, i, p->internal(p, x->t[i]));
    states[ph_isa()](x);
    if (g->slopes != NULL)
        g->slopes(x);
    for (int i = 0; i < x->count && g->slopes == NULL; i++)
        find_slopes(g, x, i);
    matrices[ph_isa()](x);
}

void ph_tangent_add_points(tangent_points *x, const step_points *from, int lane, int count)
{
    for (int n = 0; n < PH_UNKNOWNS; n++) {
        double *to = (n < 4 ? x->q[n] : x->m[n - 4]) + x->count;
        for (int i = 0; i < count; i += 2) { /* there are as many even as odd points */
            to[i] = from->y[i][n][lane];
            to[i + 1] = from->y[i + 1][n][lane];
        }
    }
    x->count += count;
}

void ph_tangent_point(const tangent_run *g, double t, const ph_state *principal, tangent_points *x)
{
    const ph_state *s = principal;
    const double q[4] = {s->q.w, s->q.x, s->q.y, s->q.z};
    x->count = 1;
    x->cleared = 0;
    x->t[0] = t;
    x->length[0] = 1.0;
    for (int k = 0; k < 4; k++)
        x->q[k][0] = q[k];
    put_vector(x->m, 0, s->m);
    ph_tangent_field(g, x);
}

ph_vec3 ph_tangent_direct_velocity(const tangent_run *g, double t, const ph_state *s, int by)
{
    if (by < BY_PARAMETERS)
        return velocity_by_inertia(g->K, ph_problem_velocity(g->p, t, s->m), by - BY_INERTIA);
    return velocity_by_parameter(g, t, s, by, NULL);
}

ph_vec3 ph_tangent_gradient(const tangent_run *g, double t, const ph_state *s, int by)
{
    return slope(force_gradient, g->p, t, s, by).of[0];
}

/* ---- sizes ----------------------------------------------------------------------- */

double ph_tangent_unit(const tangent_run *g, tangent_points *x, double h)
{
    return norm_max(get_vector(x->m, 0)) + norm_max(g->p->body.J) / fabs(h);
}
#endif
