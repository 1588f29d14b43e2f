/* input.c - what commands read: the settings of the command line, which replace those of the
 * scenario; what is shown of a system; times. */
#include "input.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/even_times.h"
#include "base/extremes.h"
#include "tool/base/tool.h"
#include "tool/files/epoch.h"
#include "tool/files/file_text.h"
#include "tool/files/memory.h"

int input_read_scenario(scenario *input, const arguments *given)
{
    for (size_t i = 0; i < given->count; i++) {
        if (strcmp(given->given[i].option->name, "--problem") == 0)
            time_unit_of(given->given[i].value);
    }
    if (given->operands == 0)
        return 0;
    REFUSE_IF(given->operands > 1, "`" WORDS "` is a second scenario: name at most one",
              given->operand[1]);
    file_read(given->operand[0]);
    if (scenario_read(input, given->operand[0]))
        return 0;
    return fail_usage("%s", input->message);
}

/* Takes the option of a key of scenario_keys. */
static int take_key(scenario *input, scenario_key which, const arguments *given, const option *o)
{
    const setting_key *k = &scenario_keys[which];
    setting *value = &input->value[which];
    const char *text = argument(given, o->name);
    *value = (setting){.name = k->name, .is_set = true, .text = text, .count = k->count};
    if (strcmp(k->unit, "t") == 0)
        return argument_durations(given, o->name, k->count, value->x);
    return argument_numbers(given, o->name, k->count, value->x);
}

/* Takes the option of a part of the start. */
static int take_start(scenario *input, const setting_key *k, const arguments *given,
                      const option *o)
{
    const char *text = argument(given, o->name), *form = o->value, *equals = NULL;
    if (strcmp(k->name, "attitude") == 0)
        equals = strchr(text, '=');
    if (k->other != NULL)
        TRY(refuse_both(given, o->name, option_name(k->other)));
    setting *value = scenario_add_start(input, k);
    value->text = text;
    if (equals != NULL) {
        REFUSE_IF(!attitude_form(value, text, (size_t)(equals - text)),
                  "--attitude " WORDS " is not a known form: write w,x,y,z, xyzw=x,y,z,w, or "
                  "euler_zyx=a,b,c or another sequence",
                  text);
        form = value->count == 3 ? "euler_zyx=a,b,c" : "xyzw=x,y,z,w";
        text = equals + 1;
    }
    return read_quantities(o->name, form, text, value->count, value->x, value->unit);
}

/* Takes a parameter, `name=number`, `name=number,number...`, `name=word` or `name=FILE`. */
static int take_parameter(scenario *input, const option *o, const char *text)
{
    const char *equals = strchr(text, '=');
    REFUSE_IF(equals == NULL || equals == text, "%s " WORDS " has no name or no value: write %s %s",
              o->name, text, o->name, o->value);
    setting *added = scenario_add_parameter(input, text, (size_t)(equals - text));
    REFUSE_IF(added == NULL, "%s " WORDS ": too many parameters: remove it", o->name, text);
    const char *choices = NULL;
    if (scenario_take_word(added, equals + 1, &choices))
        return 0;
    REFUSE_IF(choices != NULL, "%s " WORDS ": write one of %s", o->name, text, choices);
    added->count = list_length(added->text);
    REFUSE_IF(added->count > KEY_NUMBERS, "%s " WORDS ": more than %d numbers: write fewer",
              o->name, text, KEY_NUMBERS);
    return read_quantities(o->name, o->value, added->text, added->count, added->x, added->unit);
}

/* Takes an option that is given, if it is one of a key. */
static int take_option(scenario *input, const arguments *given, const option *o, bool many_times)
{
    setting_key start;
    for (scenario_key which = 0; which < KEY_OPTION_COUNT; which++)
        if (strcmp(option_name(scenario_keys[which].name), o->name) == 0) {
            if (many_times && which == KEY_TIME && strpbrk(argument(given, o->name), ",:"))
                return 0;
            return take_key(input, which, given, o);
        }
    char *name = memory_text("%s", o->name + 2);
    for (char *at = name; *at != '\0'; at++) {
        if (*at == '-')
            *at = '_';
    }
    if (key_find_start(name, &start))
        return take_start(input, &start, given, o);
    return 0;
}

