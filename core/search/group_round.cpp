// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/group_round.h"

#include <algorithm>

namespace cubinlab {
namespace {

constexpr std::size_t kMostTests = 1 << 20;
constexpr std::size_t kMostBest = 100;

void save_edits(StateWriter& out, const std::vector<std::uint8_t>& edits) {
    out.number(edits.size());
    for (const std::uint8_t e : edits)
        out.number(e);
}

void save_reals(StateWriter& out, const std::vector<double>& values) {
    out.number(values.size());
    for (const double value : values)
        out.real(value);
}

std::vector<double> restored_reals(StateReader& in, std::size_t most) {
    std::vector<double> out;
    for (std::size_t left = in.count(8, most); left > 0 && in.good(); --left)
        out.push_back(in.real());
    return out;
}

}  // namespace

void save_pool(StateWriter& out, const std::vector<PoolEdit>& pool) {
    out.number(pool.size());
    for (const PoolEdit& edit : pool) {
        out.mutation(edit.mutation);
        out.number(static_cast<std::uint64_t>(edit.kind));
        out.flag(edit.open);
    }
}

std::vector<PoolEdit> restored_pool(StateReader& in, std::size_t most) {
    std::vector<PoolEdit> out;
    for (std::size_t left = in.count(3, most); left > 0 && in.good(); --left) {
        Mutation mutation = in.mutation();
        const int kind = static_cast<int>(in.number(kEditClasses - 1));
        out.push_back({std::move(mutation), kind, in.flag()});
    }
    return out;
}

void GroupRound::save(StateWriter& out) const {
    save_pool(out, pool);
    if (pool.empty()) return;
    out.number(static_cast<std::uint64_t>(phase));
    out.number(next);
    out.number(made);
    out.number(taken);
    out.number(tests.size());
    for (const GroupTest& test : tests) {
        save_edits(out, test.edits);
        out.real(test.value);
    }
    for (const std::vector<double>* values : {&fit.effect, &fit.error, &fit.base, &fit.base_error})
        save_reals(out, *values);
    out.real(fit.noise);
    out.real(fit.explained);
    out.number(combinations.size());
    for (const auto& edits : combinations)
        save_edits(out, edits);
    out.number(candidates.size());
    for (const GroupCandidate& candidate : candidates) {
        out.estimated(candidate.at);
        save_edits(out, candidate.edits);
    }
    out.number(best_tests.size());
    for (const BestTest& best : best_tests) {
        out.mutation(best.proposal.mutation);
        save_edits(out, best.edits);
        out.real(best.value);
    }
}

std::vector<std::uint8_t> GroupRound::restored_edits(StateReader& in) const {
    std::vector<std::uint8_t> out;
    for (std::size_t left = in.count(1, pool.size()); left > 0 && in.good(); --left)
        out.push_back(static_cast<std::uint8_t>(in.number(pool.size() - 1)));
    return out;
}

void GroupRound::restore_tests(StateReader& in) {
    for (std::size_t left = in.count(9, kMostTests); left > 0 && in.good(); --left) {
        std::vector<std::uint8_t> edits = restored_edits(in);
        if (!std::is_sorted(edits.begin(), edits.end())) in.wrong("a test's edits are not in order");
        tests.push_back({std::move(edits), in.real(), 0});
    }
}

void GroupRound::restore_fit(StateReader& in) {
    fit.effect = restored_reals(in, pool.size());
    fit.error = restored_reals(in, pool.size());
    fit.base = restored_reals(in, 1);
    fit.base_error = restored_reals(in, 1);
    fit.noise = in.real();
    fit.explained = in.real();
    const bool fitted = phase != GroupPhase::Singles;
    if (fit.effect.size() != fit.error.size() || (fitted && fit.effect.size() != pool.size()))
        in.wrong("a fit is not of its round");
}

GroupRound GroupRound::restored(StateReader& in, std::size_t most_edits, const Standing& here) {
    GroupRound out;
    out.pool = restored_pool(in, most_edits);
    if (out.pool.empty()) return out;
    out.phase = static_cast<GroupPhase>(in.number(static_cast<std::uint64_t>(GroupPhase::Combine)));
    out.next = in.number(out.pool.size());
    out.made = in.number(kMostTests);
    out.taken = in.number(out.pool.size());
    out.restore_tests(in);
    out.restore_fit(in);
    for (std::size_t left = in.count(1, kMostTests); left > 0 && in.good(); --left)
        out.combinations.push_back(out.restored_edits(in));
    for (std::size_t left = in.count(18, kMostTests); left > 0 && in.good(); --left) {
        Standing at = in.estimated();
        out.candidates.push_back({std::move(at), out.restored_edits(in)});
    }
    for (std::size_t left = in.count(10, kMostBest); left > 0 && in.good(); --left) {
        Mutation mutation = in.mutation();
        Schedule result = in.after(here.schedule, mutation);
        std::vector<std::uint8_t> edits = out.restored_edits(in);
        out.best_tests.push_back({{here.step, std::move(mutation), std::move(result), false, Look{}},
                                  std::move(edits),
                                  in.real()});
    }
    return out;
}

}  // namespace cubinlab
