// SPDX-License-Identifier: GPL-3.0-or-later
// What an edit is, in figures that mean the same in every kernel: what is moved or changed, past what, by how much, and
// where it stands between its producers and consumers. What a prior (core/search/edit_prior.h) is learned from and asked with.
#pragma once
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "core/schedule/mutation.h"

namespace cubinlab {

class EditFeatures {
  public:
    // Groups of functional units, as ports are shared: arithmetic, FMA, half, tensor, wgmma, special, MIO, LSU, loads that
    // are neither, uniform, control and barriers, other.
    static constexpr std::size_t kGroups = 12;
    // Up, down; of a control code: stall less, more, yield on, off, reuse, wait, barrier.
    static constexpr std::size_t kActs = 9;
    static constexpr std::size_t kMeasures = 20;
    static constexpr std::size_t kCount = kActs * kGroups + 2 * kGroups * kGroups + 3 * kMeasures;
    using Row = std::array<float, kCount>;

    explicit EditFeatures(KernelPtr kernel);

    // Of the mutation's first instruction; `mutation` fits `before`. All zero: it changes nothing there.
    Row of(const Schedule& before, const Mutation& mutation) const;
    static std::string name(
        std::size_t feature);  // "up FMA", "down tensor past LSU", "up: cycles to the consumer"

  private:
    KernelPtr kernel_;
    std::vector<std::uint8_t> group_;              // by InstrId
    std::vector<std::vector<InstrId>> producers_;  // by InstrId, inside its block
    std::vector<std::vector<InstrId>> consumers_;
};

std::size_t unit_group(Unit unit);

}  // namespace cubinlab
