/* scenario.h - the settings of a run: from a scenario file, from options, or from both.
 *
 * A scenario is a YAML mapping:
 *
 *     problem: free
 *     parameters: {name: 1, other: [1, 2, 3]}
 *     inertia: [0.376, 0.627, 1]     # or tensor: [xx, yy, zz, xy, xz, yz]
 *     rotvec: [0.1, 0, 0]            # or attitude: [w, x, y, z], {euler_zyx: [a, b, c]}
 *     velocity: [0, 2, 0.01]         # or momentum: [x, y, z]
 *     method: dmv8
 *     step: 0.1
 *     time: 40                       # and perhaps until: R33 < 0, tolerance: 1e-12
 *     output: {file: book.csv, every: 10}
 *     methods: [dmv8, sr2:suzuki4]   # those of a comparison, each as at method; and its
 *     steps: [0.4, 0.2, 0.1]
 *
 * A problem may also be {potential: EXPRESSION}, {torque: [E1, E2, E3]} or both, in the
 * names of polhode/expression.h and the parameters; own_field.h has its other keys. These may stand
 * beside a problem on an orbit:
 *
 *     wheel: [{axis: [0, 0, 1], inertia: 0.001, speed: 3000rpm}]
 *     control: {period: 0.5s, torque: [E1, E2, E3]}
 *     epoch: 2026-01-01T00:00:00
 *
 * Spheres begin with q and w, lists of vectors; molecules with bodies, lists of their own
 * or a lattice, and perhaps a box with its cut-off.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include <libfyaml.h>

#include "tool/files/keys.h"

#define YAML_MESSAGE 300 /* bytes */

/* A file with one YAML document, read whole by libfyaml. */
typedef struct yaml {
    char *text; /* the file; the document points into it */
    size_t length;
    struct fy_diag *complaints;
    struct fy_parser *parser;
    struct fy_document *document;
    struct fy_node *root; /* NULL if the file is empty */
} yaml;

#define KEY_NUMBERS   6  /* at most */
#define ATTITUDE_FORM 16 /* bytes, the NUL counted */
#define ATTITUDE_AXES 6  /* where the axes of euler_zyx begin */

/* The value of a key, as it was given. */
typedef struct setting {
    const char *name;
    bool is_set;
    bool of_start;    /* a part of the start, not a parameter */
    bool of_rows;     /* KEY_STEP: the interval of the rows; nobody asked for a step */
    int line;         /* of the scenario; 0 for an option */
    const char *text; /* as it was written; NULL for a sequence or mapping */
    size_t count;     /* of its numbers */
    double x[KEY_NUMBERS];
    const char *unit[KEY_NUMBERS]; /* of each number, see quantity_read(); NULL if it has none */
    struct fy_node *tree;          /* of a value that is neither numbers nor a text */
    char form[ATTITUDE_FORM];      /* of an attitude: "xyzw", "euler_zyx"; empty for w, x, y, z */
} setting;

/* The text of a problem that is a mapping of expressions. The mapping is its tree. */
#define SCENARIO_EXPRESSION "expression"

#define PARAMETER_NAME 64 /* bytes, the NUL counted */

typedef struct scenario {
    const char *path; /* of the file, for messages */
    setting value[KEY_COUNT];
    size_t named_count;
    setting *named;             /* the parts of the start and the parameters, in their order */
    bool degrees;               /* angles without a unit are in degrees */
    yaml *document;             /* owns the texts */
    char message[YAML_MESSAGE]; /* says where and what is wrong, and what to do */
} scenario;

/* The functions below that return bool return false on an error, and write the message. */

/* Reads a file, "-" for standard input, into a scenario that is all zero. */
bool scenario_read(scenario *s, const char *path);

/* Stores the form of an attitude and the number of its numbers. The form "xyzw" is a quaternion
 * whose scalar part is last, "euler_zyx" and the like are Euler angles, "euler" is euler_zxz.
 * Returns false for any other form, without a message. */
bool attitude_form(setting *value, const char *form, size_t length);

/* Takes the text of a parameter that is no list of numbers: the file of a table over time, or one
 * of the words that its problem has as choices, as in model=tip4p. Returns false if it is neither;
 * *choices is then set to the words if the text has to be one of them. */
bool scenario_take_word(setting *parameter, const char *text, const char **choices);

/* Returns the part of the start of that name that is set, or NULL. */
setting *scenario_start(const scenario *s, const char *name);

/* Adds a part of the start. It replaces one of the same name, and one that sets the same
 * quantity. */
setting *scenario_add_start(scenario *s, const setting_key *k);

/* Adds a parameter whose name has `length` bytes. The caller fills in its value. Returns NULL if
 * the name is too long. */
setting *scenario_add_parameter(scenario *s, const char *name, size_t length);

/* Returns the text of a scalar, or NULL on an error. `name` and `line` are those of its key. */
const char *scenario_text(scenario *s, int line, const char *name, struct fy_node *node);

/* Reads a number, and converts it to the unit `of`, see quantity_convert(). `name` and `line` are
 * those of its key. */
bool scenario_number(scenario *s, int line, const char *name, struct fy_node *node, const char *of,
                     double *x);

/* Reads a list of vectors of `width` numbers, and converts them to the unit `of`. A vector of
 * one number is written as this number. Stores the numbers in *x and the number of vectors in
 * *count. */
bool scenario_vectors(scenario *s, int line, const char *name, struct fy_node *list, const char *of,
                      size_t width, double **x, size_t *count);

/* Calls `each` for the keys of a mapping, with their lines and values, until it returns false. A
 * key that stands twice is an error. */
typedef bool scenario_visitor(void *context, scenario *s, const char *key, int line,
                              struct fy_node *value);
bool scenario_mapping(scenario *s, int line, const char *what, struct fy_node *mapping,
                      scenario_visitor *each, void *context);

/* These write the message, and return false: the first one for any error in a line, the second one
 * for an unknown key, where `names` are the known ones. */
__attribute__((format(printf, 3, 4))) bool scenario_wrong(scenario *s, int line, const char *format,
                                                          ...);
bool scenario_unknown(scenario *s, int line, const char *key, const char *const *names,
                      size_t count);
