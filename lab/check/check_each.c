/* check_each.c - measurements of each method in turn on a problem: the drift of the energy, predicted and
 * measured; how large a step may be; what a thermostat samples. */
#include <inttypes.h>
#include <math.h>
#include <stddef.h>

#include "base/extremes.h"
#include "check_output.h"
#include "lab/measure/properties.h"
#include "tool/base/tool.h"
#include "tool/files/json.h"
#include "tool/files/memory.h"
#include "tool/files/picture.h"
#include "tool/output/loop.h"

/* ---- each method in turn --------------------------------------------------------------------- */

int check_each(check_job *j, check_one *one, bool single)
{
    int status = 0;
    progress_begin(false);
    while (j->done < j->count && status == 0 && !interrupted) {
        progress_wipe();
        render_item(&j->r, NULL);
        status = one(j, j->done);
        render_close(&j->r);
        j->done += status == 0 && !interrupted;
        progress_show(j->done, (double)j->done / (double)j->count);
    }
    progress_end();
    if (status == 0 && j->done < j->count)
        return stopped("interrupted after %zu of %zu methods: %s", j->done, j->count,
                       j->r.as == AS_JSON ? "nothing is printed" : "the output contains these");
    if (status == 0)
        status = render_end(&j->r, single && j->count == 1, JSON_INDENT(2));
    return first_error(status, j->status);
}

ph_system_settings check_settings(const check_job *j, size_t i, ph_message *why)
{
    ph_system_settings with = j->on;
    with.integrator = j->named->method[i]->by.name;
    with.own_integrator = j->named->method[i]->by.own;
    with.message = why;
    *why = (ph_message){0};
    return with;
}

int check_refused(const check_job *j, size_t i, ph_status status, const ph_message *why)
{
    const listed_method *m = j->named->method[i];
    REFUSE_IF(status == PH_NOT_APPLICABLE && why->text[0] == '\0',
              "`" WORDS "` has no fixed steps, or no error of its own: use another method, or "
              "check it without these options",
              m->name);
    REFUSE_IF(status != PH_OK && why->text[0] != '\0', "%s%s", m->by.place, why->text);
    if (status == PH_OK)
        return 0;
    return fail_run("%s on %s: %s: use another method, or a smaller step", m->name, j->on.problem,
                    ph_status_text(status));
}

/* The drift of the energy, predicted and measured; how large a step may be. */

/* Reads the step if one is given, and requires a problem. */
static int read_given(check_job *j, const char *which)
{
    REFUSE_IF(j->on.problem == NULL, "%s needs a problem: add --problem NAME", which);
    if (argument(j->given, "--step") == NULL)
        return 0;
    TRY(argument_numbers(j->given, "--step", 1, &j->on.step));
    REFUSE_IF(!(j->on.step > 0.0), "--step is not above 0: write a number above 0");
    return 0;
}

/* ---- drift ----------------------------------------------------------------------- */

#define SLOPE      "%+.3e +- %.0e  h = %g, "
#define SLOPE_KEYS "slope error step "

static int drift_of(check_job *j, size_t i)
{
    ph_message why;
    ph_drift_measurement d;
    rendering *r = &j->r;
    const ph_system_settings with = check_settings(j, i, &why);
    TRY(check_refused(j, i, ph_measure_drift(&with, j->on.step, &d), &why));
    render_line(r, "name problem order", "%s on %s, order %d: slope of the energy per time\n",
                j->named->method[i]->name, with.problem, d.order);
    render_object(r, "predicted");
    render_line(r, SLOPE_KEYS, "  predicted  " SLOPE "as h^%d\n", d.predicted, d.predicted_error,
                d.step, d.predicted_power);
    render_data(r, "power", "%g", (double)d.predicted_power);
    render_close(r);
    static const char *const names[] = {"measured", "measured_half_step"}, *const keys[] = {
                                                                               SLOPE_KEYS "starts",
                                                                               SLOPE_KEYS};
    const double powers[] = {d.power, NAN};
    for (int k = 0; k < 2; k++) {
        const ph_drift_slope *m = &d.measured[k];
        render_object(r, names[k]);
        render_line(r, keys[k], "  measured   " SLOPE "%d starts\n", m->slope, m->error, m->step,
                    m->starts);
        render_data(r, "power", "%g", powers[k]);
        render_close(r);
    }
    if (isfinite(d.power))
        render_text(r, "             as h^%.2f\n", d.power);
    return 0;
}

int check_drift(check_job *j)
{
    TRY(read_given(j, "--drift"));
    return check_each(j, drift_of, true);
}

/* ---- steps ----------------------------------------------------------------------- */

enum { SHAPES = 25 };

typedef struct shapes {
    const char *title, *name;
    size_t count;             /* of scans; the first one is of the body as it is */
    double shape[SHAPES + 1]; /* (J2 - J1)/(J3 - J1), of ordered moments; NaN: it has none */
    ph_step_scan *scan;
} shapes;

