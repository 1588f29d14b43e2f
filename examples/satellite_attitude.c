/* satellite_attitude.c - where does a tumbling satellite point in eleven days?
 *
 * A body given by its full inertia tensor, in the axes of its drawings. Its exact motion
 * is prepared once and then asked for any instant, in any order: a million seconds cost
 * what one second costs, and the invariants hold to round-off at both. */
#include <math.h>
#include <stdio.h>

#include <polhode/polhode.h>

static double distance(ph_vec3 a, ph_vec3 b)
{
    return hypot(hypot(a.x - b.x, a.y - b.y), a.z - b.z);
}

int main(void)
{
    static const ph_mat3 tensor = {{{1700, -120, 45}, {-120, 3700, 80}, {45, 80, 5400}}};
    static const ph_vec3 nothing = {0, 0, 0}, antenna = {1, 0, 0};
    static const double instants[] = {0, 1, 60, 3600, 86400, 1e6, -1e6};
    ph_body body;
    ph_motion motion;
    ph_status status = ph_body_from_tensor(&body, tensor); /* kg m^2 */
    if (status != PH_OK) {
        (void)fprintf(stderr, "the tensor: %s\n", ph_status_text(status));
        return 1;
    }
    /* rad/s about the axes of the drawings; the attitude at the start is that of space */
    const ph_vec3 velocity = {0.02, -0.05, 0.01};
    const ph_state start = {{1, 0, 0, 0}, ph_body_momentum(&body, velocity)};
    status = ph_motion_prepare(&motion, &body, &start);
    if (status != PH_OK) {
        (void)fprintf(stderr, "the motion: %s\n", ph_status_text(status));
        return 1;
    }
    const double energy = ph_body_energy(&body, &start);
    const ph_vec3 momentum = ph_state_space_momentum(&start);

    printf("principal moments %.3f, %.3f, %.3f kg m^2\n", body.J.x, body.J.y, body.J.z);
    printf("  time/s   where the antenna points        errors of energy, momentum\n");
    for (size_t i = 0; i < sizeof instants / sizeof instants[0]; i++) {
        const ph_state s = ph_motion_at(&motion, instants[i]);
        const ph_vec3 p = ph_quat_rotate(s.q, antenna);
        const double of_energy = fabs(ph_body_energy(&body, &s) / energy - 1.0);
        const double of_momentum =
            distance(ph_state_space_momentum(&s), momentum) / distance(momentum, nothing);
        printf("%8.0f   %+.6f %+.6f %+.6f   %.1e, %.1e\n", instants[i], p.x, p.y, p.z, of_energy,
               of_momentum);
        if (!(of_energy < 1e-14 && of_momentum < 1e-14))
            return 1;
    }
    return 0;
}
