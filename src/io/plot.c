/* plot.c - a free motion as a picture: the paths of the principal axes, and the
 * polhode. */
#include "io/plot.h"
#include "core/extremes.h"

#include <math.h>

#include "core/vec.h"
#include "io/curves.h"
#include "io/view.h"

/* Colours that stay apart for the colour-blind (Okabe, Ito), and the same, faint. */
static const char *const axis_colour[3] = {"#0072B2", "#D55E00", "#009E73"};
static const char *const axis_faint[3] = {"#B8D6E8", "#F4CDB3", "#B3DFD2"};
static const char *const space_colour[3] = {"#555555", "#555555", "#555555"};
static const char *const space_faint[3] = {"#BBBBBB", "#BBBBBB", "#BBBBBB"};
#define INK              "#222222"
#define INK_FAINT        "#AAAAAA"
#define START            "#777777"
#define POLHODE          "#8B1A6B"
#define POLHODE_FAINT    "#DDBBD2"
#define SEPARATRIX       "#6B747D"
#define SEPARATRIX_FAINT "#D5DADF"

#define CROWDED  2500 /* samples beyond which lines are thin */
#define FLATTEST 0.25 /* shortest semi-axis drawn, the longest being 1 */
#define HALF     1.24 /* of a panel, in units of half the outline */

/* ---- what a plot command lists --------------------------------------------------- */

/* The title of what is not in the legend. */
#define UNNAMED NULL

static void put_title(FILE *f, const char *title)
{
    if (title == UNNAMED)
        put(f, " notitle, \\\n");
    else
        put(f, " title '%s', \\\n", title);
}

/* Lines through a block of data; `dashes` is 1 for none. */
static void put_lines(FILE *f, const char *block, int number, const char *side,
                      double width, int dashes, const char *colour, const char *title)
{
    put(f, "  $%s%d_%s with lines lw %g dt %d lc rgb '%s'", block, number, side, width,
        dashes, colour);
    put_title(f, title);
}

enum point { CROSS = 2, RING = 6, DISC = 7 }; /* gnuplot's numbers */

static void put_points(FILE *f, const char *block, int number, const char *side,
                       enum point shape, double size, const char *colour)
{
    put(f, "  $%s%d_%s with points pt %d ps %g*P lw 2.5 lc rgb '%s'", block, number, side,
        (int)shape, size, colour);
    put_title(f, UNNAMED);
}

/* A point of the legend. */
static void put_point_named(FILE *f, enum point shape, const char *colour,
                            const char *title)
{
    put(f, "  NaN with points pt %d ps 1.2*P lw 2 lc rgb '%s'", (int)shape, colour);
    put_title(f, title);
}

/* Where a curve starts: a disc in front, with a rim; a ring behind. */
static void put_start_behind(FILE *f, const char *block, int number, const char *faint)
{
    put_points(f, block, number, "back", RING, 1.3, faint);
}

static void put_start_before(FILE *f, const char *block, int number, const char *colour)
{
    put_points(f, block, number, "front", DISC, 1.9, "white");
    put_points(f, block, number, "front", DISC, 1.4, colour);
}

/* The ellipsoid itself: first of all, and between what is behind and what is in front. */
static void put_surface_behind(FILE *f, int number)
{
    put(f, "plot $grid%d_edge with filledcurves closed fc rgb '#F6F8FA' notitle, \\\n",
        number);
    put_lines(f, "grid", number, "back", 0.6, 1, "#E6EAEE", UNNAMED);
}

static void put_surface_before(FILE *f, int number)
{
    put_lines(f, "grid", number, "front", 0.7, 1, "#C3CBD3", UNNAMED);
    put_lines(f, "grid", number, "edge", 1.2, 1, "#98A2AC", UNNAMED);
}

static void put_end(FILE *f)
{
    put(f, "  NaN notitle\n");
}

/* ---- the panels ------------------------------------------------------------------ */

