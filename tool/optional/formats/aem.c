/* aem.c - rows as an Attitude Ephemeris Message of CCSDS.
 *
 * Written and read are versions 1.0 and 2.0 of the message (CCSDS 504.0-B-1 and 504.0-B-2, Attitude
 * Data Messages, section 4), in keyword = value notation (section 7). The default is 1.0, which
 * every reader takes (docs/tool.md), and 2.0 with angular velocities. Read are attitudes of types QUATERNION, QUATERNION/DERIVATIVE, QUATERNION/ANGVEL, EULER_ANGLE, EULER_ANGLE/ANGVEL. The attitude is that of REF_FRAME_B, the body, seen from
 * REF_FRAME_A: R takes components in B to those in A. The quaternion Q1 Q2 Q3 QC is that of
 * the rotation of A into B, with the scalar part last (4.2.5, annex on conventions), whose
 * components are those of our q; Euler angles are in degrees, of rotations about the axes
 * of the turned frame; angular velocities are in degrees per second, in the frame
 * ANGVEL_FRAME. Times are in seconds from the epoch; leap
 * seconds are counted. Read are frames A that are at rest, or that the caller knows, and times in UTC,
 * TAI, TT and GPS, which are written as UTC. What the message is about - object, frame, centre - is kept.
 */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "motion/vec.h"
#include "tool/files/columns.h"
#include "tool/files/file_text.h"
#include "tool/files/memory.h"
#include "tool/files/rows.h"

#define DEGREE (180.0 / PH_PI)
#define RADIAN (PH_PI / 180.0)

enum {
    HEAD = 1600,    /* bytes before the rows, at most */
    NAME = 64,      /* characters of the object's name or identifier, at most */
    DECIMALS = 9,   /* of seconds */
    NONE = -1,      /* no column */
    AEM_FRAME = 32, /* characters of a frame, and of a time system, at most */
};

/* Which columns are written, and as what. */
typedef struct message {
    long time, attitude[4], velocity[3];
    bool angles;  /* Euler's, instead of a quaternion */
    bool old;     /* version 1.0 */
    bool turning; /* the frame of the attitude is not at rest */
    char sequence[4], frame[AEM_FRAME];
    epoch zero;
} message;

static long find(const column_set *c, const char *name)
{
    for (size_t i = 0; i < c->count; i++) {
        if (strcmp(c->column[i].name, name) == 0)
            return (long)i;
    }
    return NONE;
}

/* The name of the frame that a column is relative to, in capitals as CCSDS names frames. `orbit_frame` has z to
 * the Earth and y against the normal of the orbit, as LVLH; another field of a frame has its own name. */
static void name_frame(message *m, const record *r, const column *x)
{
    const char *name = text_or(r->about->origin.frame, "EME2000");
    m->turning = x->from == COLUMN_BODY && x->moving < r->first.fields;
    if (m->turning) {
        name = r->first.field[x->moving].name;
        if (strcmp(name, "orbit_frame") == 0)
            name = "LVLH";
    } else if (x->from == COLUMN_BODY && x->frame >= 0) {
        name = r->columns->choice.frame[x->frame].name;
    }
    size_t i = 0;
    for (; name[i] != '\0' && i + 1 < AEM_FRAME; i++)
        m->frame[i] = (char)toupper((unsigned char)name[i]);
    m->frame[i] = '\0';
}

/* How many numbers Euler angles have, or a quaternion. */
static size_t numbers_of(bool angles)
{
    return angles ? 3 : 4;
}

