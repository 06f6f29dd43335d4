// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gpu/client/gpu_evaluator.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/file.h"
#include "core/gpu/client/cubin_images.h"
#include "core/gpu/client/edit_gate.h"
#include "core/gpu/client/gpu_client.h"
#include "core/gpu/client/gpu_pool.h"
#include "core/gpu/client/parts_evaluator.h"
#include "core/gpu/client/shape_figures.h"
#include "core/gpu/client/worker_replication.h"
#include "core/gpu/protocol/captured_launch.h"

namespace cubinlab {
namespace {

ClientSettings client_settings(const GpuSettings& settings) {
    ClientSettings out;
    out.command = settings.worker_command;
    out.hang_after = settings.hang_after;
    out.silence = settings.silence;
    out.start_within = settings.start_within;
    out.recycle_after = settings.recycle_after;
    out.probed = settings.probed;
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
    out.settings.cache = measured_states(settings.cache).front();
    out.settings.hang_after_ms = static_cast<int>(settings.hang_after.count());
    out.workload = workload.json;
    out.cubin.assign(cubin.begin(), cubin.end());
    for (const auto& [number, path] : files_read_by(workload)) {
        auto bytes = TRY(read_file(path));
        const auto* buffer =
            number >= 0 ? std::get_if<BufferParam>(&workload.params[static_cast<std::size_t>(number)])
                        : nullptr;
        if (buffer && bytes.size() != buffer->bytes())
            return fail(
                ErrorCode::BadInput,
                fmt::format("has {} bytes, params[{}] needs {}", bytes.size(), number, buffer->bytes()),
                path.string());
        out.files[number] = std::move(bytes);
    }
    return out;
}

// A failed outcome keeps kind, detail, code hash and samples, no figures.
Outcome to_outcome(BenchOutcome&& from) {
    Outcome out;
    if (from.ok()) {
        out = std::move(static_cast<Outcome&>(from));
    } else {
        out.kind = from.kind;
        out.detail = std::move(from.detail);
        out.code_hash = from.code_hash;
        out.samples = std::move(from.samples);
    }
    out.pairs = static_cast<std::uint32_t>(out.samples.size());
    return out;
}

std::string driver_of(const BenchFacts& facts) {
    return facts.device + ", driver " + facts.driver;
}

EvaluatorInfo info_of(const BenchFacts& facts, const Calibration& calibration, int workers_started,
                      const GpuSettings& settings) {
    EvaluatorInfo out;
    out.kind = EvaluatorKind::Gpu;
    out.device = driver_of(facts);
    out.unit = "us";
    out.original_cost = calibration.original_us;
    out.timer_step_us = calibration.timer_step_us;
    out.aa_spread = calibration.pair_deviation;
    out.detectable = calibration.detectable;
    out.deterministic = calibration.deterministic;
    out.gpu.facts = facts;
    out.gpu.calibration = calibration;
    out.gpu.seed = settings.seed;
    out.gpu.same_within = settings.same_within;
    out.gpu.cache = measured_states(settings.cache).front();
    out.gpu.workers_started = workers_started;
    return out;
}

// The info of a pool in the cache state of `settings`, the one with number `which`: figures of its first GPU, the widest
// spreads, and the list of members.
EvaluatorInfo pool_info(const GpuPool& pool, const GpuSettings& settings, std::size_t which) {
    const std::vector<PoolMemberState> states = pool.states();
    EvaluatorInfo out;
    std::vector<MachineDevice> devices;
    int up = 0;
    for (const PoolMemberState& state : states) {
        MachineDevice& device = devices.emplace_back();
        device.worker = state.member.command.empty() ? "local" : state.member.command;
        device.number = state.member.device;
        device.note = state.note;
        if (state.up) {
            BenchFacts facts = state.facts;
            if (which > 0) facts.cache_state = cache_meaning(settings.cache);
            EvaluatorInfo one = info_of(facts, state.calibrations[which], state.workers_started, settings);
            device.device = one.device;
            device.uuid = state.facts.uuid;
            device.warning = state.facts.warning;
            device.calibration = state.calibrations[which];
            if (up++ == 0) {
                out = std::move(one);
            } else {
                out.aa_spread = std::max(out.aa_spread, one.aa_spread);
                out.detectable = std::max(out.detectable, one.detectable);
                out.deterministic = out.deterministic && one.deterministic;
            }
        }
    }
    out.gpu.devices = std::move(devices);
    return out;
}

bool is_edited(const Schedule& schedule) {
    return schedule.hash() != schedule.kernel()->hash();
}

// Why edited code may not run on some GPU of the pool.
std::optional<Error> untested_member(const Arch& arch, const GpuPool& pool) {
    for (const PoolMemberState& state : pool.states())
        if (state.up)
            if (auto may = edited_code_may_run(arch, state.facts.device, state.facts.driver); !may)
                return may.error();
    return std::nullopt;
}

// B is a schedule of A's kernel with another order or other control codes.
Result<bool> reschedules(std::span<const std::byte> a, std::span<const std::byte> b, const std::string& name) {
    auto original = TRY(Cubin::parse({a.begin(), a.end()}, "A"));
    auto other = TRY(Cubin::parse({b.begin(), b.end()}, "B"));
    if (!original->arch().needs_edit_test()) return false;
    auto kernel = TRY(Kernel::load(original, name));
    const auto schedule = Schedule::match(kernel, *other);
    return schedule && is_edited(*schedule);
}

class GpuEvaluator final : public MeasuringEvaluator {
  public:
    // `settings`: with the cache state of this part, which has number `which` of those that the pool is prepared with.
    // `alpha_shared_by`: the number of parts whose confirmations share the error probability of one.
    GpuEvaluator(const Arch& arch, CubinImages images, std::shared_ptr<GpuPool> pool,
                 const GpuSettings& settings, std::size_t which, std::size_t alpha_shared_by)
        : untested_(untested_member(arch, *pool)),
          images_(std::move(images)),
          pool_(std::move(pool)),
          info_(pool_info(*pool_, settings, which)),
          state_(settings.cache),
          confirmations_(settings.confirmations_before),
          alpha_shared_by_(static_cast<double>(alpha_shared_by)) {}

