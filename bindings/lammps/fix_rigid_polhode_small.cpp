/* fix_rigid_polhode_small.cpp - rigid molecules of atoms, in LAMMPS:
 *
 *     fix ID group rigid/polhode/small molecule [nve | nvt T0 T1 DAMP | npt T0 T1 DAMP iso P0 P1 PDAMP |
 *         langevin T0 T1 DAMP SEED] [flow NAME] [reinit yes|no] [mol TEMPLATE] [infile FILE]
 *
 * This is LAMMPS's own fix rigid/small, with another step: its class is derived from. So bodies and their
 * shapes, the sums of forces and torques, ghosts, exchange between ranks, positions and velocities of the
 * atoms and degrees of freedom are LAMMPS's. The step is kick, free motion by a flow of Polhode, force,
 * kick; of `langevin` BAOAB, and of `nvt` the same with chains of Nose and Hoover before it, in its middle and
 * after it, as those of fix_nve_polhode.cpp; `npt` has a barostat beside them (barostat.cpp).
 *
 * The noise of a molecule is a function of the seed, the step and its molecule ID. Its components are those
 * along the axes of space, which are turned into the body: LAMMPS finds the principal axes anew at every run,
 * and their signs, and where moments are equal their directions, are nothing that lasts.
 *
 * The forces g that keep a molecule rigid are part of the pressure. LAMMPS's own fixes take them from the change of the
 * atoms' velocities, in which noise and friction are, too. Here their virial is exact: with the mass m of an atom,
 * its distance d from the centre of the molecule, its velocity u relative to that of the centre and the force f on it,
 * the sum of d g over a molecule is that of d (m u' - f), and as d u = 0, it is - sum (m u u + d f). So the pressure
 * is the molecular one: that of centres with the forces on molecules.
 */
#include <atom.h>
#include <comm.h>
#include <domain.h>
#include <error.h>
#include <force.h>
#include <update.h>

#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "common.h"

namespace MathExtra
{
void q_to_exyz(double *q, double *x, double *y, double *z);
void angmom_to_omega(double *m, double *x, double *y, double *z, double *moments, double *w);
} // namespace MathExtra

namespace LAMMPS_NS
{

#ifndef POLHODE_PACKAGE /* inside LAMMPS its own header is there */

/* LAMMPS's class, whose header is not among those installed: all virtual functions that it has of its own,
 * two others that are called here, and room for what it holds. */
class FixRigidSmall : public Fix
{
  public:
    FixRigidSmall(LAMMPS *, int, char **);
    ~FixRigidSmall() override;
    int setmask() override;
    void init() override;
    void setup(int) override;
    void initial_integrate(int) override;
    void post_force(int) override;
    void final_integrate() override;
    void initial_integrate_respa(int, int, int) override;
    void final_integrate_respa(int, int) override;
    void write_restart_file(const char *) override;
    void grow_arrays(int) override;
    void copy_arrays(int, int, int) override;
    void set_arrays(int) override;
    void set_molecule(int, tagint, int, double *, double *, double *) override;
    int pack_exchange(int, double *) override;
    int unpack_exchange(int, double *) override;
    int pack_forward_comm(int, int *, double *, int, int *) override;
    void unpack_forward_comm(int, int, double *) override;
    int pack_reverse_comm(int, int, double *) override;
    void unpack_reverse_comm(int, int *, double *) override;
    void setup_pre_neighbor() override;
    void pre_neighbor() override;
    decltype(std::declval<Fix>().dof(0)) dof(int) override; /* int, or bigint */
    void deform(int) override;
    void enforce2d(); /* virtual in versions where that of Fix is */
    void reset_dt() override;
    void zero_momentum() override;
    void zero_rotation() override;
    int modify_param(int, char **) override;
    void *extract(const char *, int &) override;
    double compute_scalar() override;
    double memory_usage() override;

  protected:
    virtual void compute_forces_and_torques(); /* in later versions only: the last one */
    void set_xv();
    void set_v();

