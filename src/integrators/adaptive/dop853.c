/* dop853.c - the Runge-Kutta method of order 8 of Dormand and Prince, as Hairer's DOP853: the
 * baseline that everyone knows.
 *
 * HNW   Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, second edition,
 *       II.5, II.6 and II.10; the coefficients are those of the code DOP853.
 *
 *   k_i = f( t + c_i h, y + h sum a_ij k_j ),   y+ = y + h sum b_j k_j,   12 stages
 *
 * The error is estimated by two embedded formulas, of order 5 and 3, HNW (10.17):
 *
 *   |h| |e5|^2/sqrt( |e5|^2 + |e3|^2/100 )
 *
 * Within a step there is a polynomial of order 7, HNW II.6, with f at the end and three more
 * stages; with x from 0 to 1 over the step and z = 1 - x,
 *
 *   y + x (r1 + z (r2 + x (r3 + z (r4 + x (r5 + z (r6 + x r7))))))
 *   r1 = y+ - y,  r2 = h k_1 - r1,  r3 = r1 - h k_13 - r2,  r4 ... r7 = h sum d_j k_j
 */
#ifdef SIMD_VECTORS
#include "motion/algebra.h"
#else
#include "integrators/adaptive.h"
#endif
#include "integrators/lane_kernels.h"
#ifndef __OPENCL_VERSION__
#include "integrators/tangent_field.h"
#endif

enum { STAGES = DOP853_STAGES, ALL_STAGES = 16, TERMS = 7, DENSE_FROM = 3 };

/* c_i; the 13th stage is f at the end. */
FILE_CONSTANT double C[ALL_STAGES] = {[1] = 5.260015195876773187856e-2,
                                      [2] = 7.890022793815159781784e-2,
                                      [3] = 0.1183503419072273967268,
                                      [4] = 0.2816496580927726032732,
                                      [5] = 1.0 / 3,
                                      [6] = 1.0 / 4,
                                      [7] = 4.0 / 13,
                                      [8] = 127.0 / 195,
                                      [9] = 3.0 / 5,
                                      [10] = 6.0 / 7,
                                      [11] = 1,
                                      [12] = 1,
                                      [13] = 1.0 / 10,
                                      [14] = 1.0 / 5,
                                      [15] = 7.0 / 9};

/* a_ij; row 12 is b. */
FILE_CONSTANT double STAGE[ALL_STAGES][ALL_STAGES] = {
    {0},
    {5.260015195876773187856e-2},
    {1.972505698453789945446e-2, 5.917517095361369836338e-2},
    {2.958758547680684918169e-2, [2] = 8.876275643042054754507e-2},
    {0.2413651341592666855024, [2] = -0.8845494793282860853449, 0.9248340032617920031157},
    {3.703703703703703703704e-2, [3] = 0.1708286087294738712796, 0.1254676875668224250167},
    {3.7109375e-2, [3] = 0.170252211019544039315, 6.021653898045596068502e-2, -1.7578125e-2},
    {3.709200011850479271088e-2, [3] = 0.1703839257122399938102, 0.1072620304463732846518,
     -1.531943774862440175279e-2, 8.273789163814022887585e-3},
    {0.6241109587160757171144, [3] = -3.360892629446941294069, -0.8682193468417260068182,
     27.59209969944670830494, 20.15406755047789340862, -43.48988418106995884774},
    {0.4776625364382643658904, [3] = -2.488114619971667641926, -0.5902908268368429963714,
     21.23005144818119423473, 15.27923363288242358326, -33.28821096898486291945,
     -2.033120170850862613582e-2},
    {-0.937142430085987325717, [3] = 5.1863724288440637083, 1.091437348996729578185,
     -8.14978701074692612514, -18.52006565999695986416, 22.7394870993505042819,
     2.493605552679652389871, -3.046764471898219500382},
    {2.273310147516538207924, [3] = -10.53449546673725019841, -2.000872058224862499097,
     -17.95893186311879891728, 27.94888452941996005085, -2.858998277135023694741,
     -8.872856933530629544335, 12.36056717579430306473, 0.643392746015763530356},
    {5.429373411656876223805e-2, [5] = 4.450312892752408881441, 1.891517899314500383043,
     -5.801203960010584781467, 0.3111643669578198944089, -0.1521609496625160785562,
     0.2013654008040303483748, 4.471061572777259051769e-2},
    {5.616750228304795233929e-2, [6] = 0.2535002102166248110888, -0.2462390374708024899174,
     -0.124191423263816360469, 0.1532917982787656973121, 8.201052295634689884917e-3,
     7.567897660545699761386e-3, -8.298e-3},
    {3.183464816350214050608e-2, [5] = 2.830090967236677552883e-2, 5.354198830743856762238e-2,
     -5.492374857139098846466e-2, [10] = -1.083473286972493228585e-4, 3.825710908356584129549e-4,
     -3.40465008687404560803e-4, 0.1413124436746325002781},
    {-0.4288963015837919234086, [5] = -4.697621415361163843144, 7.683421196062599041842,
     4.068989818397110079702, 0.3567271874552811092707, [12] = -1.399024165159014621294e-3,
     2.947514789152772338956, -9.150958472179870010819},
};

