/* test_cli_formats.c - every format of a file of rows that the build has found: molecules are
 * written in it, a run that is stopped goes on to the same bytes, and a suffix that is no
 * format's is refused with the names of all. */
/* Needs kinds, extra. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "motion/vec.h"
#include "support/run_tool.h"
#include "tool/files/rows.h"

#define MOLECULES                                                                                  \
    "run", "--problem", "dipolar_spheres", "--set", "lattice=2", "--method", "verlet+exact",       \
        "--step", "0.01"

/* The bytes of a file, *size of them. */
static char *bytes_of(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    char *bytes = malloc(1 << 20);
    assert_true(f != NULL && bytes != NULL);
    *size = fread(bytes, 1, 1 << 20, f);
    (void)fclose(f);
    return bytes;
}

/* The runs that formats are tried with. */
#define TOP                                                                                        \
    "run", "--problem", "heavy_top", "--method", "s6_10+exact", "--step", "0.01", "--epoch",       \
        "2026-01-01T00:00:00"
#define WATER                                                                                      \
    "run", "--problem", "water", "--method", "verlet+exact", "--step", "0.01", "--set",            \
        "molecules=8"
#define PENDULUMS "run", "--problem", "double_pendulum", "--method", "rattle", "--step", "0.01"

static tool_run run_one(int which, const char *time, const char *out, const char *checkpoint)
{
    const char *last = checkpoint == NULL ? NULL : "--checkpoint";
    switch (which) {
    case 0:
        return RUN(TOP, "--time", time, "--every", "2", "--out", out, last, checkpoint);
    case 1:
        return RUN(PENDULUMS, "--time", time, "--every", "2", "--out", out, last, checkpoint);
    case 2:
        return RUN(WATER, "--time", time, "--every", "2", "--out", out, last, checkpoint);
    default:
        return RUN(MOLECULES, "--time", time, "--every", "2", "--out", out, last, checkpoint);
    }
}

static void resume_one(const file_format *f, int which, const char *whole)
{
    char part[40];
    size_t size, part_size;
    (void)snprintf(part, sizeof part, "part.%s", f->suffix);
    tool_run begun = run_one(which, "0.1", part, "snapshot");
    assert_done(&begun);
    tool_run again = RUN("resume", "snapshot"); /* printed, and nothing changed */
    assert_done(&again);
    tool_run rest = RUN("resume", "snapshot", "--time", "0.2");
    assert_done(&rest);
    char *one = bytes_of(whole, &size), *other = bytes_of(part, &part_size);
    assert_true(size > 100);
    assert_int_equal(size, part_size);
    assert_memory_equal(one, other, size);
    free(one);
    free(other);
    tool_run_free(&begun);
    tool_run_free(&again);
    tool_run_free(&rest);
    assert_int_equal(unlink(part) + unlink("snapshot"), 0);
}

/* Every format with every kind of system: written, or refused with a line. What can be continued
 * is, to the same bytes; what cannot is refused before the run. */
static void written_and_resumed(void **state)
{
    (void)state;
    const file_format *f;
    for (size_t i = 0; (f = file_format_at(i)) != NULL; i++) {
        int written = 0;
        char whole[40], capitals[40];
        (void)snprintf(whole, sizeof whole, "whole.%s", f->suffix);
        (void)snprintf(capitals, sizeof capitals, "X.%s", f->suffix);
        capitals[2] = (char)(capitals[2] - 'a' + 'A');
        assert_true(file_format_of(whole) == f && file_format_of(capitals) == f);
        for (int which = 0; which < 4; which++) {
            tool_run all = run_one(which, "0.2", whole, NULL);
            if (all.status != 0) {
                assert_error_line(&all, 2, whole);
                assert_contains(all.error, f->text);
                tool_run_free(&all);
                continue;
            }
            assert_done(&all);
            assert_contains(all.out, whole);
            tool_run_free(&all);
            written++;
            if (f->continues)
                resume_one(f, which, whole);
            else
                assert_refused(run_one(which, "0.2", whole, "snapshot"), "cannot be continued");
            assert_int_equal(unlink(whole), 0);
            assert_no_file("*");
        }
        assert_true(written > 0);
    }
}

/* Writes a table in a format and gives the bytes of it; NULL where it is refused. */
static char *converted(const char *text, const file_format *f, size_t *size)
{
    char out[40];
    (void)snprintf(out, sizeof out, "out.%s", f->suffix);
    file_write("in.csv", text);
    tool_run run = RUN("convert", "in.csv", "--epoch", "2026-01-01T00:00:00", "--out", out);
    char *bytes = run.status == 0 ? bytes_of(out, size) : NULL;
    if (bytes == NULL)
        assert_error_line(&run, 2, out);
    else if (f->read_row != NULL) { /* every row is there when it is read */
        tool_run again = RUN("convert", out, "--out", "-");
        assert_done(&again);
        assert_int_equal(count_lines(again.out), count_lines(text));
        tool_run_free(&again);
    }
    tool_run_free(&run);
    (void)unlink(out);
    assert_int_equal(unlink("in.csv"), 0);
    return bytes;
}

/* The last row is in the file: files that differ in it differ. What a table cannot give is
 * continued, to the same bytes as a whole run, and so has all rows. */
static void last_rows(void **state)
{
    (void)state;
    const file_format *f;
    assert_int_equal(setenv("SOURCE_DATE_EPOCH", "0", 1), 0);
    for (size_t i = 0; (f = file_format_at(i)) != NULL; i++) {
        size_t size, other_size;
        char *one = converted("t,q0,q1,q2,q3\n0,1,0,0,0\n1,1,0,0,0\n", f, &size),
             *other = converted("t,q0,q1,q2,q3\n0,1,0,0,0\n1,0,1,0,0\n", f, &other_size);
        assert_true(one != NULL || f->continues);
        assert_true(one == NULL || size != other_size || memcmp(one, other, size) != 0);
        free(one);
        free(other);
    }
    assert_int_equal(unsetenv("SOURCE_DATE_EPOCH"), 0);
    assert_no_file("*");
}

