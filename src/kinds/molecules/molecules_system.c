/* molecules_system.c - molecules as a system. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/extremes.h"
#include "base/named.h"
#include "kinds/molecules/rigid.h"
#include "motion/vec.h"
#include "system/find.h"
#include "system/kind.h"

typedef struct molecules_system {
    ph_molecules *m;
    const ph_integrator *i;
    molecule_atom atom[PH_SITES_MOST];
    size_t atoms;
} molecules_system;

enum {
    ENERGY,
    TEMPERATURE,
    TRANSLATION,
    ROTATION,
    POTENTIAL,
    MOMENTUM,
    ANGULAR_MOMENTUM,
    PRESSURE, /* the last one: of laws that have a unit for it */
    OBSERVABLES
};

static ph_status step_molecules(void *self, double t, double h, double end)
{
    (void)t;
    (void)end;
    molecules_system *s = self;
    return ph_molecules_step(s->m, s->i, h);
}

static ph_status accept(void *self, double t)
{
    (void)t;
    return ph_molecules_prepare(((molecules_system *)self)->m, NULL);
}

static void restored(void *self)
{
    molecules_work *w = work_of(((molecules_system *)self)->m);
    w->prepared = true; /* as the system was when it was made */
    w->fresh = false;
}

/* Momenta count relative to the sum of the sizes of their terms. */
static void observe(void *self, double t, reading *out)
{
    (void)t;
    ph_molecules *m = ((molecules_system *)self)->m;
    const ph_vec3 P = ph_molecules_momentum(m), L = ph_molecules_angular_momentum(m);
    double of_P = 0.0, of_L = 0.0;
    for (size_t i = 0; i < m->n; i++) {
        const ph_vec3 x = vec3_at(m->x, i), p = vec3_at(m->p, i);
        of_P += norm(p);
        of_L += norm(cross(x, p)) + norm(vec3_at(m->m, i));
    }
    const ph_molecules_energy e = ph_molecules_energies(m);
    out[ENERGY] = (reading){{e.total}, 0.0};
    out[TEMPERATURE] = (reading){{ph_molecules_temperature(m)}, 0.0};
    out[TRANSLATION] = (reading){{e.translation}, 0.0};
    out[ROTATION] = (reading){{e.rotation}, 0.0};
    out[POTENTIAL] = (reading){{e.potential}, 0.0};
    out[MOMENTUM] = (reading){{P.x, P.y, P.z}, of_P};
    out[ANGULAR_MOMENTUM] = (reading){{L.x, L.y, L.z}, of_L};
    if (m->law->bar != 0.0)
        out[PRESSURE] = (reading){{ph_molecules_pressure(m)}, 0.0};
}

static bool momenta_of(void *self, int kind, momenta *out)
{
    return ph_molecules_momenta(((molecules_system *)self)->m, kind, out);
}

static void release(void *self)
{
    ph_molecules_destroy(((molecules_system *)self)->m);
}

/* ---- tables ------------------------------------------------------------------------ */

enum {
    POSITIONS,
    MOMENTA,
    ATTITUDES,
    ANGULAR_MOMENTA,
    MASSES,
    INERTIAS,
    DIPOLES,
    ARRAYS,
    ROTVECS = ARRAYS, /* a list that stands for attitudes */
    LISTS,
    INERTIA = LISTS,
    SITES, /* lists with an entry for each site of a molecule */
    SITE_MASSES,
    CHARGES,
    LENNARD_JONES,
    PARAMETERS, /* of problems with a lattice */
    THERMOSTAT = PARAMETERS + 7,
    STARTS = THERMOSTAT + 2
};

