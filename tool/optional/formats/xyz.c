/* xyz.c - frames of molecules as extended XYZ, which ASE and OVITO read.
 *
 * Molecules with atoms, as water, are written atom by atom in the units of ASE: places in
 * angstroms, masses in u, momenta in u angstrom over ASE's unit of time (10.18 fs), the energy in
 * eV. The time is in ps. A site without mass has the species X.
 *
 * Other bodies are in the units of their problem: the number of bodies, a line with the box (if
 * there is one), the time and the energy, and a line for each body: species (X), pos (3), momenta
 * (3), quaternion (4: w x y z, body to space), angular_momentum (3, body frame), mass, inertia (3,
 * principal moments) and dipole (3, body frame).
 */
#include "atoms.h"

/* A kJ/mol in eV, and a nm/ps in angstroms over angstrom sqrt(u/eV): CODATA 2018. */
#define EV           0.010364269656262174
#define ASE_VELOCITY 0.10180505710759415

/* The fields of a body, in the order of the properties. */
static const char *const names[] = {"positions", "momenta",  "attitudes", "angular_momenta",
                                    "masses",    "inertias", "dipoles"};

static const char *refuse(const record *r)
{
    bool all = instant_field(&r->first, "box") != NULL && r->first.observables > 0;
    for (size_t f = 0; f < COUNT(names); f++)
        all = all && instant_field(&r->first, names[f]) != NULL;
    if (all)
        return NULL;
    return "can contain only frames of molecules: end the name in .csv or .npy";
}

static void write_atoms(record *r, const instant *now)
{
    const size_t count = atoms_count(now);
    const ph_array *box = instant_field(now, "box");
    outfile_begin_piece(r->out);
    outfile_print(r->out,
                  "%zu\nLattice=\"%.17g 0 0 0 %.17g 0 0 0 %.17g\" "
                  "Properties=species:S:1:pos:R:3:momenta:R:3:masses:R:1:molecule:I:1 "
                  "Time=%.17g energy=%.17g length_unit=Angstrom time_unit=ps energy_unit=eV "
                  "pbc=\"T T T\"\n",
                  count, 10.0 * *box->data[0], 10.0 * *box->data[1], 10.0 * *box->data[2], now->t,
                  EV * now->observable[0].now[0]);
    for (size_t i = 0; i < count; i++) {
        const atom a = atoms_at(now, i, false);
        const double per = a.mass * ASE_VELOCITY;
        outfile_print(r->out, "%s %.17g %.17g %.17g %.17g %.17g %.17g %.17g %zu\n", a.element,
                      10.0 * a.at.x, 10.0 * a.at.y, 10.0 * a.at.z, per * a.velocity.x,
                      per * a.velocity.y, per * a.velocity.z, a.mass, a.molecule + 1);
    }
    outfile_end_piece(r->out);
}

/* The number of bodies; the box and what follows it, in one line; a line for each body. */
static void write_frame(record *r, const instant *now)
{
    outfile *out = r->out;
    const ph_array *edges = instant_field(now, "box");
    const bool box = *edges->data[0] != 0.0;
    const size_t bodies = instant_field(now, "positions")->count;
    if (atoms_count(now) > 0) {
        write_atoms(r, now);
        return;
    }
    outfile_begin_piece(out);
    outfile_print(out, "%zu\n", bodies);
    if (box)
        outfile_print(out, "Lattice=\"%.17g 0 0 0 %.17g 0 0 0 %.17g\" ", *edges->data[0],
                      *edges->data[1], *edges->data[2]);
    outfile_print(out,
                  "Properties=species:S:1:pos:R:3:momenta:R:3:quaternion:R:4:"
                  "angular_momentum:R:3:mass:R:1:inertia:R:3:dipole:R:3 "
                  "Time=%.17g energy=%.17g pbc=\"%s\"\n",
                  now->t, now->observable[0].now[0], box ? "T T T" : "F F F");
    for (size_t i = 0; i < bodies; i++) {
        outfile_write(out, "X", 1);
        for (size_t f = 0; f < COUNT(names); f++) {
            const ph_array *x = instant_field(now, names[f]);
            for (int k = 0; k < x->width; k++)
                outfile_print(out, " %.17g", x->data[k][i * x->stride]);
        }
        outfile_write(out, "\n", 1);
    }
    outfile_end_piece(out);
}

const file_format format_xyz = {
    .suffix = "xyz",
    .text = "extended XYZ",
    .undated = true,
    .continues = true,
    .refuse = refuse,
    .frame = write_frame,
};
