/* fit_search.c - where a fit begins, without a first guess.
 *
 * Neighbouring attitudes less than half a turn apart give the velocity between them. Then the momentum
 * in space, R J w, is the same at all times: a linear equation for the tensor, solved by the smallest
 * eigenvector. Other starts are tensors at random, of an axis with velocities at random about it. The
 * best over the first turn are refined there, then over twice as many observations, and so on: the phase
 * stays known.
 *
 * In order: candidates, how good each is and their refinement; starts from brightness alone, by lines of
 * its spectrum and bodies with these frequencies; starts from attitudes, directions and velocities.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/parallel.h"
#include "base/random.h"
#include "fit/fit_model.h"
#include "motion/vec.h"

/* ---- candidates ------------------------------------------------------------------------------ */

/* Many points from which a fit may begin. */
typedef struct fit_contest {
    const fit_model *f;
    fit_minimum *c;
    size_t first; /* observations that the refinement begins with */
    int steps;    /* of each descent */
} fit_contest;

/* Compares two candidates by their loss, for qsort(). */
static int by_loss(const void *a, const void *b)
{
    const double x = ((const fit_minimum *)a)->loss, y = ((const fit_minimum *)b)->loss;
    if (isnan(x) || isnan(y))
        return isnan(x) - isnan(y);
    return (x > y) - (x < y);
}

/* Sets the factor of the brightness to the best for this motion; returns the loss. */
static double best_factor(const fit_model *f, fit_point *x)
{
    const ph_observations *o = f->o;
    const size_t width = ph_fit_width(o);
    if (o->seen[PH_SEEN_BRIGHTNESS] == NULL)
        return ph_fit_loss_at(f, x, NULL, NULL, NULL);
    double *r = array_create(size_product(f->used, width), sizeof *r), seen_model = 0.0,
           model = 0.0;
    if (r == NULL)
        return NAN;
    x->factor = 1.0;
    double loss = ph_fit_loss_at(f, x, NULL, NULL, r);
    for (size_t i = 0; i < f->used; i++) {
        const double sigma = fit_sigma(o, PH_SEEN_BRIGHTNESS, i),
                     seen = o->seen[PH_SEEN_BRIGHTNESS][i] / (f->scale[PH_SEEN_BRIGHTNESS] * sigma),
                     b = seen - r[(i + 1) * width - 1];
        seen_model += seen * b, model += b * b;
        loss -= r[(i + 1) * width - 1] * r[(i + 1) * width - 1] - seen * seen;
    }
    free(r);
    x->factor = seen_model / model;
    if (f->loss == PH_LOSS_SQUARES)
        return loss - seen_model * seen_model / model;
    return ph_fit_loss_at(f, x, NULL, NULL, NULL);
}

/* Sets the loss of candidate i of a contest, with the best factor of the brightness. */
static void score(void *context, size_t i)
{
    const fit_contest *all = context;
    if (fit_goes_on(all->f))
        all->c[i].loss = best_factor(all->f, &all->c[i].x);
    else
        all->c[i].loss = NAN;
}

/* Refines candidate i of a contest over more and more observations. */
static void refine(void *context, size_t i)
{
    const fit_contest *all = context;
    fit_model part = *all->f;
    for (part.used = all->first; part.used < all->f->used; part.used += part.used / 2)
        all->c[i].loss = ph_fit_descend(&part, &all->c[i].x, all->steps);
    part.used = all->f->used;
    (void)best_factor(&part, &all->c[i].x);
    all->c[i].loss = ph_fit_descend(&part, &all->c[i].x, 2 * all->steps);
}

/* Whether a loss is as small as the noise makes it. */
static bool good_enough(const fit_model *f, double loss)
{
    const double most = f->light_only ? 1.2 : 2.0; /* per number observed */
    return loss <= most * (double)(f->used * ph_fit_width(f->o));
}

static int place_of_least(const double *x, int n)
{
    int least = 0;
    for (int k = 1; k < n; k++) {
        if (x[k] < x[least])
            least = k;
    }
    return least;
}

