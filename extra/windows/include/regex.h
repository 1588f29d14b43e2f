/* regex.h - on Windows: extra/windows/posix.h has what is used of it. */
