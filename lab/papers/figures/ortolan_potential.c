/* ortolan_potential.c - Ortolan 2011, figures 3.1 and 3.2: the potential of the drift
 * test over the ball of rotation vectors.
 *
 * O11  Ortolan, thesis, Padova 2011, (3.1) to (3.5). R = exp(v), |v| <= pi, and
 *
 *   m(R, S) = sqrt(2 tr(1 - R^T S)),   U = (m(R, 1) - 1)^2 - alpha / m(R, Rm)
 *
 * On the sphere |v| = r, m(R, 1) = 2 sqrt 2 sin(r/2). The torque (3.5) is printed with
 * 2 (m - 1)/m^2 in front of its first part; right is 2 (m - 1)/m.
 */
#include "integrators/field.h"
#include "lab/papers/figure.h"

static const double VALLEY = 0.7227342478134157; /* 2 asin(1/(2 sqrt 2)): m = 1 */

static const double ALPHA[] = {0.0, 0.3}, CELLS[] = {21, 101, 201};

/* Where the torque is compared with the slope of the potential. */
static const ph_vec3 POINT = {0.3, -0.4, 0.2};

/* The problem with this alpha. */
static ph_problem well(double alpha)
{
    ph_problem p = *find_problem("well");
    p.value[ph_problem_parameter(&p, "alpha")->first] = alpha;
    return p;
}

/* m(R, 1) where |v| is this radius. */
static double distance(double radius)
{
    return 2 * sqrt(2.0) * sin(0.5 * radius);
}

static double potential(const ph_problem *p, ph_quat q)
{
    const ph_instant now = instant_at(0.0, q);
    return p->potential(p, &now);
}

static bool add_plane(figure_work *work, table *t, const ph_problem *p, bool horizontal)
{
    const int cells = (int)AT_EFFORT(work, CELLS);
    const char *plane = horizontal ? "z = 0" : "y = 0";
    for (int i = 0; i < cells; i++) {
        if (!report_progress(work, 0.5 * i / cells + 0.5 * !horizontal))
            return false;
        for (int k = 0; k < cells; k++) {
            const double a = PH_PI * (2.0 * k / (cells - 1) - 1),
                         b = PH_PI * (2.0 * i / (cells - 1) - 1);
            ph_vec3 v = {a, 0.0, b};
            if (horizontal)
                v = vec3(a, b, 0.0);
            double value = INFINITY;
            if (norm(v) <= PH_PI)
                value = potential(p, ph_rotation_exp(v));
            ROW(t, (plane), a, b, norm(v), value);
        }
    }
    return true;
}

/* Where, on rays in the plane y = 0, the potential is lowest near the valley. */
static void add_valley(table *t, const ph_problem *p)
{
    enum { RAYS = 36, NARROWINGS = 60 };
    const double golden = 0.6180339887498949; /* (sqrt 5 - 1)/2 */
    for (int i = 0; i < RAYS; i++) {
        const double angle = 2 * PH_PI * i / RAYS;
        const ph_vec3 ray = vec3(cos(angle), 0.0, sin(angle));
        double low = 0.4, high = 1.1; /* on both sides of the valley */
        for (int k = 0; k < NARROWINGS; k++) {
            const double a = high - golden * (high - low), b = low + golden * (high - low);
            if (potential(p, ph_rotation_exp(scale(a, ray))) <
                potential(p, ph_rotation_exp(scale(b, ray))))
                high = b;
            else
                low = a;
        }
        ROW(t, ("valley"), low * ray.x, low * ray.z, low,
            potential(p, ph_rotation_exp(scale(low, ray))));
    }
}

/* -dU, by a difference quotient, less the torque: the library's, or that with the printed
 * factor. */
static void add_torque(table *t, const ph_problem *p, bool printed)
{
    const double step = 1e-5;
    const ph_vec3 v = POINT;
    const ph_quat q = ph_rotation_exp(v);
    ph_vec3 tau = torque_at(p, 0.0, q);
    if (printed) {
        const ph_problem first = well(0.0);
        tau = add(tau, scale(1 / distance(norm(v)) - 1, torque_at(&first, 0.0, q)));
    }
    double slope[3];
    for (int k = 0; k < 3; k++) {
        const ph_vec3 along = scale(step, vec3(k == 0, k == 1, k == 2));
        slope[k] = (potential(p, mul(q, ph_rotation_exp(along))) -
                    potential(p, mul(q, ph_rotation_exp(scale(-1, along))))) /
                   (2 * step);
    }
    ROW(t, (printed ? "torque printed" : "torque corrected"), v.x, v.z, norm(v),
        norm(add(tau, vec3(slope[0], slope[1], slope[2]))));
}

