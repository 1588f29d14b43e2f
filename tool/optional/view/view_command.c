/* view_command.c - a page for the browser with a run inside: one that goes on in the page, by the
 * snapshot of its start; or, of what the page cannot compute, its rows. */
#define _XOPEN_SOURCE 700
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/choice.h"
#include "tool/base/tool.h"
#include "tool/files/csv.h"
#include "tool/files/file_table.h"
#include "tool/files/json.h"
#include "tool/files/memory.h"
#include "tool/files/posix.h"
#include "tool/optional/serve/serve.h"
#include "tool/output/loop.h"
#include "tool/run/request.h"
#include "view.help.h"

static const char DEFAULT_PAGE[] = "polhode-view.html";

enum {
    MOST_ROWS = 4000,       /* of a run that is recorded */
    MOST_NUMBERS = 2000000, /* of a table */
    MOST_BYTES = 64 << 20,  /* of a snapshot */
};

/* ---- snapshots ------------------------------------------------------------------- */

static char *base64(const unsigned char *bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *text = memory_new((size + 2) / 3 * 4 + 1, 1), *to = text;
    for (size_t i = 0; i < size; i += 3) {
        const size_t left = size - i;
        unsigned b = (unsigned)bytes[i] << 16;
        if (left > 1)
            b |= (unsigned)bytes[i + 1] << 8;
        if (left > 2)
            b |= bytes[i + 2];
        for (int shift = 18; shift >= 0; shift -= 6)
            *to++ = digits[b >> shift & 63];
        for (size_t pad = left; pad < 3; pad++)
            to[(int)pad - 3] = '=';
    }
    return text;
}

/* The system as a value for the page; NULL if it cannot be made again from its bytes. */
static json_t *snapshot_json(ph_system *s, double length)
{
    ph_system *again = NULL;
    ph_system_set_note(s, NULL);
    const size_t size = ph_system_save(s, NULL, 0);
    unsigned char *bytes = memory_new(size, 1);
    const bool good = size > 0 && ph_system_save(s, bytes, size) == size &&
                      ph_system_from_snapshot(bytes, size, &again) == PH_OK;
    ph_system_destroy(again);
    if (good)
        return json_pack("{ss sf}", "snapshot", base64(bytes, size), "length", fabs(length));
    return NULL;
}

static int view_snapshot(const char *path, json_t **value)
{
    ph_system *s = NULL;
    size_t size;
    const char *why;
    char *bytes = file_whole(path, MOST_BYTES, &size, &why);
    REFUSE_IF(bytes == NULL, "cannot read " WORDS " (%s): give a readable file", path, why);
    file_read(path);
    const ph_status status = ph_system_from_snapshot(bytes, size, &s);
    REFUSE_IF(status != PH_OK, WORDS ": %s: name the snapshot of a run, a scenario or a table",
              path, ph_status_text(status));
    *value = snapshot_json(s, 0.0);
    ph_system_destroy(s);
    if (*value)
        return 0;
    return fail_memory();
}

/* ---- tables ---------------------------------------------------------------------- */

static bool has_columns(const csv *c, const char *const *names)
{
    for (; *names != NULL; names++) {
        if (csv_column(c, *names) == c->columns)
            return false;
    }
    return true;
}

static int table_json(const csv *c, const char *path, const double *x, size_t rows, json_t **value)
{
    static const char *const body[] = {"t", "q0", "q1", "q2", "q3", NULL}, *const spheres[] = {
                                                                               "t", "q1x", "q1y",
                                                                               "q1z", NULL};
    REFUSE_IF(!has_columns(c, body) && !has_columns(c, spheres),
              WORDS ": the columns t and q0,q1,q2,q3, or q1x,q1y,q1z, are missing: name a file "
                    "that `polhode run --out` wrote",
              path);
    REFUSE_IF(rows == 0 || rows * c->columns > MOST_NUMBERS,
              WORDS ": the file has %zu rows of %zu numbers, but a page needs a row and shows at "
                    "most %d numbers: write fewer rows with --every",
              path, rows, c->columns, MOST_NUMBERS);
    json_t *columns = json_array(), *list = json_array();
    for (size_t k = 0; k < c->columns; k++)
        json_add(columns, json_string(c->column[k]));
    for (size_t i = 0; i < rows; i++)
        json_add(list, json_numbers(x + i * c->columns, c->columns, 1));
    *value = json_pack("{s{so so so}}", "table", "name", json_text(path), "columns", columns,
                       "rows", list);
    return 0;
}

static int view_table(const char *path, json_t **value)
{
    table from;
    csv_status status;
    double *x = NULL;
    REFUSE_IF(!table_open(&from, path, &interrupted, NULL), "%s", from.message);
    file_read(path);
    const size_t width = from.in->columns;
    while ((status = table_next(&from)) == CSV_OK) {
        if ((from.rows & (from.rows - 1)) == 0) /* room for twice as many */
            x = memory_more(x, 2 * from.rows, width * sizeof *x);
        memcpy(x + (from.rows - 1) * width, from.row, width * sizeof *x);
    }
    REFUSE_IF(status == CSV_WRONG, "%s", from.message);
    if (status == CSV_STOPPED)
        return stopped("interrupted: nothing was written");
    return table_json(from.in, path, x, (size_t)from.rows, value);
}

/* ---- scenarios and options ------------------------------------------------------- */

