/* step_bits.c - checksums of the bits that polhode_step.h computes, C99 and C++ alike, without
 * anything else of the library: of bodies that move, and of input of every sort, for which it checks
 * the promises of polhode_step.h. tests/step.sh compiles it by every compiler at hand, and compares
 * what it prints with the two lines of tests/vectors/step_bits.txt. */
#include "polhode_step.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t state = 1, sum = 14695981039346656037u;

/* Uniform between -1 and 1, by xorshift. */
static double next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(int64_t)(state >> 11) / 4503599627370496. - 1;
}

static void add(const void *bytes, size_t size)
{
    unsigned char b[64];
    size_t i;
    memcpy(b, bytes, size);
    for (i = 0; i < size; i++)
        sum = (sum ^ b[i]) * 1099511628211u;
}

static void print_sum(void)
{
    printf("%08lx%08lx\n", (unsigned long)(sum >> 32), (unsigned long)(sum & 0xffffffffu));
}

/* ---- input of every sort ------------------------------------------------------------- */

enum { SPECIAL = 16, NUMBERS = 11 }; /* q, w, J, dt */
static const double special[SPECIAL] = {0,
                                        -0.,
                                        1,
                                        -1,
                                        2,
                                        1e-5,
                                        4.9e-324,
                                        1e-300,
                                        -1e-160,
                                        1e160,
                                        -1e300,
                                        1.7976931348623157e308,
                                        -1.7976931348623157e308,
                                        INFINITY,
                                        -INFINITY,
                                        NAN};
static const float specialf[SPECIAL] = {0,
                                        -0.f,
                                        1,
                                        -1,
                                        2,
                                        1e-5f,
                                        1e-45f,
                                        1e-37f,
                                        -1e-20f,
                                        1e20f,
                                        -1e38f,
                                        3.4028235e38f,
                                        -3.4028235e38f,
                                        INFINITY,
                                        -INFINITY,
                                        NAN};

/* A special number, or an ordinary one. Most bodies have few special numbers. */
static void draw(int few, double *x, float *f)
{
    const double a = next(), b = next();
    const int i = (int)((b + 1) * (SPECIAL / 2));
    const int take = a > (few ? 0.8 : 0);
    *x = take ? special[i] : b;
    *f = take ? specialf[i] : (float)b;
}

static int is_motion(const double x[NUMBERS])
{
    int i, good = x[7] == x[7] && x[8] == x[8] && x[9] == x[9] &&
                  (x[0] != 0 || x[1] != 0 || x[2] != 0 || x[3] != 0);
    for (i = 0; i < NUMBERS; i++)
        good = good && (fabs(x[i]) < INFINITY || (i >= 7 && i < 10));
    return good;
}

/* Whether x is what it was, or, of a motion, finite with q of unit length. Bits of motions are
 * added. */
static int holds(const double before[NUMBERS], const double after[7], double round_off)
{
    double length = 0;
    int i, same = 1;
    for (i = 0; i < 7; i++) {
        same = same && (after[i] == before[i] || (after[i] != after[i] && before[i] != before[i]));
        length += i < 4 ? after[i] * after[i] : 0;
    }
    if (!is_motion(before))
        return same;
    for (i = 4; i < 7; i++)
        length += 0 * after[i];
    add(after, 7 * sizeof *after);
    return fabs(length - 1) < round_off;
}

static int check_every_sort(int world)
{
    double x[NUMBERS], y[NUMBERS];
    float f[NUMBERS], g[NUMBERS];
    const int few = next() > 0;
    int i;
    for (i = 0; i < NUMBERS; i++) {
        draw(few, &x[i], &f[i]);
        y[i] = x[i];
        g[i] = f[i];
    }
    (world ? polhode_step_world : polhode_step)(y, y + 4, y + 7, y[10]);
    (world ? polhode_stepf_world : polhode_stepf)(g, g + 4, g + 7, g[10]);
    if (!holds(x, y, 1e-14))
        return 0;
    for (i = 0; i < NUMBERS; i++) {
        x[i] = f[i];
        y[i] = g[i];
    }
    return holds(x, y, 1e-6);
}

int main(void)
{
    int body, step, i;
    for (body = 0; body < 2000; body++) {
        double q[4], w[3], J[3];
        float qf[4], wf[3], Jf[3];
        const double dt = (body % 5 == 4 ? 20 : 1) * next();
        for (i = 0; i < 4; i++) {
            q[i] = next();
            qf[i] = (float)q[i];
        }
        for (i = 0; i < 3; i++) {
            w[i] = next();
            J[i] = body % 3 == 0 && i > 0 ? J[0] : 1.25 + next();
            wf[i] = (float)w[i];
            Jf[i] = (float)J[i];
        }
        for (step = 0; step < 20; step++) {
            polhode_step(q, w, J, dt);
            polhode_step_world(q, w, J, dt);
            polhode_stepf(qf, wf, Jf, (float)dt);
            polhode_stepf_world(qf, wf, Jf, (float)dt);
        }
        add(q, sizeof q);
        add(w, sizeof w);
        add(qf, sizeof qf);
        add(wf, sizeof wf);
    }
    print_sum();
    for (i = 0; i < 5000; i++)
        if (!check_every_sort(i % 2)) {
            printf("input %d of every sort breaks a promise\n", i);
            return 1;
        }
    print_sum();
    return 0;
}
