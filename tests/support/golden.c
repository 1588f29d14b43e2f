#include "support/golden.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Round-off of some hundred operations, other mathematical libraries included; a wrong
 * formula changes the third digit. */
static const double TOLERANCE = 1e-11;

enum { MOST = 4000, LONGEST = 120 };

static struct {
    char name[LONGEST];
    double sum;
    bool used;
} lines[MOST];
static int line_count;
static bool writing;

void take(checksum *c, double x)
{
    const double golden_ratio = 1.6180339887498948482, at = ++c->count * golden_ratio;
    const double weight = 1.0 + (at - floor(at));
    c->sum += weight * x;
    c->size += weight * fabs(x);
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

void golden(const checksum *c, const char *name, ...)
{
    char text[LONGEST];
    va_list arguments;
    va_start(arguments, name);
    (void)vsnprintf(text, sizeof text, name, arguments);
    va_end(arguments);
    if (writing) {
        printf("%s: %.15g\n", text, c->sum);
        return;
    }
    for (int i = 0; i < line_count; i++) {
        if (strcmp(lines[i].name, text) != 0)
            continue;
        lines[i].used = true;
        const double tolerance = c->tolerance > 0.0 ? c->tolerance : TOLERANCE;
        if (!(isfinite(c->sum) && fabs(c->sum - lines[i].sum) <= tolerance * c->size))
            fail_msg("%s: %.15g, not %.15g; if that is meant, write the file anew", text,
                     c->sum, lines[i].sum);
    }
}

void golden_open(const char *name, bool write)
{
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/%s", TEST_DATA, name);
    writing = write;
    if (write)
        return;
    FILE *file = fopen(path, "r");
    if (file == NULL)
        abort();
    for (char text[2 * LONGEST]; fgets(text, sizeof text, file) != NULL;) {
        const char *colon = strrchr(text, ':');
        if (colon == NULL || colon - text >= LONGEST || line_count == MOST)
            abort();
        (void)snprintf(lines[line_count].name, LONGEST, "%.*s", (int)(colon - text),
                       text);
        lines[line_count++].sum = strtod(colon + 1, NULL);
    }
    (void)fclose(file);
}

int golden_unused(void)
{
    int unused = 0;
    for (int i = 0; i < line_count; i++) {
        if (!lines[i].used)
            print_message("%s: nothing of that name\n", lines[i].name);
        unused += !lines[i].used;
    }
    return unused;
}
