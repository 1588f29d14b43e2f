/* bodies.c - a table of bodies: read as CSV, and as the molecules of a run. */
#include <math.h>
#include <signal.h>
#include <string.h>

#include "fuzz.h"
#include "io/csv.h"

static void check_table(const char *path)
{
    static const volatile sig_atomic_t never = 0;
    csv table;
    char message[CSV_MESSAGE];
    if (csv_read(&table, path, &never, message)) {
        require(table.columns > 0 && table.rows > 0, "there are rows");
        for (size_t i = 0; i < table.columns * table.rows; i++)
            require(isfinite(table.x[i]), "a number is finite");
        for (size_t i = 0; i < table.columns; i++)
            require(csv_column(&table, table.name[i]) == i, "no column stands twice");
    } else {
        require(strncmp(message, path, strlen(path)) == 0 &&
                    strlen(message) < CSV_MESSAGE,
                "a message begins with the file: %s", message);
    }
    csv_free(&table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char scenario[] = "problem: dipolar_spheres\nbodies: /dev/stdin\n";
    check_table(input_file(data, size));
    write_file("bodies.yaml", scenario, strlen(scenario));
    (void)RUN_TOOL("run", "bodies.yaml", "--method", "verlet+exact", "--step", "1",
                   "--time", "0", "--json");
    return 0;
}
