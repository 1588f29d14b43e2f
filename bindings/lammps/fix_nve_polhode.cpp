/* fix_nve_polhode.cpp - the fixes of LAMMPS for ellipsoids, and how LAMMPS learns of all fixes
 *
 *     fix ID group nve/polhode [flow NAME] [dipole]
 *     fix ID group langevin/polhode T0 T1 DAMP SEED [flow NAME] [dipole]
 *     fix ID group nvt/polhode temp T0 T1 DAMP [flow NAME] [dipole]
 *     fix ID group npt/polhode temp T0 T1 DAMP iso P0 P1 PDAMP [flow NAME] [dipole]
 *
 * Velocity Verlet for ellipsoids: kick, free motion, force, kick. The free motion is that of
 * a flow of Polhode, `exact` unless another is named, for all bodies of a block by one
 * call; `dipole` turns the dipole moments with the bodies. `flow richardson` is LAMMPS's own
 * step in the same place, to compare with.
 *
 * langevin/polhode is BAOAB (src/integrators/thermostats/langevin.c): kick, half the free motion,
 * friction and noise on velocities and on angular momenta about the axes of the bodies, exactly,
 * the other half, force, kick. The temperature goes from T0 to T1 over the run, DAMP is the time
 * in which velocities are forgotten. The noise of an atom is a function of the seed, the step and
 * its tag: it is the same on any number of ranks, and after a restart.
 *
 * nvt/polhode has a chain of Nose and Hoover for the velocities, relative to that of the group, and another
 * for the angular momenta (src/integrators/thermostats/nose_hoover_chain.c), which act before the step, in
 * the middle of the free motion, and after the step. In the middle the angular momentum L becomes c L. Euler's
 * equations are homogeneous, so that c L turns a body over the time t as L does over c t: both halves
 * of the free motion over h are one over h (1 + c)/2.
 *
 * npt/polhode has a barostat beside the chains (barostat.cpp), which scales the box and the centres.
 *
 * LAMMPS keeps the angular momentum in space, where free motion does not change it: the drift
 * changes attitudes and dipoles only.
 */
#include <atom.h>
#include <comm.h>
#include <error.h>
#include <fix.h>
#include <force.h>
#include <input.h>
#include <lammps.h>
#include <modify.h>
#include <update.h>

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>

#include <mpi.h>

#include "common.h"

namespace MathExtra
{
void richardson(double *q, double *m, double *w, double *moments, double half_step);
void mq_to_omega(double *m, double *q, double *moments, double *w);
} // namespace MathExtra

namespace LAMMPS_NS
{

#ifndef POLHODE_PACKAGE /* inside LAMMPS its own header is there */

/* Where LAMMPS keeps shapes and attitudes. Its header is not among those installed: of the
 * class there are declared here the two exported functions needed, and nothing of what it
 * holds. */
class AtomVecEllipsoid
{
  public:
    /* For each of n atoms a flag and, of an ellipsoid, three semi-axes and the attitude;
     * returns how many doubles. */
    int pack_border_bonus(int n, int *atoms, double *to);
    /* The attitude of each ellipsoid among n atoms. */
    void unpack_comm_bonus(int n, int first, double *from);
};

#endif

/* What pack_border_bonus() writes for an ellipsoid. */
struct Ellipsoid {
    double flag, axes[3], q[4]; /* moments of inertia stand in place of the axes later */
};
enum { RECORD = sizeof(Ellipsoid) / sizeof(double) };

/* The beginning of the object that any polymorphic one is part of: AtomVec is a virtual base
 * of AtomVecEllipsoid in some versions. */
class Polymorphic
{
  public:
    virtual ~Polymorphic()
    {
    }
};
static void *whole_object(void *part)
{
    return dynamic_cast<void *>(static_cast<Polymorphic *>(part));
}

class FixNVEPolhode : public Fix
{
  public:
    FixNVEPolhode(LAMMPS *lammps, int narg, char **arg) : Fix(lammps, narg, arg), bath(lammps)
    {
        const char *name = "exact";
        const bool langevin = strcmp(arg[2], "langevin/polhode") == 0,
                   pressure = strcmp(arg[2], "npt/polhode") == 0,
                   chains = pressure || strcmp(arg[2], "nvt/polhode") == 0;
        const std::string usage = langevin   ? "T0 T1 DAMP SEED "
                                  : pressure ? "temp T0 T1 DAMP iso P0 P1 PDAMP "
                                  : chains   ? "temp T0 T1 DAMP "
                                             : "";
        int next = 3;
        dynamic_group_allow = 1;
        time_integrate = 1;
        if (chains && (narg < 4 || strcmp(arg[next++], "temp") != 0))
            refuse(lmp, style,
                   std::string("temp is missing: write fix ID group ") + style + " " + usage);
        if (langevin || chains)
            next += bath.read(langevin ? Thermostat::LANGEVIN : Thermostat::CHAINS, narg, arg, next,
                              usage);
        if (pressure)
            next += bath.read_pressure(narg, arg, next, usage);
        bath.announce(this);
        for (int i = next; i < narg; i++) {
            if (strcmp(arg[i], "flow") == 0 && i + 1 < narg)
                name = arg[++i];
            else if (strcmp(arg[i], "dipole") == 0)
                dipole = true;
            else
                refuse(lmp, style,
                       std::string("what is ") + arg[i] + "? It takes: " + usage +
                           "[flow NAME] [dipole]");
        }
        if (strcmp(name, "richardson") != 0)
            flow = find_flow(lmp, id, style, name);
    }

