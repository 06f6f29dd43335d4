// SPDX-License-Identifier: GPL-3.0-or-later
// What a campaign has come to: a row for each kernel, as JSON and as one HTML page without anything outside of it. Each
// row's figures are the claim that its session bears out (core/evidence/claim.h), not what NAME.state.json repeats of it;
// what they do to the program is an estimate, and says so.
#pragma once
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/result/cache.h"
#include "core/result/speedup.h"
#include "core/tuning/program/campaign.h"

namespace cubinlab {

struct CampaignFigures {
    std::string unit, device, stamp;
    std::optional<Cache> cache;               // cache_of what judged it
    double original_cost = 0, best_cost = 0;  // in `unit`; 0: not known yet
    Speedup speedup;                          // of the best against the original
    bool measured = false;                    // on a GPU
    bool gain = false;                        // measured, and the whole interval is above zero
    std::string slower;                       // "SLOWER in short (1 of 3 shapes)"; empty: in none
};

struct CampaignRow : CampaignFigures {
    CampaignKernel kernel;
    CampaignState state;  // error: also why nothing is said of what the session holds
    std::string demangled;
    std::string label;   // what people call it, with its file's stem where another row is called the same
    bool alike = false;  // another row's kernel has this name, too
    std::filesystem::path best, report;  // empty: there is none
    std::string best_hash;               // of the file `best`
    std::string dropped;                 // why the program does not get it, although it gains alone; `gain` is false then
};

// What sessions held when they were last looked at, so that who watches a campaign reads again only what changed.
// May be asked from several threads.
class SeenSessions {
  public:
    // Errors: as claim_of, and the reader's.
    Result<CampaignFigures> figures_of(const std::filesystem::path& session);

  private:
    struct Seen {
        std::string as;  // times and sizes of its files
        Result<CampaignFigures> figures;
    };
    std::mutex mutex_;
    std::map<std::string, Seen> seen_;
};

struct CampaignReport {
    CampaignPlan plan;
    std::vector<CampaignRow> rows;  // as the plan's
    // Of the captured kernels' time in the program, if each kernel there gains what its own measurement says; kernels
    // without a gain, and without a time in the program, stay as they are. None: no gain.
    std::optional<double> log_speedup_of_captured;
    // What the program itself says of the schedules that gain. None: it was not asked of these.
    std::optional<CampaignInProgram> in_program;
};

// Its demangled name, with its file's stem where another row has the same.
std::string name_among(const CampaignRow& row);

// "33.3 %"; empty where no launch of the program is known: the budget is then shared out evenly, which is no share of a time.
std::string share_text(const CampaignReport& report, const CampaignRow& row);

// "+1.23 % [+0.51, +1.94]", "+3.00 % modelled", "nothing beat the original"; empty: not known yet.
std::string gain_text(const CampaignRow& row);

// "starting 40.2, searching 120.5, other 12.0": seconds of wall clock of all its kernels' processes; empty: none is known.
std::string seconds_text(const CampaignReport& report);

// `seen` is kept by callers that ask repeatedly; none: everything is read.
CampaignReport report_campaign(const CampaignPlan& plan, SeenSessions* seen = nullptr);
nlohmann::ordered_json campaign_json(const CampaignReport& report);
std::string campaign_html(const CampaignReport& report, const std::string& version);

}  // namespace cubinlab
