/* fit.c - a motion from observations: what is sought, the minima of chi2, and the solutions.
 */
#include "polhode/fit.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arguments.h"
#include "base/array.h"
#include "base/text.h"
#include "fit/fit_model.h"
#include "motion/vec.h"
#include "system/kind.h"

enum { MOST = PH_FIT_COLUMNS, STEPS = 200 };

static const int width[PH_SEEN_KINDS] = {4, 3, 3, 3, 1}; /* numbers observed */
static const char *const called[PH_SEEN_KINDS] = {"attitude", "velocity", "axis", "vector",
                                                  "brightness"};

/* The status, after the message. */
__attribute__((format(printf, 3, 4))) static ph_status
wrong(const ph_fit_settings *with, ph_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (with->message != NULL)
        (void)vsnprintf(with->message->text, PH_MESSAGE, format, arguments);
    va_end(arguments);
    return status;
}

/* ---- observations ---------------------------------------------------------------------- */

static bool all_finite(const double *x, int count, bool not_zero)
{
    double largest = 0.0;
    for (int i = 0; i < count; i++)
        largest = larger_or_nan(largest, fabs(x[i]));
    return isfinite(largest) && (largest > 0.0 || !not_zero);
}

/* One time and what was observed then. */
static ph_status check_row(const ph_observations *o, const ph_fit_settings *with, size_t i)
{
    if (!isfinite(o->t[i]))
        return wrong(with, PH_BAD_PARAMETER,
                     "observation %zu: the time is not finite: remove the row", i + 1);
    if (i > 0 &&
        !(o->t[i] > o->t[i - 1] || (o->t[i] == o->t[i - 1] && o->seen[PH_SEEN_VECTOR] != NULL)))
        return wrong(with, PH_BAD_PARAMETER,
                     "observation %zu: the time %.10g is not after %.10g: sort the times, and give "
                     "each time once",
                     i + 1, o->t[i], o->t[i - 1]);
    for (int k = 0; k < PH_SEEN_KINDS; k++) {
        const double *x = o->seen[k], *sigma = o->sigma[k];
        const bool direction = k != PH_SEEN_VELOCITY && k != PH_SEEN_BRIGHTNESS;
        if (x != NULL && !all_finite(x + (size_t)width[k] * i, width[k], direction))
            return wrong(with, PH_BAD_PARAMETER,
                         "observation %zu: the %s is not finite%s: remove the row", i + 1,
                         called[k], text_if(direction, ", or it is zero"));
        if (x != NULL && k == PH_SEEN_BRIGHTNESS && x[i] < 0.0)
            return wrong(
                with, PH_BAD_PARAMETER,
                "observation %zu: the brightness %g is negative: correct it, or remove the row",
                i + 1, x[i]);
        if (x != NULL && sigma != NULL && !(sigma[i] > 0.0 && isfinite(sigma[i])))
            return wrong(with, PH_BAD_PARAMETER,
                         "observation %zu: sigma of the %s is %g: write a positive number", i + 1,
                         called[k], sigma[i]);
    }
    if (o->seen[PH_SEEN_VECTOR] != NULL && !all_finite(o->space + 3 * i, 3, true))
        return wrong(with, PH_BAD_PARAMETER,
                     "observation %zu: the direction in space must be a finite nonzero vector: "
                     "correct it, or remove the row",
                     i + 1);
    if (o->seen[PH_SEEN_BRIGHTNESS] != NULL &&
        !(all_finite(o->sun + 3 * i, 3, true) && all_finite(o->observer + 3 * i, 3, true)))
        return wrong(with, PH_BAD_PARAMETER,
                     "observation %zu: sun and observer must be finite nonzero vectors: correct "
                     "them, or remove the row",
                     i + 1);
    return PH_OK;
}

/* The numbers of the settings that stand for a choice. */
static ph_status check_choices(const ph_fit_settings *with)
{
    static const struct {
        const char *name;
        unsigned most;
    } all[] = {{"sought", PH_FIT_ALL | PH_FIT_BIAS}, {"loss", PH_LOSS_CAUCHY}, {"law", PH_LAMBERT}};
    const unsigned given[] = {with->sought, (unsigned)with->loss, (unsigned)with->law};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
        if (given[k] > all[k].most)
            return wrong(with, PH_BAD_PARAMETER,
                         "the setting %s is %u, which means nothing: use a name of fit.h",
                         all[k].name, given[k]);
    }
    return PH_OK;
}

