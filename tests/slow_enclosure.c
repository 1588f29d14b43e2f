/* slow_enclosure.c - every case of conformance/ is as near the solution as its radius says. */
/* Needs lab. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <arb.h>

#include "support/certify.h"

static void test_all(void **state)
{
    static const char folder[] = TEST_DATA "/../../conformance/cases";
    int count = 0;
    DIR *cases = opendir(folder);
    const struct dirent *entry;
    (void)state;
    assert_non_null(cases);
    while ((entry = readdir(cases)) != NULL) {
        char path[4096];
        if (strstr(entry->d_name, ".json") == NULL)
            continue;
        (void)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        json_t *json = json_load_file(path, 0, NULL);
        assert_non_null(json);
        const double radius = json_number_value(json_object_get(json, "radius")),
                     found = certified_radius(json);
        print_message("%-32s radius %.4g, proved %.4g\n", entry->d_name, radius, found);
        assert_true(radius > 0.0 && radius <= 0x1p-52);
        assert_true(found <= radius);
        json_decref(json);
        count++;
    }
    closedir(cases);
    assert_true(count >= 70);
    flint_cleanup();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
