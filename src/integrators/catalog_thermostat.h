/* Written by scripts/lists. */
/* clang-format off */
/* NOLINTBEGIN(readability-redundant-declaration) */
extern const ph_thermostat ph_thermostat_baoab[3];
extern const ph_thermostat ph_thermostat_nose_hoover;
/* NOLINTEND(readability-redundant-declaration) */

static const ph_thermostat *const thermostat_rows[] = {
    &ph_thermostat_baoab[0],
    &ph_thermostat_baoab[1],
    &ph_thermostat_baoab[2],
    &ph_thermostat_nose_hoover,
};
