/* bodies.c - a table of bodies: read as CSV, and as the molecules of a run. */
#include <math.h>
#include <signal.h>
#include <string.h>

#include "fuzz.h"
#include "tool/files/csv.h"

static void check_table(const char *path)
{
    static const volatile sig_atomic_t never = 0;
    char message[CSV_MESSAGE];
    csv *table = csv_open(path, &never, message);
    require(table != NULL, "a file can be opened");
    static double row[CSV_COLUMNS];
    csv_status status = csv_header(table);
    while (status == CSV_OK) {
        status = csv_row(table, row);
        for (size_t i = 0; i < table->columns && status == CSV_OK; i++)
            require(isfinite(row[i]), "a number is finite");
    }
    if (status == CSV_END) {
        for (size_t i = 0; i < table->columns; i++)
            require(csv_column(table, table->column[i]) == i, "no column stands twice");
    } else {
        require(status == CSV_WRONG && strstr(table->message, path) != NULL &&
                    strlen(table->message) < CSV_MESSAGE,
                "a message names the file: %s", table->message);
    }
    csv_close(table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char scenario[] = "problem: dipolar_spheres\nbodies: /dev/stdin\n";
    check_table(input_file(data, size));
    write_file("bodies.yaml", scenario, strlen(scenario));
    (void)RUN_TOOL("run", "bodies.yaml", "--method", "verlet+exact", "--step", "1", "--time", "0",
                   "--json");
    return 0;
}
