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
} model;

/* Reads the problem of a scenario with its parameters and its start. */
int model_read(scenario *input, model *out);

/* The name of the problem; and what a picture is to call it, its formula if it has one. */
const char *model_problem(const model *m);
const char *model_title(const model *m);

/* An integrator: its name, with the user's own parts if there are any; or NULL: the one that
 * is recommended. Of one that chooses its steps the tolerance and the longest step, 0 where
 * they are not given. */
typedef struct model_integrator {
    const char *place; /* where it stands, "top.yaml:6: ", or "" */
    const char *name;
    const ph_integrator *own;
    double tolerance, longest_step;
} model_integrator;

/* The settings of a system, whose message is *why; and the report of what was refused, 0 for
 * PH_OK, where `place` stands before what is wrong with the integrator. */
ph_system_settings model_settings(const model *m, const model_integrator *by, double step,
                                  ph_message *why);
int model_report(const model *m, const ph_message *why, ph_status status, const char *place);

/* A system that lasts until the command ends. */
void system_keep(ph_system *s);

/* Makes such a system. Warnings are kept for the end. */
int model_make(const model *m, const model_integrator *by, double step, ph_system **out);

/* The same without a word; the system is the caller's to destroy. */
ph_status model_make_quietly(const model *m, const model_integrator *by, double step,
                             ph_system **out);

/* The body of a scenario that is about a free one, as `who` says of those who need that: fails
 * if it has another problem, or settings that do not belong to it. */
int model_free_body(scenario *input, const char *who, const char *instead, ph_body *body,
                    ph_state *start);

/* Finds the integrator of a body that a name stands for, with the user's own parts, or NULL;
 * `place` as for fail_unknown(). */
int method_find(const char *place, const char *name, custom_parts *own, ph_integrator *out);
