/* picture.c - pictures by gnuplot, each a file of its own. */
#include <errno.h>
#include <string.h>

#include "cli/files/memory.h"
#include "cli/files/plot.h"
#include "cli/files/text.h"
#include "tool.h"

/* Says that gnuplot could not be started, or failed; `what` is what needs it. */
static int fail_gnuplot(const char *what, int error)
{
    if (error == ENOENT)
        return fail_usage(WORDS
                          " needs gnuplot, which was not found: install the package "
                          "gnuplot-nox (or gnuplot) and run this again",
                          what);
    if (error == GNUPLOT_FAILED)
        return fail_run(WORDS " needs gnuplot, which started and failed: see what "
                              "`gnuplot --version` says, and whether memory is left",
                        what);
    return fail_run(WORDS " needs gnuplot, which cannot be started (%s): %s", what,
                    strerror(error), advice(error, "see what `gnuplot --version` says"));
}

const char *picture_title(const char *problem, const char *method)
{
    enum { WIDTH = 60, LEAST = 30 };
    const int by = text_cut(method, WIDTH), left = WIDTH - by,
              room = left > LEAST ? left : LEAST;
    const bool whole = strlen(problem) <= (size_t)room;
    return memory_text("%.*s%s by %.*s", text_cut(problem, room), problem,
                       whole ? "" : "...", by, method);
}

int picture_need_gnuplot(const char *who)
{
    const int error = gnuplot_start();
    return error == 0 ? 0 : interrupted ? EXIT_INTERRUPTED : fail_gnuplot(who, error);
}

/* The script could not be written: for want of memory if no error is known. */
static int fail_temporary(int error)
{
    return error == 0 || error == ENOMEM
               ? fail_memory()
               : fail_run("cannot write a temporary file (%s): %s", strerror(error),
                          advice(error, "make /tmp writable"));
}

int picture_draw(picture *p, picture_script *write, const void *context)
{
    FILE *script = tmpfile();
    if (script == NULL)
        return fail_temporary(errno);
    int status = 0;
    errno = 0;
    if (!write(script, plot_format_of(p->path), context)) {
        status = fail_temporary(errno);
    } else {
        const int error = gnuplot_draw(script, p->file, &interrupted);
        if (error != 0 && !interrupted)
            status = fail_gnuplot(p->path, error);
    }
    (void)fclose(script);
    if (status != 0 || interrupted)
        return interrupted ? EXIT_INTERRUPTED : status;
    outfile *file = p->file;
    p->file = NULL;
    return file_close(file, p->path, "");
}
