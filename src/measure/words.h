/* words.h - truncated power series in letters that do not commute. */
#pragma once

#include <stddef.h>

enum { WORDS_DEGREE = 5, WORDS_LETTERS = 4, WORDS_MOST = 1365 };

/* A coefficient for every word of up to WORDS_DEGREE letters out of `letters`: those of one
 * letter after that of the empty word, and so on; words of one length in the order of
 * numbers whose first digit is the first letter. */
typedef struct words {
    int letters;
    double of[WORDS_MOST];
} words;

/* Where the words of a length begin, and how many there are. */
size_t ph_words_begin(const words *w, int length);
size_t ph_words_count(const words *w, int length);

/* The series 1; and a = a b. */
void ph_words_one(words *w, int letters);
void ph_words_multiply(words *a, const words *b);

/* The exponential of a series without constant term, and the logarithm of one with the
 * constant term 1. */
void ph_words_exp(words *out, const words *z);
void ph_words_log(words *out, const words *a);
