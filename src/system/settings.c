/* settings.c - systems of every kind from settings and from snapshots, and the catalog of all
 * kinds. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/choice.h"
#include "base/named.h"
#include "base/nearest.h"
#include "base/reserved.h"
#include "base/text.h"
#include "integrators/expression/expression.h"
#include "integrators/integrator.h"
#include "integrators/range.h"
#include "motion/vec.h"
#include "system/digits.h"
#include "system/kind.h"

/* ---- messages ---------------------------------------------------------------------- */

ph_status ph_settings_refuse(const ph_system_settings *s, ph_status status, int setting,
                             const char *format, ...)
{
    if (s->message != NULL) {
        va_list values;
        va_start(values, format);
        s->message->setting = setting;
        // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized) ; it is, above
        (void)vsnprintf(s->message->text, PH_MESSAGE, format, values);
        va_end(values);
    }
    return status;
}

ph_status ph_settings_refuse_value(const ph_system_settings *s, ph_status status, int setting,
                                   const char *why)
{
    const ph_setting *given = &s->settings[setting];
    char numbers[160] = "";
    for (size_t i = 0, used = 0; i < given->count && used < sizeof numbers; i++)
        used += (size_t)snprintf(numbers + used, sizeof numbers - used, "%s%.10g",
                                 before_item(i, ","), given->values[i]);
    return ph_settings_refuse(s, status, setting, "%s %s: %s", given->name, numbers, why);
}

void ph_settings_warn(const ph_system_settings *s, int setting, const char *format, ...)
{
    ph_message m = {.setting = setting};
    va_list values;
    va_start(values, format);
    // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized) ; it is, above
    (void)vsnprintf(m.text, PH_MESSAGE, format, values);
    va_end(values);
    if (s->warn != NULL)
        s->warn(s->context, &m);
}

bool ph_settings_physical(const ph_system_settings *s, const ph_body *body)
{
    const bool physical = ph_body_physical(body);
    if (!physical)
        ph_settings_warn(s, PH_SETTING_NONE,
                         "no rigid body can have the moments of inertia %g, %g, %g, because one "
                         "exceeds the sum of the others: check them",
                         body->J.x, body->J.y, body->J.z);
    return physical;
}

/* ---- parts of settings ------------------------------------------------------------- */

/* Refuses bits that mean nothing to a caller. Some of them are used inside the library. */
static ph_status check_bits(const ph_system_settings *s)
{
    const unsigned options = s->options & ~(unsigned)PH_SYSTEM_UNCOMPENSATED,
                   derivatives =
                       s->derivatives & ~(unsigned)(PH_DERIVATIVES_START | PH_DERIVATIVES_INERTIA |
                                                    PH_DERIVATIVES_PARAMETERS);
    if (options != 0)
        return ph_settings_refuse(s, PH_BAD_PARAMETER, PH_SETTING_NONE,
                                  "options has the unknown bits 0x%x: use "
                                  "PH_SYSTEM_UNCOMPENSATED or 0",
                                  options);
    if (derivatives != 0)
        return ph_settings_refuse(s, PH_BAD_PARAMETER, PH_SETTING_NONE,
                                  "derivatives has the unknown bits 0x%x: use bits of "
                                  "ph_derivatives",
                                  derivatives);
    return PH_OK;
}

ph_status ph_settings_check(const ph_system_settings *s)
{
    const ph_status status = check_bits(s);
    if (status != PH_OK)
        return status;
    if (s->settings == NULL && s->setting_count > 0)
        return PH_NULL_ARGUMENT;
    if (!array_possible(s->setting_count, sizeof *s->settings))
        return PH_NO_MEMORY;
    for (size_t i = 0; i < s->setting_count; i++) {
        const ph_setting *given = &s->settings[i];
        if (given->name == NULL || (given->values == NULL && given->count > 0))
            return PH_NULL_ARGUMENT;
        if (!array_possible(given->count, sizeof *given->values))
            return PH_NO_MEMORY;
        for (size_t k = 0; k < i; k++) {
            if (strcmp(s->settings[k].name, given->name) == 0)
                return ph_settings_refuse(s, PH_BAD_PARAMETER, (int)i,
                                          WORDS " is given twice: remove one", given->name);
        }
    }
    return PH_OK;
}

int ph_settings_find(const ph_system_settings *s, const char *name)
{
    for (size_t i = 0; i < s->setting_count; i++) {
        if (strcmp(s->settings[i].name, name) == 0)
            return (int)i;
    }
    return PH_SETTING_NONE;
}

