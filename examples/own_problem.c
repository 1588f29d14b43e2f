/* own_problem.c - a field of your own: a magnet in a compass that leans.
 *
 * A problem is a struct with your functions in it, and needs no registration. They see the
 * body at one instant: R takes body to space coordinates; the torque is given in the body
 * frame. Any scheme with any flow then runs it, and the error of the energy tells how well.
 *
 * With friction the torque depends on the velocity, and the problem says so. Methods of
 * Munthe-Kaas take that, schemes return PH_NOT_APPLICABLE; and the needle comes to rest. */
#include <math.h>
#include <stdio.h>

#include <polhode/system.h>

/* What the functions below know of the field, handed over as the problem's context. */
typedef struct compass {
    ph_vec3 field;   /* in space, of unit length */
    double moment;   /* of the magnet, along the first body axis */
    double friction; /* torque per angular velocity */
} compass;

/* The field in the body: R^T field. */
static ph_vec3 field_in_body(const compass *c, const ph_mat3 *R)
{
    const ph_vec3 f = c->field;
    return (ph_vec3){R->a[0][0] * f.x + R->a[1][0] * f.y + R->a[2][0] * f.z,
                     R->a[0][1] * f.x + R->a[1][1] * f.y + R->a[2][1] * f.z,
                     R->a[0][2] * f.x + R->a[1][2] * f.y + R->a[2][2] * f.z};
}

/* U = - moment e1 . B, and its torque moment e1 x B, with B the field in the body. */
static double potential(const ph_problem *p, const ph_instant *now)
{
    const compass *c = p->context;
    return -c->moment * field_in_body(c, &now->R).x;
}

static ph_vec3 torque(const ph_problem *p, const ph_instant *now)
{
    const compass *c = p->context;
    const ph_vec3 B = field_in_body(c, &now->R);
    return (ph_vec3){0.0, -c->moment * B.z, c->moment * B.y};
}

static ph_vec3 torque_and_friction(const ph_problem *p, const ph_instant *now)
{
    const compass *c = p->context;
    const ph_vec3 tau = torque(p, now), w = now->w;
    return (ph_vec3){tau.x - c->friction * w.x, tau.y - c->friction * w.y,
                     tau.z - c->friction * w.z};
}

/* The energy of a problem after that many steps of h, NaN if they fail. */
static double energy_after(const ph_problem *p, const char *integrator, const ph_state *start,
                           double h, uint64_t steps)
{
    const ph_setting from[] = {{"attitude", &start->q.w, 4}, {"momentum", &start->m.x, 3}};
    const ph_system_settings with = {.own_problem = p,
                                     .integrator = integrator,
                                     .step = h,
                                     .settings = from,
                                     .setting_count = 2};
    ph_system *s;
    if (ph_system_create(&with, &s) != PH_OK)
        return NAN;
    const bool done = ph_system_run(s, steps, NULL) == PH_OK;
    const double energy = done ? ph_system_energy(s) : NAN;
    ph_system_destroy(s);
    return energy;
}

int main(void)
{
    compass leaning = {.field = {0.6, 0.0, -0.8}, .moment = 3.0, .friction = 0.5};
    const ph_problem swinging = {.body = PH_MOMENTS(1, 2, 2.5),
                                 .context = &leaning,
                                 .potential = potential,
                                 .torque = torque};
    const ph_state start = {ph_rotation_exp((ph_vec3){0.2, 0.5, 1.0}), {0.4, -0.3, 0.5}};
    const double energy = ph_problem_energy(&swinging, 0.0, &start);
    const double lost =
        fabs(energy_after(&swinging, "srkn6_14a+exact", &start, 0.05, 20000) - energy);
    printf("without friction the energy stays %.6f to %.1e\n", energy, lost);

    ph_problem damped = swinging;
    damped.torque = torque_and_friction;
    damped.velocity_dependent = true;
    const double rest = energy_after(&damped, "mkrk_gl4", &start, 0.1, 2000);
    printf("with friction it falls to %.6f, the magnet along the field\n", rest);
    return lost < 1e-9 && fabs(rest + leaning.moment) < 1e-9 ? 0 : 1;
}
