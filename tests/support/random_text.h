/* random_text.h - expressions made up at random, for the tests of their parser and derivatives. */
#ifndef TESTS_SUPPORT_RANDOM_TEXT_H
#define TESTS_SUPPORT_RANDOM_TEXT_H

#include <stdbool.h>
#include <stdint.h>

enum { RANDOM_TEXT = 700 };

typedef struct random_text {
    char of[RANDOM_TEXT];
    uint64_t seed;
} random_text;

/* One of 0 to count - 1. */
int choice(random_text *t, int count);

void append(random_text *t, const char *word);

/* The words of an expression, each list ends with NULL. */
typedef struct random_words {
    const char *const *names, *const *numbers, *const *between;
    const char *const *other_names; /* beside the names; or NULL */
    /* More functions of functions, and operands in parentheses, one of three multiplied by a
     * number; else operands stand as they are, and their signs may change. */
    bool steep;
} random_words;

/* Appends an expression of functions and operators in at most that depth. */
void append_expression(random_text *t, const random_words *w, int depth);

#endif
