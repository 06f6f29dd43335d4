// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/opcode_table.h"

#include <array>

namespace cubinlab::sass {
namespace {

// Index by [generation][opcode]; architectures with the same table are one generation.
enum Generation { kSm75, kSm80, kSm86, kSm90, kSm100, kSm103, kSm120, kGenerations };

int generation_of(int sm) {
    if (sm < 80) return kSm75;
    if (sm < 86) return kSm80;
    if (sm < 100) return sm < 90 ? kSm86 : kSm90;
    if (sm >= 103 && sm < 110) return kSm103;
    return sm < 120 ? kSm100 : kSm120;
}

constexpr int kRepresentative[kGenerations] = {75, 80, 86, 90, 100, 103, 120};

struct Lookup {
    std::array<std::array<const OpcodeRow*, 4096>, kGenerations> rows{};

    Lookup() {
        for (auto family : {integer_rows(), float_rows(), convert_rows(), mma_rows(), memory_rows(),
                            control_rows(), warp_rows(), async_rows(), texture_rows(), tensor_rows()})
            for (const OpcodeRow& row : family)
                insert(row);
    }

    void insert(const OpcodeRow& row) {
        for (int g = 0; g < kGenerations; ++g) {
            if (kRepresentative[g] < row.min_sm || kRepresentative[g] > row.max_sm) continue;
            for (unsigned form = 0; form < 8; ++form)
                if (row.forms >> form & 1) {
                    auto& slot = rows[static_cast<std::size_t>(g)][row.base | form << 9];
                    assert(slot == nullptr && "two table rows claim one opcode");
                    slot = &row;
                }
        }
    }
};

}  // namespace

const OpcodeRow* find_opcode(int sm, unsigned opcode) {
    static const Lookup lookup;
    return lookup.rows[static_cast<std::size_t>(generation_of(sm))][opcode & 0xfff];
}

}  // namespace cubinlab::sass
