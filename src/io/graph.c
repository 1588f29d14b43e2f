/* graph.c - curves, bands, bars and maps in one or more panels, as a gnuplot script. */
#include "io/graph.h"

#include <math.h>
#include <string.h>

#include "core/extremes.h"
#include "io/count.h"

/* Pixels. */
#define PANEL_WIDTH  510
#define PANEL_HEIGHT 500
#define TWO_HEIGHT   360 /* where two stand below each other */
#define MANY_HEIGHT  260 /* where more do */
#define LEFT         110 /* of a panel: its tics and its label */
#define BELOW        78  /* of the last panels: their tics and their label */
#define BETWEEN      88  /* of others: their tics, and the title of the next */
#define ABOVE        92  /* the title, and that of the panels */
#define LABEL        26  /* of an axis */
#define COLOUR_BOX   96

#define INK       "#333333"
#define GUIDE     "#9AA3AB"
#define ROUND_OFF "#F0F1F3"
#define LEAST     1e-300 /* of what a logarithmic axis shows */

/* ---- looks ----------------------------------------------------------------------- */

/* Colours that stay apart for the colour-blind (after Okabe and Ito), and dashes. */
static const int hues[][3] = {{0x00, 0x5A, 0x9E}, {0xC4, 0x4E, 0x00}, {0x00, 0x85, 0x5F},
                              {0x9C, 0x2F, 0x78}, {0x7A, 0x62, 0x00}, {0x2F, 0x95, 0xC9},
                              {0x44, 0x44, 0x44}, {0xB3, 0x1B, 0x1B}};
static const char *const dashes[] = {"1", "(2,4)", "(10,5)", "(12,4,2,4)"};
static const int marks[] = {7, 5, 9, 13, 11, 15, 6, 4, 8, 12, 10, 14};

graph_style graph_style_at(size_t i)
{
    /* Later marks are smaller, so that those below them can be seen. */
    const double first = 1.7, less = 0.15, least = 0.7;
    return (graph_style){.hue = i,
                         .dash = i,
                         .mark = marks[i % COUNT(marks)],
                         .size = larger_or_nan(least, first - less * (double)i)};
}

static void put_colour(FILE *f, const graph_style *s)
{
    const int *c = hues[s->hue % COUNT(hues)], white = 0xFF;
    unsigned shade[3];
    for (int k = 0; k < 3; k++)
        shade[k] = (unsigned)(c[k] + s->pale * (white - c[k]));
    put(f, "lc rgb '#%02X%02X%02X'", shade[0], shade[1], shade[2]);
}

static void put_style(FILE *f, graph_look look, const graph_style *s)
{
    const double usual = 1.1, size = s->size > 0.0 ? s->size : usual;
    switch (look) {
    case GRAPH_MARKED:
        put(f, "with linespoints lw 2 dt %s pt %d ps %g*P ",
            dashes[s->dash % COUNT(dashes)], s->mark, size);
        break;
    case GRAPH_LINE:
        put(f, "with lines lw 2 dt %s ", dashes[s->dash % COUNT(dashes)]);
        break;
    case GRAPH_POINTS:
        put(f, "with points pt %d ps %g*P ", s->mark, size);
        break;
    case GRAPH_DOTS:
        put(f, "with points pt 7 ps 0.35*P ");
        break;
    case GRAPH_BAND:
        put(f, "with filledcurves fs solid 0.6 noborder ");
        break;
    case GRAPH_BARS:
        put(f, "with boxes fs solid 0.85 noborder ");
        break;
    case GRAPH_MAP:
        put(f, "with image ");
        return;
    }
    put_colour(f, s);
}

/* ---- data ------------------------------------------------------------------------ */

static bool shown(double x, bool logarithmic)
{
    return isfinite(x) && (!logarithmic || x > LEAST);
}

static bool drawn(const graph_panel *p, const graph_point *at)
{
    return shown(at->x, p->log_x) && shown(at->y, p->log_y);
}

/* A block $dPANEL_CURVE; it begins with an undefined point, so that it is never
 * empty. */
