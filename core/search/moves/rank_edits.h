// SPDX-License-Identifier: GPL-3.0-or-later
// Which edits of a schedule matter: for each group of edits, what the schedule loses without it, and the gain of the
// first groups together. A group is one edit, or edits that can only be taken away together (an instruction that moves
// and the wait that goes with it). The groups come in the order of their own effects, as far as the first N of them
// are legal.
//
//   const auto ranking = TRY(rank_edits(checker, evaluator, minimised.edits, stop));
//   ranking.groups[0].own          // speed-up of the schedule over the same one without the first group
//   ranking.with_first(3)          // the original with the three that matter most
#pragma once
#include <optional>
#include <stop_token>
#include <vector>

#include "core/legality/hazard_checker.h"
#include "core/result/evaluator.h"
#include "core/schedule/mutation.h"

namespace cubinlab {

struct EditGroup {
    std::vector<std::size_t> edits;   // indices into EditRanking::edits, ascending
    std::optional<Speedup> own;       // empty: the others are not legal without it, or it did not run
    std::optional<Speedup> together;  // of this group and those before it over the original; empty: not legal
};

struct EditRanking {
    KernelPtr kernel;
    Mutation edits;  // from the original, as ranked
    std::vector<EditGroup> groups;

    Mutation edits_of(const EditGroup& group) const;
    // The original with the first `count` groups. Nothing: they do not apply. Legal where `together` has a value.
    std::optional<Schedule> with_first(std::size_t count) const;
};

// `edits`: from the original to a legal schedule. Evaluates each group twice, with Effort::Refine. Errors: those of the
// evaluator; Cancelled.
Result<EditRanking> rank_edits(const CheckerPtr& checker, Evaluator& evaluator, const Mutation& edits,
                               std::stop_token stop);

}  // namespace cubinlab
