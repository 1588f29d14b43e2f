/* fit_model.c - chi2 of a motion as a function of what is sought, and its minimum by Levenberg and
 * Marquardt.
 *
 * Unknowns are a small rotation theta of the start, in the body, the velocity w, and the tensor J in
 * the axes of the body. With D the derivatives of the state by theta, m = J w and J, those by w are
 * D_m J, and those by J at constant w are D_J + D_m dJ w. Residuals, each over its sigma:
 *
 *   attitude     x = log(q^-1 q_observed)   by q -> q exp(d):  -dexp^-1_x d
 *   velocity     w_observed - w - bias
 *   axis         e_observed - R a                              R (a x d)
 *   vector       b_observed - R^T s                            d x R^T s
 *   brightness   b_observed - factor b
 *
 * The step solves (N + lambda diag N) d = g by the eigenvectors of N with unit diagonal:
 * K. Madsen, H. B. Nielsen, O. Tingleff, Methods for non-linear least squares problems, 2004.
 *
 * In order: the brightness of an ellipsoid; the motion and its derivatives, free and in a field; residuals
 * and the loss; the descent, which stays among physical bodies.
 */
#include <string.h>

#include "fit/fit_model.h"
#include "motion/vec.h"
#include "system/kind.h"

/* ---- the brightness of an ellipsoid ---------------------------------------------------------- */

/* Muinonen, Lumme, Astron. Astrophys. 584 (2015) A23. With A the diagonal matrix of the semi-axes,
 * a point A u of the surface, |u| = 1, has the normal A^-1 u and the element of area
 * det A |A^-1 u| du. With p = A^-1 observer, s = A^-1 sun and n = |A^-1 u| the brightness is
 *
 *   det A integral of f(u.p, u.s, n) du   where u.p > 0 and u.s > 0
 *   f = x y / (x + y)   Lommel-Seeliger,   f = x y / n   Lambert
 *
 * The domain is a lune. Its longitude and latitude are integrated by Gauss' rule, unless f is that of
 * Lommel and Seeliger, which is proportional to the cosine of the latitude: that integral is pi/2. The
 * other one is elementary. From the longitude l of p + s, |p + s| = d, p is at the angle A and s at -B:
 *
 *   u.p = P cos l + k sin l     P = |p| cos A     k = |p| sin A = |s| sin B
 *   u.s = Q cos l - k sin l     Q = |s| cos B     u.p + u.s = d cos l    A - pi/2 < l < pi/2 - B
 *
 * The integrals of cos l, sin l, 1/cos l and sin^3 l/cos^2 l over the lune are
 *
 *   C = cos A + cos B     S = sin A - sin B     E = -log(tan(A/2) tan(B/2))     1/sin B - 1/sin A - S
 *
 * f vanishes at the edges, so that derivatives can be taken below the integral. The moments J of a
 * homogeneous body give A^2 = tr(J)/2 - J, up to a factor.
 */

enum { NODES = 6 }; /* of Gauss' rule of 12 points on [-1, 1], those above 0 */
static const double node[NODES] = {0.1252334085114689154724, 0.3678314989981801937527,
                                   0.5873179542866174472967, 0.7699026741943046870369,
                                   0.9041172563704748566785, 0.9815606342467192506905};
static const double weight[NODES] = {0.2491470458134027850006, 0.2334925365383548087608,
                                     0.2031674267230659217491, 0.1600783285433462263347,
                                     0.1069393259953184309603, 0.04717533638651182719462};

/* The integral, and those of its derivatives by p, s and A^-1 within n. */
typedef struct sums {
    double value;
    ph_vec3 by_p, by_s;
    double by_inverse[3][3];
} sums;

static void add_point(sums *out, const double k[3], ph_vec3 p, ph_vec3 s, ph_vec3 u, double part,
                      bool slopes)
{
    const double x = dot(u, p), y = dot(u, s);
    const double at[3] = {u.x, u.y, u.z},
                 n2 = k[0] * k[0] * u.x * u.x + k[1] * k[1] * u.y * u.y + k[2] * k[2] * u.z * u.z,
                 f = part / sqrt(n2);
    out->value += f * x * y;
    out->by_p = add(out->by_p, scale(f * y, u));
    out->by_s = add(out->by_s, scale(f * x, u));
    for (int i = 0; i < 3 && slopes; i++) {
        for (int j = 0; j < 3; j++)
            out->by_inverse[i][j] -= f * x * y / n2 * at[i] * k[j] * at[j];
    }
}

