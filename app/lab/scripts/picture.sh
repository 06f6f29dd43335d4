# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by the scripts that make pictures of the window: `shot NAME SCALE ARGUMENT...` runs window_scene under a
# virtual display (xvfb-run; offscreen where there is none) and writes FOLDER/NAME.png with a small palette. Expects
# root, program, folder; `sample` is the cubin to open.
mkdir -p "$folder"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
mkdir -m 700 "$work/run"
# Opened from a copy: the pictures name no folder of the machine that makes them.
cp -r "$root/samples" "$work/samples"
sample="$work/samples/bmm_mma.cubin"
export CUBINLAB_SAMPLES="$work/samples" XDG_DATA_HOME="$work/data" XDG_CACHE_HOME="$work/cache" XDG_RUNTIME_DIR="$work/run"

small() { # FROM TO COLOURS-FOR-SCALE
    if command -v convert > /dev/null; then
        convert "$1" -strip +dither -colors $(($3 > 1 ? 56 : 192)) -define png:compression-level=9 "PNG8:$2"
    else
        cp "$1" "$2"
    fi
}

window() { # NAME SCALE ARGUMENT...: leaves $work/NAME.png
    local name="$1" scale="$2"
    shift 2
    local display=(xvfb-run -a -s "-screen 0 3900x2500x24")
    command -v xvfb-run > /dev/null || display=(env QT_QPA_PLATFORM=offscreen)
    XDG_CONFIG_HOME="$work/config-$name" QT_SCALE_FACTOR="$scale" "${display[@]}" "$program" "$@" --screenshot "$work/$name.png" --quit
}

shot() { # NAME SCALE ARGUMENT...
    window "$@"
    small "$work/$1.png" "$folder/$1.png" "$2"
    echo "$1: $(stat -c %s "$folder/$1.png") bytes"
}
