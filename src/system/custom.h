/* custom.h - coefficients of the caller's own that an integrator is made of: copied, so that
 * they last as long as a system does, and as numbers, so that a snapshot has them. */
#pragma once

#include "integrators/tableau.h"
#include "polhode/body.h"

/* What can be the caller's own; the places in a ph_integrator. */
typedef enum custom_kind {
    CUSTOM_SCHEME,
    CUSTOM_COMPOSITION, /* of the flow */
    CUSTOM_WHOLE,       /* composition of the whole step */
    CUSTOM_TABLEAU,     /* of a method of Munthe-Kaas */
    CUSTOM_KINDS
} custom_kind;

enum { CUSTOM_STAGES = 255, CUSTOM_NUMBERS = 1024, CUSTOM_NAME = 32 };

/* All zero: nothing is the caller's own. It points to itself, and must not be moved. */
typedef struct custom_parts {
    size_t count; /* numbers used */
    double numbers[CUSTOM_NUMBERS];
    bool has[CUSTOM_KINDS];
    char name[CUSTOM_KINDS][CUSTOM_NAME];
    ph_scheme scheme;
    ph_composition composition, whole;
    tableau table;
    ph_method method; /* with that tableau */
} custom_parts;

/* Adds a copy of a part, in a place that is free yet. False if it has too many stages. */
bool ph_custom_add_scheme(custom_parts *c, const ph_scheme *scheme);
bool ph_custom_add_composition(custom_parts *c, custom_kind kind,
                               const ph_composition *composition);
bool ph_custom_add_tableau(custom_parts *c, const char *name, int order, const tableau *t);

/* An integrator with copies of its parts that are none of the catalog. PH_BAD_PARAMETER if one has no
 * stages or too many, PH_NULL_ARGUMENT if one has no coefficients; *out is then unchanged. */
ph_status ph_custom_copy(custom_parts *c, const ph_integrator *from, ph_integrator *out);

/* Finds the parts again in numbers that were copied there; false if they are none. */
bool ph_custom_restore(custom_parts *c);

/* As ph_scheme_named() and the like; a part that is the caller's own stands for any name in
 * its place. c may be NULL. */
ph_status ph_custom_scheme(custom_parts *c, const char *name, const ph_scheme **out);
ph_status ph_custom_method(custom_parts *c, const char *name, const ph_method **out);

/* The composition of what has this order and keeps this, PH_NOT_APPLICABLE if that cannot be
 * composed; the name may be NULL: none. */
ph_status ph_custom_composition(custom_parts *c, custom_kind kind, const char *name, int order,
                                unsigned keeps, const ph_composition **out);

/* The step of a name without `@composition`, in *out, which is all zero. */
typedef ph_status named_step(custom_parts *c, const char *name, ph_integrator *out);

/* As ph_integrator_named(), of such steps: integrators.c. */
ph_status ph_custom_whole(custom_parts *c, named_step *step_named, const char *name,
                          ph_integrator *out);
