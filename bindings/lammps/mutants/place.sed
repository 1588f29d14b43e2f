# A body that depends on its place among others.
# file: fix_nve_polhode.cpp
# seen by: ranks
s/^            memcpy(m\[k\], atom.*/&\
            m[k][0] *= 1.0 + k * 1e-15;/
