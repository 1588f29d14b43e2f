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
 * kinks.c has the nodes of a torque with kinks.
 *
 * Nodes are counted in three classes of each angle, so that sums over every second and every fourth
 * node are known, too. Let e1 be the difference of the averages over all and over every second node,
 * and e2 that of those over every second and every fourth. With errors C r^N of N nodes, e1/e2 is
 * r^(N/4), and the error of all nodes is e1 (e1/e2)^2. That is taken, tenfold, where e1/e2 is small,
 * and e1 (e1/e2) elsewhere: there N counts by a power only.
 */
#include "kinds/averaged/averages.h"

#include "kinds/averaged/kinks.h"
#include "kinds/averaged/node_sums.h"

/* ---- sums over nodes ------------------------------------------------------------------- */

/* Every fourth node, those in the middle between them, and all between these. */
enum { CLASSES = 3 };

static int class_of(int i)
{
    return i % 4 == 0 ? 0 : i % 2 == 0 ? 1 : 2;
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
        ph_node_torques(&g->of, t, m, w, (const double(*)[PH_LANES])q, torque);
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
        ph_node_fold(&g->of, m, first, &about[c], &sums[c]);
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
    const double e1 = ph_node_difference(&g->of, all, &half, torque),
                 e2 = ph_node_difference(&g->of, &half, &quarter, torque);
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
    if (ph_averages_between_kinks(a, s, above, t, check, n, &out))
        return out;
    node_grid g = {.of = ph_node_frame(a, s), .t = t};
    class_sums sums = {{{{{0}}}}};
    double *const wanted[NODE_ANGLES] = {&n->along, &n->about, &n->over_time};
    double coarse[NODE_ANGLES] = {0}, error[NODE_ANGLES] = {0};
    g.count[ALONG] = nodes_from(n->along);
    g.count[ABOUT] = nodes_from(n->about);
    g.count[OVER_TIME] = a->period == 0.0 ? 1 : nodes_from(n->over_time);
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
    out = ph_node_averages(&g.of, &all);
    out.evaluations = evaluations;
    out.slow = a->period == 0.0 ? 0.0 : change_over_time(&g, &all);
    for (int k = 0; k < angles; k++) {
        out.error += error[k];
        if (check)
            *wanted[k] = coarse[k] <= MUCH_BETTER * a->tolerance ? g.count[k] / 2 : g.count[k];
    }
    return out;
}
