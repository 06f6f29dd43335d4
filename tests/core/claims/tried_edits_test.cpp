// SPDX-License-Identifier: GPL-3.0-or-later
// What edits were worth, over logs whose figures are known.
#include "core/claims/tried_edits.h"

#include <cmath>
#include <map>
#include <set>

#include "tests/core/store/session_fixture.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using namespace cubinlab::testing;

namespace {

// A log in which every step changes the stall count of one instruction of the start.
class Log {
  public:
    Log() : kernel(sample_kernel()), start(kernel) {}

    Mutation stall(InstrId id, int value) const {
        ControlCode control = start.control(id);
        control.stall = static_cast<std::uint8_t>(value);
        return Mutation::control(start, id, control);
    }
    void add(Mutation mutation, double log_speedup, OutcomeKind kind = OutcomeKind::Ok, bool repeated = false,
             StepId parent = 0) {
        StepRecord r;
        r.step = static_cast<StepId>(steps.size()) + 1;
        r.parent = parent;
        const Schedule from =
            parent == 0 ? start : *steps[static_cast<std::size_t>(parent) - 1].mutation.applied(start);
        r.schedule_hash = mutation.applied(from)->hash();
        r.mutation = std::move(mutation);
        r.outcome.kind = kind;
        r.outcome.log_speedup = log_speedup;
        r.outcome.low = log_speedup - 0.001;
        r.outcome.high = log_speedup + 0.001;
        r.repeated = repeated;
        steps.push_back(std::move(r));
    }
    // As of two runs, one for each cache.
    TriedEdits tried(EvaluatorKind evaluator, const char* first = "{}", const char* second = "{}") const {
        TriedEdits out;
        for (const char* machine : {first, second}) {
            const TempFolder folder;
            RunId run = 0;
            RunHeader header = header_for_tests();
            header.evaluator.kind = evaluator;
            header.evaluator.json = machine;
            {
                auto writer = open_or_fail(folder / "s.db", kernel);
                auto sink = writer->begin_run(header, start, &run);
                REQUIRE(sink);
                for (const StepRecord& r : steps)
                    REQUIRE((*sink)->append(r));
                REQUIRE((*sink)->flush());
            }
            auto reader = SessionReader::open(folder / "s.db");
            REQUIRE(reader);
            const auto info = (*reader)->run(run);
            REQUIRE(info);
            REQUIRE(out.add(**reader, kernel, *info));
        }
        return out;
    }

    KernelPtr kernel;
    Schedule start;
    std::vector<StepRecord> steps;
};

// Two instructions of one mnemonic whose stall count can grow and shrink.
std::pair<InstrId, InstrId> alike(const Log& log) {
    for (InstrId a = 0; a < log.kernel->size(); ++a)
        for (InstrId b = a + 1; b < log.kernel->size(); ++b) {
            const auto fits = [&](InstrId id) {
                const int stall = log.start.control(id).stall;
                return stall > 1 && stall < 12;
            };
            if (fits(a) && fits(b) &&
                log.kernel->instruction(a).mnemonic == log.kernel->instruction(b).mnemonic)
                return {a, b};
        }
    FAIL("no such pair");
    return {};
}

}  // namespace

