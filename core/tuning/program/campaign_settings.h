// SPDX-License-Identifier: GPL-3.0-or-later
// The settings of a campaign, and campaign.json in its folder, which keeps those that a resumed campaign must share.
#pragma once
#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/gpu/client/gpu_pool.h"
#include "core/result/cache.h"
#include "core/result/evaluator.h"
#include "core/search/engine/default_agent.h"
#include "core/tuning/program/campaign.h"

namespace cubinlab {

struct CampaignSettings {
    std::filesystem::path program;  // that takes `tune`
    std::string agent = kDefaultAgent;
    EvaluatorPolicy evaluator = EvaluatorPolicy::Auto;
    std::uint64_t seed = 1;
    Cache cache = Cache::Hot;
    bool only_reschedules = false;  // no other compilation is tried
    bool counts_steps = false;  // of begun_campaign: its budget is one of steps
    std::optional<Budget>
        budget;  // of begun_campaign: the newest that it was given; none: it is of an older version
    std::vector<PoolMember> gpus;  // one kernel at a time on each
    std::chrono::milliseconds reserve{0};  // of a time budget, for the work after the kernels
    // For the window and the command line, on the caller's thread.
    std::function<void(std::size_t)>
        on_begin;  // how many kernels there is something left to do for; not where none is
    std::function<void(const CampaignKernel&, const CampaignState&)> on_state;
};

// The settings of the campaign in `out`, with which it resumes: agent, evaluator, seed, cache; none: there is no campaign.
std::optional<CampaignSettings> begun_campaign(const std::filesystem::path& out);

// What a begun campaign was given, on each of `gpus`; of one of an older version, what its kernels that have begun were
// allotted together; none: none has.
std::optional<Budget> budget_of_begun(const CampaignPlan& plan, const CampaignSettings& begun,
                                      std::size_t gpus);

// Writes campaign.json, or compares with it. Errors: Io, BadUse (other settings, or another folder's files).
Status same_settings(const CampaignPlan& plan, const CampaignSettings& settings);
// The newest budget, for a resumed campaign and its report.
Status keep_budget(const CampaignPlan& plan);
// Its budget is used: kernels that are done stay as they are, although some of them ended with less.
bool is_finished(const CampaignPlan& plan);
Status keep_finished(const CampaignPlan& plan);

}  // namespace cubinlab
