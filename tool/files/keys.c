/* keys.c - the one table of keys. */
#include "tool/files/keys.h"

#include <string.h>

#include "base/named.h"
#include "system/kind.h"
#include "tool/files/memory.h"

const setting_key scenario_keys[KEY_COUNT] = {
    [KEY_PROBLEM] = {"problem", "NAME", "1", .count = 0},
    [KEY_METHOD] = {"method", "NAME", "1", .count = 0},
    [KEY_STEP] = {"step", "NUMBER", "t", .count = 1},
    [KEY_TOLERANCE] = {"tolerance", "NUMBER", "1", .count = 1},
    [KEY_LONGEST_STEP] = {"longest_step", "NUMBER", "t", .count = 1},
    [KEY_TIME] = {"time", "NUMBER", "t", .count = 1},
    [KEY_UNTIL] = {"until", "EXPRESSION", "1", .count = 0},
    [KEY_FILE] = {"file", "NAME", "1", .count = 0},
    [KEY_EVERY] = {"every", "NUMBER", "1", .count = 1},
    /* The value of these is kept as a tree. */
    [KEY_BODIES] = {"bodies", NULL, "1", .count = 0},
    [KEY_METHODS] = {"methods", NULL, "1", .count = 0},
    [KEY_STEPS] = {"steps", NULL, "t", .count = 0},
    [KEY_WHEEL] = {"wheel", NULL, "1", .count = 0},
    [KEY_CONTROL] = {"control", NULL, "1", .count = 0},
    [KEY_EPOCH] = {"epoch", "DATE", "1", .count = 0},
};

setting_key key_of_start(const ph_start_array *f)
{
    const char *form = "NUMBER";
    if (f->width > 1)
        form = memory_text("[%s]", f->columns);
    return (setting_key){.name = f->name,
                         .form = form,
                         .unit = f->unit,
                         .count = f->list ? 0 : (size_t)f->width,
                         .other = f->other,
                         .columns = f->columns,
                         .list = f->list};
}

setting_key key_of_parameter(const ph_parameter *p)
{
    const char *columns = p->name;
    if (p->count > 1)
        columns = memory_text("%s1", p->name);
    for (int k = 2; k <= p->count; k++)
        columns = memory_text("%s,%s%d", columns, p->name, k);
    return (setting_key){.name = p->name,
                         .unit = p->unit,
                         .count = (size_t)p->count,
                         .columns = columns,
                         .parameter = p};
}

bool key_find_start(const char *name, setting_key *out)
{
    size_t count;
    const ph_kind *const *kinds = ph_kinds(&count);
    for (size_t i = 0; i < count; i++) {
        const ph_start_array *f = ROW_NAMED(kinds[i]->start, kinds[i]->start_count, name);
        if (f == NULL)
            continue;
        *out = key_of_start(f);
        return true;
    }
    return false;
}