/* The attitude among the columns: q0 ... q3, or letters, or of a frame; or Euler angles. */
static bool find_attitude(message *m, const record *r)
{
    const column_set *c = r->columns;
    static const char letters[4][3] = {"qw", "qx", "qy", "qz"},
                      numbers[4][3] = {"q0", "q1", "q2", "q3"};
    bool all = true;
    for (int k = 0; k < 4; k++) {
        m->attitude[k] = find(c, numbers[k]);
        if (m->attitude[k] == NONE)
            m->attitude[k] = find(c, letters[k]);
        all = all && m->attitude[k] != NONE;
    }
    size_t at = c->count;
    if (all)
        at = (size_t)m->attitude[0];
    for (size_t i = 0; i < c->count && at == c->count; i++) {
        const column *y = &c->column[i];
        const bool angles = y->quantity == BODY_EULER;
        if (y->from != COLUMN_BODY || y->component != 0 || !(angles || y->quantity == BODY_Q) ||
            i + numbers_of(angles) > c->count ||
            strcmp(c->column[i + numbers_of(angles) - 1].group, y->group) != 0)
            continue;
        m->angles = angles;
        for (int k = 0; k < 4; k++)
            m->attitude[k] = (long)i + k;
        memcpy(m->sequence, y->sequence, sizeof m->sequence);
        at = i;
    }
    if (at == c->count)
        return false;
    name_frame(m, r, &c->column[at]);
    return true;
}

static bool find_columns(message *m, const record *r)
{
    const column_set *c = r->columns;
    static const char *const names[3] = {"w1", "w2", "w3"};
    *m = (message){.time = find(c, "t")};
    for (int k = 0; k < 3; k++) {
        if (c->choice.show == NULL)
            m->velocity[k] = NONE;
        else
            m->velocity[k] = find(c, names[k]);
    }
    if (m->velocity[1] == NONE || m->velocity[2] == NONE)
        m->velocity[0] = NONE;
    const char *version = r->about->aem;
    if (version)
        m->old = strcmp(version, "1.0") == 0;
    else
        m->old = m->velocity[0] == NONE;
    return m->time != NONE && find_attitude(m, r);
}

/* Whether a name can be the value of a keyword. */
static bool is_value(const char *text)
{
    size_t length = strlen(text);
    for (size_t i = 0; i < length; i++) {
        if (text[i] < ' ' || text[i] > '~')
            return false;
    }
    return length > 0 && length <= NAME && text[0] != ' ' && text[length - 1] != ' ';
}

static const char *refuse(const record *r)
{
    message m;
    if (instant_field(&r->first, "attitude") == NULL || r->about->method == NULL)
        return "can contain only the attitude of one body at different times: write .csv";
    if (!find_columns(&m, r))
        return "can contain only times, an attitude and angular velocities: use --show t,q or "
               "t,euler_zyx, with or without w";
    if (m.old && m.velocity[0] != NONE)
        return "of version 1.0 cannot contain angular velocities: use --show t,q, or --aem 2.0";
    if (m.turning && m.velocity[0] != NONE)
        return "cannot contain velocities relative to space with an attitude in a frame that "
               "turns: "
               "use --show t,q,w";
    const file_origin *about = &r->about->origin;
    if ((about->object != NULL && !is_value(about->object)) ||
        (about->object_id != NULL && !is_value(about->object_id)))
        return "needs an object name of 1 to 64 printable ASCII characters: write such a name";
    if (r->about->epoch == NULL || !epoch_read(&m.zero, r->about->epoch))
        return "needs the date of t = 0: add --epoch 2026-01-01T00:00:00";
    return NULL;
}

/* The date of a time, as it is written. */
static epoch date_of(const message *m, double t)
{
    return epoch_rounded(epoch_later(m->zero, t), DECIMALS);
}

static const char *refuse_time(const record *r, double first, double before, double t)
{
    (void)first;
    const epoch date = date_of(r->own, t);
    if (!epoch_in_range(date))
        return "can contain only dates of the years 1000 to 9999: use times in this range";
    if (!isnan(before) && epoch_elapsed(date_of(r->own, before), date) <= 0.0)
        return "needs times that increase by at least a nanosecond: sort the times, or write "
               "fewer";
    return NULL;
}

