/* figure_list.h - all figures, in the order of the papers and their numbers. */
#pragma once

#include <stddef.h>

#include "lab/papers/figure.h"

/* A static array; *count is set to their number. */
const ph_figure *const *figure_list(size_t *count);
