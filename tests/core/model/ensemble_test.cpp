// SPDX-License-Identifier: GPL-3.0-or-later
// The ensemble: loops whose cycles are worked out by hand, what its members are, and the file of its parameters.
#include "core/model/ensemble.h"

#include <set>

#include "tests/core/model/hand_loops.h"
#include "tests/support/catch.h"
#include "tests/support/sample_checker.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

double pass_of(const KernelPtr& kernel, const ModelParameters& parameters, int threads = 128) {
    const auto after = [&](int trips) {
        SmModelSettings settings;
        settings.threads_per_block = threads;
        settings.blocks_in_grid = 1;
        settings.warps_per_subcore = 1;
        settings.loop_trips = trips;
        return ModelEnsemble(kernel, settings, parameters).cycles(Schedule(kernel));
    };
    return (after(150) - after(50)) / 100;
}

}  // namespace

TEST_CASE("ensemble: a loop of one warp takes what it takes by hand", "[ensemble]") {
    // FADD 0, MUFU 4, the second FADD behind its scoreboard 27, BRA 31, 36 in all (explanation_test.cpp).
    const KernelPtr kernel =
        loop_of({word_of("FADD", 4), word_of("MUFU", 2, 3), word_of("FADD", 4, -1, 1u << 3)});
    ModelParameters p;
    CHECK(pass_of(kernel, p) == Approx(36).margin(0.01));
    p.branch = 5;
    CHECK(pass_of(kernel, p) == Approx(41).margin(0.01));
    p.special = 17;  // six cycles less to wait for
    CHECK(pass_of(kernel, p) == Approx(35).margin(0.01));
    // A warp alone is all that there is: its weight changes nothing.
    p.alone = 0.7;
    CHECK(pass_of(kernel, p) == Approx(35).margin(0.01));
}

TEST_CASE(
    "ensemble: the SM's pipe to shared memory is a quarter for each of four sub-cores, and all of it for one",
    "[ensemble]") {
    ModelParameters p;
    p.request = 2;
    p.shared_byte = 0.5;  // a sub-core's port: 64 bytes a cycle
    p.pipe_byte = 1;      // the SM's: 128 bytes a cycle for four
    p.memory_issue = 2;
    const KernelPtr loads = loop_of(std::vector<Word>(8, word_of("LDSM", 1)));
    // Of 512 bytes each: 16 cycles of its share where all sub-cores ask, 8 of its port where no other does. The last pass is
    // counted to its last issue alone, so that a part of one access is missing.
    const double all = pass_of(loads, p, 128), one = pass_of(loads, p, 32);
    CHECK(all == Approx(8 * 16).margin(8));
    CHECK(one == Approx(8 * 8).margin(4));
    // An asynchronous copy writes what it loads into shared memory: one more access to the pipe.
    std::vector<Word> words(8, word_of("LDSM", 1));
    words.push_back(word_of("LDGSTS", 1));
    p.global_byte = 0.1;
    CHECK(pass_of(loop_of(words), p, 128) - all == Approx(16).margin(0.01));
}

TEST_CASE("ensemble: every member has another part of each uncertain latency's range", "[ensemble]") {
    for (std::size_t parameter = 0; parameter < 12; ++parameter) {
        std::set<double> factors;
        double sum = 0;
        for (int i = 0; i < ModelEnsemble::kMembers; ++i) {
            const double factor = member_factor(i, ModelEnsemble::kMembers, parameter, 0.2);
            CHECK(factor > 0.8);
            CHECK(factor < 1.2);
            factors.insert(factor);
            sum += factor;
        }
        CHECK(factors.size() == 8);
        CHECK(sum == Approx(8));
    }
    CHECK(member_factor(0, 1, 3, 0.5) == 1);
}

TEST_CASE("ensemble: the same schedule has the same figure, whatever was asked before", "[ensemble]") {
    const CheckerPtr checker = checker_of_sample("bmm_mma");
    const KernelPtr& kernel = checker->kernel();
    ModelEnsemble model(kernel, {}, shipped_parameters(kernel->arch()));
    const Schedule original(kernel);
    Schedule slower = original;
    for (InstrId id = 0; id < kernel->size(); ++id) {
        ControlCode control = slower.control(id);
        if (control.stall > 0 && control.stall < 10)
            control.stall = static_cast<std::uint8_t>(control.stall + 2);
        slower.set_control(id, control);
    }
    const double first = model.cycles(original);
    CHECK(model.cycles(slower) > first);
    CHECK(model.cycles(original) == first);
    CHECK(ModelEnsemble(kernel, {}, shipped_parameters(kernel->arch())).cycles(original) == first);
}

TEST_CASE("ensemble: parameters come back from their file, and others are refused by name", "[ensemble]") {
    ModelParameters p = shipped_parameters(checker_of_sample("bmm_mma")->kernel()->arch());
    auto back = parameters_from(to_text(p), "text");
    REQUIRE(back);
    CHECK(back->name == p.name);
    CHECK(to_text(*back) == to_text(p));
    CHECK(p.name != ModelParameters{}.name);  // sm_90 has its own
    const std::string good = to_text(p);
    const auto refused = [&](const std::string& from, const std::string& to) {
        std::string text = good;
        const auto at = text.find(from);
        REQUIRE(at != std::string::npos);
        text.replace(at, from.size(), to);
        const auto read = parameters_from(text, "text");
        REQUIRE_FALSE(read);
        return read.error().message();
    };
    CHECK(refused("\"barrier\"", "\"barier\"").find("barrier") != std::string::npos);
    CHECK(refused("\"version\": 2", "\"version\": 3").find("version") != std::string::npos);
    p.spread = 9;
    CHECK(parameters_from(to_text(p), "text").error().message().find("spread is 9") != std::string::npos);
}
