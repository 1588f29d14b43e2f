/* bits_command.c - checksums of everything the library computes. */
#include "polhode/measure.h"

#include <inttypes.h>

#include "base/isa.h"
#include "bits.help.h"
#include "tool/base/tool.h"

/* A line of text, or a member of the JSON object. */
typedef struct output {
    outfile *out;
    json_t *lines; /* NULL: text */
} output;

static bool see(void *context, const char *name, uint64_t sum)
{
    const output *o = context;
    if (o->lines == NULL)
        outfile_print(o->out, "%016" PRIx64 "  %s\n", sum, name);
    else if (json_object_set_new(o->lines, name, json_sprintf("%016" PRIx64, sum)) != 0)
        return false;
    return !interrupted;
}

static int bits_run(const arguments *given, outfile *out)
{
    TRY(refuse_operands(given));
    output o = {out, argument(given, "--json") ? json_object() : NULL};
    const uint64_t all = ph_bits(PH_BITS_STEPS, see, &o);
    if (interrupted) {
        json_decref(o.lines);
        return stopped("interrupted: the checksum of everything is missing");
    }
    if (o.lines != NULL)
        return put_json(out,
                        json_pack("{so so ss}", "lines", o.lines, "all",
                                  json_sprintf("%016" PRIx64, all), "isa", ph_isa_name()),
                        JSON_INDENT(2));
    outfile_print(out, "%016" PRIx64 "  all\n", all);
    return EXIT_DONE;
}

const command command_bits = {"bits", bits_help, bits_run};
