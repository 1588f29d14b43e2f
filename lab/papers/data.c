/* data.c - what the papers print: data of problems, steps, times, and numbers that a figure must
 * give.
 *
 * CFSZ  Celledoni, Fasso, Saefstroem, Zanna, Preprint Numerics 6/2007, NTNU.
 * HV    Hairer, Vilmart, J. Phys. A 39 (2006).       K06  Krysl 2006.
 * O11   Ortolan, thesis, Padova 2011.                V13  Vilmart 2013.
 *
 * "chosen": the paper does not say it. "binary128": not printed, and computed by a program of
 * its own, with other code, in quadruple precision.
 */
#include "lab/papers/data.h"

#include <stdlib.h>
#include <string.h>

#include "lab/papers/experiments.h"

/* Of a problem, or of a figure: what is printed, numbers separated by commas. */
static const struct {
    const char *of, *name, *printed, *where;
} DATA[] = {
    {"krysl_free", "inertia", "0.9144,1.098,1.66", "K06 5.1"},
    {"krysl_free", "rotation", "0,0,0", "chosen"},
    {"krysl_free", "velocity", "0.45549,0.82623,0.03476", "K06 5.1"},
    {"krysl_free", "energy", "0.4706368101438", "binary128"},
    {"slow_top", "inertia", "5,5,1", "K06 5.2"},
    {"slow_top", "rotation", "0.05,0,0", "K06 5.2"},
    {"slow_top", "velocity", "0,0,5", "K06 5.2"},
    {"slow_top", "strength", "20", "K06 5.2, t = -20 R(:,3) x [0;0;1]"},
    {"slow_top", "up", "0,0,1", "K06 5.2"},
    {"slow_top", "centre", "0,0,1", "K06 5.2"},
    {"fast_top", "inertia", "5,5,1", "K06 5.3"},
    {"fast_top", "rotation", "0.3,0,0", "K06 5.3"},
    {"fast_top", "velocity", "0,0,50", "K06 5.3"},
    {"fast_top", "strength", "20", "K06 5.2"},
    {"fast_top", "up", "0,0,1", "K06 5.2"},
    {"fast_top", "centre", "0,0,1", "K06 5.2"},
    {"soft_wall", "inertia", "2,3,4.5", "K06 5.4"},
    {"soft_wall", "rotation", "0,0,0", "K06 5.4"},
    {"soft_wall", "momentum", "2,2,2", "K06 5.4"},
    {"soft_wall", "offset", "1.1", "K06 5.4"},
    {"soft_wall", "wall", "0.001", "K06 5.4, 0.01 in the torque, over 10"},
    {"soft_wall", "energy", "2.58730098778", "binary128"},
    {"well", "inertia", "2,2,4", "O11 4.2"},
    {"well", "rotation", "0,0.7227,0", "O11 4.2"},
    {"well", "velocity", "0,0,0.625", "O11 4.2"},
    {"well", "alpha", "0.3", "O11 4.2"},
    {"well", "target", "1.76776695296637,0,1.76776695296637", "O11 4.2, 2.5/sqrt 2"},
    {"well", "energy", "0.67024538028114", "binary128"},
    {"pendulum", "mass", "2", "O11 7.2.1"},
    {"pendulum", "length", "2", "O11 7.2.1"},
    {"pendulum", "gravity", "9.81", "O11 7.2.1"},
    {"pendulum", "q", "0.577350269189626,0.577350269189626,-0.577350269189626", "O11 7.2.1"},
    {"pendulum", "w", "1,1,2", "O11 7.2.1"},
    {"pendulum", "energy", "1.3447754369991", "binary128"},
    {"double_pendulum", "mass1", "2", "O11 7.2.2"},
    {"double_pendulum", "mass2", "1", "O11 7.2.2"},
    {"double_pendulum", "length1", "1", "O11 7.2.2"},
    {"double_pendulum", "length2", "1", "O11 7.2.2"},
    {"double_pendulum", "gravity", "9.81", "O11 7.2.2"},
    {"double_pendulum", "q", "0.866019052628739,0,0.500011000363013,0,0,-1", "O11 7.2.2"},
    {"double_pendulum", "w", "-0.433,0,0.749956,0,1,0", "O11 7.2.2"},
    {"double_pendulum", "energy", "-3.2804392377795", "binary128"},
    {"magnets", "rows", "4", "O11 7.2.3"},
    {"magnets", "columns", "4", "O11 7.2.3"},
    {"magnets", "mass", "0.05", "O11 7.2.3"},
    {"magnets", "length", "0.02", "O11 7.2.3"},
    {"magnets", "moment", "0.1", "O11 7.2.3"},
    {"magnets", "spacing", "0.024", "O11 7.2.3, 1.2 l"},
    {"magnets", "energy", "-1.245966364483e-3", "binary128"},
    {"satellite", "inertia", "1.7e4,3.7e4,5.4e4", "CFSZ 3.3.2"},
    {"satellite", "rotation", "0,0,0", "CFSZ 3.3.2"},
    {"satellite", "velocity", "15,-15,15", "CFSZ 3.3.2"},
    {"satellite", "mu", "3.986e14", "CFSZ 3.3.2"},
    {"satellite", "radius", "1.5e5", "CFSZ 3.3.2"},
    {"satellite", "energy", "1.21595664e7", "CFSZ 3.3.2"},
    {"dipolar_spheres", "sigma", "1", "CFSZ 3.4"},
    {"dipolar_spheres", "epsilon", "1", "CFSZ 3.4"},
    {"dipolar_spheres", "mass", "1", "CFSZ 3.4"},
    {"dipolar_spheres", "dipole", "0,1,1", "CFSZ 3.4"},
    {"dipolar_spheres", "lattice", "5", "CFSZ 3.4"},
    {"dipolar_spheres", "spacing", "3", "chosen"},
    {"dipolar_spheres", "noise", "0.01", "CFSZ 3.4"},
    {"dipolar_spheres", "seed", "1", "chosen"},
    {"dipolar_spheres", "box", "0,0,0", "CFSZ 3.4, open"},
    {"dipolar_spheres", "cutoff", "0", "CFSZ 3.4"},
    {"dipolar_spheres", "dielectric", "0", "CFSZ 3.4"},
    {"dipolar_spheres", "energy", "-0.558174436604", "binary128"},
    {"generic", "inertia", "1.3,2.1,2.9", "ours"},
    {"generic", "energy", "2.6226277091651", "ours"},
    {"krysl_figure1", "time", "100", "K06 5.1"},
    {"krysl_figure2", "time", "20", "K06 5.2"},
    {"krysl_figure3", "time", "10", "chosen"},
    {"krysl_figure4", "step", "0.5", "K06 figure 4"},
    {"krysl_figure4", "time", "20000", "K06 figure 4, 40000 steps"},
    {"krysl_figure5", "step", "0.5", "K06 figure 5"},
    {"krysl_figure5", "time", "20000", "K06 figure 5, 40000 steps"},
    {"celledoni_figure14", "time", "400", "CFSZ 3.3.2"},
    {"celledoni_figure15", "time", "400", "CFSZ 3.3.2"},
    {"ortolan_figure3_1", "alpha", "0", "O11 3.1"},
    {"ortolan_figure3_2", "alpha", "0.3", "O11 4.2"},
    {"ortolan_figure4_1", "time", "10000", "O11 4.2"},
    {"ortolan_figure4_1", "steps", "0.125,0.25", "O11 4.2"},
    {"ortolan_figure4_3", "steps", "0.125,0.25", "O11 4.2"},
    {"ortolan_figure4_2", "time", "5", "O11 4.2"},
    {"ortolan_figure7_1", "step", "0.01", "O11 7.2.1"},
    {"ortolan_figure7_1", "time", "200", "O11 7.2.1"},
    {"ortolan_figure7_2", "step", "0.01", "O11 7.2.1"},
    {"ortolan_figure7_2", "time", "200", "O11 7.2.1"},
    {"ortolan_figure7_3", "time", "1", "O11 7.2.1"},
    {"ortolan_figure7_4", "step", "0.01", "O11 7.2.2"},
    {"ortolan_figure7_4", "time", "200", "O11 7.2.2"},
    {"ortolan_figure7_5", "step", "0.01", "O11 7.2.2"},
    {"ortolan_figure7_5", "time", "200", "O11 7.2.2"},
    {"ortolan_figure7_6", "time", "1", "O11 7.2.2"},
    {"ortolan_figure7_7", "step", "0.01", "chosen"},
    {"ortolan_figure7_7", "time", "200", "chosen"},
    {"ortolan_figure7_8", "step", "0.01", "chosen"},
    {"ortolan_figure7_8", "time", "200", "chosen"},
    {"ortolan_figure7_9", "time", "1", "O11 7.2.3"},
    {"celledoni_figure1", "time", "10", "CFSZ 3.2"},
    {"celledoni_figure2", "step", "5", "CFSZ 3.2"},
    {"celledoni_table1", "step", "5", "CFSZ 3.2"},
    {"celledoni_figure4", "step and time", "0.4,10", "CFSZ 3.2"},
    {"celledoni_figure5", "step and time", "0.4,10", "CFSZ 3.2"},
    {"celledoni_figure6", "step and time", "0.4,10", "CFSZ 3.2"},
    {"celledoni_figure7", "step and time", "0.4,10", "CFSZ 3.2"},
    {"celledoni_figure8", "step and time", "0.04,10", "CFSZ 3.2"},
    {"celledoni_figure9", "step and time", "0.04,10", "CFSZ 3.2"},
    {"celledoni_figure10", "step and time", "0.04,10", "CFSZ 3.2"},
    {"celledoni_figure11", "step and time", "0.04,10", "CFSZ 3.2"},
    {"celledoni_figure12", "epsilon", "1e-6", "CFSZ figure 12"},
    {"celledoni_figure13", "epsilon", "1e-3", "CFSZ figure 13"},
    {"celledoni_figure12", "longest steps", "8,5,4,2,1.75,1.5,1.25,1", "CFSZ 3.3.1"},
    {"celledoni_figure13", "longest steps", "8,5,4,2,1.75,1.5,1.25,1", "CFSZ 3.3.1"},
    {"celledoni_figure16", "energy of the start", "0.14134185611814", "CFSZ figure 16"},
    {"celledoni_figure16", "kicks", "10", "CFSZ 3.4"},
    {"celledoni_figure17", "kicks", "10", "CFSZ 3.4"},
    {"celledoni_figure18", "kicks", "10", "CFSZ 3.4"},
    {"hairer_vilmart_figure1", "inertia", "0.6,0.8,1", "HV 3"},
    {"hairer_vilmart_figure1", "inertia of water", "0.345,0.653,1", "HV 3"},
    {"hairer_vilmart_figure1", "momentum", "1.8,0.4,-0.9", "HV 3"},
    {"hairer_vilmart_figure1", "time", "10", "HV 3"},
    {"hairer_vilmart_table1", "inertia", "0.6,0.8,1", "HV 3"},
    {"hairer_vilmart_table1", "momentum", "1.8,0.4,-0.9", "HV 3"},
    {"vilmart_table1", "inertia", "0.6,0.8,1", "HV 3"},
    {"vilmart_table1", "momentum", "1.8,0.4,-0.9", "HV 3"},
    {"hairer_vilmart_section4", "inertia", "0.6,0.8,1", "HV 3"},
    {"hairer_vilmart_section4", "momentum", "1.8,0.4,-0.9", "HV 3"},
    {"vilmart_figure1", "inertia", "0.376,0.627,1", "V13 figure 1"},
    {"vilmart_figure1", "momentum", "0,0.6,-0.8", "V13 figure 1"},
    {"vilmart_figure1", "step", "0.01", "V13 figure 1"},
    {"vilmart_figure1", "time", "40", "V13 figure 1"},
};

