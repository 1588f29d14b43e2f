/* slow_resume.c - run --checkpoint and resume: killed a thousand times. */
#include "support/resume_tests.h"

int main(void)
{
    return resume_tests(1000);
}
