/* gauss16.c - collocation at the eight points of Gauss, order 16, in steps of its own choice.
 *
 * HNW   Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.7.
 * HMR   Hairer, McLachlan, Razakarivony, Achieving Brouwer's law with implicit Runge-Kutta
 *       methods, BIT 48, 2008.
 *
 *   Y_i = y + h sum a_ij f(t + c_j h, Y_j),   y+ = y + h sum b_j f(t + c_j h, Y_j)
 *
 * solved by fixed-point iteration in all nodes at once. It begins with the polynomial of the
 * last step, prolonged, and ends where what is left of the iteration is a small part of the
 * tolerance, or round-off. Torques that are asked for one by one stay as they are for
 * INNER sweeps over the motion without them.
 *
 * With s_k the coefficients of f in the shifted Legendre polynomials P_k on the step,
 *
 *   sum b_j f_j = s_0,   int_0^x P_k = (P_(k+1) - P_(k-1))(2x - 1)/(2 (2k + 1)),  k > 0
 *
 * The error is that of a series whose terms go on decreasing as the last ones do: by r from
 * one to the next, with r^4 the ratio of the squares of the last two pairs, |s_7| r^8 times a
 * constant. A state within the last step is a shorter step from its start, solved from that
 * polynomial: of order 16, which the polynomial itself is not.
 *
 * Below a tolerance of FINE the truncation error is made as much smaller again, so that what is
 * left is round-off. That is random, and the error of the energy a random walk (HMR), for no
 * part of it is the same in every step: the products h a_ij are rounded once, with the digits
 * of a_ij that a double has not, and the change over a step has more digits than a double.
 */
#include "base/simd_atan.h"
#include "integrators/lanes.h"

/* Arrays in lanes have a row for each unknown and a column for each node. */

/* sum[i][l] = sum over j of matrix[j][l] x[i][j] */
typedef void collocation_sums(const double (*matrix)[PH_LANES], const double (*x)[PH_LANES],
                              double (*sum)[PH_LANES]);

/* product = h (matrix + rest), rounded once: the error of a step is then one of round-off,
 * another one in every step, not that of rounded coefficients, always the same. */
typedef void collocation_products(double h, const double (*matrix)[PH_LANES],
                                  const double (*rest)[PH_LANES], double (*product)[PH_LANES]);

/* rate = y' at all nodes without torque, plus the torque. */
typedef void collocation_rates(const free_body *b, const double (*y)[PH_LANES],
                               const double (*torque)[PH_LANES], double (*rate)[PH_LANES]);

KERNEL_DECLARE(collocation_products, collocation_product);
KERNEL_DECLARE(collocation_sums, collocation_sum);
KERNEL_DECLARE(collocation_rates, collocation_rate);

#ifdef SIMD_VECTORS
/* ---- in lanes: sums have an order of their own in each, the same for every width ---- */

void KERNEL(collocation_sum)(const double (*matrix)[PH_LANES], const double (*x)[PH_LANES],
                             double (*sum)[PH_LANES])
{
    for (int r = 0; r < PH_LANES; r += LANES) {
        vdouble column[PH_LANES];
        for (int j = 0; j < PH_LANES; j++)
            column[j] = vload(&matrix[j][r]);
        for (int i = 0; i < PH_UNKNOWNS; i++) {
            vdouble even = column[0] * x[i][0], odd = column[1] * x[i][1];
            for (int j = 2; j < PH_LANES; j += 2) {
                even += column[j] * x[i][j];
                odd += column[j + 1] * x[i][j + 1];
            }
            vstore(&sum[i][r], even + odd);
        }
    }
}

