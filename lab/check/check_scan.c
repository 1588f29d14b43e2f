/* check_scan.c - the drift of the energy, predicted and measured; how large a step may be. */
#include "check_output.h"

#include <math.h>

#include "base/extremes.h"
#include "cli/files/json.h"
#include "cli/files/memory.h"
#include "cli/files/plot.h"
#include "cli/output/loop.h"
#include "cli/tool/tool.h"
#include "polhode/measure.h"

/* The problem, and the step if one is given; else 0. */
static int read_given(const arguments *given, const char *which, double *step)
{
    REFUSE_IF(argument(given, "--problem") == NULL, "%s without a problem: add --problem NAME",
              which);
    *step = 0.0;
    if (argument(given, "--step") == NULL)
        return 0;
    TRY(argument_numbers(given, "--step", 1, step));
    REFUSE_IF(!(*step > 0.0), "--step is not above 0: write a number above 0");
    return 0;
}

static ph_system_settings settings_of(const listed_method *m, const arguments *given,
                                      ph_message *why)
{
    return (ph_system_settings){argument(given, "--problem"), .integrator = m->by.name,
                                .own_integrator = m->by.own, .message = why};
}

static int refused(const listed_method *m, ph_status status, const ph_message *why)
{
    REFUSE_IF(status == PH_NOT_APPLICABLE && why->text[0] == '\0',
              "`" WORDS "` has no fixed steps, or no error of its own: take another method",
              m->name);
    REFUSE_IF(status != PH_OK && why->text[0] != '\0', "%s%s", m->by.place, why->text);
    return status == PH_OK
               ? 0
               : fail_run("%s: %s: take a smaller step", m->name, ph_status_text(status));
}

/* ---- drift ----------------------------------------------------------------------- */

static json_t *slope_json(double step, double slope, double error, double power)
{
    return json_pack("{so so so so}", "step", json_finite(step), "slope", json_finite(slope),
                     "error", json_finite(error), "power", json_finite(power));
}

static json_t *drift_json(const char *name, const char *problem, const ph_drift_measurement *d)
{
    const ph_drift_slope *m = d->measured;
    json_t *measured = slope_json(m->step, m->slope, m->error, d->power);
    json_put(measured, "starts", json_integer(m->starts));
    return json_pack(
        "{ss ss si so so so}", "name", name, "problem", problem, "order", d->order, "predicted",
        slope_json(d->step, d->predicted, d->predicted_error, d->predicted_power), "measured",
        measured, "measured_half_step", slope_json(m[1].step, m[1].slope, m[1].error, NAN));
}

static void print_drift(outfile *out, const char *name, const char *problem,
                        const ph_drift_measurement *d)
{
    outfile_print(out, "%s on %s, order %d: slope of the energy per time\n", name, problem,
                  d->order);
    outfile_print(out, "  %-10s %+.3e +- %.0e  h = %g, as h^%d\n", "predicted", d->predicted,
                  d->predicted_error, d->step, d->predicted_power);
    for (int k = 0; k < 2; k++) {
        const ph_drift_slope *m = &d->measured[k];
        outfile_print(out, "  %-10s %+.3e +- %.0e  h = %g, %d starts\n", "measured", m->slope,
                      m->error, m->step, m->starts);
    }
    if (isfinite(d->power))
        outfile_print(out, "  %-10s as h^%.2f\n", "", d->power);
}

int check_drift(const arguments *given, const method_list *named, outfile *out)
{
    const char *problem = argument(given, "--problem");
    const bool json = argument(given, "--json") != NULL;
    double step = 0.0;
    TRY(read_given(given, "--drift", &step));
    json_t *array = json_array();
    int status = 0;
    for (size_t i = 0; i < named->count && status == 0 && !interrupted; i++) {
        const listed_method *m = named->method[i];
        ph_message why = {0};
        ph_drift_measurement d;
        const ph_system_settings with = settings_of(m, given, &why);
        status = refused(m, ph_measure_drift(&with, step, &d), &why);
        if (status == 0 && json)
            json_add(array, drift_json(m->name, problem, &d));
        else if (status == 0)
            print_drift(out, m->name, problem, &d);
    }
    if (status == 0 && json)
        return put_json(
            out, named->count == 1 ? json_incref(json_array_get(array, 0)) : json_incref(array),
            JSON_INDENT(2));
    json_decref(array);
    return status;
}

/* ---- steps ----------------------------------------------------------------------- */

enum { SHAPES = 25 };

typedef struct shapes {
    size_t count;
    double shape[SHAPES]; /* (J2 - J1)/(J3 - J1), of ordered moments; NaN: as it is */
    ph_step_scan *scan;
} shapes;