/* The integral of Lommel and Seeliger's law over the lune, whose edges are across p and s. */
static sums integrate_exactly(ph_vec3 p, ph_vec3 s)
{
    const ph_vec3 both = add(p, s);
    const double a = norm(s), b = norm(p), d = norm(both), tiny = 1e-150;
    if (!(d > 1e-15 * (a + b))) /* the sun is behind the body */
        return (sums){0};
    const double P = dot(p, both) / d, Q = dot(s, both) / d, k = norm(cross(p, s)) / d,
                 C = P / b + Q / a, S = k / b - k / a,
                 E = ph_real_log((b + P) / (k + tiny)) + ph_real_log((a + Q) / (k + tiny)),
                 over_k = 1.0 / b - 1.0 / a, cubed = a - b - k * S, by = 0.5 * PH_PI / (d * d);
    /* along p + s, and k times the unit vector across it: coefficients of that are over k */
    const ph_vec3 e1 = scale(1.0 / d, both), ke2 = sub(p, scale(P, e1));
    return (sums){.value = by * d * ((P * Q + k * k) * C + k * (Q - P) * S - k * k * E),
                  .by_p = scale(by, add(scale(Q * Q * C - 2.0 * Q * k * S + k * k * (E - C), e1),
                                        scale(Q * Q * over_k - 2.0 * Q * (E - C) + cubed, ke2))),
                  .by_s = scale(by, add(scale(P * P * C + 2.0 * P * k * S + k * k * (E - C), e1),
                                        scale(P * P * over_k + 2.0 * P * (E - C) + cubed, ke2)))};
}

/* The lune between the planes across s and p, in the axes e1 along s, e2 and e3 across both. */
static sums integrate(const double k[3], ph_vec3 p, ph_vec3 s, bool slopes)
{
    sums out = {0};
    const ph_vec3 e1 = scale(1.0 / norm(s), s), across = sub(p, scale(dot(p, e1), e1)),
                  other = axis_apart(e1);
    const double sine = norm(across), tiny = 1e-12 * norm(p);
    ph_vec3 e2 = across;
    if (!(sine > tiny))
        e2 = sub(other, scale(dot(other, e1), e1));
    e2 = scale(1.0 / norm(e2), e2);
    const ph_vec3 e3 = cross(e1, e2);
    const double angle = ph_atan2(sine, dot(p, e1)), half = 0.5 * (PH_PI - angle);
    for (int i = 0; i < 2 * NODES; i++) {
        double sin_longitude, cos_longitude;
        ph_sincos(0.5 * angle - alternating(i) * half * node[i / 2], &sin_longitude,
                  &cos_longitude);
        const ph_vec3 equator = add(scale(cos_longitude, e1), scale(sin_longitude, e2));
        const double part = half * weight[i / 2];
        for (int j = 0; j < 2 * NODES; j++) {
            const double z = -alternating(j) * node[j / 2];
            const ph_vec3 u = add(scale(sqrt(1.0 - z * z), equator), scale(z, e3));
            add_point(&out, k, p, s, u, part * weight[j / 2], slopes);
        }
    }
    return out;
}

