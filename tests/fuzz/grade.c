/* grade.c - the results of a program, for `grade`.
 *
 * The first byte says whether --json, and --case, is given. Without --case nothing passes, since the
 * input is too short for all cases; a case that passes has finite errors within its bound.
 */
#include <math.h>

#include <jansson.h>

#include "fuzz.h"

/* Checks a grade as it is printed. */
static void check_grade(const char *name, const json_t *g)
{
    const double bound = json_number_value(json_object_get(g, "bound"));
    const json_t *attitude = json_object_get(g, "attitude_error"),
                 *length = json_object_get(g, "length_error"), *rows = json_object_get(g, "rows"),
                 *times = json_object_get(g, "times");
    const char *reason = json_string_value(json_object_get(g, "reason"));
    require(json_integer_value(rows) <= json_integer_value(times),
            "%s: no more times than there are have rows", name);
    if (!json_is_true(json_object_get(g, "passed"))) {
        require(reason != NULL && reason[0] != '\0', "%s: there is a reason", name);
        return;
    }
    require(json_is_number(attitude) && json_number_value(attitude) <= bound &&
                json_is_number(length) && 2.0 * json_number_value(length) <= bound &&
                json_is_number(json_object_get(g, "energy_error")) &&
                json_is_number(json_object_get(g, "velocity_error")) &&
                json_is_number(json_object_get(g, "momentum_error")) &&
                json_is_null(json_object_get(g, "diverged")) &&
                json_integer_value(rows) == json_integer_value(times),
            "%s: what passes is right", name);
}

static void check_grades(int status, bool all)
{
    size_t length;
    const char *text = tool_output(&length), *name;
    json_t *json = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
    json_t *of, *g;
    require(json != NULL, "--json prints JSON");
    of = json_object_get(json, "cases");
    const json_int_t passed = json_integer_value(json_object_get(json, "passed")),
                     graded = json_integer_value(json_object_get(json, "of")),
                     missing = json_integer_value(json_object_get(json, "missing"));
    require((status == 0) == (passed == graded + missing), "status %d: all passed", status);
    require(!all || graded + missing == 70, "no case is forgotten");
    require((json_int_t)json_object_size(of) == graded, "the cases are counted");
    json_object_foreach(of, name, g)
    {
        check_grade(name, g);
    }
    json_decref(json);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    const bool all = data[0] % 2 == 0, json = data[0] % 4 < 2;
    const char *path = input_file(data + 1, size - 1);
    failure_is_printed = true;
    const int status = all && json ? RUN_TOOL("grade", path, "--json")
                       : all       ? RUN_TOOL("grade", path)
                       : json      ? RUN_TOOL("grade", "-", "--case", "brick,at_rest", "--json")
                                   : RUN_TOOL("grade", "-", "--case", "brick");
    if (json && (status == 0 || status == 1))
        check_grades(status, all);
    return 0;
}
