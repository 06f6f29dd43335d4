// SPDX-License-Identifier: GPL-3.0-or-later
// The fit on schedules whose order nobody doubts: all stall counts of a kernel raised by 0 to 5 cycles.
#include "core/jobs/model_fit.h"

#include <algorithm>

#include "tests/support/catch.h"
#include "tests/support/sample_checker.h"

using namespace cubinlab;

namespace {

FitKernel padded(const std::string& name, const std::string& family, double error = 0.0005) {
    FitKernel out;
    out.name = name;
    out.family = family;
    out.kernel = test::checker_of_sample(name)->kernel();
    for (int more = 0; more < 6; ++more) {
        Schedule schedule(out.kernel);
        for (InstrId id = 0; id < schedule.size(); ++id) {
            ControlCode control = schedule.control(id);
            control.stall = static_cast<std::uint8_t>(std::min(control.stall + more, 15));
            schedule.set_control(id, control);
        }
        out.schedules.push_back(schedule);
        const RankHalf half{-0.02 * more, error, 4};
        out.rows.push_back({false, {}, half, half});
    }
    return out;
}

FitSettings quick() {
    FitSettings out;
    out.pool = 3;
    out.steps = 2;
    out.members = 1;
    return out;
}

}  // namespace

TEST_CASE("fit: slower by every stall count is slower, held out and fitted", "[fit]") {
    const std::vector<FitKernel> kernels = {padded("softmax", "softmax"), padded("rmsnorm", "rmsnorm")};
    auto fit = fit_model(kernels, {}, quick(), {});
    REQUIRE(fit);
    CHECK(fit->held_out);
    REQUIRE(fit->kernels.size() == 2);
    for (const FittedKernel& k : fit->kernels)
        for (const RankScore* s : {&k.first, &k.start, &k.held_out, &k.fitted}) {
            CHECK(s->schedules == 6);
            CHECK(s->within.pairs() == 15);
            CHECK(s->within.tau_b() == 1);
        }
    // What loops measured is not the fit's to change.
    CHECK(fit->parameters.special == ModelParameters{}.special);
    CHECK(fit->parameters.branch == ModelParameters{}.branch);
    // The same again.
    auto again = fit_model(kernels, {}, quick(), {});
    REQUIRE(again);
    CHECK(to_text(again->parameters) == to_text(fit->parameters));
}

TEST_CASE("fit: one family is fitted and not held out, nothing told apart is an error", "[fit]") {
    auto one = fit_model({padded("softmax", "softmax")}, {}, quick(), {});
    REQUIRE(one);
    CHECK_FALSE(one->held_out);
    CHECK(one->kernels[0].held_out.schedules == 0);
    auto blurred = fit_model({padded("softmax", "softmax", 0.5)}, {}, quick(), {});
    REQUIRE_FALSE(blurred);
    CHECK(blurred.error().code == ErrorCode::BadUse);
    std::stop_source stop;
    stop.request_stop();
    auto stopped = fit_model({padded("softmax", "softmax")}, {}, quick(), stop.get_token());
    REQUIRE_FALSE(stopped);
    CHECK(stopped.error().code == ErrorCode::Cancelled);
    CHECK_FALSE(read_fit_kernel("/nowhere/x.rank.json", "samples", {}));
    CHECK_FALSE(read_fit_kernel("/nowhere/x.db", "samples", {}));
}

TEST_CASE("fit: a file of another kind is refused with what it should be", "[fit]") {
    const auto read = read_fit_kernel(CUBINLAB_SAMPLES "/bmm_mma.workload.json", CUBINLAB_SAMPLES, {});
    REQUIRE_FALSE(read);
    const std::string message = read.error().message();
    CHECK(message.find("no rank file") != std::string::npos);
    CHECK(message.find("session") != std::string::npos);
    CHECK(message.find("json.exception") == std::string::npos);
}
