/* request.c - the system of a run. */
#include "request.h"

#include "base/extremes.h"
#include "system/digits.h"
#include "system/find.h"
#include "tool/files/epoch.h"
#include "tool/files/memory.h"
#include "tool/input/input.h"
#include "tool/input/own_coefficients.h"

int run_read_model(scenario *input, model *m, method_list *one, model_integrator *by)
{
    static const scenario_key positive[] = {KEY_TOLERANCE, KEY_LONGEST_STEP};
    *m = (model){0};
    if (input->value[KEY_METHOD].is_set)
        TRY(method_read(input, one));
    for (size_t i = 0; i < COUNT(positive); i++) /* zero would stand for the default */
        REFUSE_IF(input->value[positive[i]].is_set && input->value[positive[i]].x[0] == 0.0,
                  "%s is 0: write a positive number", input_place(input, positive[i]));
    if (one->count > 0)
        *by = one->method[0]->by;
    else
        *by = (model_integrator){.place = ""};
    by->tolerance = input->value[KEY_TOLERANCE].x[0];
    by->longest_step = input->value[KEY_LONGEST_STEP].x[0];
    return model_read(input, m);
}

void run_default_tolerance(const scenario *input, const model *m, model_integrator *by)
{
    ph_system *s = NULL;
    if (!input->value[KEY_STEP].of_rows || by->tolerance != 0.0)
        return;
    const ph_status status = model_make_quietly(m, by, 0.0, &s);
    const bool found = status == PH_OK && !ph_system_is_adaptive(s) && s->tolerance != 0.0;
    if (found || status == PH_NO_CONVERGENCE) /* which is then said */
        by->tolerance = PH_TOLERANCE_DEFAULT;
    ph_system_destroy(s);
}

/* By the method, or by the one that is recommended, NULL. */
static int make_system(run_request *r, const model *m, const listed_method *method,
                       model_integrator by)
{
    r->title = model_title(m);
    if (problem_file_is(r->problem))
        r->problem_sum = problem_file_checksum(r->problem);
    r->code_sum = m->code_sum;
    TRY(model_make(m, &by, r->step, &r->system));
    if (r->followed && ph_system_is_adaptive(r->system)) {
        const char *name = ph_system_integrator_name(r->system),
                   *other = companion_integrator(name);
        by.tolerance = companion_tolerance(*find_field(r->system, "tolerance")->data[0]);
        if (other != name)
            by.name = other;
        if (model_make_quietly(m, &by, r->step, &r->companion) != PH_OK)
            return fail_memory(); /* as the run itself can be made */
        system_keep(r->companion);
    }
    if (by.own != NULL && method != NULL) {
        r->order = (uint64_t)ph_system_order(r->system);
        r->slope = method->slope;
    }
    if (r->method == NULL)
        r->method = ph_system_integrator_name(r->system);
    return 0;
}

int run_make_system(run_request *r, scenario *input)
{
    method_list one = {0};
    model m;
    model_integrator by;
    r->problem = input->value[KEY_PROBLEM].text;
    TRY(run_read_model(input, &m, &one, &by));
    run_default_tolerance(input, &m, &by);
    if (one.count == 0)
        return make_system(r, &m, NULL, by);
    return make_system(r, &m, one.method[0], by);
}

static void destroy_expression(void *condition)
{
    ph_expression_destroy(condition);
}

bool date_of_start(const char *date, double *days)
{
    static const epoch J2000 = {10957, 43200.0};
    epoch start;
    if (date == NULL || !epoch_read(&start, date))
        return false;
    *days = epoch_between(J2000, start) / 86400.0;
    return true;
}

int condition_read(ph_system *s, const char *date, const char *problem, const char *text,
                   const char *place, ph_expression **out)
{
    ph_expression_error why;
    double days;
    if (date_of_start(date, &days))
        (void)ph_system_set_epoch(s, days);
    REFUSE_IF(!text_is_plain(text), "%s: a byte is not valid text: write one line of UTF-8", place);
    const ph_status status = ph_system_expression(s, text, PH_EXPRESSION_CONDITION, out, &why);
    if (status == PH_NO_MEMORY)
        return fail_memory();
    REFUSE_IF(status == PH_NOT_APPLICABLE,
              "%s needs a problem of one body, and %s is not one: remove it", place, problem);
    REFUSE_IF(status != PH_OK, "%s, column %d: %s", place, why.column, why.text);
    memory_at_end(destroy_expression, *out);
    return 0;
}

int until_read(run_request *r, const char *place)
{
    if (r->until == NULL)
        return 0;
    return condition_read(r->system, r->show.epoch, r->problem, r->until, place, &r->condition);
}
