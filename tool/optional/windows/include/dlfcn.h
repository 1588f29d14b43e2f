/* dlfcn.h - on Windows: tool/optional/windows/posix.h has what is used of it. */