    ~FixNVEPolhode() override
    {
        bath.barostat.release();
    }

    int setmask() override
    {
        return FixConst::INITIAL_INTEGRATE | FixConst::FINAL_INTEGRATE;
    }

    void init() override
    {
        void *atom_vec = atom->style_match("ellipsoid");
        if (atom_vec == nullptr)
            refuse(lmp, style, "it needs atom_style ellipsoid, alone or in a hybrid");
        if (dipole && !atom->mu_flag)
            refuse(lmp, style, "dipole needs an atom style with dipoles");
        if (!dipole && atom->mu_flag && comm->me == 0)
            error->warning(FLERR, std::string("Fix ") + style +
                                      " without `dipole`: dipoles "
                                      "do not turn with their bodies");
        ellipsoids = static_cast<AtomVecEllipsoid *>(whole_object(atom_vec));
        for (int i = 0; i < atom->nlocal; i++) {
            if ((atom->mask[i] & groupbit) && atom->ellipsoid[i] < 0)
                error->one(FLERR, std::string("Fix ") + style +
                                      ": an atom of the group is "
                                      "no ellipsoid: give it a shape");
        }
        require_alone(lmp, this);
        bath.init(this);
        reset_dt();
    }

    void reset_dt() override
    {
        step = update->dt;
        half_kick = 0.5 * update->dt * force->ftm2v;
    }

    void setup(int) override
    {
        if (!bath.barostat.on)
            return;
        in_blocks_measured(&FixNVEPolhode::measure);
        bath.measure_pressure();
    }

    int modify_param(int narg, char **arg) override
    {
        return bath.barostat.modify_param(narg, arg, style);
    }

    void initial_integrate(int) override
    {
        if (bath.kind != Thermostat::CHAINS) {
            in_blocks(&FixNVEPolhode::drift);
            return;
        }
        if (!bath.are_known())
            in_blocks_measured(&FixNVEPolhode::measure);
        by = bath.before(step);
        middle = bath.in_middle(step, halves);
        in_blocks(&FixNVEPolhode::drift_with_chains);
        bath.barostat.scale_box(halves);
    }

    double compute_scalar() override
    {
        return bath.energy();
    }

    void write_restart(FILE *file) override
    {
        bath.write_restart(file);
    }

    void restart(char *bytes) override
    {
        bath.restart(bytes, style);
    }

    void final_integrate() override
    {
        if (bath.kind != Thermostat::CHAINS) {
            in_blocks(&FixNVEPolhode::kick_all);
            return;
        }
        in_blocks_measured(&FixNVEPolhode::kick_and_measure);
        by = bath.after(step);
        in_blocks(&FixNVEPolhode::scale);
    }

  private:
    AtomVecEllipsoid *ellipsoids = nullptr;
    const ph_flow *flow = nullptr; /* nullptr: richardson */
    bool dipole = false;
    double step = 0.0, half_kick = 0.0;

    Thermostat bath;
    Thermostat::Factors by;     /* what the chains do next, */
    Thermostat::Factors middle; /* and in the middle of the step */
    Drift halves[2];            /* before that and after it */

    /* A block of bodies. */
    int atoms[BLOCK];
    Ellipsoid ellipsoid[BLOCK];
    double m[BLOCK][3], mu[BLOCK][3], q[BLOCK][4];

    /* Calls a function for all bodies, in blocks. */
    void in_blocks(void (FixNVEPolhode::*act)(int))
    {
        const int all = bodies();
        int n = 0;
        for (int i = 0; i < all; i++) {
            if (!(atom->mask[i] & groupbit))
                continue;
            atoms[n++] = i;
            if (n == BLOCK) {
                (this->*act)(n);
                n = 0;
            }
        }
        if (n > 0)
            (this->*act)(n);
    }

