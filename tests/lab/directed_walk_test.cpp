// SPDX-License-Identifier: GPL-3.0-or-later
// Every legal edit around asynchronous and fence instructions, held against brute force.
#include "app/lab/fuzz/directed_walk.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "app/lab/fuzz/fuzz.h"
#include "tests/support/sample_checker.h"

using namespace cubinlab;

namespace {

CheckerPtr checker_of(const std::string& name) {
    return test::checker_of_sample("../tests/data/gpu/" + name);
}

// By name, as PTX's and the hardware's manuals list them, and whatever orders accesses: strong loads and
// stores, atomics, EXIT.
bool listed(const Instruction& instruction) {
    static const std::set<std::string_view> kNames{
        "BAR",      "WARPGROUP", "SYNCS",  "UBLKCP", "UTMALDG",   "UTMASTG", "UTMACMDFLUSH",
        "UTMACCTL", "HGMMA",     "LDGSTS", "MEMBAR", "LDGDEPBAR", "DEPBAR",  "ARRIVES",
        "FENCE",    "ERRBAR",    "CCTL",   "ELECT",  "CGAERRBAR"};
    return kNames.contains(instruction.mnemonic) || instruction.has(Trait::Fence);
}

// All moves in all blocks that pass a listed instruction, by the full check of the result.
std::set<std::string> moves_by_force(const HazardChecker& checker, const Schedule& base) {
    const Kernel& kernel = *base.kernel();
    std::set<std::string> out;
    for (InstrId id = 0; id < kernel.size(); ++id) {
        const Block& block = kernel.flow().blocks[kernel.block_of(id)];
        const Position at = base.position_of(id);
        for (Position to = block.first; to < block.end(); ++to) {
            if (to == at) continue;
            bool passes = listed(kernel.instruction(id));
            for (Position p = std::min(at, to); p <= std::max(at, to); ++p)
                passes = passes || listed(kernel.instruction(base.at(p)));
            if (!passes) continue;
            const Mutation move = Mutation::move_to(base, id, to);
            const auto moved = move.applied(base);
            if (moved && checker.legal(*moved)) out.insert(move.encode());
        }
    }
    return out;
}

int fields_changed(const ControlCode& a, const ControlCode& b) {
    return (a.stall != b.stall) + (a.yield != b.yield) + (a.write_barrier != b.write_barrier) +
           (a.read_barrier != b.read_barrier) + (a.wait_mask != b.wait_mask) + (a.reuse != b.reuse);
}

struct CountingGpu final : Evaluator {
    const EvaluatorInfo& info() const override { return facts; }
    Result<std::vector<Outcome>> evaluate(std::span<const Schedule> candidates, const Schedule&, Effort,
                                          std::stop_token) override {
        std::vector<Outcome> out(candidates.size());
        for (std::size_t i = 0; i < out.size(); ++i) {
            ++runs[candidates[i].hash().hex()];
            out[i].kind = broken && broken(candidates[i]) ? OutcomeKind::Fault : OutcomeKind::Ok;
        }
        return out;
    }
    EvaluatorInfo facts;
    std::map<std::string, int> runs;
    std::function<bool(const Schedule&)> broken;
};

FuzzSettings directed(std::uint64_t base) {
    FuzzSettings out;
    out.directed_base = base;
    out.candidates = 1u << 30;
    out.bad_every = 0;
    return out;
}

}  // namespace

TEST_CASE("directed moves are exactly the legal moves past a listed instruction", "[directed]") {
    for (const char* name : {"bulk_ring", "wgmma_regs", "warp_flags"}) {
        const CheckerPtr checker = checker_of(name);
        const WalkMaker maker(checker, 3);
        for (const Schedule& base : {Schedule(checker->kernel()), maker.make(1).schedule}) {
            INFO(name);
            std::set<std::string> moves;
            for (const DirectedEdit& edit : directed_edits(*checker, base)) {
                CHECK_FALSE(edit.concerns.empty());
                if (edit.mutation.edits.size() == 1 && edit.mutation.edits.front().kind != EditKind::Control)
                    CHECK(moves.insert(edit.mutation.encode()).second);
            }
            CHECK_FALSE(moves.empty());
            CHECK(moves == moves_by_force(*checker, base));
        }
    }
}

TEST_CASE("what only distances forbid is moved and paid for", "[directed]") {
    const CheckerPtr checker = checker_of("wgmma_ring");
    const Kernel& kernel = *checker->kernel();
    const Schedule base(checker->kernel());
    std::size_t paid = 0, arrive = 0;
    for (const DirectedEdit& edit : directed_edits(*checker, base)) {
        if (edit.mutation.edits.size() < 2) continue;
        const Edit& move = edit.mutation.edits.front();
        REQUIRE(move.kind != EditKind::Control);
        Mutation alone;
        alone.edits.push_back(move);
        CHECK_FALSE(checker->legal(*alone.applied(base)));
        CHECK(checker->legal(*edit.mutation.applied(base)));
        arrive += std::string_view(kernel.instruction(move.instr).mnemonic) == "WARPGROUP";
        ++paid;
    }
    CHECK(paid > 50);
    CHECK(arrive > 0);
}

