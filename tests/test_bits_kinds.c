/* test_bits_kinds.c - a new kind of system, with a problem of its own (tests/kinds), and a problem
 * that stands in the catalog once more add lines to `polhode bits`, and change none but that of all.
 * It is linked with --wrap=ph_problem_at. */
/* Needs kinds. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "polhode/measure.h"
#include "polhode/system.h"

enum { MOST = 600, NAME = 200 };

/* The lines of bits.txt but the last, and how many were seen. */
static struct {
    char name[NAME];
    uint64_t sum;
} recorded[MOST];
static uint64_t recorded_all;
static int count, seen, added, repeated;
#define AGAIN "heavy_top"

static int read_recorded(void **state)
{
    (void)state;
    FILE *file = fopen(TEST_DATA "/bits.txt", "r");
    while (file != NULL && count < MOST &&
           fscanf(file, "%" SCNx64 " %*x %199[^\n]", &recorded[count].sum, recorded[count].name) ==
               2)
        count++;
    recorded_all = count > 0 ? recorded[--count].sum : 0;
    return file == NULL || fclose(file) != 0 || count == 0 ||
           strcmp(recorded[count].name, "all") != 0;
}

/* The catalog, and after its end a problem of one body, which can have a thermostat, again. */
bool __real_ph_problem_at(size_t i, ph_problem_facts *out);
bool __wrap_ph_problem_at(size_t i, ph_problem_facts *out);
bool __wrap_ph_problem_at(size_t i, ph_problem_facts *out)
{
    if (__real_ph_problem_at(i, out))
        return true;
    if (i == 0 || !__real_ph_problem_at(i - 1, out))
        return false;
    for (size_t k = 0; __real_ph_problem_at(k, out); k++) {
        if (strcmp(out->name, AGAIN) == 0)
            return true;
    }
    return false;
}

/* Whether the line stood before, of that problem and with the same bits. */
static bool again(const char *name, uint64_t sum)
{
    for (int i = 0; i < seen; i++) {
        if (strcmp(name, recorded[i].name) == 0)
            return strstr(name, AGAIN) != NULL && sum == recorded[i].sum;
    }
    return false;
}

/* Lines are in the order of the file, new ones anywhere among them. */
static bool see(void *context, const char *name, uint64_t sum)
{
    (void)context;
    if (seen < count && strcmp(name, recorded[seen].name) == 0) {
        if (sum != recorded[seen].sum)
            fail_msg("%s: a new kind or problem changes this line", name);
        seen++;
    } else if (strstr(name, "rotor") != NULL) {
        added++;
    } else if (again(name, sum)) {
        repeated++;
    } else {
        fail_msg("%s: neither a line of bits.txt nor a new one", name);
    }
    return true;
}

static void test_new_kind(void **state)
{
    (void)state;
    assert_true(ph_bits(PH_BITS_FEW_STEPS, see, NULL) != recorded_all);
    assert_int_equal(count, seen);
    assert_true(added > 0 && repeated > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_new_kind)};
    return cmocka_run_group_tests_name("bits of kinds", tests, read_recorded, NULL);
}
