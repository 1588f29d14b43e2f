/* test_fit.c - motions from observations: what is found, what is not seen, what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "fit/fit_model.h"
#include "motion/vec.h"
#include "support/fit_cases.h"
#include "support/quick.h"
#include "support/random.h"
#include "system/find.h"

static ph_fit found; /* is large */

static ph_observations attitudes_of(const fit_case *c)
{
    return (ph_observations){.count = FIT_TIMES, .t = c->t, .seen = {c->q}, .sigma = {c->sigma}};
}

static void assert_near(const double *x, const double *right, int count, double within)
{
    for (int k = 0; k < count; k++) {
        if (!(fabs(x[k] - right[k]) <= within))
            fail_msg("%.10g is not %.10g", x[k], right[k]);
    }
}

static ph_vec3 gauss_vector(uint64_t *seed)
{
    const double x = ph_fit_gauss(seed), y = ph_fit_gauss(seed);
    return vec3(x, y, ph_fit_gauss(seed));
}

/* Some words about what is not seen. */
static bool unseen(const char *words)
{
    for (size_t k = 0; k < found.unseen; k++) {
        if (strstr(found.unseen_text[k], words) != NULL)
            return true;
    }
    return false;
}

/* As in slow_fit.c, with wider errors of counting. */
static void test_coverage(void **state)
{
    (void)state;
    const fit_coverage c = fit_cases_cover(is_quick() ? 8 : 40);
    assert_int_equal(c.failed, 0);
    assert_true(fabs(c.one - 0.6827) < 5.0 * sqrt(0.6827 * 0.3173 / c.numbers));
    assert_true(fabs(c.two - 0.95) < 5.0 * sqrt(0.95 * 0.05 / c.numbers));
}

/* The right-hand side of the normal equations is that of differences of the loss, for all that is
 * observed and sought at once. */
static void test_slopes(void **state)
{
    (void)state;
    enum { COLUMNS = 16 };
    fit_case c;
    fit_case_make(&c, 3);
    double sun[3 * FIT_TIMES], observer[3 * FIT_TIMES];
    for (size_t i = 0; i < (size_t)3 * FIT_TIMES; i++) {
        sun[i] = i % 3 == 0;
        observer[i] = i % 3 < 2;
    }
    const ph_observations o = {.count = FIT_TIMES,
                               .t = c.t,
                               .seen = {c.q, c.w, c.axis, c.axis, c.sigma},
                               .space = observer,
                               .sun = sun,
                               .observer = observer,
                               .axis = {0, 0, 1}};
    const ph_fit_settings with = {.sought = PH_FIT_ALL, .loss = PH_LOSS_CAUCHY};
    fit_model f = {.o = &o,
                   .with = &with,
                   .loss = PH_LOSS_CAUCHY,
                   .used = FIT_TIMES,
                   .columns = COLUMNS,
                   .is_free = true,
                   .times = c.t,
                   .scale = {0.1, 0.2, 0.3, 0.5, 0.4},
                   .unit = {1.0, 1.0, 1.0, 1.0, 1.0}};
    fit_point x = {.q = c.start.q, .w = {0.3, -0.2, 0.9}, .bias = {0.1, 0.2, -0.1}, .factor = 0.7};
    memcpy(x.tensor, c.tensor, sizeof x.tensor);
    for (int k = 0; k < COLUMNS; k++)
        f.column[k] = (fit_column){k < 3    ? OF_ATTITUDE
                                   : k < 6  ? OF_VELOCITY
                                   : k < 12 ? OF_TENSOR
                                   : k < 15 ? OF_BIAS
                                            : OF_FACTOR,
                                   k < 6 || k > 11 ? k % 3 : k - 6};
    double N[COLUMNS * COLUMNS], g[COLUMNS];
    assert_true(isfinite(ph_fit_loss_at(&f, &x, N, g, NULL)));
    for (int k = 0; k < COLUMNS; k++) {
        const double h = 1e-6;
        double side[2];
        for (int i = 0; i < 2; i++) {
            fit_point y = x;
            double turn[3] = {0.0, 0.0, 0.0}, velocity[3] = {x.w.x, x.w.y, x.w.z},
                   *const place[] = {turn, velocity, y.tensor, &y.bias.x, &y.factor};
            place[f.column[k].kind][f.column[k].index] += i ? h : -h;
            y.q = mul(x.q, ph_rotation_exp(vec3(turn[0], turn[1], turn[2])));
            y.w = vec3(velocity[0], velocity[1], velocity[2]);
            side[i] = ph_fit_loss_at(&f, &y, NULL, NULL, NULL);
        }
        const double slope = (side[0] - side[1]) / (4.0 * h);
        assert_near(&g[k], &slope, 1, 1e-6 * (1.0 + fabs(slope))); /* that of differences */
    }
}

/* The eigenvalues and eigenvectors of a symmetric matrix give it back. */
static void test_eigenvectors(void **state)
{
    (void)state;
    enum { MOST_ROWS = 9 };
    uint64_t seed = 6;
    for (int n = 1; n <= MOST_ROWS; n++) {
        double A[MOST_ROWS * MOST_ROWS], lost[MOST_ROWS * MOST_ROWS], value[MOST_ROWS],
            V[MOST_ROWS * MOST_ROWS];
        for (int i = 0; i < n * n; i++)
            A[i] = i / n <= i % n ? between(&seed, -1.0, 1.0) : A[i % n * n + i / n];
        for (int i = 0; i < n * n; i++) /* the lower half, too */
            lost[i] = A[i] =
                A[(i / n < i % n ? i / n : i % n) * n + (i / n < i % n ? i % n : i / n)];
        ph_eigenvectors(n, lost, value, V);
        for (int i = 0; i < n * n; i++) {
            double sum = 0.0, product = 0.0;
            for (int k = 0; k < n; k++) {
                sum += value[k] * V[k * n + i / n] * V[k * n + i % n];
                product += V[i / n * n + k] * V[i % n * n + k];
            }
            assert_near(&sum, &A[i], 1, 1e-14 * n);
            assert_near(&product, &(double){i / n == i % n}, 1, 1e-14 * n);
        }
    }
}

/* A tensor that violates the triangle inequality becomes that of a foil, in the same axes; a physical one
 * stays, but for its scale. */
