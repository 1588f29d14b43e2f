/* field.cl - what the fields in src/integrators/problems call. */
#include "base/named.h"
#include "device/cl/rotation.cl"

/* Names of the free motion that fields have for something else. */
#define along field_along
