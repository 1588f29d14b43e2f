/* tangent.c - the tangent map of steps in a field, column by column.
 *
 * A column is (theta, mu): the attitude moves to q exp(theta), the momentum to m + mu, both in
 * the body. With w = J^-1 (m - H) and the torque tau, dots for derivatives by what the column
 * is by, the variational equations are
 *
 *   theta' = theta x w + dw,   mu' = mu x w + m x dw + dtau
 *   dw = J^-1 (mu - dJ w - dH),   dtau = tau_q theta + tau_m mu + dtau by J and parameters
 *
 * A splitting has them in parts, and its tangent map is the product of those of its parts: a
 * drift has the derivative of the exact free motion, and a kick m + h tau(q) has
 *
 *   mu+ = mu + h (tau_q theta + dtau)
 *
 * Wheels and dampers that are not there yet act in a kick too: theta + h dw, mu + h m x dw.
 *
 * Of methods that choose their steps, the equations are integrated beside the state, from its
 * beginning in each step, by the midpoint rule extrapolated as HNW II.9 do; where its error
 * exceeds the tolerance, over halves of the step.
 *
 * Where a problem gives no derivative it is found by differences over d, d/2, d/4 ...,
 * extrapolated (Ridders, Adv. Eng. Software 4 (1982) 75), the best of the table: to some
 * 1e-13, and of a torque that is linear, to round-off.
 */
#include "integrators/tangent.h"
#include "integrators/range.h"

#include <stdio.h>
#include <string.h>

#include "integrators/field.h"
#include "motion/state.h"
#include "polhode/system.h"

/* ---- columns --------------------------------------------------------------------- */

void ph_tangent_begin(tangent_run *g, const ph_problem *p, unsigned derivatives)
{
    g->p = p;
    g->columns = 0;
    if (derivatives == TANGENT_VECTOR)
        g->by[g->columns++] = BY_ROTATION;
    for (int by = 0; by < BY_PARAMETERS; by++) {
        if (derivatives & (by < BY_INERTIA ? PH_DERIVATIVES_START : PH_DERIVATIVES_INERTIA))
            g->by[g->columns++] = by;
    }
    for (int i = 0; i < p->parameter_count && (derivatives & PH_DERIVATIVES_PARAMETERS); i++) {
        for (int k = 0; k < p->parameters[i].count; k++)
            g->by[g->columns++] = BY_PARAMETERS + p->parameters[i].first + k;
    }
    ph_tangent_reset(g);
}

void ph_tangent_reset(tangent_run *g)
{
    memset(&g->now, 0, sizeof g->now);
    for (int c = 0; c < g->columns && g->by[c] < BY_INERTIA; c++)
        *(g->by[c] < BY_MOMENTUM ? &g->now.theta[c] : &g->now.m[c]) = axis(g->by[c] % 3);
    g->start = g->now;
}

/* The parameter that a number belongs to. */
static const ph_parameter *parameter_of(const ph_problem *p, int number)
{
    for (int i = 0; i < p->parameter_count; i++) {
        const ph_parameter *one = &p->parameters[i];
        if (number >= one->first && number < one->first + one->count)
            return one;
    }
    return NULL;
}

void ph_tangent_name(const tangent_run *g, int column, char *name, size_t size)
{
    const int by = g->by[column], number = by - BY_PARAMETERS;
    const ph_parameter *p = number < 0 ? NULL : parameter_of(g->p, number);
    if (p != NULL && p->count > 1)
        (void)snprintf(name, size, "%s%d", p->name, number - p->first + 1);
    else
        (void)snprintf(name, size, "%s", p != NULL ? p->name : ph_derivative_column(by));
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
        if (!ph_range_has(parameter_of(p, k)->range, q.value[k]))
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
        const ph_parameter *one = parameter_of(p, by - BY_PARAMETERS);
        double largest = 0.0;
        for (int k = 0; k < one->count; k++)
            largest = larger_or_nan(largest, fabs(p->value[one->first + k]));
        size = largest > 0.0 ? largest : 1.0;
    } else if (by >= BY_INERTIA) {
        size = smaller_or_nan(J.x, smaller_or_nan(J.y, J.z));
    } else if (by >= BY_MOMENTUM) {
        size = norm_max(s->m) > 0.0 ? norm_max(s->m) : 1.0;
    }
    return ldexp(SHARE, ilogb(size));
}

