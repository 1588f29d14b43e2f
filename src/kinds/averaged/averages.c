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
 * Of nodes at equal distances the average of a smooth function converges exponentially.
 * A torque with kinks has nodes of its own.
 *
 * Nodes are counted in three classes of each angle, so that sums over every second and every fourth
 * node are known, too. Let e1 be the difference of the averages over all and over every second node,
 * and e2 that of those over every second and every fourth. With errors C r^N of N nodes, e1/e2 is
 * r^(N/4), and the error of all nodes is e1 (e1/e2)^2. That is taken, tenfold, where e1/e2 is small,
 * and e1 (e1/e2) elsewhere: there N counts by a power only.
 *
 * In order: sums over nodes, which both kinds of torque use; a torque with kinks; nodes at equal
 * distances, with the averages and their errors.
 */
#include <math.h>

#include "base/elementary.h"
#include "integrators/expression/compiled.h"
#include "integrators/field.h"
#include "integrators/lane_kernels.h"
#include "kinds/averaged/averages.h"

/* ---- sums over nodes ------------------------------------------------------------------------- */

/* With h = H/|H| and R = turn(h, f) B, the sums of torque, cos f torque and sin f torque are taken in
 * the body, and rotated once for all f:
 *
 *   sum R torque = h (h . B S0) + B Sc - h (h . B Sc) + h x B Ss
 */

/* Sums of what is averaged: R torque, torque . (w - a m), torque . w, torque, |torque|^2. */
enum { SPACE, LEVEL = 3, POWER, BODY, SQUARE = BODY + 3, SUMS };

typedef struct node_sums {
    double of[SUMS];
} node_sums;

/* What all nodes of an average have in common. */
typedef struct node_frame {
    const averaging *a;
    ph_vec3 h;                  /* direction of H */
    double length, per_inertia; /* |H| and 2T/H^2 */
} node_frame;

/* Sums over the angle f about H of torque, cos f torque, sin f torque and |torque|^2. */
typedef struct turn_sums {
    double plain[3], cosine[3], sine[3], square;
} turn_sums;

/* Adds a torque at an angle with this cosine and sine, with a weight. */
static inline void turn_sums_add(turn_sums *to, double weight, double cosine, double sine,
                                 const double torque[3])
{
    for (int k = 0; k < 3; k++) {
        const double part = weight * torque[k];
        to->plain[k] += part;
        to->cosine[k] += cosine * part;
        to->sine[k] += sine * part;
        to->square += part * torque[k];
    }
}

static node_frame frame_of(const averaging *a, const spin *s)
{
    const double length = norm(s->H),
                 level = a->body.range == 0.0 ? 0.0 : within_range(s->level, 0.0, 1.0);
    return (node_frame){.a = a,
                        .h = scale(1.0 / length, s->H),
                        .length = length,
                        .per_inertia = 1.0 / a->body.I[2] + a->body.range * level};
}

/* Computes the torque at PH_LANES attitudes, with the same m. */
static void node_torques(const node_frame *g, double t, ph_vec3 m, ph_vec3 w,
                         const double q[4][PH_LANES], double torque[3][PH_LANES])
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

static ph_vec3 vector_of(const double x[3])
{
    return vec3(x[0], x[1], x[2]);
}

/* Adds sums over the angle about H, at the momentum m, to those of all nodes. The angle counts from the
 * attitude `first`. */
static void node_fold(const node_frame *g, ph_vec3 m, ph_quat first, const turn_sums *about,
                      node_sums *sums)
{
    const ph_vec3 w = over(m, g->a->body.J), h = g->h, plain = vector_of(about->plain),
                  B0 = rotate(first, plain), Bc = rotate(first, vector_of(about->cosine)),
                  Bs = rotate(first, vector_of(about->sine)),
                  space = add(add(scale(dot(h, B0) - dot(h, Bc), h), Bc), cross(h, Bs));
    const double all[SUMS] = {
        [SPACE] = space.x, space.y, space.z, dot(plain, sub(w, scale(g->per_inertia, m))),
        dot(plain, w),     plain.x, plain.y, plain.z,
        about->square};
    for (int k = 0; k < SUMS; k++)
        sums->of[k] += all[k];
}