/* A step that turns a body by about a tenth of a radian: 1, 2 or 5 times a power of ten. */
static double default_step(const ph_system *s)
{
    const ph_array *w;
    if (ph_system_array_named(s, "velocity", &w) != PH_OK)
        return 0.01;
    const double rate = hypot(*w->data[0], hypot(*w->data[1], *w->data[2]));
    const double x = 0.1 / rate, power = pow(10.0, floor(log10(x)));
    if (!isfinite(power) || !(power > 0.0))
        return 0.01;
    if (x >= 5 * power)
        return 5 * power;
    if (x >= 2 * power)
        return 2 * power;
    return power;
}

static bool record_row(void *rows, loop *l)
{
    json_add(rows, page_row(l->system));
    return true;
}

/* The run of what the page cannot compute. */
static int record_run(const run_request *r, json_t **value)
{
    json_t *rows = json_array(), *facts = page_facts(r->system);
    const observer recording = {.self = rows, .row = record_row};
    loop l = {.observers = &recording,
              .count = 1,
              .system = r->system,
              .time = r->time,
              .steps = r->steps,
              .every = r->steps / MOST_ROWS + 1,
              .interval = r->time / MOST_ROWS};
    const ph_status status = loop_steps(&l);
    *value = json_pack("{s{so so}}", "recording", "facts", facts, "rows", rows);
    if (interrupted)
        return stopped("interrupted at t = %.10g: nothing was written", ph_system_time(r->system));
    if (status != PH_OK)
        return fail_run("step %llu, from t = %.10g, failed: %s: use a smaller step",
                        (unsigned long long)ph_system_steps(r->system) + 1,
                        ph_system_time(r->system), ph_status_text(status));
    return 0;
}

/* Method and step, where none is set: those of a first system of the problem. */
static int choose_defaults(run_request *r, scenario *input)
{
    const setting *v = input->value;
    if (v[KEY_METHOD].is_set && v[KEY_STEP].is_set)
        return 0;
    TRY(run_make_system(r, input));
    if (!v[KEY_METHOD].is_set) {
        const ph_kind *kind = ph_kind_of(r->system);
        if (kind->exact && kind->exact(r->system, 0.0))
            r->method = "exact";
        else
            r->method = kind->reference(r->system);
        input->value[KEY_METHOD] = (setting){.is_set = true, .text = r->method};
    }
    if (!v[KEY_STEP].is_set)
        r->step = default_step(r->system) * sign_of(r->time);
    return 0;
}

static int view_run(const arguments *given, json_t **value)
{
    scenario *input = memory_new(1, sizeof *input);
    run_request *r = memory_new(1, sizeof *r);
    TRY(input_read_scenario(input, given));
    TRY(input_take(input, given, false));
    input->degrees = argument(given, "--degrees") != NULL;
    const setting *v = input->value;
    const need needs[] = {{"--problem", v[KEY_PROBLEM].is_set}};
    TRY(refuse_missing(given, needs, 1));
    r->method = v[KEY_METHOD].text;
    r->step = 0.01;
    r->time = 0.0;
    if (v[KEY_STEP].is_set)
        r->step = v[KEY_STEP].x[0];
    if (v[KEY_TIME].is_set)
        r->time = v[KEY_TIME].x[0];
    TRY(choose_defaults(r, input));
    TRY(run_make_system(r, input));
    *value = snapshot_json(r->system, r->time);
    if (*value != NULL)
        return 0;
    REFUSE_IF(!v[KEY_TIME].is_set, "the page cannot compute this problem or method: add --time, "
                                   "and the page shows rows that the tool computes");
    if (!chooses_steps(r))
        TRY(count_steps(input_line(input, &v[KEY_STEP]), r->step, r->time, &r->steps));
    return record_run(r, value);
}

/* ---- the page -------------------------------------------------------------------- */

/* What is named: a table, a snapshot, or else a scenario. */
static int read_value(const arguments *given, json_t **value)
{
    const char *path = given->operands == 1 ? given->operand[0] : "-";
    const file_format *format = NULL;
    if (strchr(path, '.') != NULL)
        format = file_format_of(path);
    if (format != NULL && format->read_row != NULL && strcmp(path, "-") != 0)
        return view_table(path, value);
    if (file_is_snapshot(path))
        return view_snapshot(path, value);
    return view_run(given, value);
}

/* Shows a file in the user's browser, where there is a display. */
static void show(const char *path)
{
    char *whole = realpath(path, NULL);
    const bool display = getenv("DISPLAY") != NULL || getenv("WAYLAND_DISPLAY") != NULL;
    pid_t child;
    if (whole != NULL && display)
        (void)child_start(&child, (const char *const[]){"xdg-open", whole, NULL},
                          (const int[]){-1, -1, -1});
    free(whole);
}

static int write_page(const char *page, json_t *value, const char *path, outfile *standard)
{
    size_t length;
    const bool to_standard = strcmp(path, "-") == 0;
    const char *bytes = page_with(page, value, false, &length);
    outfile *out = standard;
    if (!to_standard)
        TRY(file_open(path, &out));
    outfile_write(out, bytes, length);
    if (to_standard)
        return 0;
    TRY(file_close(out, path, ""));
    outfile_print(standard, "The page is %s: open it in a browser.\n", path);
    show(path);
    return 0;
}

static int view(const arguments *given, outfile *out)
{
    char *page = NULL;
    json_t *value = NULL;
    const char *path = argument(given, "--out");
    REFUSE_IF(given->operands > 1, "`" WORDS "` is a second file: name at most one",
              given->operand[1]);
    if (given->operands == 1)
        TRY(file_refuse_name(given->operand[0]));
    TRY(page_read(&page));
    const int status = read_value(given, &value);
    if (status == 0)
        return write_page(page, value, text_or(path, DEFAULT_PAGE), out);
    json_decref(value);
    return status;
}

const command command_view = {"view", view_help, view};
