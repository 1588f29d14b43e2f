/* elliptic_reference.c - see elliptic_reference.h.
 *
 * Jacobi's functions, DLMF 22.2.2-6: with K = pi/(2 agm(1, sqrt m1)), K' the same of m,
 * tau = i K'/K and zeta = u/(2K),
 *
 *   sn = theta_3 theta_1(zeta) / (theta_2 theta_4(zeta)),
 *   cn = theta_4 theta_2(zeta) / (theta_2 theta_4(zeta)),
 *   dn = theta_4 theta_3(zeta) / (theta_3 theta_4(zeta)),
 *
 * and am = arg(cn + i sn) in the turn of pi u/(2K).
 */
#include "support/elliptic_reference.h"

#include <acb_elliptic.h>
#include <acb_modular.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

enum {
    STEP_BITS = 100, /* relative step of a difference quotient, 2^-100 */
    GUARD_BITS = 20, /* bits of a difference that must be right */
    FIRST_PRECISION = 160,
    LAST_PRECISION = 20000,
    ARGUMENTS_MAX = 4
};

/* ---- Carlson --------------------------------------------------------------------- */

typedef struct complex_arguments {
    acb_t x[ARGUMENTS_MAX], f;
} complex_arguments;

static void open_arguments(complex_arguments *a, arb_srcptr x, int count)
{
    acb_init(a->f);
    for (int i = 0; i < ARGUMENTS_MAX; i++) {
        acb_init(a->x[i]);
        if (i < count)
            acb_set_arb(a->x[i], x + i);
    }
}

static void close_arguments(complex_arguments *a, arb_t f)
{
    arb_set(f, acb_realref(a->f));
    acb_clear(a->f);
    for (int i = 0; i < ARGUMENTS_MAX; i++)
        acb_clear(a->x[i]);
}

static void reference_rc(arb_t f, arb_srcptr x, slong prec)
{
    complex_arguments a;
    open_arguments(&a, x, 2);
    acb_elliptic_rf(a.f, a.x[0], a.x[1], a.x[1], 0, prec);
    close_arguments(&a, f);
}

static void reference_rf(arb_t f, arb_srcptr x, slong prec)
{
    complex_arguments a;
    open_arguments(&a, x, 3);
    acb_elliptic_rf(a.f, a.x[0], a.x[1], a.x[2], 0, prec);
    close_arguments(&a, f);
}

static void reference_rd(arb_t f, arb_srcptr x, slong prec)
{
    complex_arguments a;
    open_arguments(&a, x, 3);
    acb_elliptic_rj(a.f, a.x[0], a.x[1], a.x[2], a.x[2], 0, prec);
    close_arguments(&a, f);
}

static void reference_rg(arb_t f, arb_srcptr x, slong prec)
{
    complex_arguments a;
    open_arguments(&a, x, 3);
    acb_elliptic_rg(a.f, a.x[0], a.x[1], a.x[2], 0, prec);
    close_arguments(&a, f);
}

static void reference_rj(arb_t f, arb_srcptr x, slong prec)
{
    complex_arguments a;
    open_arguments(&a, x, 4);
    acb_elliptic_rj(a.f, a.x[0], a.x[1], a.x[2], a.x[3], 0, prec);
    close_arguments(&a, f);
}

/* ---- Legendre -------------------------------------------------------------------- */

static void reference_k(arb_t f, arb_srcptr x, slong prec)
{
    complex_arguments a;
    open_arguments(&a, x, 1);
    acb_elliptic_k(a.f, a.x[0], prec);
    close_arguments(&a, f);
}

static void reference_k_c(arb_t f, arb_srcptr x, slong prec)
{
    arb_t m;
    arb_init(m);
    arb_sub_ui(m, x, 1, ARF_PREC_EXACT);
    arb_neg(m, m);
    reference_k(f, m, prec);
    arb_clear(m);
}

static void reference_e(arb_t f, arb_srcptr x, slong prec)
{
    complex_arguments a;
    open_arguments(&a, x, 1);
    acb_elliptic_e(a.f, a.x[0], prec);
    close_arguments(&a, f);
}

static void reference_pi(arb_t f, arb_srcptr x, slong prec)
{
    complex_arguments a;
    open_arguments(&a, x, 2);
    acb_elliptic_pi(a.f, a.x[0], a.x[1], prec);
    close_arguments(&a, f);
}

static void reference_f_inc(arb_t f, arb_srcptr x, slong prec)
{
    complex_arguments a;
    open_arguments(&a, x, 2);
    acb_elliptic_f(a.f, a.x[0], a.x[1], 0, prec);
    close_arguments(&a, f);
}

static void reference_e_inc(arb_t f, arb_srcptr x, slong prec)
{
    complex_arguments a;
    open_arguments(&a, x, 2);
    acb_elliptic_e_inc(a.f, a.x[0], a.x[1], 0, prec);
    close_arguments(&a, f);
}

