/* grid.c - a table of words. */
#include "grid.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define GAP  2   /* blanks between columns */
#define CELL 256 /* bytes at most */

void grid_add(grid *g, const char *format, ...)
{
    char text[CELL];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (g->cells == NULL)
        g->cells = json_array();
    if (json_array_append_new(g->cells, json_string_nocheck(text)) == 0)
        g->count++;
    else
        g->failed = true;
}

void grid_add_words(grid *g, const char *const *words, size_t count)
{
    if (g->columns == 0)
        g->columns = count;
    for (size_t k = 0; k < count; k++)
        grid_add(g, "%s", words[k]);
}

static const char *cell(const grid *g, size_t i)
{
    return json_string_value(json_array_get(g->cells, i));
}

void markdown_cell(outfile *out, const char *text)
{
    outfile_print(out, " ");
    for (; *text != '\0'; text++)
        outfile_write(out, *text == '|' ? "\\|" : text, *text == '|' ? 2 : 1);
    outfile_print(out, " |");
}

static int width_of(const grid *g, size_t column)
{
    size_t width = 0;
    for (size_t i = column; i < g->count; i += g->columns) {
        const size_t length = strlen(cell(g, i));
        width = length > width ? length : width;
    }
    return (int)width;
}

void print_broken(outfile *out, const char *text, size_t before, size_t width)
{
    const size_t room = width > before ? width - before : 0;
    while (width > 0 && strlen(text) > room) {
        size_t length = room;
        while (length > 0 && text[length] != ' ')
            length--;
        if (length == 0)
            break;
        outfile_print(out, "%.*s\n%*s", (int)length, text, (int)before, "");
        text += length + 1;
    }
    outfile_print(out, "%s\n", text);
}

static void print_text(const grid *g, outfile *out)
{
    size_t before = 0;
    for (size_t i = 0; i < g->count; i++) {
        const size_t column = i % g->columns;
        const int gap = column == 0               ? g->indent
                        : g->marks >> column & 1U ? 1
                                                  : GAP,
                  width = width_of(g, column), right = (int)(g->right >> column & 1U);
        before = column == 0 ? (size_t)gap : before + (size_t)gap;
        outfile_print(out, "%*s", gap, "");
        if (column == g->columns - 1)
            print_broken(out, cell(g, i), before, g->width);
        else
            outfile_print(out, "%*s", right ? width : -width, cell(g, i));
        before += (size_t)width;
    }
}

static void print_markdown(const grid *g, outfile *out)
{
    for (size_t i = 0; i < g->count; i++) {
        const size_t column = i % g->columns;
        outfile_print(out, "%s", column == 0 ? "|" : "");
        markdown_cell(out, cell(g, i));
        if (column < g->columns - 1)
            continue;
        outfile_print(out, "\n");
        for (size_t k = 0; i < g->columns && k < g->columns; k++)
            outfile_print(out, "%s%s%s", k == 0 ? "|" : "",
                          g->marks >> k & 1U ? ":-:|" : "---|",
                          k == g->columns - 1 ? "\n" : "");
    }
}

bool grid_print(grid *g, outfile *out, bool markdown)
{
    const bool whole = !g->failed;
    if (whole)
        (markdown ? print_markdown : print_text)(g, out);
    json_decref(g->cells);
    *g = (grid){0};
    return whole;
}
