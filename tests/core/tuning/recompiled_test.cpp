// SPDX-License-Identifier: GPL-3.0-or-later
// A tuning whose winner is a recompiled kernel, judged by a scripted worker: how the winner is chosen, what its stamp says,
// and who takes it: swaps of a running program, files with its original, bundles. Real ptxas (skipped where there is none).
#include "core/evidence/recompiled_kernel.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "core/base/file.h"
#include "core/evidence/evidence_bundle.h"
#include "core/evidence/install_cubin.h"
#include "core/evidence/output_provenance.h"
#include "core/evidence/proven_swap.h"
#include "core/schedule/cubin_writer.h"
#include "core/start/ptxas.h"
#include "core/tuning/choose_end.h"
#include "core/tuning/measure.h"
#include "core/tuning/tune_session.h"
#include "tests/core/binary/container_writer.h"
#include "tests/core/binary/test_images.h"
#include "tests/core/store/session_fixture.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using namespace cubinlab::testing;
namespace fs = std::filesystem;

namespace {

// Candidates gain by the hash of their image, from -16 % to +4 %; a comparison over fresh processes shows 2 %, or what
// `compared` says of an image.
struct RecompiledScene {
    const TempFolder folder;
    fs::path cubin = folder / "softmax.cubin", best = folder / "best.cubin", session = folder / "s.db";
    TuneObserver nobody;
    nlohmann::json script = {{"default", {{"do", "hashed"}}},
                             {"compare", {{"do", "ok"}, {"log_speedup", 0.02}}}};

    RecompiledScene() {
        for (const char* ending : {".cubin", ".ptx", ".workload.json"})
            fs::copy_file(std::string(CUBINLAB_SAMPLES) + "/softmax" + ending,
                          folder / (std::string("softmax") + ending));
        fs::create_directories(folder / "state");
    }
    std::string worker() const {
        REQUIRE(write_text(folder / "script.json", script.dump()));
        return std::string(CUBINLAB_BINARY_DIR) + "/tests/fake_bench_worker " +
               (folder / "script.json").string() + " " + (folder / "state").string();
    }
    TuneRequest request(std::uint64_t steps) const {
        auto opened = required(Cubin::open(cubin));
        TuneRequest out{.kernel = *required(Kernel::load(*opened)),
                        .workload = *required(Workload::load(folder / "softmax.workload.json")),
                        .evaluator = EvaluatorPolicy::Gpu,
                        .session = session,
                        .final_processes = kChoiceProcesses};
        out.gpu.worker_command = worker();
        out.budget.steps = steps;
        out.agent = "random";
        out.seed = 2;
        const std::string ptx = folder / "softmax.ptx";
        out.ptx = PtxSource{*required(read_text(ptx)), ptx};
        out.out.path = best;
        return out;
    }
    Result<TuneResult> run(TuneRequest wanted) {
        auto made = TRY(TuneSession::prepare(std::move(wanted), nobody, {}));
        return made.run(nobody, {}, PauseGate());
    }
    TuneResult tuned() {
        auto result = required(run(request(160)));
        REQUIRE_FALSE(result->not_exported);
        REQUIRE(result->code == CodeKind::Recompiled);
        return std::move(*result);
    }
    nlohmann::json stamp() const { return read_stamp(best); }
    void put_stamp(const nlohmann::json& changed) const {
        REQUIRE(write_text(stamp_file(best), changed.dump()));
    }
    Error refusal() const {
        const auto swaps = proven_swaps(best, {});
        REQUIRE_FALSE(swaps);
        return swaps.error();
    }
};

bool without_compiler() {
    if (!installed_ptxas().empty()) return false;
    WARN("SKIPPED, no ptxas is installed");
    return true;
}

}  // namespace

TEST_CASE(
    "the winner is chosen by comparisons with the original in fresh processes, which the session records") {
    if (without_compiler()) return;
    RecompiledScene scene;
    const TuneResult first = scene.tuned();
    auto reader = required(SessionReader::open(scene.session));
    auto records = required((*reader)->measurements(0));
    std::vector<MeasurementRecord> choices, again;
    for (const MeasurementRecord& record : *records)
        (record.purpose == kChoicePurpose ? choices : again).push_back(record);
    REQUIRE(choices.size() >= 2);
    CHECK(choices.size() <= 3);
    REQUIRE(again.size() == 1);
    CHECK(again.front().run == first.run);
    // The figure is that of fresh processes, not the sum of what the search saw.
    CHECK(first.summary.best.log == Approx(0.02).margin(0.001));
    const auto runs = required((*reader)->runs());
    for (const RunInfo& run : *runs) {
        CHECK(run.chosen == (run.id == first.run));
        CHECK(run.tuning == runs->front().id);
    }
    CHECK(required(run_with_steps(**reader, 0, "s.db"))->id == first.run);

    // An end that fresh processes call better wins, whatever the search said.
    const auto other =
        std::ranges::find_if(choices, [&](const MeasurementRecord& one) { return one.run != first.run; });
    REQUIRE(other != choices.end());
    const auto kernel = required((*reader)->kernel());
    const auto loser = required((*reader)->schedule_at(*kernel, other->run, other->step));
    RecompiledScene second;
    auto writer = required(CubinWriter::create(loser->kernel()));
    second.script["compared"] = {
        {hash_bytes(writer->image(*loser)).hex(), {{"do", "ok"}, {"log_speedup", 0.05}}}};
    const auto result = required(second.run(second.request(160)));
    CHECK(result->best.hash() == loser->hash());
    CHECK(result->summary.best.log == Approx(0.05).margin(0.001));
}

