/* picture.c - gnuplot scripts: values, data in CSV, and a template that draws them; gnuplot. */
#define _POSIX_C_SOURCE 200809L
#include "tool/files/picture.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/choice.h"
#include "tool/files/file_text.h"
#include "tool/files/posix.h"

/* ---- gnuplot scripts -------------------------------------------------------------- */

typedef struct template
{
    const char *name;
    const char *const *lines; /* up to a NULL */
}
template;

#include "plot_templates.h" /* template_rows, written by the build */

static const char *const suffixes[] = {
    [PLOT_NONE] = "png", [PLOT_SVG] = "svg", [PLOT_PNG] = "png", [PLOT_PDF] = "pdf"};

plot_format plot_format_of(const char *path)
{
    const char *dot = strrchr(path, '.');
    plot_format f = dot == NULL ? PLOT_NONE : PLOT_PDF;
    while (f > PLOT_NONE && strcasecmp(dot + 1, suffixes[f]) != 0)
        f--;
    return f;
}

void plot_begin(FILE *script, plot_format format, const char *title)
{
    plot_text(script, "format", suffixes[format]);
    plot_text(script, "caption", title);
}

void plot_text(FILE *script, const char *name, const char *text)
{
    (void)fprintf(script, "%s = '", name);
    for (size_t length = strlen(text), n; length > 0; text += n, length -= n) {
        const size_t shown = text_character(text, length);
        n = larger_size(shown, 1);
        if (*text == '\'') /* a doubled one at the beginning gnuplot takes for the end */
            (void)fputs("'.\"\\047\".'", script);
        else
            (void)fprintf(script, "%.*s", (int)n, shown == 0 ? "?" : text);
    }
    (void)fputs("'\n", script);
}

void plot_number(FILE *script, const char *name, double x)
{
    (void)fprintf(script, "%s = %.17g\n", name, x);
}

void plot_data_begin(FILE *script)
{
    (void)fputs("$csv << EOD\n", script);
}

void plot_data_end(FILE *script)
{
    (void)fputs("EOD\n", script);
}

bool plot_data_file(FILE *script, const char *path)
{
    FILE *f = fopen(path, "r");
    if (f == NULL)
        return false;
    char *line = NULL;
    size_t size = 0;
    ssize_t length;
    plot_data_begin(script);
    while ((length = getline(&line, &size, f)) > 0) {
        while (length > 0 && strchr("\r\n", line[length - 1]) != NULL)
            line[--length] = '\0';
        text_clean(line, (size_t)length, false);
        if (strncmp(line, "EOD", strlen("EOD")) == 0)
            continue; /* it would end the data */
        for (char *c = strpbrk(line, "'`"); c != NULL; c = strpbrk(c, "'`"))
            *c = ' '; /* templates quote words */
        (void)fprintf(script, "%s\n", line);
    }
    plot_data_end(script);
    const bool good = ferror(f) == 0;
    free(line);
    (void)fclose(f);
    return good;
}

/* ---- templates ------------------------------------------------------------------- */

/* The lines of a template, and of those that it loads; false if one is missing. */
static bool put_lines(FILE *script, const char *name, size_t length)
{
    static const char load[] = "load '", ending[] = ".gp'";
    const template *t = template_rows, *end = t + COUNT(template_rows);
    while (t < end && (strncmp(t->name, name, length) != 0 || t->name[length] != '\0'))
        t++;
    bool found = t < end;
    for (size_t i = 0; found && t->lines[i] != NULL; i++) {
        const char *line = t->lines[i], *other = line + strspn(line, " ");
        if (strncmp(other, load, strlen(load)) != 0) {
            (void)fprintf(script, "%s\n", line);
            continue;
        }
        other += strlen(load);
        found = put_lines(script, other, strlen(other) - strlen(ending));
    }
    return found;
}

bool plot_template(FILE *script, const char *template_name)
{
    return put_lines(script, template_name, strlen(template_name));
}

bool plot_end(FILE *script, const char *template_name)
{
    return plot_template(script, "begin") && plot_template(script, template_name) &&
           fflush(script) == 0 && ferror(script) == 0;
}