static void put_data(FILE *f, size_t panel, const graph_panel *p, size_t i)
{
    const graph_curve *c = &p->curve[i];
    put(f, "$d%zu_%zu << EOD\n", panel, i);
    if (p->look != GRAPH_MAP)
        put(f, "NaN NaN NaN\n\n");
    for (size_t k = 0; k < c->count; k++) {
        const graph_point *at = &c->point[k];
        if (p->look == GRAPH_MAP && !isfinite(at->high))
            put(f, "%.7e %.7e NaN\n", at->x, at->y);
        else if (p->look == GRAPH_BARS)
            put(f, "%zu %.7e 0\n", i, at->y);
        else if (drawn(p, at))
            put(f, "%.7e %.7e %.7e\n", at->x, at->y, at->high);
        else
            put(f, "\n");
    }
    put(f, "EOD\n");
}

/* ---- ranges ---------------------------------------------------------------------- */

/* Takes x in, unless it is NaN. */
static void widen(graph_range *r, double x)
{
    r->low = x < r->low ? x : r->low;
    r->high = x > r->high ? x : r->high;
}

/* Some air around the points; of nothing, something to draw. */
static graph_range aired(graph_range r, bool logarithmic, double air)
{
    if (!(r.low <= r.high))
        return logarithmic ? (graph_range){0.1, 10.0} : (graph_range){0.0, 1.0};
    if (logarithmic) {
        const double factor = pow(r.high / r.low, air) * (r.high > r.low ? 1.0 : 2.0);
        return (graph_range){r.low / factor, r.high * factor};
    }
    const double more = r.high > r.low ? air * (r.high - r.low)
                                       : larger_or_nan(0.1 * fabs(r.high), 1e-300);
    return (graph_range){r.low - more, r.high + more};
}

typedef struct frame {
    graph_range x, y;
} frame;

static frame frame_of(const graph_panel *p)
{
    frame b = {{INFINITY, -INFINITY}, {INFINITY, -INFINITY}};
    for (size_t i = 0; i < p->curves; i++) {
        for (size_t k = 0; k < p->curve[i].count; k++) {
            const graph_point *at = &p->curve[i].point[k];
            if (shown(at->x, p->log_x)) /* also where there is nothing to draw */
                widen(&b.x, at->x);
            if (!drawn(p, at))
                continue;
            widen(&b.y, at->y);
            if (p->look == GRAPH_BAND && shown(at->high, p->log_y))
                widen(&b.y, at->high);
        }
    }
    if (p->floor > 0.0) {
        widen(&b.y, 0.1 * p->floor);
        widen(&b.y, 10.0 * p->floor);
    }
    if (p->look == GRAPH_BARS) {
        b.x = (graph_range){-0.7, (double)p->curves - 0.3};
        if (!p->log_y)
            widen(&b.y, 0.0);
    }
    const bool tight = p->look == GRAPH_MAP || p->look == GRAPH_BARS;
    const double bottom = b.y.low;
    b.x = p->x.low < p->x.high ? p->x : aired(b.x, p->log_x, tight ? 0.0 : 0.03);
    b.y = p->y.low < p->y.high ? p->y
                               : aired(b.y, p->log_y, p->look == GRAPH_MAP ? 0.0 : 0.05);
    if (p->look == GRAPH_BARS && !p->log_y)
        b.y.low = bottom; /* bars stand on the axis */
    return b;
}

/* ---- axes ------------------------------------------------------------------------ */

/* Powers of ten; in a narrow range, where few or none lie, also numbers between them. */
static void put_log_tics(FILE *f, char axis, const graph_range *r)
{
    static const double digits[] = {1.0, 2.0, 5.0, 1.5, 3.0, 4.0, 7.0};
    enum { FEW = 3, MANY = sizeof digits / sizeof digits[0] };
    const double decades = log10(r->high / r->low), wide = 2.05, narrow = 0.8, many = 7.0;
    const double small = 0.01; /* below it 2e-4 instead of 0.0002, with its neighbours */
    const int count = decades < narrow ? MANY : FEW;
    put(f, "set %ctics auto\nset m%ctics default\nset format %c '10^{%%T}'\n", axis, axis,
        axis);
    if (decades > many)
        put(f, "set %ctics 1e-30, 100\nset m%ctics 1\n", axis, axis);
    if (decades > wide)
        return;
    put(f, "set format %c '%s'\nset %ctics (", axis,
        r->high > small ? "%g"
        : count == MANY ? "%.1te%T"
                        : "%.0te%T",
        axis);
    for (int power = (int)floor(log10(r->low)); power <= (int)log10(r->high) + 1;
         power++) {
        for (int k = 0; k < count; k++) {
            const double tic = digits[k] * pow(10.0, power);
            if (tic >= r->low && tic <= r->high)
                put(f, "%.2g, ", tic);
        }
    }
    put(f, "%.6e)\n", 10.0 * r->high); /* outside: it ends the list */
}

