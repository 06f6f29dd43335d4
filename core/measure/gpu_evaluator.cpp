// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/gpu_evaluator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/file.h"
#include "core/measure/gpu_client.h"
#include "core/schedule/cubin_writer.h"

namespace cubinlab {
namespace {

static_assert(static_cast<int>(BenchKind::WrongResult) == static_cast<int>(OutcomeKind::WrongResult));
static_assert(static_cast<int>(BenchKind::WildStore) == static_cast<int>(OutcomeKind::WildStore));
static_assert(static_cast<int>(BenchKind::Fault) == static_cast<int>(OutcomeKind::Fault));
static_assert(static_cast<int>(BenchKind::Hang) == static_cast<int>(OutcomeKind::Hang));
static_assert(static_cast<int>(BenchKind::WorkerLost) == static_cast<int>(OutcomeKind::WorkerLost));
static_assert(static_cast<int>(BenchKind::Error) == static_cast<int>(OutcomeKind::Error));
static_assert(static_cast<int>(BenchEffort::Confirm) == static_cast<int>(Effort::Confirm));
static_assert(static_cast<int>(Verdict::Faster) == 0 && static_cast<int>(Verdict::Unclear) == 3);

ClientSettings client_settings(const GpuSettings& settings) {
    ClientSettings out;
    out.command = settings.worker_command;
    out.hang_after = settings.hang_after;
    out.silence = settings.silence;
    out.start_within = settings.start_within;
    out.recycle_after = settings.recycle_after;
    return out;
}

Result<PrepareRequest> prepare_request(const GpuSettings& settings, const Arch& arch,
                                       const Workload& workload, std::span<const std::byte> cubin) {
    PrepareRequest out;
    out.settings = settings.ladder;
    out.settings.device = settings.device;
    out.settings.cubin_sm = arch.sm;
    out.settings.cubin_accelerated = arch.accelerated;
    out.settings.input_sets = std::max(1, settings.input_sets);
    out.settings.seed = settings.seed;
    out.settings.same_within = settings.same_within;
    out.settings.flush_l2 = settings.flush_l2;
    out.settings.hang_after_ms = static_cast<int>(settings.hang_after.count());
    out.workload = workload.json;
    out.cubin.assign(cubin.begin(), cubin.end());
    for (std::size_t i = 0; i < workload.params.size(); ++i) {
        const auto* buffer = std::get_if<BufferParam>(&workload.params[i]);
        const auto* file = buffer ? std::get_if<InitFile>(&buffer->init) : nullptr;
        if (!file) continue;
        auto bytes = read_file(file->path);
        if (!bytes) return fail(bytes.error());
        if (bytes->size() != buffer->bytes())
            return fail(ErrorCode::BadInput,
                        fmt::format("has {} bytes, params[{}] needs {}", bytes->size(), i, buffer->bytes()),
                        file->path.string());
        out.files[static_cast<int>(i)] = std::move(*bytes);
    }
    return out;
}

Outcome to_outcome(BenchOutcome&& from) {
    Outcome out;
    out.kind = static_cast<OutcomeKind>(from.kind);
    out.detail = std::move(from.detail);
    out.samples = std::move(from.samples);
    out.pairs = static_cast<std::uint32_t>(out.samples.size());
    if (!out.ok()) return out;
    out.verdict = static_cast<Verdict>(std::clamp(from.verdict, 0, 3));
    out.log_speedup = from.log_speedup;
    out.low = from.low;
    out.high = from.high;
    out.cost = from.cost_us;
    return out;
}

EvaluatorInfo machine_info(const GpuClient& client, const GpuSettings& settings) {
    const BenchFacts& facts = client.facts();
    const Calibration& calibration = client.calibration();
    EvaluatorInfo out;
    out.kind = EvaluatorKind::Gpu;
    out.device = facts.device + ", driver " + facts.driver;
    out.unit = "us";
    out.original_cost = calibration.original_us;
    out.timer_step_us = calibration.timer_step_us;
    out.aa_spread = calibration.pair_deviation;
    out.detectable = calibration.detectable;
    out.deterministic = calibration.deterministic;
    nlohmann::json all = {{"facts", to_message(facts)},
                          {"calibration", to_message(calibration)},
                          {"seed", settings.seed},
                          {"same_within", settings.same_within},
                          {"workers_started", client.workers_started()}};
    out.json = all.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    return out;
}

class GpuEvaluator final : public Evaluator {
  public:
    GpuEvaluator(KernelPtr kernel, CubinWriter writer, GpuClient client, const GpuSettings& settings)
        : kernel_(std::move(kernel)),
          writer_(std::move(writer)),
          client_(std::move(client)),
          info_(machine_info(client_, settings)) {}

