/* film.c - the motion of a body as a film: frames by gnuplot (plot/film.gp), put together by ffmpeg. */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/files/memory.h"
#include "cli/files/posix.h"
#include "cli/files/run_plot.h"
#include "cli/output/additions.h"
#include "cli/tool/tool.h"
#include "rotation/vec.h"

enum { WIDTH = 11 }; /* of a row */

typedef struct film {
    const char *path;
    outfile *file;
    double size[2], rate; /* pixels; frames in a second */
    double edges[3];      /* of the box, in principal axes, the longest 2; or diameters */
    ph_vec3 lift;         /* of its centre from the point it turns about */
    double axle;          /* 1, 2, 3: a top, a disc on this axis; 0: a box */
    kept_rows rows;       /* t, attitude of the principal frame, momentum and velocity in space */
} film;

/* What ffmpeg is told for each name's end: how to encode, and in which container. */
static const struct encoding {
    const char *end, *words[10];
} encodings[] = {
    {"mp4", {"-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "20", "-f", "mp4"}},
    {"webm", {"-c:v", "libvpx-vp9", "-b:v", "0", "-crf", "32", "-f", "webm"}},
    {"gif", {"-vf", "split[a][b];[a]palettegen[c];[b][c]paletteuse", "-f", "gif"}},
};

static const struct encoding *encoding_of(const char *path)
{
    const char *point = strrchr(path, '.');
    for (size_t i = 0; point != NULL && i < COUNT(encodings); i++)
        if (strcmp(encodings[i].end, point + 1) == 0)
            return &encodings[i];
    return NULL;
}

/* Reads --film, --size and --fps, and finds out that the programs are there. */
static int open_film(const arguments *given, void **out)
{
    static const char *const words[] = {"ffmpeg", "-version", NULL};
    const char *path = argument(given, "--film"), *size = argument(given, "--size");
    char *end = NULL;
    pid_t child;
    REFUSE_IF(path == NULL && (size != NULL || argument(given, "--fps") != NULL),
              "--size and --fps are of a film: give --film FILE");
    if (path == NULL)
        return 0;
    film *f = memory_new(1, sizeof *f);
    *f = (film){.path = path, .size = {1920, 1080}, .rate = 30};
    *out = f;
    REFUSE_IF(encoding_of(f->path) == NULL,
              "--film " WORDS " does not say its format: end the name in .mp4, .webm or .gif",
              f->path);
    if (size != NULL) {
        f->size[0] = (double)strtol(size, &end, 10);
        f->size[1] = *end == 'x' ? (double)strtol(end + 1, &end, 10) : 0.0;
    }
    for (int k = 0; k < 2; k++)
        REFUSE_IF((end != NULL && *end != '\0') || !(f->size[k] >= 64 && f->size[k] <= 4096) ||
                      fmod(f->size[k], 2.0) != 0.0,
                  "--size must be two even numbers from 64 to 4096: write 1920x1080");
    if (argument(given, "--fps") != NULL)
        TRY(argument_numbers(given, "--fps", 1, &f->rate));
    REFUSE_IF(!(f->rate >= 1 && f->rate <= 120), "--fps must be from 1 to 120: write 30");
    TRY(picture_need_gnuplot("--film"));
    const int error = child_start(&child, words, (const int[]){-1, -1, -1});
    REFUSE_IF(error != 0 || child_wait(child, &interrupted) != 0,
              "--film needs ffmpeg, which was not found: install the package ffmpeg and run "
              "this again");
    return file_open(f->path, &f->file);
}

/* The centre of mass from the point the body turns about, in principal axes. */
static ph_vec3 centre_of(const ph_system *system, const ph_array *axes)
{
    size_t count = 0;
    const double *value = NULL;
    const ph_parameter *p = system ? ph_system_parameters(system, &count, &value) : NULL;
    for (size_t i = 0; i < count; i++)
        if (strcmp(p[i].name, "centre") == 0) {
            const double *c = value + p[i].first;
            const ph_vec3 in_body = vec3(c[0], c[1], c[2]);
            return axes ? rotate_back(field_quat(axes, 0), in_body) : in_body;
        }
    return vec3(0.0, 0.0, 0.0);
}

/* A top with the moments of the body: a thin elliptic disc, centred at the height l on an axle along axis
 * k. With x = (I1 + I2 + I3)/2 - I, which are the squares of the edges, and mass 1: l^2 is x[k], and the
 * squares of the other semi-axes are 4 x. */
static void make_top(film *f, int k, double sign)
{
    static const double disc = 1.15, height = 1.25; /* at most, in the picture */
    const int a = (k + 1) % 3, b = (k + 2) % 3;
    const double radius = 2.0 * larger_or_nan(f->edges[a], f->edges[b]), l = f->edges[k];
    const double size = radius * height > l * disc ? disc / radius : height / l;
    const double lift = l * size < 0.3 ? 0.3 : l * size; /* else it would touch the ground */
    f->axle = k + 1;
    f->edges[a] *= 4.0 * size;
    f->edges[b] *= 4.0 * size;
    f->lift = vec3(sign * lift * (k == 0), sign * lift * (k == 1), sign * lift * (k == 2));
}

static int begin_film(void *self, const instant *now, const ph_system *system)
{
    film *f = self;
    const ph_array *J = instant_field(now, "moments");
    if (J == NULL)
        J = instant_field(now, "inertia");
    REFUSE_IF(instant_field(now, "attitude") == NULL || instant_field(now, "momentum") == NULL ||
                  instant_field(now, "velocity") == NULL || J == NULL,
              "--film shows one body: run one, or use `polhode view`");
    const ph_vec3 I = field_vector(J, 0);
    const double sum = 0.5 * (I.x + I.y + I.z), x[] = {sum - I.x, sum - I.y, sum - I.z};
    double longest = 0.0;
    for (int k = 0; k < 3; k++) { /* edges of the box that has these moments */
        f->edges[k] = sqrt(x[k] > 0.0 ? x[k] : 0.0);
        longest = larger_or_nan(longest, f->edges[k]);
    }
    const ph_vec3 to = centre_of(system, instant_field(now, "axes"));
    const double c[] = {to.x, to.y, to.z};
    for (int k = 0; k < 3; k++)
        if (c[k] != 0.0 && fabs(c[k]) > (1.0 - 1e-9) * norm(to) && f->edges[k] > 0.0)
            make_top(f, k, c[k] < 0.0 ? -1.0 : 1.0);
    if (f->axle != 0)
        return 0;
    for (int k = 0; k < 3; k++)
        f->edges[k] = f->edges[k] > 0.03 * longest ? 2.0 * f->edges[k] / longest : 0.06;
    const ph_vec3 half = vec3(c[0] * f->edges[0], c[1] * f->edges[1], c[2] * f->edges[2]);
    if (norm(to) > 0.0)
        f->lift = scale(0.5 * norm(half) / dot(to, to), to);
    return 0;
}

static void add_to_film(void *self, const instant *now)
{
    film *f = self;
    const ph_array *axes = instant_field(now, "axes");
    const ph_quat q = field_quat(instant_field(now, "attitude"), 0);
    const ph_quat body = axes != NULL ? mul(q, field_quat(axes, 0)) : q;
    const ph_vec3 m = rotate(q, field_vector(instant_field(now, "momentum"), 0)),
                  w = rotate(q, field_vector(instant_field(now, "velocity"), 0));
    const double row[WIDTH] = {now->t, body.w, body.x, body.y, body.z, m.x,
                               m.y,    m.z,    w.x,    w.y,    w.z};
    kept_rows_add(&f->rows, row, WIDTH, false);
}

/* Between two rows: attitudes along the shorter way. */
static void put_frame(FILE *script, const double *a, const double *b, double part)
{
    double row[WIDTH], product = 0.0, length = 0.0;
    for (int k = 1; k < 5; k++)
        product += a[k] * b[k];
    for (int k = 0; k < WIDTH; k++)
        row[k] = a[k] + part * ((k > 0 && k < 5 && product < 0.0 ? -b[k] : b[k]) - a[k]);
    for (int k = 1; k < 5; k++)
        length = hypot(length, row[k]);
    for (int k = 0; k < WIDTH; k++)
        (void)fprintf(script, "%s%.9g", k == 0 ? "" : ",",
                      k > 0 && k < 5 ? row[k] / length : row[k]);
    (void)fputc('\n', script);
}

static bool write_script(const film *f, FILE *script, const char *title, size_t frames)
{
    const kept_rows *k = &f->rows;
    const double *first = k->row, *last = k->row + (k->count - 1) * WIDTH;
    size_t at = 0;
    plot_text(script, "caption", title);
    (void)fputs("$frames << EOD\n", script);
    for (size_t i = 0; i < frames; i++) {
        const double t = first[0] + (last[0] - first[0]) * (double)i / (double)(frames - 1);
        while (at + 2 < k->count && (k->row[(at + 1) * WIDTH] - t) * (last[0] - first[0]) < 0.0)
            at++;
        const double *a = k->row + at * WIDTH, *b = a + WIDTH;
        put_frame(script, a, b, (t - a[0]) / (b[0] - a[0]));
    }
    (void)fputs("EOD\n", script);
    static const char *const names[] = {"width", "height", "edge1", "edge2", "edge3",
                                        "lift1", "lift2",  "lift3", "axle",  "count"};
    const double values[] = {f->size[0], f->size[1], f->edges[0], f->edges[1], f->edges[2],
                             f->lift.x,  f->lift.y,  f->lift.z,   f->axle,     (double)frames};
    for (size_t i = 0; i < COUNT(names); i++)
        plot_number(script, names[i], values[i]);
    return plot_template(script, "film") && fflush(script) == 0 && fseek(script, 0, SEEK_SET) == 0;
}

/* gnuplot's frames through a pipe to ffmpeg: 0, or what failed. */
static const char *encode(const film *f, FILE *script)
{
    static const char *const gnuplot[] = {"gnuplot", "-d", "-", NULL};
    const char *words[32] = {"ffmpeg", "-y",  "-f",         "image2pipe",
                             "-c:v",   "png", "-framerate", memory_text("%g", f->rate),
                             "-i",     "-"};
    const struct encoding *e = encoding_of(f->path);
    size_t n = 10;
    for (size_t i = 0; e->words[i] != NULL; i++)
        words[n++] = e->words[i];
    words[n] = memory_text("file:%s", f->file->beside ? f->file->beside : f->file->path);
    int ends[2];
    pid_t drawing, encoding;
    if (pipe(ends) != 0 || fcntl(ends[0], F_SETFD, FD_CLOEXEC) != 0 ||
        fcntl(ends[1], F_SETFD, FD_CLOEXEC) != 0) /* else no one sees the end of it */
        return strerror(errno);
    const bool started =
        child_start(&encoding, words, (const int[]){ends[0], -1, -1}) == 0 &&
        child_start(&drawing, gnuplot, (const int[]){fileno(script), ends[1], -1}) == 0;
    (void)close(ends[0]);
    (void)close(ends[1]);
    if (!started)
        return "it cannot be started";
    const bool drawn = child_wait(drawing, &interrupted) == 0;
    return child_wait(encoding, &interrupted) != 0 ? "ffmpeg failed"
           : !drawn                                ? "gnuplot failed"
                                                   : NULL;
}

static int draw_film(void *self, const char *title, outfile *told)
{
    film *f = self;
    enum { LEAST = 2, MOST = 20 }; /* seconds */
    const kept_rows *k = &f->rows;
    REFUSE_IF(k->count < 2, "--film " WORDS ": nothing moves: give a longer time", f->path);
    const double time = fabs(k->row[(k->count - 1) * WIDTH] - k->row[0]);
    const double seconds = time < LEAST ? LEAST : time > MOST ? MOST : time;
    FILE *script = tmpfile();
    const char *wrong =
        script == NULL || !write_script(f, script, title, (size_t)(seconds * f->rate + 0.5))
            ? "no temporary file"
            : encode(f, script);
    if (script != NULL)
        (void)fclose(script);
    if (interrupted)
        return EXIT_INTERRUPTED;
    if (wrong != NULL)
        return fail_run("--film " WORDS " cannot be made (%s): make room, or give a smaller "
                        "--size",
                        f->path, wrong);
    TRY(file_close(f->file, f->path, ""));
    if (told != NULL)
        outfile_print(told, "%s drawn: %.3g s, each %.3g units of time\n", f->path, seconds,
                      time / seconds);
    return 0;
}

const film_maker film_maker_ffmpeg = {
    .open = open_film,
    .begin = begin_film,
    .add = add_to_film,
    .draw = draw_film,
};