/* States a scan: all rows for programs, every eighth for people. */
static void render_scan(rendering *r, const char *name, const char *problem, const ph_step_scan *s)
{
    const int every = r->as == AS_JSON ? 1 : 8;
    render_line(r, "name problem order", "%s on %s, order %d: 2000 steps of each length\n", name,
                problem, s->order);
    render_text(r, "  %10s  %10s  %12s  %6s\n", "step", "step*rate", "energy error", "power");
    render_value(r, "tongues", json_array());
    for (int k = 0; k < PH_SCAN_STEPS; k += every) {
        const ph_scan_row *row = &s->row[k];
        render_item(r, "steps");
        render_line(r, "step turn energy_error", "  %10.4g  %10.3g  %12.2e", row->step, row->turn,
                    row->error);
        if (isfinite(row->power))
            render_text(r, "  %6.2f", row->power);
        render_text(r, "%s\n", text_if(row->tongue, "  tongue"));
        render_data(r, "power ?tongue", "%g %s", row->power, yes_or_no(row->tongue));
        render_close(r);
        if (row->tongue && r->as == AS_JSON)
            json_add(json_object_get(r->open[0], "tongues"), json_real(row->step));
    }
    render_line(r, "largest_step",
                "  largest step with the energy within a tenth: %.4g, %.3g rad\n", s->bounded,
                s->bounded * s->rate);
    if (s->reduced > 0.0)
        render_text(r, "  the order is lost from %.4g on, %.3g rad\n", s->reduced,
                    s->reduced * s->rate);
    render_text(r, "  tongues, with larger errors than steps beside them: %d\n", s->tongues);
    render_data(r, "rate order_reduced_from", "%g %g", s->rate, s->reduced);
}

/* Scans other shapes of the body, if it is one: the middle moment varies from the smallest to the
 * largest, and every axis keeps its place. */
static void scan_shapes(ph_system_settings with, shapes *all)
{
    const ph_problem *p = NULL;
    if (ph_problem_named(with.problem, &p) != PH_OK)
        return;
    const double J[3] = {p->body.J.x, p->body.J.y, p->body.J.z};
    size_t least = 0, most = 2;
    for (size_t k = 0; k < 3; k++) {
        if (J[k] < J[least])
            least = k;
        if (J[2 - k] > J[most])
            most = 2 - k;
    }
    const size_t middle = 3 - least - most;
    const double range = J[most] - J[least];
    if (!(range > 0.0)) /* a sphere */
        return;
    all->shape[0] = (J[middle] - J[least]) / range;
    for (size_t k = 0; k < SHAPES; k++) {
        const double x = (double)k / (SHAPES - 1);
        double moments[3] = {J[0], J[1], J[2]};
        moments[middle] = J[least] + x * range;
        const ph_setting inertia = {"inertia", moments, 3};
        with.settings = &inertia;
        with.setting_count = 1;
        with.step = all->scan[0].row[0].step;
        all->shape[all->count] = x;
        all->count += ph_scan_steps(&with, &all->scan[all->count]) == PH_OK;
    }
}

static bool write_script(FILE *script, plot_format format, const void *context)
{
    const shapes *all = context;
    const char *own = "NaN";
    if (isfinite(all->shape[0]))
        own = memory_text("%.17g", all->shape[0]);
    plot_begin(script, format, all->title);
    plot_text(script, "own_text", all->name);
    (void)fprintf(script, "own_shape = %s\n", own);
    plot_data_begin(script);
    (void)fprintf(script, "shape,turn,error\n");
    for (size_t i = 0; i < all->count; i++) {
        const char *shape = "";
        if (i > 0)
            shape = memory_text("%.6g", all->shape[i]);
        for (int k = 0; k < PH_SCAN_STEPS; k++) {
            const ph_scan_row *r = &all->scan[i].row[k];
            (void)fprintf(script, "%s,%.6g,%.6g\n", shape, r->turn,
                          isfinite(r->error) ? r->error : 1e3);
        }
    }
    plot_data_end(script);
    return plot_end(script, "steps");
}

int check_steps(check_job *j)
{
    pictures plots = {.given = j->given, .option = "--plot", .told = render_told(&j->r)};
    shapes all = {.count = 1, .shape = {NAN}, .scan = memory_new(SHAPES + 1, sizeof(ph_step_scan))};
    ph_message why;
    REFUSE_IF(j->count != 1, "--steps needs exactly one method: name one");
    TRY(read_given(j, "--steps"));
    TRY(pictures_open(&plots, false));
    const ph_system_settings with = check_settings(j, 0, &why);
    TRY(check_refused(j, 0, ph_scan_steps(&with, &all.scan[0]), &why));
    render_item(&j->r, NULL);
    render_scan(&j->r, j->named->method[0]->name, with.problem, &all.scan[0]);
    TRY(render_end(&j->r, true, JSON_INDENT(2)));
    if (plots.count == 0)
        return 0;
    all.name = with.problem;
    all.title = memory_text("%s on %s: largest relative error of the energy in 2000 steps",
                            j->named->method[0]->name, with.problem);
    scan_shapes(with, &all);
    return pictures_draw(&plots, write_script, &all);
}

/* ---- what a thermostat samples --------------------------------------------------------------- */

/* Temperatures, the mean of the potential, and the bias of both over the step. */

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