/* The settings of the start, first those that are arrays of the system. */
static const ph_start_array START[STARTS] = {
    [POSITIONS] = {"positions", NULL, "l", "Positions in space", "x,y,z", 3, true, "positions"},
    [MOMENTA] = {"momenta", NULL, "m l/t", "Momenta in space", "px,py,pz", 3, true, "momenta"},
    [ATTITUDES] = {"attitudes", "rotvecs", "1", "Attitudes, body to space, scalar first",
                   "q0,q1,q2,q3", 4, true, "attitudes"},
    [ANGULAR_MOMENTA] = {"angular_momenta", NULL, "I/t", "Angular momenta in the body frame",
                         "m1,m2,m3", 3, true, "angular_momenta"},
    [MASSES] = {"masses", NULL, "mass", "Masses", "mass", 1, true, "masses"},
    [INERTIAS] = {"inertias", NULL, "I", "Principal moments of inertia", "I1,I2,I3", 3, true,
                  "inertias"},
    [DIPOLES] = {"dipoles", NULL, "d", "Dipoles in the body frame", "d1,d2,d3", 3, true, "dipoles"},
    [ROTVECS] = {"rotvecs", "attitudes", "rad", "Attitudes as axes times angles", "r1,r2,r3", 3,
                 true, NULL},
    [INERTIA] = {"inertia", NULL, "I", "Principal moments of inertia of all", "I1,I2,I3", 3, false,
                 NULL},
    [SITES] = {"sites", NULL, "l", "Sites of a molecule, in any axes", "x,y,z", 3, true, NULL},
    [SITE_MASSES] = {"site_masses", NULL, "mass", "Their masses", "mass", 1, true, NULL},
    [CHARGES] = {"charges", NULL, "1", "Their charges in e", "charge", 1, true, NULL},
    [LENNARD_JONES] = {"lennard_jones", NULL, "1", "Their sigma and epsilon", "sigma,epsilon", 2,
                       true, NULL},
    /* parameters, which are parts of the start too */
    [PARAMETERS] = {"lattice", NULL, "1", "Bodies along an edge of a lattice", "n", 1, false, NULL},
    {"spacing", NULL, "l", "Distance between neighbours in the lattice", "a", 1, false, NULL},
    {"noise", NULL, "1", "Standard deviation of the positions divided by the spacing", "f", 1,
     false, NULL},
    {"seed", NULL, "1", "Seed of the random numbers", "s", 1, false, NULL},
    {"box", NULL, "l", "Edges of the periodic box", "x, y, z", 3, false, NULL},
    {"cutoff", NULL, "l", "Where the law ends, in a box", "r", 1, false, NULL},
    {"dielectric", NULL, "1", "Constant beyond the cutoff", "e", 1, false, NULL},
    THERMOSTAT_SETTINGS,
};

static double *const *array(const ph_molecules *m, int list)
{
    double *const *const arrays[ARRAYS] = {m->x, m->p, m->q, m->m, &m->mass, m->J, m->dipole};
    return arrays[list];
}

