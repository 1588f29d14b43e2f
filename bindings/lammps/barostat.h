/* barostat.h - the barostat of the fixes for LAMMPS: pressure, piston and box (barostat.cpp). */
#pragma once

#include <string>

#include <fix.h>
#include <pointers.h>

namespace LAMMPS_NS
{

/* A drift of centres x about a point c of the box: x becomes x + of_v v + grow (x - c). */
struct Drift {
    double of_v, grow, c[3];
    void move(double *x, const double *v) const
    {
        for (int a = 0; a < 3; a++)
            x[a] += of_v * v[a] + grow * (x[a] - c[a]);
    }
};

class Barostat : protected Pointers
{
  public:
    bool on = false;
    double from = 0.0, to = 0.0, damp = 0.0; /* pressures of a ramp, and PDAMP */
    double target = 0.0;                     /* the pressure asked for in this step */
    double mass = 0.0;                       /* W, mass times the square of a length */
    double rate = 0.0;                       /* e', the rate of the logarithm of the lengths */

    explicit Barostat(LAMMPS *lammps) : Pointers(lammps)
    {
    }

    /* Sets the flags of a fix that changes the box, and makes the compute of its pressure. */
    void announce(Fix *fix);

    /* Deletes the compute. The destructor of the fix must call it. */
    void release();

    /* Before a run: refuses boxes that cannot be scaled, and atoms outside the group. */
    void init(const Fix *fix) const;

    /* `fix_modify ID press COMPUTE`: returns the number of words taken, 0 if the first is another. */
    int modify_param(int narg, char **arg, const char *style);

    /* Takes the molecular virial of now from LAMMPS, and asks for that of the next step. With a compute of
     * `fix_modify press` it is three times that pressure times the volume, less `twice`, twice the kinetic energy of
     * the centres. */
    void measure(double twice);

    /* Returns the energy of the piston, and that of a pressure: p V. */
    double kinetic() const;
    double product(double pressure) const;

    /* Changes the rate by a time of the virial, of `kinetic_push`, which is that of the centres, and of the pressure
     * asked for. */
    void push(double time, double kinetic_push);

    /* Returns the drift over a time. */
    Drift drift(double time) const;

    /* Scales the box as both drifts have scaled the centres. */
    void scale_box(const Drift drift[2]);

  private:
    std::string compute;      /* the ID of that of the pressure */
    bool is_molecular = true; /* it is that of announce() */
    double virial = 0.0;      /* as mass times the square of a velocity */
};

} // namespace LAMMPS_NS
