/* expression.h - formulas as text: potentials, torques, conditions.
 *
 *     k*(1 - R33) + c*R13^2
 *
 * Names:
 *
 * - t is the time, and pi is the number.
 * - q0 to q3 are the attitude, scalar first; R11 to R33 are the attitude as a matrix.
 * - w1 to w3 and m1 to m3 are the angular velocity and momentum in the body frame.
 * - x1 to x3 and v1 to v3 are the position and velocity of the centre of mass in space, if it
 *   moves.
 * - A parameter has its own name. One with several numbers has NAME1, NAME2 and so on.
 * - In a problem that extends spacecraft there are more names, see ph_expressions.
 *
 * Operators are + - * / ^ and parentheses. ^ binds tighter than a minus sign before it, and is
 * right-associative. Functions are sin, cos, tan, asin, acos, atan, atan2, sinh, cosh, tanh, exp,
 * log, sqrt, abs, min and max.
 *
 * A text is compiled once, into instructions without branches. An evaluation allocates nothing,
 * and any number of threads may evaluate at once. Derivatives are analytic: the torque of a
 * potential is compiled from its symbolic derivative.
 */
#ifndef POLHODE_EXPRESSION_H
#define POLHODE_EXPRESSION_H

#include "polhode/body.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The limits of a text: its length in bytes, and the depth of nested parentheses, signs and
 * powers. */
enum { PH_EXPRESSION_LENGTH = 2000, PH_EXPRESSION_DEPTH = 100 };

/* The size of the text of an error, in bytes. */
enum { PH_EXPRESSION_MESSAGE = 160 };

/* An error in a text. */
typedef struct ph_expression_error {
    int column;                       /* position in the text, counted from 1 */
    char text[PH_EXPRESSION_MESSAGE]; /* for example "unknown name \"R34\": ..." */
} ph_expression_error;

/* The use of a text, which determines the names that it may contain. */
typedef enum ph_expression_use {
    /* A potential: t, q and R. */
    PH_EXPRESSION_POTENTIAL,
    /* A torque or a force: also w and m. */
    PH_EXPRESSION_TORQUE,
    /* A condition: the names of a torque, and one < or > between two sides. */
    PH_EXPRESSION_CONDITION,
    /* A bit to add if the centre of mass moves: also x, and v if w and m are allowed. */
    PH_EXPRESSION_OF_CENTRE = 4,
} ph_expression_use;

/* A compiled expression. Its members are private to the library. */
typedef struct ph_expression ph_expression;

/* Destroys an expression and frees its memory. `e` may be NULL. */
PH_API void ph_expression_destroy(ph_expression *e);

/* ---- problems -------------------------------------------------------------------- */

/* The largest number of facets of a problem given by expressions. */
enum { PH_EXPRESSION_FACETS = 64 };

/* A flat facet on which sunlight presses. The normal points outwards and has any length; the centre
 * is relative to the centre of mass. Both are in the body frame. */
typedef struct ph_facet {
    double area; /* m^2 */
    ph_vec3 normal, centre;
    double specular, diffuse; /* parts of the light that it reflects in these ways */
} ph_facet;

/* A field given by expressions. It has a potential, a torque in the body frame, or both; their
 * torques add up. If the centre of mass moves, it may also have a force in space. Members that
 * are not given are NULL.
 *
 * It may extend a problem of one body: that problem keeps its own field, and this field is added.
 * The texts may use its parameters. Both together have at most PH_PARAMETER_VALUES numbers of
 * parameters. If the problem is spacecraft, the texts may also use these:
 *
 * - u1 to u3 are the unit vector from the Earth, B1 to B3 the magnetic field in tesla, and Bdot1
 *   to Bdot3 the rate at which it changes, all in the body frame.
 * - x1 to x3 and v1 to v3 are the position and the velocity on the orbit, in space.
 * - H1 to H3 are the momentum of the wheels in the body frame.
 * - eclipse is the part of the Sun's diameter that the Earth covers, from 0 to 1.
 *
 * With an epoch, sun1 to sun3 are the unit vector to the Sun in the body frame. */
