/* gauss_legendre.h - Gauss-Legendre quadrature on [0, 1], by number of points: nodes
 * below 1/2, each standing for its mirror image too, and the weight of the middle. */
#pragma once

#include "base/portable.h"

typedef struct gauss_legendre {
    int pairs;
    double node[2], weight[2], middle;
} gauss_legendre;

FILE_CONSTANT gauss_legendre gauss_rules[] = {
    [3] = {1, {0.1127016653792583114821}, {5.0 / 18.0}, 4.0 / 9.0},
    [4] = {2,
           {0.06943184420297371238803, 0.3300094782075718675987},
           {0.1739274225687269286865, 0.3260725774312730713135},
           0.0},
    [5] = {2,
           {0.04691007703066800360119, 0.2307653449471584544818},
           {0.1184634425280945437571, 0.2393143352496832340206},
           64.0 / 225.0},
};
