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
 * A method that chooses its steps moves all columns with the state's own points: the matrices of
 * the equations are computed once a point and serve all columns (tangent_kernels.h). gauss16 stores
 * no points, and its tangents are moved by gbs. Where the error of a column exceeds the tolerance,
 * state and tangents go over halves of the step once more; the state of the run stays as it is.
 */
#include "integrators/tangent.h"

#include <stdio.h>
#include <string.h>

#include "integrators/adaptive.h"
#include "integrators/tangent_field.h"
#include "motion/state.h"
#include "polhode/catalog.h"

/* ---- columns --------------------------------------------------------------------- */

void ph_tangent_begin(tangent_run *g, const ph_problem *p, unsigned derivatives)
{
    g->p = p;
    g->columns = 0;
    g->wanted = derivatives;
    if (derivatives != 0)
        ph_tangent_prepare(g);
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
    for (g->sources = 0; g->sources < g->columns && g->by[g->sources] < BY_INERTIA;)
        g->sources++;
    ph_tangent_reset(g);
}

void ph_tangent_reset(tangent_run *g)
{
    memset(&g->now, 0, sizeof g->now);
    for (int c = 0; c < g->columns && g->by[c] < BY_INERTIA; c++)
        g->now.x[g->by[c]][c] = 1.0;
    g->start = g->now;
}

void ph_tangent_name(const tangent_run *g, int column, char *name, size_t size)
{
    const int by = g->by[column], number = by - BY_PARAMETERS;
    const ph_parameter *p = NULL;
    if (number >= 0)
        p = ph_tangent_parameter(g->p, number);
    if (p != NULL && p->count > 1)
        (void)snprintf(name, size, "%s%d", p->name, number - p->first + 1);
    else
        (void)snprintf(name, size, "%s", p != NULL ? p->name : ph_derivative_column(by));
}

ph_vec3 ph_tangent_velocity(const tangent_run *g, double t, const ph_state *principal, int column)
{
    const ph_problem *p = g->p;
    const int by = g->by[column];
    const ph_state s = from_principal(&p->body, *principal);
    ph_vec3 direct = vec3(0, 0, 0);
    if (by >= BY_INERTIA)
        direct = ph_tangent_direct_velocity(g, t, &s, by);
    return add(direct, ph_body_velocity(&p->body, tangent_m(&g->now, column)));
}

/* ---- splittings ------------------------------------------------------------------ */

static void put_column(tangent *t, int c, ph_vec3 theta, ph_vec3 m)
{
    const double x[6] = {theta.x, theta.y, theta.z, m.x, m.y, m.z};
    for (int k = 0; k < 6; k++)
        t->x[k][c] = x[k];
}

ph_status ph_tangent_drift(tangent_run *g, const ph_state *principal, double h)
{
    ph_derivative D;
    ph_state s = from_principal(&g->p->body, *principal);
    if (g->columns == 1) { /* a vector alone: see ph_tangent_begin() */
        ph_tangent v = {.attitude = tangent_theta(&g->now, 0), .momentum = tangent_m(&g->now, 0)};
        const ph_status moved = ph_flow_tangent(&g->p->body, &s, h, &v);
        put_column(&g->now, 0, v.attitude, v.momentum);
        return moved;
    }
    ph_status status;
    if (g->wanted & PH_DERIVATIVES_INERTIA)
        status = ph_flow_derivative(&g->p->body, &s, h, &D);
    else
        status = ph_flow_derivative_by_start(&g->p->body, &s, h, &D);
    if (status != PH_OK)
        return status;
    static product_kernel *const multiply[ISA_COUNT] = KERNEL_TABLE(tangent_multiply);
    tangent_product p = {
        {D.attitude[0], D.attitude[1], D.attitude[2], D.momentum[0], D.momentum[1], D.momentum[2]},
        g->columns,
        &g->now};
    multiply[ph_isa()](&p);
    for (int r = 0; r < 6; r++) {
        for (int c = g->sources; c < g->columns && g->by[c] < BY_PARAMETERS; c++)
            g->now.x[r][c] += p.row[r][g->by[c]];
    }
    return PH_OK;
}

