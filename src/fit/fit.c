/* fit.c - a motion from observations: what is sought, the fit, its covariance, and what the
 * observations do not show.
 *
 * The covariance is the inverse of the normal matrix N of the minimum, times chi2 over the degrees of
 * freedom where sigma is unknown. Units are those in which a change is as large as the thing
 * itself: a radian, |w|, the largest moment, a parameter. A direction, an eigenvector of N in these
 * units, is unseen if its standard deviation is above UNSEEN units, or its eigenvalue is
 * round-off of the largest one. Unseen directions are held: they are no part of the covariance.
 *
 * A free motion does not change if the tensor is multiplied by a factor. The tensor is then over its
 * largest moment u . J u: with s the direction that only changes the scale, a change dx of what is
 * sought becomes dx - s (u . dJ u).
 */
#include "polhode/fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arguments.h"
#include "base/array.h"
#include "fit/fit_model.h"
#include "rotation/vec.h"
#include "system/kind.h"

enum { MOST = PH_FIT_COLUMNS, STEPS = 200 };
static const double UNSEEN = 0.5, SINGULAR = 1e-12;

static const int width[PH_SEEN_KINDS] = {4, 3, 3, 1};   /* numbers observed */
static const int freedom[PH_SEEN_KINDS] = {3, 3, 2, 1}; /* that can vary */
static const char *const called[PH_SEEN_KINDS] = {"attitude", "velocity", "axis", "brightness"};

/* The status, after the message. */
#define WRONG(with, status, ...)                                                                   \
    ((with)->message == NULL                                                                       \
         ? (status)                                                                                \
         : ((void)snprintf((with)->message->text, PH_MESSAGE, __VA_ARGS__), (status)))

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
        return WRONG(with, PH_BAD_PARAMETER,
                     "observation %zu: the time is not finite: leave it out", i + 1);
    if (i > 0 && !(o->t[i] > o->t[i - 1]))
        return WRONG(with, PH_BAD_PARAMETER,
                     "observation %zu: the time %.10g is not after %.10g: sort the "
                     "times, and give "
                     "each once",
                     i + 1, o->t[i], o->t[i - 1]);
    for (int k = 0; k < PH_SEEN_KINDS; k++) {
        const double *x = o->seen[k], *sigma = o->sigma[k];
        const bool direction = k == PH_SEEN_ATTITUDE || k == PH_SEEN_AXIS;
        if (x != NULL && !all_finite(x + (size_t)width[k] * i, width[k], direction))
            return WRONG(with, PH_BAD_PARAMETER,
                         "observation %zu: the %s is not finite%s: leave it out", i + 1, called[k],
                         direction ? ", or zero" : "");
        if (x != NULL && k == PH_SEEN_BRIGHTNESS && x[i] < 0.0)
            return WRONG(with, PH_BAD_PARAMETER,
                         "observation %zu: the brightness %g is negative: correct it, or "
                         "leave it out",
                         i + 1, x[i]);
        if (x != NULL && sigma != NULL && !(sigma[i] > 0.0 && isfinite(sigma[i])))
            return WRONG(with, PH_BAD_PARAMETER,
                         "observation %zu: sigma of the %s is %g: write a positive number", i + 1,
                         called[k], sigma[i]);
    }
    if (o->seen[PH_SEEN_BRIGHTNESS] != NULL &&
        !(all_finite(o->sun + 3 * i, 3, true) && all_finite(o->observer + 3 * i, 3, true)))
        return WRONG(with, PH_BAD_PARAMETER,
                     "observation %zu: sun and observer must be finite vectors that are not zero: "
                     "leave it out",
                     i + 1);
    return PH_OK;
}

