/* request.h - what `polhode run` and `polhode resume` are asked for, and the system of it. */
#pragma once

#include "polhode/ensemble.h"
#include "run_averages.h"
#include "tool/base/rendering.h"
#include "tool/base/tool.h"
#include "tool/input/body_columns.h"
#include "tool/input/model.h"
#include "tool/input/own_coefficients.h"

/* The conditions of --events. A run sets the members after `path`. */
typedef struct run_events {
    size_t count;
    const char **name, **text; /* of each: its name, and its condition */
    ph_event *event;
    const char *path; /* of the table, or NULL */
    struct event_search *search;
    ph_window_list *list; /* what was found */
    outfile *file;
} run_events;

typedef struct run_request {
    const char *problem, *method;
    const char *title;              /* what a picture calls the problem */
    const char *problem_path;       /* of its file, where a run goes on; or NULL */
    uint64_t problem_sum, code_sum; /* of the problem's file, if it is one; of its code */
    uint64_t order;                 /* of a method of the user's own coefficients; 0: it is none */
    double slope;                   /* that of its coefficients, as it was measured */
    ph_system *system;              /* at the start of the run, or where it goes on */
    ph_system *companion;           /* at a larger tolerance, or NULL */
    double step;      /* or, of a method that chooses its own, from one row to the next; 0:
                        every step is a row */
    double tolerance; /* for which the step was found; 0: it was given */
    double time;
    const char *time_text;    /* as it was written, or NULL */
    uint64_t steps;           /* of the whole run, unless the method chooses them */
    const char *until;        /* a condition that ends the run, or NULL */
    ph_expression *condition; /* the same */
    run_events events;
    const char *out;   /* a file for the rows, "-" for standard output, or NULL */
    uint64_t every;    /* how many steps from one row to the next */
    show_request show; /* what a row is made of */
    bool json;
    bool followed;          /* by a companion, if it chooses its steps */
    const arguments *given; /* with --plot FILE; NULL where a run goes on */

    const char *checkpoint;    /* a file for snapshots, or NULL */
    double checkpoint_seconds; /* from one to the next; 0: it goes by steps */
    uint64_t checkpoint_steps;

    /* Where a run goes on, or has come to: what it has done and written until then. */
    bool resumed;
    bool finished; /* it has come to its time, or its condition is met */
    bool met;
    double seconds;
    const char *rows_in; /* the file that has the rows */
    const char *was_out; /* where they were to go, if the user names another file now */
    uint64_t rows, bytes, hash;
    uint64_t evaluations_before; /* of the torque, which its system does not count */
    const averages *averages;    /* the sums so far, to be written; or NULL */
    const json_t *sums;          /* those of the snapshot; or NULL */
} run_request;

/* How often the whole run has evaluated the torque: a system whose method chooses its steps keeps the
 * number in its snapshots. */
uint64_t run_evaluations(const run_request *r);

/* Whether a run chooses its steps on the way, by its method or in each part. */
static inline bool chooses_steps(const run_request *r)
{
    return ph_system_is_adaptive(r->system) || ph_system_has_parts(r->system);
}

/* Reads what a run moves and by what, of which `by` is a part. */
int run_read_model(scenario *input, model *m, method_list *one, model_integrator *by);

/* Gives a splitting in a field the default tolerance if neither a step nor a tolerance was asked for, as
 * the library does. The interval of the rows is not such a step. */
void run_default_tolerance(const scenario *input, const model *m, model_integrator *by);

/* Makes the system of a run in its start, by the method and the step of the request. */
int run_make_system(run_request *r, scenario *input);

/* The days from J2000.0 to a date; false if it is NULL or no date. */
bool date_of_start(const char *date, double *days);

/* Compiles a condition until the command ends; `date` is that of t = 0, or NULL; `place` begins a
 * message. */
int condition_read(ph_system *s, const char *date, const char *problem, const char *text,
                   const char *place, ph_expression **out);

/* Reads the condition `until` of a run, if there is one. */
int until_read(run_request *r, const char *place);

/* ---- --events: events.c ------------------------------------------------------------ */

/* Whether the search for all events, and for that of --until (or NULL), proves that it finds all
 * windows. */
bool events_proved(const run_events *e, const char *until, const ph_event *end);

/* Warns of all that makes these searches doubtful. */
void events_warn(const run_events *e, const char *until, const ph_event *end);

/* Reads the conditions, which are about r->system, and refuses what does not go with them. */
int events_read(run_request *r);

/* Writes the name of a condition and one of its windows as the end of a line of the table. */
void events_write_window(outfile *out, const char *name, const ph_window *w);

/* Opens the table before a run, and writes it after it. */
int events_begin(run_events *e);
int events_close(run_events *e);

/* States what was found; the text leaves it to the table, if there is one. */
void events_render(const run_events *e, rendering *to);

/* Does a run; returns the exit status. */
int run_steps(const run_request *r, outfile *standard);

/* ---- a run as a file: checkpoint.c ------------------------------------------------ */

/* Refuses the paths of a run that its snapshot cannot hold. */
int checkpoint_refuse(const run_request *r);

