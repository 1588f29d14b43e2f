/* kinds.h - the kinds of system: the list, written from the folders by the build. */
#pragma once

#include "system/adapter.h"

const ph_kind *const *ph_kinds(size_t *count);
