/* molecules.c - many bodies that push and turn each other: a lattice, lists, or a table. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catalog/find.h"
#include "cli/input/kind.h"
#include "cli/input/method.h"
#include "cli/system_output.h"
#include "cli/tool.h"
#include "core/extremes.h"
#include "core/vec.h"
#include "io/advice.h"
#include "io/csv.h"
#include "molecules/laws.h"

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

/* ---- the arrays of molecules: lists of a scenario, columns of a table ------------ */

enum {
    POSITIONS,
    MOMENTA,
    ATTITUDES,
    ANGULAR_MOMENTA,
    MASSES,
    INERTIAS,
    DIPOLES,
    ARRAYS,
    ROTVECS = ARRAYS, /* a list that stands for attitudes */
    LISTS
};

static const struct {
    const char *name, *column[4];
    int width;
} lists[LISTS] = {
    [POSITIONS] = {"positions", {"x", "y", "z"}, 3},
    [MOMENTA] = {"momenta", {"px", "py", "pz"}, 3},
    [ATTITUDES] = {"attitudes", {"q0", "q1", "q2", "q3"}, 4},
    [ANGULAR_MOMENTA] = {"angular_momenta", {"m1", "m2", "m3"}, 3},
    [MASSES] = {"masses", {"mass"}, 1},
    [INERTIAS] = {"inertias", {"I1", "I2", "I3"}, 3},
    [DIPOLES] = {"dipoles", {"d1", "d2", "d3"}, 3},
    [ROTVECS] = {.name = "rotvecs", .width = 3},
};

static double *const *array(const ph_molecules *s, int list)
{
    double *const *const arrays[ARRAYS] = {s->x,     s->p, s->q,     s->m,
                                           &s->mass, s->J, s->dipole};
    return arrays[list];
}

/* The model while it is read. Of a list x[list][k] is component k, number i at i * stride;
 * NULL where it is not given. */
typedef struct reader {
    scenario *input;
    ph_molecules_problem problem;
    ph_molecules *made;
    double *memory[LISTS];
    const double *x[LISTS][4];
    size_t stride[LISTS], count[LISTS];
    int line[LISTS]; /* 0: there is none */
} reader;

/* ---- the numbers that are set one by one ----------------------------------------- */

/* Keys of a scenario that are parameters too, under the same name; first those of a
 * lattice. */
static const scenario_key KEYS[] = {KEY_LATTICE, KEY_SPACING, KEY_NOISE,     KEY_SEED,
                                    KEY_BOX,     KEY_CUTOFF,  KEY_DIELECTRIC};
enum { PARAMETER_KEYS = sizeof KEYS / sizeof KEYS[0], LATTICE_KEYS = 4 };

static bool accepts_key(scenario_key key)
{
    return key == KEY_BODIES || key == KEY_INERTIA ||
           (key >= KEY_LATTICE && key <= KEY_DIELECTRIC);
}

/* The values of a parameter that has a key. */
static double *value_of(ph_molecules_problem *p, scenario_key key)
{
    return p->value + ph_molecules_problem_parameter(p, scenario_keys[key].name)->first;
}

static int read_parameters(reader *r)
{
    ph_molecules_problem *p = &r->problem;
    for (int i = 0; i < PARAMETER_KEYS; i++) {
        const setting *v = &r->input->value[KEYS[i]];
        for (size_t k = 0; v->is_set && k < v->count; k++)
            value_of(p, KEYS[i])[k] = v->x[k];
    }
    return kind_parameters(r->input, p->name, p->parameters, p->parameter_count,
                           p->value);
}

/* ---- the bodies ------------------------------------------------------------------ */

/* Bodies that are all alike. */
static void make_alike(const reader *r)
{
    const setting *inertia = &r->input->value[KEY_INERTIA];
    ph_molecules_set_problem(r->made, &r->problem);
    for (size_t i = 0; inertia->is_set && i < r->made->n; i++) {
        for (int k = 0; k < 3; k++)
            r->made->J[k][i] = inertia->x[k];
    }
}

