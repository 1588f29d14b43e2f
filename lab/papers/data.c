/* data.c - what the papers print: data of problems, steps, times, and numbers that a figure must
 * give.
 *
 * CFSZ  Celledoni, Fasso, Saefstroem, Zanna, Preprint Numerics 6/2007, NTNU.
 * HV    Hairer, Vilmart, J. Phys. A 39 (2006).       K06  Krysl 2006.
 * O11   Ortolan, thesis, Padova 2011.                V13  Vilmart 2013.
 *
 * "chosen": the paper does not say it. "binary128": not printed, and computed by a program of
 * its own, with other code, in quadruple precision.
 */
#include "lab/papers/data.h"

#include <stdlib.h>
#include <string.h>

#include "lab/motion/gauss_legendre.h"
#include "lab/papers/experiments.h"
#include "motion/series.h"

/* Figures that share a datum. */
#define KRYSL_WALL      "krysl_figure4 krysl_figure5"
#define SATELLITE       "celledoni_figure14 celledoni_figure15"
#define POTENTIAL       "ortolan_figure3_1 ortolan_figure3_2"
#define PENDULUM_LONG   "ortolan_figure7_1 ortolan_figure7_2 ortolan_figure7_4 ortolan_figure7_5"
#define MAGNETS_LONG    "ortolan_figure7_7 ortolan_figure7_8"
#define SPHERES_LONG    PENDULUM_LONG " " MAGNETS_LONG
#define SPHERES_ERRORS  "ortolan_figure7_3 ortolan_figure7_6 ortolan_figure7_9"
#define SPHERES_TIMES   "ortolan_table7_1 ortolan_table7_2 ortolan_table7_3"
#define SINGLE_STEP     "celledoni_figure2 celledoni_table1"
#define TRIANGLES_LONG  "celledoni_figure4 celledoni_figure5 celledoni_figure6 celledoni_figure7"
#define TRIANGLES_SHORT "celledoni_figure8 celledoni_figure9 celledoni_figure10 celledoni_figure11"
#define TRIANGLES       TRIANGLES_LONG " " TRIANGLES_SHORT
#define PERTURBED       "celledoni_figure12 celledoni_figure13"
#define MOLECULES       "celledoni_figure16 celledoni_figure17 celledoni_figure18"
#define DMV_TABLES      "hairer_vilmart_table1 vilmart_table1"
#define HV_BODY         DMV_TABLES " hairer_vilmart_figure1 hairer_vilmart_section4"
#define KEPT            "vilmart_table2 hairer_vilmart_table2 ortolan_table2_1"

/* Figures that use a table of coefficients. */
#define S6_FIGURES   PERTURBED " celledoni_figure16 celledoni_figure17"
#define RKN4_FIGURES PERTURBED " " MOLECULES
#define RKN6_FIGURES PERTURBED " celledoni_figure15 celledoni_figure18"
#define DMV10_FIGURES                                                                              \
    "celledoni_figure1 celledoni_figure7 celledoni_figure8 celledoni_figure11 vilmart_figure1"
#define DMV8_FIGURES                                                                               \
    DMV10_FIGURES " celledoni_figure6 celledoni_figure10 hairer_vilmart_figure1 "                  \
                  "hairer_vilmart_section4 hairer_vilmart_table2 " DMV_TABLES
#define DMV6_FIGURES DMV8_FIGURES " celledoni_figure5 celledoni_figure9 vilmart_table2"
#define DMV4_FIGURES DMV6_FIGURES

/* Of a problem, or of figures: what is printed, numbers separated by commas. Three numbers by
 * effort are those of the least run, of a quick one and of a full one. */
