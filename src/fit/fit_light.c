/* fit_light.c - where a fit of brightness begins, without a first guess.
 *
 * The light curve of a tumbling ellipsoid is a sum of terms of frequencies n f + m g, f that of the
 * precession and g twice that of the polhode (M. Kaasalainen, Astron. Astrophys. 376 (2001) 302). The
 * strongest lines, each of which is one of low order, give pairs (f, g), which are ranked by a Fourier
 * series in both. Each pair and a shape at random determine the polhode and the momentum; phase and
 * direction in space are drawn. The best draws are refined.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/parallel.h"
#include "base/random.h"
#include "fit/fit_candidates.h"
#include "motion/vec.h"

/* ---- lines of the spectrum, and pairs of frequencies ------------------------- */

enum { LINES = 7, PAIRS = 4000, KEPT_PAIRS = 40, ORDER = 2, TERMS = 1 + 2 * 12 };

typedef struct pair {
    double f, g, rest; /* precession, twice the polhode, sum of squares that they leave */
} pair;

typedef struct light_curve {
    const fit_model *f;
    const ph_observations *o;
    double *y; /* over its mean, less 1 */
    double span, highest;
    pair *pair;
    size_t pairs;
} light_curve;

/* The strongest lines, each taken away before the next is sought. */
static void find_lines(const light_curve *l, double *work, double line[LINES])
{
    const size_t n = l->o->count;
    const double step = 0.1 / l->span;
    memcpy(work, l->y, n * sizeof *work);
    for (int k = 0; k < LINES; k++) {
        double best = -1.0, c = 0.0, s = 0.0;
        for (int at = 5; at * step < l->highest && fit_goes_on(l->f); at++) {
            const double f = at * step;
            double a = 0.0, b = 0.0;
            for (size_t i = 0; i < n; i++) {
                double sine, cosine;
                ph_sincos(2.0 * PH_PI * f * (l->o->t[i] - l->o->t[0]), &sine, &cosine);
                a += work[i] * cosine, b += work[i] * sine;
            }
            if (a * a + b * b > best)
                best = a * a + b * b, line[k] = f, c = 2.0 * a / (double)n, s = 2.0 * b / (double)n;
        }
        for (size_t i = 0; i < n; i++) {
            double sine, cosine;
            ph_sincos(2.0 * PH_PI * line[k] * (l->o->t[i] - l->o->t[0]), &sine, &cosine);
            work[i] -= c * cosine + s * sine;
        }
    }
}

/* What a Fourier series in both frequencies leaves, by Cholesky's factor of its normal
 * equations. */
static void rank_pair(void *context, size_t at)
{
    const light_curve *l = context;
    pair *p = &l->pair[at];
    double N[TERMS][TERMS] = {{0}}, b[TERMS] = {0}, all = 0.0;
    if (!fit_goes_on(l->f))
        return;
    for (size_t i = 0; i < l->o->count; i++) {
        const double t = 2.0 * PH_PI * (l->o->t[i] - l->o->t[0]);
        double row[TERMS] = {1.0};
        int k = 1;
        for (int n = 0; n <= ORDER; n++) {
            for (int m = n == 0 ? 1 : -ORDER; m <= ORDER; m++, k += 2)
                ph_sincos(t * (n * p->f + m * p->g), &row[k], &row[k + 1]);
        }
        for (int r = 0; r < TERMS; r++) {
            b[r] += row[r] * l->y[i];
            for (int c = 0; c <= r; c++)
                N[r][c] += row[r] * row[c];
        }
        all += l->y[i] * l->y[i];
    }
    const double ridge = 1e-3; /* of the diagonal: terms may coincide */
    for (int r = 0; r < TERMS; r++) {
        N[r][r] *= 1.0 + ridge;
        for (int c = 0; c <= r; c++) {
            for (int k = 0; k < c; k++)
                N[r][c] -= N[r][k] * N[c][k];
            N[r][c] = r == c ? sqrt(larger_or_nan(N[r][r], 1e-300)) : N[r][c] / N[c][c];
        }
        for (int k = 0; k < r; k++)
            b[r] -= N[r][k] * b[k];
        b[r] /= N[r][r];
        all -= b[r] * b[r];
    }
    p->rest = all;
}

