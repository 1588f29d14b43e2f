#include "support/golden.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/quick.h"

enum { MOST = 4000, LONGEST = 120 };

static struct {
    char name[LONGEST];
    checksum sum;
    bool used;
} lines[MOST];
static int line_count;
static bool writing;

/* The number of values at a place: all up to 8, then four in each octave. */
static uint64_t place(size_t i)
{
    return i < 8 ? i + 1 : (uint64_t)(5 + i % 4) << (1 + (i - 8) / 4);
}

/* FNV-1a on words of 64 bits, with a shift so that high bits reach low ones. */
void take(checksum *c, double x)
{
    const uint64_t prime = 0x100000001b3;
    uint64_t word;
    memcpy(&word, &x, sizeof word);
    c->bits = (c->bits ^ (isnan(x) ? 1 : word)) * prime; /* a NaN has no sign */
    c->bits ^= c->bits >> 29;
    c->size += isfinite(x) ? fabs(x) : 0.0;
    if (++c->count == place(c->places) && c->places < GOLDEN_PLACES) {
        c->byte[c->places] = (unsigned char)(c->bits >> 56);
        c->value[c->places++] = x;
    }
}

void take_vector(checksum *c, ph_vec3 v)
{
    take(c, v.x);
    take(c, v.y);
    take(c, v.z);
}

void take_vectors(checksum *c, int n, const ph_vec3 *v)
{
    for (int i = 0; i < n; i++)
        take_vector(c, v[i]);
}

void take_matrix(checksum *c, ph_mat3 A)
{
    for (int i = 0; i < 9; i++)
        take(c, A.a[i / 3][i % 3]);
}

void take_state(checksum *c, const ph_state *s)
{
    take(c, s->q.w);
    take_vector(c, (ph_vec3){s->q.x, s->q.y, s->q.z});
    take_vector(c, s->m);
}

void take_text(checksum *c, const char *text)
{
    for (; *text != '\0'; text++)
        take(c, (unsigned char)*text);
}

void golden_difference(char text[GOLDEN_TEXT], const checksum *now, const checksum *before)
{
    const size_t places = now->places < before->places ? now->places : before->places;
    size_t i = 0;
    while (i < places && now->byte[i] == before->byte[i])
        i++;
    const uint64_t first = i == 0 ? 1 : place(i - 1) + 1, last = i < places ? place(i) : now->count;
    int length;
    if (before->count == 0)
        length = snprintf(text, GOLDEN_TEXT, "a value differs");
    else if (i == places && before->count != now->count)
        length = snprintf(text, GOLDEN_TEXT, "%" PRIu64 " values instead of %" PRIu64, now->count,
                          before->count);
    else if (first == last)
        length = snprintf(text, GOLDEN_TEXT, "value %" PRIu64 " of %" PRIu64 " differs", first,
                          now->count);
    else
        length = snprintf(text, GOLDEN_TEXT,
                          "the first value that differs is one of %" PRIu64 " to %" PRIu64
                          " of %" PRIu64,
                          first, last, now->count);
    if (i < places)
        (void)snprintf(text + length, GOLDEN_TEXT - (size_t)length,
                       "; value %" PRIu64 " is now %.17g", last, now->value[i]);
}

void golden(const checksum *c, const char *name, ...)
{
    char text[LONGEST];
    va_list arguments;
    va_start(arguments, name);
    (void)vsnprintf(text, sizeof text, name, arguments);
    va_end(arguments);
    if (writing) {
        printf("%s: %.17g %016" PRIx64 " %" PRIu64 " ", text, c->size, c->bits, c->count);
        for (size_t i = 0; i < c->places; i++)
            printf("%02x", c->byte[i]);
        printf("\n");
        return;
    }
    bool found = false;
    for (int i = 0; i < line_count; i++) {
        if (strcmp(lines[i].name, text) != 0)
            continue;
        found = lines[i].used = true;
        if (c->bits != lines[i].sum.bits) {
            char which[GOLDEN_TEXT];
            golden_difference(which, c, &lines[i].sum);
            fail_msg("%s: %s; the sum of all sizes is %.17g, was %.17g. First look for a "
                     "fault in what "
                     "you changed. Only if other bits are intended, run make regenerate",
                     text, which, c->size, lines[i].sum.size);
        }
    }
    if (!found)
        fail_msg("%s: nothing is recorded: run make regenerate", text);
}

static void read_sum(checksum *c, const char *text)
{
    char *end;
    c->size = strtod(text, &end);
    c->bits = strtoull(end, &end, 16);
    c->count = strtoull(end, &end, 10);
    for (end += *end == ' '; isxdigit((unsigned char)end[0]) && isxdigit((unsigned char)end[1]);
         end += 2)
        c->byte[c->places++] =
            (unsigned char)strtoul((const char[]){end[0], end[1], '\0'}, NULL, 16);
}

static void read_lines(const char *name)
{
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/%s", TEST_DATA, name);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        abort();
    for (char text[2 * LONGEST + 2 * GOLDEN_PLACES]; fgets(text, sizeof text, file) != NULL;) {
        const char *colon = strrchr(text, ':');
        if (colon == NULL || colon - text >= LONGEST || line_count == MOST)
            abort();
        (void)snprintf(lines[line_count].name, LONGEST, "%.*s", (int)(colon - text), text);
        read_sum(&lines[line_count++].sum, colon + 1);
    }
    (void)fclose(file);
}

/* Each line of the file stands for something: how many do not. Under emulation tests leave some out. */
static int unused_lines(void)
{
    int unused = 0;
    for (int i = 0; i < line_count && !is_emulated(); i++) {
        if (!lines[i].used)
            print_error("%s: nothing of that name: run make regenerate\n", lines[i].name);
        unused += !lines[i].used;
    }
    return unused;
}

int golden_main(int argc, char **argv, const char *file, const struct CMUnitTest *tests,
                size_t count)
{
    writing = argc == 2 && strcmp(argv[1], "write") == 0;
    for (size_t k = 0; writing && k < count; k++)
        tests[k].test_func(NULL);
    if (writing)
        return 0;
    read_lines(file);
    const int failed = _cmocka_run_group_tests(file, tests, count, NULL, NULL);
    return failed != 0 || unused_lines() != 0;
}
