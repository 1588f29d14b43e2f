/* mujoco_step.c - a free body of MuJoCo that turns exactly. The program checks its own result.
 *
 *     cc -Iinclude examples/engines/mujoco_step.c -o mujoco_step -lmujoco -lm
 *
 * It needs MuJoCo 2.2 or later, a body with one free joint and nothing attached, whose frame is that of its
 * principal axes (body_iquat is 1, 0, 0, 0, body_ipos is 0), and the integrator Euler. */
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>

#include "polhode_step.h"

static const char model[] =
    "<mujoco><option timestep='0.01'/><worldbody>"
    "<geom type='plane' size='9 9 1'/>"
    "<body pos='0 0 3'><freejoint/><inertial pos='0 0 0' mass='1' diaginertia='0.01 0.02 0.028'/>"
    "<geom type='box' size='.2 .15 .05'/></body></worldbody></mujoco>";

/* mj_step() with an exact rotation of the free body: contacts and torques change the velocity first. */
static void step_exactly(const mjModel *m, mjData *d, int body)
{
    const int joint = m->body_jntadr[body];
    mjtNum *const q = d->qpos + m->jnt_qposadr[joint] + 3; /* body to space, scalar first */
    mjtNum *const w = d->qvel + m->jnt_dofadr[joint] + 3;  /* in the body */
    const mjtNum began[4] = {q[0], q[1], q[2], q[3]};
    mj_step1(m, d);
    for (int i = 0; i < 3; i++) { /* cancels w x Jw, which the exact step contains */
        const int dof = m->jnt_dofadr[joint] + 3 + i;
        d->qfrc_applied[dof] = d->qfrc_bias[dof];
    }
    mj_step2(m, d);
    memcpy(q, began, sizeof began);
    polhode_step(q, w, m->body_inertia + 3 * body, m->opt.timestep);
}

int main(void)
{
    char why[1000] = "";
    const char *const file = "model.xml";
    mjVFS vfs;
    mj_defaultVFS(&vfs);
    if (mj_makeEmptyFileVFS(&vfs, file, (int)sizeof model) < 0)
        return 1;
    memcpy(vfs.filedata[0], model, sizeof model);
    mjModel *m = mj_loadXML(file, &vfs, why, sizeof why);
    if (m == NULL) {
        printf("%s\n", why);
        return 1;
    }
    mjData *d = mj_makeData(m);
    const double J[3] = {0.01, 0.02, 0.028};
    double q[4] = {1, 0, 0, 0}, w[3] = {0.1, 9.0, 0.2}, flight = 0.0, lowest = 9.0;
    memcpy(d->qvel + 3, w, sizeof w);
    for (int n = 0; n < 1000; n++) {
        step_exactly(m, d, 1);
        if (n < 60) { /* before it hits the floor */
            polhode_step(q, w, J, m->opt.timestep);
            for (int i = 0; i < 4; i++)
                flight =
                    fabs(q[i] - d->qpos[3 + i]) > flight ? fabs(q[i] - d->qpos[3 + i]) : flight;
        }
        lowest = d->qpos[2] < lowest ? d->qpos[2] : lowest;
    }
    const double speed =
        sqrt(d->qvel[3] * d->qvel[3] + d->qvel[4] * d->qvel[4] + d->qvel[5] * d->qvel[5]);
    printf("attitude in flight, error %.1e; on the floor: lowest %.3f, angular velocity %.1e\n",
           flight, lowest, speed);
    const int good = flight < 1e-9 && lowest > 0.03 && speed < 0.01;
    mj_deleteData(d);
    mj_deleteModel(m);
    return good ? 0 : 1;
}