/* ---- gnuplot as a child process that draws a picture ------------------------------ */

#define CHUNK 16384

int gnuplot_start(void)
{
    static const char *const words[] = {"gnuplot", "--version", NULL};
    pid_t child;
    const int error = child_start(&child, words, (const int[]){-1, -1, -1});
    if (error != 0)
        return error;
    if (child_wait(child, NULL) != 0)
        return GNUPLOT_FAILED;
    return 0;
}

bool gnuplot_found(void)
{
    return gnuplot_start() == 0;
}

/* What the files of a format begin and end with. */
static const struct mark {
    const char *begin, *end;
} marks[] = {[PLOT_NONE] = {"", ""},
             [PLOT_SVG] = {"<?xml", "</svg>"},
             [PLOT_PNG] = {"\x89PNG", "IEND\xae\x42\x60\x82"},
             [PLOT_PDF] = {"%PDF", "%%EOF"}};

enum { ENDS = 16 }; /* more bytes than a mark has, and the ends of lines after it */

/* The first and the last bytes of a picture. */
typedef struct picture_ends {
    size_t first_count, last_count;
    char first[ENDS], last[2 * ENDS];
} picture_ends;

static void note_ends(picture_ends *e, const char *bytes, size_t count)
{
    const size_t more = smaller_size(count, ENDS),
                 head = smaller_size(count, ENDS - e->first_count);
    memcpy(e->first + e->first_count, bytes, head);
    e->first_count += head;
    memcpy(e->last + e->last_count, bytes + count - more, more);
    e->last_count += more;
    if (e->last_count > ENDS) {
        memmove(e->last, e->last + e->last_count - ENDS, ENDS);
        e->last_count = ENDS;
    }
}

static bool is_whole(const picture_ends *e, plot_format format)
{
    const struct mark *m = &marks[format];
    const size_t begin = strlen(m->begin), end = strlen(m->end);
    size_t last = e->last_count;
    while (last > 0 && (e->last[last - 1] == '\n' || e->last[last - 1] == '\r'))
        last--;
    return e->first_count >= begin && memcmp(e->first, m->begin, begin) == 0 && last >= end &&
           memcmp(e->last + last - end, m->end, end) == 0;
}

/* Everything from a pipe into the picture, until *stop is set. Returns its ends. */
static picture_ends copy(int from, outfile *picture, const volatile sig_atomic_t *stop)
{
    picture_ends ends = {0};
    char chunk[CHUNK];
    while (stop == NULL || !*stop) {
        struct pollfd wait = {.fd = from, .events = POLLIN};
        if (poll(&wait, 1, stop == NULL ? -1 : CHILD_LOOK) <= 0)
            continue;
        const ssize_t n = read(from, chunk, sizeof chunk);
        if (n > 0) {
            outfile_write(picture, chunk, (size_t)n);
            note_ends(&ends, chunk, (size_t)n);
        } else if (n == 0 || errno != EINTR) {
            break;
        }
    }
    return ends;
}

/* What gnuplot complains about is not for the user. -d: no settings of the user's. */
int gnuplot_draw(FILE *script, plot_format format, outfile *picture,
                 const volatile sig_atomic_t *stop)
{
    static const char *const words[] = {"gnuplot", "-d", "-", NULL};
    int ends[2];
    if (fflush(script) != 0 || fseek(script, 0, SEEK_SET) != 0 || pipe(ends) != 0)
        return errno;
    pid_t child = -1;
    int error;
    if (fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 && fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0)
        error = child_start(&child, words, (const int[]){fileno(script), ends[1], -1});
    else
        error = errno;
    (void)close(ends[1]);
    if (error == 0) {
        const picture_ends drawn = copy(ends[0], picture, stop);
        if (child_wait(child, stop) != 0)
            error = GNUPLOT_FAILED;
        else if (!is_whole(&drawn, format))
            error = GNUPLOT_INCOMPLETE;
    }
    (void)close(ends[0]);
    return error;
}
