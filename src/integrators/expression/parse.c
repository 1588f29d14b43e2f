/* parse.c - the text of an expression, read by recursive descent.
 *
 *   condition   sum ( "<" | ">" ) sum
 *   sum         product { ( "+" | "-" ) product }
 *   product     signed { ( "*" | "/" ) signed }
 *   signed      ( "+" | "-" ) signed | power
 *   power       primary [ "^" signed ]
 *   primary     number [ unit ] | name | function "(" sum { "," sum } ")" | "(" sum ")"
 *               | "angle" "(" vector "," vector ")"
 *   vector      "[" sum "," sum "," sum "]" | name
 */
#include "integrators/expression/expression.h"

#include <ctype.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/choice.h"
#include "base/text.h"
#include "base/unit_names.h"
#include "integrators/expression/sky.h"
#include "motion/vec.h"

typedef struct parser {
    graph *g;
    const char *text, *at;
    const parse_names *names;
    ph_expression_error *why;
    int depth;
    bool wrong, moving, quaternion, timed, less;
    int smooth;           /* of a condition: parse_result */
    int angle, cosine;    /* the last angle between two vectors, and its cosine */
    int eclipse, covered; /* the part of the Sun that is covered, and the same beyond 0 and 1 */
    bool inside;          /* it has the momentum of wheels */
    int of_angle;         /* of a condition: parse_result */
    double limit;
} parser;

__attribute__((format(printf, 3, 4))) static int fail(parser *p, const char *at, const char *format,
                                                      ...)
{
    if (p->wrong)
        return NO_NODE; /* the first error counts */
    p->wrong = true;
    p->why->column = (int)(at - p->text) + 1;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(p->why->text, sizeof p->why->text, format, arguments);
    va_end(arguments);
    return NO_NODE;
}

/* Nodes are made of what was read without an error. */
static int make(parser *p, operation code, int a, int b)
{
    if (p->wrong)
        return NO_NODE;
    return ph_graph_make(p->g, code, a, b);
}

/* ---- characters ------------------------------------------------------------------ */

static char peek(parser *p)
{
    while (*p->at == ' ' || *p->at == '\t' || *p->at == '\n' || *p->at == '\r')
        p->at++;
    return *p->at;
}

