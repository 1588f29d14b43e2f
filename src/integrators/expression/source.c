/* source.c - the source of a problem of expressions: what the caller gives is checked and written as the
 * problem's data; the data are read and compiled.
 *
 * The data are the characters of the source, so that the problem can be made again from a snapshot; a
 * line each:
 *
 *   parameter NAME COUNT
 *   potential EXPRESSION
 *   torque EXPRESSION          none or three
 *   force EXPRESSION           the same
 *   centre moves               or not
 *   extends NAME               a problem of the catalog, whose torque is added; or none
 *   epoch DAYS                 from J2000.0 to t = 0, or none
 *   facet NUMBERS              those of sky.h, any number of lines
 *   control PERIOD             and then `hold torque` or `hold dipole`; or none
 *   law EXPRESSION             three, or none where the caller has a function
 *
 * A problem that extends another has its values and its tables, too: the values of its own parameters
 * stand after them, and the tables after the source, whose length, negative, is the first number.
 *
 * In order: checking; writing; reading; compiling.
 */
#include "integrators/expression/source.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arguments.h"
#include "base/array.h"
#include "base/choice.h"
#include "base/text.h"
#include "integrators/field.h"
#include "integrators/table.h"

#include "integrators/catalog_problem.h" /* after the header that declares them */

enum {
    NAME_LENGTH = 64,
    MOST_NUMBERS = 9, /* of a parameter: NAME1 ... NAME9 */
    FACET_NUMBERS = sizeof(facet) / sizeof(double),
    DIGITS = 16, /* of a number in the source: its bits, in hexadecimal, whatever the locale is */
};

/* Returns the problem of one body with a name, or NULL. */
static const ph_problem *problem_listed(const char *name)
{
    for (size_t i = 0; i < sizeof problem_rows / sizeof problem_rows[0]; i++) {
        if (strcmp(problem_rows[i]->name, name) == 0)
            return problem_rows[i];
    }
    return NULL;
}

/* ---- checking --------------------------------------------------------------------------------- */

ph_status ph_source_wrong(ph_expressions_error *why, const char *where, const char *format, ...)
{
    va_list words;
    *why = (ph_expressions_error){.where = where, .error.column = 1};
    va_start(words, format);
    (void)vsnprintf(why->error.text, sizeof why->error.text, format, words);
    va_end(words);
    return PH_BAD_EXPRESSION;
}

static bool is_identifier(const char *name)
{
    const char *letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    return name[0] != '\0' && strspn(name, letters) == strlen(name) &&
           !(name[0] >= '0' && name[0] <= '9') && strlen(name) < NAME_LENGTH;
}

static bool is_listed(const ph_problem *p)
{
    if (p->name == NULL)
        return false;
    const ph_problem *listed = problem_listed(p->name);
    return listed != NULL && listed->torque == p->torque;
}

/* The facets have an area, a normal, and reflect no more light than there is. */
static ph_status check_facets(const ph_expressions *from, ph_expressions_error *why)
{
    if (from->facet_count < 0 || from->facet_count > PH_EXPRESSION_FACETS ||
        (from->facet_count > 0 && from->facets == NULL))
        return ph_source_wrong(why, "facets", "the list is missing or too long: write 1 to 64");
    for (int i = 0; i < from->facet_count; i++) {
        const ph_facet *f = &from->facets[i];
        if (!(f->area > 0.0 && isfinite(f->area)) || !(norm(f->normal) > 0.0) ||
            !finite3(f->normal) || !finite3(f->centre))
            return ph_source_wrong(why, "facets",
                                   "a facet needs area, normal and centre: give all");
        if (!(f->specular >= 0.0 && f->diffuse >= 0.0 && f->specular + f->diffuse <= 1.0))
            return ph_source_wrong(
                why, "facets", "specular, diffuse and their sum must be from 0 to 1: change them");
    }
    return PH_OK;
}

