/* check_each.c - measurements of each method in turn, on a problem or not. */
#include "check_output.h"

#include "tool/base/tool.h"

int check_each(check_job *j, check_one *one, bool single)
{
    int status = 0;
    progress_begin(false);
    while (j->done < j->count && status == 0 && !interrupted) {
        progress_wipe();
        render_item(&j->r, NULL);
        status = one(j, j->done);
        render_close(&j->r);
        j->done += status == 0 && !interrupted;
        progress_show(j->done, (double)j->done / (double)j->count);
    }
    progress_end();
    if (status == 0 && j->done < j->count)
        return stopped("interrupted after %zu of %zu methods: %s", j->done, j->count,
                       j->r.as == AS_JSON ? "nothing is printed" : "the output contains these");
    if (status == 0)
        status = render_end(&j->r, single && j->count == 1, JSON_INDENT(2));
    return status != 0 ? status : j->status;
}

ph_system_settings check_settings(const check_job *j, size_t i, ph_message *why)
{
    ph_system_settings with = j->on;
    with.integrator = j->named->method[i]->by.name;
    with.own_integrator = j->named->method[i]->by.own;
    with.message = why;
    *why = (ph_message){0};
    return with;
}

int check_refused(const check_job *j, size_t i, ph_status status, const ph_message *why)
{
    const listed_method *m = j->named->method[i];
    REFUSE_IF(status == PH_NOT_APPLICABLE && why->text[0] == '\0',
              "`" WORDS "` has no fixed steps, or no error of its own: use another method, or "
              "check it without these options",
              m->name);
    REFUSE_IF(status != PH_OK && why->text[0] != '\0', "%s%s", m->by.place, why->text);
    return status == PH_OK ? 0
                           : fail_run("%s on %s: %s: use another method, or a smaller step",
                                      m->name, j->on.problem, ph_status_text(status));
}
