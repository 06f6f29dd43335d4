#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the pictures of resources/docs/gallery.md: each dock in each of its states, dark and light, 1x and 2x, by the
# program itself under a virtual display (xvfb-run).
#
#   packaging/gallery.sh [PROGRAM] [FOLDER]     default: build/bin/cubinlab resources/docs/images/gallery
set -euo pipefail
root="$(cd "$(dirname "$0")/.." && pwd)"
program="$(realpath "${1:-$root/build/bin/cubinlab}")"
folder="$(realpath -m "${2:-$root/resources/docs/images/gallery}")"
mkdir -p "$folder"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
mkdir -m 700 "$work/run"
export XDG_DATA_HOME="$work/data" XDG_RUNTIME_DIR="$work/run"
sample="$root/samples/bmm_mma.cubin"
large="$root/tests/data/gui/large.cubin"

scene() { # SCALE AFTER ACTIONS ARGUMENT...
    local scale="$1" after="$2" actions="$3"
    shift 3
    XDG_CONFIG_HOME="$work/config-$RANDOM" QT_SCALE_FACTOR="$scale" xvfb-run -a -s "-screen 0 3900x2500x24" \
        "$program" "$@" --size 1600x1000 --after "$after" --screenshot "$work/window.png" --quit --do "${actions//$'\n'/}"
}

keep() { # puts what was grabbed into the folder as small palette pictures
    for picture in "$work"/grab-*.png; do
        local name
        name="$(basename "$picture" .png)"
        name="${name#grab-}"
        if command -v convert > /dev/null; then
            convert "$picture" -strip +dither -colors 96 -define png:compression-level=9 "PNG8:$folder/$name.png"
        else
            cp "$picture" "$folder/$name.png"
        fi
        rm "$picture"
    done
}

g() { # DOCK NAME: floats it, waits for its drawing, grabs it
    echo "grab:$1=$work/grab-$2.png"
}

for theme in light dark; do
    run=(--agent greedy --evaluator model --seed 1 --theme "$theme")
    docks="float:dock_rewards=620x400;float:dock_mutations=760x300;float:dock_replay=760x420;float:dock_graph=620x560"
    docks="$docks;float:dock_flow=520x560;float:dock_kernel=420x560;float:dock_problems=760x240"
    # Full: a finished run, a step in view, its winner minimised.
    scene 1 26 "step:1203;$docks;wait:1500;$(g dock_rewards agent-full-$theme);$(g dock_mutations mutations-full-$theme)
;$(g dock_replay replay-full-$theme);$(g dock_graph graph-full-$theme);$(g dock_flow flow-full-$theme)
;$(g dock_kernel kernel-full-$theme);replay.minimise;wait:6000;$(g dock_replay replay-minimised-$theme)
;replay.patterns;wait:2500;$(g dock_replay patterns-full-$theme)" \
        "$sample" "${run[@]}" --budget 2500steps --session "$work/full-$theme.db" --select 0x1270
    # Empty: a kernel is open, nothing was run.
    scene 1 10 "$docks;wait:800;$(g dock_rewards agent-empty-$theme);$(g dock_mutations mutations-empty-$theme)
;$(g dock_replay replay-empty-$theme);$(g dock_problems problems-empty-$theme);replay.patterns;wait:500
;$(g dock_replay patterns-empty-$theme)" "$sample" --theme "$theme"
    # Busy: a run goes on; a graph of thousands of nodes is being laid out.
    scene 1 12 "$docks;wait:1200;$(g dock_rewards agent-busy-$theme);$(g dock_replay replay-busy-$theme)
;$(g dock_graph graph-busy-$theme)" "$large" "${run[@]}" --budget 600s --session "$work/busy-$theme.db" --select 0x4000
    # Error: a refused edit, and a GPU that is not there.
    scene 1 8 "edit.move_top;edit.move_up;float:dock_problems=760x240;wait:500;$(g dock_problems problems-full-$theme)" \
        "$sample" --theme "$theme" --select 0x1270
    scene 1 9 "$docks;wait:800;$(g dock_rewards agent-error-$theme)" "$sample" --agent greedy --evaluator gpu \
        --budget 10s --theme "$theme" --session "$work/error-$theme.db"
    scene 2 16 "step:1203;$docks;wait:1500;$(g dock_rewards agent-2x-$theme);$(g dock_replay replay-2x-$theme)
;$(g dock_graph graph-2x-$theme)" "$sample" "${run[@]}" --budget 2500steps --session "$work/double-$theme.db" --select 0x1270
    keep
done
du -sh "$folder"