static void test_physical(void **state)
{
    (void)state;
    uint64_t seed = 7;
    const ph_fit_settings all = {.sought = PH_FIT_ALL}, known = {.sought = PH_FIT_VELOCITY};
    for (int n = 0; n < 24; n++) {
        const bool physical = n % 3 == 0, ratios = n % 2;
        const ph_quat axes = ph_rotation_exp(random_vector(&seed, -3.0, 3.0));
        const ph_mat3 A = ph_quat_matrix(axes);
        /* 1, 1, 3 is as 1.5, 1.5 and 3: the negative moment of the density, along the axis, is taken away */
        const double J[3] = {1.0, physical ? 2.5 : 1.0, 3.0},
                     right[3] = {physical ? 1.0 : 1.5, physical ? 2.5 : 1.5, 3.0};
        fit_model f = {.with = &all, .only_ratios = ratios};
        fit_point x = {.factor = 2.0};
        double wanted[6];
        for (int k = 0; k < 6; k++) {
            const double *r = A.a[tensor_row[k]], *c = A.a[tensor_column[k]];
            x.tensor[k] = r[0] * J[0] * c[0] + r[1] * J[1] * c[1] + r[2] * J[2] * c[2];
            wanted[k] = (r[0] * right[0] * c[0] + r[1] * right[1] * c[1] + r[2] * right[2] * c[2]) /
                        (ratios ? 3.0 : 1.0);
        }
        const fit_point before = x;
        f.with = &known;
        ph_fit_make_physical(&f, &x);
        assert_memory_equal(&before, &x, sizeof x); /* what is known stays */
        f.with = &all;
        ph_fit_make_physical(&f, &x);
        assert_near(x.tensor, wanted, 6, 1e-8);
        assert_near(&x.factor, &(double){ratios ? 6.0 : 2.0}, 1, 1e-7);
        ph_body body;
        assert_int_equal(ph_body_from_tensor(&body, symmetric(x.tensor)), PH_OK);
        assert_true(ph_body_physical(&body));
    }
}

/* Losses: their values where they begin to differ from squares, and beyond; slopes by differences. */
static void test_loss_functions(void **state)
{
    (void)state;
    for (int rows = 1; rows <= 3; rows++) {
        for (int k = 1; k < 40; k++) {
            const double r2 = 0.5 * k, h = 1e-6 * r2, bend = 1.345 * 1.345 * rows,
                         c = 2.3849 * 2.3849 * rows,
                         right[3] = {r2, r2 <= bend ? r2 : 2.0 * sqrt(bend * r2) - bend,
                                     c * ph_real_log(1.0 + r2 / c)};
            for (int loss = PH_LOSS_SQUARES; loss <= PH_LOSS_CAUCHY; loss++) {
                double slope, unused;
                const double x = ph_fit_loss_of((ph_fit_loss)loss, r2, rows, &slope),
                             up = ph_fit_loss_of((ph_fit_loss)loss, r2 + h, rows, &unused),
                             down = ph_fit_loss_of((ph_fit_loss)loss, r2 - h, rows, &unused),
                             by_differences = (up - down) / (2.0 * h);
                assert_near(&x, &right[loss], 1, 1e-13 * r2);
                assert_near(&slope, &by_differences, 1, 1e-6);
            }
        }
    }
}

static bool stop_now(void *context)
{
    (void)context;
    return false;
}

/* A fit that is stopped has no result, and says so. */
static void test_stopped(void **state)
{
    (void)state;
    fit_case c;
    fit_case_make(&c, 2);
    const ph_observations o = attitudes_of(&c);
    ph_message why = {0};
    const ph_fit_settings with = {.go_on = stop_now, .message = &why};
    assert_int_equal(ph_fit_motion(&o, &with, NULL, &found), PH_NO_CONVERGENCE);
    assert_non_null(strstr(why.text, "stopped"));
}

/* A phase curve of a sphere: (sin a + (pi - a) cos a) 2/3 of Lambert, and
 * 1 - sin(a/2) tan(a/2) log(cot(a/4)) of Lommel and Seeliger, in units of what it is at full phase. */
static void test_phases_of_a_sphere(void **state)
{
    (void)state;
    const ph_vec3 J = {2.0, 2.0, 2.0}, e = {0.6, 0.0, 0.8};
    for (int k = 1; k < 28; k++) {
        double half_sine, half_cosine, sine, cosine, quarter_sine, quarter_cosine;
        const double a = 0.1 * k;
        ph_sincos(0.5 * a, &half_sine, &half_cosine);
        ph_sincos(0.25 * a, &quarter_sine, &quarter_cosine);
        ph_sincos(a, &sine, &cosine);
        const ph_vec3 sun = rotate(ph_rotation_exp(vec3(0, a, 0)), e);
        const double lambert = 2.0 / 3.0 * (sine + (PH_PI - a) * cosine),
                     seeliger = 0.5 * PH_PI *
                                (1.0 - half_sine * half_sine / half_cosine *
                                           ph_real_log(quarter_cosine / quarter_sine));
        assert_near(&(double){ph_ellipsoid_brightness(PH_LAMBERT, J, e, sun, NULL)}, &lambert, 1,
                    1e-5);
        assert_near(&(double){ph_ellipsoid_brightness(PH_LOMMEL_SEELIGER, J, e, sun, NULL)},
                    &seeliger, 1, 1e-4); /* of Gauss' rule, at small phases */
    }
}

/* The brightness of an ellipsoid by many points of its surface. */
static void test_brightness_by_points(void **state)
{
    (void)state;
    enum { LATITUDES = 400, LONGITUDES = 400 };
    const ph_vec3 J = {0.5, 0.8, 1.0}, e = {0.48, 0.64, 0.6}, s = {0.8, -0.36, 0.48};
    const double half = 0.5 * (J.x + J.y + J.z),
                 a[3] = {sqrt(half - J.x), sqrt(half - J.y), sqrt(half - J.z)};
    double sum[2] = {0.0, 0.0};
    for (int i = 0; i < LATITUDES * LONGITUDES; i++) {
        const int row = i / LONGITUDES, place = i % LONGITUDES;
        const double z = -1.0 + 2.0 * (row + 0.5) / LATITUDES, r = sqrt(1.0 - z * z);
        double sine, cosine;
        ph_sincos(2.0 * PH_PI * (place + 0.5) / LONGITUDES, &sine, &cosine);
        /* the normal times the element of area */
        const ph_vec3 n = {a[1] * a[2] * r * cosine, a[0] * a[2] * r * sine, a[0] * a[1] * z};
        const double area = norm(n) * 4.0 * PH_PI / (LATITUDES * LONGITUDES),
                     x = dot(n, e) / norm(n), y = dot(n, s) / norm(n);
        if (x > 0.0 && y > 0.0) {
            sum[PH_LOMMEL_SEELIGER] += area * x * y / (x + y);
            sum[PH_LAMBERT] += area * x * y;
        }
    }
    for (int law = PH_LOMMEL_SEELIGER; law <= PH_LAMBERT; law++)
        assert_near(&(double){ph_ellipsoid_brightness((ph_scattering)law, J, e, s, NULL)},
                    &sum[law], 1, 2e-4 * sum[law]);
}

/* Attitudes, velocities and an axis find the same moments; velocities do not show the attitude, an
 * axis not a turn about itself. */