/* The formulas of order 5 and 3, less that of order 8. */
FILE_CONSTANT double E5[STAGES] = {
    [0] = 1.31200449941948807325e-2,   [5] = -1.225156446376204440721,
    [6] = -0.4957589496572501915214,   [7] = 1.664377182454986536962,
    [8] = -0.3503288487499736816886,   [9] = 0.3341791187130174790297,
    [10] = 8.192320648511571246571e-2, [11] = -2.235530786388629525884e-2};
FILE_CONSTANT double E3[STAGES] = {[0] = 5.429373411656876223805e-2 - 31.0 / 127,
                                   [5] = 4.450312892752408881441,
                                   [6] = 1.891517899314500383043,
                                   [7] = -5.801203960010584781467,
                                   [8] = 0.3111643669578198944089 - 12675.0 / 17272,
                                   [9] = -0.1521609496625160785562,
                                   [10] = 0.2013654008040303483748,
                                   [11] = 4.471061572777259051769e-2 - 3.0 / 136};

/* The stages that stage i sums over, beside the first, begin here: the coefficients before are
 * zero. Of b, both errors and the polynomial they begin with the last of these. */
FILE_CONSTANT int SUMS_FROM[ALL_STAGES] = {1, 1, 1, 2, 2, 3, 3, 3, 3, 3, 3, 3, 5, 5, 5, 5};

/* steps aim at the tolerance over CAUTION; SHARE is that of the formula of order 3 in the error */
FILE_CONSTANT double SHARE = 0.1, CAUTION = 3.0;

#ifdef SIMD_VECTORS /* attempts of many bodies, one a lane, with the bits of one */

typedef double lane_rates[PH_UNKNOWNS][PH_LANES];

/* The numbers of all unknowns and lanes, one vector after the other; so many vectors are summed together
 * as there are unknowns, so that no sum waits for itself. */
enum { SUMMED = PH_UNKNOWNS, NUMBERS = PH_UNKNOWNS * PH_LANES };

/* Stores h times the sum over the stages, added to y unless that is NULL. */
PART void lane_sums(const double *weight, int from, int count, lane_rates *k, const double *h,
                    const double *y, double *to)
{
    for (int i = 0; i < NUMBERS; i += SUMMED * LANES) {
        vdouble sum[SUMMED];
        for (int v = 0; v < SUMMED; v++)
            sum[v] =
                vsplat(0.0) + weight[0] * vload((const double *)k[0] + (size_t)(i + v * LANES));
        for (int j = from; j < count; j++) {
            const double *const rate = (const double *)k[j] + i;
            for (int v = 0; v < SUMMED; v++)
                sum[v] += weight[j] * vload(rate + (size_t)(v * LANES));
        }
        for (int v = 0; v < SUMMED; v++) {
            const int at = i + v * LANES;
            const vdouble change = vload(&h[at % PH_LANES]) * sum[v];
            vstore(to + at, y != NULL ? vload(y + at) + change : change);
        }
    }
}

/* w = J^-1 (m - H), and where a torque is looked at. */
PART void set_instant(const lane_attempts *a, double (*y)[PH_LANES], lane_instants *at)
{
    VECTOR_ALIGNED double H[3][PH_LANES] = {{0}};
    for (int i = 0; i < PH_LANES && a->internal; i++) {
        const ph_problem *p = a->problems.p[i];
        const ph_vec3 inside =
            p != NULL && p->internal != NULL ? p->internal(p, at->t[i]) : (ph_vec3){0, 0, 0};
        H[0][i] = inside.x;
        H[1][i] = inside.y;
        H[2][i] = inside.z;
    }
    for (int r = 0; r < PH_LANES; r += LANES) {
        const vdouble4 q = of_unit_length(lane_quaternion(&y[0][r]));
        const vdouble unit[4] = {q.w, q.x, q.y, q.z};
        for (int i = 0; i < 4; i++)
            vstore(&at->q[i][r], unit[i]);
        for (int i = 0; i < 3; i++) {
            const vdouble m = vload(&y[4 + i][r]);
            vstore(&at->m[i][r], m);
            vstore(&at->w[i][r], (m - vload(&H[i][r])) / vload(&a->problems.J[i][r]));
        }
    }
}

