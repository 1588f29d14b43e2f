/* check_papers.h - the tables of properties in the papers, measured. */
#pragma once

#include "check_output.h"

/* Prints them. */
void check_papers(outfile *out, const check_list *list, bool markdown);
