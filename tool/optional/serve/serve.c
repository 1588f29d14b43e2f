/* serve.c - two addresses: / is the page, and /state the last row. It listens on 127.0.0.1 alone,
 * and answers only who asks for that address by name and comes from it: a page of another
 * place in the same browser gets nothing. */
#define _POSIX_C_SOURCE 200809L
#include "serve.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool/base/command.h"
#include "tool/base/tool.h"
#include "tool/files/json.h"
#include "tool/files/memory.h"
#include "tool/files/posix.h"
#include "tool/output/loop.h"

/* ---- the page, a file with two places in it: one for a run, one for what it may ask  */

/* What bindings/web/build.mjs leaves for the tool. */
static const char RUN_PLACE[] = "<!--run-->", CLOSED[] = "connect-src 'none'",
                  OPEN[] = "connect-src 'self'";

/* In JSON, so that nothing looks like a tag. */
#define TAG "\\u003c"

enum { LARGEST_PAGE = 16 << 20 };

/* Reads a file whose path begins where the tool lies; NULL: there is none. */
static char *read_beside(const char *name)
{
    char path[PATH_MAX + 1];
    const char *why;
    size_t size;
    const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX);
    if (length <= 0)
        return NULL;
    path[length] = '\0';
    *strrchr(path, '/') = '\0';
    return file_whole(memory_text("%s/%s", path, name), LARGEST_PAGE, &size, &why);
}

int page_read(char **page)
{
    *page = read_beside("polhode.html");
    if (*page == NULL)
        *page = read_beside("../share/polhode/polhode.html");
    REFUSE_IF(*page == NULL, "the page polhode.html was not found: build it with `make web`");
    REFUSE_IF(strstr(*page, RUN_PLACE) == NULL || strstr(*page, CLOSED) == NULL ||
                  strstr(*page, CLOSED) > strstr(*page, RUN_PLACE),
              "the page polhode.html belongs to another version: build it with `make web`");
    return 0;
}

char *page_with(const char *page, json_t *inside, bool live, size_t *length)
{
    const char *closed = strstr(page, CLOSED), *place = strstr(page, RUN_PLACE),
               *after = place + strlen(RUN_PLACE), *rest = closed + strlen(CLOSED);
    char *json = json_dumps(inside, JSON_COMPACT | JSON_REAL_PRECISION(17));
    size_t tags = 0;
    json_decref(inside);
    for (const char *c = json; *c != '\0'; c++)
        tags += *c == '<';
    char *escaped = memory_new(strlen(json) + strlen(TAG) * tags + 1, 1), *to = escaped;
    for (const char *c = json; *c != '\0'; c++) {
        if (*c == '<')
            to = stpcpy(to, TAG);
        else
            to = stpncpy(to, c, 1);
    }
    free(json);
    char *bytes =
        memory_text("%.*s%s%.*s<script type=\"application/json\" id=\"run\">%s</script>%s",
                    (int)(closed - page), page, live ? OPEN : CLOSED, (int)(place - rest), rest,
                    escaped, after);
    *length = strlen(bytes);
    return bytes;
}

/* ---- systems --------------------------------------------------------------------- */

static json_t *parameters_json(const ph_system *s)
{
    size_t count;
    const double *values;
    const ph_parameter *all = ph_system_parameters(s, &count, &values);
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_add(list, json_pack("{ss so}", "name", all[i].name, "default",
                                 json_numbers(values + all[i].first, (size_t)all[i].count, 1)));
    return list;
}

static json_t *fields_json(const ph_system *s)
{
    size_t count;
    const ph_array *all = ph_system_arrays(s, &count);
    json_t *list = json_array();
    for (const ph_array *f = all; f < all + count; f++) {
        double first[PH_ARRAY_WIDTH];
        for (int k = 0; k < f->width; k++)
            first[k] = f->data[k][0];
        json_add(list,
                 json_pack("{ss sb sb si sI ss so}", "name", f->name, "shown",
                           (f->use & PH_ARRAY_SHOWN) != 0, "list", (f->use & PH_ARRAY_LIST) != 0,
                           "width", f->width, "count", (json_int_t)f->count, "columns", f->columns,
                           "values", json_numbers(first, f->count == 1 ? (size_t)f->width : 0, 1)));
    }
    return list;
}

json_t *page_facts(ph_system *s)
{
    size_t count;
    const ph_observable *all = ph_system_observables(s, &count);
    json_t *observables = json_array();
    for (const ph_observable *o = all; o < all + count; o++)
        json_add(observables, json_pack("{ss ss si sb sb sb}", "name", o->name, "label", o->label,
                                        "width", o->width, "conserved", o->conserved, "defect",
                                        o->defect, "relative", o->relative));
    return json_pack("{ss so so sf sf so so so}", "kind", ph_system_kind(s), "problem",
                     json_text(ph_system_problem_name(s)), "method",
                     json_text(ph_system_integrator_name(s)), "step", ph_system_step(s), "time",
                     ph_system_time(s), "parameters", parameters_json(s), "fields", fields_json(s),
                     "observables", observables);
}

