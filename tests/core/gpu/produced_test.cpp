// SPDX-License-Identifier: GPL-3.0-or-later
// The state that a program leaves: inputs just written. On the stand-in driver, whose kernels may be faster then. And
// captured launches, which are judged in it.
#include <cmath>

#include "core/gpu/client/gpu_client.h"
#include "core/gpu/client/gpu_evaluator.h"
#include "core/gpu/protocol/captured_memory.h"
#include "core/gpu/protocol/inputs.h"
#include "core/gpu/protocol/workload.h"
#include "tests/support/catch.h"
#include "tests/support/fake_driver.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

GpuClient client_of(Cache cache, const std::string& environment = "CUBINLAB_FAKE_PTX=1") {
    ClientSettings settings;
    settings.command = fake_driver_command(environment);
    settings.hang_after = std::chrono::milliseconds(300);
    PrepareRequest prepare;
    prepare.settings.warm_up_ms = 0;
    prepare.settings.cache = cache;
    prepare.workload = workload_of();
    prepare.cubin = module_of("20");
    return GpuClient(settings, prepare);
}

BenchOutcome confirmed(GpuClient& client, const std::string& candidate) {
    auto outcomes = required(client.evaluate(Effort::Confirm, image_of("20"), {image_of(candidate)}, {}));
    return outcomes->front();
}

}  // namespace

TEST_CASE("Inputs are written before each timed launch of both sides in the produced state, and in no other") {
    for (const Cache cache : {Cache::Hot, Cache::Cold, Cache::Produced}) {
        GpuClient client = client_of(cache);
        const BenchOutcome o = confirmed(client, "20 produced=15");
        INFO(to_string(cache) << ": " << o.detail);
        REQUIRE(o.kind == OutcomeKind::Ok);
        const double truth = cache == Cache::Produced ? std::log(20.0 / 15) : 0;
        CHECK(o.speedup.log == Approx(truth).margin(0.01));
        CHECK((client.facts().cache_state.find("inputs written") != std::string::npos) == (cache == Cache::Produced));
    }
}

TEST_CASE("Written inputs keep their contents: a wrong result and a changed input are still found") {
    GpuClient client = client_of(Cache::Produced);
    CHECK(confirmed(client, "19").kind == OutcomeKind::Ok);
    CHECK(confirmed(client, "19 wrong").kind == OutcomeKind::WrongResult);
    CHECK(confirmed(client, "19 input").kind == OutcomeKind::OutOfBoundsStore);
}

TEST_CASE("A driver that assembles no PTX writes inputs by copies") {
    GpuClient client = client_of(Cache::Produced, "");
    CHECK(confirmed(client, "20 produced=15").speedup.log == Approx(std::log(20.0 / 15)).margin(0.01));
    CHECK(confirmed(client, "19 input").kind == OutcomeKind::OutOfBoundsStore);
}

TEST_CASE("A captured launch is judged produced and cold unless a state is chosen") {
    const auto captured = required(Workload::parse(
        R"({"kernel": "k", "grid": [1], "block": [32], "params": [{"scalar": {"type": "u64", "value": 4096}}],
            "captured": {"sets": [{"memory": "k.memory"}]}})"));
    const auto buffers = required(Workload::parse(workload_of()));
    GpuSettings settings;
    settings.cache_given = false;
    CHECK(with_cache_for(settings, *captured).cache == Cache::Program);
    CHECK(with_cache_for(settings, *buffers).cache == Cache::Hot);
    settings.cache = Cache::Cold;
    settings.cache_given = true;
    CHECK(with_cache_for(settings, *captured).cache == Cache::Cold);
    CHECK(measured_states(Cache::Program) == std::vector{Cache::Produced, Cache::Cold});
    CHECK(cache_words(Cache::Program) == ", mean of produced and cold cache");
}

namespace {

constexpr std::uint64_t kAt = 0x500000000000, kPage = CapturedMemory::kPageBytes;

// The launch of "out[i] = in[i] + 1" on captured memory: one page of results, then two that it reads. `sets`: input sets.
PrepareRequest captured_launch(Cache cache, int sets) {
    PrepareRequest out;
    out.settings.warm_up_ms = 0;
    out.settings.cache = cache;
    out.cubin = module_of("20");
    nlohmann::json workload = nlohmann::json::parse(
        R"({"kernel": "k", "grid": [1], "block": [128], "check": "bitwise", "params": [
            {"scalar": {"type": "u64", "value": 0}}, {"scalar": {"type": "u64", "value": 0}},
            {"scalar": {"type": "i32", "value": 60000}}], "captured": {"sets": []}})");
    workload["params"][0]["scalar"]["value"] = kAt;
    workload["params"][1]["scalar"]["value"] = kAt + kPage;
    for (int set = 0; set < sets; ++set) {
        MemoryBuilder builder;
        CapturedRegion region{kAt, 3 * kPage, RegionKind::Device, {}, {CapturedRegion::kZeros}, {}};
        std::vector<std::byte> in(kPage), results(kPage);
        for (int page = 0; page < 2; ++page) {
            for (std::size_t i = 0; i < kPage; ++i) {
                // Sets have the second page in common.
                in[i] = static_cast<std::byte>(mix64(i + (page == 0 ? 1 + set : 0) * kPage));
                if (page == 0 && i < 60000) results[i] = static_cast<std::byte>(static_cast<int>(in[i]) + 1);
            }
            region.before.push_back(builder.keep(in));
        }
        region.changed = {{0, builder.keep(results)}};
        builder.memory.regions.push_back(std::move(region));
        out.files[-1 - set] = builder.memory.serialise();
        workload["captured"]["sets"].push_back({{"memory", "k.memory"}});
    }
    out.workload = workload.dump();
    return out;
}