double ph_ellipsoid_brightness(ph_scattering law, ph_vec3 J, ph_vec3 observer, ph_vec3 sun,
                               double by[9])
{
    const double trace = J.x + J.y + J.z, a2 = 0.5 * trace - J.x, b2 = 0.5 * trace - J.y,
                 c2 = 0.5 * trace - J.z;
    if (!(a2 > 0.0 && b2 > 0.0 && c2 > 0.0))
        return NAN;
    const double volume = sqrt(a2 * b2 * c2),
                 k[3] = {1.0 / sqrt(a2), 1.0 / sqrt(b2), 1.0 / sqrt(c2)};
    const ph_vec3 p = {k[0] * observer.x, k[1] * observer.y, k[2] * observer.z},
                  s = {k[0] * sun.x, k[1] * sun.y, k[2] * sun.z};
    sums all;
    if (law == PH_LOMMEL_SEELIGER)
        all = integrate_exactly(p, s);
    else
        all = integrate(k, p, s, by != NULL);
    if (by == NULL)
        return volume * all.value;
    /* A turn of the body moves a direction v in it by v x turn. */
    const ph_vec3 gp = all.by_p, gs = all.by_s,
                  turn = add(cross(vec3(k[0] * gp.x, k[1] * gp.y, k[2] * gp.z), observer),
                             cross(vec3(k[0] * gs.x, k[1] * gs.y, k[2] * gs.z), sun));
    by[0] = volume * turn.x, by[1] = volume * turn.y, by[2] = volume * turn.z;
    /* A change dS of A^2 is one of A^-1 by -1/2 A^-1 dS A^-2, up to a turn of u. */
    const double of_p[3] = {gp.x, gp.y, gp.z}, of_s[3] = {gs.x, gs.y, gs.z},
                 e[3] = {observer.x, observer.y, observer.z}, d[3] = {sun.x, sun.y, sun.z};
    double by_square[3][3], spread = 0.0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            by_square[i][j] = -0.5 * volume * k[i] * k[j] * k[j] *
                              (of_p[i] * e[j] + of_s[i] * d[j] + all.by_inverse[i][j]);
        by_square[i][i] += 0.5 * volume * all.value * k[i] * k[i];
        spread += by_square[i][i];
    }
    for (int i = 0; i < 3; i++) {
        by[3 + i] = 0.5 * spread - by_square[i][i];
        const int row = tensor_row[3 + i], column = tensor_column[3 + i];
        by[6 + i] = -by_square[row][column] - by_square[column][row];
    }
    return volume * all.value;
}

/* ---- the motion and its derivatives ------------------------------------------------- */

enum { MOST = PH_FIT_COLUMNS, ROWS = FIT_ROWS, SLOPES = FIT_SLOPES };
enum { BEFORE_PARAMETERS = 12 }; /* theta, m and J */

/* A state with its derivatives: rows of the attitude, then of the velocity. */
typedef struct predicted {
    ph_quat q;
    ph_vec3 w;
    double by[ROWS][MOST];
} predicted;

/* The derivative by component k of the velocity, and by element k of the tensor, of those by theta, m and
 * J: m = J w depends on both. */
static double by_velocity(const double *from, const ph_mat3 *J, int k)
{
    return from[3] * J->a[0][k] + from[4] * J->a[1][k] + from[5] * J->a[2][k];
}

static double by_tensor(const double *from, const double w[3], int k)
{
    const int row = tensor_row[k], column = tensor_column[k];
    return from[6 + k] + from[3 + row] * w[column] +
           (row != column ? from[3 + column] * w[row] : 0.0);
}

/* The derivatives by what is sought, of those by theta, m, J and parameters. */
static void chain(const fit_model *f, const fit_point *x, const fit_state *at,
                  double by[ROWS][MOST])
{
    const ph_mat3 J = symmetric(x->tensor);
    const double w[3] = {x->w.x, x->w.y, x->w.z};
    for (int r = 0; r < ROWS; r++) {
        const double *from = at->by[r];
        for (int c = 0; c < f->columns; c++) {
            const int k = f->column[c].index, kind = f->column[c].kind;
            if (kind == OF_ATTITUDE)
                by[r][c] = from[k];
            else if (kind == OF_VELOCITY)
                by[r][c] = by_velocity(from, &J, k);
            else if (kind == OF_TENSOR)
                by[r][c] = by_tensor(from, w, k);
            else if (kind == OF_PARAMETER)
                by[r][c] = from[BEFORE_PARAMETERS + k];
            else
                by[r][c] = 0.0;
        }
    }
}

/* The free motion at a time; false where it has no derivative. */
static bool follow(const ph_motion *motion, const ph_body *body, double t, bool slopes,
                   fit_state *out)
{
    ph_state s;
    if (slopes) {
        ph_derivative d;
        if (ph_motion_derivative_at(motion, t, &s, &d) != PH_OK)
            return false;
        for (int r = 0; r < 3; r++) {
            memcpy(out->by[r], d.attitude[r], BEFORE_PARAMETERS * sizeof(double));
            memcpy(out->by[3 + r], d.velocity[r], BEFORE_PARAMETERS * sizeof(double));
        }
    } else {
        s = ph_motion_at(motion, t);
    }
    out->q = s.q;
    out->w = ph_body_velocity(body, s.m);
    return true;
}

