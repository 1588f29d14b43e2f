/* solving.h - the solvers of other libraries on the rotation of a body: what each needs to
 * reach an error. */
#ifndef POLHODE_BENCH_SOLVING_H
#define POLHODE_BENCH_SOLVING_H

#include "bench.h"
#include "ode.h"

#define SOLVING_STARTS  5   /* so that no solver is lucky */
#define SOLVING_POINTS  100 /* at most */
#define SOLVING_TARGETS 3   /* at most */
#define SOLVING_SOLVERS 16  /* at most */

/* A body, free or in a field, from several starts to the same time: the problem's start,
 * and others with momenta of the same length and attitudes at random. */
typedef struct solving {
    ph_problem problem;
    int starts;
    ph_state start[SOLVING_STARTS];
    double end;
    int points; /* at which the state is wanted, evenly spaced, the last at the end */
    ph_quat right[SOLVING_STARTS][SOLVING_POINTS]; /* attitudes there */
} solving;

/* All starts of a problem; the right attitudes are the caller's to fill in. */
solving solving_new(const ph_problem *p, double end, int points);

/* The same from one of its starts alone. */
solving solving_from(const solving *s, int start);

/* A solver with the tolerance that does for an error: a contestant's work. */
typedef struct solving_entry {
    const bench_solver *solver;
    bench_ode ode;
    void *handle; /* NULL: it does not reach the error */
    const solving *on;
    double tolerance, error;
    long evaluations; /* for one start, on average */
} solving_entry;

/* For each solver of bench/solvers the cheapest tolerance, by right-hand sides, for which
 * the largest attitude error at all points from all starts is at most `target`, or the one
 * that comes nearest. Returns the number of solvers; release them with solving_close. */
int solving_search(bench *b, const solving *on, double target, solving_entry *entries);

/* The same for one solver. */
void solving_search_one(const bench_solver *solver, const solving *on, double target,
                        solving_entry *entry);

void solving_close(solving_entry *entries, int count);

/* Says what they need. */
void solving_tell(bench *b, const solving_entry *entries, int count, double target);

/* All starts once: for .run of a contestant whose .work is an entry. */
double solving_pass(void *work);

#endif
