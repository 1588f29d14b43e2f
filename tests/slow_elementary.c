/* slow_elementary.c - the elementary functions, thoroughly: support/elementary_checks.c. */
#include "support/elementary_checks.h"

int main(void)
{
    return elementary_checks(1000000);
}
