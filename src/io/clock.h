/* clock.h - seconds that only grow. */
#ifndef POLHODE_IO_CLOCK_H
#define POLHODE_IO_CLOCK_H

/* Seconds since some fixed moment. */
double clock_now(void);

/* Seconds that this process has computed: others on the same core do not count. */
double clock_work(void);

#endif
