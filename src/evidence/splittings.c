/* splittings.c - schemes with the exact free motion and with one of second order. */
#include "evidence/splittings.h"

#include <stdio.h>
#include <string.h>

#include "catalog/find.h"
#include "polhode/polhode.h"

static const char *const FLOWS[SPLIT_FLOWS] = {
    [SPLIT_EXACT] = "exact", [SPLIT_ROTATIONS] = "mr"};

/* Gnuplot's numbers of their marks. */
static const struct {
    const char *scheme;
    size_t hue;
    int mark;
} LOOKS[] = {{"s6_10", 0, 7}, {"verlet", 1, 9},   {"verlet_drift", 1, 9},
             {"s4_6", 3, 13}, {"srkn4_6b", 2, 2}, {"srkn6_14a", 4, 15}};

void split_name(char name[SPLIT_NAME], const char *scheme, size_t flow)
{
    (void)snprintf(name, SPLIT_NAME, "%s+%s", scheme, FLOWS[flow]);
}

int split_kicks(const char *scheme)
{
    const ph_scheme *s = find_scheme(scheme);
    return s == NULL ? 0 : (s->stages - 1) / 2;
}

graph_style split_style(const char *name)
{
    const size_t dash_dotted = 3;
    for (size_t i = 0; i < sizeof LOOKS / sizeof LOOKS[0] * SPLIT_FLOWS; i++) {
        const size_t look = i / SPLIT_FLOWS, flow = i % SPLIT_FLOWS;
        char known[SPLIT_NAME];
        split_name(known, LOOKS[look].scheme, flow);
        if (strcmp(known, name) == 0)
            return (graph_style){.hue = LOOKS[look].hue,
                                 .dash = flow == SPLIT_EXACT ? 0 : dash_dotted,
                                 .mark = LOOKS[look].mark};
    }
    return graph_style_at(0);
}
