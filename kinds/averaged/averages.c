/* averages.c - rates of slow variables by nodes on the torus of the free motion.
 *
 * With m at the phase u on the polhode, w = J^-1 m, and R an attitude that takes m to H, turned
 * about H by an angle f, the averages over u and f are
 *
 *   H' = < R torque >,   s' = 2/(|H|^2 (1/I1 - 1/I3)) < torque . (w - (2T/H^2) m) >
 *
 * The second is that of s = (2T/H^2 - 1/I3)/(1/I1 - 1/I3) with T' = w . torque and H . H' = m . torque.
 * It vanishes on principal axes, where w = (2T/H^2) m, without cancellation. Which attitude f counts
 * from is the same for the average. So R needs no integral of the third kind.
 *
 * Of nodes at equal distances the average of a smooth function converges exponentially. About H,
 * with h = H/|H| and R = turn(h, f) B, the sums of torque, cos f torque and sin f torque are taken
 * in the body, and rotated once for all f:
 *
 *   sum R torque = h (h . B S0) + B Sc - h (h . B Sc) + h x B Ss
 *
 * Nodes are counted in three classes of each angle, so that sums over every second and every fourth
 * node are known, too. Let e1 be the difference of the averages over all and over every second node,
 * and e2 that of those over every second and every fourth. With errors C r^N of N nodes, e1/e2 is
 * r^(N/4), and the error of all nodes is e1 (e1/e2)^2. That is taken, tenfold, where e1/e2 is small,
 * and e1 (e1/e2) elsewhere: there N counts by a power only.
 */
#include "kinds/averaged/averages.h"

#include "integrators/field.h"
#include "integrators/lane_kernels.h"
#include "polhode/elliptic.h"

spin_body ph_spin_body(ph_vec3 J)
{
    const double moment[3] = {J.x, J.y, J.z};
    spin_body b = {.J = J, .axis = {0, 1, 2}};
    for (int i = 1; i < 3; i++) { /* insertion */
        for (int k = i; k > 0 && moment[b.axis[k]] < moment[b.axis[k - 1]]; k--) {
            const int other = b.axis[k];
            b.axis[k] = b.axis[k - 1];
            b.axis[k - 1] = other;
        }
    }
    for (int i = 0; i < 3; i++)
        b.I[i] = moment[b.axis[i]];
    b.range = (b.I[2] - b.I[0]) / (b.I[0] * b.I[2]);
    b.divides = b.range == 0.0 ? 1.0 : (b.I[0] / b.I[1]) * ((b.I[2] - b.I[1]) / (b.I[2] - b.I[0]));
    return b;
}

/* ---- the polhode --------------------------------------------------------------------- */

/* The least 1 - k^2: the period is infinite on the separatrix. */
static const double PARAMETER_LEAST = 1e-24;

static double within(double x, double least, double most)
{
    return x < least ? least : x > most ? most : x;
}

polhode_curve ph_spin_curve(const spin_body *b, const spin *s, bool above)
{
    polhode_curve c = {.about = above ? 0 : 2, .third = above ? 2 : 0, .side = s->side};
    const double shape = above ? 1.0 - b->divides : b->divides,
                 A2 = above ? 1.0 - within(s->level, b->divides, 1.0)
                            : within(s->level, 0.0, b->divides),
                 C2 = 1.0 - A2;
    c.A = sqrt(A2);
    c.C = sqrt(C2);
    c.root_c = sqrt(shape);
    c.parameter_c = C2 > 0.0 ? within((shape - A2) / (shape * C2), PARAMETER_LEAST, 1.0) : 1.0;
    const double I1 = b->I[c.third], I2 = b->I[1], I3 = b->I[c.about],
                 growth = c.C * sqrt((I3 - I1) * (I3 - I2) / (I1 * I2)) / I3;
    c.period = 4.0 * ph_elliptic_k_c(c.parameter_c) / (growth * norm(s->H));
    return c;
}

/* m/|m| in principal axes. */
static ph_vec3 on_curve(const spin_body *b, const polhode_curve *c, ph_sncndn e)
{
    double x[3];
    x[b->axis[c->third]] = c->A * e.cn;
    x[b->axis[1]] = c->A * e.sn / c->root_c;
    x[b->axis[c->about]] = c->side * c->C * e.dn;
    return vec3(x[0], x[1], x[2]);
}

