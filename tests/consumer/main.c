/* main.c - a user of the installed library: a free body turns and keeps its energy. */
#include <math.h>
#include <stdio.h>

#include <polhode/polhode.h>

int main(void)
{
    const ph_vec3 moments = {1.0, 2.0, 3.0};
    const ph_state start = {{1.0, 0.0, 0.0, 0.0}, {0.3, 0.4, 0.5}};
    const ph_flow *exact;
    ph_body body;
    ph_state now = start;
    ph_status status = ph_body_from_moments(&body, moments);
    if (status == PH_OK)
        status = ph_flow_named("exact", &exact);
    if (status == PH_OK)
        status = ph_flow_step(exact, &body, &now, 10.0);
    if (status != PH_OK) {
        fprintf(stderr, "consumer: %s\n", ph_status_text(status));
        return 1;
    }
    const double before = ph_body_energy(&body, &start), after = ph_body_energy(&body, &now);
    printf("polhode %s: energy %.15f, after a while %.15f\n", ph_version(), before, after);
    return fabs(after - before) < 1e-14 ? 0 : 1;
}