    const EvaluatorInfo& info() const override { return info_; }

    Result<std::vector<Outcome>> evaluate(std::span<const Schedule> candidates, const Schedule& reference,
                                          Effort effort, std::stop_token stop) override {
        std::vector<WireImage> images;
        images.reserve(candidates.size());
        for (const Schedule& candidate : candidates)
            images.push_back(image_of(candidate));
        auto measured = client_.evaluate(static_cast<BenchEffort>(effort), image_of(reference), images, stop);
        if (!measured) return fail(measured.error());
        std::vector<Outcome> out;
        out.reserve(measured->size());
        for (BenchOutcome& outcome : *measured)
            out.push_back(to_outcome(std::move(outcome)));
        return out;
    }

  private:
    WireImage image_of(const Schedule& schedule) const {
        WireImage out;
        const std::vector<BytePatch> patches = writer_.patches(schedule);
        out.hash = hash_bytes(apply_patches(kernel_->cubin().bytes(), patches));
        for (const BytePatch& patch : patches)
            out.patches.push_back({patch.offset, patch.bytes});
        return out;
    }

    KernelPtr kernel_;
    CubinWriter writer_;
    GpuClient client_;
    EvaluatorInfo info_;
};

}  // namespace

std::string cannot_run(int sm, const Arch& arch) {
    return cannot_run(sm, arch.sm, arch.accelerated);
}

GpuPresence probe_gpu(const GpuSettings& settings) {
    ProbeAnswer answer = GpuClient::probe(client_settings(settings), settings.device);
    return {answer.present, std::move(answer.device), std::move(answer.driver), answer.sm,
            std::move(answer.reason)};
}

Result<std::unique_ptr<GpuClient>> make_gpu_client(const Kernel& kernel, const Workload& workload,
                                                   const GpuSettings& settings) {
    if (auto status = workload.validate_against(kernel.info()); !status) return fail(status.error());
    auto request = prepare_request(settings, kernel.arch(), workload, kernel.cubin().bytes());
    if (!request) return fail(request.error());
    return std::make_unique<GpuClient>(client_settings(settings), std::move(*request));
}

Result<std::unique_ptr<Evaluator>> make_gpu_evaluator(KernelPtr kernel, const Workload& workload,
                                                      GpuSettings settings, std::stop_token stop) {
    if (auto status = workload.validate_against(kernel->info()); !status) return fail(status.error());
    auto writer = CubinWriter::create(kernel);
    if (!writer) return fail(writer.error());
    auto request = prepare_request(settings, kernel->arch(), workload, kernel->cubin().bytes());
    if (!request) return fail(request.error());
    GpuClient client(client_settings(settings), std::move(*request));
    if (auto status = client.ready(stop); !status) return fail(status.error());
    return std::make_unique<GpuEvaluator>(std::move(kernel), std::move(*writer), std::move(client), settings);
}

Result<Comparison> compare_cubins(std::span<const std::byte> a, std::span<const std::byte> b,
                                  const Workload& workload, GpuSettings settings, int loads,
                                  std::stop_token stop) {
    Arch arch;
    for (const auto& [bytes, name] : {std::pair(a, "A"), std::pair(b, "B")}) {
        auto cubin = Cubin::parse(std::vector<std::byte>(bytes.begin(), bytes.end()), name);
        if (!cubin) return fail(cubin.error());
        auto kernel = (*cubin)->kernel(workload.kernel);
        if (!kernel) return fail(kernel.error());
        if (auto status = workload.validate_against(**kernel); !status) {
            Error error = status.error();
            error.where = fmt::format("{}, {}", name, error.where);
            return fail(std::move(error));
        }
        arch = (*cubin)->arch();
    }
    auto request = prepare_request(settings, arch, workload, a);
    if (!request) return fail(request.error());
    GpuClient client(client_settings(settings), std::move(*request));
    if (auto status = client.ready(stop); !status) return fail(status.error());
    CompareRequest compare;
    compare.a.assign(a.begin(), a.end());
    compare.b.assign(b.begin(), b.end());
    compare.loads = loads;
    auto measured = client.compare(compare, stop);
    if (!measured) return fail(measured.error());
    Comparison out;
    out.machine = machine_info(client, settings);
    out.cost_a_us = measured->outcome.reference_us;
    out.cost_b_us = measured->outcome.cost_us;
    out.loads = static_cast<int>(measured->outcome.loads);
    out.samples_by_load = std::move(measured->by_load);
    out.outputs_equal = measured->outputs_equal;
    out.input_sets = measured->input_sets;
    out.outcome = to_outcome(std::move(measured->outcome));
    return out;
}

}  // namespace cubinlab
