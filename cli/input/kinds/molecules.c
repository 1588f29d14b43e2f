/* molecules.c - many bodies that push and turn each other: a lattice, lists, or a table. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/extremes.h"
#include "cli/files/csv.h"
#include "cli/input/kind.h"
#include "cli/tool.h"
#include "molecules/laws.h"
#include "rotation/vec.h"
#include "system/find.h"

/* The method for people who name none: docs/which_method.md. */
static const char RECOMMENDED[] = "verlet+exact";

ENTRY_LIST(problem_entry, ph_molecules_problem, ph_molecules_problems, ENTRY_PROBLEM(d),
           .method = RECOMMENDED)

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

/* A problem, and lists of bodies: of a list x[list][k] is component k, number i at i * stride;
 * NULL where it is not given. Without positions the bodies are a lattice. */
typedef struct molecules_model {
    scenario *input; /* while the model is read */
    ph_molecules_problem problem;
    const double *inertia; /* of all bodies; NULL: that of the problem */
    double *memory[LISTS];
    const double *x[LISTS][4];
    size_t stride[LISTS], count[LISTS];
    int line[LISTS]; /* 0: there is none */
} molecules_model;

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

static int read_parameters(molecules_model *r)
{
    ph_molecules_problem *p = &r->problem;
    for (int i = 0; i < PARAMETER_KEYS; i++) {
        const setting *v = &r->input->value[KEYS[i]];
        for (size_t k = 0; v->is_set && k < v->count; k++)
            value_of(p, KEYS[i])[k] = v->x[k];
    }
    const kind_parameter_rows rows = {p->parameters, p->parameter_count, NULL, 0};
    return kind_parameters(r->input, p->name, &rows, p->value);
}

/* ---- the bodies ------------------------------------------------------------------ */

/* The molecules of a model: those of the lists that are given, for the rest all alike. */
static ph_status build(const molecules_model *r, ph_molecules **out)
{
    const bool lattice = r->x[POSITIONS][0] == NULL;
    ph_status status = PH_NO_MEMORY;
    if (lattice)
        status = ph_molecules_of_problem(out, &r->problem);
    else if ((*out = ph_molecules_create(r->count[POSITIONS])) != NULL)
        status = PH_OK;
    if (status != PH_OK)
        return status;
    ph_molecules *s = *out;
    ph_molecules_set_problem(s, &r->problem);
    for (size_t i = 0; i < s->n; i++) {
        for (int k = 0; r->inertia != NULL && k < 3; k++)
            s->J[k][i] = r->inertia[k];
        for (int g = 0; g < ARRAYS; g++) {
            for (int k = 0; r->x[g][0] != NULL && k < lists[g].width; k++)
                array(s, g)[k][i] = r->x[g][k][i * r->stride[g]];
        }
        if (r->x[ROTVECS][0] != NULL) {
            const double *x = r->x[ROTVECS][0] + 3 * i;
            const ph_quat q = ph_exp(vec3(x[0], x[1], x[2]));
            s->q[0][i] = q.w, s->q[1][i] = q.x, s->q[2][i] = q.y, s->q[3][i] = q.z;
        }
    }
    return PH_OK;
}

static bool visit_bodies(void *context, scenario *input, const char *key, int line,
                         struct fy_node *value)
{
    molecules_model *r = context;
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
static bool check_lists(const molecules_model *r)
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

static int read_lists(molecules_model *r)
{
    const setting *bodies = &r->input->value[KEY_BODIES];
    if (!scenario_mapping(r->input, bodies->line, "bodies", bodies->tree, visit_bodies,
                          r) ||
        !check_lists(r))
        return fail_usage("%s", r->input->message);
    return 0;
}

/* The rows of a table; where it has times, those of the last. */
static int take_table(molecules_model *r, const csv *table, const double *x, size_t rows)
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
        REFUSE_IF(missing != NULL && (found > 0 || g == POSITIONS),
                  WORDS " line 1: column %s is missing: a table of bodies has "
                        "x,y,z and may have px,py,pz, q0,q1,q2,q3, "
                        "m1,m2,m3, mass, I1,I2,I3, d1,d2,d3",
                  table->name, missing);
        r->stride[g] = columns;
    }
    r->count[POSITIONS] = rows - first;
    if (t < columns && r->x[MASSES][0] == NULL) /* rows that `run` wrote */
        warn(WORDS " has no masses, moments and dipoles: bodies have those of the "
                   "problem; a snapshot of `run --checkpoint` has its own",
             table->name);
    return 0;
}

