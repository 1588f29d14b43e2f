/* own.c - what the user gives of his own: a torque or a potential, as functions or as texts,
 * the coefficients of a scheme.
 *
 * A torque of Python is called with the time and an array R that is refilled for every call;
 * when a call raises, the exception is kept, everything is NaN from there on, and the step,
 * which then fails, leaves the state as it was. A potential without a torque is
 * differentiated along R exp(s hat(e_k)), by six points of the spacing d:
 *
 *   U' = (45 (U1 - U-1) - 9 (U2 - U-2) + (U3 - U-3)) / (60 d) + O(d^6)
 */
#include "core.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* C functions of the user: R row-major, body to space; all vectors in the body frame. */
typedef void torque_of_attitude(double t, const double *R, double *torque);
typedef void torque_of_motion(double t, const double *R, const double *w, double *torque);
typedef double potential_of_attitude(double t, const double *R);

struct field {
    PyObject *torque, *potential; /* callables, or NULL */
    torque_of_attitude *of_attitude;
    torque_of_motion *of_motion;
    potential_of_attitude *c_potential;
    Py_buffer R_memory, w_memory; /* NumPy arrays, the arguments of calls of Python */
    double R_own[9], w_own[3];    /* instead of them, if there are none */
    double *R, *w;
    char name[160];
    ph_problem of_texts;                /* to be released */
    PyObject *type, *value, *traceback; /* of the exception that a call raised */
    bool raised;
    bool many; /* the torque is called for many at once */
};

/* ---- calls of Python ------------------------------------------------------------- */

static void keep_exception(field *f)
{
    f->raised = true;
    PyErr_Fetch(&f->type, &f->value, &f->traceback);
}

bool field_raised(field *f)
{
    if (f == NULL || !f->raised)
        return false;
    PyErr_Restore(f->type, f->value, f->traceback);
    f->type = f->value = f->traceback = NULL;
    f->raised = false;
    return true;
}

static PyObject *call(field *f, PyObject *function, double t, bool with_w)
{
    PyObject *time = PyFloat_FromDouble(t);
    PyObject *result = time ? PyObject_CallFunctionObjArgs(function, time, f->R_memory.obj,
                                                           with_w ? f->w_memory.obj : NULL, NULL)
                            : NULL;
    Py_XDECREF(time);
    return result;
}

static double python_potential(field *f, double t)
{
    PyObject *result = call(f, f->potential, t, false);
    const double value = result ? PyFloat_AsDouble(result) : -1.0;
    Py_XDECREF(result);
    if (value == -1.0 && PyErr_Occurred()) {
        keep_exception(f);
        return NAN;
    }
    return value;
}

/* ---- the functions of the problem ------------------------------------------------ */

static double potential_at(field *f, double t, const ph_mat3 *R)
{
    if (f->raised)
        return NAN;
    memcpy(f->R, R, sizeof *R);
    return f->c_potential ? f->c_potential(t, f->R) : python_potential(f, t);
}

static double potential(const ph_problem *p, const ph_instant *now)
{
    return potential_at(p->context, now->t, &now->R);
}

/* By one call, with the bytes of t, R and w of each, that returns an array (count, 3). */
static void torque_many(const ph_problem *const *p, size_t count, const ph_instant *now,
                        ph_vec3 *torque)
{
    enum { NUMBERS = 13 };
    field *f = p[0]->context;
    double x[PH_LANES][NUMBERS];
    Py_buffer held;
    for (size_t i = 0; i < count; i++) {
        torque[i] = (ph_vec3){NAN, NAN, NAN};
        x[i][0] = now[i].t;
        memcpy(x[i] + 1, &now[i].R, sizeof now[i].R);
        memcpy(x[i] + 10, &now[i].w, sizeof now[i].w);
    }
    if (f->raised)
        return;
    PyObject *result = PyObject_CallFunction(f->torque, "y#n", (const char *)x,
                                             (Py_ssize_t)(count * sizeof x[0]), (Py_ssize_t)count);
    if (result != NULL && doubles(result, &held, false, 3 * (Py_ssize_t)count, "the torque")) {
        memcpy(torque, held.buf, count * sizeof *torque);
        PyBuffer_Release(&held);
    } else {
        keep_exception(f);
    }
    Py_XDECREF(result);
}

static ph_vec3 given_torque(const ph_problem *p, const ph_instant *now)
{
    field *f = p->context;
    ph_vec3 torque = {NAN, NAN, NAN};
    if (f->many)
        torque_many(&p, 1, now, &torque);
    if (f->raised || f->many)
        return torque;
    memcpy(f->R, &now->R, sizeof now->R);
    memcpy(f->w, &now->w, sizeof now->w);
    if (f->of_attitude != NULL) {
        f->of_attitude(now->t, f->R, &torque.x);
        return torque;
    }
    if (f->of_motion != NULL) {
        f->of_motion(now->t, f->R, f->w, &torque.x);
        return torque;
    }
    PyObject *result = call(f, f->torque, now->t, p->velocity_dependent);
    if (result == NULL || !numbers(result, 3, &torque.x, "the torque")) {
        keep_exception(f);
        torque = (ph_vec3){NAN, NAN, NAN};
    }
    Py_XDECREF(result);
    return torque;
}

