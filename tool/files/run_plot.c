/* run_plot.c - a run, or a free motion, as a picture. */
#include "tool/files/run_plot.h"

#include <math.h>
#include <string.h>

#include "base/choice.h"
#include "base/extremes.h"
#include "motion/vec.h"
#include "tool/files/file_text.h"
#include "tool/files/memory.h"

#define COARSE  0.35  /* rad between rows of a path: beyond, the first rows are drawn instead */
#define LONGEST 130.0 /* rad of a path, some twenty turns: more would only be a blot */

/* ---- sheets ---------------------------------------------------------------------- */

const run_plot_sheet *run_plot_sheet_named(const char *name)
{
    static const run_plot_sheet all[] = {
        {"", 640, 1, 0}, {"single", 430, 1, 0}, {"double", 900, 2, 0}, {"slide", 1280, 2, 720}};
    for (size_t i = 0; i < COUNT(all); i++)
        if (strcmp(all[i].name, text_or(name, "")) == 0)
            return &all[i];
    return NULL;
}

/* ---- rows that are kept ---------------------------------------------------------- */

void kept_rows_add(kept_rows *k, const double *row, size_t width, bool only_first)
{
    if (k->row == NULL) {
        *k = (kept_rows){.width = width, .every = 1};
        k->row = memory_new(width * RUN_PLOT_ROWS, sizeof *k->row);
    }
    if (k->count == RUN_PLOT_ROWS && !only_first) {
        for (size_t i = 1; 2 * i < k->count; i++)
            memcpy(k->row + i * width, k->row + 2 * i * width, width * sizeof *row);
        k->count /= 2;
        k->every *= 2;
    }
    if (k->count < RUN_PLOT_ROWS && k->seen % k->every == 0)
        memcpy(k->row + k->count++ * width, row, width * sizeof *row);
    k->seen++;
}

/* ---- what is drawn --------------------------------------------------------------- */

/* A unit vector of spheres: a field q of many, or of a table q1, q2, ... */
static const ph_array *vector_at(const instant *now, size_t i, size_t *entry)
{
    const ph_array *all = instant_field(now, "q");
    char name[24];
    *entry = i;
    if (all != NULL && all->width == 3) {
        if (i < all->count)
            return all;
        return NULL;
    }
    *entry = 0;
    (void)snprintf(name, sizeof name, "q%zu", i + 1);
    const ph_array *one = instant_field(now, name);
    if (one != NULL && one->width == 3)
        return one;
    return NULL;
}

/* The columns that are drawn unless others are asked for. */
static const char *first_columns(const instant *now, bool is_free)
{
    size_t i = 0;
    while (i < now->observables && strcmp(now->observable[i].name, "energy") != 0)
        i++;
    const bool known = i < now->observables;
    if (instant_field(now, "positions") != NULL) {
        if (instant_field(now, "attitudes") != NULL)
            return "t,translation,rotation,potential,energy_error";
        return known ? "t,energy,energy_error" : "t";
    }
    if (instant_field(now, "attitude") == NULL)
        return known ? "t,energy_error" : "t";
    if (is_free && instant_field(now, "velocity") != NULL)
        return known ? "t,w,energy_error" : "t,w";
    if (!known)
        return "t,euler_zxz";
    if (now->observable[i].conserved)
        return "t,euler_zxz,energy_error";
    return "t,euler_zxz,energy";
}

static void choose_paths(run_plot *p, const instant *now, bool is_free)
{
    size_t entry, all = 0;
    if (instant_field(now, "positions") != NULL)
        return;
    if (instant_field(now, "attitude") != NULL) {
        p->axes = true;
        p->paths = is_free ? 3 : 1;
        return;
    }
    while (vector_at(now, all, &entry) != NULL)
        all++;
    p->paths = smaller_size(all, RUN_PLOT_PATHS);
    p->hidden = all - p->paths;
}

