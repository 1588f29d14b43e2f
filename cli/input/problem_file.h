/* problem_file.h - a problem of the user's own in C: a file with a
 * `const ph_problem problem`, as FILE.c, which is compiled, or FILE.so. */
#pragma once

#include "polhode/polhode.h"

/* Whether the name of a problem is that of a file: it ends in .c or .so. */
bool problem_file_is(const char *name);

/* Loads it for the rest of the process; `known`: only if it was run here before, as the name
 * comes from a snapshot. 0, or the exit status of the error it reported. */
int problem_file_load(const char *path, bool known, ph_problem *out);

/* A checksum of its bytes, from which a changed file is told; 0 if it cannot be read. */
uint64_t problem_file_checksum(const char *path);
