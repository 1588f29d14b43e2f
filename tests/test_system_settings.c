/* test_system_settings.c - systems made of settings, good and bad, of every kind, against what was
 * made of them before: tests/vectors/settings.txt has a line of words for each (the problem, by=METHOD,
 * h=STEP, tolerance=, longest=, most=, and settings NAME=NUMBERS), and below it the warnings, and what
 * is wrong, or what the system is and the bits of some steps. Lines of `/` are settings of the one
 * before. It reads the lines and writes them with what becomes of them now; `make regenerate` does
 *
 *     build/tests/test_system_settings write >tests/vectors/settings.txt
 *
 * with a file between the two.
 */
/* Needs kinds, lab. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/golden.h"
#include "system/kind.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

enum { LINE = 1000, MOST_SETTINGS = 12, MOST_NUMBERS = 128, ANSWER = 4000 };

/* ---- a line ---------------------------------------------------------------------------- */

typedef struct request {
    ph_system_settings with;
    ph_setting settings[MOST_SETTINGS];
    double numbers[MOST_SETTINGS][MOST_NUMBERS];
    ph_message why;
    char words[2 * LINE], answer[ANSWER];
} request;

__attribute__((format(printf, 2, 3))) static void answer(request *r, const char *format, ...)
{
    const size_t used = strlen(r->answer);
    va_list values;
    va_start(values, format);
    (void)vsnprintf(r->answer + used, ANSWER - used, format, values);
    va_end(values);
}

static void warned(void *context, const ph_message *m)
{
    answer(context, "  warning %d: %s\n", m->setting, m->text);
}

static void read_request(request *r, const char *line)
{
    *r = (request){.with = {.settings = r->settings,
                            .step = 0.01,
                            .message = &r->why,
                            .warn = warned,
                            .context = r}};
    (void)snprintf(r->words, sizeof r->words, "%s", line);
    r->with.problem = strtok(r->words, " ");
    for (char *word; (word = strtok(NULL, " ")) != NULL;) {
        char *equals = strchr(word, '=');
        assert_non_null(equals);
        *equals = '\0';
        const double x = strtod(equals + 1, NULL);
        if (strcmp(word, "by") == 0)
            r->with.integrator = equals + 1;
        else if (strcmp(word, "h") == 0)
            r->with.step = x;
        else if (strcmp(word, "tolerance") == 0)
            r->with.tolerance = x;
        else if (strcmp(word, "longest") == 0)
            r->with.longest_step = x;
        else if (strcmp(word, "most") == 0)
            r->with.most_entries = (size_t)x;
        else {
            size_t i = 0; /* the last of a name counts */
            while (i < r->with.setting_count && strcmp(r->settings[i].name, word) != 0)
                i++;
            assert_true(i < MOST_SETTINGS);
            double *numbers = r->numbers[i];
            ph_setting *s = &r->settings[i];
            r->with.setting_count += i == r->with.setting_count;
            *s = (ph_setting){word, numbers, 0};
            for (char *at = equals + 1, *end; *at != '\0'; at = end + (*end == ',')) {
                assert_true(s->count < MOST_NUMBERS);
                numbers[s->count++] = strtod(at, &end);
                assert_true(end != at);
            }
        }
    }
}

/* ---- what is made of it -------------------------------------------------------------------- */

static void take_named(checksum *c, const char *text)
{
    take_text(c, text ? text : "none");
    take(c, -1.0);
}

/* Names and numbers of all fields and observables. */
static void take_all(checksum *c, ph_system *s)
{
    size_t count;
    const ph_array *f = ph_system_arrays(s, &count);
    for (size_t k = 0; k < count; k++) {
        take_named(c, f[k].name);
        take(c, f[k].use);
        for (int j = 0; j < f[k].width; j++) {
            for (size_t i = 0; i < f[k].count; i++)
                take(c, f[k].data[j][i * f[k].stride]);
        }
    }
    const ph_observable *o = ph_system_observables(s, &count);
    for (size_t k = 0; k < count; k++) {
        take_named(c, o[k].name);
        take(c, o[k].watched + 2 * o[k].conserved + 4 * o[k].relative + 8 * o[k].defect);
        take(c, o[k].error);
        for (int j = 0; j < o[k].width; j++) {
            take(c, o[k].now[j]);
            take(c, o[k].start[j]);
        }
    }
    take(c, ph_system_energy(s));
}

