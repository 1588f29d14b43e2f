/* check_thermal.c - what a thermostat samples: temperatures, the mean of the potential, and the
 * bias of both over the step. */
#include "check_thermal.h"

#include <inttypes.h>
#include <math.h>

#include "check_output.h"
#include "cli/files/json.h"
#include "cli/tool/tool.h"
#include "polhode/measure.h"

static const char *const axis_names[PH_THERMAL_AXES] = {"x",      "y",      "z",
                                                        "axis 1", "axis 2", "axis 3"};

static json_t *mean_json(ph_mean m)
{
    return json_pack("{so so}", "value", json_finite(m.value), "error", json_finite(m.error));
}

static json_t *means_json(const ph_mean *m, int count)
{
    json_t *array = json_array();
    for (int k = 0; k < count; k++) {
        if (!isnan(m[k].value))
            (void)json_array_append_new(array, mean_json(m[k]));
    }
    return array;
}

static json_t *thermal_json(const char *name, const char *problem, const ph_thermal *t)
{
    json_t *rows = json_array();
    for (int k = 0; k < PH_THERMAL_STEPS; k++) {
        const ph_thermal_row *r = &t->row[k];
        (void)json_array_append_new(
            rows, json_pack("{sf so so so so so}", "step", r->step, "translation",
                            means_json(r->kinetic, 3), "rotation", means_json(r->kinetic + 3, 3),
                            "within", means_json(r->within, 2), "potential",
                            mean_json(r->potential), "autocorrelation_time", json_finite(r->time)));
    }
    return json_pack("{ss ss sf sI so so so so so so so so so}", "name", name, "problem", problem,
                     "temperature", t->temperature, "samples", (json_int_t)t->samples,
                     "exact_potential", json_finite(t->exact), "steps", rows, "kinetic_limit",
                     json_finite(t->kinetic_limit), "kinetic_bias", mean_json(t->kinetic_bias),
                     "potential_limit", json_finite(t->potential_limit), "potential_bias",
                     mean_json(t->potential_bias), "potential", mean_json(t->potential),
                     "potential_power", mean_json(t->potential_power), "verdict",
                     json_string(t->verdict == PH_ANSWER_YES  ? "samples"
                                 : t->verdict == PH_ANSWER_NO ? "does not"
                                                              : "undecided"));
}

static void print_means(outfile *out, const char *name, const ph_thermal *t, int axis)
{
    outfile_print(out, "  %-18s", name);
    for (int k = 0; k < PH_THERMAL_STEPS; k++) {
        const ph_thermal_row *r = &t->row[k];
        const ph_mean m = axis < PH_THERMAL_AXES       ? r->kinetic[axis]
                          : axis < PH_THERMAL_AXES + 2 ? r->within[axis - PH_THERMAL_AXES]
                                                       : r->potential;
        outfile_print(out, "  %11.5g +- %-8.2g", m.value, m.error);
    }
    outfile_print(out, "\n");
}

static void print_thermal(outfile *out, const char *name, const char *problem, const ph_thermal *t)
{
    outfile_print(out, "%s on %s at the temperature %g, %" PRIu64 " steps each\n  %-18s", name,
                  problem, t->temperature, t->samples, "step");
    for (int k = 0; k < PH_THERMAL_STEPS; k++)
        outfile_print(out, "  %11.5g   %9s", t->row[k].step, "");
    outfile_print(out, "\n");
    for (int axis = 0; axis < PH_THERMAL_AXES; axis++) {
        if (!isnan(t->row[0].kinetic[axis].value))
            print_means(out, axis_names[axis], t, axis);
    }
    for (int kind = 0; kind < 2; kind++) {
        if (!isnan(t->row[0].within[kind].value))
            print_means(out, kind == 0 ? "translation within" : "rotation within", t,
                        PH_THERMAL_AXES + kind);
    }
    print_means(out, "potential", t, PH_THERMAL_AXES + 2);
    if (!isnan(t->exact))
        outfile_print(out, "  %-18s  %11.5g   by quadrature over all attitudes\n", "  exactly",
                      t->exact);
    outfile_print(out, "  %-18s", "its memory");
    for (int k = 0; k < PH_THERMAL_STEPS; k++)
        outfile_print(out, "  %11.3g   %9s", t->row[k].time, "");
    outfile_print(out,
                  "\n  temperature for h -> 0: %.1f standard errors off at worst; "
                  "largest h^2 part %.2g +- %.2g at h = %g\n",
                  t->kinetic_limit, t->kinetic_bias.value, t->kinetic_bias.error, t->row[0].step);
    outfile_print(out, "  potential for h -> 0: %.6g +- %.2g", t->potential.value,
                  t->potential.error);
    if (!isnan(t->exact))
        outfile_print(out, ", %.1f standard errors off", t->potential_limit);
    outfile_print(out, "; h^2 part %.2g +- %.2g\n", t->potential_bias.value,
                  t->potential_bias.error);
    if (t->potential_power.error < 1.0)
        outfile_print(out, "  its bias goes with the power %.2f +- %.2f of h\n",
                      t->potential_power.value, t->potential_power.error);
    outfile_print(out, "  %s\n",
                  t->verdict == PH_ANSWER_YES  ? "It samples this temperature."
                  : t->verdict == PH_ANSWER_NO ? "It does not sample this temperature."
                                               : "Undecided: errors are above 3 %.");
}

