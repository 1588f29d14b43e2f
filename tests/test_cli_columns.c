/* test_cli_columns.c - the one reader of bodies: `exact --cases`, `run --cases --time T` and
 * `run --cases --time A:B@S` read and copy the same columns, and refuse the same. */
/* Needs kinds. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "motion/vec.h"
#include "support/run_tool.h"

enum { EXACT, END, TIMES, WAYS };

#define LONGEST 4000

/* A file of one body, read in one of three ways and moved to t = 1.25. */
static tool_run run_way(int way, const char *header, const char *row, bool degrees)
{
    static char text[LONGEST];
    const char *in_degrees = degrees ? "--degrees" : NULL;
    (void)snprintf(text, sizeof text, way == EXACT ? "%s,t\n%s,1.25\n" : "%s\n%s\n", header, row);
    if (way == EXACT)
        return RUN_WITH(text, "exact", "--cases", "-", in_degrees);
    return RUN_WITH(text, "run", "--problem", "free", "--cases", "-", "--method", "exact", "--step",
                    "1.25", "--time", way == END ? "1.25" : "0:1.25@1.25", in_degrees);
}

/* The number under a name in the last line. */
static double number_under(const char *csv, const char *name)
{
    const char *at = csv, *last = csv;
    size_t column = 0;
    for (const char *c = csv; *c != '\0' && c[1] != '\0'; c++)
        last = *c == '\n' ? c + 1 : last;
    while (strncmp(at, name, strlen(name)) != 0 || strchr(",\n", at[strlen(name)]) == NULL) {
        at += strcspn(at, ",\n");
        assert_int_equal(*at++, ',');
        column++;
    }
    for (; column > 0; column--)
        last = strchr(last, ',') + 1;
    return strtod(last, NULL);
}

static const char *const results[] = {"m1", "m2", "m3", "q0", "q1", "q2", "q3"};

/* ---- the same body in all forms ---------------------------------------------------------- */

/* The body of all forms: moments 1, 2, 3, this attitude and this velocity. */
static const ph_vec3 J = {1.0, 2.0, 3.0}, w = {0.3, -1.2, 0.7};

static ph_quat attitude(void)
{
    return mul(mul(turn_about(vec3(0, 0, 1), 0.2), turn_about(vec3(0, 1, 0), 0.15)),
               turn_about(vec3(1, 0, 0), -0.35)); /* yaw 0.4, pitch 0.3, roll -0.7 */
}

typedef struct given {
    const char *header;
    char row[LONGEST];
    bool degrees;
} given;

static void add_numbers(given *g, const char *header, const double *x, size_t count)
{
    static char headers[64][LONGEST];
    static size_t used;
    char *to = headers[used++ % 64];
    (void)snprintf(to, LONGEST, "%s%s%s", g->header ? g->header : "", g->header ? "," : "", header);
    g->header = to;
    for (size_t i = 0; i < count; i++)
        (void)snprintf(g->row + strlen(g->row), LONGEST - strlen(g->row), "%s%.17g",
                       g->row[0] != '\0' ? "," : "", x[i]);
}

static void add_vector(given *g, const char *header, ph_vec3 v)
{
    add_numbers(g, header, &v.x, 3);
}

static void add_attitude(given *g, int form)
{
    const ph_quat q = attitude();
    const ph_mat3 R = ph_quat_matrix(q);
    const ph_vec3 r = ph_rotation_log(q);
    const double degree = 0.017453292519943295;
    switch (form) {
    case 0:
        add_numbers(g, "q0,q1,q2,q3", &q.w, 4);
        break;
    case 1:
        add_numbers(g, "euler_zyx1,euler_zyx2,euler_zyx3", (double[]){0.4, 0.3, -0.7}, 3);
        break;
    case 2:
        add_numbers(g, "euler_zyx1,euler_zyx2,euler_zyx3",
                    (double[]){0.4 / degree, 0.3 / degree, -0.7 / degree}, 3);
        g->degrees = true;
        break;
    case 3:
        add_numbers(g, "qx,qy,qz,qw", (double[]){q.x, q.y, q.z, q.w}, 4);
        break;
    case 4:
        add_numbers(g, "R11,R12,R13,R21,R22,R23,R31,R32,R33", R.a[0], 9);
        break;
    case 5:
        add_vector(g, "r1,r2,r3", r);
        break;
    case 6:
        add_vector(g, "rotvec1,rotvec2,rotvec3", r);
        break;
    default:
        add_numbers(g, "q0,q1,q2,q3", (double[]){-q.w, -q.x, -q.y, -q.z}, 4);
    }
}

