/* test_cli_frames.c - files of frames, number by number: extended XYZ and other files of atoms against
 * the system that was written, glTF against the rows of the same run in CSV, and its boxes and rods as solids. */
/* Needs kinds, extra. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/extremes.h"
#include "motion/vec.h"
#include "polhode/system.h"
#include "support/run_tool.h"

static void run_into(const char *file, const char *const *words)
{
    const char *all[40];
    size_t count = 0;
    while (words[count] != NULL) {
        all[count] = words[count];
        count++;
    }
    all[count++] = "--out";
    all[count++] = file;
    all[count] = NULL;
    tool_run run = tool_run_words(NULL, all);
    assert_done(&run);
    tool_run_free(&run);
}

/* ---- extended XYZ ------------------------------------------------------------------ */

/* The library's own run: each number of each body line of each frame, in a box or in open space. */
static void check_xyz(bool box)
{
    enum { FRAMES = 3, BODIES = 8 };
    static const char *const names[] = {"positions", "momenta",  "attitudes", "angular_momenta",
                                        "masses",    "inertias", "dipoles"};
    const double edges[] = {box ? 9.0 : 0.0, box ? 8.0 : 0.0, box ? 7.0 : 0.0}, lattice = 2.0;
    const ph_setting list[] = {{"box", edges, 3}, {"lattice", &lattice, 1}};
    const ph_system_settings with = {"dipolar_spheres", .integrator = "verlet+exact", .step = 0.1,
                                     .settings = list, .setting_count = 2};
    ph_system *s = NULL;
    assert_int_equal(PH_OK, ph_system_create(&with, &s));
    run_into("a.xyz", (const char *const[]){
                          "run", "--problem", "dipolar_spheres", "--method", "verlet+exact",
                          "--step", "0.1", "--time", "1", "--every", "5", "--set",
                          box ? "box=9,8,7" : "box=0,0,0", "--set", "lattice=2", NULL});
    char *text = file_text("a.xyz"), *at = text;
    assert_non_null(text);
    bool negative = false;
    for (int frame = 0; frame < FRAMES; frame++) {
        char wanted[200];
        const long bodies = strtol(at, &at, 10);
        assert_int_equal(BODIES, bodies);
        at++;
        (void)snprintf(wanted, sizeof wanted, "Time=%.17g energy=%.17g pbc=\"%s\"\n",
                       ph_system_time(s), ph_system_energy(s), box ? "T T T" : "F F F");
        const char *begin = box ? "Lattice=\"9 0 0 0 8 0 0 0 7\" Properties=" : "Properties=";
        assert_int_equal(0, strncmp(at, begin, strlen(begin)));
        at = strstr(at, "Time=");
        assert_int_equal(0, strncmp(at, wanted, strlen(wanted)));
        at += strlen(wanted);
        for (size_t i = 0; i < BODIES; i++) {
            assert_true(*at++ == 'X');
            for (size_t f = 0; f < COUNT(names); f++) {
                const ph_array *x;
                assert_int_equal(PH_OK, ph_system_array_named(s, names[f], &x));
                for (int k = 0; k < x->width; k++) {
                    const double value = strtod(at, &at);
                    if (value != x->data[k][i * x->stride])
                        fail_msg("frame %d, body %zu, %s[%d] is %.17g, not %.17g", frame, i,
                                 names[f], k, value, x->data[k][i * x->stride]);
                    negative = negative || value < 0.0;
                }
            }
            assert_true(*at++ == '\n');
        }
        assert_int_equal(PH_OK, ph_system_run(s, 5, NULL));
    }
    assert_true(*at == '\0' && negative);
    free(text);
    ph_system_destroy(s);
    assert_int_equal(0, unlink("a.xyz"));
}

static void xyz_frames(void **state)
{
    (void)state;
    check_xyz(true);
    check_xyz(false);
}

/* ---- atoms ------------------------------------------------------------------------- */

/* The atoms of one molecule in one frame of a file, in nm and nm/ps, by the rules of its format. */
enum { WATERS = 27, ATOMS = 3 };
typedef struct molecule {
    ph_vec3 at[ATOMS], v[ATOMS];
} molecule;

static ph_vec3 read_vector(char **at, double unit)
{
    const double x = strtod(*at, at), y = strtod(*at, at), z = strtod(*at, at);
    return vec3(unit * x, unit * y, unit * z);
}

static char *after_line(char *at)
{
    return strchr(at, '\n') + 1;
}

/* Columns 21 to 44 and 45 to 68 of a line of GROMACS; columns 31 to 54 of a line of the PDB. */
static ph_vec3 read_columns(const char *line, size_t first, size_t width, double unit)
{
    double x[3];
    for (size_t k = 0; k < 3; k++) {
        char field[16] = "";
        memcpy(field, line + first + k * width, width);
        x[k] = unit * strtod(field, NULL);
    }
    return vec3(x[0], x[1], x[2]);
}

/* The frame that is read: its number and the system at this time. */
typedef struct frame_facts {
    int number;
    ph_system *s;
    double edge[3];
} frame_facts;

