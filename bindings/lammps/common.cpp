/* common.cpp - messages, flows and the thermostat of the fixes: src/integrators/thermostats has the
 * formulas of langevin.c, exact friction and noise, and of nose_hoover_chain.c. */
#include <atom.h>
#include <comm.h>
#include <error.h>
#include <force.h>
#include <modify.h>
#include <update.h>

#include <cmath>
#include <cstdlib>
#include <cstring>

#include "common.h"

/* A chain: src/integrators/thermostat.h. */
extern "C" double ph_chain_scale(double chain[6], double N, double T, double rate, double twice,
                                 double h, double *energy);

namespace LAMMPS_NS
{

void refuse(LAMMPS *lammps, const char *style, const std::string &why)
{
    lammps->error->all(FLERR, std::string("Fix ") + style + ": " + why);
    abort(); /* error->all() does not return, but not every version says so */
}

void log_line(LAMMPS *lammps, const std::string &line)
{
    for (FILE *to : {lammps->screen, lammps->logfile}) {
        if (lammps->comm->me == 0 && to != nullptr)
            fprintf(to, "%s, Polhode %s\n", line.c_str(), ph_version());
    }
}

const ph_flow *find_flow(LAMMPS *lammps, const char *id, const char *style, const char *name)
{
    const ph_flow *flow = nullptr;
    if (ph_flow_named(name, &flow) != PH_OK)
        refuse(lammps, style,
               std::string("no flow is called ") + name + ": see `polhode list flows`");
    if ((flow->keeps & PH_MOMENTUM) == 0)
        refuse(lammps, style,
               std::string("the flow ") + name +
                   " does not keep the angular momentum in space: take another");
    log_line(lammps, std::string("Fix ") + id + " (" + style + "): bodies turn by the flow " +
                         name + (strcmp(name, "exact") == 0 ? ", the exact free motion" : ""));
    return flow;
}

bool is_ours(const std::string &style)
{
    return style.find("polhode") != std::string::npos;
}

void require_alone(LAMMPS *lammps, const Fix *fix)
{
    const Modify *modify = lammps->modify;
    const Atom *atom = lammps->atom;
    if (lammps->update->whichflag == 2)
        refuse(lammps, fix->style,
               "minimisation moves atoms one by one and turns no bodies: run langevin at "
               "a temperature of 0 instead, or unfix this fix");
    if (strncmp(lammps->update->integrate_style, "respa", 5) == 0)
        refuse(lammps, fix->style, "rRESPA is not supported: take run_style verlet");
    for (int k = 0; k < modify->nfix; k++) {
        const Fix *other = modify->fix[k];
        int both = 0, any = 0;
        for (int i = 0; i < atom->nlocal && other != fix && other->time_integrate; i++)
            both |= (atom->mask[i] & fix->groupbit) && (atom->mask[i] & other->groupbit);
        MPI_Allreduce(&both, &any, 1, MPI_INT, MPI_MAX, lammps->world);
        if (any)
            refuse(lammps, fix->style,
                   std::string("fix ") + other->id + " (" + other->style +
                       ") integrates atoms of its group, too: take one of them");
    }
}

/* ---- the thermostat ------------------------------------------------------------------- */

/* Number i of the arguments, from `least`. */
double Thermostat::number(int narg, char **arg, int i, const char *name, double least,
                          const std::string &usage) const
{
    char *end = nullptr;
    const double x = i < narg ? strtod(arg[i], &end) : NAN;
    if (i >= narg || end == arg[i] || *end != '\0' || !(x >= least) || !std::isfinite(x))
        refuse(lmp, arg[2],
               std::string(name) + " is missing or wrong: write fix ID group " + arg[2] + " " +
                   usage + ", temperatures of " + (kind == CHAINS ? "more than 0" : "0 or more") +
                   " and positive times");
    return x;
}

int Thermostat::read(Kind which, int narg, char **arg, int first, const std::string &usage)
{
    kind = which;
    const double least = kind == CHAINS ? 1e-300 : 0.0;
    from = number(narg, arg, first, "T0", least, usage);
    to = number(narg, arg, first + 1, "T1", least, usage);
    damp = number(narg, arg, first + 2, "DAMP", 1e-300, usage);
    if (kind == CHAINS)
        return 3;
    const double wanted = number(narg, arg, first + 3, "SEED", 0.0, usage);
    if (wanted != floor(wanted) || wanted > 0x1p53)
        refuse(lmp, arg[2], "SEED is no whole number up to 2^53");
    seed = static_cast<uint64_t>(wanted);
    return 4;
}

int Thermostat::read_pressure(int narg, char **arg, int first, const std::string &usage)
{
    if (first >= narg || strcmp(arg[first], "iso") != 0)
        refuse(lmp, arg[2],
               (first < narg ? std::string(arg[first]) + " is not supported" : "iso is missing") +
                   ": the barostat is isotropic, write fix ID group " + arg[2] + " " + usage);
    barostat.on = true;
    barostat.from = number(narg, arg, first + 1, "P0", -HUGE_VAL, usage);
    barostat.to = number(narg, arg, first + 2, "P1", -HUGE_VAL, usage);
    barostat.damp = number(narg, arg, first + 3, "PDAMP", 1e-300, usage);
    barostat.target = barostat.from;
    return 4;
}

/* The states of fixes in a restart file, which LAMMPS keeps until the first run in members that are protected. */
struct Restarted : public Modify {
    static char **ids(const Modify *modify)
    {
        return modify->*(&Restarted::id_restart_global);
    }
    static char **styles(const Modify *modify)
    {
        return modify->*(&Restarted::style_restart_global);
    }
    static char **states(const Modify *modify)
    {
        return modify->*(&Restarted::state_restart_global);
    }
    static int *used(const Modify *modify)
    {
        return modify->*(&Restarted::used_restart_global);
    }
};

void Thermostat::announce(Fix *fix)
{
    fix->scalar_flag = fix->extscalar = fix->global_freq = fix->restart_global = fix->ecouple_flag =
        fix->energy_global_flag = 1;
    if (barostat.on)
        barostat.announce(fix);
    for (int i = 0; i < modify->nfix_restart_global; i++) {
        const std::string style = Restarted::styles(modify)[i];
        if (strcmp(Restarted::ids(modify)[i], fix->id) != 0 || style == fix->style ||
            !is_ours(style))
            continue;
        restart(Restarted::states(modify)[i], fix->style);
        Restarted::used(modify)[i] = 1;
        log_line(lmp, std::string("Fix ") + fix->id + " (" + fix->style +
                          "): the energy of thermostats continues from that of " + style +
                          " in the restart file");
    }
}

void Thermostat::init(Fix *fix) const
{
    fix->ecouple_flag = !fix->thermo_energy;
    if (barostat.on)
        barostat.init(fix);
}

/* A number that goes from the first to the last over a run, in this step. */
double Thermostat::in_ramp(double first, double last) const
{
    const double passed = static_cast<double>(update->ntimestep - update->beginstep),
                 whole = static_cast<double>(update->endstep - update->beginstep);
    return first + (whole > 0.0 ? passed / whole : 0.0) * (last - first);
}

/* The temperature in this step, as mass times the square of a velocity. */
double Thermostat::warmth() const
{
    return force->boltz * in_ramp(from, to) / force->mvv2e;
}

double Thermostat::energy() const
{
    double all_given = 0.0;
    MPI_Allreduce(&given, &all_given, 1, MPI_DOUBLE, MPI_SUM, world);
    return taken - all_given +
           (barostat.on ? barostat.kinetic() + barostat.product(barostat.target) : 0.0);
}

void Thermostat::write_restart(FILE *file) const
{
    State state = {NUMBERS,
                   energy() - (barostat.on ? barostat.product(barostat.target) : 0.0),
                   static_cast<double>(kind),
                   static_cast<double>(seed),
                   {},
                   static_cast<double>(barostat.on),
                   barostat.rate,
                   barostat.target,
                   {}};
    const int bytes = sizeof state;
    memcpy(state.chain, chain, sizeof state.chain);
    memcpy(state.piston, chain[OF_PISTON], sizeof state.piston);
    if (comm->me == 0) {
        fwrite(&bytes, sizeof bytes, 1, file);
        fwrite(&state, sizeof state, 1, file);
    }
}

void Thermostat::restart(const char *bytes, const char *style)
{
    State state = {};
    double count;
    memcpy(&count, bytes, sizeof count);
    if (!(count >= 1.0 && count <= MOST_NUMBERS) || count != floor(count))
        refuse(lmp, style,
               "the restart file has its state from another version: begin from a data "
               "file, or give the fix another ID");
    memcpy(&state, bytes, sizeof(double) * MIN(static_cast<size_t>(count), NUMBERS));
    taken = state.energy;
    given = 0.0;
    if (kind == CHAINS)
        memcpy(chain, state.chain, sizeof state.chain);
    if (barostat.on && state.has_piston != 0.0) { /* aim() gives the piston its mass */
        memcpy(chain[OF_PISTON], state.piston, sizeof state.piston);
        barostat.rate = state.rate;
        barostat.target = state.target;
    }
    if (kind == LANGEVIN && state.kind == LANGEVIN && state.seed != static_cast<double>(seed) &&
        comm->me == 0)
        error->warning(FLERR, std::string("Fix ") + style +
                                  ": another seed than that of the restart file");
}

void Thermostat::forget(int n, double step, bool in_space)
{
    const double keep = exp(-step / damp);
    const friction by = {seed, static_cast<uint64_t>(update->ntimestep), keep,
                         sqrt((1.0 - keep) * (1.0 + keep) * warmth()), in_space};
    polhode_forget(&block, static_cast<size_t>(n), &by);
    for (int k = 0; k < n; k++)
        given += 0.5 * force->mvv2e * (block.linear[k] + block.angular[k]);
}

void Thermostat::clear()
{
    for (double &x : sums)
        x = 0.0;
}

void Thermostat::add(int n)
{
    polhode_measure(&block, static_cast<size_t>(n));
    for (int k = 0; k < n; k++) {
        for (int a = 0; a < 3; a++) {
            sums[MOMENTUM + a] += block.mass[k] * block.v[a][k];
            sums[KICK + a] += block.p[a][k];
            sums[AXES] += block.J[a][k] > 0.0;
        }
        sums[MASS] += block.mass[k];
        sums[TWICE_LINEAR] += block.linear[k];
        sums[TWICE_ANGULAR] += block.angular[k];
        sums[CROSS_LINEAR] += block.cross_linear[k];
        sums[CROSS_ANGULAR] += block.cross_angular[k];
        sums[KICK_LINEAR] += block.kick_linear[k];
        sums[KICK_ANGULAR] += block.kick_angular[k];
    }
    sums[BODIES] += n;
}

void Thermostat::sum()
{
    MPI_Allreduce(sums, all, SUMS, MPI_DOUBLE, MPI_SUM, world);
    summed = update->ntimestep;
}

bool Thermostat::are_known() const
{
    return summed == update->ntimestep - 1 && summed > update->firststep &&
           modify->n_end_of_step == 0;
}

/* The sum of (L + N)^2/J is that of L^2/J, twice that of L N/J and that of N^2/J. */
void Thermostat::kick()
{
    all[TWICE_LINEAR] += 2.0 * all[CROSS_LINEAR] + all[KICK_LINEAR];
    all[TWICE_ANGULAR] += 2.0 * all[CROSS_ANGULAR] + all[KICK_ANGULAR];
    for (int a = 0; a < 3; a++)
        all[MOMENTUM + a] += all[KICK + a];
}

/* Lets a chain act on N momenta for a time, adds the energy that it takes, and returns the factor of the momenta. The
 * energy of a chain depends on the temperature, DAMP and N as well, which may change in a ramp or at a restart. So
 * only its change by this action counts. */
double Thermostat::chain_scale(int which, double N, double twice, double rate, double time)
{
    const double kT = warmth();
    double before, after;
    ph_chain_scale(chain[which], N, kT, rate, twice, 0.0, &before);
    const double factor = ph_chain_scale(chain[which], N, kT, rate, twice, time, &after);
    taken += force->mvv2e * (after - before);
    return factor;
}

Thermostat::Common Thermostat::common() const
{
    const bool several = all[BODIES] > 1.0;
    Common of = {{0.0, 0.0, 0.0}, 0.0, 0.0, 3.0 * all[BODIES] - (several ? 3.0 : 0.0)};
    for (int a = 0; a < 3 && several; a++) {
        of.V[a] = all[MOMENTUM + a] / all[MASS];
        of.twice += of.V[a] * of.V[a] * all[MASS];
        of.along += of.V[a] * all[KICK + a];
    }
    return of;
}

/* The sums after velocities relative to the common one were multiplied by a factor. */
void Thermostat::scale_sums(double of_v)
{
    const Common of = common();
    all[TWICE_LINEAR] = of_v * of_v * (all[TWICE_LINEAR] - of.twice) + of.twice;
    all[CROSS_LINEAR] = of_v * (all[CROSS_LINEAR] - of.along) + of.along;
}

Thermostat::Factors Thermostat::scale(double time)
{
    Factors by = {{0.0, 0.0, 0.0}, 1.0, 1.0};
    if (all[BODIES] == 0.0)
        return by;
    const Common of = common();
    const double rate = 1.0 / damp, twice = all[TWICE_LINEAR] - of.twice;
    memcpy(by.V, of.V, sizeof by.V);
    if (twice > 0.0) /* bodies at rest cannot be scaled */
        by.of_v = chain_scale(OF_V, of.N, twice, rate, time);
    if (all[TWICE_ANGULAR] > 0.0)
        by.of_L = chain_scale(OF_L, all[AXES], all[TWICE_ANGULAR], rate, time);
    if (barostat.on)
        barostat.rate *= chain_scale(OF_PISTON, 1.0, barostat.mass * barostat.rate * barostat.rate,
                                     1.0 / barostat.damp, time);
    scale_sums(by.of_v);
    all[TWICE_ANGULAR] *= by.of_L * by.of_L;
    all[CROSS_ANGULAR] *= by.of_L;
    if (!std::isfinite(by.of_v) || !std::isfinite(by.of_L))
        error->all(FLERR, std::string("a chain of Nose and Hoover does not hold the "
                                      "temperature: begin nearer to it, with langevin, or "
                                      "take a shorter step or a longer DAMP"));
    return by;
}

/* ---- the barostat beside the chains: barostat.cpp has the formulas ----------------------- */

/* Gives the piston the mass and the pressure of this step. What its energy gains by that, it has not taken. */
void Thermostat::aim()
{
    const double before = barostat.kinetic() + barostat.product(barostat.target);
    barostat.mass = (common().N + 3.0) * warmth() * barostat.damp * barostat.damp;
    barostat.target = in_ramp(barostat.from, barostat.to);
    taken += before - barostat.kinetic() - barostat.product(barostat.target);
}

/* The action of the piston on velocities relative to the common one, over a time; returns their factor. */
double Thermostat::shrink(double time)
{
    const double factor = exp(-(1.0 + 3.0 / common().N) * barostat.rate * time);
    scale_sums(factor);
    return factor;
}

/* The action of the bodies on the piston over a time. */
void Thermostat::push(double time)
{
    const Common of = common();
    barostat.push(time, (1.0 + 3.0 / of.N) * (all[TWICE_LINEAR] - of.twice));
}

Thermostat::Factors Thermostat::before(double step)
{
    if (barostat.on)
        aim();
    Factors by = scale(END * step);
    if (barostat.on) {
        push(0.5 * step);
        by.of_v *= shrink(0.5 * step);
    }
    return by;
}

Thermostat::Factors Thermostat::in_middle(double step, Drift drift[2])
{
    kick();
    drift[0] = barostat.drift(0.5 * step);
    const Factors by = scale(MIDDLE * step);
    drift[1] = barostat.drift(0.5 * step);
    return by;
}

Thermostat::Factors Thermostat::after(double step)
{
    double of_v = 1.0;
    if (barostat.on) {
        measure_pressure();
        of_v = shrink(0.5 * step);
        push(0.5 * step);
    }
    Factors by = scale(END * step);
    by.of_v *= of_v;
    return by;
}

} // namespace LAMMPS_NS