static ph_status check_observations(const ph_observations *o, const ph_fit_settings *with)
{
    if (with->parameter_count > PH_PARAMETER_VALUES)
        return WRONG(with, PH_BAD_PARAMETER,
                     "%zu parameters are sought, and no problem has more than %d: seek "
                     "fewer",
                     with->parameter_count, PH_PARAMETER_VALUES);
    if (ph_fit_width(o) == 0)
        return WRONG(with, PH_BAD_PARAMETER,
                     "nothing is observed: give attitudes, velocities, axes or brightness");
    if (o->seen[PH_SEEN_BRIGHTNESS] != NULL && (o->sun == NULL || o->observer == NULL))
        return WRONG(with, PH_BAD_PARAMETER,
                     "brightness needs the directions of sun and observer: give both");
    if (o->seen[PH_SEEN_AXIS] != NULL &&
        !all_finite((const double[]){o->axis.x, o->axis.y, o->axis.z}, 3, true))
        return WRONG(with, PH_BAD_PARAMETER,
                     "the observed axis must be a finite vector that is not zero: give its "
                     "components in the body");
    ph_status status =
        o->count >= 2
            ? PH_OK
            : WRONG(with, PH_BAD_PARAMETER, "%zu observations show no motion: give more", o->count);
    double brightest = 0.0;
    for (size_t i = 0; i < o->count && status == PH_OK; i++) {
        status = check_row(o, with, i);
        if (o->seen[PH_SEEN_BRIGHTNESS] != NULL)
            brightest = larger_or_nan(brightest, o->seen[PH_SEEN_BRIGHTNESS][i]);
    }
    if (status == PH_OK && o->seen[PH_SEEN_BRIGHTNESS] != NULL && !(brightest > 0.0))
        return WRONG(with, PH_BAD_PARAMETER,
                     "the brightness is 0 at all times: observe when there is light");
    if (status == PH_OK && !isfinite(o->t[o->count - 1] - o->t[0]))
        return WRONG(with, PH_BAD_PARAMETER,
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
        [OF_FACTOR] = {"brightness"},
    };
    const int first =
        kind == OF_PARAMETER && f->columns > 0 && f->column[f->columns - 1].kind == OF_PARAMETER
            ? f->column[f->columns - 1].index + 1
            : 0;
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
    out->parameters += kind == OF_PARAMETER ? (size_t)count : 0;
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
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        bits |= strcmp(name, all[k].name) == 0 ? all[k].bit : 0;
    return bits;
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
        return WRONG(with, PH_NOT_APPLICABLE, "a fit is of one body: take such a problem");
    const ph_body b = {{*moments->data[0], *moments->data[1], *moments->data[2]},
                       {*axes->data[0], *axes->data[1], *axes->data[2], *axes->data[3]},
                       false};
    const ph_mat3 A = ph_quat_matrix(b.axes);
    for (int k = 0; k < 6; k++) {
        const double *r = A.a[tensor_row[k]], *c = A.a[tensor_column[k]];
        x->tensor[k] = r[0] * b.J.x * c[0] + r[1] * b.J.y * c[1] + r[2] * b.J.z * c[2];
    }
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
            return WRONG(with, PH_UNKNOWN_NAME,
                         "%s has no parameter `%s` that can be sought: seek inertia, attitude, "
                         "velocity or one of `polhode list %s`",
                         ph_system_problem_name(s), with->parameters[k], ph_system_problem_name(s));
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
    f->principal = o->seen[PH_SEEN_BRIGHTNESS] != NULL && ph_fit_width(o) == 1;
    f->system = with->system != NULL ? *with->system : (ph_system_settings){.problem = "free"};
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
    if (status == PH_OK && f->is_free && (with->sought | f->given) != PH_FIT_ALL)
        return WRONG(with, PH_BAD_PARAMETER,
                     "what is not sought must be known: give inertia, attitude and velocity, or "
                     "seek them");
    if (status == PH_OK && !f->is_free && f->principal)
        return WRONG(with, PH_NOT_APPLICABLE,
                     "brightness alone shows free motions: leave the problem out");
    return status;
}