/* How large molecules are drawn depends on their start, not on how long they move. */
static void size_of_molecules(void **state)
{
    (void)state;
    static const char *const times[] = {"0.1", "4"};
    char corner[2][80];
    for (size_t i = 0; i < COUNT(times); i++) {
        tool_run run = RUN("run", "--problem", "dipolar_spheres", "--set", "lattice=2", "--method",
                           "verlet+exact", "--step", "0.1", "--time", times[i], "--out", "a.glb");
        assert_done(&run);
        tool_run_free(&run);
        size_t size;
        char *bytes = bytes_of("a.glb", &size);
        const char *text = bytes + 20, *max = strstr(text, "\"max\":"); /* behind the heads */
        assert_non_null(max);
        (void)snprintf(corner[i], sizeof corner[i], "%.*s", (int)strcspn(max, "]"), max);
        free(bytes);
        assert_int_equal(unlink("a.glb"), 0);
    }
    assert_string_equal(corner[0], corner[1]);
}

/* A run that is stopped leaves a file that is in order. */
static void interrupted_runs(void **state)
{
    (void)state;
    static const char *const files[] = {"a.npz", "a.aem", "a.glb", "a.csv"};
    for (size_t i = 0; i < COUNT(files); i++) {
        const pid_t tool =
            START(-1, -1, -1, TOP, "--time", "1e7", "--every", "1000", "--out", files[i]);
        (void)wait_for_file("a.*", 0);
        pause_ms(50);
        assert_stops(tool);
        size_t size;
        char *bytes = bytes_of(files[i], &size);
        assert_true(size > 100);
        free(bytes);
        assert_int_equal(unlink(files[i]), 0);
        assert_no_file("*");
    }
}

/* What no format holds is refused before the run; standard output and devices are no files. */
static void refused_formats(void **state)
{
    (void)state;
    assert_refused(RUN("exact", BOOK, "--time", "1", "--out", "a.aem"), "--epoch");
    assert_refused(RUN("run", "--problem", "double_pendulum", "--step", "0.05", "--time", "0.05",
                       "--set", "length1=2e38", "--set", "length2=2e38", "--out", "a.glb"),
                   "lengths below 3e38");
    assert_refused(
        RUN("exact", BOOK, "--time", "2,1", "--out", "a.aem", "--epoch", "2026-01-01T00:00:00"),
        "increase");
    assert_refused(RUN("exact", BOOK, "--time", "1", "--out", "a.aem", "--epoch",
                       "2026-01-01T00:00:00", "--show", "t,w"),
                   "--show t,q");
    assert_refused(RUN(TOP, "--time", "1", "--out", "a.glb", "--show", "t"), "--show");
    assert_refused(RUN_WITH(CASES_HEADER CASE, "exact", "--cases", "-", "--out", "a.glb"), "a.glb");
    assert_refused(RUN_WITH(CASES_HEADER CASE, "exact", "--cases", "-", "--out", "a.aem"), "a.aem");
    assert_refused(RUN_WITH("t,x,y,z\n0,1,2,3\n", "convert", "-", "--out", "a.xyz"),
                   "frames of molecules");
    assert_int_equal(symlink("/dev/null", "null.npz"), 0);
    assert_refused(RUN("exact", BOOK, "--time", "1", "--out", "null.npz"), "not a regular file");
    assert_int_equal(unlink("null.npz"), 0);
    assert_no_file("*");
}

#define DATED "--epoch", "2026-01-01T00:00:00"
#define ROWS  "t,q0,q1,q2,q3\n"
#define HERE  ",1,0,0,0\n"

/* Times that a format cannot hold are refused with the row: before anything is written, or where
 * only the run knows them, with the rows before. */
static void refused_times(void **state)
{
    (void)state;
    static const struct {
        const char *times, *out, *phrase;
    } exact[] = {{"0,1e12", "a.aem", "row 2, t = 1e+12: a CCSDS"},
                 {"0,1e15", "a.aem", "years 1000 to 9999"},
                 {"-4e10,0", "a.aem", "row 1, t = -4e+10: a CCSDS"},
                 {"0,1,1.0000000001", "a.aem", "row 3, t = 1: a CCSDS"},
                 {"0,1e39", "a.glb", "row 2, t = 1e+39: a glTF"},
                 {"-1e308,1e308", "a.glb", "row 2"},
                 {"0,1e6,1000000.01", "a.glb", "row 3, t = 1000000.01: a glTF"},
                 {"0,1,0.5", "a.glb", "row 3"},
                 {"0,1,-2", "a.glb", "row 3"},
                 {"0,-1,2", "a.glb", "row 3"},
                 {"1,1", "a.glb", "row 2"}};
    for (size_t i = 0; i < COUNT(exact); i++)
        assert_refused(RUN("exact", BOOK, "--time", exact[i].times, "--out", exact[i].out, DATED),
                       exact[i].phrase);
    tool_run first = RUN("exact", BOOK, "--time", "0,0.1", "--out", "a.aem", "--epoch",
                         "1000-01-01T00:00:00"); /* the first year of four digits */
    assert_done(&first);
    tool_run_free(&first);
    assert_int_equal(unlink("a.aem"), 0);
    assert_refused(RUN(TOP, "--step", "1e9", "--time", "1e12", "--out", "a.aem"), "row ");
    assert_refused(RUN(TOP, "--step", "-1", "--time", "-9", "--out", "a.aem"), "row 2");
    assert_refused(
        RUN("run", "--problem", "heavy_top", "--method", "gbs", "--time", "1e39", "--out", "a.glb"),
        "t = 1e+39");
    assert_no_file("*");

    /* a condition may end the run before its time; here it does not end it soon enough */
    tool_run run = RUN("run", "--problem", "free", "--method", "exact", "--step", "1e9", "--time",
                       "1e12", "--until", "t > 9e11", "--out", "a.aem", DATED);
    assert_error_line(&run, 1, "row 253, t = 2.52e+11: a CCSDS");
    assert_contains(run.error, "252 rows are in a.aem");
    tool_run_free(&run);
    run = RUN("convert", "a.aem", "--out", "-");
    assert_done(&run);
    assert_int_equal(count_lines(run.out), 253);
    tool_run_free(&run);
    assert_int_equal(unlink("a.aem"), 0);

    assert_refused(RUN_WITH(ROWS "0" HERE "1e12" HERE, "convert", "-", "--out", "a.aem", DATED),
                   "row 2, t = 1e+12: a CCSDS");
    assert_refused(RUN_WITH(ROWS "0" HERE "1" HERE "1" HERE, "convert", "-", "--out", "a.glb"),
                   "row 3, t = 1: a glTF");
    assert_int_equal(unlink("a.aem") + unlink("a.glb"), 0); /* the rows before */
    assert_no_file("*");
}