enum { ATTITUDES = 8, VELOCITIES = 4, BODIES = 2 };

static void add_velocity(given *g, int form)
{
    const ph_quat q = attitude();
    const ph_vec3 m = times(J, w);
    if (form == 0)
        add_vector(g, "w1,w2,w3", w);
    else if (form == 1)
        add_vector(g, "m1,m2,m3", m);
    else if (form == 2)
        add_vector(g, "w_space1,w_space2,w_space3", rotate(q, w));
    else
        add_vector(g, "m_space1,m_space2,m_space3", rotate(q, m));
}

/* Every form of an attitude with every form of a velocity, by every way. */
static void all_forms(void **state)
{
    (void)state;
    double right[COUNT(results)] = {0.0};
    for (int i = 0; i < ATTITUDES * VELOCITIES * BODIES; i++) {
        given g = {0};
        if (i / (ATTITUDES * VELOCITIES) == 0)
            add_vector(&g, "I1,I2,I3", J);
        else
            add_numbers(&g, "Ixx,Iyy,Izz,Ixy,Ixz,Iyz", (double[]){1, 2, 3, 0, 0, 0}, 6);
        add_attitude(&g, i % ATTITUDES);
        add_velocity(&g, i / ATTITUDES % VELOCITIES);
        for (int way = 0; way < WAYS; way++) {
            tool_run run = run_way(way, g.header, g.row, g.degrees);
            assert_done(&run);
            const double sign = number_under(run.out, "q0") * right[3] < 0.0 ? -1.0 : 1.0;
            for (size_t k = 0; k < COUNT(results); k++) {
                const double x = (k < 3 ? 1.0 : sign) * number_under(run.out, results[k]);
                if (i == 0 && way == 0)
                    right[k] = x;
                if (!(fabs(x - right[k]) < 2e-14))
                    fail_msg("%s, way %d: %s is %.17g instead of %.17g", g.header, way, results[k],
                             x, right[k]);
            }
            tool_run_free(&run);
        }
    }
    assert_true(fabs(right[0]) > 0.1 && fabs(right[3]) > 0.1);
}

/* A tensor in any axes: the motion is that of one body by its options. */
static void tensors(void **state)
{
    (void)state;
    tool_run one =
        RUN("exact", "--tensor", "2,3,4,0.3,-0.2,0.5", "--velocity", "0.3,-1.2,0.7", "--attitude",
            "0.5,0.5,-0.5,0.5", "--time", "1.25", "--show", "m,q", "--out", "-");
    assert_done(&one);
    for (int way = 0; way < WAYS; way++) {
        tool_run run = run_way(way, "Ixx,Iyy,Izz,Ixy,Ixz,Iyz,w1,w2,w3,q0,q1,q2,q3",
                               "2,3,4,0.3,-0.2,0.5,0.3,-1.2,0.7,0.5,0.5,-0.5,0.5", false);
        assert_done(&run);
        for (size_t k = 0; k < COUNT(results); k++)
            assert_true(fabs(number_under(run.out, results[k]) -
                             number_under(one.out, results[k])) < 1e-14);
        tool_run_free(&run);
    }
    tool_run_free(&one);
}

/* All sequences of Euler angles that there are. */
static void sequences(void **state)
{
    static const char *const all[] = {"xyx", "xyz", "xzx", "xzy", "yxy", "yxz",
                                      "yzx", "yzy", "zxy", "zxz", "zyx", "zyz"};
    (void)state;
    for (size_t i = 0; i < COUNT(all); i++) {
        char header[200], show[40];
        (void)snprintf(header, sizeof header, "I1,I2,I3,w1,w2,w3,euler_%s3,euler_%s1,euler_%s2",
                       all[i], all[i], all[i]);
        (void)snprintf(show, sizeof show, "euler_%s", all[i]);
        for (int way = 0; way < WAYS; way++) {
            tool_run run = run_way(way, header, "1,2,3,0,0,0,-0.3,0.2,0.9", false);
            assert_done(&run);
            char values[200];
            (void)snprintf(values, sizeof values, "%.17g,%.17g,%.17g,%.17g",
                           number_under(run.out, "q0"), number_under(run.out, "q1"),
                           number_under(run.out, "q2"), number_under(run.out, "q3"));
            tool_run back = RUN("exact", "--inertia", "1,2,3", "--velocity", "0,0,0", "--attitude",
                                values, "--time", "0", "--show", show, "--out", "-");
            assert_done(&back);
            double x[3];
            (void)next_numbers(strchr(back.out, '\n') + 1, 3, x);
            assert_true(fabs(x[0] - 0.2) < 1e-14 && fabs(x[1] - 0.9) < 1e-14 &&
                        fabs(x[2] + 0.3) < 1e-14);
            tool_run_free(&back);
            tool_run_free(&run);
        }
    }
}

