/* test_cli_resume.c - run --checkpoint and resume: killed twenty times. */
/* Needs kinds, lab, extra. */
#include "support/resume_tests.h"

int main(void)
{
    return resume_tests(20);
}
