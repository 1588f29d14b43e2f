/* prelude.cl - what every program begins with. */
#include "base/portable.h"
#include "polhode/polhode.h"
#include "rotation/vec.h"