static ph_status check_observations(const ph_observations *o, const ph_fit_settings *with)
{
    const ph_status known = check_choices(with);
    if (known != PH_OK)
        return known;
    if (with->parameter_count > PH_PARAMETER_VALUES)
        return wrong(
            with, PH_BAD_PARAMETER,
            "%zu parameters are unknowns, but no problem has more than %d: fit fewer parameters",
            with->parameter_count, PH_PARAMETER_VALUES);
    if (ph_fit_width(o) == 0)
        return wrong(
            with, PH_BAD_PARAMETER,
            "there are no observations: give attitudes, velocities, axes, vectors or brightness");
    if (o->seen[PH_SEEN_BRIGHTNESS] != NULL && (o->sun == NULL || o->observer == NULL))
        return wrong(with, PH_BAD_PARAMETER,
                     "brightness needs the directions of sun and observer: give both");
    if (o->seen[PH_SEEN_VECTOR] != NULL && o->space == NULL)
        return wrong(with, PH_BAD_PARAMETER,
                     "vectors in the body need their directions in space: give both");
    if ((with->sought & PH_FIT_BIAS) != 0 && o->seen[PH_SEEN_VELOCITY] == NULL)
        return wrong(with, PH_BAD_PARAMETER,
                     "a bias is an unknown, but there are no observed velocities: give them, or do "
                     "not fit the bias");
    if (o->seen[PH_SEEN_AXIS] != NULL &&
        !all_finite((const double[]){o->axis.x, o->axis.y, o->axis.z}, 3, true))
        return wrong(
            with, PH_BAD_PARAMETER,
            "the observed axis must be a finite nonzero vector: give its components in the body");
    if (o->count < 2)
        return wrong(with, PH_BAD_PARAMETER,
                     "%zu observations do not determine a motion: give more", o->count);
    ph_status status = PH_OK;
    double brightest = 0.0;
    for (size_t i = 0; i < o->count && status == PH_OK; i++) {
        status = check_row(o, with, i);
        if (o->seen[PH_SEEN_BRIGHTNESS] != NULL)
            brightest = larger_or_nan(brightest, o->seen[PH_SEEN_BRIGHTNESS][i]);
    }
    if (status == PH_OK && o->seen[PH_SEEN_BRIGHTNESS] != NULL && !(brightest > 0.0))
        return wrong(with, PH_BAD_PARAMETER,
                     "the brightness is 0 at all times: add observations with light");
    if (status == PH_OK && !(o->t[o->count - 1] > o->t[0]))
        return wrong(with, PH_BAD_PARAMETER,
                     "all times are equal: add observations at other times");
    if (status == PH_OK && !isfinite(o->t[o->count - 1] - o->t[0]))
        return wrong(with, PH_BAD_PARAMETER,
                     "the times are too far apart: write them in another unit");
    return status;
}

/* ---- what is sought ---------------------------------------------------------------------- */

static void add_columns(fit_model *f, ph_fit *out, int kind, int count, const char *name)
{
    static const char *const fixed[][6] = {
        [OF_ATTITUDE] = {"theta1", "theta2", "theta3"},
        [OF_VELOCITY] = {"w1", "w2", "w3"},
        [OF_TENSOR] = {"J11", "J22", "J33", "J12", "J13", "J23"},
        [OF_BIAS] = {"bias1", "bias2", "bias3"},
        [OF_FACTOR] = {"brightness"},
    };
    int first = 0;
    if (kind == OF_PARAMETER && f->columns > 0 && f->column[f->columns - 1].kind == OF_PARAMETER)
        first = f->column[f->columns - 1].index + 1;
    for (int k = 0; k < count && f->columns < MOST; k++) {
        char *to = out->column[f->columns];
        if (kind != OF_PARAMETER)
            (void)snprintf(to, PH_FIT_NAME, "%s", fixed[kind][k]);
        else if (count == 1)
            (void)snprintf(to, PH_FIT_NAME, "%s", name);
        else
            (void)snprintf(to, PH_FIT_NAME, "%s%d", name, k + 1);
        f->column[f->columns++] = (fit_column){kind, first + k};
    }
    out->columns = (size_t)f->columns;
    if (kind == OF_PARAMETER)
        out->parameters += (size_t)count;
}

/* The bits of what a setting gives of the start. */
static unsigned given_by(const char *name)
{
    static const struct {
        const char *name;
        unsigned bit;
    } all[] = {{"inertia", PH_FIT_INERTIA},   {"tensor", PH_FIT_INERTIA},
               {"attitude", PH_FIT_ATTITUDE}, {"rotvec", PH_FIT_ATTITUDE},
               {"velocity", PH_FIT_VELOCITY}, {"momentum", PH_FIT_VELOCITY}};
    unsigned bits = 0;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        if (strcmp(name, all[k].name) == 0)
            bits |= all[k].bit;
    }
    return bits;
}

