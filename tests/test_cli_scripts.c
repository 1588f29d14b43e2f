/* test_cli_scripts.c - what pictures are drawn from: the scripts that gnuplot gets of rows of a file,
 * number by number, and how the columns of a file become what moves. */
/* Needs lab, extra. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "motion/vec.h"
#include "support/run_tool.h"
#include "tool/files/file_table.h"
#include "tool/files/memory.h"
#include "tool/files/run_plot.h"

static volatile sig_atomic_t never;

/* All that was written, to be freed. */
static char *text_of(FILE *script)
{
    const long length = ftell(script);
    assert_true(length >= 0);
    char *text = calloc((size_t)length + 1, 1);
    assert_non_null(text);
    rewind(script);
    assert_int_equal(length, fread(text, 1, (size_t)length, script));
    assert_int_equal(0, fclose(script));
    return text;
}

static char *script_of(run_plot *p)
{
    FILE *script = tmpfile();
    assert_non_null(script);
    assert_true(run_plot_write(p, script, PLOT_SVG, "a title"));
    return text_of(script);
}

/* How a picture is asked for. */
typedef struct asked {
    const char *show;
    bool degrees, is_free, seconds;
} asked;

/* A picture of a file of rows. */
static run_plot plot_of(const char *rows, asked how)
{
    table t;
    run_plot p = {0};
    nearest near_by = {0};
    file_write("rows.csv", rows);
    assert_true(table_open(&t, "rows.csv", &never, NULL));
    assert_int_equal(CSV_OK, table_next(&t));
    const column_choice choice = {.show = how.show, .degrees = how.degrees};
    assert_true(run_plot_begin(&p, &t.now, &choice, how.is_free, &near_by));
    p.seconds = how.seconds;
    csv_status status;
    do
        run_plot_add(&p, &t.now);
    while ((status = table_next(&t)) == CSV_OK);
    assert_int_equal(CSV_END, status);
    csv_close(t.in);
    t.in = NULL;
    assert_int_equal(0, unlink("rows.csv"));
    return p;
}

static char *drawn(const char *rows, asked how)
{
    run_plot p = plot_of(rows, how);
    return script_of(&p);
}

/* The value of the next line NAME = VALUE of a script, moved past; NULL: there is none. */
static const char *next_value(const char **script, const char *name)
{
    char line[60];
    (void)snprintf(line, sizeof line, "\n%s = ", name);
    const char *at = strstr(*script, line);
    *script = at == NULL ? *script : at + strlen(line);
    return at == NULL ? NULL : *script;
}

/* A variable has these values, one after the other, and no more; but for those that templates give it,
 * a text without letters. */
static void assert_values(const char *script, const char *name, size_t count,
                          const char *const *values)
{
    const char *at;
    size_t found = 0;
    while ((at = next_value(&script, name)) != NULL) {
        const size_t length = strcspn(at, "\n");
        const char *wanted = found < count ? values[found] : "nothing";
        if (strncmp(at, "''\n", 3) == 0 && strcmp(wanted, "''") != 0)
            continue;
        if (length != strlen(wanted) || strncmp(at, wanted, length) != 0)
            fail_msg("%s is %.*s, not %s", name, (int)length, at, wanted);
        found++;
    }
    assert_int_equal(count, found);
}

#define ASSERT_VALUES(script, name, ...)                                                           \
    assert_values((script), (name), COUNT(((const char *const[]){__VA_ARGS__})),                   \
                  (const char *const[]){__VA_ARGS__})

/* The lines of a block of data, to be freed. */
static char *block_of(const char *script, const char *name)
{
    char line[60];
    (void)snprintf(line, sizeof line, "$%s << EOD\n", name);
    const char *at = strstr(script, line);
    if (at == NULL)
        fail_msg("no data $%s", name);
    at += strlen(line);
    const char *end = strncmp(at, "EOD\n", 4) == 0 ? at : strstr(at, "\nEOD\n") + 1;
    return strndup(at, (size_t)(end - at));
}

static void assert_block(const char *script, const char *name, const char *lines)
{
    char *block = block_of(script, name);
    assert_string_equal(lines, block);
    free(block);
}

/* ---- the time --------------------------------------------------------------------- */

/* The unit of the axis follows from how long the run is: days from two on, hours from two on, minutes
 * from five on. Without seconds there is none. */