int input_take(scenario *input, const arguments *given, bool many_times)
{
    bool drawn = false; /* the seed is then that of the draws */
    for (size_t i = 0; i < given->count; i++)
        drawn = drawn || strcmp(given->given[i].option->name, "--scatter") == 0;
    for (size_t i = 0; i < given->options; i++) {
        const option *o = &given->option[i];
        if (argument(given, o->name) != NULL && !(drawn && strcmp(o->name, "--seed") == 0))
            TRY(take_option(input, given, o, many_times));
    }
    const char *date = argument_added(given, "--epoch");
    if (date != NULL)
        input->value[KEY_EPOCH] = (setting){.name = "epoch", .is_set = true, .text = date};
    for (size_t i = 0; i < given->count; i++) {
        const option *o = given->given[i].option;
        if (strcmp(o->name, "--set") == 0)
            TRY(take_parameter(input, o, given->given[i].value));
    }
    return 0;
}

const char *input_line(const scenario *input, const setting *value)
{
    if (value->line > 0)
        return memory_text(WORDS ":%d: ", input->path, value->line);
    return "";
}

const char *input_place_of(const scenario *input, const setting *value)
{
    if (value->line == 0)
        return option_name(value->name);
    return memory_text("%s%s", input_line(input, value), value->name);
}

const char *input_place(const scenario *input, scenario_key which)
{
    setting value = input->value[which];
    value.name = scenario_keys[which].name; /* also of one that is not set */
    return input_place_of(input, &value);
}

/* ---- what is shown of a system ---------------------------------------------------- */

bool frame_is(const char *name, ph_quat q)
{
    const double squares = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    return name[0] != '\0' && strlen(name) < FRAME_NAME && text_is_plain(name) &&
           strpbrk(name, " ,;\"'`=") == NULL && fabs(squares - 1.0) < 1e-9;
}

static int read_frame(column_choice *c, const option *o, const char *text)
{
    const size_t length = strcspn(text, "=");
    double x[4];
    REFUSE_IF(text[length] != '=' || length == 0 || length >= FRAME_NAME,
              "%s " WORDS " has no name or no value: write %s %s", o->name, text, o->name,
              o->value);
    REFUSE_IF(c->frames == MOST_FRAMES, "there are more than %d frames: remove one", MOST_FRAMES);
    TRY(read_numbers(o->name, o->value, text + length + 1, 4, x));
    named_frame *f = &c->frame[c->frames++];
    (void)snprintf(f->name, FRAME_NAME, "%.*s", (int)length, text);
    f->q = (ph_quat){x[0], x[1], x[2], x[3]};
    REFUSE_IF(x[0] == 0.0 && x[1] == 0.0 && x[2] == 0.0 && x[3] == 0.0,
              "%s " WORDS
              ": the zero quaternion is not an attitude: write 1,0,0,0 for the identity",
              o->name, text);
    f->q = ph_quat_unit(f->q);
    REFUSE_IF(!frame_is(f->name, f->q),
              "%s " WORDS " is not a name: use only letters, digits and _", o->name, text);
    return 0;
}

int show_read(show_request *r, const arguments *given)
{
    const option *frame = option_named(given, "--frame");
    epoch date;
    r->choice.show = argument(given, "--show");
    r->choice.degrees = argument(given, "--degrees") != NULL;
    r->epoch = argument(given, "--epoch");
    r->object = argument(given, "--object");
    r->object_id = argument(given, "--object-id");
    r->aem = argument(given, "--aem");
    for (size_t i = 0; i < given->count; i++) {
        if (given->given[i].option == frame)
            TRY(read_frame(&r->choice, frame, given->given[i].value));
    }
    REFUSE_IF(r->epoch != NULL && !epoch_read(&date, r->epoch),
              "--epoch " WORDS " is not a date: write for example 2026-01-01T00:00:00", r->epoch);
    REFUSE_IF(r->aem != NULL && strcmp(r->aem, "1.0") != 0 && strcmp(r->aem, "2.0") != 0,
              "--aem " WORDS " is not a version of the message: write 1.0 or 2.0", r->aem);
    return 0;
}