static size_t numbers_observed(const ph_observations *o)
{
    size_t sum = 0;
    for (int k = 0; k < PH_SEEN_KINDS; k++)
        sum += o->seen[k] != NULL ? o->count * (size_t)freedom[k] : 0;
    return sum;
}

/* ---- what cannot be seen ----------------------------------------------------------------- */

/* Adds words to a text. */
#define PUT(text, ...)                                                                             \
    ((void)snprintf((text) + strlen(text), PH_FIT_TEXT - strlen(text), __VA_ARGS__))

/* The change of the tensor of a direction, in principal axes. */
static ph_mat3 tensor_change(const fit_model *f, const ph_body *b, const double *v)
{
    double d[6] = {0};
    for (int c = 0; c < f->columns; c++) {
        if (f->column[c].kind == OF_TENSOR)
            d[f->column[c].index] = v[c];
    }
    const ph_mat3 A = ph_quat_matrix(b->axes);
    return matmul(transpose(A), matmul(fit_tensor(d), A));
}

static double part_of(const fit_model *f, const double *v, int kind)
{
    double sum = 0.0;
    for (int c = 0; c < f->columns; c++)
        sum += f->column[c].kind == kind ? v[c] * v[c] : 0.0;
    return sum;
}

/* Which axis of the body an angular velocity is along, -1 if none: within this angle. */
static int axis_along(const ph_body *b, ph_vec3 w)
{
    const double angle = 0.05;
    const ph_vec3 p = rotate_back(b->axes, w);
    const double x[3] = {fabs(p.x), fabs(p.y), fabs(p.z)};
    for (int k = 0; k < 3; k++) {
        if (ph_hypot(x[(k + 1) % 3], x[(k + 2) % 3]) <= angle * x[k])
            return k;
    }
    return -1;
}

/* A unit vector over the columns, in units of the things themselves, in words. */
static void describe(const fit_model *f, const fit_point *x, const ph_body *b, const double *v,
                     char text[PH_FIT_TEXT])
{
    static const char *const seen_as[] = {
        [OF_ATTITUDE] = "the attitude", [OF_VELOCITY] = "the velocity"};
    const double counts = 0.05, most = 0.9;
    const int along = axis_along(b, x->w);
    const char *joined = "";
    text[0] = '\0';
    if (f->o->seen[PH_SEEN_AXIS] != NULL && part_of(f, v, OF_ATTITUDE) > 0.0 &&
        part_of(f, v, OF_ATTITUDE) < most && f->o->seen[PH_SEEN_ATTITUDE] == NULL &&
        f->o->seen[PH_SEEN_VELOCITY] == NULL) {
        PUT(text, "a turn of the body's axes about the observed axis");
        return;
    }
    for (int kind = OF_ATTITUDE; kind <= OF_VELOCITY; kind++) {
        if (part_of(f, v, kind) > counts) {
            PUT(text, "%s%s", joined, seen_as[kind]);
            joined = ", ";
            const char *about = " about";
            for (int c = 0; c < f->columns && part_of(f, v, kind) < most; c++) {
                if (f->column[c].kind == kind && v[c] * v[c] > counts) {
                    PUT(text, "%s axis %d", about, f->column[c].index + 1);
                    about = ",";
                }
            }
        }
    }
    const ph_mat3 d = tensor_change(f, b, v);
    const double J2 = dot(b->J, b->J),
                 along_J = d.a[0][0] * b->J.x + d.a[1][1] * b->J.y + d.a[2][2] * b->J.z;
    const bool common = along_J * along_J > 0.98 * J2 * part_of(f, v, OF_TENSOR);
    if (common && part_of(f, v, OF_TENSOR) > counts) {
        PUT(text, "%sa common factor of the moments", joined);
        joined = ", ";
    }
    for (int k = 0; k < 3 && !common; k++) {
        const double off = d.a[(k + 1) % 3][(k + 2) % 3];
        if (d.a[k][k] * d.a[k][k] > counts) {
            PUT(text, "%sthe moment about principal axis %d", joined, k + 1);
            joined = ", ";
        }
        if (2.0 * off * off > counts) {
            PUT(text, "%sthe directions of the principal axes about axis %d", joined, k + 1);
            joined = ", ";
        }
    }
    for (int c = 0; c < f->columns; c++) {
        if (f->column[c].kind >= OF_FACTOR && v[c] * v[c] > counts) {
            PUT(text, "%s%s", joined, f->name[c]);
            joined = ", ";
        }
    }
    if (strchr(text, ',') != NULL)
        PUT(text, " (one combination of them)");
    if (along >= 0 && part_of(f, v, OF_TENSOR) > counts)
        PUT(text, ": the body turns about principal axis %d", along + 1);
}

