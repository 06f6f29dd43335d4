// SPDX-License-Identifier: GPL-3.0-or-later
// Launches that are not plain, energy, and a GPU that is throttled: the real worker on the stand-in driver.
#include <cmath>
#include <cstring>

#include "core/gpu/client/gpu_client.h"
#include "core/gpu/protocol/inputs.h"
#include "tests/support/catch.h"
#include "tests/support/fake_driver.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

std::string two_blocks(const std::string& more) {
    return workload_of(R"("grid": [2], )" + more);
}

GpuClient client_of(const std::string& original, const std::string& more = "", const std::string& env = "") {
    ClientSettings settings;
    settings.command = fake_driver_command(env);
    PrepareRequest prepare;
    prepare.settings.warm_up_ms = 0;  // virtual time needs none, and the noise repeats
    prepare.workload = two_blocks(more);
    prepare.cubin = module_of(original);
    return GpuClient(settings, prepare);
}

}  // namespace

TEST_CASE("Cooperative and cluster launches are made as the workload says") {
    for (const auto& [module, workload] :
         {std::pair<std::string, std::string>{"20 cooperative", "\"cooperative\": true, "},
          {"20 cluster=2", "\"cluster\": [2, 1, 1], "},
          {"20 cluster=2 cooperative", "\"cluster\": [2], \"cooperative\": true, "}}) {
        INFO(module);
        GpuClient right = client_of(module, workload);
        REQUIRE(right.ready({}));
        const WireImage same = difference(module_of(module), module_of(module));
        auto outcomes = required(right.evaluate(Effort::Screen, same, {same}, {}));
        CHECK((*outcomes)[0].kind == OutcomeKind::Ok);
        GpuClient plain = client_of(module);  // the same kernel, launched plainly: the driver refuses
        CHECK_FALSE(plain.ready({}));
    }
}

TEST_CASE("Energy is that of the launches, and tells two kernels of equal time apart") {
    GpuClient client = client_of("20");
    CompareRequest request{module_of("20"), module_of("20 mj=1.2"), 3};
    request.energy_ms = 40;
    auto result = required(client.compare(request, {}));
    REQUIRE(result->details.energy.windows == 6);
    CHECK(result->details.energy.a_mj == Approx(6).epsilon(0.1));  // 20 us at 0.3 mJ a us
    CHECK(result->details.energy.b_mj == Approx(7.2).epsilon(0.1));
    CHECK(result->details.energy.log_ratio == Approx(-std::log(1.2)).margin(0.05));
    CHECK(result->details.energy.low <= result->details.energy.log_ratio);
    CHECK(result->details.energy.high < 0);
    CHECK(result->outcome.energy_mj == result->details.energy.b_mj);
    CHECK(std::abs(result->outcome.speedup.log) < 0.003);  // the time knows nothing of it
    request.energy_ms = 0;
    result = client.compare(request, {});
    REQUIRE(result);
    CHECK(result->details.energy.windows == 0);
}

TEST_CASE("Every block tells the GPU's state, blocks of a throttled GPU are set aside and counted") {
    {
        GpuClient client = client_of("20");
        auto result = required(client.compare({module_of("20"), module_of("19"), 6}, {}));
        CHECK(result->outcome.throttled_blocks == 0);
        REQUIRE(result->outcome.states.size() == 6);
        CHECK(result->outcome.states[0].sm_clock_mhz == 1755);
        CHECK(result->outcome.states[0].temperature_c == 41);
        CHECK(result->outcome.states[0].power_w == 300);
        CHECK(result->outcome.alpha == kConfirmAlpha);
        const WireImage same = difference(module_of("20"), module_of("20"));
        auto screened = required(client.evaluate(Effort::Screen, same, {same}, {}));
        CHECK((*screened)[0].states.size() == 1);
    }
    GpuClient client = client_of("20", "", "FAKE_NVML_THROTTLE=5");
    auto result = required(client.compare({module_of("20"), module_of("19"), 6}, {}));
    CHECK(result->outcome.throttled_blocks > 0);
    CHECK(result->details.by_load.size() == 6);  // as many as asked for, all of an unhindered GPU
    CHECK(result->outcome.verdict == Verdict::Faster);
    CHECK(result->outcome.detail.find("throttled") != std::string::npos);
    for (const GpuReading& reading : result->outcome.states)
        CHECK(reading.throttle_reasons == 1);  // idle alone is no throttling
}