/* What a figure must give: the number in a column of the rows of a method, at a step ("": the
 * last row); of a run its `slope`, or the `largest` error. */
static const struct {
    const char *figure, *row, *step, *column, *value;
} NUMBERS[] = {
#define ERRORS(figure, method, h, momentum, attitude)                                              \
    {figure, method, h, "error_momentum", momentum},                                               \
    {                                                                                              \
        figure, method, h, "error_attitude", attitude                                              \
    }
    ERRORS("krysl_figure1", "trap", "0.015625", "1.97e-5", "8.02e-5"),
    ERRORS("krysl_figure1", "imid", "0.015625", "9.62e-6", "8.82e-5"),
    ERRORS("krysl_figure1", "imidm", "0.015625", "1.08e-4", "1.23e-4"),
    ERRORS("krysl_figure1", "akw", "0.015625", "9.62e-6", "1.83e-3"),
    ERRORS("krysl_figure2", "trap", "0.003125", "1.16e-3", "5.90e-4"),
    ERRORS("krysl_figure2", "imidm", "0.003125", "7.16e-4", "9.47e-4"),
    ERRORS("krysl_figure2", "bbtrap", "0.003125", "8.38e-4", "1.40e-3"),
    ERRORS("krysl_figure3", "trap", "0.000625", "1.41e-2", "5.26e-4"),
    ERRORS("krysl_figure3", "imidm", "0.000625", "1.30e-3", "2.61e-5"),
    ERRORS("krysl_figure3", "swc1", "0.000625", "7.78e-3", "1.57e-4"),
    ERRORS("ortolan_figure4_2", "eln", "0.001953125", "2.24e-7", "2.36e-7"),
    ERRORS("ortolan_figure4_2", "tln", "0.001953125", "6.95e-7", "2.05e-6"),
    ERRORS("ortolan_figure4_2", "liemid", "0.001953125", "8.25e-8", "4.57e-7"),
    {"krysl_figure5", "imid", "", "largest", "0.0069"},
    {"krysl_figure5", "trapm", "", "largest", "0.0123"},
    {"krysl_figure5", "imidm", "", "largest", "0.0052"},
    {"ortolan_figure4_1", "eln h = 0.125", "", "slope", "-1.055e-6"},
    {"ortolan_figure4_1", "eln h = 0.25", "", "slope", "-4.04e-6"},
    {"ortolan_figure4_1", "prk h = 0.125", "", "slope", "-1.70e-6"},
    {"ortolan_figure4_1", "mcg h = 0.125", "", "slope", "5.69e-7"},
    {"ortolan_figure4_1", "liemid h = 0.125", "", "slope", "1.42e-7"},
    {"ortolan_figure4_1", "vlv h = 0.125", "", "largest", "1.28e-3"},
    {"ortolan_figure7_1", "eln", "", "largest", "1.06e-4"},
    {"ortolan_figure7_1", "rkmk4", "", "largest", "1.29e-6"},
    {"ortolan_figure7_1", "rattle", "", "largest", "1.94e-4"},
    {"ortolan_figure7_3", "eln", "0.001953125", "error_position", "1.7e-6"},
    {"ortolan_figure7_3", "rattle", "0.001953125", "error_velocity", "1.8e-5"},
    {"ortolan_figure7_6", "eln", "0.001953125", "error_position", "5.1e-5"},
    {"ortolan_figure7_6", "rattle", "0.001953125", "error_velocity", "5.3e-4"},
    {"ortolan_figure7_9", "eln", "0.001953125", "error_position", "3.0e-4"},
    {"ortolan_figure7_9", "rkmk4", "0.001953125", "error_velocity", "1.1e-6"},
    {"celledoni_figure14", "drift first h = 0.1", "", "largest", "6.5e-3"},
    {"celledoni_figure14", "MR h = 0.05", "", "largest", "6.1e-3"},
    {"celledoni_figure15", "h = 0.1", "", "largest", "1.15e-7"},
    {"celledoni_figure15", "h = 0.05", "", "largest", "4.58e-10"},
};

