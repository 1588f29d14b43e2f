/* xyz.c - a frame of molecules as extended XYZ. */
#include "io/xyz.h"

#include <stdio.h>

#define NUMBER  26  /* bytes of a number and the space before it */
#define NUMBERS 13  /* of a body */
#define HEAD    512 /* bytes of the two first lines */

size_t xyz_size(size_t n)
{
    return HEAD + n * (NUMBERS * NUMBER + 4);
}

/* The box and what follows it, in one line. */
static size_t head(char *to, const ph_molecules *s, double t, double energy)
{
    const bool box = s->box.x != 0.0;
    size_t used = (size_t)snprintf(to, HEAD, "%zu\n", s->n);
    if (box)
        used += (size_t)snprintf(to + used, HEAD - used,
                                 "Lattice=\"%.17g 0 0 0 %.17g 0 0 0 %.17g\" ", s->box.x,
                                 s->box.y, s->box.z);
    used += (size_t)snprintf(to + used, HEAD - used,
                             "Properties=species:S:1:pos:R:3:momenta:R:3:"
                             "quaternion:R:4:angular_momentum:R:3 "
                             "Time=%.17g energy=%.17g pbc=\"%s\"\n",
                             t, energy, box ? "T T T" : "F F F");
    return used;
}

void xyz_write(outfile *out, const ph_molecules *s, double t, double energy, char *buffer)
{
    size_t used = head(buffer, s, t, energy);
    const double *const array[NUMBERS] = {s->x[0], s->x[1], s->x[2], s->p[0], s->p[1],
                                          s->p[2], s->q[0], s->q[1], s->q[2], s->q[3],
                                          s->m[0], s->m[1], s->m[2]};
    for (size_t i = 0; i < s->n; i++) {
        buffer[used++] = 'X';
        for (int k = 0; k < NUMBERS; k++)
            used += (size_t)snprintf(buffer + used, NUMBER, " %.17g", array[k][i]);
        buffer[used++] = '\n';
    }
    outfile_write(out, buffer, used);
}
