// SPDX-License-Identifier: GPL-3.0-or-later
// Hostile candidates: that they are what they say, and that a run with 60 of them among 1,000 good ones tells
// all.
#include <unistd.h>

#include <fstream>
#include <map>

#include "app/lab/study/hostile.h"
#include "app/lab/study/measurement_study.h"
#include "app/lab/study/study_candidates.h"
#include "core/sass/instruction.h"
#include "core/tuning/evaluator_choice.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using nlohmann::json;

namespace {

struct Probe {
    KernelPtr kernel;
    Workload workload;
    Probe() {
        const std::filesystem::path folder =
            std::filesystem::path(CUBINLAB_SAMPLES).parent_path() / "resources" / "probe";
        auto cubin = required(Cubin::open(folder / "hostile_probe.sm_90a.cubin"));
        kernel = Kernel::load(*cubin).value();
        workload = find_workload(*kernel, "").value().value();
    }
};

std::vector<InstrId> changed(const Kernel& kernel, const HostileCandidate& candidate) {
    std::vector<InstrId> out;
    const auto base = kernel.cubin().bytes();
    REQUIRE(candidate.image.size() == base.size());
    const KernelInfo& info = kernel.info();
    for (std::size_t at = 0; at < base.size(); ++at) {
        if (base[at] == candidate.image[at]) continue;
        REQUIRE(at >= info.code_offset);
        REQUIRE(at < info.code_offset + info.code_size);
        const auto id = static_cast<InstrId>((at - info.code_offset) / 16);
        if (out.empty() || out.back() != id) out.push_back(id);
    }
    return out;
}

}  // namespace

TEST_CASE("Sixty hostile candidates, six of a kind, each with its own damage") {
    const Probe probe;
    const auto candidates = hostile_candidates(*probe.kernel, probe.workload);
    std::map<std::string, int> kinds;
    for (const HostileCandidate& candidate : candidates) {
        INFO(candidate.kind << ": " << candidate.what);
        ++kinds[candidate.kind];
        const auto ids = changed(*probe.kernel, candidate);
        REQUIRE_FALSE(ids.empty());
        CHECK_FALSE(candidate.honest.empty());
        CHECK_FALSE(candidate.is_honest(OutcomeKind::Ok));
        CHECK_FALSE(candidate.is_honest(OutcomeKind::WorkerLost));
        if (candidate.kind == "endless loop") continue;
        // Still a cubin that opens, so that it is the GPU that has to notice.
        auto cubin = required(Cubin::parse(candidate.image, "hostile"));
        if (candidate.kind != "illegal address" && candidate.kind != "misaligned") continue;
        auto kernel = required(Kernel::load(*cubin));
        REQUIRE(ids.size() == 1);
        const Instruction& before = probe.kernel->instruction(ids[0]);
        const Instruction& after = (*kernel)->instruction(ids[0]);
        CHECK(std::string(after.mnemonic) == before.mnemonic);
        if (candidate.kind == "misaligned") CHECK(after.memory.offset == before.memory.offset + 1);
        const auto addresses = [](const Instruction& i) {
            int count = 0;
            for (const Operand& o : i.operands)
                count += o.role == Role::Address;
            return count;
        };
        if (candidate.kind == "illegal address") CHECK(addresses(after) < addresses(before));
    }
    for (const char* kind : {"illegal address", "misaligned", "guard zone", "far store", "endless loop",
                             "trap", "warm only", "control code", "wrong value", "gone astray"}) {
        INFO(kind);
        CHECK(kinds[kind] == 6);
    }
    CHECK(candidates.size() == 60);
}

TEST_CASE("A run with 60 hostile candidates among 1,000 good ones loses nothing and confuses nothing") {
    const Probe probe;
    const auto hostile = hostile_candidates(*probe.kernel, probe.workload);
    const auto base = probe.kernel->cubin().bytes();
    const WireImage original = difference(base, base);
    auto candidates = required(StudyCandidates::create(probe.kernel));
    std::vector<WireImage> good = candidates->batch(500);
    good.resize(1000, original);

    std::string name = (std::filesystem::temp_directory_path() / "cubinlab-hostile-XXXXXX").string();
    const std::filesystem::path folder = ::mkdtemp(name.data());
    // The scripted worker does to each what a GPU would: the first honest outcome, and for some a lost line.
    json script = {{"default", {{"do", "ok"}}}, {"candidates", json::object()}};
    const std::map<OutcomeKind, const char*> deeds = {{OutcomeKind::WrongResult, "wrong"},
                                                      {OutcomeKind::OutOfBoundsStore, "wild"},
                                                      {OutcomeKind::Fault, "fault"},
                                                      {OutcomeKind::Hang, "reported-hang"}};
    for (const HostileCandidate& candidate : hostile)
        script["candidates"][hash_bytes(candidate.image).hex()] = {
            {"do", deeds.at(candidate.honest.front())}};
    script["candidates"][good[7].hash.hex()] = {{"do", "exit"}, {"times", 1}};
    script["candidates"][good[70].hash.hex()] = {{"do", "garbage"}, {"times", 2}};
    std::ofstream(folder / "script.json") << script;
    ClientSettings settings;
    settings.command = std::string(CUBINLAB_BINARY_DIR) + "/tests/fake_bench_worker " +
                       (folder / "script.json").string() + " " + folder.string();
    settings.hang_after = settings.grace = std::chrono::milliseconds(200);
    GpuClient client(settings, PrepareRequest{});
    auto study = study_hostile(client, original, base, hostile, good, {});
    std::filesystem::remove_all(folder);
    if (!study) FAIL(study.error().message());
    CHECK(study->good == 1000);
    CHECK(study->good_same == 500);
    CHECK(study->good_called_bad == 0);
    CHECK(study->false_screenings == 0);
    CHECK(study->lost == 0);
    CHECK(study->workers >= 61);
    for (const HostileRow& row : study->hostile) {
        INFO(row.candidate.what << ": " << row.outcome.detail);
        CHECK(row.honest());
    }
    MeasurementStudy all;
    all.machine.device = "Scripted";
    all.hostile.push_back(*study);
    const std::string text = markdown(all);
    CHECK_THAT(text, contains_text("| **all** | 60 | 60 |"));
    CHECK_THAT(text, contains_text("1000 good candidates among them"));
}