const double *ph_settings_values(const ph_system_settings *s, const char *name, size_t *count)
{
    const int i = ph_settings_find(s, name);
    if (i < 0)
        return NULL;
    if (count != NULL)
        *count = s->settings[i].count;
    return s->settings[i].values;
}

/* Warns of the first angle that is more than a turn: it may be in degrees. */
static void check_angles(const ph_system_settings *s, int i, const char *unit, const char *what)
{
    const ph_setting *given = &s->settings[i];
    if (strcmp(unit, "rad") != 0 || (s->options & OPTION_OF_SNAPSHOT) != 0)
        return;
    for (size_t k = 0; k < given->count; k++)
        if (fabs(given->values[k]) > 2.0 * PH_PI) {
            ph_settings_warn(
                s, i, "%s%s: %g " ANGLE_WARNING ": if it is in degrees, convert it to radians",
                what, given->name, given->values[k]);
            return;
        }
}

/* The status of too few or too many numbers: a snapshot that has them is of another system. */
static ph_status wrong_count(const ph_system_settings *s)
{
    return s->options & OPTION_OF_SNAPSHOT ? PH_OTHER_SNAPSHOT : PH_BAD_PARAMETER;
}

static ph_status take_parameter(const ph_system_settings *s, int i, const ph_parameter *p,
                                double *value)
{
    const ph_setting *given = &s->settings[i];
    const bool as_it_is = (s->options & OPTION_OF_SNAPSHOT) != 0;
    if (given->count != (size_t)p->count)
        return ph_settings_refuse(s, wrong_count(s), i,
                                  "parameter %s needs %d number%s, not %zu: write as many", p->name,
                                  p->count, plural((unsigned)p->count), given->count);
    for (int k = 0; k < p->count; k++) {
        const double x = given->values[k];
        if (!as_it_is && !isfinite(x))
            return ph_settings_refuse(s, PH_BAD_PARAMETER, i,
                                      "parameter %s is not finite: write a number", p->name);
        if (!as_it_is && !ph_range_has(p->range, x))
            return ph_settings_refuse(s, PH_BAD_PARAMETER, i,
                                      "parameter %s is %g, but must be %s: choose another value",
                                      p->name, x, ph_range_text(p->range));
        value[p->first + k] = x;
    }
    check_angles(s, i, p->unit, "parameter ");
    return PH_OK;
}

static ph_status check_start(const ph_system_settings *s, int i, const ph_start_array *f)
{
    const ph_setting *given = &s->settings[i];
    const bool as_it_is = (s->options & OPTION_OF_SNAPSHOT) != 0;
    if (f->other != NULL && ph_settings_find(s, f->other) >= 0)
        return ph_settings_refuse(s, PH_BAD_PARAMETER, i, "%s cannot be used with %s: remove one",
                                  f->name, f->other);
    if ((f->list && given->count % (size_t)f->width != 0) ||
        (!f->list && given->count != (size_t)f->width))
        return ph_settings_refuse(s, wrong_count(s), i,
                                  "%s needs %d numbers%s, not %zu: write as many", f->name,
                                  f->width, text_if(f->list, " for each entry"), given->count);
    for (size_t k = 0; k < given->count; k++) {
        if (!as_it_is && !isfinite(given->values[k]))
            return ph_settings_refuse(s, PH_BAD_STATE, i, "%s is not finite: write finite numbers",
                                      f->name);
    }
    check_angles(s, i, f->unit, "");
    return PH_OK;
}

static ph_status refuse_name(const ph_system_settings *s, int i, const ph_kind *kind,
                             const ph_problem_facts *p)
{
    const char *name = s->settings[i].name;
    char names[400] = "";
    size_t count;
    const ph_kind *const *kinds = ph_kinds(&count);
    for (size_t k = 0; k < count; k++) {
        if (ROW_NAMED(kinds[k]->start, kinds[k]->start_count, name) != NULL)
            return ph_settings_refuse(s, PH_UNKNOWN_NAME, i,
                                      "%s cannot be used with %s, a problem of %s: remove it", name,
                                      p->name, kind->what);
    }
    for (int k = 0; k < p->parameter_count; k++)
        text_add(names, sizeof names, p->parameters[k].name);
    for (int k = 0; k < p->table_count; k++)
        text_add(names, sizeof names, p->tables[k].name);
    return ph_settings_refuse(s, PH_UNKNOWN_NAME, i, "problem %s has no parameter " WORDS ": %s%s",
                              p->name, name, names[0] == '\0' ? "remove it" : "its parameters are ",
                              names);
}