ph_status ph_source_check(const ph_expressions *from, ph_expressions_error *why)
{
    int values = 0;
    const bool torque = from->torque[0] != NULL, force = from->force[0] != NULL;
    if (from->extends != NULL && (from->moving_centre || !is_listed(from->extends)))
        return ph_source_wrong(why, "extends",
                               "it is not a problem of one body in the catalog: name one");
    if (from->epoch != NULL && !isfinite(*from->epoch))
        return ph_source_wrong(why, "epoch", "the epoch is not finite: give a date");
    if (from->moving_centre && from->control_period != 0.0)
        return ph_source_wrong(why, "control 1",
                               "a control needs a fixed centre of mass: remove it");
    if (!(from->control_period >= 0.0 && isfinite(from->control_period)))
        return ph_source_wrong(why, "control 1",
                               "its period is not positive: write a positive time");
    if ((from->control[1] != NULL) != (from->control[0] != NULL) ||
        (from->control[2] != NULL) != (from->control[0] != NULL) ||
        (from->control[0] != NULL && from->control_period == 0.0))
        return ph_source_wrong(why, "control 1",
                               "it needs a period and three expressions: write all");
    if (from->tilted_dipole &&
        (from->extends == NULL || !ph_sky_on_orbit(from->extends) || from->epoch == NULL))
        return ph_source_wrong(why, "problem",
                               "a tilted dipole needs spacecraft and an epoch: give both");
    if (from->potential == NULL && !torque && !force && from->facet_count == 0 && !from->extends &&
        from->control_period == 0.0)
        return ph_source_wrong(why, "problem",
                               from->moving_centre
                                   ? "no potential, force or torque is given: write one"
                                   : "no potential or torque is given: write one");
    if ((from->torque[1] != NULL) != torque || (from->torque[2] != NULL) != torque)
        return ph_source_wrong(why, "problem",
                               "a torque needs three expressions: write all of them");
    if ((from->force[1] != NULL) != force || (from->force[2] != NULL) != force)
        return ph_source_wrong(why, "problem",
                               "a force needs three expressions: write all of them");
    if (force && !from->moving_centre)
        return ph_source_wrong(why, "force 1", "a force needs a moving centre of mass: remove it");
    const ph_status facets = check_facets(from, why);
    if (facets != PH_OK)
        return facets;
    if (from->parameter_count < 0 ||
        (from->parameter_count > 0 && ANY_NULL(from->parameters, from->value)))
        return ph_source_wrong(why, "parameter",
                               "the parameters or their values are missing: give both");
    for (int i = 0; i < from->parameter_count; i++) {
        const ph_parameter *p = &from->parameters[i];
        if (p->name == NULL || !is_identifier(p->name))
            return ph_source_wrong(why, "parameter",
                                   "\"%.60s\" is not a name: use letters, digits and _",
                                   text_or_empty(p->name));
        if (p->first < 0)
            return ph_source_wrong(why, "parameter", "\"%.60s\" has a negative index", p->name);
        if (p->count < 1 || p->count > MOST_NUMBERS)
            return ph_source_wrong(why, "parameter",
                                   "\"%.60s\" has no number, or more than nine: write 1 to 9",
                                   p->name);
        values += p->count;
    }
    if (from->extends != NULL && values > PH_PARAMETER_VALUES - ph_sky_values(from->extends))
        return ph_source_wrong(
            why, "parameter",
            "there are too many beside the parameters of %.60s: write numbers into the expressions",
            from->extends->name);
    if (values > PH_PARAMETER_VALUES)
        return ph_source_wrong(why, "parameter",
                               "the parameters have more than 48 numbers: write fewer");
    return PH_OK;
}

/* ---- writing ---------------------------------------------------------------------------------- */

static facet facet_of(const ph_facet *f)
{
    const ph_vec3 n = scale(1.0 / norm(f->normal), f->normal), c = f->centre;
    return (facet){f->area, {n.x, n.y, n.z}, {c.x, c.y, c.z}, f->specular, f->diffuse};
}

/* Adds a line to a source of *length characters, or with a NULL source counts it. */
static void add_line(char *source, size_t *length, const char *key, const char *text)
{
    const char *const parts[] = {key, " ", text, "\n"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        for (const char *c = parts[i]; *c != '\0'; c++, ++*length) {
            if (source != NULL) { /* lines of an expression are joined */
                source[*length] = *c;
                if (*c == '\n' && parts[i] == text)
                    source[*length] = ' ';
            }
        }
    }
}

