#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs every example of resources/docs/command-line.md that is marked "needs a GPU", unchanged, after the examples that write its files
# (tests/cli runs the others everywhere). Needs a GPU, python3 with PyTorch, and cubinlab on PATH; `ssh` and HOST are a stand-in that runs here.
#   app/lab/scripts/gpu-examples.sh [OUT | --list]        --list: only prints the lines. BUDGET=10s: replaces every --budget in seconds; DOCS: the document's folder
src=$(cd "$(dirname "$0")/../../.." && pwd)
document=${DOCS:-$src/resources/docs}/command-line.md
lines() { grep -E '^cubinlab .*# needs a GPU' "$document"; }
[ "$1" != --list ] || { lines; exit; }
out=$(realpath -m "${1:-/tmp/examples}")
rm -rf "$out" && mkdir -p "$out/bin" && cd "$out" || exit 1
for ending in cubin workload.json ptx; do cp "$src/samples/bmm_mma.$ending" "k.$ending"; done
cp "$src/app/lab/scripts/reach/model.py" train.py
# Not a link: a virtual environment finds its packages by the path that python was called by.
printf '#!/bin/bash\nexec "%s" "$@"\n' "$(command -v python3)" >bin/python
printf '#!/bin/bash\nwhile [ "$1" != HOST ]; do shift; done\nshift\nexec "$@"\n' >bin/ssh
chmod +x bin/ssh bin/python
export PATH=$out/bin:$PATH
failed=0
while IFS= read -r line; do
    [ -n "$BUDGET" ] && line=$(sed -E "s/--budget [0-9]+s/--budget $BUDGET/" <<<"$line")
    from=$SECONDS
    bash -c "$line" >step.log 2>&1 </dev/null
    code=$?
    echo "exit $code, $((SECONDS - from)) s: ${line%%  *}"
    tail -n 4 step.log | cut -c1-300 | sed 's/^/    /'
    cat step.log >>all.log
    # Without Nsight Compute, or where the driver keeps its counters, `profile` says so with 3.
    [ $code = 0 ] || { [ $code = 3 ] && [[ $line == "cubinlab profile"* ]]; } || failed=$((failed + 1))
done < <(lines)
echo "$failed commands failed"
exit $((failed > 0))
