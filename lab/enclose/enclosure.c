/* enclosure.c - see enclosure.h. */
#include "enclosure.h"

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

/* ---- how fast coefficients grow ------------------------------------------------------- */

/* Returns an upper bound of |x| that is not 0. */
static double size_of(const arb_t x)
{
    mag_t m;
    mag_init(m);
    arb_get_mag(m, x);
    const double size = mag_get_d(m);
    mag_clear(m);
    return size;
}

typedef struct growth {
    double size[ENCLOSURE_MOST + 1 + ENCLOSURE_PRODUCTS]; /* s of each variable */
    double rate;                                          /* z: of unknowns |x_i,k| <= s_i z^k */
    int group;                                            /* of the unknown that grows fastest */
} growth;

/* Fills in the rate for sizes of the groups. The sums of positive numbers are right to 1e-13, which the last
 * factor covers. */
static void set_rate(growth *g, const enclosure_field *f, const double *of_group)
{
    double sum[ENCLOSURE_MOST] = {0.0};
    for (int i = 0; i < f->n; i++)
        g->size[i] = of_group[f->group[i]];
    g->size[f->n] = 1.0;
    for (int k = 0; k < f->products; k++)
        g->size[f->n + 1 + k] = g->size[f->product[k][0]] * g->size[f->product[k][1]];
    for (int i = 0; i < f->terms; i++) {
        const enclosure_term *t = &f->term[i];
        sum[t->out] += size_of(t->c) * g->size[t->v] * g->size[t->w] / g->size[t->out];
    }
    g->rate = 0.0;
    g->group = 0;
    for (int i = 0; i < f->n; i++) {
        const double rate = (f->degree - 1) * sum[i] * (1.0 + 1e-9);
        if (!(rate <= g->rate)) {
            g->rate = rate;
            g->group = f->group[i];
        }
    }
}

/* Chooses sizes: those of the box, and larger ones of groups that grow fast as long as that lowers the
 * rate. */
static growth growth_of(const enclosure_field *f, arb_srcptr box)
{
    enum { TRIES = 400 };
    const double least = 0x1p-200, more = 1.25;
    double size[ENCLOSURE_MOST];
    growth best;
    for (int i = 0; i < ENCLOSURE_MOST; i++)
        size[i] = least;
    for (int i = 0; i < f->n; i++) {
        const double x = size_of(box + i);
        double *s = &size[f->group[i]];
        *s = x > *s || isnan(x) ? x : *s;
    }
    set_rate(&best, f, size);
    for (int i = 0; i < TRIES; i++) {
        growth next;
        size[best.group] *= more;
        set_rate(&next, f, size);
        if (!(next.rate < best.rate))
            break;
        best = next;
    }
    return best;
}

/* ---- Taylor series --------------------------------------------------------------------- */

/* Coefficients 0 to `order` of every variable of a field, and of its derivatives by each unknown. */
typedef struct series {
    const enclosure_field *field;
    int variables, order, columns;
    arb_ptr x; /* [1 + columns][variables][order + 1] */
} series;

static arb_ptr series_of(const series *s, int column, int variable)
{
    return s->x + ((slong)column * s->variables + variable) * (s->order + 1);
}

static series series_create(const enclosure_field *f, int order, int columns)
{
    series s = {f, f->n + 1 + f->products, order, columns, NULL};
    s.x = _arb_vec_init((slong)(1 + columns) * s.variables * (order + 1));
    return s;
}

static void series_destroy(series *s)
{
    _arb_vec_clear(s->x, (slong)(1 + s->columns) * s->variables * (s->order + 1));
}

/* Stores coefficient k of the product of two variables in column 0, or of its derivative in
 * another one. */
static void set_product(const series *s, int column, int a, int b, int k, arb_t out, slong digits)
{
    const int n = s->field->n;
    if (column == 0 && (a == n || b == n)) {
        arb_set(out, series_of(s, 0, a == n ? b : a) + k);
        return;
    }
    arb_zero(out);
    if (a != n)
        arb_dot(out, NULL, 0, series_of(s, column, a), 1, series_of(s, 0, b) + k, -1, k + 1,
                digits);
    if (column != 0 && b != n)
        arb_dot(out, out, 0, series_of(s, 0, a), 1, series_of(s, column, b) + k, -1, k + 1, digits);
}

