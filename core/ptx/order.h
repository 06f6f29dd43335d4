// SPDX-License-Identifier: GPL-3.0-or-later
// Orders of an entry's instructions that compute the same. Independent instructions of a basic block exchange places;
// registers, memory, barriers and asynchronous operations keep their order (core/ptx/effects.h says which and why).
//
//   const ptx::Order order = TRY(ptx::order_of(module, "kernel"));
//   std::vector<double> keys = order.identity();      // one key a unit; these give the original text
//   keys[17] -= 40;                                    // unit 17 as early as its dependences allow
//   const std::string text = TRY(ptx::reorder(module, order, keys));
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/ptx/effects.h"
#include "core/ptx/module.h"

namespace cubinlab::ptx {

// What moves as one: an instruction with the .loc lines and comments above it, a region of inline assembly, a
// scope with all that it holds, or a label of debug data.
struct Unit {
    std::uint32_t begin = 0, end = 0;  // bytes of Module::text; the units of a block touch
    std::uint32_t block = 0;
    OpKind kind = OpKind::Arithmetic;  // of a region: its most ordered instruction
    std::uint32_t depth = 0;   // units on the longest chain of dependences that leads to it, in its block
    std::uint32_t height = 0;  // units on the longest chain that follows it
    std::uint32_t uses = 0;    // units of the block that read what it writes
};

// A run of units without a label, a branch or a declaration between them.
struct Block {
    std::uint32_t first = 0, count = 0;  // in Order::units
};

struct Order {
    std::vector<Unit> units;  // of all blocks, in text order; a key each
    std::vector<Block> blocks;
    // Unit i must precede successors[successor_begin[i] .. successor_begin[i + 1]), all of its own block.
    std::vector<std::uint32_t> successor_begin, successors;
    std::vector<std::uint32_t> predecessors;  // their number, by unit

    std::vector<double> identity() const;  // 0, 1, 2, ...
};

// Errors: NotFound (no such entry with a body).
// `effects`, unless null, receives the effects of each unit; their names point into the module's text.
Result<Order> order_of(const Module& module, std::string_view entry, std::vector<Effects>* effects = nullptr);

// The module's text in another order: among the units of a block whose predecessors are placed, the one with the smallest
// key comes next, of equal keys the first in the text. A key that is no number counts as its unit's index.
// Errors: BadUse (as many keys as units are required).
Result<std::string> reorder(const Module& module, const Order& order, std::span<const double> keys);
// As above, for one order of one entry.
Result<std::string> reorder(const Module& module, std::string_view entry, std::span<const double> keys);

}  // namespace cubinlab::ptx