/* Frames of molecules need every field of a body, and an energy. */
static void refused_frames(void **state)
{
    (void)state;
    static const char *const names[] = {"box",     "positions",       "momenta",
                                        "masses",  "angular_momenta", "attitudes",
                                        "dipoles", "inertias"};
    const file_format *xyz = file_format_of("a.xyz");
    double x = 0.0;
    ph_array field[COUNT(names)];
    const ph_observable energy = {.name = "energy"};
    for (size_t i = 0; i < COUNT(names); i++)
        field[i] = number_field(names[i], &x);
    record r = {
        .first = {.field = field, .fields = COUNT(names), .observable = &energy, .observables = 1}};
    assert_null(xyz->refuse(&r));
    for (size_t i = 0; i < COUNT(names); i++) {
        field[i].name = "another";
        assert_non_null(xyz->refuse(&r));
        field[i].name = names[i];
    }
    r.first.observables = 0;
    assert_non_null(xyz->refuse(&r));
}

/* Molecules that are all alike: a field of `width` numbers, the same for each of them. */
static ph_array same_field(const char *name, double *x, int width, size_t count)
{
    ph_array f = {.name = name, .width = width, .count = count};
    for (int k = 0; k < width; k++)
        f.data[k] = x + k;
    return f;
}

/* Writes a frame of molecules with these atoms; returns the text. */
static char *frame_of_atoms(const char *file, const double *atomic_numbers, size_t sites,
                            size_t molecules, unsigned long long frames)
{
    double x[] = {-0.5, 7.0, 11.0}, p[] = {2.0, 4.0, -6.0}, q[] = {1.0, 0.0, 0.0, 0.0},
           m[] = {0.0, 0.0, 0.0}, J[] = {1.0, 1.0, 1.0}, mass = 2.0, box[] = {2.0, 3.0, 5.0},
           dipole[] = {0.0, 0.0, 0.0}, energy = 1.0, number[16], atom[16][4] = {{0}};
    for (size_t i = 0; i < sites; i++) {
        number[i] = atomic_numbers[i];
        atom[i][0] = number[i] != 0.0;
        atom[i][1] = 0.01 * (double)i;
    }
    ph_array field[] = {same_field("positions", x, 3, molecules),
                        same_field("momenta", p, 3, molecules),
                        same_field("attitudes", q, 4, molecules),
                        same_field("angular_momenta", m, 3, molecules),
                        same_field("masses", &mass, 1, molecules),
                        same_field("inertias", J, 3, molecules),
                        same_field("dipoles", dipole, 3, molecules),
                        same_field("box", box, 3, 1),
                        same_field("atoms", atom[0], 4, sites),
                        same_field("atomic_numbers", number, 1, sites)};
    field[COUNT(field) - 2].stride = 4;
    field[COUNT(field) - 1].stride = 1;
    ph_observable observable = {.name = "energy", .width = 1};
    observable.now[0] = energy;
    const file_about about = {.problem = "mixture"};
    const instant now = {.t = 0.25,
                         .field = field,
                         .fields = COUNT(field),
                         .observable = &observable,
                         .observables = 1};
    const file_format *format = file_format_of(file);
    record r = {.format = format, .about = &about, .first = now, .count = frames};
    r.out = outfile_open(file);
    assert_non_null(r.out);
    assert_null(format->refuse(&r));
    if (format->begin != NULL)
        format->begin(&r);
    format->frame(&r, &now);
    assert_int_equal(0, outfile_close(r.out, NULL));
    char *text = file_text(file);
    assert_non_null(text);
    assert_int_equal(0, unlink(file));
    return text;
}

