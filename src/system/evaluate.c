/* evaluate.c - expressions of the state of a system that is one body. */
#include "rotation/vec.h"
#include "system/find.h"

static const ph_array *one_entry(const ph_system *s, const char *name)
{
    const ph_array *f = find_field(s, name);
    return f != NULL && f->count == 1 && !(f->use & PH_ARRAY_LIST) ? f : NULL;
}

static ph_vec3 vector(const ph_system *s, const char *name)
{
    const ph_array *f = one_entry(s, name);
    return f ? vec3(*f->data[0], *f->data[1], *f->data[2]) : vec3(NAN, NAN, NAN);
}

ph_status ph_system_expression(const ph_system *s, const char *text,
                               ph_expression_use use, ph_expression **out,
                               ph_expression_error *why)
{
    size_t count;
    const double *values;
    const ph_parameter *parameters = ph_system_parameters(s, &count, &values);
    const bool centre = one_entry(s, "position") != NULL;
    if (one_entry(s, "attitude") == NULL)
        return PH_NOT_APPLICABLE;
    return ph_expression_create(
        text, (ph_expression_use)(use | (centre ? PH_EXPRESSION_OF_CENTRE : 0)),
        parameters, (int)count, out, why);
}

double ph_system_evaluate(const ph_system *s, const ph_expression *e)
{
    size_t count;
    const double *values;
    const ph_quat q = ph_system_state(s).q;
    const ph_instant now = {ph_system_time(s),           q,
                            ph_quat_matrix(q),           vector(s, "momentum"),
                            vector(s, "velocity"),       vector(s, "position"),
                            vector(s, "centre_velocity")};
    (void)ph_system_parameters(s, &count, &values);
    return ph_expression_value(e, &now, values);
}