static void add_numbers(char *source, size_t *length, const char *key, const double *x, int count)
{
    char line[FACET_NUMBERS * (DIGITS + 1) + 1] = "";
    for (int i = 0, at = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        at +=
            snprintf(line + at, sizeof line - (size_t)at, "%s%" PRIx64, text_if(i > 0, " "), bits);
    }
    add_line(source, length, key, line);
}

static size_t write_source(char *source, const ph_expressions *from)
{
    size_t length = 0;
    if (from->extends != NULL)
        add_line(source, &length, "extends", from->extends->name);
    if (from->epoch != NULL)
        add_numbers(source, &length, "epoch", from->epoch, 1);
    for (int i = 0; i < from->parameter_count; i++) {
        char line[NAME_LENGTH + 16];
        (void)snprintf(line, sizeof line, "%.*s %d", NAME_LENGTH, from->parameters[i].name,
                       from->parameters[i].count);
        add_line(source, &length, "parameter", line);
    }
    if (from->potential != NULL)
        add_line(source, &length, "potential", from->potential);
    for (int k = 0; k < 3 && from->torque[k] != NULL; k++)
        add_line(source, &length, "torque", from->torque[k]);
    for (int k = 0; k < 3 && from->force[k] != NULL; k++)
        add_line(source, &length, "force", from->force[k]);
    if (from->moving_centre)
        add_line(source, &length, "centre", "moves");
    if (from->control_period != 0.0) {
        add_numbers(source, &length, "control", &from->control_period, 1);
        add_line(source, &length, "hold", from->control_dipole ? "dipole" : "torque");
    }
    for (int k = 0; k < 3 && from->control[k] != NULL; k++)
        add_line(source, &length, "law", from->control[k]);
    for (int i = 0; i < from->facet_count; i++) {
        const facet f = facet_of(&from->facets[i]);
        add_numbers(source, &length, "facet", &f.area, FACET_NUMBERS);
    }
    return length;
}

double *ph_source_write(const ph_expressions *from, size_t *count)
{
    const ph_problem *base = from->extends;
    const size_t length = write_source(NULL, from);
    size_t first = 0, tables = 0;
    if (base != NULL) {
        first = 1;
        tables = base->data == NULL ? (size_t)base->table_count : base->data_count;
    }
    *count = size_sum(size_sum(length, first), tables);
    char *source = array_create(length, 1);
    double *data = array_create(*count, sizeof *data);
    if (source != NULL && data != NULL) {
        (void)write_source(source, from);
        for (size_t i = 0; i < length; i++)
            data[first + i] = (unsigned char)source[i];
        if (base != NULL)
            data[0] = -(double)length;
        if (base != NULL && base->data != NULL)
            memcpy(data + 1 + length, base->data, tables * sizeof *data);
    } else {
        free(data);
        data = NULL;
    }
    free(source);
    return data;
}

/* ---- reading ---------------------------------------------------------------------------------- */

static bool starts_with(const char **text, const char *word)
{
    const size_t length = strlen(word);
    const bool does = strncmp(*text, word, length) == 0;
    if (does)
        *text += length;
    return does;
}

/* A line `NAME COUNT` after `parameter`; its space becomes the end of the name. */
static bool read_parameter(compiled *c, char *line, int *first)
{
    char *space = strchr(line, ' ');
    if (space == NULL)
        return false;
    const long count = strtol(space, NULL, 10);
    if (count < 1 || count > MOST_NUMBERS || space == line)
        return false;
    *space = '\0';
    int at = *first, next = at + (int)count;
    if (c->base != NULL) /* of a problem that extends another, downwards from the end */
        at = next = *first - (int)count;
    if (next > PH_PARAMETER_VALUES || (c->base != NULL && at < ph_sky_values(c->base)))
        return false;
    c->parameters[c->parameter_count++] =
        (ph_parameter){line, at, (int)count, "1", "as the expressions use it", PH_RANGE_ANY};
    *first = next;
    return true;
}

/* A line `NAME` after `extends`: the parameters of this problem come first. */
static bool read_base(compiled *c, const char *name, int *first)
{
    c->base = problem_listed(name);
    if (c->base == NULL || c->parameter_count > 0)
        return false;
    for (int i = 0; i < c->base->parameter_count; i++)
        c->parameters[c->parameter_count++] = c->base->parameters[i];
    *first = PH_PARAMETER_VALUES;
    return true;
}

