/* tableau.c - the coefficients. */
#include "integrators/tableau.h"

#define SQRT3  1.732050807568877293527
#define SQRT15 3.872983346207416885180

const tableau ph_tableau_rk4 = {
    .stages = 4,
    .a = {{0}, {1.0 / 2}, {0, 1.0 / 2}, {0, 0, 1}},
    .b = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6},
    .c = {0, 1.0 / 2, 1.0 / 2, 1},
};

const tableau ph_tableau_gauss4 = {
    .stages = 2,
    .a = {{1.0 / 4, 1.0 / 4 - SQRT3 / 6}, {1.0 / 4 + SQRT3 / 6, 1.0 / 4}},
    .b = {1.0 / 2, 1.0 / 2},
    .c = {1.0 / 2 - SQRT3 / 6, 1.0 / 2 + SQRT3 / 6},
};

const tableau ph_tableau_gauss6 = {
    .stages = 3,
    .a = {{5.0 / 36, 2.0 / 9 - SQRT15 / 15, 5.0 / 36 - SQRT15 / 30},
          {5.0 / 36 + SQRT15 / 24, 2.0 / 9, 5.0 / 36 - SQRT15 / 24},
          {5.0 / 36 + SQRT15 / 30, 2.0 / 9 + SQRT15 / 15, 5.0 / 36}},
    .b = {5.0 / 18, 4.0 / 9, 5.0 / 18},
    .c = {1.0 / 2 - SQRT15 / 10, 1.0 / 2, 1.0 / 2 + SQRT15 / 10},
};
