/* dmv_tables.c - Hairer and Vilmart 2006, table 1, and Vilmart 2013, table 1: the functions of
 * the preprocessed DMV algorithm, as printed, and the orders that they give.
 *
 * HV   Hairer, Vilmart, J. Phys. A 39 (2006), (6) and table 1.
 * V13  Vilmart, Rigid body dynamics, 2013, table 1: the same functions, with t_k for d_k.
 *
 * In the coefficient of H^3 in d7, HV has 1260 delta^3 and V13 1260 delta^2. The powers of
 * h are those of HV (6), h^2, h^4, h^6.
 */
#include "lab/papers/experiments.h"

static const ph_vec3 J = {0.6, 0.8, 1.0}; /* HV section 3 */
static const ph_state START = {{1, 0, 0, 0}, {1.8, 0.4, -0.9}};
static const double TIME = 2.0, STEPS[] = {16, 32}; /* errors of order 8 are above round-off */

/* A table, and the power of delta in the first denominator of d7. */
typedef struct printing {
    const char *name;
    double power;
} printing;

static const printing HAIRER_VILMART = {"HV", 3}, VILMART = {"V13", 2};

typedef struct moments {
    double I[3], delta;
} moments;

static double sigma(const moments *m, int a)
{
    return pow(m->I[0], a) + pow(m->I[1], a) + pow(m->I[2], a);
}

static double tau(const moments *m, int b, int c)
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++)
        sum += (sigma(m, b) - pow(m->I[k], b)) / pow(m->I[k], c);
    return sum;
}

/* The functions s_k and d_k of k = 3, 5, 7. */
static void functions(const moments *m, double H, double C, double power, double s[3], double d[3])
{
    const double delta = m->delta, delta2 = delta * delta, delta3 = delta2 * delta;
    s[0] = -sigma(m, -1) / 3 * H + sigma(m, 1) / (6 * delta) * C;
    d[0] = sigma(m, 1) / (6 * delta) * H - C / (3 * delta);
    s[1] = (3 * sigma(m, 1) + 2 * delta * sigma(m, -2)) / (60 * delta) * H * H +
           (1 - tau(m, 1, 1)) / (30 * delta) * C * H +
           (sigma(m, 2) - delta * sigma(m, -1)) / (30 * delta2) * C * C;
    d[1] = -(9 + tau(m, 1, 1)) / (60 * delta) * H * H +
           (6 * delta * sigma(m, -1) - sigma(m, 2)) / (60 * delta2) * C * H -
           sigma(m, 1) / (60 * delta2) * C * C;
    s[2] = (15 - delta * sigma(m, -3) - 2 * tau(m, 1, 1)) / (630 * delta) * H * H * H +
           (6 * delta * tau(m, 1, 2) - 100 * delta * sigma(m, -1) + 53 * sigma(m, 2)) /
               (2520 * delta2) * C * H * H +
           (9 * sigma(m, 1) + 10 * delta * sigma(m, -2) - 6 * tau(m, 2, 1)) / (420 * delta2) * C *
               C * H +
           (4 * delta + 17 * sigma(m, 3) - 15 * delta * tau(m, 1, 1)) / (2520 * delta3) * C * C * C;
    d[2] = (9 * delta * sigma(m, -1) + delta * tau(m, 1, 2) - 11 * sigma(m, 2)) /
               (1260 * pow(delta, power)) * H * H * H +
           (47 * sigma(m, 1) + 13 * tau(m, 2, 1) - 38 * delta * sigma(m, -2)) / (2520 * delta2) *
               C * H * H +
           (sigma(m, 3) + 2 * delta * tau(m, 1, 1) - 85 * delta) / (1260 * delta3) * C * C * H +
           (34 * delta * sigma(m, -1) - 19 * sigma(m, 2)) / (2520 * delta3) * C * C * C;
}

