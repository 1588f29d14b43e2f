/* report.h - what a benchmark found: printed as it goes, kept as JSON. */
#ifndef POLHODE_BENCH_REPORT_H
#define POLHODE_BENCH_REPORT_H

#include <jansson.h>

#include "bench.h"

struct bench {
    json_t *json;
    bool right; /* no contestant of ours was refused */
};

/* An empty report with the machine described; json is NULL if there is no memory. */
bench report_new(void);

void report_machine_number(bench *b, const char *name, double value);

/* The ratios with their goals as a table for people; the same and all other ratios in
 * Markdown. */
void report_print_goals(const json_t *json);
void report_print_markdown(const json_t *json);

#endif
