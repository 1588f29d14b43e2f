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
    PyObject *law;                /* of a control; or NULL */
    const ph_problem *base;       /* the problem to whose torque a function is added; or NULL */
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
    bool many;   /* the torque is called for many at once */
    bool moving; /* it depends on the velocity */
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
    PyObject *time = PyFloat_FromDouble(t), *w = NULL, *result = NULL;
    if (with_w)
        w = f->w_memory.obj;
    if (time != NULL)
        result = PyObject_CallFunctionObjArgs(function, time, f->R_memory.obj, w, NULL);
    Py_XDECREF(time);
    return result;
}

static double python_potential(field *f, double t)
{
    PyObject *result = call(f, f->potential, t, false);
    double value = -1.0;
    if (result != NULL)
        value = PyFloat_AsDouble(result);
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
    if (f->c_potential)
        return f->c_potential(t, f->R);
    return python_potential(f, t);
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
    PyObject *result = call(f, f->torque, now->t, f->moving);
    if (result == NULL || !numbers(result, 3, &torque.x, "the torque")) {
        keep_exception(f);
        torque = (ph_vec3){NAN, NAN, NAN};
    }
    Py_XDECREF(result);
    return torque;
}

/* Added to the torque of the problem that is extended, which takes the values of this one. */
static ph_vec3 added_torque(const ph_problem *p, const ph_instant *now)
{
    const field *f = p->context;
    const ph_vec3 base = f->base->torque(p, now), own = given_torque(p, now);
    return (ph_vec3){base.x + own.x, base.y + own.y, base.z + own.z};
}

static void prepare_added(ph_problem *p)
{
    const field *f = p->context;
    const bool moving = f->moving;
    p->velocity_dependent = f->base->velocity_dependent;
    p->damping = f->base->damping;
    if (f->base->prepare != NULL)
        f->base->prepare(p);
    p->period = 0.0;
    if (moving) {
        p->velocity_dependent = true;
        p->damping = 0.0;
    }
}

/* What a law of Python returns for t, q, R, m, w and what is seen of the sky, as bytes. */
static ph_vec3 python_control(const ph_problem *p, const ph_instant *now)
{
    field *f = p->control_context;
    ph_vec3 held = {NAN, NAN, NAN};
    struct {
        double t;
        ph_quat q;
        ph_mat3 R;
        ph_vec3 m, w;
        ph_surroundings seen;
    } x = {now->t, now->q, now->R, now->m, now->w, {held, held, held, held, held}};
    if (f->raised)
        return held;
    (void)ph_problem_surroundings(p, now, &x.seen);
    PyObject *result = PyObject_CallFunction(f->law, "y#", (const char *)&x, (Py_ssize_t)sizeof x);
    if (result == NULL || !numbers(result, 3, &held.x, "what the control returns")) {
        keep_exception(f);
        held = (ph_vec3){NAN, NAN, NAN};
    }
    Py_XDECREF(result);
    return held;
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
    Py_XDECREF(f->law);
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
        Py_VISIT(f->law);
    }
    return 0;
}

bool field_calls_python(const field *f)
{
    return f != NULL && (f->torque != NULL || f->potential != NULL || f->law != NULL);
}

PyThreadState *field_release(const field *f)
{
    if (field_calls_python(f))
        return NULL;
    return PyEval_SaveThread();
}

/* A NumPy array of that shape, kept by its buffer. */
static bool array_of(Py_buffer *b, const char *shape, Py_ssize_t rows, Py_ssize_t columns)
{
    PyObject *numpy = PyImport_ImportModule("numpy");
    PyObject *array = NULL;
    if (numpy != NULL)
        array = PyObject_CallMethod(numpy, "zeros", shape, rows, columns);
    const bool good = array != NULL && doubles(array, b, true, -1, "R");
    Py_XDECREF(array);
    Py_XDECREF(numpy);
    return good;
}

static PyObject *callable_in(PyObject *parts, Py_ssize_t at)
{
    PyObject *o = PyTuple_GetItem(parts, at);
    if (o == NULL || o == Py_None)
        return NULL;
    return Py_NewRef(o);
}

