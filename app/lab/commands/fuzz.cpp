// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/fuzz/fuzz.h"

#include <fmt/format.h>

#include <filesystem>

#include "app/cli/base/stop_on_signal.h"
#include "app/lab/commands/fuzz_summary.h"
#include "core/base/file.h"
#include "core/schedule/cubin_writer.h"

namespace cubinlab::cli {
namespace {

// STEM, or STEM-2, STEM-3 ... if that file already exists: nothing is overwritten.
std::string free_stem(const std::string& stem) {
    const auto taken = [](const std::string& name) {
        std::error_code error;
        for (const char* ending : {".cubin", ".minimal.cubin", ".json"})
            if (std::filesystem::symlink_status(name + ending, error).type() !=
                std::filesystem::file_type::not_found)
                return true;
        return false;
    };
    if (!taken(stem)) return stem;
    int n = 2;
    while (taken(fmt::format("{}-{}", stem, n)))
        ++n;
    return fmt::format("{}-{}", stem, n);
}

// Writes the failing cubin as it ran, its minimal failing form, and the walk that led to it.
Status write_failures(const FuzzOptions& options, const KernelPtr& kernel, const Json& document,
                      const FuzzReport& report) {
    if (options.failures.empty() || report.failures.empty()) return {};
    std::error_code error;
    std::filesystem::create_directories(options.failures, error);
    auto writer = CubinWriter::create(kernel);
    if (!writer) return fail(writer.error());
    for (std::size_t i = 0; i < report.failures.size(); ++i) {
        const FuzzFailure& f = report.failures[i];
        const std::string stem = free_stem(
            fmt::format("{}/{}.{}.seed{}.{}{}", options.failures, document["name"].get<std::string>(),
                        fuzz_conditions(options), options.seed,
                        options.directed ? fmt::format("base{}.edit", options.base) : "walk", f.walk));
        Schedule schedule(kernel);
        for (const std::string& step : f.steps)
            if (auto m = Mutation::decode(step); !m || !m->apply(schedule)) break;
        if (auto ok = write_file(stem + ".cubin", writer->image(schedule)); !ok) return ok;
        if (auto fewest = Mutation::decode(f.mutation))
            if (auto reduced = fewest->applied(Schedule(kernel)))
                if (auto ok = write_file(stem + ".minimal.cubin", writer->image(*reduced)); !ok) return ok;
        const std::string text = document["failures"][i].dump(1) + "\n";
        if (auto ok = write_text(stem + ".json", text); !ok) return ok;
    }
    return {};
}

FuzzSettings settings_of(const FuzzOptions& options) {
    FuzzSettings out;
    out.candidates = options.steps;
    out.first = options.first;
    out.seed = options.seed;
    out.bad_every = options.bad_every;
    out.longest_walk = options.longest_walk;
    if (options.directed) out.directed_base = options.base;
    out.self_check = options.self_check;
    out.hints = options.hints;
    if (options.seconds > 0) {
        out.batch = 16;  // the time limit is checked between batches
        out.time = std::chrono::milliseconds(static_cast<std::int64_t>(options.seconds * 1000));
    }
    return out;
}

// Little timing: every candidate only has to run, before and after its timed launches.
GpuSettings gpu_settings_of(const FuzzOptions& options) {
    GpuSettings out = options.gpu.settings(options.seed);
    out.input_sets = options.input_sets;
    out.ladder.extra_sets = 0;
    out.ladder.screen_pairs = 1;
    out.ladder.screen_us = 20;
    if (options.background_load && options.gpu.workers.empty())
        out.worker_command = "'" + lab_worker() + "' --background-load";
    return out;
}

int run_merge(const FuzzOptions& options) {
    auto merged = merge_fuzz(options.merge);
    if (!merged) return print_error(merged.error(), options.json);
    const Json& all = (*merged)["all"];
    const bool clean = all["legal_failed"] == 0 && all["disagreements"] == 0;
    if (options.json) return print_document(*merged, clean ? 0 : 1);
    print_text(fuzz_markdown(*merged));
    return clean ? 0 : 1;
}

void print_report(const FuzzOptions& options, const FuzzReport& report) {
    print_line(
        fmt::format("{} legal candidates ({} mutations; {}): {} wrong, {} late once and right in "
                    "three further runs, {} refused by the full check; {:.1f} s, next walk {}",
                    report.legal, report.mutations, fuzz_conditions(options), report.legal_failed,
                    report.hangs_once, report.disagreements, report.seconds, report.next_walk));
    std::string kinds;
    for (const auto& [kind, count] : report.by_kind)
        kinds += fmt::format("{}{} {}", kinds.empty() ? "" : ", ", kind, count);
    print_line("mutations by kind: " + kinds);
    if (options.directed) {
        std::string concerns;
        for (const auto& [name, count] : report.by_concern)
            concerns += fmt::format("{}{} {}", concerns.empty() ? "" : ", ", name, count);
        print_line(fmt::format("directed edits from base {}: up to number {} of {}; past or at: {}",
                               options.base, report.next_walk, report.directed, concerns));
    }
    print_line(fmt::format("{} known-bad candidates: {} seen in the outputs", report.bad, report.bad_seen));
    for (const FuzzFailure& f : report.failures)
        print_text(fmt::format("  walk {}: {}: {}\n    culprit: {} [{}]\n    edits: {} [{}]", f.walk,
                               f.outcome, f.detail, f.culprit_text, f.culprit, f.text, f.mutation));
    if (!report.end.empty()) print_line("ended early: " + report.end);
}

}  // namespace

int run_fuzz(const FuzzOptions& options) {
    if (!options.merge.empty()) return run_merge(options);
    if (options.file.empty())
        return print_error(
            {ErrorCode::BadUse, "name a cubin, or --merge with documents of earlier runs", "fuzz"},
            options.json);
    StopOnSignal stop;
    auto cubin = Cubin::open(options.file);
    if (!cubin) return print_error(cubin.error(), options.json);
    auto kernel = Kernel::load(*cubin, options.kernel);
    if (!kernel) return print_error(kernel.error(), options.json);
    auto checker = HazardChecker::create(*kernel);
    if (!checker) return print_error(checker.error(), options.json);
    EvaluatorChoice choice;
    if (options.evaluator != "model") {
        auto chosen = open_gpu(*kernel, options.workload, gpu_settings_of(options), stop.token());
        if (!chosen) return print_error(chosen.error(), options.json);
        choice = std::move(*chosen);
    }
    auto report = fuzz_kernel(*checker, choice.evaluator.get(), settings_of(options), stop.token(), {});
    if (!report) return print_error(report.error(), options.json);
    const std::string device = choice.evaluator ? choice.evaluator->info().device : "";
    const Json document = fuzz_document(options, **kernel, device, *report);
    if (auto ok = write_failures(options, *kernel, document, *report); !ok)
        return print_error(ok.error(), options.json);
    const int code = report->legal_failed || report->disagreements ? 1 : 0;
    if (options.json) return print_document(document, code);
    print_report(options, *report);
    return code;
}

}  // namespace cubinlab::cli
