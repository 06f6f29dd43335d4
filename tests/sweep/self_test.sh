#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The sweep over ready cubins with a stand-in for `cubinlab`: clean files end in 0; a finding, a crash and a hanging file
# each end in 1, are named, and do not keep the others from being counted.
set -u
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/tool" <<'TOOL'
#!/bin/sh
hazard='{"rule":"raw-distance","explanation":"IADD3 0x0010 -> STG 0x0020 on R2: 5 cycles needed, 4 there"}'
case $2 in
    *crash*) kill -SEGV $$ ;;
    *hang*) exec sleep 60 ;;
    *refused*) [ $# -gt 3 ] && hazard= ;;
    *) hazard= ;;
esac
echo '{"kernels":[{"kernel":"k","instructions":8,"checked_pairs":5,"uncovered_pairs":1,"undecoded":{"0xabc":2},"hazards":['"$hazard"']}]}'
TOOL
chmod +x "$work/tool"
status=0
expect() { grep -qF -- "$1" "$work/report" || { echo "missing: $1"; status=1; }; }
sweep() { bash "$here/sweep.sh" "$work/tool" "$work/out" --cubins "$work/in" --jobs 2 --limit 2 >"$work/report"; }

mkdir -p "$work/in/below"
echo x >"$work/in/a.o3.80.cubin"
echo x >"$work/in/below/b.o3.80.cubin"
sweep || { echo "a clean folder failed"; status=1; }
expect '| o3 | 80 | 2 | 2 | 16 | 10 | 2 | 4 | 0 | 0 |'
expect 'undecoded 0xabc on sm_80: 4 times'

for name in refused.o1.90a crash.o3.80 hang.o3.80; do echo x >"$work/in/$name.cubin"; done
sweep && { echo "findings passed"; status=1; }
expect '| o3 | 80 | 2 | 2 | 16 | 10 | 2 | 4 | 0 | 0 |'
expect '| o1 | 90a | 1 | 1 | 8 | 5 | 1 | 2 | 1 | 0 |'
expect '1 x raw-distance IADD3 to STG on sm_90a, smallest: '
expect 'crash.o3.80.cubin (absolute): ended by signal 11'
expect 'hang.o3.80.cubin (against itself): no answer within 2.0 s'
exit $status