static void test_kinds(void **state)
{
    (void)state;
    fit_case c;
    fit_case_make(&c, 3);
    const double J[3] = {c.body.J.x, c.body.J.y, c.body.J.z};
    const double within = 0.02; /* some ten standard deviations */
    for (int kind = PH_SEEN_ATTITUDE; kind <= PH_SEEN_AXIS; kind++) {
        ph_observations o = {.count = FIT_TIMES, .t = c.t, .axis = {0, 0, 1}};
        const double *const seen[] = {c.q, c.w, c.axis};
        o.seen[kind] = seen[kind];
        const ph_fit_settings with = {0};
        assert_int_equal(ph_fit_motion(&o, &with, NULL, &found), PH_OK);
        assert_true(found.scaled && found.scale_unseen);
        const double sum = found.body.J.x + found.body.J.y + found.body.J.z;
        assert_near(&sum, &(double){J[0] + J[1] + J[2]}, 1, within);
        if (kind != PH_SEEN_AXIS)
            assert_near(found.tensor, c.tensor, 6, within);
        assert_int_equal(unseen("the attitude"), kind == PH_SEEN_VELOCITY);
        assert_int_equal(unseen("about the observed axis"), kind == PH_SEEN_AXIS);
        assert_int_equal(found.unseen, kind != PH_SEEN_ATTITUDE);
    }
}

/* Without noise the covariance is round-off, and what the motion does not show is named still: the
 * other moments of a body that turns about a principal axis; axes of a symmetric one. */
static void test_unseen(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        fit_case c;
        fit_case_make(&c, 5);
        const ph_body body = PH_MOMENTS(0.5, k == 0 ? 0.8 : 0.5, 1.0);
        const ph_state start = {{1, 0, 0, 0}, k == 0 ? vec3(0, 0, 1) : vec3(0.2, 0.3, 0.9)};
        ph_motion motion;
        assert_int_equal(ph_motion_prepare(&motion, &body, &start), PH_OK);
        uint64_t seed = 2;
        for (size_t i = 0; i < FIT_TIMES; i++) {
            const double noise = k == 0 ? 0.0 : FIT_NOISE;
            const ph_vec3 turn = random_vector(&seed, -noise, noise);
            const ph_quat q = mul(ph_motion_at(&motion, c.t[i]).q, ph_rotation_exp(turn));
            memcpy(&c.q[4 * i], &q, sizeof q);
        }
        const ph_observations o = attitudes_of(&c);
        const ph_fit_settings with = {0};
        assert_int_equal(ph_fit_motion(&o, &with, NULL, &found), PH_OK);
        const ph_vec3 w = rotate_back(found.body.axes, found.velocity);
        const int along = fabs(w.x) > 0.9 ? 1 : fabs(w.y) > 0.9 ? 2 : 3;
        char words[] = ": the body rotates about principal axis 0";
        words[sizeof words - 2] += (char)along;
        assert_true(k == 0 ? unseen(words) && unseen("the moment about")
                           : unseen("equal within the errors"));
    }
}

/* Three attitudes of eighty are wrong by far: squares are misled, robust losses are not. */
static void test_losses(void **state)
{
    (void)state;
    fit_case c;
    fit_case_make(&c, 8);
    for (int k = 0; k < 3; k++) {
        const ph_quat far =
            mul((ph_quat){c.q[80 * k + 40], c.q[80 * k + 41], c.q[80 * k + 42], c.q[80 * k + 43]},
                ph_rotation_exp(vec3(0.3, -0.2, 0.4)));
        memcpy(&c.q[80 * k + 40], &far, sizeof far);
    }
    for (int sigma = is_quick(); sigma < 2; sigma++) {
        double error[3];
        for (int loss = PH_LOSS_SQUARES; loss <= PH_LOSS_CAUCHY; loss++) {
            ph_observations o = attitudes_of(&c);
            o.sigma[PH_SEEN_ATTITUDE] = sigma ? c.sigma : NULL;
            const ph_fit_settings with = {.loss = (ph_fit_loss)loss};
            assert_int_equal(ph_fit_motion(&o, &with, NULL, &found), PH_OK);
            error[loss] = 0.0;
            for (int k = 0; k < 6; k++)
                error[loss] += fabs(found.tensor[k] - c.tensor[k]);
        }
        assert_true(error[PH_LOSS_SQUARES] > 5.0 * error[PH_LOSS_HUBER]);
        assert_true(error[PH_LOSS_SQUARES] > 5.0 * error[PH_LOSS_CAUCHY]);
    }
}

/* A heavy top: its strength and its start, and that moments and strength have one factor. */
static void test_field(void **state)
{
    (void)state;
    enum { TIMES = 24 };
    static double t[TIMES], q[4 * TIMES];
    const double strength = 2.0, inertia[3] = {1.0, 1.6, 2.2};
    const ph_setting settings[] = {{"strength", &strength, 1}, {"inertia", inertia, 3}};
    ph_system_settings top = {.problem = "heavy_top",
                              .integrator = "gbs",
                              .tolerance = 1e-12,
                              .settings = settings,
                              .setting_count = 2};
    ph_system *s;
    assert_int_equal(ph_system_create(&top, &s), PH_OK);
    const ph_state start = ph_system_state(s);
    for (size_t i = 0; i < TIMES; i++) {
        t[i] = 100.0 + 0.1 * (double)i; /* the time of the problem begins with the observations */
        assert_int_equal(ph_system_run_until(s, 0.1 * (double)i, NULL), PH_OK);
        const ph_quat now = ph_system_state(s).q;
        memcpy(&q[4 * i], &now, sizeof now);
    }
    ph_system_destroy(s);
    const char *const names[] = {"strength"};
    const ph_observations o = {.count = TIMES, .t = t, .seen = {q}};
    top.settings = settings + 1, top.setting_count = 1;
    ph_fit_settings with = {.sought = PH_FIT_ATTITUDE | PH_FIT_VELOCITY,
                            .system = &top,
                            .parameters = names,
                            .parameter_count = 1};
    assert_int_equal(ph_fit_motion(&o, &with, NULL, &found), PH_OK);
    assert_near(found.parameter, &strength, 1, 1e-7);
    assert_near(&found.attitude.w, &start.q.w, 4, 1e-7);
    assert_false(found.scale_unseen);
    assert_string_equal(found.column[6], "strength");
    with.sought = PH_FIT_ALL;
    assert_int_equal(ph_fit_motion(&o, &with, NULL, &found), PH_OK);
    assert_int_equal(found.unseen, 1);
    assert_string_equal(found.unseen_text[0], "a common factor of the moments, strength (one "
                                              "combination of them)");
    assert_near(&(double){found.tensor[2] / found.parameter[0]}, &(double){1.1}, 1, 1e-6);
}

/* A parameter of three numbers: the centre of mass of a top. Velocities alone do not show a turn of
 * the attitude together with what is up. */