/* The torque of a potential by differences; error some 1e-13 where the potential varies over
 * a radian. */
static ph_vec3 differences(const ph_problem *p, const ph_instant *now)
{
    enum { POINTS = 3 };
    static const double weight[POINTS] = {45.0, -9.0, 1.0}, all = 60.0, d = 0x1p-6;
    double torque[3];
    for (int k = 0; k < 3; k++) {
        double sum = 0.0;
        for (int j = 0; j < POINTS; j++) {
            double turn[3] = {0, 0, 0}, u[2];
            for (int side = 0; side < 2; side++) {
                turn[k] = (side ? -d : d) * (j + 1);
                const ph_quat q =
                    ph_quat_product(now->q, ph_rotation_exp((ph_vec3){turn[0], turn[1], turn[2]}));
                const ph_mat3 R = ph_quat_matrix(q);
                u[side] = potential_at(p->context, now->t, &R);
            }
            sum += weight[j] * (u[0] - u[1]);
        }
        torque[k] = -sum / (all * d);
    }
    return (ph_vec3){torque[0], torque[1], torque[2]};
}

/* ---- making one ------------------------------------------------------------------ */

void field_free(field *f)
{
    if (f == NULL)
        return;
    Py_XDECREF(f->torque);
    Py_XDECREF(f->potential);
    if (f->R_memory.obj != NULL)
        PyBuffer_Release(&f->R_memory);
    if (f->w_memory.obj != NULL)
        PyBuffer_Release(&f->w_memory);
    Py_XDECREF(f->type);
    Py_XDECREF(f->value);
    Py_XDECREF(f->traceback);
    ph_problem_release(&f->of_texts);
    free(f);
}

int field_visit(const field *f, visitproc visit, void *arg)
{
    if (f != NULL) {
        Py_VISIT(f->torque);
        Py_VISIT(f->potential);
    }
    return 0;
}

bool field_calls_python(const field *f)
{
    return f != NULL && (f->torque != NULL || f->potential != NULL);
}

/* A NumPy array of that shape, kept by its buffer. */
static bool array_of(Py_buffer *b, const char *shape, Py_ssize_t rows, Py_ssize_t columns)
{
    PyObject *numpy = PyImport_ImportModule("numpy");
    PyObject *array = numpy ? PyObject_CallMethod(numpy, "zeros", shape, rows, columns) : NULL;
    const bool good = array != NULL && doubles(array, b, true, -1, "R");
    Py_XDECREF(array);
    Py_XDECREF(numpy);
    return good;
}

static PyObject *callable_in(PyObject *parts, Py_ssize_t at)
{
    PyObject *o = PyTuple_GetItem(parts, at);
    return o == NULL || o == Py_None ? NULL : Py_NewRef(o);
}

static void *address_in(PyObject *parts, Py_ssize_t at)
{
    PyObject *o = PyTuple_GetItem(parts, at);
    return o == NULL || o == Py_None ? NULL : PyLong_AsVoidPtr(o);
}

/* The parameters of texts, as many as there can be and one more, which is refused. */
static bool texts_parameters(PyObject *given, ph_parameter *parameters, int *count, double *value)
{
    int first = 0;
    for (Py_ssize_t i = 0; i < PyTuple_Size(given) && i <= PH_PARAMETER_VALUES; i++) {
        const char *name;
        PyObject *values;
        if (!PyArg_ParseTuple(PyTuple_GetItem(given, i), "sO", &name, &values))
            return false;
        const Py_ssize_t n = PySequence_Size(values);
        if (n < 0)
            return false;
        if (first + n <= PH_PARAMETER_VALUES && !numbers(values, n, value + first, name))
            return false;
        parameters[*count] = (ph_parameter){.name = name, .first = first, .count = (int)n};
        ++*count;
        first += (int)n;
    }
    return true;
}

/* A problem of the texts of (potential, (torque 1, 2, 3), ((parameter, numbers) ...), Body);
 * potential, all torques and Body may be None. */
static field *field_of_texts(ph_problem *p, PyObject *parts)
{
    ph_parameter parameters[PH_PARAMETER_VALUES + 1];
    double value[PH_PARAMETER_VALUES];
    PyObject *given, *of_body;
    ph_expressions from = {.parameters = parameters, .value = value};
    if (!PyArg_ParseTuple(parts, "z(zzz)O!O", &from.potential, &from.torque[0], &from.torque[1],
                          &from.torque[2], &PyTuple_Type, &given, &of_body) ||
        !texts_parameters(given, parameters, &from.parameter_count, value))
        return NULL;
    const ph_body *b = of_body == Py_None ? NULL : body_in(of_body);
    field *f = b != NULL || of_body == Py_None ? calloc(1, sizeof *f) : NULL;
    if (f == NULL && !PyErr_Occurred())
        PyErr_NoMemory();
    if (f == NULL)
        return NULL;
    ph_expressions_error why;
    const ph_status status = ph_problem_from_expressions(&from, &f->of_texts, &why);
    if (status != PH_OK) {
        if (status == PH_BAD_EXPRESSION)
            PyErr_Format(PyExc_ValueError, "%s, column %d: %s", why.where, why.error.column,
                         why.error.text);
        else
            (void)fail(status, NULL);
        free(f);
        return NULL;
    }
    *p = f->of_texts;
    if (b != NULL)
        p->body = *b;
    return f;
}

