/* boost.cpp - the elliptic functions of Boost.Math: `boost` as they come, which means inside
 * in long double, and `boost_double` asked to stay in double.
 */
#include <boost/math/special_functions/ellint_1.hpp>
#include <boost/math/special_functions/ellint_3.hpp>
#include <boost/math/special_functions/ellint_rd.hpp>
#include <boost/math/special_functions/ellint_rf.hpp>
#include <boost/math/special_functions/ellint_rj.hpp>
#include <boost/math/special_functions/jacobi_elliptic.hpp>
#include <boost/version.hpp>

#include "elliptic.h"

using namespace boost::math;
using in_double = policies::policy<policies::promote_double<false>>;

BENCH_RUN(rf, r[0] = ellint_rf(a[0], a[1], a[2]))
BENCH_RUN(rd, r[0] = ellint_rd(a[0], a[1], a[2]))
BENCH_RUN(rj, r[0] = ellint_rj(a[0], a[1], a[2], a[3]))
BENCH_RUN(elliptic_k, r[0] = ellint_1(a[1]))
BENCH_RUN(elliptic_pi_inc, r[0] = ellint_3(a[1], a[2], a[3]))
BENCH_RUN(sncndn, r[0] = jacobi_elliptic(a[1], a[2], &r[1], &r[2]))

BENCH_RUN(rf_double, r[0] = ellint_rf(a[0], a[1], a[2], in_double()))
BENCH_RUN(rd_double, r[0] = ellint_rd(a[0], a[1], a[2], in_double()))
BENCH_RUN(rj_double, r[0] = ellint_rj(a[0], a[1], a[2], a[3], in_double()))
BENCH_RUN(elliptic_k_double, r[0] = ellint_1(a[1], in_double()))
BENCH_RUN(elliptic_pi_inc_double, r[0] = ellint_3(a[1], a[2], a[3], in_double()))
BENCH_RUN(sncndn_double, r[0] = jacobi_elliptic(a[1], a[2], &r[1], &r[2], in_double()))

extern "C" const bench_library bench_library_boost[] = {
    {"boost", "Boost " BOOST_LIB_VERSION, {rf, rd, rj, elliptic_k, elliptic_pi_inc, sncndn}},
    {"boost_double",
     "Boost " BOOST_LIB_VERSION,
     {rf_double, rd_double, rj_double, elliptic_k_double, elliptic_pi_inc_double, sncndn_double}},
    {},
};
