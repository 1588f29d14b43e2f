/* series.c - the modified moments of inertia of DMV, to order 16, and of the modifying midpoint
 * rule, to order 8.
 *
 * HV  Hairer, Vilmart, J. Phys. A 39 (2006), (6), Table 1; to h^6. The terms of DMV from h^8
 *     on, printed nowhere, follow from the same conditions by exact rational
 *     interpolation.
 *
 * HV's Table 1 agrees with these to h^6, except that d7 there has delta^3 for delta^2 in its
 * first denominator. V13 (Alg. 4) prints h^2 in front of every term instead of h^2, h^4, ...
 *
 * Chartier, Hairer, Vilmart, Math. Comp. 76 (2007), introduce the modifying midpoint rule; the
 * coefficients here were derived anew, from those of DMV by I_IMR = I_DMV/alpha, and checked by
 * the order they give. Since alpha is not a function of H and C, a third quadratic enters,
 * N = sum Y_i^2/I_i^2.
 */
#include "motion/series.h"

#include "base/simd.h"

static const int DMV_S3[] = {-2, 1};
static const int DMV_D3[] = {1, -2};
static const int DMV_S5[] = {2, -1, -2, 8, 2, -6};
static const int DMV_D5[] = {-1, -6, -1, 8, -1};
static const int DMV_S7[] = {-4, 4, 72, 6, 41, -212, -36, 132, -30, 17, -66, 100};
static const int DMV_D7[] = {2, -26, 60, 13, -64, 110, 2, -2, -176, -19, 72};
static const int DMV_S9[] = {2,   -3,   153,  -486, -4,  -264,  1104, -828, 156, 18, -612,
                             180, 1908, -154, 612,  282, -2256, 62,   -342, 378, 291};
static const int DMV_D9[] = {-1,  -6,   -126, 459, -30, 194,  128, -552, -1296, -30,
                             114, -798, 2136, -1,  222, -864, 684, -61,  243,   -610};
static const int DMV_S11[] = {-4,     8,      -1638,  10044,  -15282, 10,    5241,  -7339,   -21124,
                              31338,  59508,  -2776,  -360,   11064,  -3852, 45924, -167256, 4154,
                              2759,   -16596, -39228, 145320, -45948, -4148, 24876, 3494,    -33156,
                              -30372, 68000,  1382,   -9672,  16578,  11067, -33300};
static const int DMV_D11[] = {2,      -1110,  4338,  1020,  -4266,  -16848,  251,   -774,   -1024,
                              12198,  -48285, 63288, 876,   -4380,  -3484,   31128, -81984, 107172,
                              251,    -8790,  12444, 31104, -45960, -110664, 2,     3626,   -14526,
                              -20730, 94596,  -1384, 8559,  -12096, -3270};
static const int DMV_S13[] = {
    2,        -5,       18666,   -47709,   -47772,   93528,   224046,  -6,      -24370,
    27539,    97600,    -239796, 694413,   -1328400, 12462,   747,     100095,  -49818,
    21696,    -949593,  2670768, -1807839, -24914,   -74096,  99636,   760134,  -332012,
    -2053472, 1366116,  2498256, 50682,    20915,    -330714, -210146, 511974,  655023,
    895917,   -3954178, -38226,  280896,   45912,    -511974, -681432, 1792224, -124002,
    10922,    -92838,   230904,  102820,   -137214,  -386406, 300850};
static const int DMV_D13[] = {
    -1,      -6224,    24885,    -2046,   49734,    -242460, 167508,   -509,    31101,   -115715,
    2048,    -44632,   266697,   -644760, 1301994,  -4951,   18918,    19789,   -364125, 817342,
    710404,  -1734741, -1938870, -4951,   22093,    84326,   -186144,  -258048, 749604,  -1958646,
    3705840, -509,     -30739,   -92323,  131085,   818706,  -2479614, 1637317, -1,      39256,
    -266733, 30607,    438912,   52764,   -1084280, -10921,  81396,    -150849, -119103, 401760};
static const int DMV_S15[] = {
    -8,         24,         133272,     -1679616,   1760832,     -7924392,   30962088,   -34554600,
    28,         888450,     -4331852,   17274930,   -3554472,    11077128,   -74898216,  175743648,
    -195774084, -448440,    24912,      -11647956,  1793592,     -994932,    133559832,  -145954992,
    -301761936, 403545888,  365368320,  1121030,    10468095,    -4880845,   -4483980,   -94333200,
    64703020,   218804520,  -240888120, 447578550,  -1064479320, -4615096,   -5681496,   32436648,
    45758364,   36259708,   -55905336,  -101093280, -407032764,  1182049912, -447540636, 5801628,
    2231658,    -44170992,  -36865656,  83858004,   244633842,   -13341798,  -513581112, 52390836,
    406530600,  -3718280,   33016104,   4397844,    -87893424,   -70061856,  61285896,   205399116,
    72219548,   -377443400, 929569,     -9295686,   29970378,    10597827,   -30642948,  -59229756,
    69147000,   20439700};