/* The date of now, or of SOURCE_DATE_EPOCH, for files that shall be the same each time. */
static const char *creation_date(char text[EPOCH_TEXT])
{
    const char *fixed = getenv("SOURCE_DATE_EPOCH");
    const double latest = 2.5e11; /* within the year 9999 */
    double now = (double)time(NULL);
    if (fixed != NULL)
        now = strtod(fixed, NULL);
    if (!(now >= 0.0 && now < latest))
        now = 0.0;
    return epoch_text(text, epoch_after((epoch){0, 0.0}, now), 0);
}

/* The date of row i, as it is written; without rows that of t = 0. */
static const char *row_date(char text[EPOCH_TEXT], const record *r, size_t i)
{
    const message *m = r->own;
    double t = 0.0;
    if (r->count > 0)
        t = r->kept[i * r->width + (size_t)m->time];
    return epoch_text(text, date_of(m, t), DECIMALS);
}

/* What the head says of the version and of the attitude. */
typedef struct head_words {
    const char *version, *direction, *scalar, *type, *rates, *rate_frame, *between;
    char sequence[32];
} head_words;

static head_words words_of(const message *m)
{
    head_words w = {"2.0", "", "", "QUATERNION", "", "", "", ""};
    char first = 'X';
    if (m->old) {
        first = '1';
        w.version = "1.0";
        w.direction = "ATTITUDE_DIR         = A2B\n";
        w.scalar = "QUATERNION_TYPE      = LAST\n";
        w.between = "INTERPOLATION_METHOD = LINEAR\n"
                    "INTERPOLATION_DEGREE = 1\n";
    }
    if (m->angles) {
        w.type = "EULER_ANGLE";
        w.scalar = "";
        w.between = text_if(m->old, "INTERPOLATION_METHOD = LAGRANGE\n"
                                    "INTERPOLATION_DEGREE = 1\n");
        char axes[4] = "";
        for (size_t k = 0; k < 3; k++) /* 321 or ZYX */
            axes[k] = (char)(m->sequence[k] - 'x' + first);
        (void)snprintf(w.sequence, sizeof w.sequence, "EULER_ROT_SEQ        = %s\n", axes);
    }
    if (m->velocity[0] != NONE) {
        w.rates = "/ANGVEL";
        w.rate_frame = "ANGVEL_FRAME         = SC_BODY_1\n";
    }
    return w;
}

static void write_head(const record *r)
{
    const message *m = r->own;
    const file_about *about = r->about;
    const file_origin *origin = &about->origin;
    const head_words words = words_of(m);
    const char *command = text_or_empty(about->command), *object = "UNKNOWN", *centre = "";
    if (origin->object != NULL)
        object = origin->object;
    else if (about->problem[0] != '\0')
        object = about->problem;
    if (origin->centre != NULL)
        centre = memory_text("CENTER_NAME          = %.*s\n", text_cut(origin->centre, NAME),
                             origin->centre);
    char to[HEAD], created[EPOCH_TEXT], start[EPOCH_TEXT], stop[EPOCH_TEXT];
    const int length =
        snprintf(to, HEAD,
                 "CCSDS_AEM_VERS       = %s\n"
                 "COMMENT %.*s\n"
                 "CREATION_DATE        = %s\n"
                 "ORIGINATOR           = POLHODE\n\n"
                 "META_START\n"
                 "COMMENT polhode %s, %.*s\n"
                 "OBJECT_NAME          = %.*s\n"
                 "OBJECT_ID            = %s\n"
                 "%s"
                 "REF_FRAME_A          = %s\n"
                 "REF_FRAME_B          = SC_BODY_1\n%s"
                 "TIME_SYSTEM          = UTC\n"
                 "START_TIME           = %s\n"
                 "STOP_TIME            = %s\n"
                 "ATTITUDE_TYPE        = %s%s\n%s%s%s%s"
                 "META_STOP\n\nDATA_START\n",
                 words.version, text_cut(command, 200), command, creation_date(created),
                 ph_version(), text_cut(about->method, 60), about->method, text_cut(object, NAME),
                 object, text_or(origin->object_id, "UNKNOWN"), centre, m->frame, words.direction,
                 row_date(start, r, 0), row_date(stop, r, r->count - 1), words.type, words.rates,
                 words.scalar, words.sequence, words.rate_frame, words.between);
    for (int i = 0; i < length; i++) { /* printable ASCII alone, 7.3.3 */
        if (to[i] != '\n' && (to[i] < ' ' || to[i] > '~'))
            to[i] = '?';
    }
    outfile_write(r->out, to, (size_t)length);
}