static void units_of_time(void **state)
{
    (void)state;
    static const struct {
        const char *begin, *end, *size, *unit, *text;
    } cases[] = {
        {"0", "172800", "86400", "' d'", "'t (d)'"}, {"0", "172799", "3600", "' h'", "'t (h)'"},
        {"1000", "8200", "3600", "' h'", "'t (h)'"}, {"1000", "8199", "60", "' min'", "'t (min)'"},
        {"0", "-7200", "3600", "' h'", "'t (h)'"},   {"0", "300", "60", "' min'", "'t (min)'"},
        {"0", "299", "1", "' s'", "'t (s)'"},        {"5", "5", "1", "' s'", "'t (s)'"}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        char rows[200];
        (void)snprintf(rows, sizeof rows, "t,u\n%s,1\n%s,2\n", cases[i].begin, cases[i].end);
        char *script = drawn(rows, (asked){.show = "u", .seconds = true});
        ASSERT_VALUES(script, "time_size", cases[i].size);
        ASSERT_VALUES(script, "time_unit", cases[i].unit);
        ASSERT_VALUES(script, "time_text", cases[i].text);
        free(script);
        script = drawn(rows, (asked){.show = "u"});
        ASSERT_VALUES(script, "time_size", "1");
        ASSERT_VALUES(script, "time_unit", "''");
        ASSERT_VALUES(script, "time_text", "'t'");
        free(script);
    }
}

/* ---- panels ----------------------------------------------------------------------- */

#define BODY_ROWS                                                                                  \
    "t,q0,q1,q2,q3,m1,m2,m3,w1,w2,w3,energy\n"                                                     \
    "0,1,0,0,0,1,2,3,4,5,6,7\n"                                                                    \
    "1,0,1,0,0,1,2,3,4,5,6,14\n"

/* A panel for each word that was asked for, its components in one; columns are counted from 1, the
 * time first. */
static void panels(void **state)
{
    (void)state;
    char *script = drawn(BODY_ROWS, (asked){.show = "m,energy,w2,w"});
    assert_block(script, "rows", "0,1,2,3,7,5,4,5,6\n1,1,2,3,14,5,4,5,6\n");
    ASSERT_VALUES(script, "panels", "4");
    ASSERT_VALUES(script, "first", "2", "5", "6", "7");
    ASSERT_VALUES(script, "count", "3", "1", "1", "3");
    ASSERT_VALUES(script, "lowest", "0", "0", "0", "1");
    ASSERT_VALUES(script, "heading", "'m'", "'energy'", "'w2'", "'w'");
    ASSERT_VALUES(script, "logscale", "0", "0", "0", "0");
    ASSERT_VALUES(script, "names", "'\"m1\" \"m2\" \"m3\" '", "'\"energy\" '", "'\"w2\" '",
                  "'\"w1\" \"w2\" \"w3\" '");
    ASSERT_VALUES(script, "paths", "0");
    ASSERT_VALUES(script, "bodies", "0");
    ASSERT_VALUES(script, "sheet_width", "640");
    ASSERT_VALUES(script, "sheet_columns", "1");
    ASSERT_VALUES(script, "sheet_height", "0");
    assert_contains(script, "unset multiplot\n");
    free(script);

    /* angles have names of their own, and jump; the error of the energy is relative */
    script = drawn(BODY_ROWS, (asked){.show = "t,euler_zyx,euler_zxz,euler,euler_xyx,"
                                              "energy_error,energy",
                                      .degrees = true});
    ASSERT_VALUES(
        script, "names", "'\"yaw\" \"pitch\" \"roll\" '", "'\"precession\" \"nutation\" \"spin\" '",
        "'\"precession\" \"nutation\" \"spin\" '",
        "'\"euler_xyx1\" \"euler_xyx2\" \"euler_xyx3\" '", "'\"energy_error\" '", "'\"energy\" '");
    ASSERT_VALUES(script, "jump", "180", "180", "180", "180", "0", "0");
    ASSERT_VALUES(script, "logscale", "0", "0", "0", "0", "1", "0");
    ASSERT_VALUES(script, "heading", "'Euler angles (deg)'", "'Euler angles (deg)'",
                  "'Euler angles (deg)'", "'Euler angles (deg)'", "'relative error of the energy'",
                  "'energy'");
    free(script);
    script = drawn(BODY_ROWS, (asked){.show = "rotvec"});
    ASSERT_VALUES(script, "jump", "3.1415926535897931");
    ASSERT_VALUES(script, "heading", "'rotation vector (rad)'");
    free(script);
}

