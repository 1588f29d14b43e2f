/* module.h - what the sources of the WebAssembly modules share. */
#ifndef POLHODE_WEB_MODULE_H
#define POLHODE_WEB_MODULE_H

#include "polhode/polhode.h"

#define EXPORT(name) __attribute__((export_name(#name), used)) name

/* An exact motion and its body; to be released. */
typedef struct web_motion {
    ph_motion exact;
    ph_body body;
} web_motion;

#endif