TEST_CASE("learn: every try counts, in vain or not, and the interval is that of their mean", "[workflow]") {
    Log log;
    const auto [a, b] = alike(log);
    const int stall_a = log.start.control(a).stall, stall_b = log.start.control(b).stall;
    log.add(log.stall(a, stall_a + 1), 0.01);
    log.add(log.stall(b, stall_b + 1), -0.03);
    log.add(log.stall(a, stall_a - 1), 0.05);
    for (const EvaluatorKind kind : {EvaluatorKind::Gpu, EvaluatorKind::Model}) {
        const TriedEdits tried = log.tried(kind);
        CHECK(tried.steps() == 6);
        CHECK(tried.runs() == 2);
        const auto patterns = tried.patterns(1);
        REQUIRE(patterns.size() == 2);
        // +1 % and -3 %, each twice: the mean is -1 %, the deviation sqrt(4 * 0.02^2 / 3), of four.
        const TriedPattern& up = patterns[0];
        CHECK(up.key.control == "stall up");
        CHECK(up.tried == 4);
        CHECK(up.gained == 2);
        CHECK(up.mean() == Approx(-0.01));
        // By hand: n = 4, a prior of 4 times a try's information: (17 / 0.05^2)^(1/4) = 9.081, of 17.
        const double deviation = std::sqrt(4 * 0.0004 / 3);
        CHECK(up.deviation() == Approx(deviation));
        CHECK(up.half_width() ==
              Approx(deviation * std::sqrt(0.75 * 8.081 / (1 - 9.081 / 17))).epsilon(0.001));
        CHECK_FALSE(up.stands_out);
        CHECK(up.best == Approx(0.01));
        CHECK(up.runs.size() == 2);
        CHECK(up.kernels.size() == 1);
        CHECK(up.evaluator == kind);
        CHECK(patterns[1].mean() == Approx(0.05));
        CHECK(patterns[1].half_width() < 0);  // two tries
        CHECK(tried.patterns(3).size() == 1);
    }
}

TEST_CASE("learn: what was measured hot and cold is not added up", "[workflow]") {
    Log log;
    const InstrId a = alike(log).first;
    log.add(log.stall(a, log.start.control(a).stall + 1), 0.01);
    const auto patterns =
        log.tried(EvaluatorKind::Gpu, R"({"cache": "cold"})", R"({"cache": "hot"})").patterns(1);
    REQUIRE(patterns.size() == 2);
    CHECK(patterns[0].cache == "hot");
    CHECK(patterns[1].cache == "cold");
    CHECK(patterns[0].tried == 1);
}

TEST_CASE("learn: steps that failed, were seen before or change several things are left out", "[workflow]") {
    Log log;
    const auto [a, b] = alike(log);
    const int stall_a = log.start.control(a).stall, stall_b = log.start.control(b).stall;
    log.add(log.stall(a, stall_a + 1), 0.01);
    log.add(log.stall(a, stall_a + 1), 0.01, OutcomeKind::Ok, true);
    log.add(log.stall(b, stall_b + 1), 0, OutcomeKind::WrongResult);
    Mutation both = log.stall(a, stall_a - 1);
    both.edits.push_back(log.stall(b, stall_b - 1).edits.front());
    log.add(both, 0.02);
    const TriedEdits tried = log.tried(EvaluatorKind::Gpu);
    CHECK(tried.steps() == 2);
    CHECK(tried.left_out() == 6);
    REQUIRE(tried.patterns(1).size() == 1);
    CHECK(tried.patterns(1)[0].key.control == "stall up");
}

TEST_CASE(
    "learn: of many kinds the one that is furthest from nothing by chance does not stand out, a true one "
    "does",
    "[workflow]") {
    // Forty kinds, each tried 30 times with the same noise; one of them gains as much as a try's noise.
    Log log;
    std::map<std::string, InstrId> by_mnemonic;
    for (InstrId id = 0; id < log.kernel->size(); ++id)
        if (log.start.control(id).stall < 14) by_mnemonic.emplace(log.kernel->instruction(id).mnemonic, id);
    REQUIRE(by_mnemonic.size() > 20);
    std::uint64_t state = 7;
    const auto noise = [&] {
        double sum = -6;
        for (int i = 0; i < 12; ++i) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            sum += static_cast<double>(state >> 33) / static_cast<double>(1u << 31);
        }
        return 0.003 * sum;
    };
    const std::string good = std::next(by_mnemonic.begin(), 3)->first;
    for (int n = 0; n < 30; ++n)
        for (const auto& [mnemonic, id] : by_mnemonic)
            log.add(log.stall(id, log.start.control(id).stall + 1), (mnemonic == good ? 0.004 : 0) + noise());
    const std::vector<TriedPattern> patterns = log.tried(EvaluatorKind::Gpu).patterns(5);
    REQUIRE(patterns.size() == by_mnemonic.size());
    std::set<std::string> out;
    for (const TriedPattern& p : patterns)
        if (p.stands_out) out.insert(p.key.opcode);
    CHECK(out == std::set<std::string>{good});
    CHECK(patterns[0].key.opcode == good);
}

