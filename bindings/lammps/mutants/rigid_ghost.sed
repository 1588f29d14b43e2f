# Ghosts of molecules that do not hear of their angular velocity.
# file: fix_rigid_polhode_small.cpp
# seen by: friction
s/{b.w, 3}/{b.w, 0}/; s/+ 16 + 3 }/+ 16 }/