/* What to do if the scale of the moments was to be fitted. */
static const char *advice_on_scale(const fit_model *f, const char *parameter)
{
    if (strcmp(parameter, "scale") != 0)
        return "";
    if (f->is_free)
        return "; a free motion does not depend on the scale of the moments";
    return "; to fix the ratios of the moments, give the inertia and fit the factor of the torque";
}

/* Takes the start and the sought parameters of a system to begin with, and its other settings
 * to make systems of. */
static ph_status take_system(fit_model *f, const ph_system *s, fit_point *x, ph_fit *out)
{
    const ph_fit_settings *with = f->with;
    const ph_array *moments, *axes, *velocity;
    if (ph_system_array_named(s, "moments", &moments) != PH_OK ||
        ph_system_array_named(s, "axes", &axes) != PH_OK ||
        ph_system_array_named(s, "velocity", &velocity) != PH_OK)
        return wrong(with, PH_NOT_APPLICABLE, "a fit needs a problem of one body: choose one");
    const ph_body b = {{*moments->data[0], *moments->data[1], *moments->data[2]},
                       {*axes->data[0], *axes->data[1], *axes->data[2], *axes->data[3]},
                       false};
    ph_fit_set_tensor(x, b.J, b.axes, 1.0);
    x->q = ph_system_state(s).q;
    x->w = vec3(*velocity->data[0], *velocity->data[1], *velocity->data[2]);
    size_t count = 0;
    int first = 0;
    for (size_t i = 0; i < f->system.setting_count; i++) {
        const ph_setting *given = &with->system->settings[i];
        const unsigned bits = given_by(given->name);
        bool sought = false;
        for (size_t k = 0; k < with->parameter_count; k++)
            sought = sought || strcmp(given->name, with->parameters[k]) == 0;
        f->given |= bits;
        if (bits == 0 && !sought)
            f->setting[count++] = *given;
    }
    for (size_t k = 0; k < with->parameter_count; k++) {
        const ph_parameter *p = NULL;
        const double *values = NULL;
        if (ph_system_parameter_named(s, with->parameters[k], &p, &values) != PH_OK ||
            first + p->count > PH_PARAMETER_VALUES || p->range == PH_RANGE_WHOLE)
            return wrong(with, PH_UNKNOWN_NAME,
                         "%s has no parameter `%s` that can be fitted: fit inertia, attitude, "
                         "velocity or a parameter of `polhode list %s`%s",
                         ph_system_problem_name(s), with->parameters[k], ph_system_problem_name(s),
                         advice_on_scale(f, with->parameters[k]));
        f->parameter_at[k] = (int)count;
        f->setting[count++] = (ph_setting){p->name, NULL, (size_t)p->count};
        memcpy(x->parameter + first, values, (size_t)p->count * sizeof *values);
        first += p->count;
        add_columns(f, out, OF_PARAMETER, p->count, p->name);
    }
    f->system.settings = f->setting;
    f->system.setting_count = count + 3;
    return PH_OK;
}

