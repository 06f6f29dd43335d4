// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gpu/client/worker_replication.h"

#include <algorithm>

#include "core/gpu/protocol/inputs.h"
#include "core/gpu/protocol/statistics.h"

namespace cubinlab {
namespace {

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
    to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

Result<BenchComparison> compare_over_workers(GpuClient& client, CompareRequest request, std::uint64_t seed,
                                             double same_within, const std::stop_token& stop) {
    const int loads = std::max(2, request.loads), workers = std::min(loads, kMostReplicates);
    const int energy_ms = request.energy_ms;
    BenchComparison out;
    std::vector<std::vector<float>> by_process;
    std::vector<double> reference_us, cost;
    for (int w = 0; w < workers; ++w) {
        if (w > 0) client.renew();
        request.loads = loads * (w + 1) / workers - loads * w / workers;
        request.energy_ms = w + 1 == workers ? energy_ms : 0;
        request.seed = mix64(seed + static_cast<std::uint64_t>(w)) | 1;
        if (w > 0) request.warm_up_ms = kReplicateWarmUpMs;
        auto part = client.compare(request, stop);
        if (!part) return part;
        if (part->outcome.kind != OutcomeKind::Ok) return part;
        if (part->details.by_load.size() != static_cast<std::size_t>(request.loads))
            return fail(ErrorCode::Worker, "the worker sent a verdict without its samples", "worker");
        std::vector<float> samples;
        for (const std::vector<float>& load : part->details.by_load)
            append(samples, load);
        reference_us.push_back(part->outcome.reference_us);
        cost.push_back(part->outcome.cost);
        append(out.outcome.samples, samples);
        append(out.outcome.states, part->outcome.states);
        out.outcome.throttled_blocks += part->outcome.throttled_blocks;
        out.outcome.loads += part->outcome.loads;
        out.outcome.alpha = part->outcome.alpha;
        out.outcome.code_hash = part->outcome.code_hash;
        by_process.push_back(std::move(samples));
        out.details = std::move(part->details);  // the last worker has the energy
    }
    const Calibration& calibration = client.calibration();
    const LoadsVerdict judged =
        judge_loads(by_process, calibration.pair_deviation, calibration.load_deviation, out.outcome.alpha);
    BenchOutcome& o = out.outcome;
    o.kind = OutcomeKind::Ok;
    o.speedup = judged.speedup();
    o.verdict = o.speedup.verdict(same_within);
    o.reference_us = median(std::move(reference_us));
    o.cost = median(std::move(cost));
    o.reference_energy_mj = out.details.energy.a_mj;
    o.energy_mj = out.details.energy.b_mj;
    out.details.by_load = std::move(by_process);
    out.details.cost_original_us = o.reference_us;
    out.details.loads = o.loads;
    out.details.outputs_equal = true;
    return out;
}

}  // namespace cubinlab