/* ---- the covariance ------------------------------------------------------------------------ */

static void set_units(const fit_model *f, const fit_point *x, const ph_body *b, double unit[MOST])
{
    for (int c = 0; c < f->columns; c++) {
        const int kind = f->column[c].kind;
        unit[c] = kind == OF_VELOCITY    ? norm(x->w)
                  : kind == OF_TENSOR    ? norm_max(b->J)
                  : kind == OF_FACTOR    ? fabs(x->factor)
                  : kind == OF_PARAMETER ? fabs(x->parameter[f->column[c].index])
                                         : 1.0;
        unit[c] = unit[c] > 0.0 ? unit[c] : 1.0;
    }
}

/* Which moment is the largest, and the derivatives of each moment by the columns. */
static int moment_slopes(const fit_model *f, const ph_body *b, double slope[3][MOST])
{
    const ph_mat3 A = ph_quat_matrix(b->axes);
    for (int k = 0; k < 3; k++) {
        for (int c = 0; c < f->columns; c++) {
            const int i = f->column[c].index % 6, row = tensor_row[i], column = tensor_column[i];
            slope[k][c] = f->column[c].kind != OF_TENSOR
                              ? 0.0
                              : A.a[row][k] * A.a[column][k] * (row == column ? 1.0 : 2.0);
        }
    }
    return b->J.x >= b->J.y && b->J.x >= b->J.z ? 0 : b->J.y >= b->J.z ? 1 : 2;
}

