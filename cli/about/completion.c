/* completion.c - completions of shells, from the tables of commands, options and names. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/files/rows.h"
#include "cli/list/list.h"
#include "cli/tool/command.h"
#include "cli/tool/tool.h"
#include "completion.help.h"
#include "found_command.h"

static const size_t command_count = sizeof command_rows / sizeof command_rows[0];

enum { TEXT = 200, NAMES = 16384 };

/* What the values of an option are: names of these kinds, files, folders, or anything. */
typedef struct values {
    const char *kinds[4]; /* of list_kinds, up to NULL */
    const char *words;    /* others, or NULL */
    bool files, folders;
} values;

static values values_of(const option *o)
{
    if (strcmp(o->name, "--problem") == 0)
        return (values){.kinds = {"problem"}, .files = true};
    if (strcmp(o->name, "--method") == 0 || strcmp(o->name, "--methods") == 0)
        return (values){.kinds = {"method", "flow"}};
    if (strcmp(o->name, "--space") == 0)
        return (values){.words = "body spheres molecules"};
    return (values){.files = strstr(o->value, "FILE") != NULL,
                    .folders = strstr(o->value, "DIR") != NULL};
}

/* What the operands of a command are. */
static values operands_of(const command *c)
{
    if (strcmp(c->name, "list") == 0)
        return (values){.words = "flows compositions schemes methods problems figures",
                        .kinds = {"problem", "method", "flow"}};
    if (strcmp(c->name, "check") == 0)
        return (values){.kinds = {"method", "flow"}};
    if (strcmp(c->name, "reproduce") == 0)
        return (values){.kinds = {"figure"}};
    if (strcmp(c->name, "completion") == 0)
        return (values){.words = "bash zsh fish"};
    return (values){.files = true};
}

/* All names of these kinds, each once, blanks between. */
static const char *names_of(const values *v, char text[NAMES])
{
    text[0] = '\0';
    if (v->words != NULL)
        (void)snprintf(text, NAMES, "%s", v->words);
    for (int k = 0; k < 4 && v->kinds[k] != NULL; k++) {
        for (const list_kind *kind = list_kinds; kind->name != NULL; kind++) {
            entry e;
            for (size_t i = 0;
                 strcmp(kind->name, v->kinds[k]) == 0 && (e = kind->at(i)).name != NULL;
                 i++) {
                const size_t used = strlen(text);
                char word[TEXT];
                (void)snprintf(word, sizeof word, " %s ", e.name);
                char padded[NAMES + 2];
                (void)snprintf(padded, sizeof padded, " %s ", text);
                if (strstr(padded, word) == NULL)
                    (void)snprintf(text + used, NAMES - used, "%s%s",
                                   used == 0 ? "" : " ", e.name);
            }
        }
    }
    return text;
}

/* Text between single quotes: the quote ends, is escaped, and begins again; fish escapes it. */
static void put_quoted(outfile *out, const char *text, const char *quote)
{
    outfile_print(out, "'");
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            outfile_print(out, "%s", quote);
        else
            outfile_write(out, text, 1);
    }
    outfile_print(out, "'");
}

/* ---- bash ------------------------------------------------------------------------ */

static void put_bash_values(outfile *out, const values *v)
{
    char names[NAMES];
    names_of(v, names);
    outfile_print(out, "COMPREPLY=(");
    if (names[0] != '\0')
        outfile_print(out, "$(compgen -W '%s' -- \"$cur\")", names);
    if (v->files || v->folders)
        outfile_print(out, "%s$(compgen -%s -- \"$cur\")", names[0] == '\0' ? "" : " ",
                      v->folders ? "d" : "f");
    outfile_print(out, ")");
}