/* ---- what is used ---------------------------------------------------------------- */

const char *figure_problem(const ph_figure *f)
{
    return f->compute == convergence_compute ? ((const convergence *)f->context)->problem
           : f->compute == long_runs_compute ? ((const long_runs *)f->context)->problem
                                             : f->problem;
}

static void copy(datum *d, const double *x, size_t count)
{
    for (size_t k = 0; k < d->count && k < count; k++)
        d->used[k] = x[k];
}

static void copy_vector(datum *d, ph_vec3 v)
{
    copy(d, (const double[]){v.x, v.y, v.z}, 3);
}

static bool facts_of(const char *problem, ph_problem_facts *out)
{
    size_t i = 0;
    while (ph_problem_at(i, out) && strcmp(out->name, problem) != 0)
        i++;
    return ph_problem_at(i, out);
}

static bool use_parameter(datum *d, const char *problem)
{
    ph_problem_facts f;
    const bool known = facts_of(problem, &f);
    for (int i = 0; known && i < f.parameter_count; i++) {
        const ph_parameter *p = &f.parameters[i];
        if (strcmp(p->name, d->name) == 0) {
            copy(d, f.value + p->first, (size_t)p->count);
            return true;
        }
    }
    return false;
}

/* A number of a problem: a parameter, of a body inertia, rotation, velocity or momentum, of
 * spheres q or w, or an observable at the start. */
