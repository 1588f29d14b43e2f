/* polhode.c - the elliptic functions of Polhode. */
#include "polhode/polhode.h"

#include "elliptic.h"

BENCH_RUN(rf, r[0] = ph_rf(a[0], a[1], a[2]))
BENCH_RUN(rd, r[0] = ph_rd(a[0], a[1], a[2]))
BENCH_RUN(rj, r[0] = ph_rj(a[0], a[1], a[2], a[3]))
BENCH_RUN(elliptic_k, r[0] = ph_elliptic_k(a[0]))
BENCH_RUN(elliptic_pi_inc, r[0] = ph_elliptic_pi_inc(a[2], a[3], a[0]))
BENCH_RUN(sncndn, const ph_sncndn e = ph_jacobi_sncndn(a[2], a[0]); r[0] = e.sn; r[1] = e.cn;
          r[2] = e.dn)

const bench_library bench_library_polhode[] = {
    {"ph", "Polhode", {rf, rd, rj, elliptic_k, elliptic_pi_inc, sncndn}},
    {0},
};
