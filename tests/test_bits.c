/* test_bits.c - the checksums of `polhode bits` against tests/vectors/bits.txt, with every
 * instruction set and 1, 2 and 7 threads; a file of their own for one that is meant to
 * change: build/tests/test_bits write >tests/vectors/bits.txt. Rows: after few steps, after all, name. */
/* Needs kinds. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "polhode/batch.h"
#include "polhode/measure.h"
#include "support/chosen_isa.h"
#include "support/quick.h"
#include "support/skip.h"

enum { MOST = 400, NAME = 200 };

typedef struct sums {
    int count;
    char name[MOST][NAME];
    uint64_t sum[MOST];
} sums;

static bool collect(void *context, const char *name, uint64_t sum)
{
    sums *s = context;
    assert_true(s->count < MOST);
    (void)snprintf(s->name[s->count], NAME, "%s", name);
    s->sum[s->count++] = sum;
    return true;
}

static void compute(sums *s, uint64_t steps)
{
    s->count = 0;
    const uint64_t all = ph_bits(steps, collect, s);
    (void)collect(s, "all", all);
}

static sums few_expected, all_expected;

static int read_expected(void **state)
{
    (void)state;
    FILE *file = fopen(TEST_DATA "/bits.txt", "r");
    char name[NAME];
    uint64_t few, all;
    while (file != NULL &&
           fscanf(file, "%" SCNx64 " %" SCNx64 " %199[^\n]", &few, &all, name) == 3) {
        (void)collect(&few_expected, name, few);
        (void)collect(&all_expected, name, all);
    }
    return file == NULL || fclose(file);
}

static void compare(const sums *expected, const sums *s, const char *how)
{
    for (int i = 0; i < s->count && i < expected->count; i++) {
        if (strcmp(s->name[i], expected->name[i]) != 0)
            fail_msg("%s: the line `%s` is `%s` in bits.txt. First look for a fault in what "
                     "you changed. Only if other bits are intended, run make regenerate",
                     how, s->name[i], expected->name[i]);
        if (s->sum[i] != expected->sum[i])
            fail_msg("%s: other bits: %s", how, s->name[i]);
    }
    assert_int_equal(s->count, expected->count);
}

/* With every instruction set that this machine has. */
static void test_instruction_sets(void **state)
{
    (void)state;
    static sums s;
    for (int set = 0; set < isa_all(); set++) {
        choose_isa(set);
        compute(&s, PH_BITS_FEW_STEPS);
        compare(&few_expected, &s, isa_name(set));
    }
}

static void test_threads(void **state)
{
    (void)state;
    static const int counts[] = {1, 2, 7};
    static sums s;
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        ph_set_threads(counts[k]);
        compute(&s, PH_BITS_FEW_STEPS);
        compare(&few_expected, &s, "threads");
    }
    ph_set_threads(0);
}

static void test_all_steps(void **state)
{
    (void)state;
    static sums s;
    compute(&s, PH_BITS_STEPS);
    compare(&all_expected, &s, "all steps");
}

static int write_anew(void)
{
    static sums few, all;
    compute(&few, PH_BITS_FEW_STEPS);
    compute(&all, PH_BITS_STEPS);
    for (int i = 0; i < few.count; i++)
        printf("%016" PRIx64 " %016" PRIx64 " %s\n", few.sum[i], all.sum[i], few.name[i]);
    return 0;
}

int main(int argc, char **argv)
{
    choose_isa(isa_all() - 1);
    if (argc > 1 && strcmp(argv[1], "write") == 0)
        return write_anew();
    const struct CMUnitTest few[] = {cmocka_unit_test(test_instruction_sets)};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_instruction_sets),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_all_steps),
    };
    if (is_quick()) {
        report_skip("minutes, which a quick run does not take");
        return cmocka_run_group_tests_name("bits", few, read_expected, NULL);
    }
    return cmocka_run_group_tests_name("bits", tests, read_expected, NULL);
}