/* y' of all lanes. */
static void lane_rate(lane_attempts *a, double (*y)[PH_LANES], lane_instants *at,
                      double (*rate)[PH_LANES])
{
    set_instant(a, y, at);
    if (a->torque != NULL)
        a->torque(&a->problems, at);
    for (int r = 0; r < PH_LANES; r += LANES) {
        const vdouble4 q = lane_quaternion(&y[0][r]);
        const vdouble3 m = lane_vector(&at->m[0][r]), w = lane_vector(&at->w[0][r]),
                       moved = add(cross(m, w), lane_vector(&at->torque[0][r]));
        const vdouble4 turned = mul(q, quat(vsplat(0.0), scale(vsplat(0.5), w)));
        const vdouble all[PH_UNKNOWNS] = {turned.w, turned.x, turned.y, turned.z,
                                          moved.x,  moved.y,  moved.z};
        for (int n = 0; n < PH_UNKNOWNS; n++)
            vstore(&rate[n][r], all[n]);
    }
}

PART vdouble larger_or_nan_lanes(vdouble a, vdouble b)
{
    return vselect((b <= a) | (a != a), a, b); // NOLINT(misc-redundant-expression): NaN
}

/* As error_size(), of both formulas. */
PART void lane_errors(const lane_attempts *a, lane_rates *e5, lane_rates *e3, int r, vdouble *five,
                      vdouble *three)
{
    vdouble size = vsplat(0x1p-1000), q2[2], m2[2];
    lane_rates *const both[2] = {e5, e3};
    for (int i = 4; i < PH_UNKNOWNS; i++) {
        const vdouble y = vload(&a->y[i][r]), then = y + vload(&a->change[i][r]);
        size = larger_or_nan_lanes(size, larger_or_nan_lanes(vabs(y), vabs(then)));
    }
    for (int f = 0; f < 2; f++) {
        q2[f] = m2[f] = vsplat(0.0);
        for (int i = 0; i < 4; i++) {
            const vdouble e = vload(&(*both[f])[i][r]);
            q2[f] += e * e;
        }
        for (int i = 4; i < PH_UNKNOWNS; i++) {
            const vdouble e = vload(&(*both[f])[i][r]) / size;
            m2[f] += e * e;
        }
    }
    *five = vsqrt(q2[0] + m2[0]);
    *three = vsqrt(q2[1] + m2[1]);
}

attempts_kernel KERNEL(dop853);

void KERNEL(dop853)(lane_attempts *a)
{
    VECTOR_ALIGNED lane_rates k[STAGES];
    VECTOR_ALIGNED lane_rates at;
    VECTOR_ALIGNED lane_rates e5;
    VECTOR_ALIGNED lane_rates e3;
    VECTOR_ALIGNED double times[STAGES][PH_LANES];
    lane_instants now = {.torque = {{0}}, .stages = times};
    for (int r = 0; r < PH_LANES; r += LANES) {
        for (int n = 0; n < PH_UNKNOWNS; n++)
            vstore(&at[n][r], vload(&a->y[n][r]) + vload(&a->h[r]) * vsplat(0.0));
        for (int i = 0; i < STAGES; i++)
            vstore(&times[i][r], vload(&a->t[r]) + C[i] * vload(&a->h[r]));
    }
    for (int i = 0; i < STAGES; i++) {
        if (i > 0)
            lane_sums(STAGE[i], SUMS_FROM[i], i, k, a->h, a->y[0], at[0]);
        memcpy(now.t, times[i], sizeof now.t);
        now.stage = i;
        lane_rate(a, at, &now, k[i]);
    }
    lane_sums(STAGE[STAGES], SUMS_FROM[STAGES], STAGES, k, a->h, NULL, a->change[0]);
    lane_sums(E5, SUMS_FROM[STAGES], STAGES, k, a->h, NULL, e5[0]);
    lane_sums(E3, SUMS_FROM[STAGES], STAGES, k, a->h, NULL, e3[0]);
    for (int r = 0; r < PH_LANES; r += LANES) {
        vdouble five, three;
        lane_errors(a, &e5, &e3, r, &five, &three);
        three = SHARE * three;
        const vdouble both = vsqrt(five * five + three * three),
                      least = vselect(both > 0.0, five * (five / both), five);
        vstore(&a->error[r], CAUTION * least / vload(&a->tolerance[r]));
    }
}