/* Methods measured so far, of how many. */
typedef struct work {
    size_t done, count;
} work;

static bool go_on(void *context, double part)
{
    const work *w = context;
    progress_show(w->done, ((double)w->done + part) / (double)w->count);
    return !interrupted;
}

/* Measures the methods one after the other; prints them, or puts them into an array. */
static int measure_all(const method_list *named, const ph_system_settings *settings,
                       uint64_t samples, json_t *array, outfile *out)
{
    const char *problem = settings->problem;
    bool failed = false;
    work w = {0, named->count};
    for (; w.done < w.count && !interrupted; w.done++) {
        const listed_method *m = named->method[w.done];
        ph_message why = {0};
        ph_thermal t;
        ph_system_settings with = *settings;
        with.integrator = m->by.name;
        with.own_integrator = m->by.own;
        with.message = &why;
        const ph_status status = ph_measure_thermal(&with, samples, go_on, &w, &t);
        progress_wipe();
        REFUSE_IF(status != PH_OK && why.text[0] != '\0', "%s%s", m->by.place, why.text);
        if (status != PH_OK)
            return fail_run("%s on %s: %s: take a smaller step", m->name, problem,
                            ph_status_text(status));
        if (t.samples == 0)
            break;
        failed = failed || t.verdict == PH_ANSWER_NO;
        if (array != NULL)
            (void)json_array_append_new(array, thermal_json(m->name, problem, &t));
        else
            print_thermal(out, m->name, problem, &t);
    }
    if (w.done < w.count)
        return stopped("interrupted after %zu of %zu methods%s", w.done, w.count,
                       array != NULL ? ": nothing is printed" : "");
    return failed ? EXIT_FAILURE : 0;
}

int check_thermal(const arguments *given, const method_list *named, const scenario *input,
                  outfile *out)
{
    static const char *const names[] = {"temperature", "friction", "seed"}, *const options[] = {
                                                                                "--temperature",
                                                                                "--friction",
                                                                                "--seed"};
    const char *problem = argument(given, "--problem");
    enum { MOST = COUNT(names) + 16 };
    double x[COUNT(names)], step = 0.0, samples = 0.0;
    ph_setting set[MOST];
    size_t count = 0;
    REFUSE_IF(problem == NULL || argument(given, "--temperature") == NULL,
              "--ensemble measures a problem at a temperature: add --problem NAME and "
              "--temperature T");
    for (size_t k = 0; k < COUNT(names); k++) {
        if (argument(given, options[k]) == NULL)
            continue;
        TRY(argument_numbers(given, options[k], 1, &x[k]));
        set[count++] = (ph_setting){names[k], &x[k], 1};
    }
    if (argument(given, "--step") != NULL) {
        time_unit_of(problem);
        TRY(argument_durations(given, "--step", 1, &step));
        REFUSE_IF(!(step > 0.0), "--step is not above 0: write a number above 0");
    }
    if (argument(given, "--samples") != NULL)
        TRY(argument_numbers(given, "--samples", 1, &samples));
    REFUSE_IF(!(samples >= 0.0 && samples <= 0x1p40), "--samples %g: write up to 2^40", samples);
    REFUSE_IF(count + input->named_count > MOST, "too many --set: write fewer");
    for (size_t k = 0; k < input->named_count; k++) {
        const setting *value = &input->named[k];
        if (value->of_start)
            continue;
        REFUSE_IF(value->unit[0] != NULL, "--set %s has a unit: write the number alone",
                  value->name);
        set[count++] = (ph_setting){value->name, value->x, value->count};
    }
    json_t *array = argument(given, "--json") != NULL ? json_array() : NULL;
    const ph_system_settings with = {problem, .step = step, .settings = set,
                                     .setting_count = count};
    progress_begin(false);
    const int status = measure_all(named, &with, (uint64_t)samples, array, out);
    progress_end();
    if (array == NULL)
        return status;
    json_t *one = named->count == 1 ? json_array_get(array, 0) : array;
    const bool measured = json_array_size(array) == named->count;
    const int printed = measured ? put_json(out, json_incref(one), JSON_INDENT(2)) : 0;
    json_decref(array);
    return printed != 0 ? printed : status;
}
