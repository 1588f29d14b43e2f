/* additions.c - the lists of additions.h, which the build writes. */
#include "additions.h"

#include "tool/base/tool.h"

/* Written by the build. */
#include "found_device_runner.h"
#include "found_film_maker.h"
#include "found_run_observer.h"

const film_maker *film_maker_find(void)
{
    return film_maker_rows[0];
}

const device_runner *device_runner_find(void)
{
    return device_runner_rows[0];
}

const run_observer *run_observer_at(size_t i)
{
    return i < COUNT(run_observer_rows) ? run_observer_rows[i] : NULL;
}