PyObject *core_texts(PyObject *self, PyObject *parts)
{
    (void)self;
    ph_problem p;
    field *f = field_of_texts(&p, parts);
    if (f == NULL)
        return NULL;
    const bool moving = p.velocity_dependent;
    field_free(f);
    return PyBool_FromLong(moving);
}

field *field_new(ph_problem *p, PyObject *parts)
{
    enum { OF_TEXTS = 4 };
    const char *name;
    PyObject *of_body, *attitude, *velocity, *unused;
    int moving, many;
    if (PyTuple_Size(parts) == OF_TEXTS)
        return field_of_texts(p, parts);
    if (!PyArg_ParseTuple(parts, "sOOOOOOOpp", &name, &of_body, &attitude, &velocity, &unused,
                          &unused, &unused, &unused, &moving, &many))
        return NULL;
    const ph_body *b = body_in(of_body);
    ph_problem made = {.title = "", .cite = "", .velocity_dependent = moving};
    if (b == NULL || !numbers(attitude, 4, &made.q.w, "attitude") ||
        !numbers(velocity, 3, &made.w.x, "velocity"))
        return NULL;
    field *f = calloc(1, sizeof *f);
    if (f == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    f->R = f->R_own;
    f->w = f->w_own;
    f->many = many;
    f->torque = callable_in(parts, 4);
    f->potential = callable_in(parts, 5);
    if (moving)
        f->of_motion = (torque_of_motion *)address_in(parts, 6);
    else
        f->of_attitude = (torque_of_attitude *)address_in(parts, 6);
    f->c_potential = (potential_of_attitude *)address_in(parts, 7);
    if (field_calls_python(f) && !PyErr_Occurred() && array_of(&f->R_memory, "((nn))", 3, 3) &&
        array_of(&f->w_memory, "(n)", 3, 0)) {
        f->R = f->R_memory.buf;
        f->w = f->w_memory.buf;
    }
    if (PyErr_Occurred()) {
        field_free(f);
        return NULL;
    }
    (void)snprintf(f->name, sizeof f->name, "%s", name);
    made.name = f->name;
    made.body = *b;
    made.context = f;
    if (f->potential || f->c_potential)
        made.potential = potential;
    if (f->torque || f->of_attitude || f->of_motion)
        made.torque = given_torque;
    if (f->many)
        made.torque_many = torque_many;
    if (made.torque == NULL && made.potential)
        made.torque = differences;
    *p = made;
    return f;
}

/* ---- integrators ----------------------------------------------------------------- */

struct own_scheme {
    ph_scheme scheme;
    char name[PH_INTEGRATOR_NAME];
    double half[];
};

static bool scheme_of(PyObject *parts, ph_integrator *out, own_scheme **own)
{
    const char *name, *flow;
    int order, kick_first;
    PyObject *half;
    if (!PyArg_ParseTuple(parts, "sipOs", &name, &order, &kick_first, &half, &flow))
        return false;
    const Py_ssize_t count = PySequence_Size(half);
    own_scheme *s = count > 0 ? calloc(1, sizeof *s + (size_t)count * sizeof(double)) : NULL;
    if (s == NULL)
        return count < 0 ? false : (PyErr_NoMemory(), false);
    (void)snprintf(s->name, sizeof s->name, "%s", name);
    s->scheme = (ph_scheme){.name = s->name,
                            .title = "",
                            .cite = "",
                            .order = order,
                            .kick_first = kick_first,
                            .stages = (int)(2 * count - 1),
                            .half = s->half};
    const ph_status status = ph_integrator_named(flow, out);
    if (status != PH_OK)
        (void)fail(status, flow);
    else if (out->flow == NULL || out->scheme != NULL || out->whole != NULL)
        PyErr_Format(PyExc_ValueError, "the drift of a scheme is a flow, and %s is none", flow);
    else if (numbers(half, count, s->half, "the coefficients")) {
        out->scheme = &s->scheme;
        *own = s;
        return true;
    }
    free(s);
    return false;
}

bool integrator_of(PyObject *o, ph_integrator *out, own_scheme **own)
{
    *own = NULL;
    if (PyTuple_Check(o))
        return scheme_of(o, out, own);
    const char *name = PyUnicode_AsUTF8AndSize(o, NULL);
    const ph_status status = name ? ph_integrator_named(name, out) : PH_OK;
    if (status != PH_OK)
        (void)fail(status, name);
    return name != NULL && status == PH_OK;
}
