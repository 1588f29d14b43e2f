/* main.c - the tool: finds the command and runs it. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "polhode/polhode.h"

#include "main.help.h"
#include "tool/base/command.h"
#include "tool/base/tool.h"
#include "tool/files/memory.h"
#include "tool/files/rows.h"

#include "tool/base/found_command.h"

/* The command of that name, or NULL after saying that there is none. */
static const command *find(const char *name)
{
    nearest near_by = {.wrong = name};
    for (size_t i = 0; i < COUNT(command_rows); i++) {
        if (strcmp(command_rows[i]->name, name) == 0)
            return command_rows[i];
        ph_nearest_add(&near_by, "%s", command_rows[i]->name);
    }
    ph_nearest_add(&near_by, "help");
    ph_nearest_add(&near_by, "version");
    if (!left_out(name))
        (void)fail_unknown("", "command", &near_by, "`polhode --help`");
    return NULL;
}

static void print_option(outfile *out, const option *o, const char *text)
{
    outfile_print(out, "    %s %s\n            %s.\n", o->name, o->value, text);
}

/* Text whose lines `@formats` stand for the formats of a file of rows; of a command, or NULL. */
static int print_help(outfile *out, const char *text, const command *c)
{
    static const char formats[] = "            @formats\n", last[] = "    --help\n";
    for (size_t length; *text != '\0'; text += length) {
        const file_format *f;
        length = strcspn(text, "\n") + 1;
        if (c != NULL && strncmp(text, last, length) == 0)
            options_print_start(c, out, print_option);
        if (strncmp(text, formats, length) != 0) {
            outfile_print(out, "%.*s", (int)length, text);
            continue;
        }
        outfile_print(out, "            The suffix of the name determines the format:\n");
        for (size_t i = 0; (f = file_format_at(i)) != NULL; i++)
            outfile_print(out, "              .%s  %s\n", f->suffix, f->text);
        outfile_print(out, "            - is CSV on standard output.\n");
    }
    return EXIT_DONE;
}

static int print_general_help(outfile *out)
{
    outfile_print(out, "polhode - the rotation of rigid bodies\n\nUsage:\n"
                       "    polhode COMMAND [OPTION...]\n"
                       "    polhode COMMAND --help\n"
                       "    polhode help [COMMAND] | version\n\nCommands:\n");
    for (size_t i = 0; i < COUNT(command_rows); i++) {
        const char *summary = strstr(command_rows[i]->help, " - ") + strlen(" - ");
        outfile_print(out, "    %-10s %.*s\n", command_rows[i]->name, (int)strcspn(summary, "\n"),
                      summary);
    }
    return print_help(out, main_help, NULL);
}

static bool wants_help(int argc, char **argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--help") == 0 || (i == 0 && strcmp(argv[i], "-h") == 0))
            return true;
    }
    return false;
}

static int run_command(int argc, char **argv, outfile *out)
{
    REFUSE_IF(argc < 2, "no command is given: begin with polhode exact (a free body at any time), "
                        "run (a body in a field), view (the same in the browser) or list (all "
                        "names); polhode --help lists all commands");
    const char *word = argv[1];
    const bool help = strcmp(word, "help") == 0;
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0 || strcmp(word, "version") == 0) {
        outfile_print(out, "polhode %s\n", ph_version());
        return EXIT_DONE;
    }
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || (help && argc == 2))
        return print_general_help(out);
    if (word[0] == '-') {
        nearest near_by = {.wrong = word};
        ph_nearest_add(&near_by, "--help");
        ph_nearest_add(&near_by, "--version");
        return fail_unknown("", "option", &near_by, "`polhode --help`");
    }
    const command *c = find(help ? argv[2] : word);
    if (c == NULL)
        return EXIT_USAGE;
    if (help || wants_help(argc - 2, argv + 2))
        return print_help(out, c->help, c);

    arguments given;
    TRY(arguments_read(&given, c, argc - 2, argv + 2));
    return c->run(&given, out);
}

static void out_of_memory(void)
{
    const int status = fail_memory();
    outfile_discard_all();
    exit(status);
}

/* What was begun and is not finished by its command is taken away. */
int main(int argc, char **argv)
{
    memory_handler(out_of_memory);
    json_set_alloc_funcs(memory_block, free);
    report_begin();
    files_begin();
    standard_prepare();
    command_words_set(argc, argv);
    interrupt_watch();
    outfile *out = outfile_standard();
    int status;
    if (out != NULL)
        status = run_command(argc, argv, out);
    else
        status = fail_memory();
    memory_end(); /* it may hold files open */
    outfile_discard_all();
    if (out != NULL)
        status = standard_close(out, status);
    if (status == 0)
        print_warnings();
    memory_free();
    return status;
}
