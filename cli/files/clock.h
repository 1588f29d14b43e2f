/* clock.h - seconds that only grow. */
#pragma once

/* Seconds since some fixed moment. */
double clock_now(void);

/* Seconds that this process has computed, and that this thread has: others on the same core
 * do not count. */
double clock_work(void);
double clock_thread(void);
