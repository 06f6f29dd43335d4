#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs packages of packaging/deb.sh into a bare Debian, runs the main job there without a display and a GPU, removes them,
# and fails if anything is left. Needs root and debootstrap.
#   packaging/check-deb.sh FOLDER-OF-DEBS [SUITE [FOLDER]]    SUITE: bookworm; FOLDER: a debootstrap of it, kept and used again
set -euo pipefail
debs=$(realpath "${1:?usage: packaging/check-deb.sh FOLDER-OF-DEBS [SUITE [FOLDER]]}")
suite=${2:-bookworm}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
base=$(realpath -m "${3:-$work/base}")
[[ -d "$base/usr" ]] || debootstrap --variant=minbase "$suite" "$base" >"$work/debootstrap.log" || { tail "$work/debootstrap.log" >&2; exit 1; }
cp -a "$base" "$work/system"
cp -r "$debs" "$work/system/srv/debs"

cat >"$work/system/srv/check.sh" <<'INSIDE'
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive LC_ALL=C
# Everything but what apt and dpkg keep for themselves, and their by-products.
files() { find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /root -o -path /srv -o -path /tmp -o -path /run -o -path /var/lib/apt \
  -o -path /var/lib/dpkg -o -path /var/cache -o -path /var/log \) -prune -o -print | sort; }
try() { # try NAME PACKAGE...
  local what=$1; shift
  apt-get install -y -qq --no-install-recommends $(printf '/srv/debs/%s_*.deb ' "$@") >/srv/apt.log 2>&1 || { cat /srv/apt.log; exit 1; }
  "job_$what"
  apt-get purge -y -qq "$@" >/dev/null 2>&1
  apt-get autoremove --purge -y -qq >/dev/null 2>&1
  files >/srv/after
  if left=$(comm -13 /srv/before /srv/after | grep -i cubinlab); then echo "left behind: $left"; exit 1; fi
  echo "$what: installed, ran, removed; $(comm -13 /srv/before /srv/after | wc -l) files of libraries stay, none of ours"
  comm -13 /srv/before /srv/after | sed 's/^/  /' | head
}
job_worker() {
  cubinlab-bench-worker --version
  code=0; cubinlab-bench-worker --probe || code=$?
  [[ $code == 3 ]]  # no GPU here, said so
}
job_program() {
  cubinlab --version | head -1
  mkdir /srv/job; cd /srv/job
  sample=/usr/share/cubinlab/samples/bmm_mma.cubin
  cubinlab tune $sample --evaluator model --agent greedy --budget 300steps --session s.db --out best.cubin | tail -n 4
  cubinlab check best.cubin --against $sample
  cubinlab replay s.db --verify
  [[ ! -e /usr/lib/cubinlab/libcubinlab-agent.so && ! -e /usr/lib/x86_64-linux-gnu/cubinlab/libcubinlab-agent.so ]] \
    || cubinlab tune $sample --evaluator model --agent ppo-cuasmrl --budget 20steps --session ppo.db | tail -n 3
  code=0; cubinlab || code=$?
  [[ $code == 3 ]]  # no display, said so
  cd /; rm -rf /srv/job "$HOME"/.cache "$HOME"/.config "$HOME"/.local
}
apt-get update -qq
files >/srv/before
try worker cubinlab-bench-worker
try program cubinlab cubinlab-bench-worker
if compgen -G '/srv/debs/cubinlab-agent_*' >/dev/null; then try program cubinlab cubinlab-bench-worker cubinlab-agent; fi
INSIDE
unshare -m bash -c "mount -t proc proc '$work/system/proc' && mount --rbind /dev '$work/system/dev' && mount --make-rslave '$work/system/dev' && exec chroot '$work/system' bash /srv/check.sh"
