/* kinks.c - averages of a torque with kinks, such as that of light on facets.
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
#include "kinds/averaged/kinks.h"

#include <math.h>

#include "base/elementary.h"
#include "integrators/expression/compiled.h"
#include "integrators/field.h"
#include "kinds/averaged/node_sums.h"

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
typedef struct phase {
    ph_vec3 m, w;
    ph_quat first; /* the attitude at f = 0 */
    double a[MOST_KINKS], b[MOST_KINKS], c[MOST_KINKS];
} phase;

/* Returns false if a function of a kink is not linear in R. */
static bool go_to(const kinked *k, double u, phase *out)
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

/* ---- phases at which zeros appear or vanish ----------------------------------------------- */

/* Has two zeros on the circle if it is negative; kinks n from 0. */
static double discriminant(const phase *p, int n)
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
    phase p;
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
    phase p;
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

/* ---- sums ------------------------------------------------------------------------------- */

/* Adds the panels of the turn about H from one kink to the next, with their weights. */
static void add_part(kinked *k, const phase *p, double from, double to, int panels, turn_sums *sums)
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
        ph_node_torques(&k->of, k->t, p->m, p->w, (const double(*)[PH_LANES])q, torque);
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
    phase p;
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
            f += f < 0.0 ? 2.0 * PH_PI : f >= 2.0 * PH_PI ? -2.0 * PH_PI : 0.0;
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
    ph_node_fold(&k->of, p.m, p.first, &about, sums);
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

bool ph_averages_between_kinks(const averaging *a, const spin *s, bool above, double t, bool check,
                               node_counts *n, averages *out)
{
    kinked k = {.of = ph_node_frame(a, s), .problem = ph_problem_original(a->p), .t = t, .s = s};
    double values[MOST_KINKS];
    const ph_instant any = instant_at(t, (ph_quat){1, 0, 0, 0});
    k.kinks = a->period == 0.0 ? ph_expression_kinks(k.problem, &any, values) : 0;
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
        const double e1 = ph_node_difference(&k.of, &all, &more_along, torque),
                     e2 = ph_node_difference(&k.of, &all, &more_about, torque);
        const bool grow_along = e1 > a->tolerance &&
                                along<PANELS_MOST, grow_about = e2> a->tolerance &&
                                about < PANELS_MOST;
        error = e1 + e2;
        enough = !grow_along && !grow_about;
        along *= grow_along ? 2 : 1;
        about *= grow_about ? 2 : 1;
        if (!enough)
            all = grow_along && grow_about ? average(&k, along, about)
                  : grow_along             ? more_along
                                           : more_about;
    }
    *out = ph_node_averages(&k.of, &all);
    out->error = error;
    out->evaluations = k.evaluations;
    if (check) {
        n->along = GAUSS * along;
        n->about = GAUSS * about;
        n->over_time = 1.0;
    }
    return true;
}
