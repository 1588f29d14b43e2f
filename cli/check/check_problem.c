/* check_problem.c - what integrators do on one problem, of any kind. */
#include <math.h>

#include "check.h"
#include "cli/files/json.h"
#include "cli/tool/tool.h"

static json_t *sheet_json(const char *name, const char *problem,
                          const ph_problem_sheet *c)
{
    return json_pack(
        "{ss ss so so so s{ss so so so so so so}}", "name", name, "problem", problem,
        "order", isnan(c->order) ? json_null() : json_integer(lround(c->order)),
        "symmetric",
        c->symmetric == PH_UNRESOLVED ? json_null()
                                      : json_boolean(c->symmetric == PH_YES),
        "slope", json_finite(c->order), "field", "problem", problem, "energy",
        c->energy == PH_ENERGY_UNDECIDED ? json_null()
                                         : json_string(check_energy(c->energy)),
        "momentum",
        c->momentum == PH_UNRESOLVED ? json_null()
                                     : json_string(check_momentum(c->momentum)),
        "energy_error", json_finite(c->energy_error), "momentum_error",
        c->momentum == PH_UNRESOLVED ? json_null() : json_finite(c->momentum_error),
        "drift", json_finite(c->drift.slope), "step", json_finite(c->step));
}

static void print_sheet(outfile *out, const char *name, const char *problem,
                        const ph_problem_sheet *c)
{
    outfile_print(out, "%s on %s\n", name, problem);
    if (isnan(c->order))
        outfile_print(out, "  %-12s ?\n", "order");
    else
        outfile_print(out, "  %-12s %.2f\n", "order", c->order);
    outfile_print(out, "  %-12s %-8s there and back with -h, h = %g: defect %.1e\n",
                  "symmetric", check_answer(c->symmetric), c->large_step,
                  c->symmetry_defect);
    outfile_print(out, "  %-12s %-8s %ld steps of %g: error %.1e, slope %.1e\n", "energy",
                  check_energy(c->energy), c->drift.taken, c->step, c->energy_error,
                  c->drift.slope);
    if (c->momentum != PH_UNRESOLVED)
        outfile_print(out, "  %-12s %-8s the same steps: error %.1e\n", "momentum",
                      check_momentum(c->momentum), c->momentum_error);
}

static int measure(const char *name, const char *problem, ph_problem_sheet *out)
{
    ph_message why = {0};
    const ph_system_settings with = {problem, .integrator = name, .message = &why};
    const ph_status status = ph_measure_on(out, &with);
    REFUSE_IF(status == PH_NOT_APPLICABLE && why.text[0] == '\0',
              "`" WORDS "` chooses its steps, and --problem measures with fixed ones: "
              "leave --problem out",
              name);
    REFUSE_IF(status != PH_OK && why.text[0] != '\0', "%s", why.text);
    return status == PH_OK ? 0
                           : fail_run("%s on %s: %s: take another method", name, problem,
                                      ph_status_text(status));
}

int check_problem(outfile *out, const char *const *names, size_t count,
                  const char *problem, bool json)
{
    json_t *array = json_array();
    int status = array == NULL ? fail_memory() : 0;
    for (size_t i = 0; i < count && status == 0 && !interrupted; i++) {
        ph_problem_sheet sheet;
        status = measure(names[i], problem, &sheet);
        if (status == 0 && json)
            (void)json_array_append_new(array, sheet_json(names[i], problem, &sheet));
        else if (status == 0)
            print_sheet(out, names[i], problem, &sheet);
    }
    if (status == 0 && interrupted)
        status = stopped("interrupted: nothing is printed");
    if (status == 0 && json)
        return put_json(out, array, JSON_INDENT(2));
    json_decref(array);
    return status;
}
