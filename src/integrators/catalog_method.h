/* Written by scripts/lists. */
/* clang-format off */
/* NOLINTBEGIN(readability-redundant-declaration) */
extern const ph_method ph_method_akw;
extern const ph_method ph_method_bbtrap;
extern const ph_method ph_method_bbtrapwd;
extern const ph_method ph_method_crouch_grossman3;
extern const ph_method ph_method_eln[2];
extern const ph_method ph_method_imid;
extern const ph_method ph_method_imidm;
extern const ph_method ph_method_lie_euler[4];
extern const ph_method ph_method_liemid;
extern const ph_method ph_method_mcg;
extern const ph_method ph_method_mkrk[3];
extern const ph_method ph_method_new1[2];
extern const ph_method ph_method_new3;
extern const ph_method ph_method_prk[2];
extern const ph_method ph_method_rattle;
extern const ph_method ph_method_rk4;
extern const ph_method ph_method_saccon;
extern const ph_method ph_method_swc1;
extern const ph_method ph_method_tln[5];
extern const ph_method ph_method_trap;
extern const ph_method ph_method_trapm;
extern const ph_method ph_method_vlv[2];
/* NOLINTEND(readability-redundant-declaration) */

static const ph_method *const method_rows[] = {
    &ph_method_akw,
    &ph_method_bbtrap,
    &ph_method_bbtrapwd,
    &ph_method_crouch_grossman3,
    &ph_method_eln[0],
    &ph_method_eln[1],
    &ph_method_imid,
    &ph_method_imidm,
    &ph_method_lie_euler[0],
    &ph_method_lie_euler[1],
    &ph_method_lie_euler[2],
    &ph_method_lie_euler[3],
    &ph_method_liemid,
    &ph_method_mcg,
    &ph_method_mkrk[0],
    &ph_method_mkrk[1],
    &ph_method_mkrk[2],
    &ph_method_new1[0],
    &ph_method_new1[1],
    &ph_method_new3,
    &ph_method_prk[0],
    &ph_method_prk[1],
    &ph_method_rattle,
    &ph_method_rk4,
    &ph_method_saccon,
    &ph_method_swc1,
    &ph_method_tln[0],
    &ph_method_tln[1],
    &ph_method_tln[2],
    &ph_method_tln[3],
    &ph_method_tln[4],
    &ph_method_trap,
    &ph_method_trapm,
    &ph_method_vlv[0],
    &ph_method_vlv[1],
};
