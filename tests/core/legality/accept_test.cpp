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

TEST_CASE("compiled code of Blackwell and of ptxas 12.4 is legal, alone and against itself") {
    for (const char* file : {"k1.100a", "k1.120a", "blackwell_forms.100a", "blackwell_forms.120a",
                             "mbarrier_loop.v12.90a", "mbarrier_reduce.v12.90a", "vimnmx3_uniform.90",
                             "give_back.v12.90a", "give_back.90a", "sweep.hopper.v12.90a", "published.v12.90"}) {
        const auto cubin = open_cubin(std::string("/cubins/") + file + ".cubin");
        for (const KernelInfo& info : cubin->kernels()) {
            INFO(file << " " << info.name);
            const auto kernel = required(Kernel::load(cubin, info.name));
            for (InstrId id = 0; id < (*kernel)->size(); ++id)
                CHECK_FALSE((*kernel)->instruction(id).has(Trait::UnknownOpcode));
            CHECK(required(check_kernel(*kernel))->hazards.empty());
            CHECK(required(HazardChecker::create(*kernel))->get()->check(Schedule(*kernel)).empty());
        }
    }
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
