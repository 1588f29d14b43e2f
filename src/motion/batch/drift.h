/* drift.h - the free motion of an integrator for many bodies, over one step. */
#pragma once

#include "polhode/batch.h"

/* Advances the bodies by h with the flow of an integrator, or the composition of it. If a
 * body fails, *failed (if not NULL) is its index and its status is returned: the bodies
 * before it are advanced all the same, those after it perhaps by a part of h. */
ph_status ph_batch_drift(const ph_integrator *i, const ph_batch *b, double h,
                         size_t *failed);
