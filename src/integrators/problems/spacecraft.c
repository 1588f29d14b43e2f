/* spacecraft.c - a body on a Kepler orbit about the Earth, with the torques that turn it.
 *
 * H86  P. C. Hughes, Spacecraft Attitude Dynamics, 1986: gravity gradient 9.2, gyrostats 6.
 * W78  J. R. Wertz, Spacecraft Attitude Determination and Control, 1978: (H-12) dipole.
 *
 * The orbit, with a the semi-major axis, e the eccentricity, n = sqrt(mu/a^3), E the
 * eccentric anomaly, P the direction of the perigee and Q that of motion there:
 *
 *   E - e sin E = anomaly + n t,   r = a (1 - e cos E)
 *   r u = a (cos E - e) P + a sqrt(1 - e^2) sin E Q     u from the Earth, in space
 *
 * With u, the Earth's field B and J in the body, d the dipole and D that of the Earth:
 *
 *   H86 9.2      torque (3 mu/r^3) u x J u,   U = (3 mu/(2 r^3)) u . J u
 *   W78 (H-12)   B = 1e-7 (3 (D . u) u - D)/r^3, torque d x B,   U = -d . B
 *
 * D turns about z in space at earth_rate, which is 0 for a dipole that is fixed in space;
 * and there are constant torques in the body and in space, -damping w, a torque over time; and wheels
 * of the momentum H, constant or over time: m = J w + H. The torques add up. A vector v at
 * rest in space changes at the rate v x xi along the body's axis xi, from which the
 * derivative follows. SI units; angles in radians.
 *
 * Derivatives by the orbit: with rho = r/a and the dash for d/dM or d/de at constant M,
 *
 *   by M   E' = 1/rho,      rho' = e sin E E'
 *   by e   E' = sin E/rho,  rho' = e sin E E' - cos E,  Q' = -e/(1 - e^2) Q
 *   u' = ((cos E - e)' P + (sin E)' Q + sin E Q')/rho - u rho'/rho,   Q times sqrt(1 - e^2)
 *
 * and the angles of the orbit turn u about the node, the space axis z and the orbit's normal.
 *
 * The orbital frame: z to the Earth, y against the orbit's normal, x forward.
 */
#include "base/simd_sincos.h"
#include "integrators/orbit.h"
#include "integrators/table.h"
#include "motion/algebra.h"
#include "polhode/body.h"

enum { WHEELS_TABLE, TORQUE_TABLE, WHEELS_CUBIC, TORQUE_CUBIC };

/* The torque of the tables, if they have rows. */
static inline bool has_torque_tables(const ph_problem *p)
{
    return ph_table_rows(p, TORQUE_TABLE) > 0 || ph_table_rows(p, TORQUE_CUBIC) > 0;
}

static inline ph_vec3 torque_over_time(const ph_problem *p, double t)
{
    return ph_tables_at(p, TORQUE_TABLE, TORQUE_CUBIC, t);
}

/* An angle without its whole turns. */
static inline double within_a_turn(double angle)
{
    if (fabs(angle) < PH_PI)
        return angle;
    return remainder(angle, 2.0 * PH_PI);
}

/* The values of one problem, or of one in each lane, and what follows from them. */
typedef struct constants {
    const double *value; /* those of a lane are PH_LANES apart */
    bool each;           /* one problem in each lane */
    vdouble n, field;    /* the mean motion; 1e-7/a^3: of a dipole at the distance a */
    vdouble3 P, Q;       /* Q times sqrt(1 - e^2) */
    vdouble3 J;
    vdouble4 axes;
    bool turned; /* the axes are not those of the frame */
} constants;

PART vdouble value_of(const constants *c, int k)
{
    if (c->each)
        return vload(c->value + (size_t)k * PH_LANES);
    return vsplat(c->value[k]);
}

PART vdouble3 parameter(const constants *c, int first)
{
    return vec3(value_of(c, first), value_of(c, first + 1), value_of(c, first + 2));
}

/* What follows from the values. */
PART void derive(constants *c)
{
    const vdouble a = value_of(c, SEMI_MAJOR_AXIS), e = value_of(c, ECCENTRICITY),
                  none = vsplat(0.0), one = vsplat(1.0);
    const vdouble4 plane = quat(value_of(c, PLANE), parameter(c, PLANE + 1));
    c->n = vsqrt(value_of(c, MU) / a) / a;
    c->field = 1e-7 / a / a / a;
    c->P = rotate(plane, vec3(one, none, none));
    c->Q = scale(vsqrt((1.0 - e) * (1.0 + e)), rotate(plane, vec3(none, one, none)));
}

PART constants constants_of(const ph_problem *p)
{
    const ph_body *b = &p->body;
    constants c = {.value = p->value, .each = false};
    derive(&c);
    c.J = vec3(vsplat(b->J.x), vsplat(b->J.y), vsplat(b->J.z));
    c.axes = (vdouble4){vsplat(b->axes.w), vsplat(b->axes.x), vsplat(b->axes.y), vsplat(b->axes.z)};
    c.turned = !b->principal;
    return c;
}

typedef struct orbit_point {
    vdouble cosine, sine; /* of E */
    vdouble over;         /* a/r */
    vdouble3 u;           /* in space */
} orbit_point;

