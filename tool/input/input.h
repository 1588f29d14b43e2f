/* input.h - what the commands read: settings of a scenario and of options, which replace them,
 * a body and its start, times, integrators.
 *
 * The functions that read return 0, or the exit status of the error they reported.
 */
#pragma once

#include "polhode/polhode.h"
#include "tool/base/command.h"
#include "tool/files/json.h"
#include "tool/files/rows.h"
#include "tool/files/scenario.h"

/* ---- settings -------------------------------------------------------------------- */

/* Reads the scenario, if one is named. */
int input_read_scenario(scenario *input, const arguments *given);

/* Takes all options of the command that the table of keys has, in place of what the scenario has
 * for the same quantity: keys, parts of the start, and the parameters of --set. `many_times`: the
 * command reads a list or range of times itself, and this function leaves it out. Fails if two
 * options set the same quantity. */
int input_take(scenario *input, const arguments *given, bool many_times);

/* Return where a value stands and what it is called there, to begin a message with: "--step", or
 * "top.yaml:7: step". */
const char *input_place(const scenario *input, scenario_key which);
const char *input_place_of(const scenario *input, const setting *value);

/* Returns the line alone: "", or "top.yaml:7: ". */
const char *input_line(const scenario *input, const setting *value);

/* ---- times ----------------------------------------------------------------------- */

typedef struct time_list {
    unsigned long long count; /* at least 1 */
    double start, end;        /* the first and the last */
    double step;              /* between two times, if one was given; else 0 */
    double *list;             /* all of them; NULL if they are evenly spaced */
} time_list;

/* Reads the value of an option that was given: a list, start:end:count or start:end@step. The
 * numbers may have units (1d, 90min). */
int times_read(time_list *t, const arguments *a, const char *name);

/* Fills in the times of a run: from 0 to the end by the step, or the end alone if the step is 0. */
int times_of_scenario(time_list *t, double step, double end);

/* Returns time i, counted from 0. The last time of an even spacing is exactly its end. */
double times_at(const time_list *t, unsigned long long i);

/* Reports the first time that the format of `rows` cannot store. Of more than 10000 evenly spaced
 * times the function checks the last 10000. */
int times_refuse(const time_list *t, const record *rows);

/* Computes the number of steps in a time; both are positive, or both negative. If the time is
 * no whole number of steps, the function fails with a message that names the nearest steps that
 * fit. */
int count_steps(const char *place, double step, double time, uint64_t *steps);

/* Converts a number to a whole number from 1, as `every` needs it. `name` begins the message. */
int read_every(const char *name, double x, uint64_t *every);

/* ---- what is shown of a system: the options --show, --degrees, --frame, --epoch --- */

typedef struct show_request {
    column_choice choice;
    const char *epoch;                    /* the date of t = 0, or NULL */
    const char *object, *object_id, *aem; /* as in file_about */
} show_request;

/* Returns true if the name of a frame can be a part of the name of a column, and its attitude has
 * length 1. */
bool frame_is(const char *name, ph_quat q);

/* The functions below return 0, or the exit status of the error they reported. */

/* Reads the options. */
int show_read(show_request *r, const arguments *given);

/* Chooses the columns. `each` asks for a row for each entry. */
int show_columns(const show_request *r, const instant *now, bool each, column_set *c);

/* Prints a line if angles are in degrees. */
void show_units(const show_request *r, outfile *out);

/* Sets the columns of one row in an object, by their names. Vectors become arrays. */
void show_json(json_t *object, const column_set *c, const double *row);

/* ---- a problem of the user's own in a file of code: problem_reader.c --------------- */

/* Returns a number with as few digits as read back the same. */
const char *shortest(double x);

/* Returns true if the name of a problem is that of a file: it ends in .c or .so. */
bool problem_file_is(const char *name);

/* Returns a checksum of the bytes of the file, or 0 if it cannot be read. */
uint64_t problem_file_checksum(const char *path);

/* Loads the problem for the rest of the process. If `known`, the name comes from a snapshot, and
 * the function loads only a file that was run here before. Stores a checksum of the code, with
 * what the file includes, in *sum; if *sum is not 0 before, it must be equal. Fails, too, if the
 * tool was built without this. */
int problem_file_load(const char *path, bool known, uint64_t *sum, ph_problem *out);

/* What loads such files: a folder beside the core adds `const problem_reader problem_reader_NAME = {`. */
typedef struct problem_reader {
    int (*load)(const char *path, bool known, uint64_t *sum, ph_problem *out);
} problem_reader;