static const struct {
    const char *of, *name, *printed, *where;
} DATA[] = {
    {"krysl_free", "inertia", "0.9144,1.098,1.66", "K06 5.1"},
    {"krysl_free", "rotation", "0,0,0", "chosen"},
    {"krysl_free", "velocity", "0.45549,0.82623,0.03476", "K06 5.1"},
    {"krysl_free", "energy", "0.4706368101438", "binary128"},
    {"slow_top", "inertia", "5,5,1", "K06 5.2"},
    {"slow_top", "rotation", "0.05,0,0", "K06 5.2"},
    {"slow_top", "velocity", "0,0,5", "K06 5.2"},
    {"slow_top", "strength", "20", "K06 5.2, t = -20 R(:,3) x [0;0;1]"},
    {"slow_top", "up", "0,0,1", "K06 5.2"},
    {"slow_top", "centre", "0,0,1", "K06 5.2"},
    {"fast_top", "inertia", "5,5,1", "K06 5.3"},
    {"fast_top", "rotation", "0.3,0,0", "K06 5.3"},
    {"fast_top", "velocity", "0,0,50", "K06 5.3"},
    {"fast_top", "strength", "20", "K06 5.2"},
    {"fast_top", "up", "0,0,1", "K06 5.2"},
    {"fast_top", "centre", "0,0,1", "K06 5.2"},
    {"soft_wall", "inertia", "2,3,4.5", "K06 5.4"},
    {"soft_wall", "rotation", "0,0,0", "K06 5.4"},
    {"soft_wall", "momentum", "2,2,2", "K06 5.4"},
    {"soft_wall", "offset", "1.1", "K06 5.4"},
    {"soft_wall", "wall", "0.001", "K06 5.4, 0.01 in the torque, over 10"},
    {"soft_wall", "energy", "2.58730098778", "binary128"},
    {"well", "inertia", "2,2,4", "O11 4.2"},
    {"well", "rotation", "0,0.7227,0", "O11 4.2"},
    {"well", "velocity", "0,0,0.625", "O11 4.2"},
    {"well", "alpha", "0.3", "O11 4.2"},
    {"well", "target", "1.76776695296637,0,1.76776695296637", "O11 4.2, 2.5/sqrt 2"},
    {"well", "energy", "0.67024538028114", "binary128"},
    {"pendulum", "mass", "2", "O11 7.2.1"},
    {"pendulum", "length", "2", "O11 7.2.1"},
    {"pendulum", "gravity", "9.81", "O11 7.2.1"},
    {"pendulum", "q", "0.577350269189626,0.577350269189626,-0.577350269189626", "O11 7.2.1"},
    {"pendulum", "w", "1,1,2", "O11 7.2.1"},
    {"pendulum", "energy", "1.3447754369991", "binary128"},
    {"double_pendulum", "mass1", "2", "O11 7.2.2"},
    {"double_pendulum", "mass2", "1", "O11 7.2.2"},
    {"double_pendulum", "length1", "1", "O11 7.2.2"},
    {"double_pendulum", "length2", "1", "O11 7.2.2"},
    {"double_pendulum", "gravity", "9.81", "O11 7.2.2"},
    {"double_pendulum", "q", "0.866019052628739,0,0.500011000363013,0,0,-1", "O11 7.2.2"},
    {"double_pendulum", "w", "-0.433,0,0.749956,0,1,0", "O11 7.2.2"},
    {"double_pendulum", "energy", "-3.2804392377795", "binary128"},
    {"magnets", "rows", "4", "O11 7.2.3"},
    {"magnets", "columns", "4", "O11 7.2.3"},
    {"magnets", "mass", "0.05", "O11 7.2.3"},
    {"magnets", "length", "0.02", "O11 7.2.3"},
    {"magnets", "moment", "0.1", "O11 7.2.3"},
    {"magnets", "spacing", "0.024", "O11 7.2.3, 1.2 l"},
    {"magnets", "energy", "-1.245966364483e-3", "binary128"},
    {"satellite", "inertia", "1.7e4,3.7e4,5.4e4", "CFSZ 3.3.2"},
    {"satellite", "rotation", "0,0,0", "CFSZ 3.3.2"},
    {"satellite", "velocity", "15,-15,15", "CFSZ 3.3.2"},
    {"satellite", "mu", "3.986e14", "CFSZ 3.3.2"},
    {"satellite", "radius", "1.5e5", "CFSZ 3.3.2"},
    {"satellite", "energy", "1.21595664e7", "CFSZ 3.3.2"},
    {"dipolar_spheres", "sigma", "1", "CFSZ 3.4"},
    {"dipolar_spheres", "epsilon", "1", "CFSZ 3.4"},
    {"dipolar_spheres", "mass", "1", "CFSZ 3.4"},
    {"dipolar_spheres", "dipole", "0,1,1", "CFSZ 3.4"},
    {"dipolar_spheres", "inertias", "1,1.88,2.88", "CFSZ 3.4, of water"},
    {"dipolar_spheres", "lattice", "5", "CFSZ 3.4"},
    {"dipolar_spheres", "spacing", "3", "chosen"},
    {"dipolar_spheres", "noise", "0.01", "CFSZ 3.4"},
    {"dipolar_spheres", "seed", "1", "chosen"},
    {"dipolar_spheres", "box", "0,0,0", "CFSZ 3.4, open"},
    {"dipolar_spheres", "cutoff", "0", "CFSZ 3.4"},
    {"dipolar_spheres", "dielectric", "0", "CFSZ 3.4"},
    {"dipolar_spheres", "energy", "-0.558174436604", "binary128"},
    {"generic", "inertia", "1.3,2.1,2.9", "ours"},
    {"generic", "rotation", "0.3,-0.8,0.5", "ours"},
    {"generic", "momentum", "0.9,-1.4,1.7", "ours"},
    {"generic", "energy", "2.6226277091651", "ours"},
    {"krysl_figure1", "time", "100", "K06 5.1"},
    {"krysl_figure1", "fewest steps", "400", "chosen"},
    {"krysl_figure1", "halvings", "0,4,6", "chosen"},
    {"krysl_figure2", "time", "20", "K06 5.2"},
    {"krysl_figure2", "fewest steps", "400", "chosen"},
    {"krysl_figure2", "halvings", "0,4,6", "chosen"},
    {"krysl_figure3", "time", "10", "chosen"},
    {"krysl_figure3", "fewest steps", "1000", "chosen"},
    {"krysl_figure3", "halvings", "0,4,6", "chosen"},
    {KRYSL_WALL, "step", "0.5", "K06 figures 4 and 5"},
    {KRYSL_WALL, "times", "200,20000,20000", "K06 figures 4 and 5, 40000 steps"},
    {KRYSL_WALL, "blocks", "400", "chosen"},
    {"krysl_figure4", "starts of runs", "0,0,0,50,50,50", "chosen"},
    {SATELLITE, "times", "100,400,400", "CFSZ 3.3.2"},
    {SATELLITE, "blocks", "1000", "chosen"},
    {"celledoni_figure14", "steps of runs", "0.1,0.05,0.1,0.05", "CFSZ 3.3.2"},
    {"celledoni_figure15", "steps of runs", "0.1,0.05", "CFSZ 3.3.2"},
    {"ortolan_figure3_1", "alpha", "0", "O11 3.1"},
    {"ortolan_figure3_2", "alpha", "0.3", "O11 4.2"},
    {POTENTIAL, "cells", "21,101,201", "chosen"},
    {POTENTIAL, "point of the torque", "0.3,-0.4,0.2", "chosen"},
    {"ortolan_figure4_1", "times", "100,10000,10000", "O11 4.2"},
    {"ortolan_figure4_1", "blocks", "400", "chosen"},
    {"ortolan_figure4_1", "steps of runs",
     "0.125,0.25,0.125,0.25,0.125,0.25,0.125,0.25,0.125,0.25,0.125,0.25,"
     "0.125,0.25,0.25,0.125,0.125",
     "O11 4.2"},
    {"ortolan_figure4_1", "starts of runs", "0,0,0,0,0,0,0,0,0,0,0,0,0,0,50,0,0", "chosen"},
    {"ortolan_figure4_2", "time", "5", "O11 4.2"},
    {"ortolan_figure4_2", "fewest steps", "5", "O11 4.2"},
    {"ortolan_figure4_2", "halvings", "4,9,9", "O11 4.2"},
    {"ortolan_figure4_3", "steps", "0.125,0.25", "O11 4.2"},
    {"ortolan_figure4_3", "steps that are timed", "10,500,1000", "chosen"},
    {PENDULUM_LONG, "step", "0.01", "O11 7.2.1 and 7.2.2"},
    {PENDULUM_LONG, "times", "1,200,200", "O11 7.2.1 and 7.2.2"},
    {MAGNETS_LONG, "step", "0.01", "chosen"},
    {MAGNETS_LONG, "times", "1,200,200", "chosen"},
    {SPHERES_LONG, "blocks", "100", "chosen"},
    {"ortolan_figure7_4", "starts of runs", "0,0,0,0,50,50,0,0", "chosen"},
    {"ortolan_figure7_4", "lengths of runs", "0,0,0,0,0,0,100,100", "chosen"},
    {SPHERES_ERRORS, "time", "1", "O11 7.2"},
    {"ortolan_figure7_3", "fewest steps", "4", "chosen"},
    {"ortolan_figure7_3", "halvings", "1,7,7", "chosen"},
    {"ortolan_figure7_6 ortolan_figure7_9", "fewest steps", "16", "chosen"},
    {"ortolan_figure7_6 ortolan_figure7_9", "halvings", "1,5,5", "chosen"},
    {SPHERES_TIMES, "step", "0.01", "O11 7.2; of the needles chosen"},
    {SPHERES_TIMES, "steps", "2,200,500", "chosen"},
    {"ortolan_table7_1", "seconds of the thesis", "0.34,17.41,83.17,2.72", "O11 table 7.1"},
    {"ortolan_table7_2", "seconds of the thesis", "19.71,44.67,166.57,12.64", "O11 table 7.2"},
    {"ortolan_table7_3", "seconds of the thesis", "118.74,289.28,1785.53,125.22", "O11 table 7.3"},
    {"celledoni_figure1", "time", "10", "CFSZ 3.2"},
    {"celledoni_figure1", "bodies", "1,100,100", "CFSZ 3.2, 100 runs"},
    {"celledoni_figure1", "step sizes", "20", "CFSZ 3.2, twenty different stepsizes"},
    {"celledoni_figure1", "fewest and most steps", "29,714",
     "CFSZ 3.2, from about 0.34 down to 0.014"},
    {SINGLE_STEP, "step", "5", "CFSZ 3.2"},
    {SINGLE_STEP, "runs", "4,100,100", "CFSZ table 1, 100 experiments"},
    {SINGLE_STEP, "median errors", "7.0865e-13,3.3383e-13", "CFSZ table 1"},
    {SINGLE_STEP, "deviations of errors", "4.4725e-12,2.3748e-12", "CFSZ table 1"},
    {"celledoni_figure1 " SINGLE_STEP, "range of moments and momenta", "0,1",
     "CFSZ 3.2, first quadrant, I3 = 1"},
    {TRIANGLES_LONG, "step and time", "0.4,10", "CFSZ 3.2"},
    {TRIANGLES_SHORT, "step and time", "0.04,10", "CFSZ 3.2"},
    {TRIANGLES, "starts in a cell", "1,5,20", "chosen"},
    {TRIANGLES, "columns of cells", "10,50,100", "chosen"},
    {TRIANGLES, "range of momenta", "0,1", "CFSZ 3.2, first quadrant"},
    {"celledoni_figure12", "epsilon", "1e-6", "CFSZ figure 12"},
    {"celledoni_figure13", "epsilon", "1e-3", "CFSZ figure 13"},
    {PERTURBED, "steps", "8,5,4,2,1.75,1.5,1.25,1,0.5", "CFSZ 3.3.1"},
    {PERTURBED, "kicks", "10", "CFSZ 3.3.1"},
    {PERTURBED, "times", "20,200,2000", "CFSZ 3.3.1, [0, 2000]; in quick runs chosen"},
    {PERTURBED, "starts", "1,10,20", "CFSZ 3.3.1, 20; in quick runs chosen"},
    {PERTURBED, "powers of T0", "2,1,0,-1,-2", "CFSZ 3.3.1"},
    {PERTURBED, "first moment", "1", "CFSZ 3.3.1"},
    {PERTURBED, "second moment", "1,2", "chosen"},
    {PERTURBED, "shares of T0 and u0", "-1,1", "CFSZ 3.3.1"},
    {"celledoni_figure16", "energy of the start", "0.14134185611814,0,0,0", "CFSZ figure 16"},
    {"celledoni_figure16", "time", "1", "CFSZ 3.4"},
    {"celledoni_figure16", "halvings", "7", "CFSZ 3.4, i = 0, ..., 7"},
    {"celledoni_figure16", "starts", "1,50,50", "chosen"},
    {"celledoni_figure16", "bodies", "100", "CFSZ 3.4"},
    {"celledoni_figure16", "first spacing", "4", "chosen"},
    {"celledoni_figure17", "energies", "0,1,3,10", "chosen"},
    {"celledoni_figure17", "time", "1", "CFSZ 3.4"},
    {"celledoni_figure17", "halvings", "3", "CFSZ figure 17, 1, 1/2, 1/4, 1/8"},
    {"celledoni_figure17", "starts", "1,50,100", "CFSZ figure 17, 100 runs"},
    {"celledoni_figure17", "spacing of the lattice", "3", "chosen"},
    {"celledoni_figure18", "spacings", "6,5.5,5,0", "chosen"},
    {"celledoni_figure18", "time", "10", "CFSZ 3.4"},
    {"celledoni_figure18", "halvings", "3", "CFSZ figure 17"},
    {"celledoni_figure18", "starts", "1,50,50", "chosen"},
    {"celledoni_figure17 celledoni_figure18", "bodies", "125", "CFSZ 3.4"},
    {MOLECULES, "kicks", "10", "CFSZ 3.4"},
    {MOLECULES, "noise of places", "0.01", "CFSZ 3.4, 1 %"},
    {"hairer_vilmart_figure1", "inertia of water", "0.345,0.653,1", "HV 3"},
    {"hairer_vilmart_figure1", "time", "10", "HV 3"},
    {"hairer_vilmart_figure1", "steps", "10,16,25,40,64,100,160,250,400,640,1000,1600,2500,4000",
     "chosen"},
    {"hairer_vilmart_figure1", "how many of these", "6,11,14", "chosen"},
    {HV_BODY, "inertia", "0.6,0.8,1", "HV 3"},
    {HV_BODY, "momentum", "1.8,0.4,-0.9", "HV 3"},
    {DMV_TABLES, "time", "2", "chosen"},
    {DMV_TABLES, "steps", "16,32", "chosen"},
    {"hairer_vilmart_table1", "power of delta in d7", "3", "HV table 1"},
    {"vilmart_table1", "power of delta in d7", "2", "V13 table 1"},
    {"hairer_vilmart_section4", "step of the run", "0.1", "chosen"},
    {"hairer_vilmart_section4", "steps of the run", "10,100,400", "chosen"},
    {"hairer_vilmart_section4", "step that is timed", "0.05", "chosen"},
    {"hairer_vilmart_section4", "steps that are timed", "1,10", "HV Remark 3.1"},
    {"hairer_vilmart_section4", "time", "10", "HV 3"},
    {"hairer_vilmart_section4", "steps in it", "50,100,200,400", "chosen"},
    {"hairer_vilmart_section4", "steps of order 4 in it", "200", "chosen"},
    {"vilmart_figure1", "inertia", "0.376,0.627,1", "V13 figure 1"},
    {"vilmart_figure1", "momentum", "0,0.6,-0.8", "V13 figure 1"},
    {"vilmart_figure1", "step", "0.01", "V13 figure 1"},
    {"vilmart_figure1", "time", "40", "V13 figure 1"},
    {"vilmart_figure1", "time of the orders", "4", "chosen"},
    {"vilmart_figure1", "steps of the orders", "0.02,0.4", "chosen"},
    {KEPT, "states", "1,20,20", "chosen"},
    {KEPT, "steps", "40,10000,10000", "chosen"},
    {KEPT, "times", "25,10000,10000", "chosen"},
    {KEPT, "stable steps", "10", "chosen"},
    {"celledoni_figure12 celledoni_figure13", "s4_6",
     "0.079203696431196,0.209515106613362,0.353172906049774,"
     "-0.143851773179818,-0.042065080357720,0.434336666566456,"
     "0.219376955753500",
     "CFSZ (52), the sign of b2 corrected"},
    {S6_FIGURES, "s6_10",
     "0.050262764400393,0.148816447901043,0.413514300428344,"
     "-0.132385865767784,0.045079889794398,0.067307604692185,"
     "-0.188054853819569,0.432666402578174,0.541960678450780,"
     "-0.016404589403618,-0.725525558508691",
     "CFSZ (51)"},
    {RKN4_FIGURES, "srkn4_6b",
     "0.082984406417405,0.245298957184271,0.396309801498368,"
     "0.604872665711080,-0.039056304922348,-0.350171622895351,"
     "0.119524194013151",
     "CFSZ (53)"},
    {RKN6_FIGURES, "srkn6_14a",
     "0.037859319840614,0.091719152624463,0.102635633102434,"
     "0.183983170005009,-0.025867888266562,-0.056534365832884,"
     "0.314241403071470,0.004914688774710,-0.130144459517421,"
     "0.143761127168368,0.106417700369538,0.328567693746804,"
     "-0.008794243128509,-0.196411466486469,0.207305069056870",
     "CFSZ (54)"},
    {"celledoni_figure1 celledoni_figure5 celledoni_figure9", "gauss6",
     "0.112701665379258,0,0.277777777777778,0,0.444444444444444", "Gauss"},
    {"celledoni_figure1 celledoni_figure6 celledoni_figure10", "gauss8",
     "0.069431844202974,0.330009478207572,0.173927422568727,"
     "0.326072577431273,0",
     "Gauss"},
    {"celledoni_figure1 celledoni_figure7 celledoni_figure11", "gauss10",
     "0.046910077030668,0.230765344947158,0.118463442528095,"
     "0.239314335249683,0.284444444444444",
     "CFSZ, appendix"},
    {DMV4_FIGURES, "s3", "-2,1", "HV table 1, in p1, p2, p3"},
    {DMV4_FIGURES, "d3", "1,-2", "HV table 1, in p1, p2, p3"},
    {DMV6_FIGURES, "s5", "2,-1,-2,8,2,-6", "HV table 1, in p1, p2, p3"},
    {DMV6_FIGURES, "d5", "-1,-6,-1,8,-1", "HV table 1, in p1, p2, p3"},
    {DMV8_FIGURES, "s7", "-4,4,72,6,41,-212,-36,132,-30,17,-66,100", "HV table 1, in p1, p2, p3"},
    {DMV8_FIGURES, "d7", "2,-26,60,13,-64,110,2,-2,-176,-19,72", "HV table 1, in p1, p2, p3"},
    {DMV10_FIGURES, "s9",
     "2,-3,153,-486,-4,-264,1104,-828,156,18,-612,180,1908,-154,612,282,"
     "-2256,62,-342,378,291",
     "ours, printed nowhere"},
    {DMV10_FIGURES, "d9",
     "-1,-6,-126,459,-30,194,128,-552,-1296,-30,114,-798,2136,-1,222,-864,"
     "684,-61,243,-610",
     "ours, printed nowhere"},
};