/* Fills in a series from its coefficients 0 of unknowns. */
static void series_compute(const series *s, slong digits)
{
    const enclosure_field *f = s->field;
    arb_t x;
    arb_init(x);
    arb_one(series_of(s, 0, f->n));
    for (int k = 0; k <= s->order; k++)
        for (int column = 0; column <= s->columns; column++) {
            for (int i = 0; i < f->products; i++)
                set_product(s, column, f->product[i][0], f->product[i][1], k,
                            series_of(s, column, f->n + 1 + i) + k, digits);
            if (k == s->order)
                continue;
            for (int i = 0; i < f->terms; i++) {
                const enclosure_term *t = &f->term[i];
                set_product(s, column, t->v, t->w, k, x, digits);
                arb_addmul(series_of(s, column, t->out) + k + 1, x, t->c, digits);
            }
            for (int i = 0; i < f->n; i++) { /* of order k + 1 */
                arb_ptr next = series_of(s, column, i) + k + 1;
                arb_div_ui(next, next, (ulong)k + 1, digits);
            }
        }
    arb_clear(x);
}

/* Stores the sum of the series of a variable at h, with the remainder. */
static void series_sum(const series *s, int column, int variable, const arb_t h, double remainder,
                       arb_t out, slong digits)
{
    arb_ptr x = series_of(s, column, variable);
    mag_t m;
    arb_set(out, x + s->order);
    for (int k = s->order - 1; k >= 0; k--) {
        arb_mul(out, out, h, digits);
        arb_add(out, out, x + k, digits);
    }
    mag_init(m);
    mag_set_d(m, remainder);
    arb_add_error_mag(out, m);
    mag_clear(m);
}

/* Returns an upper bound of sum_(k > order) z^k, or of sum (k + 1) z^k if `weighted`, z <= 1/2. The powers are
 * right to 1e-12, which the factor covers. */
static double tail_of(double z, int order, bool weighted)
{
    double power = z;
    for (int k = 0; k < order; k++)
        power *= z;
    power = power / (1.0 - z) * (1.0 + 1e-9) + 0x1p-1000;
    return weighted ? power * (order + 2.0) / (1.0 - z) : power;
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
    arb_mat_clear(s->Q);
    arb_mat_clear(s->r);
}

/* Stores C p + Q r: e, and the other unknowns without c. */
static void set_deviation(const enclosure_set *s, arb_mat_t x)
{
    arb_mat_t part;
    arb_mat_init(part, s->field->n, 1);
    arb_mat_mul(x, s->C, s->p, ERROR_DIGITS);
    arb_mat_mul(part, s->Q, s->r, ERROR_DIGITS);
    arb_mat_add(x, x, part, ERROR_DIGITS);
    arb_mat_clear(part);
}

void enclosure_set_box(const enclosure_set *s, arb_ptr x)
{
    const int n = s->field->n;
    arb_ptr turn = _arb_vec_init(4);
    arb_mat_t part;
    arb_mat_init(part, n, 1);
    set_deviation(s, part);
    for (int i = 0; i < 4; i++)
        arb_set(turn + i, arb_mat_entry(part, i, 0));
    arb_add_ui(turn, turn, 1, s->digits);
    enclosure_turn(x, turn, s->c, s->digits);
    for (int i = 4; i < n; i++)
        arb_add(x + i, s->c + i, arb_mat_entry(part, i, 0), s->digits);
    arb_mat_clear(part);
    _arb_vec_clear(turn, 4);
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
    arb_mat_t deviation; /* C p + Q r */
    arb_ptr next;        /* c after the step; of the quaternion the turn V of the step */
    arb_mat_t D;         /* derivatives of e and the other unknowns after the step */
    arb_mat_t error;     /* what is not in D (C p + Q r), in balls about 0 */
} step;

/* The remainders are z^order with z = 2^-STEP_BITS, or less in a shorter step. */
enum { STEP_BITS = 3, DERIVATIVE_ORDER = 14 };

