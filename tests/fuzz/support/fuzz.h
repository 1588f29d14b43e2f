/* fuzz.h - what the fuzz targets share.
 *
 * A target is tests/fuzz/NAME.c with LLVMFuzzerTestOneInput. libFuzzer calls it with
 * inputs of its own (`scripts/fuzz`), replay.c with those in tests/corpus/NAME.txt (`make test`).
 * Whatever does not hold aborts.
 */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tool/base/command.h"

/* The names that libFuzzer calls. The first one enters an empty folder of its own. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Aborts, and says what does not hold, and of which command line. */
__attribute__((format(printf, 2, 3))) void require(bool holds, const char *format, ...);

/* The command line that require tells of; with FUZZ_SHOW in the environment it is shown
 * at once. Words up to NULL, or NULL for none. */
void tell_of(char *const *words);

/* Makes these bytes standard input; returns a path that reads them from the beginning. */
const char *input_file(const uint8_t *data, size_t size);

/* A file in the folder. */
void write_file(const char *path, const void *data, size_t size);

/* Reads a script for gnuplot, and aborts if anything in it but data, and text in quotes, is not
 * of the program's own: script.c. The tool's scripts come here, too, where the target says that
 * they are drawn; else there is no gnuplot. */
void check_script(FILE *script);
extern bool scripts_are_drawn;

/* The target's wish: status 1 needs no line on standard error, as of `grade`, which prints why. */
extern bool failure_is_printed;

/* Makes the folder empty again. */
void empty_folder(void);

/* ---- the tool in this process: tool.c -------------------------------------------- */

/* All commands, up to NULL. */
const command *const *tool_commands(void);

/* Does a part of the tool that returns an exit status, and checks what is promised: the
 * status is 0, 1 or 2; on standard error there is one line `polhode: what is wrong: what
 * to do` if it is not 0, and nothing but warnings if it is; no file and no descriptor is
 * left over; what a success prints, or writes, has no number that is not finite. Returns
 * the status; that of Ctrl-C for what took more than its time and stopped when told to. */
int check_promises(int (*part)(void *context), void *context);

/* The same for a command line, without the name of the tool; and `--json` prints JSON, in
 * which attitudes are of unit length. */
int run_tool(size_t count, const char *const *words);

/* What it printed then. */
const char *tool_output(size_t *length);

/* The page that `view` has here, around the place of a run. */
#define FUZZ_PAGE_BEGIN "<meta content=\"connect-src 'none'\"><p>"
#define FUZZ_PAGE_END   "<p>end\n"

#define RUN_TOOL(...)                                                                              \
    run_tool(sizeof(const char *[]){__VA_ARGS__} / sizeof(const char *),                           \
             (const char *[]){__VA_ARGS__})

#endif
