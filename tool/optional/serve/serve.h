/* serve.h - a running simulation in the browser: a server on this machine's own address,
 * 127.0.0.1, that only shows; and the page that `make web` builds, with a run inside. */
#pragma once

#include <jansson.h>

#include "polhode/system.h"

/* Reads the page: beside the tool, or where both are installed. 0 or the exit status of the error
 * it reported. */
int page_read(char **page);

/* The page with a value inside, which is dropped; `live`: it may ask the server that it is
 * from. */
char *page_with(const char *page, json_t *inside, bool live, size_t *length);

/* What a system is, and its row: the time, the shown fields, the energy, the observables. */
json_t *page_facts(ph_system *s);
json_t *page_row(ph_system *s);
