/* euler.c - Euler angles of any sequence.
 *
 * Bernardes, Viollet, Quaternion to Euler angles conversion: a direct, general and
 * computationally efficient method, PLoS ONE 17 (2022), Algorithm 1: half the sum and half
 * the difference of the first and the third angle are arguments of two complex numbers made
 * of the components, the angle between is that of their lengths.
 */
#include "cli/files/euler.h"

#include <string.h>

#include "rotation/vec.h"

static int axis_of(char letter)
{
    return letter - 'x';
}

bool euler_sequence(const char *sequence)
{
    return strlen(sequence) == 3 && strspn(sequence, "xyz") == 3 &&
           sequence[0] != sequence[1] && sequence[1] != sequence[2];
}

/* Into (-pi, pi]. */
static double wrapped(double angle)
{
    return angle > PH_PI     ? angle - 2.0 * PH_PI
           : angle <= -PH_PI ? angle + 2.0 * PH_PI
                             : angle;
}

void euler_angles(ph_quat q, const char *sequence, double angle[3])
{
    const double v[3] = {q.x, q.y, q.z};
    /* the same rotation about axes of space has them in the order k, j, i */
    const int i = axis_of(sequence[2]), j = axis_of(sequence[1]);
    const bool proper = sequence[0] == sequence[2];
    const int k = proper ? 3 - i - j : axis_of(sequence[0]);
    const double sign =
        0.5 * ((i - j) * (j - k) * (k - i)); /* of the permutation i, j, k */
    const double a = proper ? q.w : q.w - v[j], b = proper ? v[i] : v[i] + sign * v[k],
                 c = proper ? v[j] : v[j] + q.w,
                 d = proper ? sign * v[k] : sign * v[k] - v[i];
    const double between = 2.0 * atan2(hypot(c, d), hypot(a, b));
    const double half_sum = atan2(b, a), half_difference = atan2(d, c);
    const double tiny = 1e-7; /* as far as the angle between is known next to 0 and pi */
    double first, third;
    if (between < tiny) {
        first = 2.0 * half_sum;
        third = 0.0;
    } else if (PH_PI - between < tiny) {
        first = 2.0 * half_difference;
        third = 0.0;
    } else {
        third = half_sum - half_difference;
        first = half_sum + half_difference;
    }
    angle[0] = wrapped(proper ? first : sign * first);
    angle[1] = proper ? between : between - 0.5 * PH_PI;
    angle[2] = wrapped(third);
}

ph_quat euler_attitude(const char *sequence, const double angle[3])
{
    ph_quat q = {1.0, 0.0, 0.0, 0.0};
    for (int n = 0; n < 3; n++) {
        const int axis = axis_of(sequence[n]);
        const ph_vec3 turn = vec3(axis == 0, axis == 1, axis == 2);
        q = mul(q, turn_about(turn, 0.5 * angle[n]));
    }
    return q;
}
