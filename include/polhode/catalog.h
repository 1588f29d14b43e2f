/* catalog.h - every descriptor by its name in C. A family is an array.
 *
 *     ph_flow_step(&ph_flow_exact, &body, &state, 0.1);
 *
 * A program that uses a descriptor by its name is linked with it alone.
 * ph_flow_named() and similar functions link all of them. A library that was
 * built with POLHODE_LAB=OFF has only the descriptors of the core. `make regenerate`
 * writes this file from the folders of the sources.
 */
#ifndef POLHODE_CATALOG_H
#define POLHODE_CATALOG_H

#include "polhode/body.h"

#ifdef __cplusplus
extern "C" {
#endif

extern PH_API const ph_flow ph_flow_dmv[8];
extern PH_API const ph_flow ph_flow_dmv_exact;
extern PH_API const ph_flow ph_flow_dmv_time4;
extern PH_API const ph_flow ph_flow_exact;
extern PH_API const ph_flow ph_flow_gauss[3];
extern PH_API const ph_flow ph_flow_imr[4];
extern PH_API const ph_flow ph_flow_jem[2];
extern PH_API const ph_flow ph_flow_kosenko;
extern PH_API const ph_flow ph_flow_mr;
extern PH_API const ph_flow ph_flow_quaternion;
extern PH_API const ph_flow ph_flow_rotation;
extern PH_API const ph_flow ph_flow_rotation_gauss[3];
extern PH_API const ph_flow ph_flow_sr[3];
extern PH_API const ph_flow ph_flow_zon;

extern PH_API const ph_scheme ph_scheme_aba[2];
extern PH_API const ph_scheme ph_scheme_hoa[2];
extern PH_API const ph_scheme ph_scheme_nystrom4;
extern PH_API const ph_scheme ph_scheme_s[2];
extern PH_API const ph_scheme ph_scheme_srkn[2];
extern PH_API const ph_scheme ph_scheme_verlet[2];

extern PH_API const ph_thermostat ph_thermostat_baoab[3];
extern PH_API const ph_thermostat ph_thermostat_nose_hoover;

extern PH_API const ph_method ph_method_akw;
extern PH_API const ph_method ph_method_bbtrap;
extern PH_API const ph_method ph_method_bbtrapwd;
extern PH_API const ph_method ph_method_crouch_grossman3;
extern PH_API const ph_method ph_method_eln[2];
extern PH_API const ph_method ph_method_imid;
extern PH_API const ph_method ph_method_imidm;
extern PH_API const ph_method ph_method_lie_euler[4];
extern PH_API const ph_method ph_method_liemid;
extern PH_API const ph_method ph_method_mcg;
extern PH_API const ph_method ph_method_mkrk[3];
extern PH_API const ph_method ph_method_new1[2];
extern PH_API const ph_method ph_method_new3;
extern PH_API const ph_method ph_method_prk[2];
extern PH_API const ph_method ph_method_rattle;
extern PH_API const ph_method ph_method_rk4;
extern PH_API const ph_method ph_method_saccon;
extern PH_API const ph_method ph_method_swc1;
extern PH_API const ph_method ph_method_tln[5];
extern PH_API const ph_method ph_method_trap;
extern PH_API const ph_method ph_method_trapm;
extern PH_API const ph_method ph_method_vlv[2];

extern PH_API const ph_adaptive ph_adaptive_dop853;
extern PH_API const ph_adaptive ph_adaptive_gauss16;
extern PH_API const ph_adaptive ph_adaptive_gbs;

extern PH_API const ph_problem ph_problem_free[2];
extern PH_API const ph_problem ph_problem_generic;
extern PH_API const ph_problem ph_problem_gyrostat;
extern PH_API const ph_problem ph_problem_heavy_top[7];
extern PH_API const ph_problem ph_problem_satellite;
extern PH_API const ph_problem ph_problem_soft_wall;
extern PH_API const ph_problem ph_problem_spacecraft;
extern PH_API const ph_problem ph_problem_vertical;
extern PH_API const ph_problem ph_problem_well;

#ifdef __cplusplus
}
#endif

#endif
