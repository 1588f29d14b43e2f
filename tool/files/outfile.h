/* outfile.h - an output file that is whole or not there.
 *
 * It is written beside its place, as NAME.tmp-..., and renamed at the end. If it cannot be
 * written to its end, what was at its place stays; of rows those that are whole are kept
 * as NAME.partial. A symbolic link is followed and stays a link, also where it leads to
 * nothing yet. What is no regular file (a terminal, a pipe, /dev/null) is written where it
 * is.
 */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OUTFILE_CAPACITY 65536

typedef struct outfile {
    struct outfile *next; /* of those that are open */
    int fd;
    bool live;         /* a terminal: every piece is shown at once */
    char *path;        /* where it shall be; NULL for standard output */
    char *beside;      /* where it is until then; NULL if written in place */
    int error;         /* errno of the first failure, 0 if none */
    int failure;       /* that of what was begun again, 0 if nothing was */
    long long asked;   /* bytes that were to be written, after a failure, too */
    long long written; /* bytes that were */
    long long whole;   /* of these those up to the end of a piece */
    long long head;    /* bytes before the first row; negative: it has no rows */
    bool only_same;    /* it must be as the file in its place is, which stays; else EEXIST */
    bool within;       /* a piece has begun, of which what is added is a part */
    bool hashing;      /* the rows are hashed as they are written */
    uint64_t hash;
    size_t used;
    char buffer[OUTFILE_CAPACITY];
    unsigned char ends[OUTFILE_CAPACITY / 8 + 1]; /* a bit where a piece ends in it */
} outfile;

/* Opens the file, or returns NULL with errno set. Close or discard it. */
outfile *outfile_open(const char *path);

/* Whether two paths lead to one place: to one file, or, through links that lead to nothing yet and
 * whatever the folder is called, to one name. And whether an outfile that is open, and is written
 * beside its place, has the place of a path. */
bool outfile_same_place(const char *one, const char *other);
bool outfile_is_open(const char *path);

/* Standard output, or NULL without memory. */
outfile *outfile_standard(void);

/* Adds one piece. After a failure (see error) nothing more is written. */
void outfile_write(outfile *out, const void *piece, size_t length);

/* Adds one piece as printf formats it, at most OUTFILE_CAPACITY bytes. */
__attribute__((format(printf, 2, 3))) void outfile_print(outfile *out, const char *format, ...);
void outfile_vprint(outfile *out, const char *format, va_list values);

/* What is added between these two is one piece, of any length. */
void outfile_begin_piece(outfile *out);
void outfile_end_piece(outfile *out);

/* Hands over what waits in the buffer. */
void outfile_flush(outfile *out);

/* What follows is rows, a piece each, of which any number is worth keeping. */
void outfile_begin_rows(outfile *out);

/* From here on the rows are hashed; and what was written is on the disk when it returns: 0 or
 * errno. */
void outfile_hash_rows(outfile *out);
int outfile_sync(outfile *out);

/* Whether another file has the head of this one, but for the number of rows, and after it `bytes`
 * bytes of rows with that hash; if so, and `copy`, these rows are added. */
bool outfile_copy_rows(outfile *out, const char *from, long long bytes, uint64_t hash, bool copy);

/* Whether another file has the head of this one, but for the number of rows, and after it some of the
 * first rows that were handed over, and nothing else. */
bool outfile_begins_with(const outfile *out, const char *path);

/* Whether the last `bytes` bytes of a file have that hash. */
bool outfile_ends_in_rows(const char *path, long long bytes, uint64_t hash);

/* Whether a path is where an outfile of that place was written, by another process. */
bool outfile_is_beside(const char *place, const char *path);

/* The file that has the rows of a place that could not be written, if there are any; NULL if memory
 * runs out. To be freed. */
char *outfile_partial(const char *place);

/* Writes other bytes over the first ones, which were written and handed over before; also
 * after a failure, which leaves them in the file. Regular files only. */
void outfile_replace(outfile *out, const void *bytes, size_t length);

/* Begins again after a failure, in the room that the file has, with less; which is kept as
 * NAME.partial if all of it is written. Regular files only. */
void outfile_again(outfile *out);

/* Writes out what waits, closes, renames and frees. Returns the errno of the first failure,
 * or 0. After a failure *partial, unless it is NULL, is the name of the file with the rows
 * that were written, to be freed; NULL where there are none. */
int outfile_close(outfile *out, char **partial);

/* Closes, removes what was written beside, and frees; NULL is fine. And all that are open, but
 * standard output. */
void outfile_discard(outfile *out);
void outfile_discard_all(void);
