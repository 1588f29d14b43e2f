#!/bin/sh
# fused.sh SOURCE BUILD - the library has no fused multiply-add, which would round otherwise on
# processors without one; compensated.c alone asks for fma, where it is exact.
set -eu
fused() {
    objdump -d --no-show-raw-insn "$1" | awk '
        /^[^ ]*\.o: / { object = $1 }
        $2 ~ /^(fn?m(add|sub|l[as])|vfn?m(add|sub))/ && object !~ /^compensated/ { print object, $2 }' | sort | uniq -c
}
objdump -d "$2/libpolhode.a" >/dev/null
found=$(fused "$2/libpolhode.a")
[ -z "$found" ] || { echo "$found"; exit 1; }