static double number_of(const values *v, int n)
{
    const ph_vec3 a = v->of[n / 3];
    return n % 3 == 0 ? a.x : n % 3 == 1 ? a.y : a.z;
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
        by >= BY_PARAMETERS && !ph_range_has(parameter_of(p, by - BY_PARAMETERS)->range,
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
        out.of[i] = norm_max(off) <= much ? found : vec3(NAN, NAN, NAN);
    }
    return out;
}

/* ---- the field ------------------------------------------------------------------- */

/* The angular velocity; derivatives of the torque by attitude and momentum, and of torque and
 * velocity by the tensor and the parameters of the columns. */
typedef struct slopes {
    ph_vec3 w;
    ph_mat3 by_attitude, by_momentum;
    ph_vec3 torque[TANGENT_COLUMNS], velocity[TANGENT_COLUMNS];
} slopes;

/* Column k is J^-1 times what follows from a unit of m_k. */
static ph_mat3 inverse_inertia(const ph_body *b)
{
    return columns(ph_body_velocity(b, axis(0)), ph_body_velocity(b, axis(1)),
                   ph_body_velocity(b, axis(2)));
}

static ph_mat3 slopes_along(const ph_problem *p, double t, const ph_state *s, int by)
{
    ph_vec3 column[3];
    for (int k = 0; k < 3; k++)
        column[k] = slope(torque_only, p, t, s, by + k).of[0];
    return columns(column[0], column[1], column[2]);
}

/* - J^-1 dJ w, for a unit of a number of J */
static ph_vec3 velocity_by_inertia(const ph_body *b, ph_vec3 w, int number)
{
    const double x[3] = {w.x, w.y, w.z};
    const int i = ROW[number], k = COLUMN[number];
    const ph_vec3 dJw = add(scale(x[k], axis(i)), i == k ? vec3(0, 0, 0) : scale(x[i], axis(k)));
    return scale(-1.0, ph_body_velocity(b, dJw));
}

static void find_slopes(const tangent_run *g, double t, const ph_state *s, slopes *out)
{
    const ph_problem *p = g->p;
    ph_torque_derivatives exact;
    ph_instant now = instant_at(t, s->q);
    out->w = ph_problem_velocity(p, t, s->m);
    out->by_attitude = out->by_momentum = (ph_mat3){{{0}}};
    if (p->velocity_dependent || p->derivatives != NULL) {
        now.m = s->m;
        now.w = out->w;
    }
    if (p->derivatives != NULL) {
        p->derivatives(p, &now, &exact);
        out->by_attitude = exact.attitude;
        out->by_momentum =
            add_to(exact.momentum, 1.0, matmul(exact.velocity, inverse_inertia(&p->body)));
    } else if (p->torque != NULL) {
        out->by_attitude =
            p->derivative != NULL ? p->derivative(p, &now) : slopes_along(p, t, s, BY_ROTATION);
        if (p->velocity_dependent)
            out->by_momentum = slopes_along(p, t, s, BY_MOMENTUM);
    }
    for (int c = 0; c < g->columns; c++) {
        const int by = g->by[c];
        out->torque[c] = out->velocity[c] = vec3(0, 0, 0);
        if (by < BY_INERTIA)
            continue;
        if (by < BY_PARAMETERS)
            out->velocity[c] = velocity_by_inertia(&p->body, out->w, by - BY_INERTIA);
        if (p->derivatives != NULL) {
            out->torque[c] = by < BY_PARAMETERS ? apply(exact.velocity, out->velocity[c])
                                                : exact.value[by - BY_PARAMETERS];
        } else if (p->torque != NULL || by >= BY_PARAMETERS) {
            const bool parameter = by >= BY_PARAMETERS;
            const values v = slope(parameter ? torque_and_velocity : torque_only, p, t, s, by);
            out->torque[c] = v.of[0];
            if (parameter)
                out->velocity[c] = v.of[1];
        }
    }
}

