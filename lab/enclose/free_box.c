/* free_box.c - see free_box.h. */
#include "free_box.h"

#include <math.h>

enum { U = 0, W = 4, A = 7, UNKNOWNS = 10 };
enum { INERTIA = 0, SPIN = 3, INPUTS = 6 }; /* columns of p */
enum { DIGITS = 64 };

/* The ball of an interval, and the ball about 0 of its width. */
static void set_interval(arb_t x, uncertain u)
{
    mag_t width;
    arb_set_d(x, u.middle);
    mag_init(width);
    mag_set_d(width, u.width);
    arb_add_error_mag(x, width);
    mag_clear(width);
}

static void set_width(arb_t x, uncertain u)
{
    set_interval(x, (uncertain){0.0, u.width});
}

static void set_field(enclosure_field *f)
{
    arb_t half, minus, one;
    arb_init(half);
    arb_init(minus);
    arb_init(one);
    arb_set_d(half, 0.5);
    arb_set_d(minus, -0.5);
    arb_one(one);
    enclosure_field_init(f, UNKNOWNS);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        enclosure_field_add(f, U, U + 1 + i, W + i, minus);
        enclosure_field_add(f, U + 1 + i, U, W + i, half);
        enclosure_field_add(f, U + 1 + i, U + 1 + j, W + k, half);
        enclosure_field_add(f, U + 1 + i, U + 1 + k, W + j, minus);
        enclosure_field_add(f, W + i, A + i, enclosure_field_product(f, W + j, W + k), one);
        f->group[W + i] = 1;
        f->group[A + i] = 2;
    }
    arb_clear(half);
    arb_clear(minus);
    arb_clear(one);
}

/* a and w of the middle, x, and their derivatives by the inputs over the box, C. */
/* The middle of an interval, or all of it. */
static uncertain part_of(uncertain u, bool all)
{
    if (!all)
        u.width = 0.0;
    return u;
}

static void set_start(const free_box *box, arb_ptr x, arb_mat_t C, arb_mat_t p)
{
    arb_t J[3], v, a;
    arb_init(v);
    arb_init(a);
    for (int i = 0; i < 3; i++)
        arb_init(J[i]);
    arb_one(x + U);
    for (int over = 0; over < 2; over++) { /* the middle, then the box */
        for (int i = 0; i < 3; i++)
            set_interval(J[i], part_of(box->inertia[i], over));
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            set_interval(v, part_of(box->spin[i], over));
            arb_sub(a, J[j], J[k], DIGITS);
            arb_div(a, a, J[i], DIGITS);
            if (!over) {
                arb_set(x + A + i, a);
                arb_div(x + W + i, v, J[i], DIGITS);
                if (!box->momentum)
                    arb_set(x + W + i, v);
                continue;
            }
            arb_div(arb_mat_entry(C, A + i, INERTIA + i), a, J[i], DIGITS);
            arb_neg(arb_mat_entry(C, A + i, INERTIA + i), arb_mat_entry(C, A + i, INERTIA + i));
            arb_inv(arb_mat_entry(C, A + i, INERTIA + j), J[i], DIGITS);
            arb_neg(arb_mat_entry(C, A + i, INERTIA + k), arb_mat_entry(C, A + i, INERTIA + j));
            arb_one(arb_mat_entry(C, W + i, SPIN + i));
            if (box->momentum) {
                arb_inv(arb_mat_entry(C, W + i, SPIN + i), J[i], DIGITS);
                arb_div(v, v, J[i], DIGITS);
                arb_div(v, v, J[i], DIGITS);
                arb_neg(arb_mat_entry(C, W + i, INERTIA + i), v);
            }
            set_width(arb_mat_entry(p, INERTIA + i, 0), box->inertia[i]);
            set_width(arb_mat_entry(p, SPIN + i, 0), box->spin[i]);
        }
    }
    for (int i = 0; i < 3; i++)
        arb_clear(J[i]);
    arb_clear(v);
    arb_clear(a);
}

/* |w_i| <= sqrt(2 T/J_i), 2 T = sum J w^2. */
static void set_bounds(free_motions *m, const free_box *box)
{
    arb_t J, v, energy;
    arb_init(J);
    arb_init(v);
    arb_init(energy);
    for (int i = 0; i < 3; i++) {
        set_interval(J, box->inertia[i]);
        set_interval(v, box->spin[i]);
        arb_mul(v, v, v, DIGITS);
        if (box->momentum)
            arb_div(v, v, J, DIGITS);
        else
            arb_mul(v, v, J, DIGITS);
        arb_add(energy, energy, v, DIGITS);
    }
    for (int i = 0; i < 3; i++) {
        set_interval(J, box->inertia[i]);
        arb_init(m->bound[i]);
        arb_div(m->bound[i], energy, J, DIGITS);
        arb_sqrtpos(m->bound[i], m->bound[i], DIGITS);
    }
    arb_clear(J);
    arb_clear(v);
    arb_clear(energy);
}

