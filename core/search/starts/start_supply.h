// SPDX-License-Identifier: GPL-3.0-or-later
// What a search over starts knows of the kernel and asks for.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/ptx/order_facts.h"
#include "core/schedule/kernel.h"
#include "core/start/start.h"

namespace cubinlab {

// The starts that a search can propose: a compiler with its options, and an order of the PTX.
struct StartSpace {
    std::vector<Start> compilers;  // without keys; not empty
    std::size_t units = 0;         // of the PTX that can move; 0: its order is fixed
    std::shared_ptr<const ptx::OrderFacts> facts = nullptr;  // for a policy that builds orders; null: there is no PTX
};

// Gives the kernels of starts. The same start gives the same kernel, whatever was asked before.
class StartSupply {
  public:
    virtual ~StartSupply() = default;
    // Results have the order of `starts`. The error of one: it does not compile, or does not fit the launch. Any thread, one
    // at a time.
    virtual std::vector<Result<KernelPtr>> make(std::span<const Start> starts) = 0;
};

// Its name in a session: 16 hexadecimal digits of the hash of what it is made of.
std::string name_of(const Start& start);

}  // namespace cubinlab
