# The attitude taken from space to body.
# file: richardson.c
# seen by: preload water
s/attitude = {q\[0\], q\[1\], q\[2\], q\[3\]}/attitude = {q[0], -q[1], -q[2], -q[3]}/
s/q\[1\] = attitude.x, q\[2\] = attitude.y, q\[3\] = attitude.z/q[1] = -attitude.x, q[2] = -attitude.y, q[3] = -attitude.z/
