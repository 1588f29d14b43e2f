/* check_json.c - the sheets as JSON. */
#include <math.h>

#include "check.h"
#include "io/json.h"

static json_t *answer_json(ph_answer answer)
{
    return answer == PH_UNRESOLVED ? json_null() : json_boolean(answer == PH_YES);
}

/* On the free body, or in a field; without meaning, nothing but nulls. */
static json_t *properties_json(const ph_properties *c)
{
    if (!c->applies)
        return json_pack("{sn sn sn}", "symplectic", "energy", "momentum");
    return json_pack(
        "{so ss ss so so so so so so so so so so so so so}", "symplectic",
        answer_json(c->symplectic), "energy", check_energy(c->energy), "momentum",
        check_momentum(c->momentum), "poisson", answer_json(c->poisson), "casimir",
        answer_json(c->casimir), "symmetric", answer_json(c->symmetric), "reversible",
        answer_json(c->reversible), "symplectic_defect",
        json_finite(c->symplectic_defect), "poisson_defect",
        json_finite(c->poisson_defect), "symmetry_defect",
        json_finite(c->symmetry_defect), "reversal_defect",
        json_finite(c->reversal_defect), "step_error", json_finite(c->step_error),
        "energy_error", json_finite(c->energy_error[0]), "energy_error_large_step",
        json_finite(c->energy_error[1]), "momentum_error", json_finite(c->momentum_error),
        "casimir_error", json_finite(c->casimir_error));
}

static json_t *trend_json(const ph_trend *t)
{
    return json_pack(
        "{so so so so sI sb}", "step", json_finite(t->h), "slope", json_finite(t->slope),
        "standard_error", json_finite(t->standard_error), "max_error",
        json_finite(t->max_error), "steps", (json_int_t)t->taken, "drifts", t->drifts);
}

/* What only a field shows. */
static void add_field(json_t *object, const ph_sheet *s)
{
    json_t *trends = json_array();
    for (int k = 0; k < 2; k++)
        (void)json_array_append_new(trends, trend_json(&s->drift[k]));
    (void)json_object_set_new(object, "drift_test", trends);
    (void)json_object_set_new(object, "conjugate_symplectic_candidate",
                              json_boolean(s->candidate));
    (void)json_object_set_new(object, "stable_step", json_finite(s->stable_step));
    (void)json_object_set_new(object, "torques", json_finite(s->torques));
}

static json_t *sheet_json(const check_row *row)
{
    const ph_sheet *s = &row->sheet;
    const ph_properties *c = s->field.applies ? &s->field : &s->free;
    char mismatches[CHECK_MISMATCHES];
    json_t *object = json_pack(
        "{ss so so so so so so sb so so so ss ss ss}", "name", row->name, "order",
        isnan(s->order) ? json_null() : json_integer(lround(s->order)), "symmetric",
        answer_json(c->symmetric), "free", properties_json(&s->free), "field",
        properties_json(&s->field), "symplectic_defect",
        json_finite(c->symplectic_defect), "drift",
        s->field.applies ? json_finite(s->drift[0].slope) : json_null(), "exact",
        s->exact, "slope", json_finite(s->order), "unit_error",
        json_finite(s->unit_error), "nanoseconds", json_finite(s->nanoseconds), "title",
        row->title, "cite", row->cite, "disputed", check_mismatches(row, mismatches));
    if (object != NULL && s->field.applies)
        add_field(object, s);
    return object;
}

json_t *check_json(const check_list *list)
{
    json_t *array = json_array();
    for (size_t i = 0; i < list->count; i++) {
        if (json_array_append_new(array, sheet_json(&list->row[i])) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}
