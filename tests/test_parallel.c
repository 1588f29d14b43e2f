/* test_parallel.c - loops on threads: each pass once, two at the same time, within loops, from several threads,
 * after a fork, with more threads than passes and fewer. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/parallel.h"
#include "polhode/batch.h"

enum { MOST = 1000, LOOPS = 200 };

typedef struct work {
    atomic_int done[MOST];
    double sum; /* guarded by the lock */
} work;

static void count_pass(void *context, size_t pass)
{
    work *w = context;
    atomic_fetch_add(&w->done[pass], 1);
    ph_parallel_lock();
    w->sum += (double)pass;
    ph_parallel_unlock();
}

/* Whether each of n passes is done once, in a loop of its own. */
static bool each_once(size_t n)
{
    work *w = calloc(1, sizeof *w);
    if (w == NULL)
        return false;
    ph_parallel_for(n, true, count_pass, w);
    bool once = w->sum == 0.5 * (double)n * ((double)n - 1.0) || n == 0;
    for (size_t i = 0; i < MOST; i++)
        once = once && atomic_load(&w->done[i]) == (i < n);
    free(w);
    return once;
}

static void test_each_once(void **state)
{
    (void)state;
    static const size_t passes[] = {0, 1, 2, 3, 7, 8, 100, MOST};
    for (int threads = 1; threads <= 9; threads++) {
        ph_set_threads(threads);
        assert_int_equal(threads, ph_threads());
        for (size_t i = 0; i < sizeof passes / sizeof passes[0]; i++)
            assert_true(each_once(passes[i]));
    }
    for (int i = 0; i < LOOPS; i++) /* soon after each other */
        assert_true(each_once(16));
    ph_set_threads(0);
    assert_true(ph_threads() >= 1);
}

/* Says that this pass has begun, and waits for the other one: twenty seconds at most. */
static void meet(void *context, size_t pass)
{
    enum { WAITS = 20000 };
    atomic_int *begun = context;
    const struct timespec moment = {0, 1000000};
    atomic_fetch_add(&begun[0], 1);
    for (int i = 0; i < WAITS && atomic_load(&begun[0]) < 2; i++)
        (void)nanosleep(&moment, NULL);
    atomic_fetch_add(&begun[1 + pass], atomic_load(&begun[0]) == 2);
}

/* Two passes that wait for each other end, with two threads. */
static void test_at_once(void **state)
{
    (void)state;
    atomic_int begun[3] = {0, 0, 0};
    ph_set_threads(2);
    ph_parallel_for(2, true, meet, begun);
    assert_true(begun[1] == 1 && begun[2] == 1);
    ph_set_threads(0);
}

typedef struct callers {
    pthread_t first;
    atomic_int others;
} callers;

static void note_caller(void *context, size_t pass)
{
    (void)pass;
    callers *c = context;
    const struct timespec moment = {0, 1000000};
    (void)nanosleep(&moment, NULL); /* time for others to come */
    if (!pthread_equal(c->first, pthread_self()))
        atomic_fetch_add(&c->others, 1);
}

/* Passes that are not worth threads, or are one, are done by the caller. */
static void test_by_the_caller(void **state)
{
    (void)state;
    callers c = {.first = pthread_self()};
    ph_set_threads(3);
    ph_parallel_for(20, false, note_caller, &c);
    for (int i = 0; i < 10; i++)
        ph_parallel_for(1, true, note_caller, &c);
    assert_int_equal(0, c.others);
    ph_set_threads(0);
}

static void loop_within(void *context, size_t pass)
{
    atomic_int *good = context;
    if (each_once(pass))
        atomic_fetch_add(good, 1);
}

static void test_loop_within(void **state)
{
    (void)state;
    atomic_int good = 0;
    ph_set_threads(3);
    ph_parallel_for(50, true, loop_within, &good);
    assert_int_equal(50, good);
    ph_set_threads(0);
}

static void *caller(void *good)
{
    for (int i = 0; i < LOOPS; i++)
        atomic_fetch_add((atomic_int *)good, each_once(64));
    return NULL;
}

