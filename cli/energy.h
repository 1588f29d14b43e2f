/* energy.h - the energy of a run, sample by sample: where it was, how far it went, its
 * trend. */
#ifndef POLHODE_CLI_ENERGY_H
#define POLHODE_CLI_ENERGY_H

#include <jansson.h>
#include <stdbool.h>

typedef struct energy_record {
    unsigned long long count; /* samples */
    double initial, final;
    double max_error;             /* max |E - E0| */
    double mean_t, mean_e;        /* of t and of E - E0 */
    double spread_t, spread_both; /* sums of squares and of products about the means */
} energy_record;

/* Begins with a struct of zeros; t need not be even. False if the energy, its change or its
 * trend is not finite. */
bool energy_watch(energy_record *e, double t, double value);

/* The least-squares slope of E(t); 0 of a single sample. */
double energy_slope(const energy_record *e);

/* {"initial","final","max_error","slope"}; NULL without memory. */
json_t *energy_json(const energy_record *e);

#endif
