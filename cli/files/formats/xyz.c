/* xyz.c - frames of molecules as extended XYZ, which ASE and OVITO read.
 *
 * The number of bodies, a line with the box (if there is one), the time and the energy,
 * and a line for each body: species (X), pos (3), momenta (3), quaternion (4: w x y z,
 * body to space), angular_momentum (3, body frame), mass, inertia (3, principal moments) and
 * dipole (3, body frame).
 */
#include <stdio.h>

#include "cli/files/rows.h"

enum {
    NUMBER = 26,  /* bytes of a number and the space before it */
    NUMBERS = 20, /* of a body */
    HEAD = 512,   /* bytes of the two first lines */
};

static const char *refuse(const record *r)
{
    return instant_field(&r->first, "positions") != NULL
               ? NULL
               : "holds frames of molecules alone: end the name in .csv or .npy";
}

static size_t room(const record *r)
{
    return HEAD + instant_field(&r->first, "positions")->count * (NUMBERS * NUMBER + 4);
}

static bool begin(record *r)
{
    (void)r;
    return true;
}

/* The number of bodies; the box and what follows it, in one line. */
static size_t write_head(char *to, const instant *now)
{
    const ph_field *edges = instant_field(now, "box");
    const bool box = *edges->data[0] != 0.0;
    size_t used =
        (size_t)snprintf(to, HEAD, "%zu\n", instant_field(now, "positions")->count);
    if (box)
        used += (size_t)snprintf(to + used, HEAD - used,
                                 "Lattice=\"%.17g 0 0 0 %.17g 0 0 0 %.17g\" ",
                                 *edges->data[0], *edges->data[1], *edges->data[2]);
    used += (size_t)snprintf(to + used, HEAD - used,
                             "Properties=species:S:1:pos:R:3:momenta:R:3:quaternion:R:4:"
                             "angular_momentum:R:3:mass:R:1:inertia:R:3:dipole:R:3 "
                             "Time=%.17g energy=%.17g pbc=\"%s\"\n",
                             now->t, now->observable[0].now[0], box ? "T T T" : "F F F");
    return used;
}

static void write_frame(record *r, const instant *now)
{
    static const char *const NAMES[] = {"positions",       "momenta", "attitudes",
                                        "angular_momenta", "masses",  "inertias",
                                        "dipoles"};
    enum { FIELDS = sizeof NAMES / sizeof NAMES[0] };
    const ph_field *field[FIELDS];
    for (int f = 0; f < FIELDS; f++)
        field[f] = instant_field(now, NAMES[f]);
    size_t used = write_head(r->bytes, now);
    for (size_t i = 0; i < field[0]->count; i++) {
        r->bytes[used++] = 'X';
        for (int f = 0; f < FIELDS; f++) {
            for (int k = 0; k < field[f]->width; k++)
                used += (size_t)snprintf(r->bytes + used, NUMBER, " %.17g",
                                         field[f]->data[k][i * field[f]->stride]);
        }
        r->bytes[used++] = '\n';
    }
    outfile_write(r->out, r->bytes, used);
}

const file_format format_xyz = {
    .suffix = "xyz",
    .text = "extended XYZ",
    .continues = true,
    .refuse = refuse,
    .room = room,
    .begin = begin,
    .frame = write_frame,
};