    enum { ROOM = 4096 };
    alignas(double) char held[ROOM];
};

#endif

/* Of what it holds, the part about bodies: found by values that are known. */
struct Bodies {
    double *first;
    int owned, ghosts, most, doubles; /* of a body: doubles */
    int *of_owner;                    /* of each atom: the body it owns, or -1 */
    tagint *owner;
    int *of_atom;
};

/* Where in the record of a body its mass and place, its velocity, force, torque, attitude, moments and
 * axes, and its angular momentum and angular velocity begin; given its length. */
struct Layout {
    int doubles, mass, v, L;
};
static const Layout LAYOUTS[] = {{42, 0, 4, 29}, {43, 0, 4, 29}, {49, 1, 8, 36}, {50, 1, 8, 36}};

struct Molecule {
    double *mass, *x, *v, *f, *torque, *q, *J, *axes, *L, *w;
};

/* Sends what a fix packs for ghosts: under the names of older and newer versions. */
template <class C>
static auto forward(C *comm, Fix *fix, int n, int) -> decltype(comm->forward_comm_fix(fix, n))
{
    comm->forward_comm_fix(fix, n);
}
template <class C> static void forward(C *comm, Fix *fix, int n, long)
{
    comm->forward_comm(fix, n);
}

/* The words of the command: those of LAMMPS's own fix, the name of a flow, and the thermostat. */
struct Command {
    std::vector<char *> theirs;
    const char *flow;
    Thermostat bath;
};
Command read_command(LAMMPS *lammps, int narg, char **arg);

class FixRigidPolhodeSmall : public FixRigidSmall
{
  public:
    FixRigidPolhodeSmall(LAMMPS *lammps, int narg, char **arg)
        : FixRigidPolhodeSmall(lammps, read_command(lammps, narg, arg))
    {
    }

    ~FixRigidPolhodeSmall() override
    {
        bath.barostat.release();
    }

    int modify_param(int narg, char **arg) override
    {
        const int taken = bath.barostat.modify_param(narg, arg, style);
        return taken > 0 ? taken : FixRigidSmall::modify_param(narg, arg);
    }

    void init() override
    {
        require_alone(lmp, this);
        bath.init(this);
        int without = 0, any = 0;
        for (int i = 0; i < atom->nlocal; i++)
            without |= (atom->mask[i] & groupbit) && atom->molecule[i] <= 0;
        MPI_Allreduce(&without, &any, 1, MPI_INT, MPI_MAX, world);
        if (any)
            refuse(lmp, style,
                   "an atom of its group has no molecule ID: set one, or take a "
                   "group of molecules");
        if (domain->dimension != 3)
            refuse(lmp, style, "it needs three dimensions");
        FixRigidSmall::init();
    }

    void setup(int vflag) override
    {
        find_bodies();
        FixRigidSmall::setup(vflag);
        v_init(vflag);
        tally_forces();
        if (bath.barostat.on) {
            measure();
            bath.measure_pressure();
        }
        tally_velocities();
    }

    void initial_integrate(int vflag) override
    {
        const double h = update->dt;
        virial_wanted = vflag;
        evflag = 0; /* set_xv() and set_v() leave the virial alone */
        if (bath.kind == Thermostat::CHAINS) {
            if (!bath.are_known())
                measure();
            scale(bath.before(h), false);
            middle = bath.in_middle(h, halves);
        }
        if (bath.kind == Thermostat::LANGEVIN)
            find_molecules();
        in_blocks([this](int first, int n) { kick_and_drift(first, n); });
        bath.barostat.scale_box(halves);
        hand_out();
        set_xv();
    }

    void final_integrate() override
    {
        FixRigidSmall::final_integrate();
        v_init(virial_wanted);
        tally_forces();
        if (bath.kind == Thermostat::CHAINS) {
            measure();
            scale(bath.after(update->dt), true);
        }
        tally_velocities();
    }

    /* The energy that thermostats have taken, with `nve` that of those before a restart. It is part of econserve;
     * the scalar of LAMMPS's own rigid/small is a temperature. */
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

    int pack_forward_comm(int n, int *list, double *buffer, int pbc_flag, int *pbc) override
    {
        if (!sending)
            return FixRigidSmall::pack_forward_comm(n, list, buffer, pbc_flag, pbc);
        double *end = buffer;
        for (int k = 0; k < n; k++)
            end = copy(bodies->of_owner[list[k]], end, true);
        return static_cast<int>(end - buffer);
    }

    void unpack_forward_comm(int n, int first, double *buffer) override
    {
        if (!sending)
            return FixRigidSmall::unpack_forward_comm(n, first, buffer);
        for (int i = first; i < first + n; i++)
            buffer = copy(bodies->of_owner[i], buffer, false);
    }

