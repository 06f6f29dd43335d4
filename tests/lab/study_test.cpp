// SPDX-License-Identifier: GPL-3.0-or-later
// The studies of the measurement, on the real worker with a stand-in driver whose truth is known.
#include <cmath>

#include "app/lab/study/measurement_study.h"
#include "app/lab/study/study_candidates.h"
#include "core/gpu/protocol/repeat_budget.h"
#include "tests/support/catch.h"
#include "tests/support/fake_driver.h"
#include "tests/support/sample_kernel.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

GpuClient client_of(const std::string& environment = "") {
    ClientSettings settings;
    settings.command = fake_driver_command(environment);
    PrepareRequest prepare;
    prepare.settings.warm_up_ms = 0;  // virtual time needs none, and the noise repeats
    prepare.workload = workload_of();
    prepare.cubin = module_of("20");
    return GpuClient(settings, prepare);
}

}  // namespace

TEST_CASE("Upper bound of a rate: the rule of three, and tabled Clopper-Pearson values") {
    CHECK(rate_upper_bound(0, 2000) == Approx(1 - std::pow(0.05, 1.0 / 2000)).epsilon(1e-6));
    CHECK(rate_upper_bound(0, 2000) == Approx(3.0 / 2000).epsilon(0.01));
    CHECK(rate_upper_bound(5, 20) == Approx(0.4556).epsilon(0.001));  // two-sided 90 %: 0.1041 to 0.4556
    CHECK(rate_upper_bound(3, 3) == 1);
    CHECK(rate_upper_bound(0, 0) == 1);
}

TEST_CASE("The original against itself is counted by rung") {
    GpuClient client = client_of();
    auto study = required(study_same(client, image_of("20"), 0.5, 0.002, {}));
    for (const FalseVerdicts& rung : study->rungs) {
        CHECK(rung.comparisons > 0);
        CHECK(rung.failed == 0);
        CHECK(static_cast<double>(rung.wrong()) <= 0.05 * static_cast<double>(rung.comparisons));
    }
    CHECK(study->original_us == Approx(20).epsilon(0.02));
    CHECK(study->seen_deviation > 0);
    CHECK(study->seen_detectable < 0.02);
}

TEST_CASE("Extra launches are seen as the work that they are, on either side") {
    GpuClient client = client_of();
    CompareRequest request{module_of("20"), module_of("20"), 8};
    for (int extra : {5, -5}) {
        request.study = {4, 100, extra};
        auto result = required(client.compare(request, {}));
        CHECK(result->outcome.kind == OutcomeKind::Ok);
        CHECK(result->outcome.speedup.log ==
              Approx(extra > 0 ? -std::log(1.05) : std::log(1.05)).margin(0.001));
        CHECK(result->outcome.verdict == (extra > 0 ? Verdict::Slower : Verdict::Faster));
        CHECK(result->outcome.samples.size() == 32);
    }
    request.study = {4, 0, 5};  // of how many?
    auto result = required(client.compare(request, {}));
    CHECK(result->outcome.kind == OutcomeKind::Error);
}

TEST_CASE("A padding is found that costs what was asked for, and the nearest one where none does") {
    GpuClient client = client_of();
    // Each step costs 0.02 us of 20, so 10 steps are 1 %.
    const auto image = [](std::size_t steps) {
        return module_of(std::to_string(20 + 0.02 * static_cast<double>(steps)));
    };
    auto found = required(find_padding(client, module_of("20"), image, 4000, 0.03, {}));
    CHECK(*found >= 24);
    CHECK(*found <= 37);
    found = find_padding(client, module_of("20"), image, 5, 0.03, {});  // no more than 0.5 % to be had
    REQUIRE(found);
    CHECK(*found == 5);
    found = find_padding(client, module_of("20"), image, 0, 0.03, {});
    REQUIRE_FALSE(found);
    CHECK(found.error().code == ErrorCode::Unsupported);
}

