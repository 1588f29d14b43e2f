/* until.c - the condition that ends a run. */
#include "cli/tool.h"
#include "run.h"
#include "system/find.h"

int until_read(run_request *r, const char *place)
{
    size_t count;
    const double *values;
    const ph_parameter *parameters = ph_system_parameters(r->system, &count, &values);
    ph_expression_error why;
    if (r->until == NULL)
        return 0;
    const ph_field *attitude = find_field(r->system, "attitude");
    REFUSE_IF(attitude == NULL || (attitude->use & PH_FIELD_LIST),
              "%s is about a body, and %s is not: leave it out", place, r->problem);
    const ph_status status = ph_expression_parse(&r->condition, r->until, PH_CONDITION,
                                                 parameters, (int)count, &why);
    if (status == PH_NO_MEMORY)
        return fail_memory();
    REFUSE_IF(status != PH_OK, "%s, column %d: %s", place, why.column, why.text);
    return 0;
}

double until_value(void *request, ph_system *s)
{
    const run_request *r = request;
    size_t count;
    const double *values;
    (void)ph_system_parameters(s, &count, &values);
    const ph_state now = ph_system_state(s);
    const ph_field *w = find_field(s, "velocity");
    const ph_instant here = {.t = ph_system_time(s),
                             .q = now.q,
                             .R = ph_quat_matrix(now.q),
                             .m = now.m,
                             .w = {*w->data[0], *w->data[1], *w->data[2]}};
    return ph_expression_value(r->condition, &here, values);
}
