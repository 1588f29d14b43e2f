/* program.h - nodes of a graph as instructions, one after the other, on numbered slots. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/isa.h"
#include "integrators/expression/graph.h"
#include "polhode/polhode.h"

enum {
    MOST_SLOTS = 1024,     /* 8 KB of the stack */
    MOST_LANE_SLOTS = 256, /* 16 KB of it, in lanes */
};

/* slot[out] = code(slot[a], slot[b]) */
typedef struct instruction {
    uint16_t code, out, a, b;
} instruction;

/* slot[out] = the variable or parameter `index`, or the constant `value` */
typedef struct load {
    uint16_t out, index;
    double value;
} load;

/* Loads of variables, of parameters and of constants, then instructions. */
typedef struct program {
    int variables, parameters, constants, instructions, outputs, slots;
    load *load;
    instruction *instruction;
    uint16_t *output; /* slots */
} program;

/* Compiles nodes, NO_NODE for a zero; free it in any case. PH_BAD_EXPRESSION if they are too
 * many, PH_NO_MEMORY. */
ph_status ph_program_make(program *p, graph *g, int count, const int *of);
void ph_program_free(program *p);

/* The values of all outputs; `instant` are the numbers of a ph_instant. */
void ph_program_run(const program *p, const double *instant, const double *parameters,
                    double *out);

/* The same, for a program of at most MOST_LANE_SLOTS slots that has no m and w, in lanes: as
 * torque_lanes of a problem. */
typedef void program_lanes_kernel(const program *p, int first, int last, const double *t,
                                  const double (*q)[PH_LANES], const double *parameters,
                                  double (*out)[PH_LANES]);
KERNEL_DECLARE(program_lanes_kernel, program_lanes);
