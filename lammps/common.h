/* common.h - what the fixes for LAMMPS share: messages, flows, the thermostat. */
#pragma once

#include <cstdio>
#include <string>

#include <fix.h>
#include <pointers.h>

#include <polhode/batch.h>

namespace LAMMPS_NS
{

/* Ends the run, on all ranks: what a fix of a style cannot do, and what to do instead. */
[[noreturn]] void refuse(LAMMPS *lammps, const char *style, const std::string &why);

/* Writes a line to the screen and into the log, from one rank. */
void log_line(LAMMPS *lammps, const std::string &line);

/* The flow of a name, which keeps the angular momentum in space; refuses another, and names it in the log. */
const ph_flow *find_flow(LAMMPS *lammps, const char *id, const char *style,
                         const char *name);

/* Refuses rRESPA, and another fix that integrates atoms of this one. */
void require_alone(LAMMPS *lammps, const Fix *fix);

/* Friction and noise, or chains of Nose and Hoover, on velocities and angular momenta. */
class Thermostat : protected Pointers
{
  public:
    enum Kind { NONE, LANGEVIN, CHAINS };
    Kind kind = NONE;

    explicit Thermostat(LAMMPS *lammps) : Pointers(lammps)
    {
    }

    /* Reads T0 T1 DAMP, of LANGEVIN and SEED, from argument `first` on; returns how many. */
    int read(Kind which, int narg, char **arg, int first, const std::string &usage);

    /* Energy taken from the bodies since the beginning, summed over ranks. */
    double energy() const;

    /* Of a fix with a thermostat: the flags for its energy and its state in restart files. */
    void announce(Fix *fix) const;
    void write_restart(FILE *file) const;
    void restart(const char *bytes, const char *style);

    /* Langevin: once before the bodies, and then for each; L and J in its axes. */
    void prepare(double step);
    void noise(tagint which, double out[6]) const;
    void forget(double mass, double *v, const double *J, double *L, const double xi[6]);

    /* Chains: after clear(), add() for each body; then the factors of half a step. */
    struct Factors {
        double V[3], of_v, of_L; /* v becomes V + of_v (v - V), L becomes of_L L */
    };
    void clear();
    void add(double mass, const double *v, const double *J, const double *L);
    Factors scale(double half_step);

  private:
    enum { LINKS = 6, KEPT = 2 + 2 * LINKS + 2 }; /* numbers of a chain, of a restart */
    enum { MOMENTUM, MASS = 3, BODIES, AXES, TWICE_LINEAR, TWICE_ANGULAR, SUMS };
    double from = 0.0, to = 0.0, damp = 0.0;
    uint64_t seed = 0;
    double keep = 0.0, spread = 0.0; /* of a step: factor, and noise per root of mass */
    double heat = 0.0, before = 0.0; /* given on this rank; on all, before a restart */
    double chain[2][LINKS] = {}, chain_energy[2] = {};
    double sums[SUMS];

    double warmth() const;
    double number(int narg, char **arg, int i, const char *name, double least,
                  const std::string &usage) const;
};

} // namespace LAMMPS_NS