/* Arrows along the three axes, out of the surface, with their names. */
static void put_axes(FILE *f, const view *v, const char *const names[3],
                     const char *const colour[3], const char *const faint[3])
{
    const double semi[3] = {v->semi.x, v->semi.y, v->semi.z};
    const double length = 0.24 * view_outline(v), gap = 0.05 * view_outline(v);
    const double sideways = 0.5; /* of the length: then the name stands beside the tip */
    for (int k = 0; k < 3; k++) {
        const ph_vec3 e = vec3(k == 0, k == 1, k == 2);
        const bool front = view_facing(v, e) >= 0.0;
        const char *ink = front ? colour[k] : faint[k];
        const double right = dot(e, v->right), up = dot(e, v->up);
        const double flat = hypot(right, up); /* of the unit vector, not seen end on */
        const double tip = semi[k] + length, name = tip + gap / flat;
        put(f,
            "set arrow from %.4f,%.4f to %.4f,%.4f front lw 1.6 lc rgb '%s' filled size "
            "screen 0.008,20\n",
            semi[k] * right, semi[k] * up, tip * right, tip * up, ink);
        put(f, "set label '%s' at %.4f,%.4f %s front tc rgb '%s' font ',15'\n", names[k],
            name * right, name * up,
            right > sideways * flat    ? "left"
            : right < -sideways * flat ? "right"
                                       : "center",
            ink);
    }
}

/* One of the two panels: `half` units from the centre of a square to its sides. */
static void put_panel(FILE *f, int number, double half, const char *title)
{
    const double left = number == 1 ? 0.005 : 0.505, width = 0.49;
    put(f,
        "unset arrow; unset label\n"
        "set lmargin at screen %g; set rmargin at screen %g\n"
        "set key at screen %g, screen 0.12 center top horizontal maxcols 3 Left reverse "
        "samplen 2\n"
        "set xrange [-%g:%g]; set yrange [-%g:%g]\n"
        "set title '%s' font ',17' offset 0,-0.2\n",
        left, left + width, left + 0.5 * width, half, half, half, half, title);
}

static void put_space_panel(FILE *f, const curves *c, const ph_body *body)
{
    static const char *const names[3] = {"x", "y", "z"};
    const double J[3] = {body->J.x, body->J.y, body->J.z};
    const ph_vec3 *const axes[3] = {c->axis[0], c->axis[1], c->axis[2]};
    const view v = view_best(axes, 3, c->count, vec3(1.0, 1.0, 1.0), false);
    put_grid(f, "grid", 1, &v);
    for (int k = 0; k < 3; k++) {
        put_curve(f, "axis", k, &v, c->axis[k], c->count);
        put_mark(f, "start", k, &v, c->axis[k][0]);
    }
    put_mark(f, "momentum", 0, &v, c->momentum);

    put_panel(f, 1, HALF, "Paths of the three principal axes in space");
    put_axes(f, &v, names, space_colour, space_faint);
    put_surface_behind(f, 1);
    for (int k = 0; k < 3; k++) {
        put_lines(f, "axis", k, "back", 1.0, 1, axis_faint[k], UNNAMED);
        put_start_behind(f, "start", k, axis_faint[k]);
    }
    put_surface_before(f, 1);
    for (int k = 0; k < 3; k++) {
        char title[64];
        (void)snprintf(title, sizeof title, "axis %d, J = %.4g", k + 1, J[k]);
        put_lines(f, "axis", k, "front", c->count > CROWDED ? 1.0 : 2.0, 1,
                  axis_colour[k], title);
    }
    for (int k = 0; k < 3; k++)
        put_start_before(f, "start", k, axis_colour[k]);
    if (!c->rest) {
        put_points(f, "momentum", 0, "back", CROSS, 1.4, INK_FAINT);
        put_points(f, "momentum", 0, "front", CROSS, 1.4, INK);
        put_point_named(f, CROSS, INK, "angular momentum, fixed");
    }
    put_point_named(f, DISC, START, "start");
    put_end(f);
}

/* Semi-axes of w . J w = 2 T, the longest 1. Beyond what can be seen they are drawn less
 * unequal than they are, and *scaled is set. */