TEST_CASE("a tuning of which no end beats the original in fresh processes has no winner") {
    if (without_compiler()) return;
    RecompiledScene scene;
    scene.script["compare"]["log_speedup"] = -0.03;
    const auto result = required(scene.run(scene.request(160)));
    CHECK(result->summary.best_step == 0);
    CHECK(result->best.hash() == Schedule(result->best.kernel()).hash());
    CHECK(result->code == CodeKind::Original);
}

TEST_CASE(
    "the stamp of a recompiled kernel says how it was made and on how many inputs its outputs were "
    "compared") {
    if (without_compiler()) return;
    RecompiledScene scene;
    const TuneResult result = scene.tuned();
    const auto stamp = scene.stamp();
    CHECK(stamp["code"] == "recompiled");
    CHECK(stamp["compared_inputs"] == 8);
    const auto start = required(start_from_json(stamp["start"]));
    CHECK(std::ranges::find(installed_ptxas(), start->ptxas, &Ptxas::version) != installed_ptxas().end());
    CHECK(start->cubin == result.best.kernel()->cubin().file_hash());
    CHECK_THAT(stamp["stamp"].get<std::string>(), contains_text("recompiled by ptxas " + start->ptxas));
    CHECK_THAT(stamp["stamp"].get<std::string>(), contains_text("outputs equal on 8 sets of inputs"));

    // Its proof needs the session, and no compiler.
    auto cubin = required(Cubin::open(scene.best));
    const auto proven = required(prove_recompiled(**cubin, stamp, scene.best));
    CHECK(proven->start == *start);
    CHECK(proven->schedule.hash() == result.best.hash());
    CHECK(proven->original->hash() == scene.request(1).kernel->hash());
}

TEST_CASE("a recompiled kernel is refused where its proof does not hold") {
    if (without_compiler()) return;
    RecompiledScene scene;
    scene.tuned();
    REQUIRE(proven_swaps(scene.best, {}));
    CHECK(proven_swaps(scene.best, {}, CodeKind::Hinted).error().code == ErrorCode::Refused);
    const auto stamp = scene.stamp();
    const auto with = [&](const char* key, const nlohmann::json& value) {
        nlohmann::json changed = stamp;
        changed[key] = value;
        scene.put_stamp(changed);
        return scene.refusal().message();
    };
    CHECK_THAT(with("evaluator", "model"), contains_text("no GPU compared its outputs"));
    CHECK_THAT(with("compared_inputs", 0), contains_text("no GPU compared its outputs"));
    CHECK_THAT(with("original_code_hash", Hash128{1, 2}.hex()), contains_text("another original"));
    CHECK_THAT(with("session", "gone.db"), contains_text("neither next to it nor here"));
    scene.put_stamp(stamp);
    // Other code under the same stamp, and then under a stamp that names it.
    std::vector<std::byte> bytes = *required(read_file(scene.best));
    auto cubin = required(Cubin::open(scene.best));
    const KernelInfo& info = (*cubin)->kernels().front();
    bytes[info.code_offset + 2] ^= std::byte{1};
    REQUIRE(write_file(scene.best, bytes));
    CHECK_THAT(scene.refusal().message(), contains_text("not the file that its stamp describes"));
    CHECK(with("file_hash", hash_bytes(bytes).hex()).find("no proven recompilation") != std::string::npos);
}

TEST_CASE(
    "a swap of a recompiled kernel is a text with a cubin, which is read back and nothing else taken for "
    "it") {
    if (without_compiler()) return;
    RecompiledScene scene;
    scene.tuned();
    const auto swaps = required(proven_swaps(scene.best, {}));
    REQUIRE(swaps->size() == 1);
    CHECK(swaps->front().swap.is_whole());
    REQUIRE(write_schedules(*swaps, scene.folder / "deployed"));
    fs::path text_file, cubin_file;
    for (const auto& entry : fs::directory_iterator(scene.folder / "deployed"))
        (entry.path().extension() == ".cubin" ? cubin_file : text_file) = entry.path();
    auto swap = required(CodeSwap::parse(*required(read_text(text_file)), "t"));
    CHECK(swap->cubin == cubin_file.filename());
    CHECK(swap->original == swaps->front().swap.original);
    const std::vector<std::byte> cubin = *required(read_file(cubin_file));
    CHECK(cubin == *required(read_file(scene.best)));
    REQUIRE(swap->take_cubin(cubin));
    CHECK_FALSE(swap->take_cubin(*required(read_file(scene.cubin))));
    // It never changes words of an image.
    std::vector<std::byte> image = *required(read_file(scene.cubin));
    const auto elf = required(ElfImage::read(image, "t"));
    CHECK_FALSE(swap->apply(image, *elf, kernels_in(*elf).front().section));
    // The program's file in place of the session's original.
    CHECK(proven_swaps(scene.best, {scene.cubin}));
    CHECK_FALSE(proven_swaps(scene.best, {fs::path(CUBINLAB_SAMPLES) / "rmsnorm.cubin"}));
}

