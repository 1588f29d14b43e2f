/* report.c - prints what is found as it is found, and keeps it as JSON. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "polhode/polhode.h"

#include "base/isa.h"
#include "race.h"
#include "report.h"

#define NOISY       0.05 /* spread from which a time or ratio is marked */
#define LINE_LENGTH 1000

static json_t *part(const bench *b, const char *name)
{
    return json_object_get(b->json, name);
}

static void put(bench *b, const char *where, const char *name, double value)
{
    json_object_set_new(part(b, where), name, isfinite(value) ? json_real(value) : json_null());
}

/* ---- the machine ----------------------------------------------------------------- */

/* The processor's name as Linux tells it. */
static json_t *processor(void)
{
    char line[LINE_LENGTH] = "", *colon = NULL;
    FILE *f = fopen("/proc/cpuinfo", "r");
    while (f != NULL && colon == NULL && fgets(line, sizeof line, f) != NULL) {
        if (strncmp(line, "model name", strlen("model name")) == 0)
            colon = strchr(line, ':');
    }
    if (f != NULL)
        (void)fclose(f);
    if (colon == NULL)
        return json_string("unknown");
    colon[strcspn(colon, "\n")] = '\0';
    return json_string(colon + strlen(": "));
}

bench report_new(void)
{
    bench b = {json_pack("{s{} s{} s{} s{} s{} s{} s[] s[]}", "ratios", "ratio_spreads", "times_ns",
                         "minima_ns", "spreads", "machine", "refused", "notes"),
               true};
    struct utsname system;
    json_t *machine = part(&b, "machine");
    json_object_set_new(machine, "processor", processor());
    json_object_set_new(machine, "processors", json_integer(sysconf(_SC_NPROCESSORS_ONLN)));
    if (uname(&system) >= 0)
        json_object_set_new(
            machine, "system",
            json_sprintf("%s %s %s", system.sysname, system.release, system.machine));
    json_object_set_new(machine, "compiler", json_string(__VERSION__));
    json_object_set_new(machine, "polhode", json_string(ph_version()));
    json_object_set_new(machine, "instructions", json_string(ph_isa_name()));
    json_object_set_new(machine, "libraries", json_array());
    return b;
}

void report_machine_number(bench *b, const char *name, double value)
{
    put(b, "machine", name, value);
}

void bench_uses(bench *b, const char *library)
{
    json_t *libraries = json_object_get(part(b, "machine"), "libraries"), *known;
    size_t i;
    json_array_foreach(libraries, i, known)
    {
        if (strcmp(json_string_value(known), library) == 0)
            return;
    }
    json_array_append_new(libraries, json_string(library));
}

/* ---- what the groups say --------------------------------------------------------- */

bool bench_check(bench *b, bench_contestant *c, const char *what, double error, double allowed)
{
    if (error <= allowed)
        return true;
    c->refused = true;
    b->right = b->right && c->peer;
    printf("  %-46s refused: %s is %.2g, allowed %.2g\n", c->name, what, error, allowed);
    json_array_append_new(part(b, "refused"), json_sprintf("%s: %s is %.3g, allowed %.3g", c->name,
                                                           what, error, allowed));
    return false;
}

void bench_race(bench *b, const char *unit, bench_contestant *field, int count)
{
    char heading[BENCH_NAME];
    snprintf(heading, sizeof heading, "ns for one %s", unit);
    printf("  %-46s %12s %12s %8s\n", heading, "median", "least", "spread");
    (void)fflush(stdout);
    race_run(field, count);
    for (int i = 0; i < count; i++) {
        const bench_contestant *c = &field[i];
        if (c->refused)
            continue;
        printf("  %-46s %12.4g %12.4g %6.1f %%%s\n", c->name, c->median, c->least,
               100.0 * c->spread, c->spread > NOISY ? "  noisy" : "");
        put(b, "times_ns", c->name, c->median);
        put(b, "minima_ns", c->name, c->least);
        put(b, "spreads", c->name, c->spread);
    }
    (void)fflush(stdout);
}

static void print_ratio(const char *name, double value, const char *remark)
{
    if (isfinite(value))
        printf("  %-59s %12.4g%s\n", name, value, remark);
    else
        printf("  %-59s %12s%s\n", name, "none", remark);
    (void)fflush(stdout);
}

void bench_ratio(bench *b, const char *name, const bench_contestant *over,
                 const bench_contestant *under)
{
    if (over->refused || under->refused) {
        bench_value(b, name, NAN);
        return;
    }
    double values[BENCH_REPEATS];
    for (int i = 0; i < BENCH_REPEATS; i++)
        values[i] = over->ns[i] / under->ns[i];
    const double value = race_quantile(values, 0.5), spread = race_spread(values);
    put(b, "ratios", name, value);
    put(b, "ratio_spreads", name, spread);
    print_ratio(name, value, spread > NOISY ? "  noisy" : "");
}

void bench_value(bench *b, const char *name, double value)
{
    put(b, "ratios", name, value);
    print_ratio(name, value, "");
}

void bench_time(bench *b, const char *name, double ns)
{
    put(b, "times_ns", name, ns);
}

void bench_note(bench *b, const char *format, ...)
{
    char text[LINE_LENGTH];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    printf("  %s\n", text);
    (void)fflush(stdout);
    json_array_append_new(part(b, "notes"), json_string(text));
}
