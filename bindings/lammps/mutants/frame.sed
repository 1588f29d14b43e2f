# The attitude taken from space to body, there and back.
# file: fix_nve_polhode.cpp
# seen by: near preload torque drift
s/^            memcpy(m\[k\], atom.*/&\
            for (int c = 1; c < 4; c++) ellipsoid[k].q[c] *= -1.0;/
s/^            memcpy(q\[k\], ellipsoid.*/            for (int c = 1; c < 4; c++) ellipsoid[k].q[c] *= -1.0;\
&/
