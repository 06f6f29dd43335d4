// SPDX-License-Identifier: GPL-3.0-or-later
// The real worker on a stand-in driver (tests/fakes/fake_cuda.cpp): the whole road from request to verdict
// with no GPU. Times are virtual, so the verdicts are exact.

#include "core/gpu/client/gpu_client.h"
#include "core/gpu/client/worker_replication.h"
#include "tests/support/catch.h"
#include "tests/support/fake_driver.h"

using namespace cubinlab;
using namespace cubinlab::test;
using std::chrono::milliseconds;

namespace {

const std::string kWorkload = workload_of();

GpuClient client_of(const std::string& original = "20", const std::string& workload = kWorkload,
                    std::optional<bool> spare = {}, const std::string& environment = "") {
    ClientSettings settings;
    settings.spare = spare;
    settings.command = fake_driver_command(environment);
    settings.hang_after = milliseconds(300);
    PrepareRequest prepare;
    prepare.settings.warm_up_ms = 0;  // virtual time needs none, and the noise repeats
    prepare.settings.hang_after_ms = 300;
    prepare.workload = workload;
    prepare.cubin = module_of(original);
    return GpuClient(settings, prepare);
}

}  // namespace

TEST_CASE("The worker calibrates on the original") {
    GpuClient client = client_of();
    REQUIRE(client.ready({}));
    CHECK(client.facts().device == "Fake GPU");
    CHECK(client.facts().input_sets == 5);
    CHECK(client.calibration().deterministic);
    CHECK(client.calibration().original_us == Approx(20).epsilon(0.02));
    CHECK(client.calibration().pair_deviation < 0.003);  // the fake's noise: 0.6 % peak to peak
    CHECK(client.calibration().false_verdicts == 0);
}

TEST_CASE("Calibration begins when the original's time has settled, and says so if it does not") {
    const auto prepared = [](const std::string& drift) {
        ClientSettings settings;
        settings.command = fake_driver_command("CUBINLAB_FAKE_DRIFT=" + drift);
        PrepareRequest prepare;
        prepare.settings.warm_up_ms = 1000;
        prepare.workload = kWorkload;
        prepare.cubin = module_of("20");
        auto client = std::make_unique<GpuClient>(settings, prepare);
        if (auto status = client->ready({}); !status) FAIL(status.error().message());
        return client;
    };
    // 5 % slower over its first 5,000 launches, steady from then on.
    const auto settles = prepared("1e-5,5000");
    CHECK(settles->facts().settled);
    CHECK(settles->facts().warning.empty());
    CHECK(settles->facts().warm_up_ms >= 250);
    CHECK(settles->calibration().original_us == Approx(20 * 1.05).epsilon(0.008));
    const auto never = prepared("1e-5,1000000000");
    CHECK_FALSE(never->facts().settled);
    CHECK(never->facts().warm_up_ms >= 1000);
    CHECK(never->facts().warning.find("not steady after") != std::string::npos);
}

TEST_CASE("Each rung of the ladder finds the true speed-up inside its interval") {
    GpuClient client = client_of();
    for (Effort effort : {Effort::Screen, Effort::Refine, Effort::Confirm}) {
        auto outcomes = required(client.evaluate(
            effort, image_of("20"), {image_of("19"), image_of("20"), image_of("21"), image_of("19.5")}, {}));
        // An event adds half a virtual microsecond, hence a slightly smaller ratio than 20 / 19.
        const double truth[] = {std::log(20.0 / 19), 0, std::log(20.0 / 21), std::log(20.0 / 19.5)};
        for (std::size_t i = 0; i < 4; ++i) {
            const BenchOutcome& o = (*outcomes)[i];
            INFO(static_cast<int>(effort) << " " << i << " " << o.detail);
            REQUIRE(o.kind == OutcomeKind::Ok);
            CHECK(o.speedup.log == Approx(truth[i]).margin(0.002));
            CHECK(o.speedup.low <= o.speedup.log);
            CHECK(o.speedup.high >= o.speedup.log);
        }
        CHECK((*outcomes)[0].verdict == Verdict::Faster);
        CHECK((*outcomes)[2].verdict == Verdict::Slower);
        CHECK((*outcomes)[0].cost == Approx(19).epsilon(0.02));
        CHECK((*outcomes)[1].verdict != Verdict::Faster);
        CHECK((*outcomes)[1].verdict != Verdict::Slower);
        if (effort == Effort::Confirm) CHECK((*outcomes)[1].verdict == Verdict::Same);
    }
}

