#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Fuzzes every parser of foreign files under AddressSanitizer and UndefinedBehaviorSanitizer, each for its share of
# the seconds given, and prints a table of the inputs run. An input may take 5 s and 1 GB. Needs clang with libFuzzer
# (Debian: clang and libclang-rt-14-dev). What crashes is left in build-fuzz/found/.
#   packaging/fuzz.sh [SECONDS [TARGET...]]
#   FUZZ_JOBS=N  targets at a time (default: 1)
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-600}
shift || true
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(cubin json workload frame listing session session_rows bundle)
build=build-fuzz
cmake -S . -B $build -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -g1" \
  -DCMAKE_CXX_COMPILER="${CXX:-clang++}" \
  -DCMAKE_CXX_FLAGS=-Wno-error -DCUBINLAB_UI=OFF -DCUBINLAB_AGENT=OFF -DCUBINLAB_FUZZ=ON -DCUBINLAB_SANITIZE=address,undefined > $build.log 2>&1 ||
  { cat $build.log; exit 2; }
rm -f $build.log
cmake --build $build --target "${targets[@]/#/fuzz_}" -j "${FUZZ_BUILD_JOBS:-$(nproc)}"
mkdir -p $build/found
share=$((seconds / ${#targets[@]}))
export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1 ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=0

fuzz() {
  local name=$1 work=$build/corpus/$1 seeds=("tests/data/fuzz/$1")
  case $name in
    cubin) seeds=(tests/data/hostile/cubins tests/data/cubins) ;;
    session) seeds=(tests/data/hostile/sessions) ;;
  esac
  mkdir -p "$work"
  "$build/tests/fuzz_$name" -max_total_time="$share" -timeout=5 -rss_limit_mb=1024 -max_len=65536 \
    -print_final_stats=1 -artifact_prefix="$build/found/$name-" "$work" "${seeds[@]}" \
    > "$build/$name.log" 2>&1
}
status=0
running=0
for name in "${targets[@]}"; do
  fuzz "$name" || true &
  running=$((running + 1))
  if [ $running -ge "${FUZZ_JOBS:-1}" ]; then wait -n; running=$((running - 1)); fi
done
wait
printf '| %-14s | %12s | %14s | %s |\n' target inputs 'peak memory MB' found
for name in "${targets[@]}"; do
  inputs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$build/$name.log")
  peak=$(sed -n 's/^stat::peak_rss_mb: *//p' "$build/$name.log")
  found=$(find $build/found -name "$name-*" | wc -l)
  printf '| %-14s | %12s | %14s | %s |\n' "$name" "${inputs:-?}" "${peak:-?}" "$found"
  if [ "$found" != 0 ] || [ -z "$inputs" ]; then status=1; fi
done
exit $status
