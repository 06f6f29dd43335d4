// SPDX-License-Identifier: GPL-3.0-or-later
// The studies over the sample kernels, each with its share of the time.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "app/lab/study/measurement_study.h"
#include "app/lab/study/study_candidates.h"
#include "core/tuning/evaluator_choice.h"

namespace cubinlab {
namespace {

struct Sample {
    std::string name;
    KernelPtr kernel;
    Workload workload;
    std::unique_ptr<GpuClient> client;
    WireImage original;
};

// Shares of the time, where all parts are done.
const std::map<std::string, double>& shares() {
    static const std::map<std::string, double> out = {
        {"same", 55}, {"rate", 15}, {"hostile", 20}, {"cold", 10}};
    return out;
}

Result<Sample> open_sample(const std::filesystem::path& file, const GpuSettings& gpu) {
    auto cubin = Cubin::open(file);
    if (!cubin) return fail(cubin.error());
    auto kernel = Kernel::load(*cubin);
    if (!kernel) return fail(kernel.error());
    auto workload = find_workload(**kernel, "");
    if (!workload) return fail(workload.error());
    if (!*workload) return fail(ErrorCode::NotFound, "has no workload next to it", file.string());
    GpuSettings one_worker = gpu;
    one_worker.recycle_after = 1'000'000'000;  // phase times are a worker's own
    auto client = make_gpu_client(**kernel, **workload, one_worker);
    if (!client) return fail(client.error());
    const auto bytes = (*kernel)->cubin().bytes();
    return Sample{file.stem().string(), *kernel, std::move(**workload), std::move(*client),
                  difference(bytes, bytes)};
}

std::vector<std::filesystem::path> cubins_in(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> out;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error))
        if (entry.path().extension() == ".cubin") out.push_back(entry.path());
    std::sort(out.begin(), out.end());
    return out;
}

class MeasurementStudyRun {
  public:
    MeasurementStudyRun(const StudySettings& settings,
                        const std::function<void(const std::string&)>& progress, std::stop_token stop)
        : settings_(settings), progress_(progress), stop_(std::move(stop)) {}

    Result<MeasurementStudy> run() {
        const GpuProbe gpu = probe_gpu(settings_.gpu);
        if (!gpu.present) return fail(ErrorCode::NoGpu, "no usable GPU: " + gpu.reason);
        out_.machine.kind = EvaluatorKind::Gpu;
        out_.machine.device = gpu.device + ", driver " + gpu.driver;
        out_.machine.unit = "us";
        const auto files = cubins_in(settings_.folder);
        if (files.empty())
            return fail(ErrorCode::NotFound, "has no cubins; give --samples", settings_.folder.string());
        std::vector<std::string> names;
        for (const auto& file : files)
            names.push_back(file.stem().string());
        each("same", names, [&](Sample& sample, double seconds) { return same(sample, seconds); });
        each("rate", rated(names), [&](Sample& sample, double seconds) { return rate(sample, seconds); });
        if (wanted("hostile")) hostile();
        cold();
        if (stop_.stop_requested())
            out_.notes.push_back("stopped on request: the figures are those of the part that was done");
        return std::move(out_);
    }

  private:
    bool wanted(const std::string& part) const {
        return std::find(settings_.parts.begin(), settings_.parts.end(), part) != settings_.parts.end() &&
               !stop_.stop_requested();
    }
    double seconds_of(const std::string& part) const {
        double all = 0;
        for (const std::string& name : settings_.parts)
            all += shares().at(name);
        return settings_.seconds * shares().at(part) / all;
    }
    void note(const std::string& what, const Error& error) {
        if (error.code != ErrorCode::Cancelled)
            out_.notes.push_back(fmt::format("{}: {}", what, error.message()));
    }
    template <class Body>
    void with(const std::filesystem::path& file, const GpuSettings& gpu, Body body) {
        if (stop_.stop_requested()) return;
        auto sample = open_sample(file, gpu);
        Status status = sample ? body(*sample) : Status(fail(sample.error()));
        if (!status) note(file.stem().string(), status.error());
    }
    template <class Body>
    void each(const std::string& part, const std::vector<std::string>& names, Body body) {
        if (!wanted(part)) return;
        for (const std::string& name : names)
            with(settings_.folder / (name + ".cubin"), settings_.gpu, [&](Sample& sample) {
                return body(sample, seconds_of(part) / static_cast<double>(names.size()));
            });
    }
    void tell(const std::string& what) {
        if (progress_) progress_(what);
    }
    Status same(Sample& sample, double seconds) {
        tell("original against itself: " + sample.name);
        auto study = study_same(*sample.client, sample.original, seconds, settings_.gpu.same_within, stop_);
        if (!study) return fail(study.error());
        study->kernel = sample.name;
        out_.same.push_back(std::move(*study));
        return {};
    }
    // The usual kernels of the rate where the folder has them; else all.
    std::vector<std::string> rated(const std::vector<std::string>& there) const {
        std::vector<std::string> out;
        for (const std::string& name : settings_.rate)
            if (std::find(there.begin(), there.end(), name) != there.end()) out.push_back(name);
        return out.empty() ? there : out;
    }
    // Each cache state has a worker of its own.
    Status rate(const Sample& sample, double seconds) {
        const GpuSettings gpu = with_cache_for(settings_.gpu, sample.workload);
        const std::vector<Cache> states = measured_states(gpu.cache);
        for (const Cache state : states) {
            GpuSettings in_state = gpu;
            in_state.cache = state;
            auto opened = TRY(open_sample(sample.kernel->cubin().where(), in_state));
            for (const bool by_noise : {false, true})
                TRY(rate_in(opened, state, by_noise, seconds / static_cast<double>(2 * states.size())));
        }
        return {};
    }
    Status rate_in(Sample& sample, Cache state, bool by_noise, double seconds) {
        tell(fmt::format("screening rate: {}, {}{}", sample.name, to_string(state),
                         by_noise ? ", by noise" : ""));
        auto candidates = StudyCandidates::create(sample.kernel);
        if (!candidates) return fail(candidates.error());
        const auto bytes = sample.kernel->cubin().bytes();
        std::vector<std::byte> no_elf(bytes.begin(), bytes.end());
        no_elf[0] ^= std::byte{1};
        const WireImage broken = difference(bytes, no_elf);
        auto study = study_rate(
            *sample.client, sample.original, [&] { return candidates->batch(32); }, seconds, stop_,
            by_noise ? &broken : nullptr, Sampling{.by_noise = by_noise});
        if (!study) return fail(study.error());
        study->kernel = sample.name;
        study->cache = state;
        study->by_noise = by_noise;
        out_.rate.push_back(*study);
        return {};
    }

