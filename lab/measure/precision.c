/* precision.c - the structure of a step in quadruple precision, where doubles cannot resolve it.
 *
 * HV  Hairer, Vilmart, J. Phys. A 39 (2006), Theorem 4.3: DMV of order 4 and more is not
 *     symplectic.
 *
 * The formulas are those of the library: the same sources, src/motion/series.c,
 * src/motion/moser_veselov.c and src/motion/flows/mr.c, are compiled here once more with another
 * type of number. Coefficients that are rounded to doubles make another method with the same
 * structure. Derivatives
 * are the differences of lab/measure/steps.c, over 1e-4: they leave some 1e-24 of themselves.
 *
 * Where the compiler has no __float128, long double serves: on some machines it is quadruple,
 * elsewhere it has 19 digits. */
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lab/measure/precision.h"

#ifdef __clang_analyzer__ /* which looks at the padding of structures */
typedef double wide;
#elif defined __SIZEOF_FLOAT128__
__extension__ typedef __float128 wide;
#else
typedef long double wide;
#endif

static wide wide_fabs(wide x)
{
    return x < 0 ? -x : x;
}

static wide wide_copysign(wide x, wide sign)
{
    return (x < 0) == (sign < 0) ? x : -x;
}

/* Of numbers of ordinary size, which are compared. */
static int wide_ilogb(wide x)
{
    return ilogb((double)x);
}

static wide wide_ceil(wide x)
{
    return (wide)ceil((double)x);
}

/* Newton three times, from the root in double. */
static wide wide_sqrt(wide x)
{
    wide y = (wide)sqrt((double)x);
    for (int i = 0; i < 3 && y > 0; i++)
        y = (y + x / y) / 2;
    return y;
}

/* The library's functions and tables of these names have numbers of another type. */
#ifdef __clang__
#pragma clang diagnostic ignored "-Wkeyword-macro"
#endif
#include "polhode/api.h"
#undef PH_API
#define PH_API /* none of this is public */
#define double wide
#undef isnan /* they are macros of some C libraries that say `double` */
#undef isfinite
#define isnan(x)             ((x) != (x))
#define isfinite(x)          ((x) - (x) == 0.0)
#define sqrt                 wide_sqrt
#define fabs                 wide_fabs
#define ceil                 wide_ceil
#define ilogb                wide_ilogb
#define copysign             wide_copysign
#define ph_flow_mr           ph_wide_flow_mr
#define ph_step_in_units     ph_wide_step_in_units
#define ph_dmv_series        ph_wide_dmv_series
#define ph_imr_series        ph_wide_imr_series
#define ph_series_powers     ph_wide_series_powers
#define ph_series_modified   ph_wide_series_modified
#define ph_series_invariants ph_wide_series_invariants
#define ph_dmv_solve         ph_wide_dmv_solve
#define ph_dmv_divisions     ph_wide_dmv_divisions
#define ph_dmv_steps         ph_wide_dmv_steps
#define DMV_CLOSE            0x1p-126
#include "motion/moser_veselov.c" /* NOLINT(bugprone-suspicious-include) */
#include "motion/series.c"        /* NOLINT(bugprone-suspicious-include) */

/* Sine and cosine by their series, of an angle halved until it is small. */
#define vsincos_little sincos_of_the_library
#include "motion/bodies.h"
#undef vsincos_little

static void vsincos_little(bool little, wide x, wide *sine, wide *cosine)
{
    (void)little;
    enum { HALVINGS = 12, DEGREE = 14 };
    const wide y = x / (1 << HALVINGS), y2 = y * y;
    wide s = 0, c = 0; /* sin(y)/y, and (1 - cos(y))/y^2 */
    for (int n = DEGREE; n > 0; n--) {
        s = 1 - s * y2 / (2 * n * (2 * n + 1));
        c = 1 - c * y2 / ((2 * n + 1) * (2 * n + 2));
    }
    s *= y;
    c *= y2 / 2; /* 1 - cos */
    for (int n = 0; n < HALVINGS; n++) {
        const wide twice = 2 * s * (1 - c);
        c = 2 * s * s;
        s = twice;
    }
    *sine = s;
    *cosine = 1 - c;
}

#include "motion/flows/mr.c" /* NOLINT(bugprone-suspicious-include) */

ph_status ph_step_in_units(const ph_flow *flow, ph_state *s, ph_vec3 J, double h)
{
    (void)flow, (void)s, (void)J, (void)h;
    return PH_NOT_APPLICABLE; /* moments and momenta are some units here */
}

typedef struct wide_step {
    ph_vec3 J;
    wide h;
    int dmv; /* its order; 0: mr */
    int stages;
    const wide *part; /* of h, of each stage */
} wide_step;

/* A step of dmv, which is not divided; false where it is not solved. */
static bool dmv_step(const wide_step *e, wide h, ph_state *s)
{
    const ph_vec3 j = inverses_of(e->J);
    const ph_series_at at = ph_series_invariants(j, s->m);
    const ph_modified c = ph_series_modified(ph_dmv_series, e->dmv / 2 - 1, &at, h, false);
    const ph_vec3 inverses = add(scale(c.s, j), vec3(c.d, c.d, c.d));
    const ph_dmv_plan plan = {.I = inverses_of(inverses), .h = h};
    ph_quat turn;
    if (!ph_dmv_steps(&plan, s->m, 1, &turn))
        return false;
    *s = (ph_state){mul(s->q, turn), rotate(inverse(turn), s->m)};
    return true;
}

