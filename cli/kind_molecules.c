/* kind_molecules.c - many bodies that push and turn each other. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "catalog/find.h"
#include "kind.h"
#include "method.h"
#include "molecules.h"
#include "report.h"
#include "show.h"
#include "threads.h"

/* ---- what there is --------------------------------------------------------------- */

static entry problem_entry(size_t i)
{
    size_t count;
    const ph_molecules_problem *const *problem = ph_molecules_problems(&count);
    return i < count ? (entry){ENTRY_PROBLEM(problem[i])} : (entry){0};
}

/* None of its own: schemes over flows move molecules. */
static entry method_entry(size_t i)
{
    (void)i;
    return (entry){0};
}

/* ---- an input and its integrators ------------------------------------------------ */

static int read_input(const scenario *told, void **out)
{
    ph_molecules *start = NULL;
    threads_limit();
    const int status = molecules_make(told, told->value[SAY_PROBLEM].text, &start);
    if (status == 0)
        *out = start;
    return status;
}

static void discard(void *input)
{
    ph_molecules_free(input);
}

static int choose(const void *of, const char *place, const char *name, void **out)
{
    (void)of;
    ph_integrator found;
    const int status = method_find(place, name, &found);
    if (status != 0)
        return status;
    if (found.method != NULL)
        return fail_usage("%s`" WORDS "` moves one body: write a scheme over a flow, "
                          "such as verlet+exact",
                          place, name);
    if (found.scheme == NULL)
        return fail_usage("%s`" WORDS "` is a flow, for a free body: write verlet+%s, or "
                          "another scheme",
                          place, name, name);
    if (found.scheme->gradient != NULL)
        return fail_usage("%s%s needs the derivative of the forces, which molecules have "
                          "not: take another scheme",
                          place, found.scheme->name);
    return kind_keep(&found, sizeof found, out);
}

static ph_molecules *copied(ph_molecules *from)
{
    ph_molecules *to = ph_molecules_create(from->n);
    if (to == NULL)
        return NULL;
    for (int g = 0; g < GROUP_COUNT; g++) {
        for (int k = 0; k < molecules_groups[g].width; k++)
            memcpy(molecules_arrays(to, g)[k], molecules_arrays(from, g)[k],
                   from->n * sizeof(double));
    }
    to->law = from->law;
    memcpy(to->constant, from->constant, sizeof to->constant);
    to->box = from->box;
    to->cutoff = from->cutoff;
    to->dielectric = from->dielectric;
    return to;
}

static ph_status make(const void *input, const void *integrator, double h,
                      unsigned options, ph_system **out)
{
    (void)options;
    ph_molecules *start = copied((ph_molecules *)input); /* which is only read */
    const ph_status status =
        start ? ph_system_of_molecules(out, start, integrator, h) : PH_NO_MEMORY;
    if (status != PH_OK)
        ph_molecules_free(start);
    return status;
}

static void print_state(outfile *out, ph_system *s)
{
    outfile_print(out, "%zu bodies at t = %g\n", find_field(s, "positions")->count,
                  ph_system_time(s));
    show_observable(out, s, "temperature");
    size_t count;
    const ph_observable *o = ph_system_observables(s, &count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(o[i].name, "temperature") != 0)
            show_observable(out, s, o[i].name);
    }
}

/* ---- comparing ------------------------------------------------------------------- */

static const char *reference_integrator(const void *input)
{
    (void)input;
    return "srkn6_14a+exact";
}

/* Neighbours double what rounding leaves over and over; this is where it begins. */
static double round_off(const void *input, const ph_system *end, double t)
{
    (void)input;
    (void)end;
    (void)t;
    return 1e-13;
}

static void describe(const void *input, char *text, size_t size)
{
    (void)snprintf(text, size, "%zu bodies", ((const ph_molecules *)input)->n);
}

const system_kind kind_molecules = {
    .name = "molecules",
    .what = "molecules",
    .rows_of_each = true,
    .problem = problem_entry,
    .method = method_entry,
    .read = read_input,
    .accepts_key = molecules_take,
    .free = discard,
    .choose = choose,
    .order = kind_order,
    .make = make,
    .print_state = print_state,
    .error_names = {"momenta", "places"},
    .error_text = "|x - x*|/|x*| over all bodies, x their momenta, angular momenta, "
                  "positions and attitudes",
    .reference_integrator = reference_integrator,
    .round_off = round_off,
    .describe = describe,
};
