/* work_plot.c - work and precision of several methods as a picture. */
#include "io/work_plot.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/extremes.h"
#include "io/graph.h"

#define LEAST 1e-17 /* errors below are drawn there */

enum { STEPS, SECONDS, PANELS, HIGHEST_ORDER = 32 };

/* ---- families and orders --------------------------------------------------------- */

/* The letters that a name begins with. */
static size_t family_length(const char *name)
{
    size_t n = 0;
    while (isalpha((unsigned char)name[n]))
        n++;
    return n;
}

static bool same_family(const char *a, const char *b)
{
    const size_t n = family_length(a);
    return n == family_length(b) && memcmp(a, b, n) == 0;
}

/* Which family it is, counted by first members. */
static size_t family_of(const work_curve *curves, size_t i)
{
    size_t family = 0;
    for (size_t k = 0; !same_family(curves[k].method, curves[i].method); k++) {
        bool first = true;
        for (size_t l = 0; l < k; l++)
            first = first && !same_family(curves[l].method, curves[k].method);
        family += first;
    }
    return family;
}

/* From 0 for the lowest order of the family to 1 for the highest; 1 if it is alone. */
static double rank(const work_curve *curves, size_t count, size_t i)
{
    size_t below = 0, others = 0;
    for (size_t k = 0; k < count; k++) {
        const bool relative = k != i && same_family(curves[k].method, curves[i].method);
        others += relative;
        const int less = curves[i].order - curves[k].order;
        below += relative && (k < i ? less >= 0 : less > 0);
    }
    return others == 0 ? 1.0 : (double)below / (double)others;
}

/* The mark of an order, by gnuplot's numbers: filled, and open for every second of the
 * same family and order. */
static int mark(const work_curve *curves, size_t i)
{
    enum {
        CROSS = 2,
        SQUARE = 5,
        DISC = 7,
        UP = 9,
        DOWN = 11,
        DIAMOND = 13,
        PENTAGON = 15
    };
    static const int marks[] = {CROSS, DISC,    SQUARE,
                                UP,    DIAMOND, DOWN}; /* of even orders */
    const int order = curves[i].order, known = (int)(sizeof marks / sizeof marks[0]);
    int alike = 0;
    for (size_t k = 0; k < i; k++)
        alike +=
            curves[k].order == order && same_family(curves[k].method, curves[i].method);
    const int filled = order % 2 == 0 && order / 2 < known ? marks[order / 2] : PENTAGON;
    return filled - alike % 2;
}

graph_style work_style(const work_curve *curves, size_t count, size_t i)
{
    const size_t family = family_of(curves, i);
    const double palest = 0.45;
    return (graph_style){.hue = family,
                         .dash = family,
                         .pale = palest * (1.0 - rank(curves, count, i)),
                         .mark = mark(curves, i)};
}

/* The orders that some have, ascending, and a 0. */
static void list_orders(const work_curve *curves, size_t count,
                        int orders[HIGHEST_ORDER + 1])
{
    size_t n = 0;
    for (int order = 1; order <= HIGHEST_ORDER; order++) {
        for (size_t i = 0; i < count; i++) {
            if (curves[i].order == order) {
                orders[n++] = order;
                break;
            }
        }
    }
    orders[n] = 0;
}

/* ---- the picture ----------------------------------------------------------------- */

static graph_point point_of(const work_point *p, int panel)
{
    const bool measured = isfinite(p->error) && p->seconds > 0.0;
    return (graph_point){.x = panel == STEPS ? fabs(p->step) : p->seconds,
                         .y = measured ? larger_or_nan(p->error, LEAST) : NAN};
}

/* Both panels' curves, out of room for so many curves and points. */
static void fill(const work_curve *curves, size_t count, graph_curve *curve,
                 graph_point *point)
{
    for (int panel = 0; panel < PANELS; panel++) {
        for (size_t i = 0; i < count; i++) {
            *curve++ = (graph_curve){curves[i].method, work_style(curves, count, i),
                                     curves[i].count, point};
            for (size_t k = 0; k < curves[i].count; k++)
                *point++ = point_of(&curves[i].point[k], panel);
        }
    }
}

/* All steps stand in the panel, also those that gave nothing. */
static graph_range step_range(const work_curve *curves, size_t count)
{
    const double air = 1.25;
    graph_range r = {INFINITY, 0.0};
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < curves[i].count; k++) {
            const double step = fabs(curves[i].point[k].step);
            r = (graph_range){smaller_or_nan(r.low, step / air),
                              larger_or_nan(r.high, step * air)};
        }
    }
    return r;
}

bool work_plot(FILE *script, plot_format format, const char *title,
               const work_curve *curves, size_t count, double floor)
{
    size_t points = 0;
    for (size_t i = 0; i < count; i++)
        points += curves[i].count;
    graph_curve *curve = calloc(PANELS * count + 1, sizeof *curve);
    graph_point *point = calloc(PANELS * points + 1, sizeof *point);
    int orders[HIGHEST_ORDER + 1];
    bool written = false;
    if (curve != NULL && point != NULL) {
        fill(curves, count, curve, point);
        list_orders(curves, count, orders);
        const graph_panel panel[PANELS] = {
            {.title = "Error and step",
             .xlabel = "step",
             .ylabel = "error, the larger of momentum and attitude",
             .log_x = true,
             .log_y = true,
             .x = step_range(curves, count),
             .floor = floor,
             .slopes = orders,
             .curves = count,
             .curve = curve},
            {.title = "Error and work",
             .xlabel = "computing time in seconds",
             .log_x = true,
             .log_y = true,
             .floor = floor,
             .curves = count,
             .curve = curve + count},
        };
        const graph g = {
            .title = title, .columns = PANELS, .panels = PANELS, .panel = panel};
        written = graph_write(script, format, &g);
    }
    free(curve);
    free(point);
    return written;
}