/* Returns the difference of two averages, relative to the mean torque. */
static double node_difference(const node_frame *g, const node_sums *x, const node_sums *y,
                              double torque)
{
    double largest = 0.0;
    for (int k = 0; k < SQUARE; k++) {
        const double unit = k == LEVEL || k == POWER ? g->length / g->a->body.I[0] : 1.0;
        largest = larger_or_nan(largest, fabs(x->of[k] - y->of[k]) / unit);
    }
    if (torque > 0.0)
        return largest / torque;
    return largest;
}

/* Returns the rates of slow variables from the mean of all nodes. */
static averages node_averages(const node_frame *g, const node_sums *mean)
{
    const spin_body *b = &g->a->body;
    return (averages){
        .H = vector_of(&mean->of[SPACE]),
        .level = b->range == 0.0 ? 0.0 : 2.0 * mean->of[LEVEL] / (g->length * g->length * b->range),
        .in_body = vector_of(&mean->of[BODY]),
        .torque = sqrt(mean->of[SQUARE])};
}

/* ---- a torque with kinks --------------------------------------------------------------------- */

/* A torque with kinks is, for example, that of light on facets.
 *
 * A kink is where a function of the attitude changes its sign: a facet turns away from the light. Such
 * functions are linear in the matrix R. At a phase u on the polhode, with the angle f about H,
 *
 *   kink(u, f) = a(u) + b(u) cos f + c(u) sin f
 *
 * has two zeros or none. The turn about H is divided there, and each part has nodes of Gauss. What
 * remains is a function of u, smooth but for roots: where |a| = sqrt(b^2 + c^2) both zeros meet and
 * vanish. The period is divided at these phases, too. With u = u0 + (u1 - u0) sin^2(pi x/2) on a part,
 * the roots become smooth functions of x, and nodes of Gauss in x converge exponentially.
 *
 * Each part has panels of eight nodes. Their error is the difference to twice as many panels.
 */

enum {
    GAUSS = 8,     /* nodes of a panel: one call of the torque in lanes */
    HARMONICS = 5, /* samples that give a, b, c and what is left of higher harmonics */
    LOOKS = 48,    /* phases at which zeros are looked for */
    MOST_CUTS = 8 * MOST_KINKS,
    PANELS_MOST = NODES_MOST / GAUSS,
};

_Static_assert((int)GAUSS == (int)PH_LANES, "a panel is one call");

static const double NODE[GAUSS] = {0.019855071751231912, 0.10166676129318664, 0.2372337950418355,
                                   0.4082826787521751,   0.591717321247825,   0.7627662049581645,
                                   0.8983332387068134,   0.9801449282487681};
static const double WEIGHT[GAUSS] = {0.050614268145188185, 0.11119051722668709, 0.15685332293894372,
                                     0.18134189168918102,  0.18134189168918102, 0.15685332293894372,
                                     0.11119051722668709,  0.050614268145188185};

/* A body on its curve. */
typedef struct kinked {
    node_frame of;
    const ph_problem *problem; /* in the axes of the body */
    double t;
    const spin *s;
    polhode_curve curve;
    ph_jacobi jacobi;
    double cosine[HARMONICS], sine[HARMONICS]; /* of whole angles */
    ph_quat turn[HARMONICS];
    int kinks;
    double evaluations;
    double cut[MOST_CUTS]; /* phases at which zeros appear or vanish, ascending */
    int cuts;
} kinked;

/* Where the body is at a phase, and the functions of its kinks there. */
typedef struct kinked_phase {
    ph_vec3 m, w;
    ph_quat first; /* the attitude at f = 0 */
    double a[MOST_KINKS], b[MOST_KINKS], c[MOST_KINKS];
} kinked_phase;

