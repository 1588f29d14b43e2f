/* enclosure.c - see enclosure.h. */
#include "enclosure.h"

#include "taylor.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ---- the field ----------------------------------------------------------------------- */

/* Bits of sums of coefficients. */
enum { FIELD_DIGITS = 256 };

void enclosure_field_init(enclosure_field *f, int n)
{
    memset(f, 0, sizeof *f);
    f->n = n;
    f->degree = 2;
}

void enclosure_field_clear(enclosure_field *f)
{
    for (int i = 0; i < f->terms; i++)
        arb_clear(f->term[i].c);
}

void enclosure_field_add(enclosure_field *f, int out, int v, int w, const arb_t c)
{
    if (arb_is_zero(c))
        return;
    for (int i = 0; i < f->terms; i++) { /* two of the same product are one: they may cancel */
        enclosure_term *t = &f->term[i];
        if (t->out == out && ((t->v == v && t->w == w) || (t->v == w && t->w == v))) {
            arb_add(t->c, t->c, c, FIELD_DIGITS);
            return;
        }
    }
    assert(f->terms < ENCLOSURE_TERMS);
    enclosure_term *t = &f->term[f->terms++];
    t->out = out;
    t->v = v;
    t->w = w;
    arb_init(t->c);
    arb_set(t->c, c);
}

int enclosure_field_product(enclosure_field *f, int a, int b)
{
    f->degree = 3;
    f->product[f->products][0] = a;
    f->product[f->products][1] = b;
    return f->n + 1 + f->products++;
}

/* ---- quaternions ----------------------------------------------------------------------- */

void enclosure_turn(arb_ptr out, arb_srcptr a, arb_srcptr b, slong digits)
{
    arb_mul(out, a, b, digits);
    for (int i = 0; i < 3; i++) {
        const int j = 1 + (i + 1) % 3, k = 1 + (i + 2) % 3;
        arb_submul(out, a + 1 + i, b + 1 + i, digits);
        arb_mul(out + 1 + i, a, b + 1 + i, digits);
        arb_addmul(out + 1 + i, a + 1 + i, b, digits);
        arb_addmul(out + 1 + i, a + j, b + k, digits);
        arb_submul(out + 1 + i, a + k, b + j, digits);
    }
}

/* Stores 1/a. */
static void invert(arb_ptr out, arb_srcptr a, slong digits)
{
    arb_t square;
    arb_init(square);
    for (int i = 0; i < 4; i++)
        arb_addmul(square, a + i, a + i, digits);
    for (int i = 0; i < 4; i++) {
        arb_div(out + i, a + i, square, digits);
        if (i > 0)
            arb_neg(out + i, out + i);
    }
    arb_clear(square);
}

/* ---- sets ---------------------------------------------------------------------------- */

/* Bits of the arithmetic of errors. */
enum { ERROR_DIGITS = 64 };

/* Leaves the midpoint in x, and adds the rest to `error`. */
static void split(arb_t x, arb_t error)
{
    arb_t rest;
    arb_init(rest);
    arb_get_rad_arb(rest, x);
    arb_add_error(error, rest);
    arb_get_mid_arb(x, x);
    arb_clear(rest);
}

/* Leaves the midpoints in a matrix, and adds the rest times p to `error`. */
static void split_matrix(arb_mat_t C, const arb_mat_t p, arb_mat_t error)
{
    arb_t rest;
    arb_init(rest);
    for (slong i = 0; i < arb_mat_nrows(C); i++)
        for (slong j = 0; j < arb_mat_ncols(C); j++) {
            arb_zero(rest);
            split(arb_mat_entry(C, i, j), rest);
            arb_addmul(arb_mat_entry(error, i, 0), rest, arb_mat_entry(p, j, 0), ERROR_DIGITS);
        }
    arb_clear(rest);
}

/* Stores the products of all pairs of inputs. A square is not negative. */
static void set_pairs(arb_mat_t pairs, const arb_mat_t p)
{
    const slong inputs = arb_mat_nrows(p);
    mag_t zero, square;
    slong at = 0;
    mag_init(zero);
    mag_init(square);
    for (slong a = 0; a < inputs; a++) {
        arb_get_mag(square, arb_mat_entry(p, a, 0));
        mag_mul(square, square, square);
        arb_set_interval_mag(arb_mat_entry(pairs, at++, 0), zero, square, ERROR_DIGITS);
        for (slong b = a + 1; b < inputs; b++)
            arb_mul(arb_mat_entry(pairs, at++, 0), arb_mat_entry(p, a, 0), arb_mat_entry(p, b, 0),
                    ERROR_DIGITS);
    }
    mag_clear(zero);
    mag_clear(square);
}

