/* svg_checks.c - texts within a picture, and curves that differ. */
#include "support/svg_checks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TRANSLATE "<g transform=\"translate("

enum { MOST_CURVES = 64, LOOK = 160, NAME = 80 };

/* The width of a letter over the size of the font, in DejaVu Sans, the widest of the usual ones. */
static double letter(const char *c)
{
    if ((unsigned char)*c >= 0x80) /* a character of several bytes counts once */
        return ((unsigned char)*c & 0xC0) == 0xC0 ? 0.9 : 0.0;
    if (strchr("ijl.,:;'|!()[] ", *c) != NULL)
        return 0.36;
    if (strchr("mwMW%@+=<>", *c) != NULL)
        return 0.9;
    return *c >= 'A' && *c <= 'Z' ? 0.68 : 0.61;
}

static size_t report(const char *fault, const char *name, const char *what)
{
    print_error("%s: `%s` %s\n", name, what, fault);
    return 1;
}

/* Finds `name="` in a tag and reads the number after it; `otherwise` if there is none. */
static double number_of(const char *tag, const char *end, const char *name, double otherwise)
{
    const char *at = strstr(tag, name);
    return at == NULL || at >= end ? otherwise : strtod(at + strlen(name), NULL);
}

/* The width of a text of several parts, each in a font of its own, and the text alone. */
static double text_width(const char *at, const char *end, double size, char *plain)
{
    double width = 0.0, now = size;
    size_t length = 0;
    while (at < end) {
        if (*at == '<') {
            const char *close = strchr(at, '>');
            now = strncmp(at, "<tspan", 6) == 0 ? number_of(at, close, "font-size=\"", size) : size;
            at = close + 1;
            continue;
        }
        const char *next = at + 1;
        if (*at == '&' && strchr(at, ';') != NULL)
            next = strchr(at, ';') + 1;
        width += now * letter(at);
        if (length + 1 < NAME)
            plain[length++] = *at;
        at = next;
    }
    plain[length] = '\0';
    return width;
}

/* Whether a text of this width fits; the anchor says where in it the point (x, y) is. */
static bool fits(const char *group, double width, double size, const double picture[2])
{
    char *comma;
    const double x = strtod(group + strlen(TRANSLATE), &comma), y = strtod(comma + 1, NULL);
    const char *end = strchr(group, '>'), *anchor = strstr(group, "text-anchor=\"");
    const char which = anchor != NULL && anchor < end ? anchor[strlen("text-anchor=\"")] : 's';
    const double before = which == 'm' ? 0.5 * width : which == 'e' ? width : 0.0, slack = 1.0;
    const bool turned = strstr(group, "rotate(270)") != NULL && strstr(group, "rotate(270)") < end;
    const double from = turned ? y - (width - before) : x - before,
                 to = turned ? y + before : x + width - before, other = turned ? x : y;
    if (strstr(group, "rotate(") != NULL && strstr(group, "rotate(") < end && !turned)
        return true; /* aslant: below bars, where there is room */
    return from >= -slack && to <= picture[turned] + slack && other - 0.8 * size >= -slack &&
           other + 0.25 * size <= picture[!turned] + slack;
}

static size_t check_texts(const char *name, const char *svg)
{
    double picture[2] = {0.0, 0.0};
    const char *head = strstr(svg, "width=\"");
    assert_non_null(head);
    picture[0] = number_of(head, svg + strlen(svg), "width=\"", 0.0);
    picture[1] = number_of(head, svg + strlen(svg), "height=\"", 0.0);
    assert_true(picture[0] > 0.0 && picture[1] > 0.0);
    size_t texts = 0, faults = 0;
    for (const char *at = strstr(svg, "<text>"); at != NULL; at = strstr(at + 1, "<text>")) {
        const char *group = at;
        while (strncmp(group, TRANSLATE, strlen(TRANSLATE)) != 0)
            assert_true(--group > svg);
        const char *end = strstr(at, "</text>");
        char plain[NAME];
        const double size = number_of(group, at, "font-size=\"", 0.0),
                     width = text_width(at + strlen("<text>"), end, size, plain);
        assert_true(size > 0.0);
        if (!fits(group, width, size, picture))
            faults += report("is cut", name, plain);
        texts++;
    }
    assert_true(texts > 1);
    return faults;
}

/* Copies what stands between two words, the first of them after `at` and before `end`. */
static void copy_between(char *to, size_t room, const char *at, const char *end, const char *first,
                         const char *last)
{
    const char *from = strstr(at, first);
    to[0] = '\0';
    if (from == NULL || from >= end)
        return;
    from += strlen(first);
    const size_t length = (size_t)(strstr(from, last) - from);
    (void)snprintf(to, room, "%.*s", (int)length, from);
}

/* The curves with a name, and the entries of the panels of a run: "— w1" in the colour of its curve. */
static size_t check_curves(const char *name, const char *svg)
{
    static char names[MOST_CURVES][NAME], looks[MOST_CURVES][LOOK];
    size_t count = 0, faults = 0;
    for (const char *at = strstr(svg, "<title>"); at != NULL; at = strstr(at + 1, "<title>")) {
        const char *end = strstr(at + 1, "<title>");
        char colour[60], dashes[40], mark[40];
        end = end != NULL ? end : svg + strlen(svg);
        assert_true(count < MOST_CURVES);
        copy_between(names[count], NAME, at, end, "<title>", "</title>");
        if (strcmp(names[count], "Gnuplot") == 0 || strncmp(names[count], "gnuplot_plot", 12) == 0)
            continue;
        const char *drawn = strstr(at, "</text>"); /* behind the name is a sample */
        if (drawn == NULL || drawn >= end)
            continue;
        copy_between(colour, sizeof colour, drawn, end, "rgb(", ")");
        copy_between(dashes, sizeof dashes, drawn, end, "stroke-dasharray='", "'");
        copy_between(mark, sizeof mark, drawn, end, "xlink:href='", "'");
        (void)snprintf(looks[count], LOOK, "%s|%s|%s", colour, dashes, mark);
        for (size_t i = 0; i < count; i++)
            if (strcmp(looks[i], looks[count]) == 0 && strcmp(names[i], names[count]) != 0)
                faults += report("looks like another curve", name, names[count]);
        count++;
    }
    return faults;
}

size_t unreadable(const char *name, const char *svg)
{
    assert_non_null(strstr(svg, "</svg>"));
    const size_t texts = check_texts(name, svg);
    return texts + check_curves(name, svg);
}