ph_status ph_settings_take(const ph_system_settings *s, const ph_kind *kind,
                           const ph_problem_facts *p, double *value)
{
    ph_status status = PH_OK;
    for (int i = 0; i < (int)s->setting_count && status == PH_OK; i++) {
        const char *name = s->settings[i].name;
        const ph_start_array *start = ROW_NAMED(kind->start, kind->start_count, name);
        const ph_parameter *parameter = ROW_NAMED(p->parameters, p->parameter_count, name);
        if (parameter != NULL)
            status = take_parameter(s, i, parameter, value);
        else if (start != NULL)
            status = check_start(s, i, start);
        else if (ROW_NAMED(p->tables, p->table_count, name) == NULL &&
                 !(s->options & OPTION_OF_SNAPSHOT))
            status = refuse_name(s, i, kind, p);
    }
    return status;
}

ph_status ph_settings_limit(const ph_system_settings *s, const ph_kind *kind, double entries)
{
    if (s->most_entries == 0 || !(entries > (double)s->most_entries))
        return PH_OK;
    return ph_settings_refuse(s, PH_BAD_PARAMETER, PH_SETTING_NONE,
                              "the system has %.0f %s, but at most %zu are allowed: use fewer",
                              entries, kind->entries[1], s->most_entries);
}

const double *ph_settings_field(const ph_system_settings *s, const char *name, size_t count)
{
    size_t there = 0;
    const double *values = NULL;
    if (s->options & OPTION_OF_SNAPSHOT)
        values = ph_settings_values(s, name, &there);
    return there == count ? values : NULL;
}

/* ---- the integrator ------------------------------------------------------------------ */

/* Whether an integrator is the exact motion of a free body, for which any step meets any
 * tolerance. */
static bool is_exact(const ph_integrator *i)
{
    return i->flow != NULL && i->flow->order == PH_ORDER_EXACT && i->scheme == NULL &&
           i->method == NULL && i->composition == NULL;
}

/* Gives an integrator the tolerance and the longest step of the settings. */
static ph_status take_tolerance(const ph_system_settings *s, ph_integrator *i)
{
    const double x = s->tolerance, longest = s->longest_step;
    char name[PH_INTEGRATOR_NAME];
    const bool as_it_is = (s->options & OPTION_OF_SNAPSHOT) != 0 && i->adaptive != NULL;
    if (x == 0.0 && longest == 0.0)
        return PH_OK;
    if (!as_it_is && x != 0.0 && !(x >= PH_TOLERANCE_LEAST && x <= PH_TOLERANCE_MOST))
        return ph_settings_refuse(s, PH_BAD_TOLERANCE, PH_SETTING_TOLERANCE,
                                  "tolerance %g is outside its range: write a number from %g to %g",
                                  x, PH_TOLERANCE_LEAST, PH_TOLERANCE_MOST);
    if (!as_it_is && !(longest >= 0.0))
        return ph_settings_refuse(s, PH_BAD_LONGEST_STEP, PH_SETTING_LONGEST_STEP,
                                  "longest_step %g is not positive: write a positive number",
                                  longest);
    if (i->adaptive == NULL && longest != 0.0)
        return ph_settings_refuse(
            s, PH_NOT_APPLICABLE, PH_SETTING_LONGEST_STEP,
            "longest_step can be used only with methods that choose their steps, and " WORDS
            " does not: remove it, or use gbs",
            ph_integrator_name(i, name));
    const bool bath = i->scheme != NULL && i->scheme->parts != NULL;
    if (i->adaptive == NULL && (i->scheme == NULL || bath) && !is_exact(i))
        return ph_settings_refuse(s, PH_NOT_APPLICABLE, PH_SETTING_TOLERANCE,
                                  "tolerance can be used only with splittings and with methods "
                                  "that choose their steps, and " WORDS " %s",
                                  ph_integrator_name(i, name),
                                  bath ? "has a thermostat: give a step"
                                       : "is not one of them: give a step, or use gbs");
    if (x != 0.0)
        i->tolerance = x;
    if (longest != 0.0)
        i->longest_step = longest;
    return PH_OK;
}