/* Returns false if a function of a kink is not linear in R. */
static bool go_to(const kinked *k, double u, kinked_phase *out)
{
    static const double LINEAR = 1e-9;
    const averaging *a = k->of.a;
    double value[HARMONICS][MOST_KINKS];
    out->m = scale(k->of.length, k->s->direction);
    if (a->body.range != 0.0) {
        const ph_vec3 m = ph_spin_direction(&a->body, &k->curve,
                                            ph_jacobi_at(&k->jacobi, 4.0 * k->jacobi.quarter * u));
        out->m = scale(k->of.length / norm(m), m);
    }
    out->w = over(out->m, a->body.J);
    out->first = ph_turn_to(scale(1.0 / k->of.length, out->m), k->of.h);
    for (int i = 0; i < HARMONICS; i++) {
        const ph_quat axes = k->problem->body.axes;
        ph_instant now = instant_at(k->t, mul(mul(k->turn[i], out->first), inverse(axes)));
        now.m = rotate(axes, out->m);
        now.w = rotate(axes, out->w);
        (void)ph_expression_kinks(k->problem, &now, value[i]);
    }
    bool linear = true;
    for (int n = 0; n < k->kinks; n++) {
        double mean = 0.0, b = 0.0, c = 0.0, left = 0.0;
        for (int i = 0; i < HARMONICS; i++) {
            mean += value[i][n] / HARMONICS;
            b += 2.0 * k->cosine[i] * value[i][n] / HARMONICS;
            c += 2.0 * k->sine[i] * value[i][n] / HARMONICS;
        }
        for (int i = 0; i < HARMONICS; i++)
            left =
                larger_or_nan(left, fabs(mean + b * k->cosine[i] + c * k->sine[i] - value[i][n]));
        linear = linear && left <= LINEAR * (fabs(mean) + fabs(b) + fabs(c));
        out->a[n] = mean;
        out->b[n] = b;
        out->c[n] = c;
    }
    return linear;
}

/* ---- kinks: phases at which zeros appear or vanish ------------------------------------------- */

/* Has two zeros on the circle if it is negative; kinks n from 0. */
static double discriminant(const kinked_phase *p, int n)
{
    return p->a[n] * p->a[n] - (p->b[n] * p->b[n] + p->c[n] * p->c[n]);
}

static void add_cut(kinked *k, double u)
{
    if (k->cuts == MOST_CUTS)
        return;
    int i = k->cuts++;
    for (; i > 0 && k->cut[i - 1] > u; i--)
        k->cut[i] = k->cut[i - 1];
    k->cut[i] = u;
}

/* Adds the zero of the discriminant n between two phases at which it has other signs, by the
 * method of Illinois. */
static void find_cut(kinked *k, int n, double low, double high, double at_low, double at_high)
{
    enum { STEPS = 60 };
    static const double CLOSE = 1e-14;
    kinked_phase p;
    int side = 0;
    double u = low;
    for (int i = 0; i < STEPS && high - low > CLOSE; i++) {
        u = (low * at_high - high * at_low) / (at_high - at_low);
        (void)go_to(k, u, &p);
        const double here = discriminant(&p, n);
        if (here == 0.0)
            break;
        if ((here < 0.0) == (at_low < 0.0)) {
            low = u;
            at_low = here;
            at_high *= side < 0 ? 0.5 : 1.0;
            side = -1;
        } else {
            high = u;
            at_high = here;
            at_low *= side > 0 ? 0.5 : 1.0;
            side = 1;
        }
    }
    add_cut(k, u - floor(u)); /* phases from 1 on are those from 0 on */
}

/* Finds all cuts, those between two looks, too, where the discriminant comes near to zero. Returns
 * false if a kink is not linear. */
