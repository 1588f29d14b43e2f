/* main.c - runs every race: checks each contestant's results, times those that are right,
 * prints a table and writes it as JSON.
 *
 * The contestants of a race take turns, each with a pass or more of a millisecond or
 * more, REPEATS times over. Times are medians; a ratio is the median of the ratios of the
 * turns, in which a slow moment of the machine cancels.
 */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include <jansson.h>

#include "polhode/polhode.h"

#include "bench.h"
#include "bench_files.h"

#define FILES           (sizeof files / sizeof files[0])
#define REPEATS         31
#define MOST            16   /* contestants in a race */
#define SHORTEST_NS     2e6  /* of one turn */
#define NOISY           0.05 /* spread from which a time is marked */
#define NANOS_IN_SECOND 1e9
#define MOST_PASSES     1e6
#define NAME_LENGTH     100
#define LINE_LENGTH     1000

typedef struct timing {
    const bench_contestant *contestant;
    double error;       /* the worst, relative */
    bool right;         /* hence timed */
    int passes;         /* in a turn */
    double ns[REPEATS]; /* per call, in the order of the turns */
    double median, least;
    double spread; /* between the quartiles, relative to the median */
} timing;

static volatile double sink;

double bench_random(double low, double high)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u; /* Knuth, MMIX */
    return low + (high - low) * (double)(state >> 11) * 0x1p-53;
}

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * NANOS_IN_SECOND + (double)t.tv_nsec;
}

/* The time of so many passes, per call. */
static double turn(const bench_contestant *c, int passes, const bench_row *arguments,
                   bench_row *results)
{
    const double start = now_ns();
    for (int i = 0; i < passes; i++) {
        c->run(arguments, results);
        sink = sink + results[i % BENCH_CALLS].v[0];
    }
    return (now_ns() - start) / (passes * (double)BENCH_CALLS);
}

/* The worst error of a contestant, relative to the largest result of its call. */
static double worst_error(const bench_contestant *c, const bench_row *arguments,
                          const bench_row *right)
{
    static bench_row results[BENCH_CALLS];
    memset(results, 0, sizeof results);
    c->run(arguments, results);
    double worst = 0.0;
    for (size_t i = 0; i < BENCH_CALLS; i++) {
        double size = 0.0, error = 0.0;
        for (int j = 0; j < BENCH_WIDTH; j++) {
            size = fmax(size, fabs(right[i].v[j]));
            error = fmax(error, fabs(results[i].v[j] - right[i].v[j]));
            if (isnan(results[i].v[j]))
                return INFINITY;
        }
        worst = fmax(worst, size > 0.0 ? error / size : INFINITY);
    }
    return worst;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts the values and returns the one at a fraction of the way. */
static double quantile(double *values, double fraction)
{
    qsort(values, REPEATS, sizeof *values, ascending);
    return values[(int)lrint(fraction * (REPEATS - 1))];
}

static double median_ratio(const timing *t, const timing *ph)
{
    double values[REPEATS];
    for (int i = 0; i < REPEATS; i++)
        values[i] = t->ns[i] / ph->ns[i];
    return quantile(values, 0.5);
}

static void summarise(timing *t)
{
    double values[REPEATS];
    memcpy(values, t->ns, sizeof values);
    t->least = quantile(values, 0.0);
    t->median = quantile(values, 0.5);
    t->spread = (quantile(values, 0.75) - quantile(values, 0.25)) / t->median;
}

static bool is_ph(const bench_contestant *c)
{
    return strcmp(c->library, "ph") == 0;
}

static void put(json_t *json, const char *group, const char *name, json_t *value)
{
    json_object_set_new(json_object_get(json, group), name, value);
}

/* The contestants of a race, Polhode first; returns their number. */
static int enrol(const bench_race *race, timing *field)
{
    int count = 0;
    for (int others = 0; others < 2; others++) {
        for (size_t i = 0; i < FILES; i++) {
            const bench_contestant *c = files[i]->contestants;
            for (; c != NULL && c->race != NULL && count < MOST; c++) {
                if (strcmp(c->race, race->name) == 0 && is_ph(c) != others)
                    field[count++] = (timing){.contestant = c};
            }
        }
    }
    return count;
}

/* Fills in the times of the field, divided by what is in a call. */
static void run_race(const bench_race *race, double share, timing *field, int count)
{
    static bench_row arguments[BENCH_CALLS], right[BENCH_CALLS], results[BENCH_CALLS];
    memset(arguments, 0, sizeof arguments);
    memset(right, 0, sizeof right);
    for (size_t i = 0; i < BENCH_CALLS; i++)
        race->draw(i, &arguments[i], &right[i]);

    for (int i = 0; i < count; i++) {
        timing *t = &field[i];
        t->error = worst_error(t->contestant, arguments, right);
        t->right = t->error <= race->tolerance;
        const double pass = BENCH_CALLS * turn(t->contestant, 1, arguments, results);
        t->passes = 1 + (int)fmin(SHORTEST_NS / pass, MOST_PASSES);
    }
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        for (int i = 0; i < count; i++) {
            timing *t = &field[(repeat + i) % count];
            if (t->right)
                t->ns[repeat] =
                    turn(t->contestant, t->passes, arguments, results) / share;
        }
    }
    for (int i = 0; i < count; i++)
        summarise(&field[i]);
}