/* Copies the caller's own integrator. */
static ph_status take_own(const ph_system_settings *s, ph_system *system)
{
    const ph_status status = ph_custom_copy(&system->own, s->own_integrator, &system->by);
    if (status == PH_BAD_PARAMETER)
        return ph_settings_refuse(s, status, PH_SETTING_INTEGRATOR,
                                  "a part of own_integrator has no stages or too many: write from "
                                  "1 to %d for a scheme or a composition, from 1 to %d for a "
                                  "tableau",
                                  CUSTOM_STAGES, TABLEAU_STAGES);
    if (status == PH_NULL_ARGUMENT)
        return ph_settings_refuse(s, status, PH_SETTING_INTEGRATOR,
                                  "a part of own_integrator has no coefficients: give them");
    return status;
}

/* The coefficients of a snapshot. */
static ph_status take_coefficients(const ph_system_settings *s, custom_parts *own)
{
    const double *x = ph_settings_values(s, FIELD_MARK "coefficients", &own->count);
    if (x == NULL)
        return PH_OK;
    if (own->count > CUSTOM_NUMBERS)
        return PH_OTHER_SNAPSHOT;
    memcpy(own->numbers, x, own->count * sizeof *x);
    return ok_if(ph_custom_restore(own), PH_OTHER_SNAPSHOT);
}

static double number_or(const double *x, double otherwise)
{
    return x != NULL ? *x : otherwise;
}

/* Returns the number that is set for `name`, or `otherwise`. If good() rejects the number and *wrong
 * is still PH_SETTING_NONE, stores its index there. */
static double take_number(const ph_system_settings *s, const char *name, double otherwise,
                          bool good(double), int *wrong)
{
    const double *x = ph_settings_values(s, name, NULL);
    if (x != NULL && !good(*x) && *wrong == PH_SETTING_NONE)
        *wrong = ph_settings_find(s, name);
    return number_or(x, otherwise);
}

static bool is_temperature(double x)
{
    return x > 0.0 && isfinite(x);
}

static bool is_friction(double x)
{
    return x >= 0.0 && isfinite(x);
}

static bool is_seed(double x)
{
    return x >= 0.0 && x < 0x1p53 && x == floor(x); /* a larger one may be rounded */
}

/* Gives a system whose scheme has a thermostat its numbers. */
static ph_status take_thermostat(const ph_system_settings *s, ph_system *system)
{
    thermostat *bath = bath_of(system);
    char name[PH_INTEGRATOR_NAME];
    int wrong = PH_SETTING_NONE;
    if (bath == NULL)
        return PH_OK;
    (void)ph_integrator_name(&system->by, name);
    if (system->kind->momenta == NULL)
        return ph_settings_refuse(s, PH_NOT_APPLICABLE, PH_SETTING_INTEGRATOR,
                                  "`%s` has a thermostat, which needs bodies and cannot be used "
                                  "with %s: use another method",
                                  name, system->kind->what);
    const double *kept = ph_settings_field(s, FIELD_MARK "set_temperature", 1);
    if (ph_settings_find(s, "temperature") < 0 && kept == NULL)
        return ph_settings_refuse(s, PH_BAD_PARAMETER, PH_SETTING_INTEGRATOR,
                                  "`%s` has a thermostat: give its temperature", name);
    bath->temperature = take_number(s, "temperature", number_or(kept, 0.0), is_temperature, &wrong);
    bath->friction = take_number(s, "friction", 1.0, is_friction, &wrong);
    bath->seed = take_number(s, "seed", 0.0, is_seed, &wrong);
    if (wrong >= 0)
        return ph_settings_refuse_value(
            s, PH_BAD_PARAMETER, wrong,
            "write a positive temperature, a friction of 0 or more, and a whole seed "
            "from 0 to 2^53 - 1");
    if (s->step < 0.0 && !(s->options & OPTION_OF_SNAPSHOT))
        return ph_settings_refuse(s, PH_BACKWARD, PH_SETTING_STEP,
                                  "step %g goes back in time, but a thermostat can only go "
                                  "forward: write a positive step",
                                  s->step);
    return PH_OK;
}

/* Refuses settings of a thermostat for a system without one, unless they are parameters of
 * its problem. */
static ph_status refuse_thermostat(const ph_system_settings *s, ph_system *system)
{
    static const char *const names[] = {"temperature", "friction", "seed"};
    for (size_t k = 0; k < sizeof names / sizeof names[0] && bath_of(system) == NULL; k++) {
        const int at = ph_settings_find(s, names[k]);
        const ph_start_array *row =
            ROW_NAMED(system->kind->start, system->kind->start_count, names[k]);
        const bool draws = system->kind->rows_of_each && strcmp(names[k], "seed") == 0;
        if (at >= 0 && row != NULL && !draws &&
            ROW_NAMED(system->parameters, system->parameter_count, names[k]) == NULL)
            return ph_settings_refuse(s, PH_NOT_APPLICABLE, at,
                                      "%s is a setting of a thermostat, but %s has none: remove "
                                      "it, or use a method such as baoab+exact",
                                      names[k], system->integrator);
    }
    return PH_OK;
}

