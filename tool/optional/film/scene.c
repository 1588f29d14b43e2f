/* scene.c - a body in a film, seen from 24 degrees above the horizon. What is far is drawn first. */
#include "tool/optional/film/scene.h"

#include <math.h>

#include "base/choice.h"
#include "base/extremes.h"
#include "motion/vec.h"
#include "tool/files/memory.h"

enum {
    RIM = 40,
    SECTORS = 8,
    TAIL = 240
}; /* corners of the disc; of a path, frames that are drawn */

#define ARROW 1.75 /* length of the longest one; the body is 2 long */

/* The directions to the right, up and to the viewer: azimuth -35, elevation 24 degrees. */
static const ph_vec3 RIGHT = {0.5735764363510461, 0.8191520442889918, 0.0},
                     UP = {-0.3331791526627837, 0.2332945542688048, 0.9135454576426009},
                     NEAR = {0.7483326291788591, -0.5239881480393285, 0.4067366430758002};

static const ph_vec3 GRAVITY = {0.0, 0.0, -0.7};

static point seen(const scene *s, ph_vec3 v)
{
    return (point){s->left + s->scale * dot(RIGHT, v), s->top - s->scale * dot(UP, v)};
}

static ph_quat attitude(const double *row)
{
    const double *q = row + FRAME_ATTITUDE;
    return (ph_quat){q[0], q[1], q[2], q[3]};
}

/* The angular momentum, which = 0, or the angular velocity. */
static ph_vec3 vector_of(const scene *s, size_t i, int which)
{
    static const int place[] = {FRAME_MOMENTUM, FRAME_VELOCITY};
    const double *v = s->frame + i * FRAME_WIDTH + place[which];
    return vec3(v[0], v[1], v[2]);
}

static ph_vec3 arrow_of(const scene *s, size_t i, int which)
{
    static const double part[] = {1.0, 0.85};
    const double longest = s->longest[which];
    if (longest > 0.0)
        return scale(part[which] * ARROW / longest, vector_of(s, i, which));
    return vec3(0.0, 0.0, 0.0);
}

/* ---- the parts of a top -------------------------------------------------------------- */

/* The principal axes, k along the axle, up from the point it turns about. */
typedef struct top_axes {
    ph_vec3 a, b, up;
    double height, tip,
        thick; /* of the disc; of the end of the axle; half of the disc's thickness */
    double radius[2];
} top_axes;

static double component(ph_vec3 v, int k)
{
    const double x[] = {v.x, v.y, v.z};
    return x[k];
}

static ph_vec3 axis(int k)
{
    return vec3(k == 0, k == 1, k == 2);
}

static top_axes top_at(const scene *s, ph_quat q)
{
    const int k = s->axle - 1, a = (k + 1) % 3, b = (k + 2) % 3;
    const double lift = component(s->lift, k);
    top_axes t = {.a = rotate(q, axis(a)),
                  .b = rotate(q, axis(b)),
                  .up = rotate(q, scale(sign_of(lift), axis(k))),
                  .height = fabs(lift),
                  .radius = {0.5 * s->edges[a], 0.5 * s->edges[b]}};
    const double widest = larger_or_nan(t.radius[0], t.radius[1]);
    t.tip = t.height + 0.6 * widest;
    t.thick = 0.07 * widest;
    return t;
}

/* A point of the disc: its n-th corner, or the middle where `part` is 0, at this height. */
static ph_vec3 disc_point(const top_axes *t, double n, double part, double height)
{
    const double angle = 2.0 * PH_PI * n / RIM;
    return add(scale(height, t->up), add(scale(part * t->radius[0] * cos(angle), t->a),
                                         scale(part * t->radius[1] * sin(angle), t->b)));
}

/* ---- what is drawn -------------------------------------------------------------------- */

static unsigned lit(unsigned colour, double light)
{
    unsigned out = 0;
    for (int shift = 16; shift >= 0; shift -= 8) {
        const double c = light * (double)(colour >> shift & 255);
        out |= (unsigned)smaller_or_nan(c, 255.0) << shift;
    }
    return out;
}

