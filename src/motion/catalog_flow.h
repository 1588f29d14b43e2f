/* Written by scripts/lists. */
/* clang-format off */
#ifndef PH_LAB
#define PH_LAB 0
#endif
/* NOLINTBEGIN(readability-redundant-declaration) */
extern const ph_flow ph_flow_dmv[8];
extern const ph_flow ph_flow_dmv_exact;
extern const ph_flow ph_flow_dmv_time4;
extern const ph_flow ph_flow_exact;
#if PH_LAB
extern const ph_flow ph_flow_gauss[3];
#endif
extern const ph_flow ph_flow_imr[4];
#if PH_LAB
extern const ph_flow ph_flow_jem[2];
extern const ph_flow ph_flow_kosenko;
#endif
extern const ph_flow ph_flow_mr;
#if PH_LAB
extern const ph_flow ph_flow_quaternion;
extern const ph_flow ph_flow_rotation;
extern const ph_flow ph_flow_rotation_gauss[3];
#endif
extern const ph_flow ph_flow_sr[3];
#if PH_LAB
extern const ph_flow ph_flow_zon;
#endif
/* NOLINTEND(readability-redundant-declaration) */

static const ph_flow *const flow_rows[] = {
    &ph_flow_dmv[0],
    &ph_flow_dmv[1],
    &ph_flow_dmv[2],
    &ph_flow_dmv[3],
    &ph_flow_dmv[4],
    &ph_flow_dmv[5],
    &ph_flow_dmv[6],
    &ph_flow_dmv[7],
    &ph_flow_dmv_exact,
    &ph_flow_dmv_time4,
    &ph_flow_exact,
#if PH_LAB
    &ph_flow_gauss[0],
    &ph_flow_gauss[1],
    &ph_flow_gauss[2],
#endif
    &ph_flow_imr[0],
    &ph_flow_imr[1],
    &ph_flow_imr[2],
    &ph_flow_imr[3],
#if PH_LAB
    &ph_flow_jem[0],
    &ph_flow_jem[1],
    &ph_flow_kosenko,
#endif
    &ph_flow_mr,
#if PH_LAB
    &ph_flow_quaternion,
    &ph_flow_rotation,
    &ph_flow_rotation_gauss[0],
    &ph_flow_rotation_gauss[1],
    &ph_flow_rotation_gauss[2],
#endif
    &ph_flow_sr[0],
    &ph_flow_sr[1],
    &ph_flow_sr[2],
#if PH_LAB
    &ph_flow_zon,
#endif
};