static void test_parameter_of_three(void **state)
{
    (void)state;
    enum { TIMES = 30 };
    static double t[TIMES], q[4 * TIMES], w[3 * TIMES];
    const double inertia[3] = {1.0, 1.6, 2.2}, centre[3] = {0.3, -0.2, 0.9},
                 guess[3] = {0.25, -0.15, 1.0}, upward[3] = {0.5, -0.6, 0.7};
    const ph_setting settings[] = {{"inertia", inertia, 3},
                                   {"up", upward, 3},
                                   {"centre", centre, 3}},
                     first[] = {{"inertia", inertia, 3}, {"up", upward, 3}, {"centre", guess, 3}};
    ph_system_settings top = {.problem = "heavy_top",
                              .integrator = "gbs",
                              .tolerance = 1e-12,
                              .settings = settings,
                              .setting_count = 3};
    ph_system *s;
    assert_int_equal(ph_system_create(&top, &s), PH_OK);
    for (size_t i = 0; i < TIMES; i++) {
        t[i] = 0.1 * (double)i;
        assert_int_equal(ph_system_run_until(s, t[i], NULL), PH_OK);
        const ph_quat now = ph_system_state(s).q;
        const ph_array *velocity;
        assert_int_equal(ph_system_array_named(s, "velocity", &velocity), PH_OK);
        memcpy(&q[4 * i], &now, sizeof now);
        for (size_t k = 0; k < 3; k++)
            w[3 * i + k] = *velocity->data[k];
    }
    ph_system_destroy(s);
    const char *const names[] = {"centre"}, *const up[] = {"up"};
    ph_observations o = {.count = TIMES, .t = t, .seen = {q}};
    top.settings = first;
    ph_fit_settings with = {.sought = PH_FIT_ATTITUDE | PH_FIT_VELOCITY,
                            .system = &top,
                            .parameters = names,
                            .parameter_count = 1};
    assert_int_equal(ph_fit_motion(&o, &with, NULL, &found), PH_OK);
    assert_near(found.parameter, centre, 3, 1e-7);
    assert_int_equal(found.unseen, 0);
    o.seen[PH_SEEN_ATTITUDE] = NULL;
    o.seen[PH_SEEN_VELOCITY] = w;
    top.settings = settings;
    with.parameters = up;
    assert_int_equal(ph_fit_motion(&o, &with, NULL, &found), PH_OK);
    int mixed = 0;
    for (size_t k = 0; k < found.unseen; k++) {
        const char *text = found.unseen_text[k], *of_up = strstr(text, "up");
        if (of_up == NULL || strstr(text, "the attitude") != text)
            continue;
        assert_memory_equal(of_up - 2, ", ", 2);
        assert_non_null(strstr(text, " (one combination of them)"));
        mixed++;
    }
    assert_true(mixed > 0);
}

/* Words that are longer than their room are cut off there: parameters with long names, of which
 * strength, up and centre have two factors in common. */
static void test_long_words(void **state)
{
    (void)state;
    enum { TIMES = 20, OF_TOP = 3 };
    static const char *const names[OF_TOP] = {
        "the_strength_of_the_field_in_newton_metres_of_the_body_as_it_stands",
        "the_direction_that_is_up_as_seen_by_someone_who_stands_on_the_ground",
        "the_centre_of_mass_from_the_fixed_point_in_the_axes_of_the_body_alone"};
    static double t[TIMES], q[4 * TIMES];
    ph_problem p = *find_problem("heavy_top");
    ph_parameter parameters[OF_TOP];
    const double up[3] = {0.5, -0.6, 0.7}, centre[3] = {0.3, -0.2, 0.9};
    assert_int_equal(p.parameter_count, OF_TOP);
    for (int k = 0; k < OF_TOP; k++) {
        parameters[k] = p.parameters[k];
        parameters[k].name = names[k];
    }
    p.parameters = parameters;
    const ph_setting settings[] = {{names[1], up, 3}, {names[2], centre, 3}};
    const ph_system_settings top = {.own_problem = &p,
                                    .integrator = "gbs",
                                    .tolerance = 1e-12,
                                    .settings = settings,
                                    .setting_count = 2};
    ph_system *s;
    assert_int_equal(ph_system_create(&top, &s), PH_OK);
    for (size_t i = 0; i < TIMES; i++) {
        t[i] = 0.1 * (double)i;
        assert_int_equal(ph_system_run_until(s, t[i], NULL), PH_OK);
        const ph_quat now = ph_system_state(s).q;
        memcpy(&q[4 * i], &now, sizeof now);
    }
    ph_system_destroy(s);
    const ph_observations o = {.count = TIMES, .t = t, .seen = {q}};
    const ph_fit_settings with = {.system = &top, .parameters = names, .parameter_count = OF_TOP};
    assert_int_equal(ph_fit_motion(&o, &with, NULL, &found), PH_OK);
    assert_int_equal(found.unseen, 2);
    for (size_t k = 0; k < found.unseen; k++)
        assert_int_equal(strlen(found.unseen_text[k]), PH_FIT_TEXT - 1);
}

/* The derivatives of the brightness are its own; a sphere has the brightness of a sphere. */
static void test_brightness(void **state)
{
    (void)state;
    uint64_t seed = 4;
    for (int law = PH_LOMMEL_SEELIGER; law <= PH_LAMBERT; law++) {
        const ph_vec3 J = {0.5, 0.8, 1.0};
        const ph_vec3 e = ph_quat_rotate(ph_rotation_exp(vec3(between(&seed, 0, 1), 0.3, 0.2)),
                                         vec3(1, 0, 0)),
                      s = ph_quat_rotate(ph_rotation_exp(vec3(0.1, between(&seed, 0, 1), 0.7)), e);
        double by[9];
        (void)ph_ellipsoid_brightness((ph_scattering)law, J, e, s, by);
        for (int k = 0; k < 9; k++) {
            double side[2];
            for (int i = 0; i < 2; i++) {
                double x[9] = {0};
                x[k] = i ? 1e-5 : -1e-5;
                const ph_quat turn = ph_rotation_exp(vec3(x[0], x[1], x[2]));
                ph_body b;
                (void)ph_body_from_tensor(&b, (ph_mat3){{{J.x + x[3], x[6], x[7]},
                                                         {x[6], J.y + x[4], x[8]},
                                                         {x[7], x[8], J.z + x[5]}}});
                side[i] = ph_ellipsoid_brightness((ph_scattering)law, b.J,
                                                  rotate_back(b.axes, rotate_back(turn, e)),
                                                  rotate_back(b.axes, rotate_back(turn, s)), NULL);
            }
            /* the error of Gauss' rule, and of the difference */
            const double slope = (side[1] - side[0]) / 2e-5,
                         within = law == PH_LAMBERT ? 1e-5 : 1e-8;
            assert_near(&by[k], &slope, 1, within);
        }
    }
    /* A sphere of radius 1 at full phase: pi/2, and 2 pi/3. */
    const ph_vec3 J = {2.0, 2.0, 2.0}, e = {0.6, 0.0, 0.8};
    assert_near(&(double){ph_ellipsoid_brightness(PH_LOMMEL_SEELIGER, J, e, e, NULL)},
                &(double){PH_PI / 2.0}, 1, 1e-15);
    /* At right angles, where A = B = pi/4: pi/2 (1 - log(1 + sqrt(2)) / sqrt(2)). */
    assert_near(
        &(double){ph_ellipsoid_brightness(PH_LOMMEL_SEELIGER, J, e, vec3(-0.8, 0.0, 0.6), NULL)},
        &(double){PH_PI / 2.0 * (1.0 - log(1.0 + sqrt(2.0)) / sqrt(2.0))}, 1, 1e-15);
    assert_near(&(double){ph_ellipsoid_brightness(PH_LAMBERT, J, e, e, NULL)},
                &(double){2.0 * PH_PI / 3.0}, 1, 1e-6);
    assert_true(isnan(ph_ellipsoid_brightness(PH_LAMBERT, vec3(1, 1, 3), e, e, NULL)));
}