static bool whole_step(const wide_step *e, ph_state *s)
{
    bool good = true;
    for (int k = 0; k < e->stages && good; k++) {
        if (e->dmv > 0)
            good = dmv_step(e, e->part[k] * e->h, s);
        else
            good = step(&ph_flow_mr, s, e->J, e->part[k] * e->h) == PH_OK;
    }
    return good;
}

/* exp of a small vector, and the vector of a small turn, by their series. */
static ph_quat small_turn(ph_vec3 v)
{
    const wide t = dot(v, v) / 4;
    const wide c = 1 - t / 2 * (1 - t / 12 * (1 - t / 30 * (1 - t / 56))),
               s = (1 - t / 6 * (1 - t / 20 * (1 - t / 42 * (1 - t / 72)))) / 2;
    return quat(c, scale(s, v));
}

static ph_vec3 vector_of(ph_quat q)
{
    const ph_vec3 v = vec(q);
    const wide x = dot(v, v); /* asin(y)/y, of y^2 */
    const wide a = 1 + x / 6 * (1 + 9 * x / 20 * (1 + 25 * x / 42 * (1 + 49 * x / 72)));
    return scale(q.w < 0 ? -2 * a : 2 * a, v);
}

enum { HALF = 3, SPACE = 6 };

static bool image(const wide_step *e, const ph_state *from, const ph_state *to, const wide x[SPACE],
                  wide y[SPACE])
{
    ph_state s = {mul(from->q, small_turn(vec3(x[0], x[1], x[2]))),
                  add(from->m, vec3(x[3], x[4], x[5]))};
    if (!whole_step(e, &s))
        return false;
    const ph_vec3 xi = vector_of(mul(inverse(to->q), s.q)), eta = sub(s.m, to->m);
    memcpy(y, (const wide[SPACE]){xi.x, xi.y, xi.z, eta.x, eta.y, eta.z}, SPACE * sizeof *y);
    return true;
}

static bool derivative(const wide_step *e, const ph_state *from, const ph_state *to,
                       wide D[SPACE][SPACE])
{
    const wide delta = (wide)1 / 10000, weight[HALF] = {(wide)3 / 4, (wide)-3 / 20, (wide)1 / 60};
    memset(D, 0, sizeof(wide[SPACE][SPACE]));
    for (int c = 0; c < SPACE; c++) {
        for (int k = 0; k < 2 * HALF; k++) {
            wide x[SPACE] = {0}, y[SPACE];
            const int n = k / 2 + 1, sign = k % 2 == 0 ? 1 : -1;
            x[c] = sign * n * delta;
            if (!image(e, from, to, x, y))
                return false;
            for (int r = 0; r < SPACE; r++)
                D[r][c] += sign * weight[n - 1] * y[r] / delta;
        }
    }
    return true;
}

/* W(m) of polhode/measure.h; of momenta alone, hat(m). */
static wide form(ph_vec3 m, int i, int j, bool momenta)
{
    const wide hat[3][3] = {{0, -m.z, m.y}, {m.z, 0, -m.x}, {-m.y, m.x, 0}};
    if (momenta)
        return hat[i][j];
    if (i < 3 && j < 3)
        return -hat[i][j];
    return (wide)((j == i + 3) - (i == j + 3));
}

/* max |D^T W(m+) D - W(m)|; of momenta, with d = D22, max |d hat(m) d^T - hat(m+)|. */
static wide defect(wide D[SPACE][SPACE], ph_vec3 from, ph_vec3 to, bool momenta)
{
    const int n = momenta ? 3 : SPACE;
    wide worst = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            wide sum = -form(momenta ? to : from, i, j, momenta);
            for (int k = 0; k < n; k++) {
                for (int l = 0; l < n; l++) {
                    if (momenta)
                        sum += D[i + 3][k + 3] * form(from, k, l, true) * D[j + 3][l + 3];
                    else
                        sum += D[k][i] * form(to, k, l, false) * D[l][j];
                }
            }
            if (fabs(sum) > worst)
                worst = fabs(sum);
        }
    }
    return worst;
}

#undef double
#undef sqrt
#undef fabs

bool ph_precise_defects(const precise_step *p, precise_defects *out)
{
    wide part[PRECISE_STAGES], D[SPACE][SPACE];
    for (int k = 0; k < p->stages; k++)
        part[k] = p->part[k];
    const wide_step e = {{p->J[0], p->J[1], p->J[2]}, p->h, p->dmv, p->stages, part};
    ph_state from = {{p->q[0], p->q[1], p->q[2], p->q[3]}, {p->m[0], p->m[1], p->m[2]}};
    const wide length = wide_sqrt(from.q.w * from.q.w + dot(vec(from.q), vec(from.q)));
    from.q = quat(from.q.w / length, scale(1 / length, vec(from.q)));
    ph_state to = from;
    if (!whole_step(&e, &to) || !derivative(&e, &from, &to, D))
        return false;
    const ph_vec3 j = inverses_of(e.J);
    const wide before = dot(times(j, from.m), from.m), after = dot(times(j, to.m), to.m);
    out->symplectic = (double)defect(D, from.m, to.m, false);
    out->poisson = (double)defect(D, from.m, to.m, true);
    out->energy = (double)wide_fabs(after - before) / 2;
    return true;
}
