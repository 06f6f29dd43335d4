// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workflow/study_candidates.h"

namespace cubinlab {

Result<StudyCandidates> StudyCandidates::create(const KernelPtr& kernel) {
    auto checker = HazardChecker::create(kernel);
    if (!checker) return fail(checker.error());
    auto writer = CubinWriter::create(kernel);
    if (!writer) return fail(writer.error());
    return StudyCandidates(kernel, *checker, std::move(*writer));
}

bool StudyCandidates::raise(Schedule& schedule, InstrId id) const {
    ControlCode code = schedule.control(id);
    if (code.stall < 1 || code.stall > 10) return false;
    code.stall = static_cast<decltype(code.stall)>(code.stall + 1);
    if (!checker_->allows(schedule, Mutation::control(schedule, id, code))) return false;
    schedule.set_control(id, code);
    return true;
}

WireImage StudyCandidates::wire(const Schedule& schedule) const {
    const auto patches = writer_.patches(schedule);
    WireImage image;
    image.hash = hash_bytes(apply_patches(kernel_->cubin().bytes(), patches));
    for (const BytePatch& patch : patches)
        image.patches.push_back({patch.offset, patch.bytes});
    return image;
}

std::vector<WireImage> StudyCandidates::batch(std::size_t count) {
    std::vector<WireImage> out;
    while (out.size() < count) {
        Schedule schedule(kernel_);
        for (int edits = 0; edits < 8; ++edits)
            raise(schedule, static_cast<InstrId>(random_() % schedule.size()));
        out.push_back(wire(schedule));
    }
    return out;
}

Schedule StudyCandidates::padded(std::size_t edits) {
    Schedule schedule(kernel_);
    // The longest block is the body of the loop in every kernel worth tuning.
    BlockId longest = 0;
    const auto& blocks = kernel_->flow().blocks;
    for (BlockId b = 0; b < blocks.size(); ++b)
        if (blocks[b].count > blocks[longest].count) longest = b;
    std::size_t done = 0;
    const Block& block = blocks[longest];
    const std::size_t step = std::max<std::size_t>(1, block.count / std::max<std::size_t>(1, edits));
    for (std::size_t at = 0; at < block.count && done < edits; at += step)
        for (std::size_t k = at; k < std::min<std::size_t>(at + step, block.count); ++k)
            if (raise(schedule, static_cast<InstrId>(block.first + k))) {
                ++done;
                break;
            }
    return schedule;
}

}  // namespace cubinlab