static ph_quat random_attitude(uint64_t *seed)
{
    ph_quat q;
    do {
        double x[4];
        draw_each(seed, -1.0, 1.0, 4, x);
        q = (ph_quat){x[0], x[1], x[2], x[3]};
    } while (!(dot4(q, q) < 1.0 && dot4(q, q) > 0.01));
    return ph_quat_unit(q);
}

/* Moments of an ellipsoid at random, ascending, the largest 1. */
static ph_vec3 random_moments(uint64_t *seed)
{
    const double b = between(seed, 0.25, 1.0), c = b * between(seed, 0.4, 1.0);
    return scale(1.0 / (1.0 + b * b), vec3(b * b + c * c, 1.0 + c * c, 1.0 + b * b));
}

void ph_fit_set_tensor(fit_point *x, ph_vec3 J, ph_quat axes, double by)
{
    const ph_mat3 A = ph_quat_matrix(axes);
    for (int k = 0; k < 6; k++) {
        const double *r = A.a[tensor_row[k]], *c = A.a[tensor_column[k]];
        x->tensor[k] = by * (r[0] * J.x * c[0] + r[1] * J.y * c[1] + r[2] * J.z * c[2]);
    }
}

void ph_fit_draw_tensor(const fit_model *f, uint64_t *seed, fit_point *x)
{
    ph_vec3 J = random_moments(seed);
    ph_quat axes = random_attitude(seed);
    const uint64_t order = random_bits(seed) % 3;
    if (f->principal) {
        axes = (ph_quat){1, 0, 0, 0};
        for (uint64_t k = 0; k < order; k++)
            J = vec3(J.y, J.z, J.x);
    }
    ph_fit_set_tensor(x, J, axes, 1.0);
}

double ph_fit_gauss(uint64_t *seed)
{
    const double size = sqrt(-2.0 * ph_real_log(1.0 - uniform(seed)));
    return size * ph_cos(2.0 * PH_PI * uniform(seed));
}

/* ---- brightness: lines of the spectrum, and pairs of frequencies --------------------------- */

/* The light curve of a tumbling ellipsoid is a sum of terms of frequencies n f + m g, f that of the
 * precession and g twice that of the polhode (M. Kaasalainen, Astron. Astrophys. 376 (2001) 302). The
 * strongest lines, each of which is one of low order, give pairs (f, g), which are ranked by a Fourier
 * series in both. Each pair and a shape at random determine the polhode and the momentum; phase and
 * direction in space are drawn. The best draws are refined.
 */

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
            if (r == c)
                N[r][c] = sqrt(larger_or_nan(N[r][r], 1e-300));
            else
                N[r][c] = N[r][c] / N[c][c];
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
        const double x = line[a], y = alternating(k) * line[b];
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

/* ---- brightness: bodies with these frequencies ----------------------------------------------- */

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
        double angle = 0.5 * (low + high), s, c;
        if (k == 0)
            angle = low;
        else if (k == 1)
            angle = high;
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
        else if (k > 1 && here * at_low > 0.0)
            low = angle;
        else if (k > 1)
            high = angle;
    }
    return true;
}

/* The moments of a body, ascending, and its principal axes in that order: at random, or those of x if
 * they are known. */
