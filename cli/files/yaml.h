/* yaml.h - a file with one YAML document, read whole by libfyaml. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include <libfyaml.h>

#define YAML_MESSAGE 300 /* bytes */

typedef struct yaml {
    char *text; /* the file; the document points into it */
    size_t length;
    struct fy_diag *complaints;
    struct fy_parser *parser;
    struct fy_document *document;
    struct fy_node *root; /* NULL: the file is empty */
} yaml;

/* Reads a file, "-" for standard input. False: `message` says what is wrong, at *line of
 * the file, or 0 where it could not be read at all. Free it in either case. */
bool yaml_read(yaml *y, const char *path, char message[YAML_MESSAGE], int *line);
void yaml_free(yaml *y);

/* The line of a scalar, from 1; that of its neighbour before where it is empty. */
int yaml_line(struct fy_node *scalar, int before);
