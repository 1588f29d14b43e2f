/* markdown.h - cells of a table of GitHub markdown. */
#ifndef POLHODE_CLI_MARKDOWN_H
#define POLHODE_CLI_MARKDOWN_H

#include "io/outfile.h"

/* A cell and the bar after it; a bar within would end it. */
void markdown_cell(outfile *out, const char *text);

#endif