static bool is_uncertain(const arb_mat_t p)
{
    for (slong a = 0; a < arb_mat_nrows(p); a++)
        if (!arb_is_zero(arb_mat_entry(p, a, 0)))
            return true;
    return false;
}

void enclosure_set_init(enclosure_set *s, const enclosure_field *f, arb_srcptr x, const arb_mat_t C,
                        const arb_mat_t p, slong digits)
{
    s->field = f;
    s->digits = digits;
    arb_init(s->t);
    s->c = _arb_vec_init(f->n);
    arb_mat_init(s->C, f->n, arb_mat_nrows(p));
    arb_mat_init(s->p, arb_mat_nrows(p), 1);
    arb_mat_init(s->Q, f->n, f->n);
    arb_mat_init(s->r, f->n, 1);
    arb_mat_set(s->C, C);
    arb_mat_set(s->p, p);
    s->quadratic = is_uncertain(p);
    const slong inputs = s->quadratic ? arb_mat_nrows(p) : 0, pairs = inputs * (inputs + 1) / 2;
    arb_mat_init(s->H, f->n, pairs);
    arb_mat_init(s->pairs, pairs, 1);
    if (s->quadratic)
        set_pairs(s->pairs, p);
    arb_mat_one(s->Q);
    arb_one(s->c);
    for (int i = 4; i < f->n; i++) {
        arb_set(s->c + i, x + i);
        split(s->c + i, arb_mat_entry(s->r, i, 0));
    }
    split_matrix(s->C, s->p, s->r);
}

void enclosure_set_clear(enclosure_set *s)
{
    arb_clear(s->t);
    _arb_vec_clear(s->c, s->field->n);
    arb_mat_clear(s->C);
    arb_mat_clear(s->p);
    arb_mat_clear(s->H);
    arb_mat_clear(s->pairs);
    arb_mat_clear(s->Q);
    arb_mat_clear(s->r);
}

/* Stores e, and the other unknowns without c, in three columns: all of it, C p, and the rest. */
static void set_deviation(const enclosure_set *s, arb_mat_t all, arb_mat_t linear, arb_mat_t rest)
{
    arb_mat_mul(linear, s->C, s->p, ERROR_DIGITS);
    arb_mat_mul(rest, s->Q, s->r, ERROR_DIGITS);
    if (s->quadratic) {
        arb_mat_mul(all, s->H, s->pairs, ERROR_DIGITS);
        arb_mat_add(rest, rest, all, ERROR_DIGITS);
    }
    arb_mat_add(all, linear, rest, ERROR_DIGITS);
}

/* Adds a (M v) c to a quaternion, for the first four rows of M. The columns are turned before they are multiplied by
 * the box v, so that the result is not a box around a turned box. */
static void add_turned(arb_ptr q, arb_srcptr a, const arb_mat_t M, const arb_mat_t v, arb_srcptr c)
{
    arb_ptr column = _arb_vec_init(8), part = column + 4;
    for (slong j = 0; j < arb_mat_ncols(M); j++) {
        for (int i = 0; i < 4; i++)
            arb_set(column + i, arb_mat_entry(M, i, j));
        enclosure_turn(part, a, column, ERROR_DIGITS);
        enclosure_turn(column, part, c, ERROR_DIGITS);
        for (int i = 0; i < 4; i++)
            arb_addmul(q + i, column + i, arb_mat_entry(v, j, 0), ERROR_DIGITS);
    }
    _arb_vec_clear(column, 8);
}

void enclosure_set_attitude(const enclosure_set *s, arb_srcptr a, arb_ptr q)
{
    arb_ptr sum = _arb_vec_init(4);
    add_turned(sum, a, s->C, s->p, s->c);
    add_turned(sum, a, s->Q, s->r, s->c);
    if (s->quadratic)
        add_turned(sum, a, s->H, s->pairs, s->c);
    enclosure_turn(q, a, s->c, s->digits);
    _arb_vec_add(q, q, sum, 4, s->digits);
    _arb_vec_clear(sum, 4);
}

