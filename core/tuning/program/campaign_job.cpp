// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/program/campaign_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <numeric>

#include "core/base/file.h"
#include "core/base/json_text.h"
#include "core/base/version.h"
#include "core/tuning/program/campaign_run.h"
#include "core/tuning/program/campaign_verify.h"
#include "core/tuning/session_report.h"

namespace cubinlab {
namespace {

namespace fs = std::filesystem;

fs::path out_of(const CampaignRequest& request) {
    return request.out.empty() ? request.folder / "campaign" : request.out;
}

std::string budget_text(const CampaignRequest& request, const std::optional<CampaignSettings>& begun) {
    if (!request.budget.empty()) return request.budget;
    return begun && begun->budget ? begun->budget->text() : "10m";
}

Result<Budget> budget_from(const std::string& text) {
    const Budget out = TRY(Budget::parse(text));
    if (out.time && out.steps)
        return fail(ErrorCode::BadUse, "a campaign is given time or steps, not both", "--budget");
    return out;
}

Result<CampaignPlan> plan_of(const CampaignRequest& request, const Budget& budget, std::size_t gpus) {
    return plan_campaign(request.folder, out_of(request), budget, gpus * request.parts, request.kernel);
}

// A resumed campaign keeps its cache state. A new one judges captured launches as the program runs them.
Cache cache_for(const CampaignRequest& request, const std::optional<CampaignSettings>& begun, const CampaignPlan& plan) {
    if (request.gpu.cache_given) return request.gpu.cache;
    if (begun) return begun->cache;
    const bool captured = std::ranges::any_of(plan.kernels, [](const CampaignKernel& one) { return one.captured; });
    return captured ? Cache::Program : Cache::Hot;
}

// A part of the time for the program, which runs once or more often at the end.
std::chrono::milliseconds reserve_for_program(std::chrono::milliseconds whole) {
    return std::min<std::chrono::milliseconds>(whole / 5, std::chrono::minutes(1));
}

// The page of each kernel that has a step, next to the campaign's own.
void write_pages(const CampaignPlan& plan, const std::vector<std::size_t>& wanted,
                 const std::stop_token& stop) {
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

// A folder that is no campaign's is anybody's: nothing is put there, and a campaign can still begin in it.
Result<CampaignEnd> report_of(const CampaignPlan& plan, const std::vector<std::size_t>& wanted,
                              const std::stop_token& stop) {
    CampaignEnd out{.report = report_campaign(plan)};
    out.begun = is_campaign(plan.out);
    if (!out.begun) return out;
    write_pages(plan, wanted, stop);
    TRY(write_text(plan.out / "report.html", campaign_html(out.report, version_number())));
    TRY(write_text(plan.out / "report.json", json_text(campaign_json(out.report), 1) + "\n"));
    return out;
}

}  // namespace

Result<CampaignEnd> tune_campaign(const CampaignRequest& request, std::stop_token stop) {
    const auto begun = begun_campaign(out_of(request));
    const std::string text = budget_text(request, begun);
    const Budget budget = TRY(budget_from(text));
    CampaignSettings settings;
    settings.gpus = TRY(pool_members(request.gpu));
    const CampaignPlan plan = TRY(plan_of(request, budget, settings.gpus.size()));
    if (std::ranges::all_of(plan.kernels, [](const CampaignKernel& one) { return !one.skipped.empty(); }))
        return fail(
            ErrorCode::BadInput,
            fmt::format(
                "nothing in it can be tuned: {}: {}; `cubinlab capture -o FOLDER -- PROGRAM` keeps kernels "
                "with their workloads, `cubinlab workload init FILE` writes one",
                plan.kernels.front().name, plan.kernels.front().skipped),
            request.folder.string());
    std::error_code error;
    settings.program = request.program.empty() ? fs::read_symlink("/proc/self/exe", error) : request.program;
    settings.agent = request.agent;
    settings.evaluator = request.evaluator;
    settings.seed = request.seed;
    settings.cache = cache_for(request, begun, plan);
    settings.only_reschedules = request.only_reschedules;
    if (!request.verify.empty() && budget.time) settings.reserve = reserve_for_program(*budget.time);
    bool failed = false;
    settings.on_state = [&](const CampaignKernel& kernel, const CampaignState& state) {
        failed = failed || state.state == "failed";
        if (request.on_state) request.on_state(kernel, state);
    };
    if (request.on_begin)
        settings.on_begin = [&](std::size_t kernels) { request.on_begin(plan, text, kernels); };
    const std::vector<std::size_t> wanted = part_of_plan(plan, request.part, request.parts);
    TRY(run_campaign(plan, wanted, settings, stop));
    CampaignEnd out = TRY(report_of(plan, wanted, stop));
    const bool gains = std::ranges::any_of(out.report.rows, [](const CampaignRow& row) { return row.gain; });
    if (!request.verify.empty() && gains && !stop.stop_requested()) {
        TRY(verify_campaign(out.report, request.verify, request.output_to_errors, stop));
        out = TRY(report_of(plan, wanted, stop));
    }
    out.failed = failed;
    out.interrupted = stop.stop_requested();
    return out;
}

Result<CampaignEnd> read_campaign(const CampaignRequest& request, std::stop_token stop) {
    const auto begun = begun_campaign(out_of(request));
    const Budget budget = TRY(budget_from(budget_text(request, begun)));
    std::size_t gpus = 1;  // nothing is started
    if (request.gpu.gpus_each > 0) {
        const auto members = TRY(pool_members(request.gpu));
        gpus = members.size();
    }
    CampaignPlan plan = TRY(plan_of(request, budget, gpus));
    if (begun)
        if (const auto given = budget_of_begun(plan, *begun, gpus))
            plan = TRY(plan_of(request, *given, gpus));
    std::vector<std::size_t> all(plan.kernels.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    CampaignEnd out = TRY(report_of(plan, all, stop));
    out.interrupted =
        stop.stop_requested() || std::ranges::any_of(out.report.rows, [](const CampaignRow& row) {
            return row.state.state == "interrupted";
        });
    return out;
}

}  // namespace cubinlab
