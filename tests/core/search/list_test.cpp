// SPDX-License-Identifier: GPL-3.0-or-later
// List scheduling: orders that keep every dependence, made legal by scoreboards and stalls of their own, and an
// evolution that finds what a function rewards.
#include <algorithm>
#include <cmath>
#include <set>

#include "core/search/moves/evolution_strategy.h"
#include "core/search/moves/list_scheduler.h"
#include "tests/core/search/search_fixture.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

BlockId hottest(const Kernel& kernel) {
    BlockId best = 0;
    const auto& blocks = kernel.flow().blocks;
    for (BlockId b = 0; b < blocks.size(); ++b)
        if (blocks[b].loop_depth > blocks[best].loop_depth ||
            (blocks[b].loop_depth == blocks[best].loop_depth && blocks[b].count > blocks[best].count))
            best = b;
    return best;
}

}  // namespace

TEST_CASE("list: any weights give an order of the whole block that keeps every dependence") {
    const SearchContext context = bmm_context();
    const BlockId block = hottest(*context.kernel);
    const BlockProblem problem = block_problem(*context.checker, context.start, block);
    const ListScheduler scheduler(*context.checker, context.start, block);
    Rng rng(3);
    for (int i = 0; i < 20; ++i) {
        ListWeights weights;
        for (double& w : weights.weight)
            w = 3 * normal(rng);
        const std::vector<InstrId> order = scheduler.order(weights);
        REQUIRE(std::set<InstrId>(order.begin(), order.end()).size() == problem.nodes.size());
        std::vector<std::size_t> place(context.kernel->size(), 0);
        for (std::size_t p = 0; p < order.size(); ++p)
            place[order[p]] = p;
        for (const BlockEdge& edge : problem.edges)
            CHECK(place[problem.nodes[edge.first]] < place[problem.nodes[edge.second]]);
        for (std::size_t k = 0; k < problem.nodes.size(); ++k)
            if (problem.fixed[k]) CHECK(place[problem.nodes[k]] == k);
        CHECK(scheduler.order(weights) == order);
    }
}

TEST_CASE("list: the weight of the place alone gives the order as it is") {
    const SearchContext context = bmm_context();
    const BlockId block = hottest(*context.kernel);
    ListWeights weights;
    weights[ListFeature::Place] = 1;
    const ListScheduler scheduler(*context.checker, context.start, block);
    CHECK(scheduler.order(weights) == block_problem(*context.checker, context.start, block).nodes);
}

TEST_CASE("list: most orders are made legal, by the full check") {
    for (const char* name : {"bmm_mma", "flash_attn_mma", "ff_swiglu"}) {
        const KernelPtr kernel = kernel_of_sample(name);
        const CheckerPtr checker = *HazardChecker::create(kernel);
        const Schedule start(kernel);
        const BlockId block = hottest(*kernel);
        const ListScheduler scheduler(*checker, start, block);
        Rng rng(5);
        int legal = 0;
        std::set<std::string> different;
        for (int i = 0; i < 10; ++i) {
            ListWeights weights = i % 2 ? ListWeights::critical_path() : ListWeights::near_original();
            for (double& w : weights.weight)
                w += 0.5 * normal(rng);
            const auto made = reorder_block(*checker, start, block, scheduler.order(weights));
            if (!made) continue;
            ++legal;
            different.insert(made->hash().hex());
            CHECK(checker->check(*made).empty());
            // As a mutation of the start it is what it is, and the fast answer agrees.
            const Mutation mutation = difference(start, *made);
            CHECK(*mutation.applied(start) == *made);
            CHECK(checker->allows(start, mutation));
        }
        INFO(name);
        CHECK(legal >= 5);
        CHECK(different.size() >= 3);
    }
}

TEST_CASE("list: an instruction that may not be edited keeps its control code") {
    const SearchContext context = bmm_context();
    const BlockId block = hottest(*context.kernel);
    const ListScheduler scheduler(*context.checker, context.start, block);
    ReorderSettings settings;
    settings.editable.assign(context.kernel->size(), true);
    const Block& b = context.kernel->flow().blocks[block];
    for (InstrId id = b.first; id < b.first + b.count / 2; ++id)
        settings.editable[id] = false;
    const auto made = required(reorder_block(*context.checker, context.start, block,
                                             scheduler.order(ListWeights::near_original()), settings));
    for (InstrId id = b.first; id < b.first + b.count / 2; ++id)
        CHECK(made->control(id) == context.start.control(id));
}

TEST_CASE("tighten: a padded block comes back to as few cycles as the compiler's, legal") {
    const SearchContext context = bmm_context();
    const BlockId block = hottest(*context.kernel);
    const Block& b = context.kernel->flow().blocks[block];
    Schedule padded = context.start;
    for (InstrId id = b.first; id < b.end(); id += 3) {
        ControlCode code = padded.control(id);
        if (code.stall >= 9 || context.kernel->pinned(id)) continue;
        code.stall = static_cast<std::uint8_t>(code.stall + 2);
        if (!context.checker->allows(padded, Mutation::control(padded, id, code))) continue;
        padded.set_control(id, code);
    }
    REQUIRE(context.checker->check(padded).empty());
    const auto tight = required(tighten_stalls(*context.checker, padded, std::vector{block}));
    CHECK(context.checker->check(*tight).empty());
    CHECK(tight->order() == padded.order());
    CHECK(block_cycles(*tight, block) <= block_cycles(context.start, block));
    for (InstrId id = 0; id < tight->size(); ++id)
        CHECK(tight->control(id).wait_mask == padded.control(id).wait_mask);
    // Nothing is left to take: no single stall of the block can be lowered to shorten it further.
    const auto again = tighten_stalls(*context.checker, *tight, std::vector{block});
    CHECK_FALSE(again);
}

TEST_CASE("evolution strategy: climbs a stretched bowl, ranks alone counting") {
    Rng rng(1);
    EvolutionStrategy es(Point(14, 1.0), 0.5);
    const auto value = [](const Point& p) {
        double sum = 0;
        for (std::size_t i = 0; i < p.size(); ++i)
            sum += std::pow(10.0, static_cast<double>(i) / 7) * p[i] * p[i];
        return -sum;
    };
    const double before = value(Point(14, 1.0));
    double best = before;
    for (int generation = 0; generation < 300; ++generation) {
        std::vector<Point> points;
        std::vector<double> values;
        while (points.size() < es.size()) {
            points.push_back(es.draw(rng));
            values.push_back(std::exp(value(points.back())));
        }
        es.tell(points, values);
        for (const Point& point : points)
            best = std::max(best, value(point));
    }
    CHECK(best > before * 1e-3);
}

TEST_CASE("list: everything it proposes is legal") {
    const SearchContext context = bmm_context(2);
    auto searcher = required(make_searcher("list", context));
    StepId step = 0;
    for (int batch = 0; batch < 6; ++batch) {
        std::vector<Observation> seen;
        for (const Proposal& p : (*searcher)->propose(8)) {
            CHECK(context.checker->check(p.result).empty());
            seen.push_back(
                {++step, figure(Verdict::Unclear, 0.001 * static_cast<double>(step % 5), 0.004), false});
        }
        REQUIRE_FALSE(seen.empty());
        (*searcher)->observe(seen);
    }
}