/* What a figure must give: the number in a column of the rows of a method, at a step ("": the
 * last row); of a run its `slope`, or the `largest` error. */
static const struct {
    const char *figure, *row, *step, *column, *value;
} NUMBERS[] = {
#define ERRORS(figure, method, h, momentum, attitude)                                              \
    {figure, method, h, "error_momentum", momentum},                                               \
    {                                                                                              \
        figure, method, h, "error_attitude", attitude                                              \
    }
    ERRORS("krysl_figure1", "trap", "0.015625", "1.97e-5", "8.02e-5"),
    ERRORS("krysl_figure1", "imid", "0.015625", "9.62e-6", "8.82e-5"),
    ERRORS("krysl_figure1", "imidm", "0.015625", "1.08e-4", "1.23e-4"),
    ERRORS("krysl_figure1", "akw", "0.015625", "9.62e-6", "1.83e-3"),
    ERRORS("krysl_figure2", "trap", "0.003125", "1.16e-3", "5.90e-4"),
    ERRORS("krysl_figure2", "imidm", "0.003125", "7.16e-4", "9.47e-4"),
    ERRORS("krysl_figure2", "bbtrap", "0.003125", "8.38e-4", "1.40e-3"),
    ERRORS("krysl_figure3", "trap", "0.000625", "1.41e-2", "5.26e-4"),
    ERRORS("krysl_figure3", "imidm", "0.000625", "1.30e-3", "2.61e-5"),
    ERRORS("krysl_figure3", "swc1", "0.000625", "7.78e-3", "1.57e-4"),
    ERRORS("ortolan_figure4_2", "eln", "0.001953125", "2.24e-7", "2.36e-7"),
    ERRORS("ortolan_figure4_2", "tln", "0.001953125", "6.95e-7", "2.05e-6"),
    ERRORS("ortolan_figure4_2", "liemid", "0.001953125", "8.25e-8", "4.57e-7"),
    {"krysl_figure5", "imid", "", "largest", "0.0069"},
    {"krysl_figure5", "trapm", "", "largest", "0.0123"},
    {"krysl_figure5", "imidm", "", "largest", "0.0052"},
    {"ortolan_figure4_1", "eln h = 0.125", "", "slope", "-1.055e-6"},
    {"ortolan_figure4_1", "eln h = 0.25", "", "slope", "-4.04e-6"},
    {"ortolan_figure4_1", "prk h = 0.125", "", "slope", "-1.70e-6"},
    {"ortolan_figure4_1", "mcg h = 0.125", "", "slope", "5.69e-7"},
    {"ortolan_figure4_1", "liemid h = 0.125", "", "slope", "1.42e-7"},
    {"ortolan_figure4_1", "vlv h = 0.125", "", "largest", "1.28e-3"},
    {"ortolan_figure7_1", "eln", "", "largest", "1.06e-4"},
    {"ortolan_figure7_1", "rkmk4", "", "largest", "1.29e-6"},
    {"ortolan_figure7_1", "rattle", "", "largest", "1.94e-4"},
    {"ortolan_figure7_3", "eln", "0.001953125", "error_position", "1.7e-6"},
    {"ortolan_figure7_3", "rattle", "0.001953125", "error_velocity", "1.8e-5"},
    {"ortolan_figure7_6", "eln", "0.001953125", "error_position", "5.1e-5"},
    {"ortolan_figure7_6", "rattle", "0.001953125", "error_velocity", "5.3e-4"},
    {"ortolan_figure7_9", "eln", "0.001953125", "error_position", "3.0e-4"},
    {"ortolan_figure7_9", "rkmk4", "0.001953125", "error_velocity", "1.1e-6"},
    {"celledoni_figure14", "drift first h = 0.1", "", "largest", "6.5e-3"},
    {"celledoni_figure14", "MR h = 0.05", "", "largest", "6.1e-3"},
    {"celledoni_figure15", "h = 0.1", "", "largest", "1.15e-7"},
    {"celledoni_figure15", "h = 0.05", "", "largest", "4.58e-10"},
};