/* That there are such columns, and a date, was found before. */
static void begin(record *r)
{
    message *m = r->own = memory_new(1, sizeof *m);
    (void)find_columns(m, r);
    (void)epoch_read(&m->zero, r->about->epoch);
}

static void print_number(outfile *out, double x)
{
    outfile_print(out, " %.17g", x + 0.0); /* not -0 */
}

static void end(record *r)
{
    const message *m = r->own;
    const double angle = r->columns->choice.degrees ? 1.0 : DEGREE;
    char date[EPOCH_TEXT];
    write_head(r);
    for (size_t i = 0; i < r->count; i++) {
        const double *row = r->kept + i * r->width;
        outfile_print(r->out, "%s", row_date(date, r, i));
        for (int k = 0; k < 3 && m->angles; k++)
            print_number(r->out, angle * row[m->attitude[k]]);
        for (int k = 0; k < 4 && !m->angles; k++)
            print_number(r->out, row[m->attitude[(k + 1) % 4]]);
        for (int k = 0; k < 3 && m->velocity[0] != NONE; k++)
            print_number(r->out, DEGREE * row[m->velocity[k]]);
        outfile_write(r->out, "\n", 1);
    }
    outfile_print(r->out, "DATA_STOP\n");
}

/* ---- reading ---------------------------------------------------------------------- */

/* Keywords, the mandatory ones of the header first, then those of metadata up to ATTITUDE_TYPE. */
#define KEYWORDS(X)                                                                                \
    X(CREATION_DATE), X(ORIGINATOR), X(OBJECT_NAME), X(OBJECT_ID), X(REF_FRAME_A), X(REF_FRAME_B), \
        X(TIME_SYSTEM), X(START_TIME), X(STOP_TIME), X(ATTITUDE_TYPE), X(ATTITUDE_DIR),            \
        X(QUATERNION_TYPE), X(EULER_ROT_SEQ), X(ANGVEL_FRAME), X(RATE_FRAME), X(CENTER_NAME),      \
        X(USEABLE_START_TIME), X(USEABLE_STOP_TIME), X(INTERPOLATION_METHOD),                      \
        X(INTERPOLATION_DEGREE), X(CLASSIFICATION), X(MESSAGE_ID)
#define KEYWORD(name) name
#define QUOTED(name)  #name
enum keyword { KEYWORDS(KEYWORD), KEYWORD_COUNT };
static const char *const keyword_names[] = {KEYWORDS(QUOTED)};

/* A message as far as it was read. */
typedef struct aem {
    enum { HEADER, BETWEEN, METADATA, DATA } part;
    enum { MORE, ROWS_FOLLOW, ROW } last_line;
    double version;
    unsigned seen, seen_before; /* keywords of this part; of the header */
    bool euler, derivative, velocity, first, to_a, body_is_a;
    char sequence[4], angvel_frame[AEM_FRAME], system[AEM_FRAME];
    const char *frame; /* the other one than that of the body */
    bool turned;       /* it is one that the caller knows */
    ph_quat turn;      /* takes its coordinates to those of space */
    epoch start;
    file_origin origin; /* of this segment */
    bool begun;         /* a segment is known, which those that follow are like */
    bool with_rates;    /* its columns */
    epoch zero, last;
} aem;

/* Without blanks at its ends. */
static char *trimmed(char *text)
{
    text += strspn(text, " \t");
    size_t length = strlen(text);
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t'))
        text[--length] = '\0';
    return text;
}

