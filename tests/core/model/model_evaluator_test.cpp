// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "core/model/sm_model.h"
#include "tests/support/catch.h"
#include "tests/support/sample_kernel.h"

using namespace cubinlab;

namespace {

// An instruction of the deepest loop whose stall is `stall`.
InstrId with_stall(const KernelPtr& kernel, int stall) {
    for (InstrId id = 0; id < kernel->size(); ++id)
        if (kernel->flow().blocks[kernel->block_of(id)].loop_depth > 0 &&
            kernel->instruction(id).control().stall == stall)
            return id;
    return kNone;
}

}  // namespace

TEST_CASE("the model is deterministic and its two forms agree") {
    for (const char* name : {"bmm_mma", "flash_attn", "softmax", "rmsnorm"}) {
        const KernelPtr kernel = test::kernel_of_sample(name);
        const SmModel model(kernel, {}), other(kernel, {});
        const Schedule original(kernel);
        const ModelRun run = model.run(original);
        CHECK(run.cycles > 0);
        CHECK(run.cycles == model.cycles(original));
        CHECK(run.cycles == other.cycles(original));
        CHECK(run.reason.size() == kernel->size());
    }
}

TEST_CASE("a longer stall on every instruction of the loop costs cycles") {
    const KernelPtr kernel = test::kernel_of_sample("bmm_mma");
    const SmModel model(kernel, {});
    Schedule slower(kernel);
    for (InstrId id = 0; id < kernel->size(); ++id) {
        ControlCode control = slower.control(id);
        if (control.stall < 11) control.stall = static_cast<std::uint8_t>(control.stall + 4);
        slower.set_control(id, control);
    }
    CHECK(model.cycles(slower) > model.cycles(Schedule(kernel)));
}

TEST_CASE("the evaluator gives exact log ratios against the reference") {
    const KernelPtr kernel = test::kernel_of_sample("bmm_mma");
    const auto evaluator = make_model_evaluator(kernel, {});
    CHECK(evaluator->info().kind == EvaluatorKind::Model);
    CHECK(evaluator->info().unit == "modelled cycles");
    const Schedule original(kernel);
    Schedule changed(kernel);
    const InstrId id = with_stall(kernel, 6);
    REQUIRE(id != kNone);
    ControlCode control = changed.control(id);
    control.stall = 15;
    control.yield = true;
    changed.set_control(id, control);

    const std::vector<Schedule> candidates = {original, changed};
    const auto forward = required(evaluator->evaluate(candidates, original, Effort::Screen, {}));
    CHECK((*forward)[0].verdict == Verdict::Same);
    CHECK((*forward)[0].speedup.log == 0.0);
    CHECK((*forward)[0].cost == evaluator->info().original_cost);
    CHECK((*forward)[1].speedup.log == Approx(std::log((*forward)[0].cost / (*forward)[1].cost)));
    CHECK((*forward)[1].speedup.low == (*forward)[1].speedup.high);

    const auto backward = required(evaluator->evaluate(candidates, changed, Effort::Confirm, {}));
    CHECK((*backward)[0].speedup.log == Approx(-(*forward)[1].speedup.log));
}

TEST_CASE("a stop request ends a batch with Cancelled") {
    const KernelPtr kernel = test::kernel_of_sample("bmm_mma");
    const auto evaluator = make_model_evaluator(kernel, {});
    std::stop_source stop;
    stop.request_stop();
    const std::vector<Schedule> candidates(3, Schedule(kernel));
    const auto result = evaluator->evaluate(candidates, candidates[0], Effort::Screen, stop.get_token());
    REQUIRE_FALSE(result);
    CHECK(result.error().code == ErrorCode::Cancelled);
}
