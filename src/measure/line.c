/* line.c - the line through the means of the blocks of a run. */
#include "measure/line.h"

#include <math.h>

block_line ph_line_through(const double *x, const double *y, int count)
{
    double mean_x = 0, mean_y = 0, xy = 0, xx = 0, rr = 0;
    for (int k = 0; k < count; k++) {
        mean_x += x[k] / count;
        mean_y += y[k] / count;
    }
    for (int k = 0; k < count; k++) {
        xy += (x[k] - mean_x) * (y[k] - mean_y);
        xx += (x[k] - mean_x) * (x[k] - mean_x);
    }
    for (int k = 0; k < count; k++) {
        const double r = y[k] - mean_y - xy / xx * (x[k] - mean_x);
        rr += r * r;
    }
    return (block_line){xy / xx, sqrt(rr / (count - 2) / xx)};
}