static bool find_cuts(kinked *k)
{
    double seen[LOOKS + 2][MOST_KINKS];
    kinked_phase p;
    for (int i = 0; i < LOOKS + 2; i++) {
        if (!go_to(k, (double)(i % LOOKS) / LOOKS, &p))
            return false;
        for (int n = 0; n < k->kinks; n++)
            seen[i][n] = discriminant(&p, n);
    }
    for (int n = 0; n < k->kinks && k->of.a->body.range != 0.0; n++) {
        for (int i = 0; i < LOOKS; i++) {
            const double u = (double)i / LOOKS, h = 1.0 / LOOKS, before = seen[i][n],
                         here = seen[i + 1][n], after = seen[i + 2][n];
            if ((before < 0.0) != (here < 0.0)) {
                find_cut(k, n, u, u + h, before, here);
            } else if ((here < 0.0) == (after < 0.0) && fabs(here) <= fabs(before) &&
                       fabs(here) < fabs(after)) { /* the vertex of a parabola */
                const double vertex =
                    u + h + 0.5 * h * (before - after) / (before - 2.0 * here + after);
                (void)go_to(k, vertex, &p);
                const double there = discriminant(&p, n);
                if ((there < 0.0) != (here < 0.0)) {
                    find_cut(k, n, u, vertex, before, there);
                    find_cut(k, n, vertex, u + 2.0 * h, there, after);
                }
            }
        }
    }
    return true;
}

/* ---- kinks: sums ----------------------------------------------------------------------------- */

/* Adds the panels of the turn about H from one kink to the next, with their weights. */
static void add_part(kinked *k, const kinked_phase *p, double from, double to, int panels,
                     turn_sums *sums)
{
    double q[4][PH_LANES], torque[3][PH_LANES], cosine[GAUSS], sine[GAUSS];
    const int count = (int)ceil(panels * (to - from) / (2.0 * PH_PI));
    const double h = (to - from) / count;
    for (int n = 0; n < count; n++) {
        for (int i = 0; i < GAUSS; i++) {
            const double f = from + h * (n + NODE[i]);
            double half_sine, half_cosine;
            ph_sincos(0.5 * f, &half_sine, &half_cosine);
            const ph_quat at = mul(quat(half_cosine, scale(half_sine, k->of.h)), p->first);
            cosine[i] = half_cosine * half_cosine - half_sine * half_sine;
            sine[i] = 2.0 * half_sine * half_cosine;
            q[0][i] = at.w;
            q[1][i] = at.x;
            q[2][i] = at.y;
            q[3][i] = at.z;
        }
        node_torques(&k->of, k->t, p->m, p->w, (const double(*)[PH_LANES])q, torque);
        for (int i = 0; i < GAUSS; i++) {
            const double here[3] = {torque[0][i], torque[1][i], torque[2][i]};
            turn_sums_add(sums, WEIGHT[i] * h / (2.0 * PH_PI), cosine[i], sine[i], here);
        }
        k->evaluations += GAUSS;
    }
}

/* Adds the average over the turn about H at a phase, with a weight. */
static void add_turn(kinked *k, double u, double weight, int panels, node_sums *sums)
{
    kinked_phase p;
    double angle[2 * MOST_KINKS + 1];
    int count = 0;
    turn_sums about = {.square = 0.0};
    (void)go_to(k, u, &p);
    for (int n = 0; n < k->kinks; n++) {
        const double radius = ph_hypot(p.b[n], p.c[n]);
        if (!(fabs(p.a[n]) < radius))
            continue;
        const double middle = ph_atan2(p.c[n], p.b[n]), apart = ph_acos(-p.a[n] / radius);
        for (int side = -1; side <= 1; side += 2) {
            double f = middle + side * apart;
            int i = count++;
            if (f < 0.0)
                f += 2.0 * PH_PI;
            else
                f += f >= 2.0 * PH_PI ? -2.0 * PH_PI : 0.0;
            for (; i > 0 && angle[i - 1] > f; i--)
                angle[i] = angle[i - 1];
            angle[i] = f;
        }
    }
    if (count == 0)
        angle[count++] = 0.0;
    angle[count] = angle[0] + 2.0 * PH_PI;
    for (int i = 0; i < count; i++) {
        if (angle[i + 1] > angle[i])
            add_part(k, &p, angle[i], angle[i + 1], panels, &about);
    }
    for (int i = 0; i < 3; i++) {
        about.plain[i] *= weight;
        about.cosine[i] *= weight;
        about.sine[i] *= weight;
    }
    about.square *= weight;
    node_fold(&k->of, p.m, p.first, &about, sums);
}

