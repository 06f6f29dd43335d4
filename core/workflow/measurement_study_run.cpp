// SPDX-License-Identifier: GPL-3.0-or-later
// The three studies over the sample kernels, and their tables.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <random>

#include "core/analysis/hazard_checker.h"
#include "core/measure/statistics.h"
#include "core/schedule/cubin_writer.h"
#include "core/workflow/evaluator_choice.h"
#include "core/workflow/measurement_study.h"

namespace cubinlab {
namespace {

struct Sample {
    std::string name;
    KernelPtr kernel;
    std::unique_ptr<GpuClient> client;
    WireImage original;
};

Result<Sample> open_sample(const std::filesystem::path& file, const GpuSettings& gpu) {
    auto cubin = Cubin::open(file);
    if (!cubin) return fail(cubin.error());
    auto kernel = Kernel::load(*cubin);
    if (!kernel) return fail(kernel.error());
    auto workload = find_workload(**kernel, "");
    if (!workload) return fail(workload.error());
    if (!*workload) return fail(ErrorCode::NotFound, "has no workload beside it", file.string());
    GpuSettings one_worker = gpu;
    one_worker.recycle_after = 1'000'000'000;  // phase times are a worker's own
    auto client = make_gpu_client(**kernel, **workload, one_worker);
    if (!client) return fail(client.error());
    const auto bytes = (*kernel)->cubin().bytes();
    return Sample{file.stem().string(), *kernel, std::move(*client), difference(bytes, bytes)};
}

std::vector<std::filesystem::path> cubins_in(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> out;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error))
        if (entry.path().extension() == ".cubin") out.push_back(entry.path());
    std::sort(out.begin(), out.end());
    return out;
}

// Candidates as a search makes them: legal schedules that differ in a few control codes, no two alike.
class Candidates {
  public:
    static Result<Candidates> create(const KernelPtr& kernel) {
        auto checker = HazardChecker::create(kernel);
        if (!checker) return fail(checker.error());
        auto writer = CubinWriter::create(kernel);
        if (!writer) return fail(writer.error());
        return Candidates(kernel, *checker, std::move(*writer));
    }
    std::vector<WireImage> batch(std::size_t count) {
        std::vector<WireImage> out;
        while (out.size() < count) {
            Schedule schedule(kernel_);
            for (int edits = 0; edits < 8;) {
                const auto id = static_cast<InstrId>(random_() % schedule.size());
                ControlCode code = schedule.control(id);
                ++edits;
                if (code.stall < 1 || code.stall > 10) continue;
                code.stall = static_cast<decltype(code.stall)>(code.stall + 1);
                const Mutation longer = Mutation::control(schedule, id, code);
                if (checker_->allows(schedule, longer)) schedule.set_control(id, code);
            }
            const auto patches = writer_.patches(schedule);
            WireImage image;
            image.hash = hash_bytes(apply_patches(kernel_->cubin().bytes(), patches));
            for (const BytePatch& patch : patches)
                image.patches.push_back({patch.offset, patch.bytes});
            out.push_back(std::move(image));
        }
        return out;
    }

  private:
    Candidates(KernelPtr kernel, CheckerPtr checker, CubinWriter writer)
        : kernel_(std::move(kernel)), checker_(std::move(checker)), writer_(std::move(writer)) {}
    KernelPtr kernel_;
    CheckerPtr checker_;
    CubinWriter writer_;
    std::mt19937_64 random_{1};
};

class Study {
  public:
    Study(const StudySettings& settings, const std::function<void(const std::string&)>& progress,
          std::stop_token stop)
        : settings_(settings), progress_(progress), stop_(std::move(stop)) {}