/* ---- what is used ---------------------------------------------------------------- */

const char *figure_problem(const ph_figure *f)
{
    if (f->compute == convergence_compute)
        return ((const convergence *)f->context)->problem;
    if (f->compute == long_runs_compute)
        return ((const long_runs *)f->context)->problem;
    return f->problem;
}

static void copy(datum *d, const double *x, size_t count)
{
    for (size_t k = 0; k < d->count && k < count; k++)
        d->used[k] = x[k];
}

static void copy_vector(datum *d, ph_vec3 v)
{
    copy(d, (const double[]){v.x, v.y, v.z}, 3);
}

static bool facts_of(const char *problem, ph_problem_facts *out)
{
    size_t i = 0;
    while (ph_problem_at(i, out) && strcmp(out->name, problem) != 0)
        i++;
    return ph_problem_at(i, out);
}

static bool use_parameter(datum *d, const char *problem)
{
    ph_problem_facts f;
    const bool known = facts_of(problem, &f);
    for (int i = 0; known && i < f.parameter_count; i++) {
        const ph_parameter *p = &f.parameters[i];
        if (strcmp(p->name, d->name) == 0) {
            copy(d, f.value + p->first, (size_t)p->count);
            return true;
        }
    }
    return false;
}

/* A number of a problem: a parameter, of a body inertia, rotation, velocity or momentum, of
 * spheres q or w, or an observable at the start. */