void KERNEL(collocation_rate)(const free_body *b, const double (*y)[PH_LANES],
                              const double (*torque)[PH_LANES], double (*rate)[PH_LANES])
{
    for (int r = 0; r < PH_LANES; r += LANES) {
        vdouble z[PH_UNKNOWNS];
        for (int i = 0; i < PH_UNKNOWNS; i++)
            z[i] = vload(&y[i][r]);
        const vdouble f = b->half[0] * z[4], g = b->half[1] * z[5], h = b->half[2] * z[6];
        vstore(&rate[0][r], -((z[1] * f + z[2] * g) + z[3] * h));
        vstore(&rate[1][r], (z[0] * f + z[2] * h) - z[3] * g);
        vstore(&rate[2][r], (z[0] * g + z[3] * f) - z[1] * h);
        vstore(&rate[3][r], (z[0] * h + z[1] * g) - z[2] * f);
        vstore(&rate[4][r], b->euler[0] * (z[5] * z[6]) + vload(&torque[0][r]));
        vstore(&rate[5][r], b->euler[1] * (z[6] * z[4]) + vload(&torque[1][r]));
        vstore(&rate[6][r], b->euler[2] * (z[4] * z[5]) + vload(&torque[2][r]));
    }
}

void KERNEL(collocation_product)(double h, const double (*matrix)[PH_LANES],
                                 const double (*rest)[PH_LANES], double (*product)[PH_LANES])
{
    for (int j = 0; j < PH_LANES; j++) {
        for (int r = 0; r < PH_LANES; r += LANES) {
            const vdouble x = vload(&matrix[j][r]), p = h * x,
                          error = product_error(vsplat(h), x, p);
            vstore(&product[j][r], p + (error + h * vload(&rest[j][r])));
        }
    }
}

#else
#include "integrators/adaptive.h"

enum { NODES = PH_LANES, MOST_SWEEPS = 40, GOOD_SWEEPS = 12, FREE_SWEEPS = 4, INNER = 3 };

/* Steps aim at the tolerance over CAUTION, and up to ACCEPTED times as much is accepted. */
static const double FINE = 1e-12, CAUTION = 4.0, ACCEPTED = 30.0, LEFT = 0.02, ROUND_OFF = 1e-17,
                    NOISE = 1e-15, SLOWEST = 0.7, HALF_STEP = 0.5;

/* Nodes c_i, a_ij as STAGE[j][i], and the weights of f_j in s_k as COEFFICIENT[j][k]. */
static const double NODE[PH_LANES] = {0.01985507175123188415822, 0.1016667612931866302042,
                                      0.2372337950418355070911,  0.4082826787521750975303,
                                      0.5917173212478249024697,  0.7627662049581644929089,
                                      0.8983332387068133697958,  0.9801449282487681158418};