    /* The same, by which the sums of the chains are made. */
    void in_blocks_measured(void (FixNVEPolhode::*act)(int))
    {
        bath.clear();
        in_blocks(act);
        bath.sum();
    }

    /* Shapes and attitudes of the first n of `atoms`. */
    void unpack(int n)
    {
        if (ellipsoids->pack_border_bonus(n, atoms, &ellipsoid->flag) != n * RECORD)
            error->one(FLERR, std::string("Fix ") + style +
                                  ": this version of LAMMPS stores "
                                  "ellipsoids otherwise: it is not supported");
        for (int k = 0; k < n; k++)
            to_moments(ellipsoid[k].axes, atom->rmass[atoms[k]]);
    }

    ph_quat attitude(int k) const
    {
        const double *at = ellipsoid[k].q;
        return {at[0], at[1], at[2], at[3]};
    }

    /* Shows the first n of `atoms` to the thermostat. */
    void load(int n)
    {
        for (int k = 0; k < n; k++) {
            const int i = atoms[k];
            bath.load(k, atom->tag[i], atom->rmass[i], atom->v[i], ellipsoid[k].q,
                      ellipsoid[k].axes, atom->angmom[i]);
        }
    }

    /* Adds the first n of `atoms` to the sums of the chains. */
    void measure(int n)
    {
        unpack(n);
        load(n);
        for (int k = 0; k < n; k++)
            bath.load_kick(k, half_kick, atom->f[atoms[k]], atom->torque[atoms[k]]);
        bath.add(n);
    }

    /* What the chains do to the first n of `atoms`. */
    void change(int n, const Thermostat::Factors &factors)
    {
        for (int k = 0; k < n; k++)
            factors.change(atom->v[atoms[k]], atom->angmom[atoms[k]]);
    }

    void scale(int n)
    {
        change(n, by);
    }

    void kick_all(int n)
    {
        for (int k = 0; k < n; k++)
            kick(atoms[k]);
    }

    void kick_and_measure(int n)
    {
        kick_all(n);
        measure(n);
    }

    /* Friction and noise on the first n of `atoms` over a step. */
    void forget(int n)
    {
        load(n);
        bath.forget(n, step, false);
        for (int k = 0; k < n; k++) {
            bath.store(k, atom->v[atoms[k]], m[k]);
            memcpy(atom->angmom[atoms[k]], m[k], sizeof m[k]);
        }
    }

    void move(int n, const Drift &by_drift)
    {
        for (int k = 0; k < n; k++)
            by_drift.move(atom->x[atoms[k]], atom->v[atoms[k]]);
    }

    void move(int n, double time)
    {
        move(n, Drift{time, 0.0, {}});
    }

    int bodies() const
    {
        return igroup == atom->firstgroup ? atom->nfirst : atom->nlocal;
    }

    /* Half a step of force and torque. */
    void kick(int i)
    {
        double *v = atom->v[i], *angmom = atom->angmom[i];
        const double *f = atom->f[i], *torque = atom->torque[i],
                     half_over_mass = half_kick / atom->rmass[i];
        for (int c = 0; c < 3; c++) {
            v[c] += half_over_mass * f[c];
            angmom[c] += half_kick * torque[c];
        }
    }

    /* The principal moments of a solid ellipsoid, in place of its semi-axes. */
    static void to_moments(double *axes, double mass)
    {
        const double fifth = 0.2 * mass, a = axes[0] * axes[0], b = axes[1] * axes[1],
                     c = axes[2] * axes[2];
        axes[0] = fifth * (b + c);
        axes[1] = fifth * (a + c);
        axes[2] = fifth * (a + b);
    }

    /* Kick and free motion of the first n of `atoms`. */
    void drift(int n)
    {
        kick_all(n);
        begin(n);
        if (bath.kind == Thermostat::NONE) {
            move(n, step);
            turn(n, step);
        } else {
            move(n, 0.5 * step);
            turn(n, 0.5 * step);
            forget(n);
            move(n, 0.5 * step);
            turn(n, 0.5 * step);
        }
        end(n);
    }

    /* The same, with chains before it and in its middle. */
    void drift_with_chains(int n)
    {
        scale(n);
        kick_all(n);
        begin(n);
        move(n, halves[0]);
        change(n, middle);
        move(n, halves[1]);
        turn(n, 0.5 * step * (1.0 + middle.of_L));
        end(n);
    }

    /* Before the free motion of a block, and after it. */
    void begin(int n)
    {
        unpack(n);
        for (int k = 0; k < n; k++) {
            memcpy(m[k], atom->angmom[atoms[k]], sizeof m[k]);
            if (dipole)
                memcpy(mu[k], atom->mu[atoms[k]], sizeof mu[k]);
        }
    }

