/* yaml.c - a file with one YAML document, read whole by libfyaml. */
#define _POSIX_C_SOURCE 200809L
#include "io/yaml.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LARGEST (64UL << 20) /* bytes of a file */
#define CHUNK   65536UL

/* ---- the bytes ------------------------------------------------------------------- */

static bool read_all(yaml *y, int fd)
{
    size_t room = 0;
    for (;;) {
        if (y->length == room) {
            room += room < CHUNK ? CHUNK : room;
            char *more = room > LARGEST ? NULL : realloc(y->text, room);
            if (more == NULL) {
                errno = room > LARGEST ? EFBIG : ENOMEM;
                return false;
            }
            y->text = more;
        }
        const ssize_t n = read(fd, y->text + y->length, room - y->length);
        if (n == 0)
            return true;
        if (n < 0 && errno != EINTR)
            return false;
        y->length += n > 0 ? (size_t)n : 0;
    }
}

/* How many bytes the character at the beginning of the text has; 0 if it is none of
 * UTF-8, or a control character that YAML does not allow. */
static size_t character(const unsigned char *text, size_t length)
{
    static const struct form {
        unsigned char mask, lead;
        uint32_t least; /* shorter forms are not allowed */
    } forms[] = {
        {0x80, 0x00, 0}, {0xE0, 0xC0, 0x80}, {0xF0, 0xE0, 0x800}, {0xF8, 0xF0, 0x10000}};
    const uint32_t largest = 0x10FFFF, delete = 0x7F;
    for (size_t n = 1; n <= sizeof forms / sizeof forms[0] && n <= length; n++) {
        if ((text[0] & forms[n - 1].mask) != forms[n - 1].lead)
            continue;
        uint32_t code = text[0] & (unsigned char)~forms[n - 1].mask;
        for (size_t i = 1; i < n; i++) {
            if ((text[i] & 0xC0) != 0x80)
                return 0;
            code = code << 6 | (text[i] & 0x3F);
        }
        const bool control =
            code < ' ' ? code != '\t' && code != '\n' && code != '\r' : code == delete;
        return code >= forms[n - 1].least && code <= largest && !control ? n : 0;
    }
    return 0;
}

/* libfyaml takes the rest of a file that is no text for its end. */
static bool is_text(const yaml *y, int *line)
{
    *line = 1;
    for (size_t i = 0; i < y->length;) {
        const size_t n = character((const unsigned char *)y->text + i, y->length - i);
        if (n == 0)
            return false;
        *line += y->text[i] == '\n';
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
            (void)snprintf(
                message, YAML_MESSAGE,
                "more than one document (---): write them into files of their own");
            return false;
        }
    }
    void *at = NULL;
    const struct fy_diag_error *error = fy_diag_errors_iterate(y->complaints, &at);
    if (error == NULL)
        return true;
    *line = error->line;
    (void)snprintf(message, YAML_MESSAGE, "no YAML (%s): correct the syntax", error->msg);
    return false;
}

bool yaml_read(yaml *y, const char *path, char message[YAML_MESSAGE], int *line)
{
    *y = (yaml){0};
    *line = 0;
    const bool standard = strcmp(path, "-") == 0;
    const int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    const bool whole = fd >= 0 && read_all(y, fd);
    const int error = errno;
    if (fd >= 0 && !standard)
        (void)close(fd);
    if (!whole) {
        (void)snprintf(message, YAML_MESSAGE, "cannot be read (%s): give a readable file",
                       strerror(error));
        return false;
    }
    if (!is_text(y, line)) {
        (void)snprintf(message, YAML_MESSAGE,
                       "a byte that is no text: save the file as UTF-8");
        return false;
    }
    (void)snprintf(message, YAML_MESSAGE, "cannot be read (%s): give a readable file",
                   strerror(ENOMEM));
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
