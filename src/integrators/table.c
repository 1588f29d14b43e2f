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
    return first <= -1.0 && first > -9007199254740992.0 ? 1 + (size_t)-first : 0;
}

/* Where a table begins among the data: at its number of rows. */
static const double *begin_of(const ph_problem *p, int table)
{
    const double *at = p->data + ph_table_offset(p);
    for (int i = 0; i < table; i++)
        at += 1 + ROW * (size_t)*at;
    return at;
}

size_t ph_table_rows(const ph_problem *p, int table)
{
    return p->data == NULL ? 0 : (size_t)*begin_of(p, table);
}

ph_vec3 ph_table_at(const ph_problem *p, int table, double t)
{
    size_t after = ph_table_rows(p, table), before = 0;
    if (after == 0)
        return vec3(0, 0, 0);
    const double *row = begin_of(p, table) + 1;
    while (after - before > 1) { /* row `before` is not after t, row `after` is */
        const size_t middle = before + (after - before) / 2;
        if (row[ROW * middle] <= t)
            before = middle;
        else
            after = middle;
    }
    const double *a = row + ROW * before, *b = a + ROW;
    const bool inside = after < ph_table_rows(p, table) && t > a[0];
    const double part = inside ? (t - a[0]) / (b[0] - a[0]) : 0.0;
    return inside
               ? add(scale(1.0 - part, vec3(a[1], a[2], a[3])), scale(part, vec3(b[1], b[2], b[3])))
               : vec3(a[1], a[2], a[3]);
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
    const double *at = p->data + before;
    for (int i = 0; i < p->table_count; i++) {
        if (left == 0 || !(*at >= 0.0 && *at <= (double)(left - 1) / ROW && *at == floor(*at)))
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
    for (int i = 0; i < p->table_count; i++)
        whole += i == table->first ? 0 : ROW * ph_table_rows(p, i);
    double *data = array_create(whole, sizeof *data), *to = data;
    if (data == NULL)
        return PH_NO_MEMORY;
    if (before > 0)
        memcpy(to, p->data, before * sizeof *to);
    to += before;
    for (int i = 0; i < p->table_count; i++) {
        const bool this_one = i == table->first;
        const size_t n = this_one ? count : ph_table_rows(p, i);
        const double *from = this_one ? rows : n > 0 ? begin_of(p, i) + 1 : NULL;
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
