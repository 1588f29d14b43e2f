/* scenario.h - what a run is told: by a scenario file, by options, or both.
 *
 * A scenario is a YAML mapping:
 *
 *     problem: free
 *     parameters: {name: 1, other: [1, 2, 3]}
 *     inertia: [0.376, 0.627, 1]     # or tensor: [xx, yy, zz, xy, xz, yz]
 *     rotvec: [0.1, 0, 0]            # or attitude: [w, x, y, z]
 *     velocity: [0, 2, 0.01]         # or momentum: [x, y, z]
 *     method: dmv8
 *     step: 0.1
 *     time: 40
 *     output: {file: book.csv, every: 10}
 *
 * Spheres begin with q and w, lists of vectors; molecules with bodies, lists of their own
 * or a lattice, and perhaps a box with its cut-off.
 */
#ifndef POLHODE_IO_SCENARIO_H
#define POLHODE_IO_SCENARIO_H

#include <stdbool.h>
#include <stddef.h>

#include "io/yaml.h"

/* What can be said. The body and its start come first; of a pair only one is said. */
typedef enum scenario_key {
    SAY_INERTIA,
    SAY_TENSOR,
    SAY_MOMENTUM,
    SAY_VELOCITY,
    SAY_ATTITUDE,
    SAY_ROTVEC,
    SAY_START_COUNT,
    SAY_PROBLEM = SAY_START_COUNT,
    SAY_METHOD,
    SAY_STEP,
    SAY_TIME,
    SAY_FILE,
    SAY_EVERY,
    SAY_OPTION_COUNT, /* the ones above have options too, those below have none */
    SAY_Q = SAY_OPTION_COUNT,
    SAY_W,
    SAY_BODIES,
    SAY_LATTICE,
    SAY_SPACING,
    SAY_NOISE,
    SAY_SEED,
    SAY_BOX,
    SAY_CUTOFF,
    SAY_DIELECTRIC,
    SAY_COUNT,
} scenario_key;

#define SAY_NUMBERS 6 /* at most */

typedef struct setting {
    bool said;
    int line;         /* of the scenario; 0: on the command line */
    const char *text; /* as it stands there; NULL: a sequence of the scenario */
    size_t count;     /* of the numbers, where it is made of numbers */
    double x[SAY_NUMBERS];
    struct fy_node *tree; /* where it is neither numbers nor a text */
} setting;

#define PARAMETER_NAME 64 /* bytes, the NUL counted */

typedef struct parameter {
    char name[PARAMETER_NAME];
    setting value;
} parameter;

typedef struct scenario {
    const char *path; /* of the file, for messages */
    setting value[SAY_COUNT];
    size_t parameters;
    parameter *parameter;
    yaml document; /* the texts live in it */
} scenario;

/* The key as the file has it ("inertia"), how many numbers it takes (0: a text, or what
 * is kept as a tree), and the key that says the same in another way, itself if there is none. */
const char *scenario_key_name(scenario_key key);
size_t scenario_key_numbers(scenario_key key);
scenario_key scenario_key_other(scenario_key key);

/* Reads a file, "-" for standard input, into a scenario that is all zero. False:
 * `message` says where and what is wrong, and what to do. Free it in either case. */
bool scenario_read(scenario *s, const char *path, char message[YAML_MESSAGE]);

/* Adds a parameter whose name has `length` bytes, the value of which the caller fills in.
 * NULL without memory, or if the name is too long. */
setting *scenario_add_parameter(scenario *s, const char *name, size_t length);

/* Reads a list of `count` vectors of `width` numbers each, at a key called `name` in that
 * line: *x is one memory block, the caller's to free. A vector of one number is that
 * number. False: `message` says what is wrong. */
bool scenario_vectors(const scenario *s, const char *name, int line, struct fy_node *list,
                      size_t width, double **x, size_t *count,
                      char message[YAML_MESSAGE]);

/* The same for a single number. */
bool scenario_number(const scenario *s, const char *name, int line, struct fy_node *node,
                     double *x, char message[YAML_MESSAGE]);

/* Visits the keys of a mapping, none of which stands twice, with their lines and values,
 * up to one for which the visitor returns false, having written what is wrong to the
 * message. */
typedef bool scenario_visitor(void *context, const char *key, int line,
                              struct fy_node *value);
bool scenario_mapping(const scenario *s, const char *name, int line,
                      struct fy_node *mapping, scenario_visitor *each, void *context,
                      char message[YAML_MESSAGE]);

/* Writes what is wrong, after the place of the line, to the message; and that a key is
 * unknown where these are known. Both return false. */
__attribute__((format(printf, 4, 5))) bool scenario_wrong(const scenario *s, int line,
                                                          char message[YAML_MESSAGE],
                                                          const char *format, ...);
bool scenario_unknown(const scenario *s, int line, const char *key,
                      const char *const *names, size_t count, char message[YAML_MESSAGE]);

void scenario_free(scenario *s);

#endif
