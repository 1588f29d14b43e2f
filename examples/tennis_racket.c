/* tennis_racket.c - a racket thrown spinning about its middle axis turns over and over.
 *
 * The motion is exact: the flips are found by asking it for instants of our choice, and
 * the time between them is half a period of Jacobi's functions, known in closed form.
 * There is no integration step anywhere. */
#include <math.h>
#include <stdio.h>

#include <polhode/polhode.h>

/* kg m^2 about the handle, across it in the plane of the strings, normal to them. */
static const ph_vec3 I = {0.00121, 0.01638, 0.01748};

/* Whether the middle axis, at first along the angular momentum, now points against it. */
static bool turned_over(const ph_motion *racket, double t)
{
    return ph_motion_at(racket, t).m.y < 0.0;
}

/* The instant between a and b at which it turns, by bisection. */
static double instant_of_flip(const ph_motion *racket, double a, double b)
{
    const bool before = turned_over(racket, a);
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (a + b);
        double *end = turned_over(racket, middle) == before ? &a : &b;
        *end = middle;
    }
    return b;
}

int main(void)
{
    ph_body body;
    ph_motion racket;
    const ph_vec3 m = {0, 12.0 * I.y, 0.05 * I.z}; /* 12 rad/s, a little askew */
    if (ph_body_from_moments(&body, I) != PH_OK ||
        ph_motion_prepare(&racket, &body, &(ph_state){{1, 0, 0, 0}, m}) != PH_OK)
        return 1;

    /* m2(t) = m2(0) sn(rate t + K), whose zeros are 2 K apart, with k'^2 = m3(0)^2/C2. */
    const double c2 = I.z * (I.y - I.x) / (I.y * (I.z - I.x));
    const double C2 = c2 * m.y * m.y + m.z * m.z;
    const double rate = sqrt((I.z - I.y) * (I.z - I.x) / (I.x * I.y) * C2) / I.z;
    const double expected = 2.0 * ph_elliptic_k_c(m.z * m.z / C2) / rate;

    double last = -0.5 * expected; /* the throw is half way between two flips */
    for (int i = 0; i < 100; i++) {
        const double a = 0.05 * i, b = 0.05 * (i + 1);
        if (turned_over(&racket, a) == turned_over(&racket, b))
            continue;
        const double flip = instant_of_flip(&racket, a, b);
        printf("turns over at %.12f s, %.12f s after the last\n", flip, flip - last);
        if (fabs(flip - last - expected) > 1e-12)
            return 1;
        last = flip;
    }
    return last > 4.0 ? 0 : 1;
}
