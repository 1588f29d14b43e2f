/* body.c - the body: principal moments, and the frame of the principal axes in the
 * caller's.
 *
 *   inertia tensor = A diag(J) A^T,   A = R(axes)
 *   w = tensor^-1 m,   T = m . w / 2
 */
#include "polhode/body.h"
#include "motion/vec.h"

/* A 3 x 3 Jacobi iteration converges quadratically: six or seven sweeps are plenty. */
FILE_CONSTANT int SWEEPS = 30;

static bool valid_moment(double I)
{
    return I > 0.0 && isfinite(I);
}

static bool valid_moments(ph_vec3 J)
{
    return valid_moment(J.x) && valid_moment(J.y) && valid_moment(J.z);
}

ph_status ph_body_from_moments(ph_body *b, ph_vec3 moments)
{
    if (b == NULL)
        return PH_NULL_ARGUMENT;
    if (!valid_moments(moments))
        return PH_BAD_INERTIA;
    *b = (ph_body){.J = moments, .axes = {1, 0, 0, 0}, .principal = true};
    return PH_OK;
}

/* One rotation in the plane (p, q) that makes s[p][q] zero; the columns of v follow. The
 * angle is the smaller of the two that do it: tan = sign(d)/(|d| + sqrt(1 + d^2)),
 * d = (s_qq - s_pp)/(2 s_pq). */
static void annihilate(double s[3][3], double v[3][3], int p, int q)
{
    if (s[p][q] == 0.0)
        return;
    const int r = 3 - p - q;
    const double d = (s[q][q] - s[p][p]) / (2.0 * s[p][q]);
    const double tangent = copysign(1.0, d) / (fabs(d) + ph_hypot(1.0, d));
    const double cosine = 1.0 / ph_hypot(1.0, tangent), sine = tangent * cosine;
    s[p][p] -= tangent * s[p][q];
    s[q][q] += tangent * s[p][q];
    s[p][q] = s[q][p] = 0.0;
    const double rp = s[r][p], rq = s[r][q];
    s[r][p] = s[p][r] = cosine * rp - sine * rq;
    s[r][q] = s[q][r] = sine * rp + cosine * rq;
    for (int i = 0; i < 3; i++) {
        const double ip = v[i][p], iq = v[i][q];
        v[i][p] = cosine * ip - sine * iq;
        v[i][q] = sine * ip + cosine * iq;
    }
}

ph_status ph_body_from_tensor(ph_body *b, ph_mat3 tensor)
{
    if (b == NULL)
        return PH_NULL_ARGUMENT;
    double s[3][3];
    ph_mat3 v = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            s[i][j] = tensor.a[smaller_int(i, j)][larger_int(i, j)];
    }
    if (s[0][1] == 0.0 && s[0][2] == 0.0 && s[1][2] == 0.0)
        return ph_body_from_moments(b, vec3(s[0][0], s[1][1], s[2][2]));
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        annihilate(s, v.a, 0, 1);
        annihilate(s, v.a, 0, 2);
        annihilate(s, v.a, 1, 2);
    }
    const ph_vec3 J = vec3(s[0][0], s[1][1], s[2][2]);
    if (!valid_moments(J))
        return PH_BAD_INERTIA;
    *b = (ph_body){.J = J, .axes = ph_quat_from_matrix(v), .principal = false};
    return PH_OK;
}

bool ph_body_physical(const ph_body *b)
{
    const double largest = norm_max(b->J);
    const double others = b->J.x + b->J.y + b->J.z - largest;
    const double roundoff = 1e-14;
    return largest <= others * (1.0 + roundoff);
}

ph_vec3 ph_body_velocity(const ph_body *b, ph_vec3 momentum)
{
    if (b->principal)
        return over(momentum, b->J);
    return rotate(b->axes, over(rotate(inverse(b->axes), momentum), b->J));
}

ph_vec3 ph_body_momentum(const ph_body *b, ph_vec3 velocity)
{
    if (b->principal)
        return times(b->J, velocity);
    return rotate(b->axes, times(b->J, rotate(inverse(b->axes), velocity)));
}

double ph_body_energy(const ph_body *b, const ph_state *s)
{
    return 0.5 * dot(s->m, ph_body_velocity(b, s->m));
}

ph_vec3 ph_state_space_momentum(const ph_state *s)
{
    return rotate(s->q, s->m);
}
