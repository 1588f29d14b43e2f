/* aem.c - rows as an Attitude Ephemeris Message of CCSDS.
 *
 * CCSDS 504.0-B-2, Attitude Data Messages, version 2.0 of the message (section 4), in keyword =
 * value notation (section 7). The attitude is that of REF_FRAME_B, the body, seen from
 * REF_FRAME_A: R takes components in B to those in A. The quaternion Q1 Q2 Q3 QC is that of
 * the rotation of A into B, with the scalar part last (4.2.5, annex on conventions), whose
 * components are those of our q; Euler angles are in degrees, of rotations about the axes
 * of the turned frame; angular velocities are in degrees per second, in the frame
 * ANGVEL_FRAME. Times are in seconds from the epoch.
 */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/files/epoch.h"
#include "cli/files/record.h"
#include "rotation/vec.h"

#define DEGREE (180.0 / PH_PI)

enum {
    NUMBER = 26,  /* bytes of a number and the space before it */
    HEAD = 1200,  /* bytes before the rows, at most */
    DECIMALS = 9, /* of seconds */
    MOST = 7,     /* numbers of a row */
    NONE = -1,    /* no column */
};

/* Which columns are written, and as what. */
typedef struct message {
    long time, attitude[4], velocity[3];
    bool angles; /* Euler's, instead of a quaternion */
    char sequence[4], frame[FRAME_NAME];
    bool degrees; /* the columns of angles are in degrees */
    epoch zero, first, last;
    char created[EPOCH_TEXT];
} message;

static long find(const column_set *c, const char *name)
{
    for (size_t i = 0; i < c->count; i++) {
        if (strcmp(c->column[i].name, name) == 0)
            return (long)i;
    }
    return NONE;
}

/* The frame that a column is relative to, in capitals as CCSDS names frames. */
static void name_frame(message *m, const column_set *c, const column *x)
{
    static const char inertial[] = "EME2000";
    const char *name = inertial;
    if (x->from == COLUMN_BODY && x->frame >= 0)
        name = c->choice.frame[x->frame].name;
    else if (x->from == COLUMN_BODY && x->frame != FRAME_SPACE)
        name = "LVLH";
    size_t i = 0;
    for (; name[i] != '\0' && i + 1 < FRAME_NAME; i++)
        m->frame[i] = (char)toupper((unsigned char)name[i]);
    m->frame[i] = '\0';
}

/* The attitude among the columns: q0 ... q3, or letters, or of a frame; or Euler angles. */
static bool find_attitude(message *m, const column_set *c)
{
    static const char *const letters[4] = {"qw", "qx", "qy", "qz"}, *const numbers[4] = {
                                                                        "q0", "q1", "q2",
                                                                        "q3"};
    int found = 0;
    for (int k = 0; k < 4; k++) {
        m->attitude[k] = find(c, numbers[k]);
        if (m->attitude[k] == NONE)
            m->attitude[k] = find(c, letters[k]);
        found += m->attitude[k] != NONE;
    }
    size_t at = found == 4 ? (size_t)m->attitude[0] : c->count;
    for (size_t i = 0; i < c->count && at == c->count; i++) {
        const column *y = &c->column[i];
        const bool angles = y->quantity == BODY_EULER;
        if (y->from != COLUMN_BODY || y->component != 0 ||
            !(angles || y->quantity == BODY_Q) || i + (angles ? 3 : 4) > c->count ||
            strcmp(c->column[i + (angles ? 2 : 3)].group, y->group) != 0)
            continue;
        m->angles = angles;
        for (int k = 0; k < 4; k++)
            m->attitude[k] = (long)i + k;
        memcpy(m->sequence, y->sequence, sizeof m->sequence);
        at = i;
    }
    if (at == c->count)
        return false;
    name_frame(m, c, &c->column[at]);
    return true;
}

static bool find_columns(message *m, const record *r)
{
    const column_set *c = r->columns;
    static const char *const names[3] = {"w1", "w2", "w3"};
    *m = (message){.time = find(c, "t"), .degrees = c->choice.degrees};
    for (int k = 0; k < 3; k++)
        m->velocity[k] = c->choice.show == NULL ? NONE : find(c, names[k]);
    if (m->velocity[1] == NONE || m->velocity[2] == NONE)
        m->velocity[0] = NONE;
    return m->time != NONE && find_attitude(m, c);
}

static const char *refuse(const record *r)
{
    message m;
    if (instant_field(&r->first, "attitude") == NULL || r->about->method == NULL)
        return "holds the attitude of one body, over a time: write .csv";
    if (!find_columns(&m, r))
        return "holds times and an attitude: show t and q, or t and euler_zyx, and w or "
               "not";
    return r->about->epoch == NULL || !epoch_read(&m.zero, r->about->epoch)
               ? "needs the date of t = 0: add --epoch 2026-01-01T00:00:00"
               : NULL;
}

/* The date of a time, as it is written. */
static epoch date_of(const message *m, double t)
{
    return epoch_rounded(epoch_after(m->zero, t), DECIMALS);
}

static const char *refuse_time(const record *r, double first, double before, double t)
{
    (void)first;
    const epoch date = date_of(r->own, t);
    if (!epoch_in_range(date))
        return "holds dates of the years 1000 to 9999: take times within them";
    return !isnan(before) && epoch_between(date_of(r->own, before), date) <= 0.0
               ? "holds times that grow by nanoseconds or more: put them in order, or "
                 "write "
                 "fewer"
               : NULL;
}

static size_t room(const record *r)
{
    (void)r;
    return HEAD + MOST * NUMBER + EPOCH_TEXT;
}