/* The average with so many panels along the whole period and about H. */
static node_sums average(kinked *k, int along, int about)
{
    node_sums sums = {{0}};
    const int nodes = k->of.a->body.range == 0.0 ? 1 : GAUSS * along;
    for (int i = 0; i < nodes && k->cuts == 0; i++)
        add_turn(k, (double)i / nodes, 1.0 / nodes, about, &sums);
    for (int i = 0; i < k->cuts; i++) {
        const double from = k->cut[i],
                     length = (i + 1 < k->cuts ? k->cut[i + 1] : k->cut[0] + 1.0) - from;
        const int count = (int)ceil(along * length);
        for (int panel = 0; panel < count && length > 0.0; panel++) {
            for (int n = 0; n < GAUSS; n++) {
                double sine, cosine;
                ph_sincos(0.5 * PH_PI * (panel + NODE[n]) / count, &sine, &cosine);
                add_turn(k, from + length * sine * sine,
                         WEIGHT[n] / count * length * PH_PI * sine * cosine, about, &sums);
            }
        }
    }
    return sums;
}

/* Computes the averages of a torque with kinks. Returns false, with *out unchanged, if the
 * torque has none, or if they are not where a function linear in the attitude changes its sign. */
static bool averages_between_kinks(const averaging *a, const spin *s, bool above, double t,
                                   bool check, node_counts *n, averages *out)
{
    kinked k = {.of = frame_of(a, s), .problem = ph_problem_original(a->p), .t = t, .s = s};
    double values[MOST_KINKS];
    const ph_instant any = instant_at(t, (ph_quat){1, 0, 0, 0});
    if (a->period == 0.0)
        k.kinks = ph_expression_kinks(k.problem, &any, values);
    else
        k.kinks = 0;
    if (k.kinks == 0)
        return false;
    for (int i = 0; i < HARMONICS; i++) {
        const double angle = 2.0 * PH_PI * i / HARMONICS;
        ph_sincos(angle, &k.sine[i], &k.cosine[i]);
        k.turn[i] = turn_about(k.of.h, 0.5 * angle);
    }
    k.curve = ph_spin_curve(&a->body, s, above);
    k.jacobi = ph_jacobi_prepare_c(k.curve.parameter_c);
    if (!find_cuts(&k))
        return false;
    int along = nodes_from(n->along) / GAUSS, about = nodes_from(n->about) / GAUSS;
    node_sums all = average(&k, along, about);
    double error = 0.0;
    for (bool enough = !check; !enough;) {
        const double torque = sqrt(all.of[SQUARE]);
        const node_sums more_along = average(&k, 2 * along, about),
                        more_about = average(&k, along, 2 * about);
        const double e1 = node_difference(&k.of, &all, &more_along, torque),
                     e2 = node_difference(&k.of, &all, &more_about, torque);
        const bool grow_along = e1 > a->tolerance &&
                                along<PANELS_MOST, grow_about = e2> a->tolerance &&
                                about < PANELS_MOST;
        error = e1 + e2;
        enough = !grow_along && !grow_about;
        along *= 1 + grow_along;
        about *= 1 + grow_about;
        if (grow_along && grow_about)
            all = average(&k, along, about);
        else if (grow_along)
            all = more_along;
        else if (grow_about)
            all = more_about;
    }
    *out = node_averages(&k.of, &all);
    out->error = error;
    out->evaluations = k.evaluations;
    if (check) {
        n->along = GAUSS * along;
        n->about = GAUSS * about;
        n->over_time = 1.0;
    }
    return true;
}

/* ---- nodes at equal distances ---------------------------------------------------------------- */

/* Every fourth node, those in the middle between them, and all between these. */
enum { CLASSES = 3 };

static int class_of(int i)
{
    if (i % 4 == 0)
        return 0;
    return i % 2 == 0 ? 1 : 2;
}

typedef node_sums class_sums[CLASSES][CLASSES][CLASSES]; /* along, about, over time */

/* What nodes have in common. */
typedef struct node_grid {
    node_frame of;
    double t;
    int count[NODE_ANGLES];
    ph_vec3 m[NODES_MOST];                       /* along the polhode */
    double cosine[NODES_MOST], sine[NODES_MOST]; /* of half the angles about H */
    double space[NODES_MOST][3];                 /* sums of R torque at each time */
} node_grid;