static ph_vec3 draw_shape(const fit_model *f, uint64_t *seed, fit_point *x, ph_quat *axes)
{
    ph_body b = {.principal = false};
    if ((f->with->sought & PH_FIT_INERTIA) != 0)
        ph_fit_set_tensor(x, random_moments(seed), (ph_quat){1, 0, 0, 0}, 1.0);
    (void)ph_body_from_tensor(&b, symmetric(x->tensor));
    const ph_mat3 A = ph_quat_matrix(b.axes);
    const double J[3] = {b.J.x, b.J.y, b.J.z};
    const int least = place_of_least(J, 3);
    int order[3] = {least, (least + 1) % 3, (least + 2) % 3};
    double side = 1.0; /* an exchange of two axes is a rotation if one is turned round */
    if (!(J[order[1]] <= J[order[2]])) {
        order[1] = (least + 2) % 3;
        order[2] = (least + 1) % 3;
        side = -1.0;
    }
    ph_mat3 sorted;
    for (int k = 0; k < 3; k++) {
        const double *row = A.a[k];
        sorted.a[k][0] = side * row[order[0]];
        sorted.a[k][1] = row[order[1]];
        sorted.a[k][2] = row[order[2]];
    }
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
    const double most = kind < 2 ? tilt : 1.0;
    draw_each(seed, -most, most, 3, m);
    if (kind == 0)
        m[0] = 1.0;
    else if (kind == 1)
        m[2] = 1.0;
    const ph_state start = {{1, 0, 0, 0}, vec3(m[0], m[1], m[2])};
    if (ph_motion_prepare(&motion, &body, &start) != PH_OK)
        return false;
    const ph_vec3 w = over(start.m, J);
    double rate = norm(w);
    if (kind == 2)
        rate = fabs(ph_motion_precession(&motion));
    x->q = random_attitude(seed);
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
    x->q = mul(mul(random_attitude(seed), s.q), inverse(axes));
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

/* Searches if brightness alone is observed. Ends when the best minimum was found from several starts, or after so many rounds. */
static size_t search_light(fit_model *f, const fit_point *x, fit_minimum *out)
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
        refine(&one, 0);
    }
    bool done = kept > 0 && good_enough(f, out[0].loss);
    for (int round = 0; !done && round < ROUNDS && l.pairs > 0 && fit_goes_on(f); round++) {
        size_t count = 0;
        for (size_t k = 0; k < all_draws && fit_goes_on(f); k++) {
            c[count] = (fit_minimum){*x, NAN};
            count += draw_light(&l, line, k, &seed, &c[count].x);
        }
        fit_contest all = {f, c, n, 10};
        ph_parallel_for(count, true, score, &all);
        qsort(c, count, sizeof *c, by_loss);
        count = smaller_size(count, BEGUN);
        ph_parallel_for(count, true, refine, &all);
        qsort(c, count, sizeof *c, by_loss);
        count = smaller_size(count, REFINED);
        all.steps = 60;
        ph_parallel_for(count, true, refine, &all);
        const size_t added = smaller_size(count, FIT_MINIMA - kept);
        memcpy(out + kept, c, added * sizeof *c);
        kept += added;
        qsort(out, kept, sizeof *out, by_loss);
        kept = smaller_size(kept, FIT_MINIMA - REFINED);
        done = kept > 0 && good_enough(f, out[0].loss) && times_found(out, kept) >= OFTEN;
    }
    free(l.y);
    free(l.pair);
    free(c);
    return kept;
}

/* ---- attitudes, directions and velocities ---------------------------------------------------- */

/* What the observations show of the attitude at different times: attitudes, those of two vectors at
 * the same time, or velocities integrated from any attitude. */
typedef struct track {
    size_t count;
    size_t *row; /* the observation that has this attitude and this time */
    ph_quat *q;
} track;

static ph_vec3 vector_in(const double *all, size_t i)
{
    return vec3(all[3 * i], all[3 * i + 1], all[3 * i + 2]);
}

/* The attitude that turns a to b, and as far as possible c to d. */
static ph_quat attitude_of_pair(ph_vec3 a, ph_vec3 b, ph_vec3 c, ph_vec3 d)
{
    const ph_vec3 n = cross(a, c), m = cross(b, d), e1 = scale(1.0 / norm(a), a),
                  f1 = scale(1.0 / norm(b), b), e2 = scale(1.0 / norm(n), n),
                  f2 = scale(1.0 / norm(m), m);
    const ph_mat3 R = matmul(columns(f1, f2, cross(f1, f2)), rows(e1, e2, cross(e1, e2)));
    return ph_quat_from_matrix(R);
}