  private:
    FixRigidPolhodeSmall(LAMMPS *lammps, Command command)
        : FixRigidSmall(lammps, static_cast<int>(command.theirs.size()), command.theirs.data()),
          bath(command.bath), flow(find_flow(lammps, id, style, command.flow))
    {
        bath.announce(this);
    }

    Thermostat bath;
    const ph_flow *flow;
    const Bodies *bodies = nullptr;
    const Layout *layout = nullptr;
    bool sending = false;
    int virial_wanted = 0;         /* what LAMMPS asks for in this step */
    std::vector<tagint> molecules; /* of each body: its molecule ID */
    Thermostat::Factors middle;    /* what chains do in the middle of the step */
    Drift halves[2];               /* before that and after it */

    Molecule body(int i) const
    {
        double *at = bodies->first + static_cast<size_t>(i) * layout->doubles,
               *mass = at + layout->mass, *v = at + layout->v, *L = at + layout->L;
        return {mass, mass + 1, v, v + 3, v + 6, v + 9, v + 13, v + 16, L, L + 3};
    }

    /* Copies what ghosts of body i, if it is one, must know to a buffer or from it: place, velocity,
     * attitude, moments, axes, angular velocity. Returns its end. */
    enum { SENT = 3 + 3 + 16 + 3, LOOKED_AT = 512 };
    double *copy(int i, double *buffer, bool to_buffer) const
    {
        if (i < 0)
            return buffer;
        const Molecule b = body(i);
        const std::pair<double *, size_t> parts[] = {{b.x, 3}, {b.v, 3}, {b.q, 16}, {b.w, 3}};
        for (const std::pair<double *, size_t> &part : parts) {
            memcpy(to_buffer ? buffer : part.first, to_buffer ? part.first : buffer,
                   part.second * sizeof(double));
            buffer += part.second;
        }
        return buffer;
    }

    /* Finds the bodies, once, and looks whether they are as this version is thought to store them. */
    void find_bodies()
    {
        int dimension = 0;
        const void *of_atom = extract("body", dimension);
        for (const Layout &l : LAYOUTS) {
            if (l.doubles == comm_forward - 1)
                layout = &l;
        }
        bodies = nullptr;
        const FixRigidSmall *theirs = this;
        for (size_t at = sizeof(Fix); at < sizeof(Fix) + LOOKED_AT && bodies == nullptr;
             at += sizeof(double)) {
            const Bodies *here =
                reinterpret_cast<const Bodies *>(reinterpret_cast<const char *>(theirs) + at);
            if (layout != nullptr && here->of_atom == of_atom && here->doubles == layout->doubles)
                bodies = here;
        }
        bool right = bodies != nullptr;
        for (int i = 0; right && i < bodies->owned; i++) {
            const Molecule b = body(i);
            double axes[9], off = -1.0;
            for (int k = 0; k < 4; k++)
                off += b.q[k] * b.q[k];
            off = std::fabs(off);
            MathExtra::q_to_exyz(b.q, axes, axes + 3, axes + 6);
            for (int k = 0; k < 9; k++)
                off += std::fabs(axes[k] - b.axes[k]);
            right = off < 1e-6 && *b.mass > 0.0;
        }
        if (!right)
            error->one(FLERR, std::string("Fix ") + style +
                                  ": this version of LAMMPS stores rigid bodies otherwise: "
                                  "it is not supported");
    }

    double half_kick() const
    {
        return 0.5 * update->dt * force->ftm2v;
    }

    /* Half a step of force and torque. */
    void kick(const Molecule &b) const
    {
        const double half = half_kick();
        for (int a = 0; a < 3; a++) {
            b.v[a] += half / *b.mass * b.f[a];
            b.L[a] += half * b.torque[a];
        }
    }

    /* Kick and free motion of n bodies from the first, with the thermostat in the middle. */
    void kick_and_drift(int first, int n)
    {
        const double h = update->dt, half = 0.5 * h;
        for (int i = first; i < first + n; i++)
            kick(body(i));
        if (bath.kind == Thermostat::NONE) {
            move(first, n, h);
            turn(first, n, h);
        } else if (bath.kind == Thermostat::LANGEVIN) {
            move(first, n, half);
            turn(first, n, half);
            forget(first, n);
            move(first, n, half);
            turn(first, n, half);
        } else { /* one free motion for both halves (fix_nve_polhode.cpp) */
            move(first, n, halves[0]);
            turn(first, n, half * (1.0 + middle.of_L));
            for (int i = first; i < first + n; i++)
                middle.change(body(i).v, body(i).L);
            move(first, n, halves[1]);
        }
        for (int i = first; i < first + n; i++) {
            const Molecule b = body(i);
            MathExtra::q_to_exyz(b.q, b.axes, b.axes + 3, b.axes + 6);
            find_omega(b);
        }
    }

