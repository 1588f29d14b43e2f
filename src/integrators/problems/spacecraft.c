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
 * and constant torques in the body and in space, -damping w, a torque over time; and wheels
 * of the momentum H, constant or over time: m = J w + H. The torques add up. A vector v at
 * rest in space changes at the rate v x xi along the body's axis xi, from which the
 * derivative follows. SI units; angles in radians.
 *
 * The orbital frame: z to the Earth, y against the orbit's normal, x forward.
 */
#include "base/simd_sincos.h"
#include "integrators/table.h"
#include "polhode/body.h"
#include "rotation/algebra.h"

/* Where the parameters are. */
enum {
    MU,
    SEMI_MAJOR_AXIS,
    ECCENTRICITY,
    INCLINATION,
    NODE,
    PERIGEE,
    ANOMALY,
    GRAVITY_GRADIENT,
    DIPOLE,
    EARTH_DIPOLE = DIPOLE + 3,
    TORQUE = EARTH_DIPOLE + 3,
    TORQUE_SPACE = TORQUE + 3,
    DAMPING = TORQUE_SPACE + 3,
    WHEELS,
    /* follow from these, by prepare() */
    MEAN_MOTION = WHEELS + 3,
    FIELD, /* 1e-7/a^3: of a dipole at the distance a */
    P_AXIS,
    Q_AXIS = P_AXIS + 3, /* times sqrt(1 - e^2) */
    VALUES = Q_AXIS + 3
};

enum { WHEELS_TABLE, TORQUE_TABLE };

static inline double mean_anomaly(const ph_problem *p, double t)
{
    return p->value[ANOMALY] + p->value[MEAN_MOTION] * t;
}

/* An angle without its whole turns. */
static inline double within_a_turn(double angle)
{
    return fabs(angle) < PH_PI ? angle : remainder(angle, 2.0 * PH_PI);
}

/* The values of one problem, or of one in each lane, and the moments in principal axes. */
typedef struct constants {
    vdouble value[VALUES];
    vdouble3 J;
    vdouble4 axes;
    bool turned; /* the axes are not those of the frame */
} constants;

PART constants constants_of(const ph_problem *p)
{
    constants c;
    for (int k = 0; k < VALUES; k++)
        c.value[k] = vsplat(p->value[k]);
    const ph_body *b = &p->body;
    c.J = vec3(vsplat(b->J.x), vsplat(b->J.y), vsplat(b->J.z));
    c.axes = (vdouble4){vsplat(b->axes.w), vsplat(b->axes.x), vsplat(b->axes.y), vsplat(b->axes.z)};
    c.turned = !b->principal;
    return c;
}

PART vdouble3 parameter(const constants *c, int first)
{
    return vec3(c->value[first], c->value[first + 1], c->value[first + 2]);
}

typedef struct orbit_point {
    vdouble cosine, sine; /* of E */
    vdouble over;         /* a/r */
    vdouble3 u;           /* in space */
} orbit_point;

/* Sine and cosine of E, from those of E + d; anew where they would lose digits. */
PART void turn_back(vdouble E, vdouble d, orbit_point *at)
{
    const vdouble z = d * d, sine = at->sine, cosine = at->cosine;
    const vdouble sine_d = d - d * z * (1.0 / 6 - z * (1.0 / 120 - z * (1.0 / 5040))),
                  less = z * (0.5 - z * (1.0 / 24 - z * (1.0 / 720 - z * (1.0 / 40320))));
    at->sine = sine - (sine * less + cosine * sine_d);
    at->cosine = cosine - (cosine * less - sine * sine_d);
    const vmask far = vabs(d) > vmin(0.25 * E, vsplat(0x1p-4));
    if (vany(far)) {
        vdouble s, c;
        vsincos(E, &s, &c);
        at->sine = vselect(far, s, at->sine);
        at->cosine = vselect(far, c, at->cosine);
    }
}

/* Solves E - e sin E = M for 0 <= M <= pi. Newton's iteration from M comes to a point above, from
 * which it descends, as the function is convex; M + e and pi are above, too. It ends with the step
 * whose square is lost in rounding. A lane that is done stays where it is. */
PART void solve_kepler(vdouble M, vdouble e, orbit_point *at)
{
    enum { MOST = 60 };
    vsincos(M, &at->sine, &at->cosine);
    const vdouble first = e * at->sine / (1.0 - e * at->cosine), bounded = vmin(first, e),
                  up = vmin(bounded, PH_PI - M);
    vdouble E = M + up;
    turn_back(E, -up, at);
    vmask open = M >= 0.0; /* a NaN is not */
    for (int i = 0; i < MOST; i++) {
        const vdouble slope = 1.0 - e * at->cosine, change = (E - e * at->sine - M) / slope;
        open = open & (change > 0.0);
        if (!vany(open))
            return;
        const vdouble d = vselect(open, change, vsplat(0.0));
        E = E - d;
        turn_back(E, d, at);
        open = open & (change * change * e > 0x1p-54 * slope);
        if (!vany(open))
            return;
    }
}

