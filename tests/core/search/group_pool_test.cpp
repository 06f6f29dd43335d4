// SPDX-License-Identifier: GPL-3.0-or-later
// The pool of a round of group tests: what it may hold, and that it hangs on nothing but what it is given.
#include "core/search/agents/group_pool.h"

#include <set>

#include "tests/core/search/search_fixture.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

constexpr std::size_t kSize = 20;

struct Source {
    SearchContext context = bmm_context();
    Neighbourhood around{context};
    std::vector<PoolEdit> carried;
    std::array<double, kEditClasses> credit = kClassPrior;

    PoolDraft draft(const Schedule& from, bool reverts, std::uint64_t seed = 7, std::size_t swept = 0) const {
        return draft_pool({around, *context.checker, context.start, carried, credit, kSize}, from, reverts,
                          Rng(seed), swept);
    }
    // So many legal edits away from the start.
    Schedule changed(std::size_t edits) const {
        Rng rng(5);
        Schedule out = context.start;
        while (difference(context.start, out).edits.size() < edits)
            if (auto next = around.draw(out, EditClass::MoveAndPay, rng)) out = next->result;
        return out;
    }
};

std::vector<std::string> words(const PoolDraft& draft) {
    std::vector<std::string> out;
    for (const PoolEdit& edit : draft.pool)
        out.push_back(edit.mutation.encode());
    return out;
}

}  // namespace

TEST_CASE("group pool: legal edits of the schedule, no two with the same words, as many as asked for") {
    const Source source;
    const Schedule from = source.changed(3);
    const PoolDraft draft = source.draft(from, false);
    CHECK(draft.of == from.hash());
    CHECK_FALSE(draft.reverts);
    CHECK(draft.pool.size() == kSize);
    std::set<std::string> results;
    for (const PoolEdit& edit : draft.pool) {
        CHECK(source.around.legal(from, edit.mutation));
        const auto result = required(edit.mutation.applied(from));
        CHECK(result->hash() != from.hash());
        CHECK(results.insert(result->hash().hex()).second);
    }
}

TEST_CASE("group pool: the same of the same, whatever was drawn in between") {
    const Source source;
    const Schedule from = source.changed(3);
    const PoolDraft once = source.draft(from, false);
    (void)source.draft(source.context.start, false, 8);
    const PoolDraft again = source.draft(from, false);
    CHECK(words(once) == words(again));
    CHECK(once.rng.state() == again.rng.state());
    CHECK(once.swept == again.swept);
    CHECK(words(source.draft(from, false, 8)) != words(once));
}

TEST_CASE(
    "group pool: what was promising comes first where it is still legal, and the sweep goes on where it "
    "stood") {
    Source source;
    const PoolDraft first = source.draft(source.context.start, false);
    CHECK(first.swept > 0);
    source.carried = {first.pool[3], first.pool[9]};
    const PoolDraft second = source.draft(source.context.start, false, 9, first.swept);
    CHECK(words(second)[0] == words(first)[3]);
    CHECK(words(second)[1] == words(first)[9]);
    CHECK(second.swept > first.swept);
}

TEST_CASE("group pool: taking back needs much that was changed, and each of its edits leads back") {
    const Source source;
    CHECK_FALSE(source.draft(source.changed(2), true).reverts);
    const Schedule far = source.changed(30);
    const PoolDraft draft = source.draft(far, true);
    REQUIRE(draft.reverts);
    const std::size_t away = difference(far, source.context.start).edits.size();
    std::size_t nearer = 0;
    for (const PoolEdit& edit : draft.pool) {
        const auto result = required(edit.mutation.applied(far));
        CHECK(source.around.legal(far, edit.mutation));
        if (difference(*result, source.context.start).edits.size() < away) ++nearer;
    }
    CHECK(2 * nearer > draft.pool.size());
}
