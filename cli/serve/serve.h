/* serve.h - a running simulation in the browser: a server on this machine's own address,
 * 127.0.0.1, that only shows. */
#pragma once

#include "cli/output/loop.h"

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
void page_close(void *self);