/* Of a mean anomaly M, |M| <= pi. */
PART orbit_point place_of(const constants *p, vdouble M)
{
    const vdouble e = p->value[ECCENTRICITY];
    orbit_point at;
    solve_kepler(vabs(M), e, &at);
    at.sine = vfrom_bits(vbits(at.sine) ^ vsign_bit(M)); /* that of -E is the opposite */
    at.over = 1.0 / (1.0 - e * at.cosine);
    at.u = add(scale((at.cosine - e) * at.over, parameter(p, P_AXIS)),
               scale(at.sine * at.over, parameter(p, Q_AXIS)));
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
    return p->turned ? rotate(p->axes, times(p->J, rotate(inverse(p->axes), v))) : times(p->J, v);
}

/* What is needed of an instant: u and B in the body, and 3 mu/r^3 = 3 n^2 (a/r)^3. */
typedef struct field {
    vdouble gradient;
    vdouble3 u, B;
} field;

PART field field_of(const constants *p, const orbit_point *at, const vdouble3 *column)
{
    const vdouble n = p->value[MEAN_MOTION], near = at->over * at->over * at->over;
    const vdouble3 D = parameter(p, EARTH_DIPOLE),
                   B = scale(p->value[FIELD] * near, sub(scale(3.0 * dot(D, at->u), at->u), D));
    field f;
    f.gradient = p->value[GRAVITY_GRADIENT] * 3.0 * (n * n) * near;
    f.u = into_body(column, at->u);
    f.B = into_body(column, B);
    return f;
}

/* The torque without that of damping; `commanded` is that of the table. */
PART vdouble3 torque_of(const constants *p, const field *f, const vdouble3 *column,
                        vdouble3 commanded)
{
    vdouble3 sum = scale(f->gradient, cross(f->u, inertia_times(p, f->u)));
    sum = add(sum, cross(parameter(p, DIPOLE), f->B));
    sum = add(sum, parameter(p, TORQUE));
    sum = add(sum, into_body(column, parameter(p, TORQUE_SPACE)));
    return add(sum, commanded);
}

#ifdef SIMD_VECTORS /* in lanes, with the bits of one body */
#include "integrators/lane_kernels.h"

TORQUE_KERNEL(spacecraft)
{
    const constants c = constants_of(p);
    double M[PH_LANES] = {0}, commanded[3][PH_LANES] = {{0}};
    for (int i = first; i < last; i++) {
        const ph_vec3 v = ph_table_at(p, TORQUE_TABLE, t[i]);
        M[i] = within_a_turn(mean_anomaly(p, t[i]));
        commanded[0][i] = v.x;
        commanded[1][i] = v.y;
        commanded[2][i] = v.z;
    }
    for (int r = first / LANES * LANES; r < last; r += LANES) {
        vdouble3 column[3];
        const vdouble4 attitude = {vload(&q[0][r]), vload(&q[1][r]), vload(&q[2][r]),
                                   vload(&q[3][r])};
        matrix_columns(attitude, column);
        const orbit_point at = place_of(&c, vload(&M[r]));
        const field f = field_of(&c, &at, column);
        const vdouble3 sum = torque_of(
            &c, &f, column,
            vec3(vload(&commanded[0][r]), vload(&commanded[1][r]), vload(&commanded[2][r])));
        vstore(&torque[0][r], sum.x);
        vstore(&torque[1][r], sum.y);
        vstore(&torque[2][r], sum.z);
    }
}

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

/* One body a lane, without tables. */
EACH_KERNEL(spacecraft)
{
    enum { MOST_TURNS = 100000 };
    for (int r = 0; r < PH_LANES; r += LANES) {
        constants c;
        for (int k = 0; k < VALUES; k++)
            c.value[k] = vload(&p->value[k][r]);
        c.J = lane_vector(&p->J[0][r]);
        c.axes = lane_quaternion(&p->axes[0][r]);
        c.turned = p->turned;
        vdouble3 column[3];
        matrix_columns(lane_quaternion(&at->q[0][r]), column);
        const vdouble mean = c.value[ANOMALY] + c.value[MEAN_MOTION] * vload(&at->t[r]);
        vdouble M = lanes_within_a_turn(mean);
        if (vany(vnot(vabs(mean) < 2.0 * PH_PI * MOST_TURNS))) {
            for (int i = 0; i < LANES; i++)
                M[i] = within_a_turn(mean[i]);
        }
        const orbit_point place = place_of(&c, M);
        const field f = field_of(&c, &place, column);
        const vdouble3 zero = vec3(vsplat(0.0), vsplat(0.0), vsplat(0.0)),
                       sum = torque_of(&c, &f, column, zero), w = lane_vector(&at->w[0][r]),
                       damped = sub(sum, scale(c.value[DAMPING], w));
        const vmask damps = c.value[DAMPING] != 0.0;
        store_vector(&at->torque[0][r],
                     vec3(vselect(damps, damped.x, sum.x), vselect(damps, damped.y, sum.y),
                          vselect(damps, damped.z, sum.z)));
    }
}