void show_units(const show_request *r, outfile *out)
{
    if (r->choice.degrees)
        outfile_print(out, "(angles are in degrees, angular velocities in rad per time)\n");
}

int show_columns(const show_request *r, const instant *now, bool each, column_set *c)
{
    column_choice choice = r->choice;
    nearest near_by = {0};
    choice.each = each;
    if (columns_choose(c, &choice, now, &near_by))
        return 0;
    return fail_unknown("--show: ", "column", &near_by, "`polhode run --help`");
}

/* Returns a number if the words are one of JSON, else a text. */
static json_t *words_json(const char *words)
{
    json_t *value = json_loads(words, JSON_DECODE_ANY, NULL);
    if (json_is_number(value))
        return value;
    json_decref(value);
    return json_text(words);
}

void show_json(json_t *object, const column_set *c, const double *row)
{
    for (size_t i = 0; i < c->count;) {
        const column *x = &c->column[i];
        size_t n = 1;
        while (i + n < c->count && strcmp(c->column[i + n].group, x->group) == 0)
            n++;
        json_t *value;
        if (n > 1 || strcmp(x->name, x->group) != 0)
            value = json_numbers(row + i, n, 1);
        else if (x->words != NULL)
            value = words_json(*x->words);
        else
            value = json_finite(row[i]);
        json_put(object, n == 1 ? x->name : x->group, value);
        i += n;
    }
}

/* ---- times: a list, start:end:count, start:end@step, or a number of steps --------- */

#define MOST       9007199254740992 /* 2^53: up to here doubles count exactly */
#define TOLERANCE  1e-9             /* of the number of steps, relative from 1 on */
#define MOST_APART 1e-3             /* of a step, however many there are */

static int bad_range(const char *name)
{
    return fail_usage("%s is not a range of times: write start:end:count with a whole count from "
                      "1, or start:end@step, for example %s 0:40:401 or %s 0:1d@10min",
                      name, name, name);
}

/* Counts the times from the start by the step. If the end is none of them, the last one becomes
 * the end. */
static int count_times(time_list *t, const char *name)
{
    const double span = t->end - t->start, ratio = span / t->step;
    REFUSE_IF(t->step == 0.0, "%s: the step after @ is zero: write another step", name);
    REFUSE_IF(ratio < 0.0, "%s: the step after @ leads away from the end: change its sign", name);
    REFUSE_IF(!(ratio < (double)MOST), "%s has more than 2^53 times: write fewer", name);
    const double whole = round(ratio);
    const bool even =
        fabs(ratio - whole) <= smaller_or_nan(TOLERANCE * larger_or_nan(1.0, ratio), MOST_APART);
    const double steps = even ? whole : floor(ratio);
    t->count = (unsigned long long)steps + 1;
    if (!even)
        t->end = even_time(t->start, steps, t->step);
    return 0;
}

/* Reads start:end:count or start:end@step. */
static int range_read(time_list *t, const char *name, const char *text)
{
    const char *at = text;
    t->step = 0.0;
    number_status status = duration_read(&at, &t->start);
    if (status == NUMBER_OK && *at++ == ':')
        status = duration_read(&at, &t->end);
    const bool stepped = status == NUMBER_OK && *at == '@';
    if (stepped) {
        at++;
        status = duration_read(&at, &t->step);
    }
    REFUSE_IF(status != NUMBER_OK && status != NUMBER_MALFORMED,
              "%s: a time %s: write another time", name, number_problem(status));
    if (status == NUMBER_OK && stepped && *at == '\0')
        return count_times(t, name);
    if (status != NUMBER_OK || stepped || *at++ != ':' || !isdigit((unsigned char)*at))
        return bad_range(name);
    char *end;
    errno = 0;
    t->count = strtoull(at, &end, 10);
    if (*end != '\0' || t->count < 1)
        return bad_range(name);
    REFUSE_IF(errno == ERANGE || t->count > MOST, "%s has more than 2^53 times: write fewer", name);
    return 0;
}

