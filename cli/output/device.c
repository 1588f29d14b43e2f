/* device.c - cases on a device: which one, and a block of them. */
#include "device.h"

#include <stdio.h>
#include <string.h>

#include "cli/tool/tool.h"

enum { MOST_DEVICES = 64 };

/* Why a device could not be opened. */
static int fail_open(const char *name, ph_status status)
{
    ph_device_info info[MOST_DEVICES];
    const size_t n = ph_devices(info, MOST_DEVICES);
    nearest names = {.wrong = name};
    bool usable = false;
    if (status == PH_NO_MEMORY)
        return fail_memory();
    REFUSE_IF(status != PH_NO_DEVICE,
              "device " WORDS
              " cannot be used: %s: see its driver, or leave --device out",
              name, ph_status_text(status));
    ph_nearest_add(&names, "any");
    for (size_t i = 0; i < n && i < MOST_DEVICES; i++) {
        REFUSE_IF(strcmp(info[i].name, name) == 0,
                  "device " WORDS " has no double precision: leave --device out", name);
        ph_nearest_add(&names, "%s", info[i].name);
        usable = usable || info[i].double_precision;
    }
    if (!usable)
        return fail_usage("there is no device: install a driver for OpenCL with double "
                          "precision, or leave --device out");
    return fail_unknown("", "device", &names, "`polhode list devices`");
}

int device_cases_open(device_cases *d, const arguments *given, const ph_device_run *run)
{
    const char *name = argument(given, "--device");
    *d = (device_cases){0};
    if (name == NULL)
        return 0;
    REFUSE_IF(argument(given, "--cases") == NULL,
              "--device " WORDS " is for many bodies: add --cases FILE, or leave it out",
              name);
    char flow[PH_INTEGRATOR_NAME];
    REFUSE_IF(
        ph_device_applies(run) != PH_OK,
        "%s is not done on devices: take exact, mr, sr2, dmv2 to dmv10 or gauss6 to "
        "gauss10, or leave --device out",
        ph_integrator_name(&run->integrator, flow));
    const ph_status opened = ph_device_open(name, &d->device);
    if (opened != PH_OK)
        return fail_open(name, opened);
    const ph_status made =
        ph_device_bodies_create(d->device, CASES_BLOCK, NULL, &d->bodies);
    REFUSE_IF(made != PH_OK, "device " WORDS " cannot be used: %s: leave --device out",
              name, ph_status_text(made));
    return 0;
}

void device_cases_close(device_cases *d)
{
    ph_device_bodies_free(d->bodies);
    ph_device_close(d->device);
}

/* Whether the device failed, not a body. */
static bool of_device(ph_status status)
{
    return status == PH_NO_MEMORY || status == PH_DEVICE_BUILD ||
           status == PH_DEVICE_FAILED;
}

/* What the device itself failed of, in one line. */
static void explain(const device_cases *d, ph_status status, char why[CASES_WHY])
{
    const char *log = ph_device_log(d->device);
    (void)snprintf(why, CASES_WHY, "%s (%.*s): leave --device out",
                   ph_status_text(status), (int)strcspn(log, "\n"), log);
}

size_t device_cases_advance(const device_cases *d, const ph_device_run *run,
                            cases_block *b, char why[CASES_WHY], ph_batch_result *end)
{
    const ph_batch all = cases_batch(b);
    ph_device_run block = *run;
    block.times = run->timed ? b->t : NULL;
    *end = (ph_batch_result){0};
    ph_status status = ph_device_upload(d->bodies, &all);
    if (status == PH_OK) {
        *end = ph_device_advance(d->bodies, &block);
        if (end->stopped)
            return 0;
        if (of_device(end->status))
            status = end->status;
    }
    if (status == PH_OK)
        status = ph_device_download(d->bodies, &all);
    if (status == PH_OK)
        return end->failed;
    explain(d, status, why);
    return 0;
}
