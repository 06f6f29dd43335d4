// SPDX-License-Identifier: GPL-3.0-or-later
// Small loops of a sample's own instructions, whose modelled cycles can be worked out by hand.
#pragma once
#include <string_view>
#include <vector>

#include "core/model/sm_model.h"
#include "app/lab/synthetic_kernel.h"
#include "tests/support/sample_checker.h"

namespace cubinlab::test {

inline KernelPtr donor() {
    static const KernelPtr kernel = checker_of_sample("flash_attn")->kernel();
    return kernel;
}

// A word of the donor with this name, with these control fields. FADD: without a guard.
inline Word word_of(std::string_view mnemonic, int stall, int write_barrier = -1, unsigned wait = 0) {
    for (const Instruction& i : donor()->instructions()) {
        if (mnemonic != i.mnemonic || i.guarded()) continue;
        ControlCode control;
        control.stall = static_cast<std::uint8_t>(stall);
        control.yield = false;
        control.write_barrier = write_barrier < 0 ? kNoBarrier : static_cast<std::uint8_t>(write_barrier);
        control.read_barrier = kNoBarrier;
        control.wait_mask = static_cast<std::uint8_t>(wait);
        control.reuse = 0;
        return control.encode_into(i.word);
    }
    FAIL("the donor has no " << mnemonic);
    return {};
}

// The words as a loop under P0, and an end behind it.
inline KernelPtr loop_of(std::vector<Word> body) {
    const int back = -static_cast<int>(body.size()) - 1;
    body.push_back(branch_word(donor()->arch(), back, 0));
    body.push_back(word_of("EXIT", 5));
    auto kernel = required(kernel_with_words(*donor(), body));
    return *kernel;
}

// The words and an end behind them: no loop.
inline KernelPtr path_of(std::vector<Word> body) {
    body.push_back(word_of("EXIT", 5));
    auto kernel = required(kernel_with_words(*donor(), body));
    return *kernel;
}

inline SmModelSettings alone() {
    SmModelSettings settings;
    settings.warps_per_subcore = 1;
    return settings;
}

}  // namespace cubinlab::test