/* ---- columns that are copied, and what is refused ---------------------------------------- */

static void assert_same_files(const char *a, const char *b)
{
    char *x = file_text(a), *y = file_text(b);
    assert_string_equal(x, y);
    free(x);
    free(y);
}

static void copied(void **state)
{
    static const char header[] = "id,I1,I2,I3,note,w1,w2,w3,n",
                      row[] = "0x12,1,2,3,a word,0.3,-1.2,0.7,7e0";
    (void)state;
    for (int way = 0; way < WAYS; way++) {
        tool_run run = run_way(way, header, row, false);
        assert_done(&run);
        assert_contains(run.out, "id,note,n,");
        assert_contains(run.out, "0x12,a word,7e0,");
        tool_run_free(&run);
    }
    file_write("b.csv", "id,I1,I2,I3,w1,w2,w3\n5,1,2,3,0.3,-1.2,0.7\n6,1,2,3,1,0,1\n");
#define MANY "run", "--problem", "free", "--cases", "b.csv", "--method", "exact"
#define LONG "--step", "1", "--time", "0:2@1"
    /* All forms of a run write the columns of --show in its order. */
    static const char *const shown[][2] = {{"w1", "w1"},
                                           {"id", "id"},
                                           {"id,w1", "id,w1"},
                                           {"w,id,q0,id", "w1,w2,w3,id,q0,id"},
                                           {"q0,euler_zyx1,id", "q0,euler_zyx1,id"}};
    for (size_t i = 0; i < COUNT(shown); i++) {
        char head[80], first[80];
        tool_run ends = RUN(MANY, "--step", "1", "--time", "2", "--show", shown[i][0]),
                 rows = RUN(MANY, LONG, "--show", shown[i][0]);
        assert_done(&ends);
        assert_done(&rows);
        (void)snprintf(head, sizeof head, "%s\n", shown[i][1]);
        (void)snprintf(first, sizeof first, "case,t,%s\n0,0,", shown[i][1]);
        assert_true(strncmp(ends.out, head, strlen(head)) == 0);
        assert_true(strncmp(rows.out, first, strlen(first)) == 0);
        tool_run_free(&ends);
        tool_run_free(&rows);
    }
    assert_refused(RUN(MANY, LONG, "--show", "id,w9"), "there is no column `w9`");

    /* the snapshot of many bodies has them, too */
    tool_run run = RUN(MANY, LONG, "--out", "whole.csv");
    assert_done(&run);
    tool_run_free(&run);
    run = RUN(MANY, LONG, "--out", "part.csv", "--checkpoint", "part.snap");
    assert_done(&run);
    tool_run_free(&run);
    assert_same_files("part.csv", "whole.csv");
    assert_int_equal(unlink("b.csv"), 0);
    run = RUN("resume", "part.snap", "--out", "again.csv");
    assert_done(&run);
    tool_run_free(&run);
    assert_same_files("again.csv", "whole.csv");
    run = RUN("resume", "part.snap", "--out", "again.npz");
    assert_done(&run);
    tool_run_free(&run);
    file_write("b.csv", "id,I1,I2,I3,w1,w2,w3\nx,1,2,3,0.3,-1.2,0.7\n");
    assert_refused(RUN(MANY, LONG, "--out", "x.npz"), "`x` is not a number");
    assert_refused(RUN(MANY, "--step", "1", "--time", "2", "--out", "x.npz"),
                   "`x` is not a number");
    static const char *const files[] = {
        "whole.csv", "part.csv", "part.snap", "again.csv",
        "again.npz", "b.csv",    "x.npz"}; /* has the bodies before */
    for (size_t i = 0; i < COUNT(files); i++)
        assert_int_equal(unlink(files[i]), 0);
    assert_no_file("*");
}