static void use_problem(datum *d, const char *problem)
{
    const ph_problem *p = find_problem(problem);
    ph_system *s;
    const ph_observable *seen;
    const ph_array *array;
    if (use_parameter(d, problem))
        return;
    if (p != NULL && strcmp(d->name, "inertia") == 0)
        copy_vector(d, p->body.J);
    else if (p != NULL && strcmp(d->name, "rotation") == 0)
        copy_vector(d, ph_rotation_log(p->q));
    else if (p != NULL && strcmp(d->name, "velocity") == 0)
        copy_vector(d, p->w);
    else if (p != NULL && strcmp(d->name, "momentum") == 0)
        copy_vector(d, times(p->body.J, p->w));
    else if (ph_system_create(&(ph_system_settings){problem, .step = 1e-3}, &s) == PH_OK) {
        if (ph_system_observable_named(s, d->name, &seen) == PH_OK)
            copy(d, seen->now, (size_t)seen->width);
        else if (ph_system_array_named(s, d->name, &array) == PH_OK)
            for (size_t k = 0; k < d->count && k / 3 < array->count; k++)
                d->used[k] = array->data[k % 3][k / 3 * array->stride];
        ph_system_destroy(s);
    }
}

/* ---- the ledger of a figure --------------------------------------------------------- */

