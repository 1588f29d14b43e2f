/* fit_search.c - where a fit begins, without a first guess.
 *
 * Attitudes, velocities, axes. Neighbouring attitudes less than half a turn apart give the velocity
 * between them. Then the momentum in space, R J w, is the same at all times: a linear equation for
 * the tensor, solved by the smallest eigenvector. Other starts are tensors at random, of an axis
 * with velocities at random about it. The best over the first turn are refined there, then over twice as
 * many observations, and so on: the phase stays known.
 *
 * Brightness. The light curve of a tumbling ellipsoid is a sum of terms of frequencies
 * n f + m g, f that of the precession and g twice that of the polhode (M. Kaasalainen, Astron.
 * Astrophys. 376 (2001) 302). The strongest lines, each of which is one of low order, give pairs
 * (f, g), which are ranked by a Fourier series in both. Each pair and a shape at random
 * determine the polhode and the momentum; phase and direction in space are drawn. The best
 * draws are refined.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/parallel.h"
#include "base/random.h"
#include "fit/fit_model.h"
#include "rotation/vec.h"

typedef struct candidate {
    fit_point x;
    double loss;
} candidate;

/* ---- many candidates ------------------------------------------------------------------- */

typedef struct contest {
    const fit_model *f;
    candidate *c;
    size_t first; /* observations that the refinement begins with */
} contest;

static int by_loss(const void *a, const void *b)
{
    const double x = ((const candidate *)a)->loss, y = ((const candidate *)b)->loss;
    return isnan(x) || isnan(y) ? isnan(x) - isnan(y) : (x > y) - (x < y);
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
        const double *sigma = o->sigma[PH_SEEN_BRIGHTNESS],
                     seen = o->seen[PH_SEEN_BRIGHTNESS][i] /
                            (f->scale[PH_SEEN_BRIGHTNESS] * (sigma ? sigma[i] : 1.0)),
                     b = seen - r[(i + 1) * width - 1];
        seen_model += seen * b, model += b * b;
        loss -= r[(i + 1) * width - 1] * r[(i + 1) * width - 1] - seen * seen;
    }
    free(r);
    x->factor = seen_model / model;
    return loss - seen_model * seen_model / model;
}

static void score(void *context, size_t i)
{
    const contest *all = context;
    all->c[i].loss = fit_goes_on(all->f) ? best_factor(all->f, &all->c[i].x) : NAN;
}

/* Refines over more and more observations. */
static void refine(void *context, size_t i)
{
    const int steps = 30;
    const contest *all = context;
    fit_model part = *all->f;
    for (part.used = all->first; part.used < all->f->used; part.used += part.used / 2)
        all->c[i].loss = ph_fit_descend(&part, &all->c[i].x, steps);
    part.used = all->f->used;
    (void)best_factor(&part, &all->c[i].x);
    all->c[i].loss = ph_fit_descend(&part, &all->c[i].x, 2 * steps);
}

