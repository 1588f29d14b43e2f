/* bits.c - checksums of everything the library computes. */
#include "measure/bits.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/isa.h"
#include "bits.help.h"
#include "cli/command.h"
#include "cli/files/json.h"
#include "cli/tool.h"

enum { CHECKSUM = 17 };

static const char *in_words(uint64_t sum, char words[CHECKSUM])
{
    (void)snprintf(words, CHECKSUM, "%016" PRIx64, sum);
    return words;
}

/* A line of text, or a member of the JSON object. */
typedef struct output {
    outfile *out;
    json_t *lines;
    bool good;
} output;

static bool see(void *context, const char *name, uint64_t sum)
{
    output *o = context;
    char words[CHECKSUM];
    (void)in_words(sum, words);
    if (o->lines != NULL)
        o->good = json_object_set_new(o->lines, name, json_string(words)) == 0;
    else
        outfile_print(o->out, "%s  %s\n", words, name);
    return o->good && !interrupted;
}

static int run(const arguments *given)
{
    TRY(refuse_operands(given));
    char words[CHECKSUM];
    const bool as_json = argument(given, "--json") != NULL;
    output o = {outfile_standard(), as_json ? json_object() : NULL, true};
    if (o.out == NULL || (as_json && o.lines == NULL))
        return fail_memory();
    interrupt_watch();
    (void)in_words(ph_bits(PH_BITS_STEPS, see, &o), words);
    if (interrupted) {
        json_decref(o.lines);
        return standard_close(o.out,
                              stopped("interrupted: there is no checksum over all"));
    }
    if (as_json)
        o.good = o.good && json_write(o.out,
                                      json_pack("{sossss}", "lines", o.lines, "all",
                                                words, "isa", ph_isa_name()),
                                      JSON_INDENT(2));
    if (!o.good)
        return standard_close(o.out, fail_memory());
    if (as_json)
        outfile_print(o.out, "\n");
    else
        outfile_print(o.out, "%s  all\n", words);
    return standard_close(o.out, EXIT_DONE);
}

const command command_bits = {
    .name = "bits",
    .help = bits_help,
    .run = run,
};
