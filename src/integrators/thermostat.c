/* thermostat.c - the parts of thermostats by their letters. */
#include "integrators/thermostat.h"

double ph_momenta_twice(const momenta *of, int component)
{
    const double *y = of->y[component], *w = of->w[component];
    double sum = 0.0;
    for (size_t i = 0; i < of->n; i++)
        sum += y[i] * y[i] / w[i];
    return sum;
}

double ph_momenta_twice_all(const momenta *of)
{
    return ph_momenta_twice(of, 0) + ph_momenta_twice(of, 1) + ph_momenta_twice(of, 2);
}

ph_status ph_thermostat_act(thermostat *t, char part, int stage, const momenta *of,
                            double h)
{
    if (t == NULL)
        return PH_NOT_APPLICABLE;
    return part == PART_LANGEVIN ? ph_langevin_act(t, stage, of, h)
                                 : ph_chain_act(t, of, h);
}
