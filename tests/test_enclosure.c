/* test_enclosure.c - enclosures: recorded states of conformance/ are as near the solution as they say, random
 * members of a box stay inside it, and the box is not much wider than they are. */
/* Needs lab. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/random.h"
#include "lab/enclose/free_box.h"
#include "motion/vec.h"
#include "support/certify.h"
#include "support/run_tool.h"

static json_t *load_case(const char *name)
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/../../conformance/cases/%s.json", TEST_DATA, name);
    json_t *json = json_load_file(path, 0, NULL);
    assert_non_null(json);
    return json;
}

/* One case of each kind that takes little time. */
static void test_certified(void **state)
{
    static const char *const names[] = {"at_rest",     "detect_half_step", "separatrix", "sphere",
                                        "spin_second", "tensor_symmetric", "gyrostat",   "damped",
                                        "resonance",   "hanging_body"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        json_t *json = load_case(names[i]);
        const double radius = json_number_value(json_object_get(json, "radius"));
        assert_true(radius > 0.0 && radius <= 0x1p-52);
        assert_true(certified_radius(json) <= radius);
        json_decref(json);
    }
}

/* A state that is off by a few units of its last digit is refused. */
static void test_wrong_digit(void **state)
{
    (void)state;
    json_t *json = load_case("detect_half_step");
    json_t *q = json_object_get(json_array_get(json_object_get(json, "states"), 9), "attitude");
    const double radius = json_number_value(json_object_get(json, "radius")),
                 x = json_number_value(json_array_get(q, 2));
    json_array_set_new(q, 2, json_real(x + 4.0 * radius));
    assert_true(certified_radius(json) > 2.0 * radius);
    json_decref(json);
}

/* A number of the interval; often one of its ends. */
static double draw(uncertain u, uint64_t *seed)
{
    const double x = 2.0 * uniform(seed) - 1.0;
    const bool end = uniform(seed) < 0.5;
    return u.middle + u.width * (end ? copysign(1.0, x) : x);
}

typedef struct member {
    double x[7]; /* attitude and velocity */
} member;

/* An end of the interval. */
static double corner(uncertain u, bool upper)
{
    return u.middle + (upper ? u.width : -u.width);
}

enum { CORNERS = 64 };

/* A body of the box at a time, by the exact motion. The first ones are the corners of the moments and velocities;
 * the others are random. */
static member move_member(const free_box *box, int number, double t, uint64_t *seed)
{
    double J[3], v[3], q[4];
    for (int i = 0; i < 3; i++) {
        J[i] = draw(box->inertia[i], seed);
        v[i] = draw(box->spin[i], seed);
        if (number < CORNERS) {
            J[i] = corner(box->inertia[i], (number >> i) % 2 != 0);
            v[i] = corner(box->spin[i], (number >> (3 + i)) % 2 != 0);
        }
    }
    for (int i = 0; i < 4; i++)
        q[i] = draw(box->attitude[i], seed);
    const ph_vec3 moments = vec3(J[0], J[1], J[2]), spin = vec3(v[0], v[1], v[2]);
    const ph_state start = {of_unit_length((ph_quat){q[0], q[1], q[2], q[3]}),
                            box->momentum ? spin : times(moments, spin)},
                   s = expected(moments, start, t);
    return (member){{s.q.w, s.q.x, s.q.y, s.q.z, s.m.x / J[0], s.m.y / J[1], s.m.z / J[2]}};
}

static void follow(free_motions *m, double t)
{
    for (bool on = true; on;)
        on = free_motions_step(m, t);
}

/* Members stay within the bounds but for the round-off of the exact motion. */
static void check_members(const free_box *box, double t, double most_excess)
{
    enum { MEMBERS = 400 };
    const double round_off = 1e-11;
    double low[7] = {0.0}, high[7] = {0.0};
    uint64_t seed = 7;
    free_motions m;
    free_bounds b;
    free_motions_init(&m, box);
    follow(&m, t);
    assert_false(m.lost);
    free_motions_bounds(&m, &b);
    free_motions_clear(&m);
    for (int n = 0; n < MEMBERS; n++) {
        const member s = move_member(box, n, t, &seed);
        for (int i = 0; i < 7; i++) {
            const double x = s.x[i], *lower = i < 4 ? b.attitude[0] : b.velocity[0] - 4,
                         *upper = i < 4 ? b.attitude[1] : b.velocity[1] - 4;
            assert_true(x >= lower[i] - round_off * (1.0 + fabs(x)));
            assert_true(x <= upper[i] + round_off * (1.0 + fabs(x)));
            low[i] = n == 0 || x < low[i] ? x : low[i];
            high[i] = n == 0 || x > high[i] ? x : high[i];
        }
    }
    double widest_box = 0.0, widest = 0.0;
    for (int i = 0; i < 4; i++) {
        const double width = b.attitude[1][i] - b.attitude[0][i];
        widest_box = width > widest_box ? width : widest_box;
        widest = high[i] - low[i] > widest ? high[i] - low[i] : widest;
    }
    assert_true(widest_box <= most_excess * widest + round_off);
}

