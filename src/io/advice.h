/* advice.h - what may help against an error of the system. */
#ifndef POLHODE_IO_ADVICE_H
#define POLHODE_IO_ADVICE_H

/* A phrase to end a message with; `otherwise` where the error has none of its own. */
const char *advice(int error, const char *otherwise);

#endif