static ph_status prepare(fit_model *f, fit_point *x, ph_fit *out)
{
    const ph_fit_settings *with = f->with;
    const ph_observations *o = f->o;
    const bool inertia = (with->sought & PH_FIT_INERTIA) != 0;
    f->light_only = o->seen[PH_SEEN_BRIGHTNESS] != NULL && ph_fit_width(o) == 1;
    f->principal = f->light_only || with->principal;
    if (with->system != NULL)
        f->system = *with->system;
    else
        f->system = (ph_system_settings){.problem = "free"};
    f->system.step = 1.0; /* of the recommended integrator, which takes none */
    f->system.warn = NULL;
    f->system.message = with->message;
    ph_problem_facts facts = {.name = NULL};
    if (f->system.own_problem == NULL && f->system.problem == NULL)
        return PH_NULL_ARGUMENT;
    for (size_t i = 0; f->system.own_problem == NULL && ph_problem_at(i, &facts); i++) {
        if (strcmp(facts.name, f->system.problem) == 0)
            f->is_free = facts.is_free;
    }
    f->only_ratios = inertia && f->is_free;
    if ((with->sought & PH_FIT_ATTITUDE) != 0)
        add_columns(f, out, OF_ATTITUDE, 3, NULL);
    if ((with->sought & PH_FIT_VELOCITY) != 0)
        add_columns(f, out, OF_VELOCITY, 3, NULL);
    if (inertia)
        add_columns(f, out, OF_TENSOR, f->principal ? 3 : 6, NULL);
    if ((with->sought & PH_FIT_BIAS) != 0)
        add_columns(f, out, OF_BIAS, 3, NULL);
    if (o->seen[PH_SEEN_BRIGHTNESS] != NULL)
        add_columns(f, out, OF_FACTOR, 1, NULL);
    f->name = (const char(*)[PH_FIT_NAME])out->column;
    ph_system *s = NULL, *other = NULL;
    ph_status status = ph_system_create(&f->system, &s);
    ph_system_settings by_runs = f->system; /* what they are made from, to see that they can be */
    by_runs.integrator = "gbs";
    by_runs.tolerance = 1e-12;
    by_runs.derivatives = PH_DERIVATIVES_START;
    f->setting = array_create(size_sum(size_sum(by_runs.setting_count, with->parameter_count), 3),
                              sizeof *f->setting);
    f->states = array_create(f->is_free ? 1 : o->count, sizeof *f->states);
    f->times = array_create(o->count, sizeof *f->times);
    if (status == PH_OK && (f->setting == NULL || f->states == NULL || f->times == NULL))
        status = PH_NO_MEMORY;
    if (status == PH_OK)
        status = take_system(f, s, x, out);
    if (status == PH_OK && !f->is_free)
        status = ph_system_create(&by_runs, &other);
    f->system.integrator = by_runs.integrator;
    f->system.tolerance = by_runs.tolerance;
    ph_system_destroy(other);
    ph_system_destroy(s);
    for (size_t i = 0; status == PH_OK && i < o->count; i++)
        f->times[i] = o->t[i] - o->t[0];
    if (status == PH_OK && f->is_free && ((with->sought | f->given) & PH_FIT_ALL) != PH_FIT_ALL)
        return wrong(with, PH_BAD_PARAMETER,
                     "quantities that are not fitted must be known: give inertia, attitude and "
                     "velocity, or fit them");
    if (status == PH_OK && !f->is_free && f->light_only)
        return wrong(with, PH_NOT_APPLICABLE,
                     "brightness alone determines only free motions: remove the problem");
    return status;
}

/* ---- the fit ------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sets unknown sigmas of each kind, which a robust loss needs: by the median of squares. */
static void set_scales(fit_model *f, double *r, double *squares)
{
    static const double median[PH_SEEN_KINDS] = {2.366, 2.366, 1.386, 1.386, 0.455}; /* of chi2 */
    const size_t n = f->o->count, all = ph_fit_width(f->o);
    size_t at = 0;
    for (int k = 0; k < PH_SEEN_KINDS; k++) {
        if (f->o->seen[k] == NULL)
            continue;
        for (size_t i = 0; i < n; i++) {
            squares[i] = 0.0;
            for (int j = 0; j < fit_rows[k]; j++)
                squares[i] += r[i * all + at + (size_t)j] * r[i * all + at + (size_t)j];
        }
        qsort(squares, n, sizeof *squares, ascending);
        if (f->o->sigma[k] == NULL && squares[n / 2] > 0.0)
            f->scale[k] *= sqrt(squares[n / 2] / median[k]);
        at += (size_t)fit_rows[k];
    }
}

/* Residuals in the units of the observations. */
static void unscale(const fit_model *f, double *r)
{
    for (size_t i = 0; i < f->o->count; i++) {
        for (int k = 0; k < PH_SEEN_KINDS; k++) {
            for (int j = 0; j < fit_rows[k] && f->o->seen[k] != NULL; j++)
                *r++ *= f->scale[k] * fit_sigma(f->o, k, i);
        }
    }
}

/* Whether the body has turned by more than the noise of an attitude. */
static bool turns(const fit_model *f, const fit_point *x, const double *r)
{
    const size_t n = f->o->count, all = ph_fit_width(f->o);
    double noise = 1e-20; /* squared: round-off */
    if (f->o->seen[PH_SEEN_ATTITUDE] == NULL && f->o->seen[PH_SEEN_AXIS] == NULL)
        return norm(x->w) > 0.0;
    for (size_t i = 0; i < n; i++)
        noise += r[i * all] * r[i * all] / (double)n;
    return norm(x->w) * (f->o->t[n - 1] - f->o->t[0]) > 10.0 * sqrt(noise);
}

/* Takes the unit of time such that a free motion is observed for 1 to 2 of it. A power of two rounds
 * nothing. */