/* Vectors that are computed together, so that none waits for the quotients of another; `count` is
 * constant where these functions are called. */
enum { MOST_TOGETHER = 4 };

PART bool any_of(const vmask *where, int count)
{
    vmask any = where[0]; // cppcheck-suppress uninitvar ; count is not 0
    for (int v = 1; v < count; v++)
        any = any | where[v];
    return vany(any);
}

/* Sine and cosine of E, from those of E + d; anew where they would lose digits. */
PART void turn_back(const vdouble *E, const vdouble *d, orbit_point *at, int count)
{
    vmask far[MOST_TOGETHER];
    for (int v = 0; v < count; v++) {
        const vdouble z = d[v] * d[v], sine = at[v].sine, cosine = at[v].cosine;
        const vdouble sine_d = d[v] - d[v] * z * (1.0 / 6 - z * (1.0 / 120 - z * (1.0 / 5040))),
                      less = z * (0.5 - z * (1.0 / 24 - z * (1.0 / 720 - z * (1.0 / 40320))));
        at[v].sine = sine - (sine * less + cosine * sine_d);
        at[v].cosine = cosine - (cosine * less - sine * sine_d);
        far[v] = vabs(d[v]) > vmin(0.25 * E[v], vsplat(0x1p-4));
    }
    if (!any_of(far, count))
        return;
    for (int v = 0; v < count; v++) {
        vdouble s, c;
        vsincos(E[v], &s, &c);
        at[v].sine = vselect(far[v], s, at[v].sine);
        at[v].cosine = vselect(far[v], c, at[v].cosine);
    }
}

/* Solves E - e sin E = M for 0 <= M <= pi. Newton's iteration from M comes to a point above, from
 * which it descends, as the function is convex; M + e and pi are above, too. It ends with the step
 * whose square is lost in rounding. A lane that is done stays where it is. */
PART void solve_kepler(const vdouble *M, const vdouble *e, orbit_point *at, int count)
{
    enum { MOST = 60 };
    vdouble E[MOST_TOGETHER], d[MOST_TOGETHER], slope[MOST_TOGETHER];
    vmask open[MOST_TOGETHER];
    for (int v = 0; v < count; v++) {
        vsincos(M[v], &at[v].sine, &at[v].cosine);
        const vdouble first = e[v] * at[v].sine / (1.0 - e[v] * at[v].cosine),
                      bounded = vmin(first, e[v]), up = vmin(bounded, PH_PI - M[v]);
        E[v] = M[v] + up;
        d[v] = -up;
        open[v] = M[v] >= 0.0; /* a NaN is not */
    }
    turn_back(E, d, at, count);
    for (int i = 0; i < MOST; i++) {
        for (int v = 0; v < count; v++) {
            slope[v] = 1.0 - e[v] * at[v].cosine;
            d[v] = (E[v] - e[v] * at[v].sine - M[v]) / slope[v];
            open[v] = open[v] & (d[v] > 0.0);
        }
        if (!any_of(open, count))
            return;
        for (int v = 0; v < count; v++) {
            d[v] = vselect(open[v], d[v], vsplat(0.0));
            E[v] = E[v] - d[v];
        }
        turn_back(E, d, at, count);
        for (int v = 0; v < count; v++)
            open[v] = open[v] & (d[v] * d[v] * e[v] > 0x1p-54 * slope[v]);
        if (!any_of(open, count))
            return;
    }
}

/* Of mean anomalies M, |M| <= pi, and as many eccentricities: the anomalies E, and a/r. */
PART void anomalies_of(const vdouble *M, const vdouble *e, orbit_point *at, int count)
{
    vdouble size[MOST_TOGETHER];
    for (int v = 0; v < count; v++)
        size[v] = vabs(M[v]);
    solve_kepler(size, e, at, count);
    for (int v = 0; v < count; v++) {
        at[v].sine =
            vfrom_bits(vbits(at[v].sine) ^ vsign_bit(M[v])); /* that of -E is the opposite */
        at[v].over = 1.0 / (1.0 - e[v] * at[v].cosine);
    }
}

PART vdouble3 direction_of(const constants *p, const orbit_point *at)
{
    const vdouble e = value_of(p, ECCENTRICITY);
    return add(scale((at->cosine - e) * at->over, p->P), scale(at->sine * at->over, p->Q));
}

PART orbit_point place_of(const constants *p, vdouble M)
{
    const vdouble e = value_of(p, ECCENTRICITY);
    orbit_point at;
    anomalies_of(&M, &e, &at, 1);
    at.u = direction_of(p, &at);
    return at;
}

/* R^T v, from the columns of R. */
PART vdouble3 into_body(const vdouble3 *column, vdouble3 v)
{
    return vec3(dot(column[0], v), dot(column[1], v), dot(column[2], v));
}

/* J v, as ph_body_momentum() has it. */
PART vdouble3 inertia_times(const constants *p, vdouble3 v)
{
    if (p->turned)
        return rotate(p->axes, times(p->J, rotate(inverse(p->axes), v)));
    return times(p->J, v);
}