static int make_lattice(reader *r)
{
    const double *x = r->problem.value;
    const ph_status status = ph_molecules_of_problem(&r->made, &r->problem);
    if (status == PH_OK)
        make_alike(r);
    return status == PH_OK ? 0
           : status == PH_NO_MEMORY
               ? fail_memory()
               : fail_usage("lattice %g, spacing %g, noise %g, seed %g make no lattice: "
                            "write a whole number of bodies along an edge from 1 to %d, "
                            "a positive spacing, a noise of 0 or more, and a whole seed "
                            "from 0 to 2^53",
                            x[LATTICE], x[SPACING], x[NOISE], x[SEED], PH_LATTICE_MOST);
}

/* Bodies of the lists that are given, for the rest alike. */
static int make_from_lists(reader *r)
{
    ph_molecules *s = r->made = ph_molecules_create(r->count[POSITIONS]);
    if (s == NULL)
        return fail_memory();
    make_alike(r);
    for (int g = 0; g < ARRAYS; g++) {
        for (int k = 0; r->x[g][0] != NULL && k < lists[g].width; k++) {
            for (size_t i = 0; i < s->n; i++)
                array(s, g)[k][i] = r->x[g][k][i * r->stride[g]];
        }
    }
    for (size_t i = 0; r->x[ROTVECS][0] != NULL && i < s->n; i++) {
        const double *x = r->x[ROTVECS][0] + 3 * i;
        const ph_quat q = ph_exp(vec3(x[0], x[1], x[2]));
        s->q[0][i] = q.w, s->q[1][i] = q.x, s->q[2][i] = q.y, s->q[3][i] = q.z;
    }
    return 0;
}

static bool visit_bodies(void *context, scenario *input, const char *key, int line,
                         struct fy_node *value)
{
    reader *r = context;
    const char *names[LISTS + LATTICE_KEYS];
    size_t count = 0;
    for (int i = 0; i < LISTS; i++) {
        const size_t width = (size_t)lists[i].width;
        names[count++] = lists[i].name;
        if (strcmp(key, lists[i].name) != 0)
            continue;
        r->line[i] = line;
        r->stride[i] = width;
        const bool read =
            scenario_vectors(input, line, key, value, width, &r->memory[i], &r->count[i]);
        for (size_t k = 0; read && k < width; k++)
            r->x[i][k] = r->memory[i] + k;
        return read;
    }
    for (int i = 0; i < LATTICE_KEYS; i++) {
        names[count++] = scenario_keys[KEYS[i]].name;
        if (strcmp(key, names[count - 1]) == 0)
            return scenario_number(input, line, key, value,
                                   value_of(&r->problem, KEYS[i]));
    }
    return scenario_unknown(input, line, key, names, count);
}

/* Lists that go together. */
static bool check_lists(const reader *r)
{
    const int needed = r->line[POSITIONS];
    for (int i = 0; i < LISTS; i++) {
        if (r->line[i] != 0 && needed == 0)
            return scenario_wrong(r->input, r->line[i],
                                  "%s without positions: write them too", lists[i].name);
        if (r->line[i] != 0 && r->count[i] != r->count[POSITIONS])
            return scenario_wrong(r->input, r->line[i],
                                  "%zu %s and %zu positions: write one for each body",
                                  r->count[i], lists[i].name, r->count[POSITIONS]);
    }
    if (needed != 0 && r->count[POSITIONS] == 0)
        return scenario_wrong(r->input, needed,
                              "there are no bodies: write the position of one");
    if (r->line[ROTVECS] != 0 && r->line[ATTITUDES] != 0)
        return scenario_wrong(
            r->input, r->line[ROTVECS],
            "rotvecs and attitudes (line %d) exclude each other: leave one out",
            r->line[ATTITUDES]);
    return true;
}

static int read_lists(reader *r)
{
    const setting *bodies = &r->input->value[KEY_BODIES];
    if (!scenario_mapping(r->input, bodies->line, "bodies", bodies->tree, visit_bodies,
                          r) ||
        !check_lists(r))
        return fail_usage("%s", r->input->message);
    return r->line[POSITIONS] == 0 ? make_lattice(r) : make_from_lists(r);
}

