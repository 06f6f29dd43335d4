// SPDX-License-Identifier: GPL-3.0-or-later
// What a GPU that runs .text gives for the kernels of resources/edit_test/edit_test.ptx: by the words of the image, with
// the formulas of that file. A "clock" is the sum of the stall counts of the chain.
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "core/base/byte_view.h"
#include "core/binary/elf_image.h"

namespace cubinlab::test {

struct ScriptedTrial {
    bool compiled_constant = false;  // the driver takes the constant from somewhere else
    bool flat_clock = false;         // longer stalls take no longer
    bool needs_capsule = false;      // an image without one is refused
    std::uint32_t added = 0;         // to the first word: a wrong answer

    static ScriptedTrial from(const nlohmann::json& script) {
        return {script.value("compiled_constant", false), script.value("flat_clock", false),
                script.value("needs_capsule", false), script.value("added", 0u)};
    }
};

// Empty: it does not load.
inline std::vector<std::uint32_t> ran_trial(Bytes image, const std::string& kernel, std::uint32_t number,
                                            const ScriptedTrial& script = {}) {
    const auto elf = ElfImage::read(image, "trial");
    const ElfSection* text = elf ? elf->find(".text." + kernel) : nullptr;
    if (text == nullptr) return {};
    if (script.needs_capsule && elf->find(".nv.capmerc.text." + kernel) == nullptr) return {};
    std::uint32_t constant = 0x5bd1e995, stalls = 0;
    for (std::size_t at = 0; at + 16 <= text->bytes.size(); at += 16) {
        const auto low = load<std::uint64_t>(text->bytes, at),
                   high = load<std::uint64_t>(text->bytes, at + 8);
        if ((low & 0xfff) == 0x812 && !script.compiled_constant)
            constant = static_cast<std::uint32_t>(low >> 32);
        if ((low & 0x1ff) == 0x024)
            stalls += script.flat_clock ? 4 : static_cast<std::uint32_t>(high >> 41 & 15);
    }
    std::vector<std::uint32_t> out(64);
    for (std::uint32_t t = 0; t < 32; ++t) {
        std::uint32_t x = kernel == "edit_stores" ? number ^ t * 0x9e3779b1u : number ^ t;
        for (int i = 0; kernel == "edit_chain" && i < 5 * 256; ++i)
            x = x * (number | 1) + t + 12345;
        out[t] = kernel == "edit_stores" ? x ^ constant : x;
        out[32 + t] = kernel == "edit_stores" ? x + 0x7f4a7c15u : 4 * stalls;
    }
    out[0] += script.added;
    return out;
}

}  // namespace cubinlab::test