/* Passes a text that must stand there. */
static char *after_text(char *at, const char *text)
{
    if (strncmp(at, text, strlen(text)) != 0)
        fail_msg("%.200s, not %s", at, text);
    return at + strlen(text);
}

static char *read_frame_xyz(char *at, const frame_facts *f, molecule *to)
{
    const double fs = 10.180505710759415;    /* ASE's unit of time, angstrom (u/eV)^(1/2) */
    const double eV = 1000.0 / 96485.332123; /* a kJ/mol in eV, by the Faraday constant */
    char head[400];
    (void)snprintf(head, sizeof head,
                   "%d\nLattice=\"%.17g 0 0 0 %.17g 0 0 0 %.17g\" Properties=species:S:1:pos:R:3:"
                   "momenta:R:3:masses:R:1:molecule:I:1 Time=%.17g energy=",
                   ATOMS * WATERS, 10.0 * f->edge[0], 10.0 * f->edge[1], 10.0 * f->edge[2],
                   ph_system_time(f->s));
    at = after_text(at, head);
    const double energy = strtod(at, &at), right = eV * ph_system_energy(f->s);
    assert_true(fabs(energy - right) <= 1e-9 * fabs(right));
    at = after_text(at, " length_unit=Angstrom time_unit=ps energy_unit=eV pbc=\"T T T\"\n");
    for (size_t i = 0; i < ATOMS * WATERS; i++) {
        assert_true(*at++ == (i % ATOMS == 0 ? 'O' : 'H'));
        to[i / ATOMS].at[i % ATOMS] = read_vector(&at, 0.1);
        const ph_vec3 p = read_vector(&at, 0.1);
        const double mass = strtod(at, &at);
        to[i / ATOMS].v[i % ATOMS] = scale(1000.0 / (mass * fs), p);
        assert_int_equal(i / ATOMS + 1, strtol(at, &at, 10));
        at = after_text(at, "\n");
    }
    return at;
}

static char *read_frame_gro(char *at, const frame_facts *f, molecule *to)
{
    char text[100];
    (void)snprintf(text, sizeof text, "water, t= %.5f step= %d\n%d\n", ph_system_time(f->s),
                   f->number, ATOMS * WATERS);
    at = after_text(at, text);
    for (size_t i = 0; i < ATOMS * WATERS; i++, at = after_line(at)) {
        static const char *const names[] = {"O", "H1", "H2"};
        (void)snprintf(text, sizeof text, "%5zuSOL  %5s%5zu", i / ATOMS + 1, names[i % ATOMS],
                       i + 1);
        (void)after_text(at, text);
        to[i / ATOMS].at[i % ATOMS] = read_columns(at, 20, 8, 1.0);
        to[i / ATOMS].v[i % ATOMS] = read_columns(at, 44, 8, 1.0);
    }
    (void)snprintf(text, sizeof text, "%10.5f%10.5f%10.5f\n", f->edge[0], f->edge[1], f->edge[2]);
    return after_text(at, text);
}

static char *read_frame_pdb(char *at, const frame_facts *f, molecule *to)
{
    char text[100];
    (void)snprintf(text, sizeof text,
                   "CRYST1%9.3f%9.3f%9.3f  90.00  90.00  90.00 P 1           1\n",
                   10.0 * f->edge[0], 10.0 * f->edge[1], 10.0 * f->edge[2]);
    if (f->number == 0)
        at = after_text(at, text);
    (void)snprintf(text, sizeof text, "MODEL     %4d\n", f->number + 1);
    at = after_text(at, text);
    for (size_t i = 0; i < ATOMS * WATERS; i++, at = after_line(at)) {
        static const char *const names[] = {"O", "H1", "H2"};
        (void)snprintf(text, sizeof text, "HETATM%5zu  %-3s HOH A%4zu    ", i + 1, names[i % ATOMS],
                       i / ATOMS + 1);
        (void)after_text(at, text);
        (void)after_text(at + 54, "  1.00  0.00          ");
        assert_true(at[77] == (i % ATOMS == 0 ? 'O' : 'H'));
        to[i / ATOMS].at[i % ATOMS] = read_columns(at, 30, 8, 0.1);
    }
    return after_text(at, "ENDMDL\n");
}

static char *read_frame_lammps(char *at, const frame_facts *f, molecule *to)
{
    char head[400];
    (void)snprintf(head, sizeof head,
                   "ITEM: UNITS\nreal\nITEM: TIME\n%.17g\nITEM: TIMESTEP\n%d\n"
                   "ITEM: NUMBER OF ATOMS\n%d\nITEM: BOX BOUNDS pp pp pp\n0 %.17g\n0 %.17g\n"
                   "0 %.17g\nITEM: ATOMS id mol type element mass xu yu zu vx vy vz\n",
                   1000.0 * ph_system_time(f->s), f->number, ATOMS * WATERS, 10.0 * f->edge[0],
                   10.0 * f->edge[1], 10.0 * f->edge[2]);
    at = after_text(at, head);
    for (size_t i = 0; i < ATOMS * WATERS; i++, at++) {
        assert_int_equal(i + 1, strtol(at, &at, 10));
        assert_int_equal(i / ATOMS + 1, strtol(at, &at, 10));
        assert_int_equal(i % ATOMS + 1, strtol(at, &at, 10));
        assert_true(at[1] == (i % ATOMS == 0 ? 'O' : 'H'));
        at += 2;
        assert_true((strtod(at, &at) > 10.0) == (i % ATOMS == 0)); /* the mass */
        to[i / ATOMS].at[i % ATOMS] = read_vector(&at, 0.1);
        to[i / ATOMS].v[i % ATOMS] = read_vector(&at, 100.0);
    }
    return at;
}

