/* certify.h - proves how far the recorded states of a case of conformance/ are from the solution. */
#pragma once

#include <jansson.h>

/* Encloses the solution of a case, the numbers in its JSON taken as exact, at its times. Returns a number
 * that no error exceeds: of components of the attitude, and of components of the velocity divided by
 * the largest velocity of the case (by 1 of a body at rest). Returns infinity if the enclosure fails. */
double certified_radius(const json_t *json);