/* More than twelve curves are no panel. */
static void many_curves(void **state)
{
    (void)state;
    const double x[20] = {0};
    double *data = (double *)x;
    ph_array list = {.name = "u",
                     .unit = "1",
                     .text = "",
                     .columns = "x",
                     .width = 1,
                     .use = PH_ARRAY_SHOWN | PH_ARRAY_LIST,
                     .count = 20,
                     .stride = 1,
                     .data = {data}};
    const instant now = {.field = &list, .fields = 1};
    run_plot p;
    nearest near_by = {0};
    assert_true(run_plot_begin(&p, &now, &(column_choice){.show = "u"}, false, &near_by));
    run_plot_add(&p, &now);
    char *script = script_of(&p);
    ASSERT_VALUES(script, "panels", "2");
    ASSERT_VALUES(script, "first", "2", "14");
    ASSERT_VALUES(script, "count", "12", "8");
    free(script);
}

/* Units of a run whose times are seconds are those of the SI; what is measured in one unit shares a
 * panel, unless it was asked for. */
static void units(void **state)
{
    (void)state;
    static const char *const unit[] = {"I/t^2", "I/t", "rad/t", "I", "l/t"},
                             *const plain[] = {"'a0 (I/t²)'", "'a1 (I/t)'", "'a2 (rad/t)'",
                                               "'a3 (I)'", "'a4 (l/t)'"},
                             *const si[] = {"'a0 (J)'", "'a1 (N m s)'", "'a2 (rad/s)'",
                                            "'a3 (kg m²)'", "'a4 (l/t)'"};
    static const char *const name[] = {"a0", "a1", "a2", "a3", "a4"};
    ph_observable o[COUNT(unit)];
    for (size_t i = 0; i < COUNT(unit); i++)
        o[i] = (ph_observable){
            .name = name[i], .unit = unit[i], .width = 1, .start = {1.0}, .now = {1.0}};
    const instant now = {.observable = o, .observables = COUNT(unit)};
    run_plot p;
    nearest near_by = {0};
    assert_true(
        run_plot_begin(&p, &now, &(column_choice){.show = "a0,a1,a2,a3,a4"}, false, &near_by));
    run_plot_add(&p, &now);
    char *script = script_of(&p);
    assert_values(script, "heading", COUNT(plain), plain);
    free(script);
    p.seconds = true;
    script = script_of(&p);
    assert_values(script, "heading", COUNT(si), si);
    free(script);
}

static void sheets(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double width, columns, height;
    } all[] = {
        {"", 640, 1, 0}, {"single", 430, 1, 0}, {"double", 900, 2, 0}, {"slide", 1280, 2, 720}};
    for (size_t i = 0; i < COUNT(all); i++) {
        const run_plot_sheet *s = run_plot_sheet_named(all[i].name);
        assert_non_null(s);
        assert_true(s->width == all[i].width && s->columns == all[i].columns &&
                    s->height == all[i].height);
    }
    assert_ptr_equal(run_plot_sheet_named(NULL), run_plot_sheet_named(""));
    assert_null(run_plot_sheet_named("poster"));
}

/* ---- paths ------------------------------------------------------------------------ */

/* Columns q1x ... of unit vectors: the path of each. */
static void paths_of_vectors(void **state)
{
    (void)state;
    char *script = drawn("t,q1x,q1y,q1z,q2x,q2y,q2z\n"
                         "0,1,0,0,0,1,0\n0.5,0.96,0.28,0,0,0.96,0.28\n",
                         (asked){0});
    ASSERT_VALUES(script, "paths", "2");
    ASSERT_VALUES(script, "hidden", "0");
    ASSERT_VALUES(script, "axes", "0");
    assert_block(script, "paths", "0,1,0,0,0,1,0\n0.5,0.96,0.28,0,0,0.96,0.28\n");
    ASSERT_VALUES(script, "first_time", "0");
    ASSERT_VALUES(script, "path_time", "0.5");
    ASSERT_VALUES(script, "last_time", "0.5");
    ASSERT_VALUES(script, "coarse", "0");
    free(script);
    /* one of them goes far in a step */
    script = drawn("t,q1x,q1y,q1z,q2x,q2y,q2z\n0,1,0,0,0,1,0\n1,1,0,0,0,0,1\n", (asked){0});
    ASSERT_VALUES(script, "coarse", "1");
    free(script);
}

