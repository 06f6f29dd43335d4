// SPDX-License-Identifier: GPL-3.0-or-later
// A schedule as reviewable text that fits a rebuilt kernel: for each block that it changes, the instructions as the
// compiler ordered them, and the order and control codes that take their place. Blocks are found again by what their
// instructions do (other registers are the same instruction where all of a block agree) and by what stands around them,
// not by their place, file or line. Format:
// resources/docs/own-kernels.md.
//
//   auto patch = make_patch(original, tuned_schedule);
//   write_text("p.json", patch_text(*patch));
//   auto applied = apply_patch(*read_patch(text), rebuilt_checker);
//   applied->schedule is legal; applied->blocks says of each block what became of it
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/legality/hazard_checker.h"
#include "core/base/result.h"
#include "core/schedule/schedule.h"

namespace cubinlab {

struct PatchLine {
    std::vector<FieldValue> fields;  // the control code, and other fields that differ from the original's
    std::string text;                // the instruction, without control code, reuse marks and branch targets
    friend bool operator==(const PatchLine&, const PatchLine&) = default;
};

struct PatchBlock {
    std::size_t at = 0;             // byte offset in the kernel that it was made from: for people
    std::size_t which = 0, of = 1;  // the n-th of m blocks with the same instructions, in address order
    std::vector<std::string> before, behind;  // texts of the instructions around it, nearest last and first
    std::vector<PatchLine> original;          // in the compiler's order
    std::vector<std::size_t> order;           // by new position: index into `original`
    std::vector<PatchLine> tuned;             // by new position
};

struct SchedulePatch {
    std::string kernel;  // mangled
    std::string arch;    // "sm_90a"
    Hash128 original_code, tuned_code;
    std::string stamp;  // of the cubin that it was made from, if there was one: figures are that cubin's
    std::vector<PatchBlock> blocks;
};

enum class BlockFate {
    Applied,
    Already,    // the rebuilt block has this schedule as it is
    NotFound,   // no block has these instructions
    Ambiguous,  // several have, and what stands around them does not decide
    Illegal,    // found, but not legal in the rebuilt kernel
};
const char* to_string(BlockFate fate);

struct AppliedBlock {
    std::size_t at = 0;      // in the patch
    std::size_t now_at = 0;  // byte offset in the rebuilt kernel, where it was found
    BlockFate fate = BlockFate::NotFound;
    std::string why;  // a sentence for people; empty where applied
};

struct AppliedPatch {
    Schedule schedule;  // legal
    std::vector<AppliedBlock> blocks;
    std::size_t applied = 0;
};

// The texts that blocks are recognised by, by InstrId.
std::vector<std::string> patch_texts(const Kernel& kernel);

// Refused where `tuned` is no legal schedule of `original`.
Result<SchedulePatch> make_patch(const HazardChecker& original, const Schedule& tuned);
// Blocks that fit, as far as they are legal together in the rebuilt kernel. Refused: another architecture; the rebuilt
// kernel as it stands does not pass.
Result<AppliedPatch> apply_patch(const SchedulePatch& patch, const HazardChecker& rebuilt);

std::string patch_text(const SchedulePatch& patch);       // JSON, one line an instruction
Result<SchedulePatch> read_patch(std::string_view text);  // BadInput names the block and line

}  // namespace cubinlab