static void use_problem(datum *d, const char *problem)
{
    const ph_problem *p = find_problem(problem);
    ph_system *s;
    const ph_observable *seen;
    const ph_array *array;
    if (use_parameter(d, problem))
        return;
    if (p != NULL && strcmp(d->name, "inertia") == 0)
        copy_vector(d, p->body.J);
    else if (p != NULL && strcmp(d->name, "rotation") == 0)
        copy_vector(d, ph_rotation_log(p->q));
    else if (p != NULL && strcmp(d->name, "velocity") == 0)
        copy_vector(d, p->w);
    else if (p != NULL && strcmp(d->name, "momentum") == 0)
        copy_vector(d, times(p->body.J, p->w));
    else if (ph_system_create(&(ph_system_settings){problem, .step = 1e-3}, &s) == PH_OK) {
        if (ph_system_observable_named(s, d->name, &seen) == PH_OK)
            copy(d, seen->now, (size_t)seen->width);
        else if (ph_system_array_named(s, d->name, &array) == PH_OK)
            for (size_t k = 0; k < d->count && k / 3 < array->count; k++)
                d->used[k] = array->data[k % 3][k / 3 * array->stride];
        ph_system_destroy(s);
    }
}

/* A number of the figure itself: a time, steps. */
static void use_figure(datum *d, const ph_figure *f)
{
    const convergence *c = f->compute == convergence_compute ? f->context : NULL;
    const long_runs *r = f->compute == long_runs_compute ? f->context : NULL;
    if (c != NULL && strcmp(d->name, "time") == 0)
        copy(d, &c->time, 1);
    if (r != NULL && strcmp(d->name, "time") == 0)
        copy(d, &r->time[FIGURE_FULL], 1);
    if (r != NULL && strcmp(d->name, "step") == 0)
        copy(d, &r->h, 1);
    for (const figure_number *n = f->numbers; n != NULL && n->name != NULL; n++) {
        if (strcmp(n->name, d->name) == 0)
            copy(d, n->value, n->count);
    }
}