/* Files of atoms: an oblong box, names of the atoms, numbers that begin again at 0. */
static void frames_of_atoms(void **state)
{
    (void)state;
    static const struct {
        double number;
        const char *element, *name;
    } atoms[] = {{8, "O", "O"},  {8, "O", "O2"},  {8, "O", "O3"},  {8, "O", "O"},
                 {1, "H", "H1"}, {0, "X", "M"},   {2, "He", "He"}, {2, "He", "He"},
                 {6, "C", "C1"}, {53, "I", "I1"}, {99, "X", "X"}};
    double number[COUNT(atoms)];
    for (size_t i = 0; i < COUNT(atoms); i++)
        number[i] = atoms[i].number;
    char *xyz = frame_of_atoms("a.xyz", number, COUNT(atoms), 2, 3),
         *gro = frame_of_atoms("a.gro", number, COUNT(atoms), 2, 3),
         *pdb = frame_of_atoms("a.pdb", number, COUNT(atoms), 2, 9998),
         *lammps = frame_of_atoms("a.lammpstrj", number, COUNT(atoms), 2, 3);
    assert_contains(xyz, "22\nLattice=\"20 0 0 0 30 0 0 0 50\" ");
    assert_contains(gro, "mixture, t= 0.25000 step= 3\n22\n");
    assert_contains(gro, "\n   2.00000   3.00000   5.00000\n");
    assert_contains(pdb, "CRYST1   20.000   30.000   50.000  90.00  90.00  90.00 P 1           1\n"
                         "MODEL     9999\n");
    assert_contains(lammps, "pp pp pp\n0 20\n0 30\n0 50\n");
    const char *in_xyz = strstr(xyz, "pbc="), *in_gro = strstr(gro, "22\n"),
               *in_pdb = strstr(pdb, "MO");
    size_t serial = 0;
    for (size_t i = 0; i < 2 * COUNT(atoms); i++) {
        const size_t site = i % COUNT(atoms), molecule = i / COUNT(atoms) + 1;
        const double off = 0.01 * (double)site;
        char line[200];
        in_xyz = strchr(in_xyz, '\n') + 1;
        const size_t length = strlen(atoms[site].element);
        assert_int_equal(0, strncmp(in_xyz, atoms[site].element, length));
        assert_true(fabs(strtod(in_xyz + length, NULL) - 10.0 * (off - 0.5)) < 1e-12);
        in_gro = strchr(in_gro, '\n') + 1;
        (void)snprintf(line, sizeof line,
                       "%5zuMOL  %5s%5zu%8.3f   1.000   1.000  1.0000  2.0000 -3.0000\n", molecule,
                       atoms[site].name, i + 1, 1.5 + off);
        assert_int_equal(0, strncmp(in_gro, line, strlen(line)));
        if (atoms[site].number == 0.0)
            continue; /* a site without mass is not in a PDB file */
        in_pdb = strchr(in_pdb, '\n') + 1;
        (void)snprintf(line, sizeof line,
                       "HETATM%5zu  %-3s MOL A%4zu    %8.3f  10.000  10.000  1.00  0.00          "
                       "%2s\n",
                       ++serial, atoms[site].name, molecule, 15.0 + 10.0 * off,
                       atoms[site].element);
        assert_int_equal(0, strncmp(in_pdb, line, strlen(line)));
    }
    free(xyz);
    free(gro);
    free(pdb);
    free(lammps);

    /* water is oxygen with two hydrogens, and perhaps sites without mass */
    static const struct {
        double number[4];
        size_t sites;
        const char *gro, *pdb;
    } residues[] = {{{8, 1, 1}, 3, "SOL  ", "HOH A"}, {{8, 1, 1, 0}, 4, "SOL  ", "HOH A"},
                    {{8, 1}, 2, "MOL  ", "MOL A"},    {{8, 1, 1, 1}, 4, "MOL  ", "MOL A"},
                    {{1, 1, 8}, 3, "MOL  ", "MOL A"}, {{8, 1, 0}, 3, "MOL  ", "MOL A"}};
    for (size_t i = 0; i < COUNT(residues); i++) {
        gro = frame_of_atoms("a.gro", residues[i].number, residues[i].sites, 1, 0);
        pdb = frame_of_atoms("a.pdb", residues[i].number, residues[i].sites, 1, 9999);
        assert_contains(gro, residues[i].gro);
        assert_contains(pdb, residues[i].pdb);
        assert_contains(pdb, "MODEL        0\n");
        free(gro);
        free(pdb);
    }

    /* after 99999 atoms or molecules, and in PDB files after 9999 molecules */
    gro = frame_of_atoms("a.gro", number, 1, 100001, 0);
    pdb = frame_of_atoms("a.pdb", number, 1, 100001, 0);
    assert_contains(gro, "\n99999MOL      O99999");
    assert_contains(gro, "\n    0MOL      O    0");
    assert_contains(pdb, "\nHETATM99999  O   MOL A9999 ");
    assert_contains(pdb, "\nHETATM    0  O   MOL A   0 ");
    free(gro);
    free(pdb);
}

#define AEM_HEAD     "CCSDS_AEM_VERS = 2.0\nCREATION_DATE = 2026-01-01T00:00:00\nORIGINATOR = X\n"
#define AEM_OLD_HEAD "CCSDS_AEM_VERS = 1.0\nCREATION_DATE = 2026-01-01T00:00:00\nORIGINATOR = X\n"
/* A quaternion of version 1: which frame is that of the body, from which one it leads, its order. */
#define AEM_OLD(a, b, direction, order, numbers)                                                   \
    AEM_OLD_HEAD "META_START\nOBJECT_NAME = A\nOBJECT_ID = B\nREF_FRAME_A = " a                    \
                 "\nREF_FRAME_B = " b "\nATTITUDE_DIR = " direction                                \
                 "\nTIME_SYSTEM = UTC\nSTART_TIME = 2026-01-01T00:00:00\n"                         \
                 "STOP_TIME = 2026-01-01T00:00:01\nATTITUDE_TYPE = QUATERNION\n"                   \
                 "QUATERNION_TYPE = " order "\nMETA_STOP\n" AEM_ANGLES(numbers)
#define AEM_META(type)                                                                             \
    "META_START\nOBJECT_NAME = A\nOBJECT_ID = B\nREF_FRAME_A = EME2000\n"                          \
    "REF_FRAME_B = SC_BODY_1\nTIME_SYSTEM = UTC\nSTART_TIME = 2026-01-01T00:00:00\n"               \
    "STOP_TIME = 2026-01-01T00:00:01\nATTITUDE_TYPE = " type "\nMETA_STOP\n"
#define AEM_ROWS           "DATA_START\n2026-01-01T00:00:00 0 0 0 1\nDATA_STOP\n"
#define AEM_ANGLES(angles) "DATA_START\n2026-01-01T00:00:00 " angles "\nDATA_STOP\n"
#define ANGLES(sequence)   AEM_META("EULER_ANGLE\nEULER_ROT_SEQ = " sequence)

