// SPDX-License-Identifier: GPL-3.0-or-later
// A claim that says something comes from the checks and from nowhere else, and goes with its own schedule only.
#include "core/evidence/claim.h"
#include "core/evidence/claim_parts.h"
#include "core/evidence/step_measurement.h"

#include <unistd.h>

#include <type_traits>

#include "core/evidence/evidence_bundle.h"
#include "core/evidence/export_cubin.h"
#include "core/evidence/output_provenance.h"
#include "core/model/sm_model.h"
#include "tests/core/evidence/claims_fixture.h"
#include "tests/support/sample_kernel.h"

using namespace cubinlab;

namespace {

// Not from figures, not by filling it, not by changing one that there is; and exporters take nothing else.
static_assert(!std::is_aggregate_v<Claim>);
static_assert(!std::is_constructible_v<Claim, ClaimParts>);
static_assert(!std::is_constructible_v<Claim, ClaimParts, Hash128>);
static_assert(!std::is_assignable_v<Claim&, ClaimParts>);
template <class T>
concept Changeable = requires(T claim) {
    claim.parts().speedup.log = 1.0;
};
static_assert(!Changeable<Claim>);
template <class T>
concept Exported = requires(const Schedule& s, const T& said) {
    export_cubin(s, "x.cubin", said);
};
static_assert(Exported<Claim>);
static_assert(!Exported<ClaimParts>);
static_assert(std::is_same_v<decltype(BundleRequest::claim), Claim>);

// What the model says of `schedule`, as a logged step would.
struct Modelled {
    RunInfo run;
    StepRecord record;
    explicit Modelled(const Schedule& schedule) {
        auto model = make_model_evaluator(schedule.kernel(), {});
        const Schedule original(schedule.kernel());
        run.id = 1;
        run.evaluator = model->info();
        record.step = 5;
        record.outcome =
            model->evaluate(std::span(&schedule, 1), original, Effort::Confirm, {}).value().front();
    }
};

}  // namespace

TEST_CASE("Without a check nothing is said, and that is true of every schedule") {
    const Claim nothing;
    CHECK(nothing.level() == ClaimLevel::Unmeasured);
    CHECK(nothing.stamp() == "unmeasured");
    CHECK(nothing.is_of(Hash128{1, 2}));
}

TEST_CASE("A modelled figure is claimed where the model gives it, and refused where it does not") {
    const Schedule slower = one_stall_more(test::kernel_of_sample("softmax"));
    Modelled made(slower);
    const auto claim = required(claim_of_outcome(*slower.kernel(), slower, made.run, made.record, "s.db"));
    CHECK(claim->level() == ClaimLevel::Modelled);
    CHECK(claim->code() == CodeKind::Reschedule);
    CHECK(code_kind_of(*slower.kernel(), Schedule(slower.kernel())) == CodeKind::Original);
    CHECK(claim->parts().unchecked == "");
    CHECK_THAT(claim->stamp(), contains_text("modelled, unmeasured"));

    made.record.outcome.speedup = Speedup::exactly(0.3);
    made.record.outcome.verdict = Verdict::Faster;
    const auto forged = claim_of_outcome(*slower.kernel(), slower, made.run, made.record, "s.db");
    REQUIRE_FALSE(forged);
    CHECK(forged.error().code == ErrorCode::Corrupt);
    CHECK(forged.error().where == "s.db");

    made.run.start_run = 3;  // against a schedule that is not at hand: said, but as unchecked
    CHECK(claim_of_outcome(*slower.kernel(), slower, made.run, made.record, "s.db")->parts().unchecked != "");
}

