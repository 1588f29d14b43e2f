/* expression.c - the text of an expression: read, evaluated, and made into a problem.
 *
 * The first byte says what it is for; the rest is the text.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "integrators/expression/compiled.h"
#include "integrators/field.h"
#include "polhode/expression.h"
#include "polhode/system.h"

static const ph_parameter parameters[] = {{"k", 0, 1, "1", "", PH_RANGE_ANY},
                                          {"up", 1, 3, "1", "", PH_RANGE_ANY}};
static const double values[] = {2.5, 0.3, -0.4, 0.7};
enum { PARAMETERS = sizeof parameters / sizeof parameters[0] };

static ph_instant some_instant(void)
{
    ph_instant now = instant_at(0.7, (ph_quat){0.5, -0.5, 0.1, 0.7});
    now.m = vec3(0.3, -1.2, 2.0);
    now.w = vec3(-0.7, 0.2, 0.4);
    return now;
}

static void check_error(const ph_expression_error *why, const char *text)
{
    require(why->column >= 1 && (size_t)why->column <= strlen(text) + 1,
            "column %d is one of the text", why->column);
    require(memchr(why->text, '\0', sizeof why->text) != NULL && strchr(why->text, ':'),
            "a message says what is wrong and what to do: %s", why->text);
}

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* A problem of the text evaluates it as it does alone. */
static void check_problem(const char *text, bool potential, bool readable, double value)
{
    ph_problem p;
    ph_expressions_error why;
    ph_expressions from = {
        .potential = potential ? text : NULL,
        .torque = {potential ? NULL : text, potential ? NULL : "0", potential ? NULL : text},
        .parameters = parameters,
        .parameter_count = PARAMETERS,
        .value = values};
    const ph_status status = ph_problem_from_expressions(&from, &p, &why);
    if (status != PH_OK) {
        require(status == PH_BAD_EXPRESSION && why.where != NULL, "it says where");
        check_error(&why.error, text);
        return;
    }
    const ph_instant now = some_instant();
    const ph_vec3 tau = p.torque(&p, &now);
    require(readable, "the text alone can be read");
    require(potential ? same(p.potential(&p, &now), value)
                      : same(tau.x, value) && same(tau.z, value) && tau.y == 0.0,
            "the value is that of the text alone");
    require(p.derivative != NULL || p.velocity_dependent || strlen(text) > 100,
            "there is a derivative");
    if (p.derivative != NULL)
        (void)p.derivative(&p, &now);
    ph_problem_release(&p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = calloc(size + 1, 1);
    require(text != NULL, "there is memory");
    if (size > 1)
        memcpy(text, data + 1, size - 1);
    const ph_expression_use use =
        size == 0 ? PH_EXPRESSION_TORQUE : (ph_expression_use)(data[0] % 3);
    const ph_instant now = some_instant();
    ph_expression *e = NULL;
    ph_expression_error why;
    double value = NAN;
    const ph_status status = ph_expression_create(text, use, parameters, PARAMETERS, &e, &why);
    require((e != NULL) == (status == PH_OK), "there is one, or it is wrong");
    if (status == PH_OK) {
        value = ph_expression_value(e, &now, values);
    } else {
        require(status == PH_BAD_EXPRESSION, "the text is wrong");
        check_error(&why, text);
    }
    if (use != PH_EXPRESSION_CONDITION)
        check_problem(text, use == PH_EXPRESSION_POTENTIAL, status == PH_OK, value);
    ph_expression_destroy(e);
    free(text);
    return 0;
}