enum { LIGHT_TIMES = 120 };

/* A light curve, with a sun and an observer that do not move. */
typedef struct light_record {
    double t[LIGHT_TIMES], light[LIGHT_TIMES], sigma[LIGHT_TIMES], sun[3 * LIGHT_TIMES],
        observer[3 * LIGHT_TIMES];
} light_record;

static ph_observations record_light(light_record *r, ph_scattering law)
{
    const ph_body body = PH_MOMENTS(0.5, 0.8, 1.0);
    const ph_state start = {{1, 0, 0, 0}, ph_body_momentum(&body, vec3(1.0, 0.4, 0.3))};
    ph_motion motion;
    assert_int_equal(ph_motion_prepare(&motion, &body, &start), PH_OK);
    const ph_vec3 e = {1, 0, 0}, s = {0.6, 0.64, 0.48};
    for (size_t i = 0; i < LIGHT_TIMES; i++) {
        r->t[i] = 0.15 * (double)i;
        r->sigma[i] = 1e-3;
        const ph_quat q = ph_motion_at(&motion, r->t[i]).q;
        memcpy(&r->observer[3 * i], &e, sizeof e);
        memcpy(&r->sun[3 * i], &s, sizeof s);
        r->light[i] =
            7.0 * ph_ellipsoid_brightness(law, body.J, rotate_back(q, e), rotate_back(q, s), NULL);
    }
    return (ph_observations){.count = LIGHT_TIMES,
                             .t = r->t,
                             .seen = {[PH_SEEN_BRIGHTNESS] = r->light},
                             .sigma = {[PH_SEEN_BRIGHTNESS] = r->sigma},
                             .sun = r->sun,
                             .observer = r->observer};
}

/* A light curve from a guess that is off by a hundredth. Half turns of the motion about three directions
 * look the same: these solutions are listed. */
static void test_light_curve(void **state)
{
    (void)state;
    static light_record r;
    const double inertia[3] = {0.5, 0.8, 1.0}, guess[3] = {0.505, 0.79, 1.0},
                 velocity[3] = {1.0, 0.4, 0.3}, near[3] = {1.01, 0.41, 0.3},
                 attitude[4] = {1, 0, 0, 0};
    const ph_setting settings[] = {
        {"inertia", guess, 3}, {"velocity", near, 3}, {"attitude", attitude, 4}};
    const ph_system_settings free_body = {
        .problem = "free", .settings = settings, .setting_count = 3};
    const ph_observations o = record_light(&r, PH_LAMBERT);
    const ph_fit_settings with = {.system = &free_body, .law = PH_LAMBERT};
    assert_int_equal(ph_fit_motion(&o, &with, NULL, &found), PH_OK);
    assert_near(&found.body.J.x, inertia, 3, 1e-6);
    assert_near(&found.velocity.x, velocity, 3, 1e-6);
    assert_near(&found.factor, &(double){7.0}, 1, 1e-5);
    assert_int_equal(found.columns, 10);
    assert_int_equal(found.rivals, 3);
}

/* A light curve of a body that is known, with its axes in another order, and no first guess. */
static void test_known_body(void **state)
{
    (void)state;
    static light_record r;
    const double known[3] = {1.0, 0.5, 0.8}, velocity[3] = {0.3, 1.0, 0.4};
    const ph_setting held = {"inertia", known, 3};
    const ph_system_settings body = {.problem = "free", .settings = &held, .setting_count = 1};
    const ph_observations o = record_light(&r, PH_LOMMEL_SEELIGER);
    const ph_fit_settings with = {.system = &body, .sought = PH_FIT_ATTITUDE | PH_FIT_VELOCITY};
    assert_int_equal(ph_fit_motion(&o, &with, NULL, &found), PH_OK);
    assert_near(&found.body.J.x, known, 3, 1e-15);
    assert_near(
        (const double[]){fabs(found.velocity.x), fabs(found.velocity.y), fabs(found.velocity.z)},
        velocity, 3, 1e-6);
    assert_int_equal(found.columns, 7);
}

/* ---- what was reported wrongly once ------------------------------------------------------- */

enum { MOST_SEEN = 121, RIVALS = 8 };

/* Attitudes of a free motion at even times, with noise. */
typedef struct record {
    double t[MOST_SEEN], q[4 * MOST_SEEN], axis[3 * MOST_SEEN], sigma[MOST_SEEN];
} record;

static void record_motion(record *r, ph_vec3 J, ph_vec3 w, double span, size_t count, double noise,
                          uint64_t seed)
{
    ph_body body;
    ph_motion motion;
    assert_int_equal(ph_body_from_moments(&body, J), PH_OK);
    const ph_state start = {{1, 0, 0, 0}, ph_body_momentum(&body, w)};
    assert_int_equal(ph_motion_prepare(&motion, &body, &start), PH_OK);
    for (size_t i = 0; i < count; i++) {
        const double by = noise > 0.0 ? noise : 0.0;
        r->t[i] = span * (double)i / (double)(count - 1);
        r->sigma[i] = fabs(noise);
        const ph_quat q = ph_motion_at(&motion, r->t[i]).q;
        const ph_vec3 turn = gauss_vector(&seed), off = gauss_vector(&seed);
        const ph_quat seen = mul(q, ph_rotation_exp(scale(by, turn)));
        const ph_vec3 axis = add(rotate(q, vec3(1, 0, 0)), scale(by, off));
        memcpy(&r->q[4 * i], &seen, sizeof seen);
        memcpy(&r->axis[3 * i], &axis, sizeof axis);
    }
}

static const ph_fit_quantity *quantity(const ph_fit *f, const char *name)
{
    for (size_t k = 0; k < f->quantities; k++) {
        if (strcmp(f->quantity[k].name, name) == 0)
            return &f->quantity[k];
    }
    fail_msg("there is no %s", name);
    return NULL;
}

/* Debris that turns about a principal axis: its moments are not determined, whatever the noise. The
 * velocity is. Without noise the errors come from sigma, which is given as a negative number. */