TEST_CASE("A comparison is claimed where its figures follow from its samples") {
    const Schedule schedule = one_stall_more(test::kernel_of_sample("softmax"));
    Comparison measured = measured_faster();
    const auto claim = required(claim_of_comparison(schedule, measured, {}));
    CHECK(claim->level() == ClaimLevel::Measured);
    CHECK_THAT(claim->stamp(), contains_text("measured: 1.0202x"));
    CHECK(claim->is_of(schedule.hash()));
    CHECK_FALSE(claim->is_of(Schedule(schedule.kernel()).hash()));

    const auto code = [&] { return claim_of_comparison(schedule, measured, {}).error().code; };
    measured.outcome.speedup.low = measured.outcome.speedup.high =
        measured.outcome.speedup.log;  // narrower than the samples give
    CHECK(code() == ErrorCode::Corrupt);
    measured = measured_faster();
    measured.machine.gpu = {};
    CHECK(code() == ErrorCode::Corrupt);
    measured.outcome.kind = OutcomeKind::WrongResult;
    CHECK(code() == ErrorCode::Refused);
}

TEST_CASE("A claim of several shapes is of their mean, and says in which it is slower") {
    const Schedule schedule = one_stall_more(test::kernel_of_sample("softmax"));
    auto claim = required(claim_of_comparison(schedule, measured_in_shapes(0.02, 0.03, 0.01), {}));
    CHECK(claim->parts().speedup.log == Approx(0.02).margin(1e-3));
    CHECK(claim->parts().verdict == Verdict::Faster);
    CHECK(claim->parts().shapes.size() == 3);
    CHECK_THAT(claim->stamp(), Catch::Matchers::EndsWith("; mean of 3 shapes"));
    const ShapesComparison loses = measured_in_shapes(0.05, 0.03, -0.01);
    claim = claim_of_comparison(schedule, loses, {});
    REQUIRE(claim);
    CHECK(claim->parts().verdict == Verdict::Unclear);
    CHECK_THAT(claim->stamp(),
               Catch::Matchers::EndsWith("; mean of 3 shapes, SLOWER in short (1 of 3 shapes)"));

    const auto code = [&](const ShapesComparison& of) {
        return claim_of_comparison(schedule, of, {}).error().code;
    };
    ShapesComparison forged = loses;
    forged.outcome.verdict = Verdict::Faster;
    CHECK(code(forged) == ErrorCode::Corrupt);
    forged = loses;
    forged.shapes.pop_back();
    CHECK(code(forged) == ErrorCode::Corrupt);
    forged = loses;
    forged.shapes[2].outcome.speedup.log = 0.01;
    CHECK(code(forged) == ErrorCode::Corrupt);
    // Each shape made for the whole error probability is narrower than what the mean needs.
    CHECK(code(ShapesComparison({"first", "wide"}, {measured_around(0.02), measured_around(0.02)}, 0.002)) ==
          ErrorCode::Corrupt);
}

TEST_CASE("Where a shape has no figure in fresh processes, the stamp says UNCLEAR and which") {
    const Schedule schedule = one_stall_more(test::kernel_of_sample("softmax"));
    auto claim = required(claim_of_comparison(schedule, measured_in_shapes(0.02, 0.03, 0.01), {}));
    ShapesComparison lost = measured_in_shapes(0.02, 0.03, 0.01);
    lost.shapes[1] = not_compared({ErrorCode::Worker, "gone", ""}, {});
    lost = ShapesComparison(lost.names, lost.shapes, 0.002);
    CHECK_FALSE(claim_of_comparison(schedule, lost, {}));
    const Claim without = claim_without_figure(schedule, lost, *claim);
    CHECK(without.parts().verdict == Verdict::Unclear);
    CHECK_THAT(without.stamp(), contains_text(" UNCLEAR on Some GPU"));
    CHECK_THAT(without.stamp(),
               Catch::Matchers::EndsWith("; in fresh processes no figure: shape wide (worker-lost)"));
    ClaimParts modelled;
    modelled.evaluator = EvaluatorKind::Model;
    put_without_figure(modelled, "shape wide (worker-lost)");
    CHECK(modelled.without_figure.empty());  // it has no verdict
}

