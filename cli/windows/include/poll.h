/* poll.h - on Windows: cli/windows/posix.h has what is used of it. */