    static void find_omega(const Molecule &b)
    {
        MathExtra::angmom_to_omega(b.L, b.axes, b.axes + 3, b.axes + 6, b.J, b.w);
    }

    void move(int first, int n, const Drift &by)
    {
        for (int i = first; i < first + n; i++)
            by.move(body(i).x, body(i).v);
    }

    void move(int first, int n, double time)
    {
        move(first, n, Drift{time, 0.0, {}});
    }

    /* The attitudes of n bodies from the first: all at once, or singly where one is linear. */
    void turn(int first, int n, double time)
    {
        bool linear = false;
        for (int i = first; i < first + n; i++) {
            const double *J = body(i).J;
            linear = linear || J[0] == 0.0 || J[1] == 0.0 || J[2] == 0.0;
        }
        const Molecule b = body(first);
        const size_t stride = layout->doubles;
        const ph_batch_strided block = {
            static_cast<size_t>(n), b.q, stride, b.L, stride, b.J, stride, nullptr, 0};
        ph_status status = linear ? PH_OK : ph_batch_strided_step(flow, &block, time, nullptr);
        for (int i = first; i < first + n && linear && status == PH_OK; i++) {
            const Molecule one = body(i);
            ph_quat q = {one.q[0], one.q[1], one.q[2], one.q[3]};
            status = ph_flow_turn(flow, {one.J[0], one.J[1], one.J[2]}, &q,
                                  {one.L[0], one.L[1], one.L[2]}, time, nullptr);
            one.q[0] = q.w, one.q[1] = q.x, one.q[2] = q.y, one.q[3] = q.z;
        }
        if (status != PH_OK)
            error->one(FLERR,
                       std::string("Fix ") + style + ": a molecule: " + ph_status_text(status));
    }

    /* Calls a function for all bodies, in blocks: for n from the first. */
    template <class F> void in_blocks(F act)
    {
        for (int first = 0; first < bodies->owned; first += BLOCK)
            act(first, MIN(bodies->owned - first, BLOCK));
    }

    /* Shows n bodies to the thermostat. */
    void load(int first, int n)
    {
        const bool langevin = bath.kind == Thermostat::LANGEVIN;
        for (int k = 0; k < n; k++) {
            const Molecule b = body(first + k);
            bath.load(k, langevin ? molecules[static_cast<size_t>(first + k)] : 0, *b.mass, b.v,
                      b.q, b.J, b.L);
        }
    }

    void find_molecules()
    {
        molecules.resize(static_cast<size_t>(bodies->owned));
        for (int i = 0; i < atom->nlocal; i++) {
            if (bodies->of_owner[i] >= 0)
                molecules[static_cast<size_t>(bodies->of_owner[i])] = atom->molecule[i];
        }
    }

    /* Friction and noise over a step. */
    void forget(int first, int n)
    {
        load(first, n);
        bath.forget(n, update->dt, true);
        for (int k = 0; k < n; k++)
            bath.store(k, body(first + k).v, body(first + k).L);
    }

    /* Adds the part of forces to the virial of molecules: - d f. */
    void tally_forces()
    {
        for (int i = 0; i < atom->nlocal && evflag; i++) {
            if (bodies->of_atom[i] < 0)
                continue;
            const Molecule b = body(bodies->of_atom[i]);
            double d[3] = {atom->x[i][0], atom->x[i][1], atom->x[i][2]};
            domain->remap_near(d, b.x);
            for (int a = 0; a < 3; a++)
                d[a] -= b.x[a];
            tally(i, -1.0, d, atom->f[i]);
        }
    }

    /* Adds the part of velocities: - m u u. */
    void tally_velocities()
    {
        for (int i = 0; i < atom->nlocal && evflag; i++) {
            if (bodies->of_atom[i] < 0)
                continue;
            const double *V = body(bodies->of_atom[i]).v, *v = atom->v[i],
                         u[3] = {v[0] - V[0], v[1] - V[1], v[2] - V[2]};
            tally(i, -force->mvv2e * (atom->rmass ? atom->rmass[i] : atom->mass[atom->type[i]]), u,
                  u);
        }
    }

