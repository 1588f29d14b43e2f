/* aem.c - reads an Attitude Ephemeris Message of CCSDS, line by line. */
#define _POSIX_C_SOURCE 200809L
#include "cli/files/aem.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/files/euler.h"
#include "cli/files/text.h"
#include "rotation/vec.h"

#define RADIAN (PH_PI / 180.0)

/* Keywords, the mandatory ones of the header first, then those of metadata. */
enum keyword {
    CREATION_DATE,
    ORIGINATOR,
    OBJECT_NAME,
    OBJECT_ID,
    REF_FRAME_A,
    REF_FRAME_B,
    TIME_SYSTEM,
    START_TIME,
    STOP_TIME,
    ATTITUDE_TYPE,
    MANDATORY, /* those above */
    ATTITUDE_DIR = MANDATORY,
    QUATERNION_TYPE,
    EULER_ROT_SEQ,
    ANGVEL_FRAME,
    RATE_FRAME,
    CENTER_NAME,
    USEABLE_START_TIME,
    USEABLE_STOP_TIME,
    INTERPOLATION_METHOD,
    INTERPOLATION_DEGREE,
    CLASSIFICATION,
    MESSAGE_ID,
    KEYWORDS
};
static const char *const names[KEYWORDS] = {"CREATION_DATE",
                                            "ORIGINATOR",
                                            "OBJECT_NAME",
                                            "OBJECT_ID",
                                            "REF_FRAME_A",
                                            "REF_FRAME_B",
                                            "TIME_SYSTEM",
                                            "START_TIME",
                                            "STOP_TIME",
                                            "ATTITUDE_TYPE",
                                            "ATTITUDE_DIR",
                                            "QUATERNION_TYPE",
                                            "EULER_ROT_SEQ",
                                            "ANGVEL_FRAME",
                                            "RATE_FRAME",
                                            "CENTER_NAME",
                                            "USEABLE_START_TIME",
                                            "USEABLE_STOP_TIME",
                                            "INTERPOLATION_METHOD",
                                            "INTERPOLATION_DEGREE",
                                            "CLASSIFICATION",
                                            "MESSAGE_ID"};

static aem_status wrong(aem *a, const char *why)
{
    a->wrong = why;
    return AEM_WRONG;
}

/* Without blanks at its ends. */
static char *trimmed(char *text)
{
    text += strspn(text, " \t");
    size_t length = strlen(text);
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t'))
        text[--length] = '\0';
    return text;
}

static bool seen(const aem *a, enum keyword k)
{
    return (a->seen >> k & 1u) != 0;
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
    for (int k = 0; k < 3; k++)
        a->sequence[k] =
            (char)(text[k] >= '1' && text[k] <= '3' ? 'x' + (text[k] - '1')
                                                    : tolower((unsigned char)text[k]));
    return euler_sequence(a->sequence);
}

static bool read_type(aem *a, const char *text)
{
    static const struct {
        const char *name;
        bool euler, derivative, velocity;
    } types[] = {{"QUATERNION", false, false, false},
                 {"QUATERNION/DERIVATIVE", false, true, false},
                 {"QUATERNION/ANGVEL", false, false, true},
                 {"EULER_ANGLE", true, false, false},
                 {"EULER_ANGLE/ANGVEL", true, false, true}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(text, types[i].name) != 0)
            continue;
        a->euler = types[i].euler;
        a->derivative = types[i].derivative;
        a->velocity = types[i].velocity;
        return true;
    }
    return false;
}