    Result<MeasurementStudy> run() {
        const GpuPresence gpu = probe_gpu(settings_.gpu);
        if (!gpu.present) return fail(ErrorCode::NoGpu, "no usable GPU: " + gpu.reason);
        out_.machine.kind = EvaluatorKind::Gpu;
        out_.machine.device = gpu.device + ", driver " + gpu.driver;
        out_.machine.unit = "us";
        const auto files = cubins_in(settings_.folder);
        if (files.empty())
            return fail(ErrorCode::NotFound, "has no cubins; give --samples", settings_.folder.string());
        for (const auto& file : files)
            with(file, [&](Sample& sample) {
                return same(sample, settings_.seconds * 0.55 / static_cast<double>(files.size()));
            });
        for (const std::string& name : settings_.known)
            with(settings_.folder / (name + ".cubin"), [&](Sample& sample) {
                return known(sample, settings_.seconds * 0.3 / static_cast<double>(settings_.known.size()));
            });
        for (const std::string& name : settings_.rate)
            with(settings_.folder / (name + ".cubin"), [&](Sample& sample) {
                return rate(sample, settings_.seconds * 0.15 / static_cast<double>(settings_.rate.size()));
            });
        if (stop_.stop_requested())
            out_.notes.push_back("stopped on request: the figures are those of the part that was done");
        return std::move(out_);
    }

