// SPDX-License-Identifier: GPL-3.0-or-later
// A load that acquires and the CCTL.IVALL behind it, in code that stands alone and in a search.
//
//   LDG.E.STRONG.GPU R7 {sets SB3} ; CCTL.IVALL {waits for SB3} ; LDG.E R9 ; IADD3 R9, R7, R8, R9
#include "app/lab/synthetic_kernel.h"
#include "tests/core/legality/rule_bench.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

struct Acquiring : Bench {
    InstrId access = kNone, invalidate = kNone, load = kNone, reader = kNone;

    explicit Acquiring(const char* file) : Bench(file) {
        access = find([&](InstrId id) { return kernel->instruction(id).memory.strong; });
        invalidate = access + 1;
        load = access + 2;
        reader = find([&](InstrId id) { return name(id) == "IADD3"; });
        REQUIRE(name(invalidate) == "CCTL");
        REQUIRE(name(load) == "LDG");
    }
    Schedule with(InstrId id, const std::function<void(ControlCode&)>& change) const {
        Schedule schedule = original;
        ControlCode code = control(id);
        change(code);
        schedule.set_control(id, code);
        return schedule;
    }
    Legality alone(const Schedule& schedule) const {
        const auto changed = required(kernel_with_words(*kernel, schedule.words()));
        return check_kernel(*changed)->hazards;
    }
};

constexpr const char* kFiles[] = {"/cubins/acquire.75.cubin", "/cubins/acquire.86.cubin",
                                  "/cubins/acquire.90.cubin"};

}  // namespace

TEST_CASE(
    "the cache is invalidated when the load that acquires is complete, not only when its result is read") {
    for (const char* file : kFiles) {
        INFO(file);
        const Acquiring b(file);
        CHECK(b.alone(b.original).empty());
        const auto scoreboard = static_cast<std::uint8_t>(1u << b.control(b.access).write_barrier);
        REQUIRE((b.control(b.invalidate).wait_mask & scoreboard) != 0);
        Schedule late = b.with(b.invalidate, [&](ControlCode& c) { c.wait_mask &= ~scoreboard; });
        ControlCode waits = late.control(b.reader);
        waits.wait_mask |= scoreboard;
        late.set_control(b.reader, waits);
        CHECK(has_rule(b.alone(late), Rule::FenceOrder, b.access, b.invalidate));
        CHECK(has_rule(b.checker->check(late), Rule::FenceOrder, b.access, b.invalidate));
    }
}

TEST_CASE("a load keeps its cycles behind the invalidated cache") {
    for (const char* file : kFiles) {
        INFO(file);
        const Acquiring b(file);
        const int floor = b.kernel->arch().sm < 90 ? 5 : 4;
        const Schedule close =
            b.with(b.invalidate, [&](ControlCode& c) { c.stall = static_cast<std::uint8_t>(floor - 1); });
        // ptxas 12.4 has fewer on sm_90.
        CHECK(has_rule(b.alone(close), Rule::IssueFloor) == (b.kernel->arch().sm < 90));
        CHECK(has_rule(b.checker->check(close), Rule::IssueFloor));
        CHECK(b.alone(with_stall(b.original, b.invalidate, floor)).empty());
    }
}
