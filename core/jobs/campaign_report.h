// SPDX-License-Identifier: GPL-3.0-or-later
// What a campaign has come to: a row for each kernel, as JSON and as one HTML page without anything outside of it. Each
// row's figures are those that `tune` ended with; what they do to the program is an estimate, and says so.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/jobs/campaign.h"

namespace cubinlab {

struct CampaignRow {
    CampaignKernel kernel;
    CampaignState state;
    std::string demangled, unit, device, stamp;
    std::string cache;                          // cache_of what judged it
    double original_cost = 0, best_cost = 0;    // in `unit`; 0: not known yet
    double log_speedup = 0, low = 0, high = 0;  // of the best against the original
    bool measured = false;                      // on a GPU
    bool gain = false;                          // measured, and the whole interval is above zero
    std::filesystem::path best, report;         // empty: there is none
};

struct CampaignReport {
    CampaignPlan plan;
    std::vector<CampaignRow> rows;  // as the plan's
    // Of the captured kernels' time in the program, if each kernel there gains what its own measurement says; kernels
    // without a gain, and without a time in the program, stay as they are. None: no gain.
    std::optional<double> log_speedup_of_captured;
};

// "+1.23 % [+0.51, +1.94]", "+3.00 % modelled", "nothing beat the original"; empty: not known yet.
std::string gain_text(const CampaignRow& row);

CampaignReport report_campaign(const CampaignPlan& plan);
nlohmann::ordered_json campaign_json(const CampaignReport& report);
std::string campaign_html(const CampaignReport& report, const std::string& version);

}  // namespace cubinlab
