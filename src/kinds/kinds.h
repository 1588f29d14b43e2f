/* kinds.h - the kinds of system: the list, written from the folders by the build. */
#ifndef POLHODE_KINDS_KINDS_H
#define POLHODE_KINDS_KINDS_H

#include "system/adapter.h"

const ph_kind *const *ph_kinds(size_t *count);

#endif
