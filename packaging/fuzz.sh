#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Fuzzes every parser of foreign files under AddressSanitizer and UndefinedBehaviorSanitizer, each for its share of
# the seconds given, and prints a table of the inputs run. An input may take 5 s and 1 GB. With clang and libFuzzer
# (Debian: clang and libclang-rt-14-dev), or CXX=g++. What crashes is left in build-fuzz/found/.
#   packaging/fuzz.sh [SECONDS [TARGET...]]
#   FUZZ_JOBS=N     processes at a time (default: 1)
#   FUZZ_COPIES=N   processes for each target (default: 1)
#   CUBINLAB_CMAKE_ARGS: more -D options
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-600}
shift || true
targets=("$@")
[ ${#targets[@]} -gt 0 ] || mapfile -t targets < <(sed -n 's/^ *cubinlab_fuzz(\([a-z_]*\) .*/\1/p' tests/fuzz/CMakeLists.txt)
build=build-fuzz
cmake -S . -B $build -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -g1" \
  -DCMAKE_CXX_COMPILER="${CXX:-clang++}" \
  -DCMAKE_CXX_FLAGS=-w -DCUBINLAB_UI=OFF -DCUBINLAB_AGENT=OFF -DCUBINLAB_FUZZ=ON -DCUBINLAB_SANITIZE=address,undefined ${CUBINLAB_CMAKE_ARGS:-} > $build.log 2>&1 ||
  { cat $build.log; exit 2; }
rm -f $build.log
# Without Qt there is no journal.
known=$(ninja -C $build -t targets all 2>/dev/null | grep -oE '^fuzz_[a-z_]+:' || true)
for i in "${!targets[@]}"; do
  grep -q "^fuzz_${targets[i]}:" <<<"$known" || { echo "left out, not built here: ${targets[i]}" >&2; unset "targets[i]"; }
done
targets=("${targets[@]}")
cmake --build $build --target "${targets[@]/#/fuzz_}" -j "${FUZZ_BUILD_JOBS:-$(nproc)}"
mkdir -p $build/found
copies=${FUZZ_COPIES:-1}
jobs=${FUZZ_JOBS:-1}
rounds=$(((${#targets[@]} * copies + jobs - 1) / jobs))
share=$((seconds / rounds))
export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1 ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=0:max_allocation_size_mb=1024:handle_abort=1

fuzz() {
  local name=$1 copy=$2 work=$build/corpus/$1 seeds=("tests/data/fuzz/$1")
  case $name in
    cubin) seeds=(tests/data/hostile/cubins tests/data/cubins) ;;
    session) seeds=(tests/data/hostile/sessions) ;;
    ptx) seeds=(tests/data/ptx) ;;
  esac
  mkdir -p "$work"
  "$build/tests/fuzz_$name" -max_total_time="$share" -timeout=5 -rss_limit_mb=1024 -max_len=65536 -reload=10 \
    -print_final_stats=1 -artifact_prefix="$build/found/$name-" "$work" "${seeds[@]}" \
    > "$build/fuzz_$name.$copy.log" 2>&1
}

rm -f $build/fuzz_*.log
running=0
for name in "${targets[@]}"; do
  for copy in $(seq "$copies"); do
    fuzz "$name" "$copy" || true &
    running=$((running + 1))
    if [ $running -ge "$jobs" ]; then wait -n; running=$((running - 1)); fi
  done
done
wait
status=0
stat_of() { sed -n "s/^stat::$2: *//p" "$build"/fuzz_"$1".*.log; }
printf '| %-14s | %12s | %14s | %s |\n' target inputs 'peak memory MB' found
for name in "${targets[@]}"; do
  inputs=$(stat_of "$name" number_of_executed_units | awk '{ n += $1 } END { printf "%d", n }')
  peak=$(stat_of "$name" peak_rss_mb | sort -n | tail -n 1)
  found=$(find $build/found -name "$name-*" | wc -l)
  printf '| %-14s | %12s | %14s | %s |\n' "$name" "$inputs" "${peak:-?}" "$found"
  if [ "$found" != 0 ] || [ "$inputs" = 0 ]; then status=1; fi
done
exit $status