static void set_curve(node_grid *g, const spin *s, bool above)
{
    const spin_body *b = &g->of.a->body;
    const int count = g->count[ALONG], half = count / 2, quarter = count / 4;
    const polhode_curve c = ph_spin_curve(b, s, above);
    const ph_jacobi j = ph_jacobi_prepare_c(c.parameter_c);
    for (int i = 0; i < count; i++) {
        if (b->range == 0.0) {
            g->m[i] = scale(g->of.length, s->direction);
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
        const ph_vec3 m = ph_spin_direction(b, &c, e);
        g->m[i] = scale(g->of.length / norm(m), m);
    }
}

static void set_angles(node_grid *g)
{
    for (int i = 0; i < g->count[ABOUT]; i++)
        ph_sincos(PH_PI * i / g->count[ABOUT], &g->sine[i], &g->cosine[i]);
}

static void add_turns(const node_grid *g, double t, ph_vec3 m, ph_vec3 w, ph_quat first, int from,
                      int step, turn_sums sums[CLASSES])
{
    double q[4][PH_LANES], torque[3][PH_LANES];
    for (int begin = from; begin < g->count[ABOUT]; begin += PH_LANES * step) {
        for (int i = 0; i < PH_LANES; i++) {
            const int f = begin + i * step;
            const ph_quat at = mul(quat(g->cosine[f], scale(g->sine[f], g->of.h)), first);
            q[0][i] = at.w;
            q[1][i] = at.x;
            q[2][i] = at.y;
            q[3][i] = at.z;
        }
        node_torques(&g->of, t, m, w, (const double(*)[PH_LANES])q, torque);
        for (int i = 0; i < PH_LANES; i++) {
            const int f = begin + i * step;
            turn_sums *to = &sums[class_of(f)];
            const double c = g->cosine[f] * g->cosine[f] - g->sine[f] * g->sine[f],
                         s = 2.0 * g->sine[f] * g->cosine[f];
            const double here[3] = {torque[0][i], torque[1][i], torque[2][i]};
            turn_sums_add(to, 1.0, c, s, here);
        }
    }
}

/* Adds the nodes of one phase and time, those about H from `from` in steps. */
static void add_phase(const node_grid *g, double t, int phase, int from, int step,
                      node_sums sums[CLASSES])
{
    const ph_vec3 m = g->m[phase];
    const ph_quat first = ph_turn_to(scale(1.0 / g->of.length, m), g->of.h);
    turn_sums about[CLASSES] = {{.square = 0.0}};
    add_turns(g, t, m, over(m, g->of.a->body.J), first, from, step, about);
    for (int c = 0; c < CLASSES; c++)
        node_fold(&g->of, m, first, &about[c], &sums[c]);
}

/* Adds the nodes whose index along the angle `of` is odd, or all if `of` is NODE_ANGLES. */
static double add_nodes(node_grid *g, int of, class_sums sums)
{
    const int from[NODE_ANGLES] = {of == ALONG, of == ABOUT, of == OVER_TIME},
              step[NODE_ANGLES] = {1 + (of == ALONG), 1 + (of == ABOUT), 1 + (of == OVER_TIME)};
    double added = 1.0;
    for (int k = 0; k < NODE_ANGLES; k++) {
        const int nodes = g->count[k] / step[k];
        added *= nodes;
    }
    for (int n = from[OVER_TIME]; n < g->count[OVER_TIME]; n += step[OVER_TIME]) {
        const double t = g->t + g->of.a->period * n / g->count[OVER_TIME];
        for (int k = from[ALONG]; k < g->count[ALONG]; k += step[ALONG]) {
            node_sums about[CLASSES] = {{{0}}};
            add_phase(g, t, k, from[ABOUT], step[ABOUT], about);
            for (int c = 0; c < CLASSES; c++) {
                for (int i = 0; i < SUMS; i++)
                    sums[class_of(k)][c][class_of(n)].of[i] += about[c].of[i];
                for (int i = 0; i < 3; i++)
                    g->space[n][i] += about[c].of[SPACE + i];
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

/* The error of the nodes along an angle; *coarse is that of every second one. */
static double error_along(const node_grid *g, class_sums sums, int of, const node_sums *all,
                          double torque, double *coarse)
{
    const node_sums half = mean_of(g, sums, of, 1), quarter = mean_of(g, sums, of, 0);
    const double e1 = node_difference(&g->of, all, &half, torque),
                 e2 = node_difference(&g->of, &half, &quarter, torque);
    const double ratio = e1 >= e2 ? 1.0 : e1 / e2, EXPONENTIAL = 0.01, CAUTION = 10.0;
    *coarse = e1;
    if (ratio < EXPONENTIAL)
        return CAUTION * e1 * ratio * ratio;
    return e1 * ratio;
}

/* Twice as many nodes along an angle: all there are have even indices then. */
static void renumber(class_sums sums, int of)
{
    for (int i = 0; i < CLASSES; i++) {
        for (int j = 0; j < CLASSES; j++) {
            node_sums *at[CLASSES];
            for (int k = 0; k < CLASSES; k++) {
                if (of == ALONG)
                    at[k] = &sums[k][i][j];
                else if (of == ABOUT)
                    at[k] = &sums[i][k][j];
                else
                    at[k] = &sums[i][j][k];
            }
            for (int n = 0; n < SUMS; n++) {
                at[0]->of[n] += at[1]->of[n];
                at[1]->of[n] = at[2]->of[n];
                at[2]->of[n] = 0.0;
            }
        }
    }
}

/* Makes room between the times for as many others. */
static void spread_times(node_grid *g)
{
    for (size_t n = (size_t)g->count[OVER_TIME]; n-- > 0;) {
        for (int i = 0; i < 3; i++) {
            g->space[2 * n][i] = g->space[n][i];
            g->space[2 * n + 1][i] = 0.0;
        }
    }
}

/* How much R torque, averaged over both angles, changes over the period: the root of the mean square. */
static double change_over_time(const node_grid *g, const node_sums *all)
{
    const double times = g->count[OVER_TIME], nodes = (double)g->count[ALONG] * g->count[ABOUT];
    double sum = 0.0;
    for (int n = 0; n < g->count[OVER_TIME]; n++) {
        for (int i = 0; i < 3; i++) {
            const double off = g->space[n][i] / nodes - all->of[SPACE + i];
            sum += off * off / times;
        }
    }
    return sqrt(sum);
}

averages ph_averages(const averaging *a, const spin *s, bool above, double t, bool check,
                     node_counts *n)
{
    static const double MUCH_BETTER = 0.25;
    if (a->p->torque == NULL)
        return (averages){.error = 0.0};
    averages out;
    if (averages_between_kinks(a, s, above, t, check, n, &out))
        return out;
    node_grid g = {.of = frame_of(a, s), .t = t};
    class_sums sums = {{{{{0}}}}};
    double *const wanted[NODE_ANGLES] = {&n->along, &n->about, &n->over_time};
    double coarse[NODE_ANGLES] = {0}, error[NODE_ANGLES] = {0};
    g.count[ALONG] = nodes_from(n->along);
    g.count[ABOUT] = nodes_from(n->about);
    if (a->period == 0.0)
        g.count[OVER_TIME] = 1;
    else
        g.count[OVER_TIME] = nodes_from(n->over_time);
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
        if (worst == OVER_TIME)
            spread_times(&g);
        g.count[worst] *= 2;
        if (worst == ALONG)
            set_curve(&g, s, above);
        if (worst == ABOUT)
            set_angles(&g);
        evaluations += add_nodes(&g, worst, sums);
    }
    out = node_averages(&g.of, &all);
    out.evaluations = evaluations;
    if (a->period == 0.0)
        out.slow = 0.0;
    else
        out.slow = change_over_time(&g, &all);
    for (int k = 0; k < angles; k++) {
        out.error += error[k];
        int count = g.count[k];
        if (coarse[k] <= MUCH_BETTER * a->tolerance)
            count /= 2;
        if (check)
            *wanted[k] = count;
    }
    return out;
}
