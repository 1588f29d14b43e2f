/* elementary.h - the elementary functions, with the same bits on every machine.
 *
 * Every C library rounds sin, exp and the like in its own way. These use additions,
 * products, quotients and square roots alone, each of which IEEE 754 rounds in one way, and
 * are taken everywhere in src but in tool/files. Errors are below one unit in the last place
 * for all arguments; special values are those of C11, Annex F; no exception flag or errno
 * is promised.
 *
 * Exact by definition, and called as C has them: sqrt, fabs, copysign, floor, ceil, rint,
 * round, trunc, fmod, remquo, frexp, ldexp, ilogb.
 */
#pragma once

/* The double nearest pi. */
#define PH_PI 3.14159265358979323846

double ph_sin(double x);
double ph_cos(double x);
double ph_tan(double x);
void ph_sincos(double x, double *sine, double *cosine);

double ph_asin(double x);
double ph_acos(double x);
double ph_atan(double x);
double ph_atan2(double y, double x);

/* ph_rotation_exp() and ph_rotation_log() are those of rotations. */
double ph_real_exp(double x);
double ph_real_log(double x);
double ph_pow(double x, double y);

double ph_sinh(double x);
double ph_cosh(double x);
double ph_tanh(double x);
double ph_asinh(double x);

/* sqrt(x^2 + y^2) without overflow. */
double ph_hypot(double x, double y);
