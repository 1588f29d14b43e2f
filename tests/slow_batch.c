/* slow_batch.c - the tests of test_batch.c with ten times as many bodies. */
#include "support/batch_tests.h"

int main(void)
{
    return batch_tests(100000);
}