/* The system of molecules that are prepared. */
static ph_status describe_system(ph_system *system)
{
    molecules_system *s = system->self;
    ph_molecules *m = s->m;
    if (m->law->atoms == NULL)
        s->atoms = 0;
    else
        s->atoms = m->law->atoms(m, s->atom);
    const unsigned moving = PH_ARRAY_STATE | PH_ARRAY_SHOWN | PH_ARRAY_LIST,
                   constant = PH_ARRAY_CONSTANT, names = PH_ARRAY_DERIVED | PH_ARRAY_LIST,
                   of_sites = constant | PH_ARRAY_LIST;
    const size_t next = sizeof *m->site / sizeof(double);
    ph_array fields[] = {
        [ARRAYS] = {"box", "l", "Edges of the periodic box, zero in open space", "box1,box2,box3",
                    constant, 3, 1, 1, FIELD(m->box.x)},
        {"cutoff", "l", "Cutoff", "cutoff", constant, 1, 1, 1, FIELD(m->cutoff)},
        {"dielectric", "1", "Dielectric constant beyond the cutoff", "dielectric", constant, 1, 1,
         1, FIELD(m->dielectric)},
        {"law", "1", "Constants of the pair law", "constant", constant | PH_ARRAY_LIST, 1,
         PH_LAW_CONSTANTS, 1, FIELD(*m->constant)},
        {"reference", "m l^2/t^2", "Energy at the start, and the change that is an explosion",
         "energy,tolerance", PH_ARRAY_STATE, 2, 1, 1, FIELD(work_of(m)->energy)},
        {"atoms",
         "l",
         "Atoms of a molecule: mass, and place in its axes",
         "mass,x,y,z",
         names,
         4,
         s->atoms,
         sizeof *s->atom / sizeof(double),
         {&s->atom->mass, &s->atom->at.x, &s->atom->at.y, &s->atom->at.z}},
        {"atomic_numbers", "1", "Atomic numbers; 0: a site without mass", "number", names, 1,
         s->atoms, sizeof *s->atom / sizeof(double), FIELD(s->atom->number)},
        {"sites",
         "l",
         "Sites of a molecule",
         "x,y,z",
         of_sites,
         3,
         m->sites,
         next,
         {&m->site->at[0], &m->site->at[1], &m->site->at[2]}},
        {"site_masses", "mass", "Masses of the sites", "mass", of_sites, 1, m->sites, next,
         FIELD(m->site->mass)},
        {"charges", "1", "Charges of the sites", "charge", of_sites, 1, m->sites, next,
         FIELD(m->site->charge)},
        {"lennard_jones",
         "1",
         "Sigma and epsilon of the sites",
         "sigma,epsilon",
         of_sites,
         2,
         m->sites,
         next,
         {&m->site->sigma, &m->site->epsilon}},
        ph_system_coefficients(system),
    };
    for (int g = 0; g < ARRAYS; g++) {
        const ph_start_array *f = &START[g];
        fields[g] =
            (ph_array){f->name,  f->unit, f->text, f->columns, g < MASSES ? moving : constant,
                       f->width, m->n,    1,       {NULL}};
        if (g == POSITIONS || g == ATTITUDES)
            fields[g].use |= PH_ARRAY_PLACE;
        memcpy(fields[g].data, array(m, g), (size_t)f->width * sizeof(double *));
    }
    const bool turns = !in_a_box(m); /* a rotation changes a box */
    const ph_observable observables[OBSERVABLES] = {
        [ENERGY] = {"energy", "m l^2/t^2", "Kinetic and potential energy", "energy", 1,
                    .watched = true, .conserved = true, .relative = true},
        [TEMPERATURE] = {"temperature", "m l^2/t^2",
                         "Temperature, less the motion of the centre of mass", "temperature",
                         .width = 1},
        [TRANSLATION] = {"translation", "m l^2/t^2", "Energy of the momenta", "  translation",
                         .width = 1},
        [ROTATION] = {"rotation", "m l^2/t^2", "Energy of the angular momenta", "  rotation",
                      .width = 1},
        [POTENTIAL] = {"potential", "m l^2/t^2", "Energy of the forces", "  potential", .width = 1},
        [MOMENTUM] = {"momentum", "m l/t", "Sum of the momenta", "momentum", 3, .watched = true,
                      .conserved = true, .relative = true},
        [ANGULAR_MOMENTUM] = {"angular_momentum", "m l^2/t", "Angular momentum about the origin",
                              "angular m.", 3, .watched = true, .conserved = turns,
                              .relative = true},
        [PRESSURE] = {"pressure", "bar", "Molecular pressure", "pressure, bar", .width = 1},
    };
    system->evaluations = &work_of(m)->evaluations;
    work_of(m)->bath = bath_of(system);
    return ph_system_describe(system, &(ph_problem_facts){.name = m->law->name}, fields,
                              sizeof fields / sizeof fields[0], observables,
                              m->law->bar != 0.0 ? OBSERVABLES : PRESSURE);
}

/* ---- from settings ----------------------------------------------------------------- */

/* The lists of sites, of which each has as many entries. Returns PH_OK and their number in *n, which
 * is 0 if there are none. */
