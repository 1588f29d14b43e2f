/* grid.c - a table of words. */
#include "grid.h"

#include <string.h>

#include "base/text.h"
#include "tool/files/memory.h"

#define GAP 2 /* blanks between columns */

void grid_add(grid *g, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    grid_vadd(g, format, values);
    va_end(values);
}

void grid_vadd(grid *g, const char *format, va_list values)
{
    char *text = memory_vtext(format, values);
    for (bool more = true; more; text++) {
        g->cell = memory_more(g->cell, g->count + 1, sizeof *g->cell);
        char *cell = text;
        text += strcspn(text, "\t");
        more = *text == '\t';
        *text = '\0';
        if (strcmp(cell, "nan") == 0 || strcmp(cell, "-nan") == 0)
            cell = memory_text("-");
        g->cell[g->count++] = cell;
    }
    if (g->columns == 0)
        g->columns = g->count;
}

static int width_of(const grid *g, size_t column)
{
    size_t width = 0;
    for (size_t i = column; i < g->count; i += g->columns) {
        const size_t length = strlen(g->cell[i]);
        if (length > width)
            width = length;
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
        const int width = width_of(g, column), right = (int)(g->right >> column & 1U);
        int gap = g->marks >> column & 1U ? 1 : GAP;
        if (column == 0) {
            gap = g->indent;
            before = 0;
        }
        before += (size_t)gap;
        outfile_print(out, "%*s", gap, "");
        if (column == g->columns - 1)
            print_broken(out, g->cell[i], before, g->width);
        else
            outfile_print(out, "%*s", right ? width : -width, g->cell[i]);
        before += (size_t)width;
    }
}

/* A bar within a cell would end it. */
static void print_markdown(const grid *g, outfile *out)
{
    for (size_t i = 0; i < g->count; i++) {
        const size_t column = i % g->columns;
        outfile_print(out, "%s ", text_if(column == 0, "|"));
        for (const char *text = g->cell[i]; *text != '\0'; text++) {
            if (*text == '|')
                outfile_write(out, "\\", 1);
            outfile_write(out, text, 1);
        }
        outfile_print(out, " |%s", text_if(column == g->columns - 1, "\n"));
        for (size_t k = 0; i == g->columns - 1 && k < g->columns; k++)
            outfile_print(out, "%s%s%s", text_if(k == 0, "|"), g->marks >> k & 1U ? ":-:|" : "---|",
                          text_if(k == g->columns - 1, "\n"));
    }
}

void grid_print(grid *g, outfile *out, bool markdown)
{
    if (markdown)
        print_markdown(g, out);
    else
        print_text(g, out);
    *g = (grid){0};
}
