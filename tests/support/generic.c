/* generic.c - problems of the tests' own. */
#include "support/generic.h"

#include "core/vec.h"

static const ph_mat3 A = {{{0.31, -0.72, 0.44},
                           {0.15, 0.63, -0.29},
                           {-0.53, 0.22, 0.81}}},
                     B = {
                         {{-0.12, 0.45, 0.36}, {0.71, -0.24, 0.18}, {0.27, -0.66, 0.39}}};

static double trace(ph_mat3 m)
{
    return m.a[0][0] + m.a[1][1] + m.a[2][2];
}

/* tr(N hat(e_i)): how tr(N) grows along N exp(s hat(e_i)) */
static ph_vec3 traces(ph_mat3 N)
{
    return vec3(N.a[1][2] - N.a[2][1], N.a[2][0] - N.a[0][2], N.a[0][1] - N.a[1][0]);
}

static double potential(const ph_problem *p, ph_mat3 R)
{
    (void)p;
    const double b = trace(matmul(transpose(B), R));
    return trace(matmul(transpose(A), R)) + b * b / 2 + exp(b) / 5;
}

static ph_vec3 torque(const ph_problem *p, double t, ph_mat3 R)
{
    (void)p, (void)t;
    const ph_mat3 M = matmul(transpose(A), R), N = matmul(transpose(B), R);
    const double b = trace(N);
    return scale(-1, add(traces(M), scale(b + exp(b) / 5, traces(N))));
}

static ph_mat3 derivative(const ph_problem *p, double t, ph_mat3 R)
{
    (void)p, (void)t;
    const ph_mat3 M = matmul(transpose(A), R), N = matmul(transpose(B), R);
    const double b = trace(N), f1 = b + exp(b) / 5, f2 = 1 + exp(b) / 5;
    const ph_vec3 v = traces(N);
    const double y[] = {v.x, v.y, v.z};
    ph_mat3 D;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            const double on_diagonal = i == k ? trace(M) + f1 * trace(N) : 0;
            D.a[i][k] = on_diagonal - M.a[k][i] - f1 * N.a[k][i] - f2 * y[i] * y[k];
        }
    }
    return D;
}

/* exp(0.3, -0.8, 0.5), and J^-1 (0.9, -1.4, 1.7) */
#define BODY_AND_START                                                                   \
    .J = {1.3, 2.1, 2.9},                                                                \
    .q = {0.8799807056103828548, 0.1439495950537319562, -0.3838655868099518832,          \
          0.239915991756219927},                                                         \
    .w = {0.9 / 1.3, -1.4 / 2.1, 1.7 / 2.9}

const ph_problem generic_problem = {
    .name = "generic",
    BODY_AND_START,
    .potential = potential,
    .torque = torque,
    .derivative = derivative,
};

/* ---- with time ------------------------------------------------------------------- */

static double strength(double t)
{
    return 1 + sin(3 * t) / 2;
}

static ph_vec3 timed_torque(const ph_problem *p, double t, ph_mat3 R)
{
    return add(scale(strength(t), torque(p, t, R)),
               vec3(cos(2 * t), sin(5 * t), 1 / (1 + t)));
}

static ph_mat3 timed_derivative(const ph_problem *p, double t, ph_mat3 R)
{
    ph_mat3 D = derivative(p, t, R);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            D.a[i][k] *= strength(t);
    }
    return D;
}

const ph_problem timed_problem = {
    .name = "timed",
    BODY_AND_START,
    .torque = timed_torque,
    .derivative = timed_derivative,
};

/* ---- symmetric, and free --------------------------------------------------------- */

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

const ph_problem vertical_problem = {
    .name = "vertical",
    BODY_AND_START,
    .torque = vertical_torque,
};

const ph_problem free_problem = {.name = "free", BODY_AND_START};

/* ---- counted --------------------------------------------------------------------- */

static double counted_potential(const ph_problem *p, ph_mat3 R)
{
    const counter *c = p->context;
    return c->p->potential(c->p, R);
}

static ph_vec3 counted_torque(const ph_problem *p, double t, ph_mat3 R)
{
    const counter *c = p->context;
    ++*c->count;
    return c->p->torque(c->p, t, R);
}

static ph_mat3 counted_derivative(const ph_problem *p, double t, ph_mat3 R)
{
    const counter *c = p->context;
    return c->p->derivative(c->p, t, R);
}

ph_problem counted_problem(const counter *c)
{
    ph_problem p = *c->p;
    p.context = c;
    p.potential = c->p->potential ? counted_potential : NULL;
    p.torque = counted_torque;
    p.derivative = c->p->derivative ? counted_derivative : NULL;
    return p;
}

ph_state problem_start(const ph_problem *p)
{
    return (ph_state){p->q, times(p->J, p->w)};
}