#else /* of one body */
#include "rotation/vec.h"

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
    return field_of(&c, &at, axes->column);
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
    ph_vec3 sum = torque_of(&c, &f, axes.column, ph_table_at(p, TORQUE_TABLE, now->t));
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

_Static_assert((int)VALUES <= (int)PH_PARAMETER_VALUES, "there is room for all values");

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
    {"earth_dipole", EARTH_DIPOLE, 3, "A m^2", "dipole of the Earth, fixed in space", PH_RANGE_ANY},
    {"torque", TORQUE, 3, "N m", "constant torque in the body", PH_RANGE_ANY},
    {"torque_space", TORQUE_SPACE, 3, "N m", "constant torque in space", PH_RANGE_ANY},
    {"damping", DAMPING, 1, "N m s", "torque -damping w; 0: off", PH_RANGE_NOT_NEGATIVE},
    {"wheels", WHEELS, 3, "N m s", "momentum of the wheels, in the body; 0: off", PH_RANGE_ANY},
};

static const ph_parameter TABLES[] = {
    {"wheels_table", WHEELS_TABLE, 3, "N m s", "momentum of wheels over time, added", PH_RANGE_ANY},
    {"torque_table", TORQUE_TABLE, 3, "N m", "torque in the body over time, added", PH_RANGE_ANY},
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

static ph_vec3 internal(const ph_problem *p, double t)
{
    return add(vector_of(p, WHEELS), ph_table_at(p, WHEELS_TABLE, t));
}

/* ---- what follows from the parameters -------------------------------------------------- */

static void put(ph_problem *p, int first, ph_vec3 v)
{
    p->value[first] = v.x;
    p->value[first + 1] = v.y;
    p->value[first + 2] = v.z;
}

static void prepare(ph_problem *p)
{
    const double a = p->value[SEMI_MAJOR_AXIS], e = p->value[ECCENTRICITY];
    const ph_quat plane = orbit_axes(p, p->value[PERIGEE]);
    p->value[MEAN_MOTION] = sqrt(p->value[MU] / a) / a;
    put(p, P_AXIS, rotate(plane, vec3(1, 0, 0)));
    p->value[FIELD] = 1e-7 / a / a / a;
    put(p, Q_AXIS, scale(sqrt((1.0 - e) * (1.0 + e)), rotate(plane, vec3(0, 1, 0))));
    const double earth = 3.986004418e14, radius = 6.357e6; /* mu; at the poles, m */
    p->warning = fabs(p->value[MU] - earth) < 0.01 * earth && a * (1.0 - e) < radius
                     ? "the perigee of the orbit, semi_major_axis (1 - eccentricity), is "
                       "inside the Earth: check them"
                     : NULL;
    p->damping = p->value[DAMPING];
    p->velocity_dependent = p->damping != 0.0;
    const bool on_orbit =
        p->value[GRAVITY_GRADIENT] != 0.0 || norm_max(vector_of(p, DIPOLE)) != 0.0;
    p->period =
        on_orbit && ph_table_rows(p, TORQUE_TABLE) == 0 ? 2.0 * PH_PI / p->value[MEAN_MOTION] : 0.0;
    const bool wheels = norm_max(vector_of(p, WHEELS)) != 0.0;
    p->internal = wheels || ph_table_rows(p, WHEELS_TABLE) > 0 ? internal : NULL;
}

const ph_problem ph_problem_spacecraft = {
    .name = "spacecraft",
    .title = "Spacecraft on a Kepler orbit",
    .cite = "H86 9.2, W78 (H-12)",
    .equations = "m' = m x w + torque, w = J^-1 (m - wheels), and the torques added up:\n"
                 "(3 mu/r^3) u x J u, u from the Earth; dipole x B,\n"
                 "B = 1e-7 (3 (d.u) u - d)/r^3; torque; torque_space; -damping w.\n"
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
              [MEAN_MOTION] = 0.001078007612872505978390,
              [FIELD] = 1e-7 / 7e6 / 7e6 / 7e6,
              [P_AXIS] = 1,
              [Q_AXIS + 1] = 1},
    .nonconservative = true,
    .prepare = prepare,
    .load = ph_table_check,
    .potential = potential,
    .torque = torque,
    .derivative = derivative,
    .frame = orbit_frame,
    .frame_name = "orbit_frame",
};
#endif
#endif