/* The dipole of the Earth, which has turned by `angle` since t = 0. */
PART vdouble3 earth_dipole(const constants *p, vdouble angle)
{
    const vdouble3 D = parameter(p, EARTH_DIPOLE);
    if (!vany(value_of(p, EARTH_RATE) != 0.0))
        return D;
    vdouble s, c;
    vsincos(angle, &s, &c);
    return vec3(c * D.x - s * D.y, s * D.x + c * D.y, D.z);
}

/* What is needed of a time: a/r, u and the dipole of the Earth in space. */
typedef struct sky {
    vdouble over;
    vdouble3 u, D;
} sky;

/* What is needed of an instant: u and B in the body, and 3 mu/r^3 = 3 n^2 (a/r)^3. */
typedef struct field {
    vdouble gradient;
    vdouble3 u, B;
} field;

PART field field_under(const constants *p, const sky *s, const vdouble3 *column)
{
    const vdouble n = p->n, near = s->over * s->over * s->over;
    const vdouble3 B = scale(p->field * near, sub(scale(3.0 * dot(s->D, s->u), s->u), s->D));
    field f;
    f.gradient = value_of(p, GRAVITY_GRADIENT) * 3.0 * (n * n) * near;
    f.u = into_body(column, s->u);
    f.B = into_body(column, B);
    return f;
}

PART field field_of(const constants *p, const orbit_point *at, vdouble angle,
                    const vdouble3 *column)
{
    const sky s = {at->over, at->u, earth_dipole(p, angle)};
    return field_under(p, &s, column);
}

/* u x J u. For a sphere, whose moments are equal to round-off, it is zero: otherwise it would be
 * round-off, which no step makes smooth. */
PART vdouble3 gradient_arm(const constants *p, vdouble3 u)
{
    const double same = 0x1p-50;
    const vdouble least = same * p->J.x;
    const vmask is_sphere = vmax(vabs(p->J.x - p->J.y), vabs(p->J.y - p->J.z)) <= least;
    const vdouble3 arm = cross(u, inertia_times(p, u));
    const vdouble none = vsplat(0.0);
    return vec3(vselect(is_sphere, none * arm.x, arm.x), vselect(is_sphere, none * arm.y, arm.y),
                vselect(is_sphere, none * arm.z, arm.z));
}

/* The torque without that of damping; `commanded` is that of the table. */
PART vdouble3 torque_of(const constants *p, const field *f, const vdouble3 *column,
                        vdouble3 commanded)
{
    vdouble3 sum = scale(f->gradient, gradient_arm(p, f->u));
    sum = add(sum, cross(parameter(p, DIPOLE), f->B));
    sum = add(sum, parameter(p, TORQUE));
    sum = add(sum, into_body(column, parameter(p, TORQUE_SPACE)));
    return add(sum, commanded);
}

#ifdef SIMD_VECTORS /* in lanes, with the bits of one body */
#include "integrators/gravity_gradient.h"
#include "integrators/lane_kernels.h"

/* As within_a_turn(), where the turns are few: n times the first part of the turn is exact, and so
 * is the rest, as remainder() is. */
PART vdouble lanes_within_a_turn(vdouble x)
{
    const double turn = 2.0 * PH_PI, first = 0x1.921fb544p+2, second = turn - first,
                 magic = 0x1.8p52;
    vdouble n = (x * (1.0 / turn) + magic) - magic;
    vdouble rest = (x - n * first) - n * second;
    n = n + vselect(rest > PH_PI, vsplat(1.0), vselect(rest < -PH_PI, vsplat(-1.0), vsplat(0.0)));
    rest = (x - n * first) - n * second;
    return vselect(vabs(x) < PH_PI, x, rest);
}

/* As within_a_turn() in every case. */
PART vdouble all_within_a_turn(vdouble x)
{
    const double most_turns = 100000.0;
    vdouble rest = lanes_within_a_turn(x);
    if (vany(vnot(vabs(x) < 2.0 * PH_PI * most_turns))) {
        for (int i = 0; i < LANES; i++)
            rest[i] = within_a_turn(x[i]);
    }
    return rest;
}

/* As earth_angle(), where the dipole of the Earth turns. */
PART vdouble earth_angles(const constants *c, vdouble t)
{
    const vdouble rate = value_of(c, EARTH_RATE);
    if (vany(rate != 0.0))
        return all_within_a_turn(rate * t);
    return vsplat(0.0);
}

/* Of vectors of lanes from `first` on. */
PART void torque_together(const constants *c, const double *t, const double (*q)[PH_LANES],
                          double (*commanded)[PH_LANES], int first, int count,
                          double (*torque)[PH_LANES])
{
    vdouble M[MOST_TOGETHER], e[MOST_TOGETHER];
    orbit_point at[MOST_TOGETHER];
    for (int v = 0; v < count; v++) {
        M[v] = all_within_a_turn(value_of(c, ANOMALY) + c->n * vload(&t[first + v * LANES]));
        e[v] = value_of(c, ECCENTRICITY);
    }
    anomalies_of(M, e, at, count);
    for (int v = 0; v < count; v++) {
        const int r = first + v * LANES;
        vdouble3 column[3];
        at[v].u = direction_of(c, &at[v]);
        matrix_columns(lane_quaternion(&q[0][r]), column);
        const field f = field_of(c, &at[v], earth_angles(c, vload(&t[r])), column);
        store_vector(&torque[0][r], torque_of(c, &f, column, lane_vector(&commanded[0][r])));
    }
}

