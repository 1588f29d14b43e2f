/* clock.h - seconds that only grow. */
#ifndef POLHODE_IO_CLOCK_H
#define POLHODE_IO_CLOCK_H

/* Seconds since some fixed moment. */
double clock_now(void);

#endif
