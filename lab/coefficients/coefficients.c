/* coefficients.c - integrators of the user's own coefficients, from a scenario:
 *
 *     method: {scheme: {kick: [...], drift: [...]}, flow: exact}
 *     method: {integrator: rattle, composition: [...]}
 *     method: {tableau: {a: [[...], ...], b: [...], c: [...]}}
 *
 * and with any of them `order: p`, the order that they are to have at least. Their order is
 * measured: of a scheme over the exact flow, of a composition with the leapfrog scheme.
 */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "lab/measure/convergence.h"
#include "system/find.h"
#include "system/kind.h"
#include "tool/base/tool.h"
#include "tool/files/memory.h"
#include "tool/input/own_coefficients.h"

/* How far sums and pairs may be off: what decimal digits lose. */
static const double DIGITS = 1e-13;

/* A list of numbers, of a mapping or of the method itself, with its line. */
enum { KICK, DRIFT, A, B, C, COMPOSITION, LISTS };
static const struct {
    const char *name, *within;
} list_names[LISTS] = {{"kick", "scheme"}, {"drift", "scheme"}, {"a", "tableau"},
                       {"b", "tableau"},   {"c", "tableau"},    {"composition", "method"}};

typedef struct numbers {
    const char *name;
    int line;
    size_t count;
    double *x;
} numbers;

typedef struct reader {
    scenario *input;
    listed_method *out;
    int line;
    const char *within;            /* what is read: the method, or a mapping in it */
    bool scheme, tableau;          /* there is one */
    const char *flow, *integrator; /* or NULL */
    double order;                  /* 0: not given */
    numbers list[LISTS];           /* of A all rows, each filled up with zeros */
} reader;

#define WRONG(line, ...) scenario_wrong(r->input, line, __VA_ARGS__)

/* ---- the scenario ---------------------------------------------------------------- */

/* The rows of a, the shorter ones of an explicit tableau filled up. */
static bool read_rows(reader *r, numbers *a, struct fy_node *node)
{
    const size_t stages = (size_t)fy_node_sequence_item_count(node);
    if (stages < 1 || stages > TABLEAU_STAGES)
        return WRONG(a->line, "a has %zu rows: write 1 to %d", stages, TABLEAU_STAGES);
    a->count = stages * stages;
    a->x = memory_new(a->count, sizeof *a->x);
    void *at = NULL;
    struct fy_node *row;
    for (size_t k = 0; (row = fy_node_sequence_iterate(node, &at)) != NULL; k++) {
        double *x = NULL;
        size_t count = 0;
        if (!fy_node_is_sequence(row))
            return WRONG(a->line, "a needs a list of rows: write a: [[0, 0], [1, 0]]");
        if (!scenario_vectors(r->input, a->line, "a", row, "1", 1, &x, &count))
            return false;
        if (count > stages)
            return WRONG(a->line,
                         "a: row %zu has %zu numbers, but there are %zu rows: write at most one "
                         "number for each row",
                         k + 1, count, stages);
        memcpy(a->x + k * stages, x, count * sizeof *x);
    }
    return true;
}

static bool read_list(reader *r, int which, int line, struct fy_node *node)
{
    numbers *n = &r->list[which];
    *n = (numbers){.name = list_names[which].name, .line = line, .x = n->x};
    if (node == NULL || !fy_node_is_sequence(node)) {
        if (which == A)
            return WRONG(line, "a needs a list of rows: write a: [[0, 0], [1, 0]]");
        return WRONG(line, "%s needs a list of numbers: write %s: [...]", n->name, n->name);
    }
    if (which == A)
        return read_rows(r, n, node);
    return scenario_vectors(r->input, line, n->name, node, "1", 1, &n->x, &n->count);
}

