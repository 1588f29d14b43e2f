/* test_rigid_molecule.c - rigid molecules of one's own: SPC/E as sites is the water of the catalog, the
 * energy by the formulas, forces and torques as its derivatives, snapshots, and what is refused. */
/* Needs kinds, extra. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "kinds/molecules/rigid.h"
#include "motion/vec.h"
#include "support/molecules.h"
#include "support/quick.h"
#include "tests/support/run_tool.h"

static ph_molecules *made(const char *name, const ph_site *site, size_t sites, double molecules,
                          double density, double cutoff)
{
    ph_molecules_problem p = *find_molecules_problem(name);
    ph_molecules *s = NULL;
    if (site != NULL) {
        memcpy(p.site, site, sites * sizeof *site);
        p.sites = sites;
    }
    p.value[ph_molecules_problem_parameter(&p, "molecules")->first] = molecules;
    p.value[ph_molecules_problem_parameter(&p, "density")->first] = density;
    p.value[ph_molecules_problem_parameter(&p, "noise")->first] = 0.04;
    p.value[ph_molecules_problem_parameter(&p, "cutoff")->first] = cutoff;
    assert_int_equal(ph_molecules_from_problem(&p, &s), PH_OK);
    assert_int_equal(ph_molecules_prepare(s, NULL), PH_OK);
    return s;
}

/* Six sites in no special axes, neutral, three of them with Lennard-Jones. */
static const ph_site SIX[] = {
    {{0.3, 0.1, 0.2}, 12.011, 0.3, 0.30, 0.4},     {{0.41, 0.1, 0.21}, 15.9994, -0.4, 0.28, 0.6},
    {{0.29, 0.2, 0.2}, 1.008, 0.15, 0, 0},         {{0.25, 0.05, 0.28}, 14.007, 0.1, 0.25, 0.2},
    {{0.27, 0.03, 0.13}, 1.008, -0.05, 0.2, 0.05}, {{0.3, 0.1, 0.24}, 0, -0.1, 0, 0},
};

enum { SIX_SITES = sizeof SIX / sizeof SIX[0], MOST = 216 };

/* SPC/E, in the axes of the water of the catalog or elsewhere. */
static void spce(ph_site out[3], double shift)
{
    const double half = 109.47 * PH_PI / 360, x = 0.1 * sin(half), z = 0.1 * cos(half);
    const ph_site all[3] = {{{shift, shift, shift}, 15.9994, -0.8476, 0.316555789, 0.65016958},
                            {{shift + x, shift, shift + z}, 1.008, 0.4238, 0, 0},
                            {{shift - x, shift, shift + z}, 1.008, 0.4238, 0, 0}};
    memcpy(out, all, sizeof all);
}

/* In a box for cells and in one too small for them. */
static void test_spce(void **state)
{
    (void)state;
    for (int n = 0; n < 4; n++) {
        ph_site site[3];
        const double cutoff = n % 2 ? 0.6 : 0;
        spce(site, n < 2 ? 0 : 0.25);
        ph_molecules *own = made("rigid_molecule", site, 3, MOST, 997, cutoff),
                     *water = made("water", NULL, 0, MOST, 997, cutoff);
        assert_int_equal(work_of(own)->law.kind, n % 2 ? PAIRS_CUT : PAIRS_IMAGES);
        assert_true(fabs(molecules_potential(own) / molecules_potential(water) - 1) < 1e-12);
        assert_true(fabs(ph_molecules_pressure(own) / ph_molecules_pressure(water) - 1) < 1e-12);
        for (size_t i = 0; i < own->n; i++) {
            for (int k = 0; k < 3; k++) {
                assert_true(fabs(own->J[k][i] / water->J[k][i] - 1) < 1e-13);
                assert_true(fabs(own->dipole[k][i] - water->dipole[k][i]) < 1e-15);
                assert_true(fabs(own->force[k][i] - water->force[k][i]) < 1e-9);
                assert_true(fabs(own->torque[k][i] - water->torque[k][i]) < 1e-10);
            }
        }
        ph_molecules_destroy(own);
        ph_molecules_destroy(water);
    }
}

/* The moments and the shape of six sites, by the formulas: distances stay, and products of inertia
 * vanish. */
