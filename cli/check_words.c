/* check_words.c - what was measured, in words. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"

const char *const check_headings[CHECK_KINDS] = {
    [CHECK_METHODS] = "methods",
    [CHECK_SCHEMES] = "schemes with the flow exact",
    [CHECK_FLOWS] = "flows",
    [CHECK_PAIRS] = "verlet with every flow",
    [CHECK_COMPOSITIONS] = "compositions of the flow mr",
};

const char *check_answer(ph_answer answer)
{
    static const char *const words[] = {
        [PH_NO] = "no", [PH_YES] = "yes", [PH_UNRESOLVED] = "?"};
    return words[answer];
}

const char *check_momentum(ph_answer answer)
{
    return answer == PH_YES ? "exact" : check_answer(answer);
}

const char *check_energy(ph_energy_kind energy)
{
    static const char *const words[] = {[PH_ENERGY_EXACT] = "exact",
                                        [PH_ENERGY_BOUNDED] = "bounded",
                                        [PH_ENERGY_DRIFTS] = "drift"};
    return words[energy];
}

const char *check_order(const ph_sheet *s, char text[CHECK_ORDER])
{
    (void)snprintf(text, CHECK_ORDER, "%ld", isnan(s->order) ? 0 : lround(s->order));
    return s->exact ? "exact" : isnan(s->order) ? "?" : text;
}

/* ---- claims ---------------------------------------------------------------------- */

static void append(char text[CHECK_MISMATCHES], const char *word, const char *where)
{
    const size_t used = strlen(text);
    (void)snprintf(text + used, CHECK_MISMATCHES - used, "%s%s%s", used == 0 ? "" : ", ",
                   word, where);
}

static void append_bits(char text[CHECK_MISMATCHES], unsigned bits, const char *where)
{
    static const char *const names[PH_KEEPS_COUNT] = {
#define NAME(code, name) name,
        PH_KEEPS_LIST(NAME)
#undef NAME
    };
    for (size_t k = 0; k < PH_KEEPS_COUNT; k++) {
        if ((bits >> k & 1U) != 0)
            append(text, names[k], where);
    }
}

const char *check_mismatches(const check_row *row, char text[CHECK_MISMATCHES])
{
    const ph_sheet *s = &row->sheet;
    const int claimed = ph_integrator_order(&row->integrator);
    text[0] = '\0';
    if (claimed == PH_EXACT
            ? !s->exact && !isnan(s->order)
            : s->exact || (!isnan(s->order) && lround(s->order) != claimed))
        append(text, "order", "");
    append_bits(text,
                ph_sheet_mismatches(s, false, ph_integrator_keeps_free(&row->integrator)),
                " (free)");
    append_bits(text, ph_sheet_mismatches(s, true, ph_integrator_keeps(&row->integrator)),
                " (field)");
    return text;
}
