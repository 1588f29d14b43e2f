/* munthe_kaas.h - a Munthe-Kaas Runge-Kutta step in a field, for any tableau. */
#pragma once

#include "integrators/tableau.h"
#include "polhode/polhode.h"

/* One step from the time t; principal axes; s is untouched unless PH_OK. */
ph_status ph_munthe_kaas_step(const tableau *table, const ph_problem *p, ph_state *s,
                              double t, double h);