static void test_shape(void **state)
{
    (void)state;
    rigid_shape s;
    assert_int_equal(ph_sites_shape(SIX, SIX_SITES, &s), PH_OK);
    double mass = 0, sums[3] = {0, 0, 0}, J[3] = {0, 0, 0}, products[3] = {0, 0, 0};
    for (size_t a = 0; a < SIX_SITES; a++) {
        const double x[3] = {s.at[a].x, s.at[a].y, s.at[a].z}, m = SIX[a].mass;
        mass += m;
        for (int k = 0; k < 3; k++) {
            const int next = (k + 1) % 3, last = (k + 2) % 3;
            sums[k] += m * x[k];
            J[k] += m * (x[next] * x[next] + x[last] * x[last]);
            products[k] += m * x[next] * x[last];
        }
        for (size_t b = 0; b < a; b++) {
            const double *A = SIX[a].at, *B = SIX[b].at;
            const double given = norm(vec3(A[0] - B[0], A[1] - B[1], A[2] - B[2]));
            assert_true(fabs(norm(sub(s.at[a], s.at[b])) - given) < 1e-15);
        }
    }
    assert_true(fabs(s.mass - mass) < 1e-12);
    const double moments[3] = {s.J.x, s.J.y, s.J.z};
    for (int k = 0; k < 3; k++) {
        assert_true(fabs(sums[k]) < 1e-14 && fabs(products[k]) < 1e-14);
        assert_true(fabs(moments[k] - J[k]) < 1e-14);
    }
    /* the same in other units of length, to the last bit */
    for (int unit = -30; unit <= 30; unit += 15) {
        ph_site scaled[SIX_SITES];
        rigid_shape other;
        memcpy(scaled, SIX, sizeof SIX);
        for (size_t a = 0; a < SIX_SITES; a++) {
            for (int k = 0; k < 3; k++)
                scaled[a].at[k] = ldexp(SIX[a].at[k], unit);
        }
        assert_int_equal(ph_sites_shape(scaled, SIX_SITES, &other), PH_OK);
        assert_true(other.J.x == ldexp(s.J.x, 2 * unit) && other.J.y == ldexp(s.J.y, 2 * unit) &&
                    other.J.z == ldexp(s.J.z, 2 * unit));
        for (size_t a = 0; a < SIX_SITES; a++)
            assert_true(norm(sub(other.at[a], scale(ldexp(1.0, unit), s.at[a]))) == 0.0);
    }
}

/* Atoms are known by their masses, to a twentieth of a unit. */
static void test_elements(void **state)
{
    (void)state;
    static const double known[][2] = {{1, 1.008},  {2, 4.0026}, {6, 12.011},  {7, 14.007},
                                      {8, 15.999}, {9, 18.998}, {14, 28.085}, {15, 30.974},
                                      {16, 32.06}, {17, 35.45}, {35, 79.904}, {53, 126.904}};
    for (int n = 0; n < 12; n += 4) {
        for (int part = -2; part <= 2; part++) {
            const double off = 0.03 * part;
            molecule_atom atom[PH_SITES_MOST];
            ph_site site[4];
            memcpy(site, SIX, sizeof site);
            for (int a = 0; a < 4; a++)
                site[a].mass = known[n + a][1] + off;
            ph_molecules *s = made("rigid_molecule", site, 4, 1, 997, 0);
            assert_int_equal(s->law->atoms(s, atom), 4);
            for (int a = 0; a < 4; a++) {
                assert_true(atom[a].number == (fabs(off) < 0.05 ? known[n + a][0] : 0.0));
                assert_true(atom[a].mass == site[a].mass);
            }
            ph_molecules_destroy(s);
        }
    }
}

/* Sites next to a line are no rigid body if the smallest moment is below a millionth of the largest. */
static void test_thin(void **state)
{
    (void)state;
    for (int k = -1; k <= 1; k += 2) {
        const double y = sqrt((1.0 + 1e-3 * k) * 2e-6); /* moments y^2, 2, 2 + y^2 */
        const ph_site site[3] = {
            {{1, 0, 0}, 1, 0, 0, 0}, {{-1, 0, 0}, 1, 0, 0, 0}, {{0, y, 0}, 2, 0, 0, 0}};
        rigid_shape s;
        assert_int_equal(ph_sites_shape(site, 3, &s), k < 0 ? PH_BAD_INERTIA : PH_OK);
    }
}

/* The start without noise: a cubic lattice, as full as can be, with every second molecule turned over. */
static void test_lattice(void **state)
{
    (void)state;
    for (int molecules = 26; molecules <= 28; molecules++) {
        const size_t side = molecules <= 27 ? 3 : 4;
        ph_molecules_problem p = *find_molecules_problem("rigid_molecule");
        ph_molecules *s = NULL;
        p.value[ph_molecules_problem_parameter(&p, "molecules")->first] = molecules;
        p.value[ph_molecules_problem_parameter(&p, "noise")->first] = 0.0;
        p.value[ph_molecules_problem_parameter(&p, "cutoff")->first] = 0.0;
        assert_int_equal(ph_molecules_from_problem(&p, &s), PH_OK);
        assert_int_equal(s->n, molecules);
        const double edge = s->box.x, spacing = edge / (double)side, half = 0.5 * edge;
        assert_true(s->box.y == edge && s->box.z == edge && s->cutoff == (half < 0.9 ? half : 0.9));
        for (size_t i = 0; i < s->n; i++) {
            const size_t at[3] = {i % side, i / side % side, i / (side * side)};
            const bool over = (at[0] + at[1] + at[2]) % 2 == 1;
            const ph_quat q = quat_at(s->q, i);
            for (int k = 0; k < 3; k++)
                assert_true(fabs(s->x[k][i] - spacing * (double)at[k]) < 1e-14);
            assert_true(fabs(q.w) == !over && fabs(q.x) == over && q.y == 0.0 && q.z == 0.0);
        }
        ph_molecules_destroy(s);
    }
}

