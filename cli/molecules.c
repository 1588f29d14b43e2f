/* molecules.c - molecules as a scenario and options tell them: a lattice, lists, or a
 * table. */
#include "molecules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "catalog/find.h"
#include "core/extremes.h"
#include "core/vec.h"
#include "files.h"
#include "interrupt.h"
#include "io/csv.h"
#include "kind.h"
#include "molecules/laws.h"
#include "report.h"

/* ---- the numbers that are told one by one ---------------------------------------- */

/* Keys of a scenario that are parameters too, under the same name. */
static const scenario_key KEYS[] = {SAY_LATTICE, SAY_SPACING, SAY_NOISE,     SAY_SEED,
                                    SAY_BOX,     SAY_CUTOFF,  SAY_DIELECTRIC};
enum { KEY_COUNT = sizeof KEYS / sizeof KEYS[0], LATTICE_KEYS = 4 };

bool molecules_take(scenario_key key)
{
    for (int i = 0; i < KEY_COUNT; i++) {
        if (KEYS[i] == key)
            return true;
    }
    return key == SAY_BODIES || key == SAY_INERTIA;
}

/* What is told of a system beside its bodies. */
typedef struct common {
    const scenario *told;
    ph_molecules_problem problem;
} common;

/* The values of a parameter that has a key. */
static double *value_of(ph_molecules_problem *p, scenario_key key)
{
    return p->value + ph_molecules_problem_parameter(p, scenario_key_name(key))->first;
}

static int read_common(common *c)
{
    ph_molecules_problem *p = &c->problem;
    for (int i = 0; i < KEY_COUNT; i++) {
        const setting *v = &c->told->value[KEYS[i]];
        for (size_t k = 0; v->said && k < v->count; k++)
            value_of(p, KEYS[i])[k] = v->x[k];
    }
    return kind_parameters(c->told, p->name, p->parameters, p->parameter_count, p->value);
}

/* ---- bodies that are all alike --------------------------------------------------- */

static void make_alike(const common *c, ph_molecules *s)
{
    const setting *inertia = &c->told->value[SAY_INERTIA];
    ph_molecules_set_problem(s, &c->problem);
    for (size_t i = 0; inertia->said && i < s->n; i++) {
        for (int k = 0; k < 3; k++)
            s->J[k][i] = inertia->x[k];
    }
}

static int make_lattice(const common *c, ph_molecules **out)
{
    const double *x = c->problem.value;
    const ph_status status = ph_molecules_of_problem(out, &c->problem);
    if (status == PH_OK)
        make_alike(c, *out);
    return status == PH_OK ? 0
           : status == PH_NO_MEMORY
               ? fail_memory()
               : fail_usage("lattice %g, spacing %g, noise %g, seed %g make no lattice: "
                            "write a whole number of bodies along an edge from 1 to %d, "
                            "a positive spacing, a noise of 0 or more, and a whole seed "
                            "from 0 to 2^53",
                            x[LATTICE], x[SPACING], x[NOISE], x[SEED], PH_LATTICE_MOST);
}

/* ---- lists ----------------------------------------------------------------------- */

enum { ROTVECS = GROUP_COUNT, LISTS };

/* What `bodies` says: lists, of which rotvecs stand for attitudes; or numbers. */
typedef struct bodies {
    const scenario *told;
    char *message;
    ph_molecules_problem *problem; /* for the numbers of a lattice */
    double *x[LISTS];
    size_t count[LISTS];
    int line[LISTS]; /* 0: there is none */
} bodies;

static const char *list_name(int list)
{
    return list == ROTVECS ? "rotvecs" : molecules_groups[list].list;
}

static bool visit_bodies(void *context, const char *key, int line, struct fy_node *value)
{
    bodies *b = context;
    const char *names[LISTS + LATTICE_KEYS];
    size_t count = 0;
    for (int i = 0; i < LISTS; i++) {
        names[count++] = list_name(i);
        if (strcmp(key, list_name(i)) != 0)
            continue;
        b->line[i] = line;
        const int width = i == ROTVECS ? 3 : molecules_groups[i].width;
        return scenario_vectors(b->told, key, line, value, (size_t)width, &b->x[i],
                                &b->count[i], b->message);
    }
    for (int i = 0; i < LATTICE_KEYS; i++) {
        names[count++] = scenario_key_name(KEYS[i]);
        if (strcmp(key, names[count - 1]) == 0)
            return scenario_number(b->told, key, line, value,
                                   value_of(b->problem, KEYS[i]), b->message);
    }
    return scenario_unknown(b->told, line, key, names, count, b->message);
}

