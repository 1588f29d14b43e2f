/* clock.h - seconds that only grow. */
#ifndef POLHODE_CLI_CLOCK_H
#define POLHODE_CLI_CLOCK_H

/* Seconds since some fixed moment. */
double clock_now(void);

#endif
