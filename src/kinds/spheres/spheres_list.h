/* spheres_list.h - methods and problems on spheres by name. */
#pragma once

#include "kinds/spheres/stepping.h"
#include "system/custom.h"
#include "system/find.h"

typedef ph_method ph_spheres_method; /* as lists by name call it */
FIND(spheres_method)
FIND(spheres_problem)

/* `method` or `scheme+circle`. */
named_step ph_spheres_step_named;
