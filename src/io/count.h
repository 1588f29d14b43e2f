/* count.h - how many elements an array has. */
#ifndef POLHODE_IO_COUNT_H
#define POLHODE_IO_COUNT_H

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

#endif