static const double STAGE[PH_LANES][PH_LANES] = {
    {0.02530713407259406478813, 0.05475932176755432028319, 0.04858753599891288094316,
     0.05186552097058123456531, 0.0497550315609232768868, 0.05123307384043864494387,
     0.05017146584084589176064, 0.05089177647230504879916},
    {-9.105943305970075021364e-3, 0.05559525861334361763609, 0.1208595249971731674417,
     0.1061934901483484068789, 0.1143883315370480055947, 0.1089648024514023355539,
     0.112755452137636177648, 0.1102177595626279717455},
    {6.280831147030473980609e-3, -0.01363979623578166925303, 0.07842666146947182183449,
     0.1706711342745536212847, 0.1496121163777213738072, 0.1614967888010481234591,
     0.1537135699534799747266, 0.1587709981935805960099},
    {-4.483015613054751441913e-3, 8.14970885836055053604e-3, -0.01597510336187843147567,
     0.09067094584459049574129, 0.1973629330102060046513, 0.1729701589689548276957,
     0.1865572437783281448628, 0.1782634003208542115927},
    {3.078491368326779889854e-3, -5.215352089147153380243e-3, 8.37173272022616378691e-3,
     -0.01602104132102501316871, 0.09067094584459049574129, 0.1973169950510594229582,
     0.1731921828308204409465, 0.1858249073022357429245},
    {-1.917675254636952340926e-3, 3.139752985463668942345e-3, -4.643465862104479790126e-3,
     7.241206561222269861803e-3, -0.01381781133560997761573, 0.07842666146947182183449,
     0.170493119174725312922, 0.1505724917919131696884},
    {9.727576640592635267245e-4, -1.564934910948942375795e-3, 2.225714775284899718315e-3,
     -3.197814310360770322483e-3, 4.997027078338828393309e-3, -9.669007770485932169476e-3,
     0.05559525861334361763609, 0.1202964605326573102935},
    {-2.775083271169192228984e-4, 4.428023043422378156269e-4, -6.188056952505153676033e-4,
     8.592365842648526894669e-4, -1.251252825393104989046e-3, 2.026732146275248633106e-3,
     -4.145053622366190706925e-3, 0.02530713407259406478813},
};
static const double STAGE_REST[PH_LANES][PH_LANES] = {
    {1.2159356e-19, 1.8778775e-18, -3.1622339e-18, 2.8352999e-18, -1.3353317e-18, -1.3186827e-18,
     4.2318704e-19, -1.1812429e-19},
    {6.6658589e-19, -2.8768254e-18, -5.8801868e-18, 2.3784803e-18, 6.4300472e-18, 3.8805269e-18,
     5.2873934e-18, 1.2744264e-18},
    {-3.6090997e-19, 1.4764669e-19, 4.5671501e-18, -1.0664023e-17, 2.4108304e-18, 4.5037571e-18,
     -9.0273717e-18, 3.4930686e-18},
    {4.0341001e-19, -8.0295471e-19, -5.6251348e-19, -1.8119183e-18, 1.1539484e-17, 9.6827896e-18,
     9.2101187e-18, -9.0115394e-18},
    {1.8353239e-19, 1.7647073e-19, 5.711616e-19, -1.2855329e-18, -1.8119183e-18, -6.5307701e-18,
     6.4856504e-19, -4.8946084e-18},
    {3.3803095e-21, -5.2924597e-20, 2.9373448e-19, -2.1542407e-19, 7.1636548e-19, 4.5671501e-18,
     -3.1564108e-18, -6.9846628e-18},
    {1.9237017e-20, 1.7818014e-20, -9.3198527e-20, -4.063358e-20, -3.2587541e-19, 1.2653606e-19,
     -2.8768254e-18, -4.6855131e-18},
    {-1.8159354e-20, -1.7369604e-20, 4.3986804e-20, -4.7784415e-20, 9.9724554e-21, -6.4025958e-20,
     1.0003309e-19, 1.2159356e-19},
};
static const double COEFFICIENT[PH_LANES][PH_LANES] = {
    {0.05061426814518812957627, -0.1458131048816115848582, 0.2235214435425871475702,
     -0.2740188228304149045642, 0.2903054173377539514829, -0.2688293587786538736497,
     0.2098921910670322919006, -0.1176924564477135606313},
    {0.1111905172266872352722, -0.2657452730423523036574, 0.2512995833432149928144,
     -0.05375635644396032180607, -0.2428961914780375764136, 0.4932953766619368717956,
     -0.5591073831433645994397, 0.3778969370845921262128},
    {0.156853322938943643669, -0.2472945144224617779101, -0.06723010203854732553604,
     0.4671207500358303255718, -0.4615853225965304290338, -0.0535658110052044033186,
     0.6166048635025358750537, -0.6317745531190048047725},
    {0.1813418916891809914826, -0.09979315521446929106673, -0.4075909248472548148485,
     0.3296884866958829566419, 0.4141760967368140539645, -0.5816088634493216881818,
     -0.2673896714262035675147, 0.7849065579218131639317},
    {0.1813418916891809914826, 0.09979315521446929106673, -0.4075909248472548148485,
     -0.3296884866958829566419, 0.4141760967368140539645, 0.5816088634493216881818,
     -0.2673896714262035675147, -0.7849065579218131639317},
    {0.156853322938943643669, 0.2472945144224617779101, -0.06723010203854732553604,
     -0.4671207500358303255718, -0.4615853225965304290338, 0.0535658110052044033186,
     0.6166048635025358750537, 0.6317745531190048047725},
    {0.1111905172266872352722, 0.2657452730423523036574, 0.2512995833432149928144,
     0.05375635644396032180607, -0.2428961914780375764136, -0.4932953766619368717956,
     -0.5591073831433645994397, -0.3778969370845921262128},
    {0.05061426814518812957627, 0.1458131048816115848582, 0.2235214435425871475702,
     0.2740188228304149045642, 0.2903054173377539514829, 0.2688293587786538736497,
     0.2098921910670322919006, 0.1176924564477135606313},
};