static void put_axis(FILE *f, char axis, bool logarithmic, const graph_range *r)
{
    put(f, "%s logscale %c\nset %crange [%.9e:%.9e]\n", logarithmic ? "set" : "unset",
        axis, axis, r->low, r->high);
    if (logarithmic)
        put_log_tics(f, axis, r);
    else
        put(f, "set %ctics auto\nset m%ctics default\nset format %c '%%.8g'\n", axis,
            axis, axis);
}

static void put_bar_names(FILE *f, const graph_panel *p)
{
    put(f, "set xtics noenhanced rotate by -35 (");
    for (size_t i = 0; i < p->curves; i++)
        put(f, "%s'%s' %zu", i == 0 ? "" : ", ", p->curve[i].name, i);
    put(f, ")\nset boxwidth 0.7\n");
}

/* ---- the floor and the slopes ---------------------------------------------------- */

/* Whether more curves come near the floor in the right half of the panel than in the
 * left. */
static bool ends_right(const graph_panel *p, const graph_range *x)
{
    const double near = 10.0 * p->floor,
                 middle = p->log_x ? sqrt(x->low * x->high) : 0.5 * (x->low + x->high);
    long balance = 0;
    for (size_t i = 0; i < p->curves; i++) {
        for (size_t k = 0; k < p->curve[i].count; k++) {
            const graph_point *at = &p->curve[i].point[k];
            if (drawn(p, at) && at->y < near)
                balance += at->x > middle ? 1 : -1;
        }
    }
    return balance > 0;
}

/* Below it all is noise; the label stands where few curves end. */
static void put_floor(FILE *f, const graph_panel *p, const frame *b)
{
    const double floor = p->floor, bottom = b->y.low;
    const bool left = ends_right(p, &b->x);
    put(f,
        "set object 1 rectangle from graph 0, first %.3e to graph 1, first %.3e behind "
        "fillcolor rgb '" ROUND_OFF "' fillstyle solid noborder\n"
        "set label 1 'round-off' at graph %s, first %.3e %s font ',12' "
        "textcolor rgb '#777777'\n",
        bottom, floor, left ? "0.015" : "0.985", 0.45 * floor, left ? "left" : "right");
}

/* Lines of the slopes, all from the upper right corner, with their numbers where they
 * leave the panel or meet the floor; as many as there is room for. */
static void put_slopes(FILE *f, const graph_panel *p, const frame *b)
{
    const double right = b->x.high, top = b->y.high;
    const double width = log(right / b->x.low), height = log(top / b->y.low);
    const double lowest = p->floor > 0.0 ? p->floor : b->y.low;
    const double edge = 0.93 * width;      /* up to where a line goes */
    const double along = 0.94;             /* of the line: where its number stands */
    const double wide = 0.14, high = 0.05; /* a number, in parts of the panel */
    double last_x = -INFINITY, last_y = -INFINITY;
    for (const int *slope = p->slopes; slope != NULL && *slope != 0; slope++) {
        const double end = smaller_or_nan(edge, log(top / lowest) / *slope);
        const double x = along * end / width, y = along * *slope * end / height;
        if (fabs(x - last_x) < wide && fabs(y - last_y) < high)
            continue;
        last_x = x;
        last_y = y;
        put(f,
            "set arrow from %.4e,%.4e to %.4e,%.4e nohead back lw 1.2 lc rgb '" GUIDE
            "'\n"
            "set label %d 'slope %d' at %.4e,%.4e center front font ',12' textcolor rgb "
            "'#5F6870' boxed\n",
            right, top, right * exp(-end), top * exp(-*slope * end), 10 + *slope, *slope,
            right * exp(-along * end), top * exp(-along * *slope * end));
    }
}

/* Where a band ends because what it shows became infinite. */
static void put_losses(FILE *f, const graph_panel *p)
{
    for (size_t i = 0; i < p->curves && p->look == GRAPH_BAND; i++) {
        const graph_curve *c = &p->curve[i];
        for (size_t k = 1; k < c->count; k++) {
            const graph_point *last = &c->point[k - 1];
            if (!isinf(c->point[k].y) || !drawn(p, last))
                continue;
            put(f,
                "set label 'lost here' at %.7e,%.7e left offset 0.7,0 front font ',12' "
                "textcolor rgb '#777777'\n",
                last->x, last->high);
            break;
        }
    }
}