static void reference_pi_inc(arb_t f, arb_srcptr x, slong prec)
{
    if (arb_is_zero(x + 1)) { /* Arb has no answer there for n = 1 or m = 1 */
        arb_zero(f);
        return;
    }
    complex_arguments a;
    open_arguments(&a, x, 3);
    acb_elliptic_pi_inc(a.f, a.x[0], a.x[1], a.x[2], 0, prec);
    close_arguments(&a, f);
}

/* ---- Jacobi ---------------------------------------------------------------------- */

enum { SN, CN, DN, AM };

/* 1/agm(1, sqrt m1) = 2K/pi. */
static void period(arb_t k, const arb_t m1, slong prec)
{
    arb_t b;
    arb_init(b);
    arb_sqrt(b, m1, prec);
    arb_one(k);
    arb_agm(k, k, b, prec);
    arb_inv(k, k, prec);
    arb_clear(b);
}

/* theta_a(0) theta_b(zeta) / (theta_c(0) theta_4(zeta)) */
static void quotient(arb_t f, acb_t *at_zero, acb_t *at_zeta, int a, int b, int c, slong prec)
{
    arb_t over;
    arb_init(over);
    arb_mul(f, acb_realref(at_zero[a]), acb_realref(at_zeta[b]), prec);
    arb_mul(over, acb_realref(at_zero[c]), acb_realref(at_zeta[4]), prec);
    arb_div(f, f, over, prec);
    arb_clear(over);
}

/* m = 0 and m = 1: circular and hyperbolic functions. */
static bool elementary(arb_t sn, arb_t cn, arb_t dn, const arb_t u, const arb_t m, const arb_t m1,
                       slong prec)
{
    if (arb_is_zero(m)) {
        arb_sin_cos(sn, cn, u, prec);
        arb_one(dn);
        return true;
    }
    if (arb_is_zero(m1)) {
        arb_tanh(sn, u, prec);
        arb_sech(cn, u, prec);
        arb_set(dn, cn);
        return true;
    }
    return false;
}

/* By theta functions; turns is pi u/(2K). */
static void by_theta(arb_t sn, arb_t cn, arb_t dn, arb_t turns, const arb_t u, const arb_t m,
                     const arb_t m1, slong prec)
{
    arb_t k, k1, pi;
    acb_t tau, zeta, zero[5], at[5];
    arb_init(k);
    arb_init(k1);
    arb_init(pi);
    acb_init(tau);
    acb_init(zeta);
    for (int i = 0; i < 5; i++) {
        acb_init(zero[i]);
        acb_init(at[i]);
    }
    period(k, m1, prec);
    period(k1, m, prec);
    arb_div(turns, u, k, prec);
    arb_const_pi(pi, prec);
    arb_div(acb_realref(zeta), turns, pi, prec);
    arb_div(acb_imagref(tau), k1, k, prec);
    acb_modular_theta(zero[1], zero[2], zero[3], zero[4], zero[0], tau, prec);
    acb_modular_theta(at[1], at[2], at[3], at[4], zeta, tau, prec);
    quotient(sn, zero, at, 3, 1, 2, prec);
    quotient(cn, zero, at, 4, 2, 2, prec);
    quotient(dn, zero, at, 4, 3, 3, prec);
    for (int i = 0; i < 5; i++) {
        acb_clear(zero[i]);
        acb_clear(at[i]);
    }
    acb_clear(tau);
    acb_clear(zeta);
    arb_clear(k);
    arb_clear(k1);
    arb_clear(pi);
}

/* Adds to the angle the whole turns that bring it next to the other. */
static void unwrap(arb_t angle, const arb_t next_to, slong prec)
{
    arb_t turns, circle;
    arf_t half;
    arb_init(turns);
    arb_init(circle);
    arf_init(half);
    arb_const_pi(circle, prec);
    arb_mul_2exp_si(circle, circle, 1);
    arb_sub(turns, next_to, angle, prec);
    arb_div(turns, turns, circle, prec);
    arf_set_d(half, 0.5);
    arb_add_arf(turns, turns, half, prec);
    arb_floor(turns, turns, prec);
    arb_addmul(angle, turns, circle, prec);
    arf_clear(half);
    arb_clear(turns);
    arb_clear(circle);
}

static void jacobi(arb_t f, const arb_t u, const arb_t m, const arb_t m1, int which, slong prec)
{
    arb_t sn, cn, dn, turns;
    arb_init(sn);
    arb_init(cn);
    arb_init(dn);
    arb_init(turns);
    if (elementary(sn, cn, dn, u, m, m1, prec))
        arb_set(turns, u);
    else
        by_theta(sn, cn, dn, turns, u, m, m1, prec);
    if (which == AM) {
        arb_atan2(f, sn, cn, prec);
        if (!arb_is_zero(m1))
            unwrap(f, turns, prec);
    } else {
        arb_set(f, which == SN ? sn : which == CN ? cn : dn);
    }
    arb_clear(sn);
    arb_clear(cn);
    arb_clear(dn);
    arb_clear(turns);
}