static ph_status count_sites(const ph_system_settings *s, const ph_molecules_problem *p, size_t *n)
{
    *n = 0;
    for (int g = SITES; g <= LENNARD_JONES; g++) {
        const char *name = START[g].name;
        const int at = ph_settings_find(s, name);
        if (at >= 0 && p->sites == 0)
            return ph_settings_refuse(s, PH_NOT_APPLICABLE, at,
                                      "%s cannot be used with %s: use the problem rigid_molecule",
                                      name, p->name);
        const size_t count = at < 0 ? 0 : s->settings[at].count / (size_t)START[g].width;
        if (g == SITES)
            *n = count;
        if (count != *n)
            return ph_settings_refuse(s, PH_BAD_PARAMETER, at,
                                      "there are %zu %s for %zu sites: write one for each site",
                                      count, name, *n);
    }
    if (*n > PH_SITES_MOST)
        return ph_settings_refuse(s, PH_BAD_PARAMETER, ph_settings_find(s, "sites"),
                                  "a molecule has %zu sites: write at most %d", *n, PH_SITES_MOST);
    return PH_OK;
}

/* What is wrong with a molecule of sites. */
static ph_status refuse_sites(const ph_system_settings *s, const ph_molecules_problem *p)
{
    double charge = 0.0, charges = 0.0;
    bool repels = false;
    rigid_shape shape;
    for (size_t i = 0; i < p->sites; i++) {
        const ph_site *a = &p->site[i];
        charge += a->charge;
        charges += fabs(a->charge);
        repels = repels || (a->sigma > 0.0 && a->epsilon > 0.0);
        if (a->mass < 0.0 || a->sigma < 0.0 || a->epsilon < 0.0 ||
            (a->epsilon > 0.0 && a->sigma == 0.0))
            return ph_settings_refuse(
                s, PH_BAD_LAW, ph_settings_find(s, "sites"),
                "site %zu, counted from 0, has the mass %g, sigma %g and epsilon %g: write no "
                "negative number, and sigma and epsilon together",
                i, a->mass, a->sigma, a->epsilon);
    }
    if (fabs(charge) > 1e-9 * charges)
        return ph_settings_refuse(s, PH_BAD_LAW, ph_settings_find(s, "charges"),
                                  "the charges of a molecule add up to %g, but the cut-off needs "
                                  "neutral molecules: write charges that add up to 0",
                                  charge);
    if (!repels)
        return ph_settings_refuse(s, PH_BAD_LAW, ph_settings_find(s, "lennard_jones"),
                                  "no site has a Lennard-Jones force, so nothing keeps the "
                                  "molecules apart: write a sigma and an epsilon");
    if (ph_sites_shape(p->site, p->sites, &shape) != PH_OK)
        return ph_settings_refuse(s, PH_BAD_INERTIA, ph_settings_find(s, "site_masses"),
                                  "the masses of the sites lie on a line or at a point, but a "
                                  "molecule needs three moments of inertia: move or add a site");
    return PH_OK;
}

/* Takes the sites of a molecule of the caller's own. */
static ph_status take_sites(const ph_system_settings *s, ph_molecules_problem *p)
{
    size_t n;
    const ph_status status = count_sites(s, p, &n);
    if (status != PH_OK || n == 0)
        return status;
    const double *at = ph_settings_values(s, "sites", NULL),
                 *mass = ph_settings_values(s, "site_masses", NULL),
                 *charge = ph_settings_values(s, "charges", NULL),
                 *law = ph_settings_values(s, "lennard_jones", NULL);
    p->sites = n;
    for (size_t i = 0; i < n; i++)
        p->site[i] = (ph_site){{at[3 * i], at[3 * i + 1], at[3 * i + 2]},
                               mass[i],
                               charge[i],
                               law[2 * i],
                               law[2 * i + 1]};
    return refuse_sites(s, p);
}

/* Lists that go together, one entry for each body; *n is the number of positions, 0: they
 * are a lattice with that many. */
