/* bodies.h - random motions of every kind there is: bodies of any shape and order of
 * moments, starts anywhere on the momentum sphere and next to its special places. */
#ifndef TESTS_SUPPORT_BODIES_H
#define TESTS_SUPPORT_BODIES_H

#include "support/oracle.h"
#include "support/random.h"

#define BODY_KINDS(X)                                                                              \
    X(TRIAXIAL, "triaxial")                                                                        \
    X(WIDE, "moments over two decades, any order")                                                 \
    X(FLAT, "flat")                                                                                \
    X(NEEDLE, "needle")                                                                            \
    X(NEARLY_SYMMETRIC, "nearly symmetric")                                                        \
    X(SYMMETRIC, "symmetric")                                                                      \
    X(SPHERE, "sphere, or nearly")                                                                 \
    X(NEAR_SEPARATRIX, "next to the separatrix")                                                   \
    X(NEAR_AXIS, "next to a principal axis")                                                       \
    X(MOLECULE, "a molecule in SI units")

enum body_kind {
#define BODY_KIND(code, text) BODY_##code,
    BODY_KINDS(BODY_KIND)
#undef BODY_KIND
        BODY_KIND_COUNT
};

const char *body_kind_text(enum body_kind kind);

/* A random motion of that kind, through an angle |t| Omega of at most `angle`. */
oracle_case random_motion(enum body_kind kind, uint64_t *seed, double angle);

#endif
