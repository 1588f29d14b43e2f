/* weak_torques.c - weak torques on one body, averaged and directly. */
#include "support/weak_torques.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "base/extremes.h"
#include "integrators/field.h"
#include "system/find.h"

/* Light on a plate with a lever, -w, friction inside that keeps |m|, eddy currents and the gradient
 * of gravity, each with a factor. The fields of the last two are at rest; or they are those on an
 * inclined circular orbit of the rate ORBIT, at the direction u, the field being that of a dipole. */
static ph_vec3 torque(const ph_problem *p, const ph_instant *now)
{
    const double *k = p->value, angle = k[ORBIT] * now->t;
    const ph_mat3 to_body = transpose(now->R);
    ph_vec3 up = {0, 0, 1}, field = {0.6, 0, 0.8};
    if (k[ORBIT] != 0.0) {
        const ph_vec3 dipole = {0.1, 0, 0.5};
        up = vec3(cos(angle), 0.6 * sin(angle), 0.8 * sin(angle));
        field = sub(scale(3.0 * dot(dipole, up), up), dipole);
    }
    const ph_vec3 sun = apply(to_body, vec3(1, 0, 0)), B = apply(to_body, field),
                  u = apply(to_body, up), lever = {0.3, -0.2, 0.5};
    ph_vec3 sum = scale(k[LIGHT] * sun.y * sun.y * (1.0 + sun.y), cross(lever, sun));
    sum = sub(sum, scale(k[DAMPING], now->w));
    sum = add(sum, scale(k[FRICTION], cross(now->m, cross(now->m, now->w))));
    sum = add(sum, scale(k[EDDY], cross(cross(now->w, B), B)));
    sum = add(sum, scale(3.0 * k[GRAVITY], cross(u, times(p->body.J, u))));
    return scale(k[EPS], sum);
}

ph_problem weak_problem(ph_vec3 J, double eps, const double factors[TERMS - 1])
{
    ph_problem p = {.name = "weak",
                    .torque = torque,
                    .nonconservative = true,
                    .velocity_dependent = true,
                    .q = {0.9, 0.1, 0.3, -0.3},
                    .w = {0, 0, 1}};
    assert_int_equal(PH_OK, ph_body_from_moments(&p.body, J));
    p.value[EPS] = eps;
    memcpy(&p.value[LIGHT], factors, (TERMS - 1) * sizeof *factors);
    if (p.value[ORBIT] != 0.0)
        p.period = 2.0 * PH_PI / p.value[ORBIT];
    return p;
}

ph_system *weak_system(const ph_problem *p, const char *method, ph_vec3 m)
{
    ph_system *s = NULL;
    const bool mean = strcmp(method, "mean start") == 0;
    const double one = 1.0;
    const ph_setting start[] = {{"momentum", &m.x, 3}, {"mean_start", &one, 1}};
    if (mean)
        method = "averaged";
    ph_message why = {0};
    const ph_system_settings with = {.own_problem = p,
                                     .integrator = method,
                                     .tolerance = strcmp(method, "averaged") == 0 ? 1e-10 : 1e-12,
                                     .settings = start,
                                     .setting_count = mean ? 2 : 1,
                                     .message = &why};
    if (ph_system_create(&with, &s) != PH_OK)
        fail_msg("%s", why.text);
    return s;
}

slow slow_of(const ph_system *s)
{
    const ph_state now = ph_system_state(s);
    const double *w = find_field(s, "velocity")->data[0];
    return (slow){rotate(now.q, now.m), 0.5 * dot(now.m, vec3(w[0], w[1], w[2]))};
}

bool slow_note(void *context, ph_system *s)
{
    slow_record *r = context;
    r->at[r->count++] = slow_of(s);
    return true;
}

slow_record slow_run(ph_system *s, double end)
{
    double times[SLOW_TIMES];
    slow_record r = {.count = 0};
    for (int k = 0; k < SLOW_TIMES; k++)
        times[k] = end * (0.5 + 0.5 * (k + 1) / SLOW_TIMES);
    const ph_observer o = {
        .observe = slow_note, .context = &r, .times = times, .count = SLOW_TIMES};
    assert_int_equal(PH_OK, ph_system_run_until(s, end, &o));
    assert_int_equal(SLOW_TIMES, r.count);
    return r;
}

double slow_difference(const slow_record *x, const slow_record *y, const slow *start)
{
    double largest = 0.0;
    for (int k = 0; k < SLOW_TIMES; k++) {
        const slow *a = &x->at[k], *b = &y->at[k];
        largest = larger_or_nan(largest, norm(sub(a->H, b->H)) / norm(start->H));
        largest = larger_or_nan(largest, fabs(a->T - b->T) / start->T);
    }
    return largest;
}

double weak_difference(ph_vec3 J, ph_vec3 m, const double factors[TERMS - 1], double eps)
{
    const ph_problem p = weak_problem(J, eps, factors);
    ph_system *averaged = weak_system(&p, "averaged", m), *direct = weak_system(&p, "gbs", m);
    const slow start = slow_of(direct);
    const slow_record slowly = slow_run(averaged, 1.0 / eps),
                      directly = slow_run(direct, 1.0 / eps);
    ph_system_destroy(averaged);
    ph_system_destroy(direct);
    return slow_difference(&slowly, &directly, &start);
}
