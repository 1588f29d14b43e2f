/* completion_command.c - completions of shells, from the tables of commands, options and names. */
#include <string.h>

#include "completion.help.h"
#include "system/kind.h"
#include "tool/base/command.h"
#include "tool/base/tool.h"
#include "tool/files/memory.h"
#include "tool/list/list_command.h"

#include "tool/base/found_command.h"

enum { MOST_KINDS = 4 };

/* What the values of an option are: names of these kinds, files, folders, or anything. */
typedef struct values {
    const char *kinds[MOST_KINDS]; /* of lists, up to NULL */
    const char *words;             /* others, or NULL */
    bool spaces, files, folders;
} values;

static values values_of(const option *o)
{
    if (strcmp(o->name, "--problem") == 0)
        return (values){.kinds = {"problem"}, .files = true};
    if (strcmp(o->name, "--method") == 0 || strcmp(o->name, "--methods") == 0)
        return (values){.kinds = {"method", "flow"}};
    if (strcmp(o->name, "--space") == 0)
        return (values){.spaces = true};
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
static const char *names_of(const values *v)
{
    const char *text =
        memory_text(" %s%s", text_or_empty(v->words), text_if(v->words != NULL, " "));
    const list_kind *kind;
    for (size_t number = 0; (kind = list_kind_at(number)) != NULL; number++) {
        entry e;
        bool wanted = false;
        for (int k = 0; k < MOST_KINDS && v->kinds[k] != NULL; k++)
            wanted = wanted || strcmp(kind->name, v->kinds[k]) == 0;
        for (size_t i = 0; wanted && (e = kind->at(i)).name != NULL; i++) {
            if (strstr(text, memory_text(" %s ", e.name)) == NULL)
                text = memory_text("%s%s ", text, e.name);
        }
    }
    size_t spaces;
    const ph_kind *const *space = ph_kinds(&spaces);
    for (size_t i = 0; v->spaces && i < spaces; i++)
        text = memory_text("%s%s ", text, space[i]->name);
    const size_t length = strlen(text);
    if (length < 2)
        return "";
    return memory_text("%.*s", (int)length - 2, text + 1);
}

/* Text in which some characters mean something: a backslash goes before them. Single quotes
 * stand around it, and one within ends them, is escaped, and begins them again; fish escapes
 * it. */
static void put(outfile *out, const char *text, const char *special, const char *quote)
{
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            outfile_print(out, "%s", quote);
        else
            outfile_print(out, "%s%c", text_if(strchr(special, *text) != NULL, "\\"), *text);
    }
}

static const char *summary_of(const command *c)
{
    const char *summary = strstr(c->help, " - ") + strlen(" - ");
    return memory_text("%.*s", (int)strcspn(summary, "\n"), summary);
}

/* The first sentence of what the help says of an option. */
static const char *brief(const option *o)
{
    const char *stop = strstr(o->text, ". ");
    if (stop)
        return memory_text("%.*s", (int)(stop - o->text), o->text);
    const size_t length = strlen(o->text);
    const bool dot = length > 0 && o->text[length - 1] == '.';
    return memory_text("%.*s", (int)(length - dot), o->text);
}

/* ---- bash ------------------------------------------------------------------------ */

static void put_bash_values(outfile *out, const values *v)
{
    const char *names = names_of(v);
    outfile_print(out, "COMPREPLY=(");
    if (names[0] != '\0')
        outfile_print(out, "$(compgen -W '%s' -- \"$cur\") ", names);
    if (v->files || v->folders)
        outfile_print(out, "$(compgen -%s -- \"$cur\")", v->folders ? "d" : "f");
    outfile_print(out, ")");
}

static void begin_bash(outfile *out)
{
    outfile_print(out, "# bash completion for polhode; written by `polhode completion "
                       "bash`\n_polhode()\n{\n"
                       "    local cur=${COMP_WORDS[COMP_CWORD]} "
                       "prev=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}\n"
                       "    [ \"$COMP_CWORD\" -ne 1 ] || command=help\n"
                       "    case $command,$prev,$cur in\n"
                       "    help,*) COMPREPLY=($(compgen -W 'help version");
    for (size_t i = 0; i < COUNT(command_rows); i++)
        outfile_print(out, " %s", command_rows[i]->name);
    outfile_print(out, "' -- \"$cur\")) ;;\n");
}

static void put_bash(outfile *out, const command *c, const option *options, size_t count)
{
    const values operands = operands_of(c);
    for (size_t k = 0; k < count; k++) {
        const values v = values_of(&options[k]);
        if (options[k].value[0] == '\0')
            continue;
        outfile_print(out, "    %s,%s,*) ", c->name, options[k].name);
        put_bash_values(out, &v);
        outfile_print(out, " ;;\n");
    }
    outfile_print(out, "    %s,*,-*) COMPREPLY=($(compgen -W '--help", c->name);
    for (size_t k = 0; k < count; k++)
        outfile_print(out, " %s", options[k].name);
    outfile_print(out, "' -- \"$cur\")) ;;\n    %s,*) ", c->name);
    put_bash_values(out, &operands);
    outfile_print(out, " ;;\n");
}

