/* parallel.c - threads that share the passes of a loop, and never make it slower.
 *
 * Threads are started when they are first needed, and wait for work asleep. Each has a
 * share of the passes, the same one every time, whose data then stay in its cache; who is
 * done takes from the shares of others. The caller works too, and waits at the end only
 * for threads that have begun: one that the system does not let run, since another
 * program has its core, costs nothing, for its share is done by others meanwhile.
 *
 * A loop within a pass, and one that another thread starts meanwhile, run on one thread.
 */
#define _GNU_SOURCE /* sched_getaffinity */
#include "base/parallel.h"

#include <stdlib.h>

#include "base/choice.h"
#include "base/isa.h"
#include "polhode/batch.h"

#ifndef PH_THREADS
#define PH_THREADS 1
#endif
#if PH_THREADS
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

enum {
    MOST = 256,
    LOOKS = 20000 /* for something to do, before a thread falls asleep: some 20 us */
};

/* A part of the passes, on cache lines of its own. */
typedef struct share {
    _Alignas(CACHE_LINE) atomic_size_t next;
    size_t end;
} share;

typedef struct loop {
    parallel_pass *pass;
    void *context;
    int shares;
    atomic_int inside; /* threads at work, without the caller */
    share share[MOST];
} loop;

static struct {
    pthread_mutex_t calling; /* held by who runs a loop */
    pthread_mutex_t lock;    /* guards the rest */
    pthread_cond_t begun, ended;
    loop *now;
    atomic_uint count; /* of loops begun */
    int started;       /* threads there are, without the caller */
    int asked;         /* by ph_set_threads(); 0: nothing */
} pool = {.calling = PTHREAD_MUTEX_INITIALIZER,
          .lock = PTHREAD_MUTEX_INITIALIZER,
          .begun = PTHREAD_COND_INITIALIZER,
          .ended = PTHREAD_COND_INITIALIZER};

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

/* ---- locks ----------------------------------------------------------------------- */

/* A forked process has the calling thread only: another thread may have held the locks. */
static void forget_threads(void)
{
    pool.calling = pool.lock = one_at_a_time = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    pool.begun = pool.ended = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    pool.now = NULL;
    pool.started = 0;
}

static void watch_forks(void)
{
    (void)pthread_atfork(NULL, NULL, forget_threads);
}

/* Locks a mutex, but first sees to it that no forked process finds it locked. */
static void lock(pthread_mutex_t *mutex)
{
    static pthread_once_t watched = PTHREAD_ONCE_INIT;
    (void)pthread_once(&watched, watch_forks);
    (void)pthread_mutex_lock(mutex);
}

static void unlock(pthread_mutex_t *mutex)
{
    (void)pthread_mutex_unlock(mutex);
}

/* ---- how many threads ------------------------------------------------------------ */

/* So many threads, but at most MOST; 0 if there is none. */
static int possible(long count)
{
    if (count < 1)
        return 0;
    return count > MOST ? MOST : (int)count;
}

static int number_in(const char *variable)
{
    const char *words = getenv(variable);
    if (words == NULL)
        return 0;
    return possible(strtol(words, NULL, 10));
}

static int by_default(void)
{
    static const char *const variables[] = {"POLHODE_THREADS", "OMP_NUM_THREADS"};
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        if (number_in(variables[i]) > 0)
            return number_in(variables[i]);
    }
    long count = sysconf(_SC_NPROCESSORS_ONLN);
#ifdef __linux__
    cpu_set_t mine;
    if (sched_getaffinity(0, sizeof mine, &mine) == 0)
        count = CPU_COUNT(&mine);
#endif
    return larger_int(possible(count), 1);
}

int ph_threads(void)
{
    lock(&pool.lock);
    if (pool.asked == 0)
        pool.asked = by_default();
    const int count = pool.asked;
    unlock(&pool.lock);
    return count;
}

void ph_set_threads(int count)
{
    lock(&pool.lock);
    pool.asked = possible(count);
    unlock(&pool.lock);
}

/* ---- the work -------------------------------------------------------------------- */

/* The share of thread `me`, then what is left of the others. */
static void work_on(loop *l, int me)
{
    for (int k = 0; k < l->shares; k++) {
        share *s = &l->share[(me + k) % l->shares];
        for (;;) {
            const size_t pass = atomic_fetch_add_explicit(&s->next, 1, memory_order_relaxed);
            if (pass >= s->end)
                break;
            l->pass(l->context, pass);
        }
    }
}

