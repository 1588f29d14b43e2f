/* rendering.c - one result in all its renderings. */
#include "rendering.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "tool.h"
#include "tool/files/json.h"
#include "tool/files/memory.h"

rendering render_begin_as(rendering_form form, outfile *out)
{
    rendering r = {.out = out, .as = form};
    if (form == AS_JSON) {
        r.all = json_array();
        memory_at_end(json_drop, r.all);
    }
    return r;
}

rendering render_begin(const arguments *given, outfile *out)
{
    rendering_form form = AS_TEXT;
    for (size_t i = 0; i < given->count; i++) {
        const char *name = given->given[i].option->name;
        if (strcmp(name, "--json") == 0)
            form = AS_JSON;
        else if (strcmp(name, "--markdown") == 0)
            form = AS_MARKDOWN;
    }
    return render_begin_as(form, out);
}

int render_end(rendering *r, bool single, size_t flags)
{
    if (r->as != AS_JSON)
        return 0;
    json_t *all = r->all;
    if (single)
        all = json_array_get(r->all, 0);
    if (r->no_memory)
        return fail_memory();
    return put_json(r->out, json_incref(all), flags);
}

/* ---- objects of JSON ---------------------------------------------------------------- */

static json_t *innermost(const rendering *r)
{
    if (r->depth > 0)
        return r->open[r->depth - 1];
    return NULL;
}

/* Opens an object, which its container owns. If it could not be put there it is freed already, and
 * NULL stands for it. */
static void open_object(rendering *r, json_t *object, int failed)
{
    assert(r->depth < RENDERING_DEPTH);
    if (failed != 0)
        object = NULL;
    r->open[r->depth++] = object;
    r->no_memory = r->no_memory || failed != 0;
}

void render_object(rendering *r, const char *key)
{
    if (r->as != AS_JSON)
        return;
    json_t *object = json_object();
    open_object(r, object, json_object_set_new(innermost(r), key, object));
}

void render_item(rendering *r, const char *key)
{
    if (r->as != AS_JSON)
        return;
    json_t *array = r->all, *object = json_object();
    if (r->depth > 0)
        array = json_object_get(innermost(r), key);
    if (array == NULL && json_object_set_new(innermost(r), key, json_array()) == 0)
        array = json_object_get(innermost(r), key);
    open_object(r, object, json_array_append_new(array, object));
}

void render_close(rendering *r)
{
    r->depth -= r->as == AS_JSON;
}

void render_value(rendering *r, const char *key, json_t *value)
{
    if (r->as == AS_JSON && value != NULL)
        r->no_memory = json_object_set_new(innermost(r), key, value) != 0 || r->no_memory;
    else
        json_decref(value);
}

/* ---- values ------------------------------------------------------------------------- */

enum { KEY = 64 }; /* bytes of the longest key */

/* Returns the value of a word whose key begins with a question mark. */
static json_t *word_value(const char *word)
{
    if (strcmp(word, "?") == 0)
        return json_null();
    const bool yes = strcmp(word, "yes") == 0;
    if (yes || strcmp(word, "no") == 0)
        return json_boolean(yes);
    return json_text(word);
}

/* Returns the value of a whole number by its conversion, `longs` letters l. */
static json_int_t whole_number(va_list *values, char conversion, int longs)
{
    const bool is_signed = conversion == 'd' || conversion == 'i';
    if (longs == 0) {
        if (is_signed)
            return va_arg(*values, int);
        return (json_int_t)va_arg(*values, unsigned);
    }
    if (longs == 1) {
        if (is_signed)
            return va_arg(*values, long);
        return (json_int_t)va_arg(*values, unsigned long);
    }
    return (json_int_t)va_arg(*values, unsigned long long);
}

/* Sets the values of a format under their keys. */
static void put_values(rendering *r, const char *keys, const char *format, va_list *values)
{
    while ((format = strchr(format, '%')) != NULL) {
        int longs = 0;
        format++;
        for (; strchr("-+ #0123456789.*lz", *format) != NULL; format++) {
            if (*format == '*')
                (void)va_arg(*values, int);
            longs += *format == 'l' || *format == 'z';
        }
        const char conversion = *format++;
        if (conversion == '%')
            continue;
        keys += strspn(keys, " ");
        const int length = (int)strcspn(keys, " ");
        const bool word = *keys == '?';
        char key[KEY];
        (void)snprintf(key, sizeof key, "%.*s", length - word, keys + word);
        json_t *value;
        if (conversion == 's') {
            const char *text = va_arg(*values, const char *);
            if (word)
                value = word_value(text);
            else
                value = json_text(text);
        } else if (strchr("eEfFgG", conversion) != NULL) {
            value = json_finite(va_arg(*values, double));
        } else {
            value = json_integer(whole_number(values, conversion, longs));
        }
        if (length > 0 && strcmp(key, "-") != 0) {
            r->no_memory = r->no_memory || value == NULL;
            render_value(r, key, value);
        } else {
            json_decref(value);
        }
        keys += length;
    }
}

void render(rendering *r, rendering_use use, const char *keys, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    if (r->as == AS_JSON)
        put_values(r, keys, format, &values);
    else if (use == RENDER_LINE)
        outfile_vprint(r->out, format, values);
    else if (use == RENDER_CELLS)
        grid_vadd(&r->table, format, values);
    va_end(values);
}

void render_numbers(rendering *r, const char *key, const char *label, int width, int digits,
                    const double *x, size_t count)
{
    if (r->as == AS_JSON && key != NULL)
        render_value(r, key, json_values(x, count));
    render_text(r, "%-*s", width, label);
    for (size_t k = 0; k < count; k++)
        render_text(r, "%s%.*g", k == 0 ? " " : ", ", digits, x[k]);
    render_text(r, "\n");
}

void render_table(rendering *r)
{
    if (r->table.count > 0)
        grid_print(&r->table, r->out, r->as == AS_MARKDOWN);
}