TORQUE_KERNEL(spacecraft)
{
    enum { TOGETHER = PH_LANES / LANES < 2 ? 1 : 2 };
    const constants c = constants_of(p);
    const bool table = has_torque_tables(p);
    double now[PH_LANES] = {0}, commanded[3][PH_LANES] = {{0}};
    for (int i = first; i < last; i++) {
        now[i] = t[i];
        const ph_vec3 v = table ? torque_over_time(p, t[i]) : (ph_vec3){0, 0, 0};
        commanded[0][i] = v.x;
        commanded[1][i] = v.y;
        commanded[2][i] = v.z;
    }
    int r = first / LANES * LANES;
    for (; r + (TOGETHER - 1) * LANES < last; r += TOGETHER * LANES)
        torque_together(&c, now, q, commanded, r, TOGETHER, torque);
    if (r < last)
        torque_together(&c, now, q, commanded, r, 1, torque);
}

/* ---- one body a lane, without tables ---- */

/* What follows from the values of all lanes. */
static void derive_all(lane_problems *p)
{
    for (int r = 0; r < PH_LANES; r += LANES) {
        constants c = {.value = &p->value[0][r], .each = true};
        derive(&c);
        vstore(&p->derived[0][r], c.n);
        vstore(&p->derived[1][r], c.field);
        store_vector(&p->derived[2][r], c.P);
        store_vector(&p->derived[5][r], c.Q);
        vstore(&p->from[r], vsplat(NAN));
        vstore(&p->to[r], vsplat(NAN));
    }
    p->is_derived = true;
}

PART constants lane_constants(const lane_problems *p, int r)
{
    return (constants){.value = &p->value[0][r],
                       .each = true,
                       .n = vload(&p->derived[0][r]),
                       .field = vload(&p->derived[1][r]),
                       .P = lane_vector(&p->derived[2][r]),
                       .Q = lane_vector(&p->derived[5][r]),
                       .J = lane_vector(&p->J[0][r]),
                       .axes = lane_quaternion(&p->axes[0][r]),
                       .turned = p->turned};
}

/* At the times t[0] ... of the lanes from r[0] ... on. */
PART void skies_of(const lane_problems *p, const vdouble *t, const int *r, sky *to, int count)
{
    vdouble M[MOST_TOGETHER], e[MOST_TOGETHER];
    orbit_point at[MOST_TOGETHER];
    for (int v = 0; v < count; v++) {
        const constants c = lane_constants(p, r[v]);
        M[v] = all_within_a_turn(value_of(&c, ANOMALY) + c.n * t[v]);
        e[v] = value_of(&c, ECCENTRICITY);
    }
    anomalies_of(M, e, at, count);
    for (int v = 0; v < count; v++) {
        const constants c = lane_constants(p, r[v]);
        to[v] =
            (sky){at[v].over, direction_of(&c, &at[v]), earth_dipole(&c, earth_angles(&c, t[v]))};
    }
}

PART void store_sky(double (*to)[PH_LANES], int r, const sky *s)
{
    vstore(&to[0][r], s->over);
    store_vector(&to[1][r], s->u);
    store_vector(&to[4][r], s->D);
}

PART sky stored_sky(double (*from)[PH_LANES], int r)
{
    return (sky){vload(&from[0][r]), lane_vector(&from[1][r]), lane_vector(&from[4][r])};
}

/* The first stage of a step is at the time of the last stage of the step before, or of the first one if that
 * was rejected. Returns whether this is so in all lanes, and p->ahead[0] is known. */
PART bool first_is_known(lane_problems *p, const double *t)
{
    vmask all = vsplat(0.0) == 0.0;
    for (int r = 0; r < PH_LANES; r += LANES) {
        const vdouble now = vload(&t[r]);
        const vmask again = now == vload(&p->from[r]), next = now == vload(&p->to[r]);
        all = all & (again | next);
        for (int k = 0; k < LANE_AHEAD; k++) {
            double *const at = &p->ahead[0][k][r];
            vstore(at, vselect(again, vload(at), vload(&p->ahead[DOP853_STAGES - 1][k][r])));
        }
    }
    return !vany(vnot(all));
}

/* Computes p->ahead at so many times, in several vectors together. */
static void look_ahead(lane_problems *p, double (*t)[PH_LANES], int count)
{
    enum { EACH = PH_LANES / LANES };
    const int all = count * EACH;
    for (int first = first_is_known(p, t[0]) ? EACH : 0; first < all; first += MOST_TOGETHER) {
        vdouble at[MOST_TOGETHER];
        int r[MOST_TOGETHER], stage[MOST_TOGETHER];
        sky s[MOST_TOGETHER];
        for (int v = 0; v < MOST_TOGETHER; v++) { /* the last one also stands where there is none */
            const int n = first + v < all ? first + v : all - 1;
            stage[v] = n / EACH;
            r[v] = n % EACH * LANES;
            at[v] = vload(&t[stage[v]][r[v]]);
        }
        skies_of(p, at, r, s, MOST_TOGETHER);
        for (int v = 0; v < MOST_TOGETHER; v++)
            store_sky(p->ahead[stage[v]], r[v], &s[v]);
    }
    for (int r = 0; r < PH_LANES; r += LANES) {
        vstore(&p->from[r], vload(&t[0][r]));
        vstore(&p->to[r], count == DOP853_STAGES ? vload(&t[count - 1][r]) : vsplat(NAN));
    }
}