static bool seen(const aem *a, int keyword)
{
    return (a->seen >> keyword & 1u) != 0;
}

static bool is_body(const char *frame)
{
    return strncmp(frame, "SC_BODY", strlen("SC_BODY")) == 0;
}

/* ZYX, or 321 of version 1. */
static bool read_sequence(aem *a, const char *text)
{
    if (strlen(text) != 3)
        return false;
    for (int k = 0; k < 3; k++) {
        if (text[k] >= '1' && text[k] <= '3')
            a->sequence[k] = (char)('x' + (text[k] - '1'));
        else
            a->sequence[k] = (char)tolower((unsigned char)text[k]);
    }
    return euler_sequence(a->sequence);
}

/* QUATERNION, perhaps with /DERIVATIVE or /ANGVEL, or EULER_ANGLE, perhaps with /ANGVEL. */
static bool read_type(aem *a, const char *text)
{
    static const char quaternion[] = "QUATERNION", angles[] = "EULER_ANGLE";
    a->euler = strncmp(text, angles, strlen(angles)) == 0;
    if (!a->euler && strncmp(text, quaternion, strlen(quaternion)) != 0)
        return false;
    const char *rest = text + strlen(a->euler ? angles : quaternion);
    a->derivative = !a->euler && strcmp(rest, "/DERIVATIVE") == 0;
    a->velocity = strcmp(rest, "/ANGVEL") == 0;
    return a->derivative || a->velocity || *rest == '\0';
}

/* Whether a value is one of two words; *is_first which. */
static bool read_choice(const char *value, const char *first, const char *second, bool *is_first)
{
    *is_first = strcmp(value, first) == 0;
    return *is_first || strcmp(value, second) == 0;
}

/* Whether a frame of that name is at rest: up to the number of its version. Frames "of date" are not, nor
 * are those of an orbit or of a planet. */
static bool is_inertial(const char *name)
{
    static const char *const known[] = {"EME2000", "J2000",     "ICRF",        "GCRF",
                                        "B1950",   "MOE_EARTH", "TEMEOFEPOCH", "TOE_EARTH"};
    for (size_t i = 0; i < COUNT(known); i++) {
        const size_t length = strlen(known[i]);
        const char *rest = name + length;
        if (strncmp(name, known[i], length) == 0 && rest[strspn(rest, "0123456789")] == '\0')
            return true;
    }
    return false;
}

/* Whether two names are the same, but for capitals. */
static bool same_name(const char *one, const char *other)
{
    while (*one != '\0' && toupper((unsigned char)*one) == toupper((unsigned char)*other))
        one++, other++;
    return toupper((unsigned char)*one) == toupper((unsigned char)*other);
}

/* Takes the frame that attitudes are relative to: one at rest, which keeps its name, or one that the
 * caller knows, whose attitudes become those in space. */
static csv_status take_frame(csv *c, const char *name)
{
    aem *a = c->own;
    a->frame = memory_text("%s", name);
    a->turned = false;
    for (size_t i = 0; i < c->frames; i++) {
        if (same_name(name, c->frame[i].name)) {
            a->turned = true;
            a->turn = c->frame[i].q;
            a->origin.frame = NULL;
            return CSV_OK;
        }
    }
    a->origin.frame = a->frame;
    if (is_inertial(name))
        return CSV_OK;
    return csv_wrong(c,
                     ": the frame is not known to be at rest: if it is, describe it with "
                     "`polhode convert --frame %.*s=w,x,y,z`",
                     text_cut(name, AEM_FRAME), name);
}

static void take_origin(file_origin *o, int k, const char *value)
{
    if (k == OBJECT_NAME)
        o->object = memory_text("%s", value);
    if (k == OBJECT_ID)
        o->object_id = memory_text("%s", value);
    if (k == CENTER_NAME)
        o->centre = memory_text("%s", value);
}