static const int DMV_D15[] = {
    4,          -581604,    3830472,    -6016788,   32760,      716904,     -3887352,  -15264288,
    52280964,   8178,       1409080,    -5764970,   -32768,     2408028,    -38835252, 116483256,
    44033328,   -138095712, -150910776, 199644,     -4953300,   16597532,   -798492,   20118960,
    -55542224,  -47794848,  225218952,  -488199096, 505836792,  513917,     -2032698,  -6230586,
    37741572,   -102698001, 16699392,   -82539840,  409003818,  -734751144, 748255212, 199644,
    -843548,    562988,     22583400,   -5446116,   -201121812, 216336808,  434135800, -565578188,
    -578143152, 8178,       -6498696,   397332,     47235798,   -2064444,   -85487616, 17264172,
    -263290378, 713337952,  4,          3701868,    -28518696,  -7125096,   54844668,  92586576,
    -263631024, 79641420,   -929573,    8374347,    -22815486,  -8726444,   16765056,  35172360,
    -42845000};

const ph_series ph_dmv_series[] = {
    {1, H_FALLS, 6, DMV_S3, DMV_D3},
    {2, H_FALLS, 60, DMV_S5, DMV_D5},
    {3, H_FALLS, 2520, DMV_S7, DMV_D7},
    {4, H_FALLS, 45360, DMV_S9, DMV_D9},
    {5, H_FALLS, 4989600, DMV_S11, DMV_D11},
    {6, H_FALLS, 194594400, DMV_S13, DMV_D13},
    {7, H_FALLS, 81729648000, DMV_S15, DMV_D15},
};

static const int IMR_S3[] = {2, -4, 3};
static const int IMR_D3[] = {-4, 2};
static const int IMR_S5[] = {8, 4, -24, -24, 20, 24, 8, -40, 15};
static const int IMR_D5[] = {-12, 16, 8, -20, -12, 8, 10};
static const int IMR_S7[] = {928,   136,   576,  -1856, -1744, -3936, 1680, 1540, 4416,  6144, 1504,
                             -7840, -5040, 3150, -2944, -2432, 576,   7840, 1680, -6300, 1575};
static const int IMR_D7[] = {-768, -544, 2784,  408,  2848,  -2632, -1856, -1744, -1920,
                             4256, 1568, -2100, 1472, -1088, 520,   -2632, 1008,  1050};

const ph_series ph_imr_series[] = {
    {1, C_FALLS, 12, IMR_S3, IMR_D3},
    {2, C_FALLS, 120, IMR_S5, IMR_D5},
    {3, C_FALLS, 20160, IMR_S7, IMR_D7},
};

/* Calls `visit` with each term of s, or of d, one after the other: its number and its powers;
 * returns how many there are. The inner loops run over p3 and p2, both rising, or where C falls
 * over p1, which falls, and p3. Inline, with `visit`, for each order. */
typedef void visitor(void *context, int i, const int power[SERIES_VARIABLES]);

typedef struct term_walk {
    visitor *visit;
    void *context;
    int r, more, count;
} term_walk;

/* The term with these powers, if it is one. */
PART void visit_term(term_walk *w, int H, int N, int p2, int p3)
{
    const int C = w->r - H - N, p1 = w->r + C - N + w->more - 2 * p2 - 3 * p3,
              least = C + w->more; /* of p2 + 2 p3, for i + j + k <= r - N */
    if (p2 + 2 * p3 >= least)
        w->visit(w->context, w->count++, (const int[]){H, C, N, p1, p2, p3});
}

PART void visit_powers(term_walk *w, bool by_C, int H, int N)
{
    const int weight = 2 * (w->r - N) - H + w->more;
    for (int a = 0; a <= weight && by_C; a++) {
        for (int p3 = a % 2; p3 <= a / 3; p3 += 2)
            visit_term(w, H, N, (a - 3 * p3) / 2, p3);
    }
    for (int p3 = 0; p3 <= weight / 3 && !by_C; p3++) {
        for (int p2 = 0; p2 <= (weight - 3 * p3) / 2; p2++)
            visit_term(w, H, N, p2, p3);
    }
}

