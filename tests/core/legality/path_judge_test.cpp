// SPDX-License-Identifier: GPL-3.0-or-later
// Random legal walks against a second opinion (path_judge.h): whatever the checker accepts must be right on
// every path that is tried, and every instruction must read the same values as in the original.
#include <algorithm>
#include <string_view>

#include "tests/core/legality/analysis_fixture.h"
#include "tests/core/legality/path_judge.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

constexpr std::size_t kLongestPath = 2500;  // instructions

struct Outcome {
    std::size_t accepted = 0;
    std::size_t refused = 0;
    std::size_t refused_and_seen = 0;  // refused ones that the second opinion finds wrong too
};

std::set<decltype(Violation().key())> keys(const PathResult& result) {
    std::set<decltype(Violation().key())> out;
    for (const Violation& v : result.violations)
        out.insert(v.key());
    return out;
}

// True where `schedule` is no worse than the original on the path.
bool right(const Schedule& schedule, const PathResult& original, const std::vector<BlockId>& path,
           std::string* why) {
    const PathResult mine = judge_path(schedule, path);
    const auto known = keys(original);
    for (const Violation& v : mine.violations)
        if (known.count(v.key()) == 0) {
            if (why)
                *why = std::to_string(v.first * 16) + " -> " + std::to_string(v.second * 16) + " reg " +
                       std::to_string(v.reg) + " " + v.what;
            return false;
        }
    if (mine.inputs != original.inputs) {
        if (why) *why = "an instruction reads another value";
        return false;
    }
    return true;
}

void walk(const NamedKernel& named, std::mt19937& random, int mutations, Outcome& outcome) {
    const auto checker = *HazardChecker::create(named.kernel);
    Schedule schedule(named.kernel);
    const Schedule original(named.kernel);
    std::vector<std::vector<BlockId>> paths;
    std::vector<PathResult> truths;
    for (int p = 0; p < 4; ++p) {
        paths.push_back(random_path(*named.kernel, random,
                                    std::min<std::size_t>(named.kernel->size() * 3, kLongestPath)));
        truths.push_back(judge_path(original, paths.back()));
    }
    for (int m = 0; m < mutations; ++m) {
        const Mutation mutation = random_mutation(schedule, random);
        const auto mutated = mutation.applied(schedule);
        if (!mutated) continue;
        if (!checker->allows(schedule, mutation)) {
            ++outcome.refused;
            bool seen = false;
            for (std::size_t p = 0; p < paths.size() && !seen; ++p)
                seen = !right(*mutated, truths[p], paths[p], nullptr);
            outcome.refused_and_seen += seen ? 1 : 0;
            continue;
        }
        schedule = *mutated;
        if (++outcome.accepted % 8 != 0) continue;
        for (std::size_t p = 0; p < paths.size(); ++p) {
            std::string why;
            const bool fine = right(schedule, truths[p], paths[p], &why);
            INFO(named.file << " " << named.kernel->name() << " after " << m << " mutations: " << why);
            CHECK(fine);
            if (!fine) return;
        }
    }
}

}  // namespace

TEST_CASE("what the checker accepts is right on every path that is tried") {
    std::mt19937 random(20261121);
    Outcome outcome;
    for (const NamedKernel& named : all_kernels())
        walk(named, random, 60, outcome);
    CHECK(outcome.accepted > 500);
    CHECK(outcome.refused_and_seen > 100);
}

TEST_CASE("long walks against the second opinion", "[.long]") {
    std::mt19937 random(7);
    Outcome outcome;
    for (const NamedKernel& named : all_kernels())
        walk(named, random, 4000, outcome);
    WARN(outcome.accepted << " accepted and right on 4 paths each; " << outcome.refused << " refused, "
                          << outcome.refused_and_seen << " of them wrong on one of those paths");
}

TEST_CASE("the second opinion sees a wait that is gone and a stall that is too short") {
    const KernelPtr kernel = load_kernel("softmax.cubin");
    const Schedule original(kernel);
    std::mt19937 random(1);
    const auto path = random_path(*kernel, random, 4000);
    const PathResult truth = judge_path(original, path);
    std::size_t seen = 0;
    for (InstrId id = 0; id < kernel->size(); ++id) {
        ControlCode code = original.control(id);
        if (code.wait_mask == 0) continue;
        code.wait_mask = 0;
        Schedule broken = original;
        broken.set_control(id, code);
        seen += right(broken, truth, path, nullptr) ? 0 : 1;
    }
    CHECK(seen > 5);
}

// SHFL R7 with SB1 in front of the RET of divergent.86's routine, whose places of the call wait for SB1.
TEST_CASE("the second opinion follows a routine back to the place of its call") {
    for (const char* file : {"/cubins/divergent.75.cubin", "/cubins/divergent.86.cubin"}) {
        INFO(file);
        const KernelPtr kernel = load_kernel(file);
        const auto name = [&](InstrId id) { return std::string_view(kernel->instruction(id).mnemonic); };
        InstrId shuffle = 0;
        while (shuffle + 1 < kernel->size() && !(name(shuffle) == "SHFL" && name(shuffle + 1) == "RET"))
            ++shuffle;
        REQUIRE(shuffle + 1 < kernel->size());
        const Schedule original(kernel);
        Schedule lost = original, other = original;
        ControlCode code = original.control(shuffle);
        REQUIRE(code.write_barrier < 6);
        code.write_barrier = code.write_barrier == 5 ? 4 : 5;
        other.set_control(shuffle, code);
        code.write_barrier = kNoBarrier;
        lost.set_control(shuffle, code);
        std::mt19937 random(3);
        std::size_t back = 0, seen_lost = 0, seen_other = 0;
        for (int p = 0; p < 60; ++p) {
            const auto path = random_path(*kernel, random, 2 * kernel->size());
            const BlockId routine = kernel->block_of(shuffle);
            const auto at = std::find(path.begin(), path.end(), routine);
            if (at == path.end() || at + 1 == path.end()) continue;
            ++back;
            const PathResult truth = judge_path(original, path);
            seen_lost += right(lost, truth, path, nullptr) ? 0 : 1;
            seen_other += right(other, truth, path, nullptr) ? 0 : 1;
        }
        CHECK(back > 0);
        CHECK(seen_lost > 0);
        CHECK(seen_other > 0);
    }
}