TEST_CASE("a file of its own takes a recompiled kernel whole, and gets its original back") {
    if (without_compiler()) return;
    RecompiledScene scene;
    scene.tuned();
    const std::vector<std::byte> before = *required(read_file(scene.cubin)),
                                 best = *required(read_file(scene.best));
    const fs::path target = scene.folder / "cache" / "softmax.cubin";
    fs::create_directories(target.parent_path());
    REQUIRE(write_file(target, before));
    CHECK(install_cubin(scene.best, target, {.query = {}, .most = CodeKind::Hinted}).error().code ==
          ErrorCode::Refused);
    const auto report = required(install_cubin(scene.best, target.parent_path(), {}));
    CHECK(report->code == CodeKind::Recompiled);
    CHECK(*required(read_file(target)) == best);
    const auto again = required(install_cubin(scene.best, target, {}));
    CHECK(again->kernels.empty());
    REQUIRE(undo_install(target, false));
    CHECK(*required(read_file(target)) == before);
}

TEST_CASE(
    "an entry of a program takes a recompiled kernel that is not longer, and says what else takes one that "
    "is") {
    if (without_compiler()) return;
    RecompiledScene scene;
    scene.tuned();
    const std::vector<std::byte> original = *required(read_file(scene.cubin)),
                                 best = *required(read_file(scene.best));
    const auto program_with = [&](const std::vector<std::byte>& image) {
        const auto fat = test::fatbin({{.arch = 90, .flags = 0x100011, .image = image}});
        return test::host_elf(
            {{".text", test::Buffer(64), 6}, {".nv_fatbin", fat}, {".data", test::Buffer(8), 3}});
    };
    std::vector<std::byte> roomy = original;
    roomy.resize(std::max(original.size(), best.size()) + 64);
    const fs::path file = scene.folder / "libk.so";
    REQUIRE(write_file(file, program_with(roomy)));
    const auto report = install_cubin(scene.best, file, {});
    INFO((report ? std::string() : report.error().message()));
    REQUIRE(report);
    std::vector<std::byte> padded = best;
    padded.resize(roomy.size());
    CHECK(*required(read_file(file)) == program_with(padded));
    REQUIRE(undo_install(file, false));
    CHECK(*required(read_file(file)) == program_with(roomy));

    if (best.size() <= original.size()) return;
    REQUIRE(write_file(file, program_with(original)));
    const auto refused = install_cubin(scene.best, file, {});
    REQUIRE_FALSE(refused);
    CHECK_THAT(refused.error().message(), contains_text("run --with"));
}

TEST_CASE("a bundle of a recompiled kernel holds its start and is checked without a compiler") {
    if (without_compiler()) return;
    RecompiledScene scene;
    const TuneResult result = scene.tuned();
    auto reader = required(SessionReader::open(scene.session));
    const TuneRequest request = scene.request(1);
    const auto run = required((*reader)->run(result.run));
    const auto record = required((*reader)->step(result.run, result.summary.best_step));
    const auto claim = required(own_claim_of(**reader, request.kernel, *run, record->step, "s.db"));
    auto measured = required(measure_in_one_cache(request.kernel, result.best, *request.workload,
                                                  {.gpu = request.gpu, .loads = 4, .energy = false}, {}));
    const BundleRequest wanted{.run = *run,
                               .record = *record,
                               .claim = *claim,
                               .measurements = {},
                               .workload = request.workload->json,
                               .original = request.kernel,
                               .ptx = request.ptx->text,
                               .version = "test",
                               .session = scene.session,
                               .measured = measured->comparison,
                               .cache = Cache::Hot,
                               .derived = {},
                               .edits = {}};
    const fs::path folder = scene.folder / "bundle";
    required(write_bundle(result.best, folder, wanted));
    const auto problems = [&] {
        const auto check = required(check_bundle(folder));
        std::string out;
        for (const std::string& problem : check->problems)
            out += problem + "\n";
        return out;
    };
    const auto check = required(check_bundle(folder));
    CHECK(problems().empty());
    CHECK(check->code == CodeKind::Recompiled);
    CHECK(fs::exists(folder / "start.ptx"));
    // It is the source of the proof for `run --with` and `install`.
    CHECK(required(proven_swaps(folder, {}))->front().from == folder.string());

    // Another start, another text, another recipe.
    const std::vector<std::byte> start = *required(read_file(folder / "start.cubin"));
    REQUIRE(write_file(folder / "start.cubin", *required(read_file(scene.cubin))));
    CHECK_FALSE(problems().empty());
    REQUIRE(write_file(folder / "start.cubin", start));
    CHECK(problems().empty());
    REQUIRE(write_text(folder / "start.ptx", request.ptx->text + "// more\n"));
    CHECK_THAT(problems(), contains_text("start.ptx"));
}
