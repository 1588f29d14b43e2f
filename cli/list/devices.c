/* devices.c - the devices that --device takes. */
#include "list.h"

#include "cli/files/json.h"
#include "cli/tool/grid.h"
#include "cli/tool/tool.h"
#include "polhode/device.h"

enum { MOST_DEVICES = 64 };

static int print_json(outfile *out, const ph_device_info *info, size_t n)
{
    json_t *array = json_array();
    for (size_t i = 0; i < n; i++)
        (void)json_array_append_new(
            array, json_pack("{sssssIsb}", "name", info[i].name, "platform",
                             info[i].platform, "memory", (json_int_t)info[i].memory,
                             "double", (int)info[i].double_precision));
    return put_json(out, array, JSON_INDENT(2));
}

static int print_table(outfile *out, const ph_device_info *info, size_t n, bool markdown)
{
    const double gigabyte = 1e9;
    grid g = {.columns = 4, .indent = 2, .right = 1U << 2};
    if (n == 0) {
        outfile_print(out, "There are no devices: OpenCL has no driver here.\n");
        return EXIT_DONE;
    }
    grid_add(&g, "name");
    grid_add(&g, "platform");
    grid_add(&g, "memory, GB");
    grid_add(&g, "double");
    for (size_t i = 0; i < n; i++) {
        grid_add(&g, "%s", info[i].name);
        grid_add(&g, "%s", info[i].platform);
        grid_add(&g, "%.1f", (double)info[i].memory / gigabyte);
        grid_add(&g, "%s", info[i].double_precision ? "yes" : "no");
    }
    if (!markdown)
        outfile_print(out, "devices - what --device takes, or any\n");
    return grid_print(&g, out, markdown) ? EXIT_DONE : fail_memory();
}

int list_devices(outfile *out, bool json, bool markdown)
{
    ph_device_info info[MOST_DEVICES];
    const size_t all = ph_devices(info, MOST_DEVICES),
                 n = all < MOST_DEVICES ? all : MOST_DEVICES;
    return json ? print_json(out, info, n) : print_table(out, info, n, markdown);
}
