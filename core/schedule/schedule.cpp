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

struct Pairing {
    InstrId original = 0;
    Position place = 0;  // among the words
};

// Pairs the block's instructions with the words at its places that `key` makes equal, equal ones in order of appearance.
// Empty: they do not match.
std::vector<Pairing> pair_words(const Kernel& kernel, const std::vector<Word>& words, const Block& block,
                                Word (*key)(const Word&)) {
    std::vector<std::pair<Word, InstrId>> originals;
    std::vector<std::pair<Word, Position>> candidates;
    for (Position p = block.first; p < block.end(); ++p) {
        originals.push_back({key(kernel.instruction(p).word), p});
        candidates.push_back({key(words[p]), p});
    }
    const auto by_word = [](const auto& a, const auto& b) {
        return less(a.first, b.first) || (a.first == b.first && a.second < b.second);
    };
    std::sort(originals.begin(), originals.end(), by_word);
    std::sort(candidates.begin(), candidates.end(), by_word);
    std::vector<Pairing> out;
    for (std::size_t i = 0; i < originals.size(); ++i) {
        if (originals[i].first != candidates[i].first) return {};
        out.push_back({originals[i].second, candidates[i].second});
    }
    return out;
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
        std::vector<Pairing> pairs = pair_words(*kernel, words, block, without_control);
        if (pairs.empty()) pairs = pair_words(*kernel, words, block, without_fields);
        if (pairs.empty())
            return fail(ErrorCode::Refused,
                        fmt::format("is not a reschedule: the block at 0x{:04x}..0x{:04x} holds other "
                                    "instructions than the original's",
                                    block.first * kWordBytes, block.end() * kWordBytes));
        for (const auto& [original, place] : pairs) {
            schedule.order_[place] = original;
            schedule.position_[original] = place;
            for (const FieldKind* field : kFieldKinds)
                schedule.set_field(*field, original, field->read(words[place]));
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

const Word& Schedule::code_word(InstrId id) const {
    if (!overrides_.empty()) {
        const auto at = std::ranges::lower_bound(overrides_, id, {}, &std::pair<InstrId, Word>::first);
        if (at != overrides_.end() && at->first == id) return at->second;
    }
    return kernel_->instruction(id).word;
}

Word Schedule::word_of(InstrId id) const {
    return control_[id].encode_into(code_word(id));
}

FieldBits Schedule::field(const FieldKind& kind, InstrId id) const {
    return kind.kind == EditKind::Control ? control_[id].bits() : kind.read(code_word(id));
}

void Schedule::set_field(const FieldKind& kind, InstrId id, FieldBits bits) {
    if (kind.kind == EditKind::Control) {
        control_[id] = ControlCode::from_bits(bits);
        return;
    }
    const Word word = kind.write(code_word(id), bits);
    const auto at = std::ranges::lower_bound(overrides_, id, {}, &std::pair<InstrId, Word>::first);
    const bool there = at != overrides_.end() && at->first == id;
    if (word == kernel_->instruction(id).word) {
        if (there) overrides_.erase(at);
    } else if (there) {
        at->second = word;
    } else {
        overrides_.insert(at, {id, word});
    }
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

bool Schedule::fields_changed(InstrId id) const {
    return word_of(id) != kernel_->instruction(id).word;
}

}  // namespace cubinlab