typedef struct ledger {
    const ph_figure *figure;
    datum *out;
    size_t count;
} ledger;

static bool has_word(const char *words, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = words; (at = strstr(at, word)) != NULL; at += length) {
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    }
    return false;
}

static size_t count_numbers(const char *text)
{
    size_t count = text[0] != '\0';
    for (; (text = strchr(text, ',')) != NULL; text++)
        count++;
    return count;
}

static bool is_listed(const ledger *l, const char *name)
{
    size_t i = 0;
    while (i < l->count && strcmp(l->out[i].name, name) != 0)
        i++;
    return i < l->count;
}

/* Adds what the figure uses under a name, with what is printed; the text is empty if the list
 * has no such row, and the claim of the datum fails. */
static void add_used(ledger *l, const char *name, const double *x, size_t count)
{
    datum d = {name, "", "not in lab/papers/data.c", count, {0}};
    for (size_t i = 0; i < COUNT(DATA); i++) {
        if (strcmp(DATA[i].name, name) == 0 && has_word(DATA[i].of, l->figure->name)) {
            d.printed = DATA[i].printed;
            d.where = DATA[i].where;
        }
    }
    copy(&d, x, count);
    if (l->count < DATA_MOST)
        l->out[l->count++] = d;
}

static void add_convergence(ledger *l, const convergence *c)
{
    const double fewest = (double)c->coarsest;
    double halvings[FIGURE_EFFORTS];
    for (int i = 0; i < FIGURE_EFFORTS; i++)
        halvings[i] = c->halvings[i];
    add_used(l, "time", &c->time, 1);
    add_used(l, "fewest steps", &fewest, 1);
    add_used(l, "halvings", halvings, FIGURE_EFFORTS);
}

