// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/study/study_candidates.h"

#include <algorithm>

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

std::vector<InstrId> StudyCandidates::padding(std::size_t most) const {
    const auto& blocks = kernel_->flow().blocks;
    std::uint16_t deepest = 0;
    for (const Block& block : blocks)
        deepest = std::max(deepest, block.loop_depth);
    std::vector<InstrId> places;
    for (const Block& block : blocks)
        for (std::size_t k = 0; block.loop_depth == deepest && k < block.count; ++k)
            places.push_back(static_cast<InstrId>(block.first + k));
    // Every 16th first, then those between, so that a short prefix is spread too.
    constexpr std::size_t kStep = 16;
    std::vector<InstrId> order;
    for (std::size_t from = 0; from < kStep; ++from)
        for (std::size_t at = (from * 5) % kStep; at < places.size(); at += kStep)
            order.push_back(places[at]);
    std::vector<InstrId> out;
    Schedule schedule(kernel_);
    for (bool more = true; more && out.size() < most;) {
        more = false;
        for (const InstrId id : order) {
            if (out.size() >= most) break;
            if (!raise(schedule, id)) continue;
            out.push_back(id);
            more = true;
        }
    }
    return out;
}

Schedule StudyCandidates::padded(std::span<const InstrId> raised) const {
    Schedule schedule(kernel_);
    for (const InstrId id : raised) {
        ControlCode code = schedule.control(id);
        code.stall = static_cast<decltype(code.stall)>(code.stall + 1);
        schedule.set_control(id, code);
    }
    return schedule;
}

}  // namespace cubinlab
