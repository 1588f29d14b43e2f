/* thermostat.h - what a thermostat does to momenta between drifts and kicks, and what it keeps
 * from step to step: one part of a splitting, for systems of any kind.
 *
 * A momentum y has a weight w, its mass or moment of inertia: the kinetic energy is y^2/(2 w),
 * and at the temperature T, Boltzmann's constant being one, the variance of y is w T.
 */
#pragma once

#include <stdint.h>

#include "polhode/body.h"

/* Momenta and angular momenta have a chain each; its numbers are the deviations of its links,
 * then their rates. */
enum { LINEAR, ANGULAR, MOMENTA_KINDS, CHAIN_LINKS = 3, CHAIN_NUMBERS = 2 * CHAIN_LINKS };

typedef struct thermostat {
    double temperature, friction, seed;
    double boltzmann;           /* his constant, which is 1 unless temperatures have a unit */
    const uint64_t *steps;      /* taken so far by the system */
    double heat[MOMENTA_KINDS]; /* energy that the thermostat has given */
    double last[MOMENTA_KINDS]; /* twice the kinetic energy where it was last at work */
    double chain[MOMENTA_KINDS][CHAIN_NUMBERS];
} thermostat;

/* The temperature as an energy. */
static inline double bath_energy(const thermostat *t)
{
    return t->boltzmann * t->temperature;
}

/* Momenta of n bodies: component k of body i is y[k][i], its weight w[k][i]. */
typedef struct momenta {
    int kind; /* LINEAR or ANGULAR */
    size_t n;
    double *y[3];
    const double *w[3];
} momenta;

/* Twice the kinetic energy of a component, or of all. */
static inline double momenta_twice(const momenta *of, int component)
{
    const double *y = of->y[component], *w = of->w[component];
    double sum = 0.0;
    for (size_t i = 0; i < of->n; i++)
        sum += y[i] * y[i] / w[i];
    return sum;
}

static inline double momenta_twice_all(const momenta *of)
{
    return momenta_twice(of, 0) + momenta_twice(of, 1) + momenta_twice(of, 2);
}

/* The parts: thermostats/langevin.c and nose_hoover_chain.c. */
enum { PART_LANGEVIN = 'O', PART_CHAIN = 'N' };
ph_status ph_langevin_act(thermostat *t, int stage, const momenta *of, double h);
ph_status ph_chain_act(thermostat *t, const momenta *of, double h);

/* Acts on momenta over the time h: the part of a scheme called `part`, which is number `stage`
 * of its step. PH_BACKWARD if h is negative and the part cannot go back, PH_NOT_FINITE. */
static inline ph_status thermostat_act(thermostat *t, char part, int stage, const momenta *of,
                                       double h)
{
    if (t == NULL)
        return PH_NOT_APPLICABLE;
    if (part == PART_LANGEVIN)
        return ph_langevin_act(t, stage, of, h);
    return ph_chain_act(t, of, h);
}

/* What a chain multiplies N momenta by, of this kinetic energy, over the time h; its energy is
 * then *energy. */
double ph_chain_scale(double chain[CHAIN_NUMBERS], double N, double T, double rate, double twice,
                      double h, double *energy);