/* Centre, momentum and angular momentum of the atoms are those of the body; bonds have their
 * length. */
static void check_molecule(const molecule *w, const ph_system *s, size_t i, double rounded,
                           bool moves, bool wraps)
{
    static const double MASS[ATOMS] = {15.9994, 1.008, 1.008};
    const ph_array *x, *p, *q, *m, *box;
    assert_int_equal(PH_OK, ph_system_array_named(s, "positions", &x));
    assert_int_equal(PH_OK, ph_system_array_named(s, "momenta", &p));
    assert_int_equal(PH_OK, ph_system_array_named(s, "attitudes", &q));
    assert_int_equal(PH_OK, ph_system_array_named(s, "angular_momenta", &m));
    assert_int_equal(PH_OK, ph_system_array_named(s, "box", &box));
    const double total = MASS[0] + MASS[1] + MASS[2], edge = *box->data[0];
    const ph_vec3 at = {x->data[0][i], x->data[1][i], x->data[2][i]},
                  momentum = {p->data[0][i], p->data[1][i], p->data[2][i]},
                  own = {m->data[0][i], m->data[1][i], m->data[2][i]};
    const ph_quat turn = {q->data[0][i], q->data[1][i], q->data[2][i], q->data[3][i]};
    ph_vec3 centre = {0, 0, 0}, P = {0, 0, 0}, L = {0, 0, 0};
    for (int k = 0; k < ATOMS; k++) {
        centre = add(centre, scale(MASS[k] / total, w->at[k]));
        P = add(P, scale(MASS[k], w->v[k]));
    }
    for (int k = 0; k < ATOMS; k++)
        L = add(L, scale(MASS[k], cross(sub(w->at[k], centre), w->v[k])));
    ph_vec3 away = sub(centre, at);
    if (wraps) {
        assert_true(centre.x > -rounded && centre.x < edge + rounded);
        away = vec3(remainder(away.x, edge), remainder(away.y, edge), remainder(away.z, edge));
    }
    assert_true(norm(away) < rounded);
    assert_true(fabs(norm(sub(w->at[1], w->at[0])) - 0.1) < 2.0 * rounded);
    assert_true(fabs(norm(sub(w->at[2], w->at[0])) - 0.1) < 2.0 * rounded);
    if (moves) {
        assert_true(norm(sub(P, momentum)) < 30.0 * rounded);
        assert_true(norm(sub(L, rotate(turn, own))) < 30.0 * rounded);
    }
}

static void atoms_of_water(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        char *(*read)(char *at, const frame_facts *f, molecule *to);
        double rounded; /* its places, in nm */
        bool moves, wraps;
    } FILES[] = {{"a.xyz", read_frame_xyz, 1e-12, true, false},
                 {"a.gro", read_frame_gro, 1e-3, true, true},
                 {"a.pdb", read_frame_pdb, 1e-4, false, true},
                 {"a.lammpstrj", read_frame_lammps, 1e-12, true, false}};
    const double waters = WATERS;
    const ph_setting list[] = {{"molecules", &waters, 1}};
    const ph_system_settings with = {"water", .integrator = "verlet+exact", .step = 0.002,
                                     .settings = list, .setting_count = 1};
    for (size_t f = 0; f < COUNT(FILES); f++) {
        ph_system *s = NULL;
        assert_int_equal(PH_OK, ph_system_create(&with, &s));
        run_into(FILES[f].file,
                 (const char *const[]){"run", "--problem", "water", "--method", "verlet+exact",
                                       "--step", "2fs", "--time", "0.2ps", "--every", "50", "--set",
                                       "molecules=27", NULL});
        char *text = file_text(FILES[f].file), *at = text;
        for (int frame = 0; frame < 3; frame++) {
            static molecule w[WATERS];
            const ph_array *box;
            assert_int_equal(PH_OK, ph_system_array_named(s, "box", &box));
            const frame_facts facts = {frame, s, {*box->data[0], *box->data[1], *box->data[2]}};
            at = FILES[f].read(at, &facts, w);
            for (size_t i = 0; i < WATERS; i++)
                check_molecule(&w[i], s, i, FILES[f].rounded, FILES[f].moves, FILES[f].wraps);
            assert_int_equal(PH_OK, ph_system_run(s, 50, NULL));
        }
        assert_true(*at == '\0');
        free(text);
        ph_system_destroy(s);
        assert_int_equal(0, unlink(FILES[f].file));
    }
    assert_refused(RUN("run", "--problem", "dipolar_spheres", "--step", "0.1", "--time", "1",
                       "--out", "a.gro"),
                   "can contain only atoms of molecules such as water");
}