static ph_status check_lists(const ph_system_settings *s, double bodies, size_t *n)
{
    size_t positions = 0;
    const bool given = ph_settings_values(s, "positions", &positions) != NULL;
    *n = positions /= 3;
    for (int g = 0; g < LISTS; g++) {
        size_t count;
        const char *name = START[g].name;
        if (ph_settings_values(s, name, &count) == NULL) {
            if (g < ARRAYS && (s->options & OPTION_OF_SNAPSHOT))
                return PH_OTHER_SNAPSHOT; /* it has them all */
            continue;
        }
        count /= (size_t)START[g].width;
        if (!given && (double)count != bodies)
            return ph_settings_refuse(s, PH_BAD_PARAMETER, ph_settings_find(s, name),
                                      "%s is given without positions, and not for each body of the "
                                      "lattice: write the positions, too",
                                      name);
        if (count == 0)
            return ph_settings_refuse(s, PH_BAD_PARAMETER, ph_settings_find(s, name),
                                      "there are no bodies: write at least one position");
        if (given && count != positions)
            return ph_settings_refuse(s, PH_BAD_PARAMETER, ph_settings_find(s, name),
                                      "there are %zu %s for %zu positions: write one for each body",
                                      count, name, positions);
    }
    return PH_OK;
}

/* Whether a list says something else of a body than the model of its molecules, which determines
 * masses, moments and dipoles: by more than a thousandth, so that files may be rounded. */
static bool contradicts_model(const ph_molecules *m, int list, size_t i, const double *given)
{
    double size = 0.0, away = 0.0;
    if (m->law->set == NULL || list < MASSES || list >= ARRAYS)
        return false;
    for (int k = 0; k < START[list].width; k++) {
        size = larger_or_nan(size, fabs(array(m, list)[k][i]));
        away = larger_or_nan(away, fabs(array(m, list)[k][i] - given[k]));
    }
    return !(away <= 1e-3 * size);
}

static ph_status refuse_model(const ph_system_settings *s, const char *name, size_t i)
{
    return ph_settings_refuse(s, PH_BAD_STATE, ph_settings_find(s, name),
                              "%s of body %zu, counted from 0, differ from the values of the "
                              "model: remove them, or choose the model that they belong to",
                              name, i);
}

/* The molecules: those of the lists that are given, for the rest all alike. */
static ph_status build(const ph_system_settings *s, const ph_molecules_problem *p, size_t n,
                       ph_molecules **out)
{
    const double *rotvecs = ph_settings_values(s, "rotvecs", NULL),
                 *inertia = ph_settings_values(s, "inertia", NULL);
    if (n == 0) {
        const ph_status status = ph_molecules_from_problem(p, out);
        if (status != PH_OK)
            return status;
    } else if ((*out = ph_molecules_create(n)) == NULL) {
        return PH_NO_MEMORY;
    }
    ph_molecules *m = *out;
    ph_molecules_set_problem(m, p);
    for (size_t i = 0; i < m->n; i++) {
        if (inertia != NULL && contradicts_model(m, INERTIAS, i, inertia))
            return refuse_model(s, "inertia", i);
        for (int k = 0; inertia != NULL && k < 3; k++)
            m->J[k][i] = inertia[k];
        for (int g = 0; g < ARRAYS; g++) {
            const double *x = ph_settings_values(s, START[g].name, NULL);
            if (x != NULL && contradicts_model(m, g, i, x + i * (size_t)START[g].width))
                return refuse_model(s, START[g].name, i);
            for (int k = 0; x != NULL && k < START[g].width; k++)
                array(m, g)[k][i] = x[i * (size_t)START[g].width + (size_t)k];
        }
        if (rotvecs != NULL) {
            const double *x = rotvecs + 3 * i;
            const ph_quat q = ph_rotation_exp(vec3(x[0], x[1], x[2]));
            m->q[0][i] = q.w, m->q[1][i] = q.x, m->q[2][i] = q.y, m->q[3][i] = q.z;
        }
    }
    return PH_OK;
}

