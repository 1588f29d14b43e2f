/* lanes.c - finds the kernels of a problem by its torque: one whose torque was replaced by
 * another has none. */
#include "integrators/lanes.h"
#include "integrators/tangent_kernels.h"
#include "integrators/torque_kernels.h"
#include "polhode/catalog.h"

#define DECLARED_COLUMNS(name) KERNEL_DECLARE(extrapolation_kernel, columns_##name);
#define DECLARED_TORQUE(name)  KERNEL_DECLARE(torque_lanes_kernel, torque_##name);
#define COLUMNS_ROW(name)      {PROBLEM(name), KERNEL_TABLE(columns_##name)},
#define TORQUE_ROW(name)       {PROBLEM(name), KERNEL_TABLE(torque_##name)},
#define DECLARED_EACH(name)    KERNEL_DECLARE(torque_each_kernel, each_##name);
#define EACH_ROW(name)         {PROBLEM(name), KERNEL_TABLE(each_##name)},
#define DECLARED_SLOPES(name)  KERNEL_DECLARE(slopes_kernel, slopes_##name);
#define SLOPES_ROW(name)       {PROBLEM(name), KERNEL_TABLE(slopes_##name)},
#define PROBLEM(name)          (const ph_problem *)&ph_problem_##name

COLUMN_KERNELS(DECLARED_COLUMNS)
TORQUE_KERNELS(DECLARED_TORQUE)
EACH_KERNELS(DECLARED_EACH)
SLOPES_KERNELS(DECLARED_SLOPES)

extrapolation_kernel *ph_columns_of(const ph_problem *p)
{
    static const struct {
        const ph_problem *of; /* or the first of a family */
        extrapolation_kernel *sets[ISA_COUNT];
    } rows[] = {COLUMN_KERNELS(COLUMNS_ROW)};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        if (rows[k].of->torque == p->torque)
            // cppcheck-suppress CastIntegerToAddressAtReturn ; it is a pointer
            return rows[k].sets[ph_isa()];
    }
    return NULL;
}

torque_lanes_kernel *ph_lanes_of(const ph_problem *p)
{
    static const struct {
        const ph_problem *of;
        torque_lanes_kernel *sets[ISA_COUNT];
    } rows[] = {TORQUE_KERNELS(TORQUE_ROW)};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0] && p->torque_lanes == NULL; k++) {
        if (rows[k].of->torque == p->torque)
            // cppcheck-suppress CastIntegerToAddressAtReturn ; it is a pointer
            return rows[k].sets[ph_isa()];
    }
    return p->torque_lanes;
}

torque_each_kernel *ph_each_of(const ph_problem *p)
{
    static const struct {
        const ph_problem *of;
        torque_each_kernel *sets[ISA_COUNT];
    } rows[] = {EACH_KERNELS(EACH_ROW)};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        if (rows[k].of->torque == p->torque)
            // cppcheck-suppress CastIntegerToAddressAtReturn ; it is a pointer
            return rows[k].sets[ph_isa()];
    }
    return NULL;
}

slopes_kernel *ph_slopes_of(const ph_problem *p)
{
    static const struct {
        const ph_problem *of;
        slopes_kernel *sets[ISA_COUNT];
    } rows[] = {SLOPES_KERNELS(SLOPES_ROW)};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        if (rows[k].of->torque == p->torque)
            // cppcheck-suppress CastIntegerToAddressAtReturn ; it is a pointer
            return rows[k].sets[ph_isa()];
    }
    return NULL;
}
