/* test_golden_fit.c - what fits give, against the bits they gave before: each kind of observation and of
 * loss, rivals, what is not determined, and where a search begins. Written anew by
 *
 *     build/tests/test_golden_fit write >tests/vectors/golden_fit.txt
 */
#include <math.h>
#include <string.h>

#include "fit/fit_model.h"
#include "motion/vec.h"
#include "support/fit_cases.h"
#include "support/golden.h"
#include "support/random.h"

enum { TIMES = 28, OF_LIGHT = 64, MOST_TIMES = OF_LIGHT, RIVALS = 4 };

/* ---- what is observed ------------------------------------------------------------------ */

/* A body that is seen in every way at the same times, with noise. */
typedef struct seen {
    size_t count;
    double t[MOST_TIMES], q[4 * MOST_TIMES], w[3 * MOST_TIMES], axis[3 * MOST_TIMES],
        vector[3 * MOST_TIMES], space[3 * MOST_TIMES], light[MOST_TIMES], sun[3 * MOST_TIMES],
        observer[3 * MOST_TIMES], sigma[MOST_TIMES], light_sigma[MOST_TIMES];
} seen;

static void put(double *to, size_t i, ph_vec3 v)
{
    to[3 * i] = v.x, to[3 * i + 1] = v.y, to[3 * i + 2] = v.z;
}

/* A body with these moments, with its axes turned, that has the velocity w at the first time. */
static void observe(seen *s, size_t count, ph_vec3 J, ph_vec3 turned, ph_vec3 w, double span,
                    double noise)
{
    const ph_body body = {J, ph_rotation_exp(turned), norm(turned) == 0.0};
    const ph_state start = {ph_rotation_exp(vec3(0.3, -0.8, 0.5)), ph_body_momentum(&body, w)};
    ph_motion motion;
    uint64_t seed = 11;
    assert_int_equal(ph_motion_prepare(&motion, &body, &start), PH_OK);
    s->count = count;
    for (size_t i = 0; i < count; i++) {
        s->t[i] = 3.0 + span * ((double)i + between(&seed, -0.3, 0.3)) / (double)(count - 1);
        const ph_state now = ph_motion_at(&motion, s->t[i] - 3.0);
        const ph_vec3 off = random_vector(&seed, -noise, noise),
                      in_space = i % 2 ? vec3(0.6, 0.0, 0.8) : vec3(0.0, -1.0, 0.2),
                      sun = vec3(1, 0.2, 0),
                      sight = rotate(ph_rotation_exp(vec3(0, 0.1, 0.6)), sun);
        const ph_quat q = mul(now.q, ph_rotation_exp(off)), axes = mul(now.q, body.axes);
        memcpy(&s->q[4 * i], &q, sizeof q);
        put(s->w, i, add(ph_body_velocity(&body, now.m), random_vector(&seed, -noise, noise)));
        put(s->axis, i, rotate(q, vec3(0.1, 0.2, 1.0)));
        put(s->vector, i, rotate_back(q, in_space));
        put(s->space, i, in_space);
        put(s->sun, i, sun);
        put(s->observer, i, sight);
        s->sigma[i] = noise;
        s->light[i] = 3.0 * between(&seed, 1.0 - noise, 1.0 + noise) *
                      ph_ellipsoid_brightness(PH_LOMMEL_SEELIGER, J,
                                              rotate_back(axes, scale(1.0 / norm(sight), sight)),
                                              rotate_back(axes, scale(1.0 / norm(sun), sun)), NULL);
        s->light_sigma[i] = noise * s->light[i];
    }
}

static ph_observations observations(const seen *s, unsigned kinds)
{
    ph_observations o = {.count = s->count,
                         .t = s->t,
                         .sun = s->sun,
                         .observer = s->observer,
                         .space = s->space,
                         .axis = {0.1, 0.2, 1.0}};
    const double *const all[PH_SEEN_KINDS] = {s->q, s->w, s->axis, s->vector, s->light};
    for (int k = 0; k < PH_SEEN_KINDS; k++)
        o.seen[k] = kinds >> k & 1U ? all[k] : NULL;
    return o;
}