/* Whether one body moves in a field. */
static bool is_in_field(const ph_system *system)
{
    if (system->kind->field == NULL)
        return false;
    const ph_problem *p = system->kind->field(system->self);
    return p != NULL && p->torque != NULL;
}

/* Whether neither a step nor a tolerance is given to a splitting in a field. Its step is then found
 * for the default tolerance: a step is only what somebody asked for. */
static bool needs_tolerance(const ph_system_settings *s, ph_system *system)
{
    return s->step == 0.0 && s->tolerance == 0.0 && (s->options & OPTION_OF_SNAPSHOT) == 0 &&
           system->by.scheme != NULL && bath_of(system) == NULL && is_in_field(system);
}

/* Warns if a fixed step that was given turns a body in a field by more than a radian: what the field
 * does within a step is then lost. */
static void warn_of_turn(const ph_system_settings *s, const ph_system *system)
{
    static const double MOST = 1.0;
    const ph_array *w;
    if (system->adaptive != NULL || system->tolerance != 0.0 || !is_in_field(system) ||
        ph_system_array_named(system, "velocity", &w) != PH_OK)
        return;
    const ph_vec3 rate = {*w->data[0], *w->data[1], *w->data[2]};
    const double turn = norm(rate) * fabs(system->h);
    if (turn > MOST)
        ph_settings_warn(s, PH_SETTING_STEP,
                         "a step of %g turns the body by %.3g rad, and the field acts only at some "
                         "times in a step: use a step below %.2g, or a tolerance",
                         system->h, turn, MOST / norm(rate));
}

ph_status ph_settings_integrator(const ph_system_settings *s, ph_system *system,
                                 const char *recommended)
{
    const ph_kind *kind = system->kind;
    const ph_integrator *given = s->own_integrator;
    char text[PH_MESSAGE];
    if (given != NULL && given->method != NULL && given->method->step != NULL &&
        kind->step_named != NULL)
        return ph_settings_refuse(s, PH_NOT_APPLICABLE, PH_SETTING_INTEGRATOR,
                                  "a method of your own can move only one body: use one of "
                                  "`polhode list methods --space %s`",
                                  kind->name);
    ph_status status = given ? take_own(s, system) : take_coefficients(s, &system->own);
    if (status == PH_OK && (given == NULL || s->integrator != NULL)) {
        status = ph_integrator_find(kind, text_or(s->integrator, recommended), &system->own,
                                    &system->by, text);
        const bool unnamed = status != PH_OK && strstr(text, "`polhode list") != NULL &&
                             strstr(text, "did you mean") == NULL;
        if (unnamed) /* it says one that does, and not only where they are listed */
            return ph_settings_refuse(s, status, PH_SETTING_INTEGRATOR,
                                      "%s; the recommended method is %s", text, recommended);
        if (status != PH_OK)
            return ph_settings_refuse(s, status, PH_SETTING_INTEGRATOR, "%s", text);
    }
    if (status == PH_OK)
        status = take_thermostat(s, system);
    if (status == PH_OK)
        status = take_tolerance(s, &system->by);
    if (status == PH_OK && system->by.adaptive == NULL)
        system->tolerance = needs_tolerance(s, system) ? PH_TOLERANCE_DEFAULT : s->tolerance;
    return status;
}

ph_status ph_settings_refuse_integrator(const ph_system_settings *s, const ph_integrator *i,
                                        const char *problem, const char *instead)
{
    char name[PH_INTEGRATOR_NAME];
    const char *why = "needs the derivative of the forces, which %s does not have: use another "
                      "scheme, such as srkn6_14a+exact";
    if (instead != NULL)
        why = "needs a torque that depends only on time and attitude, but the torque of %s depends "
              "on the velocity: use %s, or another method of Munthe-Kaas";
    else if (i->method != NULL || i->adaptive != NULL)
        why = "can move only one body whose centre of mass is fixed, and %s is not such a problem: "
              "use a scheme over a flow, such as srkn6_14a+exact";
    else if (i->scheme == NULL)
        why = "is a flow, which moves a free body, but %s has forces: write verlet+%s, or another "
              "scheme";
    char reason[PH_MESSAGE];
    (void)ph_integrator_name(i, name);
    (void)snprintf(reason, sizeof reason, why, problem && *problem ? problem : "it",
                   text_or(instead, name));
    return ph_settings_refuse(s, PH_NOT_APPLICABLE, PH_SETTING_INTEGRATOR, "`%s` %s", name, reason);
}

