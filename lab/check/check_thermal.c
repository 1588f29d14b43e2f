/* check_thermal.c - what a thermostat samples: temperatures, the mean of the potential, and the
 * bias of both over the step. */
#include "check_output.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>

#include "lab/measure/properties.h"
#include "tool/base/tool.h"

/* The columns of the text: a mean and its error for each step, or a number alone. */
#define MEAN   "  %11.5g +- %-8.2g"
#define NUMBER "  %11.5g   %9s"

static void render_mean(rendering *r, const char *key, ph_mean m)
{
    render_object(r, key);
    render_data(r, "value error", "%g %g", m.value, m.error);
    render_close(r);
}

/* Adds the means that exist to an array. */
static void render_means(rendering *r, const char *key, const ph_mean *m, int count)
{
    render_value(r, key, json_array());
    for (int k = 0; k < count; k++) {
        if (isnan(m[k].value))
            continue;
        render_item(r, key);
        render_data(r, "value error", "%g %g", m[k].value, m[k].error);
        render_close(r);
    }
}

/* Prints the mean at this place of each row, unless it does not exist. */
static void print_means(rendering *r, const char *name, const ph_thermal *t, size_t place)
{
    const ph_mean *first = (const ph_mean *)((const char *)t->row + place);
    if (isnan(first->value))
        return;
    render_text(r, "  %-18s", name);
    for (int k = 0; k < PH_THERMAL_STEPS; k++) {
        const ph_mean *m = (const ph_mean *)((const char *)&t->row[k] + place);
        render_text(r, MEAN, m->value, m->error);
    }
    render_text(r, "\n");
}

/* States what was found with each step: a column for people, an object for programs. */
static void render_steps(rendering *r, const ph_thermal *t)
{
    static const char *const axes[PH_THERMAL_AXES] = {"x", "y", "z", "axis 1", "axis 2", "axis 3"};
    const size_t kinetic = offsetof(ph_thermal_row, kinetic),
                 within = offsetof(ph_thermal_row, within);
    render_text(r, "  %-18s", "step");
    for (int k = 0; k < PH_THERMAL_STEPS; k++) {
        const ph_thermal_row *row = &t->row[k];
        render_item(r, "steps");
        render_line(r, "step", NUMBER, row->step, "");
        render_means(r, "translation", row->kinetic, 3);
        render_means(r, "rotation", row->kinetic + 3, 3);
        render_means(r, "within", row->within, 2);
        render_mean(r, "potential", row->potential);
        render_data(r, "autocorrelation_time", "%g", row->time);
        render_close(r);
    }
    render_text(r, "\n");
    for (size_t axis = 0; axis < PH_THERMAL_AXES; axis++)
        print_means(r, axes[axis], t, kinetic + axis * sizeof(ph_mean));
    print_means(r, "translation within", t, within);
    print_means(r, "rotation within", t, within + sizeof(ph_mean));
    print_means(r, "potential", t, offsetof(ph_thermal_row, potential));
    if (!isnan(t->exact))
        render_text(r, "    exactly           %11.5g   by quadrature over all attitudes\n",
                    t->exact);
    render_text(r, "  %-18s", "its memory");
    for (int k = 0; k < PH_THERMAL_STEPS; k++)
        render_text(r, "  %11.3g   %9s", t->row[k].time, "");
    render_text(r, "\n");
}

static void render_thermal(rendering *r, const char *name, const char *problem, const ph_thermal *t)
{
    static const char *const words[] = {[PH_ANSWER_YES] = "samples",
                                        [PH_ANSWER_NO] = "does not",
                                        [PH_ANSWER_UNRESOLVED] = "undecided"},
                             *const sentences[] = {
                                 [PH_ANSWER_YES] = "It samples this temperature.",
                                 [PH_ANSWER_NO] = "It does not sample this temperature.",
                                 [PH_ANSWER_UNRESOLVED] = "Undecided: errors are above 3 %."};
    render_line(r, "name problem temperature samples",
                "%s on %s at the temperature %g, %" PRIu64 " steps each\n", name, problem,
                t->temperature, t->samples);
    render_data(r, "exact_potential", "%g", t->exact);
    render_steps(r, t);
    render_line(r, "kinetic_limit",
                "  temperature for h -> 0: %.1f standard errors off at worst; "
                "largest h^2 part %.2g +- %.2g at h = %g\n",
                t->kinetic_limit, t->kinetic_bias.value, t->kinetic_bias.error, t->row[0].step);
    render_text(r, "  potential for h -> 0: %.6g +- %.2g", t->potential.value, t->potential.error);
    if (!isnan(t->exact))
        render_text(r, ", %.1f standard errors off", t->potential_limit);
    render_text(r, "; h^2 part %.2g +- %.2g\n", t->potential_bias.value, t->potential_bias.error);
    if (t->potential_power.error < 1.0)
        render_text(r, "  its bias is proportional to the power %.2f +- %.2f of h\n",
                    t->potential_power.value, t->potential_power.error);
    render_mean(r, "kinetic_bias", t->kinetic_bias);
    render_data(r, "potential_limit", "%g", t->potential_limit);
    render_mean(r, "potential_bias", t->potential_bias);
    render_mean(r, "potential", t->potential);
    render_mean(r, "potential_power", t->potential_power);
    render_text(r, "  %s\n", sentences[t->verdict]);
    render_data(r, "verdict", "%s", words[t->verdict]);
}

static bool go_on(void *context, double part)
{
    const check_job *j = context;
    progress_show(j->done, ((double)j->done + part) / (double)j->count);
    return !interrupted;
}

/* Does nothing more after Ctrl-C. */
static int thermal_of(check_job *j, size_t i)
{
    ph_message why;
    ph_thermal t;
    const ph_system_settings with = check_settings(j, i, &why);
    const ph_status status = ph_measure_thermal(&with, j->samples, go_on, j, &t);
    progress_wipe();
    TRY(check_refused(j, i, status, &why));
    if (t.samples == 0)
        return 0;
    if (t.verdict == PH_ANSWER_NO)
        j->status = EXIT_FAILED;
    render_thermal(&j->r, j->named->method[i]->name, with.problem, &t);
    return 0;
}

int check_thermal(check_job *j)
{
    const arguments *given = j->given;
    const scenario *input = j->input;
    static const char *const names[] = {"temperature", "friction", "seed"}, *const options[] = {
                                                                                "--temperature",
                                                                                "--friction",
                                                                                "--seed"};
    const char *problem = j->on.problem;
    enum { MOST = COUNT(names) + 16 };
    double x[COUNT(names)], step = 0.0, samples = 0.0;
    ph_setting set[MOST];
    size_t count = 0;
    REFUSE_IF(
        problem == NULL || argument(given, "--temperature") == NULL,
        "--ensemble needs a problem and a temperature: add --problem NAME and --temperature T");
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
    REFUSE_IF(!(samples >= 0.0 && samples <= 0x1p40), "--samples %g: write a number up to 2^40",
              samples);
    REFUSE_IF(count + input->named_count > MOST, "too many --set: write fewer");
    for (size_t k = 0; k < input->named_count; k++) {
        const setting *value = &input->named[k];
        if (value->of_start)
            continue;
        REFUSE_IF(value->unit[0] != NULL, "--set %s cannot have a unit: write the number alone",
                  value->name);
        set[count++] = (ph_setting){value->name, value->x, value->count};
    }
    j->on.step = step;
    j->on.settings = set;
    j->on.setting_count = count;
    j->samples = (uint64_t)samples;
    return check_each(j, thermal_of, true);
}