static void jacobi_of(arb_t f, arb_srcptr x, int which, slong prec)
{
    arb_t m1;
    arb_init(m1);
    arb_sub_ui(m1, x + 1, 1, ARF_PREC_EXACT);
    arb_neg(m1, m1);
    jacobi(f, x, x + 1, m1, which, prec);
    arb_clear(m1);
}

static void jacobi_of_c(arb_t f, arb_srcptr x, int which, slong prec)
{
    arb_t m;
    arb_init(m);
    arb_sub_ui(m, x + 1, 1, ARF_PREC_EXACT);
    arb_neg(m, m);
    jacobi(f, x, m, x + 1, which, prec);
    arb_clear(m);
}

static void reference_sn(arb_t f, arb_srcptr x, slong prec)
{
    jacobi_of(f, x, SN, prec);
}

static void reference_cn(arb_t f, arb_srcptr x, slong prec)
{
    jacobi_of(f, x, CN, prec);
}

static void reference_dn(arb_t f, arb_srcptr x, slong prec)
{
    jacobi_of(f, x, DN, prec);
}

static void reference_am(arb_t f, arb_srcptr x, slong prec)
{
    jacobi_of(f, x, AM, prec);
}

static void reference_sn_c(arb_t f, arb_srcptr x, slong prec)
{
    jacobi_of_c(f, x, SN, prec);
}

static void reference_cn_c(arb_t f, arb_srcptr x, slong prec)
{
    jacobi_of_c(f, x, CN, prec);
}

static void reference_dn_c(arb_t f, arb_srcptr x, slong prec)
{
    jacobi_of_c(f, x, DN, prec);
}

static void reference_am_c(arb_t f, arb_srcptr x, slong prec)
{
    jacobi_of_c(f, x, AM, prec);
}

/* ---- values with their condition ------------------------------------------------- */

/* Raises the precision until f is known to the given number of bits. */
static bool to_bits(arb_t f, elliptic_reference *reference, arb_srcptr x, slong bits)
{
    for (slong prec = FIRST_PRECISION; prec < LAST_PRECISION; prec += prec / 2) {
        if (prec < bits)
            continue;
        reference(f, x, prec);
        if (arb_is_finite(f) && arb_rel_accuracy_bits(f) >= bits)
            return true;
        if (arb_is_exact(f) && arb_is_finite(f))
            return true;
    }
    return false;
}

bool elliptic_value(arb_t f, elliptic_reference *reference, const double *x, int count)
{
    arb_ptr at = _arb_vec_init(count);
    for (int i = 0; i < count; i++)
        arb_set_d(at + i, x[i]);
    const bool good = to_bits(f, reference, at, STEP_BITS);
    _arb_vec_clear(at, count);
    return good;
}

bool elliptic_value_and_condition(arb_t f, double *condition, elliptic_reference *reference,
                                  const double *x, int count, int angle)
{
    arb_ptr at = _arb_vec_init(count);
    arb_t moved, unit;
    arb_init(moved);
    arb_init(unit);
    slong step = STEP_BITS;
    if (angle >= 0 && fabs(x[angle]) > 1.0)
        step += ilogb(x[angle]);
    for (int i = 0; i < count; i++)
        arb_set_d(at + i, x[i]);
    bool good = to_bits(f, reference, at, step + GUARD_BITS);
    *condition = 0.0;
    for (int i = 0; good && i < count; i++) {
        if (x[i] == 0.0 || arb_is_zero(f))
            continue;
        arb_set_si(unit, -1);
        arb_mul_2exp_si(unit, unit, -step);
        arb_add_ui(unit, unit, 1, ARF_PREC_EXACT);
        arb_mul(at + i, at + i, unit, ARF_PREC_EXACT);
        good = to_bits(moved, reference, at, step + GUARD_BITS);
        arb_set_d(at + i, x[i]);
        arb_div(moved, moved, f, 2 * step);
        arb_sub_ui(moved, moved, 1, 2 * step);
        arb_mul_2exp_si(moved, moved, step);
        *condition += fabs(arf_get_d(arb_midref(moved), ARF_RND_NEAR));
    }
    arb_clear(moved);
    arb_clear(unit);
    _arb_vec_clear(at, count);
    return good;
}

#include "elliptic_bounds.h"

elliptic_reference *elliptic_reference_of(const char *name)
{
    static const struct {
        const char *name;
        elliptic_reference *reference;
    } rows[] = {
#define REFERENCE(row, arguments, family, condition, angle, bound) {#row, reference_##row},
        ELLIPTIC_BOUNDS(REFERENCE)
#undef REFERENCE
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].name, name) == 0)
            return rows[i].reference;
    return NULL;
}