fit_point ph_fit_moved(const fit_model *f, const fit_point *x, const double *by)
{
    fit_point y = *x;
    double turn[3] = {0.0, 0.0, 0.0},
           *const place[] = {
               [OF_ATTITUDE] = turn,  [OF_VELOCITY] = &y.w.x,  [OF_TENSOR] = y.tensor,
               [OF_BIAS] = &y.bias.x, [OF_FACTOR] = &y.factor, [OF_PARAMETER] = y.parameter,
           };
    for (int c = 0; c < f->columns; c++)
        place[f->column[c].kind][f->column[c].index] += by[c];
    y.q = ph_quat_unit(mul(x->q, ph_rotation_exp(vec3(turn[0], turn[1], turn[2]))));
    return y;
}

/* ---- a body in a field: runs ------------------------------------------------------- */

typedef struct watcher {
    const fit_model *f;
    bool slopes;
    size_t fixed; /* columns of start and tensor */
    size_t next;  /* observation */
} watcher;

/* Keeps the state and its derivatives at the time of an observation. */
static bool watch(void *context, ph_system *s)
{
    watcher *w = context;
    const fit_model *f = w->f;
    const ph_array *velocity = NULL;
    (void)ph_system_array_named(s, "velocity", &velocity);
    for (; w->next < f->used && velocity != NULL && f->times[w->next] <= ph_system_clock(s);
         w->next++) {
        fit_state *to = &f->states[w->next];
        to->q = ph_system_state(s).q;
        to->w = vec3(*velocity->data[0], *velocity->data[1], *velocity->data[2]);
        for (size_t k = 0; w->slopes && k < ph_system_derivative_count(s); k++) {
            ph_system_column d;
            (void)ph_system_derivative(s, k, &d);
            size_t at = k < w->fixed ? k : SLOPES;
            for (int c = 0; c < f->columns && at == SLOPES; c++) {
                if (strcmp(d.name, f->name[c]) == 0)
                    at = BEFORE_PARAMETERS + (size_t)f->column[c].index;
            }
            const double by[ROWS] = {d.attitude.x, d.attitude.y, d.attitude.z,
                                     d.velocity.x, d.velocity.y, d.velocity.z};
            for (int r = 0; r < ROWS && at < SLOPES; r++)
                to->by[r][at] = by[r];
        }
    }
    return fit_goes_on(f);
}

/* The states of a point at all times that count; false if the run fails. */
static bool run(const fit_model *f, const fit_point *x, bool slopes)
{
    ph_system_settings with = f->system;
    ph_setting *own = f->setting + with.setting_count - 3;
    own[0] = (ph_setting){"tensor", x->tensor, 6};
    own[1] = (ph_setting){"attitude", &x->q.w, 4};
    own[2] = (ph_setting){"velocity", &x->w.x, 3};
    for (size_t k = 0, first = 0; k < f->with->parameter_count; k++) {
        ph_setting *s = &f->setting[f->parameter_at[k]];
        s->values = x->parameter + first;
        first += s->count;
    }
    const bool inertia = (f->with->sought & PH_FIT_INERTIA) != 0;
    if (slopes)
        with.derivatives = PH_DERIVATIVES_START;
    if (slopes && inertia)
        with.derivatives |= PH_DERIVATIVES_INERTIA;
    if (slopes && f->with->parameter_count > 0)
        with.derivatives |= PH_DERIVATIVES_PARAMETERS;
    watcher w = {f, slopes, inertia ? BEFORE_PARAMETERS : 6, 0};
    const ph_observer seen = {watch, &w, 0, f->times, f->used};
    ph_system *s = NULL;
    ph_status status = ph_system_create(&with, &s);
    if (status == PH_OK)
        status = ph_system_run_until(s, f->times[f->used - 1], &seen);
    if (status == PH_OK)
        (void)watch(&w, s);
    ph_system_destroy(s);
    return status == PH_OK && w.next == f->used;
}

size_t ph_fit_width(const ph_observations *o)
{
    size_t sum = 0;
    for (int k = 0; k < PH_SEEN_KINDS && o != NULL; k++) {
        if (o->seen[k] != NULL)
            sum += (size_t)fit_rows[k];
    }
    return sum;
}

/* ---- residuals ------------------------------------------------------------------------ */

/* A residual over sigma of each kind with its derivatives, up to three rows. */
typedef struct residual {
    int rows;
    double value[3], by[3][MOST];
} residual;