/* What stands in an ephemeris in its place, and what does not. */
static void ephemerides(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"not a sequence of axes", AEM_HEAD ANGLES("ZZX") "DATA_START\n"},
        {"not a sequence of axes", AEM_HEAD ANGLES("ABC") "DATA_START\n"},
        {"not a sequence of axes", AEM_HEAD ANGLES("ZY") "DATA_START\n"},
        {"is outside a segment", AEM_HEAD AEM_META("QUATERNION") "BEGIN\n" AEM_ROWS},
        {"is outside a segment", AEM_HEAD AEM_META("QUATERNION") AEM_ROWS AEM_ROWS},
        {"line 4", AEM_HEAD AEM_ROWS},
        {"line 15", AEM_HEAD AEM_META("QUATERNION") "DATA_START\nDATA_START\n"},
        {"no end", AEM_HEAD AEM_META("QUATERNION") "DATA_START\n"},
        {"line 3 comes before CREATION_DATE", "CCSDS_AEM_VERS = 2.0\nORIGINATOR = X\nMETA_START\n"},
        {"this is not a date", AEM_HEAD "META_START\nSTOP_TIME = never\n"},
        {"this is not a date", "CCSDS_AEM_VERS = 2.0\nCREATION_DATE = today\n"},
        {"line 5: version 2.0 does not have this", AEM_HEAD "META_START\nATTITUDE_DIR = A2B\n"},
        {"line 5: version 2.0 does not have this", AEM_HEAD "META_START\nQUATERNION_TYPE = LAST\n"},
        {"line 5: the direction must be", AEM_OLD_HEAD "META_START\nATTITUDE_DIR = A1B\n"},
        {"line 5: the scalar part must be", AEM_OLD_HEAD "META_START\nQUATERNION_TYPE = L\n"},
        {"cannot read this type", AEM_HEAD "META_START\nATTITUDE_TYPE = SPIN\n"},
        {"cannot read this type", AEM_HEAD "META_START\nATTITUDE_TYPE = QUATERNION/X\n"},
        {"is not of the form KEYWORD = value", AEM_HEAD "META_START\nOBJECT_NAME\n"},
        {"occurs twice", AEM_HEAD "META_START\nOBJECT_NAME = A\nOBJECT_NAME = A\n"}};
    tool_run run;
    for (size_t i = 0; i < COUNT(wrong); i++) {
        run = RUN_WITH(wrong[i][1], "convert", "-", "--out", "-");
        assert_error_line(&run, 2, wrong[i][0]);
        tool_run_free(&run);
    }
    run = RUN_WITH(AEM_HEAD AEM_META("QUATERNION") AEM_ROWS AEM_META("QUATERNION") AEM_ROWS,
                   "convert", "-", "--out", "-");
    assert_done(&run);
    assert_string_equal("t,q0,q1,q2,q3\n0,1,0,0,0\n0,1,0,0,0\n", run.out);
    tool_run_free(&run);

    /* a quaternion in both directions and both orders */
    static const struct {
        double
            sign; /* of the vector part: the coordinates in space are those in the body, turned */
        const char *message;
    } turns[] = {{1.0, AEM_OLD("SC_BODY_1", "ICRF", "B2A", "FIRST", "0.5 0.1 -0.7 0.5")},
                 {1.0, AEM_OLD("SC_BODY_1", "ICRF", "B2A", "LAST", "0.1 -0.7 0.5 0.5")},
                 {-1.0, AEM_OLD("SC_BODY_1", "ICRF", "A2B", "FIRST", "0.5 0.1 -0.7 0.5")},
                 {1.0, AEM_OLD("ICRF", "SC_BODY_1", "A2B", "LAST", "0.1 -0.7 0.5 0.5")},
                 {-1.0, AEM_OLD("ICRF", "SC_BODY_1", "B2A", "FIRST", "0.5 0.1 -0.7 0.5")},
                 /* rates of a quaternion are passed over */
                 {1.0, AEM_HEAD AEM_META("QUATERNION/DERIVATIVE")
                           AEM_ANGLES("0.1 -0.7 0.5 0.5 0.1 0.2 0.3 0.4")}};
    for (size_t i = 0; i < COUNT(turns); i++) {
        double x[5];
        const double s = turns[i].sign, right[] = {0.0, 0.5, 0.1 * s, -0.7 * s, 0.5 * s};
        run = RUN_WITH(turns[i].message, "convert", "-", "--out", "-");
        assert_done(&run);
        assert_string_equal("", next_numbers(strchr(run.out, '\n') + 1, 5, x));
        assert_memory_equal(right, x, sizeof x);
        tool_run_free(&run);
    }

    /* the third axis first, by letters or by numbers; blanks after a value do not count */
    static const char *const angles[] = {
        AEM_HEAD ANGLES("ZYX") AEM_ANGLES("90 0 0"), AEM_HEAD ANGLES("321") AEM_ANGLES("90 0 0"),
        AEM_HEAD ANGLES("zyx \t \t") AEM_ANGLES("90 0 0"),
        AEM_HEAD ANGLES("XZY") AEM_ANGLES("0 90 0"), AEM_HEAD ANGLES("132\t") AEM_ANGLES("0 90 0")};
    for (size_t i = 0; i < COUNT(angles); i++) {
        double x[5];
        run = RUN_WITH(angles[i], "convert", "-", "--out", "-");
        assert_done(&run);
        (void)next_numbers(strchr(run.out, '\n') + 1, 5, x);
        assert_true(x[0] == 0.0 && fabs(x[1] - sqrt(0.5)) < 1e-12 && fabs(x[2]) < 1e-12 &&
                    fabs(x[3]) < 1e-12 && fabs(fabs(x[4]) - sqrt(0.5)) < 1e-12);
        tool_run_free(&run);
    }
    run = RUN_WITH(AEM_HEAD ANGLES("ZYXZ") AEM_ANGLES("90 0 0"), "convert", "-", "--out", "-");
    assert_error_line(&run, 2, "not a sequence of axes");
    tool_run_free(&run);

    /* the date of the file, and its version: the older one unless there are velocities, or as asked for */
    static const struct {
        const char *shown, *asked, *version;
    } written[] = {{"t,q", NULL, "1.0"},
                   {"t,q", "2.0", "2.0"},
                   {"t,q", "1.0", "1.0"},
                   {"t,q,w", NULL, "2.0"},
                   {"t,q,w", "2.0", "2.0"}};
    assert_int_equal(setenv("SOURCE_DATE_EPOCH", "1000000000", 1), 0);
    for (size_t i = 0; i < COUNT(written); i++) {
        char version[40];
        run = RUN("exact", BOOK, "--time", "0,0.1", "--show", written[i].shown, "--out", "a.aem",
                  "--epoch", "2026-01-01T00:00:00", written[i].asked ? "--aem" : NULL,
                  written[i].asked);
        assert_done(&run);
        tool_run_free(&run);
        char *text = file_text("a.aem");
        (void)snprintf(version, sizeof version, "CCSDS_AEM_VERS       = %s\n", written[i].version);
        assert_contains(text, version);
        assert_contains(text, "CREATION_DATE        = 2001-09-09T01:46:40");
        free(text);
    }
    assert_int_equal(unsetenv("SOURCE_DATE_EPOCH"), 0);

    /* velocities are written where all three are shown */
    static const char *const shown[] = {"t,q,w1,w2,w3", "t,q,w2,w3", "t,q,w1,w3", "t,q,w1,w2",
                                        "t,q"};
    for (size_t i = 0; i < COUNT(shown); i++) {
        run = RUN("exact", BOOK, "--time", "0,0.1", "--show", shown[i], "--out", "a.aem", "--epoch",
                  "2026-01-01T00:00:00");
        assert_done(&run);
        tool_run_free(&run);
        char *text = file_text("a.aem");
        assert_int_equal(i == 0, strstr(text, "ANGVEL") != NULL);
        free(text);
        run = RUN("convert", "a.aem", "--out", "-");
        assert_done(&run);
        assert_int_equal(i == 0, strstr(run.out, ",w1,w2,w3\n") != NULL);
        tool_run_free(&run);
    }
    assert_int_equal(unlink("a.aem"), 0);
}