/* Chooses the length. Returns false if the set is too large for a step. */
static bool choose_length(step *x, const enclosure_set *s, arb_srcptr box, const arb_t end)
{
    arb_t left;
    arb_init(left);
    x->g = growth_of(s->field, box);
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

/* Fills in `next` and D, of V in its rows 0 to 3. */
static void expand(step *x, const enclosure_set *s, arb_srcptr box)
{
    const enclosure_field *f = s->field;
    const int n = f->n, order = (int)(s->digits / STEP_BITS) + 1;
    series point = series_create(f, order, 0), all = series_create(f, DERIVATIVE_ORDER, n - 4);
    arb_one(series_of(&point, 0, 0));
    arb_one(series_of(&all, 0, 0));
    for (int i = 4; i < n; i++) {
        arb_set(series_of(&point, 0, i), s->c + i);
        arb_set(series_of(&all, 0, i), box + i);
        arb_one(series_of(&all, i - 3, i));
    }
    series_compute(&point, s->digits);
    series_compute(&all, ERROR_DIGITS);
    const double remainder = tail_of(x->z, order, false),
                 slope = tail_of(x->z, DERIVATIVE_ORDER, true);
    for (int i = 0; i < n; i++) {
        series_sum(&point, 0, i, x->h, x->g.size[i] * remainder, x->next + i, s->digits);
        for (int j = 4; j < n; j++)
            series_sum(&all, j - 3, i, x->h, x->g.size[i] / x->g.size[j] * slope,
                       arb_mat_entry(x->D, i, j), ERROR_DIGITS);
    }
    series_destroy(&point);
    series_destroy(&all);
}

/* Makes the derivatives of V those of e, and `next` the quaternion after the step. With c before it
 * and c1 = c V(c) after it, U = (1 + e) c V(w) = (1 + e)(1 + k) c1, k = c (V(w) - V(c)) c1^-1, and so
 * e becomes e + k + e k. */
static void turn_to_space(step *x, const enclosure_set *s)
{
    const int n = s->field->n;
    arb_ptr work = _arb_vec_init(24), V = work, part = work + 4, inverse = work + 8, k = work + 12,
            e = work + 16, product = work + 20;
    enclosure_turn(part, s->c, x->next, s->digits);
    for (int i = 0; i < 4; i++) {
        split(part + i, V + i); /* V: how far c1 is from its midpoint */
        arb_set(x->next + i, part + i);
        arb_set(e + i, arb_mat_entry(x->deviation, i, 0));
    }
    invert(inverse, x->next, ERROR_DIGITS);
    enclosure_turn(k, V, inverse, ERROR_DIGITS);
    for (int i = 0; i < 4; i++) {
        arb_set(arb_mat_entry(x->error, i, 0), k + i);
        arb_one(arb_mat_entry(x->D, i, i));
    }
    for (int j = 4; j < n; j++) {
        for (int i = 0; i < 4; i++)
            arb_set(V + i, arb_mat_entry(x->D, i, j));
        enclosure_turn(part, s->c, V, ERROR_DIGITS);
        enclosure_turn(V, part, inverse, ERROR_DIGITS);
        for (int i = 0; i < 4; i++) {
            arb_set(arb_mat_entry(x->D, i, j), V + i);
            arb_addmul(k + i, V + i, arb_mat_entry(x->deviation, j, 0), ERROR_DIGITS);
        }
    }
    enclosure_turn(product, e, k, ERROR_DIGITS);
    for (int i = 0; i < 4; i++)
        arb_add(arb_mat_entry(x->error, i, 0), arb_mat_entry(x->error, i, 0), product + i,
                ERROR_DIGITS);
    _arb_vec_clear(work, 24);
}

/* Takes a step: C p + Q r becomes D (C p + Q r) + error. Returns false, and leaves the set as it was, if a number
 * is not finite. */
static bool take(step *x, enclosure_set *s)
{
    const int n = s->field->n;
    arb_mat_t C, A, Q, r, more;
    arb_mat_init(C, n, arb_mat_ncols(s->C));
    arb_mat_init(A, n, n);
    arb_mat_init(Q, n, n);
    arb_mat_init(r, n, 1);
    arb_mat_init(more, n, 1);
    for (int i = 4; i < n; i++)
        split(x->next + i, arb_mat_entry(x->error, i, 0));
    arb_mat_mul(C, x->D, s->C, ERROR_DIGITS);
    split_matrix(C, s->p, x->error);
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
        arb_mat_swap(s->Q, Q);
        arb_mat_swap(s->r, r);
    }
    arb_mat_clear(C);
    arb_mat_clear(A);
    arb_mat_clear(Q);
    arb_mat_clear(r);
    arb_mat_clear(more);
    return good;
}

bool enclosure_set_step(enclosure_set *s, const arb_t end)
{
    const int n = s->field->n;
    arb_ptr box = _arb_vec_init(n);
    step x = {.next = _arb_vec_init(n)};
    arb_init(x.h);
    arb_mat_init(x.deviation, n, 1);
    arb_mat_init(x.D, n, n);
    arb_mat_init(x.error, n, 1);
    set_deviation(s, x.deviation);
    arb_one(box);
    for (int i = 4; i < n; i++)
        arb_add(box + i, s->c + i, arb_mat_entry(x.deviation, i, 0), s->digits);
    bool good = choose_length(&x, s, box, end);
    if (good) {
        expand(&x, s, box);
        turn_to_space(&x, s);
        good = take(&x, s);
    }
    arb_clear(x.h);
    arb_mat_clear(x.deviation);
    arb_mat_clear(x.D);
    arb_mat_clear(x.error);
    _arb_vec_clear(x.next, n);
    _arb_vec_clear(box, n);
    return good;
}
