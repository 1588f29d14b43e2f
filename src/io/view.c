/* view.c - curves on an ellipsoid, seen from far away, as data for gnuplot. */
#include "io/view.h"
#include "core/extremes.h"

#include <math.h>

#include "core/vec.h"
#include "io/script.h"

#define CIRCLE 96 /* segments of a circle */

static ph_vec3 unit(ph_vec3 v)
{
    return scale(1.0 / norm(v), v);
}

static view view_from(double azimuth, double elevation, ph_vec3 semi)
{
    const double degree = PH_PI / 180.0;
    const double a = azimuth * degree, e = elevation * degree;
    view v = {.toward = vec3(cos(e) * cos(a), cos(e) * sin(a), sin(e)),
              .right = vec3(-sin(a), cos(a), 0.0),
              .semi = semi};
    v.up = cross(v.toward, v.right);
    return v;
}

double view_facing(const view *v, ph_vec3 u)
{
    return dot(over(u, v->semi), v->toward);
}

/* How many of the points are in front. */
static size_t in_front(const view *v, const ph_vec3 *u, size_t count)
{
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        n += view_facing(v, u[i]) > 0.0;
    return n;
}

double view_outline(const view *v)
{
    return larger_or_nan(norm(times(v->semi, v->right)), norm(times(v->semi, v->up)));
}

view view_best(const ph_vec3 *const *curves, size_t curve_count, size_t count,
               ph_vec3 semi, bool from_below_too)
{
    const double azimuth = 30.0, elevation = 30.0;
    view best = view_from(azimuth, elevation, semi);
    size_t most = 0;
    for (int i = 0; i < (from_below_too ? 8 : 4); i++) {
        const view v =
            view_from(azimuth + 90.0 * (i % 4), i < 4 ? elevation : -elevation, semi);
        size_t n = 0;
        for (size_t k = 0; k < curve_count; k++)
            n += in_front(&v, curves[k], count);
        if (n > most) {
            most = n;
            best = v;
        }
    }
    return best;
}

/* ---- data ------------------------------------------------------------------------ */

static void put_point(FILE *f, const view *v, ph_vec3 u)
{
    const ph_vec3 place = times(v->semi, u);
    put(f, "%.4f %.4f\n", dot(place, v->right), dot(place, v->up));
}

/* The part of a curve that is in front, or the part behind. */
static void put_side(FILE *f, const view *v, const ph_vec3 *u, size_t count, bool front)
{
    bool open = false;
    for (size_t i = 0; i + 1 < count; i++) {
        const bool here =
            (view_facing(v, u[i]) + view_facing(v, u[i + 1]) >= 0.0) == front;
        if (here && !open)
            put_point(f, v, u[i]);
        if (here)
            put_point(f, v, u[i + 1]);
        else if (open)
            put(f, "\n");
        open = here;
    }
    put(f, "\n");
}

/* A block of data; it begins with an undefined point, so that it is never empty. */
static void block_begin(FILE *f, const char *name, int number, const char *side)
{
    put(f, "$%s%d_%s << EOD\nNaN NaN\n\n", name, number, side);
}

static void block_end(FILE *f)
{
    put(f, "EOD\n");
}

void put_curve(FILE *f, const char *name, int number, const view *v, const ph_vec3 *u,
               size_t count)
{
    block_begin(f, name, number, "front");
    put_side(f, v, u, count, true);
    block_end(f);
    block_begin(f, name, number, "back");
    put_side(f, v, u, count, false);
    block_end(f);
}

void put_mark(FILE *f, const char *name, int number, const view *v, ph_vec3 u)
{
    const bool front = view_facing(v, u) >= 0.0;
    block_begin(f, name, number, "front");
    if (front)
        put_point(f, v, u);
    block_end(f);
    block_begin(f, name, number, "back");
    if (!front)
        put_point(f, v, u);
    block_end(f);
}

/* The circle centre + cos a + sin b. */
static void circle(ph_vec3 u[CIRCLE + 1], ph_vec3 centre, ph_vec3 a, ph_vec3 b)
{
    for (int i = 0; i <= CIRCLE; i++) {
        const double angle = 2.0 * PH_PI * i / CIRCLE;
        u[i] = add(centre, add(scale(cos(angle), a), scale(sin(angle), b)));
    }
}

void put_grid(FILE *f, const char *name, int number, const view *v)
{
    const double step = PH_PI / 6.0;
    ph_vec3 u[CIRCLE + 1];
    for (int side = 0; side < 2; side++) {
        block_begin(f, name, number, side == 0 ? "front" : "back");
        for (int i = 0; i < 6; i++) {
            circle(u, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 1.0),
                   vec3(cos(i * step), sin(i * step), 0.0));
            put_side(f, v, u, CIRCLE + 1, side == 0);
        }
        for (int i = -2; i <= 2; i++) {
            const double c = cos(i * step);
            circle(u, vec3(0.0, 0.0, sin(i * step)), vec3(c, 0.0, 0.0),
                   vec3(0.0, c, 0.0));
            put_side(f, v, u, CIRCLE + 1, side == 0);
        }
        block_end(f);
    }
    /* The outline is where the normal u / semi is at right angles to the view. */
    const ph_vec3 n = unit(over(v->toward, v->semi));
    const ph_vec3 a = unit(cross(n, v->right)), b = cross(n, a);
    circle(u, vec3(0.0, 0.0, 0.0), a, b);
    block_begin(f, name, number, "edge");
    for (int i = 0; i <= CIRCLE; i++)
        put_point(f, v, u[i]);
    block_end(f);
}

/* With |u| = 1 they are sum J_i u_i^2 = J_middle: two planes through the middle axis. */
bool put_separatrix(FILE *f, const char *name, int number, const view *v, ph_vec3 J)
{
    static const ph_vec3 axis[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    const double j[3] = {J.x, J.y, J.z};
    ph_vec3 u[2][CIRCLE + 1];
    bool parted = false;
    for (int k = 0; k < 3; k++) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        const double to_a = j[a] - j[k], to_b = j[b] - j[k], whole = fabs(j[a] - j[b]);
        if (!(to_a < 0.0 && to_b > 0.0) && !(to_a > 0.0 && to_b < 0.0))
            continue;
        parted = true;
        const ph_vec3 along_a = scale(sqrt(fabs(to_b) / whole), axis[a]);
        const ph_vec3 along_b = scale(sqrt(fabs(to_a) / whole), axis[b]);
        circle(u[0], vec3(0.0, 0.0, 0.0), axis[k], add(along_a, along_b));
        circle(u[1], vec3(0.0, 0.0, 0.0), axis[k], sub(along_a, along_b));
    }
    for (int side = 0; side < 2; side++) {
        block_begin(f, name, number, side == 0 ? "front" : "back");
        for (int i = 0; parted && i < 2; i++)
            put_side(f, v, u[i], CIRCLE + 1, side == 0);
        block_end(f);
    }
    return parted;
}
