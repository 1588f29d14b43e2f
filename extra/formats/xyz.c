/* xyz.c - frames of molecules as extended XYZ, which ASE and OVITO read.
 *
 * The number of bodies, a line with the box (if there is one), the time and the energy,
 * and a line for each body: species (X), pos (3), momenta (3), quaternion (4: w x y z,
 * body to space), angular_momentum (3, body frame), mass, inertia (3, principal moments) and
 * dipole (3, body frame).
 */
#include "cli/files/rows.h"

/* The fields of a body, in the order of the properties. */
static const char *const names[] = {"positions", "momenta",  "attitudes", "angular_momenta",
                                    "masses",    "inertias", "dipoles"};

static const char *refuse(const record *r)
{
    bool all = instant_field(&r->first, "box") != NULL && r->first.observables > 0;
    for (size_t f = 0; f < COUNT(names); f++)
        all = all && instant_field(&r->first, names[f]) != NULL;
    return all ? NULL : "holds frames of molecules alone: end the name in .csv or .npy";
}

/* The number of bodies; the box and what follows it, in one line; a line for each body. */
static void write_frame(record *r, const instant *now)
{
    outfile *out = r->out;
    const ph_array *edges = instant_field(now, "box");
    const bool box = *edges->data[0] != 0.0;
    const size_t bodies = instant_field(now, "positions")->count;
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
