/* long_runs.h - errors after many turns of a body. */
#pragma once

/* Checks gbs on free bodies and in weak torques, after 10, 1000 and 20000 turns, up to `turns`. */
void check_long_runs(double turns);

/* Checks what the companions of gbs and dop853 say of a free motion over so many turns. */
void check_claims(double turns);