/* Each keyword of a message, for quaternions and Euler angles, with and without velocities, in both
 * versions; and its first row. */
static void messages(void **state)
{
    (void)state;
    static const struct {
        const char *shown, *version, *type, *sequence;
        bool velocities;
    } all[] = {{"t,q", "1.0", "QUATERNION", NULL, false},
               {"t,q", "2.0", "QUATERNION", NULL, false},
               {"t,q,w", "2.0", "QUATERNION/ANGVEL", NULL, true},
               {"t,euler_zyx", "1.0", "EULER_ANGLE", "321", false},
               {"t,euler_xzx", "1.0", "EULER_ANGLE", "131", false},
               {"t,euler_zxy", "2.0", "EULER_ANGLE", "ZXY", false},
               {"t,euler_yxz,w", "2.0", "EULER_ANGLE/ANGVEL", "YXZ", true}};
    assert_int_equal(setenv("SOURCE_DATE_EPOCH", "1000000000", 1), 0);
    for (size_t i = 0; i < COUNT(all); i++) {
        const bool old = strcmp(all[i].version, "1.0") == 0, angles = all[i].sequence != NULL;
        tool_run run = RUN("exact", BOOK, "--time", "0.5,0.75", "--show", all[i].shown, "--out",
                           "a.aem", "--aem", all[i].version, "--object", "X-1", "--object-id",
                           "2026-001A", "--epoch", "2026-01-01T00:00:00"),
                 rows = RUN("exact", BOOK, "--time", "0.5", "--show", all[i].shown, "--out", "-");
        assert_done(&run);
        assert_done(&rows);
        char wanted[1600], sequence[60];
        (void)snprintf(sequence, sizeof sequence, "EULER_ROT_SEQ        = %s\n",
                       angles ? all[i].sequence : "");
        (void)snprintf(
            wanted, sizeof wanted,
            "CREATION_DATE        = 2001-09-09T01:46:40\nORIGINATOR           = POLHODE\n\n"
            "META_START\nCOMMENT polhode %s, exact\nOBJECT_NAME          = X-1\n"
            "OBJECT_ID            = 2026-001A\nREF_FRAME_A          = EME2000\n"
            "REF_FRAME_B          = SC_BODY_1\n%sTIME_SYSTEM          = UTC\n"
            "START_TIME           = 2026-01-01T00:00:00.500000000\n"
            "STOP_TIME            = 2026-01-01T00:00:00.750000000\n"
            "ATTITUDE_TYPE        = %s\n%s%s%s%s%s"
            "META_STOP\n\nDATA_START\n2026-01-01T00:00:00.500000000 ",
            ph_version(), old ? "ATTITUDE_DIR         = A2B\n" : "", all[i].type,
            old && !angles ? "QUATERNION_TYPE      = LAST\n" : "", angles ? sequence : "",
            all[i].velocities ? "ANGVEL_FRAME         = SC_BODY_1\n" : "",
            !old     ? ""
            : angles ? "INTERPOLATION_METHOD = LAGRANGE\n"
                     : "INTERPOLATION_METHOD = LINEAR\n",
            old ? "INTERPOLATION_DEGREE = 1\n" : "");
        char *text = file_text("a.aem"), *at = strstr(text, "CREATION_DATE");
        assert_non_null(at);
        if (strncmp(at, wanted, strlen(wanted)) != 0)
            fail_msg("%s\ninstead of\n%s", at, wanted);
        at += strlen(wanted);
        double row[8];
        const size_t turn = angles ? 3 : 4, count = turn + (all[i].velocities ? 3 : 0);
        (void)next_numbers(strchr(rows.out, '\n') + 1, 1 + count, row);
        for (size_t k = 0; k < count;
             k++) { /* the scalar part is the last, angles are in degrees */
            const double degree = 57.295779513082321,
                         right = k >= turn || angles ? degree * row[1 + k] : row[1 + (k + 1) % 4];
            assert_true(fabs(strtod(at, &at) - right) <= 1e-12);
        }
        assert_true(*at == '\n');
        assert_contains(at, "\nDATA_STOP\n");
        free(text);
        tool_run_free(&run);
        tool_run_free(&rows);
    }
    /* the date of creation if the environment has none that can be written */
    static const char *const dates[][2] = {{"0", "1970-01-01T00:00:00"},
                                           {"86399", "1970-01-01T23:59:59"},
                                           {"-1", "1970-01-01T00:00:00"},
                                           {"249999999999", "9892-03-08T12:26:39"},
                                           {"250000000000", "1970-01-01T00:00:00"}};
    for (size_t i = 0; i < COUNT(dates); i++) {
        assert_int_equal(setenv("SOURCE_DATE_EPOCH", dates[i][0], 1), 0);
        tool_run run = RUN("exact", BOOK, "--time", "0.5", "--show", "t,q", "--out", "a.aem",
                           "--epoch", "2026-01-01T00:00:00");
        assert_done(&run);
        tool_run_free(&run);
        char *text = file_text("a.aem");
        assert_contains(text, dates[i][1]);
        assert_contains(text, "START_TIME           = 2026-01-01T00:00:00.500000000\n"
                              "STOP_TIME            = 2026-01-01T00:00:00.500000000\n");
        free(text);
    }
    assert_int_equal(unsetenv("SOURCE_DATE_EPOCH"), 0);
    assert_int_equal(unlink("a.aem"), 0);
}