/* Columns of derivatives over a step, each in a lane. */

PART void column_sum(const double *weight, int from, int count, vdouble (*k)[TANGENT_ROWS],
                     vdouble *sum)
{
    for (int n = 0; n < TANGENT_ROWS; n++)
        sum[n] = weight[0] * k[0][n];
    for (int j = from; j < count; j++) {
        for (int n = 0; n < TANGENT_ROWS; n++)
            sum[n] += weight[j] * k[j][n];
    }
}

/* A vector of columns from c on. */
PART void tangent_columns(tangent_step *x, int c, bool principal)
{
    vdouble k[STAGES][TANGENT_ROWS], from[TANGENT_ROWS], y[TANGENT_ROWS], sum[TANGENT_ROWS];
    for (int n = 0; n < TANGENT_ROWS; n++)
        y[n] = from[n] = vload(&x->from->x[n][c]);
    for (int i = 0; i < STAGES; i++) {
        if (i > 0) {
            column_sum(STAGE[i], SUMS_FROM[i], i, k, sum);
            for (int n = 0; n < TANGENT_ROWS; n++)
                y[n] = from[n] + sum[n];
        }
        tangent_change(x, i, c, principal, y, k[i]);
    }
    const double *const weight[] = {E5, E3, STAGE[STAGES]};
    vdouble size[2] = {vsplat(0.0), vsplat(0.0)};
    for (int f = 0; f < 3; f++) {
        column_sum(weight[f], SUMS_FROM[STAGES], STAGES, k, sum);
        for (int n = 0; n < TANGENT_ROWS; n++)
            vstore(&x->to->x[n][c], f < 2 ? sum[n] : from[n] + sum[n]);
        if (f < 2)
            size[f] = column_size(x->to, c, x->unit);
    }
    const vdouble three = SHARE * size[1], both = vsqrt(size[0] * size[0] + three * three),
                  error = vselect(both > 0.0, size[0] * (size[0] / both), size[0]);
    x->worst = worse_of(x, c, error, x->to, x->worst);
}

void KERNEL(tangent_dop853)(tangent_step *x){EACH_TANGENT_VECTOR(x)}

#else /* of one body */

FILE_CONSTANT double D[TERMS - DENSE_FROM][ALL_STAGES] = {
    {-8.428938276109012865135, [5] = 0.5667149535193777696253, -3.06894994594989169128,
     2.384667656512069828773, 2.117034582445028276716, -0.8713915837779729920679,
     2.240437430260788275854, 0.6315787787694688181557, -8.89903364513333108207e-2,
     18.14850552085472725666, -9.194632392478355400045, -4.436036387594893966431},
    {10.42750864257913460341, [5] = 242.2834917752581828843, 165.2004517172702819851,
     -374.5467547226902027952, -22.11366685312530603627, 7.73343266847226383896,
     -30.67408473108939818206, -9.332130526430227872957, 15.69723812177084388613,
     -31.13940321956517767728, -9.352924358844478386571, 35.81684148639408375247},
    {19.98505324200243382099, [5] = -387.0373087493517655511, -189.1781381951675688283,
     527.8081592054236490056, -11.57390253995963012614, 6.881232694696300016967,
     -1.000605096691083840318, 0.7777137798053443209287, -2.778205752353508406593,
     -60.19669523126412075827, 84.32040550667716101816, 11.99229113618278932804},
    {-25.69393346270374900331, [5] = -154.1897486902364337405, -231.5293791760454956754,
     357.6391179106141237829, 93.40532418362431000391, -37.45832313645163315688,
     104.0996495089623004515, 29.84029342666050312334, -43.53345659001114375443,
     96.32455395918828294839, -39.17726167561543916523, -149.7268362579856258142},
};

/* The sum over the first `count` stages, of one unknown. */
static double stage_sum(FILE_TABLE double *weight, int from, int count, double (*k)[PH_UNKNOWNS],
                        int n)
{
    double sum = 0.0 + weight[0] * k[0][n];
    for (int j = from; j < count; j++)
        sum += weight[j] * k[j][n];
    return sum;
}

