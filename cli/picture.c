/* picture.c - pictures by gnuplot, each a file of its own. */
#include "picture.h"

#include <errno.h>
#include <string.h>

#include "interrupt.h"
#include "io/gnuplot.h"
#include "report.h"

int picture_need_gnuplot(const char *who)
{
    if (gnuplot_found())
        return 0;
    return fail_usage(
        "%s needs gnuplot, which is not there: install the package gnuplot-nox", who);
}

int picture_open(picture *p, const char *path)
{
    p->path = path;
    p->file = outfile_open(path);
    return p->file == NULL ? fail_create(path, errno) : 0;
}

static int fail_temporary(void)
{
    return fail_run("cannot write a temporary file (%s): free some space",
                    strerror(errno));
}

int picture_draw(picture *p, picture_script *write, const void *context)
{
    FILE *script = tmpfile();
    if (script == NULL)
        return fail_temporary();
    int status = 0;
    if (!write(script, plot_format_of(p->path), context))
        status = fail_temporary();
    else if (!gnuplot_draw(script, p->file) && !interrupted)
        status = fail_run(
            "gnuplot could not draw " WORDS ": update the package gnuplot-nox", p->path);
    (void)fclose(script);
    if (status != 0 || interrupted)
        return interrupted ? EXIT_INTERRUPTED : status;
    const int error = outfile_close(p->file);
    p->file = NULL;
    return error == 0 ? 0 : fail_write(p->path, error);
}

void picture_discard(picture *p)
{
    outfile_discard(p->file);
    p->file = NULL;
}
