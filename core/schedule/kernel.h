// SPDX-License-Identifier: GPL-3.0-or-later
// The immutable original kernel that schedules reorder. Shared by all threads.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/base/hash.h"
#include "core/base/result.h"
#include "core/binary/cubin.h"
#include "core/sass/instruction.h"
#include "core/schedule/flow_graph.h"

namespace cubinlab {

class Kernel {
  public:
    // If `name` is empty, loads the only kernel of the cubin.
    static Result<std::shared_ptr<const Kernel>> load(std::shared_ptr<const Cubin> cubin,
                                                      std::string_view name = {});

    const Cubin& cubin() const { return *cubin_; }
    std::shared_ptr<const Cubin> cubin_ptr() const { return cubin_; }
    const KernelInfo& info() const { return *info_; }
    const std::string& name() const { return info_->name; }
    const Arch& arch() const { return cubin_->arch(); }

    std::size_t size() const { return instructions_.size(); }  // instructions
    const Instruction& instruction(InstrId id) const { return instructions_[id]; }
    const std::vector<Instruction>& instructions() const {
        return instructions_;
    }  // by InstrId, original order
    const FlowGraph& flow() const { return flow_; }
    BlockId block_of(InstrId id) const { return flow_.block_of[id]; }

    // Why a word cannot move: terminators, address-dependent words, words with a relocation that rewrites
    // them, unknown opcodes, words that an attribute of unknown layout may name. Empty: movable.
    const std::string& pin_reason(InstrId id) const { return pins_[id]; }
    bool pinned(InstrId id) const { return !pins_[id].empty(); }

    Hash128 hash() const { return hash_; }  // of the code words as in the file

  private:
    Kernel() = default;
    std::shared_ptr<const Cubin> cubin_;
    const KernelInfo* info_ = nullptr;
    std::vector<Instruction> instructions_;
    FlowGraph flow_;
    std::vector<std::string> pins_;
    Hash128 hash_;
};

using KernelPtr = std::shared_ptr<const Kernel>;

}  // namespace cubinlab