static void test_uniform(void **state)
{
    (void)state;
    static record r;
    for (uint64_t seed = 0; seed < (is_quick() ? 4 : 14); seed++) {
        const bool smallest = seed % 2;
        const ph_vec3 w = smallest ? vec3(0.05, 0, 0) : vec3(0, 0, 0.05);
        record_motion(&r, vec3(0.4, 0.8, 1.0), w, 600.0, 81, seed < 2 ? -0.002 : 0.002, seed);
        const ph_observations o = {.count = 81, .t = r.t, .seen = {r.q}, .sigma = {r.sigma}};
        const ph_fit_settings with = {0};
        assert_int_equal(ph_fit_motion(&o, &with, NULL, &found), PH_OK);
        assert_true(ph_body_physical(&found.body));
        const char *const hidden[] = {smallest ? "inertia3" : "inertia1", "inertia2", "J11", "J22",
                                      "J33"};
        static const char *const seen[] = {"theta1", "theta2", "theta3", "w1", "w2", "w3"};
        for (int k = 0; k < 5; k++)
            assert_false(quantity(&found, hidden[k])->determined);
        const double right[6] = {0, 0, 0, w.x, w.y, w.z};
        const ph_vec3 turn = ph_rotation_log(found.attitude);
        const double error[3] = {turn.x, turn.y, turn.z};
        for (int k = 0; k < 6; k++) {
            const ph_fit_quantity *q = quantity(&found, seen[k]);
            assert_true(q->determined && q->sigma > 0.0 && q->sigma < (k < 3 ? 0.002 : 1e-4));
            assert_true(fabs(k < 3 ? error[k] : q->value - right[k]) < 4.0 * q->sigma);
        }
    }
}

/* A wobble about a principal axis that is a little larger than the noise, which is not given, is told from a
 * uniform rotation. */
static void test_wobble(void **state)
{
    (void)state;
    static record r;
    const double noise = 0.002;
    record_motion(&r, vec3(0.4, 0.8, 1.0), vec3(1.3 * noise * 0.05, 0, 0.05), 300.0, 41, noise, 3);
    const ph_observations o = {.count = 41, .t = r.t, .seen = {r.q}};
    const ph_fit_settings with = {0};
    assert_int_equal(ph_fit_motion(&o, &with, NULL, &found), PH_OK);
    assert_true(quantity(&found, "inertia1")->determined);
    assert_true(quantity(&found, "inertia2")->determined);
}

/* What is not determined has these names, in this order. */
static void assert_not_determined(const char *names)
{
    char all[200] = "";
    for (size_t k = 0; k < found.quantities; k++) {
        if (!found.quantity[k].determined)
            (void)snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s",
                           all[0] != '\0' ? " " : "", found.quantity[k].name);
    }
    assert_string_equal(all, names);
}

/* Two other bodies move an observed principal axis as the right one does: all three are listed, and
 * with principal axes that are known the right one alone. */
static void test_twins(void **state)
{
    (void)state;
    static record r;
    static ph_fit rivals[RIVALS];
    for (uint64_t seed = 0; seed < (is_quick() ? 2 : 5); seed++) {
        record_motion(&r, vec3(1, 2, 2.5), vec3(0.03, 0.05, 0.02), 600.0, 121,
                      seed == 0 ? -1e-6 : 0.01, seed);
        const ph_observations o = {.count = 121,
                                   .t = r.t,
                                   .seen = {[PH_SEEN_AXIS] = r.axis},
                                   .sigma = {[PH_SEEN_AXIS] = r.sigma},
                                   .axis = {1, 0, 0}};
        ph_fit_settings with = {.rivals = rivals, .rival_room = RIVALS};
        assert_int_equal(ph_fit_motion(&o, &with, NULL, &found), PH_OK);
        assert_int_equal(found.rivals, 2);
        assert_true(found.minima >= 3);
        int right = 0;
        for (size_t k = 0; k <= found.rivals; k++) {
            const ph_fit *f = k == 0 ? &found : &rivals[k - 1];
            double J[3] = {f->body.J.x, f->body.J.y, f->body.J.z}, s[2] = {0, 0};
            const double low = J[0] < J[1] ? J[0] : J[1], least = low < J[2] ? low : J[2],
                         middle = J[0] + J[1] + J[2] - least - 1.0;
            for (int i = 0; i < 3; i++)
                s[J[i] != least] = larger_or_nan(s[J[i] != least], f->moment_sigma[i]);
            right += fabs(least - 0.4) < 4.0 * s[0] && fabs(middle - 0.8) < 4.0 * s[1];
            assert_true(f->chi2 < found.chi2 + 9.0 && ph_body_physical(&f->body));
        }
        assert_int_equal(right, 1);
        with.principal = true;
        assert_int_equal(ph_fit_motion(&o, &with, NULL, &found), PH_OK);
        assert_int_equal(found.rivals, 0);
        assert_true(fabs(found.body.J.x - 0.4) < 4.0 * found.moment_sigma[0]);
        assert_not_determined("theta1 w2 w3 J22 J33");
        assert_true(unseen("quarter or half turns of the body's axes about the observed axis"));
        /* of a known body, half a turn changes the signs of two velocities */
        const double J[3] = {1, 2, 2.5};
        const ph_setting known = {"inertia", J, 3};
        const ph_system_settings body = {.problem = "free", .settings = &known, .setting_count = 1};
        with = (ph_fit_settings){.sought = PH_FIT_ATTITUDE | PH_FIT_VELOCITY, .system = &body};
        assert_int_equal(ph_fit_motion(&o, &with, NULL, &found), PH_OK);
        assert_not_determined("theta1 w2 w3");
    }
}

/* The largest distance between the directions of an axis in two motions. */
static double axes_apart(const fit_point *x, const fit_point *y, ph_vec3 axis)
{
    const fit_point *const of[2] = {x, y};
    ph_motion motion[2];
    double most = 0.0;
    for (int k = 0; k < 2; k++) {
        ph_body b;
        assert_int_equal(ph_body_from_tensor(&b, symmetric(of[k]->tensor)), PH_OK);
        const ph_state start = {of[k]->q, apply(symmetric(of[k]->tensor), of[k]->w)};
        assert_int_equal(ph_motion_prepare(&motion[k], &b, &start), PH_OK);
    }
    for (int n = 0; n < 20; n++) {
        const double t = n / norm(x->w);
        most = larger_or_nan(most, norm(sub(rotate(ph_motion_at(&motion[0], t).q, axis),
                                            rotate(ph_motion_at(&motion[1], t).q, axis))));
    }
    return most;
}

/* The twins of a body move the observed axis as it does, and it is a twin of each of them. If the other two
 * moments are equal, there is one twin less. */
