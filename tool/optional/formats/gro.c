/* gro.c - frames of atoms in the format of GROMACS, .gro, in nm and ps.
 *
 * A title with the time, the number of atoms, a line of fixed columns for each atom, and the
 * edges of the box (GROMACS reference manual, file formats, gro). Centres of molecules are inside
 * the box. The columns hold numbers below 100000, which then begin again at 0.
 */
#include "atoms.h"

static void write_frame(record *r, const instant *now)
{
    const size_t count = atoms_count(now);
    const char *residue = atoms_residue(now, "SOL");
    const ph_array *box = instant_field(now, "box");
    outfile_begin_piece(r->out);
    outfile_print(r->out, "%s, t= %.5f step= %llu\n%zu\n", r->about->problem, now->t, r->count,
                  count);
    for (size_t i = 0; i < count; i++) {
        const atom a = atoms_at(now, i, true);
        outfile_print(r->out, "%5zu%-5s%5s%5zu%8.3f%8.3f%8.3f%8.4f%8.4f%8.4f\n",
                      (a.molecule + 1) % 100000, residue, a.name, (i + 1) % 100000, a.at.x, a.at.y,
                      a.at.z, a.velocity.x, a.velocity.y, a.velocity.z);
    }
    outfile_print(r->out, "%10.5f%10.5f%10.5f\n", *box->data[0], *box->data[1], *box->data[2]);
    outfile_end_piece(r->out);
}

const file_format format_gro = {
    .suffix = "gro",
    .text = "a GROMACS file",
    .undated = true,
    .continues = true,
    .refuse = atoms_refuse,
    .frame = write_frame,
};
