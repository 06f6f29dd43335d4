// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/group_round.h"

#include <algorithm>

namespace cubinlab {
namespace {

constexpr std::size_t kMostTests = 1 << 20;
constexpr std::size_t kMostBest = 100;
constexpr std::uint64_t kMostDevices = 0xffff;

// Edits are numbers of the pool's.
template <class F, class E>
void edits_fields(F& f, E& edits, std::size_t pool) {
    f.each(
        edits, 1, pool, [] { return std::uint8_t{}; }, [&](auto& edit) { f.number(edit, pool - 1); });
}

template <class F, class T>
void tests_fields(F& f, T& tests, std::size_t pool) {
    f.each(
        tests, 18, kMostTests, [] { return GroupTest{}; },
        [&](auto& test) {
            edits_fields(f, test.edits, pool);
            if constexpr (F::kReads)
                if (!std::is_sorted(test.edits.begin(), test.edits.end()))
                    f.in.wrong("a test's edits are not in order");
            f.real(test.value);
            f.real(test.reference);
            f.number(test.device, kMostDevices);
        });
}

template <class F, class V>
void reals_fields(F& f, V& values, std::size_t most) {
    f.each(
        values, 8, most, [] { return 0.0; }, [&](auto& value) { f.real(value); });
}

template <class F, class G>
void fit_fields(F& f, G& fit, std::size_t pool, bool fitted) {
    reals_fields(f, fit.effect, pool);
    reals_fields(f, fit.error, pool);
    reals_fields(f, fit.base, 1);
    reals_fields(f, fit.base_error, 1);
    f.real(fit.noise);
    f.real(fit.explained);
    if constexpr (F::kReads)
        if (fit.effect.size() != fit.error.size() || (fitted && fit.effect.size() != pool))
            f.in.wrong("a fit is not of its round");
}

template <class F, class R>
void fields(F& f, R& round, std::size_t most_edits, const Standing& here) {
    pool_fields(f, round.pool, most_edits);
    const std::size_t pool = round.pool.size();
    if (pool == 0) return;
    f.number(round.phase, static_cast<std::uint64_t>(GroupPhase::Combine));
    f.number(round.next, pool);
    f.number(round.made, kMostTests);
    f.number(round.taken, pool);
    tests_fields(f, round.tests, pool);
    fit_fields(f, round.fit, pool, round.phase != GroupPhase::Singles);
    f.each(
        round.combinations, 1, kMostTests, [] { return std::vector<std::uint8_t>{}; },
        [&](auto& edits) { edits_fields(f, edits, pool); });
    f.each(
        round.candidates, 18, kMostTests,
        [&] {
            return GroupCandidate{here, {}};
        },
        [&](auto& candidate) {
            f.estimated(candidate.at);
            edits_fields(f, candidate.edits, pool);
        });
    f.each(
        round.best_tests, 10, kMostBest,
        [&] {
            return BestTest{{here.step, {}, here.schedule, false, Look{}}, {}, 0};
        },
        [&](auto& best) {
            f.mutation(best.proposal.mutation);
            if constexpr (F::kReads) best.proposal.result = f.in.after(here.schedule, best.proposal.mutation);
            edits_fields(f, best.edits, pool);
            f.real(best.value);
        });
}

}  // namespace

void round_fields(FieldWriter& f, const GroupRound& round, std::size_t most_edits, const Standing& here) {
    fields(f, round, most_edits, here);
}

void round_fields(FieldReader& f, GroupRound& round, std::size_t most_edits, const Standing& here) {
    round = {};
    fields(f, round, most_edits, here);
}

}  // namespace cubinlab