/* As many numbers as there should be, each by its bits. */
static bool read_numbers(const char *text, double *x, int count)
{
    for (int i = 0; i < count; i++) {
        char *end;
        const uint64_t bits = strtoull(text, &end, DIGITS);
        memcpy(&x[i], &bits, sizeof bits);
        if (end == text || !isfinite(x[i]))
            return false;
        text = end;
    }
    return *text == '\0';
}

static bool read_facet(compiled *c, const char *text)
{
    double x[FACET_NUMBERS];
    if (c->facet_count == PH_EXPRESSION_FACETS || !read_numbers(text, x, FACET_NUMBERS))
        return false;
    memcpy(&c->facets[c->facet_count++], x, sizeof x);
    return true;
}

/* Takes the lines of c->source apart. */
static bool read_lines(compiled *c)
{
    int first = 0, count[3] = {0};
    for (char *line = c->source, *end; *line != '\0'; line = end + 1) {
        end = strchr(line, '\n');
        if (end == NULL)
            return false;
        *end = '\0';
        const char *rest = line;
        if (starts_with(&rest, "parameter ")) {
            if (!read_parameter(c, line + (rest - line), &first))
                return false;
        } else if (starts_with(&rest, "potential ")) {
            c->potential_text = rest;
        } else if (starts_with(&rest, "torque ") && count[TORQUE] < 3) {
            c->text[TORQUE][count[TORQUE]++] = rest;
        } else if (starts_with(&rest, "force ") && count[FORCE] < 3) {
            c->text[FORCE][count[FORCE]++] = rest;
        } else if (strcmp(rest, "centre moves") == 0) {
            c->centre = true;
        } else if (starts_with(&rest, "extends ")) {
            if (!read_base(c, rest, &first))
                return false;
        } else if (starts_with(&rest, "epoch ")) {
            c->dated = read_numbers(rest, &c->epoch, 1);
            if (!c->dated)
                return false;
        } else if (starts_with(&rest, "control ")) {
            if (!read_numbers(rest, &c->period, 1) || !(c->period > 0.0))
                return false;
        } else if (strcmp(rest, "hold torque") == 0 || strcmp(rest, "hold dipole") == 0) {
            c->dipole = strcmp(rest, "hold dipole") == 0;
        } else if (starts_with(&rest, "law ") && count[LAW] < 3) {
            c->text[LAW][count[LAW]++] = rest;
        } else if (starts_with(&rest, "facet ")) {
            if (!read_facet(c, rest))
                return false;
        } else {
            return false;
        }
    }
    return count[TORQUE] % 3 == 0 && count[FORCE] % 3 == 0 && count[LAW] % 3 == 0;
}

/* The characters of the data as a text; false if they are none. */
static bool read_data(compiled *c, const ph_problem *p)
{
    const size_t before = ph_table_offset(p);
    const double *text = p->data;
    size_t length = p->data_count;
    if (before > 0) {
        length = before - 1;
        text++;
    }
    const bool whole = before <= p->data_count;
    c->source = array_create(whole ? size_sum(length, 1) : 1, 1);
    if (!whole)
        return false;
    for (size_t i = 0; i < length && c->source != NULL; i++) {
        const double x = text[i];
        if (!(x >= 1.0 && x <= 255.0))
            return false;
        c->source[i] = (char)(unsigned char)x;
    }
    if (c->source != NULL)
        c->source[length] = '\0';
    return c->source != NULL && read_lines(c) && (c->base != NULL) == (before > 0);
}

/* ---- compiling ----------------------------------------------------------------------- */

/* Every number of a parameter, from number `first` on, has a name of its own that means nothing
 * else. */
static ph_status check_parameters(const parse_names *names, int first, ph_expressions_error *why)
{
    for (int i = first; i < names->count; i++) {
        const ph_parameter *p = &names->parameters[i];
        char spelled[NAME_LENGTH + 2];
        for (int k = 0; k < p->count; k++) {
            int length;
            if (p->count == 1)
                length = snprintf(spelled, sizeof spelled, "%s", p->name);
            else
                length = snprintf(spelled, sizeof spelled, "%s%d", p->name, k + 1);
            if (ph_parse_is_word(names, spelled, (size_t)length) ||
                ph_parse_parameter(names, spelled, (size_t)length) != p->first + k)
                return ph_source_wrong(why, "parameter",
                                       "\"%.60s\" already has another meaning: choose another name",
                                       spelled);
        }
    }
    return PH_OK;
}

