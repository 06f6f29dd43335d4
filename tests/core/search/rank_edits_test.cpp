// SPDX-License-Identifier: GPL-3.0-or-later
// The ranking of the edits of a schedule, on the model, which is exact: each figure is computed a second time.
#include "core/search/moves/rank_edits.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/model/sm_model.h"
#include "core/search/moves/minimise.h"
#include "core/search/moves/reschedule.h"
#include "tests/core/search/search_fixture.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

double gain(Evaluator& model, const Schedule& schedule) {
    const Schedule original(schedule.kernel());
    return (*model.evaluate(std::span(&schedule, 1), original, Effort::Refine, {}))[0].speedup.log;
}

// The first groups of the ranking and one more.
bool legal_with(const SearchContext& context, const EditRanking& ranking, std::size_t first,
                std::size_t more) {
    std::set<std::size_t> with;
    for (std::size_t g = 0; g < ranking.groups.size(); ++g)
        if (g < first || g == more)
            with.insert(ranking.groups[g].edits.begin(), ranking.groups[g].edits.end());
    Mutation some;
    for (const std::size_t i : with)
        some.edits.push_back(ranking.edits.edits[i]);
    const auto schedule = some.applied(context.start);
    return schedule && context.checker->check(*schedule).empty();
}

}  // namespace

TEST_CASE("rank_edits: groups are all edits once, and each figure is that of its schedule") {
    const SearchContext context = bmm_context();
    BlockId hot = 0;
    const auto& blocks = context.kernel->flow().blocks;
    for (BlockId b = 0; b < blocks.size(); ++b)
        if (blocks[b].loop_depth > blocks[hot].loop_depth) hot = b;
    const auto winner = required(reschedule_block(*context.checker, context.start, hot, {}, {}, {}, 40));
    const auto evaluator = make_model_evaluator(context.kernel, {});
    Evaluator& model = *evaluator;
    const auto minimal = required(minimise(context.checker, model, winner->schedule, {}, {}));
    const auto ranking = required(rank_edits(context.checker, model, minimal->edits, {}));

    std::multiset<std::size_t> seen;
    for (const EditGroup& group : ranking->groups)
        seen.insert(group.edits.begin(), group.edits.end());
    REQUIRE(seen.size() == minimal->edits.edits.size());
    std::size_t next = 0;
    for (const std::size_t edit : seen)
        CHECK(edit == next++);

    const double whole = gain(model, minimal->schedule);
    int owns = 0, togethers = 0;
    for (std::size_t g = 0; g < ranking->groups.size(); ++g) {
        const EditGroup& group = ranking->groups[g];
        INFO("group " << g);
        if (group.own) {
            Mutation others;
            for (std::size_t i = 0; i < minimal->edits.edits.size(); ++i)
                if (!std::ranges::count(group.edits, i)) others.edits.push_back(minimal->edits.edits[i]);
            const auto without = required(others.applied(context.start));
            CHECK(context.checker->check(*without).empty());
            CHECK(std::abs(group.own->log - (whole - gain(model, *without))) < 1e-12);
            ++owns;
        }
        const auto first = ranking->with_first(g + 1);
        if (!group.together) continue;
        REQUIRE(first);
        CHECK(context.checker->check(*first).empty());
        CHECK(std::abs(group.together->log - gain(model, *first)) < 1e-12);
        ++togethers;
    }
    CHECK(owns > 0);
    CHECK(togethers > 0);
    // Legal first edits stay legal with the next group, unless no group at all permits it.
    for (std::size_t g = 0; g < ranking->groups.size(); ++g)
        if ((g == 0 || ranking->groups[g - 1].together) && !ranking->groups[g].together)
            for (std::size_t other = g; other < ranking->groups.size(); ++other)
                CHECK_FALSE(legal_with(context, *ranking, g, other));
    // The last row is the whole schedule.
    REQUIRE(ranking->groups.back().together);
    CHECK(*ranking->with_first(ranking->groups.size()) == minimal->schedule);
    // No edit of a minimal schedule is worthless: without it, less than the share that is kept remains.
    for (const EditGroup& group : ranking->groups)
        if (group.own && group.edits.size() == 1) CHECK(group.own->log > 0);
}

TEST_CASE("rank_edits: a stop ends it with an error") {
    const SearchContext context = bmm_context();
    const auto evaluator = make_model_evaluator(context.kernel, {});
    Evaluator& model = *evaluator;
    std::stop_source stop;
    stop.request_stop();
    Mutation none;
    const auto ranking = rank_edits(context.checker, model, none, stop.get_token());
    REQUIRE_FALSE(ranking);
    CHECK(ranking.error().code == ErrorCode::Cancelled);
}