json_t *page_row(ph_system *s)
{
    size_t count;
    json_t *row = json_pack("[f]", ph_system_time(s));
    const ph_array *fields = ph_system_arrays(s, &count);
    for (const ph_array *f = fields; f < fields + count; f++) {
        for (size_t i = 0; (f->use & PH_ARRAY_SHOWN) && i < f->count; i++) {
            for (int k = 0; k < f->width; k++)
                json_add(row, json_finite(f->data[k][i * f->stride]));
        }
    }
    json_add(row, json_finite(ph_system_energy(s)));
    const ph_observable *all = ph_system_observables(s, &count);
    for (const ph_observable *o = all; o < all + count; o++) {
        for (int k = 0; k < o->width; k++)
            json_add(row, json_finite(o->now[k]));
    }
    return row;
}

enum { LAST_PORT = 65535 };

#ifdef POLHODE_MICROHTTPD

#include <arpa/inet.h>
#include <microhttpd.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#define SHOW_SECONDS 0.04 /* from one row to the next */
/* Of CONNECTIONS, those beyond KEPT are on their way to be closed. */
enum { CONNECTIONS = 64, KEPT = 48, TIMEOUT_SECONDS = 10, NAME = 32 };

/* A client, and the number of the last event of all that was its own: it came, or asked. */
typedef struct client {
    struct MHD_Connection *at; /* NULL: there is none, and `last` is 0 */
    uint64_t last;
} client;

typedef struct server {
    struct MHD_Daemon *daemon;
    char *page;
    size_t page_length;
    char names[2][NAME];  /* by which it is asked for */
    double shown;         /* when the last row was made */
    client clients[KEPT]; /* these two are used by the daemon's thread alone */
    uint64_t events;
    pthread_mutex_t lock;
    char *row; /* JSON; under the lock */
} server;

/* The page of a run. */
typedef struct live_page {
    int port;
    server *server;
} live_page;

