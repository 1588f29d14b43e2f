/* run_tool.h - runs the command-line tool and keeps what it said. */
#ifndef TESTS_SUPPORT_RUN_TOOL_H
#define TESTS_SUPPORT_RUN_TOOL_H

#include <stddef.h>
#include <sys/types.h>

#include <jansson.h>

#include "polhode/polhode.h"

typedef struct tool_run {
    int status;        /* exit status, or 128 + the signal that ended it */
    char *out, *error; /* standard output and error, with a NUL after them */
} tool_run;

/* The tool: that of the build, unless a test takes another. */
extern const char *tool_path;

/* Runs the tool with these words after its name, up to a NULL, and this text (NULL: none)
 * as its standard input. Free the result. */
tool_run tool_run_words(const char *input, const char *const *words);
void tool_run_free(tool_run *run);

#define RUN_WITH(input, ...) tool_run_words((input), (const char *const[]){__VA_ARGS__, NULL})
#define RUN(...)             RUN_WITH(NULL, __VA_ARGS__)

/* The same on a disk that is full after a hundred thousand bytes. */
tool_run tool_run_on_small_disk(const char *const *words);

#define RUN_ON_SMALL_DISK(...) tool_run_on_small_disk((const char *const[]){__VA_ARGS__, NULL})

/* Runs the tool, which must fail, with a standard output that takes nothing; returns what
 * it said on standard error, until the next pipe_receive. */
char *tool_run_to_full(const char *const *words);

#define RUN_TO_FULL(...) tool_run_to_full((const char *const[]){__VA_ARGS__, NULL})

/* Starts the tool and returns at once; -1 stands for /dev/null. Words as above. */
pid_t tool_start(const char *const *words, int input, int output, int error);

#define START(input, output, error, ...)                                                           \
    tool_start((const char *const[]){__VA_ARGS__, NULL}, (input), (output), (error))

/* The commands that the help lists, and how many. */
enum { TOOL_COMMAND = 32, TOOL_COMMANDS = 64 };
size_t tool_commands(char name[TOOL_COMMANDS][TOOL_COMMAND]);

/* Waits for it; the status as above. */
int tool_wait(pid_t tool);

/* Ctrl-C ends it, with the status of that. */
void assert_stops(pid_t tool);

/* ---- what the tests assert over and over ----------------------------------------- */

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* The words of the book that tumbles, a case for `--cases`, and what the files begin
 * with. */
#define BOOK         "--inertia", "0.376,0.627,1", "--momentum", "0,0.6,-0.8"
#define CASES_HEADER "I1,I2,I3,m1,m2,m3,q0,q1,q2,q3,t\n"
#define CASE         "1,2,3,0.5,-1,2,1,0,0,0,4\n"
#define ANSWERS      "m1,m2,m3,q0,q1,q2,q3\n"
#define CSV_HEADER   "t,q0,q1,q2,q3,m1,m2,m3,w1,w2,w3,energy\n"

size_t count_lines(const char *text);
void assert_contains(const char *text, const char *part);

/* No line has more letters than a terminal, 80. */
void assert_narrow(const char *text);

/* CSV under this header, every row with as many columns and its end. */
void assert_whole_rows(const char *text, const char *header);

/* The same of a file; returns how many rows it has. */
size_t file_rows(const char *path, const char *header);

/* Reads n numbers, each with a comma or the end of its line after it; returns what
 * follows. */
const char *next_numbers(const char *at, size_t n, double *x);

/* Done, and nothing on standard error. */
void assert_done(const tool_run *run);

/* One line on standard error, with this in it. */
void assert_error_line(const tool_run *run, int status, const char *part);

/* Nothing but that line, and exit status 2; frees the run. */
void assert_refused(tool_run run, const char *part);

/* Nothing of that name, with * and ?, in the folder. */
void assert_no_file(const char *pattern);

/* A JSON document, to be given back. */
json_t *parse_json(const char *text);

/* A number of an object, or the i-th number of an array in it. */
double json_at(const json_t *object, const char *key, size_t i);

/* How far apart two runs of one body end, as JSON: the largest difference in q and m. */
double ends_apart(tool_run a, tool_run b);

/* The end of a run of one body, as JSON: q and m. */
void end_of(tool_run run, double x[7]);

/* The state that the library gives. */
ph_state expected(ph_vec3 J, ph_state start, double t);

/* Lines for `--cases` under this header, to be freed: n random bodies, moments first, and
 * whatever else there are columns for. The numbers go to x, row by row. */
char *random_cases(const char *header, size_t columns, size_t n, double *x);

extern const ph_vec3 book_inertia;
extern const ph_state book_start;

/* ---- pipes and terminals --------------------------------------------------------- */

void pause_ms(long milliseconds);

/* Waits until the tool catches a signal. */
void wait_until_caught(pid_t tool, int signal_number);

typedef struct tool_pipe {
    int read, write;
} tool_pipe;

/* The ends are not handed down to the tool, but for the one given to it. */
tool_pipe open_pipe(void);
void pipe_send(int fd, const char *text);

/* Reads until that many lines have come, or the end; returns what came, until the next
 * call. */
char *pipe_receive(int fd, size_t lines);

/* Reads until this has come. */
char *read_until(int fd, const char *part);

/* A tool that runs, and the ends of the pipes to it: to write to, and to read from. */
typedef struct tool_talk {
    pid_t tool;
    int in, out, error;
} tool_talk;
tool_talk talk_begin(const char *const *words);
void talk_end(const tool_talk *talk);

#define TALK(...) talk_begin((const char *const[]){__VA_ARGS__, NULL})

/* Ctrl-C ends it without a further word, and the talk. */
void assert_stops_silently(const tool_talk *talk);

/* A terminal: what the tool gets, and the side of the one who looks at it. */
typedef struct terminal {
    int inside, outside;
} terminal;
terminal open_terminal(void);

/* Waits until a file whose name matches has that many bytes; returns how many it has. */
size_t wait_for_file(const char *pattern, size_t size);

/* ---- files ----------------------------------------------------------------------- */

/* Group set-up and tear-down: an empty folder to work in; it must be empty again at
 * the end. */
int folder_enter(void **state);
int folder_leave(void **state);

/* A file's content with a NUL after it, to be freed; NULL if there is none. */
char *file_text(const char *path);
void file_write(const char *path, const char *text);

#endif
