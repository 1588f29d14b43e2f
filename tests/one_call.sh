#!/bin/sh
# one_call.sh SOURCE BUILD - one call of a compiler builds the library from src, with gcc and with clang, without CMake and
# without the folders beside it. A program that is linked with it has the numbers of the tool.
set -eu
cd "$1"
tool=$2/polhode
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/top.c" <<'END'
#include <polhode/polhode.h>
#include <stdio.h>

int main(void)
{
    ph_system *s;
    if (ph_system_create(&(ph_system_settings){"heavy_top", .integrator = "s6_10+exact", .step = 0.1}, &s) != PH_OK)
        return 1;
    const ph_status status = ph_system_run(s, 100, NULL);
    const ph_quat q = ph_system_state(s).q;
    printf("%.17g %.17g %.17g %.17g\n", q.w, q.x, q.y, q.z);
    ph_system_destroy(s);
    return status != PH_OK;
}
END
"$tool" run --problem heavy_top --method s6_10+exact --step 0.1 --time 10 --show q --out "$work/top.csv" >/dev/null
wanted=$(tail -n 1 "$work/top.csv" | tr ',' ' ')
for cc in 'gcc -O2' 'clang -O0'; do
    # shellcheck disable=SC2046 # one word each
    $cc -std=c11 -ffp-contract=off -Iinclude -Isrc $(find src -name '*.c') -lm -lpthread -ldl -shared -fPIC -o "$work/libpolhode.so"
    $cc -std=c11 -Iinclude "$work/top.c" -o "$work/top" -L"$work" -lpolhode -Wl,-rpath,"$work"
    got=$("$work/top")
    [ "$got" = "$wanted" ] || { echo "$cc: $got, and the tool has $wanted" >&2; exit 1; }
    echo "$cc: one call builds the library, with the bits of the tool"
done
