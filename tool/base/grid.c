/* grid.c - a table of words. */
#include "grid.h"

#include <string.h>

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
        const bool known = strcmp(cell, "nan") != 0 && strcmp(cell, "-nan") != 0;
        g->cell[g->count++] = known ? cell : memory_text("-");
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
        const int between = g->marks >> column & 1U ? 1 : GAP,
                  gap = column == 0 ? g->indent : between, width = width_of(g, column),
                  right = (int)(g->right >> column & 1U);
        if (column == 0)
            before = (size_t)gap;
        else
            before = before + (size_t)gap;
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
        outfile_print(out, "%s ", column == 0 ? "|" : "");
        for (const char *text = g->cell[i]; *text != '\0'; text++)
            outfile_write(out, *text == '|' ? "\\|" : text, *text == '|' ? 2 : 1);
        outfile_print(out, " |%s", column < g->columns - 1 ? "" : "\n");
        for (size_t k = 0; i == g->columns - 1 && k < g->columns; k++)
            outfile_print(out, "%s%s%s", k == 0 ? "|" : "", g->marks >> k & 1U ? ":-:|" : "---|",
                          k == g->columns - 1 ? "\n" : "");
    }
}

void grid_print(grid *g, outfile *out, bool markdown)
{
    (markdown ? print_markdown : print_text)(g, out);
    *g = (grid){0};
}
