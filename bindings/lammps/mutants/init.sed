# A state that the beginning of a run changes, in the last bits.
# file: fix_nve_polhode.cpp
# seen by: restart
s/^        reset_dt();/&\n        for (int i = 0; i < atom->nlocal; i++) atom->angmom[i][0] *= 1 + 0x1p-52;/
