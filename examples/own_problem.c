/* own_problem.c - a field of your own: a magnet in a compass that leans.
 *
 * A problem is a struct with your functions in it, and needs no registration. R takes
 * body to space coordinates; the torque is given in the body frame. Any scheme with any
 * flow then runs it, and the error of the energy tells how well. */
#include <math.h>
#include <stdio.h>

#include <polhode/polhode.h>

/* What the functions below know of the field, handed over as the problem's context. */
typedef struct compass {
    ph_vec3 field; /* in space */
    double moment; /* of the magnet, along the first body axis */
} compass;

/* The field in the body: R^T field. */
static ph_vec3 field_in_body(const compass *c, ph_mat3 R)
{
    const ph_vec3 f = c->field;
    return (ph_vec3){R.a[0][0] * f.x + R.a[1][0] * f.y + R.a[2][0] * f.z,
                     R.a[0][1] * f.x + R.a[1][1] * f.y + R.a[2][1] * f.z,
                     R.a[0][2] * f.x + R.a[1][2] * f.y + R.a[2][2] * f.z};
}

/* U = - moment e1 . B, and its torque moment e1 x B, with B the field in the body. */
static double potential(const ph_problem *p, const ph_instant *now)
{
    const compass *c = p->context;
    return -c->moment * field_in_body(c, now->R).x;
}

static ph_vec3 torque(const ph_problem *p, const ph_instant *now)
{
    const compass *c = p->context;
    const ph_vec3 B = field_in_body(c, now->R);
    return (ph_vec3){0.0, -c->moment * B.z, c->moment * B.y};
}

int main(void)
{
    compass leaning = {.field = {0.6, 0.0, -0.8}, .moment = 3.0};
    const ph_problem p = {.body = PH_MOMENTS(1, 2, 2.5),
                          .context = &leaning,
                          .potential = potential,
                          .torque = torque};
    ph_integrator i;
    if (!ph_integrator_named(&i, "srkn6_14a+exact"))
        return 1;
    ph_state s = {ph_exp((ph_vec3){0.2, 0.5, 1.0}), {0.4, -0.3, 0.5}};
    const double before = ph_problem_energy(&p, 0.0, &s);
    const ph_status status = ph_run_problem(&i, &p, &s, 0.05, 20000, NULL, NULL, NULL);
    const double lost = fabs(ph_problem_energy(&p, 0.0, &s) - before);
    printf("%s; energy %.6f to %.1e\n", ph_status_text(status), before, lost);
    return status == PH_OK && lost < 1e-9 ? 0 : 1;
}