/* The nodes of torque and force, and that of the potential or NO_NODE. */
typedef struct field_nodes {
    int potential, field[AXES];
} field_nodes;

static ph_status read_potential(compiled *c, graph *g, const parse_names *names, field_nodes *f,
                                ph_expressions_error *why)
{
    why->where = "potential";
    const parse_result found = ph_parse(g, c->potential_text, names, &why->error);
    if (found.node == NO_NODE)
        return PH_BAD_EXPRESSION;
    c->quaternion = found.quaternion;
    c->timed = found.timed;
    f->potential = found.node;
    if (!ph_graph_gradient(g, found.node, f->field))
        return PH_NO_MEMORY;
    for (int k = 0; k < AXES; k++) {
        if (f->field[k] != NO_NODE)
            f->field[k] = ph_graph_make(g, NEGATE, f->field[k], 0);
    }
    return PH_OK;
}

static void add_node(graph *g, int *sum, int more)
{
    if (*sum == NO_NODE)
        *sum = more;
    else
        *sum = ph_graph_make(g, ADD, *sum, more);
}

static ph_status read_field(compiled *c, graph *g, const parse_names *names, field_nodes *f,
                            ph_expressions_error *why)
{
    static const char *const where[AXES] = {"torque 1", "torque 2", "torque 3",
                                            "force 1",  "force 2",  "force 3"};
    for (int k = 0; k < AXES; k++) {
        const char *text = c->text[k / 3][k % 3];
        if (text == NULL)
            continue;
        why->where = where[k];
        const parse_result found = ph_parse(g, text, names, &why->error);
        if (found.node == NO_NODE)
            return PH_BAD_EXPRESSION;
        c->moving = c->moving || found.moving;
        c->inside = c->inside || found.inside;
        add_node(g, &f->field[k], found.node);
    }
    return PH_OK;
}

/* Adds the torque of radiation pressure. */
static ph_status add_facets(const compiled *c, graph *g, const parse_names *names, field_nodes *f,
                            ph_expressions_error *why)
{
    int torque[3];
    if (c->facet_count == 0)
        return PH_OK;
    if (!names->orbit || names->epoch == NULL)
        return ph_source_wrong(why, "facets",
                               names->orbit ? "the Sun needs the date of t = 0: give the epoch"
                                            : "facets need an orbit: extend spacecraft");
    ph_sky_radiation(g, c->epoch, c->facets, c->facet_count, torque);
    for (int k = 0; k < 3; k++)
        add_node(g, &f->field[k], torque[k]);
    return PH_OK;
}

/* Adds the torque that a control holds, or that of its dipole, and compiles the law. */
static ph_status add_control(compiled *c, graph *g, const parse_names *names, field_nodes *f,
                             ph_expressions_error *why)
{
    static const char *const where[3] = {"control 1", "control 2", "control 3"};
    int held[3], space[3], B[3], made[3];
    if (c->period == 0.0)
        return PH_OK;
    why->where = where[0];
    if (c->dipole && !names->orbit)
        return ph_source_wrong(why, where[0], "a dipole needs a magnetic field: extend spacecraft");
    c->inside = true;
    for (int k = 0; k < 3; k++)
        held[k] = ph_graph_leaf(g, VARIABLE, VARIABLE_HELD + k);
    if (c->dipole) {
        ph_sky_field(g, space);
        ph_sky_in_body(g, space, B);
    }
    for (int i = 0; i < 3; i++) {
        const int k = (i + 1) % 3, l = (i + 2) % 3;
        int more = held[i];
        if (c->dipole) {
            const int one = ph_graph_make(g, MULTIPLY, held[k], B[l]),
                      other = ph_graph_make(g, MULTIPLY, held[l], B[k]);
            more = ph_graph_make(g, SUBTRACT, one, other);
        }
        add_node(g, &f->field[i], more);
    }
    for (int k = 0; k < 3 && c->text[LAW][0] != NULL; k++) {
        why->where = where[k];
        made[k] = ph_parse(g, c->text[LAW][k], names, &why->error).node;
        if (made[k] == NO_NODE)
            return PH_BAD_EXPRESSION;
    }
    if (c->text[LAW][0] != NULL)
        return ph_program_make(&c->program[LAW], g, 3, made);
    return PH_OK;
}