/* ---- panels ---------------------------------------------------------------------- */

typedef struct canvas {
    int width, height;
    int panel_height, between; /* of a panel, and from one to the next below it */
    bool maps;                 /* each panel has room for its colours */
} canvas;

/* Whether the panel leaves its label to the same one below it. */
static bool label_below(const graph *g, size_t i)
{
    return i + g->columns < g->panels &&
           strcmp(g->panel[i].xlabel, g->panel[i + g->columns].xlabel) == 0;
}

static int column_width(const canvas *c)
{
    return LEFT + PANEL_WIDTH + (c->maps ? COLOUR_BOX : 0);
}

static void put_place(FILE *f, const canvas *c, const graph *g, size_t i)
{
    const double left = LEFT + (double)(i % g->columns) * column_width(c);
    const size_t row = i / g->columns;
    const double top = ABOVE + (double)row * (c->panel_height + c->between);
    put(f,
        "set lmargin at screen %g; set rmargin at screen %g\n"
        "set tmargin at screen %g; set bmargin at screen %g\n",
        left / c->width, (left + PANEL_WIDTH) / c->width, 1.0 - top / c->height,
        1.0 - (top + c->panel_height) / c->height);
    if (c->maps)
        put(f,
            "set colorbox user origin screen %g, screen %g size screen %g, screen %g\n",
            (left + PANEL_WIDTH + 14) / c->width,
            1.0 - (top + c->panel_height) / c->height, 16.0 / c->width,
            (double)c->panel_height / c->height);
}

static void put_panel(FILE *f, const canvas *c, const graph *g, size_t i)
{
    const graph_panel *p = &g->panel[i];
    const frame b = frame_of(p);
    put(f, "unset label; unset arrow; unset object; unset key\n");
    put_place(f, c, g, i);
    put(f,
        "set title \"%s\" noenhanced font ',16'\nset xlabel \"%s\"\n"
        "set ylabel \"%s\" offset 0.4,0\n",
        p->title, label_below(g, i) ? "" : p->xlabel, p->ylabel == NULL ? "" : p->ylabel);
    put_axis(f, 'x', p->log_x, &b.x);
    put_axis(f, 'y', p->log_y, &b.y);
    if (p->look == GRAPH_BARS)
        put_bar_names(f, p);
    else
        put(f, "set xtics norotate\n");
    put(f, "%s grid\n", p->look == GRAPH_MAP ? "unset" : "set");
    if (p->look == GRAPH_MAP && p->z.low < p->z.high)
        put(f, "set cbrange [%.9e:%.9e]\n", p->z.low, p->z.high);
    else if (p->look == GRAPH_MAP)
        put(f, "set cbrange [*:*]\n");
    if (p->look == GRAPH_MAP)
        put(f, "set cblabel \"%s\"\n", p->zlabel == NULL ? "" : p->zlabel);
    if (i == 0)
        put(f,
            "set label 99 \"%s\" at screen %g, screen %g center noenhanced font ',17'\n",
            g->title, 0.5 * (double)g->columns * column_width(c) / c->width + 0.02,
            1.0 - 26.0 / c->height);
    if (p->floor > 0.0)
        put_floor(f, p, &b);
    put_slopes(f, p, &b);
    put_losses(f, p);
    put(f, "plot \\\n");
    for (size_t k = 0; k < p->curves; k++) {
        put(f, "  $d%zu_%zu using 1:2%s ", i, k,
            p->look == GRAPH_BAND || p->look == GRAPH_MAP ? ":3" : "");
        put_style(f, p->look, &p->curve[k].style);
        put(f, " notitle, \\\n");
        /* its edges: a band as thin as a line is to be seen, too */
        for (int edge = 2; p->look == GRAPH_BAND && edge <= 3; edge++) {
            put(f, "  $d%zu_%zu using 1:%d with lines lw 1.2 ", i, k, edge);
            put_colour(f, &p->curve[k].style);
            put(f, " notitle, \\\n");
        }
    }
    put(f, "  NaN notitle\n");
}

/* ---- the legend ------------------------------------------------------------------ */

