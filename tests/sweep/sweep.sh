#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# "Never refuse the compiler": compiles every .cu of a folder for every architecture and several levels and runs `check`
# on the result, in absolute mode and against itself. Every finding on unmodified code is a wrong rule or a gap in the
# decoder. It fetches nothing. Exit status 1 if there are findings, or files that crash or outlast the limit.
#   tests/sweep/sweep.sh CUBINLAB FOLDER [--sources DIR] [--include DIR]... [--define NAME]... [--jobs N] [--archs "75 90a"]
#                                        [--levels "o3 o1"] [--match TEXT] [--limit SECONDS]
#   tests/sweep/sweep.sh CUBINLAB FOLDER --cubins DIR [--jobs N] [--limit SECONDS]       cubins that exist already
# FOLDER receives the cubins, not-compiled.txt and sweep.json; what lies there is not compiled again. Without --sources
# the sources of this folder are taken. nvcc: $NVCC, else the one in PATH or /usr/local/cuda; $PTXAS may name another
# toolkit's ptxas, whose PTX version ($PTX_VERSION, such as 8.4) then replaces nvcc's.
set -u
here=$(cd "$(dirname "$0")" && pwd)
usage() { sed -n '3,13s/^# \{0,1\}//p' "$0" >&2; exit 2; }
[ $# -ge 2 ] || usage
cubinlab=$1 out=$2
shift 2
sources=$here cubins='' jobs=$(nproc) archs='75 80 86 89 90 90a' match='' limit=120 extra=()
levels='o3 o2 o1 o0 regs fast line debug rdc linked'
while [ $# -gt 1 ]; do
    case $1 in
        --sources) sources=$(cd "$2" && pwd) || exit 2 ;;
        --cubins) cubins=$2 ;;
        --include) extra+=(-I "$(cd "$2" && pwd)") || exit 2 ;;
        --define) extra+=("-D$2") ;;
        --jobs) jobs=$2 ;;
        --archs) archs=$2 ;;
        --levels) levels=$2 ;;
        --match) match=$2 ;;
        --limit) limit=$2 ;;
        *) usage ;;
    esac
    shift 2
done
[ $# -eq 0 ] || usage
mkdir -p "$out"
if [ -n "$cubins" ]; then
    exec python3 "$here/summary.py" "$cubinlab" "$cubins" --json "$out/sweep.json" --jobs "$jobs" --limit "$limit"
fi

nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
ptxas=${PTXAS:-$(dirname "$(readlink -f "$nvcc")")/ptxas}
: >"$out/not-compiled.txt"
# level:front end:ptxas. The front end runs once an architecture and source for all levels that concern ptxas alone;
# "rdc" and "linked" go through nvcc.
rows=(o3::-O3 o2::-O2 o1::-O1 o0::-O0 'regs::-O3 -maxrregcount=32' fast:-use_fast_math:-O3 'line:-lineinfo:-O3 -lineinfo'
    'debug:-G:-O0 -g' rdc:: linked::)

refused() { echo "$1: $(grep -m1 -iE 'error|fatal' "$1.log" || echo "no output within $limit s")" >>"$out/not-compiled.txt"; }

compile_level() { # target arch source level front back
    local target=$1 ptx front_end=(-std=c++17 "-arch=sm_$2" -w -I "$here" -I "$(dirname "$3")" "${extra[@]}")
    [ ! -s "$target" ] || return 0
    [ "$2" != 90a ] || front_end+=(-DSM90A)
    case $4 in
        rdc) timeout "$limit" "$nvcc" "${front_end[@]}" -rdc=true -cubin -o "$target" "$3" >"$target.log" 2>&1 || return ;;
        linked)
            timeout "$limit" "$nvcc" "${front_end[@]}" -dc -o "$target.o" "$3" >"$target.log" 2>&1 &&
                "$nvcc" "-arch=sm_$2" -dlink -cubin -o "$target" "$target.o" >>"$target.log" 2>&1 || return
            rm -f "$target.o"
            ;;
        *)
            ptx=${target%."$4"."$2".cubin}.${5#-}.$2.ptx
            # shellcheck disable=SC2086
            [ -s "$ptx" ] || timeout "$limit" "$nvcc" "${front_end[@]}" $5 -ptx -o "$ptx" "$3" >"$target.log" 2>&1 || return
            [ -z "${PTX_VERSION:-}" ] || sed -i "s/^\.version .*/.version $PTX_VERSION/" "$ptx"
            # shellcheck disable=SC2086
            timeout "$limit" "$ptxas" "-arch=sm_$2" $6 -o "$target" "$ptx" >"$target.log" 2>&1
            ;;
    esac
}

compile_source() { # arch source
    local row level front back name target
    name=${2#"$sources"/}
    name=${name%.cu}
    name=${name//[^A-Za-z0-9-]/_}
    for row in "${rows[@]}"; do
        IFS=: read -r level front back <<<"$row"
        [[ " $levels " == *" $level "* ]] || continue
        target=$out/$name.$level.$1.cubin
        compile_level "$target" "$1" "$2" "$level" "$front" "$back" || { refused "$target"; rm -f "$target"; }
    done
}

for arch in $archs; do
    while IFS= read -r -d '' source; do
        case $source in "$here"/hopper*) [[ $arch == 90* ]] || continue ;; esac
        while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n; done
        compile_source "$arch" "$source" &
    done < <(find "$sources" -name '*.cu' -path "*$match*" -print0 | LC_ALL=C sort -z)
done
wait
exec python3 "$here/summary.py" "$cubinlab" "$out" --json "$out/sweep.json" --jobs "$jobs" --limit "$limit"
