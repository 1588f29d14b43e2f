/* Written by scripts/lists. */
/* clang-format off */
#ifndef PH_DEVICE
#define PH_DEVICE 1
#endif
#ifndef PH_EXTRA
#define PH_EXTRA 1
#endif
#ifndef PH_LAB
#define PH_LAB 0
#endif
static const left_out_word left_out_rows[] = {
#if !PH_LAB
    {"bits", "POLHODE_LAB"},
    {"check", "POLHODE_LAB"},
    {"compare", "POLHODE_LAB"},
    {"enclose", "POLHODE_LAB"},
    {"grade", "POLHODE_LAB"},
    {"reproduce", "POLHODE_LAB"},
#endif
#if !PH_DEVICE
    {"--device", "POLHODE_DEVICE"},
#endif
#if !PH_EXTRA
    {"completion", "POLHODE_EXTRA"},
    {"man", "POLHODE_EXTRA"},
    {"--film", "POLHODE_EXTRA"},
    {"--size", "POLHODE_EXTRA"},
    {"--fps", "POLHODE_EXTRA"},
    {"inertia", "POLHODE_EXTRA"},
    {"--rdf", "POLHODE_EXTRA"},
    {"--serve", "POLHODE_EXTRA"},
    {"view", "POLHODE_EXTRA"},
#endif
    {0},
};
