/* test_body.c - bodies from tensors: the principal axes take the moments back to the
 * tensor, whichever of its elements are zero. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "motion/vec.h"
#include "polhode/polhode.h"
#include "support/random.h"

static double element(const ph_body *b, int i, int j)
{
    const ph_mat3 A = ph_quat_matrix(b->axes);
    return A.a[i][0] * b->J.x * A.a[j][0] + A.a[i][1] * b->J.y * A.a[j][1] +
           A.a[i][2] * b->J.z * A.a[j][2];
}

/* Tensor, velocity, momentum and energy by the tensor itself. */
static void check_tensor(ph_mat3 T)
{
    const double round_off = 4e-15;
    ph_body b;
    assert_int_equal(PH_OK, ph_body_from_tensor(&b, T));
    assert_true(fabs(dot4(b.axes, b.axes) - 1.0) < round_off);
    for (int i = 0; i < 3; i++) {
        for (int j = i; j < 3; j++)
            assert_true(fabs(element(&b, i, j) - T.a[i][j]) < round_off);
        for (int j = 0; j < i; j++) /* only the upper triangle was read */
            T.a[i][j] = T.a[j][i];
    }
    const ph_vec3 w = {0.3, -0.7, 1.1}, m = apply(T, w);
    const ph_state s = {{0.5, 0.5, 0.5, 0.5}, m};
    assert_true(norm_max(sub(ph_body_momentum(&b, w), m)) < round_off);
    assert_true(norm_max(sub(ph_body_velocity(&b, m), w)) < round_off);
    assert_true(fabs(ph_body_energy(&b, &s) - 0.5 * dot(w, m)) < round_off);
    assert_true(norm_max(sub(ph_state_space_momentum(&s), vec3(m.z, m.x, m.y))) < round_off);
}

/* Every pattern of signs and zeros off the diagonal, with equal moments too. */
static void test_patterns(void **state)
{
    (void)state;
    for (int n = 0; n < 27; n++) {
        const double x = 0.25 * (n % 3 - 1), y = 0.5 * (n / 3 % 3 - 1), z = 0.375 * (n / 9 - 1);
        check_tensor((ph_mat3){{{2.0, x, y}, {NAN, 2.5, z}, {NAN, NAN, 3.0}}});
        check_tensor((ph_mat3){{{3.0, x, y}, {7.0, 1.5, z}, {7.0, 7.0, 1.5}}});
        check_tensor((ph_mat3){{{2.0, x, y}, {0.0, 2.0, z}, {0.0, 0.0, 2.0}}});
    }
    uint64_t seed = 5;
    for (int n = 0; n < 1000; n++) {
        double a[6];
        for (int k = 0; k < 6; k++)
            a[k] = between(&seed, -0.5, 0.5);
        check_tensor(
            (ph_mat3){{{1.5 + a[0], a[1], a[2]}, {0.0, 1.5 + a[3], a[4]}, {0.0, 0.0, 1.5 + a[5]}}});
    }
}

/* The frame is principal if and only if nothing is off the diagonal. */
static void test_principal(void **state)
{
    (void)state;
    ph_body b;
    ph_mat3 T = {{{3, 0, 0}, {0, 1, 0}, {0, 0, 2}}};
    assert_int_equal(PH_OK, ph_body_from_tensor(&b, T));
    assert_true(b.principal && b.J.x == 3 && b.J.y == 1 && b.J.z == 2);
    T.a[0][2] = 1e-300;
    assert_int_equal(PH_OK, ph_body_from_tensor(&b, T));
    assert_false(b.principal);
    T.a[0][2] = 3.0; /* not positive definite */
    assert_int_equal(PH_BAD_INERTIA, ph_body_from_tensor(&b, T));
    assert_false(b.principal);
}

/* No moment above the sum of the others, but for round-off. */
static void test_physical(void **state)
{
    (void)state;
    static const double largest[] = {2.9, 3.0, 3.0 * (1 + 8e-15), 3.0 * (1 + 15e-15), 4.0};
    for (int k = 0; k < 5; k++) {
        const double I = largest[k];
        const ph_vec3 moments[] = {{1, 2, I}, {1, I, 2}, {I, 1, 2}};
        for (int i = 0; i < 3; i++) {
            ph_body b;
            assert_int_equal(PH_OK, ph_body_from_moments(&b, moments[i]));
            assert_true(ph_body_physical(&b) == (k < 3));
        }
    }
}

/* Every code has its sentence, and what is no code has one too. */
static void test_status_texts(void **state)
{
    (void)state;
    int last = 0;
#define CHECK_TEXT(code, number, text)                                                             \
    assert_string_equal(text, ph_status_text(PH_##code));                                          \
    last = (number) > last ? (number) : last;
    PH_STATUS_LIST(CHECK_TEXT)
#undef CHECK_TEXT
    const int beyond[] = {last + 1, last + 2, 3 * last, -1};
    for (int k = 0; k < 4; k++)
        assert_string_equal("unknown status", ph_status_text((ph_status)beyond[k]));
}

/* The inverse of the Cayley map where q.w is so small that 2/q.w overflows. */
static void test_cayley_inverse(void **state)
{
    (void)state;
    for (int e = -1000; e <= 0; e += 50) {
        const double w = ldexp(1.0, e);
        const ph_quat q = {w, 0.25, -0.5, ldexp(0.75, -30)};
        const ph_vec3 x = ph_cay_inverse(q);
        assert_true(x.x == 0.5 / w && x.y == -1.0 / w && x.z == ldexp(1.5, -30) / w);
    }
    const ph_quat tiny = {0x1p-1060, 0x1p-1050, 0.0, -0x1p-1060};
    const ph_vec3 x = ph_cay_inverse(tiny);
    assert_true(x.x == 2048.0 && x.y == 0.0 && x.z == -2.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_patterns), cmocka_unit_test(test_principal),
        cmocka_unit_test(test_physical), cmocka_unit_test(test_status_texts),
        cmocka_unit_test(test_cayley_inverse)};
    return cmocka_run_group_tests_name("body", tests, NULL, NULL);
}
