/* free_body.h - random free bodies, integrated as Celledoni et al. do it.
 *
 * CFSZ  Celledoni, Fasso, Saefstroem, Zanna, Preprint Numerics 6/2007, NTNU, section 3.2.
 * HV    Hairer, Vilmart, J. Phys. A 39 (2006), section 5.
 *
 * Their dmv6, dmv8 and dmv10 solve for the step by fixed-point iteration, which fails
 * where the step is long; the library's never do. So theirs are here, as HV writes them:
 *
 *   HV (18)   e = alpha (h/2) I~^-1 y + I~^-1 ( I~ e x e ),   alpha = 1 + |e|^2
 *   HV (17)   y+ = y + (4/(h alpha)) I~ e x e,   q+ = q (1, e)/sqrt(alpha)
 *
 * with the modified moments I~ of src/motion/series.h, from e = (h/2) I~^-1 y. Where the
 * body turns by more than a radian or so in a step it does not converge, or converges to
 * what is no motion of the body.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "polhode/polhode.h"
#include "rotation/vec.h"

/* Moments I1 < I2 < I3 = 1, the two others uniform in (0, 1). */
ph_vec3 random_moments(uint64_t *seed);

/* Attitude 1, and a momentum of length 1 with positive components. */
ph_state random_start(uint64_t *seed);

/* So many steps of h of a flow, or of dmv6, dmv8 or dmv10 as above: "dmv6 by Newton" is that of
 * the library. False, and *s anything, where one of them fails. */
bool free_run(const char *method, ph_state *s, ph_vec3 J, double h, uint64_t steps);

/* The same from a start, to be timed (timing.h). */
typedef struct timed_run {
    const char *method;
    ph_vec3 J;
    ph_state start;
    double h;
    uint64_t steps;
    ph_state end;
    bool good;
} timed_run;
void free_timed_run(void *timed_run);

/* A step of the discrete Moser-Veselov algorithm with these moments, which may be modified;
 * false where it is not solved. */
bool dmv_step(ph_vec3 I, ph_state *s, double h);

/* The exact motion at a time; false, and *s as it was, where there is none. */
bool free_exact(ph_vec3 J, const ph_state *start, double t, ph_state *s);

/* The infinity norm of Q - Q(t), exact motion; and minus its decimal logarithm, at most
 * the digits of a double. */
double free_error(ph_vec3 J, const ph_state *start, double t, const ph_state *s);
double free_digits(double error);