bool run_plot_begin(run_plot *p, const instant *now, const column_choice *choice, bool is_free,
                    nearest *near_by)
{
    column_choice chosen = *choice;
    const char *show = choice->show;
    *p = (run_plot){.chosen = show != NULL,
                    .begin = now->t,
                    .end = now->t,
                    .sheet = run_plot_sheet_named(NULL)};
    chosen.each = false;
    const ph_array *body = instant_field(now, "body");
    p->listed = body != NULL;
    if (body != NULL)
        p->body = body->data[0][0];
    if (show == NULL) {
        choose_paths(p, now, is_free);
        show = first_columns(now, is_free);
    }
    const bool has_time = strncmp(show, "t,", 2) == 0 || strcmp(show, "t") == 0;
    if (has_time)
        chosen.show = show;
    else
        chosen.show = memory_text("t,%s", show); /* the time first */
    const bool good = columns_choose(&p->series, &chosen, now, near_by);
    p->row = memory_new(p->series.count, sizeof *p->row);
    return good;
}

/* ---- adding ---------------------------------------------------------------------- */

static void add_paths(run_plot *p, const instant *now)
{
    double row[1 + 3 * RUN_PLOT_PATHS] = {now->t};
    const ph_array *q = instant_field(now, "attitude"), *axes = instant_field(now, "axes");
    ph_quat body = {1.0, 0.0, 0.0, 0.0};
    if (p->axes)
        body = field_quat(q, 0);
    if (p->axes && axes != NULL)
        body = mul(body, field_quat(axes, 0));
    for (size_t i = 0; i < p->paths; i++) {
        size_t entry;
        const size_t axis = p->paths == 1 ? 2 : i;
        const ph_array *f = NULL;
        if (!p->axes)
            f = vector_at(now, i, &entry);
        ph_vec3 u;
        if (f != NULL)
            u = field_vector(f, entry);
        else
            u = rotate(body, vec3(axis == 0, axis == 1, axis == 2));
        row[1 + 3 * i] = u.x, row[2 + 3 * i] = u.y, row[3 + 3 * i] = u.z;
    }
    const size_t width = 1 + 3 * p->paths;
    kept_rows_add(&p->first, row, width, true);
    kept_rows_add(&p->path, row, width, false);
}

/* Place and vector of a body: its dipole, or its third axis. */
static void add_body(run_plot *p, const instant *now, size_t i)
{
    const ph_array *x = instant_field(now, "positions"), *q = instant_field(now, "attitudes"),
                   *d = instant_field(now, "dipoles");
    if (q == NULL)
        q = instant_field(now, "attitude");
    if (d == NULL)
        d = instant_field(now, "d");
    if (p->bodies == p->cloud_room) {
        p->cloud_room = 2 * p->cloud_room + 64;
        p->cloud = memory_more(p->cloud, 6 * p->cloud_room, sizeof *p->cloud);
    }
    const ph_vec3 place = field_vector(x, i);
    ph_vec3 v = {0.0, 0.0, 1.0};
    if (d != NULL && d->width == 3)
        v = field_vector(d, d->count > 1 ? i : 0);
    if (norm_max(v) > 0.0)
        v = scale(1.0 / norm(v), v);
    if (q != NULL)
        v = rotate(field_quat(q, i), v);
    const double row[6] = {place.x, place.y, place.z, v.x, v.y, v.z};
    memcpy(p->cloud + 6 * p->bodies++, row, sizeof row);
}

void run_plot_add(run_plot *p, const instant *now)
{
    const ph_array *x = instant_field(now, "positions");
    const ph_array *body = NULL;
    if (p->listed)
        body = instant_field(now, "body");
    const bool first_body = body == NULL || body->data[0][0] == p->body;
    p->end = now->t;
    if (p->rows.seen == 0)
        p->begin = now->t;
    if (p->paths > 0)
        add_paths(p, now);
    if (!p->chosen && x != NULL && (!p->listed || now->t != p->cloud_time))
        p->bodies = 0;
    for (size_t i = 0; !p->chosen && x != NULL && i < x->count; i++) {
        p->cloud_time = now->t;
        add_body(p, now, i);
    }
    if (!first_body)
        return;
    columns_row(&p->series, now, 0, p->row);
    kept_rows_add(&p->rows, p->row, p->series.count, false);
}

/* ---- the script ------------------------------------------------------------------ */

