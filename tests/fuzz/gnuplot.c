/* gnuplot.c - scripts for gnuplot: of a file of rows, whatever its name and its columns are, and
 * of a problem and a method.
 *
 * The first line is the name of the file, or of the problem if the second has none; then its
 * rows.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "tool/files/picture.h"

enum { LONGEST = 200 }; /* bytes of a name */

/* The name as a title, and as a text of others. */
static void check_title(const char *name)
{
    FILE *script = tmpfile();
    require(script != NULL, "a script can be written");
    plot_begin(script, PLOT_SVG, name);
    plot_text(script, "heading", name);
    require(plot_end(script, "work"), "a script can be written");
    check_script(script);
    (void)fclose(script);
}

static void check_data(const char *path)
{
    FILE *script = tmpfile();
    require(script != NULL, "a script can be written");
    require(plot_data_file(script, path), "data can be read");
    check_script(script);
    (void)fclose(script);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t length = 0;
    while (length < size && length < LONGEST && data[length] != '\0')
        length++;
    char name[LONGEST + sizeof ".csv"];
    memcpy(name, data, length);
    name[length] = '\0';
    check_title(name);
    for (size_t i = 0; i < length; i++) /* no way out of the folder */
        name[i] = (char)(name[i] == '/' ? '_' : name[i]);
    strcpy(name + length, ".csv");
    const size_t rows = length + (length < size);
    write_file(name, data + rows, size - rows);
    check_data(name);
    scripts_are_drawn = true;
    (void)RUN_TOOL("plot", "--out", "a.svg", "--", name);
    empty_folder();
    return 0;
}