/* The value of a keyword that means something to the rows. */
static csv_status take_value(csv *c, int k, const char *value)
{
    aem *a = c->own;
    epoch date;
    const bool is_date = k == START_TIME || k == STOP_TIME || k == CREATION_DATE;
    if (is_date && !epoch_read(&date, value))
        return csv_wrong(c, ": this is not a date: write for example 2026-01-01T00:00:00");
    if (k == REF_FRAME_A)
        a->body_is_a = is_body(value);
    if (k == REF_FRAME_B && is_body(value) == a->body_is_a)
        return csv_wrong(c, ": one of the two frames must be the body frame: write SC_BODY_1");
    if ((k == REF_FRAME_A || k == REF_FRAME_B) && !is_body(value))
        return take_frame(c, value);
    take_origin(&a->origin, k, value);
    if (k == ATTITUDE_DIR && !read_choice(value, "B2A", "A2B", &a->to_a))
        return csv_wrong(c, ": the direction must be A2B or B2A: write one of them");
    if (k == QUATERNION_TYPE && !read_choice(value, "FIRST", "LAST", &a->first))
        return csv_wrong(c, ": the scalar part must be FIRST or LAST: write one of them");
    if (k == EULER_ROT_SEQ && !read_sequence(a, value))
        return csv_wrong(c, ": this is not a sequence of axes: write for example ZYX");
    if (k == ATTITUDE_TYPE && !read_type(a, value))
        return csv_wrong(c, ": the tool cannot read this type: write QUATERNION or EULER_ANGLE, "
                            "optionally with /ANGVEL");
    if (k == ANGVEL_FRAME)
        (void)snprintf(a->angvel_frame, AEM_FRAME, "%s", value);
    if (k == TIME_SYSTEM)
        (void)snprintf(a->system, AEM_FRAME, "%s", value);
    if (k == START_TIME)
        a->start = date;
    return CSV_OK;
}

static csv_status read_keyword(csv *c, char *line)
{
    aem *a = c->own;
    char *equals = strchr(line, '=');
    if (equals == NULL)
        return csv_wrong(c, " is not of the form KEYWORD = value: write one");
    *equals = '\0';
    const char *name = trimmed(line), *value = trimmed(equals + 1);
    int k = 0;
    while (k < KEYWORD_COUNT && strcmp(keyword_names[k], name) != 0)
        k++;
    if (k == KEYWORD_COUNT)
        return csv_wrong(c, ": this keyword is unknown: see CCSDS 504.0-B, tables 4-2 and 4-3");
    const bool of_header =
        k == CREATION_DATE || k == ORIGINATOR || k == CLASSIFICATION || k == MESSAGE_ID;
    if (of_header != (a->part == HEADER))
        return csv_wrong(c, ": this keyword belongs to another part of the message: move it");
    if (seen(a, k))
        return csv_wrong(c, ": this keyword occurs twice: remove one");
    if (*value == '\0')
        return csv_wrong(c, " has no value: write one");
    if (a->version >= 2.0 && (k == ATTITUDE_DIR || k == QUATERNION_TYPE))
        return csv_wrong(c, ": version 2.0 does not have this keyword: remove it");
    a->seen |= 1u << k;
    return take_value(c, k, value);
}

static bool same_text(const char *one, const char *other)
{
    if (one == NULL || other == NULL)
        return one == other;
    return strcmp(one, other) == 0;
}

static bool same_origin(const file_origin *one, const file_origin *other)
{
    return same_text(one->object, other->object) && same_text(one->object_id, other->object_id) &&
           same_text(one->frame, other->frame) && same_text(one->centre, other->centre);
}