    const EvaluatorInfo& info() const override { return info_; }

    Result<std::vector<Outcome>> measure(std::span<const Schedule> candidates, const Schedule& reference,
                                         Effort effort, const Sampling& sampling,
                                         std::stop_token stop) override {
        if (untested_ && (is_edited(reference) || std::ranges::any_of(candidates, is_edited)))
            return fail(*untested_);
        std::vector<double> alphas;
        if (effort == Effort::Confirm)
            for (std::size_t i = 0; i < candidates.size(); ++i)
                alphas.push_back(confirmation_alpha(confirmations_ + i + 1) / alpha_shared_by_);
        const std::vector<std::byte> base = images_.of(reference);
        auto measured = TRY(pool_->evaluate(
            effort, difference(images_.original(), base), candidates.size(),
            [&](std::size_t i) {
                WireImage image = difference(base, images_.of(candidates[i]));
                image.of_reference = true;
                return image;
            },
            alphas, stop, sampling, state_));
        std::vector<Outcome> out;
        out.reserve(measured.size());
        for (PooledOutcome& outcome : measured) {
            out.push_back(to_outcome(std::move(outcome.outcome)));
            out.back().device = static_cast<std::uint16_t>(outcome.member);
            if (effort != Effort::Confirm || !out.back().ok()) continue;
            std::string& detail = out.back().detail;
            detail += fmt::format(
                "{}confirmation {} of this run: interval for an error probability of {:.2g}, {:.2g} over all "
                "confirmations of the run together",
                detail.empty() ? "" : "; ", confirmations_ + out.size(), out.back().alpha, kConfirmAlpha);
        }
        if (effort == Effort::Confirm) confirmations_ += candidates.size();
        return out;
    }