static void print_bash(outfile *out)
{
    outfile_print(out, "# bash completion for polhode; written by `polhode completion "
                       "bash`\n_polhode()\n{\n"
                       "    local cur=${COMP_WORDS[COMP_CWORD]} "
                       "prev=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}\n"
                       "    COMPREPLY=()\n"
                       "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
                       "        COMPREPLY=($(compgen -W 'help version");
    for (size_t i = 0; i < command_count; i++)
        outfile_print(out, " %s", command_rows[i]->name);
    outfile_print(out, "' -- \"$cur\"))\n        return\n    fi\n"
                       "    case $command,$prev in\n");
    for (size_t i = 0; i < command_count; i++) {
        option options[OPTION_COUNT];
        const size_t count = options_read(command_rows[i], options);
        for (size_t k = 0; k < count; k++) {
            const values v = values_of(&options[k]);
            if (options[k].value[0] == '\0')
                continue;
            outfile_print(out, "    %s,%s) ", command_rows[i]->name, options[k].name);
            put_bash_values(out, &v);
            outfile_print(out, "; return ;;\n");
        }
    }
    outfile_print(out, "    esac\n    case $command in\n");
    for (size_t i = 0; i < command_count; i++) {
        option options[OPTION_COUNT];
        const size_t count = options_read(command_rows[i], options);
        const values v = operands_of(command_rows[i]);
        outfile_print(out,
                      "    %s)\n        case $cur in\n"
                      "        -*) COMPREPLY=($(compgen -W '--help",
                      command_rows[i]->name);
        for (size_t k = 0; k < count; k++)
            outfile_print(out, " %s", options[k].name);
        outfile_print(out, "' -- \"$cur\")) ;;\n        *) ");
        put_bash_values(out, &v);
        outfile_print(out, " ;;\n        esac ;;\n");
    }
    outfile_print(out, "    help) COMPREPLY=($(compgen -W '");
    for (size_t i = 0; i < command_count; i++)
        outfile_print(out, "%s%s", i == 0 ? "" : " ", command_rows[i]->name);
    outfile_print(out, "' -- \"$cur\")) ;;\n    esac\n}\n"
                       "complete -o filenames -F _polhode polhode\n");
}

/* ---- zsh ------------------------------------------------------------------------- */

/* The action after a description: names, files, folders, or anything. */
static void put_zsh_action(outfile *out, const values *v)
{
    char names[NAMES];
    names_of(v, names);
    if (names[0] != '\0')
        outfile_print(out, "(%s)", names);
    else if (v->folders)
        outfile_print(out, "_files -/");
    else if (v->files)
        outfile_print(out, "_files");
    else
        outfile_print(out, " ");
}

/* Text of a specification of _arguments, where colons and brackets mean something. */
static void put_zsh_text(outfile *out, const char *text)
{
    for (; *text != '\0'; text++) {
        if (strchr(":[]", *text) != NULL)
            outfile_print(out, "\\%c", *text);
        else if (*text == '\'')
            outfile_print(out, "'\\''");
        else
            outfile_write(out, text, 1);
    }
}

