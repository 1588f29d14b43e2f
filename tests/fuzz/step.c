/* step.c - polhode_step.h with any numbers.
 *
 * The first byte chooses the function; the others are its numbers, as they stand in memory: q, w, J and dt, of
 * double or of float. Numbers that are missing are 0.
 */
#include "polhode_step.h"

#include <float.h>
#include <string.h>

#include "fuzz.h"

enum { NUMBERS = 11, CHANGED = 7 };

/* What a step gives of `before`, and all that is promised of it. */
static void check(const double before[NUMBERS], const double after[NUMBERS], double round_off)
{
    double length = 0.0;
    bool moves = !isnan(before[7]) && !isnan(before[8]) && !isnan(before[9]), zero = true;
    for (int i = 0; i < NUMBERS; i++) {
        moves = moves && (isfinite(before[i]) || (i >= CHANGED && i < NUMBERS - 1));
        zero = zero && (i >= 4 || before[i] == 0.0);
    }
    for (int i = 0; i < CHANGED; i++) {
        if (!moves || zero)
            require(after[i] == before[i] || (isnan(after[i]) && isnan(before[i])),
                    "number %d stays", i);
        else
            require(isfinite(after[i]), "number %d is finite", i);
        length += i < 4 ? after[i] * after[i] : 0.0;
    }
    require(!moves || zero || fabs(length - 1.0) < round_off,
            "the quaternion is of unit length, not %.17g", sqrt(length));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    double x[NUMBERS] = {0}, y[NUMBERS];
    float f[NUMBERS] = {0}, g[NUMBERS];
    if (size == 0)
        return 0;
    const size_t bytes = size - 1, most = data[0] & 1 ? sizeof f : sizeof x;
    memcpy(data[0] & 1 ? (void *)f : (void *)x, data + 1, bytes < most ? bytes : most);
    memcpy(y, x, sizeof y);
    memcpy(g, f, sizeof g);
    if (data[0] & 1) {
        (data[0] & 2 ? polhode_stepf_world : polhode_stepf)(g, g + 4, g + 7, g[10]);
        for (int i = 0; i < NUMBERS; i++) {
            x[i] = f[i];
            y[i] = g[i];
        }
    } else {
        (data[0] & 2 ? polhode_step_world : polhode_step)(y, y + 4, y + 7, y[10]);
    }
    check(x, y, data[0] & 1 ? 8.0 * FLT_EPSILON : 32.0 * DBL_EPSILON);
    return 0;
}
