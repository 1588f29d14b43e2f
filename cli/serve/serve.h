/* serve.h - a running simulation in the browser: a server on this machine's own address,
 * 127.0.0.1, that only shows. */
#pragma once

#include "polhode/system.h"

typedef struct server server;

/* Reads the option --serve of a command: *port is 0 if it is not given. 0 or the exit status of
 * the error it reported; so too the next one. */
struct arguments;
int serve_read(const struct arguments *given, int *port);

/* Serves the page of a run that ends at a time. NULL for the port 0. */
int server_open(server **out, ph_system *s, double end, int port);

/* Shows the system as it is, some times a second; to be called after every step. */
void server_show(server *to, ph_system *s);

/* NULL is allowed. */
void server_close(server *to);