TEST_CASE("A measurement by noise samples as the calibration says and finds the true speed-up") {
    GpuClient client = client_of();
    if (auto status = client.ready({}); !status) FAIL(status.error().message());
    const Calibration& known = client.calibration();
    // A sample of 100 us holds 5 launches of 20 us; longer ones hold 10 and 20. The fake's noise is that of each launch:
    // uniform over 0.6 %.
    for (const SamplePlan& plan : {known.test_plan, known.refine_plan}) {
        INFO(plan.launches << " launches, " << plan.pairs << " pairs");
        CHECK((plan.launches == 5 || plan.launches == 10 || plan.launches == 20));
        CHECK(plan.pairs >= 1);
        CHECK(plan.deviation ==
              Approx(0.006 / std::sqrt(12.0) * std::sqrt(2.0 / plan.launches)).epsilon(0.5));
    }
    const std::vector<WireImage> images = {image_of("19"), image_of("20"), image_of("21")};
    const double truth[] = {std::log(20.0 / 19), 0, std::log(20.0 / 21)};
    for (const Effort effort : {Effort::Screen, Effort::Refine}) {
        const SamplePlan& plan = effort == Effort::Screen ? known.test_plan : known.refine_plan;
        auto outcomes = required(
            client.evaluate(effort, image_of("20"), images, {}, 0, {}, {.loads = 3, .by_noise = true}));
        for (std::size_t i = 0; i < images.size(); ++i) {
            const BenchOutcome& o = (*outcomes)[i];
            REQUIRE(o.kind == OutcomeKind::Ok);
            CHECK(o.speedup.log == Approx(truth[i]).margin(0.003));
            CHECK(o.speedup.low <= truth[i]);
            CHECK(o.speedup.high >= truth[i]);
            CHECK(o.pair_deviation == plan.deviation);
            if (effort == Effort::Screen) CHECK(o.samples.size() <= static_cast<std::size_t>(plan.pairs));
            if (effort == Effort::Refine) CHECK(o.samples.size() == 3 * static_cast<std::size_t>(plan.pairs));
        }
    }
    // The rungs of a ladder keep their own samples, and claims do whatever is asked.
    for (const Effort effort : {Effort::Screen, Effort::Refine, Effort::Confirm}) {
        const Sampling sampling{.by_noise = effort == Effort::Confirm};
        auto outcomes =
            required(client.evaluate(effort, image_of("20"), {image_of("19")}, {}, 0, {}, sampling));
        CHECK(outcomes->front().pair_deviation == 0);
    }
}

TEST_CASE("Hostile candidates get their own outcome, the good ones between them no false verdict") {
    const std::pair<const char*, OutcomeKind> hostile[] = {{"20 wrong", OutcomeKind::WrongResult},
                                                           {"20 wild", OutcomeKind::OutOfBoundsStore},
                                                           {"20 input", OutcomeKind::OutOfBoundsStore},
                                                           {"20 fault", OutcomeKind::Fault},
                                                           {"20 warm=4", OutcomeKind::WrongResult},
                                                           {"20 warm=8", OutcomeKind::WrongResult},
                                                           {"20 hang", OutcomeKind::Hang}};
    std::vector<WireImage> images;
    std::vector<OutcomeKind> expected;
    for (int round = 0; round < 2; ++round)
        for (const auto& [what, kind] : hostile) {
            images.push_back(image_of("20"));
            expected.push_back(OutcomeKind::Ok);
            images.push_back(image_of(what));
            expected.push_back(kind);
        }
    // Outputs are compared on the host, or by the digest kernel: then checks and pairs are one piece of work.
    for (const char* environment : {"", "CUBINLAB_FAKE_PTX=1"})
        for (const bool by_noise : {false, true}) {
            INFO(environment << (by_noise ? " looks" : " screenings"));
            GpuClient client = client_of("20", kWorkload, {}, environment);
            auto outcomes = required(
                client.evaluate(Effort::Screen, image_of("20"), images, {}, 0, {}, {.by_noise = by_noise}));
            for (std::size_t i = 0; i < images.size(); ++i) {
                INFO(i << ": " << (*outcomes)[i].detail);
                CHECK((*outcomes)[i].kind == expected[i]);
                if (expected[i] == OutcomeKind::Ok) CHECK(std::abs((*outcomes)[i].speedup.log) < 0.003);
            }
            CHECK((*outcomes)[1].detail.find("output params[0] differs") != std::string::npos);
            CHECK((*outcomes)[3].detail.find("the zone after params[0] was written") != std::string::npos);
            CHECK((*outcomes)[5].detail.find("input params[1] was changed") != std::string::npos);
            CHECK((*outcomes)[7].detail.find("CUDA_ERROR_ILLEGAL_ADDRESS") != std::string::npos);
        }
}