/* ---- zsh ------------------------------------------------------------------------- */

/* A description with its values, of which colons and brackets end parts. */
static void put_zsh_values(outfile *out, const char *name, const values *v)
{
    const char *names = names_of(v);
    outfile_print(out, ":");
    put(out, name, ":[]", "'\\''");
    if (names[0] != '\0')
        outfile_print(out, ":(%s)", names);
    else if (v->folders)
        outfile_print(out, ":_files -/");
    else
        outfile_print(out, ":%s", v->files ? "_files" : " ");
}

static void begin_zsh(outfile *out)
{
    outfile_print(out, "#compdef polhode\n"
                       "# written by `polhode completion zsh`\n"
                       "if (( CURRENT == 2 )); then\n    local -a commands=(\n");
    for (size_t i = 0; i < COUNT(command_rows); i++) {
        outfile_print(out, "        '%s:", command_rows[i]->name);
        put(out, summary_of(command_rows[i]), "", "'\\''");
        outfile_print(out, "'\n");
    }
    outfile_print(
        out, "        'help:print the help of a command'\n        'version:print the version'\n    "
             ")\n    _describe command commands\n    return\nfi\ncase $words[2] in\n");
}

static void put_zsh(outfile *out, const command *c, const option *options, size_t count)
{
    const values operands = operands_of(c);
    outfile_print(out, "%s)\n    shift words; (( CURRENT-- ))\n    _arguments \\\n", c->name);
    for (size_t k = 0; k < count; k++) {
        const values v = values_of(&options[k]);
        const bool valued = options[k].value[0] != '\0';
        outfile_print(out, "        '*%s%s[", options[k].name, text_if(valued, "="));
        put(out, brief(&options[k]), ":[]", "'\\''");
        outfile_print(out, "]");
        if (valued)
            put_zsh_values(out, options[k].value, &v);
        outfile_print(out, "' \\\n");
    }
    outfile_print(out, "        '--help[this text]' '*");
    put_zsh_values(out, "operand", &operands);
    outfile_print(out, "'\n    ;;\n");
}

/* ---- fish ------------------------------------------------------------------------ */

static void begin_fish(outfile *out)
{
    outfile_print(out, "# fish completion for polhode; written by `polhode completion "
                       "fish`\ncomplete -c polhode -f\n");
}

static void put_fish_values(outfile *out, const values *v)
{
    const char *names = names_of(v);
    if (names[0] != '\0')
        outfile_print(out, " -%s -a '%s'", v->files ? "r" : "x", names);
    else if (v->folders)
        outfile_print(out, " -x -a '(__fish_complete_directories)'");
    else
        outfile_print(out, v->files ? " -r -F" : " -x");
}

static void put_fish_text(outfile *out, const char *text)
{
    outfile_print(out, " -d '");
    put(out, text, "", "\\'");
    outfile_print(out, "'\n");
}

static void put_fish(outfile *out, const command *c, const option *options, size_t count)
{
    const values operands = operands_of(c);
    outfile_print(out, "complete -c polhode -n __fish_use_subcommand -a %s", c->name);
    put_fish_text(out, summary_of(c));
    for (size_t k = 0; k < count; k++) {
        const values v = values_of(&options[k]);
        outfile_print(out, "complete -c polhode -n '__fish_seen_subcommand_from %s' -l %s", c->name,
                      options[k].name + 2);
        if (options[k].value[0] != '\0')
            put_fish_values(out, &v);
        put_fish_text(out, brief(&options[k]));
    }
    outfile_print(out, "complete -c polhode -n '__fish_seen_subcommand_from %s'", c->name);
    const char *found = names_of(&operands);
    if (found[0] == '\0')
        outfile_print(out, " -F\n");
    else
        outfile_print(out, " -a '%s'\n", found);
}

static int completion_run(const arguments *given, outfile *out)
{
    static const struct {
        const char *name;
        void (*begin)(outfile *out);
        void (*put)(outfile *out, const command *c, const option *options, size_t count);
        const char *end;
    } shells[] = {
        {"bash", begin_bash, put_bash, "    esac\n}\ncomplete -o filenames -F _polhode polhode\n"},
        {"zsh", begin_zsh, put_zsh, "esac\n"},
        {"fish", begin_fish, put_fish, ""},
    };
    REFUSE_IF(given->operands != 1, "completion needs one shell: write bash, zsh or fish");
    nearest near_by = {.wrong = given->operand[0]};
    for (size_t i = 0; i < COUNT(shells); i++) {
        ph_nearest_add(&near_by, "%s", shells[i].name);
        if (strcmp(shells[i].name, given->operand[0]) != 0)
            continue;
        shells[i].begin(out);
        for (size_t k = 0; k < COUNT(command_rows); k++) {
            size_t count;
            const option *options = options_read(command_rows[k], &count);
            shells[i].put(out, command_rows[k], options, count);
        }
        outfile_print(out, "%s", shells[i].end);
        return EXIT_DONE;
    }
    return fail_unknown("", "shell", &near_by, "`polhode completion --help`");
}

const command command_completion = {"completion", completion_help, completion_run};
