/* gsl.c - the elliptic functions of the GNU Scientific Library; its n has the other
 * sign. */
#include <gsl/gsl_sf_ellint.h>
#include <gsl/gsl_sf_elljac.h>
#include <gsl/gsl_version.h>

#include "elliptic.h"

#define MODE GSL_PREC_DOUBLE

BENCH_RUN(rf, r[0] = gsl_sf_ellint_RF(a[0], a[1], a[2], MODE))
BENCH_RUN(rd, r[0] = gsl_sf_ellint_RD(a[0], a[1], a[2], MODE))
BENCH_RUN(rj, r[0] = gsl_sf_ellint_RJ(a[0], a[1], a[2], a[3], MODE))
BENCH_RUN(elliptic_k, r[0] = gsl_sf_ellint_Kcomp(a[1], MODE))
BENCH_RUN(elliptic_pi_inc, r[0] = gsl_sf_ellint_P(a[3], a[1], -a[2], MODE))
BENCH_RUN(sncndn, gsl_sf_elljac_e(a[2], a[0], &r[0], &r[1], &r[2]))

const bench_library bench_library_gsl[] = {
    {"gsl", "GSL " GSL_VERSION, {rf, rd, rj, elliptic_k, elliptic_pi_inc, sncndn}},
    {0},
};
