/* problem_reader.c - problems of the user's own in files of code, as far as the core knows them. */
#include <string.h>

#include "base/hash.h"
#include "input.h"
#include "tool/base/tool.h"

#include "found_problem_reader.h"

enum { LARGEST = 64 << 20 };

static bool ends_in(const char *name, const char *end)
{
    const size_t n = strlen(name), m = strlen(end);
    return n > m && strcmp(name + n - m, end) == 0;
}

bool problem_file_is(const char *name)
{
    return ends_in(name, ".c") || ends_in(name, ".so");
}

uint64_t problem_file_checksum(const char *path)
{
    size_t length = 0;
    const char *why, *bytes = file_whole(path, LARGEST, &length, &why);
    if (bytes)
        return hash_bytes(HASH_BEGIN, bytes, length);
    return 0;
}

int problem_file_load(const char *path, bool known, uint64_t *sum, ph_problem *out)
{
    const problem_reader *reader = problem_reader_rows[0];
    REFUSE_IF(reader == NULL,
              WORDS ": this tool was built without problems in C files (POLHODE_EXTRA=OFF): build "
                    "it with POLHODE_EXTRA=ON",
              path);
    return reader->load(path, known, sum, out);
}
