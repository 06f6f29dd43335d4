// SPDX-License-Identifier: GPL-3.0-or-later
// Tunes the kernels of a campaign, each in a process of its own (`cubinlab tune`, whose session is safe whatever happens
// to it), one at a time on each GPU. A kernel that fails does not stop the others.
#pragma once
#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>

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

// What the campaign in `out` was begun with, and goes on with: agent, evaluator, seed, cache; none: there is none.
std::optional<CampaignSettings> begun_campaign(const std::filesystem::path& out);

// What a begun campaign was given, on each of `gpus`; of one of an older version, what its kernels that have begun were
// allotted together; none: none has.
std::optional<Budget> budget_of_begun(const CampaignPlan& plan, const CampaignSettings& begun,
                                      std::size_t gpus);

// A time budget counts wall clock: processes, workers, calibrations and final measurements are included. If it ends before
// every kernel has been tried, the others stay as they are.
//
// Kernels `wanted` of the plan; what is done already is left as it is, what was interrupted goes on. A stop lets each end
// with its best written. Errors: Io, BadUse (the campaign there was begun with another agent, evaluator or seed), Busy
// (another process runs a campaign over one of them; it is said at once, and nothing is touched).
Status run_campaign(const CampaignPlan& plan, const std::vector<std::size_t>& wanted,
                    const CampaignSettings& settings, std::stop_token stop);

}  // namespace cubinlab
