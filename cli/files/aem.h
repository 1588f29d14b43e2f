/* aem.h - reads an Attitude Ephemeris Message of CCSDS, line by line, as a table.
 *
 * Versions 1.0 (CCSDS 504.0-B-1) and 2.0 (504.0-B-2), keyword = value notation; attitudes of
 * types QUATERNION, QUATERNION/DERIVATIVE, QUATERNION/ANGVEL, EULER_ANGLE and
 * EULER_ANGLE/ANGVEL. A row is t, in seconds from the START_TIME of the first segment, the
 * attitude q0,q1,q2,q3 from body to the other frame, and where there are angular velocities
 * w1,w2,w3 in the body frame, in rad/s.
 */
#pragma once

#include <stdbool.h>

#include "cli/files/epoch.h"

#define AEM_BEGINNING "CCSDS_AEM_VERS"

enum { AEM_FRAME = 32, AEM_COLUMNS = 8 };

typedef enum aem_status {
    AEM_MORE,  /* the line is no row */
    AEM_BEGIN, /* rows follow */
    AEM_ROW,
    AEM_WRONG, /* `wrong` says what: "is ...: write ..." */
} aem_status;

typedef struct aem {
    enum { AEM_HEADER, AEM_BETWEEN, AEM_METADATA, AEM_DATA } part;
    double version;
    unsigned seen, seen_before; /* keywords of this part; of the header */
    bool euler, derivative, velocity, first, to_a, rates_in_a, body_is_a;
    char sequence[4], frame[AEM_FRAME]; /* the frame that is not the body's */
    char angvel_frame[AEM_FRAME], frame_a[AEM_FRAME];
    bool begun;      /* a segment is known, which those that follow are like */
    bool with_rates; /* its columns */
    epoch zero, last;
    const char *wrong;
} aem;

/* Takes a line, which may be changed; a row has 5 or 8 numbers. */
aem_status aem_line(aem *a, char *line, double row[AEM_COLUMNS]);

/* The names of the columns, once rows follow. */
const char *aem_columns(const aem *a);

/* Whether the message may end here; else `wrong` says what is missing. */
bool aem_end(aem *a);