/* Sets the covariance, the unseen directions in words and the degrees of freedom. */
static void judge(const fit_model *f, const fit_point *x, ph_fit *out)
{
    const int n = f->columns;
    double N[MOST * MOST] = {0}, g[MOST] = {0}, V[MOST * MOST] = {0}, value[MOST] = {0},
                    unit[MOST] = {0}, by_scale[MOST] = {0}, slope[3][MOST] = {{0}};
    (void)ph_fit_loss_at(f, x, N, g, NULL);
    set_units(f, x, &out->body, unit);
    const int largest = moment_slopes(f, &out->body, slope);
    ph_fit_scale_direction(f, x, by_scale);
    double most = 0.0, length = 0.0;
    for (int a = 0; a < n; a++) {
        for (int b = 0; b < n; b++)
            N[a * n + b] *= unit[a] * unit[b];
        most = larger_or_nan(most, N[a * n + a]);
        length += by_scale[a] / unit[a] * (by_scale[a] / unit[a]);
    }
    for (int a = 0; a < n * n && f->only_ratios; a++) /* the scale is held */
        N[a] += most * by_scale[a / n] / unit[a / n] * by_scale[a % n] / unit[a % n] / length;
    ph_eigenvectors(n, N, value, V);
    const size_t seen = numbers_observed(f->o);
    bool hidden[MOST] = {false};
    double noise = 1.0;
    /* The noise depends on how many are hidden, and those on the noise. */
    for (int pass = 0; pass < 2; pass++) {
        size_t known = 0;
        for (int a = 0; a < n; a++) {
            hidden[a] =
                !(value[a] > SINGULAR * most) || (pass > 0 && noise > UNSEEN * UNSEEN * value[a]);
            known += !hidden[a];
        }
        known -= f->only_ratios;
        out->degrees_of_freedom = seen > known ? seen - known : 0;
        if (out->scaled)
            noise = out->chi2 / (double)(out->degrees_of_freedom > 0 ? out->degrees_of_freedom : 1);
    }
    double C[MOST * MOST] = {0};
    for (int a = 0; a < n; a++) {
        const double *v = V + (size_t)a * (size_t)n;
        if (hidden[a] && out->unseen < PH_FIT_UNSEEN) {
            const char *text = out->unseen_text[out->unseen++];
            describe(f, x, &out->body, v, out->unseen_text[out->unseen - 1]);
            for (size_t k = 0; k + 1 < out->unseen; k++) /* it was said before */
                out->unseen -= strcmp(out->unseen_text[k], text) == 0;
        }
        for (int k = 0; k < n * n && !hidden[a]; k++)
            C[k] += noise / value[a] * v[k / n] * unit[k / n] * v[k % n] * unit[k % n];
    }
    /* The scale such that the largest moment stays 1: C -> P C P^T, P = 1 - s u^T. */
    double Cu[MOST] = {0}, uCu = 0.0;
    for (int k = 0; k < n * n && f->only_ratios; k++)
        Cu[k / n] += C[k] * slope[largest][k % n];
    for (int k = 0; k < n; k++)
        uCu += slope[largest][k] * Cu[k];
    for (int k = 0; k < n * n; k++)
        out->covariance[k] = C[k] - by_scale[k / n] * Cu[k % n] - Cu[k / n] * by_scale[k % n] +
                             by_scale[k / n] * by_scale[k % n] * uCu;
    for (int m = 0; m < 3; m++) {
        double sum = 0.0;
        for (int k = 0; k < n * n; k++)
            sum += slope[m][k / n] * out->covariance[k] * slope[m][k % n];
        out->moment_sigma[m] = f->only_ratios && m == largest ? 0.0 : sqrt(larger_or_nan(sum, 0.0));
    }
}

/* Two moments that are equal within their errors leave the axes in their plane open. */
static void name_symmetry(const fit_model *f, ph_fit *out)
{
    const double J[3] = {out->body.J.x, out->body.J.y, out->body.J.z}, errors = 2.0;
    for (int k = 0; k < 3 && (f->with->sought & PH_FIT_INERTIA) != 0 && !f->principal; k++) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        const double sigma = ph_hypot(out->moment_sigma[a], out->moment_sigma[b]);
        if (fabs(J[a] - J[b]) < errors * sigma && sigma < UNSEEN * norm_max(out->body.J) &&
            out->unseen < PH_FIT_UNSEEN)
            (void)snprintf(out->unseen_text[out->unseen++], PH_FIT_TEXT,
                           "the directions of the principal axes %d and %d: their moments are "
                           "equal within the errors",
                           a < b ? a + 1 : b + 1, a < b ? b + 1 : a + 1);
    }
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
    static const double median[PH_SEEN_KINDS] = {2.366, 2.366, 1.386, 0.455}; /* of chi2 */
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
            const double *sigma = f->o->sigma[k];
            for (int j = 0; j < fit_rows[k] && f->o->seen[k] != NULL; j++)
                *r++ *= f->scale[k] * (sigma != NULL ? sigma[i] : 1.0);
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

/* The velocity and its covariance in the unit of the observations; false if a variance is beyond the
 * range of numbers. */