    void end(int n)
    {
        for (int k = 0; k < n; k++) {
            memcpy(q[k], ellipsoid[k].q, sizeof q[k]);
            if (dipole)
                memcpy(atom->mu[atoms[k]], mu[k], sizeof mu[k]);
        }
        for (int k = 0, next; k < n; k = next) { /* neighbours at once */
            for (next = k + 1; next < n && atoms[next] == atoms[next - 1] + 1;)
                next++;
            ellipsoids->unpack_comm_bonus(next - k, atoms[k], q[k]);
        }
    }

    /* The free motion: attitudes and dipoles of a block. */
    void turn(int n, double time)
    {
        size_t failed;
        const ph_batch_strided block = {static_cast<size_t>(n),
                                        ellipsoid->q,
                                        RECORD,
                                        m[0],
                                        3,
                                        ellipsoid->axes,
                                        RECORD,
                                        dipole ? mu[0] : nullptr,
                                        3};
        const ph_status status = flow == nullptr
                                     ? richardson(n, time)
                                     : ph_batch_strided_step(flow, &block, time, &failed);
        if (status != PH_OK)
            error->one(FLERR, std::string("Fix ") + style + ": a body: " + ph_status_text(status));
    }

    /* The same by LAMMPS's own step. */
    ph_status richardson(int n, double time)
    {
        for (int k = 0; k < n; k++) {
            double w[3];
            Ellipsoid *e = &ellipsoid[k];
            const ph_quat before = attitude(k);
            MathExtra::mq_to_omega(m[k], e->q, e->axes, w);
            MathExtra::richardson(e->q, m[k], w, e->axes, 0.5 * time);
            if (!dipole)
                continue;
            const ph_vec3 turned = ph_quat_rotate(
                attitude(k), ph_quat_unrotate(before, {mu[k][0], mu[k][1], mu[k][2]}));
            mu[k][0] = turned.x, mu[k][1] = turned.y, mu[k][2] = turned.z;
        }
        return PH_OK;
    }
};

#ifndef POLHODE_PACKAGE /* where LAMMPS has FixStyle() for it */

static Fix *create(LAMMPS *lammps, int narg, char **arg)
{
    return new FixNVEPolhode(lammps, narg, arg);
}

/* fix_rigid_polhode_small.cpp */
Fix *create_rigid(LAMMPS *lammps, int narg, char **arg);

/* ---- how LAMMPS learns of the fixes ----------------------------------------------- */

struct Style {
    const char *name;
    Fix *(*create)(LAMMPS *, int, char **);
};
static const Style STYLES[] = {{"nve/polhode", create},
                               {"langevin/polhode", create},
                               {"nvt/polhode", create},
                               {"npt/polhode", create},
                               {"rigid/polhode/small", create_rigid}};

/* Calls LAMMPS's own function of a name, before which one of ours stands, for an object. */
template <class Object, class... Arguments>
static void call_theirs(const char *name, Object *object, Arguments... arguments)
{
    void (*theirs)(Object *, Arguments...);
    void *symbol = dlsym(RTLD_NEXT, name);
    if (symbol == nullptr)
        abort();
    memcpy(&theirs, &symbol, sizeof theirs);
    theirs(object, arguments...);
}

/* Preloaded: this function stands before LAMMPS's own, so that every list of fixes that
 * it makes, also after `clear`, has the styles. */
void Modify::create_factories()
{
    call_theirs("_ZN9LAMMPS_NS6Modify16create_factoriesEv", this);
    for (const Style &style : STYLES)
        (*fix_map)[style.name] = style.create;
}

/* ---- what --exact-rotation replaces ----------------------------------------------- */

/* Whether fixes of a style turn bodies by MathExtra::richardson(), which the library
 * libpolhode_richardson.so replaces; those for OpenMP do, too. */
static bool is_replaced(std::string style)
{
    static const std::set<std::string> styles = {
        "nve/asphere", "nvt/asphere", "npt/asphere", "nph/asphere", "nve/asphere/noforce",
        "nve/body",    "nvt/body",    "npt/body",    "nph/body",    "nve/tri",
        "rigid",       "rigid/small"};
    const size_t suffix = style.rfind("/omp");
    if (suffix != std::string::npos && suffix + 4 == style.size())
        style.resize(suffix);
    return styles.count(style) != 0;
}

/* Whether fixes of another style turn bodies that are no spheres, by a step of their own. */
static bool has_own_step(const std::string &style)
{
    for (const char *part : {"rigid", "asphere", "/body", "nve/tri", "nve/dot", "poems"}) {
        if (style.find(part) != std::string::npos && style.find("brownian") != 0)
            return true;
    }
    return false;
}

/* Set if the script has had a run without a fix whose step is replaced, and one with such a fix. */
static bool had_untouched, had_exact;

/* Returns true with --exact-rotation and without --allow-untouched. */
static bool is_strict()
{
    const char *rotation = getenv("POLHODE_EXACT_ROTATION");
    return rotation != nullptr && strcmp(rotation, "strict") == 0;
}

/* Preloaded: before a run, after LAMMPS has looked at its fixes. With --exact-rotation every
 * fix that is replaced is named once in the log. Bodies that turn otherwise are an error unless
 * `--allow-untouched` was given. A run without bodies that turn, such as an equilibration, is none:
 * judge_script() looks at all runs. */
void Modify::init()
{
    static std::set<std::string> named;
    const char *flow = getenv("POLHODE_FLOW");
    call_theirs("_ZN9LAMMPS_NS6Modify4initEv", this);
    if (getenv("POLHODE_EXACT_ROTATION") == nullptr ||
        update->whichflag != 1) /* 1: a run, no minimisation */
        return;
    const bool strict = is_strict();
    bool exact = false;
    for (int i = 0; i < nfix; i++) {
        const std::string style = fix[i]->style,
                          name = std::string("Fix ") + fix[i]->id + " (" + style + ")";
        const bool replaced = is_replaced(style), own = !replaced && !is_ours(style) &&
                                                        fix[i]->time_integrate &&
                                                        has_own_step(style);
        exact = exact || replaced || is_ours(style);
        if (own && strict)
            error->all(FLERR, "polhode-lmp --exact-rotation: " + name +
                                  " turns bodies by a step of its own, which is not "
                                  "replaced: take another style, or --allow-untouched");
        if ((replaced || own) && named.insert(name).second)
            log_line(lmp, name + (own ? ": its own step is not replaced"
                                      : std::string(": Richardson's step is replaced by "
                                                    "the flow ") +
                                            (flow != nullptr ? flow : "exact")));
    }
    if (!exact && strict && !had_untouched)
        log_line(lmp, "polhode-lmp --exact-rotation: this run has no fix whose step is "
                      "replaced; another run of the script must have one");
    had_exact = had_exact || exact;
    had_untouched = had_untouched || !exact;
}

/* Called at the end of the script. It is an error if there were runs and none had a fix whose step is replaced. */
static void judge_script(Error *error)
{
    if (is_strict() && had_untouched && !had_exact)
        error->all(FLERR, std::string("polhode-lmp --exact-rotation: no run of the script has a "
                                      "fix whose step is replaced: take rigid, rigid/small, "
                                      "nve/asphere and the like, or --allow-untouched"));
}

/* Preloaded: reads the whole script. */
void Input::file()
{
    call_theirs("_ZN9LAMMPS_NS5Input4fileEv", this);
    judge_script(error);
}

/* Preloaded: ends LAMMPS at the command `quit`. */
void Error::done(int status)
{
    if (status == 0)
        judge_script(this);
    call_theirs("_ZN9LAMMPS_NS5Error4doneEi", this, status);
    abort();
}

#endif

} // namespace LAMMPS_NS