/* The memory of a run: the length of the last step and its s_k, by unknowns. */
typedef struct polynomial {
    double h;
    double s[PH_UNKNOWNS][NODES];
} polynomial;

typedef struct collocation {
    ph_adaptive_run *r;
    const ph_problem *p;
    free_body body;
    double t, h;
    const double *start, *lost; /* y, and what rounding lost of it */
    double stage[NODES][NODES]; /* h a_ij */
    double y[PH_UNKNOWNS][NODES], rate[PH_UNKNOWNS][NODES], torque[3][NODES];
    int sweeps; /* that the solution took */
} collocation;

/* ---- one sweep ------------------------------------------------------------------- */

static void sums(const double (*matrix)[NODES], const double (*x)[NODES], double (*sum)[NODES])
{
    static collocation_sums *const sets[ISA_COUNT] = KERNEL_TABLE(collocation_sum);
    sets[ph_isa()](matrix, x, sum);
}

static void rates_without_asking(collocation *c)
{
    static collocation_rates *const sets[ISA_COUNT] = KERNEL_TABLE(collocation_rate);
    sets[ph_isa()](&c->body, (const double(*)[NODES])c->y, (const double(*)[NODES])c->torque,
                   c->rate);
}

static void ask_for_torques(collocation *c)
{
    double q[4][NODES], t[NODES];
    for (int j = 0; j < NODES; j++) {
        const ph_quat unit =
            of_unit_length((ph_quat){c->y[0][j], c->y[1][j], c->y[2][j], c->y[3][j]});
        q[0][j] = unit.w;
        q[1][j] = unit.x;
        q[2][j] = unit.y;
        q[3][j] = unit.z;
        t[j] = c->t + c->h * NODE[j];
    }
    ph_torque_lanes(c->p, 0, NODES, t, (const double(*)[NODES])q, c->torque);
    c->r->now.evaluations += NODES;
}

/* f at all nodes. */
static void all_rates(collocation *c)
{
    if (is_field(c->p)) {
        if (c->p->torque != NULL)
            ask_for_torques(c);
        rates_without_asking(c);
        return;
    }
    for (int j = 0; j < NODES; j++) {
        double y[PH_UNKNOWNS], rate[PH_UNKNOWNS];
        for (int i = 0; i < PH_UNKNOWNS; i++)
            y[i] = c->y[i][j];
        ph_motion_rate(c->r, c->t + c->h * NODE[j], y, rate);
        for (int i = 0; i < PH_UNKNOWNS; i++)
            c->rate[i][j] = rate[i];
    }
}

/* The nodes from f there; how far they move, q and m relative to its size. */
static double move_nodes(collocation *c)
{
    double next[PH_UNKNOWNS][NODES], moved[PH_UNKNOWNS] = {0}, size = 0x1p-1000;
    sums((const double(*)[NODES])c->stage, (const double(*)[NODES])c->rate, next);
    for (int i = 0; i < PH_UNKNOWNS; i++) {
        double square = 0.0;
        for (int j = 0; j < NODES; j++) {
            const double to = c->start[i] + (next[i][j] + c->lost[i]), by = to - c->y[i][j];
            square += by * by;
            c->y[i][j] = to;
        }
        moved[i] = sqrt(square);
    }
    for (int i = 4; i < PH_UNKNOWNS; i++)
        size = larger_or_nan(size, larger_or_nan(fabs(c->start[i]), fabs(c->y[i][NODES - 1])));
    for (int i = 4; i < PH_UNKNOWNS; i++)
        moved[i] /= size;
    double sum = 0.0;
    for (int i = 0; i < PH_UNKNOWNS; i++)
        sum += moved[i] * moved[i];
    return sqrt(sum);
}