/* value = -scale A by, A by its columns. */
static void derive(residual *r, const fit_model *f, double scale_by, const ph_vec3 A[3],
                   const double (*by)[MOST])
{
    for (int c = 0; c < f->columns; c++) {
        const ph_vec3 d =
            add(add(scale(by[0][c], A[0]), scale(by[1][c], A[1])), scale(by[2][c], A[2]));
        r->by[0][c] = -scale_by * d.x, r->by[1][c] = -scale_by * d.y;
        r->by[2][c] = -scale_by * d.z;
    }
}

static void set_vector(residual *r, double scale_by, ph_vec3 v)
{
    r->rows = 3;
    r->value[0] = scale_by * v.x, r->value[1] = scale_by * v.y, r->value[2] = scale_by * v.z;
}

static void see_brightness(residual *r, const fit_model *f, const fit_point *x, const ph_body *body,
                           size_t i, double inverse_sigma, const predicted *p, bool slopes)
{
    const ph_observations *o = f->o;
    const double *e = o->observer + 3 * i, *s = o->sun + 3 * i;
    const ph_quat axes = mul(p->q, body->axes);
    const ph_vec3 sight = rotate_back(axes, vec3(e[0], e[1], e[2])),
                  light = rotate_back(axes, vec3(s[0], s[1], s[2]));
    double by[9];
    const double b = ph_ellipsoid_brightness(f->with->law, body->J, scale(1.0 / norm(sight), sight),
                                             scale(1.0 / norm(light), light), slopes ? by : NULL);
    r->rows = 1;
    r->value[0] = inverse_sigma * (o->seen[PH_SEEN_BRIGHTNESS][i] - x->factor * b);
    if (!slopes)
        return;
    const ph_vec3 turn = rotate(body->axes, vec3(by[0], by[1], by[2]));
    const ph_mat3 A = ph_quat_matrix(body->axes),
                  G = matmul(A, matmul((ph_mat3){{{by[3], 0.5 * by[6], 0.5 * by[7]},
                                                  {0.5 * by[6], by[4], 0.5 * by[8]},
                                                  {0.5 * by[7], 0.5 * by[8], by[5]}}},
                                       transpose(A)));
    for (int c = 0; c < f->columns; c++) {
        const int k = f->column[c].index % 6, kind = f->column[c].kind;
        const double d = turn.x * p->by[0][c] + turn.y * p->by[1][c] + turn.z * p->by[2][c],
                     of_tensor = tensor_times[k] * G.a[tensor_row[k]][tensor_column[k]],
                     direct = kind == OF_TENSOR ? of_tensor : 0.0;
        r->by[0][c] = -inverse_sigma * (kind == OF_FACTOR ? b : x->factor * (d + direct));
    }
}

static void see(residual *r, const fit_model *f, const fit_point *x, const ph_body *body, size_t i,
                int kind, const predicted *p, bool slopes)
{
    static const ph_vec3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const ph_observations *o = f->o;
    const double by = 1.0 / (f->scale[kind] * f->unit[kind] * fit_sigma(o, kind, i));
    const double *v = o->seen[kind] + (kind == PH_SEEN_ATTITUDE ? 4 : 3) * i;
    ph_vec3 A[3];
    if (kind == PH_SEEN_BRIGHTNESS) {
        see_brightness(r, f, x, body, i, by, p, slopes);
    } else if (kind == PH_SEEN_VELOCITY) {
        set_vector(r, by, sub(vec3(v[0], v[1], v[2]), add(p->w, x->bias)));
        if (slopes)
            derive(r, f, by, unit, p->by + 3);
        for (int c = 0; c < f->columns && slopes; c++) {
            if (f->column[c].kind == OF_BIAS)
                r->by[f->column[c].index][c] = -by;
        }
    } else if (kind == PH_SEEN_VECTOR) {
        const double *s = o->space + 3 * i;
        const ph_vec3 b = {v[0], v[1], v[2]}, e = {s[0], s[1], s[2]},
                      at = rotate_back(p->q, scale(1.0 / norm(e), e));
        set_vector(r, by, sub(scale(1.0 / norm(b), b), at));
        for (int k = 0; k < 3; k++)
            A[k] = cross(at, unit[k]);
        if (slopes)
            derive(r, f, by, A, p->by);
    } else if (kind == PH_SEEN_AXIS) {
        const ph_vec3 e = {v[0], v[1], v[2]}, a = scale(1.0 / norm(o->axis), o->axis),
                      at = rotate(p->q, a);
        set_vector(r, by, sub(scale(fit_side(o, e, at) / norm(e), e), at));
        for (int k = 0; k < 3; k++)
            A[k] = rotate(p->q, cross(unit[k], a));
        if (slopes)
            derive(r, f, by, A, p->by);
    } else {
        const ph_vec3 apart =
            ph_rotation_log(mul(inverse(p->q), ph_quat_unit((ph_quat){v[0], v[1], v[2], v[3]})));
        set_vector(r, by, apart);
        for (int k = 0; k < 3; k++)
            A[k] = ph_dexp_inverse(apart, unit[k]);
        if (slopes)
            derive(r, f, by, A, p->by);
    }
}