/* The value of a keyword that means something to the rows. */
static aem_status take_value(aem *a, enum keyword k, const char *value)
{
    epoch date;
    switch (k) {
    case REF_FRAME_A:
        (void)snprintf(a->frame_a, AEM_FRAME, "%s", value);
        a->body_is_a = is_body(value);
        break;
    case REF_FRAME_B:
        if (is_body(value) == a->body_is_a)
            return wrong(a, ": one of the frames is that of the body: write SC_BODY_1");
        (void)snprintf(a->frame, AEM_FRAME, "%s", a->body_is_a ? value : a->frame_a);
        break;
    case ATTITUDE_DIR:
        if (strcmp(value, "A2B") != 0 && strcmp(value, "B2A") != 0)
            return wrong(a, ": a direction is A2B or B2A: write one of them");
        a->to_a = strcmp(value, "B2A") == 0;
        break;
    case QUATERNION_TYPE:
        if (strcmp(value, "FIRST") != 0 && strcmp(value, "LAST") != 0)
            return wrong(a, ": the scalar part is FIRST or LAST: write one of them");
        a->first = strcmp(value, "FIRST") == 0;
        break;
    case EULER_ROT_SEQ:
        if (!read_sequence(a, value))
            return wrong(a, ": this is no sequence of axes: write ZYX or another");
        break;
    case ATTITUDE_TYPE:
        if (!read_type(a, value))
            return wrong(a, ": this type is not read: write QUATERNION or EULER_ANGLE, "
                            "perhaps with /ANGVEL");
        break;
    case ANGVEL_FRAME:
        (void)snprintf(a->angvel_frame, AEM_FRAME, "%s", value);
        break;
    case START_TIME:
        if (!epoch_read(&date, value))
            return wrong(a, ": this is no date: write 2026-01-01T00:00:00");
        a->zero = a->begun ? a->zero : date;
        a->last = date;
        break;
    default:
        if ((k == STOP_TIME || k == CREATION_DATE) && !epoch_read(&date, value))
            return wrong(a, ": this is no date: write 2026-01-01T00:00:00");
        break;
    }
    return AEM_MORE;
}

static aem_status read_keyword(aem *a, char *line)
{
    char *equals = strchr(line, '=');
    if (equals == NULL)
        return wrong(a, " is no KEYWORD = value: write one");
    *equals = '\0';
    const char *name = trimmed(line), *value = trimmed(equals + 1);
    int k = 0;
    while (k < KEYWORDS && strcmp(names[k], name) != 0)
        k++;
    if (k == KEYWORDS)
        return wrong(a, ": there is no such keyword: see CCSDS 504.0-B, tables 4-2, 4-3");
    const bool of_header =
        k == CREATION_DATE || k == ORIGINATOR || k == CLASSIFICATION || k == MESSAGE_ID;
    if (of_header != (a->part == AEM_HEADER))
        return wrong(a, ": this keyword belongs elsewhere: move it");
    if (seen(a, (enum keyword)k))
        return wrong(a, ": this keyword stands twice: leave one out");
    if (*value == '\0')
        return wrong(a, " has no value: write one");
    if (a->version >= 2.0 && (k == ATTITUDE_DIR || k == QUATERNION_TYPE))
        return wrong(a, ": version 2.0 has no such keyword: leave it out");
    a->seen |= 1u << k;
    return take_value(a, (enum keyword)k, value);
}

/* Whether all is there that a segment needs. */
static aem_status end_metadata(aem *a)
{
    for (int k = OBJECT_NAME; k < MANDATORY; k++) {
        if (!seen(a, (enum keyword)k))
            return wrong(a,
                         " comes before a keyword that is mandatory: write OBJECT_NAME, "
                         "OBJECT_ID, REF_FRAME_A, REF_FRAME_B, TIME_SYSTEM, "
                         "START_TIME, STOP_TIME and ATTITUDE_TYPE");
    }
    if (a->version < 2.0 &&
        (!seen(a, ATTITUDE_DIR) || (!a->euler && !seen(a, QUATERNION_TYPE))))
        return wrong(a, " comes before ATTITUDE_DIR and QUATERNION_TYPE: write them");
    if (a->euler && !seen(a, EULER_ROT_SEQ))
        return wrong(a, " comes before EULER_ROT_SEQ: write it");
    if (a->velocity && !seen(a, ANGVEL_FRAME))
        return wrong(a, " comes before ANGVEL_FRAME: write it");
    if (a->begun && a->with_rates != a->velocity)
        return wrong(a, ": the segments have different columns: write one type of them");
    a->rates_in_a = a->velocity && !is_body(a->angvel_frame);
    a->part = AEM_BETWEEN;
    return AEM_MORE;
}

/* Words of the same line, which begin and end parts. */
static aem_status read_part(aem *a, const char *line)
{
    if (strcmp(line, "META_START") == 0) {
        if (a->part == AEM_HEADER)
            a->seen_before = a->seen;
        if ((a->seen_before >> CREATION_DATE & 1u) == 0 ||
            (a->seen_before >> ORIGINATOR & 1u) == 0)
            return wrong(a, " comes before CREATION_DATE and ORIGINATOR: write them");
        a->part = AEM_METADATA;
        a->seen = 0;
        a->first = a->to_a = false;
        return AEM_MORE;
    }
    a->part = AEM_DATA;
    const bool known = a->begun;
    a->begun = true;
    a->with_rates = a->velocity;
    return known ? AEM_MORE : AEM_BEGIN;
}