/* Stores the attitude that observation i shows, beside those before it; false if it shows none. */
static bool see_attitude(const ph_observations *o, size_t i, const track *before, ph_quat *q)
{
    const double apart = 0.1; /* the sine of the angle between two vectors */
    const double *attitude = o->seen[PH_SEEN_ATTITUDE], *velocity = o->seen[PH_SEEN_VELOCITY],
                 *vector = o->seen[PH_SEEN_VECTOR];
    if (attitude != NULL) {
        const double *a = attitude + 4 * i;
        *q = ph_quat_unit((ph_quat){a[0], a[1], a[2], a[3]});
        return true;
    }
    for (size_t k = i + 1; vector != NULL && k < o->count && o->t[k] == o->t[i]; k++) {
        const ph_vec3 a = vector_in(vector, i), b = vector_in(o->space, i),
                      c = vector_in(vector, k), d = vector_in(o->space, k);
        if (norm(cross(a, c)) > apart * norm(a) * norm(c) &&
            norm(cross(b, d)) > apart * norm(b) * norm(d)) {
            *q = attitude_of_pair(a, b, c, d);
            return true;
        }
    }
    if (vector != NULL || velocity == NULL || o->seen[PH_SEEN_AXIS] != NULL)
        return false;
    const size_t last = before->count - 1;
    if (before->count == 0)
        *q = (ph_quat){1, 0, 0, 0};
    else
        *q = mul(before->q[last],
                 ph_rotation_exp(scale(0.5 * (o->t[i] - o->t[i - 1]),
                                       add(vector_in(velocity, i), vector_in(velocity, i - 1)))));
    return true;
}

static bool make_track(const ph_observations *o, track *k)
{
    *k = (track){0, array_create(o->count, sizeof *k->row), array_create(o->count, sizeof *k->q)};
    for (size_t i = 0; i < o->count && k->row != NULL && k->q != NULL; i++) {
        const bool later = k->count == 0 || o->t[i] > o->t[k->row[k->count - 1]];
        if (later && see_attitude(o, i, k, &k->q[k->count]))
            k->row[k->count++] = i;
    }
    return k->row != NULL && k->q != NULL;
}

/* The turn in the body from an attitude to the next, and the time that it takes. */
static ph_vec3 turn_after(const ph_observations *o, const track *k, size_t i, double *time)
{
    *time = o->t[k->row[i + 1]] - o->t[k->row[i]];
    return ph_rotation_log(mul(inverse(k->q[i]), k->q[i + 1]));
}

/* The turn of an observed direction after observation i, in space or in the body, and its time. */
static ph_vec3 turn_of_direction(const ph_observations *o, size_t i, double *time)
{
    const double same = 0.99; /* the cosine between directions in space */
    const double *seen = o->seen[PH_SEEN_AXIS];
    if (seen == NULL)
        seen = o->seen[PH_SEEN_VECTOR];
    size_t k = i + 1;
    while (seen == o->seen[PH_SEEN_VECTOR] && k + 1 < o->count &&
           !(o->t[k] > o->t[i] &&
             dot(vector_in(o->space, i), vector_in(o->space, k)) >
                 same * norm(vector_in(o->space, i)) * norm(vector_in(o->space, k))))
        k++;
    const ph_vec3 a = vector_in(seen, i), there = vector_in(seen, k),
                  b = scale(fit_side(o, a, there), there), c = cross(a, b);
    *time = o->t[k] - o->t[i];
    if (norm(c) > 0.0)
        return scale(ph_atan2(norm(c), dot(a, b)) / norm(c), c);
    return c;
}

/* The tensor of which R J w changes least from interval to interval, and that momentum in space; with
 * a seed, of a few intervals at random. False if these show no body. */
