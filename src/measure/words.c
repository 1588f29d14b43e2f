/* words.c - truncated power series in letters that do not commute. */
#include "measure/words.h"

#include <string.h>

size_t ph_words_count(const words *w, int length)
{
    size_t count = 1;
    for (int n = 0; n < length; n++)
        count *= (size_t)w->letters;
    return count;
}

size_t ph_words_begin(const words *w, int length)
{
    size_t begin = 0;
    for (int n = 0; n < length; n++)
        begin += ph_words_count(w, n);
    return begin;
}

void ph_words_one(words *w, int letters)
{
    *w = (words){.letters = letters, .of = {1.0}};
}

void ph_words_multiply(words *a, const words *b)
{
    words product = {.letters = a->letters};
    for (int n = 0; n <= WORDS_DEGREE; n++) {
        const size_t count_n = ph_words_count(a, n);
        const double *left = a->of + ph_words_begin(a, n);
        for (int m = 0; n + m <= WORDS_DEGREE; m++) {
            const size_t count_m = ph_words_count(a, m);
            const double *right = b->of + ph_words_begin(a, m);
            double *to = product.of + ph_words_begin(a, n + m);
            for (size_t u = 0; u < count_n; u++) {
                for (size_t v = 0; left[u] != 0.0 && v < count_m; v++)
                    to[u * count_m + v] += left[u] * right[v];
            }
        }
    }
    *a = product;
}

static void add(words *sum, double c, const words *a)
{
    const size_t count = ph_words_begin(a, WORDS_DEGREE + 1);
    for (size_t k = 0; k < count; k++)
        sum->of[k] += c * a->of[k];
}

void ph_words_exp(words *out, const words *z)
{
    words power = *z;
    double factor = 1.0;
    ph_words_one(out, z->letters);
    for (int n = 1; n <= WORDS_DEGREE; n++) {
        factor /= n;
        add(out, factor, &power);
        ph_words_multiply(&power, z);
    }
}

void ph_words_log(words *out, const words *a)
{
    words z = *a, power;
    z.of[0] = 0.0;
    power = z;
    *out = (words){.letters = a->letters};
    for (int n = 1; n <= WORDS_DEGREE; n++) {
        add(out, (n % 2 == 1 ? 1.0 : -1.0) / n, &power);
        ph_words_multiply(&power, &z);
    }
}