/* The longest way that a path goes from one row to the next. */
static double longest_step(const kept_rows *k, size_t i)
{
    const double *a = k->row + (i - 1) * k->width, *b = a + k->width;
    double longest = 0.0;
    for (size_t c = 1; c < k->width; c += 3) {
        const double step = norm(vec3(b[c] - a[c], b[c + 1] - a[c + 1], b[c + 2] - a[c + 2]));
        if (step > longest)
            longest = step;
    }
    return longest;
}

/* Paths over the whole time, if they are fine enough, else those of the first rows; and how many
 * rows of them are drawn. */
static const kept_rows *drawn_paths(const run_plot *p, size_t *count)
{
    const kept_rows *k = &p->path;
    for (size_t i = 1; i < p->path.count; i++) {
        if (longest_step(&p->path, i) > COARSE)
            k = &p->first;
    }
    double way = 0.0;
    for (*count = k->count > 0; *count < k->count && way < LONGEST; (*count)++)
        way += longest_step(k, *count);
    return k;
}

double run_plot_path_end(const run_plot *p)
{
    size_t count;
    if (p->paths == 0)
        return p->end;
    const kept_rows *k = drawn_paths(p, &count);
    const bool all = count == k->count && (k == &p->path || k->seen == k->count);
    if (all || count == 0)
        return p->end;
    return k->row[(count - 1) * k->width];
}

static void put_rows(FILE *script, const char *name, const kept_rows *k, size_t count)
{
    (void)fprintf(script, "$%s << EOD\n", name);
    for (size_t i = 0; i < count; i++) {
        for (size_t c = 0; c < k->width; c++)
            (void)fprintf(script, "%s%.12g", before_item(c, ","), k->row[i * k->width + c]);
        (void)fputc('\n', script);
    }
    (void)fputs("EOD\n", script);
}

enum { MOST_CURVES = 12 };

/* The column after those that share a panel: the components of what was asked for, or what is of
 * the same unit. */
static size_t group_end(const run_plot *p, size_t i)
{
    const column *c = p->series.column;
    size_t end = i + 1;
    for (; end < p->series.count && end - i < MOST_CURVES; end++) {
        const bool measured =
            !p->chosen && c[i].from == COLUMN_OBSERVABLE && c[end].from == COLUMN_OBSERVABLE;
        if (strcmp(c[end].group, c[i].group) != 0 &&
            !(measured && strcmp(c[end].unit, c[i].unit) == 0))
            break;
    }
    return end;
}

static void put_sphere(const run_plot *p, FILE *script)
{
    size_t count;
    const kept_rows *k = drawn_paths(p, &count);
    double longest = 0.0;
    for (size_t i = 1; i < count; i++)
        longest = larger_or_nan(longest, longest_step(k, i));
    put_rows(script, "paths", k, count);
    plot_number(script, "coarse", longest > 2.0 * COARSE);
    plot_number(script, "axes", p->axes);
    plot_number(script, "hidden", (double)p->hidden);
    plot_number(script, "first_time", p->begin);
    plot_number(script, "path_time", run_plot_path_end(p));
    plot_number(script, "last_time", p->end);
}

static void put_cloud(const run_plot *p, FILE *script)
{
    double shortest = INFINITY;
    for (size_t i = 1; i < p->bodies; i++) {
        const double *a = p->cloud, *b = p->cloud + 6 * i;
        const double d = norm(vec3(b[0] - a[0], b[1] - a[1], b[2] - a[2]));
        if (d < shortest)
            shortest = d;
    }
    put_rows(script, "cloud", &(kept_rows){.width = 6, .row = p->cloud}, p->bodies);
    plot_number(script, "cloud_time", p->cloud_time);
    plot_number(script, "reach", isfinite(shortest) ? 0.5 * shortest : 0.5);
}

/* ---- units and words --------------------------------------------------------------- */

/* The unit of the longest time in a text such as "0:12h@5min", or NULL. */
static const char *written_unit(const char *text)
{
    const char *unit, *found = NULL;
    double x, longest = 0.0;
    while (text != NULL && quantity_read(&text, &x, &unit) == NUMBER_OK) {
        if (quantity_convert("t", false, unit, &x) && fabs(x) > longest) {
            longest = fabs(x);
            found = unit;
        }
        text += strcspn(text, ",:@");
        text += *text != '\0';
    }
    return found;
}

