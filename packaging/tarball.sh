#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Packs the program with Qt and every other library it needs, so that it runs from any folder of another distribution that is
# not older than this one. The C and C++ run-time libraries are the system's and stay out.
#   packaging/tarball.sh [--build FOLDER] [--out FILE.tar.gz] [--with-agent]
# --with-agent: LibTorch as well (some 200 MB). Then: tar xzf FILE; cubinlab/bin/cubinlab
set -euo pipefail
umask 022  # of what is packed, whoever packs it
build='' out='' agent=0
while (($#)); do
  case $1 in
    --build | --out)
      printf -v "${1#--}" %s "$(realpath -m "${2:?$1 wants a path}")"
      shift 2
      ;;
    --with-agent)
      agent=1
      shift
      ;;
    *) echo "usage: packaging/tarball.sh [--build FOLDER] [--out FILE.tar.gz] [--with-agent]" >&2; exit 2 ;;
  esac
done
cd "$(dirname "$0")/.."
for tool in patchelf qtpaths6; do
  command -v $tool >/dev/null || { echo "$tool is missing: apt install patchelf qt6-base-dev-tools" >&2; exit 2; }
done
out=${out:-$PWD/cubinlab-$(uname -m).tar.gz}
if [[ -z "$build" ]]; then
  packaging/install-deps.sh
  build=$PWD/build-tarball
  # shellcheck disable=SC2086
  cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCUBINLAB_TESTS=OFF ${CUBINLAB_CMAKE_ARGS:-} >/dev/null
fi
cmake --build "$build" --target cubinlab_programs
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/cubinlab
components=(cubinlab worker)
((agent)) && components+=(agent)
for component in "${components[@]}"; do
  cmake --install "$build" --prefix "$tree" --component "$component" --strip >/dev/null
done

# Plugins that Qt loads by name: platforms with what they load, pictures, icons.
plugins=$(qtpaths6 --query QT_INSTALL_PLUGINS)
for plugin in platforms/libq{offscreen,minimal,xcb,wayland-egl,wayland-generic}.so xcbglintegrations wayland-shell-integration \
  wayland-decoration-client wayland-graphics-integration-client platforminputcontexts platformthemes/libqxdgdesktopportal.so \
  imageformats/libq{svg,ico,jpeg}.so iconengines/libqsvgicon.so; do
  [[ -e "$plugins/$plugin" ]] || continue
  mkdir -p "$tree/plugins/$(dirname "$plugin")"
  cp -rL "$plugins/$plugin" "$tree/plugins/$(dirname "$plugin")"
done
printf '[Paths]\nPrefix = ..\nPlugins = plugins\n' >"$tree/bin/qt.conf"

# The closure of libraries, less the C and C++ run-time libraries.
mapfile -t binaries < <(find "$tree" -type f \( -name '*.so*' -o -path '*/bin/cubinlab*' \) ! -name qt.conf)
ldd "${binaries[@]}" | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | sort -u |
  grep -vE '/(ld-linux.*|libc|libm|libdl|libpthread|librt|libresolv|libutil|libmvec|libstdc\+\+|libgcc_s)\.so' |
  while read -r library; do cp -L "$library" "$tree/lib/"; done
if missing=$(ldd "${binaries[@]}" | grep 'not found'); then
  echo "libraries that this machine lacks: $missing" >&2
  exit 1
fi
# DT_RPATH, not DT_RUNPATH: it also holds for what these libraries need in turn, and for plugins.
patchelf --force-rpath --set-rpath '$ORIGIN/../lib' "$tree/bin/cubinlab"
cp packaging/debian/copyright "$tree"
mkdir "$tree/licences"
# Where /lib is a link to /usr/lib, dpkg knows a file by either name.
for library in "$tree"/lib/*.so*; do
  path=$(readlink -f "$(ldconfig -p | awk -v n="$(basename "$library")" '$1 == n { print $NF; exit }')")
  package=$( (dpkg-query -S "$path" || dpkg-query -S "${path#/usr}") 2>/dev/null | cut -d: -f1 | head -n 1) || true
  [[ ! -f "/usr/share/doc/$package/copyright" ]] || cp -L "/usr/share/doc/$package/copyright" "$tree/licences/$package"
done

tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$(git log -1 --format=%ct 2>/dev/null || echo 0)" -c cubinlab | gzip -9n >"$out"
needs() { objdump -T "${binaries[@]}" "$tree"/lib/*.so* | grep -oE "\b$1_[0-9.]+" | sort -Vu | tail -n 1 | tr _ ' '; }
echo "needs $(needs GLIBC) and $(needs GLIBCXX) or later"
ls -l "$out"