/* The fourth site of TIP4P has no mass: XYZ has it as X, a PDB file not at all. */
static void massless_sites(void **state)
{
    (void)state;
    const char *const words[] = {
        "run",    "--problem", "water", "--method",    "verlet+exact", "--step",      "2fs",
        "--time", "2fs",       "--set", "molecules=8", "--set",        "model=tip4p", NULL};
    run_into("a.xyz", words);
    run_into("a.pdb", words);
    char *xyz = file_text("a.xyz"), *pdb = file_text("a.pdb");
    assert_int_equal(32, strtol(xyz, NULL, 10));
    assert_non_null(strstr(xyz, "\nX "));
    assert_null(strstr(pdb, " M "));
    assert_int_equal(1 + 2 * (8 * ATOMS + 2), count_lines(pdb));
    free(xyz);
    free(pdb);
    assert_int_equal(0, unlink("a.xyz"));
    assert_int_equal(0, unlink("a.pdb"));
}

/* ---- glTF ---------------------------------------------------------------------------- */

typedef struct scene {
    json_t *json;
    unsigned char *bytes, *data; /* the file; its binary chunk */
    size_t size;
} scene;

static uint32_t word_at(const unsigned char *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static scene read_scene(const char *path)
{
    scene s = {0};
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(0, fseek(file, 0, SEEK_END));
    s.size = (size_t)ftell(file);
    rewind(file);
    s.bytes = malloc(s.size);
    assert_non_null(s.bytes);
    assert_int_equal(s.size, fread(s.bytes, 1, s.size, file));
    assert_int_equal(0, fclose(file));
    assert_int_equal(0, unlink(path));
    assert_memory_equal("glTF", s.bytes, 4);
    assert_int_equal(2, word_at(s.bytes + 4));
    assert_int_equal(s.size, word_at(s.bytes + 8));
    assert_memory_equal("JSON", s.bytes + 16, 4);
    const size_t length = word_at(s.bytes + 12);
    s.json = json_loadb((char *)s.bytes + 20, length, 0, NULL);
    assert_non_null(s.json);
    s.data = s.bytes + 20 + length + 8;
    assert_int_equal(s.size, 28 + length + word_at(s.data - 8));
    assert_memory_equal("BIN", s.data - 4, 4);
    return s;
}

static void scene_free(scene *s)
{
    json_decref(s->json);
    free(s->bytes);
}

static json_t *member(const json_t *object, const char *key, size_t i)
{
    json_t *found = json_array_get(json_object_get(object, key), i);
    assert_non_null(found);
    return found;
}

/* The numbers of an accessor, to be freed: of floats, or of shorts. */
static double *numbers(const scene *s, size_t accessor, size_t width, size_t *count)
{
    const json_t *a = member(s->json, "accessors", accessor),
                 *view = member(s->json, "bufferViews", (size_t)json_at(a, "bufferView", 0));
    const unsigned char *at = s->data + (size_t)json_at(view, "byteOffset", 0);
    const bool shorts = json_at(a, "componentType", 0) == 5123;
    assert_int_equal(0, (size_t)json_at(view, "byteOffset", 0) % 4);
    *count = (size_t)json_at(a, "count", 0);
    double *x = malloc(*count * width * sizeof *x);
    assert_non_null(x);
    assert_true(json_at(view, "byteLength", 0) == (double)(*count * width * (shorts ? 2 : 4)));
    for (size_t i = 0; i < *count * width; i++) {
        if (shorts) {
            x[i] = at[2 * i] | at[2 * i + 1] << 8;
        } else {
            const uint32_t bits = word_at(at + 4 * i);
            float y;
            memcpy(&y, &bits, sizeof y);
            x[i] = y;
        }
    }
    return x;
}

/* What a viewer uses the bytes of an accessor for, by the constants of glTF. */
static void assert_target(const scene *s, size_t accessor, double target)
{
    const json_t *a = member(s->json, "accessors", accessor),
                 *view = member(s->json, "bufferViews", (size_t)json_at(a, "bufferView", 0));
    assert_true(json_at(view, "target", 0) == target);
}

static ph_vec3 vector_at(const double *x, double i)
{
    const double *v = x + 3 * (size_t)i;
    return vec3(v[0], v[1], v[2]);
}

/* A solid: each triangle looks outward, as its normals say; extents are those of the corners. Half its edges,
 * its middle, and its volume, by the triangles. */
typedef struct solid {
    double low[3], high[3];
    double volume;
} solid;

static solid read_solid(const scene *s, size_t number)
{
    solid of = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, 0.0};
    const json_t *primitives = json_object_get(member(s->json, "meshes", number), "primitives");
    assert_int_equal(3, json_array_size(primitives));
    for (size_t axis = 0; axis < 3; axis++) {
        const json_t *p = json_array_get(primitives, axis),
                     *attributes = json_object_get(p, "attributes");
        const size_t position = (size_t)json_at(attributes, "POSITION", 0);
        size_t corners, normals, indices;
        double *x = numbers(s, position, 3, &corners),
               *n = numbers(s, (size_t)json_at(attributes, "NORMAL", 0), 3, &normals),
               *k = numbers(s, (size_t)json_at(p, "indices", 0), 1, &indices);
        const json_t *extent = member(s->json, "accessors", position);
        assert_int_equal(corners, normals);
        assert_int_equal(12, indices);
        assert_target(s, position, 34962);
        assert_target(s, (size_t)json_at(attributes, "NORMAL", 0), 34962);
        assert_target(s, (size_t)json_at(p, "indices", 0), 34963);
        assert_true(json_at(p, "material", 0) == (double)axis);
        for (size_t d = 0; d < 3; d++) {
            double low = INFINITY, high = -INFINITY;
            for (size_t i = 0; i < corners; i++) {
                low = smaller_or_nan(low, x[3 * i + d]);
                high = larger_or_nan(high, x[3 * i + d]);
            }
            /* nine digits of the text */
            assert_true(fabs(json_at(extent, "min", d) - low) <= 1e-8 * fabs(low));
            assert_true(fabs(json_at(extent, "max", d) - high) <= 1e-8 * fabs(high));
            of.low[d] = smaller_or_nan(of.low[d], low);
            of.high[d] = larger_or_nan(of.high[d], high);
        }
        for (size_t i = 0; i < indices; i += 3) {
            const ph_vec3 a = vector_at(x, k[i]), b = vector_at(x, k[i + 1]),
                          c = vector_at(x, k[i + 2]), area = cross(sub(b, a), sub(c, a));
            for (size_t corner = 0; corner < 3; corner++) {
                const ph_vec3 normal = vector_at(n, k[i + corner]);
                assert_true(fabs(norm(normal) - 1.0) < 1e-7);
                assert_true(fabs(dot(area, normal) - norm(area)) <= 1e-6 * norm(area));
                assert_true(fabs(dot(normal, vec3(axis == 0, axis == 1, axis == 2))) == 1.0);
            }
            of.volume += dot(a, cross(b, c)) / 6.0;
        }
        free(x);
        free(n);
        free(k);
    }
    const double box =
        (of.high[0] - of.low[0]) * (of.high[1] - of.low[1]) * (of.high[2] - of.low[2]);
    assert_true(fabs(of.volume - box) <= 1e-5 * of.volume);
    assert_true(of.volume > 0.0);
    return of;
}