void enclosure_set_box(const enclosure_set *s, arb_ptr x)
{
    const int n = s->field->n;
    arb_ptr one = _arb_vec_init(4);
    arb_mat_t all, linear, rest;
    arb_mat_init(all, n, 1);
    arb_mat_init(linear, n, 1);
    arb_mat_init(rest, n, 1);
    arb_one(one);
    enclosure_set_attitude(s, one, x);
    set_deviation(s, all, linear, rest);
    for (int i = FIRST_DERIVED; i < n; i++)
        arb_add(x + i, s->c + i, arb_mat_entry(all, i, 0), s->digits);
    arb_mat_clear(all);
    arb_mat_clear(linear);
    arb_mat_clear(rest);
    _arb_vec_clear(one, 4);
}

bool enclosure_set_is_at(const enclosure_set *s, const arb_t end)
{
    return arb_equal(s->t, end) != 0;
}

static double middle(const arb_mat_t A, slong i, slong j)
{
    return arf_get_d(arb_midref(arb_mat_entry(A, i, j)), ARF_RND_NEAR);
}

/* Stores in Q a basis along the columns of A, in their order, which is orthogonal but for rounding if
 * lengths are in units of s. The order is the same in all steps: the errors then grow by triangular
 * matrices, whose products grow slowly. */
static void set_basis(arb_mat_t Q, const arb_mat_t A, const double *s)
{
    const int n = (int)arb_mat_nrows(A);
    double column[ENCLOSURE_MOST][ENCLOSURE_MOST];
    for (int j = 0; j < n; j++) {
        double *v = column[j], sum = 0.0;
        for (int i = 0; i < n; i++)
            v[i] = middle(A, i, j) / s[i];
        for (int pass = 0; pass < 2; pass++)
            for (int k = 0; k < j; k++) {
                const double *u = column[k];
                double along = 0.0;
                for (int i = 0; i < n; i++)
                    along += u[i] * v[i];
                for (int i = 0; i < n; i++)
                    v[i] -= along * u[i];
            }
        for (int i = 0; i < n; i++)
            sum += v[i] * v[i];
        for (int i = 0; i < n; i++) {
            v[i] /= sqrt(sum);
            arb_set_d(arb_mat_entry(Q, i, j), v[i] * s[i]);
        }
    }
}

/* A step: what it is made of. */
typedef struct step {
    arb_t h;
    double z; /* |h| times the rate of growth */
    growth g;
    /* Deviations from c: all, their linear part C p, and the rest. */
    arb_mat_t deviation, linear, rest;
    arb_ptr next; /* c after the step; of the quaternion the turn V of the step */
    /* Derivatives of e and the other unknowns after the step: at c, or over the box if there is no H. */
    arb_mat_t D;
    /* With H, for each of these a matrix of second derivatives over the box, by the unknowns from FIRST_DERIVED
     * on; but without the product of e and the turn of the step. */
    arb_mat_t B[ENCLOSURE_MOST];
    arb_mat_t error; /* what is in none of these; the balls contain 0 */
} step;

/* The remainders are z^order with z = 2^-STEP_BITS, or less in a shorter step. */
enum { STEP_BITS = 3, DERIVATIVE_ORDER = 14, SECOND_ORDER = 8 };

/* Chooses the length. Returns false if the set is too large for a step. */
static bool choose_length(step *x, const enclosure_set *s, arb_srcptr box, const arb_t end)
{
    arb_t left;
    arb_init(left);
    x->g = enclosure_growth(s->field, box);
    arb_sub(left, end, s->t, ARF_PREC_EXACT);
    const double to_end = fabs(arf_get_d(arb_midref(left), ARF_RND_UP));
    double length = ldexp(1.0, -STEP_BITS) / x->g.rate;
    const bool good = isfinite(x->g.rate) && isfinite(to_end) && length > 0.0;
    if (good && length < to_end) {
        enum { BITS = 10 }; /* few, so that the time has few */
        int exponent;
        const double part = frexp(length, &exponent);
        length = ldexp(floor(ldexp(part, BITS)), exponent - BITS);
        arb_set_d(x->h, arf_sgn(arb_midref(left)) < 0 ? -length : length);
    } else {
        length = to_end;
        arb_set(x->h, left);
    }
    x->z = length * x->g.rate * (1.0 + 1e-9);
    arb_clear(left);
    return good;
}

