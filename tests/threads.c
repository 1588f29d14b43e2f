/* threads.c - every flow, run by two threads at once, gives the bits that it gives alone.
 * Built and run by threads.sh. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "polhode/polhode.h"

enum { THREADS = 2, STEPS = 300 };

typedef struct job {
    ph_integrator integrator;
    ph_body body;
    ph_state state;
    ph_status status;
} job;

static void *work(void *context)
{
    job *j = context;
    j->status = ph_run(&j->integrator, &j->body, &j->state, 0.1, STEPS, NULL, NULL, NULL);
    return NULL;
}

int main(void)
{
    size_t count;
    const ph_flow *const *flows = ph_flows(&count);
    int wrong = 0;
    for (size_t f = 0; f < count; f++) {
        job together[THREADS], alone[THREADS];
        pthread_t threads[THREADS];
        memset(together, 0, sizeof together);
        for (int t = 0; t < THREADS; t++) {
            const ph_vec3 J = {1.0 + t, 2.0, 2.5 + t};
            together[t].integrator.flow = flows[f];
            together[t].state = (ph_state){{1, 0, 0, 0}, {0.3, -0.4 - t, 0.5}};
            wrong += ph_body_from_moments(&together[t].body, J) != PH_OK;
        }
        memcpy(alone, together, sizeof alone);
        for (int t = 0; t < THREADS; t++)
            wrong += pthread_create(&threads[t], NULL, work, &together[t]) != 0;
        for (int t = 0; t < THREADS; t++)
            wrong += pthread_join(threads[t], NULL) != 0;
        for (int t = 0; t < THREADS; t++) {
            work(&alone[t]);
            wrong +=
                alone[t].status != PH_OK ||
                memcmp(&alone[t].state, &together[t].state, sizeof alone[t].state) != 0;
        }
    }
    printf("%zu flows in %d threads, %d differences\n", count, THREADS, wrong);
    return wrong != 0;
}