/* A message with a part replaced by a text can be read or not. */
static void check_changed(const char *text, const char *part, size_t length, const char *by,
                          bool good)
{
    char *other = malloc(strlen(text) + strlen(by) + 1);
    assert_non_null(other);
    (void)sprintf(other, "%.*s%s%s", (int)(part - text), text, by, part + length);
    tool_run run = RUN_WITH(other, "convert", "-", "--out", "-");
    if (run.status != (good ? 0 : 2))
        fail_msg("%s\nexit status %d: %s", other, run.status, run.error);
    tool_run_free(&run);
    free(other);
}

/* Every line of a message but comments is needed; other keywords may be in their part of it; a second segment is
 * like the first. */
static void message_lines(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        bool of_header;
    } more[] = {{"CLASSIFICATION = X\n", true},        {"MESSAGE_ID = 1\n", true},
                {"CENTER_NAME = EARTH\n", false},      {"INTERPOLATION_METHOD = LINEAR\n", false},
                {"INTERPOLATION_DEGREE = 1\n", false}, {"USEABLE_START_TIME = X\n", false},
                {"USEABLE_STOP_TIME = X\n", false}};
    tool_run run = RUN("exact", BOOK, "--time", "0,0.125", "--show", "t,q,w", "--out", "a.aem",
                       "--epoch", "2026-01-01T00:00:00");
    assert_done(&run);
    tool_run_free(&run);
    char *text = file_text("a.aem"), *segment = strstr(text, "META_START\n"),
         *data = strstr(text, "DATA_START\n");
    assert_true(segment != NULL && data != NULL);
    for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1) {
        const bool row = line > data && line[0] == '2';
        check_changed(text, line, strcspn(line, "\n") + 1, "",
                      row || line[0] == '\n' || strncmp(line, "COMMENT", 7) == 0);
    }
    for (size_t i = 0; i < COUNT(more); i++) {
        check_changed(text, segment, 0, more[i].line, more[i].of_header);
        check_changed(text, strchr(segment, '\n') + 1, 0, more[i].line, !more[i].of_header);
    }
    const char *end = text + strlen(text);
    check_changed(text, end, 0, segment, true);
    char *second = strdup(segment), *rates = strstr(second, "/ANGVEL");
    assert_true(second != NULL && rates != NULL);
    memcpy(rates, "       ", 7);
    check_changed(text, end, 0, second, false);
    free(second);
    free(text);
    assert_int_equal(unlink("a.aem"), 0);
}

/* What is written is read, number by number: t from the first row on, and velocities in the body, or in space if
 * the message says so. Rows with too few, too many or wrong numbers are refused. */
static void messages_read(void **state)
{
    (void)state;
    tool_run run = RUN("exact", BOOK, "--time", "0.5,0.625,0.75", "--show", "t,q,w", "--out",
                       "a.aem", "--epoch", "2026-01-01T00:00:00"),
             rows = RUN("exact", BOOK, "--time", "0.5,0.625,0.75", "--show", "t,q,w", "--out", "-");
    assert_done(&run);
    assert_done(&rows);
    tool_run_free(&run);
    char *text = file_text("a.aem"), *frame = strstr(text, "SC_BODY_1\nMETA_STOP"),
         *data = strstr(text, "DATA_START\n2026-");
    assert_true(frame != NULL && data != NULL);
    for (int in_space = 0; in_space < 2; in_space++) {
        if (in_space)
            memcpy(frame, "EME2000  ", 9);
        run = RUN_WITH(text, "convert", "-", "--out", "-");
        assert_done(&run);
        assert_int_equal(strncmp(run.out, "t,q0,q1,q2,q3,w1,w2,w3\n", 23), 0);
        const char *at = strchr(run.out, '\n') + 1, *right = strchr(rows.out, '\n') + 1;
        for (int i = 0; i < 3; i++) {
            double x[8], y[8];
            at = next_numbers(at, 8, x);
            right = next_numbers(right, 8, y);
            const ph_vec3 w = {y[5], y[6], y[7]},
                          v = rotate(inverse((ph_quat){y[1], y[2], y[3], y[4]}), w);
            y[0] -= 0.5;
            for (int k = 0; k < 3 && in_space; k++)
                y[5 + k] = k == 0 ? v.x : k == 1 ? v.y : v.z;
            for (int k = 0; k < 8; k++)
                assert_true(fabs(x[k] - y[k]) < 1e-9);
        }
        tool_run_free(&run);
    }
    tool_run_free(&rows);
    char *row_end = strchr(data + strlen("DATA_START\n"), '\n'), *last = row_end;
    while (*last != ' ')
        last--;
    static const struct {
        const char *number, *phrase;
    } wrong[] = {
        {"", "a number is missing"}, {" x", "a number is missing"}, {" 1 2", "more numbers"}};
    for (size_t i = 0; i < COUNT(wrong); i++) {
        char *other = malloc(strlen(text) + 10);
        assert_non_null(other);
        (void)sprintf(other, "%.*s%s%s", (int)(last - text), text, wrong[i].number, row_end);
        run = RUN_WITH(other, "convert", "-", "--out", "-");
        assert_error_line(&run, 2, wrong[i].phrase);
        tool_run_free(&run);
        free(other);
    }
    free(text);
    assert_int_equal(unlink("a.aem"), 0);
}

