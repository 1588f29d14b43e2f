/* reproduce.c - the figures and tables of the papers, each with a verdict. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "figure_list.h"
#include "report.h"
#include "reproduce.h"

enum { QUICK, OUT, FRESH, JOBS, JSON, MARKDOWN };

#define DEFAULT_FOLDER "reproduced"

static const option options[] = {
    [QUICK] = {"--quick", NULL,
               "Shorter runs and coarser grids: all figures in some two minutes on two\n"
               "cores instead of some ten."},
    [OUT] = {"--out", "DIR",
             "The folder to write into, made if it is missing; " DEFAULT_FOLDER
             " if not\n"
             "given."},
    [FRESH] = {"--fresh", NULL, "Compute also what is finished."},
    [JOBS] = {"--jobs", "n",
              "Figures computed at once; as many as there are cores if not\n"
              "given."},
    [JSON] = {JSON_OPTION},
    [MARKDOWN] = {"--markdown", NULL, "A table of GitHub markdown instead of text."},
    {0},
};

/* The figure of that name, or NULL after saying that there is none. */
static const ph_figure *find(const char *name)
{
    size_t count;
    const ph_figure *const *all = figure_list(&count);
    nearest near_by = {.wrong = name};
    for (size_t i = 0; i < count; i++) {
        if (strcmp(name, all[i]->name) == 0)
            return all[i];
        nearest_add(&near_by, "%s", all[i]->name);
    }
    (void)fail_unknown("", "figure", &near_by, "`polhode list figures`");
    return NULL;
}

/* Those named, each once, or all of them. */
static int choose(reproduce_request *r, const arguments *given)
{
    size_t count;
    const ph_figure *const *all = figure_list(&count);
    r->figure = calloc(count + given->operands + 1, sizeof *r->figure);
    if (r->figure == NULL)
        return fail_memory();
    for (size_t i = 0; i < given->operands; i++) {
        const ph_figure *f = find(given->operand[i]);
        if (f == NULL)
            return EXIT_USAGE;
        size_t k = 0;
        while (k < r->figures && r->figure[k] != f)
            k++;
        r->figure[k] = f;
        r->figures += k == r->figures;
    }
    for (size_t i = 0; i < count && given->operands == 0; i++)
        r->figure[r->figures++] = all[i];
    return 0;
}

static int read_jobs(reproduce_request *r, const arguments *given)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    double jobs = cores > 0 ? (double)cores : 1.0;
    if (argument(given, JOBS) != NULL) {
        const int status = argument_numbers(given, JOBS, 1, &jobs);
        if (status != 0)
            return status;
        if (!(jobs >= 1.0 && jobs <= 1024.0))
            return fail_usage("--jobs is not from 1 to 1024: write the number of cores");
    }
    r->jobs = (size_t)jobs;
    return 0;
}

static int run(const arguments *given)
{
    reproduce_request r = {
        .effort = argument(given, QUICK) != NULL ? FIGURE_QUICK : FIGURE_FULL,
        .fresh = argument(given, FRESH) != NULL,
        .json = argument(given, JSON) != NULL,
        .markdown = argument(given, MARKDOWN) != NULL,
        .folder = argument(given, OUT) != NULL ? argument(given, OUT) : DEFAULT_FOLDER,
    };
    int status = refuse_both(given, JSON, MARKDOWN);
    if (status == 0)
        status = read_jobs(&r, given);
    if (status == 0)
        status = choose(&r, given);
    if (status == 0)
        status = reproduce_run(&r);
    free((void *)r.figure);
    return status;
}

const command command_reproduce = {
    .rank = 6,
    .name = "reproduce",
    .summary = "figures and tables of the papers, each with a verdict",
    .usage = "reproduce [NAME...] [--quick] [--out DIR] [OPTION...]",
    .notes =
        "Computes figures and tables of the papers anew, all of them or those named "
        "(see\n"
        "polhode list figures): NAME.csv with the numbers, NAME.svg and NAME.png with "
        "the\n"
        "picture (a table has none), NAME.json with the verdict, and index.html, which "
        "shows\n"
        "each with the paper's claim, what was measured, and the verdict:\n"
        "    reproduced       what the paper says holds\n"
        "    corrected        something else holds, which is said\n"
        "    not reproduced   what the paper says does not hold\n"
        "The exit status is 0 whatever the verdicts, and 1 if something could not be\n"
        "computed. After Ctrl-C the same command goes on where it stopped: what is\n"
        "finished is kept unless the version, --quick or --fresh ask for it again.\n"
        "Needs gnuplot.\n"
        "\nJSON: an array of {\"name\", \"verdict\", \"reason\", \"effort\", "
        "\"version\", \"seed\",\n"
        "\"seconds\", \"findings\"}; a finding has \"claim\", \"measured\", \"lower\", "
        "\"upper\"\n"
        "(null: none), \"holds\" and \"correction\", true for what holds instead of the "
        "claim\n"
        "before.\n"
        "\nExamples:\n"
        "    polhode reproduce --quick --out figures\n"
        "    polhode reproduce krysl_figure5 --out krysl\n",
    .options = options,
    .run = run,
};
