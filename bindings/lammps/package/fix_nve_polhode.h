/* fix_nve_polhode.h - the fixes for ellipsoids as a package of LAMMPS (bindings/lammps/package/install). */
#ifdef FIX_CLASS
// clang-format off
FixStyle(nve/polhode,FixNVEPolhode);
FixStyle(langevin/polhode,FixNVEPolhode);
FixStyle(nvt/polhode,FixNVEPolhode);
FixStyle(npt/polhode,FixNVEPolhode);
// clang-format on
#else
#ifndef LMP_FIX_NVE_POLHODE_H
#define LMP_FIX_NVE_POLHODE_H
#ifndef POLHODE_PACKAGE
#define POLHODE_PACKAGE
#endif
#include "atom_vec_ellipsoid.h"

#include "fix_nve_polhode.inc"
#endif
#endif