/* A step of the preprocessed algorithm of that order; false where it is not solved. */
static bool step_dmv(ph_state *state, double h, int order, double power)
{
    const moments m = {{J.x, J.y, J.z}, J.x * J.y * J.z};
    const double H = dot(state->m, over(state->m, J)) / 2, C = dot(state->m, state->m) / 2;
    double s[3], d[3], all_s = 1.0, all_d = 0.0;
    functions(&m, H, C, power, s, d);
    for (int k = 0; k < order / 2 - 1; k++) {
        all_s += pow(h, 2 * k + 2) * s[k];
        all_d += pow(h, 2 * k + 2) * d[k];
    }
    const ph_vec3 ones = vec3(1, 1, 1),
                  inverses = add(scale(all_s, over(ones, J)), scale(all_d, ones));
    return dmv_step(over(ones, inverses), state, h);
}

static bool compute(figure_work *work, table *t)
{
    static const printing *const tables[] = {&HAIRER_VILMART, &VILMART};
    table_begin(t, "table,order,h,error_momentum,error_attitude");
    for (int i = 0; i < 12; i++) {
        const int order = 4 + i / 4 * 2, count = (int)STEPS[i / 2 % 2];
        const printing *p = tables[i % 2];
        const double h = TIME / count;
        ph_state s = START, right;
        if (!report_progress(work, i / 12.0))
            return false;
        bool good = free_exact(J, &START, TIME, &right);
        for (int k = 0; k < count && good; k++)
            good = step_dmv(&s, h, order, p->power);
        double error[2] = {NAN, NAN};
        if (good) {
            error[0] = norm(sub(s.m, right.m));
            error[1] = norm(ph_rotation_log(mul(inverse(right.q), s.q)));
        }
        ROW(t, (p->name), order, h, error[0], error[1]);
    }
    return true;
}

static double order_of(const table *t, const char *name, int order, const char *column)
{
    static const char *const orders[] = {[4] = "4", [6] = "6", [8] = "8"};
    const table part = table_part(t, "order", orders[order]);
    return table_order(&part, "table", name, "h", column, 0.0);
}

static void judge(const table *t, claims *out)
{
    static const struct {
        const char *column, *word;
    } parts[] = {{"error_momentum", "momentum"}, {"error_attitude", "attitude"}};
    const printing *p = out->context;
    const double off = 0.3; /* a slope is told from that of the next order */
    if (p == &HAIRER_VILMART)
        quote(out, "Proposition 2.3", "it has order 2r");
    else
        quote(out, "Algorithm 4",
              "Preprocessed DMV algorithm of high order 2p for the free rigid body");
    for (int order = 4; order <= 8; order += 2) {
        for (size_t i = 0; i < COUNT(parts); i++) {
            claim(out, order_of(t, p->name, order, parts[i].column), order - off, order + off,
                  "with the functions up to h^%d, order %d in the %s: slope", order - 2, order,
                  parts[i].word);
            if (p == &HAIRER_VILMART)
                correction(out, order_of(t, VILMART.name, order, parts[i].column), order - off,
                           order + off, "with 1260 delta^2 in d7, as in V13, it is: slope");
        }
    }
}

#define USED_OF(of)                                                                                \
    {                                                                                              \
        {"inertia", &J.x, 3}, {"momentum", &START.m.x, 3}, NUMBER("time", TIME),                   \
            NUMBERS("steps", STEPS), NUMBER("power of delta in d7", (of).power),                   \
        {                                                                                          \
            0                                                                                      \
        }                                                                                          \
    }
static const figure_number USED[][6] = {USED_OF(HAIRER_VILMART), USED_OF(VILMART)};

const ph_figure ph_figure_dmv_tables[2] = {
    FIGURE_OF("hairer_vilmart_table1", 0.01, 0.01, compute, judge, NULL, &HAIRER_VILMART, NULL,
              USED[0]),
    FIGURE_OF("vilmart_table1", 0.01, 0.01, compute, judge, NULL, &VILMART, NULL, USED[1]),
};