ph_vec3 ph_spin_momentum(const spin_body *b, const spin *s, const polhode_curve *c, double phase)
{
    const double length = norm(s->H);
    if (b->range == 0.0)
        return scale(length, s->direction);
    const ph_jacobi j = ph_jacobi_prepare_c(c->parameter_c);
    const ph_vec3 m = on_curve(b, c, ph_jacobi_at(&j, 4.0 * j.quarter * phase));
    return scale(length / norm(m), m);
}

double ph_spin_phase(const spin_body *b, const polhode_curve *c, ph_vec3 m)
{
    const double x[3] = {m.x, m.y, m.z};
    const double angle = ph_atan2(x[b->axis[1]] * c->root_c, x[b->axis[c->third]]);
    const double whole = ph_elliptic_k_c(c->parameter_c);
    return b->range == 0.0 ? 0.0 : ph_elliptic_f_inc(angle, 1.0 - c->parameter_c) / (4.0 * whole);
}

ph_quat ph_turn_to(ph_vec3 u, ph_vec3 h)
{
    ph_quat first = {1, 0, 0, 0};
    if (dot(u, h) < 0.0) { /* half a turn about an axis across u: u becomes -u */
        const ph_vec3 across = fabs(u.x) < 0.5 ? vec3(0, u.z, -u.y) : vec3(-u.z, 0, u.x);
        first = quat(0.0, scale(1.0 / norm(across), across));
        u = scale(-1.0, u);
    }
    return mul(of_unit_length(quat(1.0 + dot(u, h), cross(u, h))), first);
}

/* ---- sums over nodes ------------------------------------------------------------------- */

/* Every fourth node, those in the middle between them, and all between these. */
enum { CLASSES = 3 };

static int class_of(int i)
{
    return i % 4 == 0 ? 0 : i % 2 == 0 ? 1 : 2;
}

/* Sums of what is averaged: R torque, torque . (w - a m), torque . w, torque, |torque|^2. */
enum { SPACE, LEVEL = 3, POWER, BODY, SQUARE = BODY + 3, SUMS };

typedef struct node_sums {
    double of[SUMS];
} node_sums;

typedef node_sums class_sums[CLASSES][CLASSES][CLASSES]; /* along, about, over time */

/* What nodes have in common. */
typedef struct node_grid {
    const averaging *a;
    ph_vec3 h;                  /* direction of H */
    double length, per_inertia; /* |H| and 2T/H^2 */
    double t;
    int count[NODE_ANGLES];
    ph_vec3 m[NODES_MOST];                       /* along the polhode */
    double cosine[NODES_MOST], sine[NODES_MOST]; /* of half the angles about H */
} node_grid;

static void set_curve(node_grid *g, const spin *s, bool above)
{
    const spin_body *b = &g->a->body;
    const int count = g->count[ALONG], half = count / 2, quarter = count / 4;
    const polhode_curve c = ph_spin_curve(b, s, above);
    const ph_jacobi j = ph_jacobi_prepare_c(c.parameter_c);
    for (int i = 0; i < count; i++) {
        if (b->range == 0.0) {
            g->m[i] = scale(g->length, s->direction);
            continue;
        }
        const int turned = i % half, from = turned <= quarter ? turned : half - turned;
        ph_sncndn e = ph_jacobi_at(&j, j.quarter * from / quarter);
        if (from == quarter)
            e.cn = 0.0;
        if ((turned > quarter) != (i >= half)) /* of 2K - u, and of 2K + u */
            e.cn = -e.cn;
        if (i >= half)
            e.sn = -e.sn;
        const ph_vec3 m = on_curve(b, &c, e);
        g->m[i] = scale(g->length / norm(m), m);
    }
}

static void set_angles(node_grid *g)
{
    for (int i = 0; i < g->count[ABOUT]; i++)
        ph_sincos(PH_PI * i / g->count[ABOUT], &g->sine[i], &g->cosine[i]);
}

/* The torque at up to PH_LANES attitudes, with the same m. */
static void torques(const node_grid *g, double t, ph_vec3 m, ph_vec3 w, const double q[4][PH_LANES],
                    double torque[3][PH_LANES])
{
    const ph_problem *p = g->a->p;
    if (p->velocity_dependent && p->damping == 0.0) {
        for (int i = 0; i < PH_LANES; i++) {
            const ph_quat at = {q[0][i], q[1][i], q[2][i], q[3][i]};
            const ph_vec3 x = torque_moving(p, t, at, m, w);
            torque[0][i] = x.x;
            torque[1][i] = x.y;
            torque[2][i] = x.z;
        }
        return;
    }
    const double at[PH_LANES] = {t, t, t, t, t, t, t, t};
    ph_torque_lanes(p, 0, PH_LANES, at, q, torque);
    const double drag[3] = {p->damping * w.x, p->damping * w.y, p->damping * w.z};
    for (int k = 0; k < 3 && p->damping != 0.0; k++) {
        for (int i = 0; i < PH_LANES; i++)
            torque[k][i] -= drag[k];
    }
}

