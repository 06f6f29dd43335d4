// SPDX-License-Identifier: GPL-3.0-or-later
// The studies of the measurement, on the real worker with a stand-in driver whose truth is known.
#include "core/measure/statistics.h"
#include "core/workflow/measurement_study.h"
#include "tests/support/catch.h"

using namespace cubinlab;

namespace {

const char* kWorkload = R"({"kernel": "k", "grid": [1], "block": [128], "check": "bitwise", "params": [
  {"buffer": {"dtype": "u8", "shape": [5003], "output": true}},
  {"buffer": {"dtype": "u8", "shape": [5003], "init": {"integers": {"low": 0, "high": 255}}}},
  {"scalar": {"type": "i32", "value": 5003}}]})";

std::vector<std::byte> module_of(const std::string& what) {
    std::string text = "fake us=" + what;
    text.resize(64, ' ');
    text.back() = '\0';
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

WireImage image_of(const std::string& what) {
    return difference(module_of("20"), module_of(what));
}

GpuClient client_of() {
    ClientSettings settings;
    settings.command = std::string("env LD_LIBRARY_PATH=") + CUBINLAB_BINARY_DIR + "/tests/fake_driver " +
                       CUBINLAB_BINARY_DIR + "/bin/cubinlab-bench-worker";
    PrepareRequest prepare;
    prepare.workload = kWorkload;
    prepare.cubin = module_of("20");
    return GpuClient(settings, prepare);
}

}  // namespace

TEST_CASE("The original against itself is counted by rung") {
    GpuClient client = client_of();
    auto study = study_same(client, image_of("20"), 0.5, 0.002, {});
    if (!study) FAIL(study.error().message());
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
        auto result = client.compare(request, {});
        if (!result) FAIL(result.error().message());
        CHECK(result->outcome.kind == BenchKind::Ok);
        CHECK(result->outcome.log_speedup ==
              Approx(extra > 0 ? -std::log(1.05) : std::log(1.05)).margin(0.001));
        CHECK(result->outcome.verdict == (extra > 0 ? 2 : 0));
        CHECK(result->outcome.samples.size() == 32);
    }
    request.study = {4, 0, 5};  // of how many?
    auto result = client.compare(request, {});
    REQUIRE(result);
    CHECK(result->outcome.kind == BenchKind::Error);
}

TEST_CASE("Known truths lie inside their intervals, 3 % is called, 0 % is not") {
    GpuClient client = client_of();
    auto studies = study_known(client, module_of("20"), 0.5, {});
    if (!studies) FAIL(studies.error().message());
    REQUIRE(studies->size() == 5);
    for (const KnownStudy& study : *studies) {
        INFO(study.launches << "+" << study.extra);
        CHECK(study.comparisons > 0);
        CHECK(study.wrong == 0);
        CHECK(std::abs(study.mean_error) < 0.001);
    }
    CHECK(studies->front().right == 0);
    CHECK(studies->back().right == studies->back().comparisons);
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
    const double phases =
        study->load_us + study->check_us + study->timing_us + study->unload_us + study->rest_us;
    CHECK(phases == Approx(study->seconds / static_cast<double>(study->candidates) * 1e6));
    CHECK(study->check_us > 0);
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

TEST_CASE("Without a GPU the study says so") {
    StudySettings settings;
    settings.gpu.worker_command =
        std::string("env LD_LIBRARY_PATH=/nonexistent ") + CUBINLAB_BINARY_DIR + "/bin/cubinlab-bench-worker";
    settings.folder = CUBINLAB_SAMPLES;
    if (probe_gpu(settings.gpu).present) return;
    auto study = study_measurement(settings, {}, {});
    REQUIRE_FALSE(study);
    CHECK(study.error().code == ErrorCode::NoGpu);
}