/* What a node does over time, to be freed; NULL: it does not do that. */
static double *channel(const scene *s, double node, const char *path, size_t width, size_t *count)
{
    const json_t *animation = member(s->json, "animations", 0);
    json_t *c;
    size_t i;
    json_array_foreach(json_object_get(animation, "channels"), i, c)
    {
        const json_t *target = json_object_get(c, "target");
        if (json_at(target, "node", 0) != node ||
            strcmp(json_string_value(json_object_get(target, "path")), path) != 0)
            continue;
        const json_t *sampler = member(animation, "samplers", (size_t)json_at(c, "sampler", 0));
        return numbers(s, (size_t)json_at(sampler, "output", 0), width, count);
    }
    return NULL;
}

/* The times of all samplers. */
static double *times_of(const scene *s, size_t *count)
{
    const json_t *sampler = member(member(s->json, "animations", 0), "samplers", 0);
    return numbers(s, (size_t)json_at(sampler, "input", 0), 1, count);
}

/* The rotation of the node that holds all: it takes the z of space, or its opposite, to y. */
static void assert_up(const scene *s, double z)
{
    const json_t *node = member(s->json, "nodes", 0);
    const ph_quat q = {json_at(node, "rotation", 3), json_at(node, "rotation", 0),
                       json_at(node, "rotation", 1), json_at(node, "rotation", 2)};
    const ph_vec3 y = rotate(q, vec3(0.0, 0.0, z));
    assert_true(fabs(y.y - 1.0) < 1e-8 && fabs(y.x) < 1e-8 && fabs(y.z) < 1e-8);
}

/* What is drawn of a body stands in it as this quaternion says. */
static void assert_axes(const scene *s, size_t body, ph_quat right)
{
    const json_t *node = member(s->json, "nodes", 2 + 2 * body);
    const ph_quat q = {json_at(node, "rotation", 3), json_at(node, "rotation", 0),
                       json_at(node, "rotation", 1), json_at(node, "rotation", 2)};
    assert_true(fabs(fabs(dot4(q, right)) - 1.0) < 1e-8 && fabs(dot4(q, q) - 1.0) < 1e-8);
}

/* A column of a file of rows, by its number. */
enum { ROWS = 5 };
static double column(const char *text, size_t row, size_t number)
{
    for (size_t i = 0; i <= row; i++)
        text = strchr(text, '\n') + 1;
    for (size_t i = 0; i < number; i++)
        text = strchr(text, ',') + 1;
    return strtod(text, NULL);
}

static bool near_float(double a, double b)
{
    return fabs(a - b) <= 1e-6 * (1.0 + fabs(b));
}