/* The Sun in the body, for functions of the caller. */
static ph_status make_sun(compiled *c, graph *g, const parse_names *names)
{
    int space[3], body[3];
    if (c->base == NULL || names->epoch == NULL)
        return PH_OK;
    ph_sky_sun(g, *names->epoch, space);
    ph_sky_in_body(g, space, body);
    return ph_program_make(&c->program[SUN], g, 3, body);
}

/* Derivatives of the torque along axes, by their columns or by rows; none where they would be
 * too large. */
static ph_status make_tangents(program *p, graph *g, const field_nodes *f, int count,
                               const int *axes, bool by_rows)
{
    int column[3], D[3 * ALL_AXES];
    for (int i = 0; i < count && !g->failed; i++) {
        if (!ph_graph_tangent(g, axes[i], 3, f->field, column))
            return PH_NO_MEMORY;
        for (int k = 0; k < 3 && !g->failed; k++)
            D[by_rows ? count * k + i : 3 * i + k] = column[k];
    }
    ph_status status = PH_BAD_EXPRESSION;
    if (!g->failed)
        status = ph_program_make(p, g, 3 * count, D);
    if (status == PH_BAD_EXPRESSION)
        ph_program_free(p);
    return ok_if(status != PH_NO_MEMORY, PH_NO_MEMORY);
}

/* That by the attitude, of a torque that does not move; and all of them. None with a force. */
static ph_status make_derivatives(compiled *c, graph *g, const field_nodes *f)
{
    int axes[ALL_AXES] = {0, 1, 2};
    for (int i = 3; i < ALL_AXES; i++)
        axes[i] = AXIS_M + i - 3;
    ph_status status = PH_OK;
    if (!c->moving && !c->centre)
        status = make_tangents(&c->program[DERIVATIVE], g, f, 3, axes, true);
    if (status == PH_OK && !c->centre && c->base == NULL)
        status = make_tangents(&c->program[DERIVATIVES], g, f, ALL_AXES, axes, false);
    return status;
}

/* What changes its sign where max, min or abs in the torque have a kink; none if these are too many. */
static ph_status make_kinks(compiled *c, graph *g, const field_nodes *f)
{
    int of[MOST_KINKS], count = 0;
    int *uses = ph_graph_uses(g, 3, f->field);
    if (uses == NULL)
        return PH_NO_MEMORY;
    const int nodes = g->count; /* and those that are added here */
    for (int i = 0; i < nodes && count <= MOST_KINKS; i++) {
        const node n = g->nodes[i];
        if (uses[i] == 0 || (n.code != MAX && n.code != MIN && n.code != ABS))
            continue;
        if (count < MOST_KINKS) {
            if (n.code == ABS)
                of[count] = n.a;
            else
                of[count] = ph_graph_make(g, SUBTRACT, n.a, n.b);
        }
        count++;
    }
    free(uses);
    if (count == 0 || count > MOST_KINKS || g->failed)
        return PH_OK;
    return ph_program_make(&c->program[KINKS], g, count, of);
}

/* The function whose zeros are kinks or jumps of an operation, or NO_NODE. */
static int zeros_of(graph *g, const node *n, bool *jump)
{
    *jump = n->code != MAX && n->code != MIN;
    switch (n->code) {
    case MAX:
    case MIN:
    case LESS:
    case AT_MOST:
        return ph_graph_make(g, SUBTRACT, n->a, n->b);
    case ABS: /* it has a kink, but the torque may have the sign of a as a/abs(a) */
    case SIGN:
        return n->a;
    default:
        return NO_NODE;
    }
}

/* Finds the functions of the time whose zeros are kinks or jumps of the torque, and their
 * derivatives. The first MOST_CHANGES are kept. */
