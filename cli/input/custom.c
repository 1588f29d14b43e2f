/* custom.c - an integrator of the user's own coefficients, from a scenario:
 *
 *     method: {scheme: {kick: [...], drift: [...]}, flow: exact}
 *     method: {integrator: rattle, composition: [...]}
 *     method: {tableau: {a: [[...], ...], b: [...], c: [...]}}
 *
 * and with any of them `order: p`, the order that they are to have at least. Their order is
 * measured: of a scheme over the exact flow, of a composition with the leapfrog scheme.
 */
#include "custom.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/tool/tool.h"
#include "polhode/measure.h"
#include "system/find.h"
#include "system/kind.h"

/* How far sums and pairs may be off: what decimal digits lose. */
static const double DIGITS = 1e-13;

/* A list of numbers with its name and line. */
typedef struct numbers {
    const char *name;
    int line;
    size_t count;
    double *x;
} numbers;

enum { KICK, DRIFT, COMPOSITION, A, B, C, LISTS };

typedef struct reader {
    scenario *input;
    custom_method *out;
    int line;
    const char *scheme, *flow, *integrator, *tableau; /* where given: any text */
    double order;                                     /* 0: not given */
    numbers list[LISTS]; /* of A all rows, each filled up with zeros */
} reader;

/* ---- the scenario ---------------------------------------------------------------- */

static bool read_list(reader *r, int which, const char *name, int line,
                      struct fy_node *node)
{
    numbers *n = &r->list[which];
    if (node == NULL || !fy_node_is_sequence(node))
        return scenario_wrong(r->input, line,
                              "%s takes a list of numbers: write %s: [...]", name, name);
    n->name = name;
    n->line = line;
    return scenario_vectors(r->input, line, name, node, 1, &n->x, &n->count);
}

/* The rows of a, the shorter ones of an explicit tableau filled up. */
static bool read_rows(reader *r, int line, struct fy_node *node)
{
    if (node == NULL || !fy_node_is_sequence(node))
        return scenario_wrong(r->input, line,
                              "a takes a list of rows: write a: [[0, 0], "
                              "[1, 0]]");
    const size_t stages = (size_t)fy_node_sequence_item_count(node);
    if (stages < 1 || stages > TABLEAU_STAGES)
        return scenario_wrong(r->input, line, "a has %zu rows: write 1 to %d", stages,
                              TABLEAU_STAGES);
    r->list[A] = (numbers){.name = "a",
                           .line = line,
                           .count = stages * stages,
                           .x = calloc(stages * stages, sizeof(double))};
    if (r->list[A].x == NULL)
        return scenario_wrong(r->input, line, "a: no memory left: write fewer rows");
    void *at = NULL;
    struct fy_node *row;
    for (size_t k = 0; (row = fy_node_sequence_iterate(node, &at)) != NULL; k++) {
        double *x = NULL;
        size_t count = 0;
        if (!fy_node_is_sequence(row))
            return scenario_wrong(r->input, line,
                                  "a takes a list of rows: write a: "
                                  "[[0, 0], [1, 0]]");
        if (!scenario_vectors(r->input, line, "a", row, 1, &x, &count))
            return false;
        if (count <= stages)
            memcpy(r->list[A].x + k * stages, x, count * sizeof *x);
        free(x);
        if (count > stages)
            return scenario_wrong(r->input, line,
                                  "a: row %zu has %zu numbers and there are %zu rows: "
                                  "write as many, or fewer",
                                  k + 1, count, stages);
    }
    return true;
}

static bool visit_scheme(void *context, scenario *s, const char *key, int line,
                         struct fy_node *value)
{
    static const char *const names[] = {"kick", "drift"};
    for (int k = 0; k < 2; k++) {
        if (strcmp(key, names[k]) == 0)
            return read_list(context, KICK + k, names[k], line, value);
    }
    return scenario_unknown(s, line, key, names, 2);
}