TEST_CASE("Looks together share the reference, and a clock that drifts counts for none of them") {
    // 0.01 % slower with each launch: the last of a group of eight is some 60 launches behind the reference.
    GpuClient client = client_of("20", kWorkload, {}, "CUBINLAB_FAKE_PTX=1 CUBINLAB_FAKE_DRIFT=1e-4,100000");
    const char* what[] = {"20", "19", "21", "20"};
    const double truth[] = {0, std::log(20.0 / 19), std::log(20.0 / 21), 0};
    std::vector<WireImage> images;
    for (std::size_t i = 0; i < 161; ++i)  // and one that is left over
        images.push_back(image_of(what[i % 4]));
    const Sampling look{.by_noise = true};
    auto outcomes = required(client.evaluate(Effort::Screen, image_of("20"), images, {}, 0, {}, look));
    double sum[4] = {};
    for (std::size_t i = 0; i < 160; ++i) {
        const BenchOutcome& o = (*outcomes)[i];
        REQUIRE(o.kind == OutcomeKind::Ok);
        CHECK(o.pair_deviation == client.calibration().test_plan.deviation);
        CHECK(o.samples.size() >= static_cast<std::size_t>(client.calibration().test_plan.pairs));
        CHECK(o.speedup.low <= truth[i % 4]);
        CHECK(o.speedup.high >= truth[i % 4]);
        sum[i % 4] += o.speedup.log / 40;
    }
    for (std::size_t place = 0; place < 4; ++place)
        CHECK(sum[place] == Approx(truth[place]).margin(0.0006));
    CHECK(client.times()->candidates == 161);
    CHECK(client.workers_started() == 1);
}

TEST_CASE("Refinements share the reference as screenings do, over fresh loads, also for one candidate") {
    for (const std::size_t count : {1u, 3u, 11u}) {
        INFO(count);
        GpuClient client =
            client_of("20", kWorkload, {}, "CUBINLAB_FAKE_PTX=1 CUBINLAB_FAKE_DRIFT=1e-4,100000");
        const char* what[] = {"19", "21", "20"};
        const double truth[] = {std::log(20.0 / 19), std::log(20.0 / 21), 0};
        std::vector<WireImage> images;
        for (std::size_t i = 0; i < count; ++i)
            images.push_back(image_of(what[i % 3]));
        auto outcomes = required(client.evaluate(Effort::Refine, image_of("20"), images, {}, 0, {},
                                                 {.loads = 4, .by_noise = true}));
        for (std::size_t i = 0; i < count; ++i) {
            const BenchOutcome& o = (*outcomes)[i];
            REQUIRE(o.kind == OutcomeKind::Ok);
            CHECK(o.loads == 4);
            CHECK(o.states.size() == 4);
            CHECK(o.samples.size() >= 4 * static_cast<std::size_t>(client.calibration().refine_plan.pairs));
            CHECK(o.pair_deviation == client.calibration().refine_plan.deviation);
            CHECK(o.alpha == kPromoteAlpha);
            CHECK(o.speedup.log == Approx(truth[i % 3]).margin(0.001));
            CHECK(o.speedup.low <= truth[i % 3]);
            CHECK(o.speedup.high >= truth[i % 3]);
            CHECK(o.verdict == (i % 3 == 0 ? Verdict::Faster : i % 3 == 1 ? Verdict::Slower : o.verdict));
        }
        CHECK(client.times()->candidates == count);
        CHECK(client.workers_started() == 1);
    }
}

