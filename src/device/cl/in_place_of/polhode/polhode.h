/* polhode.h - in place of include/polhode/polhode.h on a device, which has no pointers to
 * functions: the values of that header. src/device/bodies.c checks that the numbers agree. */
#include "polhode/elliptic.h"
#include "polhode/rotation.h"

typedef enum ph_status {
    PH_OK = 0,
    PH_BAD_INERTIA = 1,
    PH_BAD_STATE = 2,
    PH_BAD_STEP = 3,
    PH_NO_CONVERGENCE = 4,
    PH_NOT_FINITE = 5,
    PH_NOT_APPLICABLE = 6,
} ph_status;

typedef struct ph_body {
    ph_vec3 J;
    ph_quat axes;
    bool principal;
} ph_body;

#define PH_MOMENTS(x, y, z)                                                              \
    {                                                                                    \
        {(x), (y), (z)}, {1, 0, 0, 0}, true                                              \
    }

typedef struct ph_state {
    ph_quat q;
    ph_vec3 m;
} ph_state;

enum { PH_MOTION_DOUBLES = 96 };

typedef struct ph_motion {
    double opaque[PH_MOTION_DOUBLES];
} ph_motion;

#define PH_EXACT 0

typedef struct ph_flow {
    int order;
    const void *data;
} ph_flow;

/* What stands for a pointer to a function. */
typedef int ph_celledoni_form_pointer, ph_dmv_planner_pointer;

typedef struct ph_batch {
    size_t n;
    double *q[4];
    double *m[3];
    const double *J[3];
} ph_batch;

enum { PH_PARAMETER_VALUES = 32 };

typedef struct ph_instant {
    double t;
    ph_quat q;
    ph_mat3 R;
    ph_vec3 m, w;
} ph_instant;

typedef struct ph_problem {
    ph_body body;
    bool velocity_dependent;
    ph_quat q;
    ph_vec3 w;
    double value[PH_PARAMETER_VALUES];
} ph_problem;

static inline ph_vec3 ph_body_momentum(const ph_body *b, ph_vec3 w)
{
    return (ph_vec3){b->J.x * w.x, b->J.y * w.y, b->J.z * w.z};
}
