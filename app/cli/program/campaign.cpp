// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/program/campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "app/cli/base/output.h"
#include "app/cli/base/stop_on_signal.h"
#include "core/base/file.h"
#include "core/base/json_text.h"
#include "core/base/number_of.h"
#include "core/base/parse_number.h"
#include "core/base/version.h"
#include "core/tuning/campaign_report.h"
#include "core/tuning/campaign_run.h"
#include "core/tuning/preloaded_program.h"
#include "core/tuning/session_report.h"

namespace cubinlab::cli {
namespace {

namespace fs = std::filesystem;

struct Part {
    std::size_t number = 0, of = 1;
};

// "3/8": the fourth of eight.
Result<Part> part_from(const std::string& text) {
    if (text.empty()) return Part{};
    const std::size_t slash = std::min(text.find('/'), text.size() - 1);
    const auto number = parse_number<std::size_t>(text.substr(0, slash)),
               of = parse_number<std::size_t>(text.substr(slash + 1));
    if (number && of && *of <= 100'000 && *number < *of) return Part{*number, *of};
    return fail(ErrorCode::BadUse, fmt::format("'{}' is no part; write I/N with I from 0: 0/8 to 7/8", text),
                "--shard");
}

// What was typed; else what the campaign there was given before; else ten minutes.
std::string budget_words(const CampaignOptions& options, const std::optional<CampaignSettings>& begun) {
    if (!options.budget.empty()) return options.budget;
    return begun && begun->budget ? begun->budget->text() : "10m";
}

Result<Budget> budget_from(const std::string& text) {
    auto out = Budget::parse(text);
    if (out && out->time && out->steps)
        return fail(ErrorCode::BadUse, "a campaign is given time or steps, not both", "--budget");
    return out;
}

// The page of each kernel that has a step, beside the campaign's own.
void write_pages(const CampaignPlan& plan, const std::vector<std::size_t>& wanted, std::stop_token stop) {
    for (const std::size_t i : wanted) {
        const fs::path session = campaign_file(plan, plan.kernels[i], ".cubinlab.db");
        std::error_code error;
        if (!fs::exists(session, error) || stop.stop_requested()) continue;
        auto data = report_of_session(session, 0, stop);
        if (data)
            (void)write_report(std::move(*data), campaign_file(plan, plan.kernels[i], ".html"),
                               version_number());
    }
}

Status write_reports(const CampaignReport& report) {
    std::error_code error;
    fs::create_directories(report.plan.out, error);
    TRY(write_text(report.plan.out / "report.html", campaign_html(report, version_number())));
    return write_text(report.plan.out / "report.json", json_text(campaign_json(report), 1) + "\n");
}

std::string row_text(const CampaignRow& row) {
    if (!row.kernel.skipped.empty()) return "skipped: " + row.kernel.skipped;
    if (row.state.state == "failed") return "failed: " + row.state.error;
    const std::string gain = gain_text(row);
    return row.state.state + (gain.empty() ? "" : ", " + gain);
}

// `begun`: what it tells was written into the campaign's folder; else it is what a campaign would do.
void print_report(const CampaignReport& report, bool begun) {
    print_line(
        fmt::format("{:>7}  {:>10}  {:>10}  {:>12}  {}", "share", "launches", "mean us", "budget", "kernel"));
    bool any = false;
    for (const CampaignRow& row : report.rows) {
        const std::string budget =
            report.plan.budget.time ? fmt::format("{:.1f} s", static_cast<double>(row.kernel.allotted) / 1000)
                                    : fmt::format("{} steps", row.kernel.allotted);
        print_line(
            fmt::format("{:>7}  {:>10}  {:>10}  {:>12}  {}", share_text(report, row),
                        row.kernel.times.launches > 0 ? with_thousands(row.kernel.times.launches) : "",
                        row.kernel.times.mean_us > 0 ? fmt::format("{:.2f}", row.kernel.times.mean_us) : "",
                        budget, name_among(row)));
        print_line(fmt::format("{:>47}{}", "", row_text(row)));
        any = any || row.gain;
    }
    if (report.log_speedup_of_captured)
        print_line(fmt::format("estimate for the captured kernels' time in the program: {}",
                               speedup_text(*report.log_speedup_of_captured)));
    if (any) print_line("run with it: cubinlab run --with " + report.plan.out.string() + " -- PROGRAM ARGS");
    if (begun)
        print_line("report: " + (report.plan.out / "report.html").string());
    else
        print_line(fmt::format("no campaign has begun in {}: the same command without --report begins it",
                               report.plan.out.string()));
}

// What is about to happen, before it does: it begins at once, and may go on for hours.
void print_beginning(const CampaignPlan& plan, const std::string& budget, std::size_t kernels) {
    print_progress(printable(
        fmt::format("{} of {}, at most {} on each GPU and what it takes to begin and end (--budget changes "
                    "it); Ctrl-C stops it with what it has, the same command goes on",
                    number_of(kernels, "kernel"), plan.folder.string(), budget)));
}

}  // namespace

Result<int> run_campaign_command(const CampaignOptions& options) {
    StopOnSignal stop;
    auto part = TRY(part_from(options.part));
    std::error_code error;
    const fs::path folder = options.folder,
                   out = options.out.empty() ? folder / "campaign" : fs::path(options.out);
    const auto begun_before = begun_campaign(out);
    const std::string words = budget_words(options, begun_before);
    const Budget budget = TRY(budget_from(words));
    const GpuSettings gpu = options.gpu.settings(options.seed);
    CampaignSettings settings;
    if (options.report && options.gpu.gpus == "all") {
        settings.gpus.resize(1);  // nothing is started
    } else {
        settings.gpus = TRY(pool_members(gpu));
    }
    auto plan = TRY(plan_campaign(folder, out, budget, settings.gpus.size() * part.of, options.kernel));
    if (options.report && begun_before)
        if (const auto given = budget_of_begun(plan, *begun_before, settings.gpus.size()))
            plan = TRY(plan_campaign(folder, out, *given, settings.gpus.size() * part.of, options.kernel));
    const auto skipped = [](const CampaignKernel& kernel) { return !kernel.skipped.empty(); };
    if (!options.report && std::all_of(plan.kernels.begin(), plan.kernels.end(), skipped))
        return fail(
            ErrorCode::BadInput,
            fmt::format(
                "nothing in it can be tuned: {}: {}; `cubinlab capture -o FOLDER -- PROGRAM` keeps kernels "
                "with their workloads, `cubinlab workload init FILE` writes one",
                plan.kernels.front().name, plan.kernels.front().skipped),
            folder.string());
    std::vector<std::size_t> wanted = part_of_plan(plan, part.number, part.of);
    bool failed = false;
    if (!options.report) {
        settings.program = fs::read_symlink("/proc/self/exe", error);
        settings.agent = options.agent;
        settings.evaluator = options.evaluator;
        settings.seed = options.seed;
        settings.cold = options.gpu.cold;
        std::map<std::string, std::string> told;
        settings.on_state = [&](const CampaignKernel& kernel, const CampaignState& state) {
            failed = failed || state.state == "failed";
            if (std::exchange(told[kernel.name], state.state) == state.state || options.json) return;
            print_progress(printable(fmt::format("{}: {}{}", kernel.name, state.state,
                                                 state.error.empty() ? "" : ": " + state.error)));
        };
        if (!options.json)
            settings.on_begin = [&](std::size_t kernels) { print_beginning(plan, words, kernels); };
        TRY(run_campaign(plan, wanted, settings, stop.token()));
    } else {
        wanted.resize(plan.kernels.size());
        std::iota(wanted.begin(), wanted.end(), std::size_t{0});
    }
    const CampaignReport report = report_campaign(plan);
    // A folder that is no campaign's is anybody's: nothing is put there, and a campaign can still begin in it.
    const bool begun = fs::exists(plan.out / "campaign.json", error);
    if (begun) {
        write_pages(plan, wanted, stop.token());
        TRY(write_reports(report));
    }
    const int code = failed ? 1 : 0;
    const bool interrupted = stop.token().stop_requested() ||
                             (options.report && std::ranges::any_of(report.rows, [](const CampaignRow& row) {
                                  return row.state.state == "interrupted";
                              }));
    if (options.json) {
        Json document = campaign_json(report);
        document["interrupted"] = interrupted;
        return print_document(document, code);
    }
    print_report(report, begun);
    if (interrupted)
        print_line(options.report ? "interrupted: the same command without --report goes on"
                                  : "interrupted: the same command goes on");
    return code;
}

}  // namespace cubinlab::cli
