/* test_cli_extended.c - problems that extend others in a scenario: torques, wheels, facets, a tilted
 * dipole, controls, events of the orbit; and what is said about wrong ones. */
/* Needs kinds. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/run_tool.h"

#define BODY                                                                                       \
    "inertia: [12, 10, 8]\nattitude: [0.9, 0.1, -0.3, 0.2]\nvelocity: [0.01, -0.02, 0.03]\n"
#define FIXED "method: verlet+exact\nstep: 0.01\ntime: 0.02\n"
#define SHORT "method: gbs\ntolerance: 1e-12\ntime: 3\n"
#define GBS   "method: gbs\ntolerance: 1e-12\ntime: 500\n"

static void assert_same_end(tool_run a, tool_run b, double tolerance)
{
    assert_true(ends_apart(a, b) <= tolerance);
}

/* What the catalog has can be written as expressions, on top of a problem without it. */
static void is_the_spacecraft(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"problem: {extends: spacecraft, torque: [\"-d*w1\", \"-d*w2\", \"-d*w3\"]}\n"
         "parameters: {d: 2e-3, inclination: 81.3deg}\n" BODY GBS,
         "problem: spacecraft\nparameters: {damping: 2e-3, inclination: 81.3deg}\n" BODY GBS},
        {"problem: {extends: spacecraft, torque: [\"a2*B3 - a3*B2\", \"a3*B1 - a1*B3\", \"a1*B2 - "
         "a2*B1\"]}\nparameters: {a: [0.5, -0.2, 1], semi_major_axis: 6800km}\n" BODY GBS,
         "problem: spacecraft\nparameters: {dipole: [0.5, -0.2, 1], semi_major_axis: 6800km}\n" BODY
             GBS},
        {"problem: {extends: spacecraft, potential: \"1.5*mu/(x1^2 + x2^2 + x3^2)^1.5*(12*u1^2 + "
         "10*u2^2 + 8*u3^2)\"}\nparameters: {gravity_gradient: 0, eccentricity: 0.1, "
         "semi_major_axis: 9000km}\n" BODY GBS,
         "problem: spacecraft\nparameters: {eccentricity: 0.1, semi_major_axis: 9000km}\n" BODY
             GBS},
        {"problem: spacecraft\nparameters: {inclination: 1}\n"
         "wheel: [{axis: [0, 0, 2], inertia: 0.001, speed: 2400rpm}, {axis: [3, 0, 0], inertia: "
         "2e-3, speed: -60deg/s}]\n" BODY GBS,
         "problem: spacecraft\nparameters: {inclination: 1, wheels: [-0.0020943951023931953, 0, "
         "0.25132741228718347]}\n" BODY GBS},
        {"problem: {extends: free, torque: [0, 0, \"k*sin(t)\"]}\nparameters: {k: 0.1}\n" BODY GBS,
         "problem: {torque: [0, 0, \"k*sin(t)\"]}\nparameters: {k: 0.1}\n" BODY GBS},
        {"problem: {extends: heavy_top, torque: [\"R32\", \"-R31\", 0]}\nparameters: {strength: "
         "2}\n" BODY SHORT,
         "problem: heavy_top\nparameters: {strength: 3}\n" BODY SHORT},
        /* a control that is asked for a constant */
        {"problem: spacecraft\ncontrol: {period: 7s, torque: [1e-4, \"c\", 0]}\nparameters: {c: "
         "-2e-4}\n" BODY GBS,
         "problem: spacecraft\nparameters: {torque: [1e-4, -2e-4, 0]}\n" BODY GBS},
        {"problem: {extends: spacecraft, control: {period: 0.1min, dipole: [0.5, 0, 1]}}\n" BODY
             GBS,
         "problem: spacecraft\nparameters: {dipole: [0.5, 0, 1]}\n" BODY GBS},
    };
    for (size_t i = 0; i < COUNT(pairs); i++)
        assert_same_end(RUN_WITH(pairs[i][0], "run", "-", "--json"),
                        RUN_WITH(pairs[i][1], "run", "-", "--json"), 2e-10);
    /* in axes that are not principal */
    static const char *const tensor[] = {"--tensor", "12,10,8,0.3,-0.2,0.1"};
    for (size_t i = 0; i < 2; i++)
        assert_same_end(RUN_WITH(pairs[i][0], "run", "-", "--json", tensor[0], tensor[1]),
                        RUN_WITH(pairs[i][1], "run", "-", "--json", tensor[0], tensor[1]), 2e-10);
    /* options change the parameters of both */
    assert_same_end(
        RUN_WITH(pairs[0][0], "run", "-", "--json", "--set", "d=0.01", "--set", "node=20deg"),
        RUN_WITH(pairs[0][1], "run", "-", "--json", "--set", "damping=0.01", "--set", "node=20deg"),
        2e-10);
}

