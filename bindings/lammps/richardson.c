/* richardson.c - the exact free motion under every style of LAMMPS that turns bodies by
 * MathExtra::richardson(): nve|nvt|npt|nph/asphere, nve|nvt|npt|nph/body, nve/tri, rigid,
 * rigid/small. A library to preload: it stands before LAMMPS's function, and scripts stay as
 * they are. POLHODE_FLOW names another flow.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <polhode/batch.h>

/* q: attitude, w x y z, in and out; m: angular momentum in space, which stays; w: angular
 * velocity in space, out in the middle of the step; J: principal moments, 0 about the axis
 * of a linear body. */
__attribute__((visibility("default"))) void
ph_lammps_richardson(double *q, double *m, double *w, double *J,
                     double half_step) __asm__("_ZN9MathExtra10richardsonEPdS0_S0_S0_d");

static const ph_flow *flow;

__attribute__((constructor)) static void choose_flow(void)
{
    const char *name = getenv("POLHODE_FLOW");
    ph_status status = ph_flow_named(name != NULL ? name : "exact", &flow);
    if (status == PH_OK && (flow->keeps & PH_MOMENTUM) == 0)
        status = PH_NOT_APPLICABLE;
    if (status == PH_OK)
        return;
    fprintf(stderr, "polhode: the flow %s: %s: see `polhode list flows`\n", name,
            ph_status_text(status));
    _Exit(2);
}

void ph_lammps_richardson(double *q, double *m, double *w, double *J, double half_step)
{
    ph_quat attitude = {q[0], q[1], q[2], q[3]};
    ph_vec3 velocity = {NAN, NAN, NAN};
    if (ph_flow_turn(flow, (ph_vec3){J[0], J[1], J[2]}, &attitude, (ph_vec3){m[0], m[1], m[2]},
                     2.0 * half_step, &velocity) != PH_OK)
        attitude.w = attitude.x = attitude.y = attitude.z = NAN; /* LAMMPS notices */
    q[0] = attitude.w, q[1] = attitude.x, q[2] = attitude.y, q[3] = attitude.z;
    w[0] = velocity.x, w[1] = velocity.y, w[2] = velocity.z;
}
