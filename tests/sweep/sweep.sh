#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# "Never refuse the compiler": compiles every source of this folder for every architecture and several options, and
# runs `check` on the result. Every finding on unmodified code is a wrong rule or a gap in the decoder.
#   tests/sweep/sweep.sh CUBINLAB OUT_FOLDER [ARCH ...]     nvcc: $NVCC, else the one in PATH or /usr/local/cuda
# $SWEEP_VARIANTS ("o3 o1") and $SWEEP_SOURCES ("tensor hopper") restrict it. The front end runs once an architecture
# and source for all options that concern ptxas alone.
set -u
here=$(cd "$(dirname "$0")" && pwd)
cubinlab=${1:?path of cubinlab} out=${2:?folder for cubins}
shift 2
archs=("$@")
[ ${#archs[@]} -gt 0 ] || archs=(75 80 86 89 90 90a)
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
ptxas=$(dirname "$nvcc")/ptxas
mkdir -p "$out"
# label : front end : ptxas. "rdc" and "linked" go through nvcc alone.
variants=("o3::-O3" "o2::-O2" "o1::-O1" "o0::-O0" "regs::-O3 -maxrregcount=32" "fast:-use_fast_math:-O3"
    "line:-lineinfo:-O3 -lineinfo" "debug:-G:-O0 -g" "rdc::" "linked::")

wanted() { [ -z "$1" ] || [[ " $1 " == *" $2 "* ]]; }
report() { echo "not compiled: $1 ($(grep -m1 -i error "$1.log"))"; }

compile() { # arch source label front back
    local name target front_end=(-std=c++17 -arch="sm_$1" -w -I "$here")
    name=$(basename "$2" .cu)
    target=$out/$name.$3.$1.cubin
    [ -s "$target" ] && return
    [ "$1" != 90a ] || front_end+=(-DSM90A)
    case $3 in
        rdc) "$nvcc" "${front_end[@]}" -rdc=true -cubin -o "$target" "$2" 2>"$target.log" || report "$target" ;;
        linked)
            "$nvcc" "${front_end[@]}" -dc -o "$target.o" "$2" 2>"$target.log" &&
                "$nvcc" -arch="sm_$1" -dlink -cubin -o "$target" "$target.o" 2>>"$target.log" || report "$target"
            rm -f "$target.o"
            ;;
        *)
            local ptx=$out/$name.${4#-}.$1.ptx
            # shellcheck disable=SC2086
            [ -s "$ptx" ] || "$nvcc" "${front_end[@]}" $4 -ptx -o "$ptx" "$2" 2>"$target.log" ||
                { report "$target"; return; }
            # shellcheck disable=SC2086
            "$ptxas" -arch="sm_$1" $5 -o "$target" "$ptx" 2>"$target.log" || report "$target"
            ;;
    esac
}

for arch in "${archs[@]}"; do
    for source in "$here"/*.cu; do
        name=$(basename "$source" .cu)
        wanted "${SWEEP_SOURCES:-}" "$name" || continue
        case $name in hopper*) [[ $arch == 90* ]] || continue ;; esac
        for variant in "${variants[@]}"; do
            IFS=: read -r label front back <<<"$variant"
            wanted "${SWEEP_VARIANTS:-}" "$label" && compile "$arch" "$source" "$label" "$front" "$back"
        done
    done
done
python3 "$here/summary.py" "$cubinlab" "$out"