/* ---- the catalog ------------------------------------------------------------------- */

bool ph_problem_at(size_t i, ph_problem_facts *out)
{
    size_t count;
    const ph_kind *const *kinds = ph_kinds(&count);
    for (size_t k = 0; k < count; k++) {
        for (size_t n = 0; *out = (ph_problem_facts){0}, kinds[k]->problem(n, out); n++) {
            out->kind = kinds[k]->name;
            out->about = kinds[k]->what;
            out->drift = kinds[k]->drift;
            out->start = kinds[k]->start;
            out->start_count = kinds[k]->start_count;
            if (i-- > 0)
                continue;
            if (out->integrator == NULL && kinds[k]->recommended != NULL)
                out->integrator = kinds[k]->recommended(n);
            return true;
        }
    }
    return false;
}

bool ph_method_at(size_t i, ph_method_facts *out)
{
    size_t count;
    const ph_kind *const *kinds = ph_kinds(&count);
    for (size_t k = 0; k < count; k++) {
        for (size_t n = 0;
             kinds[k]->method != NULL && (*out = (ph_method_facts){0}, kinds[k]->method(n, out));
             n++) {
            out->kind = kinds[k]->name;
            if (i-- == 0)
                return true;
        }
    }
    return false;
}

ph_status ph_integrator_suits(const char *integrator, const char *problem)
{
    ph_system *s = NULL;
    if (integrator == NULL)
        return PH_NULL_ARGUMENT;
    const ph_status status =
        ph_system_create(&(ph_system_settings){problem, .integrator = integrator, .step = 1.0}, &s);
    ph_system_destroy(s);
    return status;
}

/* ---- systems ----------------------------------------------------------------------- */

const ph_kind *ph_kind_named(const char *name)
{
    size_t count;
    const ph_kind *const *kinds = ph_kinds(&count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(kinds[i]->name, name) == 0)
            return kinds[i];
    }
    return NULL;
}

const ph_kind *ph_kind_of_problem(const ph_problem *own)
{
    size_t count;
    const ph_kind *const *kinds = ph_kinds(&count);
    for (size_t i = 0; i < count; i++) {
        if (kinds[i]->own_problems && kinds[i]->moving_centre == (own->force != NULL))
            return kinds[i];
    }
    return NULL;
}

const ph_kind *ph_kind_for(const ph_kind *kind, const char *integrator)
{
    size_t count;
    const ph_kind *const *kinds = ph_kinds(&count);
    for (size_t i = 0; i < count && integrator != NULL && kind == ph_kind_named("body"); i++) {
        const char *name = kinds[i]->method_of_bodies;
        if (name != NULL && strcmp(name, integrator) == 0)
            return kinds[i];
    }
    return kind;
}

/* The kind whose problems those of a kind are. */
static const ph_kind *kind_of_problems(const ph_kind *kind)
{
    if (kind->method_of_bodies != NULL)
        return ph_kind_named("body");
    return kind;
}

/* The kind of the problem; or what is wrong with its name. */
static ph_status find_kind(const ph_system_settings *s, const ph_kind **out)
{
    ph_problem_facts p;
    nearest near_by = {.wrong = s->problem};
    char text[PH_MESSAGE];
    if (s->own_problem != NULL) {
        *out = ph_kind_of_problem(s->own_problem);
        if (*out)
            return PH_OK;
        return ph_settings_refuse(
            s, PH_UNKNOWN_NAME, PH_SETTING_PROBLEM,
            "the problem has a force, but this library was built without the kind "
            "orbiter, whose centre of mass moves: build it with POLHODE_KINDS=ON");
    }
    size_t count;
    const ph_kind *const *kinds = ph_kinds(&count);
    for (size_t k = 0; k < count; k++) {
        *out = kinds[k];
        for (size_t i = 0; kinds[k]->problem(i, &p); i++) {
            if (strcmp(p.name, s->problem) == 0)
                return PH_OK;
        }
    }
    for (size_t i = 0; ph_problem_at(i, &p); i++)
        ph_nearest_add(&near_by, "%s", p.name);
    return ph_settings_refuse(
        s, PH_UNKNOWN_NAME, PH_SETTING_PROBLEM, "%s",
        ph_nearest_text(&near_by, "problem", "`polhode list problems`", text, sizeof text));
}

