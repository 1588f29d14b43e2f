/* motion.c - bodies and their exact free motion as functions of a WebAssembly module: all that the
 * small module of `polhode/motion` contains, and a part of the whole one (module.c). */
#include <stdlib.h>
#include <string.h>

#include "module.h"

/* ---- memory ---------------------------------------------------------------------- */

void *EXPORT(web_allocate)(size_t bytes);
void *EXPORT(web_allocate)(size_t bytes)
{
    return malloc(bytes);
}

void EXPORT(web_release)(void *memory);
void EXPORT(web_release)(void *memory)
{
    free(memory);
}

const char *EXPORT(web_status_text)(ph_status status);
const char *EXPORT(web_status_text)(ph_status status)
{
    return ph_status_text(status);
}

/* ---- bodies and exact motion ------------------------------------------------------ */

/* To be released: a body of three moments, or of the tensor xx, yy, zz, xy, xz, yz. */
ph_status EXPORT(web_body)(ph_body **out, const double *x, bool tensor);
ph_status EXPORT(web_body)(ph_body **out, const double *x, bool tensor)
{
    *out = malloc(sizeof **out);
    if (*out == NULL)
        return PH_NO_MEMORY;
    if (tensor)
        return ph_body_from_tensor(
            *out, (ph_mat3){{{x[0], x[3], x[4]}, {x[3], x[1], x[5]}, {x[4], x[5], x[2]}}});
    return ph_body_from_moments(*out, (ph_vec3){x[0], x[1], x[2]});
}

/* Its moments, and whether matter can have them. */
bool EXPORT(web_body_moments)(const ph_body *body, double *moments);
bool EXPORT(web_body_moments)(const ph_body *body, double *moments)
{
    memcpy(moments, &body->J, sizeof body->J);
    return ph_body_physical(body);
}

/* n momenta become velocities, or velocities momenta. */
void EXPORT(web_body_convert)(const ph_body *body, size_t n, double *x, bool to_velocity);
void EXPORT(web_body_convert)(const ph_body *body, size_t n, double *x, bool to_velocity)
{
    for (; n > 0; n--, x += 3) {
        const ph_vec3 from = {x[0], x[1], x[2]};
        ph_vec3 to;
        if (to_velocity)
            to = ph_body_velocity(body, from);
        else
            to = ph_body_momentum(body, from);
        memcpy(x, &to, sizeof to);
    }
}

/* The exact motion of a body from an attitude and a momentum, seven numbers; to be released. */
ph_status EXPORT(web_motion_of)(web_motion **out, const ph_body *body, const double *x);
ph_status EXPORT(web_motion_of)(web_motion **out, const ph_body *body, const double *x)
{
    *out = malloc(sizeof **out);
    if (*out == NULL)
        return PH_NO_MEMORY;
    (*out)->body = *body;
    return ph_motion_prepare(&(*out)->exact, body,
                             &(ph_state){{x[0], x[1], x[2], x[3]}, {x[4], x[5], x[6]}});
}

/* The states at n times after it: attitudes to q[4 i], momenta to m[3 i], velocities to w[3 i]. */
void EXPORT(web_motion_fill)(const web_motion *motion, const double *t, size_t n, double *q,
                             double *m, double *w);
void EXPORT(web_motion_fill)(const web_motion *motion, const double *t, size_t n, double *q,
                             double *m, double *w)
{
    for (size_t i = 0; i < n; i++) {
        const ph_state s = ph_motion_at(&motion->exact, t[i]);
        memcpy(q + 4 * i, &s.q, sizeof s.q);
        memcpy(m + 3 * i, &s.m, sizeof s.m);
    }
    memcpy(w, m, 3 * n * sizeof *w);
    web_body_convert(&motion->body, n, w, true);
}

double EXPORT(web_motion_period)(const web_motion *motion);
double EXPORT(web_motion_period)(const web_motion *motion)
{
    return ph_motion_period(&motion->exact);
}

double EXPORT(web_motion_precession)(const web_motion *motion);
double EXPORT(web_motion_precession)(const web_motion *motion)
{
    return ph_motion_precession(&motion->exact);
}