EACH_KERNEL(spacecraft)
{
    double(*times)[PH_LANES] = &at->t;
    int count = 1, stage = 0;
    if (at->stages != NULL) {
        times = at->stages;
        count = DOP853_STAGES;
        stage = at->stage;
    }
    if (!p->is_derived)
        derive_all(p);
    if (stage == 0)
        look_ahead(p, times, count);
    for (int r = 0; r < PH_LANES; r += LANES) {
        const constants c = lane_constants(p, r);
        const sky s = stored_sky(p->ahead[stage], r);
        vdouble3 column[3];
        matrix_columns(lane_quaternion(&at->q[0][r]), column);
        const field f = field_under(&c, &s, column);
        const vdouble3 zero = vec3(vsplat(0.0), vsplat(0.0), vsplat(0.0)),
                       sum = torque_of(&c, &f, column, zero), w = lane_vector(&at->w[0][r]),
                       damped = sub(sum, scale(value_of(&c, DAMPING), w));
        const vmask damps = value_of(&c, DAMPING) != 0.0;
        store_vector(&at->torque[0][r],
                     vec3(vselect(damps, damped.x, sum.x), vselect(damps, damped.y, sum.y),
                          vselect(damps, damped.z, sum.z)));
    }
}

/* A change of the orbit: of u in space, and of 1/r^3, n^2 and FIELD relative to these. */
typedef struct orbit_change {
    vdouble3 u;
    vdouble near, motion, field;
} orbit_change;

/* Where a problem is, for its derivatives. */
typedef struct place {
    constants c;
    tensor J;
    orbit_point at;
    field f;
    vdouble3 column[3], Ju;
    vdouble3 earth[4]; /* the dipole of the Earth, and what the axes at t = 0 have turned to */
} place;

/* The change of the torque. */
PART vdouble3 torque_along(const place *o, const orbit_change *d)
{
    const vdouble3 D = o->earth[0], u = o->at.u, moved = into_body(o->column, d->u);
    const vdouble near = o->at.over * o->at.over * o->at.over, strength = 3.0 * (o->c.field * near);
    const vdouble3 B = into_body(o->column, add(scale(strength * dot(D, d->u), u),
                                                scale(strength * dot(D, u), d->u))),
                   turned = add(cross(moved, o->Ju), cross(o->f.u, tensor_times(&o->J, moved)));
    const vdouble3 gradient =
        scale(o->f.gradient, add(turned, scale(d->near + d->motion, cross(o->f.u, o->Ju))));
    return add(gradient,
               cross(parameter(&o->c, DIPOLE), add(B, scale(d->near + d->field, o->f.B))));
}

/* By the mean anomaly, or by the eccentricity at constant mean anomaly. */
PART orbit_change along_orbit(const place *o, bool by_eccentricity)
{
    const vdouble e = value_of(&o->c, ECCENTRICITY), sine = o->at.sine, cosine = o->at.cosine,
                  over = o->at.over;
    vdouble dE = over, one = vsplat(0.0);
    if (by_eccentricity) {
        dE = sine * over;
        one = vsplat(1.0);
    }
    const vdouble distance = e * sine * dE - one * cosine,
                  along_q = cosine * dE - one * (sine * e / (1.0 - e * e));
    const vdouble3 P = o->c.P, Q = o->c.Q,
                   u = scale(over, sub(add(scale(-sine * dE - one, P), scale(along_q, Q)),
                                       scale(distance, o->at.u)));
    return (orbit_change){u, -3.0 * over * distance, vsplat(0.0), vsplat(0.0)};
}

/* By the dipole of the Earth, which changes by D. */
PART vdouble3 torque_by_dipole(const place *o, vdouble3 D)
{
    const vdouble near = o->at.over * o->at.over * o->at.over;
    const vdouble3 B = scale(o->c.field * near,
                             sub(scale(3.0 * dot(D, o->at.u), o->f.u), into_body(o->column, D)));
    return cross(parameter(&o->c, DIPOLE), B);
}

