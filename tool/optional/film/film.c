/* film.c - the motion of a body as a film: letters by gnuplot (tool/gnuplot/film.gp), the body by scene.c, put together by
 * ffmpeg. */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/choice.h"
#include "motion/vec.h"
#include "tool/base/tool.h"
#include "tool/files/memory.h"
#include "tool/files/posix.h"
#include "tool/files/run_plot.h"
#include "tool/optional/film/scene.h"
#include "tool/output/additions.h"

enum { WIDTH = FRAME_WIDTH };

typedef struct film {
    const char *path;
    outfile *file;
    double size[2], rate; /* pixels; frames in a second */
    scene scene;
    kept_rows rows; /* of the run; between them lie the frames */
    raster picture;
    unsigned char *background, *letters; /* the pictures of gnuplot */
    int cell, line, digits;              /* pixels of a letter; letters of a time */
    int decimals;                        /* of a time; -1: four digits */
} film;

/* For each end of a name: how ffmpeg encodes, and in which container. */
#define COLOURS "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"
static const struct encoding {
    const char *end;
    bool video; /* it takes the bytes of raster_video() */
    const char *words[20];
} encodings[] = {
    {"mp4", true, {"-c:v", "libx264", "-preset", "veryfast", COLOURS, "-f", "mp4"}},
    {"webm",
     true,
     {"-c:v", "libvpx-vp9", "-b:v", "0", "-crf", "32", "-deadline", "realtime", "-cpu-used", "8",
      COLOURS, "-f", "webm"}},
    {"gif", false, {"-vf", "split[a][b];[a]palettegen[c];[b][c]paletteuse", "-f", "gif"}},
};

static const struct encoding *encoding_of(const char *path)
{
    const char *dot_at = strrchr(path, '.');
    for (size_t i = 0; dot_at != NULL && i < COUNT(encodings); i++)
        if (strcmp(encodings[i].end, dot_at + 1) == 0)
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
              "--size and --fps can be used only with --film: add --film FILE");
    if (path == NULL)
        return 0;
    TRY(refuse_both(given, "--film", "--checkpoint")); /* snapshots do not have its frames */
    film *f = memory_new(1, sizeof *f);
    *f = (film){.path = path, .size = {1920, 1080}, .rate = 30};
    *out = f;
    REFUSE_IF(encoding_of(f->path) == NULL,
              "--film " WORDS " has no known suffix: end the name in .mp4, .webm or .gif", f->path);
    if (size != NULL) {
        f->size[0] = (double)strtol(size, &end, 10);
        if (*end == 'x')
            f->size[1] = (double)strtol(end + 1, &end, 10);
        else
            f->size[1] = 0.0;
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
              "--film needs ffmpeg, which was not found: install the package ffmpeg and run the "
              "command again");
    return file_open(f->path, &f->file);
}

/* The centre of mass from the point the body turns about, in principal axes. */
static ph_vec3 centre_of(const ph_system *system, const ph_array *axes)
{
    size_t count = 0;
    const double *value = NULL;
    const ph_parameter *p = NULL;
    if (system)
        p = ph_system_parameters(system, &count, &value);
    for (size_t i = 0; i < count; i++)
        if (strcmp(p[i].name, "centre") == 0) {
            const double *c = value + p[i].first;
            const ph_vec3 in_body = vec3(c[0], c[1], c[2]);
            if (axes)
                return rotate_back(field_quat(axes, 0), in_body);
            return in_body;
        }
    return vec3(0.0, 0.0, 0.0);
}

/* A top with the moments of the body: a thin elliptic disc, centred at the height l on an axle along axis
 * k. With x = (I1 + I2 + I3)/2 - I, which are the squares of the edges, and mass 1: l^2 is x[k], and the
 * squares of the other semi-axes are 4 x. */
static void make_top(scene *f, int k, double sign)
{
    static const double disc = 1.15, height = 1.25; /* at most, in the picture */
    const int a = (k + 1) % 3, b = (k + 2) % 3;
    const double radius = 2.0 * larger_or_nan(f->edges[a], f->edges[b]), l = f->edges[k];
    double size = height / l;
    if (radius * height > l * disc)
        size = disc / radius;
    const double lift = larger_or_nan(l * size, 0.3); /* else it would touch the ground */
    f->axle = k + 1;
    f->edges[a] *= 4.0 * size;
    f->edges[b] *= 4.0 * size;
    f->lift = vec3(sign * lift * (k == 0), sign * lift * (k == 1), sign * lift * (k == 2));
}

