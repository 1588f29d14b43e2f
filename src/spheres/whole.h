/* whole.h - parameters that count something. */
#pragma once

/* The whole number from 1 to `most` that a value is, or 0 if it is none. */
static inline int whole(double value, int most)
{
    return value >= 1.0 && value <= most && value == (int)value ? (int)value : 0;
}
