/* work_plot.c - work and precision of several methods as a picture. */
#include "io/work_plot.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#define HEIGHT    680
#define PANEL     510   /* pixels in width */
#define LEFT      90    /* of the first panel, and between the two */
#define LEAST     1e-17 /* errors below are drawn there */
#define INK       "#333333"
#define GUIDE     "#9AA3AB"
#define ROUND_OFF "#F0F1F3"

/* ---- families and orders --------------------------------------------------------- */

/* Colours that stay apart for the colour-blind (after Okabe and Ito), and dashes: both as
 * far as they go, then again. */
static const int colours[][3] = {
    {0x00, 0x5A, 0x9E}, {0xC4, 0x4E, 0x00}, {0x00, 0x85, 0x5F}, {0x9C, 0x2F, 0x78},
    {0x7A, 0x62, 0x00}, {0x2F, 0x95, 0xC9}, {0x44, 0x44, 0x44}, {0xB3, 0x1B, 0x1B}};
static const char *const dashes[] = {"1", "(2,4)", "(10,5)", "(12,4,2,4)"};

#define COLOUR_COUNT (sizeof colours / sizeof colours[0])
#define DASH_COUNT   (sizeof dashes / sizeof dashes[0])

/* The letters that a name begins with. */
static size_t family_length(const char *name)
{
    size_t n = 0;
    while (isalpha((unsigned char)name[n]))
        n++;
    return n;
}

static bool same_family(const char *a, const char *b)
{
    const size_t n = family_length(a);
    return n == family_length(b) && memcmp(a, b, n) == 0;
}

/* Which family it is, counted by first members. */
static size_t family_of(const work_curve *curves, size_t i)
{
    size_t family = 0;
    for (size_t k = 0; !same_family(curves[k].method, curves[i].method); k++) {
        bool first = true;
        for (size_t l = 0; l < k; l++)
            first = first && !same_family(curves[l].method, curves[k].method);
        family += first;
    }
    return family;
}

/* From 0 for the lowest order of the family to 1 for the highest; 1 if it is alone. */
static double rank(const work_curve *curves, size_t count, size_t i)
{
    size_t below = 0, others = 0;
    for (size_t k = 0; k < count; k++) {
        const bool relative = k != i && same_family(curves[k].method, curves[i].method);
        others += relative;
        const int less = curves[i].order - curves[k].order;
        below += relative && (k < i ? less >= 0 : less > 0);
    }
    return others == 0 ? 1.0 : (double)below / (double)others;
}

/* The mark of an order, by gnuplot's numbers: filled, and open for every second of the
 * same family and order. */
static int mark(const work_curve *curves, size_t i)
{
    enum {
        CROSS = 2,
        SQUARE = 5,
        DISC = 7,
        UP = 9,
        DOWN = 11,
        DIAMOND = 13,
        PENTAGON = 15
    };
    static const int marks[] = {CROSS, DISC,    SQUARE,
                                UP,    DIAMOND, DOWN}; /* of even orders */
    const int order = curves[i].order, known = (int)(sizeof marks / sizeof marks[0]);
    int alike = 0;
    for (size_t k = 0; k < i; k++)
        alike +=
            curves[k].order == order && same_family(curves[k].method, curves[i].method);
    const int filled = order % 2 == 0 && order / 2 < known ? marks[order / 2] : PENTAGON;
    return filled - alike % 2;
}

/* ---- data ------------------------------------------------------------------------ */

static bool drawn(const work_point *p)
{
    return isfinite(p->error) && p->seconds > 0.0;
}

/* A block $curveI; it begins with an undefined point, so that it is never empty. */
static void put_data(FILE *f, size_t i, const work_curve *c)
{
    put(f, "$curve%zu << EOD\nNaN NaN NaN\n\n", i);
    for (size_t k = 0; k < c->count; k++) {
        const work_point *p = &c->point[k];
        if (drawn(p))
            put(f, "%.6e %.6e %.6e\n", fabs(p->step), fmax(p->error, LEAST), p->seconds);
        else
            put(f, "\n");
    }
    put(f, "EOD\n");
}

typedef struct range {
    double low, high;
} range;

static void widen(range *r, double x)
{
    r->low = fmin(r->low, x);
    r->high = fmax(r->high, x);
}

typedef struct frame {
    range step, seconds, error;
} frame;