/* Spins for a moment, as long as the condition holds. */
#define WAIT_A_MOMENT(condition)                                                                   \
    for (int looks = 0; looks < LOOKS && (condition); looks++)                                     \
    atomic_signal_fence(memory_order_seq_cst)

/* What a thread does: the number of its share is that of the thread. */
static void *serve(void *number)
{
    const int me = *(const int *)number;
    unsigned seen = 0;
    for (;;) {
        WAIT_A_MOMENT(atomic_load(&pool.count) == seen);
        lock(&pool.lock);
        while (atomic_load(&pool.count) == seen)
            (void)pthread_cond_wait(&pool.begun, &pool.lock);
        seen = atomic_load(&pool.count);
        loop *l = pool.now != NULL && me < pool.now->shares ? pool.now : NULL;
        if (l != NULL)
            atomic_fetch_add(&l->inside, 1);
        unlock(&pool.lock);
        if (l == NULL)
            continue;
        work_on(l, me);
        lock(&pool.lock);
        if (atomic_fetch_sub(&l->inside, 1) == 1)
            (void)pthread_cond_signal(&pool.ended);
        unlock(&pool.lock);
    }
    return NULL;
}

/* As many threads as are wanted and can be started. */
static void start_threads(int wanted)
{
    for (; pool.started < wanted; pool.started++) {
        pthread_t thread;
        static int number[MOST];
        number[pool.started] = pool.started + 1;
        if (pthread_create(&thread, NULL, serve, &number[pool.started]) != 0)
            return;
        (void)pthread_detach(thread);
    }
}

void ph_parallel_for(size_t passes, bool worth, parallel_pass *pass, void *context)
{
    const int threads = worth && passes > 1 ? ph_threads() : 1; /* locks, before the trylock */
    if (threads < 2 || pthread_mutex_trylock(&pool.calling) != 0) {
        for (size_t i = 0; i < passes; i++)
            pass(context, i);
        return;
    }
    loop l; /* whose shares are too many to be set to 0 */
    l.pass = pass;
    l.context = context;
    l.shares = threads;
    atomic_init(&l.inside, 0);
    for (int k = 0; k < threads; k++) {
        const size_t each = passes / (size_t)threads, more = passes % (size_t)threads,
                     begin = each * (size_t)k + smaller_size((size_t)k, more);
        atomic_init(&l.share[k].next, begin);
        l.share[k].end = begin + each + ((size_t)k < more);
    }
    start_threads(threads - 1);
    lock(&pool.lock);
    pool.now = &l;
    atomic_fetch_add(&pool.count, 1);
    (void)pthread_cond_broadcast(&pool.begun);
    unlock(&pool.lock);
    work_on(&l, 0);
    lock(&pool.lock);
    pool.now = NULL; /* who has not begun does not begin */
    unlock(&pool.lock);
    WAIT_A_MOMENT(atomic_load(&l.inside) > 0);
    lock(&pool.lock);
    while (atomic_load(&l.inside) > 0)
        (void)pthread_cond_wait(&pool.ended, &pool.lock);
    unlock(&pool.lock);
    unlock(&pool.calling);
}

void ph_parallel_lock(void)
{
    lock(&one_at_a_time);
}

void ph_parallel_unlock(void)
{
    unlock(&one_at_a_time);
}

#else /* one thread */

int ph_threads(void)
{
    return 1;
}

void ph_set_threads(int count)
{
    (void)count;
}

void ph_parallel_for(size_t passes, bool worth, parallel_pass *pass, void *context)
{
    (void)worth;
    for (size_t i = 0; i < passes; i++)
        pass(context, i);
}

void ph_parallel_lock(void)
{
}

void ph_parallel_unlock(void)
{
}

#endif

bool ph_parallel_go_on(parallel_progress *p, double more, double part)
{
    ph_parallel_lock();
    p->done += more;
    if (p->go_on != NULL && !p->stopped && !p->asking) {
        double said;
        p->asking = true;
        do {
            said = p->done;
            ph_parallel_unlock();
            const bool on = p->go_on(p->context, (said + part) / p->whole);
            ph_parallel_lock();
            p->stopped = p->stopped || !on;
        } while (!p->stopped && p->done != said && p->done >= p->whole);
        p->asking = false;
    }
    const bool stopped = p->stopped;
    ph_parallel_unlock();
    return !stopped;
}
