/* gpu_catalogue.c - a catalogue of any length on a GPU: where does the third axis point?
 *
 *     gpu_catalogue [BODIES [TIME [DEVICE]]]
 *
 * The catalogue of mpi_catalogue.c: bodies of random shape and momentum, all with the same
 * attitude at first, are asked for their attitude a random time up to TIME later. They are
 * generated on the device from their numbers, brought to their times and counted there, a block
 * at a time: nothing but the counts comes back, and these have the same bits on any device
 * and for blocks of any length.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <polhode/device.h>

enum { BINS = 64 };
static const size_t BLOCK = (size_t)1 << 24;

/* As C, for the device. TIME stands before it. */
static const char DRAW[] =
    "static void generate(ulong i, ph_state *s, ph_vec3 *J, double *time)\n"
    "{\n"
    "    s->q = (ph_quat){1, 0, 0, 0};\n"
    "    s->m.x = 2.0 * random_number(i, 0) - 1.0;\n"
    "    s->m.y = 2.0 * random_number(i, 1) - 1.0;\n"
    "    s->m.z = 2.0 * random_number(i, 2) - 1.0;\n"
    "    J->x = 0.5 + 0.5 * random_number(i, 3);\n"
    "    J->y = 0.5 + 0.5 * random_number(i, 4);\n"
    "    J->z = 0.5 + 0.5 * random_number(i, 5);\n"
    "    *time = TIME * random_number(i, 6);\n"
    "}\n"
    /* what the energy has changed by, relative to that of the generated body */
    "static double energy_error(ulong i, ph_vec3 m, ph_vec3 J)\n"
    "{\n"
    "    ph_state s;\n"
    "    ph_vec3 same;\n"
    "    double time;\n"
    "    generate(i, &s, &same, &time);\n"
    "    const double before = 0.5 * dot(s.m, over(s.m, J));\n"
    "    return fabs(0.5 * dot(m, over(m, J)) - before) / before;\n"
    "}\n";

/* What is counted. */
typedef struct counts {
    uint64_t done, failed;
    uint64_t bins[BINS]; /* of z, the third axis along space's, from -1 to 1 */
    double sum;          /* of z: of blocks, one after the other */
    double worst;        /* of the energies */
} counts;

static ph_status do_block(ph_device_bodies *b, const ph_flow *exact, const char *source,
                          uint64_t first, size_t n, counts *c)
{
    const ph_device_reduction axis = {"1.0 - 2.0 * (q.x * q.x + q.y * q.y)", NULL, -1.0, 1.0, BINS};
    const ph_device_reduction error = {"energy_error(i, m, J)", source, 0.0, 0.0, 0};
    ph_device_statistics z, worst;
    ph_status status = ph_device_generate(b, source, first, n);
    if (status == PH_OK) {
        const ph_batch_result end =
            ph_device_advance(b, &(ph_device_run){.integrator = {.flow = exact}, .timed = true});
        status = end.status;
    }
    if (status == PH_OK)
        status = ph_device_reduce(b, &axis, &z, c->bins);
    if (status == PH_OK)
        status = ph_device_reduce(b, &error, &worst, NULL);
    if (status == PH_OK) {
        c->done += n;
        c->failed += z.not_finite;
        c->sum += z.sum;
        c->worst = worst.most > c->worst ? worst.most : c->worst;
    }
    return status;
}

static double seconds(void)
{
    struct timespec now;
    (void)timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void print(const counts *c)
{
    for (int k = 0; k < BINS; k++)
        printf("%g %" PRIu64 "\n", (2.0 * k + 1.0) / BINS - 1.0, c->bins[k]);
    printf("bodies %" PRIu64 " mean %.17g failed %" PRIu64 " energy kept to %.2g\n", c->done,
           c->sum / (double)c->done, c->failed, c->worst);
}

int main(int argc, char **argv)
{
    const uint64_t bodies = argc > 1 ? (uint64_t)strtod(argv[1], NULL) : 20000;
    const double time = argc > 2 ? strtod(argv[2], NULL) : 10.0;
    char source[sizeof DRAW + 64];
    counts c = {0};
    ph_device *device = NULL;
    ph_device_bodies *block = NULL;
    const ph_flow *exact = NULL;
    (void)snprintf(source, sizeof source, "#define TIME %a\n%s", time, DRAW);
    ph_status status = ph_flow_named("exact", &exact);
    if (status == PH_OK)
        status = ph_device_create(argc > 3 ? argv[3] : "any", &device);
    if (status == PH_NO_DEVICE) {
        printf("%s\n", ph_status_text(status));
        return 0;
    }
    size_t room = bodies < BLOCK ? (size_t)bodies : BLOCK;
    if (status == PH_OK && ph_device_most_bodies(device) < room)
        room = ph_device_most_bodies(device);
    if (status == PH_OK)
        status = ph_device_bodies_create(device, room, NULL, &block);
    const double start = seconds();
    for (uint64_t first = 0; first < bodies && status == PH_OK; first += room) {
        const uint64_t left = bodies - first;
        status = do_block(block, exact, source, first, left < room ? (size_t)left : room, &c);
    }
    if (status == PH_OK) {
        print(&c);
        fprintf(stderr, "%s: %.3g s, %.3g bodies a second\n", ph_device_about(device)->name,
                seconds() - start, (double)bodies / (seconds() - start));
    } else {
        fprintf(stderr, "gpu_catalogue: %s\n%s\n", ph_status_text(status),
                device == NULL ? "" : ph_device_log(device));
    }
    ph_device_bodies_destroy(block);
    ph_device_destroy(device);
    return status == PH_OK && c.failed == 0 ? 0 : 1;
}