static void fill(raster *r, const point *p, size_t count, unsigned colour)
{
    raster_polygon(r, p, count);
    raster_fill(r, colour, 1.0);
}

/* Draws a ball, and what was added before it. */
static void draw_ball(raster *r, point middle, double radius, unsigned colour)
{
    point circle[RIM];
    for (int n = 0; n < RIM; n++)
        circle[n] = (point){middle.x + radius * cos(2.0 * PH_PI * n / RIM),
                            middle.y + radius * sin(2.0 * PH_PI * n / RIM)};
    fill(r, circle, RIM, colour);
}

/* An arrow from the point that the body turns about, or from another. */
static void draw_arrow(const scene *s, raster *r, ph_vec3 from, ph_vec3 v, double width,
                       unsigned colour, double part)
{
    const point a = seen(s, from), b = seen(s, add(from, v));
    const double dx = b.x - a.x, dy = b.y - a.y, length = sqrt(dx * dx + dy * dy),
                 head = smaller_or_nan(4.2 * width, length);
    if (!(length > 0.0))
        return;
    const double x = dx / length, y = dy / length;
    const point neck = {b.x - 0.9 * head * x, b.y - 0.9 * head * y}, line[] = {a, neck},
                tip[] = {b,
                         {b.x - head * x - 0.42 * head * y, b.y - head * y + 0.42 * head * x},
                         {b.x - head * x + 0.42 * head * y, b.y - head * y - 0.42 * head * x}};
    if (length > head)
        raster_line(r, line, 2, width);
    raster_polygon(r, tip, 3);
    raster_fill(r, colour, part);
}

static void draw_box(const scene *s, raster *r, ph_quat q)
{
    static const unsigned colours[] = {0xE07B5D, 0xA34A35, 0x67B898, 0x2F7A5D, 0x6FA3DD, 0xE3B84F};
    static const double across[] = {-0.5, 0.5, 0.5, -0.5, -0.5},
                        along[] = {-0.5, -0.5, 0.5, 0.5, -0.5};
    for (int f = 0; f < 6; f++) {
        const int k = f / 2, a = (k + 1) % 3, b = (k + 2) % 3;
        const double sign = f % 2 != 0 ? -1.0 : 1.0;
        const ph_vec3 normal = rotate(q, scale(sign, axis(k)));
        const double facing = dot(NEAR, normal);
        if (facing <= 0.0)
            continue;
        point corner[5];
        for (int n = 0; n < 5; n++) {
            const ph_vec3 at = add(scale(0.5 * sign * s->edges[k], axis(k)),
                                   add(scale(across[n] * s->edges[a], axis(a)),
                                       scale(along[n] * s->edges[b], axis(b))));
            corner[n] = seen(s, rotate(q, add(at, s->lift)));
        }
        fill(r, corner, 4, lit(colours[f], 0.72 + 0.2 * facing + 0.18 * normal.z));
        raster_line(r, corner, 5, 0.0018 * r->height);
        raster_fill(r, 0xFBFAF7, 1.0);
    }
}

static void draw_axle(const scene *s, raster *r, const top_axes *t, double from, double to)
{
    const point line[] = {seen(s, scale(from, t->up)), seen(s, scale(to, t->up))};
    raster_line(r, line, 2, 0.07 * s->scale);
    raster_fill(r, 0x7A828E, 1.0);
}