static void test_several_callers(void **state)
{
    (void)state;
    enum { CALLERS = 4 };
    pthread_t thread[CALLERS];
    atomic_int good = 0;
    ph_set_threads(3);
    for (int i = 0; i < CALLERS; i++)
        assert_int_equal(0, pthread_create(&thread[i], NULL, caller, &good));
    for (int i = 0; i < CALLERS; i++)
        assert_int_equal(0, pthread_join(thread[i], NULL));
    assert_int_equal(CALLERS * LOOPS, good);
    ph_set_threads(0);
}

/* Another thread holds the lock while the process forks, and no loop has started a thread yet. The
 * child has the lock all the same; it must come first among the tests. */
static void *hold_lock(void *context)
{
    enum { HELD = 0, MAY_GO = 1 };
    atomic_int *step = context;
    const struct timespec moment = {0, 1000000};
    ph_parallel_lock();
    atomic_store(&step[HELD], 1);
    while (atomic_load(&step[MAY_GO]) == 0)
        (void)nanosleep(&moment, NULL);
    ph_parallel_unlock();
    return NULL;
}

static void test_fork_while_locked(void **state)
{
    (void)state;
    enum { SECONDS = 20 };
    atomic_int step[2] = {0, 0};
    pthread_t holder;
    assert_int_equal(0, pthread_create(&holder, NULL, hold_lock, step));
    while (atomic_load(&step[0]) == 0)
        ;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)alarm(SECONDS); /* ends a child that waits */
        ph_set_threads(1);
        _exit(each_once(MOST) ? 0 : 1);
    }
    int status = 1;
    assert_int_equal(child, waitpid(child, &status, 0));
    atomic_store(&step[1], 1);
    assert_int_equal(0, pthread_join(holder, NULL));
    assert_int_equal(0, status);
}

/* A function of the user that starts a loop of its own, and waits for a thread that does. */
typedef struct asked {
    atomic_int calls, inside, overlaps, nested;
    double last;
} asked;

static void *loop_of_another(void *context)
{
    asked *a = context;
    parallel_progress none = {.whole = 1.0};
    atomic_fetch_add(&a->nested, each_once(64) && ph_parallel_go_on(&none, 1.0, 0.0));
    return NULL;
}

static bool ask(void *context, double done)
{
    asked *a = context;
    pthread_t other;
    if (atomic_fetch_add(&a->inside, 1) != 0)
        atomic_fetch_add(&a->overlaps, 1);
    atomic_fetch_add(&a->calls, 1);
    (void)loop_of_another(a);
    if (pthread_create(&other, NULL, loop_of_another, a) == 0)
        (void)pthread_join(other, NULL);
    a->last = done;
    atomic_fetch_sub(&a->inside, 1);
    return true;
}

static void ask_pass(void *context, size_t pass)
{
    (void)pass;
    (void)ph_parallel_go_on(context, 1.0, 0.0);
}

static void test_asks_without_the_lock(void **state)
{
    (void)state;
    enum { SECONDS = 100 };
    (void)alarm(SECONDS); /* ends the test if it waits for itself */
    for (int threads = 1; threads <= 4; threads++) {
        asked a = {0};
        parallel_progress p = {.go_on = ask, .context = &a, .whole = 100.0};
        ph_set_threads(threads);
        ph_parallel_for(100, true, ask_pass, &p);
        assert_int_equal(0, atomic_load(&a.overlaps));
        assert_int_equal(2 * atomic_load(&a.calls), atomic_load(&a.nested));
        assert_true(a.last == 1.0 && p.done == 100.0 && !p.stopped);
    }
    (void)alarm(0);
    ph_set_threads(0);
}

/* The threads stay behind; the child starts its own. */
static void test_fork(void **state)
{
    (void)state;
    ph_set_threads(3);
    assert_true(each_once(MOST));
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(each_once(MOST) && each_once(3) ? 0 : 1);
    int status = 1;
    assert_int_equal(child, waitpid(child, &status, 0));
    assert_int_equal(0, status);
    assert_true(each_once(MOST));
    ph_set_threads(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fork_while_locked),
        cmocka_unit_test(test_each_once),
        cmocka_unit_test(test_at_once),
        cmocka_unit_test(test_by_the_caller),
        cmocka_unit_test(test_loop_within),
        cmocka_unit_test(test_several_callers),
        cmocka_unit_test(test_fork),
        cmocka_unit_test(test_asks_without_the_lock),
    };
    return cmocka_run_group_tests_name("loops on threads", tests, NULL, NULL);
}
