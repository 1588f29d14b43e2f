/* composition.c - the table of compositions, and the one loop that runs them.
 *
 * Each row holds g_1 ... g_((s+1)/2) of a palindrome of s stages; the middle one stands
 * last.
 *
 * HLW  Hairer, Lubich, Wanner, Geometric Numerical Integration, 2nd ed. 2006, section
 *      V.3.2; their sources: Suzuki 1990, Yoshida 1990, McLachlan 1995, Suzuki
 *      and Umeno 1993, Kahan and Li 1997, Sofroniou and Spaletta 2005.
 */
#include "motion/composition.h"

#include "base/named.h"

/* HLW (II.4.4): 1/(2 - 2^(1/3)), -2^(1/3)/(2 - 2^(1/3)) */
static const double YOSHIDA4[] = {1.351207191959657634047688, -1.702414383919315268095376};

/* HLW (II.4.5): 1/(4 - 4^(1/3)), twice, -4^(1/3)/(4 - 4^(1/3)) */
static const double SUZUKI4[] = {0.4144907717943757371375418, 0.4144907717943757371375418,
                                 -0.6579630871775029485501672};

static const double YOSHIDA6[] = {0.78451361047755726381949763, 0.23557321335935813368479318,
                                  -1.17767998417887100694641568, 1.31518632068391121888424973};

static const double KAHAN_LI6[] = {0.39216144400731413927925056, 0.33259913678935943859974864,
                                   -0.70624617255763935980996482, 0.08221359629355080023149045,
                                   0.79854399093482996339895035};

static const double MCLACHLAN8[] = {0.74167036435061295344822780, -0.40910082580003159399730010,
                                    0.19075471029623837995387626, -0.57386247111608226665638773,
                                    0.29906418130365592384446354, 0.33462491824529818378495798,
                                    0.31529309239676659663205666, -0.79688793935291635401978884};

static const double KAHAN_LI8[] = {
    0.13020248308889008087881763, 0.56116298177510838456196441,  -0.38947496264484728640807860,
    0.15884190655515560089621075, -0.39590389413323757733623154, 0.18453964097831570709183254,
    0.25837438768632204729397911, 0.29501172360931029887096624,  -0.60550853383003451169892108};

static const double SOFRONIOU10[] = {
    0.07879572252168641926390768,  0.31309610341510852776481247,  0.02791838323507806610952027,
    -0.22959284159390709415121340, 0.13096206107716486317465686,  -0.26973340565451071434460973,
    0.07497334315589143566613711,  0.11199342399981020488957508,  0.36613344954622675119314812,
    -0.39910563013603589787862981, 0.10308739852747107731580277,  0.41143087395589023782070412,
    -0.00486636058313526176219566, -0.39203335370863990644808194, 0.05194250296244964703718290,
    0.05066509075992449633587434,  0.04967437063972987905456880,  0.04931773575959453791768001};

#define ROW(key, p, words, where, table)                                                           \
    {                                                                                              \
        .name = (key), .title = (words), .cite = (where), .order = (p),                            \
        .stages = 2 * (int)(sizeof(table) / sizeof(table)[0]) - 1, .half = (table)                 \
    }

const ph_composition ph_composition_table[] = {
    ROW("yoshida4", 4, "Triple jump of Yoshida, Suzuki, Forest and Ruth", "HLW (II.4.4)", YOSHIDA4),
    [COMPOSITION_SUZUKI4] = ROW("suzuki4", 4, "Suzuki's fractals", "HLW (II.4.5)", SUZUKI4),
    ROW("yoshida6", 6, "Yoshida, solution A", "HLW (V.3.11), s = 7", YOSHIDA6),
    [COMPOSITION_KAHAN_LI6] = ROW("kahan_li6", 6, "Kahan and Li", "HLW (V.3.12), s = 9", KAHAN_LI6),
    ROW("mclachlan8", 8, "Suzuki and Umeno, McLachlan", "HLW (V.3.13), s = 15", MCLACHLAN8),
    ROW("kahan_li8", 8, "Kahan and Li", "HLW section V.3.2, s = 17", KAHAN_LI8),
    ROW("sofroniou10", 10, "Sofroniou and Spaletta", "HLW section V.3.2, s = 35", SOFRONIOU10),
};

enum { COUNT = sizeof ph_composition_table / sizeof ph_composition_table[0] };

const ph_composition *ph_compositions(size_t *count)
{
    *count = COUNT;
    return ph_composition_table;
}

bool ph_composition_at(size_t i, const ph_composition **out)
{
    if (i < COUNT)
        *out = &ph_composition_table[i];
    return i < COUNT;
}

ph_status ph_composition_named(const char *name, const ph_composition **out)
{
    if (name == NULL || out == NULL)
        return PH_NULL_ARGUMENT;
    const ph_composition *found = ROW_NAMED(ph_composition_table, COUNT, name);
    if (found == NULL)
        return PH_UNKNOWN_NAME;
    *out = found;
    return PH_OK;
}

ph_status ph_composition_step(const ph_composition *composition, const ph_flow *flow, ph_state *s,
                              ph_vec3 J, double h)
{
    ph_state next = *s;
    for (int i = 0; i < composition->stages; i++) {
        const double g = composition_part(composition, i);
        const ph_status status = flow->step(flow, &next, J, g * h);
        if (status != PH_OK)
            return status;
    }
    *s = next;
    return PH_OK;
}
