/* keys.h - the one table of keys: what an option, a scenario or a column of a file can set.
 *
 * It has the rows of scenario_keys, the parts of the start of each kind of system, and the
 * parameters of the problem. Options (tool/input/input.c), scenarios (scenario.c) and columns
 * (tool/input/body_columns.c) are read by these rows, with the units that these rows have, and
 * become the ph_setting of ph_system_create().
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "polhode/system.h"

/* The keys that are neither parts of a start nor parameters. */
typedef enum scenario_key {
    KEY_PROBLEM,
    KEY_METHOD,
    KEY_STEP,
    KEY_TOLERANCE,
    KEY_LONGEST_STEP,
    KEY_TIME,
    KEY_UNTIL,
    KEY_FILE,
    KEY_EVERY,
    KEY_OPTION_COUNT, /* the keys above have options, too; those below have none */
    KEY_BODIES = KEY_OPTION_COUNT,
    KEY_METHODS,
    KEY_STEPS,
    KEY_WHEEL,
    KEY_CONTROL,
    KEY_EPOCH,
    KEY_COUNT,
} scenario_key;

/* A row of the table of keys. */
typedef struct setting_key {
    const char *name;              /* "inertia"; the option is --inertia */
    const char *form;              /* how a scenario writes its value, "[I1,I2,I3]" */
    const char *unit;              /* of its numbers, see quantity_convert() */
    size_t count;                  /* of its numbers; 0 for a text, a list or a tree */
    const char *other;             /* the key that sets the same quantity, or NULL */
    const char *columns;           /* of a file, "I1,I2,I3"; NULL for scenario_keys */
    bool list;                     /* true for one entry per body */
    const ph_parameter *parameter; /* or NULL */
} setting_key;
extern const setting_key scenario_keys[KEY_COUNT];

/* Return the key of a part of a start, and that of a parameter. */
setting_key key_of_start(const ph_start_array *f);
setting_key key_of_parameter(const ph_parameter *p);

/* Finds the part of a start of that name, of any kind of system. Returns false if there is none. */
bool key_find_start(const char *name, setting_key *out);