static int read_table(molecules_model *r, const char *path)
{
    char message[CSV_MESSAGE];
    csv *table = csv_open(path, &interrupted, message);
    size_t rows = 0;
    REFUSE_IF(table == NULL, "%s", message);
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

static int read_bodies(molecules_model *r)
{
    const setting *bodies = &r->input->value[KEY_BODIES];
    if (!bodies->is_set)
        return 0;
    const char *place = input_line(r->input, bodies);
    REFUSE_IF(r->input->value[KEY_LATTICE].is_set,
              "%sbodies and lattice exclude each other: leave one out", place);
    if (bodies->tree == NULL || !fy_node_is_scalar(bodies->tree))
        return read_lists(r);
    const char *path = fy_node_get_scalar0(bodies->tree);
    REFUSE_IF(path == NULL || path[0] == '\0',
              "%sbodies has no value: write lists, or the name of a table", place);
    return read_table(r, path);
}

/* ---- checks ---------------------------------------------------------------------- */

static int check_box(const double *x, const ph_molecules *s)
{
    const double *box = x + BOX;
    if (box[0] == 0.0 && box[1] == 0.0 && box[2] == 0.0) {
        REFUSE_IF(x[CUTOFF] != 0.0 || x[DIELECTRIC] != 0.0,
                  "a cutoff or dielectric is part of a periodic box: give a box");
        return 0;
    }
    REFUSE_IF(!(box[0] > 0.0 && box[1] > 0.0 && box[2] > 0.0),
              "box %g, %g, %g: write three positive edges", box[0], box[1], box[2]);
    const double most = 0.5 * smaller_or_nan(box[0], smaller_or_nan(box[1], box[2]));
    REFUSE_IF(!(s->cutoff > 0.0 && s->cutoff <= most),
              "cutoff %g: write a positive number, at most half the shortest edge of the "
              "box, %g",
              s->cutoff, most);
    REFUSE_IF(!(s->dielectric == 0.0 || s->dielectric >= 1.0),
              "dielectric %g: write 1 or more, or 0 for a conductor", s->dielectric);
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
        REFUSE_IF(attitude == 0.0,
                  "body %zu, counted from 0, has the attitude 0,0,0,0: write 1,0,0,0 for "
                  "the identity",
                  i);
        REFUSE_IF(!isfinite(largest),
                  "a number of body %zu, counted from 0, overflows: use other units", i);
    }
    return fail_usage(
        "the energy of the molecules of %s overflows: choose smaller dipoles "
        "and momenta, or other units",
        problem);
}

/* Everything that can be wrong with the molecules is found here. */
static int check(const molecules_model *r, ph_status built, ph_molecules *s)
{
    const double *x = r->problem.value;
    ph_molecules_pair near_by;
    if (built == PH_NO_MEMORY)
        return fail_memory();
    REFUSE_IF(
        built != PH_OK,
        "lattice %g, spacing %g, noise %g, seed %g are no valid lattice: write a whole "
        "number of bodies along an edge from 1 to %d, a positive spacing, a noise of "
        "0 or more, and a whole seed from 0 to 2^53",
        x[LATTICE], x[SPACING], x[NOISE], x[SEED], PH_LATTICE_MOST);
    TRY(check_box(x, s));
    const ph_status checked = ph_molecules_prepare(s, &near_by);
    REFUSE_IF(checked == PH_OVERLAP,
              "bodies %zu and %zu, counted from 0, overlap: they are %g apart: move them "
              "apart",
              near_by.a, near_by.b, near_by.distance);
    if (checked == PH_BAD_STATE)
        return fail_state(r->problem.name, s);
    REFUSE_IF(checked != PH_OK, "the molecules of %s are invalid: %s: change them",
              r->problem.name, ph_status_text(checked));
    return 0;
}