/* Whether all is there that a segment needs. */
static csv_status end_metadata(csv *c)
{
    aem *a = c->own;
    for (int k = OBJECT_NAME; k <= ATTITUDE_TYPE; k++) {
        if (!seen(a, k))
            return csv_wrong(
                c, " comes before a mandatory keyword: write OBJECT_NAME, OBJECT_ID, REF_FRAME_A, "
                   "REF_FRAME_B, TIME_SYSTEM, START_TIME, STOP_TIME and ATTITUDE_TYPE");
    }
    if (a->version < 2.0 && (!seen(a, ATTITUDE_DIR) || (!a->euler && !seen(a, QUATERNION_TYPE))))
        return csv_wrong(c, " comes before ATTITUDE_DIR and QUATERNION_TYPE: write them");
    if (a->euler && !seen(a, EULER_ROT_SEQ))
        return csv_wrong(c, " comes before EULER_ROT_SEQ: write it");
    if (a->velocity && !seen(a, ANGVEL_FRAME))
        return csv_wrong(c, " comes before ANGVEL_FRAME: write it");
    if (a->velocity && !is_body(a->angvel_frame) && strcmp(a->angvel_frame, a->frame) != 0)
        return csv_wrong(c, ": ANGVEL_FRAME must be one of the two frames: write SC_BODY_1");
    if (a->begun && a->with_rates != a->velocity)
        return csv_wrong(c, ": the segments have different columns: write one type");
    if (a->begun && !same_origin(&a->origin, &c->origin))
        return csv_wrong(c, ": the segments have different objects, centres or frames: write a "
                            "message for each");
    if (!epoch_to_utc(&a->start, a->system))
        return csv_wrong(c,
                         ": the tool cannot convert this TIME_SYSTEM: write UTC, TAI, TT or GPS");
    c->origin = a->origin;
    if (!a->begun)
        a->zero = a->start;
    a->last = a->start;
    a->part = BETWEEN;
    return CSV_OK;
}

static csv_status begin_metadata(csv *c)
{
    aem *a = c->own;
    const unsigned needed = 1u << CREATION_DATE | 1u << ORIGINATOR;
    if (a->part == HEADER)
        a->seen_before = a->seen;
    if ((a->seen_before & needed) != needed)
        return csv_wrong(c, " comes before CREATION_DATE and ORIGINATOR: write them");
    a->part = METADATA;
    a->seen = 0;
    a->first = a->to_a = false;
    a->origin = (file_origin){0};
    return CSV_OK;
}

static ph_quat attitude_of(const aem *a, const double *x)
{
    ph_quat q;
    if (a->euler)
        q = euler_attitude(a->sequence, (double[]){RADIAN * x[0], RADIAN * x[1], RADIAN * x[2]});
    else if (a->first)
        q = (ph_quat){x[0], x[1], x[2], x[3]};
    else
        q = (ph_quat){x[3], x[0], x[1], x[2]};
    if (a->to_a != a->body_is_a)
        return inverse(q);
    return q;
}

static csv_status read_data(csv *c, char *line, double *row)
{
    aem *a = c->own;
    double x[8];
    char *date = line, *end = date + strcspn(date, " \t");
    const char *at = end + (*end != '\0');
    const size_t angles = numbers_of(a->euler);
    size_t wanted = angles;
    if (a->derivative)
        wanted += 4;
    else if (a->velocity)
        wanted += 3;
    epoch now;
    *end = '\0';
    if (!epoch_read(&now, date) || !epoch_to_utc(&now, a->system))
        return csv_wrong(c, " does not begin with a date: write 2026-01-01T00:00:00");
    for (size_t k = 0; k < wanted; k++) {
        if (number_read(&at, &x[k]) != NUMBER_OK)
            return csv_wrong(c, ": a number is missing or invalid: write all of them");
    }
    if (at[strspn(at, " \t")] != '\0')
        return csv_wrong(c, " has more numbers than the type needs: remove the others");
    if (epoch_elapsed(a->last, now) < 0.0)
        return csv_wrong(c, " has an earlier time than the row before: sort the rows");
    a->last = now;
    ph_quat q = attitude_of(a, x);
    if (!attitude_of_file(&q))
        return csv_wrong(c, ": the quaternion does not have unit length: write a unit quaternion");
    ph_quat in_space = q;
    if (a->turned)
        in_space = mul(a->turn, q);
    row[0] = epoch_elapsed(a->zero, now);
    row[1] = in_space.w, row[2] = in_space.x, row[3] = in_space.y, row[4] = in_space.z;
    if (a->velocity) {
        const double *v = x + angles;
        ph_vec3 w = scale(RADIAN, vec3(v[0], v[1], v[2]));
        if (!is_body(a->angvel_frame))
            w = rotate(inverse(q), w);
        row[5] = w.x, row[6] = w.y, row[7] = w.z;
    }
    a->last_line = ROW;
    return CSV_OK;
}

