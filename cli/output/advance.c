/* advance.c - a block of free bodies brought to their times. */
#include "advance.h"

#include <inttypes.h>
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

int device_open(const char *name, ph_device **out)
{
    const ph_status opened = ph_device_create(name, out);
    return opened == PH_OK ? 0 : fail_open(name, opened);
}

int device_refuse(const arguments *given)
{
    const char *name = argument(given, "--device");
    REFUSE_IF(name != NULL && argument(given, "--cases") == NULL,
              "--device " WORDS " is for many bodies: add --cases FILE, or leave it out",
              name);
    return 0;
}

int advance_open(advancing *a, const arguments *given)
{
    const char *name = argument(given, "--device");
    char flow[PH_INTEGRATOR_NAME];
    if (name == NULL)
        return 0;
    REFUSE_IF(
        ph_device_applies(&a->run) != PH_OK,
        "%s is not done on devices: take exact, mr, sr2, dmv2 to dmv10 or gauss6 to "
        "gauss10, or leave --device out",
        ph_integrator_name(&a->run.integrator, flow));
    TRY(device_open(name, &a->device));
    const ph_status made =
        ph_device_bodies_create(a->device, CASES_BLOCK, NULL, &a->bodies);
    REFUSE_IF(made != PH_OK, "device " WORDS " cannot be used: %s: leave --device out",
              name, ph_status_text(made));
    return 0;
}

void advance_close(advancing *a)
{
    ph_device_bodies_destroy(a->bodies);
    ph_device_destroy(a->device);
}

/* A block on its way. */
static bool go_on(void *context, double done)
{
    const cases_block *b = context;
    progress_show(b->before, b->from + done * (b->to - b->from));
    return !interrupted;
}

/* On the device, whose own failure `why` tells in one line. */
static ph_batch_result advance_there(advancing *a, const ph_batch *all,
                                     char why[CASES_WHY])
{
    ph_batch_result end = {0};
    ph_status status = ph_device_upload(a->bodies, all);
    if (status == PH_OK) {
        end = ph_device_advance(a->bodies, &a->run);
        if (end.stopped)
            return end;
        if (end.status == PH_NO_MEMORY || end.status == PH_DEVICE_BUILD ||
            end.status == PH_DEVICE_FAILED)
            status = end.status;
    }
    if (status == PH_OK)
        status = ph_device_download(a->bodies, all);
    if (status != PH_OK) {
        const char *log = ph_device_log(a->device);
        (void)snprintf(why, CASES_WHY, "%s (%.*s): leave --device out",
                       ph_status_text(status), (int)strcspn(log, "\n"), log);
        end.failed = 0;
    }
    return end;
}

size_t advance_block(advancing *a, cases_block *b, char why[CASES_WHY])
{
    ph_device_run *run = &a->run;
    const ph_batch all = {b->n,
                          {b->q[0], b->q[1], b->q[2], b->q[3]},
                          {b->m[0], b->m[1], b->m[2]},
                          {b->J[0], b->J[1], b->J[2]}};
    ph_batch_result end = {.failed = b->n};
    run->observer = go_on;
    run->context = b;
    run->times = run->timed ? b->t : NULL;
    if (a->device != NULL)
        end = advance_there(a, &all, why);
    else if (run->timed)
        (void)ph_batch_step_each(run->integrator.flow, &all, b->t, &end.failed);
    else
        end = ph_batch_run(&run->integrator, &all, run->step, run->steps, go_on, b);
    if (end.stopped)
        return 0;
    if (end.status != PH_OK && why[0] == '\0' && !run->timed)
        (void)snprintf(
            why, CASES_WHY,
            "step %" PRIu64 ", from t = %.10g, failed: %s: take a smaller step",
            end.step + 1, (double)end.step * run->step, ph_status_text(end.status));
    return end.failed;
}
