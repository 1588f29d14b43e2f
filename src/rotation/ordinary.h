/* ordinary.h - the range of moments and momenta in which formulas are evaluated as they
 * stand. */
#pragma once

/* Momenta and moments within these bounds and their inverses: powers of them up to the
 * fourth, and quotients of these, are numbers. */
#define ORDINARY_MOMENTUM 0x1p200
#define ORDINARY_MOMENTS  0x1p200

/* The largest ratio of two moments: farther apart are those of no body, and the formulas
 * of a flow that is not exact would overflow or lose all digits. */
#define ORDINARY_RATIO 0x1p100