static bool take(parser *p, char c)
{
    const bool here = peek(p) == c;
    p->at += here;
    return here;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static int fail_unexpected(parser *p, const char *wanted)
{
    const char c = peek(p);
    if (c == '\0')
        return fail(p, p->at, "the expression ends here: write %s", wanted);
    if (!isprint((unsigned char)c))
        return fail(p, p->at, "this character is not allowed: write %s", wanted);
    return fail(p, p->at, "\"%c\" is unexpected: write %s", c, wanted);
}

/* ---- numbers and names ------------------------------------------------------------ */

static bool is_name(const char *word, size_t length, const char *name)
{
    return name != NULL && strlen(name) == length && strncmp(word, name, length) == 0;
}

static size_t word_length(const char *word)
{
    size_t length = 0;
    while (is_letter(word[length]) || is_digit(word[length]))
        length++;
    return length;
}

/* The unit that follows a number, in radians and seconds. The / of a unit such as deg/s is read
 * where no parameter has the name after it. */
static double unit(parser *p)
{
    const char *word = p->at;
    const size_t length = word_length(word);
    const char *const quantities[] = {"rad", "rad/t", "t"};
    const ph_unit *found = NULL;
    for (size_t i = 0; i < sizeof quantities / sizeof quantities[0] && found == NULL; i++)
        found = ph_unit_find(word, length, quantities[i]);
    if (found == NULL) {
        (void)fail(p, word,
                   "\"%.*s\" is not a unit: write an operator after a number, or deg, rad, rpm, "
                   "s, min, h, d, yr",
                   (int)smaller_size(length, 20), word);
        return NAN;
    }
    p->at += length;
    if (*p->at != '/')
        return found->factor;
    const size_t after = word_length(p->at + 1), whole = length + 1 + after;
    const ph_unit *rate = NULL;
    if (after > 0 && ph_parse_parameter(p->names, p->at + 1, after) < 0)
        rate = ph_unit_find(word, whole, "rad/t");
    if (rate == NULL)
        return found->factor;
    p->at = word + whole;
    return rate->factor;
}

/* A number, decimal or hexadecimal, with a point whatever the locale says. */
static int number(parser *p)
{
    enum { LONGEST = 64 };
    const struct lconv *locale = localeconv();
    const char *start = p->at, *point = strchr(start, '.');
    char copy[LONGEST], *end;
    size_t length = 0;
    const bool hexadecimal = start[0] == '0' && (start[1] == 'x' || start[1] == 'X');
    const char *digits = "0123456789.", *exponents = "eE";
    if (hexadecimal) {
        digits = "0123456789abcdefABCDEFxX.";
        exponents = "pP";
    }
    for (; length + 1 < LONGEST && start[length] != '\0'; length++) {
        const char c = start[length];
        const bool sign =
            length > 0 && strchr(exponents, start[length - 1]) != NULL && (c == '+' || c == '-');
        if (strchr(digits, c) == NULL && strchr(exponents, c) == NULL && !sign)
            break;
        copy[length] = c;
    }
    copy[length] = '\0';
    if (length + 1 == LONGEST)
        return fail(p, start, "this number has more than %d digits: write fewer", LONGEST - 2);
    if (point != NULL && point < start + length && strlen(locale->decimal_point) == 1)
        copy[point - start] = locale->decimal_point[0];
    const double value = strtod(copy, &end);
    if (end == copy)
        return fail_unexpected(p, "a number, a name or (");
    if (!isfinite(value))
        return fail(p, start, "this number is too large for a double: write a smaller one");
    p->at += end - copy;
    if (is_digit(*p->at) || *p->at == '.')
        return fail_unexpected(p, "an operator after a number");
    double size = 1.0;
    if (is_letter(*p->at))
        size = unit(p);
    return ph_graph_constant(p->g, value * size);
}

static bool is_potential(const parse_names *names)
{
    return (names->use & ~(unsigned)PH_EXPRESSION_OF_CENTRE) == PH_EXPRESSION_POTENTIAL;
}

/* The index of a variable, -1 if it is none. */
static int variable(const parse_names *names, const char *word, size_t length)
{
    static const struct {
        char letter;
        char first;
        int index, count;
    } vectors[] = {{'q', '0', VARIABLE_Q, 4},
                   {'m', '1', VARIABLE_M, 3},
                   {'w', '1', VARIABLE_W, 3},
                   {'x', '1', VARIABLE_X, 3},
                   {'v', '1', VARIABLE_V, 3}};
    const size_t count = names->use & PH_EXPRESSION_OF_CENTRE ? 5 : 3;
    if (is_name(word, length, "t"))
        return VARIABLE_T;
    for (size_t i = 0; i < count && length == 2; i++) {
        const int k = word[1] - vectors[i].first;
        if (word[0] == vectors[i].letter && k >= 0 && k < vectors[i].count)
            return vectors[i].index + k;
    }
    if (length == 3 && word[0] == 'R' && word[1] >= '1' && word[1] <= '3' && word[2] >= '1' &&
        word[2] <= '3')
        return VARIABLE_R + 3 * (word[1] - '1') + (word[2] - '1');
    return -1;
}

/* The operation of a function, OPERATION_COUNT if it is none. */
static operation function(const char *word, size_t length)
{
    static const char *const names[] = {
#define OPERATION_NAME(code, operands, name, value) name,
        OPERATIONS(OPERATION_NAME)
#undef OPERATION_NAME
    };
    int i = 0;
    while (i < OPERATION_COUNT && !is_name(word, length, names[i]))
        i++;
    return (operation)i;
}

/* The words of the sky with three components: in the body but for place and velocity. */
typedef enum sky_word {
    SKY_UP,
    SKY_FIELD,
    SKY_FIELD_RATE,
    SKY_SUN,
    SKY_PLACE,
    SKY_VELOCITY,
    SKY_WHEELS,
    SKY_WORDS
} sky_word;

/* Which of them a word of one character or more is, and which component; SKY_WORDS: none. */
static sky_word sky_word_of(const char *word, size_t length, int *component)
{
    static const char *const names[SKY_WORDS] = {"u", "B", "Bdot", "sun", "x", "v", "H"};
    *component = word[length - 1] - '1';
    int k = 0;
    while (k < SKY_WORDS && !is_name(word, length - 1, names[k]))
        k++;
    if (*component >= 0 && *component < 3)
        return (sky_word)k;
    return SKY_WORDS;
}

bool ph_parse_is_word(const parse_names *names, const char *name, size_t length)
{
    int component;
    return variable(names, name, length) >= 0 || function(name, length) != OPERATION_COUNT ||
           is_name(name, length, "pi") ||
           (names->orbit && (is_name(name, length, "eclipse") || is_name(name, length, "nadir") ||
                             sky_word_of(name, length, &component) != SKY_WORDS));
}

int ph_parse_parameter(const parse_names *names, const char *word, size_t length)
{
    for (int i = 0; i < names->count; i++) {
        const ph_parameter *p = &names->parameters[i];
        const int k = word[length - 1] - '1';
        if (p->count == 1 && is_name(word, length, p->name))
            return p->first;
        if (p->count > 1 && k >= 0 && k < p->count && is_name(word, length - 1, p->name))
            return p->first + k;
    }
    return -1;
}

static int fail_name(parser *p, const char *word, size_t length)
{
    char names[PH_EXPRESSION_MESSAGE / 2] = "";
    size_t used = 0;
    for (int i = 0; i < p->names->count && used < sizeof names; i++) {
        const ph_parameter *of = &p->names->parameters[i];
        int more;
        if (of->count == 1)
            more = snprintf(names + used, sizeof names - used, ", %s", of->name);
        else
            more = snprintf(names + used, sizeof names - used, ", %s1 to %s%d", of->name, of->name,
                            of->count);
        if (more > 0)
            used += (size_t)more;
    }
    const bool potential = is_potential(p->names),
               centre = (p->names->use & PH_EXPRESSION_OF_CENTRE) != 0;
    return fail(p, word, "unknown name \"%.*s\": the names are t, q0, R11, %s%s%spi%s",
                (int)smaller_size(length, 20), word, text_if(!potential, "w1, m1, "),
                text_if(centre, "x1, "), text_if(centre && !potential, "v1, "), names);
}

static int sum(parser *p);

/* Goes one level deeper; false if that is too deep. */
static bool enter(parser *p)
{
    if (++p->depth <= PH_EXPRESSION_DEPTH)
        return true;
    (void)fail(p, p->at,
               "more than %d parentheses, signs or powers are nested: write a simpler expression",
               PH_EXPRESSION_DEPTH);
    return false;
}

static int call(parser *p, const char *word, size_t length, operation code)
{
    int operand[2] = {0, 0};
    const int wanted = operation_operands(code);
    if (!take(p, '('))
        return fail_unexpected(p, "( after the name of a function");
    for (int i = 0; i < wanted && !p->wrong; i++) {
        if (i > 0 && !take(p, ','))
            return fail(p, p->at, "%.*s needs %d arguments: write a comma and the next argument",
                        (int)length, word, wanted);
        operand[i] = sum(p);
    }
    if (!p->wrong && peek(p) == ',')
        return fail(p, p->at, "%.*s needs only %d argument%s: remove the others", (int)length, word,
                    wanted, plural((unsigned)wanted));
    if (!p->wrong && !take(p, ')'))
        return fail_unexpected(p, "an operator or )");
    return make(p, code, operand[0], operand[1]);
}

/* step(x), which is 1 from x = 0 on, else 0; and pulse(x, a, b), which is 1 from a on and before b. */
static int switched(parser *p, const char *word, size_t length, int arguments)
{
    int of[3] = {NO_NODE, NO_NODE, NO_NODE};
    (void)take(p, '(');
    for (int i = 0; i < arguments && !p->wrong; i++) {
        if (i > 0 && !take(p, ','))
            return fail(p, p->at, "%.*s needs %d arguments: write a comma and the next argument",
                        (int)length, word, arguments);
        of[i] = sum(p);
    }
    if (!p->wrong && peek(p) == ',')
        return fail(p, p->at, "%.*s needs only %d argument%s: remove the others", (int)length, word,
                    arguments, plural((unsigned)arguments));
    if (!p->wrong && !take(p, ')'))
        return fail_unexpected(p, "an operator or )");
    if (p->wrong || arguments == 1) {
        if (p->wrong)
            return NO_NODE;
        return make(p, AT_MOST, ph_graph_constant(p->g, 0.0), of[0]);
    }
    const int begun = make(p, AT_MOST, of[1], of[0]), lasts = make(p, LESS, of[0], of[2]);
    return make(p, MULTIPLY, begun, lasts);
}

/* ---- vectors ------------------------------------------------------------------------ */

/* Whether the date of t = 0 is known; otherwise says that a word needs it. */
static bool dated(parser *p, const char *word)
{
    p->timed = true;
    if (p->names->epoch == NULL)
        (void)fail(p, word, "the Sun needs the date of t = 0: give the epoch");
    return p->names->epoch != NULL;
}

/* Whether the body is on an orbit; otherwise says that a word needs one. */
static bool orbits(parser *p, const char *word, size_t length)
{
    p->timed = true;
    if (!p->names->orbit)
        (void)fail(p, word, "%.*s needs a body on an orbit: use or extend spacecraft", (int)length,
                   word);
    return p->names->orbit;
}

/* Three nodes: [x, y, z], the Sun, the direction to the Earth, or the parameter of that name, of three
 * numbers. */
static void vector(parser *p, int out[3])
{
    if (take(p, '[')) {
        for (int k = 0; k < 3 && !p->wrong; k++) {
            if (k > 0 && !take(p, ','))
                (void)fail_unexpected(p, "[x, y, z] for a vector");
            if (p->wrong)
                out[k] = NO_NODE;
            else
                out[k] = sum(p);
        }
        if (!p->wrong && !take(p, ']'))
            (void)fail_unexpected(p, "an operator or ]");
        return;
    }
    const char *word = p->at;
    size_t length = 0;
    while (is_letter(word[length]) || (length > 0 && is_digit(word[length])))
        length++;
    for (int i = 0; i < p->names->count && length > 0; i++) {
        const ph_parameter *of = &p->names->parameters[i];
        if (of->count != 3 || !is_name(word, length, of->name))
            continue;
        for (int k = 0; k < 3; k++)
            out[k] = ph_graph_leaf(p->g, PARAMETER, of->first + k);
        p->at += length;
        return;
    }
    if (is_name(word, length, "sun") || is_name(word, length, "nadir")) {
        p->at += length;
        if (word[0] == 's' && dated(p, word))
            ph_sky_sun(p->g, *p->names->epoch, out);
        if (word[0] == 'n' && orbits(p, word, length)) {
            ph_sky_up(p->g, out);
            for (int k = 0; k < 3; k++)
                out[k] = make(p, NEGATE, out[k], 0);
        }
        return;
    }
    (void)fail(p, word,
               "not a vector: write [x, y, z], sun, nadir, or a parameter of three numbers");
}

static int scalar_product(parser *p, const int a[3], const int b[3])
{
    int result = make(p, MULTIPLY, a[0], b[0]);
    for (int k = 1; k < 3; k++) {
        const int next = make(p, MULTIPLY, a[k], b[k]);
        result = make(p, ADD, result, next);
    }
    return result;
}

/* angle(b, s), from its parenthesis on: between a vector of the body and one of space. With u = R b it is
 * atan2(|u x s|, u.s), exact also for small angles, and its cosine is u.s/(|b| |s|). */
static int angle(parser *p)
{
    int b[3] = {NO_NODE, NO_NODE, NO_NODE}, s[3] = {NO_NODE, NO_NODE, NO_NODE}, u[3], c[3];
    const char *start = p->at++;
    vector(p, b);
    if (!p->wrong && !take(p, ','))
        return fail_unexpected(p, ", and the vector in space");
    if (!p->wrong)
        vector(p, s);
    if (!p->wrong && !take(p, ')'))
        return fail_unexpected(p, ") after the vector in space");
    for (int i = 0; i < 3; i++) {
        int row[3];
        for (int k = 0; k < 3; k++) {
            if (p->wrong)
                row[k] = NO_NODE;
            else
                row[k] = ph_graph_leaf(p->g, VARIABLE, VARIABLE_R + 3 * i + k);
        }
        u[i] = scalar_product(p, row, b);
    }
    for (int i = 0; i < 3; i++) {
        const int k = (i + 1) % 3, l = (i + 2) % 3, one = make(p, MULTIPLY, u[k], s[l]),
                  other = make(p, MULTIPLY, u[l], s[k]);
        c[i] = make(p, SUBTRACT, one, other);
    }
    const int b2 = scalar_product(p, b, b), s2 = scalar_product(p, s, s);
    if (!p->wrong && !p->g->failed &&
        ((p->g->nodes[b2].code == CONSTANT && p->g->nodes[b2].value == 0.0) ||
         (p->g->nodes[s2].code == CONSTANT && p->g->nodes[s2].value == 0.0)))
        return fail(p, start, "a vector of an angle has length 0: write another vector");
    const int along = scalar_product(p, u, s), across = make(p, SQRT, scalar_product(p, c, c), 0),
              size_b = make(p, SQRT, b2, 0), size_s = make(p, SQRT, s2, 0),
              sizes = make(p, MULTIPLY, size_b, size_s);
    p->cosine = make(p, DIVIDE, along, sizes);
    p->angle = make(p, ATAN2, across, along);
    return p->angle;
}

/* ---- places -------------------------------------------------------------------------- */

static int sky(parser *p, const char *word, size_t length, sky_word which, int component)
{
    int space[3], body[3] = {NO_NODE, NO_NODE, NO_NODE};
    if ((which == SKY_SUN && !dated(p, word)) || (which != SKY_SUN && !orbits(p, word, length)))
        return NO_NODE;
    if (which == SKY_WHEELS && !p->names->inside)
        return fail(p, word, "H1 to H3 need a torque that is added: remove them");
    p->inside = p->inside || which == SKY_WHEELS;
    switch (which) {
    case SKY_SUN:
        ph_sky_sun(p->g, *p->names->epoch, space);
        break;
    case SKY_UP:
        ph_sky_up(p->g, space);
        break;
    case SKY_PLACE:
        ph_sky_place(p->g, body);
        return body[component];
    case SKY_VELOCITY:
        ph_sky_velocity(p->g, body);
        return body[component];
    case SKY_WHEELS:
        return ph_graph_leaf(p->g, VARIABLE, VARIABLE_INSIDE + component);
    default:
        ph_sky_field(p->g, space);
        break;
    }
    ph_sky_in_body(p->g, space, body);
    if (which != SKY_FIELD_RATE || p->g->failed)
        return body[component];
    int rate = NO_NODE;
    if (is_potential(p->names))
        return fail(p, word, "a potential cannot depend on %.*s: remove it, or write a torque",
                    (int)length, word);
    p->moving = true;
    if (!ph_graph_tangent(p->g, AXIS_TIME, 1, &body[component], &rate))
        p->g->failed = true;
    return rate;
}

/* The part of the Sun's diameter that the Earth covers. */
static int eclipse(parser *p, const char *word, size_t length)
{
    if (!orbits(p, word, length) || !dated(p, word))
        return NO_NODE;
    p->covered = ph_sky_covered(p->g, *p->names->epoch);
    p->eclipse = ph_sky_eclipse(p->g, p->covered);
    return p->eclipse;
}

static int name(parser *p)
{
    const char *word = p->at;
    while (is_letter(*p->at) || is_digit(*p->at))
        p->at++;
    const size_t length = (size_t)(p->at - word);
    const operation code = function(word, length);
    if (code != OPERATION_COUNT)
        return call(p, word, length, code);
    if (is_name(word, length, "angle") && peek(p) == '(')
        return angle(p);
    if (is_name(word, length, "step") && peek(p) == '(')
        return switched(p, word, length, 1);
    if (is_name(word, length, "pulse") && peek(p) == '(')
        return switched(p, word, length, 3);
    const int index = variable(p->names, word, length);
    const bool moves = index >= VARIABLE_M && (index < VARIABLE_X || index >= VARIABLE_V);
    p->quaternion = p->quaternion || (index >= VARIABLE_Q && index < VARIABLE_R);
    if (moves && is_potential(p->names))
        return fail(p, word, "a potential cannot depend on %.*s: remove it, or write a torque",
                    (int)length, word);
    p->moving = p->moving || moves;
    p->timed = p->timed || index == VARIABLE_T;
    if (index >= 0)
        return ph_graph_leaf(p->g, VARIABLE, index);
    if (is_name(word, length, "pi"))
        return ph_graph_constant(p->g, PH_PI);
    const int place = ph_parse_parameter(p->names, word, length);
    if (place >= 0)
        return ph_graph_leaf(p->g, PARAMETER, place);
    int component;
    const sky_word of_sky = sky_word_of(word, length, &component);
    if (is_name(word, length, "eclipse"))
        return eclipse(p, word, length);
    if (of_sky != SKY_WORDS && (of_sky < SKY_PLACE || p->names->orbit))
        return sky(p, word, length, of_sky, component);
    return fail_name(p, word, length);
}

/* ---- operators --------------------------------------------------------------------- */

static int primary(parser *p)
{
    const char c = peek(p);
    if (is_digit(c) || c == '.')
        return number(p);
    if (is_letter(c))
        return name(p);
    if (!take(p, '('))
        return fail_unexpected(p, "a number, a name or (");
    const int inside = sum(p);
    if (!p->wrong && !take(p, ')'))
        return fail_unexpected(p, "an operator or )");
    return inside;
}

static int with_sign(parser *p)
{
    int result = NO_NODE;
    if (!enter(p))
        return result;
    if (take(p, '-')) {
        result = make(p, NEGATE, with_sign(p), 0);
    } else if (take(p, '+')) {
        result = with_sign(p);
    } else {
        result = primary(p);
        if (!p->wrong && take(p, '^')) {
            const int exponent = with_sign(p);
            if (p->wrong)
                result = NO_NODE;
            else
                result = ph_graph_power(p->g, result, exponent);
        }
    }
    p->depth--;
    return result;
}

static int product(parser *p)
{
    int result = with_sign(p);
    while (!p->wrong && (peek(p) == '*' || *p->at == '/')) {
        const operation code = *p->at++ == '*' ? MULTIPLY : DIVIDE;
        const int next = with_sign(p);
        result = make(p, code, result, next);
    }
    return result;
}

static int sum(parser *p)
{
    int result = product(p);
    while (!p->wrong && (peek(p) == '+' || *p->at == '-')) {
        const operation code = *p->at++ == '+' ? ADD : SUBTRACT;
        const int next = product(p);
        result = make(p, code, result, next);
    }
    return result;
}

/* Whether a node is between -1 and 1 in every attitude: a component of R, or its negative. */
static bool is_component(const parser *p, int of)
{
    const node *n = &p->g->nodes[of];
    if (n->code == NEGATE)
        n = &p->g->nodes[n->a];
    return n->code == VARIABLE && n->a >= VARIABLE_R && n->a < VARIABLE_M;
}

/* The node of which a node is the arc cosine, if that is defined everywhere; NO_NODE: none. */
static int cosine_of(const parser *p, int of)
{
    const bool arc = p->g->nodes[of].code == ACOS && is_component(p, p->g->nodes[of].a);
    if (of == p->angle)
        return p->cosine;
    return arc ? p->g->nodes[of].a : NO_NODE;
}

/* large - small, and where one of them is an angle and the other a constant, the same of their
 * cosines: these are smooth. */
static int difference(parser *p, int large, int small)
{
    const int result = make(p, SUBTRACT, large, small), side[2] = {large, small};
    p->smooth = result;
    for (int k = 0; k < 2 && !p->wrong && !p->g->failed; k++) {
        const int part = side[k], limit = side[1 - k];
        const double at = p->g->nodes[limit].code == CONSTANT ? p->g->nodes[limit].value : NAN;
        if (part == p->eclipse && at >= 0.0 && at <= 1.0 && at != 1.0 - k) {
            if (k == 0)
                p->smooth = make(p, SUBTRACT, p->covered, limit);
            else
                p->smooth = make(p, SUBTRACT, limit, p->covered);
        }
    }
    for (int k = 0; k < 2 && !p->wrong && !p->g->failed; k++) {
        const int cosine = cosine_of(p, side[k]);
        const node *n = &p->g->nodes[side[1 - k]];
        if (cosine == NO_NODE || n->code != CONSTANT || !(n->value > 0.0 && n->value < PH_PI))
            continue;
        const int limit = ph_graph_constant(p->g, ph_cos(n->value));
        if (k == 0)
            p->smooth = make(p, SUBTRACT, limit, cosine);
        else
            p->smooth = make(p, SUBTRACT, cosine, limit);
    }
    return result;
}

/* Notes whether one side of a condition is an angle and the other one a number. */
static void note_angle(parser *p, int left, int right)
{
    const int side[2] = {left, right};
    for (int k = 0; k < 2 && !p->wrong && !p->g->failed; k++) {
        const node *angle = &p->g->nodes[side[k]], *limit = &p->g->nodes[side[1 - k]];
        const bool arc = angle->code == ACOS || angle->code == ASIN || angle->code == ATAN ||
                         angle->code == ATAN2;
        if (!arc || limit->code != CONSTANT)
            continue;
        p->of_angle = k == 0 ? 1 : -1;
        p->limit = limit->value;
    }
}

/* The number that is positive where the condition holds. */
static int condition(parser *p)
{
    const int left = sum(p);
    if (!p->wrong && peek(p) == '\0' && left == p->eclipse) /* the word alone: > 0 */
        return difference(p, left, ph_graph_constant(p->g, 0.0));
    p->less = !p->wrong && take(p, '<');
    if (!p->wrong && !p->less && !take(p, '>'))
        return fail_unexpected(p, "an operator, < or >");
    const int right = p->wrong ? NO_NODE : sum(p);
    note_angle(p, left, right);
    if (p->less)
        return difference(p, right, left);
    return difference(p, left, right);
}

void ph_parse_too_large(ph_expression_error *why)
{
    *why = (ph_expression_error){1, "this expression is too large: write a shorter one"};
}

parse_result ph_parse(graph *g, const char *text, const parse_names *names,
                      ph_expression_error *why)
{
    parser p = {.g = g,
                .text = text,
                .at = text,
                .names = names,
                .why = why,
                .angle = NO_NODE,
                .eclipse = NO_NODE};
    parse_result out = {.node = NO_NODE};
    if (strlen(text) > PH_EXPRESSION_LENGTH) {
        (void)fail(&p, text + PH_EXPRESSION_LENGTH,
                   "the expression has more than %d characters: write a shorter one",
                   PH_EXPRESSION_LENGTH);
        return out;
    }
    if (names->use & PH_EXPRESSION_CONDITION)
        out.node = condition(&p);
    else
        out.node = sum(&p);
    if (!p.wrong && peek(&p) != '\0')
        (void)fail_unexpected(&p, "an operator, or nothing");
    if (!p.wrong && g->failed) {
        p.wrong = true;
        ph_parse_too_large(why);
    }
    if (p.wrong)
        out.node = NO_NODE;
    out.moving = p.moving;
    out.quaternion = p.quaternion;
    out.timed = p.timed;
    out.inside = p.inside;
    out.less = p.less;
    out.smooth = p.smooth;
    out.angle = p.of_angle;
    out.limit = p.limit;
    return out;
}
