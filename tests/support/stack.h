/* stack.h - fills the part of the stack that the next calls use: a function that reads a
 * variable before it writes it then finds a known number, not one that happens to be there. */
#ifndef TESTS_SUPPORT_STACK_H
#define TESTS_SUPPORT_STACK_H

#include <stddef.h>

enum { STACK_NUMBERS = 8192 };

__attribute__((noinline)) static void stack_fill(double value)
{
    double numbers[STACK_NUMBERS];
    volatile double *all = numbers;
    for (size_t i = 0; i < STACK_NUMBERS; i++)
        all[i] = value;
}

#endif