/* A member of the method, or of a mapping in it. */
static bool visit(void *context, scenario *s, const char *key, int line, struct fy_node *value)
{
    reader *r = context;
    const char *names[] = {"scheme", "flow", "integrator", "tableau", "order", "", "", ""};
    size_t count = strcmp(r->within, "method") == 0 ? 5 : 0;
    const bool scheme = strcmp(key, "scheme") == 0;
    for (int k = 0; k < LISTS; k++) {
        if (strcmp(list_names[k].within, r->within) != 0)
            continue;
        if (strcmp(list_names[k].name, key) == 0)
            return read_list(r, k, line, value);
        names[count++] = list_names[k].name;
    }
    if (strcmp(r->within, "method") != 0)
        return scenario_unknown(s, line, key, names, count);
    if (scheme || strcmp(key, "tableau") == 0) {
        r->scheme = r->scheme || scheme;
        r->tableau = r->tableau || !scheme;
        r->within = scheme ? "scheme" : "tableau";
        const bool good = scenario_mapping(s, line, key, value, visit, r);
        r->within = "method";
        return good;
    }
    if (strcmp(key, "flow") == 0)
        return (r->flow = scenario_text(s, line, key, value)) != NULL;
    if (strcmp(key, "integrator") == 0)
        return (r->integrator = scenario_text(s, line, key, value)) != NULL;
    if (strcmp(key, "order") == 0)
        return scenario_number(s, line, key, value, "1", &r->order);
    return scenario_unknown(s, line, key, names, count);
}

/* ---- what must hold -------------------------------------------------------------- */

