# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by the scripts that make pictures of the window: `shot NAME SCALE ARGUMENT...` runs the program under a
# virtual display (xvfb-run) and writes FOLDER/NAME.png with a small palette. Expects root, program, folder.
mkdir -p "$folder"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
mkdir -m 700 "$work/run"
export XDG_DATA_HOME="$work/data" XDG_CACHE_HOME="$work/cache" XDG_RUNTIME_DIR="$work/run"

shot() { # NAME SCALE ARGUMENT...
    local name="$1" scale="$2"
    shift 2
    XDG_CONFIG_HOME="$work/config-$name" QT_SCALE_FACTOR="$scale" xvfb-run -a -s "-screen 0 3900x2500x24" "$program" "$@" --screenshot "$work/$name.png" --quit
    if command -v convert > /dev/null; then
        convert "$work/$name.png" -strip +dither -colors $((scale > 1 ? 56 : 192)) -define png:compression-level=9 "PNG8:$folder/$name.png"
    else
        cp "$work/$name.png" "$folder/$name.png"
    fi
    echo "$name: $(stat -c %s "$folder/$name.png") bytes"
}
