/* bench_gpu.c - bodies on a device: the bits of the CPU, and how fast. Prints the tables of
 * docs/gpu.md.
 *
 *     bench_gpu [DEVICE [BODIES]]      with a number of bodies: the last table alone, of so many
 *
 * Bodies are generated on the device: J uniform as y + z, x + z, x + y with x, y, z in 0.2 to 1.2,
 * m in -2 to 2, attitudes uniform in the cube and normalised. A rate is that of the fastest of
 * some calls of ph_device_advance(), each with a read of a few bytes in the end: what a caller
 * waits for.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <polhode/device.h>

static const char DRAW[] =
    "static void generate(ulong i, ph_state *s, ph_vec3 *J, double *time)\n"
    "{\n"
    "    double x[10];\n"
    "    for (uint k = 0; k < 10; k++)\n"
    "        x[k] = random_number(i, k);\n"
    "    const ph_quat q = {x[0] - 0.5, x[1] - 0.5, x[2] - 0.5, x[3] - 0.5};\n"
    "    s->q = of_unit_length(q);\n"
    "    s->m = vec3(4.0 * x[4] - 2.0, 4.0 * x[5] - 2.0, 4.0 * x[6] - 2.0);\n"
    "    *J = vec3(0.4 + x[8] + x[9], 0.4 + x[7] + x[9], 0.4 + x[7] + x[8]);\n"
    "    *time = 1.0;\n"
    "}\n";

static ph_device *device;

static double seconds(void)
{
    struct timespec now;
    (void)timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Whether something went well; says what did not. */
static bool well(ph_status status, const char *what)
{
    if (status != PH_OK)
        printf("\n%s: %s\n%.3000s\n", what, ph_status_text(status),
               device == NULL ? "" : ph_device_log(device));
    (void)fflush(stdout);
    return status == PH_OK;
}

static void need(ph_status status, const char *what)
{
    if (!well(status, what))
        exit(1);
}

/* ---- bodies on the host ---------------------------------------------------------- */

enum { COLUMNS = 10 };

static ph_batch new_batch(size_t n)
{
    double *all = calloc(n * COLUMNS, sizeof *all), *c[COLUMNS];
    if (all == NULL) {
        (void)well(PH_NO_MEMORY, "host");
        exit(1);
    }
    for (int k = 0; k < COLUMNS; k++)
        c[k] = all + (size_t)k * n;
    return (ph_batch){n, {c[0], c[1], c[2], c[3]}, {c[4], c[5], c[6]}, {c[7], c[8], c[9]}};
}

static void copy_batch(const ph_batch *to, const ph_batch *from)
{
    memcpy(to->q[0], from->q[0], from->n * COLUMNS * sizeof(double));
}

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* Bodies whose attitude and momentum have the same bits. */
static size_t same_bits(const ph_batch *a, const ph_batch *b)
{
    size_t same = 0;
    for (size_t i = 0; i < a->n; i++) {
        bool equal = true;
        for (int k = 0; k < 4; k++)
            equal = equal && bits_of(a->q[k][i]) == bits_of(b->q[k][i]);
        for (int k = 0; k < 3; k++)
            equal = equal && bits_of(a->m[k][i]) == bits_of(b->m[k][i]);
        same += equal;
    }
    return same;
}

/* The moments of the generated bodies, which a download leaves out: asked for one by one would be
 * slow, so they are generated again. */
