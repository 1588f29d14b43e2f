#!/bin/sh
# engines.sh SOURCE BUILD CC - compiles the examples of docs/engines.md against the engines that are
# installed, and runs them; each checks its own result. An engine that is not here is named.
set -eu
cd "$1"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cc -std=c99 -Wall -Wextra -Werror -Iinclude examples/engines/torques.c -o "$work/torques" -lm
"$work/torques"
# The table of the page is what the program prints.
"$work/torques" | while read -r line; do
    grep -qxF "$line" docs/engines.md || { echo "docs/engines.md has not the line: $line" >&2; exit 1; }
done

if command -v g++ >/dev/null && pkg-config --exists bullet 2>/dev/null; then
    # shellcheck disable=SC2046 # one word each
    g++ -std=c++17 -Wall -Wextra -Werror -Iinclude $(pkg-config --cflags bullet | sed 's/-I/-isystem /g') \
        examples/engines/bullet_floor.cpp -o "$work/floor" $(pkg-config --libs bullet)
    "$work/floor"
else
    echo 'Bullet is not installed (libbullet-dev): its example was not compiled'
fi
if echo '#include <mujoco/mujoco.h>' | cc -E - >/dev/null 2>&1; then
    cc -std=c99 -Wall -Wextra -Werror -Iinclude examples/engines/mujoco_step.c -o "$work/mujoco" -lmujoco -lm
    "$work/mujoco"
else
    echo 'MuJoCo is not installed (libmujoco-dev): its example was not compiled'
fi
