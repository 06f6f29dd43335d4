// SPDX-License-Identifier: GPL-3.0-or-later
// What must be accepted: the compiler's own schedule, in both modes, on every architecture; and its own
// patterns.
#include <map>

#include "tests/core/analysis/analysis_fixture.h"

using namespace cubinlab;
using namespace cubinlab::test;

TEST_CASE("every unmodified kernel passes with no finding, in both modes") {
    std::size_t kernels = 0;
    for (const NamedKernel& named : all_kernels()) {
        for (const CheckMode mode : {CheckMode::Absolute, CheckMode::AgainstOriginal}) {
            const auto checker = HazardChecker::create(named.kernel, mode);
            REQUIRE(checker);
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
        const auto report = check_kernel(named.kernel);
        REQUIRE(report);
        auto& [uncovered, checked] = by_arch[named.kernel->arch().name()];
        uncovered += report->uncovered_pairs;
        checked += report->checked_pairs;
    }
    for (const auto& [arch, counts] : by_arch)
        WARN(arch << ": " << counts.first << " of " << counts.second << " pairs have no table entry");
}

TEST_CASE("kernels of architectures that are not decoded are refused with a reason") {
    const auto cubin = open_cubin("/cubins/k1.100a.cubin");
    const auto kernel = Kernel::load(cubin, cubin->kernels().front().name);
    REQUIRE(kernel);
    const auto checker = HazardChecker::create(*kernel);
    REQUIRE_FALSE(checker);
    CHECK(checker.error().code == ErrorCode::Unsupported);
    CHECK(checker.error().what.find("sm_100") != std::string::npos);
}

TEST_CASE("control fields that only ever slow a warp down stay legal") {
    const KernelPtr kernel = load_kernel("bmm_mma.cubin");
    const auto checker = HazardChecker::create(kernel);
    REQUIRE(checker);
    const Schedule original(kernel);
    std::size_t tried = 0;
    for (InstrId id = 0; id < kernel->size(); ++id) {
        ControlCode code = original.control(id);
        if (code.stall >= 2 && code.stall < 11) {
            ++code.stall;
            INFO(id);
            CHECK((*checker)->allows(original, Mutation::control(original, id, code)));
            ++tried;
        }
        code = original.control(id);
        code.wait_mask = 0;
        if (code == original.control(id)) continue;
        code.wait_mask = original.control(id).wait_mask;
        code.reuse = 0;
        if (code.reuse != original.control(id).reuse)
            CHECK((*checker)->allows(original, Mutation::control(original, id, code)));
    }
    CHECK(tried > 100);
}
