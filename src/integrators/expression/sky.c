/* sky.c - the Sun, the orbit of `spacecraft`, the field and the shadow of the Earth as nodes of a
 * graph.
 *
 * M79   J. Meeus, Astronomical Formulae for Calculators, 1979, chapter 18: planets and the Moon.
 * M98   J. Meeus, Astronomical Algorithms, 1998, (25.2) to (25.5), (21.5); (12.4) sidereal time.
 * W78   J. R. Wertz, Spacecraft Attitude Determination and Control, 1978: 17.2 radiation torque.
 * MG00  O. Montenbruck, E. Gill, Satellite Orbits, 2000: 3.4 radiation pressure, shadow.
 * I14   International Geomagnetic Reference Field, 14th generation, 2024,
 *       doi 10.5281/zenodo.14012302, of degree 1 at 2025.0 with its rate.
 *
 * The Sun, T in centuries from J2000.0, in degrees, to 0.005 degrees from 1950 to 2100; the date is
 * UTC, and the minute to terrestrial time makes less than 0.001 degrees:
 *
 *   M98   M = 357.52911 + 35999.05029 T
 *         C = (1.914602 - 0.004817 T) sin M + (0.019993 - 0.000101 T) sin 2M + 0.000289 sin 3M
 *   M79   P = 0.00134 cos(351.98 + 22518.7541 T) + 0.00154 cos(254.08 + 45037.5082 T)
 *           + 0.00200 cos(157.05 + 32964.3577 T) + 0.00179 sin(297.85 + 445267.1142 T)
 *           + 0.00178 sin(251.39 + 20.20 T)
 *   lambda = 280.46646 + (36000.76983 - 1.396971) T + C + P - 0.00569    precession, aberration
 *   beta = 0.0130564 T sin(lambda - 174.876)          the ecliptic of date on that of J2000
 *
 * A T in a coefficient is that of t = 0. The distance is R = 1.00014 - 0.01671 cos M - 0.00014 cos 2M
 * in astronomical units.
 *
 * The Earth and the Sun are seen under the angular radii b = asin(R_E/r) and a = asin(R_S/d), d the
 * distance of the Sun, their centres under the angle c. The Earth covers the part
 * k = (a + b - c)/(2 a) of the Sun's diameter: 0 where the cone of the penumbra begins, 1 where that
 * of the umbra does. It covers this area of the disc, pi a^2:
 *
 *   MG00 3.4.2   a^2 acos(x/a) + b^2 acos((c - x)/b) - c y,   x = (c^2 + a^2 - b^2)/(2 c),
 *                y = sqrt(a^2 - x^2)
 *
 * The rest of the light gives the torque
 *
 *   W78 17.2, MG00 (3.72)   sum of c x F,
 *   F = -p A cos [ (1 - specular) s + 2 (specular cos + diffuse/3) n ],   cos = max(0, n . s)
 *
 * over facets of the area A, the normal n and the centre c, s to the Sun; p = 1361 W/m^2/(c R^2).
 */
#include "integrators/expression/sky.h"

#include "integrators/orbit.h"
#include "polhode/catalog.h"

static const double DEGREE = PH_PI / 180.0, CENTURY = 36525.0, DAY = 86400.0;

bool ph_sky_on_orbit(const ph_problem *p)
{
    return p->frame != NULL && p->frame == ph_problem_spacecraft.frame;
}

int ph_sky_values(const ph_problem *base)
{
    int used = ph_sky_on_orbit(base) ? SPACECRAFT_VALUES : 0;
    for (int i = 0; i < base->parameter_count; i++) {
        const int end = base->parameters[i].first + base->parameters[i].count;
        if (end > used)
            used = end;
    }
    return used;
}

/* ---- nodes -------------------------------------------------------------------------- */

static int times(graph *g, int a, int b)
{
    return ph_graph_make(g, MULTIPLY, a, b);
}

static int plus(graph *g, int a, int b)
{
    return ph_graph_make(g, ADD, a, b);
}

