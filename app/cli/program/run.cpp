// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <cmath>

#include "app/cli/base/output.h"
#include "app/cli/command.h"
#include "core/base/number_of.h"
#include "core/base/scratch_folder.h"
#include "core/evidence/proven_swap.h"
#include "core/gpu/protocol/statistics.h"
#include "core/tuning/program/campaign.h"
#include "core/tuning/program/preloaded_program.h"
#include "core/tuning/program/program_time.h"

namespace cubinlab::cli {

struct RunOptions : Common {
    std::vector<std::string> with, originals;
    std::string deploy;  // write a folder of schedules with the library instead of running
    bool require = false, trial = false, force = false;
    bool only_reschedules = false;
    bool accept_slower = false;  // accept a kernel whose stored figures say SLOWER, in all or in a shape
    std::vector<std::string> program;  // after --
};

namespace {

namespace fs = std::filesystem;

void report_line(const std::string& line) {
    print_progress("cubinlab: " + printable(line));
}

// Original against tuned inside the program: pairs of launches, all from one load of each.
Json trial_of(const Json& kernel) {
    std::vector<float> ratios;
    if (kernel.contains("log_ratios") && kernel["log_ratios"].is_array())
        for (const Json& value : kernel["log_ratios"])
            if (value.is_number()) ratios.push_back(value.get<float>());
    if (ratios.size() < 2) return {{"pairs", ratios.size()}};
    const Estimate e = estimate(ratios, 0);
    const double half = 1.96 * e.deviation / std::sqrt(static_cast<double>(ratios.size()));
    return {{"pairs", ratios.size()},
            {"log_speedup", e.mean},
            {"log_speedup_interval", {e.mean - half, e.mean + half}},
            {"original_us", kernel.value("original_us", 0.0)},
            {"tuned_us", kernel.value("tuned_us", 0.0)},
            {"queued", kernel.value("queued", false)},
            {"empty_us", kernel.value("empty_us", 0.0)}};
}

std::string canary(const ReplacedCount& count) {
    std::string out = fmt::format("replaced {} of {} kernels, {} launches", count.replaced,
                                  with_thousands(count.kernels), with_thousands(count.launches));
    if (count.recorded > 0)
        out += fmt::format(", and {} recorded into graphs", with_thousands(count.recorded));
    if (count.graph_runs > 0) out += fmt::format(", which ran {} times", with_thousands(count.graph_runs));
    if (count.processes > 1)
        out += fmt::format(
            ", in {} processes{}", count.processes,
            count.without > 0 ? fmt::format(", {} of which replaced nothing", count.without) : "");
    return out;
}

// All kernels of the program; null without --ab, or if it ended too soon.
Json program_document(const PreloadedRun& run) {
    const auto time = time_of_program(run);
    return time ? to_json(*time) : Json(nullptr);
}

void tell_program(const PreloadedRun& run) {
    const auto time = time_of_program(run);
    if (!time)
        return report_line("all kernels of the program: too few steps to compare: " +
                           missing_time_of_program(run));
    report_line("all kernels of the program: " + text_of(*time));
    report_line(fmt::format(
        "  the time between events before and after each launch, {} of {} timed launches count; {:.2f} us of two events "
        "alone are subtracted from each; the program runs slower meanwhile",
        with_thousands(time->counted), with_thousands(time->timed), time->empty_us));
}

Json document_of(const PreloadedRun& run, const ReplacedCount& count, const std::vector<ProvenSwap>& swaps) {
    Json list = Json::array();
    for (const ProvenSwap& proven : swaps)
        list.push_back({{"kernel", proven.swap.kernel},
                        {"original", proven.swap.original.hex()},
                        {"tuned", proven.swap.tuned.hex()},
                        {"recompiled", proven.swap.is_whole()},
                        {"stamp", proven.stamp},
                        {"slower", proven.slower},
                        {"proven_against", proven.from}});
    Json kernels = Json::array(), notes = Json::array();
    for (const nlohmann::json& process : run.processes) {
        if (process.contains("notes"))
            for (const auto& one : process["notes"])
                notes.push_back(Json(one));
        if (!process.contains("list")) continue;
        for (const auto& kernel : process["list"]) {
            Json one = {{"process", process.value("pid", 0)},
                        {"kernel", kernel.value("name", "")},
                        {"launches", kernel.value("launches", 0)},
                        {"recorded", kernel.value("recorded", 0)},
                        {"graph_runs", kernel.value("graph_runs", 0)}};
            if (kernel.contains("log_ratios") && kernel["log_ratios"].size() > 0)
                one["comparison"] = trial_of(Json(kernel));
            kernels.push_back(std::move(one));
        }
    }
    return {{"schedules", list},
            {"exit_code", run.exit_code},
            {"processes", count.processes},
            {"processes_without", count.without},
            {"kernels", count.kernels},
            {"replaced", count.replaced},
            {"launches", count.launches},
            {"recorded", count.recorded},
            {"graph_runs", count.graph_runs},
            {"faults", count.faults},
            {"list", kernels},
            {"program", program_document(run)},
            {"notes", notes}};
}

// A mean gain does not cover the shape that the program launches most, so such a kernel needs
// --accept-slower.
Status check_slower(const std::vector<ProvenSwap>& swaps, bool accepted) {
    std::string all;
    for (const ProvenSwap& proven : swaps) {
        if (proven.slower.empty()) continue;
        if (accepted)
            report_line(fmt::format("WARNING: {} is {} by its stored figures: {}", proven.swap.kernel,
                                    proven.slower, proven.stamp));
        all += fmt::format("{}{} is {}", all.empty() ? "" : "; ", proven.swap.kernel, proven.slower);
    }
    if (all.empty() || accepted) return {};
    return fail(ErrorCode::Refused, all + " by the figures stored next to it; --accept-slower uses it anyway",
                "--with");
}

// Writes the folder and the library, all that a job needs, and prints the variables to set.
Result<int> deploy(const RunOptions& options, const std::vector<ProvenSwap>& swaps) {
    std::error_code error;
    const fs::path folder = fs::absolute(options.deploy);
    if (fs::exists(folder, error) && !fs::is_empty(folder, error) && !options.force)
        return fail(ErrorCode::BadUse, "exists and is not empty; --force adds to it", options.deploy);
    TRY(check_preloadable(folder, "choose another folder"));
    auto library = TRY(inject_library());
    TRY(write_schedules(swaps, folder));
    const fs::path copy = folder / library.filename();
    fs::copy_file(library, copy, fs::copy_options::overwrite_existing, error);
    if (error) return fail(ErrorCode::Io, "cannot be written: " + error.message(), copy.string());
    if (options.json)
        return print_document(
            {{"folder", folder.string()}, {"schedules", swaps.size()}, {"library", copy.string()}});
    print_line(fmt::format("wrote {} schedules and the library to {}", swaps.size(), folder.string()));
    print_line(
        fmt::format("LD_PRELOAD={} CUBINLAB_SCHEDULES={} PROGRAM ARGS...", copy.string(), folder.string()));
    return 0;
}

void tell(const RunOptions& options, const PreloadedRun& run, const ReplacedCount& count,
          const Json& document) {
    if (count.processes == 0) {
        report_line(
            "NOTHING WAS REPLACED: no process of this program used CUDA through the library: " + why_unseen(options.program));
    } else if (count.replaced == 0) {
        report_line(fmt::format(
            "NOTHING WAS REPLACED: none of the {} kernels that the program asked for has the code of {}",
            with_thousands(count.kernels), fmt::join(options.with, ", ")));
    } else {
        report_line(canary(count));
    }
    if (count.faults > 0)
        report_line(fmt::format("{} failures inside the library; the program continued without it there",
                                count.faults));
    for (const Json& one : document["notes"])
        report_line(one.get<std::string>());
    for (const Json& kernel : document["list"]) {
        if (!kernel.contains("comparison")) continue;
        const Json& c = kernel["comparison"];
        if (!c.contains("log_speedup")) {
            report_line(fmt::format("{}: {} pairs of launches are too few to compare",
                                    kernel["kernel"].get<std::string>(), c["pairs"].get<std::size_t>()));
            continue;
        }
        report_line(fmt::format(
            "{}: {} over {} pairs of launches in this program, {:.2f} us, original {:.2f} us",
            kernel["kernel"].get<std::string>(),
            percent_text(
                Speedup{c["log_speedup"], c["log_speedup_interval"][0], c["log_speedup_interval"][1]}),
            c["pairs"].get<std::size_t>(), c["tuned_us"].get<double>(), c["original_us"].get<double>()));
        const double empty = c["empty_us"].get<double>();
        report_line(fmt::format(
            "  {}{}",
            c["queued"].get<bool>()
                ? "each was queued before the GPU started it"
                : "launches did not wait until they were queued: where the GPU waits for the program, both "
                  "times include its calls",
            empty > 0 ? fmt::format("; the {:.2f} us of two events without a kernel are subtracted", empty)
                      : ""));
        report_line(
            "  one load of each, caches as the program leaves them: `cubinlab measure`, --cache both, "
            "compares over fresh loads");
    }
    if (options.trial && count.replaced > 0) tell_program(run);
    if (run.exit_code != 0) report_line(fmt::format("the program ended with {}", run.exit_code));
}

}  // namespace

Result<int> run_run(const RunOptions& given) {
    RunOptions options = given;
    options.with.clear();
    for (const std::string& path : given.with) {
        const std::vector<fs::path> results = campaign_results(path);
        if (results.empty() && is_campaign(path))
            return fail(ErrorCode::BadUse,
                        "no kernel of this campaign was measured faster: there is nothing to run", path);
        if (results.empty()) options.with.push_back(path);
        for (const fs::path& result : results)
            options.with.push_back(result.string());
    }
    if (options.with.empty())
        return fail(ErrorCode::BadUse, "name what to run with: --with best.cubin", "run");
    if (options.program.empty() && options.deploy.empty())
        return fail(ErrorCode::BadUse,
                    "name the program behind --: cubinlab run --with best.cubin -- PROGRAM ARGS", "run");
    std::vector<ProvenSwap> swaps;
    std::vector<fs::path> originals(options.originals.begin(), options.originals.end());
    for (const std::string& path : options.with) {
        auto proven = proven_swaps(path, originals, most_code(options.only_reschedules));
        // One kernel of many does not stop the others.
        if (!proven && proven.error().code == ErrorCode::Unsupported && options.with.size() > 1 && !options.require) {
            report_line("left out: " + proven.error().message());
            continue;
        }
        if (!proven) return fail(proven.error());
        for (ProvenSwap& one : *proven) {
            for (const ProvenSwap& other : swaps)
                if (other.swap.original == one.swap.original)
                    return fail(
                        ErrorCode::BadUse,
                        fmt::format("replaces the same kernel {} as another file of --with", one.swap.kernel),
                        path);
            swaps.push_back(std::move(one));
        }
    }
    TRY(check_slower(swaps, options.accept_slower));
    if (!options.deploy.empty()) return deploy(options, swaps);
    auto scratch = TRY(ScratchFolder::make());
    const fs::path schedules = scratch.path() / "schedules", out = scratch.path() / "out";
    TRY(write_schedules(swaps, schedules));
    std::error_code error;
    fs::create_directories(out, error);
    PreloadedProgram program{options.program,
                             {{"CUBINLAB_SCHEDULES", schedules.string()}, {"CUBINLAB_QUIET", "1"}},
                             out,
                             options.json};
    if (options.trial)
        program.environment.insert(program.environment.end(), {{"CUBINLAB_AB", "1"}, {"CUBINLAB_AB_ALL", "1"}});
    auto run = TRY(run_preloaded(program));
    const ReplacedCount count = count_replaced(run);
    const Json document = document_of(run, count, swaps);
    const int code = options.require && count.replaced == 0 ? 3 : run.exit_code;
    if (options.json) return print_document(document, code);
    tell(options, run, count, document);
    return code;
}

void add_run(CommandTable& table) {
    auto [sub, options] = table.add(
        "run", "run a program with tuned kernels in place of its own: run --with K -- PROGRAM ARGS", run_run);
    sub->add_option("--with", options.with,
                    "tuned cubins, bundles of export, or the folder of a campaign; each is proven first")
        ->delimiter(',')
        ->allow_extra_args(false);
    sub->add_option(
           "--original", options.originals,
           "file that contains the original; default: the session that the tuned cubin's stamp names")
        ->allow_extra_args(false);
    sub->add_flag("--require", options.require, "exit code 3 if no kernel was replaced");
    add_only_reschedules(sub, options.only_reschedules);
    sub->add_flag("--accept-slower", options.accept_slower,
                  "accept a kernel whose stored figures say SLOWER, in all or in a shape of its workload");
    sub->add_flag("--ab", options.trial, "alternate original and tuned launches, and compare their times and those of all kernels");
    sub->add_option("--deploy", options.deploy,
                    "write the schedules and the library to this folder instead, for jobs without CubinLab");
    sub->add_flag("--force", options.force, "with --deploy: add to a non-empty folder");
    add_untested_architecture(sub);
    add_common(sub, options, false);
    table.add_program("run", options.program);
}

}  // namespace cubinlab::cli
