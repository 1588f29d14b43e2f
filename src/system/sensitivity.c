/* sensitivity.c - how the time of an event depends on what a system has derivatives by.
 *
 * An event is where g(t, state) = 0. With x a number of the start, the tensor or the parameters
 *
 *   dt/dx = - g_x / g_t,   g_x along the column of derivatives by x, g_t along the motion
 *
 * both by differences of fourth order, over DISTANCE of a radian and of the size of m.
 */
#include <math.h>
#include <stdlib.h>

#include "base/arguments.h"
#include "base/array.h"
#include "base/extremes.h"
#include "motion/vec.h"
#include "system/events.h"
#include "system/snapshot.h"

static const double DISTANCE = 0x1p-11;

/* The value of an event on its way. */
typedef struct look {
    const ph_event *event;
    double value;
} look;

static bool take_value(void *context, ph_system *s)
{
    look *l = context;
    l->value = ph_event_value(l->event, s);
    return true;
}

/* (8 (g(d) - g(-d)) - g(2d) + g(-2d)) / 12 d, of values at -2, -1, 1, 2 times d. */
static double slope(const double g[4], double d)
{
    return (8.0 * (g[2] - g[1]) - (g[3] - g[0])) / (12.0 * d);
}

static const double POINT[4] = {-2.0, -1.0, 1.0, 2.0};

static ph_status by_time(ph_system *s, const ph_event *e, double d, double *out)
{
    double g[4];
    for (int k = 0; k < 4; k++) {
        look l = {e, NAN};
        const ph_status status =
            ph_system_observe_at(s, ph_system_clock(s) + POINT[k] * d, take_value, &l);
        if (status != PH_OK)
            return status;
        g[k] = l.value;
    }
    *out = slope(g, d);
    return PH_OK;
}

/* A state in place of the present one. */
static ph_status set_state(ph_system *s, ph_state to)
{
    const ph_array *q, *m;
    if (ph_system_array_named(s, "attitude", &q) != PH_OK ||
        ph_system_array_named(s, "momentum", &m) != PH_OK)
        return PH_NOT_APPLICABLE;
    const double x[7] = {to.q.w, to.q.x, to.q.y, to.q.z, to.m.x, to.m.y, to.m.z};
    for (int k = 0; k < 7; k++)
        *(k < 4 ? q->data[k] : m->data[k - 4]) = x[k];
    return ph_system_changed(s);
}

/* The largest rate of turning about an axis, 1 at rest. */
static double speed_of(const ph_system *s)
{
    const ph_array *w;
    double speed = 0.0;
    for (int k = 0; ph_system_array_named(s, "velocity", &w) == PH_OK && k < 3; k++)
        speed = larger_or_nan(speed, fabs(*w->data[k]));
    return speed > 0.0 ? speed : 1.0;
}

static ph_status by_column(ph_system *s, const ph_event *e, const ph_system_column *c, double *out)
{
    const ph_state now = ph_system_state(s);
    const double m = norm_max(now.m) > 0.0 ? norm_max(now.m) : 1.0,
                 size = larger_or_nan(norm_max(c->attitude), norm_max(c->momentum) / m),
                 d = size > 0.0 ? DISTANCE / size : 1.0;
    double g[4];
    for (int k = 0; k < 4; k++) {
        const double by = POINT[k] * d;
        const ph_state moved = {mul(now.q, ph_rotation_exp(scale(by, c->attitude))),
                                add(now.m, scale(by, c->momentum))};
        const ph_status status = set_state(s, moved);
        if (status != PH_OK)
            return status;
        g[k] = ph_event_value(e, s);
    }
    *out = slope(g, d);
    return set_state(s, now);
}

ph_status ph_system_event_derivative(ph_system *s, const ph_event *event, double *by)
{
    if (ANY_NULL(s, event, by) || (event->value == NULL && event->condition == NULL))
        return PH_NULL_ARGUMENT;
    const size_t columns = ph_system_derivative_count(s), size = ph_system_save(s, NULL, 0);
    if (columns == 0)
        return PH_NOT_APPLICABLE;
    void *saved = array_create(size, 1);
    ph_system_column *column = array_create(columns, sizeof *column);
    ph_status status = saved && column ? PH_OK : PH_NO_MEMORY;
    if (status == PH_OK) {
        double rate = 0.0;
        (void)ph_system_save(s, saved, size);
        for (size_t c = 0; c < columns; c++)
            (void)ph_system_derivative(s, c, &column[c]);
        status = by_time(s, event, DISTANCE / speed_of(s), &rate);
        for (size_t c = 0; c < columns && status == PH_OK; c++) {
            status = by_column(s, event, &column[c], &by[c]);
            by[c] /= -rate;
        }
        ph_system_return_to(s, saved, size);
    }
    free(saved);
    free(column);
    return status;
}