TEST_CASE("A refinement reports a failure for the candidate that failed") {
    for (const auto& [what, kind] : {std::pair("20 fault", OutcomeKind::Fault),
                                     {"20 hang", OutcomeKind::Hang},
                                     {"20 wrong", OutcomeKind::WrongResult},
                                     {"20 wild", OutcomeKind::OutOfBoundsStore}}) {
        INFO(what);
        GpuClient client = client_of("20", kWorkload, {}, "CUBINLAB_FAKE_PTX=1");
        std::vector<WireImage> images(3, image_of("19"));
        images[1] = image_of(what);
        auto outcomes = required(client.evaluate(Effort::Refine, image_of("20"), images, {}, 0, {},
                                                 {.loads = 2, .by_noise = true}));
        CHECK((*outcomes)[0].kind == OutcomeKind::Ok);
        CHECK((*outcomes)[1].kind == kind);
        CHECK((*outcomes)[2].kind == OutcomeKind::Ok);
    }
}

TEST_CASE("A failure in a batch is found by measuring each candidate alone") {
    for (const auto& [what, kind] : {std::pair("20 fault", OutcomeKind::Fault),
                                     {"20 hang", OutcomeKind::Hang},
                                     {"20 wrong", OutcomeKind::WrongResult},
                                     {"20 wild", OutcomeKind::OutOfBoundsStore},
                                     {"20 warm=4", OutcomeKind::WrongResult}}) {
        // Ten are two groups of five, sixteen two of eight, whose second half has the sets of the first half again.
        for (const auto& [candidates, bad] : {std::pair(10, 6), {16, 10}, {16, 14}}) {
            INFO(what << " as number " << bad << " of " << candidates);
            GpuClient client = client_of("20", kWorkload, {}, "CUBINLAB_FAKE_PTX=1");
            std::vector<WireImage> images(static_cast<std::size_t>(candidates), image_of("19"));
            images[static_cast<std::size_t>(bad)] = image_of(what);
            std::vector<std::size_t> told;
            auto outcomes = client.evaluate(
                Effort::Screen, image_of("20"), images, {}, 0,
                [&](std::size_t index, const BenchOutcome&) { told.push_back(index); }, {.by_noise = true});
            if (!outcomes) FAIL(outcomes.error().message());
            for (std::size_t i = 0; i < images.size(); ++i) {
                const bool good = i != static_cast<std::size_t>(bad);
                CHECK((*outcomes)[i].kind == (good ? OutcomeKind::Ok : kind));
                CHECK(told[i] == i);
                if (good) CHECK((*outcomes)[i].speedup.log == Approx(std::log(20.0 / 19)).margin(0.003));
            }
            // One for the group that went wrong, one for the candidate that did.
            CHECK(client.workers_started() == 3);
        }
    }
}

TEST_CASE("While candidates keep failing each is measured alone") {
    GpuClient client = client_of("20", kWorkload, {}, "CUBINLAB_FAKE_PTX=1");
    const auto workers_for = [&](const char* what) {
        std::vector<WireImage> images(8, image_of("19"));
        images[5] = image_of(what);
        const int before = client.workers_started();
        auto outcomes =
            required(client.evaluate(Effort::Screen, image_of("20"), images, {}, 0, {}, {.by_noise = true}));
        for (std::size_t i = 0; i < images.size(); ++i)
            CHECK(((*outcomes)[i].kind == OutcomeKind::Ok) == (i != 5 || what == std::string("19")));
        return client.workers_started() - before;
    };
    CHECK(workers_for("19") == 1);
    // The group's, and the one that goes on behind the candidate.
    for (int i = 0; i < 3; ++i)
        CHECK(workers_for("20 fault") == 2);
    for (int i = 0; i < 5; ++i)
        CHECK(workers_for("20 fault") == 1);
    for (int i = 0; i < 4; ++i)
        CHECK(workers_for("19") == 0);
    CHECK(workers_for("20 fault") == 2);
}

