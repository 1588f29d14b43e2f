/* parse.h - the text of an expression, read into a graph. */
#pragma once

#include "integrators/expression/graph.h"
#include "polhode/expression.h"

/* The names that a text may have: the use is one of ph_expression_use, or with PH_EXPRESSION_OF_CENTRE. */
typedef struct parse_names {
    unsigned use;
    const ph_parameter *parameters;
    int count;
} parse_names;

/* The node of a text; NO_NODE, and why, if something is wrong with it or there is no room.
 * `moving`: it depends on the velocity or the momentum; `quaternion`: on q; `timed`: on t. */
typedef struct parse_result {
    int node;
    bool moving, quaternion, timed;
} parse_result;
parse_result ph_parse(graph *g, const char *text, const parse_names *names,
                      ph_expression_error *why);

/* Says that an expression is too large as a whole. */
void ph_parse_too_large(ph_expression_error *why);

/* Whether a name is a word of such expressions, and so none for a parameter. */
bool ph_parse_is_word(const parse_names *names, const char *name, size_t length);

/* The place of the number that a parameter's name stands for, -1 if it is none: NAME, or NAME2
 * for the second number of one that has several. */
int ph_parse_parameter(const parse_names *names, const char *word, size_t length);
