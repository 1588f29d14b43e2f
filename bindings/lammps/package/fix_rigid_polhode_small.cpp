/* fix_rigid_polhode_small.cpp - compiles the functions of the fix, whose class is in the header. */
#define POLHODE_COMMANDS
#include "fix_rigid_polhode_small.h"
