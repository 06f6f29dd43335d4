// SPDX-License-Identifier: GPL-3.0-or-later
// The state that a program leaves: inputs just written. On the stand-in driver, whose kernels may be faster then.
#include "core/gpu/client/gpu_client.h"
#include "core/gpu/client/gpu_evaluator.h"
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