static void draw_disc(const scene *s, raster *r, const top_axes *t)
{
    static const unsigned colours[] = {0xF2DFD0, 0xE07B5D};
    const double side = dot(NEAR, t->up) >= 0.0 ? 1.0 : -1.0, face = t->height + side * t->thick;
    for (int n = 0; n < RIM; n++) {
        const double angle = 2.0 * PH_PI * (n + 0.5) / RIM, u = cos(angle) / t->radius[0],
                     v = sin(angle) / t->radius[1],
                     facing = dot(NEAR, add(scale(u, t->a), scale(v, t->b))) / sqrt(u * u + v * v);
        const double low = t->height - t->thick, high = t->height + t->thick;
        const point quad[] = {
            seen(s, disc_point(t, n, 1.0, low)), seen(s, disc_point(t, n + 1.1, 1.0, low)),
            seen(s, disc_point(t, n + 1.1, 1.0, high)), seen(s, disc_point(t, n, 1.0, high))};
        if (facing > 0.0)
            fill(r, quad, 4, lit(0xA34A35, 0.7 + 0.4 * facing));
    }
    const double light = 0.72 + 0.2 * fabs(dot(NEAR, t->up)) + 0.1 * side * t->up.z;
    for (int pass = 0; pass < 2; pass++) { /* the whole disc, then every other sector */
        for (int f = 0; f < SECTORS; f++) {
            enum { CORNERS = RIM / SECTORS };
            point p[CORNERS + 2];
            for (int n = 0; n <= CORNERS; n++)
                p[n] = seen(s, disc_point(t, f * CORNERS + n, 1.0, face));
            p[CORNERS + 1] = seen(s, scale(face, t->up));
            if (pass == 0 || f % 2 == 0)
                raster_polygon(r, p, CORNERS + 2);
        }
        raster_fill(r, lit(colours[pass], light), 1.0);
    }
}

/* The point that a top turns about: a cone that it stands on, or a post where it swings below; and a ball. */
static void draw_pivot(const scene *s, raster *r, bool ball)
{
    const double unit = s->scale;
    if (ball) {
        draw_ball(r, (point){s->left, s->top}, 0.055 * unit, 0x3E454E);
        return;
    }
    double half = 0.025 * unit, half_above = half, below = s->floor;
    unsigned colour = 0xD5D9DE;
    if (s->stands) {
        half = 0.2 * unit;
        half_above = 0.0;
        below = s->top + 0.6 * unit;
        colour = 0x9AA3AE;
    }
    const point foot[] = {{s->left + half_above, s->top},
                          {s->left + half, below},
                          {s->left - half, below},
                          {s->left - half_above, s->top}};
    fill(r, foot, 4, colour);
}

static void draw_top(const scene *s, raster *r, const top_axes *t)
{
    const bool above = dot(NEAR, t->up) >= 0.0;
    draw_pivot(s, r, false);
    if (above) {
        draw_axle(s, r, t, 0.0, t->height);
        draw_pivot(s, r, true);
        draw_disc(s, r, t);
        draw_axle(s, r, t, t->height + t->thick, t->tip);
    } else {
        draw_axle(s, r, t, t->height, t->tip);
        draw_disc(s, r, t);
        draw_axle(s, r, t, 0.0, t->height - t->thick);
        draw_pivot(s, r, true);
    }
}

void scene_draw(const scene *s, raster *r, size_t i)
{
    const double *row = s->frame + i * FRAME_WIDTH, width = 0.0065 * r->height;
    const ph_quat q = attitude(row);
    const ph_vec3 none = {0.0, 0.0, 0.0};
    static const unsigned inks[] = {INK_MOMENTUM, INK_VELOCITY};
    for (int which = 0; which < 2; which++) /* those that point away, first behind the body */
        draw_arrow(s, r, none, arrow_of(s, i, which), width, inks[which], 1.0);
    if (s->axle != 0) {
        const top_axes t = top_at(s, q);
        draw_top(s, r, &t);
    } else {
        draw_box(s, r, q);
    }
    const double widths[] = {width, 0.7 * width};
    for (int which = 0; which < 2; which++) { /* then, faint, before it: they are not hidden */
        const ph_vec3 v = arrow_of(s, i, which);
        const bool towards = dot(NEAR, v) >= 0.0 || s->axle != 0;
        draw_arrow(s, r, none, v, widths[which], inks[which], towards ? 1.0 : 0.4);
    }
    if (s->axle != 0)
        draw_arrow(s, r, rotate(q, s->lift), GRAVITY, 0.7 * width, INK_GRAVITY, 1.0);
    size_t from = 0;
    if (i > TAIL)
        from = i - TAIL;
    raster_line(r, s->path + from, i - from + 1, 0.003 * r->height);
    draw_ball(r, s->path[i], 0.006 * r->height, INK_PATH);
}

