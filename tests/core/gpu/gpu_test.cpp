// SPDX-License-Identifier: GPL-3.0-or-later
// On a real GPU: [gpu]. Where there is none every case says so and passes. CUBINLAB_TEST_WORKER and
// CUBINLAB_TEST_SAMPLES replace the paths of the build, for a machine that only runs the tests.
#include <cstdlib>
#include <cstring>

#include "core/base/file.h"
#include "core/gpu/client/gpu_client.h"
#include "core/gpu/client/gpu_evaluator.h"
#include "tests/support/catch.h"

using namespace cubinlab;

namespace {

std::string path_or(const char* variable, const std::string& built) {
    const char* given = std::getenv(variable);
    return given ? given : built;
}

GpuSettings settings_here() {
    GpuSettings out;
    out.worker_command =
        path_or("CUBINLAB_TEST_WORKER", std::string(CUBINLAB_BINARY_DIR) + "/bin/cubinlab-bench-worker");
    return out;
}

// True where the samples can run; else the reason is shown.
bool have_gpu() {
    const GpuProbe gpu = probe_gpu(settings_here());
    if (!gpu.present) WARN("SKIPPED, no GPU: " << gpu.reason);
    if (gpu.present && gpu.sm != 90) WARN("SKIPPED, the samples are for sm_90, this GPU is sm_" << gpu.sm);
    return gpu.present && gpu.sm == 90;
}

std::filesystem::path sample(const std::string& name) {
    return std::filesystem::path(path_or("CUBINLAB_TEST_SAMPLES", CUBINLAB_SAMPLES)) / (name + ".cubin");
}

struct Loaded {
    KernelPtr kernel;
    Workload workload;
};

Loaded load(const std::string& name) {
    auto cubin = required(Cubin::open(sample(name)));
    auto kernel = required(Kernel::load(*cubin));
    auto workload = required(Workload::load(default_workload_path(sample(name))));
    return {*kernel, *workload};
}

}  // namespace

TEST_CASE("The original against itself is not faster", "[gpu]") {
    if (!have_gpu()) return;
    for (const char* name : {"bmm_mma", "softmax"}) {
        const Loaded k = load(name);
        auto evaluator = required(make_gpu_evaluator(k.kernel, k.workload, settings_here(), {}));
        CHECK((*evaluator)->info().original_cost > 1);
        CHECK((*evaluator)->info().deterministic);
        const Schedule original(k.kernel);
        const std::vector<Schedule> batch(40, original);
        auto outcomes = required((*evaluator)->evaluate(batch, original, Effort::Screen, {}));
        int verdicts = 0;
        for (const Outcome& outcome : *outcomes) {
            CHECK(outcome.ok());
            verdicts += outcome.verdict == Verdict::Faster || outcome.verdict == Verdict::Slower;
        }
        CHECK(verdicts <= 6);  // 5 % are promised, this is far beyond chance
        auto confirmed =
            required((*evaluator)->evaluate(std::span(batch).first(1), original, Effort::Confirm, {}));
        CHECK((*confirmed)[0].verdict != Verdict::Faster);
        CHECK((*confirmed)[0].verdict != Verdict::Slower);
    }
}

TEST_CASE("A kernel with raised stall counts is slower and still right", "[gpu]") {
    if (!have_gpu()) return;
    const Loaded k = load("bmm_mma");
    auto evaluator = required(make_gpu_evaluator(k.kernel, k.workload, settings_here(), {}));
    Schedule slow(k.kernel);
    for (InstrId id = 0; id < slow.size(); ++id) {
        ControlCode code = slow.control(id);
        if (code.stall >= 1 && code.stall <= 6)
            code.stall = static_cast<decltype(code.stall)>(code.stall + 4);
        slow.set_control(id, code);
    }
    auto outcomes =
        required((*evaluator)->evaluate(std::span(&slow, 1), Schedule(k.kernel), Effort::Refine, {}));
    CHECK((*outcomes)[0].ok());
    CHECK((*outcomes)[0].verdict == Verdict::Slower);
}

TEST_CASE("Candidates with random stall counts of 1 are wrong or fault, and hurt no neighbour", "[gpu]") {
    if (!have_gpu()) return;
    const Loaded k = load("bmm_mma");
    auto evaluator = required(make_gpu_evaluator(k.kernel, k.workload, settings_here(), {}));
    const Schedule original(k.kernel);
    Schedule broken = original;  // every fixed-latency result is read too early
    for (InstrId id = 0; id < broken.size(); ++id) {
        ControlCode code = broken.control(id);
        if (code.stall > 1 && code.stall < 12) code.stall = 1;
        broken.set_control(id, code);
    }
    const std::vector<Schedule> batch{original, broken, original, broken, original};
    auto outcomes = required((*evaluator)->evaluate(batch, original, Effort::Screen, {}));
    for (std::size_t i = 0; i < batch.size(); ++i) {
        INFO(i << " " << (*outcomes)[i].detail);
        CHECK((*outcomes)[i].ok() == (i % 2 == 0));
    }
}

TEST_CASE("Endless loops and traps are reported as such", "[gpu]") {
    if (!have_gpu()) return;
    const Loaded k = load("bmm_mma");
    // The last BRA of every kernel jumps to itself (a landing pad after EXIT): copied over the first word,
    // the kernel never ends.
    const KernelInfo& info = k.kernel->info();
    const auto bytes = k.kernel->cubin().bytes();
    std::vector<std::byte> image(bytes.begin(), bytes.end());
    std::size_t self_branch = 0;
    for (std::size_t at = info.code_offset; at + 16 <= info.code_offset + info.code_size; at += 16) {
        std::uint64_t low = 0, high = 0;
        std::memcpy(&low, image.data() + at, 8);
        std::memcpy(&high, image.data() + at + 8, 8);
        if ((low & 0xfff) == 0x947 && (low >> 34) == ((1ull << 30) - 4) && ((low >> 12) & 15) == 7)
            self_branch = at;  // BRA -16, PT
    }
    if (self_branch == 0) {
        WARN("SKIPPED, the sample has no branch to itself");
        return;
    }
    std::copy_n(image.begin() + static_cast<std::ptrdiff_t>(self_branch), 16,
                image.begin() + static_cast<std::ptrdiff_t>(info.code_offset));
    GpuSettings settings = settings_here();
    auto result = required(compare_cubins(bytes, image, k.workload, settings, 4, {}));
    CHECK(result->outcome.kind == OutcomeKind::Hang);
    auto again = compare_cubins(bytes, bytes, k.workload, settings, 4, {});  // the GPU is usable afterwards
    if (!again) FAIL(again.error().message());
    CHECK(again->outcome.ok());
    CHECK(again->details.outputs_equal);
}