static csv_status read_line(csv *c, char *text, double *row)
{
    aem *a = c->own;
    a->last_line = MORE;
    if (*text == '\0')
        return CSV_OK;
    if (a->version == 0.0) {
        const char *equals = strchr(text, '=');
        if (equals == NULL)
            a->version = 0.0;
        else
            a->version = strtod(equals + 1, NULL);
        if (a->version == 1.0 || a->version == 2.0)
            return CSV_OK;
        return csv_wrong(c, ": the tool cannot read this version: write CCSDS_AEM_VERS = 2.0");
    }
    if (strncmp(text, "COMMENT", strlen("COMMENT")) == 0)
        return CSV_OK;
    if ((a->part == HEADER || a->part == BETWEEN) && strcmp(text, "META_START") == 0)
        return begin_metadata(c);
    if (a->part == METADATA) {
        if (strcmp(text, "META_STOP") == 0)
            return end_metadata(c);
        return read_keyword(c, text);
    }
    if (a->part == BETWEEN && a->seen != 0 && strcmp(text, "DATA_START") == 0) {
        a->part = DATA;
        if (!a->begun)
            a->last_line = ROWS_FOLLOW;
        a->begun = true;
        a->with_rates = a->velocity;
    } else if (a->part == DATA && strcmp(text, "DATA_STOP") == 0) {
        a->part = BETWEEN;
        a->seen = 0;
    } else {
        if (a->part == DATA && row != NULL)
            return read_data(c, text, row);
        if (a->part == HEADER)
            return read_keyword(c, text);
        return csv_wrong(c, " is outside a segment: write META_START");
    }
    return CSV_OK;
}

/* The next row; or for NULL all up to the first. */
static csv_status read_row(csv *c, double *row)
{
    const aem *a = c->own;
    char *line;
    do {
        csv_status status = csv_line(c, &line);
        if (status == CSV_END && !(a->begun && a->part == BETWEEN && a->seen == 0))
            return csv_wrong(c, " is the last line, but the message has no end: write DATA_STOP");
        if (status == CSV_OK)
            status = read_line(c, trimmed(line), row);
        if (status != CSV_OK)
            return status;
    } while (a->last_line != (row == NULL ? ROWS_FOLLOW : ROW));
    return CSV_OK;
}

/* A row is t, in seconds from the START_TIME of the first segment, the attitude from body to the
 * other frame, and where there are angular velocities these in the body frame, in rad/s. */
static csv_status read_head(csv *c)
{
    const aem *a = c->own = memory_new(1, sizeof *a);
    const csv_status status = read_row(c, NULL);
    if (status != CSV_OK)
        return status;
    csv_name_columns(c, a->velocity ? "t,q0,q1,q2,q3,w1,w2,w3" : "t,q0,q1,q2,q3");
    (void)epoch_text(c->epoch, a->zero, DECIMALS);
    return CSV_OK;
}

const file_format format_aem = {
    .suffix = "aem",
    .text = "a CCSDS attitude ephemeris",
    .interpolated = true,
    .magic = "CCSDS_AEM_VERS",
    .needs_file = true,
    .at_end = true,
    .refuse = refuse,
    .refuse_time = refuse_time,
    .begin = begin,
    .row = record_keep,
    .end = end,
    .read_head = read_head,
    .read_row = read_row,
};