static bool tensor_of_momentum(const fit_model *f, const track *k, uint64_t *seed, fit_point *x,
                               ph_vec3 *momentum)
{
    const int n = f->principal ? 3 : 6;
    const double share = 10.0 / (double)k->count;
    double M[36] = {0}, sum[3][6] = {{0}}, value[6], vector[36], used = 0.0;
    for (size_t i = 0; i + 1 < k->count; i++) {
        double time;
        const ph_vec3 turn = turn_after(f->o, k, i, &time), w = scale(1.0 / time, turn);
        if (seed != NULL && uniform(seed) > share)
            continue;
        const ph_mat3 R = ph_quat_matrix(mul(k->q[i], ph_rotation_exp(scale(0.5, turn))));
        const double u[3] = {w.x, w.y, w.z};
        used++;
        for (int r = 0; r < 3; r++) {
            double row[6];
            for (int j = 0; j < n; j++) {
                const int a = tensor_row[j], b = tensor_column[j];
                row[j] = R.a[r][a] * u[b] + (a != b ? R.a[r][b] * u[a] : 0.0);
                sum[r][j] += row[j];
            }
            for (int j = 0; j < n * n; j++)
                M[j] += row[j / n] * row[j % n];
        }
    }
    for (int j = 0; j < n * n; j++) {
        for (int r = 0; r < 3; r++)
            M[j] -= sum[r][j / n] * sum[r][j % n] / used;
    }
    ph_eigenvectors(n, M, value, vector);
    const double *v = vector + (size_t)n * (size_t)place_of_least(value, n),
                 trace = v[0] + v[1] + v[2];
    double L[3] = {0.0, 0.0, 0.0};
    memset(x->tensor, 0, sizeof x->tensor);
    for (int j = 0; j < n; j++)
        x->tensor[j] = v[j] / trace;
    for (int j = 0; j < 3 * n; j++)
        L[j / n] += sum[j / n][j % n] * x->tensor[j % n] / used;
    *momentum = vec3(L[0], L[1], L[2]);
    ph_body b;
    return used > 3.0 && ph_body_from_tensor(&b, symmetric(x->tensor)) == PH_OK;
}

/* Moves the state of a free motion from the time of observation i to the first time. */
static void move_to_first(const fit_model *f, size_t i, fit_point *x)
{
    ph_body b;
    ph_motion motion;
    if (i == 0 || !f->is_free || ph_body_from_tensor(&b, symmetric(x->tensor)) != PH_OK)
        return;
    const ph_state there = {x->q, ph_body_momentum(&b, x->w)};
    if (ph_motion_prepare(&motion, &b, &there) != PH_OK)
        return;
    const ph_state s = ph_motion_at(&motion, -f->times[i]);
    x->q = s.q;
    x->w = ph_body_velocity(&b, s.m);
}

typedef struct draws {
    const fit_model *f;
    const fit_point *given;
    track seen;
    size_t within;  /* the observations of the first turn */
    double fastest; /* velocity about an observed direction, over that of the direction */
} draws;

/* The attitude and the velocity that a direction at observation i has, with a turn and a velocity
 * about the direction at random. */
static void draw_about_direction(const fit_model *f, size_t i, double fastest, uint64_t *seed,
                                 ph_quat *q, ph_vec3 *w)
{
    const ph_observations *o = f->o;
    const bool axis = o->seen[PH_SEEN_AXIS] != NULL;
    ph_vec3 in_space, in_body;
    if (axis) {
        in_space = vector_in(o->seen[PH_SEEN_AXIS], i);
        in_body = o->axis;
    } else {
        in_space = vector_in(o->space, i);
        in_body = vector_in(o->seen[PH_SEEN_VECTOR], i);
    }
    const ph_vec3 u = scale(1.0 / norm(in_space), in_space),
                  a = rotate(*q, scale(1.0 / norm(in_body), in_body)), across = cross(a, u);
    double time;
    const ph_vec3 turn = turn_of_direction(o, i, &time);
    const double sine = norm(across), angle = ph_atan2(sine, dot(a, u)),
                 about = between(seed, -PH_PI, PH_PI),
                 spin = norm(turn) / time * between(seed, -fastest, fastest);
    if (sine > 0.0)
        *q = mul(ph_rotation_exp(scale(angle / sine, across)), *q);
    *q = mul(ph_rotation_exp(scale(about, u)), *q);
    *w = rotate_back(*q, scale(spin, u));
    if (axis)
        *w = add(*w, rotate_back(*q, scale(1.0 / time, turn)));
    else
        *w = add(*w, scale(-1.0 / time, turn));
}

/* A start: the first from all observations and what is given; others from an observation within the
 * first turn, with a tensor of a few intervals or at random. An outlier spoils only some of them. */