/* Sums over the angle about H, by class, of torque, cos f torque, sin f torque and |torque|^2. */
typedef struct turn_sums {
    double plain[3], cosine[3], sine[3], square;
} turn_sums;

static void add_turns(const node_grid *g, double t, ph_vec3 m, ph_vec3 w, ph_quat first, int from,
                      int step, turn_sums sums[CLASSES])
{
    double q[4][PH_LANES], torque[3][PH_LANES];
    for (int begin = from; begin < g->count[ABOUT]; begin += PH_LANES * step) {
        for (int i = 0; i < PH_LANES; i++) {
            const int f = begin + i * step;
            const ph_quat at = mul(quat(g->cosine[f], scale(g->sine[f], g->h)), first);
            q[0][i] = at.w;
            q[1][i] = at.x;
            q[2][i] = at.y;
            q[3][i] = at.z;
        }
        torques(g, t, m, w, (const double(*)[PH_LANES])q, torque);
        for (int i = 0; i < PH_LANES; i++) {
            const int f = begin + i * step;
            turn_sums *to = &sums[class_of(f)];
            const double c = g->cosine[f] * g->cosine[f] - g->sine[f] * g->sine[f],
                         s = 2.0 * g->sine[f] * g->cosine[f];
            for (int k = 0; k < 3; k++) {
                to->plain[k] += torque[k][i];
                to->cosine[k] += c * torque[k][i];
                to->sine[k] += s * torque[k][i];
                to->square += torque[k][i] * torque[k][i];
            }
        }
    }
}

static ph_vec3 vector_of(const double x[3])
{
    return vec3(x[0], x[1], x[2]);
}

/* Adds the nodes of one phase and time, those about H from `from` in steps. */
static void add_phase(const node_grid *g, double t, int phase, int from, int step,
                      node_sums sums[CLASSES])
{
    const ph_vec3 m = g->m[phase], w = over(m, g->a->body.J), h = g->h;
    const ph_quat first = ph_turn_to(scale(1.0 / g->length, m), h);
    turn_sums about[CLASSES] = {{.square = 0.0}};
    add_turns(g, t, m, w, first, from, step, about);
    for (int c = 0; c < CLASSES; c++) {
        const ph_vec3 plain = vector_of(about[c].plain), B0 = rotate(first, plain),
                      Bc = rotate(first, vector_of(about[c].cosine)),
                      Bs = rotate(first, vector_of(about[c].sine)),
                      space = add(add(scale(dot(h, B0) - dot(h, Bc), h), Bc), cross(h, Bs));
        const double all[SUMS] = {
            [SPACE] = space.x, space.y, space.z, dot(plain, sub(w, scale(g->per_inertia, m))),
            dot(plain, w),     plain.x, plain.y, plain.z,
            about[c].square};
        for (int k = 0; k < SUMS; k++)
            sums[c].of[k] += all[k];
    }
}

/* Adds the nodes whose index along the angle `of` is odd, or all if `of` is NODE_ANGLES. */
static double add_nodes(const node_grid *g, int of, class_sums sums)
{
    const int from[NODE_ANGLES] = {of == ALONG, of == ABOUT, of == OVER_TIME},
              step[NODE_ANGLES] = {1 + (of == ALONG), 1 + (of == ABOUT), 1 + (of == OVER_TIME)};
    double added = 1.0;
    for (int k = 0; k < NODE_ANGLES; k++) {
        const int nodes = g->count[k] / step[k];
        added *= nodes;
    }
    for (int n = from[OVER_TIME]; n < g->count[OVER_TIME]; n += step[OVER_TIME]) {
        const double t = g->t + g->a->period * n / g->count[OVER_TIME];
        for (int k = from[ALONG]; k < g->count[ALONG]; k += step[ALONG]) {
            node_sums about[CLASSES] = {{{0}}};
            add_phase(g, t, k, from[ABOUT], step[ABOUT], about);
            for (int c = 0; c < CLASSES; c++) {
                for (int i = 0; i < SUMS; i++)
                    sums[class_of(k)][c][class_of(n)].of[i] += about[c].of[i];
            }
        }
    }
    return added;
}