static ph_status create(const ph_kind *kind, const ph_system_settings *s, const void *own,
                        ph_system **out)
{
    ph_system *system = ph_system_begin(kind, s->step);
    if (system == NULL)
        return PH_NO_MEMORY;
    system->own_problem = own;
    const ph_status status = kind->create(s, system);
    system->own_problem = NULL;
    return ph_system_complete(system, status, out);
}

/* Makes a system with a splitting go on in the steps that its tolerance asks for; a step that
 * is given is a whole number of them, unless the run is divided. */
static ph_status find_step(const ph_system_settings *settings, ph_system *s)
{
    const double sign = sign_of(settings->step);
    double found = 0.0;
    ph_status status;
    if (is_exact(&s->by)) {
        s->longest = settings->step == 0.0 ? INFINITY : 0.0;
        s->h = settings->step == 0.0 ? 1.0 : settings->step;
        return PH_OK;
    }
    s->h = sign;
    if (ph_system_has_parts(s)) {
        status = ph_part_begin(s, sign);
        found = s->parts.longest;
    } else {
        status = ph_system_find_step(s, sign, INFINITY, 1.0, s->tolerance, &found);
    }
    if (status == PH_NO_CONVERGENCE || (status == PH_OK && found == 0.0))
        return ph_settings_refuse(
            settings, PH_NO_CONVERGENCE, PH_SETTING_TOLERANCE,
            "no step is short enough for the tolerance %g: use a larger tolerance", s->tolerance);
    s->longest = found;
    s->divides = settings->step != 0.0 && !ph_system_has_parts(s);
    if (settings->step == 0.0 || ph_system_has_parts(s))
        s->h = copysign(found, sign);
    else
        s->h = settings->step / ceil(fabs(settings->step) / found);
    return status;
}

static ph_status refuse_newer(const ph_system_settings *s, int setting, const char *what)
{
    return ph_settings_refuse(s, PH_NEWER_MEMBER, setting,
                              "%s has a member that version %s does not know: set `reserved` to 0, "
                              "or use a newer library",
                              what, ph_version());
}

/* Refuses what a program sets that was compiled with a newer header. */
static ph_status check_known(const ph_system_settings *s)
{
    if (!reserved_are_zero(s->reserved, PH_RESERVED))
        return refuse_newer(s, PH_SETTING_NONE, "the structure of settings");
    if (s->own_integrator != NULL && !ph_integrator_known(s->own_integrator))
        return refuse_newer(s, PH_SETTING_INTEGRATOR, "the integrator");
    if (!KNOWN(s->own_problem))
        return refuse_newer(s, PH_SETTING_PROBLEM, "the problem");
    return PH_OK;
}

ph_status ph_system_create_of_kind(const ph_kind *kind, const ph_system_settings *s,
                                   const void *own, ph_system **out)
{
    ph_system *made = NULL;
    (void)ph_settings_refuse(s, PH_OK, PH_SETTING_NONE, "%s", "");
    ph_status status = check_known(s);
    if (status == PH_OK)
        status = ph_settings_check(s);
    if (status == PH_OK && kind == NULL)
        status = find_kind(s, &kind);
    if (status == PH_OK)
        kind = ph_kind_for(kind, s->integrator);
    if (status == PH_OK && !isfinite(s->step))
        status = ph_settings_refuse(s, PH_BAD_STEP, PH_SETTING_STEP,
                                    "step %g is not finite: write a finite number", s->step);
    if (kind != NULL && status == PH_OK && s->derivatives != 0 && kind->derivative == NULL)
        status = ph_settings_refuse(
            s, PH_NOT_APPLICABLE, PH_SETTING_PROBLEM,
            "derivatives can be computed only for one body in a problem of kind body: remove them");
    if (status == PH_OK && kind != NULL)
        status = create(kind, s, own, &made);
    if (status == PH_OK && made != NULL)
        status = refuse_thermostat(s, made);
    if (status == PH_OK && made != NULL && made->tolerance != 0.0)
        status = find_step(s, made);
    if (status == PH_OK && made != NULL)
        warn_of_turn(s, made);
    if (status == PH_OK)
        *out = made;
    else
        ph_system_destroy(made);
    if (status == PH_OK || s->message == NULL || s->message->text[0] != '\0')
        return status;
    if (s->problem == NULL)
        return ph_settings_refuse(s, status, PH_SETTING_NONE, "%s: change the initial state",
                                  ph_status_text(status));
    return ph_settings_refuse(s, status, PH_SETTING_NONE,
                              "problem " WORDS ": %s: change its initial state", s->problem,
                              ph_status_text(status));
}

