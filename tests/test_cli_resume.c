/* test_cli_resume.c - run --checkpoint and resume: killed twenty times, four times with the sanitizers. */
/* Needs kinds, lab, extra. */
#include "support/quick.h"
#include "support/resume_tests.h"

int main(void)
{
    return resume_tests(is_sanitized() ? 4 : 20);
}