  private:
    std::optional<Error> untested_;  // edited code may not run here
    CubinImages images_;
    std::shared_ptr<GpuPool> pool_;
    EvaluatorInfo info_;
    Cache state_;
    std::uint64_t confirmations_;
    double alpha_shared_by_;
};

// The commands of the pool; "" is the default one.
std::vector<std::string> commands_of(const GpuSettings& settings) {
    std::vector<std::string> out = settings.worker_commands;
    if (out.empty()) out.push_back(settings.worker_command);
    for (std::string& command : out)
        if (command == "local") command.clear();
    return out;
}

ClientSettings first_client(const GpuSettings& settings) {
    ClientSettings out = client_settings(settings);
    out.command = commands_of(settings).front();
    return out;
}

// The workers of one shape.
Result<std::shared_ptr<GpuPool>> start_pool(const Kernel& kernel, const Workload& shape,
                                            const GpuSettings& settings, const std::stop_token& stop) {
    auto members = TRY(pool_members(settings));
    auto pool = TRY(make_gpu_pool(kernel, shape, settings, std::move(members)));
    TRY(pool->start(stop));
    if (settings.calibrating_s) *settings.calibrating_s += pool->states().front().start_times.calibrate;
    return std::shared_ptr<GpuPool>(std::move(pool));
}

}  // namespace

GpuSettings watching_starts(GpuSettings settings) {
    settings.probed = std::make_shared<ProbedWorker>();
    settings.calibrating_s = std::make_shared<double>(0);
    return settings;
}

std::string cannot_run(int sm, const Arch& arch) {
    return cannot_run(sm, arch.sm, arch.accelerated);
}

GpuProbe probe_gpu(const GpuSettings& settings, const std::stop_token& stop) {
    GpuProbe out;
    ClientSettings client = client_settings(settings);
    for (const std::string& command : commands_of(settings)) {
        client.command = command;
        GpuProbe answer = GpuClient::probe(client, settings.device, stop);
        if (!out.reason.empty() && !answer.present) answer.reason = out.reason + "; " + answer.reason;
        out = std::move(answer);
        if (out.present) break;
    }
    return out;
}

double confirmation_alpha(std::uint64_t j) {
    const double n = static_cast<double>(std::max<std::uint64_t>(j, 1));
    return kConfirmAlpha / (n * (n + 1));
}

Result<std::vector<PoolMember>> pool_members(const GpuSettings& settings) {
    std::vector<PoolMember> out;
    std::string reasons;
    for (const std::string& command : commands_of(settings)) {
        int count = settings.gpus_each;
        if (count <= 0) {
            ClientSettings client = client_settings(settings);
            client.command = command;
            const GpuProbe answer = GpuClient::probe(client, settings.device);
            count = answer.present ? std::max(1, answer.devices - settings.device) : 0;
            if (!answer.present) reasons += (reasons.empty() ? "" : "; ") + answer.reason;
        }
        for (int i = 0; i < count; ++i)
            out.push_back({command, settings.device + i});
    }
    if (out.empty()) return fail(ErrorCode::NoGpu, "no usable GPU: " + reasons);
    return out;
}

Result<std::unique_ptr<GpuClient>> make_gpu_client(const Kernel& kernel, const Workload& workload,
                                                   const GpuSettings& settings) {
    TRY(workload.validate_against(kernel.info()));
    auto request = TRY(prepare_request(settings, kernel.arch(), workload, kernel.cubin().bytes()));
    return std::make_unique<GpuClient>(first_client(settings), std::move(request));
}

Result<std::unique_ptr<GpuPool>> make_gpu_pool(const Kernel& kernel, const Workload& workload,
                                               const GpuSettings& settings, std::vector<PoolMember> members) {
    TRY(workload.validate_against(kernel.info()));
    auto request = TRY(prepare_request(settings, kernel.arch(), workload, kernel.cubin().bytes()));
    request.settings.cache = settings.cache;
    return std::make_unique<GpuPool>(std::move(members), client_settings(settings), std::move(request));
}

GpuSettings with_cache_for(GpuSettings settings, const Workload& workload) {
    if (!settings.cache_given) settings.cache = CapturedLaunch::of(workload) ? Cache::Program : Cache::Hot;
    settings.cache_given = true;
    return settings;
}

std::optional<Cache> cache_of(const EvaluatorInfo& machine) {
    if (machine.kind != EvaluatorKind::Gpu) return std::nullopt;
    return machine.gpu.cache;
}

std::string machine_warning(const EvaluatorInfo& evaluator) {
    const MachineInfo& machine = evaluator.gpu;
    if (machine.devices.size() < 2) return machine.facts ? machine.facts->warning : std::string();
    std::string out;
    for (std::size_t i = 0; i < machine.devices.size(); ++i)
        if (const std::string warning = machine.devices[i].warning.value_or(""); !warning.empty())
            out += fmt::format("{}GPU {}: {}", out.empty() ? "" : "; ", i, warning);
    return out;
}

Result<std::unique_ptr<Evaluator>> make_gpu_evaluator(KernelPtr kernel, const Workload& workload,
                                                      GpuSettings settings, std::stop_token stop) {
    TRY(workload.validate_against(kernel->info()));
    const Cache judged = settings.cache;
    const std::vector<Cache> caches = measured_states(judged);
    const std::vector<Workload> shapes = shapes_of(workload);
    const std::vector<std::string> names = shape_names(workload);
    std::vector<std::shared_ptr<GpuPool>> pools;
    for (const Workload& shape : shapes) {
        auto pool = start_pool(*kernel, shape, settings, stop);
        if (!pool) {
            Error error = pool.error();
            if (shapes.size() > 1 && !shape.name.empty())
                error.where = fmt::format("shape '{}', {}", shape.name, error.where);
            return fail(std::move(error));
        }
        pools.push_back(std::move(*pool));
    }
    std::vector<EvaluatorPart> parts;
    for (std::size_t which = 0; which < caches.size(); ++which) {
        settings.cache = caches[which];
        for (std::size_t k = 0; k < shapes.size(); ++k)
            parts.push_back({names[k], caches[which],
                             std::make_unique<GpuEvaluator>(kernel->arch(), CubinImages(kernel), pools[k],
                                                            settings, which, caches.size() * shapes.size())});
    }
    return over_parts(std::move(parts), judged, settings.same_within);
}

Result<Comparison> compare_cubins(std::span<const std::byte> a, std::span<const std::byte> b,
                                  const Workload& workload, GpuSettings settings, int loads,
                                  std::stop_token stop, const CompareOptions& options) {
    Arch arch;
    for (const auto& [bytes, name] : {std::pair(a, "A"), std::pair(b, "B")}) {
        auto cubin = TRY(Cubin::parse(std::vector<std::byte>(bytes.begin(), bytes.end()), name));
        auto kernel = TRY(cubin->kernel(workload.kernel));
        if (auto status = workload.validate_against(*kernel); !status) {
            Error error = status.error();
            error.where = fmt::format("{}, {}", name, error.where);
            return fail(std::move(error));
        }
        arch = cubin->arch();
    }
    auto request = TRY(prepare_request(settings, arch, workload, a));
    if (options.known) request.calibrations = {*options.known};
    GpuClient client(first_client(settings), std::move(request));
    if (auto ready = client.ready(stop); !ready) {
        const Error& error = ready.error();
        const bool none = error.code == ErrorCode::NoGpu ||
                          (error.code != ErrorCode::Cancelled && !client.answered() && !options.gpu_known);
        return fail(none ? Error{ErrorCode::NoGpu, "no usable GPU: " + error.message(), {}} : error);
    }
    if (TRY(reschedules(a, b, workload.kernel)))
        TRY(edited_code_may_run(arch, client.facts().device, client.facts().driver));
    CompareRequest compare;
    compare.a.assign(a.begin(), a.end());
    compare.b.assign(b.begin(), b.end());
    compare.loads = loads;
    compare.alpha = options.alpha;
    compare.energy_ms = options.energy_ms;
    if (options.known) compare.warm_up_ms = kReplicateWarmUpMs;
    auto measured =
        TRY(compare_over_workers(client, std::move(compare), settings.seed, settings.same_within, stop));
    Comparison out;
    out.machine = info_of(client.facts(), client.calibration(), client.workers_started(), settings);
    out.details = std::move(measured.details);
    out.outcome = to_outcome(std::move(measured.outcome));
    return out;
}

}  // namespace cubinlab
