/* pdb.c - frames of atoms as models of a PDB file, in angstroms.
 *
 * wwPDB, Protein Data Bank contents guide, version 3.3: CRYST1 with the edges of the box, and for
 * each frame MODEL, a line HETATM for each atom, ENDMDL. Sites without mass are left out. Centres
 * of molecules are inside the box. Numbers that the columns do not hold begin again at 0.
 */
#include "atoms.h"

static void write_box(record *r)
{
    const ph_array *box = instant_field(&r->first, "box");
    outfile_print(r->out, "CRYST1%9.3f%9.3f%9.3f  90.00  90.00  90.00 P 1           1\n",
                  10.0 * *box->data[0], 10.0 * *box->data[1], 10.0 * *box->data[2]);
}

static void write_frame(record *r, const instant *now)
{
    const size_t count = atoms_count(now);
    const char *residue = atoms_residue(now, "HOH");
    size_t serial = 0;
    outfile_begin_piece(r->out);
    outfile_print(r->out, "MODEL     %4llu\n", (r->count + 1) % 10000);
    for (size_t i = 0; i < count; i++) {
        const atom a = atoms_at(now, i, true);
        if (a.mass == 0.0)
            continue;
        serial++;
        outfile_print(r->out,
                      "HETATM%5zu  %-3s %s A%4zu    %8.3f%8.3f%8.3f  1.00  0.00          %2s\n",
                      serial % 100000, a.name, residue, (a.molecule + 1) % 10000, 10.0 * a.at.x,
                      10.0 * a.at.y, 10.0 * a.at.z, a.element);
    }
    outfile_print(r->out, "ENDMDL\n");
    outfile_end_piece(r->out);
}

const file_format format_pdb = {
    .suffix = "pdb",
    .text = "a PDB file",
    .undated = true,
    .continues = true,
    .refuse = atoms_refuse,
    .begin = write_box,
    .frame = write_frame,
};
