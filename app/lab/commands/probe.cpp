// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/probe/probe.h"

#include <fmt/format.h>

#include "app/cli/base/output.h"
#include "app/cli/base/stop_on_signal.h"
#include "app/lab/commands/lab_commands.h"
#include "app/lab/probe/probe_program.h"

namespace cubinlab::cli {
namespace {

// Largest distance at which results broke; 0 if none did.
int largest_failure(const ProbeTally& tally) {
    int largest = 0;
    for (const auto& [distance, count] : tally.at)
        if (count.first > 0) largest = distance;
    return largest;
}

Json document_of(const ProbeOptions& options, const ProbeReport& report, const EvaluatorInfo& machine) {
    Json classes = Json::array();
    for (const auto& [key, tally] : report.classes) {
        Json at = Json::array();
        for (const auto& [distance, count] : tally.at)
            at.push_back({{"distance", distance}, {"failed", count.first}, {"tried", count.second}});
        classes.push_back({{"kind", key.kind},
                           {"producer", key.producer},
                           {"consumer", key.consumer},
                           {"file", key.file},
                           {"table", tally.table},
                           {"compiler_minimum", tally.compiler_minimum},
                           {"proven_minimum", largest_failure(tally) + 1},
                           {"at", at}});
    }
    auto pair = [](const std::pair<std::uint64_t, std::uint64_t>& p) {
        return Json{{"failed", p.first}, {"tried", p.second}};
    };
    return {{"file", options.file},
            {"candidates", report.candidates},
            {"machine", to_json(machine)},
            {"classes", classes},
            {"yield_at_stall_1", pair(report.yield_at_stall_1)},
            {"yield_at_all_stall_1", pair(report.yield_at_all_stall_1)},
            {"no_yield_at_long_stall", pair(report.no_yield_at_long_stall)},
            {"ended_early", report.end}};
}

void print_report(const ProbeReport& report) {
    print_line(
        "| kind | producer | consumer | file | table | compiler | breaks at | tried below the table |");
    print_line("|---|---|---|---|---|---|---|---|");
    for (const auto& [key, tally] : report.classes) {
        std::string tried;
        for (const auto& [distance, count] : tally.at)
            tried +=
                fmt::format("{}{}: {}/{}", tried.empty() ? "" : ", ", distance, count.first, count.second);
        const int broke = largest_failure(tally);
        print_line(fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |", key.kind, key.producer,
                               key.consumer, key.file, tally.table, tally.compiler_minimum,
                               broke ? std::to_string(broke) : "-", tried));
    }
    print_line(fmt::format(
        "yield at stall 1: {} of {} failed; on all at once: {} of {}; no yield at stall >= 12: {} of {}",
        report.yield_at_stall_1.first, report.yield_at_stall_1.second, report.yield_at_all_stall_1.first,
        report.yield_at_all_stall_1.second, report.no_yield_at_long_stall.first,
        report.no_yield_at_long_stall.second));
    if (!report.end.empty()) print_line("ended early: " + report.end);
}

}  // namespace

int run_probe(const ProbeOptions& options) {
    StopOnSignal stop;
    auto cubin = Cubin::open(options.file);
    if (!cubin) return print_error(cubin.error(), options.json);
    if (auto named = (*cubin)->kernel(options.kernel); !options.kernel.empty() && !named)
        return print_error(named.error(), options.json);
    if (auto frame = (*cubin)->kernel(probe::kFrameName); frame)
        return options.queues  ? run_probe_queues(options, *cubin)
               : options.loops ? run_probe_loops(options, *cubin)
                               : run_probe_synthesis(options, *cubin);
    if (options.queues || options.loops)
        return print_error({ErrorCode::BadUse,
                            fmt::format("needs a frame and a word book: give resources/probe/{}.sm_90a.cubin",
                                        options.queues ? "queues" : "synthesis"),
                            options.queues ? "--queues" : "--loops"},
                           options.json);
    ProbeReport report;
    EvaluatorInfo machine;
    for (const KernelInfo& info : (*cubin)->kernels()) {
        if (!options.kernel.empty() && info.name != options.kernel) continue;
        auto kernel = Kernel::load(*cubin, info.name);
        if (!kernel) return print_error(kernel.error(), options.json);
        auto checker = HazardChecker::create(*kernel, CheckMode::Absolute);
        if (!checker) return print_error(checker.error(), options.json);
        auto choice = open_gpu(*kernel, options.workload, options.gpu.settings(options.seed), stop.token());
        if (!choice) return print_error(choice.error(), options.json);
        machine = choice->evaluator->info();
        ProbeSettings settings;
        settings.repeats = options.repeats;
        if (auto ok = probe_kernel(*checker, *choice->evaluator, settings, report, stop.token()); !ok)
            report.end = ok.error().message();
        if (stop.token().stop_requested()) break;
    }
    if (options.json) return print_document(document_of(options, report, machine));
    print_report(report);
    return 0;
}

}  // namespace cubinlab::cli