ph_vec3 ph_tangent_velocity(const tangent_run *g, double t, const ph_state *principal, int column)
{
    const ph_problem *p = g->p;
    const int by = g->by[column];
    const ph_state s = from_principal(&p->body, *principal);
    const ph_vec3 w = ph_problem_velocity(p, t, s.m);
    const ph_vec3 direct = by < BY_INERTIA      ? vec3(0, 0, 0)
                           : by < BY_PARAMETERS ? velocity_by_inertia(&p->body, w, by - BY_INERTIA)
                                                : slope(torque_and_velocity, p, t, &s, by).of[1];
    return add(direct, ph_body_velocity(&p->body, g->now.m[column]));
}

/* ---- splittings ------------------------------------------------------------------ */

ph_status ph_tangent_drift(tangent_run *g, const ph_state *principal, double h)
{
    ph_derivative D;
    ph_state s = from_principal(&g->p->body, *principal);
    if (g->columns == 1) { /* a vector alone: see ph_tangent_begin() */
        ph_tangent v = {.attitude = g->now.theta[0], .momentum = g->now.m[0]};
        const ph_status moved = ph_flow_tangent(&g->p->body, &s, h, &v);
        g->now.theta[0] = v.attitude;
        g->now.m[0] = v.momentum;
        return moved;
    }
    const ph_status status = ph_flow_derivative(&g->p->body, &s, h, &D);
    for (int c = 0; c < g->columns && status == PH_OK; c++) {
        const ph_vec3 theta = g->now.theta[c], m = g->now.m[c];
        const double x[BY_INERTIA] = {theta.x, theta.y, theta.z, m.x, m.y, m.z};
        const int by = g->by[c];
        double out[2][3];
        for (int i = 0; i < 3; i++) {
            const double *rows[2] = {D.attitude[i], D.momentum[i]};
            for (int n = 0; n < 2; n++) {
                const bool inertia = by >= BY_INERTIA && by < BY_PARAMETERS;
                out[n][i] = inertia ? rows[n][by] : 0.0;
                for (int k = 0; k < BY_INERTIA; k++)
                    out[n][i] += rows[n][k] * x[k];
            }
        }
        g->now.theta[c] = vec3(out[0][0], out[0][1], out[0][2]);
        g->now.m[c] = vec3(out[1][0], out[1][1], out[1][2]);
    }
    return status;
}

void ph_tangent_kick(tangent_run *g, const ph_state *principal, double t, double h, double h3)
{
    slopes f;
    const ph_state s = from_principal(&g->p->body, *principal);
    find_slopes(g, t, &s, &f);
    const bool by_gradient = h3 != 0.0 && g->p->torque != NULL;
    ph_vec3 along[BY_MOMENTUM] = {{0}};
    for (int k = 0; k < BY_MOMENTUM && by_gradient; k++)
        along[k] = slope(force_gradient, g->p, t, &s, k).of[0];
    for (int c = 0; c < g->columns; c++) {
        const ph_vec3 gradient = by_gradient && g->by[c] >= BY_INERTIA
                                     ? slope(force_gradient, g->p, t, &s, g->by[c]).of[0]
                                     : vec3(0, 0, 0);
        const ph_vec3 theta = g->now.theta[c];
        ph_vec3 change = scale(h, add(apply(f.by_attitude, theta), f.torque[c]));
        change = add(change,
                     scale(h3, add(apply(columns(along[0], along[1], along[2]), theta), gradient)));
        if (g->by[c] >= BY_PARAMETERS) {
            change = add(change, scale(h, cross(s.m, f.velocity[c])));
            g->now.theta[c] = add(theta, scale(h, f.velocity[c]));
        }
        g->now.m[c] = add(g->now.m[c], change);
    }
}

/* ---- the variational equations --------------------------------------------------- */

/* A state with its tangents. */
typedef struct point {
    ph_state s;
    tangent d;
} point;

