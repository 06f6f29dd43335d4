// SPDX-License-Identifier: GPL-3.0-or-later
// The hint searcher against figures that depend on hints alone.
#include <set>

#include "core/model/sm_model.h"
#include "core/search/agents/sub_searcher.h"
#include "core/search/moves/hint_moves.h"
#include "tests/core/search/search_fixture.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

const SearchContext& softmax_context() {
    static const SearchContext context = context_of_sample("softmax");
    return context;
}

Eviction eviction_of(const Schedule& schedule, InstrId id) {
    return CacheHint::from_bits(schedule.field(kHintField, id)).eviction;
}

std::vector<InstrId> accesses(const Kernel& kernel, bool stores) {
    std::vector<InstrId> out;
    for (InstrId id = 0; id < kernel.size(); ++id)
        if (const Instruction& i = kernel.instruction(id); has_eviction(i.word) && i.memory.writes == stores)
            out.push_back(id);
    return out;
}

// Loads gain by evict_first, stores lose by every hint but evict_last.
double worth(const Schedule& schedule) {
    double out = 0;
    const Kernel& kernel = *schedule.kernel();
    const std::vector<InstrId> loads = accesses(kernel, false), stores = accesses(kernel, true);
    for (const InstrId id : loads)
        out += eviction_of(schedule, id) == Eviction::First ? 0.06 / static_cast<double>(loads.size()) : 0;
    for (const InstrId id : stores)
        if (const Eviction e = eviction_of(schedule, id); e != Eviction::Normal)
            out += (e == Eviction::Last ? 0.02 : -0.1) / static_cast<double>(stores.size());
    return out;
}

}  // namespace

TEST_CASE("hints: whole-kernel settings first, and what gains is found together", "[hints]") {
    const SearchContext context = softmax_context();
    const auto searcher = make_hint_searcher(context);
    StepId step = 0;
    std::size_t first_size = 0;
    std::vector<Schedule> known{context.start};
    for (std::vector<Proposal> batch = searcher->propose(8); !batch.empty(); batch = searcher->propose(8)) {
        std::vector<Observation> seen;
        for (const Proposal& p : batch) {
            if (step == 0) first_size = p.mutation.edits.size();
            CHECK(context.checker->legal(p.result));
            CHECK(*p.mutation.applied(known[static_cast<std::size_t>(p.parent)]) == p.result);
            for (const Edit& edit : p.mutation.edits) {
                REQUIRE(edit.kind == EditKind::Hint);
                const CacheHint before = CacheHint::from_bits(edit.before),
                                after = CacheHint::from_bits(edit.after);
                CHECK(before.prefetch == after.prefetch);
                CHECK(after.eviction != Eviction::LastUse);
            }
            known.push_back(p.result);
            seen.push_back({++step, figure(Verdict::Unclear, worth(p.result), 0.001), false, false});
        }
        searcher->observe(seen);
        REQUIRE(step < 600);
    }
    CHECK(first_size == accesses(*context.kernel, false).size() + accesses(*context.kernel, true).size());
    CHECK(worth(searcher->here().schedule) > 0.079);
    CHECK(worth(searcher->here().schedule) == worth(known[static_cast<std::size_t>(searcher->here().step)]));
}

TEST_CASE("hints: where none gains, the start stays", "[hints]") {
    const SearchContext context = softmax_context();
    const auto searcher = make_hint_searcher(context);
    StepId step = 0;
    for (std::vector<Proposal> batch = searcher->propose(16); !batch.empty(); batch = searcher->propose(16)) {
        std::vector<Observation> seen;
        for (std::size_t i = 0; i < batch.size(); ++i)
            seen.push_back({++step, figure(Verdict::Unclear, -0.001, 0.002), false, false});
        searcher->observe(seen);
    }
    CHECK(searcher->here().step == 0);
    CHECK(step > 0);
}

TEST_CASE("hints: the model has no caches, so no agent proposes any there", "[hints]") {
    const auto model = make_model_evaluator(softmax_context().kernel, {});
    CHECK_FALSE(model->judges(EditKind::Hint));
    CHECK(model->judges(EditKind::Control));
    SearchContext context = softmax_context();
    RunSettings settings;
    settings.agent = "auto";
    settings.budget.steps = 120;
    MemorySink log;
    TuneRun tune(context, settings, std::move(*make_searcher("auto", context)), *model, &log, nullptr);
    REQUIRE(tune.run({}));
    for (const StepRecord& record : log.steps)
        for (const Edit& edit : record.mutation.edits)
            CHECK(edit.kind != EditKind::Hint);
}

TEST_CASE("hints: groups are by pointer and loop, and each access is in one", "[hints]") {
    const EditScope scope(softmax_context());
    const Kernel& kernel = *softmax_context().kernel;
    std::set<InstrId> seen;
    const std::vector<HintTarget> groups = hint_targets(scope, HintLevel::Group);
    CHECK(groups.size() >= 2);  // loads or copies, and stores
    for (const HintTarget& group : groups)
        for (const InstrId id : group) {
            CHECK(seen.insert(id).second);
            CHECK(kernel.instruction(id).memory.writes == kernel.instruction(group.front()).memory.writes);
        }
}
