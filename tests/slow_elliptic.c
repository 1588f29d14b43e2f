/* slow_elliptic.c - the elliptic functions, thoroughly: support/elliptic_checks.c. */
#include "support/elliptic_checks.h"

int main(void)
{
    return elliptic_checks(100000);
}