static void *address_in(PyObject *parts, Py_ssize_t at)
{
    PyObject *o = PyTuple_GetItem(parts, at);
    if (o == NULL || o == Py_None)
        return NULL;
    return PyLong_AsVoidPtr(o);
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

/* Sets the parameters that the problem `base` has, and removes them from the list. */
static bool take_base_parameters(ph_problem *base, ph_parameter *parameters, int *count,
                                 double *value)
{
    int kept = 0;
    for (int i = 0; i < *count; i++) {
        const ph_parameter *known = ph_problem_parameter(base, parameters[i].name);
        if (known == NULL) {
            parameters[kept++] = parameters[i];
            continue;
        }
        if (known->count != parameters[i].count) {
            PyErr_Format(PyExc_ValueError, "parameter %s has %d number%s", known->name,
                         known->count, known->count == 1 ? "" : "s");
            return false;
        }
        memcpy(base->value + known->first, value + parameters[i].first,
               (size_t)known->count * sizeof *value);
    }
    *count = kept;
    if (base->prepare != NULL)
        base->prepare(base);
    return true;
}

/* Finds the problem of the catalog that is extended, if `name` is not NULL. */
static bool find_base(const char *name, ph_problem *base)
{
    const ph_problem *found;
    if (name == NULL)
        return true;
    if (ph_problem_named(name, &found) != PH_OK) {
        PyErr_Format(PyExc_ValueError, "extends: %s is not a problem of one body", name);
        return false;
    }
    *base = *found;
    return true;
}

static bool read_facets(PyObject *given, ph_facet *facets, int *count)
{
    const Py_ssize_t n = PyTuple_Size(given);
    for (Py_ssize_t i = 0; i < n && i < PH_EXPRESSION_FACETS; i++) {
        double x[9];
        if (!numbers(PyTuple_GetItem(given, i), 9, x, "a facet"))
            return false;
        facets[i] = (ph_facet){x[0], {x[1], x[2], x[3]}, {x[4], x[5], x[6]}, x[7], x[8]};
    }
    if (n > PH_EXPRESSION_FACETS)
        *count = PH_EXPRESSION_FACETS + 1;
    else
        *count = (int)n;
    return n >= 0;
}

/* A problem of the texts of (potential, (torque 1, 2, 3), ((parameter, numbers) ...), Body, extends,
 * epoch, (facets ...), tilted dipole, (period, dipole, (law 1, 2, 3), law)); the potential, all
 * torques, Body, extends, epoch, the texts of the law and its function may be None. */
static field *field_of_texts(ph_problem *p, PyObject *parts)
{
    ph_parameter parameters[PH_PARAMETER_VALUES + 1];
    double value[PH_PARAMETER_VALUES], epoch = NAN;
    ph_facet facets[PH_EXPRESSION_FACETS];
    ph_problem base;
    PyObject *given, *of_body, *date, *of_facets, *law;
    const char *extends;
    int tilted, dipole;
    ph_expressions from = {.parameters = parameters, .value = value, .facets = facets};
    if (!PyArg_ParseTuple(parts, "z(zzz)O!OzOO!p(dp(zzz)O)", &from.potential, &from.torque[0],
                          &from.torque[1], &from.torque[2], &PyTuple_Type, &given, &of_body,
                          &extends, &date, &PyTuple_Type, &of_facets, &tilted, &from.control_period,
                          &dipole, &from.control[0], &from.control[1], &from.control[2], &law) ||
        !texts_parameters(given, parameters, &from.parameter_count, value) ||
        !read_facets(of_facets, facets, &from.facet_count) || !find_base(extends, &base) ||
        (extends != NULL && !take_base_parameters(&base, parameters, &from.parameter_count, value)))
        return NULL;
    if (extends != NULL)
        from.extends = &base;
    from.tilted_dipole = tilted;
    from.control_dipole = dipole;
    if (date != Py_None) {
        epoch = PyFloat_AsDouble(date);
        from.epoch = &epoch;
    }
    if (PyErr_Occurred())
        return NULL;
    const ph_body *b = NULL;
    if (of_body != Py_None && (b = body_in(of_body)) == NULL)
        return NULL;
    field *f = calloc(1, sizeof *f);
    if (f == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
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
    if (law != Py_None) {
        f->law = Py_NewRef(law);
        p->control = python_control;
        p->control_context = f;
    }
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
    enum { OF_TEXTS = 9 };
    const char *name, *extends;
    PyObject *of_body, *attitude, *velocity, *unused, *given;
    int moving, many, count = 0;
    ph_problem base;
    if (PyTuple_Size(parts) == OF_TEXTS)
        return field_of_texts(p, parts);
    if (!PyArg_ParseTuple(parts, "sOOOOOOOppzO!", &name, &of_body, &attitude, &velocity, &unused,
                          &unused, &unused, &unused, &moving, &many, &extends, &PyTuple_Type,
                          &given) ||
        !find_base(extends, &base))
        return NULL;
    const ph_body *b = &base.body;
    if (of_body != Py_None || extends == NULL)
        b = body_in(of_body);
    ph_problem made = {.title = "", .cite = "", .velocity_dependent = moving};
    if (b == NULL || !numbers(attitude, 4, &made.q.w, "attitude") ||
        !numbers(velocity, 3, &made.w.x, "velocity"))
        return NULL;
    if (extends != NULL) {
        ph_parameter parameters[PH_PARAMETER_VALUES + 1];
        double value[PH_PARAMETER_VALUES];
        if (!texts_parameters(given, parameters, &count, value) ||
            !take_base_parameters(&base, parameters, &count, value))
            return NULL;
        if (count > 0) {
            PyErr_Format(PyExc_ValueError, "%s has no parameter %s", extends, parameters[0].name);
            return NULL;
        }
        made = base;
    }
    field *f = calloc(1, sizeof *f);
    if (f == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    f->R = f->R_own;
    f->w = f->w_own;
    f->many = many;
    f->moving = moving;
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
    if (extends != NULL)
        (void)ph_problem_named(extends, &f->base);
    if (f->base != NULL && f->base->torque != NULL)
        made.torque = added_torque;
    if (f->base != NULL) {
        made.prepare = prepare_added;
        made.nonconservative = true;
        made.derivative = NULL;
        made.derivatives = NULL;
        made.torque_lanes = NULL;
        made.exact = NULL;
        made.invariant_count = 0;
        prepare_added(&made);
    }
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
    own_scheme *s = NULL;
    if (count > 0)
        s = calloc(1, sizeof *s + (size_t)count * sizeof(double));
    if (s == NULL) {
        if (count < 0)
            return false;
        PyErr_NoMemory();
        return false;
    }
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
        PyErr_Format(PyExc_ValueError, "the drift of a scheme must be a flow, and %s is not one",
                     flow);
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
    if (name == NULL)
        return false;
    const ph_status status = ph_integrator_named(name, out);
    if (status != PH_OK)
        (void)fail(status, name);
    return status == PH_OK;
}
