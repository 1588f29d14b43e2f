/* test_batch.c - many bodies at once: every flow against its step, the same bits in any
 * company, bodies that fail. */
#include "support/batch_tests.h"

int main(void)
{
    return batch_tests(10000);
}