typedef struct ph_expressions {
    const char *potential;
    const char *torque[3], *force[3]; /* all three components or none */
    bool moving_centre;               /* the centre of mass moves */
    const ph_parameter *parameters;
    int parameter_count;
    const double *value; /* values of the parameters */
    /* The problem of one body that the field extends, with its parameter values, body, start and
     * tables; the function copies them. It is one of the catalog, or a copy of one. */
    const ph_problem *extends;
    const double *epoch;    /* days from J2000.0 to t = 0, in UTC; NULL if the date is not known */
    const ph_facet *facets; /* facet_count of them; they need an orbit and an epoch */
    int facet_count;
    /* True if the magnetic field of the Earth is a tilted dipole that rotates with the Earth. Its
     * coefficients come from IGRF-14 at the epoch. It needs an orbit and an epoch, and sets the
     * parameters earth_dipole and earth_rate. */
    bool tilted_dipole;
    /* A control that is evaluated every control_period and held in between: a torque in the body
     * frame, or with `control_dipole` a magnetic dipole. It is given by three texts, in the names
     * of a torque; or by none, and then the caller sets `control` of the problem. 0 if there is no
     * control. */
    double control_period;
    const char *control[3];
    bool control_dipole;
} ph_expressions;

/* An error in one of several texts. */
typedef struct ph_expressions_error {
    /* "potential", "torque 2", "force 3", "parameter", "extends", "epoch", "facets",
     * "control 1" or "problem" */
    const char *where;
    ph_expression_error error;
} ph_expressions_error;

/* Creates the problem `expression` in a field given by expressions and stores it in *out. Free
 * its memory with ph_problem_release(). The function copies the texts and the values.
 *
 * The problem has the body and the start of `free`, or of `orbiter` if the centre of mass moves,
 * unless it extends another problem. The library derives the torque and the force of the potential.
 * It also derives the derivative of the torque if the torque does not depend on the velocity. A
 * potential in q must be even in q, because q and -q are the same attitude.
 *
 * Returns PH_OK. Returns PH_BAD_EXPRESSION if a text cannot be compiled; *why then has the
 * reason, and `why` may be NULL. Returns PH_NO_MEMORY if memory runs out. On failure *out is
 * unchanged. */
PH_API ph_status ph_problem_from_expressions(const ph_expressions *from, ph_problem *out,
                                             ph_expressions_error *why);

/* What surrounds a body on the orbit of spacecraft. */
typedef struct ph_surroundings {
    ph_vec3 up;                 /* unit vector from the Earth, in the body frame */
    ph_vec3 field;              /* magnetic field in tesla, in the body frame */
    ph_vec3 position, velocity; /* in space, in metres and seconds */
    ph_vec3 sun;                /* unit vector to the Sun, in the body frame */
} ph_surroundings;

/* Stores in *out what surrounds a body at an instant. The problem is spacecraft, a copy of it with
 * a torque of your own, or a problem that extends it. `sun` is NaN unless that problem has an
 * epoch. Returns PH_OK, or PH_NOT_APPLICABLE if the problem has no orbit. On failure *out is
 * unchanged. */
PH_API ph_status ph_problem_surroundings(const ph_problem *p, const ph_instant *now,
                                         ph_surroundings *out);

/* A unit that a text may have after a number: `5deg`. */
typedef struct ph_unit {
    const char *name;
    const char *of; /* the quantity as the catalog names it: "t", "rad", "rad/t", "m" and so on */
    double factor;  /* its size in seconds, radians, radians per second, metres and so on */
} ph_unit;

/* Returns the unit at a position of the list, or NULL after the last one. */
PH_API const ph_unit *ph_unit_at(size_t position);

#ifdef __cplusplus
}
#endif

#endif