/* The same of a list of a system; beyond eight vectors the rest is counted. */
static void paths_of_a_list(void **state)
{
    (void)state;
    double x[3][10];
    for (size_t i = 0; i < 10; i++) {
        const double a = 0.1 * (double)i;
        x[0][i] = cos(a), x[1][i] = sin(a), x[2][i] = 0.0;
    }
    ph_array list = {.name = "q",
                     .unit = "1",
                     .text = "",
                     .columns = "x,y,z",
                     .width = 3,
                     .use = PH_ARRAY_SHOWN | PH_ARRAY_LIST,
                     .count = 10,
                     .stride = 1,
                     .data = {x[0], x[1], x[2]}};
    const instant now = {.t = 2.0, .field = &list, .fields = 1};
    run_plot p;
    nearest near_by = {0};
    assert_true(run_plot_begin(&p, &now, &(column_choice){0}, false, &near_by));
    run_plot_add(&p, &now);
    char *script = script_of(&p), *block = block_of(script, "paths");
    ASSERT_VALUES(script, "paths", "8");
    ASSERT_VALUES(script, "hidden", "2");
    double row[25];
    assert_string_equal("", next_numbers(block, COUNT(row), row));
    assert_true(row[0] == 2.0);
    for (size_t i = 0; i < 8; i++) {
        for (size_t k = 0; k < 3; k++)
            assert_true(fabs(row[1 + 3 * i + k] - x[k][i]) < 1e-11);
    }
    free(block);
    free(script);
}

/* The axes of a body: all of a free one, else the third. */
static void paths_of_axes(void **state)
{
    (void)state;
    char *script = drawn(BODY_ROWS, (asked){.is_free = true});
    ASSERT_VALUES(script, "paths", "3");
    ASSERT_VALUES(script, "axes", "1");
    assert_block(script, "paths", "0,1,0,0,0,1,0,0,0,1\n1,1,0,0,0,-1,0,0,0,-1\n");
    ASSERT_VALUES(script, "path_time", "1");
    ASSERT_VALUES(script, "last_time", "1");
    ASSERT_VALUES(script, "names", "'\"w1\" \"w2\" \"w3\" '", "'\"energy_error\" '");
    free(script);
    script = drawn("t,q0,q1,q2,q3,u\n0,1,0,0,0,1\n1,0.995,0.1,0,0,1\n", (asked){0});
    ASSERT_VALUES(script, "paths", "1");
    char *block = block_of(script, "paths");
    double row[8];
    assert_string_equal("", next_numbers(block, COUNT(row), row));
    assert_true(row[3] == 1.0 && row[4] == 1.0 && row[5] == 0.0);
    assert_true(fabs(row[6] + 0.199) < 1e-3 && fabs(row[7] - 0.98) < 1e-3);
    free(block);
    ASSERT_VALUES(script, "names", "'\"precession\" \"nutation\" \"spin\" '");
    free(script);
    script = drawn("t,q0,q1,q2,q3,a\n0,1,0,0,0,1\n", (asked){0}); /* a, and no energy */
    ASSERT_VALUES(script, "names", "'\"precession\" \"nutation\" \"spin\" '");
    free(script);
}

/* A path goes on until it is 130 rad long; a step of it in which a vector goes further than 0.35 makes
 * the beginning the path. */
static void long_paths(void **state)
{
    (void)state;
    static const struct {
        double step;
        size_t rows, drawn;
    } cases[] = {{0.25, 400, 400}, {0.25, 1000, 523}, {0.25, 6100, 523}, {0.125, 7000, 523}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        double x[3] = {0};
        ph_array list = {.name = "q",
                         .unit = "1",
                         .text = "",
                         .columns = "x,y,z",
                         .width = 3,
                         .use = PH_ARRAY_SHOWN | PH_ARRAY_LIST,
                         .count = 1,
                         .stride = 1,
                         .data = {&x[0], &x[1], &x[2]}};
        instant now = {.field = &list, .fields = 1};
        run_plot p;
        nearest near_by = {0};
        for (size_t k = 0; k < cases[i].rows; k++) {
            now.t = (double)k;
            x[0] = cos(now.t * cases[i].step), x[1] = sin(now.t * cases[i].step);
            if (k == 0)
                assert_true(run_plot_begin(&p, &now, &(column_choice){0}, false, &near_by));
            run_plot_add(&p, &now);
        }
        char *script = script_of(&p), *block = block_of(script, "paths");
        if (count_lines(block) != cases[i].drawn)
            fail_msg("case %zu: %zu rows of a path, not %zu", i, count_lines(block),
                     cases[i].drawn);
        free(block);
        free(script);
    }
}

