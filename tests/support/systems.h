/* systems.h - every kind, problem and integrator as a system, and systems compared. */
#ifndef TESTS_SUPPORT_SYSTEMS_H
#define TESTS_SUPPORT_SYSTEMS_H

#include "polhode/system.h"

/* How to make a system: a problem and an integrator of its kind. */
typedef struct any_system any_system;
struct any_system {
    char name[256]; /* "heavy_top by vlv" */
    ph_status (*make)(const any_system *a, ph_system **out, double h);
    const void *problem, *integrator; /* of one body, or */
    ph_system_settings with;          /* of any kind */
    const ph_parameter *parameters;   /* of the problem, with their values */
    size_t parameter_count;
    const double *value;
    bool is_free; /* there is no torque */
    bool named;   /* problem and integrator are the library's, found by their names */
    double h;     /* a step that all can do */
};

/* Fails the test if it cannot be made. */
ph_system *system_made(const any_system *a);

/* Calls a test for every problem with every integrator that can do it: flows, also plain
 * and composed, methods, schemes; problems of the catalog, of time, of velocity, in any
 * axes; of every other kind, those with a lattice in open space and in boxes. Returns how
 * often. */
size_t every_system(void (*test)(const any_system *a));

/* The same for methods that choose their steps, with a longest step and without. */
size_t adaptive_systems(void (*test)(const any_system *a));

/* The same for a few: one of each kind of step and problem. */
size_t some_systems(void (*test)(const any_system *a));

/* That many steps; a failure fails the test. */
void run_system(const any_system *a, ph_system *s, uint64_t steps, const ph_observer *o);

/* A snapshot in memory; free(at). */
typedef struct bytes {
    unsigned char *at;
    size_t size;
} bytes;
bytes snapshot_of(const ph_system *s);

/* Sets the checksum at the end of altered bytes: FNV-1a over all before it. */
enum { SNAPSHOT_CHECKSUM = 8 };
void sign_snapshot(bytes b);

/* Fails the test, with these words, unless two systems go on alike to the last bit: their
 * snapshots are the same. */
void assert_same_system(const any_system *a, const char *words, const ph_system *x,
                        const ph_system *y);

/* Fails the test unless a system is as a snapshot has it. */
void assert_as_saved(const char *words, bytes b, const ph_system *s);

/* A system of the library by names; fails the test if there is none. */
ph_system *system_named(const char *problem, const char *integrator, double h);

#endif