/* At most so many numbers, whose sum is 1; and a palindrome, if it is symmetric. */
static bool check_list(reader *r, const numbers *n, size_t most, bool symmetric)
{
    double sum = 0.0;
    if (n->count > most)
        return WRONG(n->line, "%s has %zu numbers: write at most %zu", n->name, n->count, most);
    for (size_t k = 0; k < n->count; k++)
        sum += n->x[k];
    if (!(fabs(sum - 1.0) <= DIGITS))
        return WRONG(n->line, "%s sums to %.15g, not 1: correct it", n->name, sum);
    for (size_t k = 0; symmetric && k < n->count / 2; k++) {
        const double one = n->x[k], other = n->x[n->count - 1 - k];
        if (!(fabs(one - other) <= DIGITS))
            return WRONG(n->line,
                         "%s is not symmetric: number %zu is %.15g, and the one at the same place "
                         "from the end is %.15g: write a palindrome",
                         n->name, k + 1, one, other);
    }
    return true;
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

/* A flow, perhaps composed; or what a kind of system has instead. Such names are added to
 * `others`. */
static bool is_drift(const char *name, const char **others)
{
    ph_integrator i = {0};
    const ph_flow *flow;
    size_t count;
    bool found = false;
    const ph_kind *const *kinds = ph_kinds(&count);
    for (size_t k = 0; k < count; k++) {
        found = found || strcmp(kinds[k]->drift, name) == 0;
        if (ph_flow_named(kinds[k]->drift, &flow) != PH_OK)
            *others = memory_list(*others, kinds[k]->drift);
    }
    return found || (ph_integrator_named(name, &i) != PH_UNKNOWN_NAME && i.scheme == NULL &&
                     i.method == NULL && i.whole == NULL);
}

static bool check_scheme(reader *r)
{
    const numbers *kick = &r->list[KICK], *drift = &r->list[DRIFT];
    const char *others = "";
    if (r->flow == NULL || kick->x == NULL || drift->x == NULL)
        return WRONG(r->line, "method: a scheme needs its kicks, its drifts and a flow: write "
                              "{scheme: {kick: [0.5, 0.5], drift: [1]}, flow: exact}");
    if (kick->count != drift->count + 1 && drift->count != kick->count + 1)
        return WRONG(kick->line,
                     "%zu kicks and %zu drifts cannot alternate: write one more of the kind that "
                     "comes first and last",
                     kick->count, drift->count);
    if (!is_drift(r->flow, &others))
        return WRONG(r->line, "flow: there is no `%.60s`: use one of `polhode list flows`, or %s",
                     r->flow, others);
    return check_list(r, kick, CUSTOM_STAGES / 2, true) &&
           check_list(r, drift, CUSTOM_STAGES / 2, true);
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
        return WRONG(r->line, "method: a composition needs its numbers and an integrator: write "
                              "{integrator: rattle, composition: [...]}");
    return check_list(r, n, CUSTOM_STAGES, true);
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
        return WRONG(r->line, "method: a tableau needs a, b and c: write {tableau: {a: [[0, 0], "
                              "[1, 0]], b: [0.5, 0.5], c: [0, 1]}}");
    if (b->count * b->count != a->count || c->count != b->count)
        return WRONG(
            a->line,
            "a tableau of %.0f rows has %zu numbers b and %zu c: write one of each per row",
            sqrt((double)a->count), b->count, c->count);
    for (size_t k = 0; k < c->count; k++) {
        double sum = 0.0;
        for (size_t j = 0; j < c->count; j++)
            sum += a->x[k * c->count + j];
        if (!(fabs(sum - c->x[k]) <= DIGITS))
            return WRONG(
                c->line,
                "c: number %zu is %.15g, but row %zu of a sums to %.15g: correct one of them",
                k + 1, c->x[k], k + 1, sum);
    }
    return check_list(r, b, TABLEAU_STAGES, false);
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
    ph_integrator i = custom_integrator(own);
    if (i.method == NULL) {
        i.flow = find_flow("exact");
        if (!i.scheme)
            i.scheme = find_scheme("verlet");
    }
    static const double TIMES[] = {1.0, 2.0, 4.0, 0.5, 0.25};
    double slope = NAN;
    for (size_t k = 0; k < COUNT(TIMES) && isnan(slope); k++) {
        if (ph_order_slope(&i, find_problem("generic"), TIMES[k], &slope, NULL) != PH_OK)
            slope = NAN;
    }
    return slope;
}

static bool measure(reader *r, const form *f)
{
    listed_method *out = r->out;
    custom_parts *trial = memory_new(1, sizeof *trial);
    const bool added = f->add(r, trial, 1);
    if (added)
        out->slope = slope_of(trial);
    else
        out->slope = NAN;
    if (!added)
        return WRONG(r->line, "method: there is not enough memory: write fewer numbers");
    if (isnan(out->slope) || out->slope < 0.5)
        return WRONG(
            r->line,
            "method: with these numbers the errors do not decrease with the step: correct them");
    const int of_even = f == &TABLEAU ? 1 : 2; /* what is symmetric has an even order */
    const int order = of_even * (int)lround(out->slope / of_even);
    if (order < r->order)
        return WRONG(r->line,
                     "method: these numbers have order %d (measured %.2f), not %g: correct them",
                     order, out->slope, r->order);
    return f->add(r, out->parts, order);
}

/* ---- all of it ------------------------------------------------------------------- */

static bool read_form(reader *r)
{
    const bool composed = r->integrator != NULL || r->list[COMPOSITION].x != NULL,
               scheme = r->scheme || r->flow != NULL;
    if (composed + scheme + r->tableau != 1)
        return WRONG(r->line, "method: no coefficients are given: write one of {scheme: {kick, "
                              "drift}, flow}, {integrator, composition} and {tableau: {a, b, c}}");
    const form *f = &TABLEAU;
    if (composed)
        f = &COMPOSED;
    else if (scheme)
        f = &SCHEME;
    if (!f->check(r) || !measure(r, f))
        return false;
    r->out->name = "mkrk_" CUSTOM_WORD;
    if (composed)
        r->out->name = memory_text("%s@" CUSTOM_WORD, r->integrator);
    else if (scheme)
        r->out->name = memory_text(CUSTOM_WORD "+%s", r->flow);
    return true;
}

/* Reads a mapping, checks and measures it. */
static int read_coefficients(scenario *input, int line, struct fy_node *tree, listed_method *out)
{
    reader r = {.input = input, .out = out, .line = line, .within = "method"};
    if (scenario_mapping(input, r.line, "method", tree, visit, &r) && read_form(&r))
        return 0;
    return fail_usage("%s", input->message);
}

const method_reader method_reader_coefficients = {read_coefficients};