/* What is wrong with a state: a body's, or the energy of all. */
static ph_status refuse_state(const ph_system_settings *s, const char *problem,
                              const ph_molecules *m)
{
    for (size_t i = 0; i < m->n; i++) {
        double largest = 0.0, attitude = 0.0;
        for (int g = 0; g < ARRAYS; g++) {
            for (int k = 0; k < START[g].width; k++) {
                const double size = fabs(array(m, g)[k][i]);
                largest = larger_or_nan(largest, size);
                if (g == ATTITUDES)
                    attitude = larger_or_nan(attitude, size);
            }
        }
        if (attitude == 0.0)
            return ph_settings_refuse(s, PH_BAD_STATE, PH_SETTING_NONE,
                                      "body %zu, counted from 0, has the attitude "
                                      "0,0,0,0: write 1,0,0,0 for the identity",
                                      i);
        if (!isfinite(largest))
            return ph_settings_refuse(s, PH_BAD_STATE, PH_SETTING_NONE,
                                      "a number of body %zu, counted from 0, overflows: "
                                      "use other units",
                                      i);
    }
    return ph_settings_refuse(s, PH_BAD_STATE, PH_SETTING_NONE,
                              "the energy of the molecules of %s overflows: choose "
                              "smaller dipoles and momenta, or other units",
                              problem);
}

static ph_status check(const ph_system_settings *s, const ph_molecules_problem *p, ph_molecules *m)
{
    ph_molecules_pair near_by;
    const double *x = p->value;
    if (!in_a_box(m) && !(s->options & OPTION_OF_SNAPSHOT) &&
        (x[CUTOFF] != 0.0 || x[DIELECTRIC] != 0.0))
        return ph_settings_refuse(s, PH_BAD_BOX, PH_SETTING_NONE,
                                  "cutoff and dielectric need a periodic box: give a box");
    const ph_status status = ph_molecules_prepare(m, &near_by);
    if (status == PH_BAD_BOX)
        return ph_settings_refuse(
            s, status, PH_SETTING_NONE,
            "box %g, %g, %g with cutoff %g and dielectric %g is not valid: write three positive "
            "edges, a positive cutoff of at most half the shortest edge, and a dielectric of 1 or "
            "more, or 0 for a conductor",
            m->box.x, m->box.y, m->box.z, m->cutoff, m->dielectric);
    if (status == PH_OVERLAP)
        return ph_settings_refuse(
            s, status, PH_SETTING_NONE,
            "bodies %zu and %zu, counted from 0, overlap, with a distance of %g: move them apart",
            near_by.a, near_by.b, near_by.distance);
    if (status == PH_BAD_STATE)
        return refuse_state(s, p->name, m);
    for (size_t i = 0; status == PH_OK && i < m->n; i++) {
        if (!ph_settings_physical(s, &(ph_body){.J = vec3_at(m->J, i)}))
            break;
    }
    if (status == PH_OK || status == PH_NO_MEMORY)
        return status;
    return ph_settings_refuse(
        s, status, PH_SETTING_NONE, "the molecules of %s are invalid: %s: change them", p->name,
        status == PH_BAD_LAW && p->law->wrong ? p->law->wrong : ph_status_text(status));
}

/* The molecules of a liquid and their density determine its lattice and its box. */
static void check_parameters(const ph_system_settings *s, const ph_problem_facts *p)
{
    for (int g = PARAMETERS; g < THERMOSTAT && !(s->options & OPTION_OF_SNAPSHOT); g++) {
        const char *name = START[g].name;
        const int at = ph_settings_find(s, name);
        if (at >= 0 && ROW_NAMED(p->parameters, p->parameter_count, name) == NULL)
            ph_settings_warn(s, at,
                             "%s has no effect with %s, whose number of molecules and density "
                             "determine it: give these",
                             name, p->name);
    }
}

static ph_problem_facts facts_of(const ph_molecules_problem *p)
{
    return (ph_problem_facts){PROBLEM_FACTS(p), .time_unit = p->law->time_unit,
                              .integrator = "verlet+exact"}; /* docs/which_method.md */
}

