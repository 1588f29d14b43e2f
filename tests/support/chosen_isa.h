/* chosen_isa.h - the instruction set of the kernels as a test wants it. A program that uses
 * it is linked with --wrap=ph_isa. */
#ifndef TESTS_SUPPORT_CHOSEN_ISA_H
#define TESTS_SUPPORT_CHOSEN_ISA_H

#include "polhode/polhode.h"

/* How many instruction sets there are to try, from 0 on: those of the machine; one for a
 * flow without a kernel. */
int isa_count(const ph_flow *flow);
int isa_all(void);

void choose_isa(int set);

const char *isa_name(int set);

#endif
