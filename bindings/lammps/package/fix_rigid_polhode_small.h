/* fix_rigid_polhode_small.h - rigid molecules as a package of LAMMPS (bindings/lammps/package/install). */
#ifdef FIX_CLASS
// clang-format off
FixStyle(rigid/polhode/small,FixRigidPolhodeSmall);
// clang-format on
#else
#ifndef LMP_FIX_RIGID_POLHODE_SMALL_H
#define LMP_FIX_RIGID_POLHODE_SMALL_H
#ifndef POLHODE_PACKAGE
#define POLHODE_PACKAGE
#endif
#ifndef POLHODE_COMMANDS
#define POLHODE_HEADER
#endif
#include "fix_rigid_small.h"

#include "fix_rigid_polhode_small.inc"
#endif
#endif