static enum MHD_Result answer(struct MHD_Connection *to, unsigned status, const char *type,
                              const char *bytes, size_t length)
{
    struct MHD_Response *response =
        MHD_create_response_from_buffer(length, (void *)bytes, MHD_RESPMEM_MUST_COPY);
    if (response == NULL)
        return MHD_NO;
    static const char *const headers[][2] = {
        {"Cache-Control", "no-store"},
        {"X-Content-Type-Options", "nosniff"},
        {"X-Frame-Options", "DENY"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
    };
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
        (void)MHD_add_response_header(response, headers[i][0], headers[i][1]);
    (void)MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
    const enum MHD_Result result = MHD_queue_response(to, status, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result refuse(struct MHD_Connection *to, unsigned status, const char *words)
{
    return answer(to, status, "text/plain; charset=utf-8", words, strlen(words));
}

/* Whether a header, if `needed` or there, is one of the server's names. */
static bool is_own(const server *s, struct MHD_Connection *from, const char *header,
                   const char *scheme, bool needed)
{
    const char *value = MHD_lookup_connection_value(from, MHD_HEADER_KIND, header);
    if (value == NULL)
        return !needed;
    if (strncmp(value, scheme, strlen(scheme)) != 0)
        return false;
    value += strlen(scheme);
    return strcmp(value, s->names[0]) == 0 || strcmp(value, s->names[1]) == 0;
}

static client *client_at(server *s, const struct MHD_Connection *at)
{
    for (int i = 0; i < KEPT; i++) {
        if (s->clients[i].at == at)
            return &s->clients[i];
    }
    return NULL;
}

/* A client that comes takes a free place, or that of the client who has asked for nothing
 * longest: slow ones, all of the same address, lock nobody out. */
static void come_or_go(void *context, struct MHD_Connection *at, void **unused,
                       enum MHD_ConnectionNotificationCode what)
{
    server *s = context;
    client *c = client_at(s, at);
    (void)unused;
    if (what == MHD_CONNECTION_NOTIFY_CLOSED) {
        if (c != NULL)
            *c = (client){0};
        return;
    }
    c = &s->clients[0];
    for (int i = 1; i < KEPT; i++) {
        if (s->clients[i].last < c->last)
            c = &s->clients[i];
    }
    if (c->at != NULL)
        (void)shutdown(
            MHD_get_connection_info(c->at, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd,
            SHUT_RDWR);
    *c = (client){at, ++s->events};
}

static enum MHD_Result handle(void *context, struct MHD_Connection *from, const char *url,
                              const char *method, const char *version, const char *uploaded,
                              size_t *upload_size, void **state)
{
    server *s = context;
    client *c = client_at(s, from);
    (void)version, (void)uploaded, (void)upload_size, (void)state;
    if (c != NULL)
        c->last = ++s->events;
    if (!is_own(s, from, MHD_HTTP_HEADER_HOST, "", true) ||
        !is_own(s, from, MHD_HTTP_HEADER_ORIGIN, "http://", false))
        return refuse(from, MHD_HTTP_FORBIDDEN, "This page can be opened only on this machine.\n");
    if (strcmp(method, MHD_HTTP_METHOD_GET) != 0)
        return refuse(from, MHD_HTTP_METHOD_NOT_ALLOWED, "Only GET requests are allowed.\n");
    if (strcmp(url, "/") == 0)
        return answer(from, MHD_HTTP_OK, "text/html; charset=utf-8", s->page, s->page_length);
    if (strcmp(url, "/state") != 0)
        return refuse(from, MHD_HTTP_NOT_FOUND, "The pages are / and /state.\n");
    (void)pthread_mutex_lock(&s->lock);
    const char *row = text_or(s->row, "null");
    const enum MHD_Result result = answer(from, MHD_HTTP_OK, "application/json", row, strlen(row));
    (void)pthread_mutex_unlock(&s->lock);
    return result;
}

static int listen_on(server *s, int port)
{
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    errno = 0;
    s->daemon = MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD, (uint16_t)port, NULL, NULL,
                                 handle, s, MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&place,
                                 MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS,
                                 MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)TIMEOUT_SECONDS,
                                 MHD_OPTION_NOTIFY_CONNECTION, come_or_go, s, MHD_OPTION_END);
    REFUSE_IF(s->daemon == NULL,
              "--serve %d: the tool cannot use this port of 127.0.0.1: %s: choose another", port,
              errno ? strerror(errno) : "the port is in use");
    if (isatty(STDERR_FILENO))
        (void)fprintf(stderr, "http://%s shows the run.\n", s->names[0]);
    return 0;
}

static void stop_server(void *of)
{
    server *s = of;
    if (s->daemon != NULL)
        MHD_stop_daemon(s->daemon);
    (void)pthread_mutex_destroy(&s->lock);
    free(s->row);
}

static int page_begin(void *self, loop *l)
{
    live_page *of = self;
    const int port = of->port;
    char *page = NULL;
    server *s = of->server = memory_new(1, sizeof *s);
    (void)pthread_mutex_init(&s->lock, NULL);
    memory_at_end(stop_server, s);
    (void)snprintf(s->names[0], NAME, "127.0.0.1:%d", port);
    (void)snprintf(s->names[1], NAME, "localhost:%d", port);
    TRY(page_read(&page));
    json_t *run =
        json_pack("{sb sf s{so s[o]}}", "live", 1, "length", l->time < 0.0 ? -l->time : l->time,
                  "recording", "facts", page_facts(l->system), "rows", page_row(l->system));
    s->page = page_with(page, run, true, &s->page_length);
    return listen_on(s, port);
}

/* Shows the system some times a second. */
static bool page_show(void *self, loop *l)
{
    server *to = ((live_page *)self)->server;
    const double now = clock_now();
    if (now - to->shown < SHOW_SECONDS)
        return true;
    to->shown = now;
    json_t *row = page_row(l->system);
    char *text = json_dumps(row, JSON_COMPACT | JSON_REAL_PRECISION(17));
    json_decref(row);
    (void)pthread_mutex_lock(&to->lock);
    char *old = to->row;
    to->row = text;
    (void)pthread_mutex_unlock(&to->lock);
    free(old);
    return true;
}

#endif

/* Reads --serve. */
static int open_page(const arguments *given, observer *out)
{
    const char *text = argument(given, "--serve");
    char *end = NULL;
    if (text == NULL)
        return 0;
    const long port = strtol(text, &end, 10);
    REFUSE_IF(end == text || *end != '\0' || port < 1 || port > LAST_PORT,
              "--serve " WORDS " is not a port: write a number from 1 to %d", text, LAST_PORT);
#ifdef POLHODE_MICROHTTPD
    live_page *page = memory_new(1, sizeof *page);
    page->port = (int)port;
    *out = (observer){page, page_begin, NULL, page_show, NULL};
    return 0;
#else
    (void)out;
    return fail_usage("--serve is not part of this tool, which was built without libmicrohttpd: "
                      "install libmicrohttpd-dev and build it again");
#endif
}

const run_observer run_observer_page = {open_page};