static ph_status take_unit_of_time(fit_model *f, fit_point *x)
{
    const ph_observations *o = f->o;
    const size_t n = o->count;
    const double *velocity = o->seen[PH_SEEN_VELOCITY];
    if (!f->is_free)
        return PH_OK;
    f->own = array_create(n, 4 * sizeof *f->own);
    if (f->own == NULL)
        return PH_NO_MEMORY;
    const int unit = f->time_unit = ilogb(f->times[n - 1]);
    for (size_t i = 0; i < n; i++) {
        f->own[i] = ldexp(o->t[i], -unit);
        f->times[i] = ldexp(f->times[i], -unit);
        for (size_t k = n + 3 * i; k < n + 3 * (i + 1) && velocity != NULL; k++)
            f->own[k] = ldexp(velocity[k - n], unit);
    }
    f->in_units = *o;
    f->in_units.t = f->own;
    if (velocity != NULL)
        f->in_units.seen[PH_SEEN_VELOCITY] = f->own + n;
    f->unit[PH_SEEN_VELOCITY] = ldexp(1.0, unit);
    f->o = &f->in_units;
    x->w = vec3(ldexp(x->w.x, unit), ldexp(x->w.y, unit), ldexp(x->w.z, unit));
    return PH_OK;
}

/* ---- solutions ------------------------------------------------------------------------------ */

/* Gives what contains a velocity in the unit of the observations; false if a variance is beyond the
 * range of numbers. */
static bool give_velocity(const fit_model *f, ph_fit *out)
{
    const int n = f->columns, by = -f->time_unit;
    bool good = true;
    double *const all[] = {&out->velocity.x, &out->velocity.y, &out->velocity.z,
                           &out->bias.x,     &out->bias.y,     &out->bias.z};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        *all[k] = ldexp(*all[k], by);
    for (int k = 0; k < n * n; k++) {
        const double before = out->covariance[k];
        const int a = f->column[k / n].kind, b = f->column[k % n].kind,
                  factors = (a == OF_VELOCITY || a == OF_BIAS) + (b == OF_VELOCITY || b == OF_BIAS);
        out->covariance[k] = ldexp(before, factors * by);
        good = good &&
               (k % (n + 1) != 0 || isnan(before) || before == 0.0 || isnormal(out->covariance[k]));
    }
    for (int k = 0; k < n; k++) {
        ph_fit_quantity *q = &out->quantity[k];
        int factor = 0;
        if (f->column[k].kind == OF_VELOCITY || f->column[k].kind == OF_BIAS)
            factor = by;
        q->value = ldexp(q->value, factor), q->sigma = ldexp(q->sigma, factor);
        for (int i = 0; i < 4; i++)
            q->interval[i / 2][i % 2] = ldexp(q->interval[i / 2][i % 2], factor);
    }
    return good;
}

/* Numbers by which solutions are compared: they do not change if the body's axes are turned in a way
 * that the observations cannot show. Returns how many there are. */
enum { SIGNATURE = 10, TENSOR_AND_SPEED = 9 };
static int signature(const fit_model *f, const fit_point *x, double s[SIGNATURE])
{
    const ph_observations *o = f->o;
    ph_body b;
    int count = 0;
    memset(s, 0, SIGNATURE * sizeof *s);
    if (ph_body_from_tensor(&b, symmetric(x->tensor)) != PH_OK)
        return 0;
    const bool free_axes = f->light_only || (o->seen[PH_SEEN_AXIS] != NULL && ph_fit_width(o) == 3);
    if (!free_axes) {
        for (int k = 0; k < 6; k++)
            s[count++] = x->tensor[k] / norm_max(b.J);
        s[count++] = x->w.x, s[count++] = x->w.y, s[count++] = x->w.z;
        return count;
    }
    const ph_vec3 m = scale(1.0 / norm_max(b.J), ph_body_momentum(&b, x->w)), L = rotate(x->q, m);
    const double J[3] = {b.J.x, b.J.y, b.J.z}, trace = J[0] + J[1] + J[2];
    double low = J[0], high = J[0];
    for (int k = 1; k < 3; k++) {
        if (J[k] < low)
            low = J[k];
        if (J[k] > high)
            high = J[k];
    }
    s[count++] = low / high, s[count++] = trace / high;
    s[count++] = L.x, s[count++] = L.y, s[count++] = L.z;
    if (!f->light_only) {
        const ph_vec3 a = scale(1.0 / norm(o->axis), o->axis);
        s[count++] = dot(a, apply(symmetric(x->tensor), a)) / high;
    }
    return count;
}