TEST_CASE("directed control codes are legal, change one field, and hold every legal stall", "[directed]") {
    const CheckerPtr checker = checker_of("wgmma_regs");
    const Kernel& kernel = *checker->kernel();
    const Schedule base(checker->kernel());
    std::set<std::pair<InstrId, int>> stalls, expected;
    std::size_t number = 0;
    for (const DirectedEdit& edit : directed_edits(*checker, base)) {
        const Edit& one = edit.mutation.edits.front();
        if (one.kind != EditKind::Control) continue;
        REQUIRE(edit.mutation.edits.size() == 1);
        CHECK(fields_changed(one.control_before(), one.control_after()) == 1);
        if (++number % 7 == 0) CHECK(checker->legal(*edit.mutation.applied(base)));
        if (one.control_before().stall != one.control_after().stall)
            stalls.insert({one.instr, one.control_after().stall});
    }
    for (InstrId id = 0; id < kernel.size(); ++id) {
        bool near = false;
        for (InstrId other = id == 0 ? 0 : id - 1; other < kernel.size() && other <= id + 1; ++other)
            near =
                near || (kernel.block_of(other) == kernel.block_of(id) && listed(kernel.instruction(other)));
        for (std::uint8_t stall = 0; near && stall < 16; ++stall) {
            ControlCode control = base.control(id);
            if (control.stall == stall) continue;
            control.stall = stall;
            if (checker->legal(*Mutation::control(base, id, control).applied(base)))
                expected.insert({id, stall});
        }
    }
    CHECK(number > 100);
    CHECK(stalls == expected);
}

TEST_CASE("each directed edit is run once, and a run can be split", "[directed]") {
    const CheckerPtr checker = checker_of("bulk_ring");
    const WalkMaker maker(checker, 1);
    const DirectedWalks walks(checker, maker, 0);
    CountingGpu gpu;
    const auto whole = required(fuzz_kernel(checker, &gpu, directed(0), {}, {}));
    CHECK(whole->directed == walks.count());
    CHECK(whole->legal == walks.count());
    CHECK(whole->next_walk == walks.count());
    CHECK(whole->legal_failed == 0);
    CHECK(whole->disagreements == 0);
    CHECK(whole->end.empty());
    CHECK(whole->by_concern.contains("SYNCS"));
    CHECK(whole->by_concern.contains("UBLKCP"));
    std::set<std::string> different;
    for (std::uint64_t i = 0; i < walks.count(); ++i)
        different.insert(walks.make(i)->schedule.hash().hex());
    CHECK(gpu.runs.size() == different.size());
    CHECK_FALSE(walks.make(walks.count()));

    FuzzSettings part = directed(0);
    part.candidates = 20;
    part.batch = 8;
    const auto first = fuzz_kernel(checker, nullptr, part, {}, {});
    part.first = first->next_walk;
    part.candidates = 1u << 30;
    const auto second = fuzz_kernel(checker, nullptr, part, {}, {});
    CHECK(first->legal == 20);
    CHECK(first->legal + second->legal == whole->legal);
    std::map<std::string, std::uint64_t> sum = first->by_concern;
    for (const auto& [name, count] : second->by_concern)
        sum[name] += count;
    CHECK(sum == whole->by_concern);
}

TEST_CASE("directed edits of another base start from that walk's end", "[directed]") {
    const CheckerPtr checker = checker_of("wgmma_regs");
    const WalkMaker maker(checker, 5);
    const Walk start = maker.make(1);
    const DirectedWalks walks(checker, maker, 2);
    REQUIRE(walks.count() > 0);
    const auto walk = required(walks.make(walks.count() - 1));
    CHECK(walk->mutations.size() == start.mutations.size() + 1);
    CHECK(*walk->mutations.back().applied(start.schedule) == walk->schedule);
    CHECK(checker->legal(walk->schedule));
}

TEST_CASE("a hole that only one move shows is found, with the move as its culprit", "[directed]") {
    const CheckerPtr checker = checker_of("wgmma_regs");
    const Schedule original(checker->kernel());
    const WalkMaker maker(checker, 1);
    const DirectedWalks walks(checker, maker, 0);
    const DirectedEdit& hole = walks.edit(walks.count() / 3);
    const Schedule bad = *hole.mutation.applied(original);
    CountingGpu gpu;
    gpu.broken = [&](const Schedule& s) { return s == bad; };
    const auto report = required(fuzz_kernel(checker, &gpu, directed(0), {}, {}));
    REQUIRE(report->legal_failed >= 1);
    CHECK(report->failures.front().outcome == "fault");
    CHECK(report->failures.front().reproduced);
    CHECK(*Mutation::decode(report->failures.front().culprit)->applied(original) == bad);
}

TEST_CASE("the original itself is run as often as asked, and a difference counts as wrong", "[directed]") {
    const CheckerPtr checker = checker_of("bulk_ring");
    FuzzSettings settings;
    settings.self_check = true;
    settings.candidates = 30;
    settings.bad_every = 0;
    CountingGpu gpu;
    int asked = 0;
    gpu.broken = [&](const Schedule&) { return ++asked == 17; };
    const auto report = required(fuzz_kernel(checker, &gpu, settings, {}, {}));
    CHECK(gpu.runs.size() == 1);
    CHECK(report->legal == 30);
    CHECK(report->legal_failed == 1);
    CHECK(report->mutations == 0);
}
