// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gpu/client/worker_replication.h"

#include <algorithm>

#include "core/gpu/protocol/inputs.h"
#include "core/gpu/protocol/statistics.h"

namespace cubinlab {
namespace {

// The GPU is idle for some tenths of a second between two workers.
constexpr int kReplicateWarmUpMs = 250;

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
    std::vector<double> reference_us, cost;
    for (int w = 0; w < workers; ++w) {
        if (w > 0) client.renew();
        request.loads = loads * (w + 1) / workers - loads * w / workers;
        request.energy_ms = w + 1 == workers ? energy_ms : 0;
        request.seed = mix64(seed + static_cast<std::uint64_t>(w)) | 1;
        request.warm_up_ms = w > 0 ? kReplicateWarmUpMs : 0;
        auto part = client.compare(request, stop);
        if (!part) return part;
        if (part->outcome.kind != OutcomeKind::Ok) return part;
        if (part->by_load.size() != static_cast<std::size_t>(request.loads))
            return fail(ErrorCode::Worker, "the worker sent a verdict without its samples", "worker");
        std::vector<float> samples;
        for (const std::vector<float>& load : part->by_load)
            append(samples, load);
        reference_us.push_back(part->outcome.reference_us);
        cost.push_back(part->outcome.cost);
        append(out.outcome.samples, samples);
        append(out.outcome.states, part->outcome.states);
        out.outcome.throttled_blocks += part->outcome.throttled_blocks;
        out.outcome.loads += part->outcome.loads;
        out.outcome.alpha = part->outcome.alpha;
        out.outcome.code_hash = part->outcome.code_hash;
        out.by_load.push_back(std::move(samples));
        out.energy = part->energy;
        out.input_sets = part->input_sets;
    }
    const Calibration& calibration = client.calibration();
    const LoadsVerdict judged =
        judge_loads(out.by_load, calibration.pair_deviation, calibration.load_deviation, out.outcome.alpha);
    BenchOutcome& o = out.outcome;
    o.kind = OutcomeKind::Ok;
    o.speedup = judged.speedup();
    o.verdict = o.speedup.verdict(same_within);
    o.reference_us = median(std::move(reference_us));
    o.cost = median(std::move(cost));
    o.reference_energy_mj = out.energy.a_mj;
    o.energy_mj = out.energy.b_mj;
    out.outputs_equal = true;
    return out;
}

}  // namespace cubinlab