TEST_CASE("As many comparisons as were asked for are made, whatever the time was") {
    GpuClient client = client_of();
    auto study = required(study_padded(client, module_of("20"), module_of("20.6"), 0.002, 0, {}, 12, 8, 3));
    CHECK(study->comparisons == 3);
    CHECK(study->wrong == 0);
    CHECK(study->estimate.log == Approx(-std::log(1.03)).margin(0.002));
}

TEST_CASE("Paddings of a sample are legal step by step and lie in its innermost loops") {
    const KernelPtr kernel = kernel_of_sample("gemm_leaky_mma");
    auto candidates = required(StudyCandidates::create(kernel));
    const std::vector<InstrId> padding = candidates->padding(200);
    REQUIRE(padding.size() == 200);
    auto checker = required(HazardChecker::create(kernel));
    for (const std::size_t n : {std::size_t{1}, std::size_t{20}, padding.size()}) {
        const Schedule schedule = candidates->padded(std::span(padding).first(n));
        CHECK((*checker)->check(schedule).empty());
        int added = 0;
        const Schedule original(kernel);
        for (InstrId id = 0; id < original.size(); ++id)
            added += schedule.control(id).stall - original.control(id).stall;
        CHECK(added == static_cast<int>(n));
    }
    CHECK(candidates->padded({}).hash() == Schedule(kernel).hash());
}

TEST_CASE("The rate counts what was evaluated and where the time went") {
    GpuClient client = client_of();
    const WireImage broken = image_of("20 fault");
    auto study = study_rate(
        client, image_of("20"), [] { return std::vector<WireImage>(8, image_of("20")); }, 0.3, {}, &broken);
    if (!study) FAIL(study.error().message());
    CHECK(study->candidates >= 8);
    CHECK(study->candidates % 8 == 0);
    CHECK(study->failed == 0);
    const PhaseShare& p = study->phases;
    const double phases = p.load_us + p.check_us + p.timing_us + p.unload_us + p.protocol_us + p.rest_us;
    CHECK(phases == Approx(study->seconds / static_cast<double>(study->candidates) * 1e6));
    CHECK(p.check_us > 0);
    CHECK(p.protocol_us > 0);
    CHECK(study->first_restart_ms > 0);
    CHECK(study->restart_ms > 0);
}

TEST_CASE("Tables name the pooled rate with its bound, and say what could not be studied") {
    MeasurementStudy study;
    study.machine.device = "Some GPU";
    SameStudy row;
    row.kernel = "k";
    row.rungs[1].comparisons = 1000;
    row.rungs[2].comparisons = 1000;
    row.rungs[2].faster = 1;
    study.same.push_back(row);
    study.notes.push_back("softmax: too big");
    const std::string text = markdown(study);
    CHECK_THAT(text, contains_text("1 of 2000 = 0.05 % (at most 0.24 %)"));
    CHECK_THAT(text, contains_text("softmax: too big"));
}

TEST_CASE("A lasting slowdown costs at most a tenth more, a passing one is waited out") {
    RepeatBudget budget;
    int repeated = 0;
    for (int block = 0; block < 2000; ++block)
        repeated += budget.may_repeat(true);
    CHECK(repeated <= 16 + 200);
    for (int block = 0; block < 400; ++block)
        CHECK_FALSE(budget.may_repeat(false));  // what is not slowed is never taken again
    for (int block = 0; block < 40; ++block)
        CHECK(budget.may_repeat(true));
}

TEST_CASE("Without a GPU the study says so") {
    StudySettings settings;
    settings.gpu.worker_command =
        std::string("env LD_LIBRARY_PATH=/nonexistent ") + CUBINLAB_BINARY_DIR + "/bin/cubinlab-bench-worker";
    settings.folder = CUBINLAB_SAMPLES;
    if (probe_gpu(settings.gpu).present) {
        WARN("SKIPPED, this machine has a GPU");
        return;
    }
    auto study = study_measurement(settings, {}, {});
    REQUIRE_FALSE(study);
    CHECK(study.error().code == ErrorCode::NoGpu);
}
