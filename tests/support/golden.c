#include "support/golden.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4000, LONGEST = 120 };

static struct {
    char name[LONGEST];
    double size;
    uint64_t bits;
    bool used;
} lines[MOST];
static int line_count;
static bool writing;

/* FNV-1a on words of 64 bits, with a shift so that high bits reach low ones. */
void take(checksum *c, double x)
{
    const uint64_t prime = 0x100000001b3;
    uint64_t word;
    memcpy(&word, &x, sizeof word);
    c->bits = (c->bits ^ (isnan(x) ? 1 : word)) * prime; /* a NaN has no sign */
    c->bits ^= c->bits >> 29;
    c->size += isfinite(x) ? fabs(x) : 0.0;
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

void golden(const checksum *c, const char *name, ...)
{
    char text[LONGEST];
    va_list arguments;
    va_start(arguments, name);
    (void)vsnprintf(text, sizeof text, name, arguments);
    va_end(arguments);
    if (writing) {
        printf("%s: %.17g %016" PRIx64 "\n", text, c->size, c->bits);
        return;
    }
    bool found = false;
    for (int i = 0; i < line_count; i++) {
        if (strcmp(lines[i].name, text) != 0)
            continue;
        found = lines[i].used = true;
        if (c->bits != lines[i].bits)
            fail_msg("%s: other bits, together of the size %.17g, not %.17g; if that is "
                     "meant, run make regenerate",
                     text, c->size, lines[i].size);
    }
    if (!found)
        fail_msg("%s: nothing is recorded: run make regenerate", text);
}

static void read_lines(const char *name)
{
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/%s", TEST_DATA, name);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        abort();
    for (char text[2 * LONGEST]; fgets(text, sizeof text, file) != NULL;) {
        const char *colon = strrchr(text, ':');
        if (colon == NULL || colon - text >= LONGEST || line_count == MOST)
            abort();
        (void)snprintf(lines[line_count].name, LONGEST, "%.*s", (int)(colon - text),
                       text);
        char *end;
        lines[line_count].size = strtod(colon + 1, &end);
        lines[line_count++].bits = strtoull(end, NULL, 16);
    }
    (void)fclose(file);
}

/* Each line of the file stands for something: how many do not. */
static int unused_lines(void)
{
    int unused = 0;
    for (int i = 0; i < line_count; i++) {
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