static int by_rest(const void *a, const void *b)
{
    const double x = ((const pair *)a)->rest, y = ((const pair *)b)->rest;
    return (x > y) - (x < y);
}

/* Pairs of which two lines are n f + m g and n' f + m' g, those that leave least first. */
static void find_pairs(light_curve *l, const double line[LINES])
{
    const int terms = (ORDER + 1) * (2 * ORDER + 1), lines = LINES * LINES;
    const double apart = 0.15 / l->span;
    for (int k = 0; k < lines * terms * terms * 2 && l->pairs < PAIRS; k++) {
        const int a = k / (2 * terms * terms) % LINES, b = k / (2 * terms * terms) / LINES,
                  first = k / 2 % terms, second = k / 2 / terms % terms;
        const int n1 = first / (2 * ORDER + 1), m1 = first % (2 * ORDER + 1) - ORDER,
                  n2 = second / (2 * ORDER + 1), m2 = second % (2 * ORDER + 1) - ORDER,
                  det = n1 * m2 - n2 * m1;
        const double x = line[a], y = k % 2 ? -line[b] : line[b];
        if (a >= b || det == 0)
            continue;
        const pair p = {(x * m2 - y * m1) / det, (n1 * y - n2 * x) / det, 0.0};
        bool known =
            !(p.f > 1.0 / l->span && p.g > 1.0 / l->span && p.f < l->highest && p.g < l->highest);
        for (size_t i = 0; i < l->pairs && !known; i++)
            known = fabs(l->pair[i].f - p.f) < apart && fabs(l->pair[i].g - p.g) < apart;
        if (!known)
            l->pair[l->pairs++] = p;
    }
    ph_parallel_for(l->pairs, true, rank_pair, l);
    qsort(l->pair, l->pairs, sizeof *l->pair, by_rest);
}

/* ---- bodies with these frequencies ------------------------------------------- */

/* A momentum of unit length whose polhode and precession have this ratio of frequencies, about the
 * axis of the smallest moment, or of the largest; by bisection of the angle from that axis up to the
 * separatrix. False if there is none. */
static bool find_polhode(ph_vec3 J, bool about_largest, double ratio, ph_motion *motion)
{
    const ph_body body = {J, {1, 0, 0, 0}, true};
    const double square = (1.0 / J.y - 1.0 / J.z) / (1.0 / J.x - 1.0 / J.z),
                 edge = ph_acos(sqrt(square)), most = about_largest ? 0.5 * PH_PI - edge : edge;
    double low = 1e-3 * most, high = (1.0 - 1e-6) * most, at_low = 0.0;
    for (int k = 0; k < 24; k++) {
        const double angle = k == 0 ? low : k == 1 ? high : 0.5 * (low + high);
        double s, c;
        ph_sincos(angle, &s, &c);
        const ph_state start = {{1, 0, 0, 0}, about_largest ? vec3(s, 0, c) : vec3(c, 0, s)};
        if (ph_motion_prepare(motion, &body, &start) != PH_OK)
            return false;
        const double here =
            2.0 * PH_PI / ph_motion_period(motion) / fabs(ph_motion_precession(motion)) - ratio;
        if (k == 0)
            at_low = here;
        else if (k == 1 && here * at_low > 0.0)
            return false;
        else if (k > 1)
            *(here * at_low > 0.0 ? &low : &high) = angle;
    }
    return true;
}

/* The moments of a body, ascending, and its principal axes in that order: at random, or those of x if
 * they are known. */
