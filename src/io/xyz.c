/* xyz.c - a frame of molecules as extended XYZ. */
#include "io/xyz.h"
#include "catalog/find.h"

#include <stdio.h>

#define NUMBER  26  /* bytes of a number and the space before it */
#define NUMBERS 13  /* of a body */
#define HEAD    512 /* bytes of the two first lines */

size_t xyz_size(size_t n)
{
    return HEAD + n * (NUMBERS * NUMBER + 4);
}

/* The box and what follows it, in one line. */
static size_t head(char *to, const ph_system *s, double t, double energy)
{
    const ph_field *edges = find_field(s, "box");
    const bool box = *edges->data[0] != 0.0;
    size_t used = (size_t)snprintf(to, HEAD, "%zu\n", find_field(s, "positions")->count);
    if (box)
        used += (size_t)snprintf(to + used, HEAD - used,
                                 "Lattice=\"%.17g 0 0 0 %.17g 0 0 0 %.17g\" ",
                                 *edges->data[0], *edges->data[1], *edges->data[2]);
    used += (size_t)snprintf(to + used, HEAD - used,
                             "Properties=species:S:1:pos:R:3:momenta:R:3:"
                             "quaternion:R:4:angular_momentum:R:3 "
                             "Time=%.17g energy=%.17g pbc=\"%s\"\n",
                             t, energy, box ? "T T T" : "F F F");
    return used;
}

void xyz_write(outfile *out, const ph_system *s, double t, double energy, char *buffer)
{
    static const char *const NAMES[] = {"positions", "momenta", "attitudes",
                                        "angular_momenta"};
    enum { FIELDS = sizeof NAMES / sizeof NAMES[0] };
    const ph_field *field[FIELDS];
    for (int f = 0; f < FIELDS; f++)
        field[f] = find_field(s, NAMES[f]);
    size_t used = head(buffer, s, t, energy);
    for (size_t i = 0; i < field[0]->count; i++) {
        buffer[used++] = 'X';
        for (int f = 0; f < FIELDS; f++) {
            for (int k = 0; k < field[f]->width; k++)
                used += (size_t)snprintf(buffer + used, NUMBER, " %.17g",
                                         field[f]->data[k][i * field[f]->stride]);
        }
        buffer[used++] = '\n';
    }
    outfile_write(out, buffer, used);
}
