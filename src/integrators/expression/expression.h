/* expression.h - the text of an expression, read into a graph; its nodes as instructions, one
 * after the other, on numbered slots; and the problem that expressions are loaded into. */
#pragma once

#include <stdint.h>

#include "base/isa.h"
#include "integrators/expression/compiled.h"
#include "integrators/expression/graph.h"
#include "integrators/lane_kernels.h"

/* ---- texts ------------------------------------------------------------------------- */

/* The names that a text may have: the use is one of ph_expression_use, or with PH_EXPRESSION_OF_CENTRE. */
typedef struct parse_names {
    unsigned use;
    const ph_parameter *parameters;
    int count;
    const double *epoch; /* days from J2000.0 to t = 0; NULL: the date is not known */
    bool orbit;          /* the words of the orbit are known: sky.h */
    bool inside;         /* and those of the momentum inside the body */
} parse_names;

/* The node of a text; NO_NODE, and why, if something is wrong with it or there is no room.
 * `moving`: it depends on the velocity or the momentum; `quaternion`: on q; `timed`: on t; `inside`:
 * on the momentum inside the body. */
typedef struct parse_result {
    int node;
    bool moving, quaternion, timed, inside;
    /* Of a condition: whether it has a <; and a smoother node that is positive where `node` is, as
     * the cosine of an angle is smooth at 0. */
    bool less;
    int smooth;
    /* 1 or -1 if its left or its right side is an angle in radians, and the other one is the number
     * `limit`; else 0. */
    int angle;
    double limit;
} parse_result;
parse_result ph_parse(graph *g, const char *text, const parse_names *names,
                      ph_expression_error *why);

/* Says that an expression is too large as a whole. */
void ph_parse_too_large(ph_expression_error *why);

/* Whether a name is a word of such expressions, and so none for a parameter. */
bool ph_parse_is_word(const parse_names *names, const char *name, size_t length);

/* The place of the number that a parameter's name stands for, -1 if it is none: NAME, or NAME2
 * for the second number of one that has several. */
int ph_parse_parameter(const parse_names *names, const char *word, size_t length);

/* ---- programs ---------------------------------------------------------------------- */

enum {
    MOST_SLOTS = 1024,     /* 8 KB of the stack */
    MOST_LANE_SLOTS = 256, /* 16 KB of it, in lanes */
};

/* slot[out] = code(slot[a], slot[b]) */
typedef struct instruction {
    uint16_t code, out, a, b;
} instruction;

/* slot[out] = the VARIABLE or PARAMETER `index`, or the CONSTANT `value` */
typedef struct load {
    uint16_t code, out, index;
    double value;
} load;

/* Loads, then instructions. */
typedef struct program {
    int loads, instructions, outputs, slots;
    load *load;
    instruction *instruction;
    uint16_t *output; /* slots */
} program;

/* Compiles nodes, NO_NODE for a zero; free it in any case. PH_BAD_EXPRESSION if they are too
 * many, PH_NO_MEMORY. */
ph_status ph_program_make(program *p, graph *g, int count, const int *of);
void ph_program_free(program *p);

/* The values of all outputs; `instant` are the numbers of a ph_instant. */
void ph_program_run(const program *p, const double *instant, const double *parameters, double *out);

/* Ranges of the outputs where each variable is in an interval: bounds.c. A kink or a jump in them
 * means that the value, or with a jump also the range, has no derivative somewhere; it may also be
 * undefined there. The range of an output that is undefined everywhere is empty: low > high. */
typedef struct interval {
    double low, high;
} interval;
static inline bool interval_is_empty(interval x)
{
    return x.low > x.high;
}
typedef enum range_kind { RANGE_SMOOTH, RANGE_KINK, RANGE_JUMP } range_kind;
range_kind ph_program_bounds(const program *p, const interval *variables, const double *parameters,
                             interval *out);