static bool visit_tableau(void *context, scenario *s, const char *key, int line,
                          struct fy_node *value)
{
    static const char *const names[] = {"a", "b", "c"};
    if (strcmp(key, "a") == 0)
        return read_rows(context, line, value);
    for (int k = 1; k < 3; k++) {
        if (strcmp(key, names[k]) == 0)
            return read_list(context, A + k, names[k], line, value);
    }
    return scenario_unknown(s, line, key, names, 3);
}

static bool visit_method(void *context, scenario *s, const char *key, int line,
                         struct fy_node *value)
{
    static const char *const names[] = {"scheme",      "flow",    "integrator",
                                        "composition", "tableau", "order"};
    reader *r = context;
    if (strcmp(key, "scheme") == 0) {
        r->scheme = key;
        return scenario_mapping(s, line, key, value, visit_scheme, r);
    }
    if (strcmp(key, "tableau") == 0) {
        r->tableau = key;
        return scenario_mapping(s, line, key, value, visit_tableau, r);
    }
    if (strcmp(key, "composition") == 0)
        return read_list(r, COMPOSITION, key, line, value);
    if (strcmp(key, "flow") == 0)
        return (r->flow = scenario_text(s, line, key, value)) != NULL;
    if (strcmp(key, "integrator") == 0)
        return (r->integrator = scenario_text(s, line, key, value)) != NULL;
    if (strcmp(key, "order") == 0)
        return scenario_number(s, line, key, value, &r->order);
    return scenario_unknown(s, line, key, names, sizeof names / sizeof names[0]);
}

/* ---- what must hold -------------------------------------------------------------- */

static bool sums_to_one(reader *r, const numbers *n)
{
    double sum = 0.0;
    for (size_t k = 0; k < n->count; k++)
        sum += n->x[k];
    return fabs(sum - 1.0) <= DIGITS ||
           scenario_wrong(r->input, n->line, "%s sums to %.15g, not 1: correct it",
                          n->name, sum);
}

static bool is_palindrome(reader *r, const numbers *n)
{
    for (size_t k = 0; k < n->count / 2; k++) {
        const double one = n->x[k], other = n->x[n->count - 1 - k];
        if (!(fabs(one - other) <= DIGITS))
            return scenario_wrong(r->input, n->line,
                                  "%s is not symmetric, its number %zu is %.15g and that "
                                  "many from the end %.15g: write a palindrome",
                                  n->name, k + 1, one, other);
    }
    return true;
}

static bool at_most(reader *r, const numbers *n, size_t most)
{
    return n->count <= most ||
           scenario_wrong(r->input, n->line, "%s has %zu numbers: write at most %zu",
                          n->name, n->count, most);
}

/* ---- the three forms ------------------------------------------------------------- */

/* Adds the part with an order that it has, or with any to measure it with. */
static bool add_scheme(reader *r, custom_parts *own, int order)
{
    const numbers *kick = &r->list[KICK], *drift = &r->list[DRIFT];
    const bool kick_first = kick->count > drift->count;
    const int stages = (int)(kick->count + drift->count);
    double half[CUSTOM_STAGES];
    for (int k = 0; k <= stages / 2; k++)
        half[k] = (kick_first == (k % 2 == 0) ? kick : drift)->x[k / 2];
    return ph_custom_add_scheme(own, &(ph_scheme){.name = CUSTOM_WORD,
                                                  .order = order,
                                                  .kick_first = kick_first,
                                                  .stages = stages,
                                                  .half = half});
}

/* A flow, perhaps composed; or what a kind of system has instead, as spheres a great
 * circle. */
static bool is_drift(const char *name)
{
    ph_integrator i = {0};
    size_t count;
    const ph_kind *const *kinds = ph_kinds(&count);
    for (size_t k = 0; k < count; k++) {
        if (strcmp(kinds[k]->drift, name) == 0)
            return true;
    }
    return ph_integrator_named(name, &i) != PH_UNKNOWN_NAME && i.scheme == NULL &&
           i.method == NULL && i.whole == NULL;
}