TEST_CASE(
    "Under a slowdown that lasts, screenings are not timed over and over, and say what state they saw") {
    GpuClient client = client_of("20", "", "FAKE_NVML_THROTTLE=1000000");
    const WireImage same = difference(module_of("20"), module_of("20"));
    auto screened = required(client.evaluate(Effort::Screen, same, std::vector<WireImage>(300, same), {}));
    std::uint32_t throttled_blocks = 0;
    for (const BenchOutcome& outcome : *screened) {
        REQUIRE(outcome.kind == OutcomeKind::Ok);
        throttled_blocks += outcome.throttled_blocks;
        CHECK(outcome.states.at(0).throttle_reasons == 0x40);
    }
    CHECK(throttled_blocks >= 16);
    // R repetitions of at most 600 blocks that count: R <= 16 + (600 + R) / 10.
    CHECK(throttled_blocks <= 84);
}

TEST_CASE("An unclear confirmation goes on to more loads, a hopeless one ends early") {
    GpuClient client = client_of("20");
    const auto image = [](const char* what) { return difference(module_of("20"), module_of(what)); };
    auto outcomes = required(client.evaluate(Effort::Confirm, image("20"),
                                             {image("19.945"), image("20.5"), image("19")}, {}, 1e-6));
    const BenchOutcome& near = (*outcomes)[0];  // 0.28 % against a zone of 0.2 %
    CHECK(near.alpha == Approx(1e-6));
    CHECK(near.loads > 10);
    CHECK((*outcomes)[1].loads <= 10);
    CHECK((*outcomes)[1].verdict == Verdict::Slower);
    CHECK((*outcomes)[2].verdict == Verdict::Faster);
}

TEST_CASE("A candidate that is wrong on some inputs only may pass a screening, and no further") {
    GpuClient client = client_of("20");
    REQUIRE(client.ready({}));
    const Workload workload = Workload::parse(two_blocks("")).value();
    const auto& input = std::get<BufferParam>(workload.params[1]);
    const auto first_bytes = [&](int set) {
        std::vector<std::byte> bytes(input.bytes());
        REQUIRE(fill_input(input, input_key(BenchSettings{}.seed, set, 1), {}, bytes));
        std::uint32_t out = 0;
        std::memcpy(&out, bytes.data(), sizeof out);
        return out;
    };
    const auto image = [](const std::string& what) { return difference(module_of("20"), module_of(what)); };
    const WireImage fresh_only = image("19 on=" + std::to_string(first_bytes(5)));
    const WireImage fixed = image("19 on=" + std::to_string(first_bytes(2)));
    // Of the screening's five sets one has its turn beside the one that is timed, each once in four screenings.
    auto screened =
        required(client.evaluate(Effort::Screen, image("20"), {fresh_only, fixed, fixed, fixed, fixed}, {}));
    CHECK((*screened)[0].kind == OutcomeKind::Ok);
    int wrong = 0;
    for (std::size_t i = 1; i < screened->size(); ++i) {
        const BenchOutcome& o = (*screened)[i];
        if (o.kind == OutcomeKind::Ok) continue;
        ++wrong;
        CHECK(o.kind == OutcomeKind::WrongResult);
        CHECK(o.detail.find("input set 2") != std::string::npos);
    }
    CHECK(wrong >= 1);
    CHECK(wrong < 4);
    for (const Effort effort : {Effort::Refine, Effort::Confirm}) {
        auto outcomes = required(client.evaluate(effort, image("20"), {fresh_only, fixed}, {}));
        CHECK((*outcomes)[0].kind == OutcomeKind::WrongResult);
        CHECK((*outcomes)[1].kind == OutcomeKind::WrongResult);
        CHECK((*outcomes)[0].verdict == Verdict::Unclear);
        CHECK((*outcomes)[0].speedup.log == 0);
    }
    CompareRequest request{module_of("20"), module_of("19 on=" + std::to_string(first_bytes(5))), 4};
    auto compared = required(client.compare(request, {}));
    CHECK(compared->outcome.kind == OutcomeKind::WrongResult);
    CHECK_FALSE(compared->details.outputs_equal);
}

TEST_CASE("A workload whose outputs no input changes is warned of") {
    GpuClient varied = client_of("20");
    REQUIRE(varied.ready({}));
    CHECK(varied.facts().warning.empty());
    ClientSettings settings;
    settings.command = fake_driver_command();
    PrepareRequest prepare;
    prepare.settings.warm_up_ms = 0;  // virtual time needs none, and the noise repeats
    prepare.workload = two_blocks("");
    const std::string init = R"({"integers": {"low": 0, "high": 255}})";
    prepare.workload.replace(prepare.workload.find(init), init.size(), R"({"constant": 3})");
    prepare.cubin = module_of("20");
    GpuClient constant(settings, prepare);
    REQUIRE(constant.ready({}));
    CHECK(constant.facts().warning.find("params[0] is the same on all 7 input sets") != std::string::npos);
}