size_t figure_data(const ph_figure *f, datum out[DATA_MOST])
{
    const char *problem = figure_problem(f);
    size_t count = 0;
    for (size_t i = 0; i < COUNT(DATA) && count < DATA_MOST; i++) {
        const bool own = strcmp(DATA[i].of, f->name) == 0,
                   its = problem != NULL && strcmp(DATA[i].of, problem) == 0;
        if (!own && !its)
            continue;
        datum *d = &out[count++];
        *d = (datum){DATA[i].name, DATA[i].printed, DATA[i].where, 1, {0}};
        for (const char *x = d->printed; (x = strchr(x, ',')) != NULL; x++)
            d->count++;
        for (size_t k = 0; k < d->count; k++)
            d->used[k] = NAN;
        if (own)
            use_figure(d, f);
        else
            use_problem(d, problem);
    }
    return count;
}

/* ---- what is claimed of it ------------------------------------------------------- */

/* Reads a number, and half a unit of its last digit; the text behind it. */
static const char *read_digits(const char *text, double *x, double *half)
{
    char *end;
    const char *point = NULL, *digits = text;
    int places = 0;
    *x = strtod(text, &end);
    for (; digits < end && *digits != 'e'; digits++) {
        places += point != NULL;
        point = *digits == '.' ? digits : point;
    }
    const double power = *digits == 'e' ? strtod(digits + 1, NULL) : 0.0;
    *half = 0.5 * pow(10.0, power - places);
    return *end == ',' ? end + 1 : end;
}

void claim_datum(const datum *d, claims *out)
{
    const double share = 4e-3, nothing = 1e-12;
    const char *text = d->printed;
    double worst = 0.0;
    for (size_t k = 0; k < d->count; k++) {
        double x, half;
        text = read_digits(text, &x, &half);
        const double allowed = x == 0.0 ? nothing : smaller_or_nan(half, share * fabs(x));
        worst = larger_or_nan(worst, fabs(d->used[k] - x) / allowed);
    }
    quote(out, d->where, d->printed);
    claim(out, worst, 0.0, 1.0, "%s: difference from what is printed, in last digits", d->name);
    out->at[out->count - 1].datum = true;
}

/* Claims that the numbers of the figure are those that another program gave in quadruple
 * precision, or that the paper prints, to the digits known. */
static void claim_numbers(const ph_figure *f, const table *t, claims *out)
{
    const double rounding = 1.0001; /* of decimal digits */
    for (size_t i = 0; i < COUNT(NUMBERS); i++) {
        if (strcmp(NUMBERS[i].figure, f->name) != 0)
            continue;
        const char *row = NUMBERS[i].row, *column = NUMBERS[i].column;
        const table part = table_part(t, "method", row);
        double x, half;
        (void)read_digits(NUMBERS[i].value, &x, &half);
        const double found = strcmp(column, "slope") == 0 ? run_slope(t, row)
                             : strcmp(column, "largest") == 0
                                 ? run_error(t, row)
                                 : table_first(&part, "h", NUMBERS[i].step, column);
        quote(out, "binary128", NUMBERS[i].value);
        claim(out, found, x - rounding * half, x + rounding * half, "%s, %s%s%s", row, column,
              NUMBERS[i].step[0] == '\0' ? "" : ", h = ", NUMBERS[i].step);
    }
}

void figure_judge(const ph_figure *f, const table *t, claims *out)
{
    datum data[DATA_MOST];
    *out = (claims){.context = f->context};
    f->judge(t, out);
    claim_numbers(f, t, out);
    const size_t count = figure_data(f, data);
    for (size_t i = 0; i < count; i++)
        claim_datum(&data[i], out);
}