ph_status ph_system_create(const ph_system_settings *s, ph_system **out)
{
    if (s == NULL || out == NULL || (s->problem == NULL && s->own_problem == NULL))
        return PH_NULL_ARGUMENT;
    return ph_system_create_of_kind(NULL, s, NULL, out);
}

/* ---- systems from snapshots ---------------------------------------------------------- */

/* The settings of a snapshot as its kind takes them: in a problem of the caller's own if it
 * has this name, of the catalog, or of expressions. */
static ph_status complete(snapshot_settings *from, const ph_kind *kind, const ph_problem *own)
{
    ph_system_settings *s = &from->with;
    ph_problem_facts facts = {0};
    for (size_t i = 0; i < s->setting_count; i++) {
        const char *name = from->setting[i].name;
        if (name[0] == *FIELD_MARK && ROW_NAMED(kind->start, kind->start_count, name + 1) != NULL)
            from->setting[i].name++;
    }
    const double *tolerance = ph_settings_field(s, FIELD_MARK "tolerance", 1),
                 *longest = ph_settings_field(s, FIELD_MARK "longest_step", 1);
    s->tolerance = number_or(tolerance, 0.0);
    s->longest_step = number_or(longest, 0.0); /* the default is not kept */
    if (own != NULL && own->name != NULL && strcmp(own->name, s->problem) == 0)
        s->own_problem = own;
    else if (ph_settings_find(s, FIELD_MARK "data") >= 0 &&
             strcmp(s->problem, ph_expression_problem.name) == 0)
        s->own_problem = &ph_expression_problem;
    const ph_kind *listed = kind_of_problems(kind);
    for (size_t i = 0; s->own_problem == NULL && listed->problem(i, &facts); i++) {
        if (strcmp(facts.name, s->problem) == 0)
            return PH_OK;
    }
    return ok_if(s->own_problem != NULL && listed->own_problems, PH_UNKNOWN_NAME);
}

ph_status ph_system_companion(const ph_system *s, ph_system **out)
{
    snapshot_settings *from = NULL;
    const ph_problem *own = NULL;
    ph_system *made = NULL;
    if (s->adaptive == NULL || s->steps > 0)
        return PH_NOT_APPLICABLE;
    const size_t size = ph_system_save(s, NULL, 0);
    unsigned char *bytes = array_create(size, 1);
    if (bytes == NULL)
        return PH_NO_MEMORY;
    (void)ph_system_save(s, bytes, size);
    ph_status status = ph_snapshot_settings(bytes, size, &from);
    free(bytes);
    if (status != PH_OK)
        return status;
    if (s->kind->state != NULL)
        (void)s->kind->state(s->self, &own);
    status = complete(from, s->kind, own);
    ph_system_settings *with = &from->with;
    with->tolerance = companion_tolerance(with->tolerance);
    with->integrator = companion_integrator(with->integrator);
    if (status == PH_OK)
        status = create(s->kind, with, NULL, &made);
    free(from);
    if (status == PH_OK)
        status = ph_displace(s, made, 0.0, false); /* the same start */
    if (status == PH_OK)
        *out = made;
    else
        ph_system_destroy(made);
    return status;
}

ph_status ph_system_from_snapshot_of(const ph_problem *p, const void *from, size_t size,
                                     ph_system **out)
{
    snapshot_settings *s;
    ph_system *system = NULL;
    if (out == NULL || from == NULL)
        return PH_NULL_ARGUMENT;
    ph_status status = ph_snapshot_settings(from, size, &s);
    if (status != PH_OK)
        return status;
    const ph_kind *kind = ph_kind_named(s->kind);
    status = PH_OTHER_SNAPSHOT;
    if (kind != NULL)
        status = complete(s, kind, p);
    if (status == PH_OK)
        status = create(kind, &s->with, NULL, &system);
    free(s);
    if (status == PH_OK)
        status = ph_system_restore(system, from, size);
    if (status == PH_OK)
        *out = system;
    else
        ph_system_destroy(system);
    return status;
}

ph_status ph_system_from_snapshot(const void *from, size_t size, ph_system **out)
{
    return ph_system_from_snapshot_of(NULL, from, size, out);
}
