#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the pictures of resources/docs/tour.md: the first ten minutes, each step done by window_scene
# (--do, see tests/ui/scene.h). Steps and seed are fixed, so the same program makes the same pictures.
#
#   app/lab/scripts/tour.sh [PROGRAM] [FOLDER]     default: build/tests/window_scene resources/docs/images/tour
set -euo pipefail
root="$(cd "$(dirname "$0")/../../.." && pwd)"
program="$(realpath "${1:-$root/build/tests/window_scene}")"
folder="$(realpath -m "${2:-$root/resources/docs/images/tour}")"
source "$root/app/lab/scripts/picture.sh"
size=(--size 1400x880 --theme light --after 3)
move="select:0x0df0;edit.move_up"
agent="agent:greedy,2000steps"

shot 1-open 1 "${size[@]}"
shot 2-limits 1 "$sample" "${size[@]}" --do "show:dock_kernel"
shot 3-move 1 "$sample" "${size[@]}" --do "$move"
shot 4-measure 1 "$sample" "${size[@]}" --do "$move;measure:"
shot 5-agent 1 "$sample" "${size[@]}" --session "$work/5.db" --do "$agent"
shot 6-find 1 "$sample" "${size[@]}" --session "$work/6.db" --do "$agent;step:best;go.next_change"
shot 7-export 1 "$sample" "${size[@]}" --session "$work/7.db" \
    --do "$agent;export:$work/bmm_mma.best.cubin"
shot 8-report 1 "$sample" "${size[@]}" \
    --do "$agent;report:$work/bmm_mma.html;sessions:;wait:1"
