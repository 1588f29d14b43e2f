/* barostat.cpp - constant pressure: an isotropic box after Martyna, Tuckerman, Tobias and Klein, for bodies
 *
 * MTK94   Martyna, Tobias, Klein, J. Chem. Phys. 101, 4177 (1994): the equations of motion;
 * MTTK96  Martyna, Tuckerman, Tobias, Klein, Mol. Phys. 87, 1117 (1996): chains on the piston, and splittings.
 *
 * X and V are the centre of a body and its velocity relative to U, that of all, m its mass, F the force on it, N = 3 n - 3
 * the number of velocities of n bodies, and e' the rate of the logarithm of the lengths of the box, whose volume is v:
 *
 *     X' = U + V + e' (X - c)                              c is the centre of the box
 *     V' = F / m - (1 + 3/N) e' V - (chain)
 *     W e'' = (1 + 3/N) sum m V^2 + virial - 3 p v - (chain of its own)         W = (N + 3) k T PDAMP^2
 *     v' = 3 e' v
 *
 * Rotations do not see the piston. The virial is molecular: minus the derivative of the potential energy by the
 * logarithm of the lengths, in which centres are scaled and bodies keep their shape. Of molecules it is the virial of the
 * atoms less the sum of d f, with the force f on an atom at the distance d from its centre. So the pressure of an ideal
 * gas is n k T / v, whatever turns.
 *
 * The energy of the bodies, that of the chains, W e'^2/2 and p v together are conserved. The distribution of the
 * volume is v^(n-1) exp(-p v / k T) times the average of exp(-U / k T), with n - 1 in place of n as the velocity of all
 * bodies is left alone.
 *
 * The step is symmetric, hence of order 2. Each part is exact:
 *
 *     chains h/6 | e' by h/2 | V by e', h/2 | kick h/2 | drift h/2 | chains 4 h/6 | drift h/2 | force
 *     kick h/2 | V by e', h/2 | e' by h/2 | chains h/6
 *
 * and a drift over t is X - c becoming exp(e' t) (X - c) + (U + V) (exp(e' t) - 1) / e'.
 */
#include <atom.h>
#include <compute.h>
#include <domain.h>
#include <error.h>
#include <force.h>
#include <group.h>
#include <kspace.h>
#include <modify.h>
#include <update.h>

#include <cmath>
#include <cstring>

#include "common.h"

namespace LAMMPS_NS
{

void Barostat::announce(Fix *fix)
{
    fix->box_change |= Fix::BOX_CHANGE_SIZE;
    fix->no_change_box = 1;
    compute = std::string(fix->id) + "_press";
    modify->add_compute(compute + " all pressure NULL virial");
}

void Barostat::release()
{
    if (on && is_molecular)
        modify->delete_compute(compute);
}

void Barostat::init(const Fix *fix) const
{
    if (domain->triclinic || domain->dimension != 3)
        refuse(lmp, fix->style, "the barostat needs an orthogonal box of three dimensions");
    if (!domain->xperiodic || !domain->yperiodic || !domain->zperiodic)
        refuse(lmp, fix->style, "the barostat needs a box that is periodic along all axes");
    if (group->count(fix->igroup) != atom->natoms)
        refuse(lmp, fix->style,
               "the barostat scales the whole box, but atoms are outside its group: take group "
               "all, or nvt or langevin beside fix press/berendsen");
    if (fix->virial_global_flag && !fix->thermo_virial)
        refuse(lmp, fix->style,
               "the barostat needs the part of the pressure that this fix has: leave out "
               "fix_modify virial no");
    if (modify->find_compute(compute) < 0)
        refuse(lmp, fix->style, "the compute " + compute + " of its pressure was deleted");
}

int Barostat::modify_param(int narg, char **arg, const char *style)
{
    if (!on || narg < 2 || strcmp(arg[0], "press") != 0)
        return 0;
    const int at = modify->find_compute(arg[1]);
    if (at < 0 || !modify->compute[at]->pressflag)
        refuse(lmp, style, std::string(arg[1]) + " is no compute of a pressure");
    release();
    compute = arg[1];
    is_molecular = false;
    modify->compute[at]->addstep(update->ntimestep + 1);
    return 2;
}

double Barostat::product(double pressure) const
{
    return pressure * domain->xprd * domain->yprd * domain->zprd / force->nktv2p;
}

double Barostat::kinetic() const
{
    return 0.5 * force->mvv2e * mass * rate * rate;
}

void Barostat::measure(double twice)
{
    const int at = modify->find_compute(compute);
    Compute *pressure = modify->compute[at];
    virial = 3.0 * product(pressure->compute_scalar()) / force->mvv2e;
    pressure->addstep(update->ntimestep + 1);
    if (is_molecular)
        return;
    virial -= twice;
    pressure->invoked_scalar = -1; /* velocities will change in this step */
    for (int i = 0; i < modify->ncompute; i++) {
        if (modify->compute[i]->tempflag)
            modify->compute[i]->invoked_scalar = -1;
    }
}

void Barostat::push(double time, double kinetic_push)
{
    rate += time / mass * (kinetic_push + virial - 3.0 * product(target) / force->mvv2e);
}

Drift Barostat::drift(double time) const
{
    Drift by = {time, 0.0, {}};
    if (!on)
        return by;
    by.grow = expm1(rate * time);
    if (rate != 0.0)
        by.of_v = by.grow / rate;
    for (int a = 0; a < 3; a++)
        by.c[a] = 0.5 * (domain->boxlo[a] + domain->boxhi[a]);
    if (!(std::fabs(by.grow) < 0.1))
        error->all(FLERR,
                   std::string("the barostat does not hold the pressure: begin nearer to it, "
                               "or take a shorter step or a longer PDAMP"));
    return by;
}

void Barostat::scale_box(const Drift drift[2])
{
    if (!on)
        return;
    const double grow = (1.0 + drift[0].grow) * (1.0 + drift[1].grow);
    for (int a = 0; a < 3; a++) {
        const double half = 0.5 * grow * (domain->boxhi[a] - domain->boxlo[a]);
        domain->boxlo[a] = drift[0].c[a] - half;
        domain->boxhi[a] = drift[0].c[a] + half;
    }
    domain->set_global_box();
    domain->set_local_box();
    if (force->kspace != nullptr)
        force->kspace->setup();
}

} // namespace LAMMPS_NS
