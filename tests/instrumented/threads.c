/* threads.c - every integrator, run by two threads at once, gives the bits that it gives
 * alone, and ThreadSanitizer sees no race. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "kinds/spheres/spheres_list.h"
#include "system/find.h"
#include "system/run_body.h"

enum { THREADS = 2, STEPS = 300 };

typedef struct job {
    ph_integrator integrator;
    ph_problem problem;
    ph_state state;
    ph_status status;
} job;

static void *work(void *context)
{
    job *j = context;
    j->status = ph_run_body(&j->integrator, &j->problem, &j->state, 0.1, STEPS, 0, NULL, NULL);
    return NULL;
}

/* How many of the threads differ from what they do alone. */
static int differences(const ph_integrator *integrator, const ph_problem *problem)
{
    job together[THREADS], alone[THREADS];
    pthread_t threads[THREADS];
    int wrong = 0;
    memset(together, 0, sizeof together);
    for (int t = 0; t < THREADS; t++) {
        together[t].integrator = *integrator;
        together[t].problem = *problem;
        together[t].problem.body.J = (ph_vec3){1.0 + t, 2.0, 2.5 + t};
        together[t].state = (ph_state){{1, 0, 0, 0}, {0.3, -0.4 - t, 0.5}};
    }
    memcpy(alone, together, sizeof alone);
    for (int t = 0; t < THREADS; t++)
        wrong += pthread_create(&threads[t], NULL, work, &together[t]) != 0;
    for (int t = 0; t < THREADS; t++)
        wrong += pthread_join(threads[t], NULL) != 0;
    for (int t = 0; t < THREADS; t++) {
        work(&alone[t]);
        wrong += alone[t].status != PH_OK ||
                 memcmp(&alone[t].state, &together[t].state, sizeof alone[t].state) != 0;
    }
    return wrong;
}

/* ---- spheres: each thread with a system of its own -------------------------------- */

enum { SPHERES = 16 };

typedef struct sphere_job {
    ph_integrator integrator;
    ph_spheres_problem problem;
    ph_vec3 q[SPHERES], w[SPHERES];
    ph_status status;
} sphere_job;

static void *work_spheres(void *context)
{
    sphere_job *j = context;
    ph_system *s = NULL;
    const ph_system_settings with = {.own_integrator = &j->integrator, .step = 0.01};
    j->status = ph_system_create_on_spheres(&with, &j->problem, &s);
    if (j->status == PH_OK) {
        j->status = ph_system_run(s, STEPS / 10, NULL);
        const ph_array *q = find_field(s, "q"), *w = find_field(s, "w");
        memcpy(j->q, q->data[0], q->count * sizeof *j->q);
        memcpy(j->w, w->data[0], w->count * sizeof *j->w);
    }
    ph_system_destroy(s);
    return NULL;
}

static int sphere_differences(const ph_method *method, const char *problem)
{
    sphere_job together[THREADS], alone;
    pthread_t threads[THREADS];
    int wrong = 0;
    memset(together, 0, sizeof together);
    memset(&alone, 0, sizeof alone);
    alone.integrator.method = method;
    alone.problem = *find_spheres_problem(problem);
    if (!ph_spheres_applicable(&alone.integrator, &alone.problem))
        return 0;
    for (int t = 0; t < THREADS; t++) {
        together[t] = alone;
        wrong += pthread_create(&threads[t], NULL, work_spheres, &together[t]) != 0;
    }
    for (int t = 0; t < THREADS; t++)
        wrong += pthread_join(threads[t], NULL) != 0;
    work_spheres(&alone);
    for (int t = 0; t < THREADS; t++)
        wrong += alone.status != PH_OK || memcmp(alone.q, together[t].q, sizeof alone.q) != 0 ||
                 memcmp(alone.w, together[t].w, sizeof alone.w) != 0;
    return wrong;
}

int main(void)
{
    const ph_problem *rest = find_problem("free"), *field = find_problem("heavy_top");
    size_t flow_count, scheme_count, method_count;
    const ph_flow *const *flows = ph_flows(&flow_count);
    const ph_scheme *const *schemes = ph_schemes(&scheme_count);
    const ph_method *const *methods = ph_methods(&method_count);
    int wrong = 0;
    for (size_t i = 0; i < flow_count; i++)
        wrong += differences(&(ph_integrator){.flow = flows[i]}, rest);
    for (size_t i = 0; i < scheme_count; i++)
        wrong +=
            differences(&(ph_integrator){.flow = find_flow("exact"), .scheme = schemes[i]}, field);
    for (size_t i = 0; i < method_count; i++)
        wrong += differences(&(ph_integrator){.method = methods[i]}, field);
    size_t sphere_count;
    const ph_method *const *sphere_methods = ph_spheres_methods(&sphere_count);
    for (size_t i = 0; i < sphere_count; i++)
        wrong += sphere_differences(sphere_methods[i], "magnets") +
                 sphere_differences(sphere_methods[i], "chain") +
                 sphere_differences(sphere_methods[i], "spins");
    printf("%zu flows, %zu schemes, %zu methods in %d threads, %d differences\n", flow_count,
           scheme_count, method_count, THREADS, wrong);
    return wrong != 0;
}
