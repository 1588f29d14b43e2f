/* check_scan.c - the drift of the energy, predicted and measured; how large a step may be. */
#include "check_output.h"

#include <math.h>

#include "base/extremes.h"
#include "lab/measure/properties.h"
#include "tool/base/tool.h"
#include "tool/files/json.h"
#include "tool/files/memory.h"
#include "tool/files/picture.h"
#include "tool/output/loop.h"

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
    for (int k = 0; k < 2; k++) {
        const ph_drift_slope *m = &d.measured[k];
        render_object(r, k == 0 ? "measured" : "measured_half_step");
        render_line(r, k == 0 ? SLOPE_KEYS "starts" : SLOPE_KEYS,
                    "  measured   " SLOPE "%d starts\n", m->slope, m->error, m->step, m->starts);
        render_data(r, "power", "%g", k == 0 ? d.power : NAN);
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
    const int every = 8;
    render_line(r, "name problem order", "%s on %s, order %d: 2000 steps of each length\n", name,
                problem, s->order);
    render_text(r, "  %10s  %10s  %12s  %6s\n", "step", "step*rate", "energy error", "power");
    render_value(r, "tongues", json_array());
    for (int k = 0; k < PH_SCAN_STEPS; k += r->as == AS_JSON ? 1 : every) {
        const ph_scan_row *row = &s->row[k];
        render_item(r, "steps");
        render_line(r, "step turn energy_error", "  %10.4g  %10.3g  %12.2e", row->step, row->turn,
                    row->error);
        if (isfinite(row->power))
            render_text(r, "  %6.2f", row->power);
        render_text(r, "%s\n", row->tongue ? "  tongue" : "");
        render_data(r, "power ?tongue", "%g %s", row->power, row->tongue ? "yes" : "no");
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
        least = J[k] < J[least] ? k : least;
        most = J[2 - k] > J[most] ? 2 - k : most;
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
    plot_begin(script, format, all->title);
    plot_text(script, "own_text", all->name);
    (void)fprintf(script, "own_shape = %s\n",
                  isfinite(all->shape[0]) ? memory_text("%.17g", all->shape[0]) : "NaN");
    plot_data_begin(script);
    (void)fprintf(script, "shape,turn,error\n");
    for (size_t i = 0; i < all->count; i++) {
        for (int k = 0; k < PH_SCAN_STEPS; k++) {
            const ph_scan_row *r = &all->scan[i].row[k];
            (void)fprintf(script, "%s,%.6g,%.6g\n",
                          i == 0 ? "" : memory_text("%.6g", all->shape[i]), r->turn,
                          isfinite(r->error) ? r->error : 1e3);
        }
    }
    plot_data_end(script);
    return plot_end(script, "steps");
}

int check_steps(check_job *j)
{
    pictures plots = {
        .given = j->given, .option = "--plot", .told = j->r.as == AS_JSON ? NULL : j->r.out};
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