/* Returns the first time after t, towards `end`, at which an output of even number has a zero, or
 * `end`; the output after it is its derivative, and both depend on the time alone. Where the bit of a
 * function in `jumps` is set, the time is one before or after the zero: ph_change_next(). */
enum { MOST_CHANGES = 16 };
double ph_program_change(const program *of, const double *parameters, unsigned jumps, double t,
                         double end);

/* The same, for a program of at most MOST_LANE_SLOTS slots that has no m and w, in lanes: as
 * torque_lanes of a problem. */
typedef void program_lanes_kernel(const program *p, int first, int last, const double *t,
                                  const double (*q)[PH_LANES], const double *parameters,
                                  double (*out)[PH_LANES]);
KERNEL_DECLARE(program_lanes_kernel, program_lanes);

/* Also with m and w, and with parameters of each lane. */
typedef void program_each_kernel(const program *p, const lane_problems *of, lane_instants *now);
KERNEL_DECLARE(program_each_kernel, program_each);

/* ph_expression_create() with all names. */
ph_status ph_expression_create_named(const char *text, const parse_names *names,
                                     ph_expression **out, ph_expression_error *why);

/* Whether the torque of a problem of expressions has kinks or jumps at some times; and the next of
 * them, as ph_change_next() has it. */
bool ph_expression_changes(const ph_problem *p);
double ph_expression_change(const ph_problem *p, double t, double end);

/* Whether a problem of expressions has facets in sunlight. */
bool ph_expression_has_facets(const ph_problem *p);

/* The days from J2000.0 to t = 0 that a problem of expressions was given, or NULL. */
const double *ph_expression_epoch(const ph_problem *p);

/* ---- conditions along a motion -------------------------------------------------------- */

/* Whether a condition has derivatives by the time, unless its centre of mass moves or they are too
 * large. */
bool ph_condition_moves(const ph_expression *c);

/* Whether it has none because they are too large. */
bool ph_condition_is_too_large(const ph_expression *c);

/* Whether a condition depends on more than the time and the parameters. */
bool ph_condition_depends_on_motion(const ph_expression *c);

/* The value of a condition, positive where it holds, and its derivative by the time; `numbers` are
 * those of an instant, then m' and w'. The value may be another than that of
 * ph_expression_value(), of the same sign. */
void ph_condition_rate(const ph_expression *c, const double *numbers, const double *values,
                       double *value, double *rate);

/* The largest first and second derivative of this value, infinite where there is none, if
 * MOTION_VARIABLES numbers are in intervals. */
void ph_condition_bounds(const ph_expression *c, const interval *numbers, const double *values,
                         double *first, double *second);

/* Whether a condition has no value, neither true nor false, where its MOTION_VARIABLES numbers are in
 * intervals. */
bool ph_condition_is_undefined(const ph_expression *c, const interval *numbers,
                               const double *values);

/* The largest rate, in radians per time, of the angles of the time that a condition contains, such as
 * that of the orbit or 3*t in sin(3*t), between two times. 0: there is none. */
double ph_condition_phase_rate(const ph_expression *c, double from, double to,
                               const double *values);

/* The angle of which a condition says that it is less or more than a number, where the left minus the
 * right side has this value; NaN: it is not such a condition. */
double ph_condition_angle(const ph_expression *c, double difference);

/* Writes what makes a condition doubtful; false if there is nothing. */
bool ph_condition_warning(const ph_expression *c, char *text, size_t size);

/* The left minus the right side of a condition, by ph_expression_value(). */
double ph_condition_difference(const ph_expression *c, double value);

/* ---- problems ---------------------------------------------------------------------- */

/* Without data; `load` makes it one of the source in its data. */
extern const ph_problem ph_expression_problem;

/* Functions torque() and derivative() of such a problem as C, for programs of devices; to be freed.
 * NULL: it is none, or there is no memory. */
char *ph_expression_torque(const ph_problem *p);

/* The torque of such problems in lanes; NULL: it is none, or too large. */
torque_each_kernel *ph_expression_each(const ph_problem *p);
