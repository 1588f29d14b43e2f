/* nose_hoover_chain.c - chains of Nose and Hoover: momenta are scaled by a variable that has a
 * temperature of its own, and so has what scales that one.
 *
 * MTTK  Martyna, Tuckerman, Tobias, Klein, Explicit reversible integrators for extended systems
 *       dynamics, Mol. Phys. 87, 1996, sections 2.1 and 4.3.
 * ESL   Eastwood, Stafford, Lippert, Jensen, Maragakis, Predescu, Dror, Shaw, Equipartition and
 *       the calculation of temperature in biomolecular simulations, J. Chem. Theory Comput. 6,
 *       2010.
 *
 * For N momenta at the temperature T, with links j = 1 ... M of deviations x_j and rates v_j,
 *
 *   MTTK 2.1   y' = -v_1 y,   x_j' = v_j,   v_j' = G_j - v_j v_(j+1)
 *              G_1 = (2 K - N T)/Q_1,   G_j = (Q_(j-1) v_(j-1)^2 - T)/Q_j
 *              Q_1 = N T/friction^2,    Q_j = T/friction^2
 *
 * which is split into a palindrome of its terms, MTTK 4.3, and this composed to order 4. Momenta
 * and angular momenta have a chain each. Momenta are those relative to the common motion of all
 * bodies, which stays: N is 3 n - 3 if there are several. What is kept is
 *
 *   MTTK 2.1   H + sum over both chains of sum Q_j v_j^2/2 + N T x_1 + T (x_2 + ... + x_M)
 *
 * and the heat is minus that sum. All parts are reversible, and so is the step.
 *
 * A chain acts for h/6 before and after the step of Verlet and for 4 h/6 in the middle of its
 * drift. Verlet follows a modified Hamiltonian. If a vibration of the frequency w is at T in that
 * Hamiltonian, then, with x = w h, the temperature of its momentum is (1 - x^2/6) T at the ends of
 * the step and (1 + x^2/12) T in the middle of the drift (ESL has both). With these weights the
 * terms in x^2 cancel. Otherwise fast
 * and slow motions would have different temperatures, heat would flow between the two chains for
 * ever, and what is kept would drift.
 */
#include <math.h>

#include "base/choice.h"
#include "base/elementary.h"
#include "integrators/thermostat.h"
#include "motion/vec.h"
#include "polhode/catalog.h"

static const double VERLET[] = {0.5, 1.0};

const ph_thermostat ph_thermostat_nose_hoover = {
    .name = "nose_hoover",
    .title = "Chains of Nose and Hoover around the step and within the drift",
    .cite = "MTTK 4.3, ESL",
    .order = 2,
    .kick_first = true,
    .stages = 3,
    .half = VERLET,
    .parts = "NBANNNNABN",
};

enum { M = CHAIN_LINKS };

/* The force on link j, given twice the kinetic energy of the momenta. */
static double force(const double *v, const double *Q, double N, double T, double twice, int j)
{
    if (j == 0)
        return (twice - N * T) / Q[0];
    return (Q[j - 1] * v[j - 1] * v[j - 1] - T) / Q[j];
}

/* Half the time d for the rate of link j. */
static void push(double *v, const double *Q, double N, double T, double twice, int j, double d)
{
    const double G = force(v, Q, N, T, twice, j),
                 s = j == M - 1 ? 1.0 : ph_real_exp(-0.25 * d * v[j + 1]);
    v[j] = (v[j] * s + 0.5 * d * G) * s;
}

/* The momenta of all bodies together, and the sum of their weights. */
static ph_vec3 common(const momenta *of, double *weight)
{
    double sum[3] = {0, 0, 0};
    *weight = 0.0;
    for (size_t i = 0; i < of->n; i++) {
        *weight += of->w[0][i];
        for (int k = 0; k < 3; k++)
            sum[k] += of->y[k][i];
    }
    return vec3(sum[0], sum[1], sum[2]);
}

double ph_chain_scale(double chain[CHAIN_NUMBERS], double N, double T, double rate, double twice,
                      double h, double *energy)
{
    const double unit = T / (rate * rate), Q[M] = {N * unit, unit, unit};
    double *x = chain, *v = x + M, scaled = 1.0;
    const double outer = 1.351207191959657634048, part[] = {outer, 1 - 2 * outer, outer};
    for (int k = 0; k < 3; k++) {
        const double d = part[k] * h;
        for (int j = M - 1; j >= 0; j--)
            push(v, Q, N, T, twice, j, d);
        const double s = ph_real_exp(-d * v[0]);
        scaled *= s;
        twice *= s * s;
        for (int j = 0; j < M; j++)
            x[j] += d * v[j];
        for (int j = 0; j < M; j++)
            push(v, Q, N, T, twice, j, d);
    }
    *energy = N * T * x[0];
    for (int j = 0; j < M; j++)
        *energy += 0.5 * Q[j] * v[j] * v[j] + (j > 0 ? T * x[j] : 0.0);
    return scaled;
}

ph_status ph_chain_act(thermostat *t, const momenta *of, double h)
{
    if (t->friction == 0.0)
        return PH_OK;
    const bool relative = of->kind == LINEAR && of->n > 1;
    double weight = 1.0, energy, N = 3.0 * (double)of->n;
    ph_vec3 P = vec3(0, 0, 0);
    if (relative) { /* without the motion of all together */
        P = common(of, &weight);
        N -= 3.0;
    }
    const double of_P[3] = {P.x, P.y, P.z}, twice = momenta_twice_all(of) - dot(P, P) / weight,
                 scaled = ph_chain_scale(t->chain[of->kind], N, bath_energy(t), t->friction, twice,
                                         h, &energy);
    for (int k = 0; k < 3; k++) {
        for (size_t i = 0; i < of->n; i++) {
            const double with_all = relative ? of_P[k] * (of->w[k][i] / weight) : 0.0;
            of->y[k][i] = with_all + scaled * (of->y[k][i] - with_all);
        }
    }
    t->last[of->kind] = twice * scaled * scaled;
    t->heat[of->kind] = -energy;
    return ok_if(isfinite(energy), PH_NOT_FINITE);
}