static int minus(graph *g, int a, int b)
{
    return ph_graph_make(g, SUBTRACT, a, b);
}

static int of(graph *g, operation code, int a)
{
    return ph_graph_make(g, code, a, 0);
}

static int scaled(graph *g, double factor, int a)
{
    const int constant = ph_graph_constant(g, factor);
    return times(g, constant, a);
}

static int shifted(graph *g, double number, int a)
{
    const int constant = ph_graph_constant(g, number);
    return plus(g, constant, a);
}

static int value(graph *g, int index)
{
    return ph_graph_leaf(g, PARAMETER, index);
}

static int seconds(graph *g)
{
    return ph_graph_leaf(g, VARIABLE, VARIABLE_T);
}

static int scalar_product(graph *g, const int a[3], const int b[3])
{
    int sum = times(g, a[0], b[0]);
    for (int k = 1; k < 3; k++) {
        const int next = times(g, a[k], b[k]);
        sum = plus(g, sum, next);
    }
    return sum;
}

static void vector_product(graph *g, const int a[3], const int b[3], int out[3])
{
    for (int i = 0; i < 3; i++) {
        const int k = (i + 1) % 3, l = (i + 2) % 3, one = times(g, a[k], b[l]),
                  other = times(g, a[l], b[k]);
        out[i] = minus(g, one, other);
    }
}

/* a x + b y, vectors by numbers. */
static void combination(graph *g, int a, const int x[3], int b, const int y[3], int out[3])
{
    for (int k = 0; k < 3; k++) {
        const int one = times(g, a, x[k]), other = times(g, b, y[k]);
        out[k] = plus(g, one, other);
    }
}

void ph_sky_in_body(graph *g, const int v[3], int out[3])
{
    for (int k = 0; k < 3; k++) {
        int column[3];
        for (int i = 0; i < 3; i++)
            column[i] = ph_graph_leaf(g, VARIABLE, VARIABLE_R + 3 * i + k);
        out[k] = scalar_product(g, column, v);
    }
}

/* ---- the Sun ------------------------------------------------------------------------ */

/* An angle at the epoch and its rate, in degrees and degrees a century. */
static int moving_angle(graph *g, double epoch, double at_j2000, double rate)
{
    const double now = at_j2000 + rate * (epoch / CENTURY);
    const int more = scaled(g, rate * DEGREE / (CENTURY * DAY), seconds(g));
    return shifted(g, now * DEGREE, more);
}

static int anomaly(graph *g, double epoch)
{
    return moving_angle(g, epoch, 357.52911, 35999.05029);
}

void ph_sky_sun(graph *g, double epoch, int out[3])
{
    static const struct {
        double amplitude, angle, rate;
        operation code;
    } term[] = {{0.00134, 351.98, 22518.7541, COS},
                {0.00154, 254.08, 45037.5082, COS},
                {0.00200, 157.05, 32964.3577, COS},
                {0.00179, 297.85, 445267.1142, SIN},
                {0.00178, 251.39, 20.20, SIN}};
    const double T = epoch / CENTURY, tilt = 23.4392794 * DEGREE, cosine = ph_cos(tilt),
                 sine = ph_sin(tilt),
                 centre[] = {1.914602 - 0.004817 * T, 0.019993 - 0.000101 * T, 0.000289};
    const int M = anomaly(g, epoch);
    int longitude = moving_angle(g, epoch, 280.46646 - 0.00569, 36000.76983 - 1.396971);
    for (int k = 0; k < 3; k++) {
        const int sine_M = of(g, SIN, scaled(g, k + 1, M)),
                  more = scaled(g, centre[k] * DEGREE, sine_M);
        longitude = plus(g, longitude, more);
    }
    for (size_t k = 0; k < sizeof term / sizeof term[0]; k++) {
        const int angle = moving_angle(g, epoch, term[k].angle, term[k].rate),
                  more = scaled(g, term[k].amplitude * DEGREE, of(g, term[k].code, angle));
        longitude = plus(g, longitude, more);
    }
    /* beta is small: (cos lambda, sin lambda, beta) is of unit length to 1e-9 */
    const int x = of(g, COS, longitude), y = of(g, SIN, longitude),
              from_node = shifted(g, -174.876 * DEGREE, longitude),
              z = scaled(g, 0.0130564 * T * DEGREE, of(g, SIN, from_node)),
              y1 = scaled(g, cosine, y), y2 = scaled(g, sine, z), z1 = scaled(g, sine, y),
              z2 = scaled(g, cosine, z);
    out[0] = x;
    out[1] = minus(g, y1, y2);
    out[2] = plus(g, z1, z2);
}