/* Sets the values of unknowns at the start of a series, and the derivatives by themselves. */
static void set_start(enclosure_series *s, arb_srcptr x)
{
    arb_one(enclosure_series_of(s, 0, 0));
    for (int i = FIRST_DERIVED; i < s->field->n; i++) {
        arb_set(enclosure_series_of(s, 0, i), x + i);
        if (s->unknowns > 0)
            arb_one(enclosure_series_of(s, i - FIRST_DERIVED + 1, i));
    }
}

/* Fills in `next`, of V in its rows 0 to 3. */
static void expand_point(step *x, const enclosure_set *s)
{
    const int order = (int)(s->digits / STEP_BITS) + 1;
    const double remainder = enclosure_tail(x->z, order, 0);
    enclosure_series point = enclosure_series_create(s->field, order, 0);
    set_start(&point, s->c);
    enclosure_series_compute(&point, s->digits);
    for (int i = 0; i < s->field->n; i++)
        enclosure_series_sum(&point, 0, i, x->h, x->g.size[i] * remainder, x->next + i, s->digits);
    enclosure_series_destroy(&point);
}

/* Fills in D, of V in its rows 0 to 3, for starts in the box. */
static void expand_first(step *x, const enclosure_set *s, arb_srcptr box)
{
    const double slope = enclosure_tail(x->z, DERIVATIVE_ORDER, 1), *size = x->g.size;
    enclosure_series first = enclosure_series_create(s->field, DERIVATIVE_ORDER, 1);
    set_start(&first, box);
    enclosure_series_compute(&first, ERROR_DIGITS);
    for (int i = 0; i < s->field->n; i++)
        for (int j = FIRST_DERIVED; j < s->field->n; j++)
            enclosure_series_sum(&first, j - FIRST_DERIVED + 1, i, x->h, size[i] / size[j] * slope,
                                 arb_mat_entry(x->D, i, j), ERROR_DIGITS);
    enclosure_series_destroy(&first);
}

/* Fills in B, of V in its rows 0 to 3, for starts in the box. */
static void expand_second(step *x, const enclosure_set *s, arb_srcptr box)
{
    const enclosure_field *f = s->field;
    const int unknowns = f->n - FIRST_DERIVED;
    const double bend = enclosure_tail(x->z, SECOND_ORDER, 2), *size = x->g.size;
    enclosure_series second = enclosure_series_create(f, SECOND_ORDER, 2);
    set_start(&second, box);
    enclosure_series_compute(&second, ERROR_DIGITS);
    for (int i = 0; i < f->n; i++)
        for (int j = 0; j < unknowns; j++)
            for (int l = j; l < unknowns; l++) {
                const double scale = size[FIRST_DERIVED + j] * size[FIRST_DERIVED + l];
                arb_ptr out = arb_mat_entry(x->B[i], j, l);
                enclosure_series_sum(&second, enclosure_pair_column(f, j, l), i, x->h,
                                     size[i] / scale * bend, out, ERROR_DIGITS);
                arb_set(arb_mat_entry(x->B[i], l, j), out);
            }
    enclosure_series_destroy(&second);
}

/* Replaces a derivative of V by c V c1^-1, with c before the step and c1 after it. */
static void turn_derivative(arb_ptr entry[4], arb_srcptr c, arb_srcptr inverse)
{
    arb_ptr V = _arb_vec_init(8), part = V + 4;
    for (int i = 0; i < 4; i++)
        arb_set(V + i, entry[i]);
    enclosure_turn(part, c, V, ERROR_DIGITS);
    enclosure_turn(V, part, inverse, ERROR_DIGITS);
    for (int i = 0; i < 4; i++)
        arb_set(entry[i], V + i);
    _arb_vec_clear(V, 8);
}

/* Makes the derivatives of V those of e, and `next` the quaternion after the step. With c before it
 * and c1 = c V(c) after it, U = (1 + e) c V(w) = (1 + e)(1 + k) c1, k = c (V(w) - V(c)) c1^-1, and so
 * e becomes e + k + e k. Stores the part of k that is not in D and B: c1 is rounded. */
