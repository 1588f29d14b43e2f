/* ewald.c - Ewald's sum for dipoles.
 *
 * With the splitting a, d between two bodies (nearest image), r = |d|, and wave vectors
 * k = 2 pi n/L:
 *
 *   near:  B = erfc(a r)/r^3 + 2 a/sqrt(pi) exp(-a^2 r^2)/r^2
 *          C = 3 B/r^2 + 4 a^3/sqrt(pi) exp(-a^2 r^2)/r^2
 *          D = 5 C/r^2 + 8 a^5/sqrt(pi) exp(-a^2 r^2)/r^2
 *          V = mu_i.mu_j B - (mu_i.d)(mu_j.d) C
 *   far:   V = 2 pi/volume sum over k of exp(-k^2/4 a^2)/k^2 |sum over j (mu_j.k)
 *          exp(i k.x_j)|^2
 *   self:  V = -2 a^3/(3 sqrt(pi)) sum of mu_j^2
 */
#include "support/ewald.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include "kinds/molecules/system.h"
#include "motion/vec.h"

/* a times half the box: erfc of it is 1e-9; waves as far as their factor is 1e-9. */
static const double REACH = 4.3;
enum { WAVES = 12 };

typedef struct sums {
    ph_vec3 *F, *E;
    double V;
} sums;

static ph_vec3 nearest(ph_vec3 d, ph_vec3 box)
{
    return vec3(d.x - box.x * round(d.x / box.x), d.y - box.y * round(d.y / box.y),
                d.z - box.z * round(d.z / box.z));
}

static void near_part(const ph_molecules *s, const ph_vec3 *mu, double a, sums *out)
{
    const double root_pi = sqrt(PH_PI);
    for (size_t i = 0; i < s->n; i++) {
        for (size_t j = i + 1; j < s->n; j++) {
            const ph_vec3 d = nearest(sub(vec3_at(s->x, i), vec3_at(s->x, j)), s->box);
            const double r2 = dot(d, d), r = sqrt(r2), g = exp(-a * a * r2) / r2;
            const double B = erfc(a * r) / (r * r2) + 2.0 * a / root_pi * g;
            const double C = 3.0 * B / r2 + 4.0 * a * a * a / root_pi * g;
            const double D = 5.0 * C / r2 + 8.0 * pow(a, 5.0) / root_pi * g;
            const double p = dot(mu[i], d), q = dot(mu[j], d), c = dot(mu[i], mu[j]);
            const ph_vec3 F =
                add(scale(c * C - p * q * D, d), scale(C, add(scale(q, mu[i]), scale(p, mu[j]))));
            out->V += c * B - p * q * C;
            out->F[i] = add(out->F[i], F);
            out->F[j] = sub(out->F[j], F);
            out->E[i] = add(out->E[i], sub(scale(q * C, d), scale(B, mu[j])));
            out->E[j] = add(out->E[j], sub(scale(p * C, d), scale(B, mu[i])));
        }
    }
}

static void wave(const ph_molecules *s, const ph_vec3 *mu, double a, ph_vec3 k, sums *out)
{
    const double k2 = dot(k, k), volume = s->box.x * s->box.y * s->box.z;
    const double factor = 2.0 * PH_PI / volume * exp(-k2 / (4.0 * a * a)) / k2;
    double complex S = 0.0;
    for (size_t j = 0; j < s->n; j++)
        S += dot(mu[j], k) * cexp(I * dot(k, vec3_at(s->x, j)));
    out->V += factor * creal(S * conj(S));
    for (size_t j = 0; j < s->n; j++) {
        /* the derivative of |S|^2 along mu_j is 2 Re(conj(S) e) k; of x_j, i (mu_j.k) e */
        const double complex e = conj(S) * cexp(I * dot(k, vec3_at(s->x, j)));
        out->E[j] = add(out->E[j], scale(-2.0 * factor * creal(e), k));
        out->F[j] = add(out->F[j], scale(2.0 * factor * dot(mu[j], k) * cimag(e), k));
    }
}

static void far_part(const ph_molecules *s, const ph_vec3 *mu, double a, sums *out)
{
    for (int x = -WAVES; x <= WAVES; x++) {
        for (int y = -WAVES; y <= WAVES; y++) {
            for (int z = -WAVES; z <= WAVES; z++) {
                const int n2 = x * x + y * y + z * z;
                if (n2 > 0 && n2 <= WAVES * WAVES)
                    wave(s, mu, a,
                         vec3(2.0 * PH_PI * x / s->box.x, 2.0 * PH_PI * y / s->box.y,
                              2.0 * PH_PI * z / s->box.z),
                         out);
            }
        }
    }
    const double self = 2.0 * a * a * a / (3.0 * sqrt(PH_PI));
    for (size_t j = 0; j < s->n; j++) {
        out->V -= self * dot(mu[j], mu[j]);
        out->E[j] = add(out->E[j], scale(2.0 * self, mu[j]));
    }
}

ewald_errors ewald_errors_of(const ph_molecules *s)
{
    const double a = 2.0 * REACH / s->box.x;
    sums all = {calloc(s->n, sizeof *all.F), calloc(s->n, sizeof *all.E), 0.0};
    ph_vec3 *mu = calloc(s->n, sizeof *mu);
    ewald_errors out = {NAN, NAN, NAN};
    if (all.F != NULL && all.E != NULL && mu != NULL) {
        double F = 0.0, T = 0.0, of_F = 0.0, of_T = 0.0;
        for (size_t i = 0; i < s->n; i++)
            mu[i] = rotate(quat_at(s->q, i), vec3_at(s->dipole, i));
        near_part(s, mu, a, &all);
        far_part(s, mu, a, &all);
        for (size_t i = 0; i < s->n; i++) {
            const ph_vec3 torque = rotate(inverse(quat_at(s->q, i)), cross(mu[i], all.E[i]));
            const ph_vec3 f = sub(vec3_at(s->force, i), all.F[i]),
                          t = sub(vec3_at(s->torque, i), torque);
            F += dot(f, f);
            T += dot(t, t);
            of_F += dot(all.F[i], all.F[i]);
            of_T += dot(torque, torque);
        }
        out = (ewald_errors){sqrt(F / of_F), sqrt(T / of_T),
                             fabs(s->potential - all.V) / fabs(all.V)};
    }
    free(all.F);
    free(all.E);
    free(mu);
    return out;
}
