# The state of a fix of another style in a restart file is not taken.
# file: common.cpp
# seen by: baths
s/style == fix->style ||/true ||/