/* ---- the scale ------------------------------------------------------------------------ */

typedef struct bounds {
    double left, right, top, bottom;
} bounds;

static void widen(bounds *b, point p)
{
    b->left = smaller_or_nan(b->left, p.x);
    b->right = larger_or_nan(b->right, p.x);
    b->top = smaller_or_nan(b->top, p.y);
    b->bottom = larger_or_nan(b->bottom, p.y);
}

/* The end of the axle, or a point of the third axis outside the box. */
static ph_vec3 tip_of(const scene *s, ph_quat q)
{
    if (s->axle != 0) {
        const top_axes t = top_at(s, q);
        return scale(t.tip, t.up);
    }
    return rotate(q, add(s->lift, vec3(0.0, 0.0, larger_or_nan(1.1, 0.58 * s->edges[2]))));
}

static void widen_by_body(const scene *s, bounds *b, ph_quat q)
{
    if (s->axle != 0) {
        const top_axes t = top_at(s, q);
        for (int n = 0; n < RIM; n++)
            widen(b, seen(s, disc_point(&t, n, 1.0, t.height)));
        return;
    }
    static const double side[] = {-0.5, 0.5};
    for (int n = 0; n < 8; n++) {
        const ph_vec3 corner = vec3(side[n & 1] * s->edges[0], side[n >> 1 & 1] * s->edges[1],
                                    side[n >> 2] * s->edges[2]);
        widen(b, seen(s, rotate(q, add(corner, s->lift))));
    }
}

void scene_fit(scene *s, const raster *r, double beside, double above, double below)
{
    bounds all = {0.0, 0.0, 0.0, 0.0}, body = all,
           path = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    s->scale = 1.0;
    s->left = s->top = 0.0;
    s->path = memory_new(s->count, sizeof *s->path);
    for (int which = 0; which < 2; which++) {
        s->longest[which] = 0.0;
        for (size_t i = 0; i < s->count; i++)
            s->longest[which] = larger_or_nan(s->longest[which], norm(vector_of(s, i, which)));
    }
    for (size_t i = 0; i < s->count; i++) {
        const ph_quat q = attitude(s->frame + i * FRAME_WIDTH);
        s->path[i] = seen(s, tip_of(s, q));
        widen(&path, s->path[i]);
        widen_by_body(s, &body, q);
        if (s->axle != 0)
            widen(&all, seen(s, add(rotate(q, s->lift), GRAVITY)));
        for (int which = 0; which < 2; which++)
            widen(&all, seen(s, arrow_of(s, i, which)));
    }
    widen(&all, (point){smaller_or_nan(body.left, path.left), smaller_or_nan(body.top, path.top)});
    widen(&all,
          (point){larger_or_nan(body.right, path.right), larger_or_nan(body.bottom, path.bottom)});
    s->stands = body.bottom < 0.5 && path.bottom < 0.5;
    if (s->axle != 0) /* the foot */
        widen(&all, (point){0.0, 0.65});
    s->has_path = path.right - path.left + path.bottom - path.top > 0.05;
    const double width = r->width - 2.0 * beside, height = r->height - above - below;
    s->scale = smaller_or_nan(width / (all.right - all.left), height / (all.bottom - all.top));
    s->floor = r->height - 0.9 * below;
    s->left = beside + 0.5 * width - 0.5 * s->scale * (all.left + all.right);
    s->top = above + 0.5 * height - 0.5 * s->scale * (all.top + all.bottom);
    for (size_t i = 0; i < s->count; i++)
        s->path[i] = (point){s->left + s->scale * s->path[i].x, s->top + s->scale * s->path[i].y};
}
