#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the pictures of resources/docs/gallery.md with window_scene under a virtual display (xvfb-run): every
# view empty, busy, after an error and full, in light and dark. Errors come from bad input: a cut cubin, a
# session that is none, a folder where nothing can be written, a worker that dies.
#
#   app/lab/scripts/gallery.sh [PROGRAM] [FOLDER] [PART...]   default: build/tests/window_scene resources/docs/images/gallery, all
#
# tests/fake_bench_worker and the real worker on the stand-in driver of the tests (tests/fake_driver), both of the
# program's build, replace a GPU; the pictures then say "Scripted GPU" or "Fake GPU". Parts that need one are left out
# where they are not built.
set -euo pipefail
root="$(cd "$(dirname "$0")/../../.." && pwd)"
program="$(realpath "${1:-$root/build/tests/window_scene}")"
folder="$(realpath -m "${2:-$root/resources/docs/images/gallery}")"
shift $(($# < 2 ? $# : 2))
wanted=" $* "
source "$root/app/lab/scripts/picture.sh"
build="$(dirname "$(dirname "$program")")"
pictures="$work/pictures"
mkdir -p "$pictures"

# play NAME SCALE ACTIONS ARGUMENT...: one run of the program that grabs pictures; `@` in ACTIONS is their folder.
play() {
    local name="$1" scale="$2" actions="$3"
    shift 3
    window "$name" "$scale" "$@" --after 3 --do "${actions//@/$pictures}"
}
# As `play`, and the whole window is the picture.
whole() {
    local name="$1"
    play "$@"
    cp "$work/$name.png" "$pictures/$name.png"
}
worker() { # NAME COMMAND [FURTHER]: what measures in the run of that name
    mkdir -p "$work/config-$1/cubinlab"
    printf '[gpu]\nworker=%s\n' "$2" > "$work/config-$1/cubinlab/cubinlab.ini"
}
scripted() { # NAME SCRIPT: the scripted worker
    echo "$2" > "$work/$1.json"
    mkdir -p "$work/state-$1"
    worker "$1" "$build/tests/fake_bench_worker $work/$1.json $work/state-$1"
}
have_fakes() { [ -x "$build/tests/fake_bench_worker" ] || { echo "no tests/fake_bench_worker in the build: left out" >&2; false; }; }
asked() { [ "$wanted" = "  " ] || [[ "$wanted" == *" $1 "* ]]; }

wide=(--size 1600x1000)

full() { # THEME SUFFIX SCALE: everything that a run on the model fills
    play "full$2" "$3" "select:0x1270;wait:1;grab:dock_graph:@/graph-full$2.png;show:dock_flow;wait:1;grab:dock_flow:@/flow-full$2.png;show:dock_kernel;wait:0.5;grab:dock_kernel:@/kernel-full$2.png;agent:greedy,1500steps;step:best;wait:1;grab:dock_rewards:@/agent-full$2.png;grab:dock_mutations:@/mutations-full$2.png;select:0x1270;wait:1;grab:listing:@/listing-full$2.png;step:400;show:dock_replay;replay.minimise;wait:6;grab:dock_replay:@/replay-full$2.png;replay.patterns;wait:2;keys:Down;wait:0.5;grab:dock_replay:@/patterns-full$2.png;grab:status:@/badge-model$2.png" \
        "$sample" "${wide[@]}" --theme "$1" --session "$work/full$2.db" --seed 1
}
part_full() {
    full light "" 1
    full dark -dark 1
}
part_double() {
    play double 2 "select:0x1270;wait:1;grab:dock_graph:@/graph-full-2x.png;agent:greedy,1500steps;step:best;wait:1;grab:dock_rewards:@/agent-full-2x.png;select:0x1270;wait:1;grab:listing:@/listing-full-2x.png;edit.control;wait:1" \
        "$sample" --size 1200x760 --theme dark --session "$work/double.db" --seed 1
}

# Compilations of the kernel from its PTX: needs ptxas.
part_starts() {
    play starts 1 "agent:auto,1500steps,model;show:dock_starts;wait:1;float:dock_starts=1180x400;wait:2;grab:dock_starts:@/starts-full.png" \
        "$work/samples/flash_attn_mma.cubin" "${wide[@]}" --theme light --session "$work/starts.db" --seed 1
}

empty() { # THEME SUFFIX: a kernel is open and nothing was done
    play "empty$2" 1 "wait:1;grab:dock_graph:@/graph-empty$2.png;grab:dock_rewards:@/agent-empty$2.png;grab:dock_mutations:@/mutations-empty$2.png;show:dock_replay;wait:0.5;grab:dock_replay:@/replay-empty$2.png;replay.patterns;wait:0.5;grab:dock_replay:@/patterns-empty$2.png;show:dock_history;wait:0.5;grab:dock_history:@/history-empty$2.png;show:dock_problems;wait:0.5;grab:dock_problems:@/problems-empty$2.png;palette:zzzz;wait:0.5" \
        "$sample" "${wide[@]}" --theme "$1"
}
part_empty() {
    empty light ""
    empty dark -dark
    whole start-empty 1 "wait:1" --size 1280x800 --theme light
    whole start-empty-dark 1 "wait:1" --size 1280x800 --theme dark
    play sessions-empty 1 "sessions:;wait:1;grab:dialog:@/sessions-empty.png" --size 1280x800 --theme light
}

part_busy() {
    play busy 1 "run:greedy,20s;wait:2;grab:dock_rewards:@/agent-busy.png;grab:dock_mutations:@/mutations-busy.png;grab:listing:@/listing-busy.png;show:dock_replay;replay.play;wait:1.5;grab:dock_replay:@/replay-busy.png;agent.stop;wait:2" \
        "$sample" "${wide[@]}" --theme light --session "$work/busy.db"
    play busy-dark 1 "run:greedy,20s;wait:2;grab:dock_rewards:@/agent-busy-dark.png;agent.stop;wait:2" \
        "$sample" "${wide[@]}" --theme dark --session "$work/busy-dark.db"
}

part_hand() {
    for theme in light dark; do
        local s=""
        [ $theme = dark ] && s=-dark
        play "hand$s" 1 "select:0x1270;edit.move_up;edit.move_up;edit.undo;edit.move_top;edit.stall_up;edit.stall_up;edit.undo;wait:1;show:dock_history;wait:0.5;grab:dock_history:@/history-full$s.png;grab:listing:@/hand-full$s.png;view.legal_places;wait:1;grab:listing:@/hand-legal$s.png;view.legal_places;edit.control;wait:1;grab:listing:@/control-full$s.png;keys:0;wait:1;keys:Return;wait:1;grab:listing:@/control-error$s.png;keys:Esc;edit.move_top;edit.move_up;wait:1;grab:listing:@/hand-error$s.png;show:dock_problems;wait:0.5;grab:dock_problems:@/problems-full$s.png" \
            "$sample" "${wide[@]}" --theme $theme
    done
    play drag 1 "select:0x1270;wait:1;drag:0x1270,0x1200;wait:1;grab:listing:@/drag-busy.png" "$sample" "${wide[@]}" --theme light
    play drag-error 1 "select:0x1270;wait:1;drag:0x1270,0x12f0;wait:1;grab:listing:@/drag-error-dark.png" "$sample" "${wide[@]}" --theme dark
    play places 1 "select:0x1270;edit.try_places;wait:4;grab:listing:@/places-full.png" "$sample" "${wide[@]}" --theme light
}

part_files() {
    head -c 9000 "$sample" > "$work/cut.cubin"
    whole start-error 1 "wait:1" "$work/cut.cubin" --size 1280x800 --theme light
    printf 'SQLite format 3\0 and then nothing that a database has' > "$work/foreign.db"
    whole start-error-dark 1 "wait:1" "$work/foreign.db" --size 1280x800 --theme dark
    python3 - "$work/other.db" << 'PY'
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as db:
    db.execute("create table songs (title text)")
PY
    mkdir -p "$work/data/cubinlab/sessions"
    cp "$work/foreign.db" "$work/data/cubinlab/sessions/broken.cubinlab.db"
    cp "$work/other.db" "$work/data/cubinlab/sessions/of-another-program.cubinlab.db"
    play sessions-full 1 "agent:greedy,600steps;agent:random,300steps;sessions:;wait:2;grab:dialog:@/sessions-full.png" "$sample" --size 1280x800 --theme light
    play sessions-full-dark 1 "sessions:;wait:2;grab:dialog:@/sessions-error-dark.png" --size 1280x800 --theme dark
    whole start-full 1 "wait:1;file.close;wait:1" "$sample" --size 1280x800 --theme light
    play unwritable 1 "run:greedy,100steps;wait:2;grab:listing:@/log-error.png" "$sample" "${wide[@]}" --theme light --session /proc/no-such-folder/run.db
    play compare-error 1 "compare:$work/samples/softmax.cubin;wait:1;grab:listing:@/compare-error.png" "$sample" "${wide[@]}" --theme light
    printf 'Address,Source,Samples\n0,MOV R1,3\n' > "$work/profile.csv"
    play profile-error 1 "profile:$work/profile.csv;wait:1;grab:listing:@/profile-error-dark.png" "$sample" "${wide[@]}" --theme dark
    play find 1 "find:R76;edit.find_next;wait:1;grab:listing:@/find-full.png;find:R999;wait:0.5;grab:status:@/find-empty.png" "$sample" "${wide[@]}" --theme light
    play folded 1 "view.fold_all;wait:1;grab:listing:@/listing-folded-dark.png" "$sample" "${wide[@]}" --theme dark
}

part_house() {
    # Tools as a machine has them that has the toolkit only.
    PATH=/usr/local/cuda/bin:/usr/bin:/bin CUBINLAB_AGENT_MODULE=/opt/cubinlab/lib/libcubinlab-agent.so play settings 1 "settings:look;wait:1;grab:dialog:@/settings-look.png;settings:tools;wait:3;grab:dialog:@/settings-tools.png;settings:gpu;wait:1;grab:dialog:@/settings-gpu.png;settings:agent;wait:1;grab:dialog:@/settings-agent.png;settings:files;wait:1;grab:dialog:@/settings-files.png;settings:keys;wait:1;grab:dialog:@/settings-keys.png" "$sample" --size 1400x900 --theme light
    play settings-dark 1 "settings:look;wait:1;grab:dialog:@/settings-look-dark.png;settings:gpu;wait:1;grab:dialog:@/settings-gpu-dark.png" "$sample" --size 1400x900 --theme dark
    whole palette-full 1 "select:0x1270;wait:1;palette:move;wait:0.5" "$sample" --size 1280x800 --theme light
    whole palette-empty-dark 1 "palette:zzzz;wait:0.5" "$sample" --size 1280x800 --theme dark
    whole palette-off-dark 1 "palette:undo;wait:0.5" "$sample" --size 1280x800 --theme dark
}

# No GPU here; a scripted one; one that dies; the worker itself on the stand-in driver.
part_gpu() {
    whole no-gpu 1 "agent:greedy,100steps,gpu;wait:1" "$sample" --size 1280x800 --theme light
    play looking 1 "grab:status:@/badge-empty.png" --size 1280x800 --theme light
    have_fakes || return 0
    local ok='{"device":"Scripted GPU","default":{"do":"hashed","ms":8,"hostile_every":23}}'
    scripted gpu-busy "$ok"
    play gpu-busy 1 "run:greedy,60s,gpu;wait:5;grab:dock_rewards:@/gpu-busy.png;grab:status:@/badge-gpu.png;float:dock_mutations=1180x330;wait:1;grab:dock_mutations:@/mutations-gpu.png;agent.stop;wait:3" "$sample" "${wide[@]}" --theme light --session "$work/gpu.db"
    scripted gpu-places '{"device":"Scripted GPU","default":{"do":"hashed","ms":4000}}'
    play gpu-places 1 "select:0x1270;edit.try_places;wait:6;grab:listing:@/places-busy.png;wait:12;grab:listing:@/places-gpu-dark.png" "$sample" "${wide[@]}" --theme dark
    scripted gpu-measure '{"device":"Scripted GPU","default":{"do":"ok"},"compare":{"do":"ok","log_speedup":0.012}}'
    play gpu-measure 1 "select:0x1270;edit.move_up;wait:1;measure:;wait:1;edit.move_up;show:dock_history;wait:1;grab:dock_history:@/history-measured.png;grab:listing:@/hand-measured.png" "$sample" "${wide[@]}" --theme light
    scripted gpu-lost '{"device":"Scripted GPU","default":{"do":"exit"},"bad_starts":[4,100000]}'
    whole gpu-lost 1 "run:greedy,60s,gpu;wait:25;show:dock_mutations" "$sample" --size 1280x800 --theme light --session "$work/lost.db"
    scripted gpu-refuses '{"device":"Scripted GPU","refuse":"the kernel asks for 300 KiB of shared memory, this GPU has 227"}'
    play gpu-refuses 1 "run:greedy,60s,gpu;wait:5;grab:listing:@/gpu-refused-dark.png;grab:dock_rewards:@/agent-error-dark.png" "$sample" "${wide[@]}" --theme dark --session "$work/refuses.db"
    worker gpu-missing "/no/such/worker"
    play gpu-missing 1 "run:greedy,60s,gpu;wait:3;grab:listing:@/worker-error.png;grab:status:@/badge-error.png" "$sample" "${wide[@]}" --theme light --session "$work/missing.db"
    scripted gpu-strip '{"device":"Scripted GPU","readings":true,"default":{"do":"hashed","ms":20,"hostile_every":31}}'
    play gpu-strip 1 "run:greedy,60s,gpu;wait:12;grab:dock_rewards:@/gpu-strip-dark.png;agent.stop;wait:3" "$sample" "${wide[@]}" --theme dark --session "$work/strip.db"
    if [ -d "$build/tests/fake_driver" ] && [ -x "$build/tests/window_scene-bench-worker" ]; then
        worker gpu-driver "env LD_LIBRARY_PATH=$build/tests/fake_driver $build/tests/window_scene-bench-worker"
        play gpu-driver 1 "run:greedy,60s,gpu;wait:3;grab:dock_rewards:@/agent-preparing-dark.png;wait:20;grab:listing:@/driver-error-dark.png" "$sample" "${wide[@]}" --theme dark --session "$work/driver.db"
    fi
}

# Each layout of the docks after a run, at five sizes on one sheet, a sheet for each theme: 800x600 and 1024x700 as they
# are; below them 1440x900 at a half, 1920x1080 at a third and 3840x2160 (at 2x) at a sixth. The default layout is that of
# a window that opens with the size; the others are applied at each size, and their sheets are half as large.
part_layouts() {
    command -v convert > /dev/null || { echo "no ImageMagick: the sheets of layouts are left out" >&2; return 0; }
    local layout theme size actions run="agent:greedy,600steps;step:best;wait:1"
    for theme in light dark; do
        for size in 800x600 1024x700 1440x900 1920x1080; do
            play "default-$theme-$size" 1 "$run;grab:window:$work/layout-default-$theme-$size.png" \
                "$sample" --size $size --theme $theme --session "$work/default-$theme-$size.db" --seed 1
        done
        actions="$run"
        for layout in hand agent audit; do
            for size in 800x600 1024x700 1440x900 1920x1080; do
                actions="$actions;size:$size;wait:0.5;layout.$layout;wait:1;grab:window:$work/layout-$layout-$theme-$size.png"
            done
        done
        play "others-$theme" 1 "$actions" "$sample" --size 1440x900 --theme $theme --session "$work/others-$theme.db" --seed 1
        actions="$run;grab:window:$work/layout-default-$theme-2x.png"
        for layout in hand agent audit; do
            actions="$actions;layout.$layout;wait:1;grab:window:$work/layout-$layout-$theme-2x.png"
        done
        play "double-$theme" 2 "$actions" "$sample" --size 1920x1080 --theme $theme --session "$work/double-$theme.db" --seed 1
        for layout in default hand agent audit; do
            local sheet="$work/layout-$layout-$theme"
            convert "$sheet-800x600.png" "$sheet-1024x700.png" -background gray40 -gravity north -bordercolor gray40 -border 4 +append "$work/above.png"
            convert \( "$sheet-1440x900.png" -resize 50% \) \( "$sheet-1920x1080.png" -resize 33.33% \) \( "$sheet-2x.png" -resize 16.67% \) \
                -background gray40 -gravity north -bordercolor gray40 -border 4 +append "$work/below.png"
            convert "$work/above.png" "$work/below.png" -background gray40 -append -resize "$([ $layout = default ] && echo 100 || echo 50)%" +dither -colors 48 "$pictures/layout-$layout-$theme.png"
        done
    done
}

for part in full double starts empty busy hand files house gpu layouts; do
    if asked $part; then "part_$part"; fi
done
for picture in "$pictures"/*.png; do
    small "$picture" "$folder/$(basename "$picture")" 1
done
du -sh "$folder"