static int begin_film(void *self, const instant *now, const ph_system *system)
{
    scene *f = &((film *)self)->scene;
    const ph_array *J = instant_field(now, "moments");
    if (J == NULL)
        J = instant_field(now, "inertia");
    REFUSE_IF(instant_field(now, "attitude") == NULL || instant_field(now, "momentum") == NULL ||
                  instant_field(now, "velocity") == NULL || J == NULL,
              "--film can show only one body: run a problem of one body, or use `polhode view`");
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
            make_top(f, k, sign_of(c[k]));
    if (f->axle != 0)
        return 0;
    for (int k = 0; k < 3; k++) {
        if (f->edges[k] > 0.03 * longest)
            f->edges[k] = 2.0 * f->edges[k] / longest;
        else
            f->edges[k] = 0.06;
    }
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
    ph_quat body = q;
    if (axes != NULL)
        body = mul(q, field_quat(axes, 0));
    const ph_vec3 m = rotate(q, field_vector(instant_field(now, "momentum"), 0)),
                  w = rotate(q, field_vector(instant_field(now, "velocity"), 0));
    const double row[WIDTH] = {now->t, body.w, body.x, body.y, body.z, m.x,
                               m.y,    m.z,    w.x,    w.y,    w.z};
    kept_rows_add(&f->rows, row, WIDTH, false);
}

/* Between two rows: attitudes along the shorter way. */
static void make_frame(double *row, const double *a, const double *b, double part)
{
    double product = 0.0, length = 0.0;
    for (int k = 1; k < 5; k++)
        product += a[k] * b[k];
    for (int k = 0; k < WIDTH; k++) {
        const bool negated = k > 0 && k < 5 && product < 0.0;
        row[k] = a[k] + part * ((negated ? -b[k] : b[k]) - a[k]);
    }
    for (int k = 1; k < 5; k++)
        length = hypot(length, row[k]);
    for (int k = 1; k < 5; k++)
        row[k] /= length;
}

enum { TIME_TEXT = 32 };

static void time_text(const film *f, double t, char text[TIME_TEXT])
{
    if (f->decimals < 0)
        (void)snprintf(text, TIME_TEXT, "%.4g", t);
    else
        (void)snprintf(text, TIME_TEXT, "%.*f", f->decimals, t);
}

static void make_frames(film *f, size_t frames)
{
    const kept_rows *k = &f->rows;
    const double *first = k->row, *last = k->row + (k->count - 1) * WIDTH;
    double *row = memory_new(frames * WIDTH, sizeof *row);
    size_t at = 0;
    for (size_t i = 0; i < frames; i++) {
        const double t = first[0] + (last[0] - first[0]) * (double)i / (double)(frames - 1);
        while (at + 2 < k->count && (k->row[(at + 1) * WIDTH] - t) * (last[0] - first[0]) < 0.0)
            at++;
        const double *a = k->row + at * WIDTH, *b = a + WIDTH;
        make_frame(row + i * WIDTH, a, b, (t - a[0]) / (b[0] - a[0]));
    }
    f->scene.frame = row;
    f->scene.count = frames;
    /* As many decimals as show each frame; else a few digits. */
    const double each = fabs(last[0] - first[0]) / (double)(frames - 1),
                 most = larger_or_nan(fabs(first[0]), fabs(last[0]));
    double decimals = 0.0;
    if (each < 1.0)
        decimals = ceil(-log10(each)); /* infinite where `each` is 0 */
    if (decimals > 5.0 || most >= 1e6)
        f->decimals = -1;
    else
        f->decimals = (int)decimals;
    const double ends[] = {first[0], last[0]};
    if (f->decimals < 0)
        f->digits = 10;
    for (int end = 0; end < 2 && f->decimals >= 0; end++) {
        char text[TIME_TEXT];
        time_text(f, ends[end], text);
        f->digits = larger_int(f->digits, (int)strlen(text));
    }
}

/* ---- letters -------------------------------------------------------------------------- */

/* The names of what is seen. */
static void put_legend(const scene *s, FILE *script)
{
    const struct entry {
        bool seen;
        const char *text;
        unsigned ink;
    } all[] = {{s->longest[0] > 0.0, "angular momentum", INK_MOMENTUM},
               {s->longest[1] > 0.0, "angular velocity", INK_VELOCITY},
               {s->has_path, s->axle ? "path of the end of the axle" : "path of axis 3", INK_PATH},
               {s->axle != 0, "gravity", INK_GRAVITY}};
    const char *entries = "", *inks = "";
    for (size_t i = 0; i < COUNT(all); i++) {
        if (all[i].seen) {
            entries = memory_text("%s\"%s\" ", entries, all[i].text);
            inks = memory_text("%s#%06X ", inks, all[i].ink);
        }
    }
    plot_text(script, "entries", entries);
    plot_text(script, "inks", inks);
}

