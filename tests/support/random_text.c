/* random_text.c - expressions made up at random. */
#include "support/random_text.h"

#include <stdio.h>
#include <string.h>

#include "base/random.h"

int choice(random_text *t, int count)
{
    return (int)(random_bits(&t->seed) >> 33) % count;
}

void append(random_text *t, const char *word)
{
    const size_t length = strlen(t->of);
    (void)snprintf(t->of + length, RANDOM_TEXT - length, "%s", word);
}

static void append_one(random_text *t, const char *const *words)
{
    int count = 0;
    while (words[count] != NULL)
        count++;
    append(t, words[choice(t, count)]);
}

static const char *const ONE[] = {"sin",  "cos",  "tan", "asin", "acos", "atan", "sinh",
                                  "cosh", "tanh", "exp", "log",  "sqrt", "abs",  NULL};
static const char *const TWO[] = {"atan2", "min", "max", NULL};

static void append_call(random_text *t, const random_words *w, int depth, bool two)
{
    append_one(t, two ? TWO : ONE);
    append(t, "(");
    append_expression(t, w, depth);
    if (two) {
        append(t, ", ");
        append_expression(t, w, depth);
    }
    append(t, ")");
}

static void append_steep_operator(random_text *t, const random_words *w, int depth)
{
    append(t, "(");
    if (choice(t, 3) == 0) {
        append_one(t, w->numbers);
        append(t, "*");
    }
    append_expression(t, w, depth);
    append(t, ")");
    append_one(t, w->between);
    append(t, "(");
    append_expression(t, w, depth);
    append(t, ")");
}

static void append_operator(random_text *t, const random_words *w, int depth)
{
    append_expression(t, w, depth);
    append_one(t, w->between);
    append_expression(t, w, depth);
}

static void append_sign(random_text *t, const random_words *w, int depth)
{
    const bool minus = choice(t, 2);
    append(t, minus ? "-" : "(");
    append_expression(t, w, depth);
    append(t, minus ? "" : ")");
}

void append_expression(random_text *t, const random_words *w, int depth)
{
    const int kind = depth == 0 ? choice(t, 3) : w->steep ? 2 + choice(t, 7) : choice(t, 9);
    if (kind == 0)
        append_one(t, w->numbers);
    else if (kind <= 2)
        append_one(t, kind == 1 && w->other_names != NULL ? w->other_names : w->names);
    else if (w->steep && kind <= 5)
        append_call(t, w, depth - 1, kind == 5 && choice(t, 3) == 0);
    else if (w->steep)
        append_steep_operator(t, w, depth - 1);
    else if (kind <= 4)
        append_call(t, w, depth - 1, kind == 4);
    else if (kind == 5)
        append_sign(t, w, depth - 1);
    else
        append_operator(t, w, depth - 1);
}