void free_motions_init(free_motions *m, const free_box *box)
{
    arb_ptr x = _arb_vec_init(UNKNOWNS);
    arb_mat_t C, p;
    arb_t norm;
    arb_init(norm);
    arb_mat_init(C, UNKNOWNS, INPUTS);
    arb_mat_init(p, INPUTS, 1);
    set_field(&m->field);
    set_start(box, x, C, p);
    enclosure_set_init(&m->set, &m->field, x, C, p, DIGITS);
    set_bounds(m, box);
    m->lost = false;
    m->attitude = _arb_vec_init(4);
    for (int i = 0; i < 4; i++) {
        set_interval(m->attitude + i, box->attitude[i]);
        arb_addmul(norm, m->attitude + i, m->attitude + i, DIGITS);
    }
    arb_rsqrt(norm, norm, DIGITS);
    for (int i = 0; i < 4; i++)
        arb_mul(m->attitude + i, m->attitude + i, norm, DIGITS);
    _arb_vec_clear(x, UNKNOWNS);
    arb_mat_clear(C);
    arb_mat_clear(p);
    arb_clear(norm);
}

void free_motions_clear(free_motions *m)
{
    enclosure_set_clear(&m->set);
    enclosure_field_clear(&m->field);
    _arb_vec_clear(m->attitude, 4);
    for (int i = 0; i < 3; i++)
        arb_clear(m->bound[i]);
}

bool free_motions_step(free_motions *m, double time)
{
    arb_t end;
    bool on = false;
    arb_init(end);
    arb_set_d(end, time);
    if (!m->lost && !enclosure_set_is_at(&m->set, end)) {
        on = enclosure_set_step(&m->set, end);
        m->lost = !on;
    }
    arb_clear(end);
    return on;
}

/* The ends of a ball, rounded outward, within +-most. */
static void set_ends(const arb_t x, double most, double *lower, double *upper)
{
    arf_t low, high;
    arf_init(low);
    arf_init(high);
    *lower = -most;
    *upper = most;
    if (arb_is_finite(x)) {
        arb_get_lbound_arf(low, x, DIGITS);
        arb_get_ubound_arf(high, x, DIGITS);
        const double a = arf_get_d(low, ARF_RND_FLOOR), b = arf_get_d(high, ARF_RND_CEIL);
        *lower = a > -most ? a : -most;
        *upper = b < most ? b : most;
    }
    arf_clear(low);
    arf_clear(high);
}

/* The largest angle between the middle, made of length 1, and a quaternion of length 1 in the box: two that are
 * r apart differ by 4 arcsin(r/2). Rounded up. */
static double angle_of(arb_srcptr q)
{
    const double whole = 3.1415926535897936; /* just above pi */
    double angle = whole;
    arb_t norm, apart, middle;
    arb_init(norm);
    arb_init(apart);
    arb_init(middle);
    for (int i = 0; i < 4; i++) {
        arb_get_mid_arb(middle, q + i);
        arb_addmul(norm, middle, middle, DIGITS);
    }
    arb_rsqrt(norm, norm, DIGITS);
    for (int i = 0; i < 4; i++) {
        arb_get_mid_arb(middle, q + i);
        arb_mul(middle, middle, norm, DIGITS);
        arb_sub(middle, middle, q + i, DIGITS);
        arb_addmul(apart, middle, middle, DIGITS);
    }
    arb_sqrtpos(apart, apart, DIGITS);
    arb_mul_2exp_si(apart, apart, -1);
    arb_set_d(middle, 0.70710678118654757); /* above sin(pi/4): more than pi apart */
    if (arb_lt(apart, middle)) {
        arb_get_ubound_arf(arb_midref(middle), apart, DIGITS);
        arb_asin(middle, middle, DIGITS);
        arb_get_ubound_arf(arb_midref(apart), middle, DIGITS);
        angle = 4.0 * arf_get_d(arb_midref(apart), ARF_RND_UP);
    }
    arb_clear(norm);
    arb_clear(apart);
    arb_clear(middle);
    return angle < whole ? angle : whole;
}

void free_motions_bounds(const free_motions *m, free_bounds *b)
{
    arb_ptr x = _arb_vec_init(UNKNOWNS), q = _arb_vec_init(4);
    enclosure_set_box(&m->set, x);
    enclosure_set_attitude(&m->set, m->attitude, q);
    if (m->lost) {
        _arb_vec_indeterminate(x, UNKNOWNS);
        _arb_vec_indeterminate(q, 4);
    }
    b->angle = angle_of(q);
    for (int i = 0; i < 4; i++)
        set_ends(q + i, 1.0, &b->attitude[0][i], &b->attitude[1][i]);
    for (int i = 0; i < 3; i++) {
        double none, most;
        set_ends(m->bound[i], INFINITY, &none, &most);
        set_ends(x + W + i, most, &b->velocity[0][i], &b->velocity[1][i]);
    }
    _arb_vec_clear(x, UNKNOWNS);
    _arb_vec_clear(q, 4);
}
