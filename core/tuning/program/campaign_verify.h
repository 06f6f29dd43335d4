// SPDX-License-Identifier: GPL-3.0-or-later
// The last word on a campaign: its schedules in the program that the kernels came from. A schedule that wins alone and
// loses there is dropped: one whose own launches are slower in the program, or, if all kernels together are slower, one
// that alone slows all kernels down.
#pragma once
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/tuning/program/campaign_report.h"

namespace cubinlab {

// Runs the program once, and again after something was dropped; writes program.json. `output_to_errors`: as in
// PreloadedProgram. A schedule that proven_swaps refuses is dropped with its reason. Errors: BadUse (no schedule to
// verify, or the program fails), those of run_preloaded.
Result<CampaignInProgram> verify_campaign(const CampaignReport& report, const std::vector<std::string>& command,
                                          bool output_to_errors, std::stop_token stop);

}  // namespace cubinlab