static ph_vec3 draw_shape(const fit_model *f, uint64_t *seed, fit_point *x, ph_quat *axes)
{
    ph_body b = {.principal = false};
    if ((f->with->sought & PH_FIT_INERTIA) != 0)
        ph_fit_set_tensor(x, ph_fit_random_moments(seed), (ph_quat){1, 0, 0, 0}, 1.0);
    (void)ph_body_from_tensor(&b, symmetric(x->tensor));
    const ph_mat3 A = ph_quat_matrix(b.axes);
    const double J[3] = {b.J.x, b.J.y, b.J.z};
    const int least = J[0] <= J[1] && J[0] <= J[2] ? 0
                      : J[1] <= J[2]               ? 1
                                                   : 2,
              next = (least + 1) % 3, last = (least + 2) % 3;
    const bool even = J[next] <= J[last];
    const int order[3] = {least, even ? next : last, even ? last : next};
    ph_mat3 sorted;
    for (int k = 0; k < 9; k++) /* an exchange of two axes is a rotation if one is turned round */
        sorted.a[k / 3][k % 3] = A.a[k / 3][order[k % 3]] * (even || k % 3 > 0 ? 1.0 : -1.0);
    *axes = ph_quat_from_matrix(sorted);
    return vec3(J[order[0]], J[order[1]], J[order[2]]);
}

/* A body that shows one frequency, as one does that turns about a principal axis, or a round one; or
 * any body whose precession has this frequency. The light of an ellipsoid is the same after half a
 * turn. */
static bool draw_of_line(const fit_model *f, double frequency, uint64_t *seed, fit_point *x)
{
    const double tilt = 0.05, turns = random_bits(seed) >> 63 ? frequency : 0.5 * frequency;
    ph_quat axes;
    const ph_vec3 J = draw_shape(f, seed, x, &axes);
    const ph_body body = {J, {1, 0, 0, 0}, true};
    const int kind = (int)(random_bits(seed) % 3);
    double m[3];
    ph_motion motion;
    draw_each(seed, kind < 2 ? -tilt : -1.0, kind < 2 ? tilt : 1.0, 3, m);
    if (kind < 2)
        m[kind == 0 ? 0 : 2] = 1.0;
    const ph_state start = {{1, 0, 0, 0}, vec3(m[0], m[1], m[2])};
    if (ph_motion_prepare(&motion, &body, &start) != PH_OK)
        return false;
    const ph_vec3 w = over(start.m, J);
    const double rate = kind < 2 ? norm(w) : fabs(ph_motion_precession(&motion));
    x->q = ph_fit_random_attitude(seed);
    x->w = rotate(axes, scale(2.0 * PH_PI * turns / rate, w));
    return rate > 0.0;
}

/* A body with a pair of frequencies, at a random place of its motion, in a random direction. */
static bool draw_tumbler(const fit_model *f, const pair *p, uint64_t *seed, fit_point *x)
{
    ph_quat axes;
    const ph_vec3 J = draw_shape(f, seed, x, &axes);
    ph_motion motion;
    const bool about_largest = random_bits(seed) >> 63;
    if (!(J.x < J.y && J.y < J.z) || !find_polhode(J, about_largest, 0.5 * p->g / p->f, &motion))
        return false;
    const double length = 2.0 * PH_PI * p->f / fabs(ph_motion_precession(&motion));
    const ph_state s = ph_motion_at(&motion, uniform(seed) * ph_motion_period(&motion));
    x->q = mul(mul(ph_fit_random_attitude(seed), s.q), inverse(axes));
    x->w = rotate(axes, scale(length, over(s.m, J)));
    return true;
}

/* Draw k: one of four has a line as its frequency, the others a pair. A short arc shows frequencies only
 * nearly: every second pair is changed by a part of the width of a line. */
static bool draw_light(const light_curve *l, const double line[LINES], size_t k, uint64_t *seed,
                       fit_point *x)
{
    enum { TRIES = 6 };
    const double width = 0.15 / l->span;
    const size_t which = k / 4 % KEPT_PAIRS;
    bool drawn = false;
    if (k % 4 == 0)
        return draw_of_line(l->f, line[k / 4 % LINES], seed, x);
    for (int try = 0; try < TRIES && which < l->pairs && !drawn; try++) {
        pair p = l->pair[which];
        if (k % 2 == 1) {
            p.f += width * ph_fit_gauss(seed);
            p.g += width * ph_fit_gauss(seed);
        }
        drawn = p.f > 0.0 && p.g > 0.0 && draw_tumbler(l->f, &p, seed, x);
    }
    return drawn;
}

