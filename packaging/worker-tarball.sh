#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Packs what a GPU server needs, for machines without root: the worker and the library for `capture` and `run`, which need
# no library but the C library, and prints its oldest version.
#   packaging/worker-tarball.sh [--build FOLDER] [--out FILE.tar.gz]
# There: tar xzf FILE.tar.gz; then here: cubinlab tune ... --worker "ssh -T -e none HOST cubinlab-worker/cubinlab-bench-worker"
set -euo pipefail
umask 022  # of what is packed, whoever packs it
build='' out=''
while (($#)); do
  case $1 in
    --build | --out)
      printf -v "${1#--}" %s "$(realpath -m "${2:?$1 wants a path}")"
      shift 2
      ;;
    *) echo "usage: packaging/worker-tarball.sh [--build FOLDER] [--out FILE.tar.gz]" >&2; exit 2 ;;
  esac
done
cd "$(dirname "$0")/.."
out=${out:-$PWD/cubinlab-worker-$(uname -m).tar.gz}
if [[ -z "$build" ]]; then
  build=$PWD/build-worker
  # shellcheck disable=SC2086
  cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCUBINLAB_UI=OFF -DCUBINLAB_AGENT=OFF -DCUBINLAB_TESTS=OFF ${CUBINLAB_CMAKE_ARGS:-} >/dev/null
fi
targets=(cubinlab-bench-worker)
ninja -C "$build" -t query cubinlab-inject >/dev/null 2>&1 && targets+=(cubinlab-inject)
cmake --build "$build" --target "${targets[@]}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/cubinlab-worker"
install -s -m 755 "$build/bin/cubinlab-bench-worker" "$work/cubinlab-worker"
[[ ! -f "$build/lib/libcubinlab-inject.so" ]] || install -s -m 644 "$build/lib/libcubinlab-inject.so" "$work/cubinlab-worker"
install -m 644 LICENSE packaging/debian/copyright "$work/cubinlab-worker"
tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$(git log -1 --format=%ct 2>/dev/null || echo 0)" -c cubinlab-worker | gzip -9n >"$out"
for file in "$work"/cubinlab-worker/cubinlab-bench-worker "$work"/cubinlab-worker/*.so; do
  [[ ! -f "$file" ]] || echo "$(basename "$file"): $(objdump -T "$file" | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -n 1 | tr _ ' ') or later; $(
    objdump -p "$file" | awk '/NEEDED/ { printf "%s%s", sep, $2; sep = " " }')"
done
ls -l "$out"