static int list_read(time_list *t, const arguments *a, const char *name)
{
    const size_t count = list_length(argument(a, name));
    t->list = memory_new(count, sizeof *t->list);
    TRY(argument_durations(a, name, count, t->list));
    t->count = count;
    t->start = t->list[0];
    t->end = t->list[count - 1];
    return 0;
}

int times_read(time_list *t, const arguments *a, const char *name)
{
    const char *text = argument(a, name);
    *t = (time_list){0};
    if (strchr(text, ':') != NULL)
        return range_read(t, name, text);
    return list_read(t, a, name);
}

int times_of_scenario(time_list *t, double step, double end)
{
    *t = (time_list){.count = 1, .start = step == 0.0 ? end : 0.0, .end = end, .step = step};
    if (step == 0.0)
        return 0;
    return count_times(t, "time");
}

double times_at(const time_list *t, unsigned long long i)
{
    if (t->list != NULL)
        return t->list[i];
    if (i == 0)
        return t->start;
    if (i + 1 == t->count)
        return t->end;
    if (t->step != 0.0)
        return even_time(t->start, (double)i, t->step);
    const double steps = (double)(t->count - 1), step = (double)i;
    const double even = t->start + step * (t->end - t->start) / steps;
    if (isfinite(even))
        return even;
    return (1.0 - step / steps) * t->start + step / steps * t->end; /* end - start overflows */
}

int times_refuse(const time_list *t, const record *rows)
{
    const unsigned long long most = 10000;
    unsigned long long i = 0;
    double before = NAN;
    if (t->list == NULL && t->count > most) {
        i = t->count - most;
        before = times_at(t, i - 1);
    }
    for (; i < t->count && rows->format->refuse_time != NULL; i++) {
        const double now = times_at(t, i);
        const char *why = record_refuse_time(rows, times_at(t, 0), before, now);
        REFUSE_IF(why != NULL, REFUSED_ROW, i + 1, now, rows->format->text, why);
        if (interrupted)
            return stopped("interrupted: nothing was written");
        before = now;
    }
    return 0;
}

const char *shortest(double x)
{
    const int most = 17;
    int digits = 6;
    while (digits < most && strtod(memory_text("%.*g", digits, x), NULL) != x)
        digits++;
    return memory_text("%.*g", digits, x);
}

/* Reports an uneven step, with the nearest larger and the nearest smaller one that fit; for a step
 * longer than the time, the two largest. */
static int fail_uneven(const char *place, double step, double time)
{
    const double few = larger_or_nan(1.0, floor(time / step));
    return fail_usage("%sthe time %s is not a whole number of steps of %s: use a step of %s or %s",
                      place, shortest(time), shortest(step), shortest(time / few),
                      shortest(time / (few + 1.0)));
}

int count_steps(const char *place, double step, double time, uint64_t *steps)
{
    REFUSE_IF(step == 0.0,
              "%sthe step is zero: use a positive step, or a negative one to go backward", place);
    REFUSE_IF((step > 0.0 && time < 0.0) || (step < 0.0 && time > 0.0),
              "%sthe time %s and the step have opposite signs: give both the same sign", place,
              shortest(time));
    const double ratio = time / step, whole = round(ratio);
    REFUSE_IF(!(ratio <= (double)MOST),
              "%sthe step %s is too small for at most 2^53 steps: use a larger one", place,
              shortest(step));
    if (fabs(ratio - whole) > TOLERANCE * larger_or_nan(1.0, ratio))
        return fail_uneven(place, step, time);
    *steps = (uint64_t)whole;
    return 0;
}

int read_every(const char *name, double x, uint64_t *every)
{
    REFUSE_IF(!(x >= 1.0) || x != floor(x) || x > (double)MOST,
              "%s %g is not a whole number from 1: write n, to write every n-th step", name, x);
    *every = (uint64_t)x;
    return 0;
}