/* Writes the snapshot of a run as it stands. */
int checkpoint_write(const run_request *r);

/* Whether a run that came to its end has its rows in their place. */
bool checkpoint_is_settled(const run_request *r);

/* Whether a file is the whole snapshot of a run, and this run is not finished. */
bool checkpoint_is_unfinished(const char *path);

/* The end of a message about a run that was stopped: how to continue it. "" if it has no snapshot. */
const char *checkpoint_advice(const run_request *r);

/* Reads a snapshot and makes the run of it that goes on. `problem` and `out` are the problem's file
 * and the output that the user names now, or NULL. */
int checkpoint_read(const char *path, const char *problem, const char *out, run_request *r);

/* What the snapshot of many bodies has beside the request and the bodies. */
typedef struct ensemble_note {
    const double *time; /* of the rows */
    size_t rows;
    const char *place, *word; /* what a body is called, as in body_list */
    unsigned long long first;
    bool summary; /* is printed */
    copied_columns copied;
} ensemble_note;

/* Its text, to be freed, NULL if what is copied is no text; and what such a text says, with the problem of a file, or NULL. */
char *ensemble_note_text(const run_request *r, const ensemble_note *n);

/* The path of the output in such a text, until the command ends; or NULL. */
const char *ensemble_note_out(const char *text, size_t length);
int ensemble_note_read(const char *text, size_t length, run_request *r, ensemble_note *n,
                       const ph_problem **own);

/* ---- many bodies: ensemble.c ------------------------------------------------------ */

/* Whether a run is of many bodies in a problem: free bodies that go to one time are not. */
bool ensemble_is(const scenario *input, const arguments *given);

/* Runs them; `r` has what is shown. Returns the exit status. */
int ensemble_run(run_request *r, scenario *input, outfile *standard);

/* Goes on with a run of many bodies from the snapshot r->checkpoint. */
int ensemble_resume(run_request *r, outfile *standard);

/* ---- their rows, in memory or in the file of --checkpoint: ensemble_snapshot.c ---- */

enum { STORE_NOT_DONE = -1 };

typedef struct store_file store_file;

typedef struct ensemble_store {
    size_t bodies, numbers;  /* numbers: of the rows of a body */
    _Atomic int64_t *status; /* of each body, which is set after its rows */
    double *rows;
    store_file *file; /* of --checkpoint, or NULL */
} ensemble_store;

/* Opens it in memory: no body is done. */
void store_open(ensemble_store *s, size_t bodies, size_t numbers);

/* Writing the file: the starts of all bodies are compared, one after the other; the file is begun;
 * the starts are added; the file is completed, which returns its checksum; and it is put in its place,
 * to be read. */
typedef struct store_starts {
    size_t size; /* of the snapshot of a body, in bytes */
    bool uneven; /* they have different sizes */
    uint64_t *first, *room, *place;
    bool *differs;
    size_t places;
    outfile *out;
} store_starts;
void store_compare(store_starts *to, size_t body, const ph_system *s);
int store_begin(store_starts *from, const char *path, const char *note, size_t bodies,
                size_t numbers);
void store_add(store_starts *to, size_t body, const ph_system *s);
uint64_t store_seal(store_starts *from, size_t bodies, size_t numbers);
int store_end(store_starts *from, const char *path);

/* Whether a file is such a snapshot, of this or of an older version; of bodies of which some are not
 * done, or of which the output is not in its place. */
bool store_is(const char *path);
bool ensemble_is_unfinished(const char *path);

/* Opens it in a file, with the bodies that are done; refuses one that was altered. Or returns false,
 * without a message, if it cannot be opened. */
int store_read(ensemble_store *s, const char *path);
bool store_opens(ensemble_store *s, const char *path);

/* Of a file: the text of store_begin(), and the checksum of all that does not change. */
const char *store_note(const ensemble_store *s, size_t *length);
uint64_t store_checksum(const ensemble_store *s);

/* Makes a body at its start; `own` is a problem that is not in the catalog, or NULL. */
ph_status store_body(const ensemble_store *s, const ph_problem *own, size_t body, ph_system **out);

/* Records the bodies that are done in the file, if there is one, unless that was done in the last
 * `seconds`. */
void store_commit(ensemble_store *s, double seconds);

/* ---- what differs from body to body: bodies.c ------------------------------------- */

typedef struct body_list {
    size_t count; /* of bodies */
    ph_each *each;
    const char **columns; /* of each, for messages */
    size_t each_count;
    double *values;        /* the numbers of all */
    copied_columns copied; /* columns of the file that the rows have too */
    const char *place;     /* what a body is called: a file and "line", or "sample" */
    const char *word;
    unsigned long long first; /* the number of the first there */
} body_list;

/* Reads them, for a model whose own body is `base`. Returns 0, or the exit status of the error it
 * reported. */
int bodies_read(body_list *b, const model *m, ph_system *base, const arguments *given);

/* Reports what is wrong with the settings of a body. */
int bodies_refuse(const body_list *b, const model *m, size_t body, const ph_message *why);