static ph_status create(const ph_system_settings *s, ph_system *system)
{
    molecules_system *to = system->self;
    to->i = &system->by;
    ph_molecules_problem p = *find_molecules_problem(s->problem);
    if (p.law->boltzmann != 0.0)
        system->bath.boltzmann = p.law->boltzmann;
    const ph_problem_facts facts = facts_of(&p);
    const double *x = p.value, *law = ph_settings_field(s, FIELD_MARK "law", PH_LAW_CONSTANTS);
    size_t n = 0;
    if (law != NULL)
        memcpy(p.value + CONSTANTS, law, PH_LAW_CONSTANTS * sizeof *law);
    ph_status status = ph_settings_take(s, system->kind, &facts, p.value);
    check_parameters(s, &facts);
    if (status == PH_OK)
        status = take_sites(s, &p);
    const double edge = x[LATTICE], bodies = p.law->place ? edge : edge * edge * edge;
    if (status == PH_OK)
        status = check_lists(s, bodies, &n);
    if (status != PH_OK && (s->options & OPTION_OF_SNAPSHOT))
        return PH_OTHER_SNAPSHOT;
    if (status == PH_OK)
        status = ph_settings_limit(s, system->kind, n > 0 ? (double)n : bodies);
    if (status == PH_OK)
        status = ph_settings_integrator(s, system, facts.integrator);
    if (status == PH_OK && !ph_molecules_applicable(&system->by))
        status = ph_settings_refuse_integrator(s, &system->by, p.name, NULL);
    if (status != PH_OK)
        return status;
    status = build(s, &p, n, &to->m);
    if (status == PH_BAD_PARAMETER)
        (void)ph_settings_refuse(
            s, status, PH_SETTING_NONE,
            "lattice %g, spacing %g, noise %g, seed %g are not a valid lattice: write a whole "
            "number of bodies along an edge from 1 to %d, a positive spacing, a noise of 0 or "
            "more, and a whole seed from 0 to 2^53 - 1",
            x[LATTICE], x[SPACING], x[NOISE], x[SEED], PH_LATTICE_MOST);
    if (status == PH_OK)
        status = check(s, &p, to->m);
    if (status == PH_OK)
        return describe_system(system);
    return status;
}

static bool problem_at(size_t i, ph_problem_facts *out)
{
    size_t count;
    const ph_molecules_problem *const *all = ph_molecules_problems(&count);
    if (i < count)
        *out = facts_of(all[i]);
    return i < count;
}

static const char *reference(const ph_system *s)
{
    (void)s;
    return "srkn6_14a+exact";
}

static void say_number(const ph_system *s, char *text, size_t size)
{
    const ph_molecules *m = ((const molecules_system *)s->self)->m;
    const double half = 0.5 * smaller_or_nan(m->box.x, smaller_or_nan(m->box.y, m->box.z));
    if (m->law->atoms != NULL && m->cutoff >= half) /* the default is longer, if the box permits */
        (void)snprintf(text, size, "%zu bodies (cut-off %.3g nm, half the box)", m->n, m->cutoff);
    else
        (void)snprintf(text, size, "%zu bodies", m->n);
}

const ph_kind ph_kind_molecules = {
    .name = "molecules",
    .what = "molecules",
    .entries = {"1 body", "bodies"},
    .state_note = "",
    .rows_of_each = true,
    .drift = "exact",
    .start = START,
    .start_count = STARTS,
    .problem = problem_at,
    .create = create,
    .size = sizeof(molecules_system),
    .step = step_molecules,
    .accept = accept,
    .restored = restored,
    .observe = observe,
    .momenta = momenta_of,
    .free = release,
    .error_names = {"momenta", "places"},
    .error_text = "|x - x*|/|x*| over all bodies, x their momenta, angular momenta, "
                  "positions and attitudes",
    .reference = reference,
    .describe = say_number,
};