static void turn_to_space(step *x, const enclosure_set *s, arb_ptr rounding)
{
    const int n = s->field->n, unknowns = n - FIRST_DERIVED;
    arb_ptr work = _arb_vec_init(12), off = work, part = work + 4, inverse = work + 8;
    arb_ptr entry[4];
    enclosure_turn(part, s->c, x->next, s->digits);
    for (int i = 0; i < 4; i++) {
        split(part + i, off + i); /* how far c1 is from its midpoint */
        arb_set(x->next + i, part + i);
    }
    invert(inverse, x->next, ERROR_DIGITS);
    enclosure_turn(rounding, off, inverse, ERROR_DIGITS);
    for (int i = 0; i < 4; i++) {
        arb_set(arb_mat_entry(x->error, i, 0), rounding + i);
        arb_one(arb_mat_entry(x->D, i, i));
    }
    for (int j = FIRST_DERIVED; j < n; j++) {
        for (int i = 0; i < 4; i++)
            entry[i] = arb_mat_entry(x->D, i, j);
        turn_derivative(entry, s->c, inverse);
    }
    for (int j = 0; s->quadratic && j < unknowns; j++)
        for (int l = 0; l < unknowns; l++) {
            for (int i = 0; i < 4; i++)
                entry[i] = arb_mat_entry(x->B[i], j, l);
            turn_derivative(entry, s->c, inverse);
        }
    _arb_vec_clear(work, 12);
}

/* ---- what a step does to deviations -------------------------------------------------------- */

/* Stores the first-order part of k of a deviation, in a column. */
static void first_turn(const step *x, const arb_mat_t deviation, slong column, arb_ptr k)
{
    for (int i = 0; i < 4; i++) {
        arb_zero(k + i);
        for (slong j = FIRST_DERIVED; j < arb_mat_nrows(deviation); j++)
            arb_addmul(k + i, arb_mat_entry(x->D, i, j), arb_mat_entry(deviation, j, column),
                       ERROR_DIGITS);
    }
}

/* Adds the product of two quaternions to four numbers of the errors. */
static void add_turn(step *x, arb_srcptr a, arb_srcptr b)
{
    arb_ptr product = _arb_vec_init(4);
    enclosure_turn(product, a, b, ERROR_DIGITS);
    for (int i = 0; i < 4; i++)
        arb_add(arb_mat_entry(x->error, i, 0), arb_mat_entry(x->error, i, 0), product + i,
                ERROR_DIGITS);
    _arb_vec_clear(product, 4);
}

/* Copies e from a deviation. */
static void set_turn(arb_ptr e, const arb_mat_t deviation)
{
    for (int i = 0; i < 4; i++)
        arb_set(e + i, arb_mat_entry(deviation, i, 0));
}

/* Adds the product e k to the errors of a step without H. */
static void add_product(step *x, arb_srcptr rounding)
{
    arb_ptr e = _arb_vec_init(8), k = e + 4;
    set_turn(e, x->deviation);
    first_turn(x, x->deviation, 0, k);
    _arb_vec_add(k, k, rounding, 4, ERROR_DIGITS);
    add_turn(x, e, k);
    _arb_vec_clear(e, 8);
}

/* Stores u.B v/2, of the unknowns from FIRST_DERIVED on. */
static void bilinear(arb_t out, const arb_mat_t B, const arb_mat_t u, const arb_mat_t v)
{
    arb_t row;
    arb_init(row);
    arb_zero(out);
    for (slong j = 0; j < arb_mat_nrows(B); j++) {
        arb_zero(row);
        for (slong l = 0; l < arb_mat_ncols(B); l++)
            arb_addmul(row, arb_mat_entry(B, j, l), arb_mat_entry(v, FIRST_DERIVED + l, 0),
                       ERROR_DIGITS);
        arb_addmul(out, row, arb_mat_entry(u, FIRST_DERIVED + j, 0), ERROR_DIGITS);
    }
    arb_mul_2exp_si(out, out, -1);
    arb_clear(row);
}

/* Adds what is of third order in p, and what contains r, to the errors. With d = l + y, l = C p, the part
 * d.B d/2 is l.B l/2, which goes to H, and (y.B d + l.B y)/2. Of the product e k, with the linear parts e_l and
 * k_l of e and k, e_l k_l goes to H. */
