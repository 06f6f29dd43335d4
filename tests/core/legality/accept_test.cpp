// SPDX-License-Identifier: GPL-3.0-or-later
// What must be accepted: the compiler's own schedule, in both modes, on every architecture; and its own
// patterns.
#include <map>

#include "tests/core/legality/rule_bench.h"

using namespace cubinlab;
using namespace cubinlab::test;

TEST_CASE("every unmodified kernel passes with no finding, in both modes") {
    std::size_t kernels = 0;
    for (const NamedKernel& named : all_kernels()) {
        for (const CheckMode mode : {CheckMode::Absolute, CheckMode::AgainstOriginal}) {
            const auto checker = required(HazardChecker::create(named.kernel, mode));
            const CheckReport report = (*checker)->report(Schedule(named.kernel));
            INFO(named.file << " " << named.kernel->name() << "\n" << describe(report.hazards));
            CHECK(report.hazards.empty());
        }
        ++kernels;
    }
    CHECK(kernels >= 70);
}

TEST_CASE("the share of pairs that no table covers", "[.long][.figures]") {
    std::map<std::string, std::pair<std::size_t, std::size_t>> by_arch;
    for (const NamedKernel& named : all_kernels()) {
        const auto report = required(check_kernel(named.kernel));
        auto& [uncovered, checked] = by_arch[named.kernel->arch().name()];
        uncovered += report->uncovered_pairs;
        checked += report->checked_pairs;
    }
    for (const auto& [arch, counts] : by_arch)
        WARN(arch << ": " << counts.first << " of " << counts.second << " pairs have no table entry");
}

TEST_CASE("kernels of architectures that are not decoded are refused with a reason") {
    const auto cubin = open_cubin("/cubins/k1.100a.cubin");
    const auto kernel = required(Kernel::load(cubin, cubin->kernels().front().name));
    const auto checker = HazardChecker::create(*kernel);
    REQUIRE_FALSE(checker);
    CHECK(checker.error().code == ErrorCode::Unsupported);
    CHECK(checker.error().what.find("sm_100") != std::string::npos);
}

TEST_CASE("control fields that only ever slow a warp down stay legal") {
    const Bench b("bmm_mma.cubin");
    const auto allows = [&](InstrId id, const ControlCode& code) {
        INFO(id << ": " << code.text());
        CHECK(b.checker->allows(b.original, Mutation::control(b.original, id, code)));
    };
    std::size_t stalls = 0, reuses = 0;
    for (InstrId id = 0; id < b.kernel->size(); ++id) {
        const ControlCode own = b.control(id);
        ControlCode code = own;
        if (own.stall >= 2 && own.stall < 11) {
            ++code.stall;
            allows(id, code);
            ++stalls;
        }
        if (own.reuse != 0) {
            code = own;
            code.reuse = 0;
            allows(id, code);
            ++reuses;
        }
    }
    CHECK(stalls > 100);
    CHECK(reuses > 10);
}