/* Whether the numbers of two points agree. */
static bool agree(const fit_model *f, const fit_point *a, const fit_point *b)
{
    const double close = 1e-3;
    double s[SIGNATURE], r[SIGNATURE], size = 0.0, apart = 0.0;
    const int count = signature(f, a, s), speeds = count == TENSOR_AND_SPEED ? 6 : 2;
    bool same = count == signature(f, b, r);
    for (int k = 0; k < count; k++) {
        const bool speed = k >= speeds && k < speeds + 3;
        if (speed)
            size = ph_hypot(size, s[k]);
        if (speed)
            apart = ph_hypot(apart, s[k] - r[k]);
        same = same && (speed || fabs(s[k] - r[k]) <= close);
    }
    return same && apart <= close * size;
}

/* Whether a point is near one of some minima. */
static bool is_known(const fit_model *f, const fit_minimum *all, size_t count, const fit_point *x)
{
    for (size_t k = 0; k < count; k++) {
        if (agree(f, &all[k].x, x))
            return true;
    }
    return false;
}

/* Whether two points are one minimum: their numbers agree, or no hill is between them. */
static bool is_same(const fit_model *f, const fit_minimum *a, const fit_minimum *b, double noise)
{
    double s[SIGNATURE];
    if (agree(f, &a->x, &b->x))
        return true;
    if (!f->is_free || signature(f, &a->x, s) != TENSOR_AND_SPEED)
        return false;
    fit_minimum half = *a;
    for (int k = 0; k < 6; k++)
        half.x.tensor[k] += 0.5 * (b->x.tensor[k] - a->x.tensor[k]);
    half.x.w = scale(0.5, add(a->x.w, b->x.w));
    half.x.q =
        mul(a->x.q, ph_rotation_exp(scale(0.5, ph_rotation_log(mul(inverse(a->x.q), b->x.q)))));
    half.x.bias = scale(0.5, add(a->x.bias, b->x.bias));
    half.loss = ph_fit_descend(f, &half.x, 2);
    return half.loss <= larger_or_nan(a->loss, b->loss) + noise;
}

/* Adds a minimum to those found, sorted by their loss, unless it is one of them. */
static void add_minimum(const fit_model *f, fit_minimum *all, size_t *count, const fit_minimum *m,
                        double noise)
{
    for (size_t k = 0; k < *count; k++) {
        if (is_same(f, &all[k], m, noise)) {
            if (m->loss < all[k].loss)
                all[k] = *m;
            return;
        }
    }
    size_t at = FIT_MINIMA - 1;
    if (*count < FIT_MINIMA)
        at = (*count)++;
    for (; at > 0 && m->loss < all[at - 1].loss; at--)
        all[at] = all[at - 1];
    all[at] = *m;
}

/* The variance of a residual over its sigma, if chi2 shows it. */
static double noise_of(const ph_fit *out, const fit_model *f, double loss)
{
    if (!out->scaled || f->loss != PH_LOSS_SQUARES)
        return 1.0;
    return loss / fit_numbers_left(f->o, out->columns - f->only_ratios);
}

/* Finds the different minima with nearly the least loss, and stores them, the best first. */
static size_t find_minima(fit_model *f, const fit_point *x, double *r, ph_fit *out,
                          fit_minimum *all)
{
    const double far = 100.0; /* loss in units of the noise */
    const ph_observations *o = f->o;
    const bool one_axis = o->seen[PH_SEEN_AXIS] != NULL && ph_fit_width(o) == 3;
    size_t found = 0, count = 0;
    fit_minimum *start = array_create(FIT_MINIMA, sizeof *start);
    if (start == NULL)
        return 0;
    if (f->columns > 0)
        found = ph_fit_search(f, x, start);
    else
        start[found++] = (fit_minimum){*x, ph_fit_loss_at(f, x, NULL, NULL, NULL)};
    const int passes = f->loss != PH_LOSS_SQUARES && out->scaled ? 4 : 1;
    for (int k = 0; k < passes && found > 0; k++) {
        start->loss = ph_fit_descend(f, &start->x, STEPS);
        if (k + 1 < passes && isfinite(ph_fit_loss_at(f, &start->x, NULL, NULL, r)))
            set_scales(f, r, r + o->count * ph_fit_width(o));
    }
    const double noise = found > 0 ? noise_of(out, f, start->loss) : 1.0;
    for (size_t k = 0; k < found && fit_goes_on(f); k++) {
        /* A loss that the search had is one with its own scales. */
        double loss = start->loss;
        if (k > 0)
            loss = ph_fit_loss_at(f, &start[k].x, NULL, NULL, NULL);
        if (!(loss <= start->loss + far * noise) || is_known(f, all, count, &start[k].x))
            continue;
        if (k > 0)
            start[k].loss = ph_fit_descend(f, &start[k].x, STEPS);
        add_minimum(f, all, &count, &start[k], noise);
    }
    free(start);
    /* Twins of the best; the best may become one of them. */
    fit_point twin[FIT_TWINS];
    const unsigned needed = f->light_only ? PH_FIT_ATTITUDE : PH_FIT_ALL;
    const bool twins = ((one_axis && !f->principal) || f->light_only) && f->is_free && count > 0 &&
                       (f->with->sought & needed) == needed;
    size_t others = 0;
    if (twins)
        others = ph_fit_twins(f, &all->x, twin);
    for (size_t k = 0; k < others && fit_goes_on(f); k++) {
        fit_minimum m = {twin[k], 0.0};
        m.loss = ph_fit_descend(f, &m.x, STEPS);
        if (isfinite(m.loss))
            add_minimum(f, all, &count, &m, noise);
    }
    return count;
}

