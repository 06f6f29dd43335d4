// SPDX-License-Identifier: GPL-3.0-or-later
// The facts about an entry that a policy that builds orders uses, besides the dependences: kinds, chains weighted by latency,
// registers and loops. Figures mean the same in every kernel. Latencies are orders of magnitude by class of opcode, in cycles;
// they are not measured, and no proof uses them.
//
//   const ptx::OrderFacts facts = TRY(ptx::order_facts(module, "kernel"));
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/ptx/order.h"

namespace cubinlab::ptx {

struct UnitFacts {
    bool global = false, shared = false;  // the memory that it names
    bool feeds_load = false;              // a load or a copy of its block depends on its result, directly or through other units
    bool feeds_matrix = false;            // likewise a matrix instruction
    float latency = 0;                    // until a reader of its result can issue
    float before = 0;                     // the longest chain of latencies that leads to it
    float after = 0;                      // the longest one from it, its own included
    std::uint32_t first_use = 0;          // units of its block until its first reader; 0: no unit of its block reads it
    std::vector<std::uint32_t> reads, writes;  // OrderFacts::values
};

// A register in one block.
struct BlockValue {
    std::uint32_t registers = 1;  // of 32 bits, by the usual names: 2 for %rd and %fd, 0 for predicates
    std::uint32_t reads = 0;      // units of the block that read it
    bool outside = false;         // other blocks use it
    bool comes_in = false;        // the block reads it before it writes it
};

struct OrderFacts {
    Order order;
    std::vector<UnitFacts> units;
    std::vector<BlockValue> values;        // of all blocks
    std::vector<std::uint32_t> loop_depth;  // by block
};

// Errors: NotFound (no such entry with a body).
Result<OrderFacts> order_facts(const Module& module, std::string_view entry);

}  // namespace cubinlab::ptx