static json_t *scan_json(const char *name, const char *problem, const ph_step_scan *s)
{
    json_t *rows = json_array(), *tongues = json_array();
    for (int k = 0; k < PH_SCAN_STEPS; k++) {
        const ph_scan_row *r = &s->row[k];
        json_add(rows, json_pack("{sf sf so so sb}", "step", r->step, "turn", r->turn,
                                 "energy_error", json_finite(r->error), "power",
                                 json_finite(r->power), "tongue", (int)r->tongue));
        if (r->tongue)
            json_add(tongues, json_real(r->step));
    }
    return json_pack("{ss ss si sf sf sf so so}", "name", name, "problem", problem, "order",
                     s->order, "rate", s->rate, "largest_step", s->bounded, "order_reduced_from",
                     s->reduced, "tongues", tongues, "steps", rows);
}

static void print_scan(outfile *out, const char *name, const char *problem, const ph_step_scan *s)
{
    const int every = 8;
    outfile_print(out, "%s on %s, order %d: 2000 steps of each length\n", name, problem, s->order);
    outfile_print(out, "  %10s  %10s  %12s  %6s\n", "step", "step*rate", "energy error", "power");
    for (int k = 0; k < PH_SCAN_STEPS; k += every) {
        const ph_scan_row *r = &s->row[k];
        outfile_print(out, "  %10.4g  %10.3g  %12.2e", r->step, r->turn, r->error);
        if (isfinite(r->power))
            outfile_print(out, "  %6.2f", r->power);
        outfile_print(out, "%s\n", r->tongue ? "  tongue" : "");
    }
    outfile_print(out, "  largest step with the energy within a tenth: %.4g, %.3g rad\n",
                  s->bounded, s->bounded * s->rate);
    if (s->reduced > 0.0)
        outfile_print(out, "  the order is lost from %.4g on, %.3g rad\n", s->reduced,
                      s->reduced * s->rate);
    outfile_print(out, "  tongues, errors above those of smaller and larger steps: %d\n",
                  s->tongues);
}

/* The same for other shapes of the body, if it is one. */
static void scan_shapes(ph_system_settings with, shapes *all)
{
    const ph_problem *p = NULL;
    if (ph_problem_named(with.problem, &p) != PH_OK)
        return;
    const ph_vec3 J = p->body.J;
    const double least = smaller_or_nan(J.x, smaller_or_nan(J.y, J.z)),
                 most = larger_or_nan(J.x, larger_or_nan(J.y, J.z));
    for (size_t k = 0; k < SHAPES; k++) {
        const double x = (double)k / (SHAPES - 1),
                     moments[3] = {least, least + x * (most - least), most};
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
    plot_begin(script, format, "largest relative error of the energy in 2000 steps");
    plot_data_begin(script);
    (void)fprintf(script, "shape,turn,error,power\n");
    for (size_t i = 0; i < all->count; i++) {
        for (int k = 0; k < PH_SCAN_STEPS; k++) {
            const ph_scan_row *r = &all->scan[i].row[k];
            (void)fprintf(script, "%.6g,%.6g,%.6g,%.6g\n", all->shape[i], r->turn,
                          isfinite(r->error) ? r->error : 1e3, r->power);
        }
    }
    plot_data_end(script);
    return plot_end(script, all->count > 1 ? "steps" : "step_errors");
}

int check_steps(const arguments *given, const method_list *named, outfile *out)
{
    const listed_method *m = named->method[0];
    const char *problem = argument(given, "--problem");
    const bool json = argument(given, "--json") != NULL;
    pictures plots = {.given = given, .option = "--plot", .told = json ? NULL : out};
    shapes all = {.scan = memory_new(SHAPES + 1, sizeof(ph_step_scan))};
    ph_message why = {0};
    double step = 0.0;
    REFUSE_IF(named->count != 1, "--steps scans one method: name one");
    TRY(read_given(given, "--steps", &step));
    TRY(pictures_open(&plots, false));
    ph_system_settings with = settings_of(m, given, &why);
    with.step = step;
    TRY(refused(m, ph_scan_steps(&with, &all.scan[0]), &why));
    TRY(json ? put_json(out, scan_json(m->name, problem, &all.scan[0]), JSON_INDENT(2))
             : (print_scan(out, m->name, problem, &all.scan[0]), 0));
    if (plots.count == 0)
        return 0;
    all.shape[0] = NAN;
    scan_shapes(with, &all);
    all.count = all.count == 0 ? 1 : all.count;
    return pictures_draw(&plots, write_script, &all);
}