/* What all points fit into, with some air. */
static frame frame_of(const work_curve *curves, size_t count, double floor)
{
    const double air = 1.25, top = 4.0;
    frame f = {{INFINITY, 0.0}, {INFINITY, 0.0}, {0.1 * floor, 10.0 * floor}};
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < curves[i].count; k++) {
            const work_point *p = &curves[i].point[k];
            widen(&f.step, fabs(p->step));
            if (!drawn(p))
                continue;
            widen(&f.seconds, p->seconds);
            widen(&f.error, fmax(p->error, LEAST));
        }
    }
    if (!isfinite(f.seconds.low))
        f.seconds = (range){1e-6, 1.0};
    f.step = (range){f.step.low / air, f.step.high * air};
    f.seconds = (range){f.seconds.low / air, f.seconds.high * air};
    f.error = (range){f.error.low / top, f.error.high * top};
    return f;
}

/* ---- the panels ------------------------------------------------------------------ */

/* Powers of ten; in a narrow range, where few or none lie, also numbers between them. */
static void put_xtics(FILE *f, const range *x)
{
    static const double digits[] = {1.0, 2.0, 5.0, 1.5, 3.0, 4.0, 7.0};
    enum { FEW = 3, MANY = sizeof digits / sizeof digits[0] };
    const double decades = log10(x->high / x->low), wide = 1.3, narrow = 0.6;
    const int count = decades < narrow ? MANY : FEW;
    put(f, "set xtics auto\nset format x '10^{%%T}'\n");
    if (decades > wide)
        return;
    put(f, "set format x '%%g'\nset xtics (");
    for (int power = (int)floor(log10(x->low)); power <= (int)log10(x->high) + 1;
         power++) {
        for (int k = 0; k < count; k++) {
            const double tic = digits[k] * pow(10.0, power);
            if (tic >= x->low && tic <= x->high)
                put(f, "%.2g, ", tic);
        }
    }
    put(f, "%.6e)\n", 10.0 * x->high); /* outside: it ends the list */
}

/* The i-th of the two panels. */
static void put_panel(FILE *f, int i, int width, const range *x, const char *xlabel,
                      const char *title)
{
    const double left = LEFT + i * (PANEL + LEFT);
    put(f,
        "unset label; unset arrow; unset object\n"
        "set lmargin at screen %g; set rmargin at screen %g\n"
        "set xrange [%.6e:%.6e]\nset xlabel '%s'\nset title '%s' font ',16'\n",
        left / width, (left + PANEL) / width, x->low, x->high, xlabel, title);
    put_xtics(f, x);
}

/* Below it all is noise; the label stands where few curves end. */
static void put_floor(FILE *f, double floor, double bottom, const char *side)
{
    put(f,
        "set object 1 rectangle from graph 0, first %.3e to graph 1, first %.3e behind "
        "fillcolor rgb '" ROUND_OFF "' fillstyle solid noborder\n"
        "set label 1 'round-off' at graph %s, first %.3e %s font ',12' "
        "textcolor rgb '#777777'\n",
        bottom, floor, strcmp(side, "left") == 0 ? "0.015" : "0.985", 0.45 * floor, side);
}

static bool some_have(const work_curve *curves, size_t count, int order)
{
    for (size_t i = 0; i < count; i++) {
        if (curves[i].order == order)
            return true;
    }
    return false;
}

/* Lines of the slopes of the orders, all from the upper right corner, with their numbers
 * where they leave the panel or meet the floor; as many as there is room for. */
static void put_guides(FILE *f, const work_curve *curves, size_t count, const frame *b,
                       double floor)
{
    enum { HIGHEST = 32 };
    const double right = b->step.high, top = b->error.high;
    const double width = log(right / b->step.low), height = log(top / b->error.low);
    const double edge = 0.93 * width;      /* up to where a line goes */
    const double along = 0.94;             /* of the line: where its number stands */
    const double wide = 0.14, high = 0.05; /* a number, in parts of the panel */
    double last_x = -INFINITY, last_y = -INFINITY;
    for (int order = 1; order <= HIGHEST; order++) {
        if (!some_have(curves, count, order))
            continue;
        const double end = fmin(edge, log(top / floor) / order);
        const double x = along * end / width, y = along * order * end / height;
        if (fabs(x - last_x) < wide && fabs(y - last_y) < high)
            continue;
        last_x = x;
        last_y = y;
        put(f,
            "set arrow from %.4e,%.4e to %.4e,%.4e nohead back lw 1.2 lc rgb '" GUIDE
            "'\n"
            "set label %d 'slope %d' at %.4e,%.4e center front font ',12' textcolor rgb "
            "'#5F6870' boxed\n",
            right, top, right * exp(-end), top * exp(-order * end), 10 + order, order,
            right * exp(-along * end), top * exp(-along * order * end));
    }
}

