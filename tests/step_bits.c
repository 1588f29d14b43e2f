/* step_bits.c - a checksum of the bits that polhode_step.h computes, C99 and C++ alike, without
 * anything else of the library. tests/step.sh compiles it by every compiler at hand, and compares
 * what it prints with the one line of tests/vectors/step_bits.txt. */
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
    printf("%08lx%08lx\n", (unsigned long)(sum >> 32),
           (unsigned long)(sum & 0xffffffffu));
    return 0;
}
