/* reproduce.c - the figures and tables of the papers, each with a verdict. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "figure_list.h"
#include "reproduce.h"
#include "reproduce.help.h"
#include "tool.h"

#define DEFAULT_FOLDER "reproduced"

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
    if (argument(given, "--jobs") != NULL) {
        const int status = argument_numbers(given, "--jobs", 1, &jobs);
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
        .effort = argument(given, "--quick") != NULL ? FIGURE_QUICK : FIGURE_FULL,
        .fresh = argument(given, "--fresh") != NULL,
        .json = argument(given, "--json") != NULL,
        .markdown = argument(given, "--markdown") != NULL,
        .folder =
            argument(given, "--out") != NULL ? argument(given, "--out") : DEFAULT_FOLDER,
    };
    int status = refuse_both(given, "--json", "--markdown");
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
    .help = reproduce_help,
    .run = run,
};