#ifndef POLHODE_PACKAGE

/* `plugin load libpolhode_lammps.so`, where LAMMPS has the package PLUGIN: its interface, as
 * its manual gives it. */
extern "C" {

struct plugin {
    const char *version, *style, *name, *info, *author;
    void *(*creator)(void *lammps, int narg, char **arg);
    void *handle;
};

static void *create_plugin(void *lammps, int narg, char **arg)
{
    LAMMPS_NS::LAMMPS *const lmp = static_cast<LAMMPS_NS::LAMMPS *>(lammps);
    for (const LAMMPS_NS::Style &style : LAMMPS_NS::STYLES) {
        if (strcmp(arg[2], style.name) == 0)
            return style.create(lmp, narg, arg);
    }
    return nullptr;
}

__attribute__((visibility("default"))) void lammpsplugin_init(void *lammps, void *handle,
                                                              void *register_plugin)
{
    for (const LAMMPS_NS::Style &style : LAMMPS_NS::STYLES) {
        plugin p = {static_cast<LAMMPS_NS::LAMMPS *>(lammps)->version,
                    "fix",
                    style.name,
                    "bodies that turn by the exact free motion",
                    "Polhode",
                    create_plugin,
                    handle};
        reinterpret_cast<void (*)(plugin *, void *)>(register_plugin)(&p, lammps);
    }
}
}

#endif