void ph_tangent_kick(tangent_run *g, const ph_state *principal, double t, double h, double h3)
{
    tangent_points x;
    const ph_state s = from_principal(&g->p->body, *principal);
    ph_tangent_point(g, t, principal, &x);
    point_row *D = x.D;
    const bool by_gradient = h3 != 0.0 && g->p->torque != NULL;
    ph_vec3 along[BY_MOMENTUM] = {{0}};
    for (int k = 0; k < BY_MOMENTUM && by_gradient; k++)
        along[k] = ph_tangent_gradient(g, t, &s, k);
    for (int c = 0; c < g->columns && by_gradient; c++) {
        ph_vec3 direct = vec3(0, 0, 0);
        if (g->by[c] >= BY_INERTIA)
            direct = ph_tangent_gradient(g, t, &s, g->by[c]);
        const ph_vec3 theta = tangent_theta(&g->now, c),
                      change = add(apply(columns(along[0], along[1], along[2]), theta), direct);
        put_column(&g->now, c, theta, add(tangent_m(&g->now, c), scale(h3, change)));
    }
    for (int r = 0; r < 3; r++) {
        const int n = 3 * r;
        double *m = g->now.x[3 + r];
        for (int c = 0; c < g->columns; c++)
            m[c] += h * ((D[n][0] * g->now.x[0][c] + D[n + 1][0] * g->now.x[1][c]) +
                         D[n + 2][0] * g->now.x[2][c]);
    }
    /* The drift has what follows from the inertia through the velocity. */
    for (int c = g->sources; c < g->columns; c++) {
        const int by = g->by[c];
        const ph_vec3 v = {x.velocity[0][0][c], x.velocity[0][1][c], x.velocity[0][2][c]},
                      torque = {x.torque[0][0][c], x.torque[0][1][c], x.torque[0][2][c]};
        ph_vec3 theta = tangent_theta(&g->now, c), kick = torque;
        if (by >= BY_PARAMETERS)
            theta = add(theta, scale(h, v));
        else
            kick = sub(torque, cross(s.m, v));
        put_column(&g->now, c, theta, add(tangent_m(&g->now, c), scale(h, kick)));
    }
}

/* ---- methods that choose their steps ----------------------------------------------- */

/* Moves the tangents x over h from the state of the run, which goes along; in halves where the error
 * exceeds what is allowed. */
static void follow(const tangent_run *g, ph_adaptive_run *r, double h, double allowed, int halvings,
                   tangent *x)
{
    step_points points;
    ph_trial_step trial = {.error = 0.0};
    tangent next;
    r->points = &points;
    r->method->attempt(r, h, &trial);
    r->points = NULL;
    const double error = r->method->tangents(g, r->now.t, h, &points, x, &next);
    if (halvings > 0 && error > allowed) {
        follow(g, r, 0.5 * h, allowed, halvings - 1, x);
        follow(g, r, 0.5 * h, allowed, halvings - 1, x);
        return;
    }
    *x = next;
    add_change(&r->now, trial.change, trial.rest);
    r->now.t += h;
}

void ph_tangent_follow(tangent_run *g, const ph_adaptive_run *r, double t,
                       const step_points *points)
{
    enum { HALVINGS = 5 };
    static const double LEAST = 1e-13, ALLOWED = 10.0;
    const double from = r->now.from, allowed = ALLOWED * larger_or_nan(r->tolerance, LEAST);
    const bool whole = points != NULL && r->method->tangents != NULL && t == r->now.t;
    if (whole && r->method->tangents(g, from, t - from, points, &g->start, &g->now) <= allowed)
        return;
    g->now = g->start;
    if (t == from)
        return;
    ph_adaptive_run again = *r;
    if (again.method->tangents == NULL)
        again.method = &ph_adaptive_gbs;
    memcpy(again.now.y, r->now.start, sizeof again.now.y);
    memset(again.now.lost, 0, sizeof again.now.lost);
    again.now.t = from;
    again.now.next = INFINITY; /* of gbs: all columns */
    follow(g, &again, t - from, allowed, HALVINGS, &g->now);
}