static void test_twins_move_alike(void **state)
{
    (void)state;
    uint64_t seed = 31;
    const ph_fit_settings known = {.sought = PH_FIT_VELOCITY}; /* tensors may have any moments */
    for (int n = 0; n < 40; n++) {
        const bool symmetric_body = n >= 36;
        const ph_quat axes = symmetric_body ? (ph_quat){1, 0, 0, 0}
                                            : ph_rotation_exp(random_vector(&seed, -3.0, 3.0));
        const ph_observations o = {.axis = rotate(axes, vec3(1, 0, 0))};
        const fit_model f = {.o = &o, .with = &known};
        fit_point all[1 + FIT_TWINS] = {{.factor = 1.0}}, *x = all;
        const double J1 = n % 2 == 0 ? 1.0 : 3.0,
                     J2 = symmetric_body ? 2.5 : between(&seed, 1.2, 2.4);
        ph_fit_set_tensor(x, vec3(J1, J2, 2.5), axes, 1.0);
        x->q = ph_rotation_exp(random_vector(&seed, -3.0, 3.0));
        const double across = between(&seed, 0.1, 0.3), along = between(&seed, -0.3, -0.1);
        x->w = rotate(axes, vec3(1.0, across, along));
        if (n % 3 == 0) /* in another unit of time */
            x->w = scale(1e-3, x->w);
        const size_t count = ph_fit_twins(&f, x, all + 1);
        assert_int_equal(count, symmetric_body ? 1 : 2);
        for (size_t k = 1; k <= count; k++) {
            fit_point of_twin[FIT_TWINS];
            if (!(axes_apart(x, &all[k], o.axis) < 1e-9))
                fail_msg("body %d, twin %zu: %g", n, k, axes_apart(x, &all[k], o.axis));
            for (size_t i = 0; i < k; i++)
                assert_true(norm(sub(all[k].w, all[i].w)) > 1e-3 * norm(x->w));
            /* that body and its two twins, beside what the twin would have if the axis were principal */
            const size_t more = ph_fit_twins(&f, &all[k], of_twin);
            size_t alike = 0;
            for (size_t i = 0; i < more; i++)
                alike += axes_apart(x, &of_twin[i], o.axis) < 1e-6;
            assert_true(symmetric_body || alike == 3);
        }
    }
}

/* The two ends of an observed axis look the same: signs at random change nothing, and are not seen. */
static void test_undirected(void **state)
{
    (void)state;
    static record r;
    uint64_t seed = 4;
    record_motion(&r, vec3(1, 2, 2.5), vec3(0.03, 0.05, 0.02), 600.0, 121, 0.01, 1);
    ph_observations o = {.count = 121,
                         .t = r.t,
                         .seen = {[PH_SEEN_AXIS] = r.axis},
                         .sigma = {[PH_SEEN_AXIS] = r.sigma},
                         .axis = {1, 0, 0}};
    const ph_fit_settings with = {.principal = true};
    assert_int_equal(ph_fit_motion(&o, &with, NULL, &found), PH_OK);
    const double chi2 = found.chi2, sigma[2] = {found.moment_sigma[0], found.moment_sigma[1]};
    for (size_t i = 0; i < o.count; i++) {
        const double sign = random_sign(&seed);
        for (size_t k = 3 * i; k < 3 * (i + 1); k++)
            r.axis[k] *= sign;
    }
    o.undirected = true;
    assert_int_equal(ph_fit_motion(&o, &with, NULL, &found), PH_OK);
    assert_near(&found.chi2, &chi2, 1, 1e-6);
    assert_true(fabs(found.body.J.x - 0.4) < 4.0 * sigma[0]);
    assert_true(fabs(found.body.J.y - 0.8) < 4.0 * sigma[1]);
    assert_true(unseen("the sign of the observed axis"));
}

/* Two outliers of 81, also the first observation: a robust loss is not misled. */
static void test_two_outliers(void **state)
{
    (void)state;
    static record r;
    for (uint64_t seed = 0; seed < (is_quick() ? 2 : 6); seed++) {
        const size_t wrong[2] = {seed % 2 ? 0 : 7 * (seed + 1), 40 + seed};
        const ph_vec3 w = {0.3, 1.0, 0.2};
        record_motion(&r, vec3(0.5, 0.8, 1.0), w, 40.0, 81, 0.002, seed);
        for (int k = 0; k < 2; k++) {
            double *q = &r.q[4 * wrong[k]];
            const ph_quat off =
                mul((ph_quat){q[0], q[1], q[2], q[3]}, ph_rotation_exp(vec3(0.4, -0.3, 0.5)));
            memcpy(q, &off, sizeof off);
        }
        const ph_observations o = {.count = 81, .t = r.t, .seen = {r.q}};
        const ph_fit_settings with = {.loss = PH_LOSS_HUBER};
        assert_int_equal(ph_fit_motion(&o, &with, NULL, &found), PH_OK);
        const double right[3] = {w.x, w.y, w.z},
                     got[3] = {found.velocity.x, found.velocity.y, found.velocity.z};
        for (int k = 0; k < 3; k++) {
            const double sigma = found.quantity[3 + k].sigma;
            assert_true(sigma > 1e-5 && sigma < 2e-3 && fabs(got[k] - right[k]) < 4.5 * sigma);
        }
    }
}

/* The two largest moments differ by 1.6 %, and the axes of the body are principal ones. The error of the
 * largest diagonal element is not that of first order, which vanishes. */
static void test_nearly_equal_moments(void **state)
{
    (void)state;
    static record r;
    const double J[3] = {0.4, 0.984, 1.0};
    int off = 0;
    for (uint64_t seed = 0; seed < (is_quick() ? 6 : 40); seed++) {
        record_motion(&r, vec3(J[0], J[1], J[2]), vec3(0.5, 0.6, 0.7), 30.0, 61, 0.01, seed);
        const ph_observations o = {.count = 61, .t = r.t, .seen = {r.q}, .sigma = {r.sigma}};
        const ph_fit_settings with = {0};
        assert_int_equal(ph_fit_motion(&o, &with, NULL, &found), PH_OK);
        for (int k = 0; k < 3; k++) {
            const ph_fit_quantity *q = &found.quantity[6 + k];
            const double far = isnan(q->interval[0][0])
                                   ? 4.0 * q->sigma
                                   : 1.5 * (q->interval[1][1] - q->interval[1][0]);
            off += !(fabs(q->value - J[k]) <= far);
        }
    }
    assert_true(off <= 1);
}

static void assert_refused(const ph_observations *o, const ph_fit_settings *settings,
                           const char *words)
{
    ph_message why = {0};
    ph_fit_settings with = *settings;
    with.message = &why;
    if (ph_fit_motion(o, &with, NULL, &found) == PH_OK || strstr(why.text, words) == NULL)
        fail_msg("%s, and not: %s", words, why.text);
}

/* The same motion with times in other units: the same body, or no answer where the variance of its
 * velocity is no number. */
