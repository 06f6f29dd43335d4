// SPDX-License-Identifier: GPL-3.0-or-later
// Recorded nvdisasm output: encodings, text and register life ranges (tests/data/sass, format in its README).
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/isa/arch.h"
#include "core/isa/word.h"

namespace cubinlab::test {

struct LifeRange {
    int file = 0;  // RegFile as a number
    int reg = 0;
    bool read = false;
    bool write = false;
    friend bool operator==(const LifeRange&, const LifeRange&) = default;
    friend auto operator<=>(const LifeRange&, const LifeRange&) = default;
};

struct ListedInstruction {
    std::uint32_t offset = 0;
    Word word;
    std::string text;               // blanks collapsed, labels as `(.L_x_OFFSET)
    bool has_ranges = false;        // nvdisasm leaves trailing NOPs out
    std::vector<LifeRange> ranges;  // sorted, one per register
};

struct ListedKernel {
    std::string name;
    std::vector<ListedInstruction> instructions;
};

struct ListingFile {
    std::string name;
    Arch arch;
    std::vector<ListedKernel> kernels;
};

// All recorded files; read once.
const std::vector<ListingFile>& listing_files();

// Mnemonic with modifiers, guard stripped: "LDG.E.128".
std::string listed_opcode(const std::string& text);

}  // namespace cubinlab::test
