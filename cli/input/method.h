/* method.h - the integrator that a name stands for. */
#ifndef POLHODE_CLI_METHOD_H
#define POLHODE_CLI_METHOD_H

#include "polhode/polhode.h"

/* Finds it, or fails with the nearest names; `place` as for fail_unknown. Returns 0 or
 * the exit status. */
int method_find(const char *place, const char *name, ph_integrator *out);

#endif