static void test_units_of_time(void **state)
{
    (void)state;
    static const struct {
        double unit;
        bool refused;
    } all[] = {{1e-300, true}, {1e-150, false}, {1e-30, false}, {0x1p-40, false},
               {1e30, false},  {1e140, false},  {1e300, true}};
    static ph_fit right;
    static double t[FIT_TIMES], w[3 * FIT_TIMES], sigma[FIT_TIMES], r[6 * FIT_TIMES],
        r1[6 * FIT_TIMES];
    fit_case c;
    fit_case_make(&c, 5);
    const ph_fit_settings with = {0};
    for (int velocities = is_quick(); velocities < 2; velocities++) {
        ph_observations o = attitudes_of(&c);
        if (velocities == 1) {
            o.seen[PH_SEEN_VELOCITY] = w;
            o.sigma[PH_SEEN_VELOCITY] = sigma;
        }
        o.t = t;
        for (size_t n = 0; n <= sizeof all / sizeof *all; n++) {
            const double unit = n == 0 ? 1.0 : all[n - 1].unit;
            ph_fit *to = n == 0 ? &right : &found;
            for (size_t i = 0; i < FIT_TIMES; i++) {
                t[i] = c.t[i] * unit;
                sigma[i] = 0.001 / unit;
                for (size_t k = 3 * i; k < 3 * i + 3; k++)
                    w[k] = c.w[k] / unit;
            }
            const bool refused = n > 0 && all[n - 1].refused;
            if (refused) {
                ph_message why = {0};
                const ph_fit_settings told = {.message = &why};
                assert_int_equal(ph_fit_motion(&o, &told, NULL, to), PH_BAD_PARAMETER);
                assert_non_null(strstr(why.text, "another unit"));
                continue;
            }
            assert_int_equal(ph_fit_motion(&o, &with, n == 0 ? r1 : r, to), PH_OK);
            const ph_vec3 v = scale(unit, to->velocity);
            assert_near(&to->body.J.x, &right.body.J.x, 3, 1e-8);
            assert_near(&v.x, &right.velocity.x, 3, 1e-8);
            assert_near(&to->chi2, &right.chi2, 1, 1e-8 * right.chi2);
            for (size_t i = 0; i < to->columns * to->columns; i++) {
                const size_t a = i / to->columns, b = i % to->columns;
                const double by = (to->column[a][0] == 'w' ? unit : 1.0) *
                                  (to->column[b][0] == 'w' ? unit : 1.0),
                             x = to->covariance[i] * by;
                assert_near(&x, &right.covariance[i], 1, 1e-10);
            }
            for (size_t i = 0; i < 3 * FIT_TIMES && velocities == 1 && n > 0; i++) {
                const double x = r[i / 3 * 6 + 3 + i % 3] * unit;
                assert_near(&x, &r1[i / 3 * 6 + 3 + i % 3], 1, 1e-8);
            }
        }
    }
}

static void test_refusals(void **state)
{
    (void)state;
    fit_case c;
    fit_case_make(&c, 1);
    const ph_observations good = attitudes_of(&c);
    const ph_fit_settings with = {0};
    ph_observations o = good;
    o.count = 3;
    assert_refused(&o, &with, "9 observed numbers for 11 unknowns");
    o.count = 4; /* twelve numbers for eleven unknowns */
    assert_int_equal(ph_fit_motion(&o, &with, NULL, &found), PH_OK);
    assert_int_equal(found.degrees_of_freedom, 1);
    o.count = 1;
    assert_refused(&o, &with, "1 observations do not determine a motion");
    o = good, o.seen[PH_SEEN_ATTITUDE] = NULL;
    assert_refused(&o, &with, "there are no observations");
    o = good, o.seen[PH_SEEN_BRIGHTNESS] = c.t;
    assert_refused(&o, &with, "sun and observer");
    o = good, o.seen[PH_SEEN_AXIS] = c.axis;
    assert_refused(&o, &with, "the observed axis");
    double *const place[] = {&c.t[5], &c.t[5], &c.t[5], &c.t[1], &c.sigma[7], &c.q[17]};
    const double bad[] = {NAN, c.t[4], -1.0, -1.0, 0.0, NAN};
    const char *const words[] = {"observation 6: the time is not finite",
                                 "observation 6: the time",
                                 "sort the times",
                                 "observation 2: the time",
                                 "observation 8: sigma of the attitude is 0",
                                 "observation 5: the attitude is not finite"};
    for (int k = 0; k < 6; k++) {
        const double before = *place[k];
        *place[k] = bad[k];
        assert_refused(&good, &with, words[k]);
        *place[k] = before;
    }
    const ph_fit_settings some = {.sought = PH_FIT_VELOCITY};
    assert_refused(&good, &some, "quantities that are not fitted must be known");
    const char *const names[] = {"damping"};
    const ph_fit_settings unknown = {.parameters = names, .parameter_count = 1};
    assert_refused(&good, &unknown, "no parameter `damping`");
    for (size_t i = 0; i < FIT_TIMES; i++) /* at rest */
        memcpy(&c.q[4 * i], &(ph_quat){1, 0, 0, 0}, sizeof(ph_quat));
    assert_refused(&good, &with, "the body does not rotate");
    assert_int_equal(ph_fit_motion(NULL, &with, NULL, &found), PH_NULL_ARGUMENT);
}

/* Numbers that are no choice are refused by the name of the setting. */
static void unknown_choices(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        ph_fit_settings with;
    } wrong[] = {{"loss", {.loss = (ph_fit_loss)77}},
                 {"loss", {.loss = (ph_fit_loss)-1}},
                 {"law", {.law = (ph_scattering)2}},
                 {"sought", {.sought = 16}},
                 {"sought", {.sought = 1U << 31 | PH_FIT_ALL}}};
    fit_case c;
    fit_case_make(&c, 5);
    const ph_observations o = attitudes_of(&c);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        ph_message why = {0};
        ph_fit_settings with = wrong[k].with;
        with.message = &why;
        assert_int_equal(ph_fit_motion(&o, &with, NULL, &found), PH_BAD_PARAMETER);
        assert_non_null(strstr(why.text, wrong[k].name));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_eigenvectors),
        cmocka_unit_test(test_physical),
        cmocka_unit_test(test_loss_functions),
        cmocka_unit_test(test_stopped),
        cmocka_unit_test(test_phases_of_a_sphere),
        cmocka_unit_test(test_brightness_by_points),
        cmocka_unit_test(test_slopes),
        cmocka_unit_test(test_coverage),
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_unseen),
        cmocka_unit_test(test_losses),
        cmocka_unit_test(test_field),
        cmocka_unit_test(test_parameter_of_three),
        cmocka_unit_test(test_long_words),
        cmocka_unit_test(test_brightness),
        cmocka_unit_test(test_light_curve),
        cmocka_unit_test(test_known_body),
        cmocka_unit_test(test_uniform),
        cmocka_unit_test(test_wobble),
        cmocka_unit_test(test_twins),
        cmocka_unit_test(test_twins_move_alike),
        cmocka_unit_test(test_undirected),
        cmocka_unit_test(test_two_outliers),
        cmocka_unit_test(test_nearly_equal_moments),
        cmocka_unit_test(test_units_of_time),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(unknown_choices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