PART int visit_by(series_order order, int r, int more, visitor *visit, void *context)
{
    term_walk w = {visit, context, r, more, 0};
    for (int k = 0; k <= r; k++) {
        if (order == H_FALLS) {
            visit_powers(&w, false, r - k, 0);
            continue;
        }
        for (int N = 0; N <= k && order == C_FALLS; N++)
            visit_powers(&w, true, k - N, N);
        for (int N = r - k; N >= 0 && order == H_RISES; N--)
            visit_powers(&w, false, k, N);
    }
    return w.count;
}

PART int visit_terms(const ph_series *p, bool of_d, visitor *visit, void *context)
{
    if (p->order == H_FALLS)
        return visit_by(H_FALLS, p->r, of_d, visit, context);
    if (p->order == C_FALLS)
        return visit_by(C_FALLS, p->r, of_d, visit, context);
    return visit_by(H_RISES, p->r, of_d, visit, context);
}

static void keep(void *context, int i, const int power[SERIES_VARIABLES])
{
    unsigned char(*to)[SERIES_VARIABLES] = context;
    for (int v = 0; v < SERIES_VARIABLES; v++)
        to[i][v] = (unsigned char)power[v];
}

int ph_series_powers(const ph_series *p, bool of_d, unsigned char (*power)[SERIES_VARIABLES])
{
    return visit_terms(p, of_d, keep, power);
}

ph_series_at ph_series_invariants(ph_vec3 j, ph_vec3 y)
{
    const ph_vec3 w = times(j, y);
    return (ph_series_at){{
        [SERIES_H] = 0.5 * dot(w, y),
        [SERIES_C] = 0.5 * dot(y, y),
        [SERIES_N] = dot(w, w),
        [SERIES_P1] = j.x + j.y + j.z,
        [SERIES_P2] = j.x * j.y + j.y * j.z + j.z * j.x,
        [SERIES_P3] = j.x * j.y * j.z,
    }};
}

/* A sum of terms, and its derivatives by H, C, N. */
typedef struct series_sum {
    const int *numerators;
    double denominator, value, by[3];
    double powers[SERIES_VARIABLES][SERIES_ORDERS + 1];
} series_sum;

/* x^n, or its derivative. */
PART double factor(const series_sum *sum, int variable, int n, bool derived)
{
    const double *x = sum->powers[variable];
    if (derived)
        return n * x[larger_int(n - 1, 0)];
    return x[n];
}

/* The term, or its derivative by one of H, C, N. */
PART double product(const series_sum *sum, int i, const int power[SERIES_VARIABLES], int by)
{
    return sum->numerators[i] / sum->denominator *
           factor(sum, SERIES_H, power[SERIES_H], by == SERIES_H) *
           factor(sum, SERIES_C, power[SERIES_C], by == SERIES_C) *
           factor(sum, SERIES_N, power[SERIES_N], by == SERIES_N) *
           factor(sum, SERIES_P1, power[SERIES_P1], false) *
           factor(sum, SERIES_P2, power[SERIES_P2], false) *
           factor(sum, SERIES_P3, power[SERIES_P3], false);
}

static inline void add_term(void *context, int i, const int power[SERIES_VARIABLES])
{
    series_sum *sum = context;
    sum->value += product(sum, i, power, -1);
}

static inline void add_derivatives(void *context, int i, const int power[SERIES_VARIABLES])
{
    series_sum *sum = context;
    add_term(sum, i, power);
    sum->by[SERIES_H] += product(sum, i, power, SERIES_H);
    sum->by[SERIES_C] += product(sum, i, power, SERIES_C);
    sum->by[SERIES_N] += product(sum, i, power, SERIES_N);
}

ph_modified ph_series_modified(const ph_series *series, int orders, const ph_series_at *at,
                               double h, bool derivatives)
{
    series_sum sum = {.value = 0.0};
    for (int v = 0; v < SERIES_VARIABLES; v++) {
        sum.powers[v][0] = 1.0;
        for (int n = 1; n <= orders; n++)
            sum.powers[v][n] = sum.powers[v][n - 1] * at->value[v];
    }
    double s = 0.0, d = 0.0;
    for (const ph_series *p = series + orders; p-- > series;) { /* Horner in h^2 */
        sum.denominator = p->denominator;
        sum.numerators = p->s;
        sum.value = s;
        if (derivatives)
            (void)visit_terms(p, false, add_derivatives, &sum);
        else
            (void)visit_terms(p, false, add_term, &sum);
        s = sum.value * (h * h);
        sum.numerators = p->d;
        sum.value = d;
        if (!derivatives)
            (void)visit_terms(p, true, add_term, &sum);
        d = sum.value * (h * h);
        for (int v = SERIES_H; v <= SERIES_N; v++)
            sum.by[v] *= h * h;
    }
    return (ph_modified){1.0 + s, d, {sum.by[0], sum.by[1], sum.by[2]}};
}
