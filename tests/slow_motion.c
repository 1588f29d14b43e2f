/* slow_motion.c - the tests of the exact free motion on 10^4 random bodies. */
#include "support/motion_tests.h"

int main(void)
{
    return motion_tests(1000);
}