    /* Adds a product of two vectors to the virial of atom i. */
    void tally(int i, double factor, const double *a, const double *b)
    {
        double part[6] = {a[0] * b[0], a[1] * b[1], a[2] * b[2],
                          a[0] * b[1], a[0] * b[2], a[1] * b[2]};
        for (double &x : part)
            x *= factor;
        v_tally(i, part);
    }

    /* The sums of the chains. */
    void measure()
    {
        bath.clear();
        in_blocks([this](int first, int n) {
            load(first, n);
            for (int k = 0; k < n; k++)
                bath.load_kick(k, half_kick(), body(first + k).f, body(first + k).torque);
            bath.add(n);
        });
        bath.sum();
    }

    /* What the chains do to momenta of bodies, ghosts among them, and perhaps of the atoms. */
    void scale(const Thermostat::Factors &by, bool with_atoms)
    {
        for (int i = 0; i < atom->nlocal && with_atoms; i++) {
            if (bodies->of_atom[i] >= 0)
                scale_atom(by, i, body(bodies->of_atom[i]).v);
        }
        for (int i = 0; i < bodies->owned + bodies->ghosts; i++) {
            const Molecule b = body(i);
            by.change(b.v, b.L);
            for (int a = 0; a < 3; a++)
                b.w[a] *= by.of_L;
        }
    }

    /* Atom i of a body of the velocity V: relative to that, its own is that of the rotation. */
    void scale_atom(const Thermostat::Factors &by, int i, const double *V) const
    {
        double *v = atom->v[i];
        for (int a = 0; a < 3; a++)
            v[a] = by.V[a] + by.of_v * (V[a] - by.V[a]) + by.of_L * (v[a] - V[a]);
        for (double **own : {atom->omega, atom->angmom}) { /* an atom that turns, too */
            for (int a = 0; a < 3 && own != nullptr; a++)
                own[i][a] *= by.of_L;
        }
    }

    /* What ghosts must know of their bodies. */
    void hand_out()
    {
        sending = true;
        forward(comm, this, SENT, 0);
        sending = false;
    }
};

#ifndef POLHODE_HEADER

Command read_command(LAMMPS *lammps, int narg, char **arg)
{
    const char *name = "exact";
    const std::string usage = "molecule [nve | nvt T0 T1 DAMP | npt T0 T1 DAMP iso P0 P1 PDAMP | "
                              "langevin T0 T1 DAMP SEED] [flow NAME] [reinit yes|no] [mol "
                              "TEMPLATE] [infile FILE]";
    bool chosen = false;
    Thermostat bath(lammps);
    if (narg < 4 || strcmp(arg[3], "molecule") != 0)
        refuse(lammps, arg[2],
               "molecule is missing: write fix ID group " + std::string(arg[2]) + " " + usage);
    if (!lammps->atom->molecule_flag)
        refuse(lammps, arg[2],
               "it needs molecule IDs: take atom_style molecular, full or the like");
    std::vector<char *> theirs(arg, arg + 4);
    for (int i = 4; i < narg; i++) {
        const std::string word = arg[i];
        const bool langevin = word == "langevin", pressure = word == "npt",
                   chains = pressure || word == "nvt",
                   ensemble = langevin || chains || word == "nve", more = i + 1 < narg;
        if (ensemble && !chosen) {
            chosen = true;
            if (langevin || chains)
                i += bath.read(langevin ? Thermostat::LANGEVIN : Thermostat::CHAINS, narg, arg,
                               i + 1, usage);
            if (pressure)
                i += bath.read_pressure(narg, arg, i + 1, usage);
        } else if (word == "flow" && more) {
            name = arg[++i];
        } else if ((word == "reinit" || word == "mol" || word == "infile") && more) {
            theirs.push_back(arg[i]);
            theirs.push_back(arg[++i]);
        } else {
            refuse(lammps, arg[2],
                   (ensemble ? "one of nve, nvt, npt and langevin, not two" : "what is " + word) +
                       "? It takes: " + usage);
        }
    }
    return {theirs, name, bath};
}

Fix *create_rigid(LAMMPS *lammps, int narg, char **arg)
{
    return new FixRigidPolhodeSmall(lammps, narg, arg);
}

#endif

} // namespace LAMMPS_NS