static ph_vec3 drawn_semi_axes(ph_vec3 J, bool *scaled)
{
    const double least = smaller_or_nan(J.x, smaller_or_nan(J.y, J.z));
    ph_vec3 semi = vec3(sqrt(least / J.x), sqrt(least / J.y), sqrt(least / J.z));
    const double shortest = smaller_or_nan(semi.x, smaller_or_nan(semi.y, semi.z));
    *scaled = shortest < FLATTEST;
    if (*scaled) {
        const double power = log(FLATTEST) / log(shortest);
        semi = vec3(pow(semi.x, power), pow(semi.y, power), pow(semi.z, power));
    }
    return semi;
}

/* What cannot be seen in the picture. */
static void put_notes(FILE *f, const curves *c, bool scaled)
{
    put(f, "set label 't = %.6g", c->begin);
    if (c->end != c->begin)
        put(f, " to %.6g", c->end);
    put(f,
        "%s; what is behind is faint%s%s' at screen 0.5, screen 0.018 center tc rgb "
        "'#555555' font ',12'\n",
        c->cut ? ", the beginning of what was asked for" : "",
        c->rest ? "; the body is at rest" : "",
        scaled ? "; the axes of the ellipsoid are not to scale" : "");
}

static void put_body_panel(FILE *f, const curves *c, const ph_body *body)
{
    static const char *const names[3] = {"axis 1", "axis 2", "axis 3"};
    bool scaled;
    const ph_vec3 semi = drawn_semi_axes(body->J, &scaled);
    const ph_vec3 *const polhode = c->polhode;
    const view v = view_best(&polhode, 1, c->rest ? 0 : c->count, semi, true);
    put_grid(f, "grid", 2, &v);
    const bool parted = put_separatrix(f, "separatrix", 0, &v, body->J);
    if (!c->rest) {
        put_curve(f, "polhode", 0, &v, c->polhode, c->count);
        put_mark(f, "begin", 0, &v, c->polhode[0]);
    }

    put_panel(f, 2, HALF * view_outline(&v),
              "Polhode: angular velocity on the energy ellipsoid");
    put_notes(f, c, scaled);
    put_axes(f, &v, names, axis_colour, axis_faint);
    put_surface_behind(f, 2);
    put_lines(f, "separatrix", 0, "back", 0.8, 2, SEPARATRIX_FAINT, UNNAMED);
    if (!c->rest) {
        put_lines(f, "polhode", 0, "back", 1.2, 1, POLHODE_FAINT, UNNAMED);
        put_start_behind(f, "begin", 0, POLHODE_FAINT);
    }
    put_surface_before(f, 2);
    put_lines(f, "separatrix", 0, "front", 1.2, 2, SEPARATRIX,
              parted ? "separatrix" : UNNAMED);
    if (!c->rest) {
        put_lines(f, "polhode", 0, "front", 2.6, 1, POLHODE, "angular velocity");
        put_start_before(f, "begin", 0, POLHODE);
        put_point_named(f, DISC, START, "start");
    }
    put_end(f);
}

/* ---- the script ------------------------------------------------------------------ */

static void put_script(FILE *f, plot_format format, const curves *c, const ph_body *body)
{
    put_canvas(f, format, 1280, 720);
    put(f, "set multiplot\nset size ratio -1\nunset border\nunset tics\n"
           "set tmargin at screen 0.925\nset bmargin at screen 0.125\n");
    put_space_panel(f, c, body);
    put_body_panel(f, c, body);
    put(f, "unset multiplot\n");
}

bool plot_curves(FILE *script, plot_format format, const ph_body *body,
                 const curves *drawn)
{
    put_script(script, format, drawn, body);
    return fflush(script) == 0 && ferror(script) == 0;
}

bool plot_motion(FILE *script, plot_format format, const ph_body *body,
                 const ph_motion *motion, double begin, double end)
{
    curves c;
    const bool written = curves_sample(&c, body, motion, begin, end) &&
                         plot_curves(script, format, body, &c);
    curves_free(&c);
    return written;
}