TEST_CASE("Launches that find the caches cold after a check are in no sample") {
    GpuClient client = client_of("20", kWorkload, {}, "CUBINLAB_FAKE_PTX=1 CUBINLAB_FAKE_COLD=0.4,2");
    const std::vector<WireImage> images(12, image_of("19"));
    for (const Effort effort : {Effort::Screen, Effort::Refine}) {
        auto outcomes = required(
            client.evaluate(effort, image_of("20"), images, {}, 0, {}, {.loads = 2, .by_noise = true}));
        // One such launch in a sample of 5 would be 8 %, on either side.
        for (const BenchOutcome& outcome : *outcomes)
            CHECK(outcome.speedup.log == Approx(std::log(20.0 / 19)).margin(0.003));
    }
}

TEST_CASE("With a spare worker every anomaly still gets a fresh one, and the same outcomes") {
    std::vector<WireImage> images;
    for (int i = 0; i < 24; ++i)
        images.push_back(image_of(i % 3 == 1 ? "20 fault" : i % 3 == 2 ? "20 wrong" : "19"));
    for (bool spare : {false, true}) {
        GpuClient client = client_of("20", kWorkload, spare);
        auto outcomes = required(client.evaluate(Effort::Screen, image_of("20"), images, {}));
        for (std::size_t i = 0; i < images.size(); ++i) {
            const OutcomeKind kinds[] = {OutcomeKind::Ok, OutcomeKind::Fault, OutcomeKind::WrongResult};
            CHECK((*outcomes)[i].kind == kinds[i % 3]);
            if (i % 3 == 0) CHECK((*outcomes)[i].speedup.log == Approx(std::log(20.0 / 19)).margin(0.003));
        }
        // The last candidate's worker is only replaced when it is needed.
        CHECK(client.workers_started() == 16);
        CHECK(client.restart_seconds().size() == 15);
        auto promoted = required(client.evaluate(Effort::Refine, image_of("20"), {image_of("19")}, {}));
        CHECK((*promoted)[0].verdict == Verdict::Faster);
    }
}

TEST_CASE("A module that the driver does not load, and a patch that does not fit") {
    GpuClient client = client_of();
    WireImage outside = image_of("20");
    outside.patches.push_back({1000, {std::byte{1}}});
    WireImage mismatch = image_of("19");
    mismatch.hash.lo ^= 1;
    auto broken = module_of("20");
    broken[0] = std::byte{'X'};
    auto outcomes = required(
        client.evaluate(Effort::Screen, image_of("20"),
                        {outside, mismatch, difference(module_of("20"), broken), image_of("20")}, {}));
    CHECK((*outcomes)[0].detail.find("reaches beyond") != std::string::npos);
    CHECK((*outcomes)[1].detail.find("hash") != std::string::npos);
    CHECK((*outcomes)[2].kind == OutcomeKind::Error);
    CHECK((*outcomes)[2].detail.find("CUDA_ERROR_INVALID_IMAGE") != std::string::npos);
    CHECK((*outcomes)[3].kind == OutcomeKind::Ok);
}

TEST_CASE("An original that breaks its own workload is refused with advice") {
    auto what = [](const std::string& original) {
        GpuClient client = client_of(original);
        auto status = client.ready({});
        return status ? std::string("accepted") : status.error().message();
    };
    CHECK(what("20 wild").find("the zone after params[0] was written") != std::string::npos);
    CHECK(what("20 input").find("mark buffers that it writes") != std::string::npos);
    CHECK(what("20 unstable").find("different outputs from run to run") != std::string::npos);
    CHECK(what("20 fault").find("CUDA_ERROR_ILLEGAL_ADDRESS") != std::string::npos);
}