static bool write_script(const film *f, FILE *script, const char *title)
{
    const scene *s = &f->scene;
    static const char *const names[] = {"width", "height", "edge1", "edge2", "edge3", "lift1",
                                        "lift2", "lift3",  "axle",  "cell",  "line",  "digits"};
    const double values[] = {f->size[0],  f->size[1], s->edges[0], s->edges[1],
                             s->edges[2], s->lift.x,  s->lift.y,   s->lift.z,
                             s->axle,     f->cell,    f->line,     f->digits};
    plot_text(script, "caption", title);
    put_legend(s, script);
    for (size_t i = 0; i < COUNT(names); i++)
        plot_number(script, names[i], values[i]);
    return plot_template(script, "film") && fflush(script) == 0 && fseek(script, 0, SEEK_SET) == 0;
}

/* Runs a program from one file to another; false if it failed. */
static bool convert(const char *const words[], FILE *from, FILE *to)
{
    pid_t child;
    return fseek(from, 0, SEEK_SET) == 0 &&
           child_start(&child, words, (const int[]){fileno(from), fileno(to), -1}) == 0 &&
           child_wait(child, &interrupted) == 0;
}

/* Makes the background and the letters: NULL, or what failed. */
static const char *make_letters(film *f, const char *title)
{
    static const char *const gnuplot[] = {"gnuplot", "-d", "-", NULL}, *const decode[] = {
                                                                           "ffmpeg",     "-f",
                                                                           "image2pipe", "-c:v",
                                                                           "png",        "-i",
                                                                           "-",          "-f",
                                                                           "rawvideo",   "-pix_fmt",
                                                                           "rgb24",      "-",
                                                                           NULL};
    const size_t size = 3 * (size_t)f->picture.width * (size_t)f->picture.height;
    FILE *script = tmpfile(), *drawn = tmpfile(), *bytes = tmpfile();
    const char *wrong = NULL;
    f->background = memory_new(size, 1);
    f->letters = memory_new(size, 1);
    if (script == NULL || drawn == NULL || bytes == NULL || !write_script(f, script, title))
        wrong = "a temporary file cannot be written";
    else if (!convert(gnuplot, script, drawn))
        wrong = "gnuplot failed";
    else if (!convert(decode, drawn, bytes) || fseek(bytes, 0, SEEK_SET) != 0 ||
             fread(f->background, 1, size, bytes) != size ||
             fread(f->letters, 1, size, bytes) != size)
        wrong = "ffmpeg failed";
    FILE *const files[] = {script, drawn, bytes};
    for (size_t i = 0; i < COUNT(files); i++)
        if (files[i] != NULL)
            (void)fclose(files[i]);
    return wrong;
}

/* Writes the time behind `t =`. */
static void draw_time(const film *f, double t)
{
    static const char all[] = "0123456789.-+e"; /* as in film.gp */
    char text[TIME_TEXT];
    time_text(f, t, text);
    const int width = f->picture.width;
    int x = width - (f->digits + 1) * f->cell + f->cell / 2,
        top = (int)(0.045 * f->picture.height) - f->line / 2;
    for (const char *c = text; *c != '\0'; c++) {
        const char *found = strchr(all, *c);
        const int narrow = *c == '.' ? f->cell / 4 : 0, cut = f->cell - 2 * narrow;
        if (found == NULL || x + cut > width)
            break;
        const int from = (int)(found - all) * f->cell + narrow;
        for (int y = 0; y < f->line && top + y >= 0; y++) {
            const size_t to = (size_t)(top + y) * (size_t)width + (size_t)x,
                         at = (size_t)y * (size_t)width + (size_t)from;
            memcpy(f->picture.pixel + 3 * to, f->letters + 3 * at, 3 * (size_t)cut);
        }
        x += cut;
    }
}

/* ---- frames --------------------------------------------------------------------------- */

static bool write_frames(film *f, int to)
{
    const size_t pixels = (size_t)f->picture.width * (size_t)f->picture.height, all = 3 * pixels;
    const bool video = encoding_of(f->path)->video;
    size_t size = all;
    unsigned char *bytes = f->picture.pixel;
    if (video) {
        size = all / 2;
        bytes = memory_new(size, 1);
    }
    bool good = true;
    progress_begin(false);
    for (size_t i = 0; i < f->scene.count && good && !interrupted; i++) {
        memcpy(f->picture.pixel, f->background, all);
        scene_draw(&f->scene, &f->picture, i);
        draw_time(f, f->scene.frame[i * WIDTH]);
        if (video)
            raster_video(&f->picture, bytes);
        for (size_t done = 0; done < size && good && !interrupted;) {
            const ssize_t n = write(to, bytes + done, size - done);
            good = n > 0 || (n < 0 && errno == EINTR);
            if (n > 0)
                done += (size_t)n;
        }
        progress_show(i + 1, (double)(i + 1) / (double)f->scene.count);
    }
    progress_end();
    return good;
}

