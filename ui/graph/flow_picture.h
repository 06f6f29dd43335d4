// SPDX-License-Identifier: GPL-3.0-or-later
// The control flow of a kernel as a picture: one node per block, toned by loop depth.
#pragma once
#include "core/schedule/flow_graph.h"
#include "ui/graph/graph_picture.h"

namespace cubinlab::ui {

// `ends_with`: display text of each block's last instruction; `stalls`: sum of its stall counts, cycles.
struct BlockFacts {
    InstrId first = kNone;
    QString ends_with;
    int stall_cycles = 0;
};

GraphPicture flow_picture(const FlowGraph& flow, const std::vector<BlockFacts>& facts, const QString& title);

}  // namespace cubinlab::ui
