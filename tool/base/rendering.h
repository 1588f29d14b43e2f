/* rendering.h - one result in all its renderings: text for people, JSON, Markdown.
 *
 * A command states each part of its result once, with a printf format for people and the keys
 * under which programs find the values:
 *
 *     render_line(r, "steps error", "%zu steps: error %.1e\n", steps, error);
 *
 * prints "100 steps: error 1.0e-03", or sets "steps": 100 and "error": 0.001 in the JSON object
 * that is open. There is one key for each conversion of the format, in their order. Values beyond
 * the last key, and values whose key is `-`, are for people alone. A number that is not finite is
 * null in JSON. The key of a word may begin with a question mark: then `yes` is true, `no` is false
 * and `?` is null.
 */
#pragma once

#include <jansson.h>

#include "command.h"
#include "grid.h"
#include "polhode/system.h"

typedef enum rendering_form { AS_TEXT, AS_JSON, AS_MARKDOWN } rendering_form;

enum { RENDERING_DEPTH = 8 };

typedef struct rendering {
    outfile *out;
    rendering_form as;
    json_t *all;                   /* the objects of the result, an array; NULL unless AS_JSON */
    bool no_memory;                /* a part of the JSON could not be stored */
    int depth;                     /* how many objects are open */
    json_t *open[RENDERING_DEPTH]; /* the outermost first */
    grid table;                    /* the cells since the last render_table() */
} rendering;

/* Begins the result of a command. The form is JSON if `--json` is given, Markdown if `--markdown`
 * is given, else text. The command need not have these options. render_begin_as() takes the form
 * from the caller. */
rendering render_begin(const arguments *given, outfile *out);
rendering render_begin_as(rendering_form form, outfile *out);

/* The stream for lines that say which files were written; NULL if the result is JSON. */
static inline outfile *render_told(const rendering *r)
{
    return r->as == AS_JSON ? NULL : r->out;
}

/* Ends the result. JSON is printed now, laid out by jansson's flags: as an array of all objects or,
 * if `single`, as its only object. Returns the exit status. */
int render_end(rendering *r, bool single, size_t flags);

/* Open a JSON object, which render_close() closes. render_object() puts it under a key of the
 * object that is open. render_item() appends it to the array under this key or, if no object is
 * open, to the objects of the result. They do not change text and Markdown. */
void render_object(rendering *r, const char *key);
void render_item(rendering *r, const char *key);
void render_close(rendering *r);

/* States values. render_line() prints a line, or a part of one. render_cells() adds cells to the
 * table, with tabs between them; the first ones are its head (grid.h). render_data() is for
 * programs alone. render_text() and render_words() have no keys: they print lines and cells for
 * people alone. */
typedef enum rendering_use { RENDER_LINE, RENDER_CELLS, RENDER_DATA } rendering_use;
__attribute__((format(printf, 4, 5))) void render(rendering *r, rendering_use use, const char *keys,
                                                  const char *format, ...);
#define render_line(r, ...)  render(r, RENDER_LINE, __VA_ARGS__)
#define render_cells(r, ...) render(r, RENDER_CELLS, __VA_ARGS__)
#define render_data(r, ...)  render(r, RENDER_DATA, __VA_ARGS__)
#define render_text(r, ...)  render(r, RENDER_LINE, "", __VA_ARGS__)
#define render_words(r, ...) render(r, RENDER_CELLS, "", __VA_ARGS__)

/* Prints the table, unless it has no cells, and begins a new one. */
void render_table(rendering *r);

/* States numbers: a line with a label of that width and numbers of so many digits, or a number or
 * an array of JSON. A NULL key leaves them out of JSON. */
void render_numbers(rendering *r, const char *key, const char *label, int width, int digits,
                    const double *x, size_t count);

/* States a value of JSON, for programs alone, and drops the caller's reference. Does nothing if the
 * value is NULL. */
void render_value(rendering *r, const char *key, json_t *value);

/* ---- a system by its tables: system_output.c --------------------------------------- */

/* States the fields of a system, or the observables of one of many entries. */
void render_state(rendering *r, const char *key, ph_system *s);

/* States what a motion keeps: the values at the start, and how well they were kept. Vectors are
 * printed with that many digits. */
void render_invariants(rendering *r, const char *key, const ph_observable *all, size_t count,
                       int digits);