static ph_quat attitude_of(const aem *a, const double *x)
{
    ph_quat q;
    if (a->euler) {
        const double angle[3] = {RADIAN * x[0], RADIAN * x[1], RADIAN * x[2]};
        q = euler_attitude(a->sequence, angle);
    } else if (a->first) {
        q = (ph_quat){x[0], x[1], x[2], x[3]};
    } else {
        q = (ph_quat){x[3], x[0], x[1], x[2]};
    }
    return a->to_a != a->body_is_a ? inverse(q) : q;
}

static aem_status read_row(aem *a, char *line, double row[AEM_COLUMNS])
{
    enum { MOST = 8 };
    double x[MOST];
    char *date = line + strspn(line, " \t"), *end = date + strcspn(date, " \t");
    const char *at = end;
    const int wanted = (a->euler ? 3 : 4) + (a->derivative ? 4 : a->velocity ? 3 : 0);
    epoch now;
    if (*end != '\0')
        at = end + 1;
    *end = '\0';
    if (!epoch_read(&now, date))
        return wrong(a, " does not begin with a date: write 2026-01-01T00:00:00");
    for (int k = 0; k < wanted; k++) {
        const number_status status = number_read(&at, &x[k]);
        if (status != NUMBER_OK)
            return wrong(a,
                         ": a number is missing or none: write as many as the type has");
    }
    if (at[strspn(at, " \t")] != '\0')
        return wrong(a, " has more numbers than its type: write as many");
    if (epoch_between(a->last, now) < 0.0)
        return wrong(a, " is earlier than the one before: put them in order");
    a->last = now;
    const ph_quat q = attitude_of(a, x);
    if (!a->euler && fabs(dot4(q, q) - 1.0) > 1e-3)
        return wrong(a, ": the quaternion is not of unit length: write one that is");
    row[0] = epoch_between(a->zero, now);
    row[1] = q.w, row[2] = q.x, row[3] = q.y, row[4] = q.z;
    if (a->velocity) {
        const double *v = x + (a->euler ? 3 : 4);
        ph_vec3 w = scale(RADIAN, vec3(v[0], v[1], v[2]));
        if (a->rates_in_a)
            w = rotate(inverse(q), w);
        row[5] = w.x, row[6] = w.y, row[7] = w.z;
    }
    return AEM_ROW;
}

aem_status aem_line(aem *a, char *line, double row[AEM_COLUMNS])
{
    char *text = trimmed(line);
    a->wrong = NULL;
    if (*text == '\0')
        return AEM_MORE;
    if (a->version == 0.0) {
        char *equals = strchr(text, '=');
        a->version =
            strncmp(text, AEM_BEGINNING, strlen(AEM_BEGINNING)) == 0 && equals != NULL
                ? strtod(equals + 1, NULL)
                : 0.0;
        return a->version == 1.0 || a->version == 2.0
                   ? AEM_MORE
                   : wrong(a, ": the version is none that is read: write "
                              "CCSDS_AEM_VERS = 2.0");
    }
    if (strncmp(text, "COMMENT", strlen("COMMENT")) == 0)
        return AEM_MORE;
    const bool begins = strcmp(text, "META_START") == 0,
               rows = !strcmp(text, "DATA_START");
    if ((begins && (a->part == AEM_HEADER || a->part == AEM_BETWEEN)) ||
        (rows && a->part == AEM_BETWEEN && a->seen != 0))
        return read_part(a, text);
    if (strcmp(text, "META_STOP") == 0 && a->part == AEM_METADATA)
        return end_metadata(a);
    if (strcmp(text, "DATA_STOP") == 0 && a->part == AEM_DATA) {
        a->part = AEM_BETWEEN;
        a->seen = 0;
        return AEM_MORE;
    }
    if (a->part == AEM_DATA)
        return read_row(a, text, row);
    return a->part == AEM_BETWEEN ? wrong(a, " belongs to no part: write META_START")
                                  : read_keyword(a, text);
}

const char *aem_columns(const aem *a)
{
    return a->velocity ? "t,q0,q1,q2,q3,w1,w2,w3" : "t,q0,q1,q2,q3";
}

bool aem_end(aem *a)
{
    if (a->begun && a->part == AEM_BETWEEN && a->seen == 0)
        return true;
    (void)wrong(a, " is the last, and the message has no end: write DATA_STOP");
    return false;
}
