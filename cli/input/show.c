/* show.c - what is shown of a system. */
#include "input.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/files/epoch.h"
#include "cli/tool/tool.h"

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
    if (text[length] != '=' || length == 0 || length >= FRAME_NAME)
        return fail_usage("%s " WORDS " has no name or no value: write %s %s", o->name,
                          text, o->name, o->value);
    REFUSE_IF(c->frames == MOST_FRAMES, "more than %d frames: leave one out",
              MOST_FRAMES);
    TRY(read_numbers(o->name, o->value, text + length + 1, 4, x));
    named_frame *f = &c->frame[c->frames++];
    (void)snprintf(f->name, FRAME_NAME, "%.*s", (int)length, text);
    f->q = (ph_quat){x[0], x[1], x[2], x[3]};
    REFUSE_IF(x[0] == 0.0 && x[1] == 0.0 && x[2] == 0.0 && x[3] == 0.0,
              "%s " WORDS ": this is the zero quaternion, no attitude: write 1,0,0,0 for "
              "the identity",
              o->name, text);
    f->q = ph_quat_unit(f->q);
    REFUSE_IF(!frame_is(f->name, f->q),
              "%s " WORDS ": the name is a part of names of columns: write letters, "
              "digits and _",
              o->name, text);
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
              "--epoch " WORDS " is no date: write for example 2026-01-01T00:00:00",
              r->epoch);
    REFUSE_IF(r->aem != NULL && strcmp(r->aem, "1.0") != 0 && strcmp(r->aem, "2.0") != 0,
              "--aem " WORDS " is no version of the message: write 1.0 or 2.0", r->aem);
    return 0;
}

void show_units(const show_request *r, outfile *out)
{
    if (r->choice.degrees)
        outfile_print(out,
                      "(angles are in degrees, angular velocities in rad per time)\n");
}

int show_columns(const show_request *r, const instant *now, bool each, column_set *c)
{
    column_choice choice = r->choice;
    nearest near_by = {0};
    choice.each = each;
    return columns_choose(c, &choice, now, &near_by)
               ? 0
               : fail_unknown("--show: ", "column", &near_by, "`polhode run --help`");
}

/* A number, if JSON has one of these letters. */
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
        const bool alone = n == 1 && strcmp(x->name, x->group) == 0;
        json_t *value = !alone             ? json_array()
                        : x->words != NULL ? words_json(*x->words)
                                           : json_finite(row[i]);
        for (size_t k = 0; !alone && k < n; k++)
            json_add(value, json_finite(row[i + k]));
        json_put(object, n == 1 ? x->name : x->group, value);
        i += n;
    }
}
