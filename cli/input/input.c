/* input.c - the settings of the command line, which replace those of the scenario. */
#include "input.h"

#include <stdio.h>
#include <string.h>

#include "cli/files/memory.h"
#include "cli/tool/tool.h"

/* The name of the option of a key. */
static const char *option_of(scenario_key key)
{
    return key == KEY_FILE           ? "--out"
           : key == KEY_LONGEST_STEP ? "--longest-step"
                                     : memory_text("--%s", scenario_keys[key].name);
}

int input_read_scenario(scenario *input, const arguments *given)
{
    for (size_t i = 0; i < given->count; i++) {
        if (strcmp(given->given[i].option->name, "--problem") == 0)
            time_unit_of(given->given[i].value);
    }
    if (given->operands == 0)
        return 0;
    if (given->operands > 1)
        return fail_usage("`" WORDS "` is one scenario too many: name one, or none",
                          given->operand[1]);
    file_read(given->operand[0]);
    return scenario_read(input, given->operand[0]) ? 0 : fail_usage("%s", input->message);
}

int input_take(scenario *input, scenario_key key, const arguments *given)
{
    const char *name = option_of(key), *text = argument(given, name);
    if (text == NULL)
        return 0;
    setting *value = &input->value[key];
    const bool start = key < KEY_START_COUNT,
               duration = strcmp(scenario_keys[key].of, "t") == 0;
    input->value[scenario_keys[key].other].is_set = false;
    *value = (setting){.is_set = true, .text = text, .count = scenario_keys[key].numbers};
    const char *equals = key == KEY_ATTITUDE ? strchr(text, '=') : NULL,
               *form = option_named(given, name)->value;
    if (equals != NULL) {
        REFUSE_IF(!attitude_form(value, text, (size_t)(equals - text)),
                  "--attitude " WORDS ": this is no way to give one: write w,x,y,z, "
                  "xyzw=x,y,z,w, or euler_zyx=a,b,c or another sequence",
                  text);
        form = value->count == 3 ? "euler_zyx=a,b,c" : "xyzw=x,y,z,w";
        text = equals + 1;
    }
    if (start)
        return read_quantities(name, form, text, value->count, value->x, value->unit);
    return (duration ? argument_durations : argument_numbers)(given, name, value->count,
                                                              value->x);
}

/* The options of other kinds of system, --NAME of a part of the start. A seed is one of draws,
 * where bodies are drawn. */
static int take_start(scenario *input, const arguments *given)
{
    bool drawn = false;
    for (size_t i = 0; i < given->count; i++)
        drawn = drawn || strcmp(given->given[i].option->name, "--scatter") == 0;
    for (size_t i = 0; i < given->count; i++) {
        const option *o = given->given[i].option;
        if (drawn && strcmp(o->name, "--seed") == 0)
            continue;
        char *name = memory_text("%s", o->name + 2);
        for (char *c = name; *c != '\0'; c++)
            *c = *c == '-' ? '_' : *c;
        const ph_start_array *f = scenario_start_field(name);
        if (f == NULL)
            continue;
        setting *value = scenario_add_start(input, f->name);
        *value = (setting){
            .is_set = true, .text = given->given[i].value, .count = (size_t)f->width};
        TRY(read_quantities(o->name, o->value, value->text, value->count, value->x,
                            value->unit));
    }
    return 0;
}

int input_take_body(scenario *input, const arguments *given)
{
    for (scenario_key key = 0; key < KEY_START_COUNT; key++) {
        TRY(refuse_both(given, option_of(key), option_of(scenario_keys[key].other)));
        TRY(input_take(input, key, given));
    }
    return take_start(input, given);
}

static int take_parameter(scenario *input, const option *o, const char *text)
{
    const char *equals = strchr(text, '=');
    if (equals == NULL || equals == text)
        return fail_usage("%s " WORDS " has no name or no value: write %s %s", o->name,
                          text, o->name, o->value);
    const bool table = scenario_is_table(text, (size_t)(equals - text));
    const setting value = {
        .is_set = true, .text = equals + 1, .count = table ? 0 : list_length(equals + 1)};
    if (value.count > KEY_NUMBERS)
        return fail_usage("%s " WORDS ": more than %d numbers: write fewer", o->name,
                          text, KEY_NUMBERS);
    setting *added = scenario_add_parameter(input, text, (size_t)(equals - text));
    REFUSE_IF(added == NULL, "%s " WORDS ": no room for it: leave it out", o->name, text);
    *added = value;
    const char *choices = NULL;
    const int choice =
        scenario_choice(text, (size_t)(equals - text), value.text, &choices);
    REFUSE_IF(choice < 0 && choices != NULL && strspn(equals + 1, "0123456789") == 0,
              "%s " WORDS ": write one of %s", o->name, text, choices);
    if (choice >= 0)
        added->x[0] = choice;
    return choice >= 0 ? 0
           : table     ? 0
                   : read_quantities(o->name, o->value, value.text, value.count, added->x,
                                     added->unit);
}

int input_take_parameters(scenario *input, const arguments *given)
{
    const option *set = option_named(given, "--set");
    for (size_t i = 0; i < given->count; i++) {
        if (given->given[i].option == set)
            TRY(take_parameter(input, set, given->given[i].value));
    }
    return 0;
}

const char *input_line(const scenario *input, const setting *value)
{
    return value->line > 0 ? memory_text(WORDS ":%d: ", input->path, value->line) : "";
}

const char *input_place(const scenario *input, scenario_key key)
{
    const setting *value = &input->value[key];
    return value->line == 0
               ? option_of(key)
               : memory_text("%s%s", input_line(input, value), scenario_keys[key].name);
}