    // How many steps of the padding cost `cold_padded_by`, measured by this sample's client.
    Result<std::size_t> steps_for(Sample& sample) {
        tell(fmt::format("padding that costs {:.1f} %: {}", settings_.cold_padded_by * 100, sample.name));
        auto candidates = TRY(StudyCandidates::create(sample.kernel));
        const std::vector<InstrId> padding = candidates.padding();
        return find_padding(
            *sample.client, sample.kernel->cubin().bytes(),
            [&](std::size_t n) { return candidates.image(candidates.padded(std::span(padding).first(n))); },
            padding.size(), settings_.cold_padded_by, stop_);
    }
    // The original against itself with `steps` cycles added. 0: against itself.
    Status padded(Sample& sample, std::size_t steps, Cache cache) {
        tell(fmt::format("{} cycles added: {}", steps, sample.name));
        auto candidates = TRY(StudyCandidates::create(sample.kernel));
        const std::vector<InstrId> padding = candidates.padding();
        auto study = TRY(study_padded(
            *sample.client, sample.kernel->cubin().bytes(),
            candidates.image(candidates.padded(std::span(padding).first(steps))), settings_.gpu.same_within,
            seconds_of("cold") / static_cast<double>(3 * settings_.cold.size()), stop_));
        study.kernel = sample.name;
        study.target = steps > 0 ? settings_.cold_padded_by : 0;
        study.edits = steps;
        study.cache = cache;
        out_.cold.push_back(study);
        return {};
    }
    void cold() {
        if (!wanted("cold")) return;
        GpuSettings flushing = settings_.gpu;
        flushing.cache = Cache::Cold;
        for (const std::string& name : settings_.cold) {
            const std::filesystem::path file = settings_.folder / (name + ".cubin");
            std::size_t steps = 0;
            with(file, flushing, [&](Sample& sample) -> Status {
                steps = TRY(steps_for(sample));
                TRY(padded(sample, 0, Cache::Cold));
                return padded(sample, steps, Cache::Cold);
            });
            if (steps > 0)
                with(file, settings_.gpu, [&](Sample& sample) { return padded(sample, steps, Cache::Hot); });
        }
    }
    void hostile() {
        const std::filesystem::path file = settings_.probe / "hostile_probe.sm_90a.cubin";
        GpuSettings gpu = settings_.gpu;
        gpu.hang_after = std::min(gpu.hang_after, std::chrono::milliseconds(1000));
        with(file, gpu, [&](Sample& sample) -> Status {
            tell("hostile candidates: " + sample.name);
            const std::vector<HostileCandidate> bad = hostile_candidates(*sample.kernel, sample.workload);
            auto candidates = StudyCandidates::create(sample.kernel);
            if (!candidates) return fail(candidates.error());
            // Half of the good ones are the original itself: whatever verdict they get is false.
            std::vector<WireImage> good = candidates->batch(500);
            good.resize(1000, sample.original);
            auto study = study_hostile(*sample.client, sample.original, sample.kernel->cubin().bytes(), bad,
                                       good, stop_);
            if (!study) return fail(study.error());
            study->kernel = sample.kernel->name();
            out_.hostile.push_back(std::move(*study));
            return {};
        });
    }

    const StudySettings& settings_;
    const std::function<void(const std::string&)>& progress_;
    std::stop_token stop_;
    MeasurementStudy out_;
};

}  // namespace

Result<MeasurementStudy> study_measurement(const StudySettings& settings,
                                           const std::function<void(const std::string&)>& progress,
                                           std::stop_token stop) {
    for (const std::string& part : settings.parts)
        if (!shares().contains(part)) {
            std::string names;
            for (const std::string& name : StudySettings::all_parts())
                names += " " + name;
            return fail(ErrorCode::BadUse, fmt::format("no part '{}'; there are:{}", part, names), "--part");
        }
    return MeasurementStudyRun(settings, progress, std::move(stop)).run();
}

const std::vector<std::string>& StudySettings::all_parts() {
    static const std::vector<std::string> out = {"same", "cold", "rate", "hostile"};
    return out;
}

}  // namespace cubinlab