/* A number of each run; nothing if it is 0 of all. */
static void add_of_runs(ledger *l, const char *name, const long_runs *r,
                        double (*of)(const long_run *))
{
    double x[DATUM_VALUES];
    size_t count = 0;
    bool any = false;
    for (const long_run *run = r->runs; run->method != NULL && count < DATUM_VALUES; run++) {
        x[count] = of(run);
        any = any || x[count] != 0.0;
        count++;
    }
    if (any)
        add_used(l, name, x, count);
}

static double step_of(const long_run *r)
{
    return r->h;
}

static double starts_of(const long_run *r)
{
    return r->starts;
}

static double length_of(const long_run *r)
{
    return r->times;
}

static void add_long_runs(ledger *l, const long_runs *r)
{
    const double blocks = (double)r->blocks;
    if (r->h > 0.0)
        add_used(l, "step", &r->h, 1);
    add_used(l, "times", r->time, FIGURE_EFFORTS);
    add_used(l, "blocks", &blocks, 1);
    add_of_runs(l, "steps of runs", r, step_of);
    add_of_runs(l, "starts of runs", r, starts_of);
    add_of_runs(l, "lengths of runs", r, length_of);
}

/* The numerators of a polynomial of DMV: s3, d3 ... s9, d9. */
static size_t use_polynomial(const char *name, double x[DATUM_VALUES])
{
    unsigned char powers[SERIES_TERMS][SERIES_VARIABLES];
    const ph_series *p = &ph_dmv_series[(name[1] - '3') / 2];
    const int count = ph_series_powers(p, name[0] == 'd', powers);
    for (int i = 0; i < count && i < DATUM_VALUES; i++)
        x[i] = (name[0] == 'd' ? p->d : p->s)[i];
    return (size_t)count;
}

/* A table of coefficients: a scheme, a rule of Gauss by its order, a polynomial of DMV. Returns
 * how many numbers it has; 0: there is none of that name. */
static size_t use_coefficients(const char *name, double x[DATUM_VALUES])
{
    const ph_scheme *s = find_scheme(name);
    size_t half = 0;
    if (s != NULL)
        half = (size_t)(s->stages + 1) / 2;
    for (size_t i = 0; i < half && i < DATUM_VALUES; i++)
        x[i] = s->half[i];
    if (s != NULL)
        return half;
    if (strncmp(name, "gauss", strlen("gauss")) == 0) {
        const gauss_legendre g = gauss_rules[strtol(name + strlen("gauss"), NULL, 10) / 2];
        const double all[] = {g.node[0], g.node[1], g.weight[0], g.weight[1], g.middle};
        memcpy(x, all, sizeof all);
        return COUNT(all);
    }
    if (strlen(name) == 2 && strchr("sd", name[0]) != NULL)
        return use_polynomial(name, x);
    return 0;
}