static bool good_enough(const fit_model *f, double loss)
{
    const double most = f->principal ? 1.2 : 2.0; /* per number observed */
    return loss <= most * (double)(f->used * ph_fit_width(f->o));
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

static void set_tensor(fit_point *x, ph_vec3 J, ph_quat axes, double by)
{
    const ph_mat3 A = ph_quat_matrix(axes);
    for (int k = 0; k < 6; k++) {
        const double *r = A.a[tensor_row[k]], *c = A.a[tensor_column[k]];
        x->tensor[k] = by * (r[0] * J.x * c[0] + r[1] * J.y * c[1] + r[2] * J.z * c[2]);
    }
}

/* ---- attitudes, velocities, axes --------------------------------------------------------- */

static ph_quat attitude_at(const ph_observations *o, size_t i)
{
    const double *q = o->seen[PH_SEEN_ATTITUDE] + 4 * i;
    return ph_quat_unit((ph_quat){q[0], q[1], q[2], q[3]});
}

static ph_vec3 vector_at(const ph_observations *o, int kind, size_t i)
{
    const double *v = o->seen[kind] + 3 * i;
    return vec3(v[0], v[1], v[2]);
}

/* The turn from an observation to the next, in the body, or of an axis in space. */
static ph_vec3 turn_after(const ph_observations *o, size_t i)
{
    if (o->seen[PH_SEEN_ATTITUDE] != NULL)
        return ph_rotation_log(mul(inverse(attitude_at(o, i)), attitude_at(o, i + 1)));
    if (o->seen[PH_SEEN_VELOCITY] != NULL)
        return scale(0.5 * (o->t[i + 1] - o->t[i]),
                     add(vector_at(o, PH_SEEN_VELOCITY, i), vector_at(o, PH_SEEN_VELOCITY, i + 1)));
    const ph_vec3 a = vector_at(o, PH_SEEN_AXIS, i), b = vector_at(o, PH_SEEN_AXIS, i + 1),
                  c = cross(a, b);
    return norm(c) > 0.0 ? scale(ph_atan2(norm(c), dot(a, b)) / norm(c), c) : c;
}

/* The tensor of which R J w changes least from interval to interval, and the first velocity. */
static bool tensor_of_momentum(const ph_observations *o, fit_point *x, ph_vec3 *velocity)
{
    double M[36] = {0}, sum[3][6] = {{0}}, value[6], vector[36];
    ph_quat q = {1, 0, 0, 0};
    for (size_t i = 0; i + 1 < o->count; i++) {
        const ph_vec3 turn = turn_after(o, i), w = scale(1.0 / (o->t[i + 1] - o->t[i]), turn);
        if (o->seen[PH_SEEN_ATTITUDE] != NULL)
            q = attitude_at(o, i);
        const ph_mat3 R = ph_quat_matrix(mul(q, ph_rotation_exp(scale(0.5, turn))));
        q = mul(q, ph_rotation_exp(turn));
        const double u[3] = {w.x, w.y, w.z};
        for (int r = 0; r < 3; r++) {
            double row[6];
            for (int k = 0; k < 6; k++) {
                const int a = tensor_row[k], b = tensor_column[k];
                row[k] = R.a[r][a] * u[b] + (a != b ? R.a[r][b] * u[a] : 0.0);
                sum[r][k] += row[k];
            }
            for (int k = 0; k < 36; k++)
                M[k] += row[k / 6] * row[k % 6];
        }
    }
    for (int k = 0; k < 36; k++) {
        for (int r = 0; r < 3; r++)
            M[k] -= sum[r][k / 6] * sum[r][k % 6] / (double)(o->count - 1);
    }
    ph_eigenvectors(6, M, value, vector);
    int least = 0;
    for (int k = 1; k < 6; k++)
        least = value[k] < value[least] ? k : least;
    const double *v = vector + (size_t)6 * (size_t)least, trace = v[0] + v[1] + v[2];
    for (int k = 0; k < 6; k++)
        x->tensor[k] = v[k] / trace;
    double L[3] = {0.0, 0.0, 0.0}; /* the momentum in space */
    for (int k = 0; k < 18; k++)
        L[k / 6] += sum[k / 6][k % 6] * x->tensor[k % 6] / (double)(o->count - 1);
    ph_body b;
    if (ph_body_from_tensor(&b, fit_tensor(x->tensor)) != PH_OK)
        return false;
    const ph_quat start =
        o->seen[PH_SEEN_ATTITUDE] != NULL ? attitude_at(o, 0) : (ph_quat){1, 0, 0, 0};
    *velocity = ph_body_velocity(&b, rotate_back(start, vec3(L[0], L[1], L[2])));
    return true;
}

/* A start: the first from the observations and what is given, others with tensors at random. */
static void draw(const fit_model *f, const fit_point *given, size_t k, fit_point *x)
{
    const ph_observations *o = f->o;
    const ph_fit_settings *with = f->with;
    uint64_t seed = k;
    *x = *given;
    const ph_vec3 first = scale(1.0 / (o->t[1] - o->t[0]), turn_after(o, 0));
    const bool inertia = (with->sought & PH_FIT_INERTIA) != 0,
               unknown = inertia && (k > 0 || ((f->given & PH_FIT_INERTIA) == 0 && f->is_free));
    const bool moving =
        (with->sought & PH_FIT_VELOCITY) != 0 && (k > 0 || (f->given & PH_FIT_VELOCITY) == 0);
    const bool turned =
        (with->sought & PH_FIT_ATTITUDE) != 0 && (k > 0 || (f->given & PH_FIT_ATTITUDE) == 0);
    if (o->seen[PH_SEEN_ATTITUDE] != NULL) {
        x->q = turned ? attitude_at(o, 0) : x->q;
        x->w = moving ? first : x->w;
    } else if (o->seen[PH_SEEN_AXIS] != NULL) {
        /* the axis turned to where it is seen, and any turn about it */
        const ph_vec3 e = vector_at(o, PH_SEEN_AXIS, 0), u = scale(1.0 / norm(e), e),
                      a = rotate(x->q, scale(1.0 / norm(o->axis), o->axis)), across = cross(a, u);
        const double sine = norm(across), angle = ph_atan2(sine, dot(a, u)),
                     about = between(&seed, -PH_PI, PH_PI),
                     spin = norm(first) * between(&seed, -4.0, 4.0);
        if (turned && sine > 0.0)
            x->q = mul(ph_rotation_exp(scale(angle / sine, across)), x->q);
        x->q = turned ? mul(ph_rotation_exp(scale(about, u)), x->q) : x->q;
        x->w = moving ? rotate_back(x->q, add(first, scale(spin, u))) : x->w;
    }
    if (o->seen[PH_SEEN_ATTITUDE] == NULL && o->seen[PH_SEEN_VELOCITY] != NULL && moving)
        x->w = vector_at(o, PH_SEEN_VELOCITY, 0);
    ph_vec3 w = x->w;
    if (unknown && (k > 0 || o->seen[PH_SEEN_AXIS] != NULL || !tensor_of_momentum(o, x, &w))) {
        const double size =
            f->only_ratios ? 1.0
                           : norm_max(vec3(given->tensor[0], given->tensor[1], given->tensor[2]));
        const ph_vec3 J = random_moments(&seed);
        set_tensor(x, J, random_attitude(&seed), size);
    }
    x->w = moving ? w : x->w;
}

static double search_motion(fit_model *f, fit_point *x)
{
    enum { MOST = 4096, IN_FIELD = 24, KEPT = 24 };
    const ph_observations *o = f->o;
    const bool free_body = f->is_free,
               axis = o->seen[PH_SEEN_ATTITUDE] == NULL && o->seen[PH_SEEN_VELOCITY] == NULL;
    const size_t draws = free_body ? (axis ? MOST : MOST / 8) : IN_FIELD;
    candidate *c = array_create(draws, sizeof *c);
    if (c == NULL)
        return NAN;
    fit_model begin = *f;
    double turned = 0.0;
    const size_t rows = axis ? 2 : 3, least = ((size_t)f->columns + rows - 1) / rows + 2;
    for (begin.used = 1; begin.used < o->count && (begin.used < least || turned < 2.0 * PH_PI);
         begin.used++)
        turned += norm(turn_after(o, begin.used - 1));
    /* The first from all observations at once, too. */
    size_t kept = 0;
    for (bool found = false; kept < 2 && !found; kept++) {
        contest one = {f, c, kept == 0 ? o->count : begin.used};
        draw(f, x, 0, &c[kept].x);
        refine(&one, kept);
        found = good_enough(f, c[kept].loss);
    }
    if (!good_enough(f, c[kept - 1].loss) && fit_goes_on(f)) {
        contest first = {&begin, c + kept, 0}, rest = {f, c + kept, begin.used};
        for (size_t k = kept; k < draws; k++)
            draw(f, x, k, &c[k].x);
        ph_parallel_for(draws - kept, free_body, score, &first);
        qsort(c + kept, draws - kept, sizeof *c, by_loss);
        ph_parallel_for(KEPT - kept, free_body, refine, &rest);
        kept = KEPT;
    }
    qsort(c, kept, sizeof *c, by_loss);
    const double loss = c[0].loss;
    *x = c[0].x;
    free(c);
    return loss;
}

/* ---- brightness: lines of the spectrum, and pairs of frequencies ------------------------- */

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

/* ---- brightness: bodies with these frequencies ------------------------------------------- */

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

/* A body with a pair of frequencies, at a random place of its motion, in a random direction. */
static bool draw_tumbler(const pair *p, uint64_t *seed, fit_point *x)
{
    const ph_vec3 J = random_moments(seed);
    ph_motion motion;
    const bool about_largest = random_bits(seed) >> 63;
    if (!(J.x < J.y && J.y < J.z) || !find_polhode(J, about_largest, 0.5 * p->g / p->f, &motion))
        return false;
    const double length = 2.0 * PH_PI * p->f / fabs(ph_motion_precession(&motion));
    const ph_state s = ph_motion_at(&motion, uniform(seed) * ph_motion_period(&motion));
    set_tensor(x, J, (ph_quat){1, 0, 0, 0}, 1.0);
    x->q = mul(random_attitude(seed), s.q);
    x->w = scale(length, over(s.m, J));
    return true;
}

static double search_brightness(fit_model *f, fit_point *x)
{
    enum { DRAWS = 300, TRIES = 6, REFINED = 64, ROUNDS = 6 };
    const ph_observations *o = f->o;
    const size_t n = o->count, all_draws = (size_t)KEPT_PAIRS * DRAWS;
    light_curve l = {.f = f, .o = o, .span = o->t[n - 1] - o->t[0]};
    l.highest = (double)n / (3.0 * l.span);
    l.y = array_create(size_product(2, n), sizeof *l.y);
    l.pair = array_create(PAIRS, sizeof *l.pair);
    candidate *c = array_create(all_draws, sizeof *c), best = {.loss = NAN};
    if (l.y != NULL && l.pair != NULL && c != NULL) {
        double mean = 0.0, line[LINES] = {0};
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
    if (f->given == PH_FIT_ALL && c != NULL) { /* a first guess */
        contest one = {f, &best, n};
        best.x = *x;
        refine(&one, 0);
    }
    for (int round = 0;
         !good_enough(f, best.loss) && round < ROUNDS && l.pairs > 0 && fit_goes_on(f); round++) {
        size_t count = 0;
        for (size_t k = 0; k < all_draws && fit_goes_on(f); k++) {
            const size_t which = k % KEPT_PAIRS;
            c[count] = (candidate){*x, NAN};
            bool drawn = false;
            for (int try = 0; try < TRIES && which < l.pairs && !drawn; try++)
                drawn = draw_tumbler(&l.pair[which], &seed, &c[count].x);
            count += drawn;
        }
        contest all = {f, c, n};
        ph_parallel_for(count, true, score, &all);
        qsort(c, count, sizeof *c, by_loss);
        count = count < REFINED ? count : REFINED;
        ph_parallel_for(count, true, refine, &all);
        qsort(c, count, sizeof *c, by_loss);
        if (count > 0 && !(best.loss <= c[0].loss))
            best = c[0];
    }
    free(l.y);
    free(l.pair);
    free(c);
    *x = best.x;
    return best.loss;
}

double ph_fit_search(fit_model *f, fit_point *x)
{
    const double part = 0.02; /* sigma where it is unknown: rad, or of the whole */
    const ph_observations *o = f->o;
    double size[PH_SEEN_KINDS] = {[PH_SEEN_ATTITUDE] = 1.0, [PH_SEEN_AXIS] = 1.0};
    for (size_t i = 0; i < o->count; i++) {
        if (o->seen[PH_SEEN_VELOCITY] != NULL)
            size[PH_SEEN_VELOCITY] += norm(vector_at(o, PH_SEEN_VELOCITY, i)) / (double)o->count;
        if (o->seen[PH_SEEN_BRIGHTNESS] != NULL)
            size[PH_SEEN_BRIGHTNESS] += fabs(o->seen[PH_SEEN_BRIGHTNESS][i]) / (double)o->count;
    }
    for (int k = 0; k < PH_SEEN_KINDS; k++)
        f->scale[k] = o->sigma[k] != NULL || !(size[k] > 0.0) ? 1.0 : part * size[k] / f->unit[k];
    const double loss = f->principal ? search_brightness(f, x) : search_motion(f, x);
    for (int k = 0; k < PH_SEEN_KINDS; k++)
        f->scale[k] = 1.0;
    return loss;
}
