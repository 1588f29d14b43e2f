/* script.c - in the place of gnuplot: the script is read as gnuplot reads it, and nothing of it
 * is of others but data and text in quotes.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "tool/files/picture.h"

typedef struct template
{
    const char *name;
    const char *const *lines;
}
template;
#include "plot_templates.h" /* template_rows, written by the build */

/* ---- lines of the program's own templates ------------------------------------------ */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static const char **all;
static size_t count;

static void sort_lines(void)
{
    for (size_t i = 0; i < sizeof template_rows / sizeof template_rows[0]; i++) {
        for (const char *const *l = template_rows[i].lines; *l != NULL; l++) {
            all = realloc(all, (count + 1) * sizeof *all);
            require(all != NULL, "there is memory");
            all[count++] = *l;
        }
    }
    qsort(all, count, sizeof *all, by_text);
}

static bool is_of_template(const char *line)
{
    if (count == 0)
        sort_lines();
    return bsearch(&line, all, count, sizeof *all, by_text) != NULL;
}

/* ---- lines that are written -------------------------------------------------------- */

/* name = 'text', in which a quote is '."\047".', or name = number. */
static bool is_assignment(const char *line)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzJ0123456789_",
                      quote[] = "'.\"\\047\".'";
    const size_t name = strspn(line, letters);
    if (name == 0 || strncmp(line + name, " = ", 3) != 0)
        return false;
    const char *at = line + name + 3;
    if (*at != '\'') {
        char *end;
        (void)strtod(at, &end);
        return end != at && *end == '\0';
    }
    for (at++; *at != '\0'; at++) {
        if ((unsigned char)*at < ' ')
            return false;
        if (*at == '\'') {
            if (strncmp(at, quote, strlen(quote)) != 0)
                return at[1] == '\0';
            at += strlen(quote) - 1;
        }
    }
    return false;
}

void check_script(FILE *script)
{
    static const char end[] = "EOD";
    char *line = NULL;
    size_t size = 0;
    ssize_t length;
    bool data = false;
    require(fflush(script) == 0 && fseek(script, 0, SEEK_SET) == 0, "a script is read");
    while ((length = getline(&line, &size, script)) > 0) {
        require(line[length - 1] == '\n' && strlen(line) == (size_t)length,
                "lines of a script are whole: %s", line);
        line[length - 1] = '\0';
        if (data) { /* which whatever begins so ends */
            data = strncmp(line, end, strlen(end)) != 0;
            require(data || strcmp(line, end) == 0, "data end by themselves: %s", line);
        } else if (line[0] == '$' && strstr(line, " << EOD") != NULL) {
            data = true;
        } else {
            require(is_assignment(line) || is_of_template(line),
                    "a line of the script is a template's, or sets a value: %s", line);
        }
    }
    require(!data, "data end");
    free(line);
}

bool scripts_are_drawn;

int __wrap_gnuplot_start(void);
int __wrap_gnuplot_start(void)
{
    return scripts_are_drawn ? 0 : ENOENT;
}

int __wrap_gnuplot_draw(FILE *script, plot_format format, outfile *picture,
                        const volatile sig_atomic_t *stop);
int __wrap_gnuplot_draw(FILE *script, plot_format format, outfile *picture,
                        const volatile sig_atomic_t *stop)
{
    (void)format;
    (void)stop;
    check_script(script);
    outfile_write(picture, "drawn\n", strlen("drawn\n"));
    return 0;
}
