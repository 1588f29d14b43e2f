/* serve.h - a running simulation in the browser: a server on this machine's own address,
 * 127.0.0.1, that only shows. */
#pragma once

#include <jansson.h>

#include "cli/output/loop.h"
#include "polhode/system.h"

/* The page of a run; `server` is set by the observer, NULL for the port 0. */
typedef struct live_page {
    int port;
    struct server *server;
} live_page;

/* Reads the option --serve of a command: *port is 0 if it is not given. 0 or the exit status of
 * the error it reported. */
int serve_read(const arguments *given, int *port);

/* The functions of an observer, which shows the system some times a second. */
int page_begin(void *self, loop *l);
bool page_show(void *self, loop *l);

/* ---- the page that `make web` builds, with a run inside --------------------------- */

/* Reads the page: beside the tool, or where both are installed. 0 or the exit status of the error
 * it reported. */
int page_read(char **page);

/* The page with a value inside, which is dropped; `live`: it may ask the server that it is
 * from. */
char *page_with(const char *page, json_t *inside, bool live, size_t *length);

/* What a system is, and its row: the time, the shown fields, the energy, the observables. */
json_t *page_facts(ph_system *s);
json_t *page_row(ph_system *s);
