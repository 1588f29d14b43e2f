/* program.c - a program in lanes: each instruction for all of them before the next. What there
 * is in vectors rounds as for one number; the rest is done for one lane at a time: the bits are
 * those of ph_program_run(). */
#include "integrators/expression/program.h"
#include "base/simd_sincos.h"
#include "rotation/algebra.h"

program_lanes_kernel KERNEL(program_lanes);

/* t, q and R of each lane, in the order of ph_instant. */
static inline void set_instants(const double *t, const double (*q)[PH_LANES],
                                double (*at)[PH_LANES])
{
    for (int r = 0; r < PH_LANES; r += LANES) {
        const vdouble4 a = {vload(&q[0][r]), vload(&q[1][r]), vload(&q[2][r]),
                            vload(&q[3][r])};
        vdouble3 c[3];
        matrix_columns(a, c);
        const vdouble all[VARIABLE_M] = {vload(&t[r]), a.w,    a.x,    a.y,    a.z,
                                         c[0].x,       c[1].x, c[2].x, c[0].y, c[1].y,
                                         c[2].y,       c[0].z, c[1].z, c[2].z};
        for (int i = 0; i < VARIABLE_M; i++)
            vstore(&at[i][r], all[i]);
    }
}

static inline void set_all(double x[PH_LANES], double value)
{
    for (int r = 0; r < PH_LANES; r += LANES)
        vstore(&x[r], vsplat(value));
}

/* One lane after the other; those not asked for have what a lane has that is. */
static void one_by_one(operation code, int first, int last, const double *a,
                       const double *b, double *out)
{
    double value[PH_LANES] = {0};
    for (int i = first; i < last; i++)
        value[i] = operation_value(code, a[i], b[i]);
    for (int i = 0; i < PH_LANES; i++)
        out[i] = value[i >= first && i < last ? i : first];
}

/* The sine, or the cosine, in vectors unless one number is too large. */
static void circular(operation code, int first, int last, const double *a, double *out)
{
    for (int r = 0; r < PH_LANES; r += LANES) {
        if (vany(vnot(sincos_can(vload(&a[r]))))) {
            one_by_one(code, first, last, a, a, out);
            return;
        }
    }
    for (int r = 0; r < PH_LANES; r += LANES) {
        vdouble sine, cosine;
        simd_sincos(vload(&a[r]), &sine, &cosine);
        vstore(&out[r], code == SIN ? sine : cosine);
    }
}

/* As limited_product(). */
static inline vdouble limited(vdouble a, vdouble b)
{
    const vdouble product = a * b, most = vsplat(INFINITY);
    const vmask numbers = (vabs(a) <= most) & (vabs(b) <= most); /* a NaN is not */
    return vselect(numbers & vnot(vabs(product) <= most), vsplat(0.0), product);
}

#define IN_VECTORS(code, value)                                                          \
    case code:                                                                           \
        for (int r = 0; r < PH_LANES; r += LANES) {                                      \
            const vdouble a = vload(&x[r]), b = vload(&y[r]);                            \
            (void)b;                                                                     \
            vstore(&out[r], value);                                                      \
        }                                                                                \
        break;

void KERNEL(program_lanes)(const program *p, int first, int last, const double *t,
                           const double (*q)[PH_LANES], const double *parameters,
                           double (*result)[PH_LANES])
{
    double slot[MOST_LANE_SLOTS][PH_LANES], at[VARIABLE_M][PH_LANES];
    const load *l = p->load;
    set_instants(t, q, at);
    for (int i = 0; i < p->variables; i++, l++)
        memcpy(slot[l->out], at[l->index], sizeof at[0]);
    for (int i = 0; i < p->parameters; i++, l++)
        set_all(slot[l->out], parameters[l->index]);
    for (int i = 0; i < p->constants; i++, l++)
        set_all(slot[l->out], l->value);
    const instruction *const end = p->instruction + p->instructions;
    for (const instruction *in = p->instruction; in < end; in++) {
        const double *x = slot[in->a], *y = slot[in->b];
        double *out = slot[in->out];
        switch ((operation)in->code) {
            IN_VECTORS(NEGATE, -a)
            IN_VECTORS(ADD, a + b)
            IN_VECTORS(SUBTRACT, a - b)
            IN_VECTORS(MULTIPLY, a * b)
            IN_VECTORS(LIMITED, limited(a, b))
            IN_VECTORS(DIVIDE, a / b)
            IN_VECTORS(SQRT, vsqrt(a))
            IN_VECTORS(ABS, vabs(a))
        case SIN:
        case COS:
            circular((operation)in->code, first, last, x, out);
            break;
        default:
            one_by_one((operation)in->code, first, last, x, y, out);
        }
    }
    for (int i = 0; i < p->outputs; i++)
        memcpy(result[i], slot[p->output[i]], sizeof result[i]);
}