time_scale time_scale_of(const char *written, bool seconds, double length)
{
    static const struct unit {
        const char *name;
        double size, least; /* from this length on */
    } units[] = {
        {"d", 86400, 2 * 86400.0}, {"h", 3600, 2 * 3600.0}, {"min", 60, 5 * 60.0}, {"s", 1, 0}};
    const char *unit = written_unit(written);
    double size = 1.0;
    if (unit != NULL && quantity_convert("t", false, unit, &size)) {
        double second = 1.0; /* in the unit of time of the problem */
        (void)quantity_convert("t", false, "s", &second);
        return (time_scale){memory_text("%.*s", (int)strcspn(unit, " ,:@"), unit), size,
                            seconds || second == 1.0};
    }
    size_t i = 0;
    while (fabs(length) < units[i].least)
        i++;
    if (seconds)
        return (time_scale){units[i].name, units[i].size, true};
    return (time_scale){"", 1.0, false};
}

void time_scale_write(const time_scale *t, FILE *script)
{
    const char *unit = "", *text = "t";
    if (t->unit[0] != '\0') {
        unit = memory_text(" %s", t->unit);
        text = memory_text("t (%s)", t->unit);
    }
    plot_number(script, "time_size", t->size);
    plot_text(script, "time_unit", unit);
    plot_text(script, "time_text", text);
}

/* The unit of a column in brackets; where times are seconds, of the SI. */
static const char *unit_of(const column *x, bool seconds)
{
    static const char *const known[][2] = {
        {"I/t^2", "J"}, {"I/t", "N m s"}, {"rad/t", "rad/s"}, {"I", "kg m^2"}};
    const char *unit = text_if(strcmp(x->unit, "1") != 0, x->unit);
    for (size_t i = 0; seconds && i < COUNT(known); i++)
        if (strcmp(known[i][0], unit) == 0)
            unit = known[i][1];
    if (unit[0] == '\0')
        return "";
    char *text = memory_text(" (%.*s)", text_cut(unit, 20), unit);
    for (char *square = strstr(text, "^2"); square != NULL; square = strstr(square, "^2")) {
        square[0] = '\xC2'; /* as a superscript, of as many bytes */
        square[1] = '\xB2';
    }
    return text;
}

/* The name of an Euler angle of a sequence that has names, or NULL. */
static const char *angle_name(const column *x)
{
    static const char *const zyx[] = {"yaw", "pitch", "roll"}, *const zxz[] = {"precession",
                                                                               "nutation", "spin"};
    if (x->from != COLUMN_BODY || x->quantity != BODY_EULER)
        return NULL;
    if (strcmp(x->sequence, "zyx") == 0)
        return zyx[x->component];
    if (strcmp(x->sequence, "zxz") == 0)
        return zxz[x->component];
    return NULL;
}

/* What a column is a part of, in words; NULL: its name says it. */
static const char *quantity_words(const column *x)
{
    static const char *const of_body[] = {[BODY_Q] = "attitude",
                                          [BODY_EULER] = "Euler angle",
                                          [BODY_ROTVEC] = "rotation vector",
                                          [BODY_MATRIX] = "rotation matrix",
                                          [BODY_W] = "angular velocity",
                                          [BODY_M] = "angular momentum"};
    static const char *const fields[][3] = {{"attitude", "1", "attitude"},
                                            {"momentum", "I/t", "angular momentum"},
                                            {"velocity", "rad/t", "angular velocity"}};
    if (x->from == COLUMN_BODY)
        return of_body[x->quantity];
    for (size_t i = 0; x->field != NULL && i < COUNT(fields); i++)
        if (strcmp(fields[i][0], x->field) == 0 && strcmp(fields[i][1], x->unit) == 0)
            return fields[i][2];
    return NULL;
}

/* A name with spaces for underscores, cut. */
static const char *spaced(const char *name, size_t length)
{
    enum { SHOWN = 60 }; /* bytes */
    char *text = memory_text("%.*s", (int)length, name);
    text[text_cut(text, SHOWN)] = '\0';
    for (char *c = strchr(text, '_'); c != NULL; c = strchr(c, '_'))
        *c = ' ';
    return text;
}

