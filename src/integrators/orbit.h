/* orbit.h - the values of the problem `spacecraft`, in their order: its parameters, then what follows
 * from them. Expressions take the orbit and the field of the Earth from here. */
#pragma once

enum {
    MU,
    SEMI_MAJOR_AXIS,
    ECCENTRICITY,
    INCLINATION,
    NODE,
    PERIGEE,
    ANOMALY,
    GRAVITY_GRADIENT,
    DIPOLE,
    EARTH_DIPOLE = DIPOLE + 3,
    TORQUE = EARTH_DIPOLE + 3,
    TORQUE_SPACE = TORQUE + 3,
    DAMPING = TORQUE_SPACE + 3,
    WHEELS,
    EARTH_RATE = WHEELS + 3,
    /* follows from these, by prepare_spacecraft(): the quaternion of the perigee's frame */
    PLANE,
    SPACECRAFT_VALUES = PLANE + 4
};