static void discard(void *model)
{
    molecules_model *r = model;
    for (int i = 0; i < LISTS; i++)
        free(r->memory[i]);
    free(r);
}

static int read_model(scenario *input, void **out)
{
    molecules_model *r = calloc(1, sizeof *r);
    if (r == NULL)
        return fail_memory();
    *r = (molecules_model){.input = input,
                           .problem =
                               *find_molecules_problem(input->value[KEY_PROBLEM].text)};
    if (input->value[KEY_INERTIA].is_set)
        r->inertia = input->value[KEY_INERTIA].x;
    int status = read_parameters(r);
    if (status == 0)
        status = read_bodies(r);
    if (status == 0) {
        ph_molecules *s = NULL;
        const ph_status built = build(r, &s);
        status = check(r, built, s);
        ph_molecules_free(s);
    }
    if (status == 0)
        *out = r;
    else
        discard(r);
    return status;
}

/* ---- its integrators and systems ------------------------------------------------- */

static int choose(const void *model, const char *place, const char *name,
                  custom_parts *own, void **out, int *order)
{
    (void)model;
    ph_integrator found;
    TRY(method_find(place, name, own, &found));
    REFUSE_IF(found.method != NULL,
              "%s`" WORDS "` moves one body: write a scheme over a flow, such as "
              "verlet+exact",
              place, name);
    REFUSE_IF(found.scheme == NULL,
              "%s`" WORDS
              "` is a flow, for a free body: write verlet+%s, or another scheme",
              place, name, name);
    REFUSE_IF(found.scheme->gradient != NULL,
              "%s%s needs the derivative of the forces, which molecules have not: take "
              "another scheme",
              place, found.scheme->name);
    *order = ph_integrator_order(&found);
    return kind_copy(&found, sizeof found, out);
}

static ph_status make(const void *model, const void *integrator, double h,
                      ph_system **out)
{
    ph_molecules *start = NULL;
    ph_status status = build(model, &start);
    if (status == PH_OK)
        status = ph_system_of_molecules(out, start, integrator, h);
    if (status != PH_OK)
        ph_molecules_free(start);
    return status;
}

/* ---- comparing ------------------------------------------------------------------- */

static const char *recommended(const void *model)
{
    (void)model;
    return RECOMMENDED;
}

static const char *reference_integrator(const void *model)
{
    (void)model;
    return "srkn6_14a+exact";
}

static void describe(const void *model, char *text, size_t size)
{
    const molecules_model *r = model;
    const double edge = r->problem.value[LATTICE];
    const bool lattice = r->x[POSITIONS][0] == NULL;
    (void)snprintf(text, size, "%.0f bodies",
                   lattice ? edge * edge * edge : (double)r->count[POSITIONS]);
}

const system_kind kind_molecules = {
    .name = "molecules",
    .what = "molecules",
    .rows_of_each = true,
    .problem = problem_entry,
    .accepts_key = accepts_key,
    .read = read_model,
    .free = discard,
    .choose = choose,
    .make = make,
    .entries = {"1 body", "bodies"},
    .state_note = "",
    .error_names = {"momenta", "places"},
    .error_text = "|x - x*|/|x*| over all bodies, x their momenta, angular momenta, "
                  "positions and attitudes",
    .recommended = recommended,
    .reference_integrator = reference_integrator,
    .describe = describe,
};