static double sweep(collocation *c)
{
    const bool one_by_one = is_field(c->p) && c->p->torque != NULL && ph_lanes_of(c->p) == NULL;
    all_rates(c);
    double moved = move_nodes(c);
    for (int n = 1; one_by_one && n < INNER; n++) {
        rates_without_asking(c);
        const double further = move_nodes(c);
        if (n == 1)
            moved = larger_or_nan(moved, further);
    }
    return moved;
}

/* ---- a step ---------------------------------------------------------------------- */

/* P_k(2x - 1) for k <= NODES. */
static void legendre(double x, double P[NODES + 1])
{
    const double u = 2.0 * x - 1.0;
    P[0] = 1.0;
    P[1] = u;
    for (int k = 1; k < NODES; k++)
        P[k + 1] = ((2 * k + 1) * u * P[k] - k * P[k - 1]) / (k + 1);
}

/* Where the polynomial of the last step says that the nodes are. */
static void predict(collocation *c)
{
    static const double FAR = 64.0; /* it says nothing of steps that are so much longer */
    polynomial last;
    memcpy(&last, c->r->now.memory, sizeof last);
    if (fabs(c->h) > FAR * fabs(last.h))
        last = (polynomial){.h = 0.0};
    for (int j = 0; j < NODES; j++) {
        double P[NODES + 1], integral[NODES] = {0};
        if (last.h != 0.0) {
            legendre((c->t - c->r->now.from + c->h * NODE[j]) / last.h, P);
            integral[0] = c->h * NODE[j];
            for (int k = 1; k < NODES; k++)
                integral[k] = last.h * (P[k + 1] - P[k - 1]) / (2 * (2 * k + 1));
        }
        for (int i = 0; i < PH_UNKNOWNS; i++) {
            double sum = 0.0;
            for (int k = NODES; k-- > 0;)
                sum += last.s[i][k] * integral[k];
            c->y[i][j] = c->start[i] + sum;
        }
    }
}

/* Solves for the nodes; false where the iteration does not converge. The rates are then those
 * at the nodes. */
static bool solve(collocation *c)
{
    static collocation_products *const products[ISA_COUNT] = KERNEL_TABLE(collocation_product);
    const double part = isinf(c->r->tolerance) ? 0.0 : LEFT * c->r->tolerance,
                 enough = larger_or_nan(part, ROUND_OFF);
    double before = INFINITY;
    predict(c);
    products[ph_isa()](c->h, STAGE, STAGE_REST, c->stage);
    for (int n = 0; n < MOST_SWEEPS; n++) {
        const double moved = sweep(c);
        if (!(moved < 1.0 / ROUND_OFF))
            return false;
        if (n > 0 && (moved * (moved / before) < enough || moved < NOISE)) {
            all_rates(c);
            c->sweeps = n + 1;
            return true;
        }
        if (n > FREE_SWEEPS && moved > SLOWEST * before && moved > NOISE)
            return false;
        before = larger_or_nan(moved, 0x1p-1000);
    }
    return false;
}

static collocation step_of(ph_adaptive_run *r, double t, double h, const double *start,
                           const double *lost)
{
    const ph_problem *p = principal_problem(r);
    return (collocation){
        .r = r,
        .p = p,
        .body = free_body_of(p->body.J),
        .t = t,
        .h = h,
        .start = start,
        .lost = lost,
    };
}

/* The size of the terms k and k + 1 of the series, squared, q and m relative to its size. */
static double terms(const polynomial *now, int k, bool momentum)
{
    double sum = 0.0;
    int first = 0, end = 4;
    if (momentum) {
        first = 4;
        end = PH_UNKNOWNS;
    }
    for (int i = first; i < end; i++)
        sum += now->s[i][k] * now->s[i][k] + now->s[i][k + 1] * now->s[i][k + 1];
    return sum;
}