/* Texts of a message: names of 1 to 64 printable characters of ASCII, and the first 200 bytes of the command, in
 * which other characters are question marks. */
static void message_texts(void **state)
{
    (void)state;
#define TEN "0123456789"
    static const struct {
        const char *name;
        bool good;
    } all[] = {{"A B", true},      {"~!", true},    {TEN TEN TEN TEN TEN TEN "abcd", true},
               {"", false},        {" A", false},   {TEN TEN TEN TEN TEN TEN "abcde", false},
               {"A ", false},      {"a\tb", false}, {"\x7f", false},
               {"\xc3\xa9", false}};
    for (size_t i = 0; i < 2 * COUNT(all); i++) {
        const char *key = i % 2 ? "--object" : "--object-id", *name = all[i / 2].name;
        tool_run run = RUN("exact", BOOK, "--time", "1", "--out", "a.aem", "--show", "t,q", key,
                           name, "--epoch", "2026-01-01T00:00:00");
        if (all[i / 2].good) {
            char line[100], *text = file_text("a.aem");
            assert_done(&run);
            (void)snprintf(line, sizeof line, "\nOBJECT_%s = %s\n",
                           i % 2 ? "NAME         " : "ID           ", name);
            assert_contains(text, line);
            free(text);
            assert_int_equal(unlink("a.aem"), 0);
        } else {
            assert_true(run.status == 2);
            assert_no_file("a.aem");
        }
        tool_run_free(&run);
    }
    tool_run run = RUN("exact", "--out", "\xc3\xa9.aem", BOOK, "--epoch", "2026-01-01T00:00:00",
                       "--show", "t,q", "--time",
                       "0.0" TEN ",0.1" TEN ",0.2" TEN ",0.3" TEN ",0.4" TEN ",0.5" TEN ",0.6" TEN
                       ",0.7" TEN ",0.8" TEN ",0.9" TEN ",1.0" TEN ",1.1" TEN);
    assert_done(&run);
    tool_run_free(&run);
    char *text = file_text("\xc3\xa9.aem"), *comment = strstr(text, "\nCOMMENT ");
    assert_non_null(comment);
    assert_int_equal(strlen("COMMENT ") + 200, strcspn(comment + 1, "\n"));
    assert_contains(comment, "??.aem");
    for (const char *at = text; *at != '\0'; at++)
        assert_true(*at == '\n' || (*at >= ' ' && *at <= '~'));
    free(text);
    assert_int_equal(unlink("\xc3\xa9.aem"), 0);
#undef TEN
}

/* Names of columns that no file can have. */
static void refused_names(void **state)
{
    (void)state;
    static const char *const names[] = {"\xff",     "caf\xe9",      "a\tb",  "\x1b[2J",
                                        "\xc2\x85", "\xed\xa0\x80", "\xc3(", "\xe2\x82x"};
    char text[200];
    for (size_t i = 0; i < COUNT(names); i++) {
        (void)snprintf(text, sizeof text, "t,%s,q0,q1,q2,q3\n0,5,1,0,0,0\n", names[i]);
        assert_refused(RUN_WITH(text, "convert", "-", "--out", "-"),
                       "line 1: the name of column 2");
        assert_refused(RUN_WITH(text, "exact", "--cases", "-", "--json"),
                       "line 1: the name of column 2");
    }
    (void)snprintf(text, sizeof text, "t,%064d\n0,5\n", 1);
    assert_refused(RUN_WITH(text, "convert", "-", "--out", "-"), "too long");
    assert_refused(RUN_WITH("t,a/b\n0,5\n", "convert", "-", "--out", "a.h5"), "a.h5");
    tool_run run = RUN_WITH("t,caf\xc3\xa9\n0,5\n", "convert", "-", "--out", "-");
    assert_done(&run);
    assert_string_equal(run.out, "t,caf\xc3\xa9\n0,5\n");
    tool_run_free(&run);
    /* words that are no UTF-8 pass through, and into JSON as far as they are */
    run = RUN_WITH("name," CASES_HEADER "\xff," CASE, "exact", "--cases", "-", "--json");
    assert_done(&run);
    assert_contains(run.out, "\"name\": \"?\"");
    tool_run_free(&run);
    assert_no_file("*");
}

static void unknown_suffixes(void **state)
{
    (void)state;
    assert_null(file_format_of("x.dat"));
    assert_null(file_format_of("x.csv.gz"));
    assert_ptr_equal(file_format_of("-"), file_format_of("x.csv"));
    assert_ptr_equal(file_format_of("/dev/null"), file_format_of("x.csv"));
    assert_ptr_equal(file_format_of("folder.d/x"), file_format_of("x.csv"));
    const file_format *f;
    tool_run run = RUN(MOLECULES, "--time", "0.1", "--out", "x.dat");
    assert_error_line(&run, 2, "x.dat");
    for (size_t i = 0; (f = file_format_at(i)) != NULL; i++)
        assert_contains(run.error, f->suffix);
    tool_run_free(&run);
    assert_refused(RUN("exact", BOOK, "--time", "1", "--out", "x.dat"), "x.dat");
    assert_no_file("*");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(written_and_resumed), cmocka_unit_test(last_rows),
        cmocka_unit_test(size_of_molecules),   cmocka_unit_test(interrupted_runs),
        cmocka_unit_test(refused_formats),     cmocka_unit_test(refused_times),
        cmocka_unit_test(refused_names),       cmocka_unit_test(refused_frames),
        cmocka_unit_test(ephemerides),         cmocka_unit_test(unknown_suffixes),
        cmocka_unit_test(message_lines),       cmocka_unit_test(messages_read),
        cmocka_unit_test(message_texts),       cmocka_unit_test(messages),
        cmocka_unit_test(frames_of_atoms)};
    return cmocka_run_group_tests_name("formats", tests, folder_enter, folder_leave);
}