/* The box of a body with these moments: the squares of its edges are as J2 + J3 - J1 and so on, and the
 * longest edge is 2. */
static void glb_of_boxes(void **state)
{
    (void)state;
    static const struct {
        const char *inertia;
        double squares[3];
    } all[] = {{"1,2,2.5", {3.5, 1.5, 0.5}},
               {"2.5,1,2", {0.5, 3.5, 1.5}},
               {"2,2.5,1", {1.5, 0.5, 3.5}},
               {"1,1,1.99995", {1.0, 1.0, 0.01}}}; /* no thinner than a tenth */
    for (size_t i = 0; i < COUNT(all); i++) {
        run_into("a.glb", (const char *const[]){"run", "--problem", "free", "--inertia",
                                                all[i].inertia, "--momentum", "1,-2,0.5", "--step",
                                                "0.25", "--time", "1", NULL});
        scene s = read_scene("a.glb");
        const solid box = read_solid(&s, 0);
        const double *a = all[i].squares, largest = larger_or_nan(a[0], larger_or_nan(a[1], a[2]));
        for (size_t k = 0; k < 3; k++) {
            assert_true(fabs(box.high[k] - sqrt(a[k] / largest)) < 1e-4);
            assert_true(near_float(box.low[k], -box.high[k]));
        }
        scene_free(&s);
    }
}

/* A body whose moments are not known is a cube. */
static void glb_of_attitudes(void **state)
{
    (void)state;
    file_write("a.csv", "t,q0,q1,q2,q3\n0,1,0,0,0\n1,0.6,0.8,0,0\n");
    run_into("a.glb", (const char *const[]){"convert", "a.csv", NULL});
    scene s = read_scene("a.glb");
    const solid box = read_solid(&s, 0);
    for (size_t k = 0; k < 3; k++)
        assert_true(box.high[k] == 1.0 && box.low[k] == -1.0);
    assert_axes(&s, 0, (ph_quat){1.0, 0.0, 0.0, 0.0});
    size_t count;
    double *q = channel(&s, 1.0, "rotation", 4, &count);
    assert_int_equal(2, count);
    assert_true(q[3] == 1.0 && near_float(q[4], 0.8) && near_float(q[7], 0.6));
    free(q);
    scene_free(&s);
    assert_int_equal(0, unlink("a.csv"));
}

/* One body: a box with its moments, and its attitudes, with continuous signs. */
static void glb_of_a_body(void **state)
{
    (void)state;
    const char *const words[] = {"run",     "--problem",  "free",     "--inertia",
                                 "1,2,2.5", "--momentum", "1,-2,0.5", "--step",
                                 "0.25",    "--time",     "1",        NULL};
    run_into("a.csv", words);
    run_into("a.glb", words);
    char *text = file_text("a.csv");
    scene s = read_scene("a.glb");
    size_t count, turns;
    double *t = times_of(&s, &count), *q = channel(&s, 1.0, "rotation", 4, &turns);
    assert_int_equal(ROWS, count);
    assert_int_equal(ROWS, turns);
    for (size_t i = 0; i < ROWS; i++) {
        assert_true(near_float(t[i], column(text, i, 0)));
        for (size_t k = 0; k < 4; k++) /* x, y, z, w */
            assert_true(near_float(q[4 * i + k], column(text, i, 1 + (k + 1) % 4)));
    }
    assert_null(channel(&s, 1.0, "translation", 3, &turns));
    assert_up(&s, 1.0);
    assert_axes(&s, 0, (ph_quat){1.0, 0.0, 0.0, 0.0});
    /* squares of edges are as J2 + J3 - J1 and so on: 3.5, 1.5, 0.5, the longest edge is 2 */
    const solid box = read_solid(&s, 0);
    const double squares[] = {3.5, 1.5, 0.5};
    for (size_t k = 0; k < 3; k++) {
        assert_true(near_float(box.high[k], sqrt(squares[k] / 3.5)));
        assert_true(near_float(box.low[k], -box.high[k]));
    }
    /* a colour for each axis */
    static const double colours[3][4] = {
        {0.0, 0.168, 0.445, 1.0}, {0.665, 0.112, 0.0, 1.0}, {0.0, 0.342, 0.171, 1.0}};
    assert_int_equal(3, json_array_size(json_object_get(s.json, "materials")));
    for (size_t axis = 0; axis < 3; axis++) {
        const json_t *look =
            json_object_get(member(s.json, "materials", axis), "pbrMetallicRoughness");
        for (size_t k = 0; k < 4; k++)
            assert_true(fabs(json_at(look, "baseColorFactor", k) - colours[axis][k]) < 1e-8);
        assert_true(json_at(look, "metallicFactor", 0) == 0.0 &&
                    fabs(json_at(look, "roughnessFactor", 0) - 0.7) < 1e-8);
    }
    free(t);
    free(q);
    free(text);
    scene_free(&s);
    assert_int_equal(0, unlink("a.csv"));
}

