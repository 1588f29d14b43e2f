/* input.h - what the commands read: settings of a scenario and of options, which replace them,
 * a body and its start, times, integrators.
 *
 * The functions that read return 0, or the exit status of the error they reported.
 */
#pragma once

#include "cli/files/json.h"
#include "cli/files/rows.h"
#include "cli/files/scenario.h"
#include "cli/tool/command.h"
#include "polhode/polhode.h"

/* ---- settings: input.c ----------------------------------------------------------- */

/* Reads the scenario, if one is named. */
int input_read_scenario(scenario *input, const arguments *given);

/* Takes all options of the command that the table of keys has, in place of what the scenario has for
 * the same quantity: keys, parts of the start, and the parameters of --set. `many_times`: the command
 * reads a list or range of times itself, and this function leaves it out. Fails if two options set
 * the same quantity. */
int input_take(scenario *input, const arguments *given, bool many_times);

/* Return where a value stands and what it is called there, to begin a message with: "--step", or
 * "top.yaml:7: step". */
const char *input_place(const scenario *input, scenario_key which);
const char *input_place_of(const scenario *input, const setting *value);

/* The line alone: "", or "top.yaml:7: ". */
const char *input_line(const scenario *input, const setting *value);

/* ---- times: times.c -------------------------------------------------------------- */

typedef struct time_list {
    unsigned long long count; /* at least 1 */
    double start, end;        /* the first and the last */
    double step;              /* between them, where one was given; else 0 */
    double *list;             /* all of them; NULL where they are evenly spaced */
} time_list;

/* Reads the value of an option that was given: a list, start:end:count or start:end@step, with units
 * (1d, 90min). */
int times_read(time_list *t, const arguments *a, const char *name);

/* The times of a run: from 0 by the step, 0 for the end alone. */
int times_of_scenario(time_list *t, double step, double end);

/* The i-th time, from 0; the last of an even spacing is exactly its end. */
double times_at(const time_list *t, unsigned long long i);

/* Refuses the first that the file of the rows cannot hold; of many even ones, of the last. */
int times_refuse(const time_list *t, const record *rows);

/* The number of steps that make the time, both forward or both backward. Fails with the
 * nearest steps that do if these do not. */
int count_steps(const char *place, double step, double time, uint64_t *steps);

/* A whole number from 1, as `every` needs it; `name` begins the message. */
int read_every(const char *name, double x, uint64_t *every);

/* ---- what is shown of a system: show.c, the options --show, --degrees, --frame, --epoch  */

typedef struct show_request {
    column_choice choice;
    const char *epoch;                    /* the date of t = 0, or NULL */
    const char *object, *object_id, *aem; /* as in file_about */
} show_request;

/* Whether a frame is one: its name can be a part of the name of a column, its attitude has
 * length 1. */
bool frame_is(const char *name, ph_quat q);

/* The functions below return 0, or the exit status of the error they reported. */

/* Reads the options. */
int show_read(show_request *r, const arguments *given);

/* Chooses the columns. `each`: a row for each entry. */
int show_columns(const show_request *r, const instant *now, bool each, column_set *c);

/* Says in what angles are, where they are in degrees. */
void show_units(const show_request *r, outfile *out);

/* The columns of one row by their names, vectors as arrays, set in an object. */
void show_json(json_t *object, const column_set *c, const double *row);

/* ---- a problem of the user's own in a file of code: problem_reader.c --------------- */

/* Whether the name of a problem is that of a file: it ends in .c or .so. */
bool problem_file_is(const char *name);

/* A checksum of its bytes, from which a changed file is told; 0 if it cannot be read. */
uint64_t problem_file_checksum(const char *path);

/* Loads it for the rest of the process; `known`: only if it was run here before, as the name
 * comes from a snapshot. *sum is set to a checksum of its code, with what the file includes; unless
 * it is 0 before, it must be that. Returns 0, or the exit status of the error it reported: also if the
 * tool was built without this. */
int problem_file_load(const char *path, bool known, uint64_t *sum, ph_problem *out);

/* What loads such files: a folder beside the core adds `const problem_reader problem_reader_NAME = {`. */
typedef struct problem_reader {
    int (*load)(const char *path, bool known, uint64_t *sum, ph_problem *out);
} problem_reader;
