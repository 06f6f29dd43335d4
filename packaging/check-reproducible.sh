#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds the committed state twice, in two folders, with another umask, time zone, language, home and number of jobs, and
# compares every file that is installed, and the Debian packages where they can be made. Fails naming what differs.
#   packaging/check-reproducible.sh [--target TARGET] [--keep FOLDER]      CUBINLAB_CMAKE_ARGS: more -D options
# With --target that one is built and the programs and libraries of it are compared (quick, no packages).
# --keep: works there and leaves both trees. Two whole builds take about 25 minutes on two cores.
set -euo pipefail
target='' work=''
while (($#)); do
  case $1 in
    --target) target=${2:?--target wants a name}; shift 2 ;;
    --keep) work=$(realpath -m "${2:?--keep wants a folder}"); shift 2 ;;
    *) echo "usage: packaging/check-reproducible.sh [--target TARGET] [--keep FOLDER]" >&2; exit 2 ;;
  esac
done
cd "$(dirname "$0")/.."
git rev-parse HEAD >/dev/null 2>&1 || { echo "this is no git checkout" >&2; exit 2; }
[[ -z "$(git status --porcelain)" ]] || echo "note: what is not committed is not checked"
if [[ -z "$work" ]]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
fi
rm -rf "$work/a" "$work/b"
# The state of now, whatever is committed while the builds run.
commit=$(git rev-parse HEAD)
epoch=$(git log -1 --format=%ct "$commit")

# build NAME FOLDER UMASK JOBS VARIABLE...: a clone in FOLDER, built, installed into $work/NAME/root, packed into .../packages
build() {
  local name=$1 tree=$2 mask=$3 jobs=$4
  shift 4
  mkdir -p "$(dirname "$tree")" "$work/$name/home" "$work/$name/packages"
  git clone -q --no-local . "$tree"
  git -C "$tree" checkout -q --detach "$commit"
  (
    umask "$mask"
    cd "$tree"
    run=(env -u CCACHE_DIR CCACHE_DISABLE=1 SOURCE_DATE_EPOCH="$epoch" HOME="$work/$name/home" "$@")
    # shellcheck disable=SC2086
    "${run[@]}" cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr -DCUBINLAB_TESTS=OFF \
      ${CUBINLAB_CMAKE_ARGS:-} >"$work/$name/configure.log"
    "${run[@]}" cmake --build build -j "$jobs" --target "${target:-cubinlab_programs}" >"$work/$name/build.log" ||
      { tail -20 "$work/$name/build.log" >&2; exit 1; }
    if [[ -n "$target" ]]; then
      mkdir "$work/$name/root"
      find build -type f \( -path 'build/bin/*' -o -path 'build/lib/*' -o -name '*.a' \) -exec cp --parents {} "$work/$name/root" \;
      exit
    fi
    DESTDIR=$work/$name/root "${run[@]}" cmake --install build >/dev/null
    if command -v dpkg-shlibdeps >/dev/null; then
      "${run[@]}" packaging/deb.sh --build build --out "$work/$name/packages" >/dev/null
    fi
  )
  # Names, permissions and contents of files; folders of an installed tree have those of the umask, by intention.
  (
    cd "$work/$name"
    find root packages ! -type d -printf '%M %p %l\n' 2>/dev/null | LC_ALL=C sort >list
    find root packages -type f -print0 2>/dev/null | LC_ALL=C sort -z | xargs -0 sha256sum >hashes
  )
}

german=$(locale -a 2>/dev/null | grep -im1 '^de_DE\.utf' || echo C.UTF-8)
build a "$work/a/tree" 022 2 TZ=UTC LC_ALL=C
build b "$work/b/another/place/of/the tree" 027 3 TZ=Asia/Kathmandu LC_ALL="$german" USER=somebody

wrong=0
# The programs of the second are those of a folder with a blank in its name; --target has no install, so no permissions.
[[ -n "$target" ]] || diff "$work/a/list" "$work/b/list" || wrong=1
diff "$work/a/hashes" "$work/b/hashes" || wrong=1
if ((wrong)); then
  echo "The two builds differ in the lines above." >&2
  exit 1
fi
grep -E '/bin/|\.so|\.deb$|libcubinlab_(base|sass)' "$work/a/hashes" || true
echo "$(wc -l <"$work/a/hashes") files of two builds of ${commit:0:7} are equal, byte for byte."