/* ---- averages and their errors --------------------------------------------------------- */

/* The mean over the nodes whose class along the angle `of` is at most `last`. */
static node_sums mean_of(const node_grid *g, class_sums sums, int of, int last)
{
    node_sums mean = {{0}};
    double nodes = 1.0;
    for (int k = 0; k < NODE_ANGLES; k++)
        nodes *= g->count[k];
    if (last < CLASSES - 1)
        nodes /= last == 1 ? 2.0 : 4.0;
    for (int i = 0; i < CLASSES; i++) {
        for (int j = 0; j < CLASSES; j++) {
            for (int k = 0; k < CLASSES; k++) {
                const int class[NODE_ANGLES] = {i, j, k};
                for (int n = 0; n < SUMS && (of == NODE_ANGLES || class[of] <= last); n++)
                    mean.of[n] += sums[i][j][k].of[n];
            }
        }
    }
    for (int n = 0; n < SUMS; n++)
        mean.of[n] /= nodes;
    return mean;
}

/* The difference of two averages, relative to the mean torque. */
static double difference(const node_grid *g, const node_sums *x, const node_sums *y, double torque)
{
    double largest = 0.0;
    for (int k = 0; k < SQUARE; k++) {
        const double unit = k == LEVEL || k == POWER ? g->length / g->a->body.I[0] : 1.0;
        largest = larger_or_nan(largest, fabs(x->of[k] - y->of[k]) / unit);
    }
    return torque > 0.0 ? largest / torque : largest;
}

/* The error of the nodes along an angle; *coarse is that of every second one. */
static double error_along(const node_grid *g, class_sums sums, int of, const node_sums *all,
                          double torque, double *coarse)
{
    const node_sums half = mean_of(g, sums, of, 1), quarter = mean_of(g, sums, of, 0);
    const double e1 = difference(g, all, &half, torque),
                 e2 = difference(g, &half, &quarter, torque);
    const double ratio = e1 >= e2 ? 1.0 : e1 / e2, EXPONENTIAL = 0.01, CAUTION = 10.0;
    *coarse = e1;
    return ratio < EXPONENTIAL ? CAUTION * e1 * ratio * ratio : e1 * ratio;
}

/* Twice as many nodes along an angle: all there are have even indices then. */
static void renumber(class_sums sums, int of)
{
    for (int i = 0; i < CLASSES; i++) {
        for (int j = 0; j < CLASSES; j++) {
            node_sums *at[CLASSES];
            for (int k = 0; k < CLASSES; k++)
                at[k] = of == ALONG   ? &sums[k][i][j]
                        : of == ABOUT ? &sums[i][k][j]
                                      : &sums[i][j][k];
            for (int n = 0; n < SUMS; n++) {
                at[0]->of[n] += at[1]->of[n];
                at[1]->of[n] = at[2]->of[n];
                at[2]->of[n] = 0.0;
            }
        }
    }
}

/* The count of nodes along an angle with which to begin, at least the least. */
static int begin_with(double count)
{
    int n = NODES_LEAST;
    while (n < count && n < NODES_MOST)
        n *= 2;
    return n;
}

