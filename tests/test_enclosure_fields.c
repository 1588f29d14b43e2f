/* test_enclosure_fields.c - enclosures of equations with known solutions. */
/* Needs lab. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lab/enclose/enclosure.h"

/* x' = c x^3, c x^2 and c x have the solutions x = x0/sqrt(1 - 2 c t x0^2), x0/(1 - c t x0) and x0 exp(c t).
 * The interval of x0 is one of input or an error at the start, in turn. As many unknowns and products as there
 * can be. */
static double solution(int power, double x0, double ct)
{
    return power == 3   ? x0 / sqrt(1.0 - 2.0 * ct * x0 * x0)
           : power == 2 ? x0 / (1.0 - ct * x0)
                        : x0 * exp(ct);
}

static void check_powers(double t)
{
    enum { FIRST = 4, N = ENCLOSURE_MOST, CUBES = ENCLOSURE_PRODUCTS };
    enclosure_field f;
    enclosure_set s;
    arb_mat_t C, p;
    arb_t c, end;
    arb_ptr x = _arb_vec_init(N), box = _arb_vec_init(N);
    double rate[N], x0[N], width[N];
    enclosure_field_init(&f, N);
    arb_mat_init(C, N, N);
    arb_mat_init(p, N, 1);
    arb_init(c);
    arb_init(end);
    arb_set_d(end, t);
    for (int i = FIRST; i < N; i++) {
        const int power = i < FIRST + CUBES ? 3 : 1 + i % 2;
        rate[i] = (i % 3 == 0 ? -1.0 : 1.0) * (0.25 + i / 64.0);
        x0[i] = i % 5 == 0 ? -0.5 : 0.75;
        width[i] = 1e-7 * (1 + i % 4);
        arb_set_d(c, rate[i]);
        if (power == 3)
            enclosure_field_add(&f, i, enclosure_field_product(&f, i, i), i, c);
        else
            enclosure_field_add(&f, i, i, power == 2 ? i : N, c);
        f.group[i] = i;
        arb_set_d(x + i, x0[i]);
        arb_ptr uncertain_part = i % 2 ? x + i : arb_mat_entry(p, i, 0);
        arb_add_error_2exp_si(uncertain_part, -200);
        arb_set_d(c, width[i]);
        arb_add_error(uncertain_part, c);
        arb_one(arb_mat_entry(C, i, i));
    }
    enclosure_set_init(&s, &f, x, C, p, 64);
    while (!enclosure_set_is_at(&s, end))
        assert_true(enclosure_set_step(&s, end));
    enclosure_set_box(&s, box);
    for (int i = FIRST; i < N; i++) {
        const int power = i < FIRST + CUBES ? 3 : 1 + i % 2;
        const double low = solution(power, x0[i] - width[i], rate[i] * t),
                     high = solution(power, x0[i] + width[i], rate[i] * t),
                     middle = arf_get_d(arb_midref(box + i), ARF_RND_NEAR),
                     radius = mag_get_d(arb_radref(box + i));
        assert_true(middle - radius <= low + 1e-14 && middle + radius >= high - 1e-14);
        assert_true(2.0 * radius <= 1.001 * (high - low));
    }
    for (int i = 0; i < FIRST; i++) /* nothing turns */
        assert_true(arb_contains_si(box + i, i == 0) &&
                    mag_cmp_2exp_si(arb_radref(box + i), -40) < 0);
    enclosure_set_clear(&s);
    enclosure_field_clear(&f);
    arb_mat_clear(C);
    arb_mat_clear(p);
    arb_clear(c);
    arb_clear(end);
    _arb_vec_clear(x, N);
    _arb_vec_clear(box, N);
}

static void test_powers(void **state)
{
    (void)state;
    check_powers(1.25);
    check_powers(-1.25);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_powers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