static bool check_scheme(reader *r)
{
    const numbers *kick = &r->list[KICK], *drift = &r->list[DRIFT];
    if (r->flow == NULL || kick->x == NULL || drift->x == NULL)
        return scenario_wrong(r->input, r->line,
                              "method: a scheme needs its kicks, its "
                              "drifts and a flow: write {scheme: "
                              "{kick: [0.5, 0.5], drift: [1]}, flow: "
                              "exact}");
    if (kick->count != drift->count + 1 && drift->count != kick->count + 1)
        return scenario_wrong(r->input, kick->line,
                              "%zu kicks and %zu drifts do not go by turns: write one "
                              "more of the kind that comes first and last",
                              kick->count, drift->count);
    if (!is_drift(r->flow))
        return scenario_wrong(r->input, r->line,
                              "flow: there is no `%.60s`: take one of `polhode list "
                              "flows`, on spheres circle",
                              r->flow);
    return at_most(r, kick, CUSTOM_STAGES / 2) && at_most(r, drift, CUSTOM_STAGES / 2) &&
           sums_to_one(r, kick) && sums_to_one(r, drift) && is_palindrome(r, kick) &&
           is_palindrome(r, drift);
}

static bool add_composition(reader *r, custom_parts *own, int order)
{
    const numbers *n = &r->list[COMPOSITION];
    return ph_custom_add_composition(
        own, CUSTOM_WHOLE,
        &(ph_composition){
            .name = CUSTOM_WORD, .order = order, .stages = (int)n->count, .half = n->x});
}

static bool check_composition(reader *r)
{
    const numbers *n = &r->list[COMPOSITION];
    if (r->integrator == NULL || n->x == NULL || n->count == 0)
        return scenario_wrong(r->input, r->line,
                              "method: a composition needs its numbers "
                              "and an integrator: write {integrator: "
                              "rattle, composition: [...]}");
    return at_most(r, n, CUSTOM_STAGES) && sums_to_one(r, n) && is_palindrome(r, n);
}

static bool add_tableau(reader *r, custom_parts *own, int order)
{
    tableau table = {.stages = (int)r->list[B].count};
    const size_t n = r->list[B].count;
    for (size_t k = 0; k < n; k++) {
        memcpy(table.a[k], r->list[A].x + k * n, n * sizeof(double));
        table.b[k] = r->list[B].x[k];
        table.c[k] = r->list[C].x[k];
    }
    return ph_custom_add_tableau(own, "mkrk_" CUSTOM_WORD, order, &table);
}

static bool check_tableau(reader *r)
{
    const numbers *a = &r->list[A], *b = &r->list[B], *c = &r->list[C];
    if (a->x == NULL || b->x == NULL || c->x == NULL)
        return scenario_wrong(r->input, r->line,
                              "method: a tableau needs a, b and c: "
                              "write {tableau: {a: [[0, 0], [1, 0]], "
                              "b: [0.5, 0.5], c: [0, 1]}}");
    if (b->count * b->count != a->count || c->count != b->count)
        return scenario_wrong(r->input, a->line,
                              "a tableau of %.0f rows has %zu numbers b and %zu c: write "
                              "as many of each",
                              sqrt((double)a->count), b->count, c->count);
    for (size_t k = 0; k < c->count; k++) {
        double sum = 0.0;
        for (size_t j = 0; j < c->count; j++)
            sum += a->x[k * c->count + j];
        if (!(fabs(sum - c->x[k]) <= DIGITS))
            return scenario_wrong(r->input, c->line,
                                  "c: number %zu is %.15g, and row %zu of a sums to "
                                  "%.15g: correct one of them",
                                  k + 1, c->x[k], k + 1, sum);
    }
    return sums_to_one(r, b);
}

