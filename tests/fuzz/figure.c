/* figure.c - the files of a figure: its numbers as CSV, read, written, judged and drawn, and
 * its verdict as JSON, on the page.
 *
 * The first byte says which figure; JSON, a NUL, and CSV follow.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "lab/papers/figure_list.h"
#include "lab/papers/result.h"
#include "tool/files/memory.h"
#include "tool/files/rows.h"

static char *read_file(const char *path)
{
    FILE *f = fopen(path, "r");
    char *text = NULL;
    size_t size = 0;
    require(f != NULL && getdelim(&text, &size, '\0', f) >= 0 && fclose(f) == 0, "%s can be read",
            path);
    return text;
}

static bool same_cell(const cell *a, const cell *b)
{
    if (a->word == NULL || b->word == NULL)
        return a->word == b->word && (a->x == b->x || (isnan(a->x) && isnan(b->x)));
    return strcmp(a->word, b->word) == 0;
}

static void write_table(const table *t, table *copy)
{
    outfile *out = outfile_open("copy.csv");
    require(out != NULL, "a copy can be written");
    table_write_csv(t, out);
    require(outfile_close(out, NULL) == 0 && table_read_csv(copy, "copy.csv"),
            "a copy can be read");
}

/* Whether a name would make a reader take the file for one of another format. The space that
 * precedes a name is not written again, so a copy may begin with such a name. */
static bool names_format(const char *name)
{
    const file_format *f;
    for (size_t i = 0; (f = file_format_at(i)) != NULL; i++) {
        if (f->magic != NULL && strncmp(name, f->magic, strlen(f->magic)) == 0)
            return true;
    }
    return false;
}

/* A table that was written reads back as it was. The one that was read may differ: its
 * quotes are gone. */
static void check_copy(const table *found)
{
    table t, copy;
    write_table(found, &t);
    write_table(&t, &copy);
    require(copy.columns == t.columns && copy.rows == t.rows,
            "a copy of %zu by %zu has %zu by %zu cells", t.rows, t.columns, copy.rows,
            copy.columns);
    for (size_t i = 0; i < t.columns; i++)
        require(strcmp(copy.name[i], t.name[i]) == 0, "column %zu has its name", i);
    for (size_t i = 0; i < t.columns * t.rows; i++)
        require(same_cell(&copy.cell[i], &t.cell[i]), "cell %zu is the same", i);
}

static void check_numbers(const ph_figure *f, const char *path)
{
    table t;
    if (table_read_csv(&t, path)) {
        if (!names_format(t.name[0]))
            check_copy(&t);
        FILE *script = tmpfile();
        require(script != NULL, "a script can be written");
        if (f->plot != NULL)
            require(figure_draw(f, path, script, PLOT_SVG), "a script can be written");
        check_script(script);
        (void)fclose(script);
    }
}

/* No words of a file become a part of the page. */
static void check_page(const ph_figure *f)
{
    result r;
    result_read(&r, f, ".");
    outfile *out = outfile_open("page.html");
    require(out != NULL, "a page can be written");
    page_write(out, &r, 1);
    require(outfile_close(out, NULL) == 0, "a page can be written");
    char *page = read_file("page.html");
    require(strstr(page, "<script") == NULL, "no script is on the page");
    free(page);
    json_t *said = r.finished ? result_json(&r) : NULL;
    require(said != NULL || !r.finished, "a verdict can be written");
    json_decref(said);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t count;
    const ph_figure *const *all = figure_list(&count);
    const uint8_t *end = size == 0 ? NULL : memchr(data + 1, '\0', size - 1);
    if (end == NULL)
        return 0;
    const ph_figure *f = all[data[0] % count];
    const size_t length = (size_t)(end - data) - 1;
    const char *json = result_path(f, ".", "json"), *numbers = result_path(f, ".", "csv");
    write_file(json, data + 1, length);
    write_file(numbers, end + 1, size - length - 2);
    check_numbers(f, numbers);
    check_page(f);
    memory_free();
    empty_folder();
    return 0;
}
