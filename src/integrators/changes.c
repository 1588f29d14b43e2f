/* changes.c - times at which the torque or the wheels of a problem change. */
#include "integrators/changes.h"

#include "integrators/expression/expression.h"
#include "integrators/field.h"
#include "integrators/table.h"

bool ph_changes_any(const ph_problem *p)
{
    const ph_problem *of = ph_problem_original(p);
    for (int k = 0; k < of->table_count; k++) {
        if (ph_table_rows(of, k) > 0)
            return true;
    }
    return ph_expression_changes(of);
}

double ph_change_next(const ph_problem *p, double t, double end)
{
    const ph_problem *of = ph_problem_original(p);
    double next = end;
    for (int k = 0; k < of->table_count; k++)
        next = ph_table_change(of, k, t, next);
    if (ph_expression_changes(of))
        return ph_expression_change(of, t, next);
    return next;
}
