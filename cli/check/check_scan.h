/* check_scan.h - the drift of the energy, predicted and measured; how large a step may be. */
#pragma once

#include "cli/input/custom.h"
#include "cli/tool/command.h"

/* check --drift and check --steps, of these methods on a problem. */
int check_drift(const arguments *given, const method_list *named, outfile *out);
int check_steps(const arguments *given, const method_list *named, outfile *out);