/* The look of a curve. */
static void put_style(FILE *f, const work_curve *curves, size_t count, size_t i)
{
    const size_t family = family_of(curves, i);
    const int *c = colours[family % COLOUR_COUNT];
    const double pale = 0.45 * (1.0 - rank(curves, count, i));
    const int white = 0xFF;
    unsigned shade[3];
    for (int k = 0; k < 3; k++)
        shade[k] = (unsigned)(c[k] + pale * (white - c[k]));
    put(f, "with linespoints lw 2 dt %s pt %d ps 1.1*P lc rgb '#%02X%02X%02X'",
        dashes[family % DASH_COUNT], mark(curves, i), shade[0], shade[1], shade[2]);
}

static void put_curves(FILE *f, const work_curve *curves, size_t count, int column)
{
    put(f, "unset key\nplot \\\n");
    for (size_t i = 0; i < count; i++) {
        put(f, "  $curve%zu using %d:2 ", i, column);
        put_style(f, curves, count, i);
        put(f, " notitle, \\\n");
    }
    put(f, "  NaN notitle\n");
}

/* A panel of its own, as high as the picture, so that all names stand below each
 * other. */
static void put_legend(FILE *f, const work_curve *curves, size_t count)
{
    const double spacing = 1.25, room = 26.0; /* that many fit at this spacing */
    put(f,
        "unset label; unset object; unset title; unset xlabel; unset border; unset tics\n"
        "unset logscale; unset grid\nset xrange [0:1]; set yrange [0:1]\n"
        "set tmargin at screen 1; set bmargin at screen 0\n"
        "set key at screen 0.995, screen 0.89 right top vertical Left reverse noenhanced "
        "samplen 4 spacing %g\nplot \\\n",
        fmin(spacing, spacing * room / (double)count));
    for (size_t i = 0; i < count; i++) {
        put(f, "  NaN ");
        put_style(f, curves, count, i);
        put(f, " title \"%s\", \\\n", curves[i].method);
    }
    put(f, "  NaN notitle\n");
}

/* Pixels that the legend takes. */
static int legend_width(const work_curve *curves, size_t count)
{
    const size_t letter = 9, sample = 95;
    size_t longest = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t length = strlen(curves[i].method);
        longest = length > longest ? length : longest;
    }
    return (int)(sample + letter * longest);
}

bool work_plot(FILE *script, plot_format format, const char *title,
               const work_curve *curves, size_t count, double floor)
{
    enum { STEP = 1, SECONDS = 3 };
    const frame b = frame_of(curves, count, floor);
    const int width = 2 * (LEFT + PANEL) + legend_width(curves, count);
    put_canvas(script, format, width, HEIGHT);
    for (size_t i = 0; i < count; i++)
        put_data(script, i, &curves[i]);
    put(script,
        "set termoption enhanced\n"
        "set multiplot\nset logscale xy\n"
        "set tmargin at screen 0.87\nset bmargin at screen 0.12\n"
        "set border 3 lc rgb '" INK "'\nset tics nomirror\n"
        "set grid xtics ytics lt 1 lw 0.6 lc rgb '#E3E6E9'\n"
        "set style textbox opaque noborder fillcolor rgb 'white' margins 0.4,0.3\n"
        "set format y '10^{%%T}'\nset ytics 1e-30, 100\nset mytics 1\n"
        "set yrange [%.6e:%.6e]\n",
        b.error.low, b.error.high);

    put_panel(script, 0, width, &b.step, "step", "Error and step");
    put(script,
        "set label 99 \"%s\" at screen %g, screen 0.965 center noenhanced font ',17'\n",
        title, (LEFT + PANEL + 0.5 * LEFT) / width);
    put_floor(script, floor, b.error.low, "right");
    put_guides(script, curves, count, &b, floor);
    put(script, "set ylabel 'error, the larger of momentum and attitude' offset 1,0\n");
    put_curves(script, curves, count, STEP);

    put_panel(script, 1, width, &b.seconds, "computing time in seconds",
              "Error and work");
    put_floor(script, floor, b.error.low, "left");
    put(script, "unset ylabel\n");
    put_curves(script, curves, count, SECONDS);
    put_legend(script, curves, count);
    put(script, "unset multiplot\n");
    return fflush(script) == 0 && ferror(script) == 0;
}
