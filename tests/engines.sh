#!/bin/sh
# engines.sh SOURCE BUILD CC [torques] - compiles the examples of docs/engines.md against the engines that are
# installed, and runs them; each checks its own result. A skip names an engine that is not here. POLHODE_CC is
# another compiler with its flags (tests/users_cc). With `torques` only the example that needs no engine.
set -eu
# shellcheck source=tests/skip.sh
. "$(dirname "$0")/skip.sh"
cd "$1"
export POLHODE_CC="${POLHODE_CC:-${3-cc}}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

tests/users_cc -std=c99 -Wall -Wextra -Werror -Iinclude examples/engines/torques.c -o "$work/torques" -lm
"$work/torques" | tee "$work/printed"
# The table of the page is what the program prints.
[ "$(wc -l <"$work/printed")" = 5 ] || { echo "examples/engines/torques.c prints other than five lines" >&2; exit 1; }
python3 -B tests/printed.py rows docs/engines.md "$work/printed"
[ "${4-}" != torques ] || exit 0
[ -z "${POLHODE_EMULATOR-}" ] || { left_out 'no engine is installed under emulation'; finish; }

if command -v g++ >/dev/null && pkg-config --exists bullet 2>/dev/null; then
    # shellcheck disable=SC2046 # one word each
    g++ -std=c++17 -Wall -Wextra -Werror -Iinclude $(pkg-config --cflags bullet | sed 's/-I/-isystem /g') \
        examples/engines/bullet_floor.cpp -o "$work/floor" $(pkg-config --libs bullet)
    "$work/floor"
else
    left_out 'Bullet is not installed'
fi
if echo '#include <mujoco/mujoco.h>' | cc -E - >/dev/null 2>&1; then
    tests/users_cc -std=c99 -Wall -Wextra -Werror -Iinclude examples/engines/mujoco_step.c -o "$work/mujoco" -lmujoco -lm
    "$work/mujoco"
else
    left_out 'MuJoCo is not installed'
fi
finish
