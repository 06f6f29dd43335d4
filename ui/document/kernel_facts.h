// SPDX-License-Identifier: GPL-3.0-or-later
// The content of KernelInfoPanel as plain values. kernel_facts_document.cpp gathers them, kernel_info.cpp
// shows them, so each can be tested alone.
#pragma once
#include <QString>
#include <vector>

#include "core/insight/liveness.h"

namespace cubinlab::ui {

class Document;

struct MixRow {
    QString name;  // "Tensor", "Shared memory"
    int count = 0;
};

struct ScheduleFacts {
    QString title;            // "Original", "Hand"
    qint64 stall_cycles = 0;  // sum of stall counts, each instruction once
    qint64 loop_stalls = 0;   // the part inside loops
    int peak_live = 0;        // GPRs, 0: not computed yet
};

struct KernelFacts {
    QString name, whole_name, file, arch, hash, listing,
        editing;  // `editing`: why not editable, empty if it is
    bool decoded = true;  // false: blocks, loops and mix are unknown
    int instructions = 0, blocks = 0, loops = 0;
    int registers = 0, barriers = 0;
    qint64 static_shared = 0, dynamic_shared = 0, local = 0, constant = 0;
    QString params, required_block, max_threads;
    int threads_per_block = 0;  // 0: unknown, occupancy is not shown
    bool threads_from_workload = false;
    std::vector<OccupancyStep> occupancy;
    std::vector<MixRow> mix;  // largest first
    ScheduleFacts left, right;
    int moved = 0, control_changed = 0;
};

KernelFacts gather_facts(const Document& document);
// The mix groups of a unit; all other instructions count as "Other".
QString mix_group(Unit unit);
QString facts_html(const KernelFacts& facts, bool narrow);  // narrow: without bars

}  // namespace cubinlab::ui
