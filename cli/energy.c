/* energy.c - the energy of a run, sample by sample.
 *
 * One pass, with x = t and y = E - E0 (Welford): both sums are built from differences to
 * the means so far, so that nothing cancels however long the run is.
 *
 *   dx = x - mean_x;   mean_x += dx/n,  mean_y += (y - mean_y)/n
 *   Sxx += dx (x - mean_x),   Sxy += dx (y - mean_y),   slope = Sxy/Sxx
 */
#include "energy.h"

#include <math.h>

#include "io/json.h"

bool energy_watch(energy_record *e, double t, double value)
{
    if (e->count++ == 0)
        e->initial = value;
    e->final = value;
    const double change = value - e->initial, n = (double)e->count;
    if (!(fabs(change) <= e->max_error) && !isnan(e->max_error))
        e->max_error = fabs(change);
    const double dt = t - e->mean_t;
    e->mean_t += dt / n;
    e->mean_e += (change - e->mean_e) / n;
    e->spread_t += dt * (t - e->mean_t);
    e->spread_both += dt * (change - e->mean_e);
    return isfinite(e->max_error) && isfinite(energy_slope(e));
}

double energy_slope(const energy_record *e)
{
    return e->spread_t == 0.0 ? 0.0 : e->spread_both / e->spread_t;
}

json_t *energy_json(const energy_record *e)
{
    return json_pack("{so so so so}", "initial", json_finite(e->initial), "final",
                     json_finite(e->final), "max_error", json_finite(e->max_error),
                     "slope", json_finite(energy_slope(e)));
}