/* The time now, or that of SOURCE_DATE_EPOCH, for files that shall be the same each time. */
static void name_creation(message *m)
{
    const char *fixed = getenv("SOURCE_DATE_EPOCH");
    const double now = fixed != NULL ? strtod(fixed, NULL) : (double)time(NULL);
    const double latest = 2.5e11; /* within the year 9999 */
    (void)epoch_text(m->created,
                     epoch_after((epoch){0, 0.0}, now >= 0.0 && now < latest ? now : 0.0),
                     0);
}

/* Everything up to the rows; of the same length whatever the dates are. */
static size_t put_head(char *to, const record *r)
{
    const message *m = r->own;
    const file_about *about = r->about;
    char start[EPOCH_TEXT], stop[EPOCH_TEXT], sequence[4] = "";
    for (int k = 0; k < 3 && m->angles; k++)
        sequence[k] = (char)toupper((unsigned char)m->sequence[k]);
    size_t used = (size_t)snprintf(
        to, HEAD,
        "CCSDS_AEM_VERS       = 2.0\n"
        "COMMENT %.200s\n"
        "CREATION_DATE        = %s\n"
        "ORIGINATOR           = POLHODE\n\n"
        "META_START\n"
        "COMMENT polhode %s, %.60s\n"
        "OBJECT_NAME          = %.60s\n"
        "OBJECT_ID            = UNKNOWN\n"
        "REF_FRAME_A          = %s\n"
        "REF_FRAME_B          = SC_BODY_1\n"
        "TIME_SYSTEM          = UTC\n"
        "START_TIME           = %s\n"
        "STOP_TIME            = %s\n"
        "ATTITUDE_TYPE        = %s%s\n",
        about->command == NULL ? "" : about->command, m->created, ph_version(),
        about->method, about->problem[0] == '\0' ? "UNKNOWN" : about->problem, m->frame,
        epoch_text(start, m->first, DECIMALS), epoch_text(stop, m->last, DECIMALS),
        m->angles ? "EULER_ANGLE" : "QUATERNION",
        m->velocity[0] == NONE ? "" : "/ANGVEL");
    if (m->angles)
        used += (size_t)snprintf(to + used, HEAD - used, "EULER_ROT_SEQ        = %s\n",
                                 sequence);
    if (m->velocity[0] != NONE)
        used += (size_t)snprintf(to + used, HEAD - used,
                                 "ANGVEL_FRAME         = SC_BODY_1\n");
    used += (size_t)snprintf(to + used, HEAD - used, "META_STOP\n\nDATA_START\n");
    for (size_t i = 0; i < used; i++) { /* printable ASCII alone, 7.3.3 */
        if (to[i] != '\n' && (to[i] < ' ' || to[i] > '~'))
            to[i] = '?';
    }
    return used;
}

static bool begin(record *r)
{
    message *m = malloc(sizeof *m);
    r->own = m;
    if (m == NULL || !find_columns(m, r) || !epoch_read(&m->zero, r->about->epoch))
        return false;
    m->first = m->last = m->zero;
    name_creation(m);
    outfile_write(r->out, r->bytes, put_head(r->bytes, r));
    return true;
}

static void write_row(record *r, const double *row)
{
    message *m = r->own;
    char date[EPOCH_TEXT];
    const double angle = m->degrees ? 1.0 : DEGREE;
    m->last = date_of(m, row[m->time]);
    if (r->count == 0)
        m->first = m->last;
    size_t used = (size_t)sprintf(r->bytes, "%s", epoch_text(date, m->last, DECIMALS));
    for (int k = 0; k < (m->angles ? 3 : 4); k++) {
        const double x =
            m->angles ? angle * row[m->attitude[k]] : row[m->attitude[(k + 1) % 4]];
        used += (size_t)snprintf(r->bytes + used, NUMBER, " %.17g", x);
    }
    for (int k = 0; k < 3 && m->velocity[0] != NONE; k++)
        used += (size_t)snprintf(r->bytes + used, NUMBER, " %.17g",
                                 DEGREE * row[m->velocity[k]]);
    r->bytes[used++] = '\n';
    outfile_write(r->out, r->bytes, used);
}

static const char STOP[] = "DATA_STOP\n";

/* The message ends in the place of its last row, where there is no room for more. */
static void end_in_place(record *r)
{
    enum { TWO_ROWS = 2 * (MOST * NUMBER + EPOCH_TEXT) };
    message *m = r->own;
    char text[TWO_ROWS + 1];
    const size_t length = outfile_last(r->out, text, TWO_ROWS);
    text[length] = '\0';
    size_t last = length > 0 ? length - 1 : 0, before;
    while (last > 0 && text[last - 1] != '\n')
        last--;
    before = last > 0 ? last - 1 : 0;
    while (before > 0 && text[before - 1] != '\n')
        before--;
    char *date = text + before;
    date[strcspn(date, " \n")] = '\0';
    if (epoch_read(&m->last, date))
        outfile_end_with(r->out, length - last, STOP, strlen(STOP));
    else
        r->out->head = -1; /* it has no two rows */
}

static void end(record *r)
{
    outfile_write(r->out, STOP, strlen(STOP));
    outfile_flush(r->out);
    if (r->out->error != 0)
        end_in_place(r);
    outfile_replace(r->out, r->bytes, put_head(r->bytes, r));
}

static void free_own(record *r)
{
    free(r->own);
}

const file_format format_aem = {
    .suffix = "aem",
    .text = "a CCSDS attitude ephemeris",
    .needs_file = true,
    .refuse = refuse,
    .refuse_time = refuse_time,
    .room = room,
    .begin = begin,
    .row = write_row,
    .end = end,
    .free = free_own,
};