static bool give_velocity(const fit_model *f, const fit_point *x, ph_fit *out)
{
    const int n = f->columns, by = -f->time_unit;
    bool good = true;
    out->velocity = vec3(ldexp(x->w.x, by), ldexp(x->w.y, by), ldexp(x->w.z, by));
    for (int k = 0; k < n * n; k++) {
        const double before = out->covariance[k];
        const int factors =
            (f->column[k / n].kind == OF_VELOCITY) + (f->column[k % n].kind == OF_VELOCITY);
        out->covariance[k] = ldexp(before, factors * by);
        good = good && (k % (n + 1) != 0 || before == 0.0 || isnormal(out->covariance[k]));
    }
    return good;
}

static ph_status find(fit_model *f, fit_point *x, double *r, ph_fit *out)
{
    const ph_fit_settings *with = f->with;
    ph_status status = check_observations(f->o, with);
    if (status == PH_OK)
        status = prepare(f, x, out);
    if (status == PH_OK)
        status = take_unit_of_time(f, x);
    if (status != PH_OK)
        return status;
    const ph_observations *o = f->o;
    const size_t unknowns = out->columns - f->only_ratios, known = numbers_observed(o);
    if (known < unknowns)
        return WRONG(with, PH_BAD_PARAMETER,
                     "%zu numbers observed for %zu unknowns: observe more, or seek less", known,
                     unknowns);
    out->scale_unseen = f->only_ratios;
    for (int k = 0; k < PH_SEEN_KINDS; k++)
        out->scaled = out->scaled || (o->seen[k] != NULL && o->sigma[k] == NULL);
    if (f->columns > 0) {
        (void)ph_fit_search(f, x);
        const int passes = with->loss != PH_LOSS_SQUARES && out->scaled ? 4 : 1;
        for (int k = 0; k < passes; k++) {
            out->chi2 = ph_fit_descend(f, x, STEPS);
            if (k + 1 < passes && isfinite(ph_fit_loss_at(f, x, NULL, NULL, r)))
                set_scales(f, r, r + o->count * ph_fit_width(o));
        }
    }
    out->chi2 = ph_fit_loss_at(f, x, NULL, NULL, r);
    if (!fit_goes_on(f))
        return WRONG(with, PH_NO_CONVERGENCE, "stopped: there is no result");
    if (!isfinite(out->chi2) || ph_body_from_tensor(&out->body, fit_tensor(x->tensor)) != PH_OK)
        return WRONG(with, PH_NO_CONVERGENCE,
                     "no motion was found near the observations: give a first guess");
    unscale(f, r);
    if ((with->sought & PH_FIT_INERTIA) != 0 && !turns(f, x, r))
        return WRONG(with, PH_BAD_PARAMETER,
                     "the body does not turn, and its inertia cannot be seen: seek attitude and "
                     "velocity, and give the inertia");
    judge(f, x, out);
    name_symmetry(f, out);
    memcpy(out->tensor, x->tensor, sizeof out->tensor);
    memcpy(out->parameter, x->parameter, sizeof out->parameter);
    out->attitude = x->q, out->factor = x->factor;
    if (!give_velocity(f, x, out))
        return WRONG(with, PH_BAD_PARAMETER,
                     "the variance of the velocity is beyond the range of numbers: write "
                     "the times in another unit");
    return PH_OK;
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
    if (with.message != NULL)
        *with.message = (ph_message){.setting = PH_SETTING_NONE};
    fit_model f = {
        .o = o, .with = &with, .used = o->count, .scale = {1, 1, 1, 1}, .unit = {1, 1, 1, 1}};
    fit_point x = {.factor = 1.0};
    const size_t numbers = size_product(o->count, ph_fit_width(o));
    double *r = array_create(size_sum(numbers, o->count), sizeof *r);
    ph_fit *found = calloc(1, sizeof *found);
    ph_status status = r == NULL || found == NULL ? PH_NO_MEMORY : find(&f, &x, r, found);
    if (status == PH_OK) {
        *out = *found;
        if (residuals != NULL)
            memcpy(residuals, r, numbers * sizeof *r);
    }
    free(f.setting);
    free(f.states);
    free(f.times);
    free(f.own);
    free(found);
    free(r);
    return status;
}