/* ---- what is found --------------------------------------------------------------------- */

static void take_all(checksum *c, const double *x, size_t count)
{
    for (size_t k = 0; k < count; k++)
        take(c, x[k]);
}

static void take_fit(checksum *c, const ph_fit *f)
{
    take_vector(c, f->body.J);
    take_all(c, &f->body.axes.w, 4);
    take_all(c, f->tensor, 6);
    take_all(c, &f->attitude.w, 4);
    take_vector(c, f->velocity);
    take_vector(c, f->bias);
    take_vector(c, vec3(f->factor, f->chi2, (double)f->degrees_of_freedom));
    take_all(c, f->parameter, f->parameters);
    take_all(c, f->moment_sigma, 3);
    take_all(c, f->over_trace, 3);
    take_all(c, f->over_trace_covariance, 9);
    take(c, f->scale_unseen + 2 * f->scaled);
    take_vector(c, vec3((double)f->columns, (double)f->parameters, (double)f->quantities));
    take_all(c, f->covariance, f->columns * f->columns);
    for (size_t k = 0; k < f->columns; k++)
        take_text(c, f->column[k]);
    for (size_t k = 0; k < f->quantities; k++) {
        const ph_fit_quantity *q = &f->quantity[k];
        take_text(c, q->name);
        take_vector(c, vec3(q->determined, q->value, q->sigma));
        take_all(c, q->interval[0], 4);
    }
    for (size_t k = 0; k < f->unseen; k++)
        take_text(c, f->unseen_text[k]);
    take_vector(c, vec3((double)f->unseen, (double)f->minima, (double)f->rivals));
}

static void check(const char *name, const ph_observations *o, const ph_fit_settings *settings)
{
    static ph_fit found, rivals[RIVALS];
    static double residuals[13 * MOST_TIMES];
    checksum c = {0};
    ph_fit_settings with = *settings;
    with.rivals = rivals;
    with.rival_room = RIVALS;
    memset(&found, 0, sizeof found);
    take(&c, ph_fit_motion(o, &with, residuals, &found));
    take_all(&c, residuals, o->count * ph_fit_width(o));
    take_fit(&c, &found);
    for (size_t k = 0; k < found.rivals && k < RIVALS; k++)
        take_fit(&c, &rivals[k]);
    golden(&c, "fit %s", name);
}

static const ph_vec3 MOMENTS = {0.5, 0.8, 1.0}, TURNED = {0.4, 0.3, -0.2}, W = {0.6, 0.9, 0.5},
                     PRINCIPAL = {0.0, 0.0, 0.0};
enum { Q = 1, VELOCITY = 2, AXIS = 4, VECTOR = 8, LIGHT = 16 };

/* ---- tests ------------------------------------------------------------------------------- */

static void test_tumbling(void **state)
{
    (void)state;
    static seen s;
    observe(&s, TIMES, MOMENTS, TURNED, W, 12.0, 0.01);
    static const struct {
        const char *name;
        unsigned kinds, sought;
        ph_fit_loss loss;
        bool sigma;
    } all[] = {
        {"of attitudes", Q, 0, PH_LOSS_SQUARES, true},
        {"of attitudes without sigma, Huber", Q, 0, PH_LOSS_HUBER, false},
        {"of velocities", VELOCITY, 0, PH_LOSS_SQUARES, true},
        {"of velocities with a bias", VELOCITY, PH_FIT_ALL | PH_FIT_BIAS, PH_LOSS_SQUARES, false},
        {"of attitudes and velocities with a bias, Cauchy", Q | VELOCITY, PH_FIT_ALL | PH_FIT_BIAS,
         PH_LOSS_CAUCHY, false},
        {"of an axis", AXIS, 0, PH_LOSS_SQUARES, true},
        {"of vectors", VECTOR, 0, PH_LOSS_SQUARES, true},
        {"of vectors and velocities, Huber", VECTOR | VELOCITY, 0, PH_LOSS_HUBER, true},
        {"of attitudes and brightness", Q | LIGHT, 0, PH_LOSS_SQUARES, false}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        ph_observations o = observations(&s, all[k].kinds);
        for (int i = 0; i < PH_SEEN_KINDS && all[k].sigma; i++)
            o.sigma[i] = s.sigma;
        check(all[k].name, &o, &(ph_fit_settings){.sought = all[k].sought, .loss = all[k].loss});
    }
}

