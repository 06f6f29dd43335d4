// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels to test on, and random schedules and mutations of them. Random ones are structurally valid (they
// stay inside blocks and leave pinned words alone) and nearly always illegal: structure is all that these
// tests are about.
#pragma once
#include <optional>
#include <random>

#include "core/schedule/mutation.h"
#include "tests/core/binary/test_cubins.h"

namespace cubinlab::test {

inline KernelPtr load_kernel(const std::filesystem::path& path, std::string_view name = {}) {
    auto kernel = required(Kernel::load(open_cubin(path), name));
    return *kernel;
}

inline std::vector<KernelPtr> editable_kernels() {
    std::vector<KernelPtr> out;
    for (const auto& path : all_cubins()) {
        const auto cubin = open_cubin(path);
        if (!cubin->arch().editable()) continue;
        for (const KernelInfo& info : cubin->kernels())
            out.push_back(*Kernel::load(cubin, info.name));
    }
    return out;
}

// The run of movable words around position `p`: [first, end).
inline std::pair<Position, Position> free_run(const Schedule& s, Position p) {
    const Kernel& kernel = *s.kernel();
    const Block& block = kernel.flow().blocks[kernel.flow().block_of[p]];
    Position first = p, end = p + 1;
    while (first > block.first && !kernel.pinned(s.at(first - 1)))
        --first;
    while (end < block.end() && !kernel.pinned(s.at(end)))
        ++end;
    return {first, end};
}

inline ControlCode random_control(std::mt19937_64& random) {
    ControlCode c;
    c.stall = static_cast<std::uint8_t>(random() % 16);
    c.yield = random() % 2;
    c.write_barrier = static_cast<std::uint8_t>(random() % 8);
    c.read_barrier = static_cast<std::uint8_t>(random() % 8);
    c.wait_mask = static_cast<std::uint8_t>(random() % 64);
    c.reuse = static_cast<std::uint8_t>(random() % 16);
    return c;
}

// Any value of the field, allowed or not; empty: the schedule's kernel has no such field near a random place.
inline std::optional<Edit> random_hint(const Schedule& s, std::mt19937_64& random) {
    const auto from = static_cast<InstrId>(random() % s.size());
    for (InstrId id = from; id < std::min<std::size_t>(s.size(), from + 200); ++id)
        if (const Word word = s.word_of(id); kHintField.has(word))
            return Mutation::field(s, kHintField, id,
                                   kHintField.read(kHintField.write(word, random() & kHintField.mask)))
                .edits.front();
    return std::nullopt;
}

inline Edit random_edit(const Schedule& s, std::mt19937_64& random) {
    if (random() % 5 == 0)
        if (const auto hint = random_hint(s, random)) return *hint;
    for (int attempt = 0; attempt < 64; ++attempt) {
        const Position p = static_cast<Position>(random() % s.size());
        const InstrId id = s.at(p);
        if (random() % 3 == 0 || s.kernel()->pinned(id)) continue;
        const auto [first, end] = free_run(s, p);
        const Position to = first + static_cast<Position>(random() % (end - first));
        if (to != p) return Mutation::move_to(s, id, to).edits.front();
    }
    const InstrId id = static_cast<InstrId>(random() % s.size());
    return Mutation::control(s, id, random_control(random)).edits.front();
}

inline Mutation random_mutation(const Schedule& s, std::mt19937_64& random, std::size_t edits) {
    Mutation out;
    Schedule state = s;
    for (std::size_t i = 0; i < edits; ++i) {
        const Mutation one{{random_edit(state, random)}};
        if (!one.apply(state)) continue;
        out.edits.push_back(one.edits.front());
    }
    return out;
}

inline Schedule random_schedule(const KernelPtr& kernel, std::mt19937_64& random, std::size_t edits) {
    Schedule s(kernel);
    const Status applied = random_mutation(s, random, edits).apply(s);
    REQUIRE(applied);
    return s;
}

}  // namespace cubinlab::test
