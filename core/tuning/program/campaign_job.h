// SPDX-License-Identifier: GPL-3.0-or-later
// A whole campaign, from a folder of captured kernels to its report: what `cubinlab campaign` and the window's campaign do.
#pragma once
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>

#include "core/gpu/client/gpu_evaluator.h"
#include "core/result/evaluator.h"
#include "core/search/engine/default_agent.h"
#include "core/tuning/program/campaign_report.h"

namespace cubinlab {

struct CampaignRequest {
    std::filesystem::path folder;
    std::filesystem::path out = {};  // empty: FOLDER/campaign
    std::string budget = {};         // "20m", "100000steps"; empty: the campaign's own, else ten minutes
    std::string kernel = {};         // a name or regex:RE; empty: every kernel
    std::string agent = kDefaultAgent;
    EvaluatorPolicy evaluator = EvaluatorPolicy::Auto;
    std::uint64_t seed = 1;
    bool only_reschedules = false;  // no other compilation is tried
    GpuSettings gpu = {};
    std::size_t part = 0, parts = 1;     // of several machines' parts, this one
    std::filesystem::path program = {};  // that takes `tune`; empty: this one
    std::vector<std::string> verify = {};  // the program to verify the schedules in, with its arguments; empty: none
    bool output_to_errors = false;         // of that program
    // On the caller's thread. on_begin: the budget as it was given, and how many kernels are left to tune; not where none is.
    std::function<void(const CampaignPlan&, const std::string& budget, std::size_t kernels)> on_begin = {};
    std::function<void(const CampaignKernel&, const CampaignState&)> on_state =
        {};  // also each second of a run
};

struct CampaignEnd {
    CampaignReport report;
    bool begun = false;   // the folder holds a campaign, and its report was written
    bool failed = false;  // one of the kernels
    bool interrupted = false;
};

// Tunes what is not done. Errors: those of plan_campaign and run_campaign, BadInput (nothing there can be tuned).
Result<CampaignEnd> tune_campaign(const CampaignRequest& request, std::stop_token stop);
// What the campaign has come to, or would do; nothing is tuned.
Result<CampaignEnd> read_campaign(const CampaignRequest& request, std::stop_token stop);

}  // namespace cubinlab