/* ---- bodies in space -------------------------------------------------------------- */

#define BODIES(t) #t ",0,0,0,0,1,2\n" #t ",1,4,0,0,3,5\n" #t ",2,0,3,0,4,6\n"

/* Bodies come one by one, in rows of the same time: the last instant is where they are; a column has one
 * row for each time, unless it was asked for. */
static void listed_bodies(void **state)
{
    (void)state;
    static const char rows[] = "t,body,x,y,z,u,energy\n" BODIES(0) BODIES(1) BODIES(2);
    char *script = drawn(rows, (asked){0});
    ASSERT_VALUES(script, "bodies", "3");
    ASSERT_VALUES(script, "cloud_time", "2");
    ASSERT_VALUES(script, "reach", "1.5");
    assert_block(script, "cloud", "0,0,0,0,0,1\n4,0,0,0,0,1\n0,3,0,0,0,1\n");
    char *block = block_of(script, "rows");
    assert_int_equal(3, count_lines(block));
    free(block);
    free(script);
    script = drawn(rows, (asked){.show = "u"});
    ASSERT_VALUES(script, "bodies", "0");
    assert_block(script, "rows", "0,1\n1,1\n2,1\n"); /* of the first body */
    free(script);
    /* without a number of the body each row is one */
    script = drawn("t,u\n0,1\n0,2\n0,3\n1,4\n", (asked){.show = "u"});
    assert_block(script, "rows", "0,1\n0,2\n0,3\n1,4\n");
    free(script);
}

/* ---- columns of a file ------------------------------------------------------------ */

static void fields_of_a_table(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int width;
        const char *columns;
    } fields[] = {
        {"a1", 1, "a1"},    {"b", 1, "b"},        {"c", 2, "c1,c2"}, {"velocity", 3, "w1,w2,w3"},
        {"x", 1, "x"},      {"e", 3, "ex,ey,ez"}, {"d2", 1, "d2"},   {"attitude", 4, "q0,q1,q2,q3"},
        {"end1", 1, "end1"}};
    table t;
    file_write("rows.csv", "a1,b,c1,c2,w1,w2,w3,x,t,ex,ey,ez,d2,q0,q1,q2,q3,end1\n"
                           "1,2,3,4,5,6,7,8,0.5,10,11,12,13,1,0,0,0,18\n"
                           "2,2,3,4,5,6,7,8,1.5,10,11,12,13,1,0,0,0,18\n");
    assert_true(table_open(&t, "rows.csv", &never, NULL));
    assert_int_equal(CSV_OK, table_next(&t));
    assert_int_equal(COUNT(fields), t.now.fields);
    for (size_t i = 0; i < COUNT(fields); i++) {
        assert_string_equal(fields[i].name, t.now.field[i].name);
        assert_string_equal(fields[i].columns, t.now.field[i].columns);
        assert_int_equal(fields[i].width, t.now.field[i].width);
    }
    assert_true(t.now.t == 0.5);
    assert_true(*t.now.field[2].data[0] == 3.0 && *t.now.field[2].data[1] == 4.0);
    assert_true(*t.now.field[5].data[2] == 12.0);
    assert_int_equal(5, t.now.observables); /* a1, b, x, d2, end1 */
    assert_int_equal(CSV_OK, table_next(&t));
    assert_true(t.now.t == 1.5);
    assert_string_equal("a1", t.now.observable[0].name);
    assert_true(t.now.observable[0].start[0] == 1.0 && t.now.observable[0].now[0] == 2.0);
    csv_close(t.in);
    assert_int_equal(0, unlink("rows.csv"));
}