static bool compute(figure_work *work, table *t)
{
    const ph_problem p = well(*(const double *)work->figure->context);
    table_begin(t, "plane,a,b,radius,value");
    if (!add_plane(work, t, &p, true) || !add_plane(work, t, &p, false))
        return false;
    add_valley(t, &p);
    add_torque(t, &p, true);
    add_torque(t, &p, false);
    return true;
}

/* How far the potential is from a function of the radius alone, inside the ball. */
static double from_spheres(const table *t)
{
    double most = t->rows == 0 ? NAN : 0.0;
    for (size_t i = 0; i < t->rows; i++) {
        const double radius = table_number(t, i, "radius"), m = distance(radius);
        if (!(radius > PH_PI) &&
            (table_matches(t, i, "plane", "z = 0") || table_matches(t, i, "plane", "y = 0")))
            most = larger_or_nan(most, fabs(table_number(t, i, "value") - (m - 1) * (m - 1)));
    }
    return most;
}

static double from_valley(const table *t)
{
    return larger_or_nan(fabs(table_most(t, "plane", "valley", "radius") - VALLEY),
                         fabs(table_least(t, "plane", "valley", "radius") - VALLEY));
}

/* 1e-12 is round-off in U; the lowest point of a parabola is found to its square root, so
 * that 1e-6 is safe. */
static void judge_even(const table *t, claims *out)
{
    quote(out, "figure 3.1", "The level sets are concentric spherical surfaces");
    claim(out, from_spheres(t), 0.0, 1e-12,
          "the level sets are concentric spheres: largest difference of U from (2 sqrt 2 "
          "sin(|v|/2) - 1)^2");
    quote(out, "3.1", "achieves its minimum value on the two-dimensional surface");
    claim(out, from_valley(t), 0.0, 1e-6,
          "U is lowest where m(R, 1) = 1, on the sphere |v| = 0.72273: largest distance "
          "of the valley from it");
}

/* The row with the lowest value in the plane y = 0. */
static size_t lowest(const table *t)
{
    const double least = table_least(t, "plane", "y = 0", "value");
    size_t i = 0;
    while (next_row(t, &i, "plane", "y = 0") && table_number(t, i, "value") != least)
        i++;
    return i;
}

/* alpha / m(R, Rm) is 0.1 at least, everywhere; "slightly" is a radius that changes by
 * less than 0.1; the difference quotient with its step of 1e-5 is right to 1e-9. */
static void judge_perturbed(const table *t, claims *out)
{
    const ph_problem p = well(*(const double *)out->context);
    const double *m = p.value + ph_problem_parameter(&p, "target")->first;
    const double width = table_number(t, 1, "a") - table_number(t, 0, "a"); /* a cell's */
    const size_t at = lowest(t);
    quote(out, "figure 3.2", "The minimum value of the potential is attained for R = R_m");
    claim(out, hypot(table_number(t, at, "a") - m[0], table_number(t, at, "b") - m[2]) / width, 0.0,
          1.0,
          "the lowest value is at Rm: distance of the lowest point of the grid from it, "
          "in cells");
    quote(out, "3.1", "the set S gets perturbed by the unbounded attractive potential");
    claim(out, from_spheres(t), 0.1, INFINITY,
          "the level sets are no longer spheres: largest difference of U from its value "
          "at alpha = 0");
    quote(out, "3.1", "the set S gets only slightly perturbed into a new set");
    claim(out, from_valley(t), 0.0, 0.1,
          "the set where U is lowest near the origin gets only slightly perturbed: "
          "largest distance of the valley from |v| = 0.72273");
    quote(out, "(3.5)", "Explicit computation of the potential torque then yields");
    claim(out, table_first(t, "plane", "torque printed", "value"), 0.0, 1e-8,
          "(3.5) as printed is the torque of this potential: its difference from the "
          "slope of U at v = (0.3, -0.4, 0.2)");
    correction(out, table_first(t, "plane", "torque corrected", "value"), 0.0, 1e-8,
               "with 2 (m - 1)/m instead of 2 (m - 1)/m^2 it is: the same difference");
}

#define USED_WITH(alpha)                                                                           \
    {                                                                                              \
        NUMBER("alpha", alpha), NUMBERS("cells", CELLS), {"point of the torque", &POINT.x, 3},     \
        {                                                                                          \
            0                                                                                      \
        }                                                                                          \
    }
static const figure_number EVEN[] = USED_WITH(ALPHA[0]), PERTURBED[] = USED_WITH(ALPHA[1]);

const ph_figure ph_figure_ortolan_potential[2] = {
    FIGURE_OF("ortolan_figure3_1", 0.1, 0.3, compute, judge_even, "ortolan_potential", &ALPHA[0],
              "well", EVEN),
    FIGURE_OF("ortolan_figure3_2", 0.1, 0.3, compute, judge_perturbed, "ortolan_potential",
              &ALPHA[1], "well", PERTURBED),
};