/* Lists that go together. */
static bool check_lists(const bodies *b)
{
    const int needed = GROUP_POSITIONS;
    for (int i = 0; i < LISTS; i++) {
        if (b->line[i] != 0 && b->line[needed] == 0)
            return scenario_wrong(b->told, b->line[i], b->message,
                                  "%s without positions: write them too", list_name(i));
        if (b->line[i] != 0 && b->count[i] != b->count[needed])
            return scenario_wrong(b->told, b->line[i], b->message,
                                  "%zu %s and %zu positions: write one for each body",
                                  b->count[i], list_name(i), b->count[needed]);
    }
    if (b->line[needed] != 0 && b->count[needed] == 0)
        return scenario_wrong(b->told, b->line[needed], b->message,
                              "there are no bodies: write the position of one");
    if (b->line[ROTVECS] != 0 && b->line[GROUP_ATTITUDES] != 0)
        return scenario_wrong(
            b->told, b->line[ROTVECS], b->message,
            "rotvecs and attitudes (line %d) exclude each other: leave one out",
            b->line[GROUP_ATTITUDES]);
    return true;
}

static void take_lists(const bodies *b, ph_molecules *s)
{
    for (int g = 0; g < GROUP_COUNT; g++) {
        const int width = molecules_groups[g].width;
        for (size_t i = 0; b->line[g] != 0 && i < s->n; i++) {
            for (int k = 0; k < width; k++)
                molecules_arrays(s, g)[k][i] = b->x[g][i * (size_t)width + (size_t)k];
        }
    }
    for (size_t i = 0; b->line[ROTVECS] != 0 && i < s->n; i++) {
        const double *x = b->x[ROTVECS] + 3 * i;
        const ph_quat q = ph_exp(vec3(x[0], x[1], x[2]));
        const double to[4] = {q.w, q.x, q.y, q.z};
        for (int k = 0; k < 4; k++)
            s->q[k][i] = to[k];
    }
}

/* ---- tables ---------------------------------------------------------------------- */

/* The columns of each group, or none of them; `columns` of the table stands for none. */
static int find_columns(const csv *table, const char *path, size_t at[GROUP_COUNT][4])
{
    for (int g = 0; g < GROUP_COUNT; g++) {
        const molecules_group *group = &molecules_groups[g];
        const char *missing = NULL;
        int found = 0;
        for (int k = 0; k < group->width; k++) {
            at[g][k] = csv_column(table, group->column[k]);
            if (at[g][k] < table->columns)
                found++;
            else if (missing == NULL)
                missing = group->column[k];
        }
        if (missing != NULL && (found > 0 || group->needed))
            return fail_usage(WORDS ":1: column %s is missing: a table of bodies has "
                                    "x,y,z and may have px,py,pz, q0,q1,q2,q3, "
                                    "m1,m2,m3, mass, I1,I2,I3, d1,d2,d3",
                              path, missing);
    }
    return 0;
}

/* The first of the rows that count: all, or where there are times those of the last. */
static size_t last_rows(const csv *table)
{
    const size_t t = csv_column(table, "t");
    size_t first = table->rows - 1;
    if (t == table->columns)
        return 0;
    while (first > 0 && table->x[(first - 1) * table->columns + t] ==
                            table->x[first * table->columns + t])
        first--;
    return first;
}

static int take_table(const common *c, const csv *table, const char *path,
                      ph_molecules **out)
{
    size_t at[GROUP_COUNT][4] = {{0}};
    const int status = find_columns(table, path, at);
    if (status != 0)
        return status;
    const size_t first = last_rows(table);
    ph_molecules *s = ph_molecules_create(table->rows - first);
    if (s == NULL)
        return fail_memory();
    make_alike(c, s);
    for (int g = 0; g < GROUP_COUNT; g++) {
        for (int k = 0; k < molecules_groups[g].width; k++) {
            for (size_t i = 0; i < s->n && at[g][k] < table->columns; i++)
                molecules_arrays(s, g)[k][i] =
                    table->x[(first + i) * table->columns + at[g][k]];
        }
    }
    *out = s;
    return 0;
}