static void add_third_order(step *x, const enclosure_set *s, arb_srcptr rounding)
{
    arb_ptr work = _arb_vec_init(20), e = work, k = work + 4, bend = work + 8, linear = work + 12,
            rest = work + 16;
    arb_t part;
    arb_init(part);
    for (int i = 0; i < s->field->n; i++) {
        arb_ptr error = arb_mat_entry(x->error, i, 0);
        bilinear(part, x->B[i], x->rest, x->deviation);
        arb_add(error, error, part, ERROR_DIGITS);
        bilinear(part, x->B[i], x->linear, x->rest);
        arb_add(error, error, part, ERROR_DIGITS);
        if (i < 4)
            bilinear(bend + i, x->B[i], x->deviation, x->deviation);
    }
    set_turn(e, x->deviation);
    set_turn(linear, x->linear);
    set_turn(rest, x->rest);
    _arb_vec_add(bend, bend, rounding, 4, ERROR_DIGITS);
    add_turn(x, e, bend);
    first_turn(x, x->deviation, 0, k);
    add_turn(x, rest, k);
    first_turn(x, x->rest, 0, k);
    add_turn(x, linear, k);
    arb_clear(part);
    _arb_vec_clear(work, 20);
}

/* Stores the coefficients of l.B l/2, l = C p, for all pairs of inputs, in a row of H. */
static void set_square(arb_mat_t H, int i, const arb_mat_t B, const arb_mat_t C)
{
    const slong inputs = arb_mat_ncols(C), unknowns = arb_mat_nrows(B);
    arb_mat_t part, square, window;
    slong at = 0;
    arb_mat_init(part, unknowns, inputs);
    arb_mat_init(square, inputs, inputs);
    arb_mat_window_init(window, C, FIRST_DERIVED, 0, FIRST_DERIVED + unknowns, inputs);
    arb_mat_mul(part, B, window, ERROR_DIGITS);
    for (slong a = 0; a < inputs; a++)
        for (slong b = a; b < inputs; b++) {
            arb_ptr out = arb_mat_entry(H, i, at++);
            arb_zero(out);
            for (slong j = 0; j < unknowns; j++)
                arb_addmul(out, arb_mat_entry(window, j, a), arb_mat_entry(part, j, b),
                           ERROR_DIGITS);
            if (a == b)
                arb_mul_2exp_si(out, out, -1);
        }
    arb_mat_window_clear(window);
    arb_mat_clear(part);
    arb_mat_clear(square);
}

/* Adds the turn of e by k to a column of H. */
static void add_turn_of_pair(arb_mat_t H, slong column, arb_srcptr e, arb_srcptr k)
{
    arb_ptr product = _arb_vec_init(4);
    enclosure_turn(product, e, k, ERROR_DIGITS);
    for (int i = 0; i < 4; i++)
        arb_add(arb_mat_entry(H, i, column), arb_mat_entry(H, i, column), product + i,
                ERROR_DIGITS);
    _arb_vec_clear(product, 4);
}

/* Adds the coefficients of the product of the linear parts of e and k to H. */
static void add_square_of_turns(arb_mat_t H, const step *x, const arb_mat_t C)
{
    const slong inputs = arb_mat_ncols(C);
    arb_ptr e = _arb_vec_init(4 * inputs), k = _arb_vec_init(4 * inputs);
    slong at = 0;
    for (slong a = 0; a < inputs; a++) {
        for (int i = 0; i < 4; i++)
            arb_set(e + 4 * a + i, arb_mat_entry(C, i, a));
        first_turn(x, C, a, k + 4 * a);
    }
    for (slong a = 0; a < inputs; a++) {
        for (slong b = a; b < inputs; b++, at++) {
            add_turn_of_pair(H, at, e + 4 * a, k + 4 * b);
            if (a != b)
                add_turn_of_pair(H, at, e + 4 * b, k + 4 * a);
        }
    }
    _arb_vec_clear(e, 4 * inputs);
    _arb_vec_clear(k, 4 * inputs);
}

/* Stores H after a step, and adds what its midpoints leave to the errors. */
static void next_pairs(arb_mat_t H, step *x, const enclosure_set *s)
{
    arb_mat_t part;
    arb_mat_init(part, s->field->n, arb_mat_ncols(s->H));
    for (int i = 0; i < s->field->n; i++)
        set_square(H, i, x->B[i], s->C);
    add_square_of_turns(H, x, s->C);
    arb_mat_mul(part, x->D, s->H, ERROR_DIGITS);
    arb_mat_add(H, H, part, ERROR_DIGITS);
    split_matrix(H, s->pairs, x->error);
    arb_mat_clear(part);
}