static ph_status make_changes(compiled *c, graph *g, const field_nodes *f)
{
    int of[2 * MOST_CHANGES], count = 0;
    int *uses = ph_graph_uses(g, c->centre ? 6 : 3, f->field);
    unsigned char *depends = ph_graph_dependences(g);
    const int nodes = g->count; /* and those that are added here */
    ph_status status = ok_if(uses != NULL && depends != NULL, PH_NO_MEMORY);
    for (int i = 0; i < nodes && status == PH_OK && count < MOST_CHANGES; i++) {
        const node n = g->nodes[i];
        bool jump;
        if (uses[i] == 0 || depends[i] != ON_TIME)
            continue;
        const int zeros = zeros_of(g, &n, &jump);
        if (zeros == NO_NODE)
            continue;
        int *pair = &of[2 * (size_t)count]; /* what is zero, and its derivative */
        pair[0] = zeros;
        if (!ph_graph_tangent(g, AXIS_TIME, 1, &pair[0], &pair[1]))
            status = PH_NO_MEMORY;
        c->jumps |= (unsigned)jump << count++;
    }
    free(uses);
    free(depends);
    if (count == 0 || g->failed || status != PH_OK)
        return status;
    status = ph_program_make(&c->program[CHANGES], g, 2 * count, of);
    if (status == PH_BAD_EXPRESSION)
        ph_program_free(&c->program[CHANGES]);
    return ok_if(status != PH_NO_MEMORY, PH_NO_MEMORY);
}

static ph_status compile(compiled *c, graph *g, ph_expressions_error *why)
{
    const unsigned centre = c->centre ? PH_EXPRESSION_OF_CENTRE : 0;
    field_nodes f = {NO_NODE, {NO_NODE, NO_NODE, NO_NODE, NO_NODE, NO_NODE, NO_NODE}};
    parse_names names = {.use = PH_EXPRESSION_POTENTIAL | centre,
                         .parameters = c->parameters,
                         .count = c->parameter_count,
                         .epoch = c->dated ? &c->epoch : NULL,
                         .orbit = c->base != NULL && ph_sky_on_orbit(c->base)};
    ph_status status =
        check_parameters(&names, c->base != NULL ? c->base->parameter_count : 0, why);
    if (status == PH_OK && c->potential_text != NULL)
        status = read_potential(c, g, &names, &f, why);
    names.use = PH_EXPRESSION_TORQUE | centre;
    names.inside = names.orbit;
    if (status == PH_OK)
        status = read_field(c, g, &names, &f, why);
    if (status == PH_OK)
        status = add_facets(c, g, &names, &f, why);
    if (status == PH_OK)
        status = add_control(c, g, &names, &f, why);
    if (status == PH_OK)
        status = make_sun(c, g, &names);
    if (status != PH_OK)
        return status;
    if (c->potential_text != NULL)
        status = ph_program_make(&c->program[POTENTIAL], g, 1, &f.potential);
    if (status == PH_OK)
        status = ph_program_make(&c->program[TORQUE], g, 3, f.field);
    if (status == PH_OK && c->centre)
        status = ph_program_make(&c->program[FORCE], g, 3, f.field + 3);
    if (status == PH_OK)
        status = make_kinks(c, g, &f);
    if (status == PH_BAD_EXPRESSION)
        ph_parse_too_large(&why->error);
    if (status == PH_OK)
        status = make_changes(c, g, &f);
    if (status == PH_OK)
        return make_derivatives(c, g, &f);
    return status;
}

void ph_source_free(compiled *c)
{
    if (c == NULL)
        return;
    for (int k = 0; k < PROGRAMS; k++)
        ph_program_free(&c->program[k]);
    free(c->source);
    free(c);
}

ph_status ph_source_compile(const ph_problem *p, compiled **out, ph_expressions_error *why)
{
    graph g;
    compiled *c = calloc(1, sizeof *c);
    ph_status status = ok_if(ph_graph_begin(&g) && c != NULL, PH_NO_MEMORY);
    if (status == PH_OK && !read_data(c, p))
        status = c->source == NULL ? PH_NO_MEMORY : PH_BAD_EXPRESSION;
    if (status == PH_OK)
        status = compile(c, &g, why);
    ph_graph_free(&g);
    if (status == PH_OK)
        *out = c;
    else
        ph_source_free(c);
    return status;
}