static void test_members(void **state)
{
    static const struct {
        free_box box;
        double t, excess;
    } all[] = {
        /* a brick, and the same a second before the start */
        {{{{1, 1e-5}, {2, 1e-5}, {3, 1e-5}},
          {{0.4, 1e-5}, {0.2, 1e-5}, {2, 1e-5}},
          {{1, 0}},
          false},
         20,
         1.02},
        {{{{1, 1e-4}, {2, 1e-4}, {3, 1e-4}},
          {{0.4, 1e-4}, {0.2, 1e-4}, {2, 1e-4}},
          {{1, 0}},
          false},
         -1,
         1.01},
        /* about the third axis, and exactly symmetric bodies among others */
        {{{{1, 1e-3}, {1, 1e-3}, {2, 1e-3}}, {{0, 1e-3}, {0, 1e-3}, {1, 1e-3}}, {{1, 0}}, false},
         10,
         4},
        /* next to the middle axis, by momentum, with an uncertain attitude */
        {{{{3, 1e-6}, {1, 1e-6}, {2, 1e-6}},
          {{1e-3, 1e-7}, {-2e-3, 1e-7}, {2, 1e-6}},
          {{0.5, 1e-5}, {0.5, 0}, {-0.5, 1e-5}, {0.5, 0}},
          true},
         12,
         4},
        /* the separatrix is inside the box */
        {{{{3, 1e-5}, {4, 1e-5}, {6, 1e-5}}, {{2, 1e-5}, {0.5, 1e-5}, {1, 1e-5}}, {{1, 0}}, false},
         4,
         4},
        /* The spread times the angle is 0.1 and 0.2; the third order of both is what the box has in excess. */
        {{{{1.154, 1e-5}, {1.833, 2e-5}, {1.475, 1e-5}},
          {{-0.8727, 1e-5}, {0.9624, 1e-5}, {0.3981, 4e-6}},
          {{1, 0}},
          false},
         50,
         1.05},
        {{{{1, 1e-4}, {2, 2e-4}, {3, 3e-4}},
          {{0.4, 4e-5}, {0.2, 2e-5}, {2, 2e-4}},
          {{0.6, 0}, {-0.2, 0}, {0.5, 0}, {0.4, 0}},
          false},
         20,
         1.1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        check_members(&all[i].box, all[i].t, all[i].excess);
}

/* Where a box has become too wide, it has all attitudes, and the velocities that the energy allows. */
static void test_lost(void **state)
{
    const free_box box = {
        {{1, 0.1}, {2, 0.1}, {3, 0.1}}, {{0.4, 0.1}, {0.2, 0.1}, {2, 0.1}}, {{1, 0}}, false};
    uint64_t seed = 3;
    free_motions m;
    free_bounds b;
    (void)state;
    free_motions_init(&m, &box);
    follow(&m, 200.0);
    assert_true(m.lost);
    free_motions_bounds(&m, &b);
    free_motions_clear(&m);
    assert_true(b.angle > 3.1415926535897931);
    assert_true(b.velocity[1][2] < 2.5); /* sqrt(2 T/J_3) is at most 2.21 */
    for (int n = 0; n < 100; n++) {
        const member s = move_member(&box, CORNERS + n, 200.0, &seed);
        for (int i = 0; i < 3; i++) {
            assert_true(isfinite(b.velocity[0][i]) && isfinite(b.velocity[1][i]));
            assert_true(s.x[4 + i] >= b.velocity[0][i] && s.x[4 + i] <= b.velocity[1][i]);
        }
    }
    for (int i = 0; i < 4; i++) {
        assert_true(b.attitude[0][i] == -1.0);
        assert_true(b.attitude[1][i] == 1.0);
    }
    flint_cleanup();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_certified),
        cmocka_unit_test(test_wrong_digit),
        cmocka_unit_test(test_members),
        cmocka_unit_test(test_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