/* The first `count` stages of a step of h from y at t. */
static void stages(ph_adaptive_run *r, double t, double h, const double y[PH_UNKNOWNS], int count,
                   double k[ALL_STAGES][PH_UNKNOWNS])
{
    for (int i = 0; i < count; i++) {
        double at[PH_UNKNOWNS];
        for (int n = 0; n < PH_UNKNOWNS; n++) {
            if (i == 0)
                at[n] = y[n] + h * 0.0;
            else
                at[n] = y[n] + h * stage_sum(STAGE[i], SUMS_FROM[i], i, k, n);
        }
#ifndef __OPENCL_VERSION__
        for (int n = 0; n < PH_UNKNOWNS && r->points != NULL && i < STAGES; n++)
            r->points->y[i][n][0] = at[n];
#endif
        ph_motion_rate(r, t + C[i] * h, at, k[i]);
    }
}

static void attempt(ph_adaptive_run *r, double h, ph_trial_step *out)
{
    const double *y = r->now.y;
    double k[ALL_STAGES][PH_UNKNOWNS], e5[PH_UNKNOWNS], e3[PH_UNKNOWNS];
    const int from = SUMS_FROM[STAGES];
    stages(r, r->now.t, h, y, STAGES, k);
    for (int n = 0; n < PH_UNKNOWNS; n++) {
        out->change[n] = h * stage_sum(STAGE[STAGES], from, STAGES, k, n);
        e5[n] = h * stage_sum(E5, from, STAGES, k, n);
        e3[n] = h * stage_sum(E3, from, STAGES, k, n);
    }
    const double five = error_size(e5, y, out->change),
                 three = SHARE * error_size(e3, y, out->change),
                 both = sqrt(five * five + three * three);
    const double error = CAUTION * (both > 0.0 ? five * (five / both) : five) / r->tolerance;
    out->error = error / DOP853_ACCEPTED;
    out->factor = step_factor(error, DOP853_ORDER);
    out->whole = true;
    out->memory[0] = 0.0; /* no polynomial yet */
}

/* The polynomial of the last step: memory[0], the length of the step, then the terms. */
static void set_polynomial(ph_adaptive_run *r)
{
    const double *y = r->now.start, h = r->now.memory[0];
    const int from = SUMS_FROM[STAGES];
    double k[ALL_STAGES][PH_UNKNOWNS],
        (*term)[PH_UNKNOWNS] = (double(*)[PH_UNKNOWNS])(r->now.memory + 1);
    stages(r, r->now.from, h, y, ALL_STAGES, k);
    for (int n = 0; n < PH_UNKNOWNS; n++) {
        term[0][n] = h * stage_sum(STAGE[STAGES], from, STAGES, k, n);
        term[1][n] = h * k[0][n] - term[0][n];
        term[2][n] = term[0][n] - h * k[STAGES][n] - term[1][n];
        for (int d = DENSE_FROM; d < TERMS; d++)
            term[d][n] = h * stage_sum(D[d - DENSE_FROM], from, ALL_STAGES, k, n);
    }
}

#ifndef __OPENCL_VERSION__
static double prepare(ph_adaptive_run *r)
{
    return rough_power(r->tolerance, 1.0 / (double)DOP853_ORDER);
}

static void at(ph_adaptive_run *r, double t, double y[PH_UNKNOWNS])
{
    if (r->now.memory[0] == 0.0) {
        r->now.memory[0] = r->now.t - r->now.from;
        set_polynomial(r);
    }
    const double x = (t - r->now.from) / r->now.memory[0];
    for (int n = 0; n < PH_UNKNOWNS; n++) {
        double sum = 0.0;
        for (int d = TERMS; d-- > 0;)
            sum = (d % 2 == 0 ? x : 1.0 - x) * (r->now.memory[1 + d * PH_UNKNOWNS + n] + sum);
        y[n] = r->now.start[n] + sum;
    }
}

static double tangents(const tangent_run *g, double t, double h, const step_points *points,
                       const tangent *from, tangent *to)
{
    static tangent_kernel *const kernel[ISA_COUNT] = KERNEL_TABLE(tangent_dop853);
    tangent_points at;
    tangent_step x;
    for (int i = 0; i < STAGES; i++) {
        at.t[i] = t + C[i] * h;
        at.length[i] = h;
    }
    at.count = at.cleared = 0;
    ph_tangent_add_points(&at, points, 0, STAGES);
    ph_tangent_field(g, &at);
    tangent_step_begin(&x, g, &at, from, to);
    x.unit = ph_tangent_unit(g, &at, h);
    kernel[ph_isa()](&x);
    return x.worst;
}

const ph_adaptive ph_adaptive_dop853 = {
    .name = "dop853",
    .title = "Runge-Kutta of Dormand and Prince, adaptive",
    .cite = "HNW II.5",
    .order = 8,
    .prepare = prepare,
    .attempt = attempt,
    .at = at,
    .tangents = tangents,
};
#endif
#endif