/* Where the film is until it is complete. */
static const char *written_path(const film *f)
{
    return text_or(f->file->beside, f->file->path);
}

/* Frames through a pipe to ffmpeg: NULL, or what failed. */
static const char *encode(film *f)
{
    const char *words[32] = {
        "ffmpeg",     "-y",
        "-f",         "rawvideo",
        "-pix_fmt",   encoding_of(f->path)->video ? "yuv420p" : "rgb24",
        "-s",         memory_text("%dx%d", f->picture.width, f->picture.height),
        "-framerate", memory_text("%g", f->rate),
        "-i",         "-"};
    const struct encoding *e = encoding_of(f->path);
    size_t n = 12;
    for (size_t i = 0; e->words[i] != NULL; i++)
        words[n++] = e->words[i];
    words[n] = memory_text("file:%s", written_path(f));
    int ends[2];
    pid_t child;
    if (pipe(ends) != 0)
        return strerror(errno);
    if (fcntl(ends[0], F_SETFD, FD_CLOEXEC) != 0 ||
        fcntl(ends[1], F_SETFD, FD_CLOEXEC) != 0 || /* else no one sees the end of it */
        child_start(&child, words, (const int[]){ends[0], -1, -1}) != 0) {
        (void)close(ends[0]);
        (void)close(ends[1]);
        return "ffmpeg cannot be started";
    }
    (void)close(ends[0]);
    const bool written = write_frames(f, ends[1]);
    (void)close(ends[1]);
    if (child_wait(child, &interrupted) == 0 && written)
        return NULL;
    return "ffmpeg failed";
}

/* Counts the frames of a film that is written: ffmpeg reads it and prints a line for each. */
static size_t count_frames(const char *path)
{
    const char *const words[] = {
        "ffmpeg", "-v",       "error", "-i", memory_text("file:%s", path), "-c", "copy",
        "-f",     "framecrc", "-",     NULL};
    static const char COMMENT = '#';
    FILE *from = fopen("/dev/null", "r"), *lines = tmpfile();
    size_t count = 0;
    int before = '\n';
    if (from != NULL && lines != NULL && convert(words, from, lines)) {
        rewind(lines);
        for (int c; (c = getc(lines)) != EOF; before = c)
            count += before == '\n' && c != COMMENT;
    }
    if (from != NULL)
        (void)fclose(from);
    if (lines != NULL)
        (void)fclose(lines);
    return count;
}

/* NULL, or what is wrong with the film. On a full disk ffmpeg may write less and end as if all was
 * well. */
static const char *check_film(const film *f)
{
    const char *path = written_path(f);
    struct stat there;
    if (stat(path, &there) != 0 || !S_ISREG(there.st_mode)) /* a pipe or a device, not read again */
        return NULL;
    if (count_frames(path) != f->scene.count)
        return "frames are missing";
    return NULL;
}

static int draw_film(void *self, const char *title, outfile *told)
{
    film *f = self;
    enum { LEAST = 2, MOST = 20 }; /* seconds */
    const kept_rows *k = &f->rows;
    REFUSE_IF(k->count < 2, "--film " WORDS ": there is only one row: give a longer time", f->path);
    const double time = fabs(k->row[(k->count - 1) * WIDTH] - k->row[0]);
    REFUSE_IF(!(time > 0.0 && isfinite(time)),
              "--film " WORDS
              ": the rows span no length of time, or too large a one: give another time",
              f->path);
    const double seconds = smaller_or_nan(larger_or_nan(time, LEAST), MOST);
    const double height = f->size[1];
    f->line = (int)(0.0375 * height);
    f->cell = (int)(0.4 * f->line) + 1;
    make_frames(f, (size_t)(seconds * f->rate + 0.5));
    f->picture = raster_new((int)f->size[0], (int)height);
    scene_fit(&f->scene, &f->picture, 0.03 * f->size[0], 0.09 * height, 0.08 * height);
    const char *wrong = make_letters(f, title);
    if (wrong == NULL)
        wrong = encode(f);
    if (wrong == NULL)
        wrong = check_film(f);
    if (interrupted)
        return EXIT_INTERRUPTED;
    if (wrong != NULL)
        return fail_run("--film " WORDS
                        " cannot be written (%s): free some disk space, or use a smaller --size",
                        f->path, wrong);
    TRY(file_close(f->file, f->path, ""));
    if (told != NULL)
        outfile_print(told, "%s written: %.3g s, each shows %.3g units of time\n", f->path, seconds,
                      time / seconds);
    return 0;
}

const film_maker film_maker_ffmpeg = {
    .open = open_film,
    .begin = begin_film,
    .add = add_to_film,
    .draw = draw_film,
};
