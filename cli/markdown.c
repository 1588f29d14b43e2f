/* markdown.c - cells of a table of GitHub markdown. */
#include "markdown.h"

void markdown_cell(outfile *out, const char *text)
{
    outfile_print(out, " ");
    for (; *text != '\0'; text++)
        outfile_write(out, *text == '|' ? "\\|" : text, *text == '|' ? 2 : 1);
    outfile_print(out, " |");
}