/* The box of a body with a tensor stands along its principal axes. */
static void glb_of_a_tensor(void **state)
{
    (void)state;
    const ph_mat3 J = {{{2.0, 0.3, 0.2}, {0.3, 1.5, -0.1}, {0.2, -0.1, 2.5}}};
    run_into("a.glb", (const char *const[]){"run", "--problem", "free", "--tensor",
                                            "2,1.5,2.5,0.3,0.2,-0.1", "--momentum", "1,-2,0.5",
                                            "--step", "0.25", "--time", "1", NULL});
    scene s = read_scene("a.glb");
    const json_t *node = member(s.json, "nodes", 2);
    const ph_quat q = {json_at(node, "rotation", 3), json_at(node, "rotation", 0),
                       json_at(node, "rotation", 1), json_at(node, "rotation", 2)};
    assert_true(fabs(dot4(q, q) - 1.0) < 1e-8 && fabs(q.w) < 0.999);
    for (int k = 0; k < 3; k++) {
        const ph_vec3 axis = rotate(q, vec3(k == 0, k == 1, k == 2)),
                      of = {J.a[0][0] * axis.x + J.a[0][1] * axis.y + J.a[0][2] * axis.z,
                            J.a[1][0] * axis.x + J.a[1][1] * axis.y + J.a[1][2] * axis.z,
                            J.a[2][0] * axis.x + J.a[2][1] * axis.y + J.a[2][2] * axis.z};
        assert_true(norm(cross(of, axis)) < 1e-7);
    }
    scene_free(&s);
}

/* Molecules: places and attitudes of each; backward in time, too, which the animation shows forward. */
static void glb_of_molecules(void **state)
{
    (void)state;
    const char *const words[] = {"run",          "--problem",   "dipolar_spheres", "--method",
                                 "verlet+exact", "--step=-0.1", "--time=-0.4",     "--set",
                                 "lattice=2",    "--inertia",   "1,2,2.5",         NULL};
    enum { BODIES = 8 };
    run_into("a.csv", words);
    run_into("a.glb", words);
    char *text = file_text("a.csv"); /* t, body, x, y, z, px, py, pz, q0, q1, q2, q3 ... */
    scene s = read_scene("a.glb");
    size_t count;
    double *t = times_of(&s, &count);
    assert_int_equal(ROWS, count);
    for (size_t body = 0; body < BODIES; body++) {
        size_t turns, places;
        double *q = channel(&s, 1.0 + 2.0 * (double)body, "rotation", 4, &turns),
               *x = channel(&s, 1.0 + 2.0 * (double)body, "translation", 3, &places);
        assert_int_equal(ROWS, turns);
        assert_int_equal(ROWS, places);
        for (size_t i = 0; i < ROWS; i++) {
            const size_t row = i * BODIES + body;
            double product = 0.0;
            assert_true(near_float(t[i], -column(text, row, 0)));
            for (size_t k = 0; k < 3; k++)
                assert_true(near_float(x[3 * i + k], column(text, row, 2 + k)));
            for (size_t k = 0; k < 4; k++)
                product += q[4 * i + k] * column(text, row, 8 + (k + 1) % 4);
            assert_true(near_float(fabs(product), 1.0));
        }
        assert_axes(&s, body, (ph_quat){1.0, 0.0, 0.0, 0.0});
        free(q);
        free(x);
    }
    /* all have one box, that of the moments; half its longest edge is a third of the way from the first body to the
     * next, at the start */
    assert_int_equal(1, json_array_size(json_object_get(s.json, "meshes")));
    const solid box = read_solid(&s, 0);
    const double squares[] = {3.5, 1.5, 0.5};
    double shortest = INFINITY;
    for (size_t body = 1; body < BODIES; body++) {
        double way[3];
        for (size_t k = 0; k < 3; k++)
            way[k] = column(text, body, 2 + k) - column(text, 0, 2 + k);
        shortest = smaller_or_nan(shortest, norm(vec3(way[0], way[1], way[2])));
    }
    for (size_t k = 0; k < 3; k++)
        assert_true(near_float(box.high[k], shortest / 3.0 * sqrt(squares[k] / 3.5)));
    free(t);
    free(text);
    scene_free(&s);
    assert_int_equal(0, unlink("a.csv"));
}

