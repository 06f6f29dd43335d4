// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "app/cli/base/output.h"
#include "app/cli/base/stop_on_signal.h"
#include "app/cli/command.h"
#include "core/base/number_of.h"
#include "core/base/parse_number.h"
#include "core/tuning/program/campaign_job.h"

namespace cubinlab::cli {

struct CampaignOptions : Common {
    std::string folder, out, budget, agent = kDefaultAgent, evaluator = "auto", part;
    std::uint64_t seed = 1;
    bool report = false;  // only show the state
    bool verify = false;  // in `program`
    std::vector<std::string> program;  // after --
    bool only_reschedules = false;
    GpuOptions gpu;
};

namespace {

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
    return fail(ErrorCode::BadUse, fmt::format("'{}' is not a part; write I/N with I from 0: 0/8 to 7/8", text),
                "--shard");
}

std::string row_text(const CampaignRow& row) {
    if (!row.kernel.skipped.empty()) return "skipped: " + row.kernel.skipped;
    if (row.state.state == "failed") return "failed: " + row.state.error;
    if (!row.dropped.empty()) return "dropped: " + row.dropped;
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
                               percent_text(*report.log_speedup_of_captured)));
    if (report.in_program)
        print_line("all kernels of the program, measured in it: " +
                   (report.in_program->all ? text_of(*report.in_program->all) : report.in_program->note));
    if (const std::string seconds = seconds_text(report); !seconds.empty())
        print_line("seconds of all processes: " + seconds);
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
                    "it); Ctrl-C stops it and keeps the best so far, the same command resumes it",
                    number_of(kernels, "kernel"), plan.folder.string(), budget)));
}

}  // namespace

Result<int> run_campaign_command(const CampaignOptions& options) {
    StopOnSignal stop;
    if (options.verify == options.program.empty())
        return fail(ErrorCode::BadUse,
                    options.verify ? "name the program behind --: cubinlab campaign FOLDER --verify -- PROGRAM ARGS"
                                   : "a program is for --verify",
                    "--verify");
    const Part part = TRY(part_from(options.part));
    CampaignRequest request{.folder = options.folder,
                            .out = options.out,
                            .budget = options.budget,
                            .kernel = options.kernel,
                            .agent = options.agent,
                            .evaluator = *parse_evaluator_policy(options.evaluator),
                            .seed = options.seed,
                            .only_reschedules = options.only_reschedules,
                            .gpu = options.gpu.settings(options.seed),
                            .part = part.number,
                            .parts = part.of,
                            .verify = options.program,
                            .output_to_errors = options.json};
    std::map<std::string, std::string> reported;
    if (!options.json) {
        request.on_begin = print_beginning;
        request.on_state = [&](const CampaignKernel& kernel, const CampaignState& state) {
            if (std::exchange(reported[kernel.name], state.state) == state.state) return;
            print_progress(printable(fmt::format("{}: {}{}", kernel.name, state.state,
                                                 state.error.empty() ? "" : ": " + state.error)));
        };
    }
    const CampaignEnd end =
        TRY(options.report ? read_campaign(request, stop.token()) : tune_campaign(request, stop.token()));
    const int code = end.failed ? 1 : 0;
    if (options.json) {
        Json document = campaign_json(end.report);
        document["interrupted"] = end.interrupted;
        return print_document(document, code);
    }
    print_report(end.report, end.begun);
    if (end.interrupted)
        print_line(options.report ? "interrupted: the same command without --report resumes it"
                                  : "interrupted: the same command resumes it");
    return code;
}

void add_campaign(CommandTable& table) {
    auto [sub, options] = table.add(
        "campaign", "tune every captured kernel of a folder, by its share of the program's time; resumes",
        run_campaign_command);
    sub->add_option("FOLDER", options.folder, "folder that `capture -o` wrote")->required();
    sub->add_option("--budget", options.budget, "of all kernels, on each GPU: 20m, 2h or 100000steps")
        ->default_str("10m");  // of a new campaign; a resumed one keeps its budget
    sub->add_option("--agent", options.agent, "as for tune")->check(known_agent());
    sub->add_option("--evaluator", options.evaluator, "auto, gpu or model")
        ->check(one_of({"auto", "gpu", "model"}));
    sub->add_option("--seed", options.seed, "seed of every kernel's run")->check(whole(0, kAny));
    sub->add_option("--out", options.out,
                    "folder for sessions, best schedules and the report; default: FOLDER/campaign");
    sub->add_option("--shard", options.part,
                    "I/N: only this shard of the kernels, I from 0, for a job array");
    add_only_reschedules(sub, options.only_reschedules);
    sub->add_flag("--report", options.report, "show the state and write the report, without tuning");
    sub->add_flag("--verify", options.verify,
                  "then run the program behind -- with the tuned kernels, compare the GPU time of all kernels there, and "
                  "drop schedules that lose in it");
    add_gpu(sub, options.gpu);
    add_cache(sub, options.gpu);
    add_common(sub, options, false);
    sub->add_option("--kernel", options.kernel, "only this kernel, or those of regex:RE; default: all");
    table.add_program("campaign", options.program);
}

}  // namespace cubinlab::cli
