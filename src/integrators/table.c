/* table.c - vectors over time, which a problem has beside its parameters. */
#include "integrators/table.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/named.h"
#include "motion/vec.h"
#include "polhode/system.h"

enum { ROW = 4 }; /* t, x, y, z */

size_t ph_table_offset(const ph_problem *p)
{
    const double first = p->data_count > 0 ? p->data[0] : 0.0;
    if (first <= -1.0 && first > -9007199254740992.0)
        return 1 + (size_t)-first;
    return 0;
}

/* Where a table begins among the data: at its number of rows. NULL if the data end before, as those
 * that an older version wrote. */
static const double *begin_of(const ph_problem *p, int table)
{
    size_t at = ph_table_offset(p);
    if (p->data == NULL)
        return NULL;
    for (int i = 0; i < table && at < p->data_count; i++)
        at += 1 + ROW * (size_t)p->data[at];
    if (at < p->data_count)
        return p->data + at;
    return NULL;
}

size_t ph_table_rows(const ph_problem *p, int table)
{
    const double *begin = begin_of(p, table);
    if (begin == NULL)
        return 0;
    return (size_t)*begin;
}

static ph_vec3 vector_in(const double *row)
{
    return vec3(row[1], row[2], row[3]);
}

/* The last row that is not after t, or the first row. */
static size_t row_before(const double *row, size_t count, double t)
{
    size_t before = 0, after = count;
    while (after - before > 1) { /* row `before` is not after t, row `after` is */
        const size_t middle = before + (after - before) / 2;
        if (row[ROW * middle] <= t)
            before = middle;
        else
            after = middle;
    }
    return before;
}

/* The slope from one row to the next. */
static ph_vec3 slope_to_next(const double *row)
{
    return scale(1.0 / (row[ROW] - row[0]), sub(vector_in(row + ROW), vector_in(row)));
}

/* The slope in row k: that of the parabola through this row and its neighbours, or through the three
 * rows at that end of the table. Two rows have the slope of their line. */
static ph_vec3 slope_in(const double *rows, size_t count, size_t k)
{
    if (count == 2)
        return slope_to_next(rows);
    size_t middle = k;
    if (k == 0)
        middle = 1;
    else if (k == count - 1)
        middle = count - 2;
    const double *b = rows + ROW * middle, *a = b - ROW, *c = b + ROW;
    const ph_vec3 left = slope_to_next(a), right = slope_to_next(b),
                  bend = scale(1.0 / (c[0] - a[0]), sub(right, left));
    const double t = rows[ROW * k];
    return add(left, scale((t - a[0]) + (t - b[0]), bend));
}

/* The cubic between row k and the next one that has their vectors and slopes, at a part of the way:
 *
 *   a + s ( d + (1 - s) ( (1 - s) (h a' - d) - s (h b' - d) ) ),   d = b - a   */
static ph_vec3 on_cubic(const double *rows, size_t count, size_t k, double s)
{
    const double *a = rows + ROW * k, *b = a + ROW, h = b[0] - a[0];
    const ph_vec3 d = sub(vector_in(b), vector_in(a)),
                  from = sub(scale(h, slope_in(rows, count, k)), d),
                  to = sub(scale(h, slope_in(rows, count, k + 1)), d),
                  more = sub(scale(1.0 - s, from), scale(s, to));
    return add(vector_in(a), scale(s, add(d, scale(1.0 - s, more))));
}

static ph_vec3 table_at(const ph_problem *p, int table, double t, bool cubic)
{
    const size_t count = ph_table_rows(p, table);
    if (count == 0)
        return vec3(0, 0, 0);
    const double *rows = begin_of(p, table) + 1;
    const size_t before = row_before(rows, count, t);
    const double *a = rows + ROW * before, *b = a + ROW;
    if (before + 1 == count || t <= a[0])
        return vector_in(a);
    const double part = (t - a[0]) / (b[0] - a[0]);
    if (cubic)
        return on_cubic(rows, count, before, part);
    return add(scale(1.0 - part, vector_in(a)), scale(part, vector_in(b)));
}

ph_vec3 ph_table_at(const ph_problem *p, int table, double t)
{
    return table_at(p, table, t, false);
}

ph_vec3 ph_tables_at(const ph_problem *p, int linear, int cubic, double t)
{
    const ph_vec3 v = table_at(p, linear, t, false);
    if (ph_table_rows(p, cubic) > 0)
        return add(v, table_at(p, cubic, t, true));
    return v;
}