static double pair_energy(const ph_molecules *s, const rigid_shape *shape, size_t i, size_t j)
{
    const double c = s->cutoff, e = s->dielectric, least = 0.81 * c * c, box = s->box.x,
                 k = (e == 0 ? 0.5 : (e - 1) / (2 * e + 1)) / (c * c * c);
    const ph_vec3 d = sub(vec3_at(s->x, i), vec3_at(s->x, j)),
                  to = vec3(d.x - box * round(d.x / box), d.y - box * round(d.y / box),
                            d.z - box * round(d.z / box));
    const double R = norm(to), y = R * R < least ? 0 : (R * R - least) / (c * c - least);
    double V = 0;
    for (size_t a = 0; a < s->sites && R < c; a++) {
        for (size_t b = 0; b < s->sites; b++) {
            const ph_site *A = &s->site[a], *B = &s->site[b];
            const double r = norm(sub(add(to, rotate(quat_at(s->q, i), shape->at[a])),
                                      rotate(quat_at(s->q, j), shape->at[b]))),
                         s6 = pow((A->sigma + B->sigma) / 2 / r, 6);
            V += 138.93545764 * A->charge * B->charge * (1 / r + k * r * r) +
                 4 * sqrt(A->epsilon * B->epsilon) * (s6 * s6 - s6);
        }
    }
    return V * (1 - y * y * y * (10 - 15 * y + 6 * y * y));
}

/* The potential by the formulas, of the default and of six sites, in both kinds of box. */
static void test_potential(void **state)
{
    (void)state;
    for (int n = 0; n < 4; n++) {
        ph_molecules *s = made("rigid_molecule", n < 2 ? NULL : SIX, SIX_SITES, MOST,
                               n < 2 ? 997 : 700, n % 2 ? 0.6 : 0);
        s->dielectric = n % 2 ? 20 : 0;
        rigid_shape shape;
        assert_int_equal(ph_sites_shape(s->site, s->sites, &shape), PH_OK);
        double V = 0, size = 0;
        for (size_t i = 0; i < s->n; i++) {
            for (size_t j = 0; j < i; j++) {
                const double one = pair_energy(s, &shape, i, j);
                V += one;
                size += fabs(one);
            }
        }
        assert_true(size > 100 && fabs(molecules_potential(s) - V) < 1e-12 * size);
        ph_molecules_destroy(s);
    }
}

/* Forces and torques are derivatives of the potential. */
static void test_forces(void **state)
{
    (void)state;
    for (int n = 0; n < 4; n++) {
        ph_molecules *s = made("rigid_molecule", n < 2 ? NULL : SIX, SIX_SITES, MOST,
                               n < 2 ? 997 : 700, n % 2 ? 0.6 : 0);
        assert_forces(s, is_quick() ? 210 : 70);
        ph_molecules_destroy(s);
    }
}

/* ---- settings -------------------------------------------------------------------------- */

static const double AT[] = {0, 0, 0, 0.1, 0, 0, 0, 0.11, 0.02}, MASSES[] = {16, 1, 2},
                    CHARGES[] = {-0.5, 0.3, 0.2}, LAW[] = {0.3, 0.5, 0.1, 0.1, 0, 0}, NUMBER = 27;