static void draw(void *context, size_t k, fit_point *x)
{
    const draws *d = context;
    const fit_model *f = d->f;
    const ph_observations *o = f->o;
    const unsigned sought = f->with->sought;
    uint64_t seed = k;
    *x = *d->given;
    const bool inertia = (sought & PH_FIT_INERTIA) != 0, direct = d->seen.count < 2,
               unknown = inertia && (k > 0 || ((f->given & PH_FIT_INERTIA) == 0 && f->is_free)),
               moving =
                   (sought & PH_FIT_VELOCITY) != 0 && (k > 0 || (f->given & PH_FIT_VELOCITY) == 0),
               turned =
                   (sought & PH_FIT_ATTITUDE) != 0 && (k > 0 || (f->given & PH_FIT_ATTITUDE) == 0);
    const bool all_sought = f->is_free && (sought & PH_FIT_ALL) == PH_FIT_ALL;
    size_t at = 0, row = 0;
    ph_vec3 w = x->w, momentum = {0, 0, 0};
    ph_quat q = x->q;
    bool found = false;
    if (k > 0 && all_sought)
        at = (size_t)((double)(direct ? d->within : d->seen.count) * uniform(&seed));
    if (direct) {
        if (at + 1 < o->count)
            row = at;
        draw_about_direction(f, row, d->fastest, &seed, &q, &w);
    } else {
        if (!(at + 1 < d->seen.count && d->seen.row[at] < d->within))
            at = 0;
        row = d->seen.row[at];
        if (o->seen[PH_SEEN_ATTITUDE] != NULL || o->seen[PH_SEEN_VECTOR] != NULL)
            q = d->seen.q[at];
        double time;
        const ph_vec3 turn = turn_after(o, &d->seen, at, &time);
        w = scale(1.0 / time, turn);
    }
    if (o->seen[PH_SEEN_VELOCITY] != NULL && o->seen[PH_SEEN_ATTITUDE] == NULL)
        w = vector_in(o->seen[PH_SEEN_VELOCITY], row);
    if (unknown && !direct && (k == 0 || k % 2 == 1)) {
        found = tensor_of_momentum(f, &d->seen, k == 0 ? NULL : &seed, x, &momentum);
        ph_fit_make_physical(f, x);
        ph_body b;
        if (found && ph_body_from_tensor(&b, symmetric(x->tensor)) == PH_OK && k > 0)
            w = ph_body_velocity(&b, rotate_back(d->seen.q[at], momentum));
    }
    if (unknown && !found) {
        const double *J = d->given->tensor;
        const double size = f->only_ratios ? 1.0 : norm_max(vec3(J[0], J[1], J[2]));
        ph_fit_draw_tensor(f, &seed, x);
        for (int i = 0; i < 6; i++)
            x->tensor[i] *= size;
    }
    if (turned)
        x->q = q;
    if (moving)
        x->w = w;
    if (turned && moving)
        move_to_first(f, row, x);
}

/* How many observations there are within the first turn; all if they end before. */
static size_t within_turn(const fit_model *f, const track *seen)
{
    const ph_observations *o = f->o;
    const bool direct = seen->count < 2;
    const size_t rows = direct ? 2 : 3, least = ((size_t)f->columns + rows - 1) / rows + 2;
    const size_t count = direct ? o->count : seen->count;
    double turned = 0.0, time;
    for (size_t i = 0; i + 1 < count; i++) {
        const size_t row = direct ? i : seen->row[i];
        if (row >= least && turned >= 2.0 * PH_PI)
            return row;
        if (direct)
            turned += norm(turn_of_direction(o, i, &time));
        else
            turned += norm(turn_after(o, seen, i, &time));
    }
    return o->count;
}