TEST_CASE("An original that varies from run to run is judged within its tolerance") {
    std::string workload = kWorkload;
    const auto at = workload.find("\"bitwise\"");
    workload.replace(at, 9, R"({"tolerance": {"absolute": 255, "relative": 0}})");
    GpuClient client = client_of("20 unstable", workload.c_str());
    REQUIRE(client.ready({}));
    CHECK_FALSE(client.calibration().deterministic);
    const auto image = [](const char* what) { return difference(module_of("20 unstable"), module_of(what)); };
    auto outcomes =
        required(client.evaluate(Effort::Screen, image("20 unstable"), {image("20"), image("20 wild")}, {}));
    CHECK((*outcomes)[0].kind == OutcomeKind::Ok);
    CHECK((*outcomes)[1].kind == OutcomeKind::OutOfBoundsStore);
}

TEST_CASE("Comparison over fresh loads") {
    GpuClient client = client_of();
    CompareRequest request{module_of("20"), module_of("19"), 10};
    int calls = 0;
    auto result = client.compare(request, {}, [&](int done, int total) {
        ++calls;
        CHECK(done <= total);
    });
    if (!result) FAIL(result.error().message());
    CHECK(result->outcome.kind == OutcomeKind::Ok);
    CHECK(result->outcome.verdict == Verdict::Faster);
    CHECK(result->details.outputs_equal);
    CHECK(result->details.by_load.size() == 10);
    CHECK(calls == 10);
    request.b = module_of("20 warm=9");
    result = client.compare(request, {});
    REQUIRE(result);
    CHECK(result->outcome.kind == OutcomeKind::WrongResult);
    CHECK_FALSE(result->details.outputs_equal);
    request.b = module_of("20 hang");
    result = client.compare(request, {});
    REQUIRE(result);
    CHECK(result->outcome.kind == OutcomeKind::Hang);
}

TEST_CASE("A comparison over fresh workers shows what differs from process to process") {
    ClientSettings settings;
    settings.command = fake_driver_command("CUBINLAB_FAKE_SPREAD=0.01");
    PrepareRequest prepare;
    prepare.settings.warm_up_ms = 0;
    prepare.workload = kWorkload;
    prepare.cubin = module_of("20");
    GpuClient client(settings, prepare);
    CompareRequest request{module_of("20"), module_of("19"), 12};
    auto inside = required(client.compare(request, {}));
    CHECK(client.workers_started() == 1);
    auto over = required(compare_over_workers(client, request, 1, 0.002, {}));
    CHECK(client.workers_started() == 12);
    CHECK(over->details.by_load.size() == 12);
    CHECK(over->outcome.loads == 12);
    const double truth = std::log(20.0 / 19);
    CHECK(over->outcome.speedup.low <= truth);
    CHECK(truth <= over->outcome.speedup.high);
    // One process knows nothing of the others.
    CHECK(over->outcome.speedup.high - over->outcome.speedup.low >
          2 * (inside->outcome.speedup.high - inside->outcome.speedup.low));

    request.loads = 60;
    over = compare_over_workers(client, request, 1, 0.002, {});
    if (!over) FAIL(over.error().message());
    CHECK(over->details.by_load.size() == kMostReplicates);
    CHECK(over->outcome.loads == 60);
    request.b = module_of("19 wrong");
    over = compare_over_workers(client, request, 1, 0.002, {});
    if (!over) FAIL(over.error().message());
    CHECK(over->outcome.kind == OutcomeKind::WrongResult);
}

TEST_CASE("Without a driver the worker says so") {
    ClientSettings settings;
    settings.command =
        std::string("env LD_LIBRARY_PATH=/nonexistent ") + CUBINLAB_BINARY_DIR + "/bin/cubinlab-bench-worker";
    const GpuProbe probe = GpuClient::probe(settings, 0);
    if (probe.present) {
        WARN("SKIPPED, this machine has a GPU");
        return;
    }
    CHECK_FALSE(probe.reason.empty());
    GpuClient client(settings, PrepareRequest{{}, kWorkload, module_of("20"), {}, {}});
    auto status = client.ready({});
    REQUIRE_FALSE(status);
    CHECK(status.error().code == ErrorCode::NoGpu);
}
