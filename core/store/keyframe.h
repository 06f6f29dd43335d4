// SPDX-License-Identifier: GPL-3.0-or-later
// A whole schedule as a blob, and the rule that says which steps get one.
//
// The log is a tree: a step's parent is any earlier step. Depth = number of mutations from the run's start.
// Every step whose depth is a multiple of 128 is an anchor; an anchor gets a keyframe as soon as the tree
// below it reaches the next anchor depth. So
//   - any step is at most 255 mutations away from a keyframe (at most 127 up to its anchor, 128 more to the
//     anchor above, which has one), whatever the shape of the tree;
//   - a keyframe covers at least 128 steps below it that no other keyframe of its depth counts, so a wide
//     tree of thousands of siblings costs no more keyframes than a chain.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_set>
#include <vector>

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/schedule/schedule.h"

namespace cubinlab {

// Blob: zstd of { u32 instruction count; u32 order[count]; u32 control[count]; overrides }, little endian; order by
// position, control by InstrId as the 21 bits of the word's control field. Each other field that is rewritten is
// { u32 EditKind; u32 InstrId; u32 FieldBits }.
std::vector<std::byte> encode_schedule(const Schedule& schedule);
Result<Schedule> decode_schedule(const KernelPtr& kernel, std::span<const std::byte> blob);

class KeyframePlanner {
  public:
    static constexpr std::uint32_t kAnchorDepth = 128;

    // Steps in ascending order, parent < step. Returns the step that needs a keyframe now, if one does.
    std::optional<StepId> add(StepId step, StepId parent);
    StepId last() const { return static_cast<StepId>(nodes_.size()) - 1; }  // highest step added; 0: none
    // Continuing a run: a keyframe that is in the file already.
    void known(StepId keyframe) { keyframes_.insert(keyframe); }

  private:
    struct Node {
        std::uint32_t depth = 0;
        std::uint32_t anchor = 0;  // step number of the nearest anchor above, or the step itself
    };
    std::vector<Node> nodes_ = {Node{}};  // by step; 0 is the start, which always has a keyframe
    std::unordered_set<StepId> keyframes_ = {0};
};

}  // namespace cubinlab
