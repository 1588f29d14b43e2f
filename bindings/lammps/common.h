/* common.h - what the fixes for LAMMPS share: messages, flows, the thermostat and its barostat. */
#pragma once

#include <cstdio>
#include <string>

#include <fix.h>
#include <pointers.h>

#include <polhode/batch.h>

#include "barostat.h"
#include "lanes.h"

namespace LAMMPS_NS
{

/* Ends the run, on all ranks: what a fix of a style cannot do, and what to do instead. */
[[noreturn]] void refuse(LAMMPS *lammps, const char *style, const std::string &why);

/* Writes a line to the screen and into the log, from one rank. */
void log_line(LAMMPS *lammps, const std::string &line);

/* The flow of a name, which keeps the angular momentum in space; refuses another, and names it in the log. */
const ph_flow *find_flow(LAMMPS *lammps, const char *id, const char *style, const char *name);

/* Returns true if a style of fixes is one of those that these sources define. */
bool is_ours(const std::string &style);

/* Refuses minimisation, rRESPA, and another fix that integrates atoms of this one. */
void require_alone(LAMMPS *lammps, const Fix *fix);

/* Friction and noise, or chains of Nose and Hoover, on velocities and angular momenta; beside chains perhaps a
 * barostat. */
class Thermostat : protected Pointers
{
  public:
    enum Kind { NONE, LANGEVIN, CHAINS };
    Kind kind = NONE;
    Barostat barostat;

    explicit Thermostat(LAMMPS *lammps) : Pointers(lammps), barostat(lammps)
    {
    }

    /* Reads T0 T1 DAMP, of LANGEVIN and SEED, from argument `first` on; returns how many. */
    int read(Kind which, int narg, char **arg, int first, const std::string &usage);

    /* Reads `iso P0 P1 PDAMP` from argument `first` on; returns how many. */
    int read_pressure(int narg, char **arg, int first, const std::string &usage);

    /* Returns the energy that this thermostat and those before a restart have taken from the bodies of all ranks,
     * and with a barostat that of its piston and p V. All ranks must call it. Without a thermostat it stays
     * constant. */
    double energy() const;

    /* Sets the flags of a fix for its energy and for its state in restart files. If a restart file was read in
     * which the fix of this ID has another style of these sources, continues from its state. If it has the same
     * style, LAMMPS calls restart() itself. */
    void announce(Fix *fix);

    /* Before a run: what a barostat cannot do is refused. With `fix_modify energy yes` the energy is part of the
     * potential energy, and then not of `ecouple`, so that `econserve` counts it once. */
    void init(Fix *fix) const;
    void write_restart(FILE *file) const;
    void restart(const char *bytes, const char *style);

    /* Body number k of a block that the thermostat will look at, its number among all, and L in space. */
    void load(int k, tagint number, double mass, const double *v, const double *q, const double *J,
              const double *L)
    {
        block.number[k] = static_cast<uint64_t>(number);
        block.mass[k] = mass;
        block.q[3][k] = q[3];
        for (int a = 0; a < 3; a++) {
            block.v[a][k] = v[a];
            block.q[a][k] = q[a];
            block.J[a][k] = J[a];
            block.L[a][k] = L[a];
        }
    }

    /* Langevin: friction and noise over a step on a block of n, of which each is then stored. */
    void forget(int n, double step, bool in_space);
    void store(int k, double *v, double *L) const
    {
        for (int a = 0; a < 3; a++) {
            v[a] = block.v[a][k];
            L[a] = block.L[a][k];
        }
    }

    /* The kick that follows, of a force and a torque. */
    void load_kick(int k, double half_step, const double *f, const double *torque)
    {
        for (int a = 0; a < 3; a++) {
            block.p[a][k] = half_step * f[a];
            block.N[a][k] = half_step * torque[a];
        }
    }

    /* Chains: after clear(), add() for each block of n, and sum(), the sums are those of now, and known
     * to be unless something acts between two steps. */
    struct Factors {
        double V[3], of_v, of_L; /* v becomes V + of_v (v - V), L becomes of_L L */
        void change(double *v, double *L) const
        {
            for (int a = 0; a < 3; a++) {
                v[a] = V[a] + of_v * (v[a] - V[a]);
                L[a] *= of_L;
            }
        }
    };
    void clear();
    void add(int n);
    void sum();
    bool are_known() const;

    /* What chains and barostat do to momenta: before a step, for which the sums must be known; in its middle, after
     * a kick; and after it, for which the sums are those after its last kick. The drifts are those of the two halves
     * between. Without a barostat a drift is one by `of_v` times the velocity. */
    Factors before(double step);
    Factors in_middle(double step, Drift drift[2]);
    Factors after(double step);

    /* Takes the molecular virial of now from LAMMPS for the barostat, after the sums are known. */
    void measure_pressure()
    {
        barostat.measure(all[TWICE_LINEAR]);
    }

  private:
    enum { LINKS = 6 }; /* numbers of a chain */
    enum { OF_V, OF_L, OF_PISTON, CHAINS_IN_ALL };

    /* The parts of a step in which chains act: before it and after it, and in its middle. */
    static constexpr double END = 1.0 / 6.0, MIDDLE = 4.0 / 6.0;

    /* The state in a restart file, the same for every thermostat. `count` is how many numbers there are, itself
     * among them. New ones may be added at the end only: a reader takes those that it knows, and 0 for those
     * that are missing. */
    struct State {
        double count, energy, kind, seed, chain[2][LINKS];
        double has_piston, rate, target, piston[LINKS];
    };
    enum { NUMBERS = sizeof(State) / sizeof(double), MOST_NUMBERS = 1000 };

    enum {
        MASS,
        BODIES,
        AXES,
        TWICE_LINEAR,
        TWICE_ANGULAR,
        CROSS_LINEAR,
        CROSS_ANGULAR,
        KICK_LINEAR,
        KICK_ANGULAR,
        MOMENTUM,
        KICK = MOMENTUM + 3,
        SUMS = KICK + 3
    };
    double from = 0.0, to = 0.0, damp = 0.0;
    uint64_t seed = 0;
    /* The energy that noise gave to bodies of this rank, and the energy that chains of this fix, or any thermostat
     * before a restart, took from the bodies of all ranks. */
    double given = 0.0, taken = 0.0;
    double chain[CHAINS_IN_ALL][LINKS] = {};
    double sums[SUMS], all[SUMS]; /* of this rank, and of all */
    bigint summed = -1;           /* the step of these */
    columns block = {};

    /* Of the sums: the velocity of all bodies, what it has of twice their kinetic energy and of the work of the kick,
     * and the number of momenta beside it. */
    struct Common {
        double V[3], twice, along, N;
    };

    double warmth() const;
    double in_ramp(double first, double last) const;
    Common common() const;
    void aim();
    void kick();
    void scale_sums(double of_v);
    Factors scale(double time);
    double shrink(double time);
    void push(double time);
    double chain_scale(int which, double N, double twice, double rate, double time);
    double number(int narg, char **arg, int i, const char *name, double least,
                  const std::string &usage) const;
};

} // namespace LAMMPS_NS
