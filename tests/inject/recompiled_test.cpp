// SPDX-License-Identifier: GPL-3.0-or-later
// A recompiled kernel in the place of the original, in programs on the stand-in driver.
#include "core/start/ptxas.h"
#include "core/start/start_maker.h"
#include "tests/inject/preloaded.h"

using namespace cubinlab;
using namespace cubinlab::test;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

// The softmax of the samples, compiled again with -O1, and the folder that names it. Empty: there is no ptxas.
struct DeployedRecompiled : Deployed {
    std::vector<std::byte> cubin;

    DeployedRecompiled() {
        fs::remove(schedules + "/softmax.schedule");
        if (installed_ptxas().empty()) {
            WARN("SKIPPED, no ptxas is installed");
            return;
        }
        const auto original = required(Cubin::open(kSoftmax));
        const std::string ptx = std::string(CUBINLAB_SAMPLES) + "/softmax.ptx";
        const auto maker =
            required(StartMaker::create({{*required(read_text(ptx)), ptx}, *original, "softmax", {}}));
        Compiler compiler(CompilerSettings{});
        const std::vector<Start> wanted = {maker->option_starts()[1]};
        const auto made = maker->make(wanted, compiler);
        required(made.front());
        const Bytes bytes = made.front()->cubin->bytes();
        cubin.assign(bytes.begin(), bytes.end());
        auto swap = required(CodeSwap::with_cubin(bytes_of(kSoftmax), "softmax", cubin, "softmax"));
        swap->cubin = "softmax.cubin";
        REQUIRE(write_file(schedules + "/softmax.cubin", cubin));
        REQUIRE(write_text(schedules + "/softmax.schedule", swap->text()));
    }
    bool none() const { return cubin.empty(); }
    // As tests/fakes computes it.
    double microseconds(const std::vector<std::byte>& image) const {
        auto parsed = required(Cubin::parse(image, "image"));
        const KernelInfo& info = (*parsed)->kernels().front();
        const Bytes code = part_of((*parsed)->bytes(), info.code_offset, info.code_size);
        return 20 + static_cast<double>(hash_bytes(code).lo % 1000) / 500;
    }
};

}  // namespace

TEST_CASE(
    "a recompiled kernel is launched in the place of the original, whichever way the driver is reached") {
    const DeployedRecompiled deployed;
    if (deployed.none()) return;
    for (const std::string scenario :
         {"module", "library", "function", "unload", "free", "graph", "threads", "extra", "numbers"})
        for (const std::string way : {"dlopen", "linked", "getproc", "perthread"}) {
            INFO(way << " " << scenario);
            const ProgramResult plain = run_plain(host(way, scenario));
            REQUIRE(plain.code == 0);
            const ProgramResult with = succeeded(run_with(deployed, host(way, scenario)));
            INFO(with.err);
            CHECK(line_of(with.out, "sum") == line_of(plain.out, "sum"));
            CHECK(with.err.find("replaced 1 of 1 kernels") != std::string::npos);
        }
}

TEST_CASE("a comparison with a recompiled kernel times both codes") {
    const DeployedRecompiled deployed;
    if (deployed.none()) return;
    const ProgramResult plain = run_plain(host("dlopen", "many"));
    const ProgramResult with = run_with(deployed, host("dlopen", "many"), {"CUBINLAB_AB=1"});
    INFO(with.err);
    CHECK(line_of(with.out, "sum") == line_of(plain.out, "sum"));
    REQUIRE(deployed.results().size() == 1);
    const json kernel = deployed.results()[0]["list"][0];
    REQUIRE(kernel["log_ratios"].size() > 1000);
    CHECK(kernel["original_us"].get<double>() ==
          Approx(deployed.microseconds(bytes_of(kSoftmax))).margin(0.1));
    CHECK(kernel["tuned_us"].get<double>() == Approx(deployed.microseconds(deployed.cubin)).margin(0.1));
    CHECK(kernel["launches"] == 3012);
}

TEST_CASE("a cubin that is not the one that the schedule names is left out, and the program runs as it is") {
    const DeployedRecompiled deployed;
    if (deployed.none()) return;
    REQUIRE(write_file(deployed.schedules + "/softmax.cubin", bytes_of(kOther)));
    const ProgramResult plain = run_plain(host("dlopen", "module"));
    const ProgramResult with = succeeded(run_with(deployed, host("dlopen", "module")));
    CHECK(line_of(with.out, "sum") == line_of(plain.out, "sum"));
    CHECK(with.err.find("replaced 1") == std::string::npos);
    REQUIRE(deployed.results().size() == 1);
    CHECK(deployed.results()[0]["notes"].dump().find("is not the cubin that the schedule names") !=
          std::string::npos);
}
