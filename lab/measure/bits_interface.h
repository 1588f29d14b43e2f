/* bits_interface.h - checksums of what the public interface has beside steps and runs. */
#pragma once

#include "lab/measure/bits_sum.h"

/* Adds these lines. */
void ph_bits_of_interface(bits *b);