static void describe(request *r, ph_system *s)
{
    checksum start = {0}, end = {0};
    char text[400] = "";
    const ph_kind *kind = ph_kind_of(s);
    take_all(&start, s);
    ph_system_watch(s, true);
    const ph_status status = ph_system_run(s, 3, NULL);
    take_all(&end, s);
    if (kind->describe != NULL)
        kind->describe(s, text, sizeof text);
    answer(r, "  %s, %s by %s of order %d; reference %s; %s\n", ph_system_kind(s),
           ph_system_problem_name(s), ph_system_integrator_name(s), ph_system_order(s),
           ph_system_comparison(s).integrator, text);
    const bool exact = kind->exact != NULL && kind->exact(s, 0.5); /* moves s */
    const double round_off = kind->round_off != NULL ? kind->round_off(s, s, 1e6) : 0.0;
    answer(r, "  start %.15g %016llx, then %s %.15g %016llx, round-off %.3g, exact %d\n",
           start.size, (unsigned long long)start.bits, ph_status_text(status), end.size,
           (unsigned long long)end.bits, round_off, exact);
    if (kind->spend != NULL) { /* which counts for nothing */
        const uint64_t before = ph_system_evaluations(s);
        const bool torques = kind->spend(s, true, 0.1, 5), drifts = kind->spend(s, false, 0.1, 5);
        assert_int_equal(torques, drifts);
        assert_true(ph_system_evaluations(s) == before);
    }
    if (kind->exact != NULL)
        answer(r, "  energy there %.12g\n", ph_system_energy(s));
}

static void respond(request *r)
{
    ph_system *s = NULL;
    const ph_status status = ph_system_create(&r->with, &s);
    assert_true((s != NULL) == (status == PH_OK));
    if (status != PH_OK)
        answer(r, "  %d, %d: %s\n", status, r->why.setting, r->why.text);
    else
        describe(r, s);
    ph_system_destroy(s);
}

/* ---- all lines --------------------------------------------------------------------------- */

static bool writing;

static void test_lines(void **state)
{
    (void)state;
    static request r;
    static char expected[ANSWER];
    char line[LINE], base[LINE] = "", whole[2 * LINE];
    FILE *f = fopen(TEST_DATA "/settings.txt", "r");
    int count = 0;
    bool more = f != NULL && fgets(line, sizeof line, f) != NULL;
    while (more) {
        if (line[0] == '#' || line[0] == '\n') {
            if (writing)
                printf("%s", line);
            more = fgets(line, sizeof line, f) != NULL;
            continue;
        }
        line[strcspn(line, "\n")] = '\0';
        if (line[0] != '/')
            (void)snprintf(base, sizeof base, "%s", line);
        (void)snprintf(whole, sizeof whole, "%s%s", base, line[0] == '/' ? line + 1 : "");
        read_request(&r, whole);
        if (writing)
            printf("%s\n", line);
        expected[0] = '\0';
        while ((more = fgets(line, sizeof line, f) != NULL) && line[0] == ' ')
            strncat(expected, line, ANSWER - strlen(expected) - 1);
        respond(&r);
        count++;
        if (writing)
            printf("%s", r.answer);
        else if (strcmp(r.answer, expected) != 0)
            fail_msg("%s\nis now\n%sand was\n%s", whole, r.answer, expected);
    }
    assert_non_null(f);
    (void)fclose(f);
    assert_true(count > 100);
}

/* What a kind takes at the start has as many numbers as it names. */
static void test_widths(void **state)
{
    (void)state;
    size_t count;
    const ph_kind *const *kinds = ph_kinds(&count);
    for (size_t k = 0; k < count; k++) {
        for (size_t i = 0; i < kinds[k]->start_count; i++) {
            const ph_start_array *f = &kinds[k]->start[i];
            int names = 1;
            for (const char *c = f->columns; *c != '\0'; c++)
                names += *c == ',';
            if (names != f->width)
                fail_msg("%s of %s: %s", f->name, kinds[k]->name, f->columns);
        }
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines), cmocka_unit_test(test_widths)};
    writing = argc > 1 && strcmp(argv[1], "write") == 0;
    if (writing)
        test_lines(NULL);
    return writing ? 0 : cmocka_run_group_tests_name("settings", tests, NULL, NULL);
}
