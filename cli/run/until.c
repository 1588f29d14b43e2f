/* until.c - the condition that ends a run. */
#include "cli/tool.h"
#include "run.h"

int until_read(run_request *r, const char *place)
{
    ph_expression_error why;
    if (r->until == NULL)
        return 0;
    REFUSE_IF(!text_is_plain(r->until),
              "%s: a byte that is no text: write it in one line, as UTF-8", place);
    const ph_status status =
        ph_system_expression(r->system, r->until, PH_CONDITION, &r->condition, &why);
    if (status == PH_NO_MEMORY)
        return fail_memory();
    REFUSE_IF(status == PH_NOT_APPLICABLE,
              "%s is about a body, and %s is not: leave it out", place, r->problem);
    REFUSE_IF(status != PH_OK, "%s, column %d: %s", place, why.column, why.text);
    return 0;
}

double until_value(void *request, ph_system *s)
{
    return ph_system_evaluate(s, ((const run_request *)request)->condition);
}
