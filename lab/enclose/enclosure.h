/* enclosure.h - boxes that contain every solution of a polynomial differential equation.
 *
 * The right-hand side is a sum of terms c v w, where v and w are unknowns, the number 1, or
 * products of two of these. All arithmetic is that of Arb: a number is a ball, and the ball that
 * an operation returns contains every result for numbers of its operands.
 *
 * The first four unknowns are a quaternion U, 1 at the start, with U' = U (0, w)/2, and no other
 * unknown depends on it.
 *
 * A step is a Taylor series with a proved remainder (Lohner, Einschliessung der Loesung
 * gewoehnlicher Anfangs- und Randwertaufgaben, 1988). The set of solutions at a time is
 *
 *     x = c + C p + sum_(a <= b) H_ab p_a p_b + Q r,      p and r in boxes
 *
 * and for the quaternion U = (1 + e) c, where e is such a sum: the error is a turn in space, which the motion does
 * not change. Here c is a point, the box p is that of the uncertain input, which stays the same, C and H have the
 * first and second derivatives by it, and r is the box of all errors in a basis Q that turns with the flow. So
 * errors grow as differences of solutions do, and not by boxes around turned boxes.
 *
 * A step maps a deviation d to Df(c) d + D2f(x)[d, d]/2 at some x in the box. The second derivatives are enclosed
 * over the box. Their midpoints go to H; what is left is of third order in p and goes to r. If no input is
 * uncertain, there is no H, and the first derivatives are enclosed over the box.
 *
 * The remainder needs no box around a step. Let s be sizes of the unknowns, |x_i| <= s_i, and
 * b = max_i sum |c| s_v s_w / s_i over the terms of the unknown i. Of terms of degree d at most, the
 * series coefficients have |x_i,k| <= s_i z^k, z = (d - 1) b, because y' = b y^d, y(0) = 1 has larger
 * ones; those of the derivative by unknown j are at most (k + 1) z^k s_i/s_j. The coefficient of x_i,k is a
 * polynomial of degree at most (d - 1) k + 1, so those of the derivative by j and l are at most
 * 2k (2k + 1) z^k s_i/(s_j s_l), as d is at most 3. */
#pragma once

#include <arb.h>
#include <arb_mat.h>
#include <stdbool.h>

#include "taylor.h"

/* Begins a field with n unknowns, all in group 0, and no terms. Free it with
 * enclosure_field_clear(). */
void enclosure_field_init(enclosure_field *f, int n);
void enclosure_field_clear(enclosure_field *f);

/* Adds c v w to the derivative of x_out. */
void enclosure_field_add(enclosure_field *f, int out, int v, int w, const arb_t c);

/* Returns the variable that is the product of two unknowns; the terms are then of degree 3. */
int enclosure_field_product(enclosure_field *f, int a, int b);

/* The solutions at a time. */
typedef struct enclosure_set {
    const enclosure_field *field;
    slong digits;    /* bits of the arithmetic of c */
    arb_t t;         /* exact */
    arb_ptr c;       /* exact */
    arb_mat_t C, p;  /* C is exact; p is a column */
    bool quadratic;  /* an input is uncertain */
    arb_mat_t H;     /* exact; a column for each pair of inputs, or none */
    arb_mat_t pairs; /* their products, a column */
    arb_mat_t Q, r;  /* Q is exact; r is a column */
} enclosure_set;

/* Begins a set at t = 0: U = 1, and the points x + C p of the other unknowns. The balls of x and C become errors r. `digits` is how many
 * bits the arithmetic has. Free the set with enclosure_set_clear(). */
void enclosure_set_init(enclosure_set *s, const enclosure_field *f, arb_srcptr x, const arb_mat_t C,
                        const arb_mat_t p, slong digits);
void enclosure_set_clear(enclosure_set *s);

/* Stores a box around the set in x[n]. */
void enclosure_set_box(const enclosure_set *s, arb_ptr x);

/* Stores a box around the quaternions a U in q[4], which is not a. */
void enclosure_set_attitude(const enclosure_set *s, arb_srcptr a, arb_ptr q);

/* Takes one step towards the time `end`, which is exact, of a length that the series allows. Returns
 * false, and leaves the set as it was, if the set is too large for that. The set is at the end when
 * enclosure_set_is_at() says so. */
bool enclosure_set_step(enclosure_set *s, const arb_t end);
bool enclosure_set_is_at(const enclosure_set *s, const arb_t end);

/* Stores the product a b of quaternions in out, which is neither of them. */
void enclosure_turn(arb_ptr out, arb_srcptr a, arb_srcptr b, slong digits);
