/* gbs.c - the columns of an extrapolated step in lanes, for a body without torque, and for
 * torques that are taken at even points alone. */
#include "integrators/extrapolation.h"

static void add_torque(const double *constants, const vdouble *q, vdouble k, vdouble *m)
{
    (void)constants;
    (void)q;
    (void)k;
    (void)m;
}

extrapolation_kernel KERNEL(columns_free), KERNEL(columns_even);

void KERNEL(columns_free)(extrapolation *x)
{
    columns_at_every_point(x, add_torque, NULL);
}

/* All columns together, so that as many torques as can be are asked for at once. */
void KERNEL(columns_even)(extrapolation *x)
{
    double q[4][PH_LANES], t[PH_LANES], torque[3][PH_LANES] = {{0}},
                                        end[PH_UNKNOWNS][PH_LANES];
    vdouble u[VECTORS][PH_UNKNOWNS], v[VECTORS][PH_UNKNOWNS], z[VECTORS][PH_UNKNOWNS],
        old[VECTORS][3];
    const int last = x->columns - 1, substeps = SUBSTEPS[x->sequence][last];
    for (size_t r = 0; r < VECTORS; r++) {
        for (int i = 0; i < PH_UNKNOWNS; i++) {
            u[r][i] = v[r][i] = vsplat(0.0);
            z[r][i] = vsplat(x->y[i]);
        }
        for (int i = 0; i < 3; i++)
            old[r][i] = vsplat(x->torque[i]);
    }
    for (int s = 0; s < substeps; s += 2) {
        const double(*length)[PH_LANES] = &SUBSTEP_LENGTH[x->sequence][s];
        const int first = s / 2 < last ? s / 2 : last; /* of the columns not yet done */
        for (size_t r = (size_t)first / LANES; r < VECTORS; r++) {
            vdouble k = x->h * vload(&length[0][r * LANES]);
            turn_freely(x, z[r], k, v[r]);
            for (int i = 0; i < 3; i++)
                v[r][4 + i] += k * old[r][i];
            for (int i = 0; i < PH_UNKNOWNS; i++)
                z[r][i] = v[r][i] + x->y[i];
            k = x->h * vload(&length[1][r * LANES]);
            turn_freely(x, z[r], k, u[r]);
            for (int i = 0; i < PH_UNKNOWNS; i++)
                z[r][i] = u[r][i] + x->y[i];
            const vdouble w = z[r][0], a = z[r][1], b = z[r][2], c = z[r][3],
                          over = 1.0 / vsqrt((w * w + a * a) + (b * b + c * c));
            for (int i = 0; i < 4; i++)
                vstore(&q[i][r * LANES], over * z[r][i]);
            vdouble part = vsplat(0.0); /* of h that is over: (s + 2)/n */
            part += 0.5 * (double)(s + 2) * vload(&length[1][r * LANES]);
            vstore(&t[r * LANES], x->t + x->h * part);
        }
        ph_torque_lanes(x->p, first, x->columns, t, (const double(*)[PH_LANES])q, torque);
        for (size_t r = (size_t)first / LANES; r < VECTORS; r++) {
            const vdouble k = (0.5 * x->h) * vload(&length[1][r * LANES]);
            for (int i = 0; i < 3; i++) {
                const vdouble now = vload(&torque[i][r * LANES]);
                u[r][4 + i] += k * (old[r][i] + now);
                z[r][4 + i] = u[r][4 + i] + x->y[4 + i];
                old[r][i] = now;
            }
        }
    }
    for (size_t r = 0; r < VECTORS; r++) {
        for (int i = 0; i < PH_UNKNOWNS; i++)
            vstore(&end[i][r * LANES], u[r][i]);
    }
    extrapolate(x, end);
}

#if KERNEL_IS_BASELINE /* the result of columns that were computed one by one */
int ph_substeps(columns_sequence s, int column)
{
    return SUBSTEPS[s][column];
}

void ph_extrapolate(extrapolation *x, double (*u)[PH_LANES])
{
    extrapolate(x, u);
}
#endif
