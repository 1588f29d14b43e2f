/* line.h - the line through the means of the blocks of a run. */
#pragma once

typedef struct block_line {
    double slope, standard_error; /* from the scatter of the means about the line */
} block_line;

/* With r_k the residuals of `count` means y_k at x_k:
 *
 *   standard error = sqrt( sum r_k^2 / (count - 2) / sum (x_k - mean)^2 ) */
block_line ph_line_through(const double *x, const double *y, int count);