/* The rows of a table; where it has times, those of the last. */
static int take_table(reader *r, const csv *table, const double *x, size_t rows)
{
    const size_t t = csv_column(table, "t"), columns = table->columns;
    size_t first = t < columns ? rows - 1 : 0;
    while (first > 0 && x[(first - 1) * columns + t] == x[first * columns + t])
        first--;
    for (int g = 0; g < ARRAYS; g++) {
        const char *missing = NULL;
        int found = 0;
        for (int k = 0; k < lists[g].width; k++) {
            const size_t at = csv_column(table, lists[g].column[k]);
            if (at == columns && missing == NULL)
                missing = lists[g].column[k];
            found += at < columns;
            r->x[g][k] = at < columns ? x + first * columns + at : NULL;
        }
        if (missing != NULL && (found > 0 || g == POSITIONS))
            return fail_usage(WORDS
                              " line 1: column %s is missing: a table of bodies has "
                              "x,y,z and may have px,py,pz, q0,q1,q2,q3, "
                              "m1,m2,m3, mass, I1,I2,I3, d1,d2,d3",
                              table->name, missing);
        r->stride[g] = columns;
    }
    r->count[POSITIONS] = rows - first;
    return make_from_lists(r);
}

static int read_table(reader *r, const char *path)
{
    csv *table = csv_open(path, &interrupted);
    size_t rows = 0;
    if (table == NULL)
        return fail_usage("cannot read " WORDS " (%s): %s", path, strerror(errno),
                          advice(errno, "give a readable file"));
    file_read(path);
    csv_status status = csv_header(table);
    if (status == CSV_OK)
        status = csv_rows(table, &r->memory[0], &rows);
    const int result = status != CSV_END ? fail_usage("%s", table->message)
                       : rows == 0 ? fail_usage(WORDS ": there are no rows: write one "
                                                      "for each body",
                                                table->name)
                                   : take_table(r, table, r->memory[0], rows);
    csv_close(table);
    return result;
}

static int read_bodies(reader *r)
{
    char place[PLACE];
    const setting *bodies = &r->input->value[KEY_BODIES];
    if (!bodies->is_set)
        return make_lattice(r);
    if (r->input->value[KEY_LATTICE].is_set)
        return fail_usage("%sbodies and lattice exclude each other: leave one out",
                          input_line(r->input, bodies, place));
    if (bodies->tree == NULL || !fy_node_is_scalar(bodies->tree))
        return read_lists(r);
    const char *path = fy_node_get_scalar0(bodies->tree);
    if (path == NULL || path[0] == '\0')
        return fail_usage("%sbodies has no value: write lists, or the name of a table",
                          input_line(r->input, bodies, place));
    return read_table(r, path);
}

/* ---- checks ---------------------------------------------------------------------- */

static int check_box(const double *x, const ph_molecules *s)
{
    const double *box = x + BOX;
    const bool given = box[0] != 0.0 || box[1] != 0.0 || box[2] != 0.0;
    if (!given && (x[CUTOFF] != 0.0 || x[DIELECTRIC] != 0.0))
        return fail_usage("a cutoff or dielectric is part of a periodic box: give a box");
    if (!given)
        return 0;
    if (!(box[0] > 0.0 && box[1] > 0.0 && box[2] > 0.0))
        return fail_usage("box %g, %g, %g: write three positive edges", box[0], box[1],
                          box[2]);
    const double most = 0.5 * smaller_or_nan(box[0], smaller_or_nan(box[1], box[2]));
    if (!(s->cutoff > 0.0 && s->cutoff <= most))
        return fail_usage("cutoff %g: write a positive number, at most half the shortest "
                          "edge of the box, %g",
                          s->cutoff, most);
    if (!(s->dielectric == 0.0 || s->dielectric >= 1.0))
        return fail_usage("dielectric %g: write 1 or more, or 0 for a conductor",
                          s->dielectric);
    return 0;
}

/* What is wrong with a state: a body's, or the energy of all. */
static int fail_state(const char *problem, const ph_molecules *s)
{
    for (size_t i = 0; i < s->n; i++) {
        double largest = 0.0, attitude = 0.0;
        for (int g = 0; g < ARRAYS; g++) {
            for (int k = 0; k < lists[g].width; k++) {
                const double size = fabs(array(s, g)[k][i]);
                largest = larger_or_nan(largest, size);
                attitude = g == ATTITUDES ? larger_or_nan(attitude, size) : attitude;
            }
        }
        if (attitude == 0.0)
            return fail_usage("body %zu, counted from 0, has the attitude 0,0,0,0: write "
                              "1,0,0,0 for the identity",
                              i);
        if (!isfinite(largest))
            return fail_usage(
                "a number of body %zu, counted from 0, overflows: use other "
                "units",
                i);
    }
    return fail_usage(
        "the energy of the molecules of %s overflows: choose smaller dipoles "
        "and momenta, or other units",
        problem);
}