/* Molecules with different moments have different boxes; equal ones that follow each other share one. */
static void glb_of_different_molecules(void **state)
{
    (void)state;
    static const struct {
        size_t bodies, boxes;
        const char *positions, *inertias;
        size_t box[3];
        double squares[3][3];
    } all[] = {
        {2,
         2,
         "[0, 0, 0], [0, 0, 3]",
         "[1, 2, 2.5], [2.5, 1, 2]",
         {0, 1},
         {{3.5, 1.5, 0.5}, {0.5, 3.5, 1.5}}},
        {3,
         2,
         "[0, 0, 0], [0, 0, 3], [0, 3, 3]",
         "[1, 2, 2.5], [2, 2.5, 1], [2, 2.5, 1]",
         {0, 1, 1},
         {{3.5, 1.5, 0.5}, {1.5, 0.5, 3.5}, {1.5, 0.5, 3.5}}},
        {2, 1, "[0, 0, 0], [0, 0, 3]", "[1, 1, 1], [1, 1, 1]", {0, 0}, {{1, 1, 1}, {1, 1, 1}}}};
    for (size_t i = 0; i < COUNT(all); i++) {
        char text[400];
        (void)snprintf(text, sizeof text,
                       "problem: dipolar_spheres\nmethod: verlet+exact\nstep: 0.01\ntime: 0.02\n"
                       "bodies: {positions: [%s], inertias: [%s]}\n",
                       all[i].positions, all[i].inertias);
        file_write("s.yaml", text);
        run_into("a.glb", (const char *const[]){"run", "s.yaml", NULL});
        scene s = read_scene("a.glb");
        assert_int_equal(all[i].boxes, json_array_size(json_object_get(s.json, "meshes")));
        for (size_t body = 0; body < all[i].bodies; body++) {
            const json_t *drawn = member(s.json, "nodes", 2 + 2 * body);
            const double *a = all[i].squares[body],
                         largest = larger_or_nan(a[0], larger_or_nan(a[1], a[2]));
            assert_true(json_at(drawn, "mesh", 0) == (double)all[i].box[body]);
            const solid box = read_solid(&s, all[i].box[body]);
            for (size_t k = 0; k < 3; k++)
                assert_true(near_float(box.high[k], sqrt(a[k] / largest)));
        }
        scene_free(&s);
    }
    assert_int_equal(0, unlink("s.yaml"));
}

/* A double pendulum: rods from their pivots along the unit vectors, the second at the end of the first; k is
 * down. */
static void glb_of_a_chain(void **state)
{
    (void)state;
    const char *const words[] = {
        "run", "--problem", "double_pendulum", "--step", "0.05",        "--time",
        "0.2", "--set",     "length1=1.5",     "--set",  "length2=0.5", NULL};
    const double length[] = {1.5, 0.5};
    run_into("a.csv", words);
    run_into("a.glb", words);
    char *text = file_text("a.csv"); /* t, q1x, q1y, q1z, q2x ... */
    scene s = read_scene("a.glb");
    size_t count;
    for (size_t rod = 0; rod < 2; rod++) {
        double *q = channel(&s, 1.0 + 2.0 * (double)rod, "rotation", 4, &count),
               *x = channel(&s, 1.0 + 2.0 * (double)rod, "translation", 3, &count);
        assert_int_equal(rod == 1, x != NULL);
        for (size_t i = 0; i < ROWS; i++) {
            const ph_quat turn = {q[4 * i + 3], q[4 * i], q[4 * i + 1], q[4 * i + 2]};
            const ph_vec3 v = rotate(turn, vec3(0.0, 0.0, 1.0));
            const double along[] = {v.x, v.y, v.z};
            for (size_t k = 0; k < 3; k++) {
                assert_true(near_float(along[k], column(text, i, 1 + 3 * rod + k)));
                if (x != NULL)
                    assert_true(near_float(x[3 * i + k], length[0] * column(text, i, 1 + k)));
            }
        }
        const json_t *drawn = member(s.json, "nodes", 2 + 2 * rod);
        const solid of = read_solid(&s, (size_t)json_at(drawn, "mesh", 0));
        assert_true(fabs(of.low[2]) < 1e-7 && near_float(of.high[2], length[rod]));
        assert_true(of.high[0] > 0.0 && of.high[0] < 0.1 && near_float(of.low[0], -of.high[0]));
        assert_axes(&s, rod, (ph_quat){1.0, 0.0, 0.0, 0.0});
        free(q);
        free(x);
    }
    assert_up(&s, -1.0);
    free(text);
    scene_free(&s);
    assert_int_equal(0, unlink("a.csv"));

    /* rods that begin upside down */
    file_write("s.yaml", "problem: double_pendulum\nmethod: rattle\nstep: 0.01\ntime: 0.02\n"
                         "q: [[0, 0, -1], [0, 0, -1]]\nw: [[1, 0, 0], [0, 2, 0]]\n");
    run_into("a.glb", (const char *const[]){"run", "s.yaml", NULL});
    s = read_scene("a.glb");
    double *q = channel(&s, 3.0, "rotation", 4, &count);
    const ph_quat turn = {q[3], q[0], q[1], q[2]};
    assert_true(norm(sub(rotate(turn, vec3(0, 0, 1)), vec3(0, 0, -1))) < 1e-6);
    free(q);
    scene_free(&s);
    assert_int_equal(0, unlink("s.yaml"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(xyz_frames),
        cmocka_unit_test(atoms_of_water),
        cmocka_unit_test(massless_sites),
        cmocka_unit_test(glb_of_boxes),
        cmocka_unit_test(glb_of_a_body),
        cmocka_unit_test(glb_of_molecules),
        cmocka_unit_test(glb_of_a_chain),
        cmocka_unit_test(glb_of_a_tensor),
        cmocka_unit_test(glb_of_different_molecules),
        cmocka_unit_test(glb_of_attitudes),
    };
    return cmocka_run_group_tests(tests, folder_enter, folder_leave);
}