static const char *error_words(const column *x)
{
    return memory_text("%serror of the %s", text_if(strcmp(x->unit, "1") == 0, "relative "),
                       spaced(x->name, strlen(x->name) - strlen("_error")));
}

const char *column_words(const column *x, bool seconds)
{
    const char *words = quantity_words(x), *angle = angle_name(x), *unit = unit_of(x, seconds);
    if (x->from == COLUMN_ERROR)
        return memory_text("%s%s", error_words(x), unit);
    if (angle != NULL)
        return memory_text("%s%s", angle, unit);
    if (words != NULL)
        return memory_text("%s %s%s", words, x->name, unit);
    return memory_text("%s%s", spaced(x->name, strlen(x->name)), unit);
}

/* The same for the columns from x to before `end`, in one panel. */
static const char *group_words(const column *x, const column *end, bool seconds)
{
    const char *words = quantity_words(x), *unit = unit_of(x, seconds);
    if (end == x + 1)
        return column_words(x, seconds);
    if (strcmp(x->group, end[-1].group) != 0)
        return memory_text("energies%s", unit);
    if (words == NULL)
        return memory_text("%s%s", spaced(x->group, strlen(x->group)), unit);
    return memory_text("%s%s%s", words,
                       text_if(x->quantity == BODY_EULER && x->from == COLUMN_BODY, "s"), unit);
}

static bool put_series(const run_plot *p, FILE *script, size_t i, size_t end, bool seconds)
{
    const column *x = &p->series.column[i];
    enum { SHOWN = 22 }; /* bytes of a name */
    const char *names = "";
    double jump = 0.0;
    if (strcmp(x->unit, "rad") == 0)
        jump = PH_PI;
    else if (strcmp(x->unit, "deg") == 0)
        jump = 180.0;
    for (size_t k = i; k < end; k++) {
        const column *one = &p->series.column[k];
        const char *name = text_or(angle_name(one), one->name);
        names = memory_text("%s\"%.*s\" ", names, text_cut(name, SHOWN), name);
    }
    plot_number(script, "first", (double)i + 1);
    plot_number(script, "count", (double)(end - i));
    plot_number(script, "logscale", x->from == COLUMN_ERROR);
    plot_number(script, "jump", jump);
    plot_number(script, "lowest", end == p->series.count);
    plot_text(script, "heading", group_words(x, x + (end - i), seconds));
    plot_text(script, "names", names);
    return plot_template(script, "series");
}

bool run_plot_write(const run_plot *p, FILE *script, plot_format format, const char *title)
{
    size_t panels = 0, end;
    for (size_t i = 1; i < p->series.count; i = group_end(p, i))
        panels++;
    if (p->listed && p->chosen)
        title = memory_text("%s: body %g", title, p->body);
    plot_begin(script, format, title);
    put_rows(script, "rows", &p->rows, p->rows.count);
    const time_scale scale = time_scale_of(p->time, p->seconds, p->end - p->begin);
    time_scale_write(&scale, script);
    plot_number(script, "sheet_width", p->sheet->width);
    plot_number(script, "sheet_columns", p->sheet->columns);
    plot_number(script, "sheet_height", p->sheet->height);
    plot_number(script, "panels", (double)panels);
    plot_number(script, "paths", (double)p->paths);
    plot_number(script, "bodies", (double)p->bodies);
    if (p->paths > 0)
        put_sphere(p, script);
    if (p->bodies > 0)
        put_cloud(p, script);
    bool good = plot_template(script, "stack") &&
                (p->paths == 0 || plot_template(script, "sphere")) &&
                (p->bodies == 0 || plot_template(script, "cloud"));
    for (size_t i = 1; i < p->series.count && good; i = end) {
        end = group_end(p, i);
        good = put_series(p, script, i, end, scale.seconds);
    }
    (void)fputs("unset multiplot\n", script);
    return good && fflush(script) == 0 && ferror(script) == 0;
}

/* ---- a free motion as a picture, sampled as finely as that needs ------------------ */