/* Two vectors at each time show an attitude. */
static void test_pairs(void **state)
{
    (void)state;
    static seen s;
    observe(&s, TIMES, MOMENTS, TURNED, W, 12.0, 0.01);
    ph_observations o = observations(&s, VECTOR);
    for (size_t i = 1; i < TIMES; i += 2) {
        s.t[i] = s.t[i - 1];
        const double *q = &s.q[4 * (i - 1)];
        put(s.vector, i, rotate_back((ph_quat){q[0], q[1], q[2], q[3]}, vec3(0.6, 0.0, 0.8)));
    }
    check("of pairs of vectors", &o, &(ph_fit_settings){0});
}

/* What an uncertain motion shows: little of it, a uniform one, principal axes that are known. */
static void test_little_seen(void **state)
{
    (void)state;
    static seen s;
    observe(&s, TIMES, MOMENTS, TURNED, scale(0.3, W), 1.6, 0.02);
    ph_observations o = observations(&s, Q);
    o.sigma[PH_SEEN_ATTITUDE] = s.sigma;
    check("of a short arc", &o, &(ph_fit_settings){0});
    o = observations(&s, VELOCITY);
    check("of velocities of a short arc", &o, &(ph_fit_settings){.loss = PH_LOSS_HUBER});
    observe(&s, TIMES, MOMENTS, PRINCIPAL, vec3(0, 0, 0.9), 12.0, 0.01);
    o = observations(&s, Q);
    check("of a uniform rotation", &o, &(ph_fit_settings){0});
    observe(&s, TIMES, MOMENTS, TURNED, W, 3.0, 0.02); /* errors are not normal */
    o = observations(&s, VELOCITY);
    o.sigma[PH_SEEN_VELOCITY] = s.sigma;
    check("of velocities over half a turn", &o, &(ph_fit_settings){0});
    observe(&s, TIMES, MOMENTS, PRINCIPAL, W, 12.0, 0.01);
    o = observations(&s, Q);
    check("with principal axes", &o, &(ph_fit_settings){.principal = true});
    observe(&s, TIMES, vec3(0.5, 0.99, 1.0), PRINCIPAL, W, 12.0, 0.01);
    o = observations(&s, Q);
    check("of a nearly symmetric body", &o, &(ph_fit_settings){0});
    o = observations(&s, AXIS);
    o.axis = vec3(0, 0, 2.0);
    for (size_t i = 0; i < TIMES; i++) {
        const double *q = &s.q[4 * i];
        put(s.axis, i, rotate((ph_quat){q[0], q[1], q[2], q[3]}, vec3(0, 0, 3.0)));
    }
    check("of a principal axis", &o, &(ph_fit_settings){0});
}

/* A heavy top, with its strength and its start sought; and a start that is known in part. */
static void test_known_in_part(void **state)
{
    (void)state;
    static seen s;
    const double inertia[3] = {1.0, 1.6, 2.2}, velocity[3] = {0.4, 0.3, 1.1}, q[4] = {1, 0, 0, 0};
    const ph_setting settings[] = {
        {"inertia", inertia, 3}, {"velocity", velocity, 3}, {"attitude", q, 4}};
    const ph_system_settings top = {
        .problem = "heavy_top", .settings = settings, .setting_count = 3};
    const char *const names[] = {"strength", "centre"};
    observe(&s, TIMES, vec3(1.0, 1.6, 2.2), PRINCIPAL, vec3(0.4, 0.35, 1.0), 2.0, 0.01);
    ph_observations o = observations(&s, Q);
    o.count = 12;
    check("of a heavy top", &o,
          &(ph_fit_settings){.sought = PH_FIT_ATTITUDE | PH_FIT_VELOCITY,
                             .system = &top,
                             .parameters = names,
                             .parameter_count = 1});
    check("of a heavy top and its centre", &o,
          &(ph_fit_settings){.sought = PH_FIT_ATTITUDE | PH_FIT_VELOCITY,
                             .system = &top,
                             .parameters = names,
                             .parameter_count = 2});
    const ph_system_settings free_body = {
        .problem = "free", .settings = settings, .setting_count = 3};
    o = observations(&s, Q | VELOCITY);
    check("of a known body", &o,
          &(ph_fit_settings){.sought = PH_FIT_ATTITUDE | PH_FIT_VELOCITY, .system = &free_body});
    check("of a velocity", &o, &(ph_fit_settings){.sought = PH_FIT_VELOCITY, .system = &free_body});
}

