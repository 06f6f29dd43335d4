#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# "Never refuse the compiler": compiles every source of this folder for every architecture and several options, and
# runs `check` on the result. Every finding on unmodified code is a wrong rule or a gap in the decoder.
#   tests/sweep/sweep.sh CUBINLAB OUT_FOLDER [ARCH ...]     nvcc: $NVCC, else the one in PATH or /usr/local/cuda
set -u
here=$(cd "$(dirname "$0")" && pwd)
cubinlab=${1:?path of cubinlab} out=${2:?folder for cubins}
shift 2
archs=("$@")
[ ${#archs[@]} -gt 0 ] || archs=(75 80 86 89 90 90a)
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
mkdir -p "$out"
variants=("o3:" "o1:-Xptxas -O1" "o2:-Xptxas -O2" "o0:-Xptxas -O0" "debug:-G" "line:-lineinfo" "regs:-maxrregcount=32" "fast:-use_fast_math")
[ -z "${SWEEP_VARIANTS:-}" ] || read -ra only <<<"$SWEEP_VARIANTS"
for arch in "${archs[@]}"; do
    for source in "$here"/*.cu; do
        name=$(basename "$source" .cu)
        [ "$name" != hopper ] || case $arch in 90*) ;; *) continue ;; esac
        define=""
        [ "$arch" != 90a ] || define=-DSM90A
        for variant in "${variants[@]}"; do
            label=${variant%%:*}
            [ -z "${only:-}" ] || [[ " ${only[*]} " == *" $label "* ]] || continue
            target=$out/$name.$label.$arch.cubin
            [ -s "$target" ] && continue
            # shellcheck disable=SC2086
            "$nvcc" -std=c++17 -cubin -arch="sm_$arch" $define ${variant#*:} -o "$target" "$source" 2>"$target.log" ||
                echo "not compiled: $target ($(grep -m1 error "$target.log"))"
        done
    done
done
python3 "$here/summary.py" "$cubinlab" "$out"
