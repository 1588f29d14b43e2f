/* main.c - the tool: finds the command and runs it. */
#include <stdbool.h>
#include <string.h>

#include "polhode/polhode.h"

#include "command.h"
#include "files.h"
#include "interrupt.h"
#include "report.h"
#include "standard.h"

/* Every command: cli/NAME.c holds `const command command_NAME`. */
#define COMMANDS(X)                                                                      \
    X(exact)                                                                             \
    X(run)                                                                               \
    X(resume)                                                                            \
    X(check)                                                                             \
    X(compare)                                                                           \
    X(reproduce)                                                                         \
    X(list)

#define DECLARE(name) extern const command command_##name;
COMMANDS(DECLARE)
#define ROW(name) &command_##name,
static const command *const commands[] = {COMMANDS(ROW)};

#define COMMAND_COUNT (sizeof commands / sizeof commands[0])

/* The command of that name, or NULL after saying that there is none. */
static const command *find(const char *name)
{
    const char *names[COMMAND_COUNT];
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
        names[i] = commands[i]->name;
    }
    (void)fail_unknown("", "command", name, names, COMMAND_COUNT, "`polhode --help`");
    return NULL;
}

/* Text whose every line is put behind an indent. */
static void print_indented(outfile *out, const char *indent, const char *text)
{
    while (*text != '\0') {
        const size_t length = strcspn(text, "\n");
        outfile_print(out, "%s%.*s\n", indent, (int)length, text);
        text += length + (text[length] == '\n');
    }
}

static int print_general_help(void)
{
    outfile *out = outfile_standard();
    if (out == NULL)
        return fail_memory();
    outfile_print(out, "polhode - the rotation of rigid bodies\n\nUsage:\n"
                       "    polhode COMMAND [OPTION...]\n"
                       "    polhode COMMAND --help\n"
                       "    polhode --help | --version\n\nCommands:\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        outfile_print(out, "    %-10s %s\n", commands[i]->name, commands[i]->summary);
    outfile_print(
        out,
        "\nNumbers are decimal or hexadecimal floats with a point, whatever the locale;\n"
        "vectors are comma-separated: --inertia 1,2,3. Write --option value or\n"
        "--option=value; of a repeated option the last one counts. Units are yours, as\n"
        "long as they agree; angles are in radians. Quaternions have the scalar part\n"
        "first and take body to space coordinates.\n"
        "\nErrors are one line on standard error. Exit status: 0 done; 1 the run "
        "failed;\n"
        "2 bad usage or input; 130 stopped by Ctrl-C, what was finished is kept.\n"
        "A reader that goes away (| head) ends the tool without a word.\n"
        "\nStart here, with a book that tumbles:\n"
        "    polhode exact --inertia 0.376,0.627,1 --momentum 0,0.6,-0.8 --time "
        "0:40:9\n");
    return standard_close(out, EXIT_DONE);
}

static int print_help(const command *c)
{
    outfile *out = outfile_standard();
    if (out == NULL)
        return fail_memory();
    outfile_print(out, "polhode %s - %s\n\nUsage:\n", c->name, c->summary);
    print_indented(out, "    polhode ", c->usage);
    outfile_print(out, "\nOptions:\n");
    for (const option *o = c->options; o->name != NULL; o++) {
        outfile_print(out, "    %s%s%s\n", o->name, o->value == NULL ? "" : " ",
                      o->value == NULL ? "" : o->value);
        print_indented(out, "            ", o->help);
    }
    outfile_print(out, "    --help\n            This text.\n\n%s", c->notes);
    return standard_close(out, EXIT_DONE);
}

static int print_version(void)
{
    outfile *out = outfile_standard();
    if (out == NULL)
        return fail_memory();
    outfile_print(out, "polhode %s\n", ph_version());
    return standard_close(out, EXIT_DONE);
}

static bool wants_help(int argc, char **argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--help") == 0 || (i == 0 && strcmp(argv[i], "-h") == 0))
            return true;
    }
    return false;
}

static int run(int argc, char **argv)
{
    if (argc < 2)
        return fail_usage("no command given: write polhode COMMAND [OPTION...], or "
                          "polhode --help for the commands");
    const char *word = argv[1];
    if (strcmp(word, "--version") == 0)
        return print_version();
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        return print_general_help();

    const bool help = strcmp(word, "help") == 0;
    if (help && argc == 2)
        return print_general_help();
    if (word[0] == '-') {
        static const char *const names[] = {"--help", "--version"};
        return fail_unknown("", "option", word, names, sizeof names / sizeof names[0],
                            "`polhode --help`");
    }
    const command *c = find(help ? argv[2] : word);
    if (c == NULL)
        return EXIT_USAGE;
    if (help || wants_help(argc - 2, argv + 2))
        return print_help(c);

    arguments given;
    int status = arguments_read(&given, c->name, c->options, argc - 2, argv + 2);
    if (status == 0)
        status = c->run(&given);
    arguments_free(&given);
    return status;
}

int main(int argc, char **argv)
{
    report_begin();
    files_begin();
    standard_prepare();
    interrupt_watch();
    const int status = run(argc, argv);
    print_warnings();
    return status;
}
