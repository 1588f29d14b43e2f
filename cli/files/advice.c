/* advice.c - what may help against an error of the system. */
#define _POSIX_C_SOURCE 200809L
#include "cli/files/advice.h"

#include <errno.h>

const char *advice(int error, const char *otherwise)
{
    switch (error) {
    case ENOSPC:
    case EDQUOT:
        return "free some space and run again";
    case EFBIG:
        return "raise the limit of a file's size (ulimit -f) and run again";
    case EMFILE:
        return "raise the limit of open files (ulimit -n) and run again";
    case ENFILE:
    case ENOMEM:
    case EAGAIN:
        return "close other programs and run again";
    default:
        return otherwise;
    }
}
