/* choice.h - choices between two values that many files make. */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "polhode/body.h"

static inline size_t smaller_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

static inline size_t larger_size(size_t a, size_t b)
{
    return a > b ? a : b;
}

static inline uint64_t smaller_uint64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline int smaller_int(int a, int b)
{
    return a < b ? a : b;
}

static inline int larger_int(int a, int b)
{
    return a > b ? a : b;
}

/* -1 if x is negative, and 1 for zeros and NaN, too. */
static inline double sign_of(double x)
{
    return x < 0.0 ? -1.0 : 1.0;
}

/* 1 if k is even, -1 if it is odd. */
static inline double alternating(int k)
{
    return k % 2 == 0 ? 1.0 : -1.0;
}

/* A size to divide by: 1 in the place of 0, of negative numbers and of NaN. */
static inline double positive_or_one(double size)
{
    return size > 0.0 ? size : 1.0;
}

/* A setting, or another number in the place of NULL. */
static inline double given_or(const double *given, double otherwise)
{
    return given != NULL ? *given : otherwise;
}

/* a / b if b is positive, otherwise what is given. */
static inline double quotient_or(double a, double b, double otherwise)
{
    return b > 0.0 ? a / b : otherwise;
}

static inline double finite_or_nan(double x)
{
    return isfinite(x) ? x : NAN;
}

static inline ph_status ok_if(bool good, ph_status otherwise)
{
    return good ? PH_OK : otherwise;
}