/* In astronomical units. */
static int distance(graph *g, double epoch)
{
    const int M = anomaly(g, epoch), one = scaled(g, -0.01671, of(g, COS, M)),
              two = scaled(g, -0.00014, of(g, COS, scaled(g, 2.0, M))), both = plus(g, one, two);
    return shifted(g, 1.00014, both);
}

/* ---- the orbit ---------------------------------------------------------------------- */

/* As spacecraft.c has it: the eccentric anomaly, and a/r. */
typedef struct orbit_nodes {
    int cosine, sine, over, n;
    int P[3], Q[3];
} orbit_nodes;

/* The axes to the perigee and across, from the quaternion of their frame: 2 (a b + s c d), or
 * 1 - 2 (a^2 + b^2). */
static int twice(graph *g, int a, int b, double sign, int c, int d)
{
    const int one = times(g, a, b), other = scaled(g, sign, times(g, c, d)),
              sum = plus(g, one, other);
    return scaled(g, 2.0, sum);
}

static int less_twice(graph *g, int a, int b)
{
    const int one = ph_graph_constant(g, 1.0), squares = twice(g, a, a, 1.0, b, b);
    return minus(g, one, squares);
}

static void orbit_axes(graph *g, int P[3], int Q[3])
{
    const int w = value(g, PLANE), x = value(g, PLANE + 1), y = value(g, PLANE + 2),
              z = value(g, PLANE + 3), e = value(g, ECCENTRICITY), one = ph_graph_constant(g, 1.0),
              less = minus(g, one, e), more = plus(g, one, e),
              b = of(g, SQRT, times(g, less, more));
    P[0] = less_twice(g, y, z);
    P[1] = twice(g, x, y, 1.0, w, z);
    P[2] = twice(g, x, z, -1.0, w, y);
    Q[0] = twice(g, x, y, -1.0, w, z);
    Q[1] = less_twice(g, x, z);
    Q[2] = twice(g, y, z, 1.0, w, x);
    for (int k = 0; k < 3; k++)
        Q[k] = times(g, b, Q[k]);
}

static orbit_nodes orbit(graph *g)
{
    const int e = value(g, ECCENTRICITY), axis = value(g, SEMI_MAJOR_AXIS),
              root = of(g, SQRT, ph_graph_make(g, DIVIDE, value(g, MU), axis)),
              n = ph_graph_make(g, DIVIDE, root, axis), t = seconds(g), since = times(g, n, t),
              M = plus(g, value(g, ANOMALY), since), E = ph_graph_make(g, KEPLER, M, e);
    orbit_nodes o = {.n = n};
    o.cosine = of(g, COS, E);
    o.sine = of(g, SIN, E);
    const int one = ph_graph_constant(g, 1.0), e_cosine = times(g, e, o.cosine),
              below = minus(g, one, e_cosine);
    o.over = ph_graph_make(g, DIVIDE, one, below);
    orbit_axes(g, o.P, o.Q);
    return o;
}

/* The place relative to `unit`. */
static void place_in(graph *g, const orbit_nodes *o, int unit, int out[3])
{
    const int e = value(g, ECCENTRICITY), along = minus(g, o->cosine, e), a = times(g, along, unit),
              b = times(g, o->sine, unit);
    combination(g, a, o->P, b, o->Q, out);
}

void ph_sky_up(graph *g, int out[3])
{
    const orbit_nodes o = orbit(g);
    place_in(g, &o, o.over, out);
}