static void print_row(const bench_race *race, const timing *t, double ratio)
{
    if (!t->right) {
        printf("%-32s %-14s wrong by %.1e, allowed %.1e: not timed\n", race->title,
               t->contestant->library, t->error, race->tolerance);
        return;
    }
    printf("%-32s %-14s %10.2f %10.2f %8.1f %%", race->title, t->contestant->library,
           t->median, t->least, 100.0 * t->spread);
    if (ratio > 0.0)
        printf(" %9.2f", ratio);
    printf("%s\n", t->spread > NOISY ? "  noisy" : "");
}

/* Prints the times and puts them into the JSON; returns whether Polhode was right. */
static bool report(json_t *json, const bench_race *race, const timing *field, int count)
{
    const timing *ph = NULL;
    bool right = true;
    for (int i = 0; i < count; i++) {
        const timing *t = &field[i];
        if (is_ph(t->contestant)) {
            ph = t->right ? t : NULL;
            right = t->right;
        }
        const double ratio =
            ph != NULL && t->right && t != ph ? median_ratio(t, ph) : 0.0;
        print_row(race, t, ratio);
        if (!t->right)
            continue;
        char name[NAME_LENGTH];
        snprintf(name, sizeof name, "%s_%s", t->contestant->library, race->name);
        put(json, "times_ns", name, json_real(t->median));
        put(json, "minima_ns", name, json_real(t->least));
        put(json, "spreads", name, json_real(t->spread));
        snprintf(name, sizeof name, "%s_over_ph_%s", t->contestant->library, race->name);
        if (ratio > 0.0)
            put(json, "ratios", name, json_real(ratio));
    }
    return right;
}

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

static void describe_machine(json_t *json)
{
    struct utsname system;
    put(json, "machine", "processor", processor());
    put(json, "machine", "processors", json_integer(sysconf(_SC_NPROCESSORS_ONLN)));
    if (uname(&system) >= 0)
        put(json, "machine", "system",
            json_sprintf("%s %s %s", system.sysname, system.release, system.machine));
    put(json, "machine", "compiler", json_string(__VERSION__));
    put(json, "machine", "polhode", json_string(ph_version()));
    json_t *libraries = json_array();
    for (size_t i = 0; i < FILES; i++) {
        if (files[i]->uses != NULL)
            json_array_append_new(libraries, json_string(files[i]->uses));
    }
    put(json, "machine", "libraries", libraries);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: bench FILE.json\n");
        return 2;
    }
    json_t *json = json_pack("{s{} s{} s{} s{} s{}}", "ratios", "times_ns", "minima_ns",
                             "spreads", "machine");
    bool all_right = true;
    int enrolled = 0, contestants = 0;
    describe_machine(json);
    printf("%-32s %-14s %10s %10s %10s %9s\n", "ns per call, or per pair", "", "median",
           "least", "spread", "to ph");
    for (size_t i = 0; i < FILES; i++) {
        for (const bench_contestant *c = files[i]->contestants;
             c != NULL && c->race != NULL; c++)
            contestants++;
        for (const bench_race *race = files[i]->races; race != NULL && race->name != NULL;
             race++) {
            static timing field[MOST];
            const int count = enrol(race, field);
            run_race(race, files[i]->pairs > 0.0 ? files[i]->pairs : 1.0, field, count);
            all_right = report(json, race, field, count) && all_right;
            enrolled += count;
        }
    }
    if (enrolled != contestants) {
        fprintf(stderr, "bench: a contestant names a race that does not exist\n");
        return 1;
    }
    if (json_dump_file(json, argv[1], JSON_INDENT(2) | JSON_REAL_PRECISION(6)) != 0) {
        fprintf(stderr, "bench: cannot write %s\n", argv[1]);
        return 1;
    }
    json_decref(json);
    return all_right ? 0 : 1;
}
