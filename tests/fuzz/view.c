/* view.c - a file of rows, CSV, npy or npz, as a page of `view`.
 *
 * The first byte says which suffix the file has. The page is the one of limits.c, with one script
 * of data in its place, whose columns and numbers are those of the file.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "fuzz.h"
#include "tool/files/csv.h"

static volatile sig_atomic_t never;

/* The table in the page: what stands between the two parts of it. */
static json_t *table_of(const char *page, size_t length)
{
    static const char begin[] = FUZZ_PAGE_BEGIN "<script type=\"application/json\" id=\"run\">",
                      end[] = "</script>" FUZZ_PAGE_END;
    const size_t before = strlen(begin), after = strlen(end);
    require(length > before + after && memcmp(page, begin, before) == 0 &&
                memcmp(page + length - after, end, after) == 0,
            "the page is what it was around the run: %.80s", page);
    const char *text = page + before;
    length -= before + after;
    require(memchr(text, '<', length) == NULL, "no tag is in the data: %.80s", text);
    json_t *value = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
    require(value != NULL, "the data is JSON: %.80s", text);
    return value;
}

/* The rows of the file, read again. */
static void check_table(const json_t *table, const char *path)
{
    char message[CSV_MESSAGE];
    const json_t *columns = json_object_get(table, "columns"),
                 *rows = json_object_get(table, "rows");
    csv *c = csv_open(path, &never, message);
    require(c != NULL && csv_header(c) == CSV_OK, "the file is read again");
    require(json_array_size(columns) == c->columns, "every column has a name");
    for (size_t k = 0; k < c->columns; k++)
        require(strcmp(json_string_value(json_array_get(columns, k)), c->column[k]) == 0,
                "column %zu has its name", k);
    double *row = calloc(c->columns, sizeof *row);
    require(row != NULL, "there is memory");
    size_t i = 0;
    for (; csv_row(c, row) == CSV_OK; i++) {
        const json_t *numbers = json_array_get(rows, i);
        require(json_array_size(numbers) == c->columns, "row %zu is whole", i);
        for (size_t k = 0; k < c->columns; k++)
            require(json_real_value(json_array_get(numbers, k)) == row[k], "number %zu of row %zu",
                    k, i);
    }
    require(json_array_size(rows) == i, "all rows are there");
    free(row);
    csv_close(c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const files[] = {"in.csv", "in.npy", "in.npz"};
    if (size == 0)
        return 0;
    const char *path = files[data[0] % (sizeof files / sizeof files[0])];
    (void)input_file(data + 1, size - 1); /* its words may be in the page */
    write_file(path, data + 1, size - 1);
    if (RUN_TOOL("view", path, "--out", "-") != 0)
        return 0;
    size_t length;
    const char *page = tool_output(&length);
    write_file(path, data + 1, size - 1);
    json_t *value = table_of(page, length);
    check_table(json_object_get(value, "table"), path);
    json_decref(value);
    empty_folder();
    return 0;
}
