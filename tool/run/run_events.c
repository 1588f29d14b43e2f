/* run_events.c - the conditions of --events: their windows, as text, JSON and a file. */
#include "system/events.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "request.h"
#include "tool/files/memory.h"

/* One of --events; a name before a colon, else the condition is its name. */
static int read_event(run_request *r, const char *text, size_t number)
{
    const char *colon = strchr(text, ':');
    size_t length = strcspn(text, ":");
    while (length > 0 && text[length - 1] == ' ')
        length--;
    REFUSE_IF(length == 0,
              "--events " WORDS ": there is no name before the colon: write NAME: CONDITION", text);
    run_events *e = &r->events;
    ph_expression *condition = NULL;
    e->name[number] = memory_text("%.*s", (int)length, text);
    if (colon != NULL)
        e->text[number] = colon + 1;
    else
        e->text[number] = text;
    TRY(condition_read(r->system, r->show.epoch, r->problem, e->text[number], "--events",
                       &condition));
    e->event[number] = (ph_event){.condition = condition};
    return 0;
}

int events_read(run_request *r)
{
    const arguments *given = r->given;
    const option *o = option_named(given, "--events");
    const char *file = argument(given, "--events-out");
    run_events *e = &r->events;
    e->name = memory_new(given->count, sizeof *e->name);
    e->text = memory_new(given->count, sizeof *e->text);
    e->event = memory_new(given->count, sizeof *e->event);
    for (size_t i = 0; i < given->count; i++) {
        if (given->given[i].option != o)
            continue;
        TRY(read_event(r, given->given[i].value, e->count));
        e->count++;
    }
    e->path = file;
    if (e->count == 0) {
        if (file == NULL)
            return 0;
        return fail_usage("--events-out needs --events: add a condition");
    }
    TRY(refuse_both(given, "--events", "--checkpoint"));
    const bool rows = r->out != NULL && strcmp(r->out, "-") == 0;
    REFUSE_IF(rows && file == NULL, "--events cannot print its table with --out -, which prints "
                                    "rows: name a file with --events-out");
    if (file == NULL)
        return 0;
    const file_format *format = file_format_of(file);
    REFUSE_IF(format == NULL || strcmp(format->suffix, "csv") != 0 || strcmp(file, "-") == 0,
              "--events-out " WORDS ": the table is written as CSV: end the name in .csv", file);
    REFUSE_IF(r->out != NULL && file_same(file, r->out),
              "--events-out " WORDS " is named twice as an output: give each its own file", file);
    return 0;
}

static void free_list(void *list)
{
    ph_window_list_free(list);
}

int events_begin(run_events *e)
{
    e->search = memory_new(e->count, sizeof *e->search);
    e->list = memory_new(1, sizeof *e->list);
    memory_at_end(free_list, e->list);
    for (size_t i = 0; i < e->count; i++)
        e->search[i] = (event_search){.event = &e->event[i], .number = i, .list = e->list};
    if (e->path != NULL)
        return file_open(e->path, &e->file);
    return 0;
}

/* A name, in quotes where CSV needs them. */
static void print_name(outfile *out, const char *name)
{
    if (strpbrk(name, ",\"\n\r") == NULL) {
        outfile_print(out, "%s", name);
        return;
    }
    outfile_print(out, "\"");
    for (const char *c = name; *c != '\0'; c++)
        outfile_print(out, *c == '"' ? "\"\"" : "%c", *c);
    outfile_print(out, "\"");
}

void events_write_window(outfile *out, const char *name, const ph_window *w)
{
    print_name(out, name);
    outfile_print(out, ",%.17g,%.17g,%.17g,%.17g\n", w->enter, w->leave, w->extremum_time,
                  w->extremum);
}

int events_close(run_events *e)
{
    if (e->file == NULL)
        return 0;
    outfile_print(e->file, "event,enter,leave,extremum_time,extremum\n");
    for (size_t i = 0; i < e->list->count; i++) {
        const ph_window *w = &e->list->windows[i];
        events_write_window(e->file, e->name[w->event], w);
    }
    outfile *file = e->file;
    e->file = NULL;
    return file_close(file, e->path, "");
}

bool events_proved(const run_events *e, const char *until, const ph_event *end)
{
    bool proved = until == NULL || end->proof == PH_EVENT_PROVED;
    for (size_t i = 0; i < e->count; i++)
        proved = proved && e->event[i].proof == PH_EVENT_PROVED;
    return proved;
}

void events_warn(const run_events *e, const char *until, const ph_event *end)
{
    char why[PH_MESSAGE];
    if (until != NULL && ph_event_warning(end, why))
        warn("`" WORDS "`: %s", until, why);
    for (size_t i = 0; i < e->count; i++) {
        if (ph_event_warning(&e->event[i], why))
            warn("`" WORDS "`: %s", e->text[i], why);
    }
}

static void render_windows(const run_events *e, rendering *to)
{
    render_text(to, "\nWindows in which a condition holds\n");
    for (size_t k = 0; k < e->count; k++) {
        bool any = false;
        render_text(to, "%s\n", e->name[k]);
        for (size_t i = 0; i < e->list->count; i++) {
            const ph_window *w = &e->list->windows[i];
            if (w->event != k)
                continue;
            const double angle = ph_condition_angle(e->event[k].condition, w->extremum);
            render_text(to, "    t = %.10g to %.10g, for %.6g; extremum %.6g at %.10g", w->enter,
                        w->leave, w->leave - w->enter, w->extremum, w->extremum_time);
            if (!isnan(angle))
                render_text(to, ", angle %.6g deg", angle * 180.0 / PH_PI);
            render_text(to, "\n");
            any = true;
        }
        if (!any)
            render_text(to, "    none\n");
    }
}

void events_render(const run_events *e, rendering *to)
{
    if (e->count == 0)
        return;
    if (e->path == NULL)
        render_windows(e, to);
    json_t *all = json_array();
    for (size_t i = 0; i < e->list->count; i++) {
        const ph_window *w = &e->list->windows[i];
        const double angle = ph_condition_angle(e->event[w->event].condition, w->extremum);
        json_t *row =
            json_pack("{ss so so so so}", "event", e->name[w->event], "enter",
                      json_finite(w->enter), "leave", json_finite(w->leave), "extremum_time",
                      json_finite(w->extremum_time), "extremum", json_finite(w->extremum));
        if (!isnan(angle))
            json_object_set_new(row, "angle", json_finite(angle));
        json_array_append_new(all, row);
    }
    render_value(to, "events", all);
}