static void refused(void **state)
{
    static const char *const wrong[][3] = {
        {"I1,I2,I3,w1,w2,w3,q0,q1,q2,q3,euler_zyx1,euler_zyx2,euler_zyx3",
         "1,2,3,1,2,3,1,0,0,0,0,0,0", "cannot be used together"},
        {"I1,I2,I3,w1,w2,w3,euler_zxz1,euler_zxz2,euler_zxz3,euler_zyx1,euler_zyx2,"
         "euler_zyx3",
         "1,2,3,1,2,3,1,0,0,0,0,0", "cannot be used together"},
        {"I1,I2,I3,w1,w2,w3,q0,q1,q2,q3,r1,r2,r3", "1,2,3,1,2,3,1,0,0,0,0,0,0",
         "cannot be used together"},
        {"I1,I2,I3,w1,w2,w3,m1,m2,m3", "1,2,3,1,2,3,1,0,0", "cannot be used together"},
        {"I1,I2,I3,w1,w2,w3,m_space1,m_space2,m_space3", "1,2,3,1,2,3,1,0,0",
         "cannot be used together"},
        {"I1,I2,I3,Ixx,Iyy,Izz,Ixy,Ixz,Iyz,w1,w2,w3", "1,2,3,1,2,3,0,0,0,1,0,0",
         "cannot be used together"},
        {"I1,I2,I3,w1,w2,w3,euler_zyx1,euler_zyx2", "1,2,3,1,2,3,1,0",
         "column euler_zyx3 is missing"},
        {"I1,I2,I3,w1,w2,w3,euler_zzx1,euler_zzx2,euler_zzx3", "1,2,3,1,2,3,1,0,0", "euler_zzx1"},
        {"I1,I2,I3,w1,w2,w3,q0,q1,q2", "1,2,3,1,2,3,1,0,0", "column q3 is missing"},
        {"I1,I2,I3,w1,w2,w3,w1", "1,2,3,1,2,3,1", "occurs twice"},
        {"I1,I2,I3,w1,w2,w3,R11,R12,R13,R21,R22,R23,R31,R32,R33", "1,2,3,1,2,3,1,0,0,0,1,0,0,0,-1",
         "not a rotation"},
        {"I1,I2,I3,w1,w2,w3,q0,q1,q2,q3", "1,2,3,1,2,nan,1,0,0,0", "w3 `nan`"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(wrong) * WAYS; i++) {
        const char *const *of = wrong[i / WAYS];
        tool_run run = run_way((int)(i % WAYS), of[0], of[1], false);
        assert_error_line(&run, 2, of[2]);
        tool_run_free(&run);
    }
    for (int way = END; way < WAYS; way++)
        assert_refused(run_way(way, "I1,I2,I3,w1,w2,w3,t", "1,2,3,1,2,3,1", false),
                       "column t cannot be used");
}

/* What takes no columns of a body stays as it was: a column that is nearly a parameter. */
static void misspelt(void **state)
{
    (void)state;
    assert_refused(RUN_WITH("dampng\n0\n", "run", "--problem", "spacecraft", "--cases", "-",
                            "--tolerance", "1e-9", "--time", "10"),
                   "did you mean damping");
}

/* What follows from attitude and momentum, in columns that are asked for. */
static void shown_columns(void **state)
{
    (void)state;
    tool_run run =
        RUN("exact", "--inertia", "1,2,3", "--momentum", "0.3,-2.4,2.1", "--time", "1.25",
            "--frame", "f=0.6,0.8,0,0", "--show", "q,qw,qx,qy,qz,R,q_f", "--out", "-");
    assert_done(&run);
    const ph_quat f = {0.6, -0.8, 0.0, 0.0}, /* from space to the frame */
        q = {number_under(run.out, "q0"), number_under(run.out, "q1"), number_under(run.out, "q2"),
             number_under(run.out, "q3")};
    assert_true(number_under(run.out, "qw") == q.w && number_under(run.out, "qx") == q.x);
    assert_true(number_under(run.out, "qy") == q.y && number_under(run.out, "qz") == q.z);
    for (int k = 0; k < 9; k++) {
        const char name[] = {'R', (char)('1' + k / 3), (char)('1' + k % 3), '\0'};
        const ph_vec3 column = rotate(q, vec3(k % 3 == 0, k % 3 == 1, k % 3 == 2));
        const double x[] = {column.x, column.y, column.z};
        assert_true(fabs(number_under(run.out, name) - x[k / 3]) < 1e-15);
    }
    const ph_quat r = mul(f, q);
    assert_true(fabs(number_under(run.out, "q_f0") - r.w) < 1e-15 &&
                fabs(number_under(run.out, "q_f1") - r.x) < 1e-15 &&
                fabs(number_under(run.out, "q_f2") - r.y) < 1e-15 &&
                fabs(number_under(run.out, "q_f3") - r.z) < 1e-15);
    tool_run_free(&run);

    /* of molecules, in the body frame */
    run = RUN("run", "--problem", "dipolar_spheres", "--set", "lattice=2", "--inertia", "1,2,2.5",
              "--method", "verlet+exact", "--step", "0.1", "--time", "0.2", "--show", "w,m1,m2,m3",
              "--out", "-");
    assert_done(&run);
    const double moments[] = {1.0, 2.0, 2.5};
    for (int k = 0; k < 3; k++) {
        const char speed[] = {'w', (char)('1' + k), '\0'},
                   momentum[] = {'m', (char)('1' + k), '\0'};
        const double m = number_under(run.out, momentum) / moments[k];
        assert_true(m != 0.0);
        assert_true(fabs(number_under(run.out, speed) - m) < 1e-15);
    }
    tool_run_free(&run);
}

/* JSON has the numbers of CSV: a vector for each quantity, and a column that is shown alone as a
 * number or, if it is a part of a vector, under its own name. */
static void shown_in_json(void **state)
{
    (void)state;
    static const char shown[] = "q,R,w1,energy,euler_zyx,t,m2,m3,w,euler_zxz3";
    static const struct {
        const char *name;
        size_t count;
    } values[] = {{"q", 4}, {"R", 9},  {"w1", 1}, {"energy", 1}, {"euler_zyx", 3},
                  {"t", 1}, {"m2", 1}, {"m3", 1}, {"w", 3},      {"euler_zxz3", 1}};
    static const char body[] = "I1,I2,I3,w1,w2,w3,t\n1,2,3,0.3,-1.2,0.7,1.25\n";
    for (int way = 0; way < 3; way++) {
        tool_run runs[2];
        for (int k = 0; k < 2; k++) {
            const char *out = k == 0 ? "--json" : "--out", *to = k == 0 ? NULL : "-";
            runs[k] = way == 0 ? RUN("exact", BOOK, "--time", "1.25", "--show", shown, out, to)
                      : way == 1
                          ? RUN("run", "--problem", "heavy_top", "--step", "0.25", "--time", "1",
                                "--show", shown, out, to)
                          : RUN_WITH(body, "exact", "--cases", "-", "--show", shown, out, to);
            assert_done(&runs[k]);
        }
        json_t *document = parse_json(runs[0].out);
        const json_t *state_of = way == 1 ? json_object_get(document, "final")
                                          : json_array_get(json_object_get(document, "states"), 0);
        double row[25];
        const char *last = runs[1].out;
        for (const char *at = last; *at != '\0' && at[1] != '\0'; at++)
            last = *at == '\n' ? at + 1 : last;
        assert_string_equal("", next_numbers(last, COUNT(row), row));
        size_t used = 0;
        for (size_t i = 0; i < COUNT(values); i++) {
            const json_t *value = json_object_get(state_of, values[i].name);
            assert_non_null(value);
            assert_int_equal(json_is_array(value) ? values[i].count : 0, json_array_size(value));
            assert_true(json_is_array(value) || values[i].count == 1);
            for (size_t k = 0; k < values[i].count; k++)
                assert_true(json_at(state_of, values[i].name, k) == row[used++]);
        }
        assert_int_equal(COUNT(row), used);
        json_decref(document);
        tool_run_free(&runs[0]);
        tool_run_free(&runs[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shown_columns), cmocka_unit_test(all_forms),     cmocka_unit_test(tensors),
        cmocka_unit_test(sequences),     cmocka_unit_test(copied),        cmocka_unit_test(refused),
        cmocka_unit_test(misspelt),      cmocka_unit_test(shown_in_json),
    };
    return cmocka_run_group_tests(tests, folder_enter, folder_leave);
}