  private:
    template <class Body>
    void with(const std::filesystem::path& file, Body body) {
        if (stop_.stop_requested()) return;
        auto sample = open_sample(file, settings_.gpu);
        Status status = sample ? body(*sample) : Status(fail(sample.error()));
        if (!status && status.error().code != ErrorCode::Cancelled)
            out_.notes.push_back(fmt::format("{}: {}", file.stem().string(), status.error().message()));
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
    Status known(Sample& sample, double seconds) {
        tell("known truth: " + sample.name);
        auto studies = study_known(*sample.client, sample.kernel->cubin().bytes(), seconds, stop_);
        if (!studies) return fail(studies.error());
        for (KnownStudy& study : *studies) {
            study.kernel = sample.name;
            out_.known.push_back(study);
        }
        return {};
    }
    Status rate(Sample& sample, double seconds) {
        tell("screening rate: " + sample.name);
        auto candidates = Candidates::create(sample.kernel);
        if (!candidates) return fail(candidates.error());
        const auto bytes = sample.kernel->cubin().bytes();
        std::vector<std::byte> no_elf(bytes.begin(), bytes.end());
        no_elf[0] ^= std::byte{1};
        const WireImage broken = difference(bytes, no_elf);
        auto study = study_rate(
            *sample.client, sample.original, [&] { return candidates->batch(32); }, seconds, stop_, &broken);
        if (!study) return fail(study.error());
        study->kernel = sample.name;
        out_.rate.push_back(*study);
        return {};
    }

    const StudySettings& settings_;
    const std::function<void(const std::string&)>& progress_;
    std::stop_token stop_;
    MeasurementStudy out_;
};

std::string rung(const FalseVerdicts& v) {
    return fmt::format("{} of {}{}", v.wrong(), v.comparisons,
                       v.failed > 0 ? fmt::format(" ({} failed)", v.failed) : "");
}

std::string same_table(const std::vector<SameStudy>& rows) {
    std::string out =
        "| kernel | us | screen: false of all | promote | confirm | pairs a promotion | deviation of a load "
        "pair: predicted, seen % | "
        "detectable: predicted, seen % |\n|---|---|---|---|---|---|---|---|\n";
    std::array<FalseVerdicts, 3> all;
    for (const SameStudy& row : rows) {
        for (std::size_t i = 0; i < 3; ++i)
            all[i].add(row.rungs[i]);
        const auto& promote = row.rungs[1];
        out += fmt::format("| {} | {:.1f} | {} | {} | {} | {:.1f} | {:.3f}, {:.3f} | {:.2f}, {:.2f} |\n",
                           row.kernel, row.original_us, rung(row.rungs[0]), rung(promote), rung(row.rungs[2]),
                           promote.comparisons > 0
                               ? static_cast<double>(promote.pairs) / static_cast<double>(promote.comparisons)
                               : 0.0,
                           row.predicted_deviation * 100, row.seen_deviation * 100,
                           row.predicted_detectable * 100, row.seen_detectable * 100);
    }
    const auto bound = [](const FalseVerdicts& v) {
        return fmt::format("{} = {:.2f} % (at most {:.2f} %)", rung(v),
                           v.comparisons > 0
                               ? 100.0 * static_cast<double>(v.wrong()) / static_cast<double>(v.comparisons)
                               : 0.0,
                           100 * rate_upper_bound(v.wrong(), v.comparisons));
    };
    FalseVerdicts fresh = all[1];
    fresh.add(all[2]);
    out +=
        fmt::format("| **pooled** | | {} | {} | {} | | | |\n\n", bound(all[0]), bound(all[1]), bound(all[2]));
    return out +
           fmt::format(
               "Over fresh loads (promote and confirm): {}. Bounds: Clopper-Pearson, one-sided, 95 %.\n",
               bound(fresh));
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? "-"
                      : fmt::format("{:.0f}", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string known_table(const std::vector<KnownStudy>& rows) {
    std::string out =
        "| kernel | launches | truth % | comparisons | truth inside the interval % | right verdict % | "
        "interval excludes 0 % | opposite or "
        "false verdicts | mean error % | half width % |\n|---|---|---|---|---|---|---|---|---|---|\n";
    for (const KnownStudy& row : rows)
        out += fmt::format("| {} | {}+{} | {:.2f} | {}{} | {} | {} | {} | {} | {:+.3f} | {:.2f} |\n",
                           row.kernel, row.launches, row.extra, row.truth * 100, row.comparisons,
                           row.failed > 0 ? fmt::format(" ({} failed)", row.failed) : "",
                           percent(row.covered, row.comparisons),
                           row.extra == 0 ? "-" : percent(row.right, row.comparisons),
                           percent(row.excludes_zero, row.comparisons), row.wrong, row.mean_error * 100,
                           row.median_half_width * 100);
    return out + fmt::format(
                     "\n{} fresh loads of each side, {} pairs a load; a truth of 0.2 % cannot be called "
                     "FASTER with the SAME zone at 0.2 %.\n",
                     10, 4);
}

std::string rate_table(const std::vector<RateStudy>& rows) {
    std::string out =
        "| kernel | us | candidates | a second | pairs | load us | check us | timing us | unload us | rest "
        "(images, protocol) us | fresh worker after a failure: first, then ms |\n"
        "|---|---|---|---|---|---|---|---|---|---|---|\n";
    for (const RateStudy& row : rows)
        out += fmt::format(
            "| {} | {:.1f} | {}{} | {:.0f} | {:.1f} | {:.0f} | {:.0f} | {:.0f} | {:.0f} | {:.0f} | {:.0f}, "
            "{:.0f} |\n",
            row.kernel, row.original_us, row.candidates,
            row.failed > 0 ? fmt::format(" ({} failed)", row.failed) : "", row.per_second(), row.pairs,
            row.load_us, row.check_us, row.timing_us, row.unload_us, row.rest_us, row.first_restart_ms,
            row.restart_ms);
    return out;
}

}  // namespace

Result<MeasurementStudy> study_measurement(const StudySettings& settings,
                                           const std::function<void(const std::string&)>& progress,
                                           std::stop_token stop) {
    return Study(settings, progress, std::move(stop)).run();
}

std::string markdown(const MeasurementStudy& study) {
    std::string out = study.machine.device + "\n";
    if (!study.same.empty()) out += "\n### The original against itself\n\n" + same_table(study.same);
    if (!study.known.empty()) out += "\n### Known truth\n\n" + known_table(study.known);
    if (!study.rate.empty()) out += "\n### Screening rate\n\n" + rate_table(study.rate);
    for (const std::string& note : study.notes)
        out += "\n- " + note;
    if (!study.notes.empty()) out += "\n";
    return out;
}

}  // namespace cubinlab
