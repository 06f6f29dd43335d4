#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the pictures of the documentation with window_scene under a virtual display (xvfb-run).
#
#   app/lab/scripts/screenshots.sh [PROGRAM] [FOLDER]     default: build/tests/window_scene resources/docs/images
set -euo pipefail
root="$(cd "$(dirname "$0")/../../.." && pwd)"
program="$(realpath "${1:-$root/build/tests/window_scene}")"
folder="$(realpath -m "${2:-$root/resources/docs/images}")"
source "$root/app/lab/scripts/picture.sh"

agent=(--agent greedy --evaluator model --budget 60s --seed 1)
shot start 1 --theme light --size 1280x800 --after 3
shot window 1 "$sample" "${agent[@]}" --session "$work/light.db" --select 0x1270 --theme light --size 1600x1000 --after 12
shot window-dark 1 "$sample" "${agent[@]}" --session "$work/dark.db" --select 0x1270 --theme dark --size 1600x1000 --after 12
shot small 1 "$sample" "${agent[@]}" --session "$work/small.db" --select 0x1270 --theme light --size 1280x800 --after 8
shot window-2x 2 "$sample" "${agent[@]}" --session "$work/double.db" --select 0x1270 --theme dark --size 1600x1000 --after 10
shot refused 1 "$sample" --select 0x1270 --theme light --size 1400x900 --after 6 --do "edit.move_top;edit.move_up"
shot problems 1 "$sample" --select 0x1270 --theme light --size 1400x900 --after 6 --do "edit.move_top;edit.move_up;show:dock_problems"
shot control-flow 1 "$sample" --select 0x1270 --theme light --size 1400x900 --after 5 --do "show:dock_flow"
shot replay 1 "$sample" --agent greedy --evaluator model --budget 1500steps --session "$work/replay.db" --theme light \
    --size 1600x1000 --after 10 --do "step:400"
shot exported 1 "$sample" --agent greedy --evaluator model --budget 1500steps --session "$work/export.db" --theme light \
    --size 1400x900 --after 10 --do "export:$work/bmm_mma.best.cubin"
window timeline 1 "$sample" --session "$work/timeline.db" --seed 1 --theme light --size 1900x1000 --after 12 \
    --do "agent:greedy,3000steps;replay.minimise;view.best_minimal;wait:3;view.timeline;wait:2;keys:Home;keys:Ctrl+Right;keys:+;keys:+;keys:+;keys:+;wait:1;grab:dock_timeline:$work/grab.png"
small "$work/grab.png" "$folder/timeline.png" 1
# The house: palette, settings, sessions, dark and light.
shot palette 1 "$sample" --theme light --size 1400x900 --after 4 --do "select:0x1270;palette:move"
shot palette-dark 1 "$sample" --theme dark --size 1400x900 --after 4 --do "palette:export"
shot settings-keys 1 "$sample" --theme light --size 1400x900 --after 4 --do "settings:keys"
# As on a machine that has the toolkit only.
PATH=/usr/local/cuda/bin:/usr/bin:/bin CUBINLAB_AGENT_MODULE=/opt/cubinlab/lib/libcubinlab-agent.so shot settings-tools 1 "$sample" --theme dark --size 1400x900 --after 4 --do "settings:tools;wait:4"
shot sessions 1 "$sample" --theme light --size 1400x900 --after 4 --do "agent:greedy,600steps;sessions:;wait:1"