static void print_zsh(outfile *out)
{
    outfile_print(out, "#compdef polhode\n"
                       "# written by `polhode completion zsh`\n"
                       "if (( CURRENT == 2 )); then\n    local -a commands=(\n");
    for (size_t i = 0; i < command_count; i++) {
        const char *summary = strstr(command_rows[i]->help, " - ") + strlen(" - ");
        char text[TEXT], line[2 * TEXT];
        (void)snprintf(text, sizeof text, "%.*s", (int)strcspn(summary, "\n"), summary);
        (void)snprintf(line, sizeof line, "%s:%s", command_rows[i]->name, text);
        outfile_print(out, "        ");
        put_quoted(out, line, "'\\''");
        outfile_print(out, "\n");
    }
    outfile_print(out, "        'help:the help of a command'\n"
                       "        'version:the version'\n    )\n"
                       "    _describe command commands\n    return\nfi\n"
                       "case $words[2] in\n");
    for (size_t i = 0; i < command_count; i++) {
        option options[OPTION_COUNT];
        const size_t count = options_read(command_rows[i], options);
        const values operands = operands_of(command_rows[i]);
        outfile_print(out, "%s)\n    shift words; (( CURRENT-- ))\n    _arguments \\\n",
                      command_rows[i]->name);
        for (size_t k = 0; k < count; k++) {
            const values v = values_of(&options[k]);
            char text[TEXT];
            option_text(command_rows[i], &options[k], true, text, sizeof text);
            outfile_print(out, "        '*%s%s[", options[k].name,
                          options[k].value[0] == '\0' ? "" : "=");
            put_zsh_text(out, text);
            outfile_print(out, "]");
            if (options[k].value[0] != '\0') {
                outfile_print(out, ":");
                put_zsh_text(out, options[k].value);
                outfile_print(out, ":");
                put_zsh_action(out, &v);
            }
            outfile_print(out, "' \\\n");
        }
        outfile_print(out, "        '--help[this text]' '*:operand:");
        put_zsh_action(out, &operands);
        outfile_print(out, "'\n    ;;\n");
    }
    outfile_print(out, "esac\n");
}

/* ---- fish ------------------------------------------------------------------------ */

static void put_fish_values(outfile *out, const values *v)
{
    char names[NAMES];
    names_of(v, names);
    if (names[0] != '\0')
        outfile_print(out, " -%s -a '%s'", v->files ? "r" : "x", names);
    else if (v->folders)
        outfile_print(out, " -x -a '(__fish_complete_directories)'");
    else
        outfile_print(out, v->files ? " -r -F" : " -x");
}

static void print_fish(outfile *out)
{
    outfile_print(out, "# fish completion for polhode; written by `polhode completion "
                       "fish`\ncomplete -c polhode -f\n");
    for (size_t i = 0; i < command_count; i++) {
        const command *c = command_rows[i];
        const char *summary = strstr(c->help, " - ") + strlen(" - ");
        const values operands = operands_of(c);
        char text[TEXT], names[NAMES];
        option options[OPTION_COUNT];
        const size_t count = options_read(c, options);
        (void)snprintf(text, sizeof text, "%.*s", (int)strcspn(summary, "\n"), summary);
        outfile_print(out, "complete -c polhode -n __fish_use_subcommand -a %s -d ",
                      c->name);
        put_quoted(out, text, "\\'");
        outfile_print(out, "\n");
        for (size_t k = 0; k < count; k++) {
            const values v = values_of(&options[k]);
            outfile_print(out,
                          "complete -c polhode -n '__fish_seen_subcommand_from %s' -l %s",
                          c->name, options[k].name + 2);
            if (options[k].value[0] != '\0')
                put_fish_values(out, &v);
            option_text(c, &options[k], true, text, sizeof text);
            outfile_print(out, " -d ");
            put_quoted(out, text, "\\'");
            outfile_print(out, "\n");
        }
        outfile_print(out, "complete -c polhode -n '__fish_seen_subcommand_from %s'",
                      c->name);
        names_of(&operands, names);
        if (names[0] != '\0')
            outfile_print(out, " -a '%s'\n", names);
        else
            outfile_print(out, " -F\n");
    }
}

static int run(const arguments *given, outfile *out)
{
    static const struct {
        const char *name;
        void (*print)(outfile *out);
    } shells[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};
    REFUSE_IF(given->operands != 1,
              "completion is for one shell: write bash, zsh or fish");
    nearest near_by = {.wrong = given->operand[0]};
    for (size_t i = 0; i < sizeof shells / sizeof shells[0]; i++) {
        ph_nearest_add(&near_by, "%s", shells[i].name);
        if (strcmp(shells[i].name, given->operand[0]) == 0) {
            shells[i].print(out);
            return EXIT_DONE;
        }
    }
    return fail_unknown("", "shell", &near_by, "`polhode completion --help`");
}

const command command_completion = {
    .name = "completion",
    .help = completion_help,
    .run = run,
};