/* The entries of a field are `stride` numbers apart. */
static void entries_of_a_field(void **state)
{
    (void)state;
    enum { ENTRIES = 3, MOST_STRIDE = 5 };
    double x[4][ENTRIES * MOST_STRIDE];
    for (size_t k = 0; k < 4; k++)
        for (size_t n = 0; n < COUNT(x[k]); n++)
            x[k][n] = (double)(100 * k + n);
    for (size_t stride = 1; stride <= MOST_STRIDE; stride++) {
        const ph_array f = {
            .width = 4, .count = ENTRIES, .stride = stride, .data = {x[0], x[1], x[2], x[3]}};
        for (size_t i = 0; i < ENTRIES; i++) {
            const double n = (double)(i * stride);
            const ph_vec3 v = field_vector(&f, i);
            const ph_quat q = field_quat(&f, i);
            assert_true(v.x == n && v.y == 100.0 + n && v.z == 200.0 + n);
            assert_true(q.w == n && q.x == 100.0 + n && q.y == 200.0 + n && q.z == 300.0 + n);
        }
    }
}

/* Angles of every sequence give the attitude again, also where two of them are not determined. */
static void euler_of_all(void **state)
{
    (void)state;
    static const double between[] = {0.0, 0.7, 0.5 * PH_PI, 2.5, PH_PI, -0.5 * PH_PI, -1.2};
    size_t sequences = 0;
    for (int n = 0; n < 27; n++) {
        const char sequence[] = {(char)('x' + n / 9), (char)('x' + n / 3 % 3), (char)('x' + n % 3),
                                 '\0'};
        if (!euler_sequence(sequence))
            continue;
        sequences++;
        for (size_t i = 0; i < COUNT(between); i++) {
            /* a number after the three angles has no effect */
            const double given[] = {0.9, between[i], -2.1, 1.0};
            double angle[] = {0.0, 0.0, 0.0, 1.0};
            const ph_quat q = euler_attitude(sequence, given);
            euler_angles(q, sequence, angle);
            const ph_quat again = euler_attitude(sequence, angle);
            assert_true(fabs(dot4(q, q) - 1.0) < 1e-15);
            if (!(fabs(fabs(dot4(q, again)) - 1.0) < 1e-15))
                fail_msg("%s, %g: %g %g %g", sequence, between[i], angle[0], angle[1], angle[2]);
        }
    }
    assert_int_equal(12, sequences);
}

/* ---- templates and data ----------------------------------------------------------- */

static void templates(void **state)
{
    (void)state;
    FILE *script = tmpfile();
    assert_non_null(script);
    assert_false(plot_template(script, "nothing"));
    assert_false(plot_template(script, "stac"));
    assert_false(plot_end(script, "nothing"));
    assert_true(plot_end(script, "motion"));
    char *text = text_of(script);
    assert_null(strstr(text, "load '")); /* each of them stands for its lines */
    free(text);
    FILE *full = fopen("/dev/full", "w");
    assert_non_null(full);
    assert_false(plot_end(full, "motion"));
    (void)fclose(full);

    /* data of a file, without what ends them or quotes words */
    file_write("data.csv", "a,b\r\n1,it's `date`\nEOD\n2,''\n");
    script = tmpfile();
    assert_non_null(script);
    assert_true(plot_data_file(script, "data.csv"));
    assert_false(plot_data_file(script, "none.csv"));
    text = text_of(script);
    assert_string_equal("$csv << EOD\na,b\n1,it s  date \n2,  \nEOD\n", text);
    free(text);
    assert_int_equal(0, unlink("data.csv"));
}

static int leave(void **state)
{
    memory_free();
    return folder_leave(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_of_time),
        cmocka_unit_test(panels),
        cmocka_unit_test(many_curves),
        cmocka_unit_test(units),
        cmocka_unit_test(sheets),
        cmocka_unit_test(paths_of_vectors),
        cmocka_unit_test(paths_of_a_list),
        cmocka_unit_test(paths_of_axes),
        cmocka_unit_test(long_paths),
        cmocka_unit_test(listed_bodies),
        cmocka_unit_test(fields_of_a_table),
        cmocka_unit_test(entries_of_a_field),
        cmocka_unit_test(templates),
        cmocka_unit_test(euler_of_all),
    };
    return cmocka_run_group_tests_name("scripts", tests, folder_enter, leave);
}
