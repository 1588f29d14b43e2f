# The angular momentum with the other sign.
# file: fix_nve_polhode.cpp
# seen by: near preload torque
s/^            memcpy(m\[k\], atom.*/&\
            for (int c = 0; c < 3; c++) m[k][c] *= -1.0;/
