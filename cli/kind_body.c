/* kind_body.c - one body, free or in a field. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catalog/find.h"
#include "core/extremes.h"
#include "core/vec.h"
#include "kind.h"
#include "method.h"
#include "polhode/measure.h"
#include "report.h"
#include "setup.h"
#include "show.h"

/* ---- what there is --------------------------------------------------------------- */

static entry problem_entry(size_t i)
{
    size_t count;
    const ph_problem *const *problem = ph_problems(&count);
    return i < count ? (entry){ENTRY_PROBLEM(problem[i])} : (entry){0};
}

static entry method_entry(size_t i)
{
    size_t count;
    const ph_method *const *method = ph_methods(&count);
    if (i >= count)
        return (entry){0};
    const ph_method *m = method[i];
    return (entry){ENTRY_INTEGRATOR(m, m->keeps, m->keeps_free)};
}

/* ---- an input and its integrators ------------------------------------------------ */

static bool accepts_key(scenario_key key)
{
    return key < SAY_START_COUNT;
}

static int read_input(const scenario *told, void **out)
{
    setup *input = calloc(1, sizeof *input);
    if (input == NULL)
        return fail_memory();
    const int status = setup_make(input, told);
    if (status == 0)
        *out = input;
    else
        free(input);
    return status;
}

static int choose(const void *input, const char *place, const char *name, void **out)
{
    ph_integrator found;
    int status = method_find(place, name, &found);
    if (status == 0)
        status = setup_accepts(input, place, name, &found);
    return status == 0 ? kind_keep(&found, sizeof found, out) : status;
}

static ph_status make(const void *input, const void *integrator, double h,
                      unsigned options, ph_system **out)
{
    const setup *from = input;
    return ph_system_of_body(out, &from->problem, integrator, &from->start, h, options);
}

static void print_state(outfile *out, ph_system *s)
{
    outfile_print(out, "The body at t = %g, momentum and velocity in its frame\n",
                  ph_system_time(s));
    show_fields(out, s);
}

/* ---- comparing ------------------------------------------------------------------- */

static const char *reference_integrator(const void *input)
{
    const char *name = ph_converged_by(&((const setup *)input)->problem);
    return strcmp(name, "exact") == 0 ? "s6_10+exact" : name;
}

static ph_system *exact(const void *input, double t)
{
    const setup *from = input;
    const ph_integrator by = {.flow = find_flow("exact")};
    ph_motion motion;
    ph_system *s = NULL;
    if (setup_in_field(from) ||
        ph_motion_prepare(&motion, &from->problem.body, &from->start) != PH_OK)
        return NULL;
    const ph_state end = ph_motion_at(&motion, t);
    if (ph_system_of_body(&s, &from->problem, &by, &end, t, 0) != PH_OK)
        return NULL;
    const double q[] = {end.q.w, end.q.x, end.q.y, end.q.z}; /* not normalised again */
    for (int k = 0; k < 4; k++)
        *find_field(s, "attitude")->data[k] = q[k];
    return s;
}

#define FLOOR    1e-13
#define ROUNDING 0x1p-53

/* What rounding leaves of a motion that turns this far. */
static double round_off(const void *input, const ph_system *end, double t)
{
    (void)end;
    const setup *from = input;
    const ph_vec3 w = ph_problem_velocity(&from->problem, 0.0, from->start.m);
    const double per_radian = 8.0; /* roundings of the run and of the reference */
    return larger_or_nan(FLOOR, per_radian * ROUNDING * (1.0 + norm(w) * fabs(t)));
}

static void describe(const void *input, char *text, size_t size)
{
    const setup *from = input;
    const ph_vec3 J = from->problem.body.J, m = from->start.m;
    (void)snprintf(text, size, "moments %.5g, %.5g, %.5g, momentum %.5g, %.5g, %.5g", J.x,
                   J.y, J.z, m.x, m.y, m.z);
}

const system_kind kind_body = {
    .name = "body",
    .what = "one body",
    .problem = problem_entry,
    .method = method_entry,
    .read = read_input,
    .accepts_key = accepts_key,
    .free = free,
    .choose = choose,
    .order = kind_order,
    .make = make,
    .print_state = print_state,
    .error_names = {"momentum", "attitude"},
    .error_text = "|m - m*|/|m*| and |q - q*|",
    .absolute_places = true,
    .reference_integrator = reference_integrator,
    .exact = exact,
    .round_off = round_off,
    .describe = describe,
};
