/* told.c - what the command line says, laid over what the scenario says. */
#include "told.h"

#include <stdio.h>
#include <string.h>

#include "report.h"

int told_take(scenario *told, scenario_key key, const arguments *given, size_t which)
{
    const char *text = argument(given, which);
    if (text == NULL)
        return 0;
    setting *value = &told->value[key];
    told->value[scenario_key_other(key)].said = false;
    *value = (setting){.said = true, .text = text, .count = scenario_key_numbers(key)};
    return argument_numbers(given, which, value->count, value->x);
}

static int take_parameter(scenario *told, const option *o, const char *text)
{
    const char *equals = strchr(text, '=');
    if (equals == NULL || equals == text)
        return fail_usage("%s " WORDS " has no name or no value: write %s %s", o->name,
                          text, o->name, o->value);
    const setting value = {
        .said = true, .text = equals + 1, .count = list_length(equals + 1)};
    if (value.count > SAY_NUMBERS)
        return fail_usage("%s " WORDS ": more than %d numbers: write fewer", o->name,
                          text, SAY_NUMBERS);
    setting *added = scenario_add_parameter(told, text, (size_t)(equals - text));
    if (added == NULL)
        return fail_usage("%s " WORDS ": no room for it: leave it out", o->name, text);
    *added = value;
    return read_numbers(o->name, o->value, value.text, value.count, added->x);
}

int told_take_parameters(scenario *told, const arguments *given, size_t which)
{
    int status = 0;
    for (size_t i = 0; i < given->count && status == 0; i++) {
        if (given->given[i].option == which)
            status = take_parameter(told, &given->options[which], given->given[i].value);
    }
    return status;
}

const char *told_line(const scenario *told, const setting *value, char place[PLACE])
{
    place[0] = '\0';
    if (value->line > 0)
        (void)snprintf(place, PLACE, WORDS ":%d: ", told->path, value->line);
    return place;
}

const char *told_place(const scenario *told, scenario_key key, char place[PLACE])
{
    const setting *value = &told->value[key];
    const char *name = scenario_key_name(key);
    if (value->line > 0)
        (void)snprintf(place, PLACE, WORDS ":%d: %s", told->path, value->line, name);
    else
        (void)snprintf(place, PLACE, "--%s", key == SAY_FILE ? "out" : name);
    return place;
}