static size_t search_motion(fit_model *f, const fit_point *x, fit_minimum *out)
{
    enum {
        MOST = 4096,
        IN_FIELD = 24,
        KEPT = 24,
        CONFIRMED = 8,
        CARRIED = 4,
        LONGER = 6,
        ROUNDS = 2 * LONGER
    };
    const ph_observations *o = f->o;
    const double SLOW = 4.0;
    draws all = {f, x, {0}, o->count, SLOW};
    fit_minimum *c = array_create(MOST, sizeof *c);
    if (c == NULL || !make_track(o, &all.seen)) {
        free(all.seen.row);
        free(all.seen.q);
        free(c);
        return 0;
    }
    const bool free_body = f->is_free, direct = all.seen.count < 2;
    fit_model begin = *f;
    begin.used = within_turn(f, &all.seen);
    all.within = begin.used;
    /* The first from all observations at once, too. */
    size_t kept = 0;
    for (bool found = false; kept < 2 && !found; kept++) {
        fit_contest one = {f, c, kept == 0 ? o->count : begin.used, 30};
        draw(&all, 0, &c[kept].x);
        refine(&one, kept);
        found = good_enough(f, c[kept].loss);
    }
    const bool good = good_enough(f, c[kept - 1].loss);
    const bool inertia = (f->with->sought & PH_FIT_INERTIA) != 0;
    size_t count = MOST / 8, refined = KEPT;
    if (!free_body)
        count = IN_FIELD;
    else if (direct && inertia)
        count = MOST;
    if ((good || !inertia) && !(direct && inertia))
        refined = CONFIRMED;
    /* More rounds, with other and faster draws over a longer beginning, if none of the motions found is near
     * all observations; then the same again with new draws. */
    const int rounds = free_body ? ROUNDS : 1;
    bool more = !good || (free_body && inertia);
    for (int round = 0; round < rounds && more && fit_goes_on(f); round++) {
        fit_contest first = {&begin, c + kept, 0, 0}, rest = {f, c + kept, begin.used, 30};
        for (size_t k = kept; k < count; k++)
            draw(&all, k + (size_t)round * count, &c[k].x);
        ph_parallel_for(count - kept, free_body, score, &first);
        qsort(c + kept, count - kept, sizeof *c, by_loss);
        ph_parallel_for(refined - kept, free_body, refine, &rest);
        qsort(c, refined, sizeof *c, by_loss);
        more = !good_enough(f, c[0].loss);
        if (more && round + 1 < rounds)
            kept = CARRIED;
        else
            kept = refined;
        const bool again = (round + 1) % LONGER == 0;
        if (again)
            begin.used = all.within;
        else
            begin.used = smaller_size(2 * begin.used, o->count);
        if (again)
            all.fastest = SLOW;
        else
            all.fastest = 2.0 * all.fastest;
    }
    qsort(c, kept, sizeof *c, by_loss);
    memcpy(out, c, kept * sizeof *c);
    free(all.seen.row);
    free(all.seen.q);
    free(c);
    return kept;
}

size_t ph_fit_search(fit_model *f, const fit_point *x, fit_minimum *out)
{
    const double part = 0.02; /* sigma where it is unknown: rad, or of the whole */
    const ph_observations *o = f->o;
    double size[PH_SEEN_KINDS] = {
        [PH_SEEN_ATTITUDE] = 1.0, [PH_SEEN_AXIS] = 1.0, [PH_SEEN_VECTOR] = 1.0};
    for (size_t i = 0; i < o->count; i++) {
        if (o->seen[PH_SEEN_VELOCITY] != NULL)
            size[PH_SEEN_VELOCITY] +=
                norm(vector_in(o->seen[PH_SEEN_VELOCITY], i)) / (double)o->count;
        if (o->seen[PH_SEEN_BRIGHTNESS] != NULL)
            size[PH_SEEN_BRIGHTNESS] += fabs(o->seen[PH_SEEN_BRIGHTNESS][i]) / (double)o->count;
    }
    for (int k = 0; k < PH_SEEN_KINDS; k++) {
        if (o->sigma[k] != NULL || !(size[k] > 0.0))
            f->scale[k] = 1.0;
        else
            f->scale[k] = part * size[k] / f->unit[k];
    }
    size_t found;
    if (f->light_only)
        found = search_light(f, x, out);
    else
        found = search_motion(f, x, out);
    for (int k = 0; k < PH_SEEN_KINDS; k++)
        f->scale[k] = 1.0;
    return found;
}