/* The dipole that rotates with the Earth by its numbers, and by its name. */
static void tilted_dipole(void **state)
{
    (void)state;
    assert_same_end(
        RUN_WITH("problem: {extends: spacecraft, field: tilted_dipole, epoch: "
                 "2025-01-01T00:00:00}\nparameters: {dipole: [0.5, -0.2, 1]}\n" BODY GBS,
                 "run", "-", "--json"),
        RUN_WITH(
            "problem: spacecraft\nparameters: {dipole: [0.5, -0.2, 1], earth_dipole: "
            "[-1.0853571e22, -5.8036083e21, -7.5903745e22], earth_rate: 7.2921158573e-5}\n" BODY
                GBS,
            "run", "-", "--json"),
        1e-6);
}

/* The words of the orbit in conditions: a body at rest in the orbital frame looks down all the time,
 * and the shadow begins and ends. */
static void events_of_the_orbit(void **state)
{
    (void)state;
    static const char orbit[] =
        "problem: spacecraft\nparameters: {inclination: 51.6deg, node: 40deg, semi_major_axis: "
        "6780km, eccentricity: 0.003}\nepoch: 2026-03-20T12:00:00\ninertia: [0.05, 0.06, 0.03]\n"
        "velocity: [0.005, -0.003, 0.008]\nmethod: gbs\ntolerance: 1e-10\ntime: 5000\n";
    tool_run r = RUN_WITH(orbit, "run", "-", "--events", "dark: eclipse > 0.5", "--events",
                          "any: eclipse", "--events", "down: angle([0,0,1], nadir) < 30deg");
    assert_int_equal(0, r.status);
    /* by the cones of umbra and penumbra */
    assert_contains(r.out, "t = 1302.64718 to 3378.827025");
    r = RUN_WITH(orbit, "run", "-", "--until", "eclipse > 0", "--json");
    assert_int_equal(0, r.status);
    assert_contains(r.out, "\"time\": 1302.6471");
}

/* A message about an unknown problem lists those that can be extended, and no others. */
static void can_be_extended(void **state)
{
    (void)state;
    tool_run r = RUN_WITH("problem: {extends: top, torque: [0, 0, 0]}\n" GBS, "run", "-");
    const char *list = strstr(r.error, "use one of ");
    char quoted[2000];
    ph_problem_facts p;
    assert_int_equal(2, r.status);
    assert_non_null(list);
    (void)snprintf(quoted, sizeof quoted, " %s", list + strlen("use one of "));
    for (char *at = quoted; *at != '\0'; at++)
        *at = *at == ',' || *at == '\n' ? ' ' : *at;
    for (size_t i = 0; ph_problem_at(i, &p); i++) {
        char word[100];
        (void)snprintf(word, sizeof word, " %s ", p.name);
        if ((strstr(quoted, word) != NULL) != (strcmp(p.kind, "body") == 0))
            fail_msg("%s is a problem of kind %s: %s", p.name, p.kind, list);
    }
    tool_run_free(&r);
}

/* The title of a run has the formulas of its problem. */
static void titles(void **state)
{
    (void)state;
    static const struct {
        const char *problem, *title, *method;
    } all[] = {
        {"{potential: 2*R33}", "U = 2*R33", SHORT},
        {"{torque: [0, w1, 1e-3]}", "torque (0, w1, 1e-3)", SHORT},
        {"{potential: 2*R33, torque: [0, w1, 0]}", "U = 2*R33, torque (0, w1, 0)", SHORT},
        {"{extends: free, potential: 2*R33}", "free, U = 2*R33", SHORT},
        {"{extends: free, torque: [0, w1, 0]}", "free, torque (0, w1, 0)", SHORT},
        {"{extends: heavy_top, potential: 2*R33, torque: [0, 0, 1]}",
         "heavy_top, U = 2*R33, torque (0, 0, 1)", SHORT},
        {"{kind: orbiter, force: [x1, 0, 1]}", "force (x1, 0, 1)", FIXED},
        {"{kind: orbiter, potential: x3, force: [x1, 0, 1], torque: [0, 0, 1]}",
         "U = x3, torque (0, 0, 1), force (x1, 0, 1)", FIXED},
    };
    for (size_t i = 0; i < COUNT(all); i++) {
        char text[1000], title[200];
        (void)snprintf(text, sizeof text, "problem: %s\n" BODY "%s", all[i].problem, all[i].method);
        (void)snprintf(title, sizeof title, "%s by %s: 2 bodies", all[i].title,
                       strcmp(all[i].method, SHORT) == 0 ? "gbs" : "verlet+exact");
        tool_run r = RUN_WITH(text, "run", "-", "--scatter", "velocity=1%", "--samples", "2",
                              "--out", "/dev/null");
        assert_done(&r);
        assert_int_equal(0, strncmp(r.out, title, strlen(title)));
        tool_run_free(&r);
    }
}

