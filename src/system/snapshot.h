/* snapshot.h - a system returns to a snapshot of its own. */
#pragma once

#include "system/kind.h"

/* Does what ph_system_restore() does, with a snapshot that ph_system_save() has made of the same
 * system: it needs no memory, and cannot fail. */
void ph_system_return_to(ph_system *s, const void *saved, size_t size);