static double error_of(const polynomial *now, const double change[PH_UNKNOWNS], const double *start)
{
    static const double CONSTANT = 0.05, LEAST = 0x1p-1000;
    const double size = momentum_size(start, change);
    double squares = 0.0;
    for (int part = 0; part < 2; part++) {
        const double unit = part == 0 ? 1.0 : 1.0 / size,
                     last = unit * sqrt(terms(now, NODES - 2, part == 1)),
                     before = unit * sqrt(terms(now, NODES - 4, part == 1)),
                     ratio = last * last / (last * last + before * before + LEAST);
        const double error = last * (ratio * ratio);
        squares += error * error;
    }
    return CONSTANT * fabs(now->h) * sqrt(squares);
}

/* h sum b_j f_j to more than its rounding, and what that loses: h f at a node in the middle,
 * exactly, and h times the mean of the differences to it, b with its own rest. */
static double h_times_mean(double h, const double f[NODES], double *rest)
{
    static const double REST[NODES] = {2.431871133e-19,  -5.753650715e-18, 9.134300219e-18,
                                       -3.623836618e-18, -3.623836618e-18, 9.134300219e-18,
                                       -5.753650715e-18, 2.431871133e-19};
    const double middle = f[NODES / 2], large = h * middle;
    double mean = 0.0, of_rest = 0.0;
    for (int j = 0; j < NODES; j++) {
        mean += COEFFICIENT[j][0] * (f[j] - middle);
        of_rest += REST[j] * f[j];
    }
    const double small = h * mean, sum = large + small, part = sum - large;
    *rest =
        (((large - (sum - part)) + (small - part)) + product_error(h, middle, large)) + h * of_rest;
    return sum;
}

static double prepare_gauss16(ph_adaptive_run *r)
{
    static const double TURN = 1.5, ORDER = 16.0;
    return TURN * rough_power(r->tolerance, 1.0 / ORDER);
}

static void attempt(ph_adaptive_run *r, double h, ph_trial_step *out)
{
    collocation c = step_of(r, r->now.t, h, r->now.y, r->now.lost);
    polynomial now = {.h = h};
    out->whole = true;
    out->error = NAN;
    out->factor = HALF_STEP;
    if (!solve(&c))
        return;
    sums(COEFFICIENT, (const double(*)[NODES])c.rate, now.s);
    for (int i = 0; i < PH_UNKNOWNS; i++)
        out->change[i] = h_times_mean(h, c.rate[i], &out->rest[i]);
    const double part = r->tolerance / FINE,
                 allowed = part < 1.0 ? r->tolerance * part : r->tolerance,
                 error = CAUTION * error_of(&now, out->change, c.start) / allowed;
    out->error = error / ACCEPTED;
    out->factor = step_factor(error, 16);
    /* much longer ones might not converge */
    if (out->factor * c.sweeps > GOOD_SWEEPS)
        out->factor = larger_or_nan(GOOD_SWEEPS / (double)c.sweeps, HALF_STEP);
    memcpy(out->memory, &now, sizeof now);
}

/* By one step to the time, or by 2, 4 and so on where that cannot be solved. */
static void at(ph_adaptive_run *r, double t, double y[PH_UNKNOWNS])
{
    enum { MOST = 64 };
    static const double none[PH_UNKNOWNS];
    const double from = r->now.from;
    bool solved = false;
    for (int parts = 1; parts <= MOST && !solved; parts *= 2) {
        const double h = (t - from) / parts;
        memcpy(y, r->now.start, sizeof r->now.start);
        solved = true;
        for (int k = 0; k < parts && solved; k++) {
            double start[PH_UNKNOWNS], s[PH_UNKNOWNS][NODES];
            memcpy(start, y, sizeof start);
            collocation c = step_of(r, from + k * h, h, start, none);
            solved = solve(&c);
            sums(COEFFICIENT, (const double(*)[NODES])c.rate, s);
            for (int i = 0; i < PH_UNKNOWNS; i++) {
                if (solved)
                    y[i] = start[i] + h * s[i][0];
                else
                    y[i] = NAN;
            }
        }
    }
}

const ph_adaptive ph_adaptive_gauss16 = {
    .name = "gauss16",
    .title = "Gauss collocation at eight nodes, adaptive",
    .cite = "HNW II.7",
    .order = 16,
    .prepare = prepare_gauss16,
    .attempt = attempt,
    .at = at,
};
#endif
