/* test_motion.c - the exact free motion: every reference vector, random bodies of every
 * kind against Taylor series in multiprecision, and what makes it a motion. */
#include "support/motion_tests.h"

int main(void)
{
    return motion_tests(20);
}
