/* man_command.c - the manual page, from the helps of the commands. */
#include <string.h>

#include "man.help.h"
#include "tool/base/command.h"
#include "tool/base/tool.h"
#include "tool/files/rows.h"

#include "tool/base/found_command.h"

/* Text as roff reads it: backslashes and dashes, and what begins a line, mean themselves. */
static void put_text(outfile *out, const char *text, size_t length)
{
    if (length > 0 && (text[0] == '.' || text[0] == '\''))
        outfile_print(out, "\\&");
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\\')
            outfile_print(out, "\\e");
        else if (text[i] == '-')
            outfile_print(out, "\\-");
        else
            outfile_write(out, text + i, 1);
    }
}

static void put_line(outfile *out, const char *line)
{
    put_text(out, line, strcspn(line, "\n"));
    outfile_print(out, "\n");
}

/* The formats of files, where a help has them. */
static void put_formats(outfile *out)
{
    const file_format *f;
    outfile_print(out, ".br\nThe suffix of the name determines the format:");
    for (size_t i = 0; (f = file_format_at(i)) != NULL; i++)
        outfile_print(out, "%s .%s, %s", before_item(i, ";"), f->suffix, f->text);
    outfile_print(out, ".\n");
}

static void put_option(outfile *out, const option *o, const char *text)
{
    outfile_print(out, ".TP\n.B ");
    put_text(out, o->name, strlen(o->name));
    outfile_print(out, " %s\n", o->value);
    put_text(out, text, strlen(text));
    outfile_print(out, ".\n");
}

/* The part of a help with the options, one paragraph each; returns what follows. */
static const char *put_options(outfile *out, const char *line)
{
    static const char indent[] = "            ";
    for (; *line == ' '; line += strcspn(line, "\n") + 1) {
        const char *text = line + strspn(line, " ");
        if (strncmp(line, indent, strlen(indent)) != 0) {
            outfile_print(out, ".TP\n.B ");
            put_line(out, text);
        } else if (strncmp(text, "@formats", strlen("@formats")) == 0) {
            put_formats(out);
        } else {
            put_line(out, text);
        }
    }
    return line;
}

static void put_command(outfile *out, const command *c)
{
    static const char options[] = "Options:\n";
    const char *line = c->help;
    outfile_print(out, ".SH ");
    for (const char *name = c->name; *name != '\0'; name++)
        outfile_print(out, "%c", *name >= 'a' && *name <= 'z' ? *name - 'a' + 'A' : *name);
    outfile_print(out, "\n");
    put_line(out, strstr(line, " - ") + strlen(" - "));
    outfile_print(out, ".PP\n.nf\n");
    for (line += strcspn(line, "\n") + 1; *line != '\0';) {
        if (strncmp(line, options, strlen(options)) == 0) {
            outfile_print(out, ".fi\n");
            line = put_options(out, line + strlen(options));
            options_print_start(c, out, put_option);
            outfile_print(out, ".PP\n.nf\n");
            continue;
        }
        put_line(out, line);
        line += strcspn(line, "\n") + 1;
    }
    outfile_print(out, ".fi\n");
}

static int man_run(const arguments *given, outfile *out)
{
    TRY(refuse_operands(given));
    outfile_print(
        out,
        ".TH POLHODE 1 \"\" \"polhode %s\" \"User Commands\"\n.SH NAME\npolhode \\- the rotation "
        "of rigid bodies\n.SH SYNOPSIS\n.B polhode\n.I COMMAND\n[\\fIOPTION\\fR...]\n.br\n.B "
        "polhode help\n[\\fICOMMAND\\fR]\n.SH DESCRIPTION\nPolhode computes the rotation of rigid "
        "bodies. It computes the exact motion of a free body at any time. It integrates bodies in "
        "fields, pendulums, magnetic needles and molecules with methods whose properties are "
        "measured. An error is one line on standard error.\n.SH EXIT STATUS\n0: success. 1: the "
        "run failed. 2: bad usage or input. 130: stopped by Ctrl\\-C; finished output is kept.\n",
        ph_version());
    for (size_t i = 0; i < COUNT(command_rows); i++)
        put_command(out, command_rows[i]);
    return EXIT_DONE;
}

const command command_man = {"man", man_help, man_run};