static int make_from_table(const common *c, const char *path, ph_molecules **out)
{
    char message[CSV_MESSAGE];
    csv table;
    const int status = csv_read(&table, path, &interrupted, message)
                           ? take_table(c, &table, path, out)
                           : fail_usage("%s", message);
    file_read(path);
    csv_free(&table);
    return status;
}

/* ---- whichever it is ------------------------------------------------------------- */

static int make_from_lists(common *c, ph_molecules **out)
{
    char message[YAML_MESSAGE];
    const setting *said = &c->told->value[SAY_BODIES];
    bodies b = {.told = c->told, .message = message, .problem = &c->problem};
    int status = 0;
    if (!scenario_mapping(c->told, "bodies", said->line, said->tree, visit_bodies, &b,
                          message) ||
        !check_lists(&b)) {
        status = fail_usage("%s", message);
    } else if (b.line[GROUP_POSITIONS] == 0) {
        status = make_lattice(c, out);
    } else {
        ph_molecules *s = ph_molecules_create(b.count[GROUP_POSITIONS]);
        if (s != NULL) {
            make_alike(c, s);
            take_lists(&b, s);
        }
        *out = s;
        status = s != NULL ? 0 : fail_memory();
    }
    for (int i = 0; i < LISTS; i++)
        free(b.x[i]);
    return status;
}

static int make_bodies(common *c, ph_molecules **out)
{
    char place[PLACE];
    const setting *said = &c->told->value[SAY_BODIES],
                  *lattice = &c->told->value[SAY_LATTICE];
    if (!said->said)
        return make_lattice(c, out);
    if (lattice->said)
        return fail_usage("%sbodies and lattice exclude each other: leave one out",
                          told_line(c->told, said, place));
    if (said->tree == NULL || !fy_node_is_scalar(said->tree))
        return make_from_lists(c, out);
    const char *path = fy_node_get_scalar0(said->tree);
    if (path == NULL || path[0] == '\0')
        return fail_usage("%sbodies has no value: write lists, or the name of a table",
                          told_line(c->told, said, place));
    return make_from_table(c, path, out);
}

/* ---- the box --------------------------------------------------------------------- */

static int check_box(const common *c, const ph_molecules *s)
{
    const double *x = c->problem.value, *box = x + BOX;
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
static int fail_state(const common *c, ph_molecules *s)
{
    for (size_t i = 0; i < s->n; i++) {
        double largest = 0.0, turned = 0.0;
        for (int g = 0; g < GROUP_COUNT; g++) {
            for (int k = 0; k < molecules_groups[g].width; k++) {
                const double size = fabs(molecules_arrays(s, g)[k][i]);
                largest = larger_or_nan(largest, size);
                if (g == GROUP_ATTITUDES)
                    turned = larger_or_nan(turned, size);
            }
        }
        if (turned == 0.0)
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
        c->problem.name);
}

static int prepare(const common *c, ph_molecules *s)
{
    ph_molecules_pair near_by;
    const int status = check_box(c, s);
    if (status != 0)
        return status;
    const ph_status checked = ph_molecules_prepare(s, &near_by);
    if (checked == PH_OVERLAP)
        return fail_usage("bodies %zu and %zu, counted from 0, overlap: they are %g "
                          "apart: move them apart",
                          near_by.a, near_by.b, near_by.distance);
    return checked == PH_OK ? 0
           : checked == PH_BAD_STATE
               ? fail_state(c, s)
               : fail_usage("the molecules of %s cannot be: %s: change them",
                            c->problem.name, ph_status_text(checked));
}

int molecules_make(const scenario *told, const char *problem, ph_molecules **out)
{
    common c = {.told = told, .problem = *find_molecules_problem(problem)};
    ph_molecules *s = NULL;
    int status = read_common(&c);
    if (status == 0)
        status = make_bodies(&c, &s);
    if (status == 0 && s != NULL)
        status = prepare(&c, s);
    if (status == 0)
        *out = s;
    else
        ph_molecules_free(s);
    return status;
}