/* By mu, the elements of the orbit and all that is linear. */
PART void slopes_by_parameters(const place *o, tangent_points *x, int r)
{
    torque_slopes *to = &x->slopes;
    const vdouble zero = vsplat(0.0), one = vsplat(1.0), t = vload(&x->t[r]),
                  a = value_of(&o->c, SEMI_MAJOR_AXIS), mu = value_of(&o->c, MU),
                  turned = t * o->c.n, near = o->at.over * o->at.over * o->at.over;
    const vdouble3 none = vec3(zero, zero, zero), u = o->at.u, D = o->earth[0],
                   axis[3] = {vec3(one, zero, zero), vec3(zero, one, zero), vec3(zero, zero, one)};
    const orbit_change by_mean = along_orbit(o, false), by_e = along_orbit(o, true),
                       by_motion = {none, zero, one, zero}, by_field = {none, zero, zero, one};
    const vdouble3 anomaly = torque_along(o, &by_mean), motion = torque_along(o, &by_motion),
                   dipole = torque_along(o, &by_field);
    const double node = x->p->value[NODE];
    const vdouble3 P = o->c.P, Q = o->c.Q, normal = cross(P, Q),
                   about[3] = {vec3(vsplat(ph_cos(node)), vsplat(ph_sin(node)), zero), axis[2],
                               scale(1.0 / vsqrt(dot(normal, normal)), normal)};
    static const int angle[3] = {INCLINATION, NODE, PERIGEE};
    store_point_vector(to->value[ANOMALY], r, anomaly);
    store_point_vector(to->value[ECCENTRICITY], r, torque_along(o, &by_e));
    for (int k = 0; k < 3; k++) {
        const orbit_change by_angle = {cross(about[k], u), zero, zero, zero};
        store_point_vector(to->value[angle[k]], r, torque_along(o, &by_angle));
    }
    store_point_vector(to->value[MU], r,
                       scale(1.0 / mu, add(motion, scale(0.5 * turned, anomaly))));
    store_point_vector(to->value[SEMI_MAJOR_AXIS], r,
                       scale(-3.0 / a, add(add(motion, dipole), scale(0.5 * turned, anomaly))));
    const vdouble n = o->c.n;
    store_point_vector(to->value[GRAVITY_GRADIENT], r,
                       scale(3.0 * (n * n) * near, cross(o->f.u, o->Ju)));
    for (int k = 0; k < 3; k++) {
        const vdouble3 row = into_body(o->column, axis[k]);
        store_point_vector(to->value[DIPOLE + k], r, cross(axis[k], o->f.B));
        store_point_vector(to->value[EARTH_DIPOLE + k], r, torque_by_dipole(o, o->earth[1 + k]));
        store_point_vector(to->value[TORQUE + k], r, axis[k]);
        store_point_vector(to->value[TORQUE_SPACE + k], r, row);
        store_point_vector(to->value[WHEELS + k], r, none);
    }
    store_point_vector(to->value[DAMPING], r, sub(none, point_vector(x->w, r)));
    store_point_vector(to->value[EARTH_RATE], r,
                       scale(t, torque_by_dipole(o, vec3(-D.y, D.x, zero))));
}

SLOPES_KERNEL(spacecraft)
{
    const ph_problem *p = x->p;
    place o;
    o.c = constants_of(p);
    o.J = tensor_of(&p->body);
    const vdouble zero = vsplat(0.0);
    const vdouble3 d = parameter(&o.c, DIPOLE);
    for (int r = 0; r < x->count; r += LANES) {
        const vdouble t = vload(&x->t[r]),
                      M = all_within_a_turn(value_of(&o.c, ANOMALY) + o.c.n * t),
                      angle = earth_angles(&o.c, t);
        const vdouble4 q = {vload(&x->q[0][r]), vload(&x->q[1][r]), vload(&x->q[2][r]),
                            vload(&x->q[3][r])};
        matrix_columns(q, o.column);
        o.at = place_of(&o.c, M);
        o.f = field_of(&o.c, &o.at, angle, o.column);
        o.earth[0] = earth_dipole(&o.c, angle);
        vdouble sine = zero, cosine = vsplat(1.0);
        if (p->value[EARTH_RATE] != 0.0)
            vsincos(angle, &sine, &cosine);
        o.earth[1] = vec3(cosine, sine, zero);
        o.earth[2] = vec3(-sine, cosine, zero);
        o.earth[3] = vec3(zero, zero, vsplat(1.0));
        o.Ju = tensor_times(&o.J, o.f.u);
        vdouble3 column[3];
        gradient_by_attitude(&o.J, o.f.gradient, o.f.u, o.Ju, column);
        const vdouble3 v = into_body(o.column, parameter(&o.c, TORQUE_SPACE)), B = o.f.B;
        column[0] = add(column[0], add(cross(d, vec3(zero, B.z, -B.y)), vec3(zero, v.z, -v.y)));
        column[1] = add(column[1], add(cross(d, vec3(-B.z, zero, B.x)), vec3(-v.z, zero, v.x)));
        column[2] = add(column[2], add(cross(d, vec3(B.y, -B.x, zero)), vec3(v.y, -v.x, zero)));
        store_point_matrix(x->slopes.attitude, r, column);
        gradient_by_inertia(x, r, o.f.gradient, o.f.u);
        if (x->wanted & PH_DERIVATIVES_PARAMETERS)
            slopes_by_parameters(&o, x, r);
    }
}

#else /* of one body */
#include "motion/vec.h"

static inline double mean_motion(const ph_problem *p)
{
    const double a = p->value[SEMI_MAJOR_AXIS];
    return sqrt(p->value[MU] / a) / a;
}

static inline double mean_anomaly(const ph_problem *p, double t)
{
    return p->value[ANOMALY] + mean_motion(p) * t;
}

/* The angle by which the dipole of the Earth has turned. */
static inline double earth_angle(const ph_problem *p, double t)
{
    return within_a_turn(p->value[EARTH_RATE] * t);
}

static inline ph_vec3 vector_of(const ph_problem *p, int first)
{
    return vec3(p->value[first], p->value[first + 1], p->value[first + 2]);
}

/* The columns of R. */
typedef struct body_axes {
    ph_vec3 column[3];
} body_axes;

