/* model.h - what a run moves: a problem with its parameters and its start, as settings that
 * systems are made from (polhode/system.h).
 *
 * Here the syntax of options and scenarios is read: expressions, files, lists and tables;
 * what the settings mean is known to the kinds of system alone. The functions return 0, or
 * the exit status of the error they reported, unless something else is said.
 */
#pragma once

#include "input.h"
#include "system/kind.h"

enum { MODEL_FORMULA = 200 };

typedef struct model {
    const scenario *input;
    const ph_kind *kind;         /* of the problem */
    ph_problem *own;             /* the user's: of expressions, or of a file */
    ph_system_settings settings; /* all but integrator, step and tolerance */
    ph_setting *setting;
    const setting **given; /* what each setting was read from; NULL for the columns of a table */
    const char *formula;   /* of a problem of expressions, or NULL */
    uint64_t code_sum;     /* of a problem in a file, as of problem_file_load() */
    bool any_step;         /* steps are what is compared: none gives a warning */
    const setting *unread; /* has a unit and a name that is unknown here; or NULL */
} model;

/* Reads the problem of a scenario, its parameters and its start. */
int model_read(scenario *input, model *out);

/* Returns the name of the problem. */
const char *model_problem(const model *m);

/* Returns what a picture calls the problem: its formula if it has one, else its name. */
const char *model_title(const model *m);

/* An integrator. */
typedef struct model_integrator {
    const char *place;        /* where it stands, "top.yaml:6: ", or "" */
    const char *name;         /* NULL for the recommended one */
    const ph_integrator *own; /* parts of the user's own, or NULL */
    double tolerance;         /* 0 if not given */
    double longest_step;      /* 0 if not given */
} model_integrator;

/* Returns the settings of a system. ph_system_create() writes its message to *why. */
ph_system_settings model_settings(const model *m, const model_integrator *by, double step,
                                  ph_message *why);

/* Reports the error of ph_system_create(); returns 0 for PH_OK. `place` begins the message if the
 * integrator is wrong. */
int model_report(const model *m, const ph_message *why, ph_status status, const char *place);

/* Makes a system last until the command ends. */
void system_keep(ph_system *s);

/* Creates such a system. Its warnings are printed at the end of the command. */
int model_make(const model *m, const model_integrator *by, double step, ph_system **out);

/* Creates a system without any message. The caller destroys it. */
ph_status model_make_quietly(const model *m, const model_integrator *by, double step,
                             ph_system **out);

/* The body of a scenario that is about a free one, as `who` says of those who need that: fails
 * if it has another problem, or settings that do not belong to it. */
int model_free_body(scenario *input, const char *who, const char *instead, ph_body *body,
                    ph_state *start);

/* Finds the integrator of a body that a name stands for, with the user's own parts, or NULL;
 * `place` as for fail_unknown(). */
int method_find(const char *place, const char *name, custom_parts *own, ph_integrator *out);
