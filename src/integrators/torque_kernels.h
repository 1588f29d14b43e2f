/* Written by scripts/lists. */
/* clang-format off */
#define COLUMN_KERNELS(X) X(heavy_top) X(satellite) X(soft_wall) X(well)
#define TORQUE_KERNELS(X) X(heavy_top) X(satellite) X(soft_wall) X(spacecraft) X(well)
#define EACH_KERNELS(X)                                                                            \
    X(generic) X(heavy_top) X(satellite) X(soft_wall) X(spacecraft) X(vertical) X(well)
#define SLOPES_KERNELS(X) X(heavy_top) X(satellite) X(soft_wall) X(spacecraft) X(well)
