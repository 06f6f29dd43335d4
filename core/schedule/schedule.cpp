// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <numeric>
#include <tuple>

namespace cubinlab {
namespace {

// A word without its control field; a reschedule cannot change it.
Word without_control(const Word& word) {
    return ControlCode{0, true, 0, 0, 0, 0}.encode_into(word);
}

bool less(const Word& a, const Word& b) {
    return std::tie(a.lo, a.hi) < std::tie(b.lo, b.hi);
}

}  // namespace

Schedule::Schedule(KernelPtr kernel)
    : kernel_(std::move(kernel)), order_(kernel_->size()), position_(kernel_->size()) {
    std::iota(order_.begin(), order_.end(), 0u);
    std::iota(position_.begin(), position_.end(), 0u);
    control_.reserve(kernel_->size());
    for (const Instruction& i : kernel_->instructions())
        control_.push_back(i.control());
}

Result<Schedule> Schedule::match(KernelPtr kernel, const Cubin& cubin) {
    auto info = TRY(cubin.kernel(kernel->name()));
    return match(std::move(kernel), cubin.code(*info));
}

Result<Schedule> Schedule::match(KernelPtr kernel, const std::vector<Word>& words) {
    if (words.size() != kernel->size())
        return fail(ErrorCode::Refused,
                    fmt::format("is not a reschedule: it has {} instructions, the original {}", words.size(),
                                kernel->size()));
    Schedule schedule(kernel);
    for (const Block& block : kernel->flow().blocks) {
        std::vector<std::pair<Word, InstrId>> originals;
        std::vector<std::pair<Word, Position>> candidates;
        for (Position p = block.first; p < block.end(); ++p) {
            originals.push_back({without_control(kernel->instruction(p).word), p});
            candidates.push_back({without_control(words[p]), p});
        }
        // Stable: equal words are matched in order of appearance.
        auto by_word = [](const auto& a, const auto& b) {
            return less(a.first, b.first) || (a.first == b.first && a.second < b.second);
        };
        std::sort(originals.begin(), originals.end(), by_word);
        std::sort(candidates.begin(), candidates.end(), by_word);
        for (std::size_t i = 0; i < originals.size(); ++i) {
            if (originals[i].first != candidates[i].first)
                return fail(ErrorCode::Refused,
                            fmt::format("is not a reschedule: the block at 0x{:04x}..0x{:04x} holds other "
                                        "instructions than the original's",
                                        block.first * kWordBytes, block.end() * kWordBytes));
            schedule.order_[candidates[i].second] = originals[i].second;
            schedule.position_[originals[i].second] = candidates[i].second;
            schedule.control_[originals[i].second] = ControlCode::decode(words[candidates[i].second]);
        }
    }
    return schedule;
}

void Schedule::move(InstrId id, Position to) {
    const Position from = position_[id];
    assert(to < order_.size() && kernel_->flow().block_of[from] == kernel_->flow().block_of[to]);
    if (from < to)
        std::rotate(order_.begin() + from, order_.begin() + from + 1, order_.begin() + to + 1);
    else
        std::rotate(order_.begin() + to, order_.begin() + from, order_.begin() + from + 1);
    for (Position p = std::min(from, to); p <= std::max(from, to); ++p)
        position_[order_[p]] = p;
}

Word Schedule::word(Position position) const {
    const InstrId id = order_[position];
    return control_[id].encode_into(kernel_->instruction(id).word);
}

std::vector<Word> Schedule::words() const {
    std::vector<Word> out(order_.size());
    for (Position p = 0; p < out.size(); ++p)
        out[p] = word(p);
    return out;
}

Hash128 Schedule::hash() const {
    const std::vector<Word> all = words();
    return hash_bytes(all.data(), all.size() * sizeof(Word));
}

bool Schedule::control_changed(InstrId id) const {
    return !(control_[id] == kernel_->instruction(id).control());
}

}  // namespace cubinlab
