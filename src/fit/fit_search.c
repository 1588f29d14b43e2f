/* fit_search.c - where a fit begins, without a first guess.
 *
 * Neighbouring attitudes less than half a turn apart give the velocity between them. Then the momentum
 * in space, R J w, is the same at all times: a linear equation for the tensor, solved by the smallest
 * eigenvector. Other starts are tensors at random, of an axis with velocities at random about it. The
 * best over the first turn are refined there, then over twice as many observations, and so on: the phase
 * stays known. fit_light.c does this for brightness.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/parallel.h"
#include "base/random.h"
#include "fit/fit_candidates.h"
#include "motion/vec.h"

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
    *q = before->count == 0
             ? (ph_quat){1, 0, 0, 0}
             : mul(before->q[last],
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
    const double *seen =
        o->seen[PH_SEEN_AXIS] != NULL ? o->seen[PH_SEEN_AXIS] : o->seen[PH_SEEN_VECTOR];
    size_t k = i + 1;
    while (seen == o->seen[PH_SEEN_VECTOR] && k + 1 < o->count &&
           !(o->t[k] > o->t[i] &&
             dot(vector_in(o->space, i), vector_in(o->space, k)) >
                 same * norm(vector_in(o->space, i)) * norm(vector_in(o->space, k))))
        k++;
    const ph_vec3 a = vector_in(seen, i), there = vector_in(seen, k),
                  b = o->undirected && dot(a, there) < 0.0 ? scale(-1.0, there) : there,
                  c = cross(a, b);
    *time = o->t[k] - o->t[i];
    return norm(c) > 0.0 ? scale(ph_atan2(norm(c), dot(a, b)) / norm(c), c) : c;
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
    int least = 0;
    for (int j = 1; j < n; j++)
        least = value[j] < value[least] ? j : least;
    const double *v = vector + (size_t)n * (size_t)least, trace = v[0] + v[1] + v[2];
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
    const ph_vec3 in_space = vector_in(axis ? o->seen[PH_SEEN_AXIS] : o->space, i),
                  in_body = axis ? o->axis : vector_in(o->seen[PH_SEEN_VECTOR], i),
                  u = scale(1.0 / norm(in_space), in_space),
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
    *w = add(*w, axis ? rotate_back(*q, scale(1.0 / time, turn)) : scale(-1.0 / time, turn));
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
        row = at + 1 < o->count ? at : 0;
        draw_about_direction(f, row, d->fastest, &seed, &q, &w);
    } else {
        at = at + 1 < d->seen.count && d->seen.row[at] < d->within ? at : 0;
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
        const double size =
            f->only_ratios
                ? 1.0
                : norm_max(vec3(d->given->tensor[0], d->given->tensor[1], d->given->tensor[2]));
        ph_fit_draw_tensor(f, &seed, x);
        for (int i = 0; i < 6; i++)
            x->tensor[i] *= size;
    }
    x->q = turned ? q : x->q;
    x->w = moving ? w : x->w;
    if (turned && moving)
        move_to_first(f, row, x);
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
    const size_t rows = direct ? 2 : 3, least = ((size_t)f->columns + rows - 1) / rows + 2;
    double turned = 0.0, time;
    fit_model begin = *f;
    begin.used = o->count;
    for (size_t i = 0; i + 1 < (direct ? o->count : all.seen.count); i++) {
        const size_t row = direct ? i : all.seen.row[i];
        if (row >= least && turned >= 2.0 * PH_PI) {
            begin.used = row;
            break;
        }
        turned +=
            norm(direct ? turn_of_direction(o, i, &time) : turn_after(o, &all.seen, i, &time));
    }
    all.within = begin.used;
    /* The first from all observations at once, too. */
    size_t kept = 0;
    for (bool found = false; kept < 2 && !found; kept++) {
        fit_contest one = {f, c, kept == 0 ? o->count : begin.used, 30};
        draw(&all, 0, &c[kept].x);
        ph_fit_refine(&one, kept);
        found = ph_fit_good_enough(f, c[kept].loss);
    }
    const bool good = ph_fit_good_enough(f, c[kept - 1].loss);
    const bool inertia = (f->with->sought & PH_FIT_INERTIA) != 0;
    const size_t count = !free_body          ? IN_FIELD
                         : direct && inertia ? MOST
                                             : MOST / 8,
                 refined = (good || !inertia) && !(direct && inertia) ? CONFIRMED : KEPT;
    /* More rounds, with other and faster draws over a longer beginning, if none of the motions found is near
     * all observations; then the same again with new draws. */
    const int rounds = free_body ? ROUNDS : 1;
    bool more = !good || (free_body && inertia);
    for (int round = 0; round < rounds && more && fit_goes_on(f); round++) {
        fit_contest first = {&begin, c + kept, 0, 0}, rest = {f, c + kept, begin.used, 30};
        for (size_t k = kept; k < count; k++)
            draw(&all, k + (size_t)round * count, &c[k].x);
        ph_parallel_for(count - kept, free_body, ph_fit_score, &first);
        qsort(c + kept, count - kept, sizeof *c, ph_fit_by_loss);
        ph_parallel_for(refined - kept, free_body, ph_fit_refine, &rest);
        qsort(c, refined, sizeof *c, ph_fit_by_loss);
        more = !ph_fit_good_enough(f, c[0].loss);
        kept = more && round + 1 < rounds ? CARRIED : refined;
        const bool again = (round + 1) % LONGER == 0;
        begin.used = again ? all.within : 2 * begin.used < o->count ? 2 * begin.used : o->count;
        all.fastest = again ? SLOW : 2.0 * all.fastest;
    }
    qsort(c, kept, sizeof *c, ph_fit_by_loss);
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
    for (int k = 0; k < PH_SEEN_KINDS; k++)
        f->scale[k] = o->sigma[k] != NULL || !(size[k] > 0.0) ? 1.0 : part * size[k] / f->unit[k];
    const size_t found = f->light_only ? ph_fit_search_light(f, x, out) : search_motion(f, x, out);
    for (int k = 0; k < PH_SEEN_KINDS; k++)
        f->scale[k] = 1.0;
    return found;
}
