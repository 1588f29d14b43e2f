/* derivative_tests.h - derivatives of the exact motion against the equations of variation. */
#ifndef TESTS_SUPPORT_DERIVATIVE_TESTS_H
#define TESTS_SUPPORT_DERIVATIVE_TESTS_H

#include "support/bodies.h"

/* Kinds of motions beyond those of bodies.h, exactly in the special places: from
 * BODY_KIND_COUNT on. */
#define PLACE_KINDS(X)                                                                             \
    X(ON_AXIS, "on a principal axis")                                                              \
    X(ON_EQUATOR, "on the equator of a symmetric body")                                            \
    X(NEAR_EQUATOR, "next to the equator, nearly symmetric")                                       \
    X(ON_SEPARATRIX, "on the separatrix")                                                          \
    X(A_SPHERE, "a sphere")                                                                        \
    X(SHORT, "short steps")

enum place_kind {
    BEFORE_PLACES = BODY_KIND_COUNT - 1,
#define PLACE_KIND(code, text) PLACE_##code,
    PLACE_KINDS(PLACE_KIND)
#undef PLACE_KIND
        DERIVATIVE_KIND_COUNT
};

const char *derivative_kind_text(int kind);

/* A random motion of a kind. */
oracle_case derivative_motion(int kind, uint64_t *seed, double angle);

/* The error that derivatives of a kind of motion must not exceed, in u (1 + condition). */
double derivative_promise(int kind);

/* The largest error of its derivatives by the step and by the motion, in u (1 + condition).
 * Nothing is compared where the condition is above 2^40. */
double derivative_error(const oracle_case *c);

/* The largest condition of the blocks of its derivatives, their sizes included, in units in
 * which momentum and moments are next to 1. */
double derivative_condition(const oracle_case *c);

#endif
