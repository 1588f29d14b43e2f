/* page.h - index.html: every figure with claim, set-up, picture, numbers and verdict. */
#ifndef POLHODE_EVIDENCE_PAGE_H
#define POLHODE_EVIDENCE_PAGE_H

#include "evidence/result.h"

/* Writes the page about those results that are finished, in their order. It needs nothing
 * but the pictures beside it. */
void page_write(outfile *out, const result *results, size_t count);

#endif