/* Where the tensor is determined only vaguely, looks for other minima from tensors at random. */
static void look_around(const fit_model *f, double noise, fit_minimum *all, size_t *count)
{
    enum { BODIES = 16 };
    const double near = 25.0;
    uint64_t seed = 17;
    if (!f->is_free || f->light_only || !ph_fit_is_vague(f, &all->x, noise))
        return;
    for (int k = 0; k < BODIES && fit_goes_on(f); k++) {
        fit_minimum m = *all;
        ph_fit_draw_tensor(f, &seed, &m.x);
        m.loss = ph_fit_descend(f, &m.x, 30);
        if (m.loss <= all->loss + near * noise && !is_known(f, all, *count, &m.x)) {
            m.loss = ph_fit_descend(f, &m.x, STEPS);
            add_minimum(f, all, count, &m, noise);
        }
    }
}

/* If the observations are nearly those of a uniform rotation, looks for all small wobbles that explain the
 * rest. If chance would explain it, too, the uniform rotation is the solution. Five more unknowns lower
 * chi2 by 5 on average, and more if the frequency of a wobble is free to follow the noise: the number
 * of frequencies is that of turns. Within less than a turn any wobble is as good as uniform. */
static void compare_uniform(fit_model *f, double noise, fit_minimum *all, size_t *count)
{
    enum { BODIES = 16 };
    const double weak = 300.0, near = 25.0;
    fit_minimum round, wobble[BODIES];
    uint64_t seed = 11;
    const double turns = ph_fit_uniform(f, all, &round),
                 chance = 25.0 + 4.0 * ph_real_log(1.0 + turns);
    double least = all->loss;
    int tried = 0;
    if (turns < 1.0 || !(round.loss <= least + weak * noise))
        return;
    for (; tried < BODIES && fit_goes_on(f); tried++) {
        wobble[tried] = round;
        if (ph_fit_wobble(f, tried, &seed, &wobble[tried]) < least)
            least = wobble[tried].loss;
    }
    f->uniform = round.loss <= least + chance * noise;
    if (f->uniform) {
        *all = round;
        *count = 1;
    }
    for (int k = 0; k < tried && !f->uniform && fit_goes_on(f); k++) {
        if (!(wobble[k].loss <= least + near * noise) || is_known(f, all, *count, &wobble[k].x))
            continue;
        wobble[k].loss = ph_fit_descend(f, &wobble[k].x, STEPS);
        add_minimum(f, all, count, &wobble[k], noise);
    }
}

/* Stores a solution and judges it. */
static ph_status give_solution(fit_model *f, const fit_minimum *m, double *r, bool is_best,
                               ph_fit *out)
{
    const ph_fit_settings *with = f->with;
    fit_point x = m->x;
    out->chi2 = ph_fit_loss_at(f, &x, NULL, NULL, r);
    if (!isfinite(out->chi2) || ph_body_from_tensor(&out->body, symmetric(x.tensor)) != PH_OK)
        return wrong(with, PH_NO_CONVERGENCE,
                     "no motion was found close to the observations: give an initial guess");
    ph_fit_judge(f, &x, r, is_best, out);
    memcpy(out->tensor, x.tensor, sizeof out->tensor);
    memcpy(out->parameter, x.parameter, sizeof out->parameter);
    out->attitude = x.q, out->factor = x.factor, out->velocity = x.w, out->bias = x.bias;
    unscale(f, r);
    if (!give_velocity(f, out))
        return wrong(with, PH_BAD_PARAMETER,
                     "the variance of the velocity overflows: write the times in another unit");
    return PH_OK;
}