void ph_sky_place(graph *g, int out[3])
{
    const orbit_nodes o = orbit(g);
    place_in(g, &o, value(g, SEMI_MAJOR_AXIS), out);
}

void ph_sky_velocity(graph *g, int out[3])
{
    const orbit_nodes o = orbit(g);
    const int axis = value(g, SEMI_MAJOR_AXIS), mean = times(g, axis, o.n),
              speed = times(g, mean, o.over), back = of(g, NEGATE, times(g, o.sine, speed)),
              forward = times(g, o.cosine, speed);
    combination(g, back, o.P, forward, o.Q, out);
}

/* 1e-7/a^3 */
static int size_at(graph *g)
{
    const int a = value(g, SEMI_MAJOR_AXIS);
    int size = ph_graph_constant(g, 1e-7);
    for (int k = 0; k < 3; k++)
        size = ph_graph_make(g, DIVIDE, size, a);
    return size;
}

void ph_sky_field(graph *g, int out[3])
{
    const orbit_nodes o = orbit(g);
    int u[3], D[3], at_start[3];
    place_in(g, &o, o.over, u);
    for (int k = 0; k < 3; k++)
        at_start[k] = value(g, EARTH_DIPOLE + k);
    const int rate = value(g, EARTH_RATE), t = seconds(g), angle = times(g, rate, t),
              s = of(g, SIN, angle), c = of(g, COS, angle), cx = times(g, c, at_start[0]),
              sy = times(g, s, at_start[1]), sx = times(g, s, at_start[0]),
              cy = times(g, c, at_start[1]);
    D[0] = minus(g, cx, sy);
    D[1] = plus(g, sx, cy);
    D[2] = at_start[2];
    const int square = times(g, o.over, o.over), cube = times(g, square, o.over),
              size = times(g, size_at(g), cube), along = scaled(g, 3.0, scalar_product(g, D, u)),
              up = times(g, size, along), down = of(g, NEGATE, size);
    combination(g, up, u, down, D, out);
}

/* Sidereal time of Greenwich (M98 (12.4)) turns the dipole, with the moments 4 pi a^3/mu_0 times
 * (g11, h11, g10), a the radius of the coefficients. */
void ph_sky_earth_dipole(double epoch, double *values)
{
    const double years = (epoch - 9131.5) / 365.25, a = 6371200.0, tesla = 1e-9,
                 unit = 1e7 * a * a * a * tesla, day = 360.98564736629,
                 turns = remainder(day * epoch, 360.0), angle = (280.46061837 + turns) * DEGREE,
                 x = unit * (-1410.3 + 10.0 * years), y = unit * (4545.5 - 21.5 * years),
                 s = ph_sin(angle), c = ph_cos(angle);
    values[EARTH_DIPOLE] = c * x - s * y;
    values[EARTH_DIPOLE + 1] = s * x + c * y;
    values[EARTH_DIPOLE + 2] = unit * (-29350.0 + 12.6 * years);
    values[EARTH_RATE] = day * DEGREE / DAY;
}

/* ---- light and shadow ---------------------------------------------------------------- */

/* The angular radii of the Sun and the Earth and the angle between them, as they are seen from the
 * body. */
typedef struct discs {
    int a, b, c;
} discs;

static discs discs_of(graph *g, double epoch)
{
    const double earth = 6378137.0, sun_radius = 6.957e8, unit = 149597870700.0;
    const orbit_nodes o = orbit(g);
    int u[3], x[3], s[3], across[3];
    place_in(g, &o, o.over, u);
    place_in(g, &o, value(g, SEMI_MAJOR_AXIS), x);
    ph_sky_sun(g, epoch, s);
    const int far = scaled(g, unit, distance(g, epoch));
    for (int k = 0; k < 3; k++) {
        const int from_earth = times(g, far, s[k]);
        s[k] = minus(g, from_earth, x[k]);
    }
    vector_product(g, u, s, across);
    const int near = scaled(g, earth, o.over), axis = value(g, SEMI_MAJOR_AXIS),
              size = ph_graph_constant(g, sun_radius), away = of(g, SQRT, scalar_product(g, s, s)),
              sine = of(g, SQRT, scalar_product(g, across, across)),
              cosine = of(g, NEGATE, scalar_product(g, u, s));
    discs seen;
    seen.a = of(g, ASIN, ph_graph_make(g, DIVIDE, size, away));
    seen.b = of(g, ASIN, ph_graph_make(g, DIVIDE, near, axis));
    seen.c = ph_graph_make(g, ATAN2, sine, cosine);
    return seen;
}

