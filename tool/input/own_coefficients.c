/* own_coefficients.c - lists of integrators, by names and by mappings of coefficients. */
#include "own_coefficients.h"

#include <string.h>

#include "tool/base/tool.h"
#include "tool/files/memory.h"

#include "found_method_reader.h"

/* Adds the method of a name in the line of a scenario, or of a mapping there. */
static int add_method(method_list *l, scenario *input, int line, const char *name,
                      struct fy_node *mapping)
{
    l->method = memory_more(l->method, l->count + 1, sizeof *l->method);
    listed_method *m = l->method[l->count] = memory_new(1, sizeof *m);
    const method_reader *reader = method_reader_rows[0];
    size_t same = 1;
    m->by.place = input_line(input, &(setting){.line = line});
    m->name = m->by.name = name;
    if (mapping != NULL) {
        m->parts = memory_new(1, sizeof *m->parts);
        REFUSE_IF(reader == NULL,
                  "%sthis tool was built without methods given by coefficients (POLHODE_LAB=OFF): "
                  "build it with POLHODE_LAB=ON, or name a method",
                  m->by.place);
        TRY(reader->read(input, line, mapping, m));
        m->own = custom_integrator(m->parts);
        m->by.name = m->name;
        m->by.own = &m->own;
        for (size_t i = 0; i < l->count; i++)
            same += strcmp(l->method[i]->by.name, m->name) == 0;
    }
    if (same > 1)
        m->name = memory_text("%s#%zu", m->name, same);
    l->count++;
    return 0;
}

int method_read(scenario *input, method_list *out)
{
    const setting *given = &input->value[KEY_METHOD];
    return add_method(out, input, given->line, text_or(given->text, ""), given->tree);
}

/* The names and mappings of a scenario. */
static int read_list_of(scenario *input, const setting *given, method_list *out)
{
    struct fy_node *list = given->tree, *item;
    void *at = NULL;
    const bool any = list && fy_node_is_sequence(list) && fy_node_sequence_item_count(list) > 0;
    REFUSE_IF(!any, "%smethods needs a list: write methods: [NAME, ...]", input_line(input, given));
    while ((item = fy_node_sequence_iterate(list, &at)) != NULL) {
        if (fy_node_is_mapping(item)) {
            TRY(add_method(out, input, given->line, "", item));
            continue;
        }
        const char *name = scenario_text(input, given->line, "a method", item);
        REFUSE_IF(name == NULL, "%s", input->message);
        TRY(add_method(out, input, given->line, name, NULL));
    }
    return 0;
}

int methods_read(scenario *input, const char *text, method_list *out)
{
    const setting *one = &input->value[KEY_METHOD], *all = &input->value[KEY_METHODS];
    if (text == NULL && (all->is_set || one->text == NULL)) {
        if (all->is_set)
            return read_list_of(input, all, out);
        return method_read(input, out);
    }
    const char *rest = text_or(text, one->text), *name;
    while ((name = memory_word(&rest)) != NULL)
        TRY(add_method(out, input, text ? 0 : one->line, name, NULL));
    return 0;
}
