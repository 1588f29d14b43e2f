/* unit_names.c - the units that a user may write after a number. */
#include "base/unit_names.h"
#include "base/elementary.h"
#include <string.h>

#define DEGREE (PH_PI / 180.0)

static const ph_unit units[] = {
    {"fs", "t", 1e-15},
    {"ps", "t", 1e-12},
    {"ns", "t", 1e-9},
    {"us", "t", 1e-6},
    {"ms", "t", 1e-3},
    {"s", "t", 1.0},
    {"min", "t", 60.0},
    {"h", "t", 3600.0},
    {"d", "t", 86400.0},
    {"day", "t", 86400.0},
    {"days", "t", 86400.0},
    {"yr", "t", 365.25 * 86400.0},
    {"deg", "rad", DEGREE},
    {"rad", "rad", 1.0},
    {"deg/s", "rad/t", DEGREE},
    {"deg/min", "rad/t", DEGREE / 60.0},
    {"deg/h", "rad/t", DEGREE / 3600.0},
    {"deg/d", "rad/t", DEGREE / 86400.0},
    {"rad/s", "rad/t", 1.0},
    {"rad/min", "rad/t", 1.0 / 60.0},
    {"rad/h", "rad/t", 1.0 / 3600.0},
    {"rad/d", "rad/t", 1.0 / 86400.0},
    {"rpm", "rad/t", PH_PI / 30.0},
    {"m", "m", 1.0},
    {"km", "m", 1000.0},
};

const ph_unit *ph_unit_at(size_t i)
{
    return i < sizeof units / sizeof units[0] ? &units[i] : NULL;
}

bool ph_unit_is_of(const ph_unit *u, const char *of)
{
    const bool length = strcmp(of, "l") == 0 || strcmp(of, "length") == 0;
    return strcmp(u->of, length ? "m" : of) == 0;
}

const ph_unit *ph_unit_find(const char *name, size_t length, const char *of)
{
    const ph_unit *u;
    for (size_t i = 0; (u = ph_unit_at(i)) != NULL; i++) {
        if ((of == NULL || ph_unit_is_of(u, of)) && strlen(u->name) == length &&
            memcmp(u->name, name, length) == 0)
            return u;
    }
    return NULL;
}