int ph_sky_covered(graph *g, double epoch)
{
    const discs d = discs_of(g, epoch);
    const int both = plus(g, d.a, d.b), over = minus(g, both, d.c);
    return ph_graph_make(g, DIVIDE, over, scaled(g, 2.0, d.a));
}

int ph_sky_eclipse(graph *g, int covered)
{
    const int none = ph_graph_constant(g, 0.0), all = ph_graph_constant(g, 1.0),
              some = ph_graph_make(g, MAX, none, covered);
    return ph_graph_make(g, MIN, all, some);
}

/* The part of the Sun's light that arrives. Where the discs do not overlap, or one is inside the
 * other, c is that where they touch. */
static int light(graph *g, double epoch)
{
    const discs d = discs_of(g, epoch);
    const int outside = plus(g, d.a, d.b), inside = minus(g, d.b, d.a),
              below = ph_graph_make(g, MIN, outside, d.c), c = ph_graph_make(g, MAX, inside, below),
              a2 = times(g, d.a, d.a), b2 = times(g, d.b, d.b), c2 = times(g, c, c),
              sum = plus(g, c2, a2), over = minus(g, sum, b2),
              x = ph_graph_make(g, DIVIDE, over, scaled(g, 2.0, c)), rest = minus(g, c, x),
              x2 = times(g, x, x), y2 = minus(g, a2, x2), none = ph_graph_constant(g, 0.0),
              y = of(g, SQRT, ph_graph_make(g, MAX, none, y2)),
              of_sun = times(g, a2, ph_graph_make(g, ATAN2, y, x)),
              of_earth = times(g, b2, ph_graph_make(g, ATAN2, y, rest)),
              sectors = plus(g, of_sun, of_earth), area = minus(g, sectors, times(g, c, y)),
              part = ph_graph_make(g, DIVIDE, area, scaled(g, PH_PI, a2)),
              one = ph_graph_constant(g, 1.0);
    return minus(g, one, part);
}

void ph_sky_radiation(graph *g, double epoch, const facet *facets, int count, int out[3])
{
    static const double PRESSURE = 1361.0 / 299792458.0;
    int space[3], s[3], none = ph_graph_constant(g, 0.0);
    ph_sky_sun(g, epoch, space);
    ph_sky_in_body(g, space, s);
    const int R = distance(g, epoch), lit = scaled(g, PRESSURE, light(g, epoch)),
              p = ph_graph_make(g, DIVIDE, lit, times(g, R, R));
    for (int k = 0; k < 3; k++)
        out[k] = none;
    for (int i = 0; i < count; i++) {
        const facet *f = &facets[i];
        int n[3], centre[3], force[3], torque[3];
        for (int k = 0; k < 3; k++) {
            n[k] = ph_graph_constant(g, f->normal[k]);
            centre[k] = ph_graph_constant(g, f->centre[k]);
        }
        const int cosine = ph_graph_make(g, MAX, none, scalar_product(g, n, s)),
                  along = ph_graph_constant(g, -f->area * (1.0 - f->specular)),
                  mirrored = scaled(g, -2.0 * f->area * f->specular, cosine),
                  normal = shifted(g, -2.0 / 3.0 * f->area * f->diffuse, mirrored);
        combination(g, along, s, normal, n, force);
        vector_product(g, centre, force, torque);
        for (int k = 0; k < 3; k++) {
            const int one = times(g, cosine, torque[k]);
            out[k] = plus(g, out[k], one);
        }
    }
    for (int k = 0; k < 3; k++)
        out[k] = times(g, p, out[k]);
}
