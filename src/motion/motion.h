/* motion.h - the exact free motion for flows: over one step, or the momentum alone. */
#ifndef POLHODE_MOTION_MOTION_H
#define POLHODE_MOTION_MOTION_H

#include "polhode/polhode.h"

/* The state a time h later, exactly; state and moments in the principal frame, the
 * moments valid. s is untouched unless PH_OK. */
ph_status ph_motion_step(ph_state *s, ph_vec3 J, double h);

/* The same without the fast formulas of addition.h: by those of motion.c alone, which are
 * right for every body. */
ph_status ph_motion_step_uniform(ph_state *s, ph_vec3 J, double h);

/* The orbit of the momentum through a state; state and moments in the principal frame,
 * the moments valid. */
void ph_motion_orbit(ph_motion *f, ph_vec3 J, ph_state start);

/* The momentum a time t after the start, in the principal frame; not finite where the
 * angle turned through overflows. */
ph_vec3 ph_motion_momentum(const ph_motion *f, double t);

#endif
