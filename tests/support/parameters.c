/* parameters.c - what holds of the parameters of every problem. */
#include "support/parameters.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { LONGEST_TEXT = 68 }; /* a line of help */

void check_parameters(const char *problem, const ph_parameter *parameters, int count)
{
    uint64_t used = 0;
    for (int i = 0; i < count; i++) {
        const ph_parameter *a = &parameters[i];
        const size_t length = strlen(a->text);
        assert_true(strlen(a->name) > 0 && strlen(a->unit) > 0);
        if (length == 0 || length > LONGEST_TEXT || a->text[length - 1] == '.')
            fail_msg("%s of %s: \"%s\"", a->name, problem, a->text);
        assert_true(a->first >= 0 && a->count > 0);
        assert_true(a->first + a->count <= PH_PARAMETER_VALUES);
        for (int k = 0; k < i; k++)
            assert_string_not_equal(a->name, parameters[k].name);
        for (int k = a->first; k < a->first + a->count; k++) {
            assert_false(used >> k & 1);
            used |= UINT64_C(1) << k;
        }
    }
}