/* Whether the curve is the first of its name, so that it stands in the legend. */
static bool first_of_name(const graph *g, size_t panel, size_t curve)
{
    const char *name = g->panel[panel].curve[curve].name;
    for (size_t i = 0; i <= panel; i++) {
        const graph_panel *p = &g->panel[i];
        for (size_t k = 0; k < (i == panel ? curve : p->curves); k++) {
            if (p->look < GRAPH_BARS && strcmp(p->curve[k].name, name) == 0)
                return false;
        }
    }
    return g->panel[panel].look < GRAPH_BARS && name[0] != '\0';
}

static size_t legend_count(const graph *g, size_t *longest)
{
    size_t count = 0;
    *longest = 0;
    for (size_t i = 0; i < g->panels; i++) {
        for (size_t k = 0; k < g->panel[i].curves; k++) {
            const size_t length = strlen(g->panel[i].curve[k].name);
            if (!first_of_name(g, i, k))
                continue;
            count++;
            *longest = length > *longest ? length : *longest;
        }
    }
    return count;
}

/* A panel of its own, as high as the picture, so that all names stand below each
 * other. */
static void put_legend(FILE *f, const graph *g, const canvas *c, size_t count)
{
    const double spacing = 1.25, row = 20.0, room = (c->height - ABOVE) / row;
    put(f,
        "unset label; unset object; unset arrow; unset title; unset xlabel; unset "
        "ylabel\n"
        "unset border; unset tics; unset logscale; unset grid; unset colorbox\n"
        "set xrange [0:1]; set yrange [0:1]\n"
        "set tmargin at screen 1; set bmargin at screen 0\n"
        "set key at screen 0.995, screen %g right top vertical Left reverse noenhanced "
        "samplen 4 spacing %g\nplot \\\n",
        1.0 - (ABOVE - 12.0) / c->height,
        smaller_or_nan(spacing, spacing * room / (double)count));
    for (size_t i = 0; i < g->panels; i++) {
        for (size_t k = 0; k < g->panel[i].curves; k++) {
            if (!first_of_name(g, i, k))
                continue;
            put(f, "  NaN ");
            put_style(f, g->panel[i].look, &g->panel[i].curve[k].style);
            put(f, " title \"%s\", \\\n", g->panel[i].curve[k].name);
        }
    }
    put(f, "  NaN notitle\n");
}

/* ---- the script ------------------------------------------------------------------ */

static canvas canvas_of(const graph *g, size_t names, size_t longest)
{
    const size_t letter = 9, sample = 95, margin = 40;
    const size_t rows = (g->panels + g->columns - 1) / g->columns;
    canvas c = {.panel_height = rows > 2    ? MANY_HEIGHT
                                : rows == 2 ? TWO_HEIGHT
                                            : PANEL_HEIGHT,
                .between = BETWEEN};
    bool bars = false;
    for (size_t i = 0; i < g->panels; i++) {
        c.maps = c.maps || g->panel[i].look == GRAPH_MAP;
        bars = bars || g->panel[i].look == GRAPH_BARS;
        if (i + g->columns < g->panels && !label_below(g, i))
            c.between = BETWEEN + LABEL;
    }
    c.width = (int)g->columns * column_width(&c) +
              (int)(names > 0 ? sample + letter * longest : margin);
    c.height = ABOVE + (int)rows * (c.panel_height + c.between) - c.between + BELOW +
               (bars ? BELOW / 2 : 0);
    return c;
}

bool graph_write(FILE *script, plot_format format, const graph *g)
{
    size_t longest;
    const size_t names = legend_count(g, &longest);
    const canvas c = canvas_of(g, names, longest);
    put_canvas(script, format, c.width, c.height);
    for (size_t i = 0; i < g->panels; i++) {
        for (size_t k = 0; k < g->panel[i].curves; k++)
            put_data(script, i, &g->panel[i], k);
    }
    put(script,
        "set termoption enhanced\nset multiplot\n"
        "set border 3 lc rgb '" INK "'\nset tics nomirror\n"
        "set grid xtics ytics lt 1 lw 0.6 lc rgb '#E3E6E9'\n"
        "set style textbox opaque noborder fillcolor rgb 'white' margins 0.4,0.3\n"
        "set palette defined (0 '#440154', 1 '#3B528B', 2 '#21908C', 3 '#5DC963', "
        "4 '#FDE725')\n");
    for (size_t i = 0; i < g->panels; i++)
        put_panel(script, &c, g, i);
    if (names > 0)
        put_legend(script, g, &c, names);
    put(script, "unset multiplot\n");
    return fflush(script) == 0 && ferror(script) == 0;
}
