/* taylor.c - see taylor.h. */
#include "taylor.h"

#include <math.h>

#include "base/choice.h"

/* A column: the derivative by the unknown of column `first`, and by that of `second`; 0: not a second
 * derivative. */
typedef struct column_of {
    int column, first, second;
} column_of;

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

growth enclosure_growth(const enclosure_field *f, arb_srcptr box)
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
        if (x > *s || isnan(x))
            *s = x;
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

/* ---- columns ---------------------------------------------------------------------------- */

int enclosure_pair_column(const enclosure_field *f, int j, int l)
{
    const int unknowns = f->n - FIRST_DERIVED, low = smaller_int(j, l), high = larger_int(j, l),
              before = low * unknowns - low * (low - 1) / 2;
    return 1 + unknowns + before + high - low;
}

arb_ptr enclosure_series_of(const enclosure_series *s, int column, int variable)
{
    return s->x + ((slong)column * s->variables + variable) * (s->order + 1);
}

enclosure_series enclosure_series_create(const enclosure_field *f, int order, int derivatives)
{
    const int unknowns = f->n - FIRST_DERIVED, pairs = unknowns * (unknowns + 1) / 2;
    enclosure_series s = {.field = f, .variables = f->n + 1 + f->products, .order = order};
    if (derivatives > 0)
        s.unknowns = unknowns;
    if (derivatives > 1)
        s.pairs = pairs;
    s.x = _arb_vec_init((slong)(1 + s.unknowns + s.pairs) * s.variables * (order + 1));
    return s;
}

void enclosure_series_destroy(enclosure_series *s)
{
    _arb_vec_clear(s->x, (slong)(1 + s->unknowns + s->pairs) * s->variables * (s->order + 1));
}

/* ---- coefficients ------------------------------------------------------------------------ */

/* Adds coefficient k of the product of variable a in one column and b in another one. */
static void add_convolution(const enclosure_series *s, int column_a, int a, int column_b, int b,
                            int k, arb_t out, slong digits)
{
    arb_dot(out, out, 0, enclosure_series_of(s, column_a, a), 1,
            enclosure_series_of(s, column_b, b) + k, -1, k + 1, digits);
}

/* Stores coefficient k of the product of two variables in column 0, or of its derivative in another
 * one. The variable n is 1, and its derivatives are 0. */
static void set_product(const enclosure_series *s, column_of of, int a, int b, int k, arb_t out,
                        slong digits)
{
    const int n = s->field->n;
    if (of.column == 0 && (a == n || b == n)) {
        arb_set(out, enclosure_series_of(s, 0, a == n ? b : a) + k);
        return;
    }
    arb_zero(out);
    if (of.column == 0) {
        add_convolution(s, 0, a, 0, b, k, out, digits);
        return;
    }
    if (a != n)
        add_convolution(s, of.column, a, 0, b, k, out, digits);
    if (b != n)
        add_convolution(s, of.column, b, 0, a, k, out, digits);
    if (of.second == 0 || a == n || b == n)
        return;
    add_convolution(s, of.first, a, of.second, b, k, out, digits);
    add_convolution(s, of.second, a, of.first, b, k, out, digits);
}

/* Computes coefficient k of the products, and coefficient k + 1 of the unknowns, of one column. */
static void set_next(const enclosure_series *s, column_of of, int k, arb_t x, slong digits)
{
    const enclosure_field *f = s->field;
    for (int i = 0; i < f->products; i++)
        set_product(s, of, f->product[i][0], f->product[i][1], k,
                    enclosure_series_of(s, of.column, f->n + 1 + i) + k, digits);
    if (k == s->order)
        return;
    for (int i = 0; i < f->terms; i++) {
        const enclosure_term *t = &f->term[i];
        set_product(s, of, t->v, t->w, k, x, digits);
        arb_addmul(enclosure_series_of(s, of.column, t->out) + k + 1, x, t->c, digits);
    }
    for (int i = 0; i < f->n; i++) {
        arb_ptr next = enclosure_series_of(s, of.column, i) + k + 1;
        arb_div_ui(next, next, (ulong)k + 1, digits);
    }
}

void enclosure_series_compute(const enclosure_series *s, slong digits)
{
    arb_t x;
    arb_init(x);
    arb_one(enclosure_series_of(s, 0, s->field->n));
    for (int k = 0; k <= s->order; k++) {
        for (int column = 0; column <= s->unknowns; column++)
            set_next(s, (column_of){.column = column}, k, x, digits);
        if (s->pairs == 0)
            continue;
        for (int j = 0; j < s->unknowns; j++)
            for (int l = j; l < s->unknowns; l++)
                set_next(s, (column_of){enclosure_pair_column(s->field, j, l), 1 + j, 1 + l}, k, x,
                         digits);
    }
    arb_clear(x);
}

/* Stores the sum of the series of a variable at h, with the remainder. */
void enclosure_series_sum(const enclosure_series *s, int column, int variable, const arb_t h,
                          double remainder, arb_t out, slong digits)
{
    arb_ptr x = enclosure_series_of(s, column, variable);
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

/* The powers are right to 1e-12, which the factor covers. */
double enclosure_tail(double z, int order, int derivatives)
{
    double power = z;
    for (int k = 0; k < order; k++)
        power *= z;
    power = power / (1.0 - z) * (1.0 + 1e-9) + 0x1p-1000;
    if (derivatives > 0)
        power *= (order + 2.0) / (1.0 - z);
    if (derivatives > 1)
        power *= 4.0 * (order + 3.0) / (1.0 - z);
    return power;
}