TEST_CASE("A measurement of one shape does not replace a mean over all shapes") {
    const MeasurementRecord again = measurement_record(measured_faster(), 1, 5, "measure", Cache::Hot);
    ClaimParts parts;
    parts.evaluator = EvaluatorKind::Gpu;
    parts.cache = Cache::Hot;
    parts.speedup.log = 0.01;
    CHECK(with_measurements(parts, {again}, 5).speedup.log == Approx(0.02).margin(1e-3));
    CHECK(with_measurements(parts, {again}, 5, 3).speedup.log == 0.01);
    // One of all shapes does.
    const MeasurementRecord all =
        measurement_record(measured_in_shapes(0.03, 0.03, 0.03), 1, 5, "measure", Cache::Hot);
    const ClaimParts of_all = with_measurements(parts, {again, all}, 5, 3);
    CHECK(of_all.speedup.log == Approx(0.03).margin(1e-3));
    CHECK(with_measurements(parts, {all}, 5, 4).speedup.log == 0.01);  // not of that workload

    CHECK(shapes_in("") == 1);
    CHECK(shapes_in(R"({"kernel": "k", "grid": [1,1,1], "block": [32,1,1], "params": [],
                        "shapes": [{"name": "large", "grid": [2,1,1]}]})") == 2);
}

TEST_CASE("Two equal words that have changed places have not moved: the stamp counts what the file shows") {
    std::string folder = (std::filesystem::temp_directory_path() / "cubinlab-claim-XXXXXX").string();
    REQUIRE(::mkdtemp(folder.data()) != nullptr);
    const auto cubin = required(
        Cubin::open(std::filesystem::path(CUBINLAB_TEST_DATA) / "cubins/flash_attn_mma.sm_89.cubin"));
    const KernelPtr kernel = Kernel::load(*cubin).value();
    constexpr InstrId kFirst = 135,
                      kSecond = 140;  // UIADD3 URZ, URZ, URZ, URZ in front of tensor instructions
    REQUIRE(kernel->instruction(kFirst).word == kernel->instruction(kSecond).word);
    Schedule exchanged(kernel);
    exchanged.move(kFirst, kSecond);
    exchanged.move(kSecond, kFirst);
    REQUIRE(exchanged.position_of(kFirst) == kSecond);
    REQUIRE(exchanged.position_of(kSecond) == kFirst);
    REQUIRE(exchanged.hash() == kernel->hash());
    const Claim claim = claim_of_comparison(exchanged, measured_faster(), {}).value();
    const auto report = required(export_cubin(exchanged, std::filesystem::path(folder) / "x.cubin", claim));
    CHECK(report->moved == 0);
    CHECK(report->control_changed == 0);
    std::filesystem::remove_all(folder);
}

TEST_CASE("The figure of one schedule is not exported with another") {
    std::string folder = (std::filesystem::temp_directory_path() / "cubinlab-claim-XXXXXX").string();
    REQUIRE(::mkdtemp(folder.data()) != nullptr);
    const std::filesystem::path out = std::filesystem::path(folder) / "x.cubin";
    const Schedule schedule = one_stall_more(test::kernel_of_sample("softmax"));
    const Claim claim = claim_of_comparison(schedule, measured_faster(), {}).value();
    const auto other = export_cubin(Schedule(schedule.kernel()), out, claim);
    REQUIRE_FALSE(other);
    CHECK(other.error().code == ErrorCode::Refused);
    CHECK_FALSE(std::filesystem::exists(out));
    const auto own = required(export_cubin(schedule, out, claim));
    CHECK(own->stamp == claim.stamp());
    std::filesystem::remove_all(folder);
}

TEST_CASE("The kind of code that a stamp names is accepted up to a rank, an unknown one never") {
    const auto accepted = [](const nlohmann::json& stamp, CodeKind most) {
        return check_code_kind(stamp, most, "k.cubin").has_value();
    };
    CHECK(accepted(nullptr, CodeKind::Reschedule));  // no stamp
    CHECK(accepted({{"code", "original"}}, CodeKind::Reschedule));
    CHECK(accepted({{"code", "reschedule"}}, CodeKind::Reschedule));
    CHECK_FALSE(accepted({{"code", "hinted"}}, CodeKind::Reschedule));
    CHECK(accepted({{"code", "hinted"}}, CodeKind::Recompiled));
    CHECK_FALSE(accepted({{"code", "recompiled"}}, CodeKind::Hinted));
    CHECK_FALSE(accepted({{"code", "another"}}, CodeKind::Recompiled));
}