static int read_into(reader *r)
{
    ph_molecules_pair near_by;
    TRY(read_parameters(r));
    TRY(read_bodies(r));
    TRY(check_box(r->problem.value, r->made));
    const ph_status checked = ph_molecules_prepare(r->made, &near_by);
    if (checked == PH_OVERLAP)
        return fail_usage("bodies %zu and %zu, counted from 0, overlap: they are %g "
                          "apart: move them apart",
                          near_by.a, near_by.b, near_by.distance);
    return checked == PH_OK ? 0
           : checked == PH_BAD_STATE
               ? fail_state(r->problem.name, r->made)
               : fail_usage("the molecules of %s cannot be: %s: change them",
                            r->problem.name, ph_status_text(checked));
}

static int read_model(scenario *input, void **out)
{
    reader r = {.input = input,
                .problem = *find_molecules_problem(input->value[KEY_PROBLEM].text)};
    threads_limit();
    const int status = read_into(&r);
    for (int i = 0; i < LISTS; i++)
        free(r.memory[i]);
    if (status == 0)
        *out = r.made;
    else
        ph_molecules_free(r.made);
    return status;
}

static void discard(void *model)
{
    ph_molecules_free(model);
}

/* ---- its integrators and systems ------------------------------------------------- */

static int choose(const void *model, const char *place, const char *name, void **out)
{
    (void)model;
    ph_integrator found;
    TRY(method_find(place, name, &found));
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
    return kind_copy(&found, sizeof found, out);
}

static ph_molecules *copied(const ph_molecules *from)
{
    ph_molecules *to = ph_molecules_create(from->n);
    if (to == NULL)
        return NULL;
    for (int g = 0; g < ARRAYS; g++) {
        for (int k = 0; k < lists[g].width; k++)
            memcpy(array(to, g)[k], array(from, g)[k], from->n * sizeof(double));
    }
    to->law = from->law;
    memcpy(to->constant, from->constant, sizeof to->constant);
    to->box = from->box;
    to->cutoff = from->cutoff;
    to->dielectric = from->dielectric;
    return to;
}

static ph_status make(const void *model, const void *integrator, double h,
                      unsigned options, ph_system **out)
{
    (void)options;
    ph_molecules *start = copied(model);
    const ph_status status =
        start ? ph_system_of_molecules(out, start, integrator, h) : PH_NO_MEMORY;
    if (status != PH_OK)
        ph_molecules_free(start);
    return status;
}

static void print_state(outfile *out, ph_system *s)
{
    outfile_print(out, "%zu bodies at t = %g\n", ph_system_field(s, "positions")->count,
                  ph_system_time(s));
    size_t count;
    const ph_observable *o = ph_system_observables(s, &count);
    for (int first = 1; first >= 0; first--) { /* the temperature comes first */
        for (size_t i = 0; i < count; i++) {
            if ((strcmp(o[i].name, "temperature") == 0) == (first == 1))
                print_observable(out, &o[i]);
        }
    }
}

/* ---- comparing ------------------------------------------------------------------- */

static const char *reference_integrator(const void *model)
{
    (void)model;
    return "srkn6_14a+exact";
}

/* Neighbours double what rounding leaves over and over; this is where it begins. */
static double round_off(const void *model, const ph_system *end, double t)
{
    (void)model;
    (void)end;
    (void)t;
    return 1e-13;
}

static void describe(const void *model, char *text, size_t size)
{
    (void)snprintf(text, size, "%zu bodies", ((const ph_molecules *)model)->n);
}

const system_kind kind_molecules = {
    .rank = 3,
    .name = "molecules",
    .what = "molecules",
    .rows_of_each = true,
    .problem = problem_entry,
    .method = method_entry,
    .accepts_key = accepts_key,
    .read = read_model,
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