static body_axes axes_of(const ph_mat3 *R)
{
    const ph_mat3 T = transpose(*R);
    return (body_axes){{vec3(T.a[0][0], T.a[0][1], T.a[0][2]),
                        vec3(T.a[1][0], T.a[1][1], T.a[1][2]),
                        vec3(T.a[2][0], T.a[2][1], T.a[2][2])}};
}

static field field_at(const ph_problem *p, const ph_instant *now, const body_axes *axes)
{
    const constants c = constants_of(p);
    const orbit_point at = place_of(&c, within_a_turn(mean_anomaly(p, now->t)));
    return field_of(&c, &at, earth_angle(p, now->t), axes->column);
}

static double potential(const ph_problem *p, const ph_instant *now)
{
    const body_axes axes = axes_of(&now->R);
    const field f = field_at(p, now, &axes);
    return 0.5 * f.gradient * dot(f.u, ph_body_momentum(&p->body, f.u)) -
           dot(vector_of(p, DIPOLE), f.B);
}

static ph_vec3 torque(const ph_problem *p, const ph_instant *now)
{
    const body_axes axes = axes_of(&now->R);
    const constants c = constants_of(p);
    const field f = field_at(p, now, &axes);
    ph_vec3 sum = torque_of(&c, &f, axes.column, torque_over_time(p, now->t));
    if (p->velocity_dependent)
        sum = sub(sum, scale(p->value[DAMPING], now->w));
    return sum;
}

