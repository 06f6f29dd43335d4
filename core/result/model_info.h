// SPDX-License-Identifier: GPL-3.0-or-later
// The settings of the SM model that its figures hold for. visit_fields is the one list of the fields of a struct: the
// session and `--json` follow from it. Anybody may write a session: who reads a value checks that it makes sense.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "core/result/fields.h"

namespace cubinlab {

// The iterations of one loop, known from the code and the launch.
struct KnownPasses {
    std::uint64_t header = ~std::uint64_t{0};  // byte offset of the loop's first block
    std::uint64_t passes = ~std::uint64_t{0};
};

template <FieldsOf<KnownPasses> T>
void visit_fields(T& k, auto&& visit) {
    visit("header", k.header);
    visit("passes", k.passes);
}

// Empty: the stored form does not say.
struct ModelInfo {
    std::optional<std::uint64_t> version, warps_per_subcore, threads_per_block, dynamic_shared_bytes,
        blocks_in_grid;
    std::optional<std::uint64_t> loops;       // of the kernel
    std::optional<std::uint64_t> loop_trips;  // assumed of each loop that known_passes does not name
    std::vector<KnownPasses> known_passes;
};

template <FieldsOf<ModelInfo> T>
void visit_fields(T& m, auto&& visit) {
    visit("model_version", m.version);
    visit("warps_per_subcore", m.warps_per_subcore);
    visit("threads_per_block", m.threads_per_block);
    visit("dynamic_shared_bytes", m.dynamic_shared_bytes);
    visit("blocks_in_grid", m.blocks_in_grid);
    visit("loops", m.loops);
    visit("loop_trips", m.loop_trips);
    visit("known_passes", m.known_passes);
}

}  // namespace cubinlab