/* A row of the list that the figure has not used: a number of its problem, or a table of
 * coefficients; or else a number that it should have used, and NaN. */
static void add_listed(ledger *l, size_t row, bool its_problem)
{
    double x[DATUM_VALUES];
    datum d = {DATA[row].name, DATA[row].printed, DATA[row].where, 0, {0}};
    d.count = count_numbers(d.printed);
    for (size_t k = 0; k < DATUM_VALUES; k++)
        d.used[k] = x[k] = NAN;
    if (its_problem)
        use_problem(&d, DATA[row].of);
    else if (use_coefficients(d.name, x) == d.count)
        copy(&d, x, d.count);
    if (l->count < DATA_MOST)
        l->out[l->count++] = d;
}

size_t figure_data(const ph_figure *f, datum out[DATA_MOST])
{
    const char *problem = figure_problem(f);
    ledger l = {f, out, 0};
    for (const figure_number *n = f->numbers; n != NULL && n->name != NULL; n++)
        add_used(&l, n->name, n->value, n->count);
    if (f->compute == convergence_compute)
        add_convergence(&l, f->context);
    if (f->compute == long_runs_compute)
        add_long_runs(&l, f->context);
    for (size_t i = 0; i < COUNT(DATA); i++) {
        const bool its_problem = problem != NULL && strcmp(DATA[i].of, problem) == 0;
        if (its_problem || (has_word(DATA[i].of, f->name) && !is_listed(&l, DATA[i].name)))
            add_listed(&l, i, its_problem);
    }
    return l.count;
}

/* ---- what is claimed of it ------------------------------------------------------- */

/* Reads a number, and half a unit of its last digit; the text behind it. */
static const char *read_digits(const char *text, double *x, double *half)
{
    char *end;
    const char *point = NULL, *digits = text;
    int places = 0;
    *x = strtod(text, &end);
    for (; digits < end && *digits != 'e'; digits++) {
        places += point != NULL;
        if (*digits == '.')
            point = digits;
    }
    double power = 0.0;
    if (*digits == 'e')
        power = strtod(digits + 1, NULL);
    *half = 0.5 * pow(10.0, power - places);
    if (*end == ',')
        return end + 1;
    return end;
}

double datum_difference(const datum *d)
{
    const double share = 4e-3, nothing = 1e-12;
    const char *text = d->printed;
    double worst = count_numbers(text) == d->count ? 0.0 : INFINITY;
    for (size_t k = 0; k < d->count; k++) {
        double x, half;
        text = read_digits(text, &x, &half);
        const double allowed = x == 0.0 ? nothing : smaller_or_nan(half, share * fabs(x));
        worst = larger_or_nan(worst, fabs(d->used[k] - x) / allowed);
    }
    return worst;
}

void claim_datum(const datum *d, claims *out)
{
    quote(out, d->where, d->printed);
    claim(out, datum_difference(d), 0.0, 1.0, "%s: difference from what is printed, in last digits",
          d->name);
    out->at[out->count - 1].datum = true;
}

/* The number of the figure that a column of its row names, or the first one of that step. */
static double measured_in(const table *t, const char *row, const char *column, const char *step)
{
    if (strcmp(column, "slope") == 0)
        return run_slope(t, row);
    if (strcmp(column, "largest") == 0)
        return run_error(t, row);
    const table part = table_part(t, "method", row);
    return table_first(&part, "h", step, column);
}

/* Claims that the numbers of the figure are those that another program gave in quadruple
 * precision, or that the paper prints, to the digits known. */
static void claim_numbers(const ph_figure *f, const table *t, claims *out)
{
    const double rounding = 1.0001; /* of decimal digits */
    for (size_t i = 0; i < COUNT(NUMBERS); i++) {
        if (strcmp(NUMBERS[i].figure, f->name) != 0)
            continue;
        const char *row = NUMBERS[i].row, *column = NUMBERS[i].column;
        const char *step = NUMBERS[i].step;
        double x, half;
        (void)read_digits(NUMBERS[i].value, &x, &half);
        const double found = measured_in(t, row, column, step);
        quote(out, "binary128", NUMBERS[i].value);
        claim(out, found, x - rounding * half, x + rounding * half, "%s, %s%s%s", row, column,
              text_if(step[0] != '\0', ", h = "), step);
    }
}

void figure_judge(const ph_figure *f, const table *t, claims *out)
{
    datum data[DATA_MOST];
    *out = (claims){.context = f->context};
    f->judge(t, out);
    claim_numbers(f, t, out);
    const size_t count = figure_data(f, data);
    for (size_t i = 0; i < count; i++)
        claim_datum(&data[i], out);
}
