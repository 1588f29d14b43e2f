/* words.c - a command line as it is typed, a word in each line; for those that once were
 * answered wrongly.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

enum { MOST_WORDS = 32 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = calloc(size + 1, 1);
    require(text != NULL, "there is memory");
    for (size_t i = 0; i < size; i++) /* no way out of the folder */
        text[i] = (char)(data[i] == '/' ? '_' : data[i]);
    const char *word[MOST_WORDS];
    size_t count = 0;
    for (char *at = text; *at != '\0' && count < MOST_WORDS;) {
        const size_t length = strcspn(at, "\n");
        const char end = at[length];
        at[length] = '\0';
        word[count++] = at;
        at += length + (end != '\0');
    }
    (void)run_tool(count, word);
    free(text);
    return 0;
}
