/* page.c - the page as a file with two places in it: one for a run, one for what it may ask. */
#define _POSIX_C_SOURCE 200809L
#include "page.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/files/json.h"
#include "cli/files/memory.h"
#include "cli/tool/tool.h"

/* What web/build.mjs leaves for the tool. */
static const char RUN_PLACE[] = "<!--run-->", CLOSED[] = "connect-src 'none'",
                  OPEN[] = "connect-src 'self'";

/* In JSON, so that nothing looks like a tag. */
#define TAG "\\u003c"

enum { LARGEST_PAGE = 16 << 20 };

/* Reads a file whose path begins where the tool lies; NULL: there is none. */
static char *read_beside(const char *name)
{
    char path[PATH_MAX + 1];
    const char *why;
    size_t size;
    const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX);
    if (length <= 0)
        return NULL;
    path[length] = '\0';
    *strrchr(path, '/') = '\0';
    return file_whole(memory_text("%s/%s", path, name), LARGEST_PAGE, &size, &why);
}

int page_read(char **page)
{
    *page = read_beside("polhode.html");
    if (*page == NULL)
        *page = read_beside("../share/polhode/polhode.html");
    REFUSE_IF(*page == NULL,
              "the page polhode.html was not found: build it with `make web`");
    REFUSE_IF(strstr(*page, RUN_PLACE) == NULL || strstr(*page, CLOSED) == NULL ||
                  strstr(*page, CLOSED) > strstr(*page, RUN_PLACE),
              "the page polhode.html is of another version: build it by `make web`");
    return 0;
}

char *page_with(const char *page, json_t *inside, bool live, size_t *length)
{
    const char *closed = strstr(page, CLOSED), *place = strstr(page, RUN_PLACE),
               *after = place + strlen(RUN_PLACE), *rest = closed + strlen(CLOSED);
    char *json = json_dumps(inside, JSON_COMPACT | JSON_REAL_PRECISION(17));
    size_t tags = 0;
    json_decref(inside);
    for (const char *c = json; *c != '\0'; c++)
        tags += *c == '<';
    char *escaped = memory_new(strlen(json) + strlen(TAG) * tags + 1, 1), *to = escaped;
    for (const char *c = json; *c != '\0'; c++)
        to = *c == '<' ? stpcpy(to, TAG) : stpncpy(to, c, 1);
    free(json);
    char *bytes = memory_text(
        "%.*s%s%.*s<script type=\"application/json\" id=\"run\">%s</script>%s",
        (int)(closed - page), page, live ? OPEN : CLOSED, (int)(place - rest), rest,
        escaped, after);
    *length = strlen(bytes);
    return bytes;
}

/* ---- systems --------------------------------------------------------------------- */

static json_t *parameters_json(const ph_system *s)
{
    size_t count;
    const double *values;
    const ph_parameter *all = ph_system_parameters(s, &count, &values);
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        (void)json_array_append_new(
            list,
            json_pack("{ss so}", "name", all[i].name, "default",
                      json_numbers(values + all[i].first, (size_t)all[i].count, 1)));
    return list;
}

static json_t *fields_json(const ph_system *s)
{
    size_t count;
    const ph_array *all = ph_system_arrays(s, &count);
    json_t *list = json_array();
    for (const ph_array *f = all; f < all + count; f++) {
        double first[PH_ARRAY_WIDTH];
        for (int k = 0; k < f->width; k++)
            first[k] = f->data[k][0];
        (void)json_array_append_new(
            list,
            json_pack("{ss sb sb si sI ss so}", "name", f->name, "shown",
                      (f->use & PH_ARRAY_SHOWN) != 0, "list",
                      (f->use & PH_ARRAY_LIST) != 0, "width", f->width, "count",
                      (json_int_t)f->count, "columns", f->columns, "values",
                      json_numbers(first, f->count == 1 ? (size_t)f->width : 0, 1)));
    }
    return list;
}

json_t *page_facts(ph_system *s)
{
    size_t count;
    const ph_observable *all = ph_system_observables(s, &count);
    json_t *observables = json_array();
    for (const ph_observable *o = all; o < all + count; o++)
        (void)json_array_append_new(
            observables, json_pack("{ss ss si sb sb sb}", "name", o->name, "label",
                                   o->label, "width", o->width, "conserved", o->conserved,
                                   "defect", o->defect, "relative", o->relative));
    return json_pack("{ss so so sf sf so so so}", "kind", ph_system_kind(s), "problem",
                     json_text(ph_system_problem_name(s)), "method",
                     json_text(ph_system_integrator_name(s)), "step", ph_system_step(s),
                     "time", ph_system_time(s), "parameters", parameters_json(s),
                     "fields", fields_json(s), "observables", observables);
}

json_t *page_row(ph_system *s)
{
    size_t count;
    json_t *row = json_pack("[f]", ph_system_time(s));
    const ph_array *fields = ph_system_arrays(s, &count);
    for (const ph_array *f = fields; f < fields + count; f++) {
        for (size_t i = 0; (f->use & PH_ARRAY_SHOWN) && i < f->count; i++) {
            for (int k = 0; k < f->width; k++)
                (void)json_array_append_new(row, json_finite(f->data[k][i * f->stride]));
        }
    }
    (void)json_array_append_new(row, json_finite(ph_system_energy(s)));
    const ph_observable *all = ph_system_observables(s, &count);
    for (const ph_observable *o = all; o < all + count; o++) {
        for (int k = 0; k < o->width; k++)
            (void)json_array_append_new(row, json_finite(o->now[k]));
    }
    return row;
}