averages ph_averages(const averaging *a, const spin *s, bool above, double t, bool check,
                     node_counts *n)
{
    static const double MUCH_BETTER = 0.25;
    if (a->p->torque == NULL)
        return (averages){.error = 0.0};
    node_grid g = {.a = a, .t = t, .length = norm(s->H)};
    class_sums sums = {{{{{0}}}}};
    double *const wanted[NODE_ANGLES] = {&n->along, &n->about, &n->over_time};
    double coarse[NODE_ANGLES] = {0}, error[NODE_ANGLES] = {0};
    const double level = a->body.range == 0.0 ? 0.0 : within(s->level, 0.0, 1.0);
    g.h = scale(1.0 / g.length, s->H);
    g.per_inertia = 1.0 / a->body.I[2] + a->body.range * level;
    g.count[ALONG] = begin_with(n->along);
    g.count[ABOUT] = begin_with(n->about);
    g.count[OVER_TIME] = a->period == 0.0 ? 1 : begin_with(n->over_time);
    const int angles = a->period == 0.0 ? OVER_TIME : NODE_ANGLES;
    set_curve(&g, s, above);
    set_angles(&g);
    double evaluations = add_nodes(&g, NODE_ANGLES, sums), torque;
    node_sums all;
    for (;;) {
        all = mean_of(&g, sums, NODE_ANGLES, CLASSES - 1);
        torque = sqrt(all.of[SQUARE]);
        int worst = NODE_ANGLES;
        for (int k = 0; k < angles && check; k++) {
            error[k] = error_along(&g, sums, k, &all, torque, &coarse[k]);
            if (error[k] > a->tolerance && g.count[k] < NODES_MOST &&
                (worst == NODE_ANGLES || error[k] > error[worst]))
                worst = k;
        }
        if (worst == NODE_ANGLES)
            break;
        renumber(sums, worst);
        g.count[worst] *= 2;
        if (worst == ALONG)
            set_curve(&g, s, above);
        if (worst == ABOUT)
            set_angles(&g);
        evaluations += add_nodes(&g, worst, sums);
    }
    averages out = {.H = vector_of(&all.of[SPACE]),
                    .in_body = vector_of(&all.of[BODY]),
                    .torque = torque,
                    .evaluations = evaluations};
    out.level =
        a->body.range == 0.0 ? 0.0 : 2.0 * all.of[LEVEL] / (g.length * g.length * a->body.range);
    for (int k = 0; k < angles; k++) {
        out.error += error[k];
        if (check)
            *wanted[k] = coarse[k] <= MUCH_BETTER * a->tolerance ? g.count[k] / 2 : g.count[k];
    }
    return out;
}

/* ---- resonances ---------------------------------------------------------------------------- */

frequencies ph_spin_frequencies(const spin_body *b, const spin *s, bool above)
{
    static const double ON_AXIS = 1e-12; /* the frequencies have a limit there */
    if (b->range == 0.0)
        return (frequencies){0.0, norm(s->H) / b->I[0]};
    spin off = *s;
    off.level = within(s->level, ON_AXIS, 1.0 - ON_AXIS);
    const polhode_curve c = ph_spin_curve(b, &off, above);
    const ph_body body = {.J = b->J, .axes = {1, 0, 0, 0}, .principal = true};
    const ph_state start = {{1, 0, 0, 0}, ph_spin_momentum(b, &off, &c, 0.0)};
    ph_motion motion;
    return (frequencies){2.0 * PH_PI / c.period, ph_motion_prepare(&motion, &body, &start) == PH_OK
                                                     ? ph_motion_precession(&motion)
                                                     : NAN};
}

enum { RESONANT_NODES = 32 }; /* the most for an estimate */

double ph_resonant_torque(const averaging *a, const spin *s, bool above, double t, int p, int q,
                          const node_counts *n)
{
    node_grid g = {.a = a, .t = t, .length = norm(s->H)};
    const int along = begin_with(within(n->along, 4.0 * p, RESONANT_NODES)),
              about = begin_with(within(n->about, 4.0 * q, RESONANT_NODES));
    const polhode_curve c = ph_spin_curve(&a->body, s, above);
    const ph_body body = {.J = a->body.J, .axes = {1, 0, 0, 0}, .principal = true};
    const ph_vec3 m = ph_spin_momentum(&a->body, s, &c, 0.0), h = scale(1.0 / g.length, s->H);
    const ph_state start = {ph_turn_to(scale(1.0 / g.length, m), h), m};
    ph_motion motion;
    if (ph_motion_prepare(&motion, &body, &start) != PH_OK)
        return NAN;
    const double precession = ph_motion_precession(&motion), sign = precession < 0.0 ? -1.0 : 1.0;
    ph_vec3 cosine = {0, 0, 0}, sine = {0, 0, 0};
    for (int k = 0; k < along; k++) {
        const double passed = c.period * k / along;
        const ph_state free = ph_motion_at(&motion, passed);
        const ph_quat first = mul(turn_about(h, -0.5 * precession * passed), free.q);
        const ph_vec3 w = over(free.m, a->body.J);
        for (int f = 0; f < about; f++) {
            const ph_quat at = mul(turn_about(h, PH_PI * f / about), first);
            const ph_vec3 torque = rotate(at, torque_moving(a->p, t, at, free.m, w));
            double x, y;
            ph_sincos(2.0 * PH_PI * (p * (double)k / along - sign * q * (double)f / about), &y, &x);
            cosine = add(cosine, scale(x, torque));
            sine = add(sine, scale(y, torque));
        }
    }
    return sqrt(2.0 * (dot(cosine, cosine) + dot(sine, sine))) / ((double)along * about);
}
