// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels whose code cannot be edited: starts alone are searched, by a GPU. On the scripted worker, with the installed ptxas
// (skipped where none knows the architecture).
#include <algorithm>

#include "core/base/file.h"
#include "core/evidence/claim.h"
#include "core/evidence/export_cubin.h"
#include "core/search/engine/default_agent.h"
#include "core/start/compiler.h"
#include "core/tuning/tune_session.h"
#include "tests/core/store/session_fixture.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using namespace cubinlab::testing;

namespace {

constexpr const char* kNotEditable = "sm_110";

struct OtherArch {
    const TempFolder folder;
    KernelPtr kernel;  // null: no compiler knows the architecture
    PtxSource ptx;
    TuneObserver nobody;

    OtherArch() {
        const std::string path = std::string(CUBINLAB_SAMPLES) + "/flash_attn_mma.ptx";
        ptx = {*required(read_text(path)), path};
        Compiler compiler;
        for (const Ptxas& ptxas : installed_ptxas()) {
            auto made = compiler.compile(Compilation{ptx.text, ptxas, kNotEditable, {}}, {});
            if (!made) continue;
            auto cubin = required(Cubin::parse(std::move(made->cubin), "other.cubin"));
            kernel = *required(Kernel::load(*cubin));
            return;
        }
        WARN("SKIPPED, no ptxas knows " << kNotEditable);
    }
    TuneRequest request(const std::string& script) const {
        REQUIRE(write_text(folder / "script.json", script));
        std::filesystem::create_directories(folder / "state");
        TuneRequest out{.kernel = kernel, .session = folder / "s.db"};
        out.workload = *required(Workload::load(std::string(CUBINLAB_SAMPLES) + "/flash_attn_mma.workload.json"));
        out.evaluator = EvaluatorPolicy::Gpu;
        out.gpu.worker_command = std::string(CUBINLAB_BINARY_DIR) + "/tests/fake_bench_worker " +
                                 (folder / "script.json").string() + " " + (folder / "state").string();
        out.budget.steps = 80;
        out.seed = 5;
        out.ptx = ptx;
        return out;
    }
    Result<TuneResult> run(TuneRequest wanted) {
        auto session = TRY(TuneSession::prepare(std::move(wanted), nobody, {}));
        return session.run(nobody, {}, PauseGate());
    }
};

}  // namespace

TEST_CASE("where code cannot be edited, a GPU judges starts alone, and the best can be exported") {
    OtherArch other;
    if (!other.kernel) return;
    REQUIRE_FALSE(other.kernel->arch().editable());
    const auto result = required(other.run(other.request(R"({"sm": 110, "default": {"do": "hashed"}, "confirm_bonus": 0.01})")));
    auto reader = required(SessionReader::open(other.folder / "s.db"));
    const auto runs = required((*reader)->runs());
    REQUIRE(runs->size() == 1);
    CHECK(runs->front().agent == kStartsAgent);
    CHECK(result->summary.steps > 20);
    CHECK(*required((*reader)->verify(other.kernel, runs->front().id)) == runs->front().steps);
    REQUIRE(result->summary.best_step != 0);
    const auto best = required((*reader)->schedule_at(other.kernel, result->run, result->summary.best_step));
    CHECK(best->kernel()->hash() != other.kernel->hash());
    const auto written = required(export_cubin(*best, other.folder / "best.cubin", Claim()));
    CHECK(written->code_hash == best->hash());
    CHECK(*required(read_file(other.folder / "best.cubin")) ==
          std::vector<std::byte>(best->kernel()->cubin().bytes().begin(), best->kernel()->cubin().bytes().end()));
}

TEST_CASE("the model says that it cannot rank code of an architecture without latencies, and without PTX nothing is searched") {
    OtherArch other;
    if (!other.kernel) return;
    TuneRequest modelled = other.request("{}");
    modelled.evaluator = EvaluatorPolicy::Model;
    const auto refused = other.run(modelled);
    CHECK(refused.error().code == ErrorCode::Unsupported);
    CHECK(refused.error().message().find("cannot rank") != std::string::npos);

    TuneRequest alone = other.request(R"({"sm": 110})");
    alone.ptx.reset();
    const auto nothing = other.run(alone);
    CHECK(nothing.error().code == ErrorCode::Unsupported);
    CHECK(nothing.error().message().find("cannot be edited") != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(other.folder / "s.db"));
}