/* Beyond these many sigma of one row a robust loss grows less: they keep 95 % of the efficiency of
 * squares. */
double ph_fit_loss_of(ph_fit_loss loss, double square, int rows, double *slope)
{
    const double huber = 1.345 * 1.345 * rows, cauchy = 2.3849 * 2.3849 * rows;
    *slope = 1.0;
    if (loss == PH_LOSS_CAUCHY) {
        *slope = 1.0 / (1.0 + square / cauchy);
        return cauchy * ph_real_log(1.0 + square / cauchy);
    }
    if (loss == PH_LOSS_SQUARES || square <= huber)
        return square;
    *slope = sqrt(huber / square);
    return 2.0 * sqrt(huber * square) - huber;
}

double ph_fit_loss_at(const fit_model *f, const fit_point *x, double *N, double *g,
                      double *residuals)
{
    const int n = f->columns;
    const bool free = f->is_free;
    double sum = 0.0;
    ph_body body;
    ph_motion motion;
    predicted p;
    if (ph_body_from_tensor(&body, symmetric(x->tensor)) != PH_OK)
        return NAN;
    const ph_state start = {x->q, ph_body_momentum(&body, x->w)};
    if (free && ph_motion_prepare(&motion, &body, &start) != PH_OK)
        return NAN;
    if (!free && !run(f, x, N != NULL))
        return NAN;
    if (N != NULL) {
        memset(N, 0, (size_t)(n * n) * sizeof *N);
        memset(g, 0, (size_t)n * sizeof *g);
    }
    fit_state at = {.by = {{0}}};
    const double *shift = f->shift;
    for (size_t i = 0; i < f->used; i++) {
        if (!free)
            at = f->states[i];
        else if (!follow(&motion, &body, f->times[i], N != NULL, &at))
            return NAN;
        p.q = at.q, p.w = at.w;
        if (N != NULL)
            chain(f, x, &at, p.by);
        for (int kind = 0; kind < PH_SEEN_KINDS; kind++) {
            if (f->o->seen[kind] == NULL)
                continue;
            residual r;
            see(&r, f, x, &body, i, kind, &p, N != NULL);
            double square = 0.0, slope;
            for (int k = 0; k < r.rows; k++) {
                r.value[k] += shift != NULL ? *shift++ : 0.0;
                square += r.value[k] * r.value[k];
                if (residuals != NULL)
                    *residuals++ = r.value[k];
            }
            sum += ph_fit_loss_of(f->loss, square, r.rows, &slope);
            for (int k = 0; N != NULL && k < r.rows; k++) {
                for (int a = 0; a < n; a++) {
                    g[a] -= slope * r.by[k][a] * r.value[k];
                    for (int b = 0; b <= a; b++)
                        N[a * n + b] += slope * r.by[k][a] * r.by[k][b];
                }
            }
        }
    }
    for (int a = 0; N != NULL && a < n; a++) {
        for (int b = 0; b < a; b++)
            N[b * n + a] = N[a * n + b];
    }
    for (int a = 0; f->prior != NULL && a < n; a++) {
        if (f->column[a].kind != OF_TENSOR)
            continue;
        const double away = f->prior[f->column[a].index] - x->tensor[f->column[a].index];
        sum += f->prior_weight * away * away;
        if (N != NULL) {
            g[a] += f->prior_weight * away;
            N[a * n + a] += f->prior_weight;
        }
    }
    return sum;
}

/* ---- descent -------------------------------------------------------------------------- */

