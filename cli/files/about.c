/* about.c - what a file of rows is about, as JSON. */
#include "cli/files/about.h"

static json_t *entry_json(const ph_field *f, size_t entry)
{
    if (f->width == 1)
        return json_finite(f->data[0][entry * f->stride]);
    json_t *all = json_array();
    for (int k = 0; k < f->width; k++)
        (void)json_array_append_new(all, json_finite(f->data[k][entry * f->stride]));
    return all;
}

json_t *field_json(const ph_field *f)
{
    if (f->count == 1 && !(f->use & PH_FIELD_LIST))
        return entry_json(f, 0);
    json_t *all = json_array();
    for (size_t i = 0; i < f->count; i++)
        (void)json_array_append_new(all, entry_json(f, i));
    return all;
}

static json_t *parameters_json(const file_about *about)
{
    json_t *all = json_object();
    for (size_t i = 0; i < about->parameters; i++) {
        const ph_parameter *p = &about->parameter[i];
        json_t *value =
            p->count == 1 ? json_finite(about->value[p->first]) : json_array();
        for (int k = 0; p->count > 1 && k < p->count; k++)
            (void)json_array_append_new(value, json_finite(about->value[p->first + k]));
        (void)json_object_set_new(all, p->name, value);
    }
    return all;
}

json_t *about_json(const record *r)
{
    const file_about *about = r->about;
    json_t *constants = json_object(), *units = json_object();
    for (size_t i = 0; i < r->first.fields; i++) {
        const ph_field *f = &r->first.field[i];
        if (f->use & PH_FIELD_CONSTANT)
            (void)json_object_set_new(constants, f->name, field_json(f));
    }
    for (size_t i = 0; i < r->columns->count; i++)
        (void)json_object_set_new(units, r->columns->column[i].name,
                                  json_string(r->columns->column[i].unit));
    return json_pack(
        "{ss ss so* so* so* so* ss* so so so}", "program", "polhode", "version",
        ph_version(), "command", json_text(about->command), "problem",
        json_text(about->problem), "method", json_text(about->method), "step",
        about->step == 0.0 ? NULL : json_real(about->step), "epoch", about->epoch,
        "parameters", parameters_json(about), "constants", constants, "units", units);
}