/* Takes a step: a deviation d becomes D d + error, with H also the part of second order. Returns false, and leaves the set as it was, if a number
 * is not finite. */
static bool take(step *x, enclosure_set *s)
{
    const int n = s->field->n;
    arb_mat_t C, H, A, Q, r, more;
    arb_mat_init(C, n, arb_mat_ncols(s->C));
    arb_mat_init(H, n, arb_mat_ncols(s->H));
    arb_mat_init(A, n, n);
    arb_mat_init(Q, n, n);
    arb_mat_init(r, n, 1);
    arb_mat_init(more, n, 1);
    for (int i = 4; i < n; i++)
        split(x->next + i, arb_mat_entry(x->error, i, 0));
    arb_mat_mul(C, x->D, s->C, ERROR_DIGITS);
    split_matrix(C, s->p, x->error);
    if (s->quadratic)
        next_pairs(H, x, s);
    arb_mat_mul(A, x->D, s->Q, ERROR_DIGITS);
    set_basis(Q, A, x->g.size);
    bool good = arb_mat_solve(A, Q, A, ERROR_DIGITS) != 0 &&
                arb_mat_solve(more, Q, x->error, ERROR_DIGITS) != 0;
    if (good) {
        arb_mat_mul(r, A, s->r, ERROR_DIGITS);
        arb_mat_add(r, r, more, ERROR_DIGITS);
    }
    for (int i = 0; i < n; i++)
        good = good && arb_is_finite(x->next + i) && arb_is_finite(arb_mat_entry(r, i, 0));
    if (good) {
        arb_add(s->t, s->t, x->h, ARF_PREC_EXACT);
        _arb_vec_swap(s->c, x->next, n);
        arb_mat_swap(s->C, C);
        arb_mat_swap(s->H, H);
        arb_mat_swap(s->Q, Q);
        arb_mat_swap(s->r, r);
    }
    arb_mat_clear(C);
    arb_mat_clear(H);
    arb_mat_clear(A);
    arb_mat_clear(Q);
    arb_mat_clear(r);
    arb_mat_clear(more);
    return good;
}

static void step_init(step *x, int n)
{
    *x = (step){.next = _arb_vec_init(n)};
    arb_init(x->h);
    arb_mat_init(x->deviation, n, 1);
    arb_mat_init(x->linear, n, 1);
    arb_mat_init(x->rest, n, 1);
    arb_mat_init(x->D, n, n);
    arb_mat_init(x->error, n, 1);
    for (int i = 0; i < n; i++)
        arb_mat_init(x->B[i], n - FIRST_DERIVED, n - FIRST_DERIVED);
}

static void step_clear(step *x, int n)
{
    _arb_vec_clear(x->next, n);
    arb_clear(x->h);
    arb_mat_clear(x->deviation);
    arb_mat_clear(x->linear);
    arb_mat_clear(x->rest);
    arb_mat_clear(x->D);
    arb_mat_clear(x->error);
    for (int i = 0; i < n; i++)
        arb_mat_clear(x->B[i]);
}

bool enclosure_set_step(enclosure_set *s, const arb_t end)
{
    const int n = s->field->n;
    arb_ptr box = _arb_vec_init(n), rounding = _arb_vec_init(4);
    step x;
    step_init(&x, n);
    set_deviation(s, x.deviation, x.linear, x.rest);
    arb_one(box);
    for (int i = FIRST_DERIVED; i < n; i++)
        arb_add(box + i, s->c + i, arb_mat_entry(x.deviation, i, 0), s->digits);
    bool good = choose_length(&x, s, box, end);
    if (good) {
        expand_point(&x, s);
        expand_first(&x, s, s->quadratic ? s->c : box);
        if (s->quadratic)
            expand_second(&x, s, box);
        turn_to_space(&x, s, rounding);
        if (s->quadratic)
            add_third_order(&x, s, rounding);
        else
            add_product(&x, rounding);
        good = take(&x, s);
    }
    step_clear(&x, n);
    _arb_vec_clear(box, n);
    _arb_vec_clear(rounding, 4);
    return good;
}