void ph_eigenvectors(int n, double *A, double *value, double *vectors)
{
    const int sweeps = 30;
    for (int i = 0; i < n * n; i++)
        vectors[i] = i % (n + 1) == 0;
    for (int sweep = 0; sweep < sweeps; sweep++) {
        bool turned = false;
        for (int p = 0; p < n; p++) {
            for (int q = p + 1; q < n; q++) {
                const double off = A[p * n + q], app = A[p * n + p], aqq = A[q * n + q];
                if (!(fabs(off) > 1e-16 * sqrt(fabs(app * aqq)) && fabs(off) > 1e-300))
                    continue;
                turned = true;
                const double d = (aqq - app) / (2.0 * off),
                             t = copysign(1.0, d) / (fabs(d) + ph_hypot(1.0, d)),
                             c = 1.0 / ph_hypot(1.0, t), s = t * c;
                for (int k = 0; k < n; k++) {
                    const double kp = A[k * n + p], kq = A[k * n + q];
                    A[k * n + p] = c * kp - s * kq, A[k * n + q] = s * kp + c * kq;
                }
                for (int k = 0; k < n; k++) {
                    const double pk = A[p * n + k], qk = A[q * n + k], vp = vectors[p * n + k],
                                 vq = vectors[q * n + k];
                    A[p * n + k] = c * pk - s * qk, A[q * n + k] = s * pk + c * qk;
                    vectors[p * n + k] = c * vp - s * vq;
                    vectors[q * n + k] = s * vp + c * vq;
                }
            }
        }
        if (!turned)
            break;
    }
    for (int i = 0; i < n; i++)
        value[i] = A[i * n + i];
}

void ph_fit_scale_direction(const fit_model *f, const fit_point *x, double direction[MOST])
{
    for (int c = 0; c < f->columns; c++) {
        if (f->column[c].kind == OF_TENSOR)
            direction[c] = x->tensor[f->column[c].index];
        else
            direction[c] = f->column[c].kind == OF_FACTOR ? -x->factor : 0.0;
    }
}

/* ---- physical bodies ------------------------------------------------------------------ */

/* The second moments of the density, S = tr(J)/2 - J, of a physical body are positive: this is the
 * triangle inequality. The smallest may be that of a foil, and the ratio of two moments is bounded by
 * that of a needle. */
static const double FOIL = 1e-9, NEEDLE = 1e-4;

/* Eigenvalues of S, ascending, with their eigenvectors as rows. */
static void density_moments(const fit_point *x, double value[3], double vector[9])
{
    const double *t = x->tensor, half = 0.5 * (t[0] + t[1] + t[2]);
    double S[9] = {half - t[0], -t[3], -t[4], -t[3], half - t[1], -t[5], -t[4], -t[5], half - t[2]};
    ph_eigenvectors(3, S, value, vector);
    for (int k = 0; k < 3; k++) {
        const int a = k % 2, b = a + 1;
        for (int i = 0; i < 3 && value[a] > value[b]; i++) {
            const double v = vector[3 * a + i];
            vector[3 * a + i] = vector[3 * b + i], vector[3 * b + i] = v;
        }
        if (value[a] > value[b]) {
            const double v = value[a];
            value[a] = value[b], value[b] = v;
        }
    }
}

void ph_fit_make_physical(const fit_model *f, fit_point *x)
{
    double value[3], v[9];
    if ((f->with->sought & PH_FIT_INERTIA) == 0)
        return;
    density_moments(x, value, v);
    if (!(value[2] > 0.0))
        return;
    const double least[3] = {FOIL * value[2], NEEDLE * value[2], 0.0};
    const bool physical = value[0] >= least[0] && value[1] >= least[1];
    for (int k = 0; k < 3; k++)
        value[k] = larger_or_nan(value[k], least[k]);
    const double trace = value[0] + value[1] + value[2], largest = trace - value[0],
                 by = f->only_ratios ? 1.0 / largest : 1.0;
    for (int i = 0; i < 6 && !physical; i++) {
        const int r = tensor_row[i], c = tensor_column[i];
        x->tensor[i] = r == c ? trace : 0.0;
        for (int k = 0; k < 3; k++)
            x->tensor[i] -= value[k] * v[3 * k + r] * v[3 * k + c];
    }
    for (int i = 0; i < 6; i++)
        x->tensor[i] *= by;
    x->factor /= by;
}

/* Holds what would make a moment of the density smaller that is at its bound: adds a large multiple of
 * its normal to the normal equations, which are those of columns in these units. */
