# Noise along axes of space instead of the axes of the body.
# file: fix_rigid_polhode_small.cpp
# seen by: molecules
s/^            to_body(q, b.L);//; s/ph_quat_rotate(q, {b.L\[0\], b.L\[1\], b.L\[2\]})/ph_vec3({b.L[0], b.L[1], b.L[2]})/