static void test_light(void **state)
{
    (void)state;
    static seen s;
    const double w[3] = {W.x, W.y, W.z}, off[3] = {0.51, 0.79, 1.0};
    const ph_quat q = ph_rotation_exp(vec3(0.3, -0.8, 0.5));
    const ph_setting settings[] = {{"inertia", off, 3}, {"velocity", w, 3}, {"attitude", &q.w, 4}};
    const ph_system_settings guess = {.problem = "free", .settings = settings, .setting_count = 3};
    observe(&s, OF_LIGHT, MOMENTS, PRINCIPAL, W, 40.0, 0.01);
    ph_observations o = observations(&s, LIGHT);
    check("of brightness", &o, &(ph_fit_settings){0});
    o.sigma[PH_SEEN_BRIGHTNESS] = s.light_sigma;
    check("of brightness with a guess", &o, &(ph_fit_settings){.system = &guess});
}

/* Where a search begins: all the points that it gives. */
static void check_search(const char *name, const ph_observations *o, unsigned sought)
{
    static fit_minimum out[FIT_MINIMA];
    static double times[MOST_TIMES];
    checksum c = {0};
    const ph_fit_settings with = {.sought = sought};
    fit_model f = {.o = o,
                   .with = &with,
                   .used = o->count,
                   .is_free = true,
                   .only_ratios = true,
                   .light_only = o->seen[PH_SEEN_BRIGHTNESS] != NULL,
                   .principal = o->seen[PH_SEEN_BRIGHTNESS] != NULL,
                   .times = times};
    fit_point x = {.q = {1, 0, 0, 0}, .tensor = {1, 1, 1, 0, 0, 0}, .factor = 1.0};
    for (int k = 0; k < PH_SEEN_KINDS; k++)
        f.scale[k] = f.unit[k] = 1.0;
    for (size_t i = 0; i < o->count; i++)
        times[i] = o->t[i] - o->t[0];
    for (int k = 0; k < 12; k++) {
        const int kind = k < 3 ? OF_ATTITUDE : k < 6 ? OF_VELOCITY : OF_TENSOR;
        if (!(f.principal && k > 8))
            f.column[f.columns++] = (fit_column){kind, k < 6 ? k % 3 : k - 6};
    }
    if (f.light_only)
        f.column[f.columns++] = (fit_column){OF_FACTOR, 0};
    const size_t count = ph_fit_search(&f, &x, out);
    for (size_t k = 0; k < count; k++) {
        take_all(&c, &out[k].x.q.w, 4);
        take_vector(&c, out[k].x.w);
        take_all(&c, out[k].x.tensor, 6);
        take(&c, out[k].x.factor);
        take(&c, out[k].loss);
    }
    golden(&c, "search %s", name);
}

static void test_search(void **state)
{
    (void)state;
    static seen s;
    observe(&s, TIMES, MOMENTS, TURNED, scale(2.0, W), 12.0, 0.01);
    ph_observations o = observations(&s, Q);
    check_search("by attitudes", &o, PH_FIT_ALL);
    o = observations(&s, VELOCITY);
    check_search("by velocities", &o, PH_FIT_ALL);
    o = observations(&s, AXIS);
    check_search("by an axis", &o, PH_FIT_ALL);
    o = observations(&s, VECTOR);
    check_search("by vectors", &o, PH_FIT_ALL);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tumbling),    cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_little_seen), cmocka_unit_test(test_known_in_part),
        cmocka_unit_test(test_search),      cmocka_unit_test(test_light),
    };
    return golden_main(argc, argv, "golden_fit.txt", tests, sizeof tests / sizeof tests[0]);
}