/* A run that was saved goes on with the same bits. */
static void test_snapshot(void **state)
{
    (void)state;
    const ph_setting own[] = {{"sites", AT, 9},
                              {"site_masses", MASSES, 3},
                              {"charges", CHARGES, 3},
                              {"lennard_jones", LAW, 6},
                              {"molecules", &NUMBER, 1}};
    const ph_system_settings with = {"rigid_molecule", .integrator = "verlet+exact", .step = 0.001,
                                     .settings = own, .setting_count = COUNT(own)};
    ph_system *s = NULL, *again = NULL;
    const ph_array *sites;
    assert_int_equal(ph_system_create(&with, &s), PH_OK);
    assert_int_equal(ph_system_run(s, 5, NULL), PH_OK);
    const size_t size = ph_system_save(s, NULL, 0);
    void *snapshot = malloc(size);
    assert_non_null(snapshot);
    assert_int_equal(ph_system_save(s, snapshot, size), size);
    assert_int_equal(ph_system_from_snapshot(snapshot, size, &again), PH_OK);
    free(snapshot);
    assert_int_equal(ph_system_array_named(again, "sites", &sites), PH_OK);
    assert_true(sites->count == 3 && sites->data[1][2 * sites->stride] == 0.11);
    assert_int_equal(ph_system_run(s, 5, NULL), PH_OK);
    assert_int_equal(ph_system_run(again, 5, NULL), PH_OK);
    assert_true(ph_system_energy(s) == ph_system_energy(again));
    ph_system_destroy(s);
    ph_system_destroy(again);
}

#define SITES   "sites: [[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0]]\n"
#define HEAVY   "site_masses: [16, 1, 1]\n"
#define CHARGED "charges: [-0.8, 0.4, 0.4]\n"
#define LJ      "lennard_jones: [[0.3, 0.6], [0, 0], [0, 0]]\n"
#define REST    "parameters: {molecules: 27}\nmethod: verlet+exact\nstep: 1fs\ntime: 2fs\n"

static void refuses(const char *yaml, const char *says)
{
    assert_refused(RUN_WITH(yaml, "run", "-"), says);
}

static void test_tool(void **state)
{
    (void)state;
#define OWN "problem: rigid_molecule\n"
    tool_run good = RUN_WITH(OWN SITES HEAVY CHARGED LJ REST, "run", "-");
    assert_done(&good);
    tool_run_free(&good);
    static const char *const masses[] = {"site_masses: [32.06, 1.008, 1.008]\n",
                                         "site_masses: [15.9994, 1.008, 1.008]\n"};
    for (size_t k = 0; k < COUNT(masses); k++) { /* water only if it has the atoms */
        char yaml[1000], path[100];
        (void)snprintf(path, sizeof path, "/tmp/polhode_molecule_%d.gro", (int)getpid());
        (void)snprintf(yaml, sizeof yaml, "%s%s%s", OWN SITES, masses[k], CHARGED LJ REST);
        tool_run frames = RUN_WITH(yaml, "run", "-", "--out", path);
        assert_done(&frames);
        tool_run_free(&frames);
        char *text = file_text(path);
        assert_non_null(strstr(text, k == 0 ? "1MOL      S" : "1SOL      O"));
        free(text);
        (void)unlink(path);
    }
    refuses("problem: water\n" SITES HEAVY CHARGED LJ REST, "use the problem rigid_molecule");
    refuses(OWN SITES HEAVY LJ REST, "0 charges for 3 sites: write one for each site");
    refuses(OWN SITES HEAVY "charges: [0.4, -0.4]\n" LJ REST, "2 charges for 3 sites");
    refuses(OWN HEAVY REST, "3 site_masses for 0 sites");
    refuses(OWN SITES HEAVY "charges: [-0.8, 0.4, 0.5]\n" LJ REST,
            "add up to 0.1, but the cut-off");
    refuses(OWN SITES "site_masses: [16, -1, 1]\n" CHARGED LJ REST, "site 1, counted from 0, has");
    refuses(OWN SITES HEAVY CHARGED "lennard_jones: [[0.3, 0], [0, 0], [0, 0]]\n" REST,
            "no site has a Lennard-Jones force");
    refuses(OWN SITES HEAVY CHARGED "lennard_jones: [[0, 0.3], [0, 0], [0, 0]]\n" REST,
            "sigma and epsilon together");
    refuses(OWN SITES "site_masses: [16, 1, 0]\n" CHARGED LJ REST, "lie on a line");
    refuses(OWN SITES "site_masses: [0, 0, 0]\n" CHARGED LJ REST, "lie on a line");
    refuses(OWN "sites: [[0,0,0],[1,0,0],[0,1,0],[0,0,1],[1,1,0],[0,1,1],[1,0,1],[1,1,1],[2,0,0]]\n"
                "site_masses: [1,1,1,1,1,1,1,1,1]\ncharges: [0,0,0,0,0,0,0,0,0]\nlennard_jones: "
                "[[1,1],[1,1],[1,1],[1,1],[1,1],[1,1],[1,1],[1,1],[1,1]]\n" REST,
            "a molecule has 9 sites: write at most 8");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spce),     cmocka_unit_test(test_shape),
        cmocka_unit_test(test_elements), cmocka_unit_test(test_thin),
        cmocka_unit_test(test_lattice),  cmocka_unit_test(test_potential),
        cmocka_unit_test(test_forces),   cmocka_unit_test(test_snapshot),
        cmocka_unit_test(test_tool),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