ClientSettings worker_settings() {
    ClientSettings out;
    out.command = fake_driver_command("CUBINLAB_FAKE_PTX=1");
    out.hang_after = std::chrono::milliseconds(300);
    return out;
}

}  // namespace

TEST_CASE("One worker measures in each state of a mean, after one start") {
    GpuClient client(worker_settings(), captured_launch(Cache::Program, 1));
    REQUIRE(client.ready({}));
    CHECK(client.calibrations().size() == 2);
    const auto in = [&](Cache state) {
        const auto outcomes = required(client.evaluate(Effort::Confirm, image_of("20"),
                                                       {image_of("20 produced=15")}, {}, 0, {}, {}, state));
        return outcomes->front().speedup.log;
    };
    CHECK(in(Cache::Produced) == Approx(std::log(20.0 / 15)).margin(0.01));
    CHECK(in(Cache::Cold) == Approx(0).margin(0.01));
    CHECK(in(Cache::Produced) == Approx(std::log(20.0 / 15)).margin(0.01));
    CHECK(client.workers_started() == 1);
    // A replacement has the calibrations of both.
    client.renew();
    CHECK(in(Cache::Cold) == Approx(0).margin(0.01));
    CHECK_FALSE(client.evaluate(Effort::Screen, image_of("20"), {image_of("19")}, {}, 0, {}, {}, Cache::Hot));
}

TEST_CASE("Candidates on captured memory share the reference, and each is checked alone") {
    for (const int sets : {1, 3})
        for (const Cache cache : {Cache::Hot, Cache::Cold, Cache::Produced}) {
            INFO(sets << " sets, " << to_string(cache));
            GpuClient client(worker_settings(), captured_launch(cache, sets));
            REQUIRE(client.ready({}));
            const SamplePlan& plan = client.calibration().test_plan;
            std::vector<WireImage> images;
            for (std::size_t i = 0; i < 16; ++i)
                images.push_back(image_of(i % 2 == 0 ? "20" : "19"));
            const Sampling by_noise{.by_noise = true};
            const auto screen = [&] {
                return required(client.evaluate(Effort::Screen, image_of("20"), images, {}, 0, {}, by_noise));
            };
            screen();
            const std::uint64_t before = client.times()->launches;
            auto outcomes = screen();
            for (std::size_t i = 0; i < images.size(); ++i) {
                REQUIRE((*outcomes)[i].kind == OutcomeKind::Ok);
                const double truth = i % 2 == 0 ? 0 : std::log(20.0 / 19);
                CHECK((*outcomes)[i].speedup.log == Approx(truth).margin(0.008));
            }
            // Nine samples for eight candidates, and one more at the end, instead of sixteen. Hot samples have a warm launch.
            const int each = plan.launches + (cache == Cache::Hot ? 1 : 0);
            const auto timed = client.times()->launches - before;
            CHECK(timed <= 2u * static_cast<unsigned>((9 * plan.pairs + 3) * each + 20));
            CHECK(client.workers_started() == 1);

            images[3] = image_of("19 wrong");
            images[9] = image_of(
                "19 input");  // writes what the original only reads; pages that differ by set are restored
            const OutcomeKind store = sets == 1 ? OutcomeKind::OutOfBoundsStore : OutcomeKind::WrongResult;
            outcomes = screen();
            for (std::size_t i = 0; i < images.size(); ++i)
                CHECK((*outcomes)[i].kind == (i == 3   ? OutcomeKind::WrongResult
                                              : i == 9 ? store
                                                       : OutcomeKind::Ok));
            outcomes = client.evaluate(Effort::Refine, image_of("20"), {images[1], images[3]}, {}, 0, {},
                                       {.loads = 4, .by_noise = true});
            REQUIRE(outcomes);
            CHECK((*outcomes)[0].verdict == Verdict::Faster);
            CHECK((*outcomes)[1].kind == OutcomeKind::WrongResult);
        }
}

TEST_CASE("A wrong result on one of several captured sets is found by the check on all of them") {
    GpuClient client(worker_settings(), captured_launch(Cache::Cold, 3));
    REQUIRE(client.ready({}));
    unsigned first = 0;
    for (int i = 3; i >= 0; --i)
        first = first << 8 | static_cast<unsigned>(mix64(static_cast<std::uint64_t>(i) + 3 * kPage) & 0xff);
    std::vector<WireImage> images(8, image_of("19"));
    images[5] = image_of("19 on=" + std::to_string(first));
    auto outcomes =
        required(client.evaluate(Effort::Screen, image_of("20"), images, {}, 0, {}, {.by_noise = true}));
    for (std::size_t i = 0; i < images.size(); ++i)
        CHECK((*outcomes)[i].kind == (i == 5 ? OutcomeKind::WrongResult : OutcomeKind::Ok));
}

TEST_CASE("A cold cache needs no longer warm-up because launches scatter") {
    PrepareRequest cold = captured_launch(Cache::Program, 1);
    cold.settings.warm_up_ms = 1200;
    ClientSettings settings = worker_settings();
    settings.hang_after = std::chrono::milliseconds(2000);
    GpuClient client(settings, cold);
    REQUIRE(client.ready({}));
    CHECK(client.facts().settled);
    CHECK(client.facts().warm_up_ms < 1200);  // 300 for the first state, four windows for the other
    CHECK(client.start_times().calibrate > 0.3);
    CHECK(client.start_times().memory > 0);
}
