/* glue.c - the library for src/ffi.rs: functions of numbers and pointers in the place of structures that
 * grow from version to version, and the sizes of those that it has. */
#include <polhode/batch.h>
#include <polhode/measure.h>
#include <polhode/system.h>
#include <string.h>

size_t rust_sizes(int which);
size_t rust_sizes(int which)
{
    if (which == 0)
        return sizeof(ph_body);
    if (which == 1)
        return sizeof(ph_motion);
    if (which == 2)
        return sizeof(ph_batch);
    return sizeof(ph_setting);
}

static bool see(void *context, const char *name, uint64_t sum)
{
    (void)context, (void)name, (void)sum;
    return true;
}

uint64_t rust_bits(uint64_t steps);
uint64_t rust_bits(uint64_t steps)
{
    return ph_bits(steps, see, NULL);
}

/* The name of a flow, a scheme, a method or a problem; NULL beyond the last. */
const char *rust_name(int what, size_t i);
const char *rust_name(int what, size_t i)
{
    const ph_flow *flow;
    const ph_scheme *scheme;
    ph_method_facts method;
    ph_problem_facts problem;
    switch (what) {
    case 0:
        return ph_flow_at(i, &flow) ? flow->name : NULL;
    case 1:
        return ph_scheme_at(i, &scheme) ? scheme->name : NULL;
    case 2:
        return ph_method_at(i, &method) ? method.name : NULL;
    default:
        return ph_problem_at(i, &problem) ? problem.name : NULL;
    }
}

ph_status rust_system_create(const char *problem, const char *integrator, double step,
                             double tolerance, const ph_setting *settings, size_t count,
                             char text[PH_MESSAGE], ph_system **out);
ph_status rust_system_create(const char *problem, const char *integrator, double step,
                             double tolerance, const ph_setting *settings, size_t count,
                             char text[PH_MESSAGE], ph_system **out)
{
    ph_message message = {0};
    const ph_status status = ph_system_create(&(ph_system_settings){.problem = problem,
                                                                    .integrator = integrator,
                                                                    .step = step,
                                                                    .tolerance = tolerance,
                                                                    .settings = settings,
                                                                    .setting_count = count,
                                                                    .message = &message},
                                              out);
    memcpy(text, message.text, PH_MESSAGE);
    return status;
}

ph_status rust_system_run(ph_system *s, uint64_t steps);
ph_status rust_system_run(ph_system *s, uint64_t steps)
{
    return ph_system_run(s, steps, NULL);
}

ph_status rust_system_run_until(ph_system *s, double time);
ph_status rust_system_run_until(ph_system *s, double time)
{
    return ph_system_run_until(s, time, NULL);
}

/* Copies a field entry by entry, as far as there is room; returned is how many numbers it has, 0
 * where there is none of that name. */
size_t rust_system_field(const ph_system *s, const char *name, double *to, size_t room);
size_t rust_system_field(const ph_system *s, const char *name, double *to, size_t room)
{
    const ph_array *f;
    if (ph_system_array_named(s, name, &f) != PH_OK)
        return 0;
    size_t used = 0;
    for (size_t i = 0; i < f->count; i++) {
        for (int k = 0; k < f->width; k++, used++) {
            if (used < room)
                to[used] = f->data[k][i * f->stride];
        }
    }
    return used;
}
