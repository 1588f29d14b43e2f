/* progress.c - how far long work has come. */
#define _POSIX_C_SOURCE 200809L
#include "tool.h"

#include <stdio.h>
#include <unistd.h>

#include "tool/files/posix.h"

#define QUIET_SECONDS 1.0 /* short work says nothing */
#define SHOW_SECONDS  0.2 /* between two lines */
#define WIPE          "\r\033[K"

static struct {
    bool on;       /* standard error is a terminal */
    bool shown;    /* a line stands on the terminal */
    double begun;  /* seconds */
    double latest; /* when it was shown last */
} progress;

void progress_begin(bool rows_shown)
{
    progress.on = isatty(STDERR_FILENO) == 1 && !(rows_shown && isatty(STDOUT_FILENO) == 1);
    progress.begun = clock_now();
    progress.latest = progress.begun;
}

void progress_show(unsigned long long done, double fraction)
{
    if (!progress.on)
        return;
    const double time = clock_now(), spent = time - progress.begun;
    if (spent < QUIET_SECONDS || time - progress.latest < SHOW_SECONDS)
        return;
    progress.latest = time;
    progress.shown = true;
    if (fraction > 0.0)
        (void)fprintf(stderr, WIPE "%3.0f %%, %llu done, about %.0f s left", 100.0 * fraction, done,
                      spent * (1.0 - fraction) / fraction);
    else
        (void)fprintf(stderr, WIPE "%llu done in %.0f s", done, spent);
}

void progress_wipe(void)
{
    if (progress.shown)
        (void)fputs(WIPE, stderr);
    progress.shown = false;
}

void progress_end(void)
{
    progress_wipe();
    progress.on = false;
}
