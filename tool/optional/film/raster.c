/* raster.c - polygons with smooth edges.
 *
 * Each edge adds to `cover`, in the pixels that it crosses, the area to its right within the pixel, with the sign
 * of its direction. The sums along a row are then the part of each pixel that the polygons cover. */
#include "tool/optional/film/raster.h"

#include <math.h>

#include "base/extremes.h"
#include "tool/files/memory.h"

raster raster_new(int width, int height)
{
    const size_t count = ((size_t)width + 1) * (size_t)height;
    raster r = {.width = width, .height = height, .left = width, .top = height};
    r.pixel = memory_new(count, 3);
    r.cover = memory_new(count, sizeof *r.cover);
    for (size_t i = 0; i < count; i++)
        r.cover[i] = 0.0F;
    return r;
}

static double within(double x, double low, double high)
{
    if (x < low)
        return low;
    if (x > high)
        return high;
    return x;
}

/* The part of an edge in one row, from x = a to x = b, of this signed height. */
static void add_piece(raster *r, int y, double a, double b, double height)
{
    float *row = r->cover + (size_t)y * ((size_t)r->width + 1);
    if (a > b) {
        const double swap = a;
        a = b;
        b = swap;
    }
    a = within(a, 0.0, r->width - 1e-6);
    b = within(b, 0.0, r->width - 1e-6);
    const int first = (int)a, last = (int)b;
    if (first < r->left)
        r->left = first;
    if (last + 2 > r->right)
        r->right = last + 2;
    if (first == last) {
        const double mean = 0.5 * (a + b) - first;
        row[first] += (float)(height * (1.0 - mean));
        row[first + 1] += (float)(height * mean);
        return;
    }
    double before = 0.0; /* what is covered to the left of the right end of a pixel */
    for (int x = first; x <= last; x++) {
        double from = 0.0, to = 1.0;
        if (x == first)
            from = a - first;
        if (x == last)
            to = b - last;
        const double part = height * (to - from) / (b - a),
                     inside = part * (1.0 - 0.5 * (from + to));
        row[x] += (float)(before + inside);
        before = part - inside;
    }
    row[last + 1] += (float)before;
}

static void add_edge(raster *r, point p, point q)
{
    double sign = 1.0;
    if (p.y > q.y) {
        const point swap = p;
        p = q;
        q = swap;
        sign = -1.0;
    }
    const double slope = (q.x - p.x) / (q.y - p.y), low = within(p.y, 0.0, r->height),
                 high = within(q.y, 0.0, r->height);
    if (!(low < high))
        return;
    const int first = (int)low, last = (int)ceil(high) - 1;
    if (first < r->top)
        r->top = first;
    if (last + 1 > r->bottom)
        r->bottom = last + 1;
    for (int y = first; y <= last; y++) {
        const double from = larger_or_nan(low, y), to = smaller_or_nan(high, y + 1);
        add_piece(r, y, p.x + (from - p.y) * slope, p.x + (to - p.y) * slope, sign * (to - from));
    }
}

void raster_polygon(raster *r, const point *p, size_t count)
{
    double area = 0.0; /* twice; all polygons go round in the same direction */
    for (size_t i = 0; i < count; i++) {
        const point *a = &p[i], *b = &p[(i + 1) % count];
        area += a->x * b->y - b->x * a->y;
    }
    for (size_t i = 0; i < count; i++) {
        const point a = p[i], b = p[(i + 1) % count];
        if (area < 0.0)
            add_edge(r, a, b);
        else
            add_edge(r, b, a);
    }
}

void raster_line(raster *r, const point *p, size_t count, double width)
{
    for (size_t i = 1; i < count; i++) {
        const point a = p[i - 1], b = p[i];
        const double dx = b.x - a.x, dy = b.y - a.y, length = sqrt(dx * dx + dy * dy);
        if (!(length > 0.0))
            continue;
        /* a little longer, so that pieces overlap */
        const double u = 0.5 * width / length, x = u * dx, y = u * dy;
        const point edge[] = {{a.x - 0.5 * x - y, a.y - 0.5 * y + x},
                              {b.x + 0.5 * x - y, b.y + 0.5 * y + x},
                              {b.x + 0.5 * x + y, b.y + 0.5 * y - x},
                              {a.x - 0.5 * x + y, a.y - 0.5 * y - x}};
        raster_polygon(r, edge, sizeof edge / sizeof *edge);
    }
}

static unsigned char mix(unsigned char below, unsigned above, float part)
{
    return (unsigned char)((float)below + part * ((float)above - (float)below) + 0.5F);
}

void raster_fill(raster *r, unsigned colour, double part)
{
    const unsigned red = colour >> 16 & 255, green = colour >> 8 & 255, blue = colour & 255;
    for (int y = r->top; y < r->bottom; y++) {
        float *row = r->cover + (size_t)y * ((size_t)r->width + 1), sum = 0.0F;
        unsigned char *to = r->pixel + 3 * ((size_t)y * (size_t)r->width + (size_t)r->left);
        for (int x = r->left; x < r->right; x++, to += 3) {
            sum += row[x];
            row[x] = 0.0F;
            const float size = fabsf(sum), covered = size > 1.0F ? 1.0F : size;
            if (covered < 0.002F || x == r->width)
                continue;
            const float weight = covered * (float)part;
            to[0] = mix(to[0], red, weight);
            to[1] = mix(to[1], green, weight);
            to[2] = mix(to[2], blue, weight);
        }
    }
    r->left = r->width;
    r->top = r->height;
    r->right = r->bottom = 0;
}

/* Brightness from 16 to 235, colours from 16 to 240 about 128; the factors are times 2^16. */
void raster_video(const raster *r, unsigned char *out)
{
    enum { BITS = 16, HALF = 1 << (BITS - 1) };
    const size_t width = (size_t)r->width, count = width * (size_t)r->height;
    unsigned char *blue = out + count, *red = blue + count / 4;
    for (size_t i = 0; i < count; i++) {
        const unsigned char *p = r->pixel + 3 * i;
        out[i] =
            (unsigned char)((11966 * p[0] + 40254 * p[1] + 4064 * p[2] + (16 << BITS) + HALF) >>
                            BITS);
    }
    for (int y = 0; y < r->height; y += 2) {
        const unsigned char *p = r->pixel + 3 * width * (size_t)y, *q = p + 3 * width;
        for (int x = 0; x < r->width; x += 2, p += 6, q += 6) {
            const int R = p[0] + p[3] + q[0] + q[3], G = p[1] + p[4] + q[1] + q[4],
                      B = p[2] + p[5] + q[2] + q[5];
            *blue++ =
                (unsigned char)((28784 * B - 6596 * R - 22188 * G + 4 * ((128 << BITS) + HALF)) >>
                                (BITS + 2));
            *red++ =
                (unsigned char)((28784 * R - 26145 * G - 2639 * B + 4 * ((128 << BITS) + HALF)) >>
                                (BITS + 2));
        }
    }
}
