/* oracle_case.h - one free motion: a body, its start, and a time. */
#ifndef TESTS_SUPPORT_ORACLE_CASE_H
#define TESTS_SUPPORT_ORACLE_CASE_H

#include "polhode/polhode.h"

typedef struct oracle_case {
    ph_vec3 J;
    ph_state start;
    double t;
} oracle_case;

#endif