static double number_of(size_t i, unsigned k)
{
    uint64_t z = (16 * (uint64_t)i + k + 1) * 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static void fill(ph_device_bodies *bodies, const ph_batch *b)
{
    need(ph_device_generate(bodies, DRAW, 0, b->n), "draw");
    need(ph_device_download(bodies, b), "download");
    for (size_t i = 0; i < b->n; i++) {
        const double x = number_of(i, 7), y = number_of(i, 8), z = number_of(i, 9);
        double *const J[3] = {b->m[2] + b->n, b->m[2] + 2 * b->n, b->m[2] + 3 * b->n};
        J[0][i] = 0.4 + y + z;
        J[1][i] = 0.4 + x + z;
        J[2][i] = 0.4 + x + y;
    }
}

/* ---- the same bits --------------------------------------------------------------- */

static size_t differing;

static void compare(const char *name, const char *problem, double h, size_t n, uint64_t steps)
{
    ph_device_bodies *bodies;
    const ph_batch generated = new_batch(n), there = new_batch(n), here = new_batch(n);
    ph_device_run run = {.step = h, .steps = steps};
    const ph_problem *field = NULL;
    need(ph_integrator_named(name, &run.integrator), name);
    if (problem != NULL)
        need(ph_problem_named(problem, &field), problem);
    run.field = field;
    if (ph_device_applies(&run) != PH_OK) {
        printf("| `%s` | %s | not on devices yet |\n", name, problem ? problem : "free");
        return;
    }
    need(ph_device_bodies_create(device, n, NULL, &bodies), "memory");
    fill(bodies, &generated);
    const double before = seconds();
    if (!well(ph_device_advance(bodies, &run).status, name)) {
        differing += n;
        return;
    }
    const double built = seconds() - before;
    need(ph_device_download(bodies, &there), "download");
    copy_batch(&here, &generated);
    for (size_t i = 0; i < n; i++) {
        ph_problem own = field != NULL ? *field : (ph_problem){0};
        own.body = (ph_body){{here.J[0][i], here.J[1][i], here.J[2][i]}, {1, 0, 0, 0}, true};
        ph_state s = {{here.q[0][i], here.q[1][i], here.q[2][i], here.q[3][i]},
                      {here.m[0][i], here.m[1][i], here.m[2][i]}};
        for (uint64_t k = 0; k < steps; k++)
            need(ph_integrator_step(&run.integrator, &own, &s, (double)k * h, h), name);
        here.q[0][i] = s.q.w, here.q[1][i] = s.q.x, here.q[2][i] = s.q.y;
        here.q[3][i] = s.q.z;
        here.m[0][i] = s.m.x, here.m[1][i] = s.m.y, here.m[2][i] = s.m.z;
    }
    const size_t same = same_bits(&there, &here);
    differing += n - same;
    printf("| `%s` | %s | %g | %zu | %zu | %.2f %% | %.1f s |\n", name, problem ? problem : "free",
           h, n, n - same, 100.0 * (double)ph_device_fallbacks(bodies) / (double)n, built);
    (void)fflush(stdout);
    free(generated.q[0]);
    free(there.q[0]);
    free(here.q[0]);
    ph_device_bodies_destroy(bodies);
}

/* ---- rates ----------------------------------------------------------------------- */

/* A measurement takes about this long, and one that would take longer than the other is
 * left out. */
static const double ENOUGH = 0.3, TOO_LONG = 2.0;
enum { LAUNCHES_IN_A_RUN = 16 };

static double best_time(ph_device_bodies *bodies, const ph_device_run *run)
{
    double best = INFINITY, all = 0.0;
    for (int k = 0; k < 20 && (k < 2 || all < ENOUGH); k++) {
        const double before = seconds();
        if (!well(ph_device_advance(bodies, run).status, "advance"))
            return INFINITY;
        const double took = seconds() - before;
        if (took < best)
            best = took;
        all += took;
    }
    return best;
}

/* Body-steps a second; *rate is what was measured last, and if it says that this would take
 * too long, or there is no memory, the result is 0. */
static double rate_of(const ph_device_run *run, size_t n, double *rate)
{
    ph_device_bodies *bodies = NULL;
    const double work = (double)n * (double)run->steps;
    if (n > ph_device_most_bodies(device) || (*rate > 0.0 && work / *rate > TOO_LONG) ||
        ph_device_bodies_create(device, n, NULL, &bodies) != PH_OK)
        return 0.0;
    need(ph_device_generate(bodies, DRAW, 0, n), "draw");
    *rate = work / best_time(bodies, run);
    ph_device_bodies_destroy(bodies);
    return *rate;
}

static void print_rate(double rate)
{
    if (rate > 0.0)
        printf(" %.2e |", rate);
    else
        printf(" - |");
    (void)fflush(stdout);
}

static const size_t SIZES[] = {10000, 100000, 1000000, 16000000, 100000000};
enum { SIZE_COUNT = sizeof SIZES / sizeof *SIZES };

/* Numbers that a body has in memory, read and written: J, q, m; and q, m. */
enum { NUMBERS_READ = 10, NUMBERS_WRITTEN = 7 };

/* What the device can do at most, as measured here: bytes and operations a second. */
static double bytes_limit, operations_limit;

/* Additions, subtractions and products of a step in the program of a GPU, quotients and roots
 * counted as one; those of `exact` with one doubling. */
static const struct {
    const char *flow;
    double operations;
} COUNTED[] = {{"exact", 524.0}, {"mr", 423.0}};

/* The shares of these limits for a flow at the size of SIZES[3]. */
static void print_shares(const char *name, double h, uint64_t steps, double rate)
{
    const double bytes = 8.0 * (NUMBERS_READ + NUMBERS_WRITTEN) / (double)steps;
    for (size_t k = 0; k < sizeof COUNTED / sizeof *COUNTED; k++) {
        if (rate > 0.0 && strcmp(COUNTED[k].flow, name) == 0)
            printf("`%s`, h = %g, %" PRIu64 " steps a launch: %.0f %% of the bytes, %.0f %% of the "
                   "operations a second.\n",
                   name, h, steps, 100.0 * rate * bytes / bytes_limit,
                   100.0 * rate * COUNTED[k].operations / operations_limit);
    }
}

static double at_16_million[3][3];

static void rates_of(const char *name, const char *problem)
{
    static const double STEPS[] = {0.1, 1.0, 5.0};
    static const uint64_t LAUNCHES[] = {1, 10, 100};
    const ph_problem *field = NULL;
    ph_problem scaled;
    ph_device_run run = {0};
    need(ph_integrator_named(name, &run.integrator), name);
    if (problem != NULL) {
        need(ph_problem_named(problem, &field), problem);
        scaled = *field;
        scaled.value[0] = 1.0 / 3.0; /* of the satellite: 3 mu/radius^3 = 1 */
        scaled.value[1] = 1.0;
        run.field = &scaled;
    }
    if (ph_device_applies(&run) != PH_OK)
        return;
    for (size_t a = 0; a < sizeof STEPS / sizeof *STEPS; a++) {
        if (problem != NULL && a > 0)
            break;
        for (size_t b = 0; b < sizeof LAUNCHES / sizeof *LAUNCHES; b++) {
            double rate = 0.0;
            run.step = STEPS[a];
            run.steps_per_launch = LAUNCHES[b];
            run.steps = LAUNCHES_IN_A_RUN * LAUNCHES[b];
            printf("| `%s`", name);
            if (problem != NULL)
                printf(" %s", problem);
            printf(" | %g | %" PRIu64 " |", run.step, run.steps_per_launch);
            at_16_million[a][b] = 0.0;
            for (int k = 0; k < SIZE_COUNT; k++) {
                const double now = rate_of(&run, SIZES[k], &rate);
                print_rate(now);
                if (k == 3)
                    at_16_million[a][b] = now;
            }
            printf("\n");
        }
    }
}

/* One core and all cores of the CPU, by ph_batch_run(). */
static void cpu_rates(const char *name)
{
    enum { BODIES = 100000, STEPS = 4 };
    const ph_batch generated = new_batch(BODIES), b = new_batch(BODIES);
    ph_device_bodies *bodies;
    ph_integrator integrator;
    need(ph_integrator_named(name, &integrator), name);
    need(ph_device_bodies_create(device, BODIES, NULL, &bodies), "memory");
    fill(bodies, &generated);
    static const double H[] = {0.1, 1.0, 5.0};
    for (size_t a = 0; a < sizeof H / sizeof *H; a++) {
        printf("| `%s` | %g |", name, H[a]);
        for (int threads = 1; threads >= 0; threads--) {
            double best = INFINITY, all = 0.0;
            ph_set_threads(threads);
            for (int k = 0; k < 20 && (k < 3 || all < ENOUGH); k++) {
                copy_batch(&b, &generated);
                const double before = seconds();
                need(ph_batch_run(&integrator, &b, H[a], STEPS, NULL, NULL).status, name);
                const double took = seconds() - before;
                if (took < best)
                    best = took;
                all += took;
            }
            print_rate((double)BODIES * STEPS / best);
        }
        printf("\n");
    }
    ph_set_threads(0);
    ph_device_bodies_destroy(bodies);
    free(generated.q[0]);
    free(b.q[0]);
}

/* ---- what the device can do at most ---------------------------------------------- */

/* The fastest of some draws of n bodies by a source. */
static double time_of_draw(const char *source, size_t n)
{
    ph_device_bodies *bodies;
    ph_device_statistics result;
    const ph_device_reduction first = {"m.x", NULL, 0.0, 0.0, 0};
    double best = INFINITY;
    need(ph_device_bodies_create(device, n, NULL, &bodies), "memory");
    for (int k = 0; k < 6; k++) { /* a reduction of one body waits until they are generated */
        const double before = seconds();
        need(ph_device_generate(bodies, source, 0, n), "draw");
        need(ph_device_generate(bodies, source, 0, n), "draw");
        need(ph_device_generate(bodies, source, 0, 1), "draw");
        need(ph_device_reduce(bodies, &first, &result, NULL), "reduce");
        const double took = seconds() - before;
        if (took < best)
            best = took;
    }
    ph_device_bodies_destroy(bodies);
    return 0.5 * best;
}

static void print_limits(size_t n)
{
    enum { CHAINS = 8, LENGTH = 1000, NUMBERS = 11 };
    static const char writing[] =
        "static void generate(ulong i, ph_state *s, ph_vec3 *J, double *time)\n"
        "{\n    s->m.x = (double)i;\n}\n";
    char working[1024];
    static const char *const operations[] = {"x[k] * 0.999 + 1e-3", "fma(x[k], 0.999, 1e-3)"};
    bytes_limit = NUMBERS * 8.0 * (double)n / time_of_draw(writing, n);
    printf("Writes: %.3g GB/s.", 1e-9 * bytes_limit);
    for (int k = 0; k < 2; k++) {
        (void)snprintf(working, sizeof working,
                       "static void generate(ulong i, ph_state *s, ph_vec3 *J, double *time)\n"
                       "{\n    double x[%d];\n    for (int k = 0; k < %d; k++)\n"
                       "        x[k] = (double)i + k;\n"
                       "    for (int j = 0; j < %d; j++) {\n"
                       "        for (int k = 0; k < %d; k++)\n            x[k] = %s;\n    }\n"
                       "    for (int k = 0; k < %d; k++)\n        s->m.x += x[k];\n}\n",
                       CHAINS, CHAINS, LENGTH, CHAINS, operations[k], CHAINS);
        const double rate = 2.0 * CHAINS * LENGTH * (double)n / time_of_draw(working, n);
        if (k == 0)
            operations_limit = rate;
        printf(" %s: %.3g G/s.", k == 0 ? "Products and sums" : "The same fused", 1e-9 * rate);
        (void)fflush(stdout);
    }
    printf("\n");
}

/* ---- ensembles ------------------------------------------------------------------- */

enum { BLOCK = 1 << 18, COMPARED = 512, OWN = 8 };

/* Number k of body i, uniform in -1 to 1. */
static double number(uint64_t i, uint64_t k)
{
    uint64_t z = (16 * i + k + 1) * 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1.0;
}

/* Spacecraft with uncertain starts, gravity gradient, damping and a dipole, as the group `ensemble`
 * of the benchmark has them. */
static ph_ensemble *spacecraft(uint64_t first, size_t count)
{
    static const double dipole[] = {1.0, -0.5, 0.3}, axis[] = {7.2e6}, e[] = {0.02};
    const ph_setting same[] = {
        {"dipole", dipole, 3}, {"semi_major_axis", axis, 1}, {"eccentricity", e, 1}};
    const ph_system_settings all = {"spacecraft", .integrator = "dop853", .tolerance = 1e-9,
                                    .settings = same, .setting_count = 3};
    double(*own)[OWN] = malloc(count * sizeof *own);
    ph_ensemble *made = NULL;
    if (own == NULL) {
        fputs("bench_gpu: not enough memory\n", stderr);
        exit(1);
    }
    for (size_t i = 0; i < count; i++) {
        for (uint64_t k = 0; k < 3; k++) {
            own[i][k] = 2.5e-3 * number(first + i, k);
            own[i][3 + k] = 100.0 + 7.0 * number(first + i, 3 + k);
        }
        own[i][6] = 1e-3 * (1.1 + number(first + i, 6));
        own[i][7] = 3.0 * number(first + i, 7);
    }
    const ph_each each[] = {{"velocity", own[0], 3, OWN, 1},
                            {"inertia", own[0] + 3, 3, OWN, 1},
                            {"damping", own[0] + 6, 1, OWN, 1},
                            {"anomaly", own[0] + 7, 1, OWN, 1}};
    need(ph_ensemble_create(&all, each, 4, count, NULL, &made), "ensemble");
    free(own);
    return made;
}

static double end_of_orbits(void)
{
    const double pi = 3.14159265358979323846, mu = 3.986004418e14, a = 7.2e6;
    return floor(20.0 * 2.0 * pi * sqrt(a * a * a / mu));
}

/* Their time on one core of the host; those with other bits there are counted. */
static double time_here(ph_ensemble *moved)
{
    ph_ensemble *e = spacecraft(0, COMPARED);
    ph_set_threads(1);
    const double before = seconds();
    need(ph_ensemble_run(e, end_of_orbits(), NULL), "the CPU");
    const double took = seconds() - before;
    ph_set_threads(0);
    for (size_t i = 0; i < COMPARED && i < ph_ensemble_count(moved); i++) {
        const ph_state a = ph_system_state(ph_ensemble_system(e, i)),
                       b = ph_system_state(ph_ensemble_system(moved, i));
        differing += memcmp(&a, &b, sizeof a) != 0;
    }
    ph_ensemble_destroy(e);
    return took / COMPARED;
}

/* The first block runs twice: the first time the program is compiled. */
static void print_ensemble(size_t n)
{
    double moving = 0.0, making = 0.0, first = 0.0, here = 0.0;
    for (size_t done = 0, again = 1; done < n; again = 0) {
        const size_t count = n - done < BLOCK ? n - done : BLOCK;
        const double begun = seconds();
        ph_ensemble *e = spacecraft(done, count);
        const double made = seconds();
        need(ph_device_run_ensemble(device, e, end_of_orbits(), NULL), "the device");
        const double moved = seconds();
        if (again) {
            first = moved - made;
            here = time_here(e);
        } else {
            making += made - begun;
            moving += moved - made;
            done += count;
        }
        ph_ensemble_destroy(e);
    }
    printf("\n## Spacecraft over 20 orbits, dop853 to 1e-9\n\n| bodies | s moving | us a "
           "body "
           "| us a body, one core | ratio_gpu_ensemble | s making them | s first block |\n"
           "|---|---|---|---|---|---|---|\n| %zu | %.3g | %.3g | %.4g | %.4g | %.3g | %.3g "
           "|\n",
           n, moving, 1e6 * moving / (double)n, 1e6 * here, here * (double)n / moving, making,
           first);
    (void)fflush(stdout);
}

int main(int argc, char **argv)
{
    static const char *const flows[] = {"exact", "mr", "dmv8"};
    static const double H[] = {0.1, 1.0, 5.0};
    const ph_status opened = ph_device_create(argc > 1 ? argv[1] : "any", &device);
    if (opened == PH_NO_DEVICE) {
        printf("bench_gpu: skipped: %s\n", ph_status_text(opened));
        return 0;
    }
    need(opened, "open");
    const ph_device_info *info = ph_device_about(device);
    printf("%s, %s, %d units, %.1f GB.\n", info->name, info->platform, info->units,
           1e-9 * (double)info->memory);
    if (argc > 2) {
        print_ensemble((size_t)strtod(argv[2], NULL));
        ph_device_destroy(device);
        return differing == 0 ? 0 : 1;
    }
    print_limits(info->gpu ? 16000000 : 100000);

    printf("\n## The same bits as a step on the CPU\n\n| integrator | field | h | bodies | "
           "different | by second kernel | first run "
           "|\n|---|---|---|---|---|---|---|\n");
    const size_t n = 200000;
    for (size_t a = 0; a < sizeof flows / sizeof *flows; a++) {
        for (size_t b = 0; b < sizeof H / sizeof *H; b++)
            compare(flows[a], NULL, H[b], n, 3);
    }
    compare("verlet+exact", "satellite", 0.1, n, 2);

    printf("\n## Body-steps a second\n\n| integrator | h | steps a launch |");
    for (int k = 0; k < SIZE_COUNT; k++)
        printf(" %.1e |", (double)SIZES[k]);
    printf("\n|---|---|---|---|---|---|---|---|\n");
    double shares[2][3] = {{0}}; /* at h = 0.1 */
    for (size_t a = 0; a < sizeof flows / sizeof *flows; a++) {
        rates_of(flows[a], NULL);
        if (a < 2)
            memcpy(shares[a], at_16_million[0], sizeof shares[a]);
    }
    rates_of("verlet+exact", "satellite");
    printf("\nOf what was measured above, at %.1e bodies:\n\n", (double)SIZES[3]);
    for (size_t a = 0; a < 2; a++) {
        print_shares(flows[a], 0.1, 1, shares[a][0]);
        print_shares(flows[a], 0.1, 10, shares[a][1]);
        print_shares(flows[a], 0.1, 100, shares[a][2]);
    }

    printf("\n## The CPU, body-steps a second\n\n| flow | h | one core | all %d |\n"
           "|---|---|---|---|\n",
           ph_threads());
    for (size_t a = 0; a < sizeof flows / sizeof *flows; a++)
        cpu_rates(flows[a]);

    printf("\n## The same bits, other flows and fields\n\n| integrator | field | h | "
           "bodies | "
           "different | by second kernel | first run "
           "|\n|---|---|---|---|---|---|---|\n");
    static const char *const others[] = {"sr2", "dmv2", "dmv10", "gauss8", "rotation_gauss6"};
    for (size_t a = 0; a < sizeof others / sizeof *others; a++)
        compare(others[a], NULL, 1.0, n, 2);
    static const char *const fields[] = {"heavy_top", "soft_wall", "well"};
    for (size_t a = 0; a < sizeof fields / sizeof *fields; a++)
        compare("srkn4_6b+exact", fields[a], 0.1, n, 1);
    print_ensemble(info->gpu ? 1000000 : 2000);
    printf("\n%zu of all these bodies differ.\n", differing);
    ph_device_destroy(device);
    return differing == 0 ? 0 : 1;
}
