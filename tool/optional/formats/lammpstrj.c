/* lammpstrj.c - frames of atoms as a dump file of LAMMPS, in its units `real`: angstroms and fs.
 *
 * As LAMMPS's command `dump custom` writes it, with unwrapped places, so that paths can be followed
 * across the edges of the box. Types are 1 for the first atom of a molecule, and so on.
 */
#include "atoms.h"

static void write_frame(record *r, const instant *now)
{
    const size_t count = atoms_count(now), sites = instant_field(now, "atoms")->count;
    const ph_array *box = instant_field(now, "box");
    outfile_begin_piece(r->out);
    outfile_print(r->out,
                  "ITEM: UNITS\nreal\nITEM: TIME\n%.17g\nITEM: TIMESTEP\n%llu\n"
                  "ITEM: NUMBER OF ATOMS\n%zu\nITEM: BOX BOUNDS pp pp pp\n",
                  1000.0 * now->t, r->count, count);
    for (int k = 0; k < 3; k++)
        outfile_print(r->out, "0 %.17g\n", 10.0 * *box->data[k]);
    outfile_print(r->out, "ITEM: ATOMS id mol type element mass xu yu zu vx vy vz\n");
    for (size_t i = 0; i < count; i++) {
        const atom a = atoms_at(now, i, false);
        outfile_print(r->out, "%zu %zu %zu %s %.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", i + 1,
                      a.molecule + 1, i % sites + 1, a.element, a.mass, 10.0 * a.at.x,
                      10.0 * a.at.y, 10.0 * a.at.z, 0.01 * a.velocity.x, 0.01 * a.velocity.y,
                      0.01 * a.velocity.z);
    }
    outfile_end_piece(r->out);
}

const file_format format_lammpstrj = {
    .suffix = "lammpstrj",
    .text = "a LAMMPS dump",
    .undated = true,
    .continues = true,
    .refuse = atoms_refuse,
    .frame = write_frame,
};
