// SPDX-License-Identifier: GPL-3.0-or-later
// The observation of CuAsmRL: one row per instruction in the schedule's order, kColumns + max_sources columns
// of float32 (hgl71964/cuasmrl, HEAD 5e95082; scaling as there).
//
//   column   meaning
//   0..5     wait mask, slot i: i/6 if waited on, else -1
//   6        read barrier / 6, -1 = none
//   7        write barrier / 6, -1 = none
//   8        yield requested, 0 or 1
//   9        stall count / 16
//   10       guard predicate present, 0 or 1
//   11       index in movable_mnemonics(), -1 = any other opcode
//   12       destination operand, id / number of distinct operands, -1 = none
//   13..     source operands likewise, padded with -1
//
// The id of an operand is the order of its first appearance in the original listing. An operand is (register
// file, first register), because the paper compares printed text. Columns 10.. do not change with edits.
#pragma once
#include <cstddef>
#include <vector>

#include "core/schedule/schedule.h"

namespace cubinlab {

class PaperFeatures {
  public:
    static constexpr std::size_t kColumns = 13;  // before the sources

    explicit PaperFeatures(KernelPtr kernel);
    std::size_t rows() const { return kernel_->size(); }
    std::size_t columns() const { return kColumns + max_sources_; }

    // Row-major, rows() x columns() values.
    std::vector<float> matrix(const Schedule& schedule) const;
    void fill(const Schedule& schedule, float* out) const;

  private:
    KernelPtr kernel_;
    std::size_t max_sources_ = 0;
    std::vector<float> fixed_;  // by InstrId: columns 10 to the end
};

}  // namespace cubinlab
