/* advice.h - what may help against an error of the system. */
#pragma once

/* A phrase to end a message with; `otherwise` where the error has none of its own. */
const char *advice(int error, const char *otherwise);
