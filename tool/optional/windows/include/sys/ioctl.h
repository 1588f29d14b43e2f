/* sys/ioctl.h - on Windows: tool/optional/windows/windows_posix.h has what is used of it. */
