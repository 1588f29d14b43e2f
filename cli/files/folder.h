/* folder.h - folders for output. */
#pragma once

/* Makes the folder and those above it, where they are missing. Returns 0, or errno. */
int folder_make(const char *path);

/* The path of a file in it, to be freed; NULL without memory. */
char *folder_file(const char *folder, const char *name);