static ph_mat3 derivative(const ph_problem *p, const ph_instant *now)
{
    const body_axes axes = axes_of(&now->R);
    const field f = field_at(p, now, &axes);
    const ph_vec3 Ju = ph_body_momentum(&p->body, f.u), d = vector_of(p, DIPOLE),
                  fixed = into_body(axes.column, vector_of(p, TORQUE_SPACE));
    const ph_vec3 along[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    ph_vec3 column[3];
    for (int i = 0; i < 3; i++) {
        const ph_vec3 du = cross(f.u, along[i]);
        column[i] =
            scale(f.gradient, add(cross(du, Ju), cross(f.u, ph_body_momentum(&p->body, du))));
        column[i] = add(column[i], cross(d, cross(f.B, along[i])));
        column[i] = add(column[i], cross(fixed, along[i]));
    }
    return columns(column[0], column[1], column[2]);
}

#ifndef __OPENCL_VERSION__
#include "base/named.h"
#include "integrators/orbit_view.h"

_Static_assert((int)SPACECRAFT_VALUES <= (int)PH_PARAMETER_VALUES, "there is room for all values");

static const ph_parameter PARAMETERS[] = {
    {"mu", MU, 1, "m^3/s^2", "gravitational parameter of the Earth", PH_RANGE_POSITIVE},
    {"semi_major_axis", SEMI_MAJOR_AXIS, 1, "m", "of the orbit", PH_RANGE_POSITIVE},
    {"eccentricity", ECCENTRICITY, 1, "1", "of the orbit", PH_RANGE_BELOW_ONE},
    {"inclination", INCLINATION, 1, "rad", "of the orbit to the space plane x y", PH_RANGE_ANY},
    {"node", NODE, 1, "rad", "longitude of the ascending node, from space x", PH_RANGE_ANY},
    {"perigee", PERIGEE, 1, "rad", "argument of the perigee, from the node", PH_RANGE_ANY},
    {"anomaly", ANOMALY, 1, "rad", "mean anomaly at the time 0", PH_RANGE_ANY},
    {"gravity_gradient", GRAVITY_GRADIENT, 1, "1", "factor of its torque; 0: off", PH_RANGE_ANY},
    {"dipole", DIPOLE, 3, "A m^2", "magnetic dipole, in the body; 0: off", PH_RANGE_ANY},
    {"earth_dipole", EARTH_DIPOLE, 3, "A m^2", "dipole of the Earth at t = 0, in space",
     PH_RANGE_ANY},
    {"torque", TORQUE, 3, "N m", "constant torque in the body", PH_RANGE_ANY},
    {"torque_space", TORQUE_SPACE, 3, "N m", "constant torque in space", PH_RANGE_ANY},
    {"damping", DAMPING, 1, "N m s", "torque -damping w; 0: off", PH_RANGE_NOT_NEGATIVE},
    {"wheels", WHEELS, 3, "N m s", "momentum of the wheels, in the body; 0: off", PH_RANGE_ANY},
    {"earth_rate", EARTH_RATE, 1, "rad/t", "of the dipole of the Earth about z", PH_RANGE_ANY},
};

static const ph_parameter TABLES[] = {
    {"wheels_table", WHEELS_TABLE, 3, "N m s", "momentum of wheels over time, added", PH_RANGE_ANY},
    {"torque_table", TORQUE_TABLE, 3, "N m", "torque in the body over time, added", PH_RANGE_ANY},
    {"wheels_cubic", WHEELS_CUBIC, 3, "N m s", "the same as wheels_table, cubic between rows",
     PH_RANGE_ANY},
    {"torque_cubic", TORQUE_CUBIC, 3, "N m", "the same as torque_table, cubic between rows",
     PH_RANGE_ANY},
};

/* Out, forward and along the normal of the orbit at a latitude counted from the node, in
 * space. */
static ph_quat orbit_axes(const ph_problem *p, double latitude)
{
    return mul(mul(ph_rotation_exp(vec3(0, 0, p->value[NODE])),
                   ph_rotation_exp(vec3(p->value[INCLINATION], 0, 0))),
               ph_rotation_exp(vec3(0, 0, latitude)));
}

/* The true anomaly is E + 2 atan(b sin E/(1 - b cos E)), b = e/(1 + sqrt(1 - e^2)). */
static ph_quat orbit_frame(const ph_problem *p, double t)
{
    const double e = p->value[ECCENTRICITY], b = e / (1.0 + sqrt((1.0 - e) * (1.0 + e)));
    const double mean = mean_anomaly(p, t), M = within_a_turn(mean);
    const constants c = constants_of(p);
    const orbit_point at = place_of(&c, M);
    const double E = (mean - M) + ph_atan2(at.sine, at.cosine),
                 latitude =
                     p->value[PERIGEE] + E + 2.0 * ph_atan2(b * at.sine, 1.0 - b * at.cosine);
    return mul(orbit_axes(p, latitude), (ph_quat){0.5, -0.5, -0.5, 0.5});
}

orbit_view ph_orbit_view(const ph_problem *p, const ph_instant *now)
{
    const body_axes axes = axes_of(&now->R);
    const constants c = constants_of(p);
    const orbit_point at = place_of(&c, within_a_turn(mean_anomaly(p, now->t)));
    const field f = field_of(&c, &at, earth_angle(p, now->t), axes.column);
    const double a = p->value[SEMI_MAJOR_AXIS], speed = a * c.n * at.over;
    return (orbit_view){f.u, f.B, scale(a / at.over, at.u),
                        add(scale(-speed * at.sine, c.P), scale(speed * at.cosine, c.Q))};
}

static ph_vec3 internal(const ph_problem *p, double t)
{
    return add(vector_of(p, WHEELS), ph_tables_at(p, WHEELS_TABLE, WHEELS_CUBIC, t));
}

/* ---- what follows from the parameters -------------------------------------------------- */

static void put(ph_problem *p, int first, ph_vec3 v)
{
    p->value[first] = v.x;
    p->value[first + 1] = v.y;
    p->value[first + 2] = v.z;
}

static void prepare_spacecraft(ph_problem *p)
{
    const double a = p->value[SEMI_MAJOR_AXIS], e = p->value[ECCENTRICITY];
    const ph_quat plane = orbit_axes(p, p->value[PERIGEE]);
    p->value[PLANE] = plane.w;
    put(p, PLANE + 1, vec(plane));
    const double earth = 3.986004418e14, radius = 6.357e6; /* mu; at the poles, m */
    if (fabs(p->value[MU] - earth) < 0.01 * earth && a * (1.0 - e) < radius)
        p->warning = "the perigee of the orbit, semi_major_axis (1 - eccentricity), is inside "
                     "the Earth: check both";
    else
        p->warning = NULL;
    p->damping = p->value[DAMPING];
    p->velocity_dependent = p->damping != 0.0;
    const bool magnet = norm_max(vector_of(p, DIPOLE)) != 0.0,
               on_orbit = p->value[GRAVITY_GRADIENT] != 0.0 || magnet,
               periodic = !has_torque_tables(p) && !(magnet && p->value[EARTH_RATE] != 0.0);
    p->period = 0.0;
    if (on_orbit && periodic)
        p->period = 2.0 * PH_PI / mean_motion(p);
    const bool wheels = norm_max(vector_of(p, WHEELS)) != 0.0;
    const bool tables = ph_table_rows(p, WHEELS_TABLE) > 0 || ph_table_rows(p, WHEELS_CUBIC) > 0;
    p->internal = wheels || tables ? internal : NULL;
}

const ph_problem ph_problem_spacecraft = {
    .name = "spacecraft",
    .title = "Spacecraft on a Kepler orbit",
    .cite = "H86 9.2, W78 (H-12)",
    .equations = "m' = m x w + torque, w = J^-1 (m - wheels), and the torques added up:\n"
                 "(3 mu/r^3) u x J u, u from the Earth; dipole x B,\n"
                 "B = 1e-7 (3 (d.u) u - d)/r^3, d turns about z at earth_rate; torque;\n"
                 "torque_space; -damping w.\n"
                 "The orbital frame has z to the Earth, y against the orbit's normal.",
    .body = PH_MOMENTS(120.5, 98.3, 75.2),
    .q = {1, 0, 0, 0},
    .w = {0.0001, -0.0012, 0.0003},
    TABLE(parameter, PARAMETERS),
    TABLE(table, TABLES),
    .value = {[MU] = 3.986004418e14,
              [SEMI_MAJOR_AXIS] = 7e6,
              [GRAVITY_GRADIENT] = 1,
              [EARTH_DIPOLE + 2] = -7.8e22,
              [PLANE] = 1},
    .nonconservative = true,
    .prepare = prepare_spacecraft,
    .load = ph_table_check,
    .potential = potential,
    .torque = torque,
    .derivative = derivative,
    .frame = orbit_frame,
    .frame_name = "orbit_frame",
};
#endif
#endif
