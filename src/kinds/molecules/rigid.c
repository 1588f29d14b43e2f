/* rigid.c - what laws of rigid molecules of sites have in common. */
#include "kinds/molecules/rigid.h"

#include <math.h>

#include "base/counter_random.h"
#include "base/extremes.h"
#include "motion/vec.h"

void ph_molecules_set_alike(ph_molecules *s, double mass, ph_vec3 J, ph_vec3 dipole, double density)
{
    const double unit_of_mass = 1.6605390666; /* kg nm^3/m^3 */
    const double most = 0.9, volume = (double)s->n * mass * unit_of_mass / density,
                 edge = ph_pow(volume, 1.0 / 3.0);
    s->box = vec3(edge, edge, edge);
    if (!(s->cutoff > 0.0)) {
        if (0.5 * edge < most)
            s->cutoff = 0.5 * edge;
        else
            s->cutoff = most;
    }
    for (size_t i = 0; i < s->n; i++) {
        s->mass[i] = mass;
        set_vec3(s->J, i, J);
        set_vec3(s->dipole, i, dipole);
    }
}

void ph_molecules_place(ph_molecules *s, double noise, double seed)
{
    size_t side = 1;
    while (side * side * side < s->n)
        side++;
    const double spacing = s->box.x / (double)side;
    for (size_t i = 0; i < s->n; i++) {
        const size_t at[3] = {i % side, i / side % side, i / side / side};
        double xi[6];
        for (uint64_t k = 0; k < 3; k++)
            normal_pair_of((const uint64_t[]){(uint64_t)seed, 2}, (const uint64_t[]){i, k},
                           xi + 2 * k);
        for (int k = 0; k < 3; k++)
            s->x[k][i] = spacing * ((double)at[k] + noise * xi[k]);
        const ph_quat turned = ph_rotation_exp(scale(noise, vec3(xi[3], xi[4], xi[5]))),
                      over = {0, 1, 0, 0};
        set_quat(s->q, i, (at[0] + at[1] + at[2]) % 2 ? mul(turned, over) : turned);
    }
}

ph_status ph_sites_shape(const ph_site *site, size_t n, rigid_shape *out)
{
    const double zero = 1e-12, thin = 1e-6; /* products and moments, of the largest moment */
    ph_vec3 centre = {0, 0, 0};
    rigid_shape s = {0};
    for (size_t i = 0; i < n; i++) {
        s.mass += site[i].mass;
        centre =
            add(centre, scale(site[i].mass, vec3(site[i].at[0], site[i].at[1], site[i].at[2])));
    }
    ph_mat3 J = {{{0}}};
    for (size_t i = 0; i < n; i++) {
        const ph_vec3 r =
            sub(vec3(site[i].at[0], site[i].at[1], site[i].at[2]), scale(1.0 / s.mass, centre));
        const double x[3] = {r.x, r.y, r.z}, m = site[i].mass;
        s.at[i] = r;
        for (int a = 0; a < 3; a++) {
            for (int b = 0; b < 3; b++) {
                if (a == b)
                    J.a[a][b] += m * (dot(r, r) - x[a] * x[a]);
                else
                    J.a[a][b] += -(m * x[a] * x[b]);
            }
        }
    }
    double largest = 0.0, product = 0.0;
    for (int k = 0; k < 3; k++) {
        largest = larger_or_nan(largest, J.a[k][k]);
        product = larger_or_nan(product, fabs(J.a[k][(k + 1) % 3]));
    }
    ph_body body = {vec3(J.a[0][0], J.a[1][1], J.a[2][2]), {1, 0, 0, 0}, true};
    if (!(product <= zero * largest) && ph_body_from_tensor(&body, J) != PH_OK)
        return PH_BAD_INERTIA;
    const double least = smaller_or_nan(body.J.x, smaller_or_nan(body.J.y, body.J.z));
    if (!(least > thin * largest) || !isfinite(largest))
        return PH_BAD_INERTIA;
    s.J = body.J;
    for (size_t i = 0; i < n; i++) {
        if (!body.principal)
            s.at[i] = rotate_back(body.axes, s.at[i]);
        s.dipole = add(s.dipole, scale(site[i].charge, s.at[i]));
    }
    *out = s;
    return PH_OK;
}
