/* reference.h - all that is known of one thing: what `polhode list NAME` prints. */
#pragma once

#include "cli/files/outfile.h"
#include "list.h"

/* For people; keeps_names are those of the bits of `keeps`. */
void reference_print(outfile *out, const list_kind *kind, const entry *e,
                     const char *const *keeps_names);

/* A section of GitHub markdown. False without memory. */
bool reference_markdown(outfile *out, const entry *e);
