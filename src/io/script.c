/* script.c - what all gnuplot scripts begin with. */
#define _POSIX_C_SOURCE 200809L
#include "io/script.h"

#include <stdarg.h>
#include <string.h>
#include <strings.h>

plot_format plot_format_of(const char *path)
{
    const char *dot = strrchr(path, '.');
    if (dot != NULL && strcasecmp(dot, ".svg") == 0)
        return PLOT_SVG;
    if (dot != NULL && strcasecmp(dot, ".png") == 0)
        return PLOT_PNG;
    return PLOT_NONE;
}

void put(FILE *f, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vfprintf(f, format, arguments);
    va_end(arguments);
}

void put_canvas(FILE *f, plot_format format, int width, int height)
{
    put(f, "canvas = \"size %d,%d noenhanced background 'white' font 'sans-serif,14'\"\n",
        width, height);
    if (format == PLOT_SVG)
        put(f, "set terminal svg @canvas\nP = 0.65\n");
    else
        put(f, "P = 1.1\n"
               "if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) {\n"
               "set terminal pngcairo @canvas fontscale 0.8\n"
               "} else {\n"
               "set terminal png @canvas\n"
               "}\n");
}