typedef struct form {
    bool (*check)(reader *r);
    bool (*add)(reader *r, custom_parts *own, int order);
} form;

static const form SCHEME = {check_scheme, add_scheme},
                  COMPOSED = {check_composition, add_composition},
                  TABLEAU = {check_tableau, add_tableau};

/* ---- the order ------------------------------------------------------------------- */

/* The slope on the problem `generic`, over a time that leaves an error to measure and is not
 * too long for the steps. */
static double slope_of(custom_parts *own)
{
    const ph_integrator i = {.flow = own->has[CUSTOM_TABLEAU] ? NULL : find_flow("exact"),
                             .scheme = own->has[CUSTOM_SCHEME]    ? &own->scheme
                                       : own->has[CUSTOM_TABLEAU] ? NULL
                                                                  : find_scheme("verlet"),
                             .method = own->has[CUSTOM_TABLEAU] ? &own->method : NULL,
                             .whole = own->has[CUSTOM_WHOLE] ? &own->whole : NULL};
    static const double TIMES[] = {1.0, 2.0, 4.0, 0.5, 0.25};
    double slope = NAN;
    for (size_t k = 0; k < sizeof TIMES / sizeof TIMES[0] && isnan(slope); k++) {
        if (ph_order_slope(&i, find_problem("generic"), TIMES[k], &slope, NULL) != PH_OK)
            slope = NAN;
    }
    return slope;
}

static bool measure(reader *r, const form *f)
{
    custom_method *out = r->out;
    custom_parts *trial = calloc(1, sizeof *trial);
    const bool added = trial != NULL && f->add(r, trial, 1);
    out->slope = added ? slope_of(trial) : NAN;
    free(trial);
    if (!added)
        return scenario_wrong(r->input, r->line,
                              "method: no memory left: write fewer "
                              "numbers");
    if (isnan(out->slope) || out->slope < 0.5)
        return scenario_wrong(r->input, r->line,
                              "method: with these numbers the errors "
                              "do not fall with the step: correct "
                              "them");
    const int of_even = f == &TABLEAU ? 1 : 2; /* what is symmetric has an even order */
    out->order = of_even * (int)lround(out->slope / of_even);
    if (out->order < r->order)
        return scenario_wrong(r->input, r->line,
                              "method: these numbers have order %d (measured %.2f), not "
                              "%g: correct them",
                              out->order, out->slope, r->order);
    return f->add(r, &out->own, out->order);
}

/* ---- all of it ------------------------------------------------------------------- */

static bool read_form(reader *r)
{
    const bool composed = r->integrator != NULL || r->list[COMPOSITION].x != NULL,
               scheme = r->scheme != NULL || r->flow != NULL, table = r->tableau != NULL;
    if (composed + scheme + table != 1)
        return scenario_wrong(r->input, r->line,
                              "method: write one of {scheme: {kick, drift}, flow}, "
                              "{integrator, composition} and {tableau: {a, b, c}}");
    const form *f = composed ? &COMPOSED : scheme ? &SCHEME : &TABLEAU;
    if (!f->check(r) || !measure(r, f))
        return false;
    (void)snprintf(r->out->name, sizeof r->out->name, "%s%s",
                   composed ? r->integrator
                   : scheme ? CUSTOM_WORD "+"
                            : "mkrk_" CUSTOM_WORD,
                   composed ? "@" CUSTOM_WORD
                   : scheme ? r->flow
                            : "");
    return true;
}

int custom_read(scenario *input, custom_method *out)
{
    const setting *method = &input->value[KEY_METHOD];
    reader r = {.input = input, .out = out, .line = method->line};
    *out = (custom_method){0};
    const bool good =
        scenario_mapping(input, r.line, "method", method->tree, visit_method, &r) &&
        read_form(&r);
    for (int k = 0; k < LISTS; k++)
        free(r.list[k].x);
    return good ? 0 : fail_usage("%s", input->message);
}