/* Whether the vectors of two rows are equal, of which one may be beyond the table. */
static bool is_equal(const double *rows, size_t count, size_t k, size_t other)
{
    const double *a = rows + ROW * k, *b = rows + ROW * other;
    return other >= count || (a[1] == b[1] && a[2] == b[2] && a[3] == b[3]);
}

/* Whether the vector goes on as it was in a row and in the rows about it, on which its cubic depends. */
static bool is_constant(const double *rows, size_t count, size_t k)
{
    enum { ABOUT = 2 };
    bool constant = true;
    for (size_t i = 1; i <= ABOUT; i++)
        constant = constant && is_equal(rows, count, k, k + i) &&
                   (k < i || is_equal(rows, count, k, k - i));
    return constant;
}

double ph_table_change(const ph_problem *p, int table, double t, double end)
{
    const size_t count = ph_table_rows(p, table);
    if (count == 0)
        return end;
    const double *rows = begin_of(p, table) + 1;
    size_t k = row_before(rows, count, t);
    if (end > t) {
        if (rows[ROW * k] <= t)
            k++;
        while (k < count && rows[ROW * k] < end && is_constant(rows, count, k))
            k++;
        if (k < count && rows[ROW * k] < end)
            return rows[ROW * k];
        return end;
    }
    while (k > 0 && (rows[ROW * k] >= t || is_constant(rows, count, k)) && rows[ROW * k] > end)
        k--;
    const double at = rows[ROW * k];
    if (at < t && at > end && !is_constant(rows, count, k))
        return at;
    return end;
}

/* Rows whose numbers are finite, and whose times increase. */
static bool are_rows(const double *row, size_t count)
{
    for (size_t i = 0; i < ROW * count; i++) {
        if (!isfinite(row[i]) || (i >= ROW && i % ROW == 0 && !(row[i] > row[i - ROW])))
            return false;
    }
    return true;
}

ph_status ph_table_check(ph_problem *p)
{
    const size_t before = ph_table_offset(p);
    if (before > p->data_count)
        return PH_BAD_PARAMETER;
    size_t left = p->data_count - before;
    if (left == 0 && p->table_count > 0)
        return PH_BAD_PARAMETER;
    const double *at = p->data + before;
    for (int i = 0; i < p->table_count && left > 0; i++) {
        if (!(*at >= 0.0 && *at <= (double)(left - 1) / ROW && *at == floor(*at)))
            return PH_BAD_PARAMETER;
        const size_t rows = (size_t)*at;
        if (!are_rows(at + 1, rows))
            return PH_BAD_PARAMETER;
        at += 1 + ROW * rows;
        left -= 1 + ROW * rows;
    }
    if (left != 0)
        return PH_BAD_PARAMETER;
    if (p->prepare != NULL)
        p->prepare(p);
    return PH_OK;
}

ph_status ph_problem_set_table(ph_problem *p, const char *name, const double *rows, size_t count)
{
    if (p == NULL || name == NULL || (rows == NULL && count > 0))
        return PH_NULL_ARGUMENT;
    const ph_parameter *table = ROW_NAMED(p->tables, p->table_count, name);
    if (table == NULL)
        return PH_UNKNOWN_NAME;
    if (!array_possible(count, ROW * sizeof *rows))
        return PH_NO_MEMORY;
    if (!are_rows(rows, count))
        return PH_BAD_PARAMETER;
    const size_t before = ph_table_offset(p);
    size_t whole = before + (size_t)p->table_count + ROW * count;
    for (int i = 0; i < p->table_count; i++) {
        if (i != table->first)
            whole += ROW * ph_table_rows(p, i);
    }
    double *data = array_create(whole, sizeof *data), *to = data;
    if (data == NULL)
        return PH_NO_MEMORY;
    if (before > 0)
        memcpy(to, p->data, before * sizeof *to);
    to += before;
    for (int i = 0; i < p->table_count; i++) {
        size_t n = ph_table_rows(p, i);
        const double *from = NULL;
        if (i == table->first) {
            n = count;
            from = rows;
        } else if (n > 0) {
            from = begin_of(p, i) + 1;
        }
        *to++ = (double)n;
        if (n > 0)
            memcpy(to, from, ROW * n * sizeof *to);
        to += ROW * n;
    }
    free((void *)p->data);
    p->data = data;
    p->data_count = whole;
    return ph_table_check(p);
}

void ph_problem_release(ph_problem *p)
{
    if (p == NULL)
        return;
    if (p->unload != NULL && p->context != NULL)
        p->unload(p);
    free((void *)p->data);
    p->data = NULL;
    p->data_count = 0;
}