static void wrong_ones(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"problem: {extends: heavy_top, torque: [B1, 0, 0]}\n",
         "torque 1, column 1: B1 needs a body on an orbit: use or extend spacecraft"},
        {"problem: {extends: top, torque: [0, 0, 0]}\n", "`top` is not a problem of one body"},
        {"problem: {extends: spacecraft, torque: [sun1, 0, 0]}\n", "give the epoch"},
        {"problem: {extends: spacecraft, torque: [0, 0, 0]}\nparameters: {eccentricty: 0.1}\n",
         "parameter eccentricty does not occur in an expression, and spacecraft has no parameter "
         "of this name"},
        {"problem: {extends: spacecraft, epoch: today, torque: [0, 0, 0]}\n", "is not a date"},
        {"problem: {extends: spacecraft, field: igrf}\n", "write tilted_dipole"},
        {"problem: {extends: spacecraft, field: tilted_dipole}\n", "and an epoch"},
        {"problem: {extends: spacecraft, facets: [{area: 1, normal: [0, 0, 1]}]}\n", "epoch"},
        {"problem: {extends: spacecraft, facets: [{size: 1}]}\n", "size"},
        {"problem: {extends: spacecraft, kind: orbiter, torque: [0, 0, 0]}\n",
         "cannot be used with"},
        {"problem: heavy_top\nwheel: {axis: [0, 0, 1], inertia: 1, speed: 1}\n",
         "wheel cannot be used with heavy_top"},
        {"problem: spacecraft\nwheel: {axis: [0, 0, 1], speed: 1rpm}\n",
         "an axis, an inertia and a speed"},
        {"problem: spacecraft\nwheel: {axis: [0, 0, 0], inertia: 1, speed: 1rpm}\n", "length 0"},
        {"problem: spacecraft\nwheel: {axis: [0, 0], inertia: 1, speed: 1rpm}\n", "three numbers"},
        {"problem: spacecraft\nwheel: {axis: [0, 0, 1], inertia: 1, speed: 1km}\n", "cannot be in"},
        {"problem: spacecraft\ncontrol: {period: 0, torque: [0, 0, 0]}\n", "write a positive time"},
        {"problem: spacecraft\ncontrol: {torque: [0, 0, 0]}\n", "a control needs a period"},
        {"problem: spacecraft\ncontrol: {period: 1s, torque: [0, 0, 0], dipole: [0, 0, 0]}\n",
         "cannot be used with"},
        {"problem: spacecraft\ncontrol: {period: 1s, torque: [0, 0, w4]}\n", "control 3, column 1"},
        {"problem: heavy_top\ncontrol: {period: 1s, dipole: [0, 0, 0]}\n", "a magnetic field"},
    };
    for (size_t i = 0; i < COUNT(wrong); i++) {
        char text[1000];
        (void)snprintf(text, sizeof text, "%s" GBS, wrong[i][0]);
        const tool_run r = RUN_WITH(text, "run", "-");
        assert_int_equal(2, r.status);
        assert_contains(r.error, wrong[i][1]);
    }
    const tool_run r = RUN_WITH("problem: spacecraft\ncontrol: {period: 1s, torque: [0, 0, 0]}\n"
                                "method: averaged\ntime: 1d\n",
                                "run", "-");
    assert_int_equal(2, r.status);
    assert_contains(r.error, "a discrete control");
    const tool_run step = RUN_WITH("problem: spacecraft\ncontrol: {period: 1s, torque: [0, 0, 0]}\n"
                                   "method: mkrk_gl6\nstep: 0.3\ntime: 3\n",
                                   "run", "-");
    assert_int_equal(2, step.status);
    assert_contains(step.error, "does not divide the period");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_the_spacecraft),
        cmocka_unit_test(tilted_dipole),
        cmocka_unit_test(events_of_the_orbit),
        cmocka_unit_test(can_be_extended),
        cmocka_unit_test(titles),
        cmocka_unit_test(wrong_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
