/* series.c - evaluates the modified moments of inertia. */
#include "motion/series.h"

/* The highest power in any term of any table, that of h^14; a test looks. */
enum { HIGHEST = 7 };

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

static double product(const ph_series_term *term,
                      double powers[SERIES_VARIABLES][HIGHEST + 1], int without)
{
    double value = term->coefficient;
    for (int v = 0; v < SERIES_VARIABLES; v++) {
        if (v == without)
            value *=
                term->power[v] * powers[v][term->power[v] > 0 ? term->power[v] - 1 : 0];
        else
            value *= powers[v][term->power[v]];
    }
    return value;
}

ph_modified ph_series_modified(const ph_series *series, int orders,
                               const ph_series_at *at, double h, bool derivatives)
{
    double powers[SERIES_VARIABLES][HIGHEST + 1];
    for (int v = 0; v < SERIES_VARIABLES; v++) {
        powers[v][0] = 1.0;
        for (int n = 1; n <= orders; n++)
            powers[v][n] = powers[v][n - 1] * at->value[v];
    }
    ph_modified sum = {.s = 0.0};
    for (int r = orders - 1; r >= 0; r--) { /* Horner in h^2 */
        const ph_series *p = &series[r];
        for (int i = 0; i < p->s_terms; i++) {
            sum.s += product(&p->s[i], powers, -1);
            for (int v = SERIES_H; derivatives && v <= SERIES_N; v++)
                sum.s_by[v] += product(&p->s[i], powers, v);
        }
        for (int i = 0; i < p->d_terms; i++)
            sum.d += product(&p->d[i], powers, -1);
        sum.s *= h * h;
        sum.d *= h * h;
        for (int v = SERIES_H; v <= SERIES_N; v++)
            sum.s_by[v] *= h * h;
    }
    sum.s += 1.0;
    return sum;
}
