/* figure.c - the work of a figure: how much, how far, and where its random numbers
 * begin. */
#include "papers/figure.h"

#include <string.h>

#include "base/random.h"

#include "figure_texts.h" /* text_rows, written by the build */

const char *figure_effort_text(figure_effort effort)
{
    static const char *const texts[] = {"smoke", "quick", "full"};
    return texts[effort];
}

double by_effort(const figure_work *work, double smoke, double quick, double full)
{
    return work->effort == FIGURE_FULL    ? full
           : work->effort == FIGURE_QUICK ? quick
                                          : smoke;
}

bool report_progress(figure_work *work, double fraction)
{
    if (work->report != NULL)
        work->stopped =
            !work->report(work->context, work->before + work->share * fraction);
    return !work->stopped;
}

bool report_step(figure_work *work, uint64_t step, long steps)
{
    return step % REPORT_EVERY != 0 ||
           report_progress(work, (double)step / (double)steps);
}

bool find_integrator(figure_work *work, const char *name, ph_integrator *integrator)
{
    if (ph_integrator_named(name, integrator) == PH_OK)
        return true;
    work->error = "a method is missing";
    return false;
}

ph_system *create_system(figure_work *work, const ph_system_settings *settings)
{
    ph_system *s;
    const ph_status status = ph_system_create(settings, &s);
    if (status == PH_OK)
        return s;
    work->error = ph_status_text(status);
    return NULL;
}

ph_system *find_system(figure_work *work, const char *problem, const char *integrator,
                       double h)
{
    return create_system(
        work, &(ph_system_settings){problem, .integrator = integrator, .step = h});
}

uint64_t figure_seed(const char *name)
{
    uint64_t seed = 1; /* of all figures */
    for (; *name != '\0'; name++) {
        seed ^= (unsigned char)*name;
        seed = random_bits(&seed);
    }
    return seed;
}

const figure_text *figure_text_of(const ph_figure *f)
{
    static const figure_text none = {"", "", "", "", ""};
    for (size_t i = 0; i < COUNT(text_rows); i++) {
        if (strcmp(text_rows[i].name, f->name) == 0)
            return &text_rows[i];
    }
    return &none;
}

bool figure_compute(const ph_figure *f, figure_work *work, table *t)
{
    work->figure = f;
    work->seed = figure_seed(f->name);
    work->share = 1.0;
    return f->compute(work, t);
}

void figure_judge(const ph_figure *f, const table *t, claims *out)
{
    *out = (claims){.context = f->context};
    f->judge(t, out);
}

bool figure_draw(const ph_figure *f, const char *csv, FILE *script, plot_format format)
{
    plot_begin(script, format, figure_text_of(f)->title);
    plot_text(script, "figure", f->name);
    return plot_data_file(script, csv) && plot_end(script, f->plot);
}