static void hold_bounds(const fit_model *f, const fit_point *x, const double *unit, double *N,
                        const double *g)
{
    const double at_bound = 1.0 + 1e-6, stiff = 1e8;
    const int n = f->columns;
    double value[3], v[9], normal[MOST] = {0};
    if ((f->with->sought & PH_FIT_INERTIA) == 0)
        return;
    density_moments(x, value, v);
    const double least[2] = {FOIL * value[2], NEEDLE * value[2]};
    for (int k = 0; k < 2; k++) {
        double along = 0.0, length = 0.0;
        for (int c = 0; c < n; c++) {
            const int i = f->column[c].index % 6, r = tensor_row[i], s = tensor_column[i];
            const double slope = 0.5 * (r == s) - v[3 * k + r] * v[3 * k + s] * tensor_times[i];
            if (f->column[c].kind == OF_TENSOR)
                normal[c] = unit[c] * slope;
            else
                normal[c] = 0.0;
            along += normal[c] * g[c], length += normal[c] * normal[c];
        }
        for (int i = 0; i < n * n && value[k] <= at_bound * least[k] && along < 0.0; i++)
            N[i] += stiff * normal[i / n] * normal[i % n] / length;
    }
}

/* Whether a step is round-off of everything that it changes. */
static bool is_round_off(const fit_model *f, const fit_point *x, const double *step)
{
    const double least = 1e-14;
    const double sizes[] = {
        [OF_ATTITUDE] = 1.0,
        [OF_VELOCITY] = norm_max(x->w),
        [OF_TENSOR] = norm_max(vec3(x->tensor[0], x->tensor[1], x->tensor[2])),
        [OF_BIAS] = norm_max(x->w) + norm_max(x->bias),
        [OF_FACTOR] = fabs(x->factor),
    };
    bool small = true;
    for (int c = 0; c < f->columns; c++) {
        const int kind = f->column[c].kind;
        const double size =
            kind == OF_PARAMETER ? fabs(x->parameter[f->column[c].index]) : sizes[kind];
        small = small && fabs(step[c]) <= least * size;
    }
    return small;
}

double ph_fit_descend(const fit_model *f, fit_point *x, int steps)
{
    const int n = f->columns;
    const double least = 1e-12, most = 1e12, enough = 1e-10;
    double N[MOST * MOST] = {0}, g[MOST] = {0}, V[MOST * MOST] = {0}, value[MOST] = {0},
                    unit[MOST] = {0}, step[MOST];
    double lambda = 1e-3;
    ph_fit_make_physical(f, x);
    double loss = ph_fit_loss_at(f, x, N, g, NULL);
    for (int k = 0; k < steps && isfinite(loss) && fit_goes_on(f); k++) {
        for (int a = 0; a < n; a++) {
            if (N[a * n + a] > 0.0)
                unit[a] = 1.0 / sqrt(N[a * n + a]);
            else
                unit[a] = 0.0;
            g[a] *= unit[a];
        }
        for (int a = 0; a < n * n; a++)
            N[a] *= unit[a / n] * unit[a % n];
        hold_bounds(f, x, unit, N, g);
        ph_eigenvectors(n, N, value, V);
        double better = NAN;
        fit_point y = *x;
        bool moves = true;
        while (!(better <= loss) && lambda < most && moves && fit_goes_on(f)) {
            memset(step, 0, sizeof step);
            for (int a = 0; a < n; a++) {
                double along = 0.0;
                for (int b = 0; b < n; b++)
                    along += V[a * n + b] * g[b];
                along /= larger_or_nan(value[a], 0.0) + lambda;
                for (int b = 0; b < n; b++)
                    step[b] += along * V[a * n + b] * unit[b];
            }
            moves = !is_round_off(f, x, step);
            y = ph_fit_moved(f, x, step);
            ph_fit_make_physical(f, &y);
            better = ph_fit_loss_at(f, &y, NULL, NULL, NULL);
            if (!(better <= loss))
                lambda *= 8.0;
        }
        if (!(better <= loss))
            break;
        const bool done = !moves || (loss - better <= enough * loss && lambda < 1.0);
        *x = y;
        loss = better;
        lambda = larger_or_nan(lambda / 8.0, least);
        if (done)
            break;
        loss = ph_fit_loss_at(f, x, N, g, NULL);
    }
    return loss;
}