/* How often the best of some sorted minima was found, from different starts. */
static int times_found(const fit_minimum *c, size_t count)
{
    const double same = 0.01;
    int times = 0;
    for (size_t k = 0; k < count; k++)
        times += c[k].loss <= c[0].loss + same;
    return times;
}

/* Ends when the best minimum was found from several starts, or after so many rounds. */
size_t ph_fit_search_light(fit_model *f, const fit_point *x, fit_minimum *out)
{
    enum { DRAWS = 300, BEGUN = 64, REFINED = 16, ROUNDS = 6, OFTEN = 3 };
    const ph_observations *o = f->o;
    const size_t n = o->count, all_draws = (size_t)KEPT_PAIRS * DRAWS;
    light_curve l = {.f = f, .o = o, .span = o->t[n - 1] - o->t[0]};
    l.highest = (double)n / (3.0 * l.span);
    l.y = array_create(size_product(2, n), sizeof *l.y);
    l.pair = array_create(PAIRS, sizeof *l.pair);
    fit_minimum *c = array_create(all_draws, sizeof *c);
    size_t kept = 0;
    double line[LINES] = {0};
    if (l.y != NULL && l.pair != NULL && c != NULL) {
        double mean = 0.0;
        for (size_t i = 0; i < n; i++)
            mean += o->seen[PH_SEEN_BRIGHTNESS][i] / (double)n;
        for (size_t i = 0; i < n; i++)
            l.y[i] = o->seen[PH_SEEN_BRIGHTNESS][i] / mean - 1.0;
        find_lines(&l, l.y + n, line);
        find_pairs(&l, line);
        if (o->sigma[PH_SEEN_BRIGHTNESS] == NULL && l.pairs > 0)
            f->scale[PH_SEEN_BRIGHTNESS] =
                mean * sqrt(l.pair[0].rest / (double)(n > TERMS + TERMS ? n - TERMS : n));
    }
    uint64_t seed = 1;
    if ((f->given & PH_FIT_ALL) == PH_FIT_ALL && c != NULL) { /* a first guess */
        fit_contest one = {f, out, n, 60};
        out[kept++] = (fit_minimum){*x, NAN};
        ph_fit_refine(&one, 0);
    }
    bool done = kept > 0 && ph_fit_good_enough(f, out[0].loss);
    for (int round = 0; !done && round < ROUNDS && l.pairs > 0 && fit_goes_on(f); round++) {
        size_t count = 0;
        for (size_t k = 0; k < all_draws && fit_goes_on(f); k++) {
            c[count] = (fit_minimum){*x, NAN};
            count += draw_light(&l, line, k, &seed, &c[count].x);
        }
        fit_contest all = {f, c, n, 10};
        ph_parallel_for(count, true, ph_fit_score, &all);
        qsort(c, count, sizeof *c, ph_fit_by_loss);
        count = count < BEGUN ? count : BEGUN;
        ph_parallel_for(count, true, ph_fit_refine, &all);
        qsort(c, count, sizeof *c, ph_fit_by_loss);
        count = count < REFINED ? count : REFINED;
        all.steps = 60;
        ph_parallel_for(count, true, ph_fit_refine, &all);
        const size_t room = FIT_MINIMA - kept, added = count < room ? count : room;
        memcpy(out + kept, c, added * sizeof *c);
        kept += added;
        qsort(out, kept, sizeof *out, ph_fit_by_loss);
        kept = kept < FIT_MINIMA - REFINED ? kept : FIT_MINIMA - REFINED;
        done = kept > 0 && ph_fit_good_enough(f, out[0].loss) && times_found(out, kept) >= OFTEN;
    }
    free(l.y);
    free(l.pair);
    free(c);
    return kept;
}
