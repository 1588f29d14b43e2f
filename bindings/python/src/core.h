/* core.h - what the files of the extension share: errors, arrays, objects.
 *
 * The extension is written against the stable ABI of Python 3.11 and knows nothing of NumPy:
 * arrays come and go by the buffer protocol. Names, defaults and messages for people are in
 * the Python layer, which is the only caller.
 */
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdio.h>

#include <polhode/expression.h>
#include <polhode/polhode.h>
#include <polhode/system.h>

/* ---- errors ---------------------------------------------------------------------- */

/* The exception of a status, with its sentence and, unless NULL, what it is about; returns
 * NULL. MemoryError, RunError for a run that failed, SnapshotError, else ValueError. */
PyObject *fail(ph_status status, const char *about);

/* None if a status is PH_OK, otherwise what fail() returns. */
static inline PyObject *none_if_ok(ph_status status, const char *about)
{
    if (status == PH_OK)
        return Py_NewRef(Py_None);
    return fail(status, about);
}

/* What add_TYPES() returns: 0 if the type was made, -1 with an exception. */
static inline int added(const PyTypeObject *type)
{
    if (type == NULL)
        return -1;
    return 0;
}

/* True or False, borrowed. */
static inline PyObject *truth(bool holds)
{
    return holds ? Py_True : Py_False;
}

/* An object that was given, or NULL of None. */
static inline PyObject *unless_none(PyObject *o)
{
    return o == Py_None ? NULL : o;
}

/* ---- arrays ---------------------------------------------------------------------- */

/* Gets the `count` doubles of a C-contiguous float64 array, or any number of them if `count` is
 * negative. Returns true with *b filled; the caller must call PyBuffer_Release(b). Returns false with
 * an exception set. */
bool doubles(PyObject *o, Py_buffer *b, bool writable, Py_ssize_t count, const char *name);

/* `count` numbers of an array or a sequence, to `to`. False with an exception. */
bool numbers(PyObject *o, Py_ssize_t count, double *to, const char *name);

/* A number of steps, a uint64_t, for PyArg_ParseTuple: 1, or 0 with an exception. */
int read_steps(PyObject *o, void *steps);

/* The windows of a list as bytes, five doubles each: its event, enter, leave, extremum_time and
 * extremum. */
PyObject *window_bytes(const ph_window_list *list);

/* A tuple of floats. Of a parameter: one number as a float, several as a tuple. */
PyObject *tuple_of(const double *from, Py_ssize_t count);
PyObject *values_of(const double *from, Py_ssize_t count);

/* An array in memory that belongs to `owner`, which it keeps alive: component k of entry i
 * is at from + k * across + i * along, in doubles; one entry without `list` has one
 * dimension. Read-only. */
PyObject *view_of(PyObject *owner, double *from, int width, Py_ssize_t across, Py_ssize_t count,
                  Py_ssize_t along, bool list);

/* ---- objects --------------------------------------------------------------------- */

/* The body in a Body, or NULL with an exception. */
const ph_body *body_in(PyObject *o);

/* Adds the types and functions of a file to the module; -1 with an exception. */
int add_arrays(PyObject *module);
int add_bodies(PyObject *module);
int add_systems(PyObject *module);
int add_ensembles(PyObject *module);

/* Makes a type and adds it to a module; NULL with an exception. */
PyTypeObject *add_type(PyObject *module, PyType_Spec *spec);

/* The memory of an object of a type, from tp_alloc; and its end. */
void *object_new(PyTypeObject *type);
void object_free(PyObject *self);

/* ---- what the user gave ---------------------------------------------------------- */

/* A field that the user gave: functions of Python, addresses of C functions, or texts. */
typedef struct field field;

/* Fills a problem from the tuple that polhode.Problem makes:
 * (name, Body, attitude, velocity, torque, potential, torque address, potential address,
 * velocity_dependent, many); or of texts, (potential, (torque 1, 2, 3), parameters, Body), see
 * own.c. NULL with an exception; free it with field_free(), after the problem's last use. */
field *field_new(ph_problem *p, PyObject *parts);
void field_free(field *f);

/* Returns true if the field calls Python, and so needs the lock. */
bool field_calls_python(const field *f);

/* Releases the lock unless the field calls Python; NULL if it did not. */
PyThreadState *field_release(const field *f);

/* If a callback raised, makes its exception current again, clears the record and returns true. */
bool field_raised(field *f);
int field_visit(const field *f, visitproc visit, void *arg);

/* An integrator of a name, or of coefficients: the tuple that polhode.Scheme makes,
 * (name, order, kick_first, half of the coefficients, flow). */
typedef struct own_scheme own_scheme;

/* False with an exception. *own is to be freed by free(); NULL for a name. */
bool integrator_of(PyObject *o, ph_integrator *out, own_scheme **own);

/* Settings of dictionaries of names and numbers, parameters and start. None adds nothing; false
 * with an exception. */
typedef struct settings {
    ph_setting *list;
    size_t count;
} settings;
bool settings_add(settings *s, PyObject *from);
void settings_free(settings *s);

/* The first few warnings of the library while a system or an ensemble is created, for which the
 * lock may be released. */
enum { MOST_WARNINGS = 8 };
typedef struct warned {
    int count;
    ph_message all[MOST_WARNINGS];
} warned;

/* The callback `warn` of ph_system_settings; its context is a `warned`. */
void warned_keep(void *context, const ph_message *w);

/* Returns the texts as a new tuple, or NULL with an exception set. */
PyObject *warned_tuple(const warned *from);

/* ---- functions of the module, each with its file --------------------------------- */

PyObject *core_catalog(PyObject *self, PyObject *args);
PyObject *core_batch_step(PyObject *self, PyObject *args);
PyObject *core_batch_kick(PyObject *self, PyObject *args);
PyObject *core_sheet(PyObject *self, PyObject *args);
PyObject *core_bits(PyObject *self, PyObject *args);
PyObject *core_units(PyObject *self, PyObject *args);
PyObject *core_fit(PyObject *self, PyObject *args);
PyObject *core_draw(PyObject *self, PyObject *args);
/* texts(...): reads texts, the four above; whether the torque depends on the velocity. */
PyObject *core_texts(PyObject *self, PyObject *parts);
PyObject *core_note(PyObject *self, PyObject *args);

/* ---- long work ------------------------------------------------------------------- */

/* Work without the lock of the interpreter, which looks for Ctrl-C from time to time. */
typedef struct work {
    PyThreadState *thread; /* while the lock is released */
    bool keeps_lock;
    double last; /* when it looked last, in seconds */
    /* The progress callback (borrowed; NULL: none), called with `done`, in any unit, at most ten
     * times a second. */
    PyObject *progress;
    double told;
    bool stopped; /* by Ctrl-C or an exception, which is then set */
} work;

void work_begin(work *w, bool keeps_lock, PyObject *progress);
/* Whether to go on; cheap enough for every step that takes a microsecond. */
bool work_goes_on(work *w, double done);
/* False if it was stopped. */
bool work_end(work *w);

double seconds_now(void);