#define MOST 6000 /* samples: some 40 turns; more would only be a blot */
#define TURN 0.04 /* rad between samples: a chord is a tenth of a pixel from its arc */

typedef struct sample_point {
    ph_quat q;       /* of the principal frame */
    ph_vec3 m;       /* in it, of length 1 */
    ph_vec3 polhode; /* J^1/2 w in it, of length 1 */
} sample_point;

static ph_vec3 direction(ph_vec3 v)
{
    const double largest = norm_max(v);
    if (largest == 0.0)
        return v;
    const ph_vec3 w = over(v, vec3(largest, largest, largest));
    return scale(1.0 / norm(w), w);
}

/* The moments, the largest 1. */
static ph_vec3 relative_moments(const ph_body *body)
{
    const double largest = norm_max(body->J);
    return over(body->J, vec3(largest, largest, largest));
}

static sample_point point_at(const ph_body *body, const ph_state *s)
{
    const ph_vec3 J = relative_moments(body);
    sample_point p = {.q = mul(s->q, body->axes),
                      .m = direction(ph_quat_unrotate(body->axes, s->m))};
    p.polhode = direction(over(p.m, vec3(sqrt(J.x), sqrt(J.y), sqrt(J.z))));
    return p;
}

/* A bound of the way that the principal axes and the polhode go between two samples. An axis moves at
 * most by the chord of the angle by which the body turns. */
static double longest_chord(const sample_point *a, const sample_point *b)
{
    const double turn = 2.0 * norm(vec(mul(inverse(a->q), b->q)));
    return larger_or_nan(turn, norm(sub(a->polhode, b->polhode)));
}

static void put_row(FILE *script, double t, const sample_point *p)
{
    if (script != NULL)
        (void)fprintf(script, "%.17g,%.9f,%.9f,%.9f,%.9f,%.9f,%.9f,%.9f\n", t, p->q.w, p->q.x,
                      p->q.y, p->q.z, p->m.x, p->m.y, p->m.z);
}

/* Writes the samples, unless the script is NULL, and returns the time of the last: the step
 * follows the angular velocity, and is halved where a curve is quicker still. */
static double put_samples(FILE *script, const ph_body *body, const ph_motion *motion, double begin,
                          double end)
{
    double t = begin;
    ph_state s = ph_motion_at(motion, begin);
    const bool rest = norm_max(s.m) == 0.0;
    sample_point last = point_at(body, &s);
    put_row(script, t, &last);
    for (int count = 1; t != end && count < MOST; count++) {
        const double step = TURN / norm_max(ph_body_velocity(body, s.m));
        double next = end;
        if (!rest && step < fabs(end - t)) {
            if (end > t)
                next = t + step;
            else
                next = t - step;
        }
        s = ph_motion_at(motion, next);
        sample_point p = point_at(body, &s);
        while (longest_chord(&last, &p) > 2.0 * TURN && next != t) {
            next = t + 0.5 * (next - t);
            s = ph_motion_at(motion, next);
            p = point_at(body, &s);
        }
        if (next == t) /* no doubles are left between the times */
            break;
        t = next;
        last = p;
        put_row(script, t, &last);
    }
    return t;
}

double motion_plot_end(const ph_body *body, const ph_motion *motion, double begin, double end)
{
    return put_samples(NULL, body, motion, begin, end);
}

bool motion_plot(FILE *script, plot_format format, const ph_body *body, const ph_motion *motion,
                 double begin, double end)
{
    const ph_vec3 J = relative_moments(body);
    char moments[96];
    (void)snprintf(moments, sizeof moments, "%.4g %.4g %.4g", body->J.x, body->J.y, body->J.z);
    plot_begin(script, format, "");
    plot_text(script, "moments", moments);
    plot_number(script, "J1", J.x);
    plot_number(script, "J2", J.y);
    plot_number(script, "J3", J.z);
    plot_data_begin(script);
    (void)fputs("t,q0,q1,q2,q3,m1,m2,m3\n", script);
    const double drawn = put_samples(script, body, motion, begin, end);
    plot_data_end(script);
    plot_number(script, "cut", drawn != end);
    plot_number(script, "stacked", 1);
    return plot_end(script, "motion");
}