/* a + k b */
static void add_point(const tangent_run *g, point *a, double k, const point *b)
{
    a->s.q = quat(a->s.q.w + k * b->s.q.w, add(vec(a->s.q), scale(k, vec(b->s.q))));
    a->s.m = add(a->s.m, scale(k, b->s.m));
    for (int c = 0; c < g->columns; c++) {
        a->d.theta[c] = add(a->d.theta[c], scale(k, b->d.theta[c]));
        a->d.m[c] = add(a->d.m[c], scale(k, b->d.m[c]));
    }
}

static void find_rate(const tangent_run *g, double t, const point *y, point *rate)
{
    const ph_problem *p = g->p;
    const ph_state s = {of_unit_length(y->s.q), y->s.m};
    slopes f;
    find_slopes(g, t, &s, &f);
    rate->s.q = mul(y->s.q, quat(0.0, scale(0.5, f.w)));
    rate->s.m = add(cross(s.m, f.w), torque_moving(p, t, s.q, s.m, f.w));
    for (int c = 0; c < g->columns; c++) {
        const ph_vec3 theta = y->d.theta[c], m = y->d.m[c],
                      w = add(ph_body_velocity(&p->body, m), f.velocity[c]);
        const ph_vec3 torque =
            add(add(apply(f.by_attitude, theta), apply(f.by_momentum, m)), f.torque[c]);
        rate->d.theta[c] = add(cross(theta, f.w), w);
        rate->d.m[c] = add(add(cross(m, f.w), cross(s.m, w)), torque);
    }
}

/* The midpoint rule: n substeps of a step of h. */
static point midpoint(const tangent_run *g, double t, double h, int n, const point *y)
{
    point u = *y, v = *y, rate;
    for (int i = 0; i < n; i++) {
        find_rate(g, t + i * h / n, i % 2 == 0 ? &u : &v, &rate);
        add_point(g, i % 2 == 0 ? &v : &u, (i == 0 ? 1.0 : 2.0) * h / n, &rate);
    }
    return u;
}

/* Weight of the column of 2j substeps among those from 2 first to 2 last. */
static double weight(int j, int first, int last)
{
    double product = 1.0;
    for (int i = first; i <= last; i++)
        product *= i == j ? 1.0 : (double)(j * j) / (j * j - i * i);
    return j < first ? 0.0 : product;
}

/* The largest error of a column relative to its size, where a change of m counts over `unit`. */
static double relative_error(const tangent_run *g, const point *error, const point *y, double unit)
{
    double worst = 0.0;
    for (int c = 0; c < g->columns; c++) {
        const double size = larger_or_nan(norm_max(y->d.theta[c]), norm_max(y->d.m[c]) / unit),
                     e = larger_or_nan(norm_max(error->d.theta[c]), norm_max(error->d.m[c]) / unit);
        worst = e / size > worst ? e / size : worst; /* a column may be NaN */
    }
    return worst;
}

static void follow(const tangent_run *g, point *y, double t, double h, double tolerance,
                   int halvings)
{
    enum { COLUMNS = 8 };
    const double unit = norm_max(y->s.m) + norm_max(g->p->body.J) / fabs(h);
    point sum = *y, error = *y; /* of differences to the start */
    memset(&error, 0, sizeof error);
    for (int j = 1; j <= COLUMNS; j++) {
        point u = midpoint(g, t, h, 2 * j, y);
        const double w = weight(j, 1, COLUMNS);
        add_point(g, &u, -1.0, y);
        add_point(g, &sum, w, &u);
        add_point(g, &error, w - weight(j, 2, COLUMNS), &u);
    }
    if (halvings > 0 && relative_error(g, &error, &sum, unit) > tolerance) {
        follow(g, y, t, 0.5 * h, tolerance, halvings - 1);
        follow(g, y, t + 0.5 * h, 0.5 * h, tolerance, halvings - 1);
        return;
    }
    *y = sum;
    y->s.q = of_unit_length(y->s.q);
}

void ph_tangent_follow(tangent_run *g, const tangent *from, const ph_state *principal, double t,
                       double h, double tolerance)
{
    enum { HALVINGS = 5 };
    static const double LEAST = 1e-13;
    point y = {from_principal(&g->p->body, *principal), *from};
    if (h != 0.0)
        follow(g, &y, t, h, larger_or_nan(tolerance, LEAST), HALVINGS);
    g->now = y.d;
}
