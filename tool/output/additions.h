/* additions.h - what folders beside the core add to the commands of the core.
 *
 * Each addition is a descriptor `const TYPE TYPE_NAME = {` in a file of `tool/device`, `lab` or `extra`. The build
 * lists these descriptors. A tool that was built without the folder has none, and then the functions at the end
 * return NULL. */
#pragma once

#include "polhode/device.h"
#include "polhode/ensemble.h"
#include "tool/base/command.h"
#include "tool/files/rows.h"

struct observer;

/* Draws the motion of a body as a film. The functions return 0, or the exit status of the error they reported. */
typedef struct film_maker {
    /* Reads the options of the command. *film stays NULL unless they ask for a film. */
    int (*open)(const arguments *given, void **film);

    /* Begins with the first instant; `system` is the system that moves, or NULL if it is unknown. */
    int (*begin)(void *film, const instant *first, const ph_system *system);
    void (*add)(void *film, const instant *now);

    /* Draws and closes the film; `told`, if it is not NULL, is where the function names it. */
    int (*draw)(void *film, const char *title, outfile *told);
} film_maker;

/* An observer of a run that an option asks for. */
typedef struct run_observer {
    /* Reads the options of the command. Leaves *out as it is unless they ask for the observer. Returns 0, or the exit
     * status of the error it reported. */
    int (*open)(const arguments *given, struct observer *out);
} run_observer;

/* Moves many bodies on a device. The functions `open_...` store what they opened in *opened, which lasts until the
 * command ends; they return 0, or the exit status of the error they reported. */
typedef struct device_runner {
    /* Opens the device of that name for `run`, which moves at most `most` free bodies at a time. */
    int (*open_bodies)(const char *name, const ph_device_run *run, size_t most, void **opened);

    /* Moves free bodies. If the device fails, writes a line of at most `size` bytes into `why`. */
    ph_batch_result (*advance)(void *opened, const ph_device_run *run, const ph_batch *bodies,
                               char *why, size_t size);

    /* Opens the device of that name for ensembles whose bodies are like `first`. */
    int (*open_ensemble)(const char *name, ph_system *first, void **opened);

    /* Does ph_ensemble_run(); *log is what the device said if it failed. */
    ph_status (*run_ensemble)(void *opened, ph_ensemble *e, double time,
                              const ph_ensemble_observer *o, const char **log);
} device_runner;

/* Each returns the addition, or NULL if the tool was built without it. */
const film_maker *film_maker_find(void);
const device_runner *device_runner_find(void);

/* Returns the i-th observer of runs, or NULL past the last. */
const run_observer *run_observer_at(size_t i);
