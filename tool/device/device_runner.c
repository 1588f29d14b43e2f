/* device_runner.c - many bodies on a device, for the commands of the tool; and the list of devices. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/base/tool.h"
#include "tool/files/json.h"
#include "tool/files/memory.h"
#include "tool/list/list_command.h"
#include "tool/output/additions.h"

enum { MOST_DEVICES = 64 };

/* An open device, and room on it for a block of free bodies or NULL. */
typedef struct opened_device {
    ph_device *device;
    ph_device_bodies *bodies;
} opened_device;

/* Reports why a device could not be opened. */
static int fail_open(const char *name, ph_status status)
{
    ph_device_info info[MOST_DEVICES];
    const size_t n = ph_devices(info, MOST_DEVICES);
    nearest names = {.wrong = name};
    bool usable = false;
    if (status == PH_NO_MEMORY)
        return fail_memory();
    REFUSE_IF(status != PH_NO_DEVICE,
              "device " WORDS " cannot be used: %s: check its driver, or remove --device", name,
              ph_status_text(status));
    ph_nearest_add(&names, "any");
    for (size_t i = 0; i < n && i < MOST_DEVICES; i++) {
        REFUSE_IF(strcmp(info[i].name, name) == 0,
                  "device " WORDS " has no double precision: remove --device", name);
        ph_nearest_add(&names, "%s", info[i].name);
        usable = usable || info[i].double_precision;
    }
    REFUSE_IF(!usable,
              "there is no device: install OpenCL with double precision, or remove --device");
    return fail_unknown("", "device", &names, "`polhode list devices`");
}

static void close_device(void *self)
{
    opened_device *d = self;
    ph_device_bodies_destroy(d->bodies);
    ph_device_destroy(d->device);
    free(d);
}

static int open_device(const char *name, opened_device **out)
{
    opened_device *d = calloc(1, sizeof *d);
    if (d == NULL)
        return fail_memory();
    memory_at_end(close_device, d);
    *out = d;
    const ph_status status = ph_device_create(name, &d->device);
    if (status == PH_OK)
        return 0;
    return fail_open(name, status);
}

static int open_bodies(const char *name, const ph_device_run *run, size_t most, void **opened)
{
    char flow[PH_INTEGRATOR_NAME];
    opened_device *d;
    REFUSE_IF(ph_device_applies(run) != PH_OK,
              "devices cannot run %s: use exact, mr, sr2, dmv2 to dmv10 or gauss6 to gauss10, or "
              "remove --device",
              ph_integrator_name(&run->integrator, flow));
    TRY(open_device(name, &d));
    const ph_status made = ph_device_bodies_create(d->device, most, NULL, &d->bodies);
    REFUSE_IF(made != PH_OK, "device " WORDS " cannot be used: %s: remove --device", name,
              ph_status_text(made));
    *opened = d;
    return 0;
}

static ph_batch_result advance_bodies(void *opened, const ph_device_run *run,
                                      const ph_batch *bodies, char *why, size_t size)
{
    opened_device *d = opened;
    ph_batch_result end = {0};
    ph_status status = ph_device_upload(d->bodies, bodies);
    if (status == PH_OK) {
        end = ph_device_advance(d->bodies, run);
        if (end.stopped)
            return end;
        if (end.status == PH_NO_MEMORY || end.status == PH_DEVICE_BUILD ||
            end.status == PH_DEVICE_FAILED)
            status = end.status;
    }
    if (status == PH_OK)
        status = ph_device_download(d->bodies, bodies);
    if (status != PH_OK) {
        const char *log = ph_device_log(d->device);
        (void)snprintf(why, size, "%s (%.*s): remove --device", ph_status_text(status),
                       (int)strcspn(log, "\n"), log);
        end.failed = 0;
    }
    return end;
}

static int open_ensemble(const char *name, ph_system *first, void **opened)
{
    opened_device *d;
    REFUSE_IF(
        ph_device_takes(first) != PH_OK,
        "devices cannot run %s by %s: use dop853, or a scheme such as srkn6_14a+exact with --step, "
        "in a problem of the catalog without tables or of expressions, or remove --device",
        ph_system_problem_name(first), ph_system_integrator_name(first));
    TRY(open_device(name, &d));
    *opened = d;
    return 0;
}

static ph_status run_ensemble(void *opened, ph_ensemble *e, double time,
                              const ph_ensemble_observer *o, const char **log)
{
    opened_device *d = opened;
    const ph_status status = ph_device_run_ensemble(d->device, e, time, o);
    *log = ph_device_log(d->device);
    return status;
}

const device_runner device_runner_opencl = {
    .open_bodies = open_bodies,
    .advance = advance_bodies,
    .open_ensemble = open_ensemble,
    .run_ensemble = run_ensemble,
};

/* ---- polhode list devices --------------------------------------------------------- */

static int list_devices(rendering *r)
{
    const double gigabyte = 1e9;
    ph_device_info info[MOST_DEVICES];
    const size_t all = ph_devices(info, MOST_DEVICES), n = all < MOST_DEVICES ? all : MOST_DEVICES;
    r->table = (grid){.indent = 2, .right = 1U << 2};
    if (n == 0)
        render_text(r, "There are no devices: no OpenCL driver is installed.\n");
    else
        render_words(r, "name\tplatform\tmemory, GB\tdouble");
    if (n > 0 && r->as == AS_TEXT)
        render_text(r, "devices - the names for --device, or any\n");
    for (const ph_device_info *d = info; d < info + n; d++) {
        render_item(r, NULL);
        render_cells(r, "name platform", "%s\t%s", d->name, d->platform);
        render_data(r, "memory", "%llu", (unsigned long long)d->memory);
        render_cells(r, "- ?double", "%.1f\t%s", (double)d->memory / gigabyte,
                     yes_or_no(d->double_precision));
        render_close(r);
    }
    render_table(r);
    return render_end(r, false, JSON_INDENT(2));
}

static entry no_entry(size_t i)
{
    (void)i;
    return (entry){0};
}

const list_kind list_kind_device = {
    "device", "devices", "the names for --device, or any", no_entry, list_devices,
};