static ph_status find(fit_model *f, fit_point *x, double *r, fit_minimum *all, ph_fit *out)
{
    const double near = 9.0; /* chi2 of a rival, above the least */
    const ph_fit_settings *with = f->with;
    ph_status status = check_observations(f->o, with);
    if (status == PH_OK)
        status = prepare(f, x, out);
    if (status == PH_OK)
        status = take_unit_of_time(f, x);
    if (status != PH_OK)
        return status;
    const ph_observations *o = f->o;
    const size_t unknowns = out->columns - f->only_ratios, known = fit_numbers(o),
                 numbers = o->count * ph_fit_width(o);
    if (known < unknowns)
        return wrong(with, PH_BAD_PARAMETER,
                     "%zu observed numbers for %zu unknowns: add observations, or fit fewer", known,
                     unknowns);
    out->scale_unseen = f->only_ratios;
    for (int k = 0; k < PH_SEEN_KINDS; k++)
        out->scaled = out->scaled || (o->seen[k] != NULL && o->sigma[k] == NULL);
    size_t count = find_minima(f, x, r, out, all);
    if (!fit_goes_on(f))
        return wrong(with, PH_NO_CONVERGENCE, "the fit was stopped: there is no result");
    if (count == 0)
        return wrong(with, PH_NO_CONVERGENCE,
                     "no motion was found close to the observations: give an initial guess");
    const double noise = noise_of(out, f, all->loss);
    out->minima = count;
    if ((with->sought & PH_FIT_INERTIA) != 0) {
        (void)ph_fit_loss_at(f, &all->x, NULL, NULL, r);
        unscale(f, r);
        if (!turns(f, &all->x, r))
            return wrong(with, PH_BAD_PARAMETER,
                         "the body does not rotate, so its inertia cannot be determined: fit "
                         "attitude and velocity, and give the inertia");
        look_around(f, noise, all, &count);
        compare_uniform(f, noise, all, &count);
        out->minima = count;
    }
    size_t rivals = 0;
    while (rivals + 1 < count && all[rivals + 1].loss < all->loss + near * noise)
        rivals++;
    ph_fit *rival = NULL;
    if (rivals > 0 && (rival = array_create(rivals, sizeof *rival)) == NULL)
        return PH_NO_MEMORY;
    for (size_t k = 0; k < rivals && status == PH_OK; k++) {
        rival[k] = *out;
        status = give_solution(f, &all[k + 1], r + numbers + o->count, false, &rival[k]);
    }
    out->rivals = rivals;
    if (status == PH_OK)
        status = give_solution(f, all, r, true, out);
    if (status == PH_OK) {
        ph_fit_compare(f, out, rival, rivals);
        if (rivals > 0 && with->rival_room > 0)
            memcpy(with->rivals, rival, smaller_size(rivals, with->rival_room) * sizeof *rival);
    }
    free(rival);
    return status;
}

/* More names than a problem can have parameters are refused later, and not read. */
static bool names_are_given(const ph_fit_settings *with)
{
    const size_t count = with->parameter_count;
    bool all = with->parameters != NULL || count == 0;
    for (size_t k = 0; all && k < count && count <= PH_PARAMETER_VALUES; k++)
        all = with->parameters[k] != NULL;
    return all;
}

ph_status ph_fit_motion(const ph_observations *o, const ph_fit_settings *settings,
                        double *residuals, ph_fit *out)
{
    if (ANY_NULL(o, settings, out) || o->t == NULL || !names_are_given(settings))
        return PH_NULL_ARGUMENT;
    ph_fit_settings with = *settings;
    if (with.sought == 0 && with.parameter_count == 0)
        with.sought = PH_FIT_ALL;
    if (with.rivals == NULL)
        with.rival_room = 0;
    if (with.message != NULL)
        *with.message = (ph_message){.setting = PH_SETTING_NONE};
    fit_model f = {.o = o, .with = &with, .loss = with.loss, .used = o->count};
    for (int k = 0; k < PH_SEEN_KINDS; k++)
        f.scale[k] = f.unit[k] = 1.0;
    fit_point x = {.factor = 1.0};
    const size_t numbers = size_product(o->count, ph_fit_width(o));
    /* residuals, squares of them, residuals of a rival */
    double *r = array_create(size_sum(size_product(2, numbers), o->count), sizeof *r);
    ph_fit *found = calloc(1, sizeof *found);
    fit_minimum *all = array_create(FIT_MINIMA, sizeof *all);
    ph_status status = PH_NO_MEMORY;
    if (r != NULL && found != NULL && all != NULL)
        status = find(&f, &x, r, all, found);
    if (status == PH_OK) {
        *out = *found;
        if (residuals != NULL)
            memcpy(residuals, r, numbers * sizeof *r);
    }
    free(f.setting);
    free(f.states);
    free(f.times);
    free(f.own);
    free(all);
    free(found);
    free(r);
    return status;
}
