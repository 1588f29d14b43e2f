/* drawing.c - the picture of a figure, out of its table. */
#include <stdlib.h>
#include <string.h>

#include "evidence/figure.h"
#include "io/work_plot.h"

enum { MOST_PANELS = 32, MOST_CURVES = 64 };

/* The panels of a picture, and what they are made of. */
typedef struct drawing {
    const table *t;
    bool legend;                    /* other panels show what `each` has its own for */
    const char *names[MOST_CURVES]; /* of the curves in all panels: they share styles */
    size_t name_count;
    size_t panels;
    graph_panel panel[MOST_PANELS];
    graph_curve *curve[MOST_PANELS]; /* of a panel */
    graph_point *point[MOST_PANELS];
} drawing;

static const char *word_at(const table *t, size_t row, const char *column)
{
    const cell *c = column == NULL ? NULL : table_cell(t, row, column);
    return c == NULL || c->word == NULL ? "" : c->word;
}

static bool taken(const figure_panel *p, const table *t, size_t row)
{
    return p->where == NULL || table_matches(t, row, p->where, p->equal);
}

/* The number of a curve, a new one for a new name; at most the last. */
static size_t index_of(drawing *d, const char *name)
{
    for (size_t i = 0; i < d->name_count; i++) {
        if (strcmp(d->names[i], name) == 0)
            return i;
    }
    if (d->name_count < MOST_CURVES)
        d->names[d->name_count++] = name;
    return d->name_count - 1;
}

static void add_points(drawing *d, const figure_panel *p, const char *name,
                       graph_curve *curve, graph_point *point)
{
    const table *t = d->t;
    const size_t index = index_of(d, name);
    *curve = (graph_curve){.name = name, .style = graph_style_at(index), .point = point};
    if (p->style != NULL)
        curve->style = p->style(name);
    for (size_t row = 0; row < t->rows; row++) {
        if (!taken(p, t, row) || strcmp(word_at(t, row, p->series), name) != 0)
            continue;
        point[curve->count++] = (graph_point){
            .x = p->x == NULL ? 0.0 : table_number(t, row, p->x),
            .y = table_number(t, row, p->y),
            .high = p->high == NULL ? 0.0 : table_number(t, row, p->high),
        };
    }
}

/* The words in the column `series` of the panel, in the order of their first rows. */
static size_t list_series(const table *t, const figure_panel *p, const char **names)
{
    size_t count = 0;
    for (size_t row = 0; row < t->rows && count < MOST_CURVES; row++) {
        const char *name = word_at(t, row, p->series);
        bool known = !taken(p, t, row);
        for (size_t i = 0; i < count && !known; i++)
            known = strcmp(names[i], name) == 0;
        if (!known)
            names[count++] = name;
    }
    return count;
}

static bool add_panel(drawing *d, const figure_panel *p, const char *title,
                      const char *const *names, size_t count)
{
    if (d->panels == MOST_PANELS)
        return true;
    graph_curve *curve = calloc(count + 1, sizeof *curve);
    graph_point *point = calloc(d->t->rows + 1, sizeof *point);
    d->curve[d->panels] = curve;
    d->point[d->panels] = point;
    graph_panel *to = &d->panel[d->panels++];
    if (curve == NULL || point == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        add_points(d, p, names[i], &curve[i], point);
        point += curve[i].count;
        if (p->each) { /* the title says what it is */
            curve[i].name = "";
            if (!d->legend)
                curve[i].style = graph_style_at(0);
        }
    }
    *to = (graph_panel){.title = title,
                        .xlabel = p->xlabel,
                        .ylabel = p->ylabel,
                        .zlabel = p->zlabel,
                        .look = p->look,
                        .log_x = p->log_x,
                        .log_y = p->log_y,
                        .x = p->x_range,
                        .y = p->y_range,
                        .z = p->z_range,
                        .floor = p->floor,
                        .slopes = p->slopes,
                        .curves = count,
                        .curve = curve};
    return true;
}

static bool add_panels(drawing *d, const figure_panel *p)
{
    const char *names[MOST_CURVES];
    const size_t count = list_series(d->t, p, names);
    if (!p->each)
        return add_panel(d, p, p->title, names, count);
    const size_t drawn = p->most != 0 && p->most < count ? p->most : count;
    bool good = true;
    for (size_t i = 0; i < drawn && good; i++)
        good = add_panel(d, p, names[i], &names[i], 1);
    return good;
}

/* Styles by family and order, once all names are known. */
static void style_families(drawing *d)
{
    work_curve all[MOST_CURVES];
    for (size_t i = 0; i < d->name_count; i++) {
        ph_integrator integrator = {0};
        all[i] = (work_curve){.method = d->names[i]};
        if (ph_integrator_named(d->names[i], &integrator) == PH_OK)
            all[i].order = ph_integrator_order(&integrator);
    }
    for (size_t i = 0; i < d->panels; i++) {
        for (size_t k = 0; k < d->panel[i].curves; k++) {
            graph_curve *c = &d->curve[i][k];
            c->style = work_style(all, d->name_count, index_of(d, c->name));
        }
    }
}

bool figure_draw(const ph_figure *f, const table *t, FILE *script, plot_format format)
{
    if (f->draw != NULL)
        return f->draw(f, t, script, format);
    drawing *d = calloc(1, sizeof *d);
    bool good = d != NULL;
    if (good)
        d->t = t;
    for (size_t i = 0; i < f->panels && good; i++)
        d->legend = d->legend || !f->panel[i].each;
    for (size_t i = 0; i < f->panels && good; i++)
        good = add_panels(d, &f->panel[i]);
    if (good && f->panels > 0 && f->panel[0].families)
        style_families(d);
    if (good) {
        const size_t most = 3, panels = d->panels > 0 ? d->panels : 1,
                     columns = f->columns != 0 ? f->columns
                               : panels < most ? panels
                                               : most;
        const graph g = {.title = f->title,
                         .columns = columns,
                         .panels = d->panels,
                         .panel = d->panel};
        good = graph_write(script, format, &g);
    }
    for (size_t i = 0; d != NULL && i < d->panels; i++) {
        free(d->curve[i]);
        free(d->point[i]);
    }
    free(d);
    return good;
}
