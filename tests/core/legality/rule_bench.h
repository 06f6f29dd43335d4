// SPDX-License-Identifier: GPL-3.0-or-later
// One kernel with its checker, and the edits that the tests of rules make on it.
#pragma once
#include <functional>
#include <string_view>

#include "tests/core/legality/analysis_fixture.h"

namespace cubinlab::test {

struct Bench {
    KernelPtr kernel;
    std::shared_ptr<const HazardChecker> checker;
    Schedule original;

    explicit Bench(const std::string& file, const std::string& kernel_name = {})
        : Bench(load_kernel(file, kernel_name)) {}
    explicit Bench(KernelPtr of) : kernel(std::move(of)), original(kernel) {
        checker = *HazardChecker::create(kernel);
    }
    std::string_view name(InstrId id) const { return kernel->instruction(id).mnemonic; }
    ControlCode control(InstrId id) const { return original.control(id); }
    bool same_block(InstrId a, InstrId b) const { return kernel->block_of(a) == kernel->block_of(b); }

    Legality stall(InstrId id, int cycles) const { return checker->check(with_stall(original, id, cycles)); }
    Legality edit(InstrId id, const std::function<void(ControlCode&)>& change) const {
        ControlCode code = control(id);
        change(code);
        const Mutation mutation = Mutation::control(original, id, code);
        const Legality legality = checker->explain(original, mutation);
        CHECK(checker->allows(original, mutation) == legality.empty());
        return legality;
    }
    Legality move(InstrId id, Position to) const {
        const Mutation mutation = Mutation::move_to(original, id, to);
        const Legality legality = checker->explain(original, mutation);
        CHECK(checker->allows(original, mutation) == legality.empty());
        return legality;
    }
    // First instruction that fits; the kernel is fixed, so it is always the same one.
    InstrId find(const std::function<bool(InstrId)>& fits) const {
        for (InstrId id = 0; id + 1 < kernel->size(); ++id)
            if (fits(id)) return id;
        FAIL("the sample has no such place");
        return kNone;
    }
    int cycles_between(InstrId a, InstrId b) const {
        int sum = 0;
        for (InstrId id = a; id < b; ++id)
            sum += control(id).stall;
        return sum;
    }
};

inline bool reads_written(const Kernel& kernel, InstrId writer, InstrId reader) {
    for (const Operand& w : kernel.instruction(writer).operands)
        for (const Operand& r : kernel.instruction(reader).operands)
            if (w.write && r.read && w.overlaps(r)) return true;
    return false;
}

inline const Hazard& only(const Legality& legality, Rule rule) {
    static const Hazard none;
    for (const Hazard& h : legality)
        if (h.rule == rule) return h;
    INFO(describe(legality));
    FAIL("no finding of rule " << to_string(rule));
    return none;
}

}  // namespace cubinlab::test
