/* field.cl - what the fields in src/problems call. */
#include "core/simd.h"
#include "core/named.h"
#include "core/rotation.c"
#undef SMALL

/* Names of the free motion that fields have for something else. */
#define along field_along
