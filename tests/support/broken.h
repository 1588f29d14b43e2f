/* broken.h - integrators that are wrong in one place, for tests that must notice it; and
 * the right ones made the same way. */
#ifndef TESTS_SUPPORT_BROKEN_H
#define TESTS_SUPPORT_BROKEN_H

#include "polhode/polhode.h"

/* O11 (4.11), the implicit equation by iteration: right, and with the other sign of
 * (h/2) (w.J w) w. */
extern const ph_method right_vlv, flipped_vlv;

/* The right-hand side of O11 (4.11a) times J, with that term times `sign`; tau times h/2
 * is in v. */
ph_vec3 vlv_side(ph_vec3 J, ph_vec3 v, ph_vec3 w, double h, double sign);

/* O11 (4.9): right, and with J w' for J w in (c), as printed. */
extern const ph_method right_mcg, printed_mcg;

/* Kick, exact drift, kick, of which the first is shorter than the last: 0.45 h. */
extern const ph_method uneven_verlet;

/* CFSZ (52) with b2 without its sign, as printed; the last coefficient still makes the
 * sum. */
const ph_scheme *printed_s4_6(void);

#endif
