/* atoms.h - the atoms of molecules, for formats of molecular dynamics.
 *
 * A kind of system whose molecules have atoms gives the fields `atoms` and `atomic_numbers`. Its
 * lengths are in nm and its times in ps.
 */
#pragma once

#include "motion/vec.h"
#include "tool/files/rows.h"

/* One atom of a frame. */
typedef struct atom {
    size_t molecule;      /* its number, from 0 */
    const char *element;  /* X for a site without mass */
    const char *name;     /* within its molecule, as H2 */
    double mass;          /* in u */
    ph_vec3 at, velocity; /* in nm and nm/ps, in space */
} atom;

/* Why a file of atoms cannot hold what there is; NULL: it can. */
const char *atoms_refuse(const record *r);

/* Returns how many atoms a frame has, or 0 if its bodies have no atoms. */
size_t atoms_count(const instant *now);

/* Returns the name of the molecules as residues: `water` if they are O, H, H, else MOL. */
const char *atoms_residue(const instant *now, const char *water);

/* Returns atom i of a frame. The place of its molecule's centre is inside the box if `wrapped`. */
atom atoms_at(const instant *now, size_t i, bool wrapped);
