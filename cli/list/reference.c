/* reference.c - all that is known of one thing: what `polhode list NAME` prints. */
#include "reference.h"

#include <stdio.h>
#include <string.h>

#include "cli/tool/grid.h"
#include "cli/tool/tool.h"

enum { VALUE = 120 }; /* bytes of a value */

/* The default of a parameter, as it is written for --set. */
static const char *default_text(const ph_parameter *p, const double *value,
                                char text[VALUE])
{
    size_t used = 0;
    text[0] = '\0';
    for (int k = 0; k < p->count && used < VALUE; k++)
        used += (size_t)snprintf(text + used, VALUE - used, "%s%.10g", k == 0 ? "" : ",",
                                 value[p->first + k]);
    return text;
}

/* Lines of a text, each after a beginning. */
static void print_lines(outfile *out, const char *begin, const char *text)
{
    while (*text != '\0') {
        const size_t length = strcspn(text, "\n");
        outfile_print(out, "%s%.*s\n", begin, (int)length, text);
        text += length + (text[length] == '\n');
    }
}

static void print_keeps(outfile *out, const entry *e, const char *const *names)
{
    const char *const when[] = {"keeps", "without torque"};
    const unsigned kept[] = {e->keeps, e->keeps_free};
    for (int k = 0; k < 2; k++) {
        char list[VALUE] = "";
        for (size_t i = 0; i < PH_KEEPS_COUNT; i++) {
            if ((kept[k] >> i & 1U) != 0)
                text_add(list, sizeof list, names[i]);
        }
        if (k == 0 || kept[0] != kept[1])
            outfile_print(out, "  %s: %s\n", when[k], list[0] == '\0' ? "nothing" : list);
    }
}

static void print_order(outfile *out, const entry *e)
{
    if (e->order == PH_EXACT)
        outfile_print(out, "  order: exact, no error but round-off\n");
    else
        outfile_print(out, "  order: %d%s\n", e->order,
                      e->adaptive ? ", and it chooses its steps" : "");
}

void reference_print(outfile *out, const list_kind *kind, const entry *e,
                     const char *const *keeps_names)
{
    char text[VALUE];
    outfile_print(out, "%s - %s\n  %s%s%s; %s\n", e->name, e->title, kind->name,
                  e->space ? " of the space " : "", e->space ? e->space : "", e->cite);
    if (e->ordered)
        print_order(out, e);
    if (e->integrator)
        print_keeps(out, e, keeps_names);
    if (e->method != NULL)
        outfile_print(out, "  recommended method: %s\n", e->method);
    if (e->equations != NULL) {
        outfile_print(out, "\n");
        print_lines(out, "  ", e->equations);
    }
    if (e->parameter_count > 0)
        outfile_print(out, "\n  Parameters, their defaults, units and ranges:\n");
    for (int i = 0; i < e->parameter_count; i++) {
        const ph_parameter *p = &e->parameters[i];
        outfile_print(out, "    %s=%s", p->name, default_text(p, e->value, text));
        if (strcmp(p->unit, "1") != 0)
            outfile_print(out, " %s", p->unit);
        outfile_print(out, ", %s\n        %s\n", ph_range_text(p->range), p->text);
    }
    for (int i = 0; i < e->table_count; i++)
        outfile_print(out, "    %s=FILE.csv, rows t,x,y,z in s and %s\n        %s\n",
                      e->tables[i].name, e->tables[i].unit, e->tables[i].text);
}

bool reference_markdown(outfile *out, const entry *e)
{
    char text[VALUE];
    outfile_print(out, "## `%s`\n\n%s (%s%s); %s.", e->name, e->title,
                  e->space ? e->space : "", e->space ? "" : "any", e->cite);
    if (e->method != NULL)
        outfile_print(out, " Recommended method: `%s`.", e->method);
    outfile_print(out, "\n\n");
    if (e->equations != NULL) {
        print_lines(out, "    ", e->equations);
        outfile_print(out, "\n");
    }
    if (e->parameter_count == 0)
        return true;
    grid g = {.columns = 5};
    static const char *const heads[] = {"parameter", "unit", "default", "range",
                                        "meaning"};
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
        grid_add(&g, "%s", heads[i]);
    for (int i = 0; i < e->parameter_count; i++) {
        const ph_parameter *p = &e->parameters[i];
        grid_add(&g, "`%s`", p->name);
        grid_add(&g, "%s", p->unit);
        grid_add(&g, "%s", default_text(p, e->value, text));
        grid_add(&g, "%s", ph_range_text(p->range));
        grid_add(&g, "%s", p->text);
    }
    for (int i = 0; i < e->table_count; i++) {
        grid_add(&g, "`%s`", e->tables[i].name);
        grid_add(&g, "%s", e->tables[i].unit);
        grid_add(&g, "none");
        grid_add(&g, "a file, rows t,x,y,z");
        grid_add(&g, "%s", e->tables[i].text);
    }
    const bool whole = grid_print(&g, out, true);
    outfile_print(out, "\n");
    return whole;
}
