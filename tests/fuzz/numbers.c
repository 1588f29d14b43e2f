/* numbers.c - numbers, lists of them, instants, parameters and steps, as they stand on the
 * command line.
 *
 * The first byte says how many numbers are wanted; the rest is the text.
 */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/extremes.h"
#include "fuzz.h"
#include "tool/files/file_text.h"
#include "tool/input/input.h"

enum { MOST_NUMBERS = 64 };
static const command numbers = {
    .name = "numbers",
    .help = "\nOptions:\n    --time t[,t...]\n    --set name=value\n",
};

/* ---- one number ------------------------------------------------------------------ */

static void check_number(const char *text)
{
    const double before = 0.5;
    const char *at = text;
    double x = before;
    if (number_read(&at, &x) == NUMBER_OK) {
        char *end;
        require(isfinite(x), "a number is finite");
        require(x == strtod(text, &end) && end <= at, "it is what strtod reads");
        require(end[strspn(end, " \t")] == *at, "spaces after it are skipped");
    } else {
        require(at == text && x == before, "a failure changes nothing");
    }
}

/* ---- what the command line makes of them ----------------------------------------- */

typedef struct wanted {
    const char *text;
    size_t count;
} wanted;

static int take_numbers(void *context)
{
    const wanted *w = context;
    double x[MOST_NUMBERS];
    const int status = read_numbers("--numbers", "x,y,z", w->text, w->count, x);
    for (size_t i = 0; i < w->count && status == 0; i++)
        require(isfinite(x[i]), "number %zu is finite", i);
    require(status != 0 || list_length(w->text) == w->count, "there are %zu", w->count);
    return status;
}

static int take_instants(void *context)
{
    const wanted *w = context;
    char name[] = "--time", *value = strdup(w->text), *words[] = {name, value};
    arguments given;
    time_list t = {0};
    int status = arguments_read(&given, &numbers, 2, words);
    if (status == 0) {
        status = times_read(&t, &given, "--time");
        if (status == 0) {
            require(t.count > 0, "there is an instant");
            require(times_at(&t, t.count - 1) == (t.count == 1 ? t.start : t.end),
                    "the last one is the end");
            for (unsigned long long i = 0; i < t.count && i < MOST_NUMBERS; i++)
                require(isfinite(times_at(&t, i)), "instant %llu is finite", i);
        }
    }
    free(value);
    return status;
}

static int take_parameters(void *context)
{
    const wanted *w = context;
    char name[] = "--set", *value = strdup(w->text), *words[] = {name, value};
    arguments given;
    scenario input = {0};
    int status = arguments_read(&given, &numbers, 2, words);
    if (status == 0) {
        status = input_take(&input, &given, false);
        require(status != 0 || input.named_count == 1, "there is one parameter");
    }
    free(value);
    return status;
}

static int take_steps(void *context)
{
    const wanted *w = context;
    double x[2]; /* step and time */
    uint64_t steps, every;
    int status = read_numbers("--step", "h,T", w->text, 2, x);
    if (status == 0)
        status = count_steps("", x[0], x[1], &steps);
    if (status == 0)
        require(fabs((double)steps - x[1] / x[0]) <=
                    1e-9 * larger_or_nan(1.0, (double)steps) * (1.0 + 1e-9),
                "%g steps of %g are %g", (double)steps, x[0], x[1]);
    if (status == 0)
        status = read_every("--every", x[0], &every);
    require(status != 0 || (double)every == x[0], "every is a whole number");
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = calloc(size + 1, 1);
    require(text != NULL, "there is memory");
    if (size > 1)
        memcpy(text, data + 1, size - 1);
    wanted w = {text, size == 0 ? 1 : 1 + data[0] % MOST_NUMBERS};
    for (const char *at = text;; at++) {
        check_number(at);
        at += strcspn(at, ",:=");
        if (*at == '\0')
            break;
    }
    (void)check_promises(take_numbers, &w);
    (void)check_promises(take_instants, &w);
    (void)check_promises(take_parameters, &w);
    (void)check_promises(take_steps, &w);
    free(text);
    return 0;
}
