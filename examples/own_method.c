/* own_method.c - an integrator of your own, and what it keeps.
 *
 * A method is a struct with your step in it, and needs no registration. This one kicks by
 * the whole torque and then lets the body turn freely: symplectic, but of order 1 and not
 * symmetric. A measurement finds that out. */
#include <math.h>
#include <stdio.h>

#include <polhode/measure.h>

/* The state a time h after t; it may be changed only if all goes well. */
static ph_status step(const ph_method *method, const ph_problem *p, ph_state *s, double t, double h)
{
    const ph_vec3 tau = ph_problem_torque(p, t, s); /* zero where there is none */
    ph_state next = *s;
    (void)method;
    next.m.x += h * tau.x;
    next.m.y += h * tau.y;
    next.m.z += h * tau.z;
    const ph_flow *exact;
    ph_status status = ph_flow_named("exact", &exact);
    if (status == PH_OK)
        status = ph_flow_step(exact, &p->body, &next, h);
    if (status == PH_OK)
        *s = next;
    return status;
}

static const char *yes_or_no(ph_answer answer)
{
    return answer == PH_ANSWER_YES ? "yes" : "no";
}

int main(void)
{
    const ph_method method = {.name = "symplectic_euler", .order = 1, .step = step};
    const ph_integrator mine = {.method = &method};
    const ph_measure_settings quick = {.steps = 1000, .drift_time = 1000};
    ph_measurement found;
    ph_measure(&mine, &quick, &found);
    printf("order %.2f; symplectic: %s, defect %.0e; symmetric: %s, defect %.0e\n", found.order,
           yes_or_no(found.field.symplectic), found.field.symplectic_defect,
           yes_or_no(found.field.symmetric), found.field.symmetry_defect);
    const int right = fabs(found.order - 1) < 0.1 && found.field.symplectic == PH_ANSWER_YES &&
                      found.field.symmetric == PH_ANSWER_NO &&
                      found.field.energy == PH_ENERGY_BOUNDED;
    return right ? 0 : 1;
}
