// SPDX-License-Identifier: GPL-3.0-or-later
// Tunes the kernels of a campaign, each in a process of its own (`cubinlab tune`, whose session is safe whatever happens
// to it), one at a time on each GPU. A kernel that fails does not stop the others.
#pragma once
#include <stop_token>

#include "core/tuning/program/campaign.h"
#include "core/tuning/program/campaign_settings.h"

namespace cubinlab {

// A time budget counts wall clock: processes, workers, calibrations and final measurements are included. If it ends before
// every kernel has been tried, the others stay as they are.
//
// Kernels `wanted` of the plan; what is done already is left as it is, what was interrupted goes on. A stop lets each end
// with its best written. Errors: Io, BadUse (the campaign there was begun with another agent, evaluator or seed), Busy
// (another process runs a campaign over one of them; it is said at once, and nothing is touched).
Status run_campaign(const CampaignPlan& plan, const std::vector<std::size_t>& wanted,
                    const CampaignSettings& settings, std::stop_token stop);

}  // namespace cubinlab
