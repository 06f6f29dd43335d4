// SPDX-License-Identifier: GPL-3.0-or-later
// The pairs of dependent instructions whose minimum distance is measured: every producer class with every
// consumer and operand slot, for GPRs, predicates, uniform registers and predicates; RAW, WAR and WAW.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/lab/probe/probe_program.h"
#include "core/legality/tables/latency.h"

namespace cubinlab::probe {

struct Pair {
    std::string name;  // "raw IADD3 -> FADD a", unique
    DependenceKind kind = DependenceKind::Raw;
    std::string first, second;               // instruction texts
    std::string resource = "R16";            // the register in common
    bool guarded = false;                    // the first writer runs under a (true) predicate
    std::vector<std::string> init, prepare;  // beyond the random operands
    std::vector<std::string> collect;        // empty: what `second` writes
};

// Every pair of the catalogue, in a fixed order.
std::vector<Pair> pair_catalogue();

// The pair at `distance` cycles from issue to issue: stall counts up to 10, filled up with NOPs.
// Errors: NotFound (an instruction that the book has not).
Result<Experiment> experiment_of(const WordBook& book, const Pair& pair, int distance);

// What the checker's tables ask for, in a search if not said otherwise; nothing where they have no entry.
Result<std::optional<int>> table_distance(const WordBook& book, const Pair& pair,
                                          CheckMode mode = CheckMode::AgainstOriginal);

// Helpers for experiments that are no pairs: random operands for all GPRs that `lines` read or write, and a
// fold of what they write into R28.
Result<std::vector<std::string>> random_operands(const WordBook& book, const std::vector<std::string>& texts,
                                                 const std::vector<std::string>& also = {});
Result<std::vector<std::string>> fold_of(const WordBook& book, const std::string& text);

}  // namespace cubinlab::probe
