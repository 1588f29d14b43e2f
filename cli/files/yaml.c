/* yaml.c - a file with one YAML document, read whole by libfyaml. */
#define _POSIX_C_SOURCE 200809L
#include "cli/files/yaml.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/files/posix.h"
#include "cli/files/text.h"

#define LARGEST         (16UL << 20) /* bytes of a file */
#define MOST_DIRECTIVES 100
#define MOST_ANCHORS    100

__attribute__((format(printf, 2, 3))) static bool wrong(char message[YAML_MESSAGE],
                                                        const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, YAML_MESSAGE, format, arguments);
    va_end(arguments);
    return false;
}

/* Whether libfyaml can read it: it takes the rest of a file that is no text for its end, or
 * reads it for ever, and searches all anchors and directives for each of them. */
static bool is_readable(const yaml *y, char message[YAML_MESSAGE], int *line)
{
    size_t directives = 0, anchors = 0;
    bool line_begins = true;
    *line = 1;
    for (size_t i = 0; i < y->length;) {
        const char c = y->text[i];
        const bool space = c == '\t' || c == '\n' || c == '\r';
        const size_t n = space ? 1 : text_character(y->text + i, y->length - i);
        if (n == 0)
            return wrong(message, "a byte that is no text: save the file as UTF-8");
        directives += line_begins && c == '%';
        anchors += c == '&';
        if (directives > MOST_DIRECTIVES)
            return wrong(message, "more than %d directives (%%): leave them out",
                         MOST_DIRECTIVES);
        if (anchors > MOST_ANCHORS)
            return wrong(message, "more than %d anchors (&): write the values out",
                         MOST_ANCHORS);
        line_begins = c == '\n';
        *line += c == '\n';
        i += n;
    }
    return true;
}

/* ---- the document ---------------------------------------------------------------- */

static void keep_quiet(struct fy_diag *complaints, void *user, const char *text,
                       size_t length)
{
    (void)complaints;
    (void)user;
    (void)text;
    (void)length;
}

/* Reads the next document; false where there is none. */
static bool next_document(yaml *y)
{
    y->document = fy_parse_load_document(y->parser);
    return y->document != NULL;
}

static bool parse(yaml *y, char message[YAML_MESSAGE], int *line)
{
    struct fy_diag_cfg complaints;
    fy_diag_cfg_default(&complaints);
    complaints.fp = NULL;
    complaints.output_fn = keep_quiet;
    complaints.colorize = false;
    y->complaints = fy_diag_create(&complaints);
    *line = 0;
    if (y->complaints == NULL)
        return false;
    fy_diag_set_collect_errors(y->complaints, true);

    /* Keys that stand twice are for the caller to find, who names them. */
    const struct fy_parse_cfg how = {
        .flags = FYPCF_ALLOW_DUPLICATE_KEYS | FYPCF_JSON_NONE | FYPCF_DEFAULT_VERSION_1_2,
        .diag = y->complaints,
    };
    y->parser = fy_parser_create(&how);
    if (y->parser == NULL || fy_parser_set_string(y->parser, y->text, y->length) != 0)
        return false;
    if (next_document(y)) {
        y->root = fy_document_root(y->document);
        struct fy_document *first = y->document;
        const bool more = next_document(y);
        fy_document_destroy(more ? y->document : NULL);
        y->document = first;
        if (more) {
            *line = 1;
            return wrong(message, "more than one document (---): write them into files "
                                  "of their own");
        }
    }
    void *at = NULL;
    const struct fy_diag_error *error = fy_diag_errors_iterate(y->complaints, &at);
    if (error == NULL)
        return true;
    *line = error->line;
    return wrong(message, "no YAML (%s): correct the syntax", error->msg);
}

bool yaml_read(yaml *y, const char *path, char message[YAML_MESSAGE], int *line)
{
    *y = (yaml){0};
    *line = 0;
    const bool standard = strcmp(path, "-") == 0;
    const int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    const bool whole = fd >= 0 && file_bytes(fd, LARGEST, &y->text, &y->length);
    const int error = errno;
    if (fd >= 0 && !standard)
        (void)close(fd);
    if (!whole && y->length >= LARGEST)
        return wrong(message,
                     "is larger than %lu MiB: write long lists of bodies into a table, "
                     "bodies: FILE.csv",
                     LARGEST >> 20);
    if (!whole)
        return wrong(message, "cannot be read (%s): %s", strerror(error),
                     advice(error, "give a readable file"));
    if (!is_readable(y, message, line))
        return false;
    (void)wrong(message, "cannot be read (%s): %s", strerror(ENOMEM), advice(ENOMEM, ""));
    return parse(y, message, line);
}

void yaml_free(yaml *y)
{
    if (y->document != NULL)
        fy_document_destroy(y->document);
    if (y->parser != NULL)
        fy_parser_destroy(y->parser);
    if (y->complaints != NULL)
        fy_diag_destroy(y->complaints);
    free(y->text);
}

int yaml_line(struct fy_node *scalar, int before)
{
    struct fy_token *token = fy_node_get_scalar_token(scalar);
    const struct fy_mark *mark = token == NULL ? NULL : fy_token_start_mark(token);
    return mark == NULL ? before : mark->line + 1;
}
