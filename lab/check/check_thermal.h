/* check_thermal.h - what a thermostat samples. */
#pragma once

#include "cli/input/custom.h"
#include "cli/tool/command.h"

/* check --ensemble, of these methods on a problem with the parameters of a scenario; exit status 1
 * if one samples something else. */
int check_thermal(const arguments *given, const method_list *named, const scenario *input,
                  outfile *out);