TEST_CASE("learn: a step that was gone on from for its luck does not make what follows look bad",
          "[workflow]") {
    Log log;
    const auto [a, b] = alike(log);
    const int stall = log.start.control(b).stall;
    // Worth 1 % by its own figure, nothing by the seven edits of it that follow; one of them gains half a per cent.
    log.add(log.stall(a, log.start.control(a).stall + 1), 0.01);
    const double seen[] = {0.0001, -0.0001, 0.0, 0.005, 0.0002, -0.0002, 0.0};
    for (std::size_t i = 0; i < std::size(seen); ++i)
        log.add(log.stall(b, i == 3 ? stall - 1 : stall + 1 + static_cast<int>(i) % 3), seen[i],
                OutcomeKind::Ok, false, 1);
    const TriedEdits measured = log.tried(EvaluatorKind::Gpu);
    CHECK(measured.steps() == 16);
    std::map<std::string, double> means;
    for (const TriedPattern& p : measured.patterns(1))
        means[p.key.control] = p.mean();
    CHECK(means.at("stall down") == Approx(0.005));
    // Both stall counts that went up: the first by its 1 % against the start, six by nothing in the mean.
    CHECK(means.at("stall up") == Approx(0.01 / 7).margin(1e-9));

    // The model's figures are what they are.
    means.clear();
    for (const TriedPattern& p : log.tried(EvaluatorKind::Model).patterns(1))
        means[p.key.control] = p.mean();
    CHECK(means.at("stall down") == Approx(-0.005));

    // Five edits of it say too little.
    log.steps.resize(6);
    const TriedEdits few = log.tried(EvaluatorKind::Gpu);
    CHECK(few.steps() == 2);
    CHECK(few.left_out() == 10);
}

TEST_CASE("learn: the places of a pattern are its opcode's, within reach of what it is to pass",
          "[workflow]") {
    const Log log;
    const Kernel& kernel = *log.kernel;
    const auto block_and_class = [&](InstrId id) {
        return std::pair(kernel.block_of(id), std::string(instruction_class(kernel.instruction(id))));
    };
    std::set<std::string> opcodes, classes;
    for (InstrId id = 0; id < kernel.size(); ++id) {
        opcodes.insert(kernel.instruction(id).mnemonic);
        classes.insert(block_and_class(id).second);
    }
    for (const std::string& opcode : opcodes)
        for (const std::string& past : classes)
            for (const int direction : {-1, 1}) {
                INFO(opcode << " " << direction << " " << past);
                // By hand: each pair of places, in either order.
                std::vector<InstrId> expected;
                for (InstrId id = 0; id < kernel.size(); ++id) {
                    bool there = false;
                    for (InstrId other = 0; other < kernel.size(); ++other) {
                        const int distance = static_cast<int>(other) - static_cast<int>(id);
                        there = there || (distance * direction > 0 && std::abs(distance) <= 8 &&
                                          block_and_class(other) == std::pair(kernel.block_of(id), past));
                    }
                    if (there && kernel.instruction(id).mnemonic == opcode && !kernel.pinned(id))
                        expected.push_back(id);
                }
                CHECK(places_of(log.start, {opcode, direction, past, {}}) == expected);
            }
    std::size_t movable = 0;
    for (InstrId id = 0; id < kernel.size(); ++id)
        movable += kernel.pinned(id) ? 0 : 1;
    std::size_t found = 0;
    for (const std::string& opcode : opcodes)
        found += places_of(log.start, {opcode, 0, {}, "stall down"}).size();
    CHECK(found == movable);
}
