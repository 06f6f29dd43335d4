// SPDX-License-Identifier: GPL-3.0-or-later
// All captured kernels of a folder, tuned one after the other by their share of the program's time. What is planned
// follows from the folder alone, so that several machines come to the same plan and each takes its part; what became of
// a kernel stands in a file of its own, so that a campaign that was killed goes on where it was.
//
//   FOLDER/captured.json                what `cubinlab capture` knows: launches and mean time in the program
//   FOLDER/campaign/NAME.cubinlab.db    the session of FOLDER/NAME.cubin; NAME.best.cubin, NAME.html, NAME.log
//   FOLDER/campaign/NAME.state.json     what was spent, how it ended, with what
//   FOLDER/campaign/program.json        what the program says of the schedules
#pragma once
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>
#include "core/base/result.h"
#include "core/result/budget.h"
#include "core/tuning/program/program_time.h"

namespace cubinlab {

// What one kernel's launches cost the program that it was captured from.
struct CapturedTimes {
    std::string file;                   // NAME.cubin
    std::string kernel;                 // as in the file
    std::uint64_t launches = 0;         // in the whole program
    double mean_us = 0;                 // of its timed launches, by events; 0: none was timed
    std::vector<std::string> left_out;  // why it cannot be replayed
};
// Added to what FOLDER/captured.json tells already; a file of the same name is replaced in it.
Status write_captured_times(const std::filesystem::path& folder, const std::vector<CapturedTimes>& times);

struct CampaignKernel {
    std::string name;    // of FOLDER/NAME.cubin
    std::string kernel;  // the one of its kernels that the workload names
    CapturedTimes times;
    double share = 0;            // of the captured kernels' time in the program; 1 in all
    std::string skipped;         // why it is not tuned
    bool captured = false;       // the workload is a captured launch, not buffers
    std::uint64_t allotted = 0;  // milliseconds or steps
};

struct CampaignPlan {
    std::filesystem::path folder, out;
    Budget budget;                        // of the whole, on each GPU that works on it
    std::vector<CampaignKernel> kernels;  // the largest share first
};

// `gpus`: how many tune at the same time, all machines together. A kernel is tuned on one of them, so it gets no more than
// the whole budget; the least is ten seconds, or the budget's even part where that is less. Kernels without a time
// count as if a launch took what the others' take. `only`: a name or regex:RE as --kernel has it; empty: all. Errors: NotFound (no captured kernel there), BadUse.
Result<CampaignPlan> plan_campaign(const std::filesystem::path& folder, const std::filesystem::path& out,
                                   const Budget& budget, std::size_t gpus, const std::string& only);
// The kernels of part `part` of `parts`, of about the same length each.
std::vector<std::size_t> part_of_plan(const CampaignPlan& plan, std::size_t part, std::size_t parts);

// Of a budget of time every kernel first gets a few seconds, a quarter of the whole at most: hints, compilations and
// list schedules gain then if they gain at all.
std::uint64_t fast_pass_ms(std::uint64_t total_ms, std::size_t kernels);

// A kernel after the fast pass.
struct RestOfKernel {
    double share = 0;            // of the captured kernels' time
    double gain = 0;             // log speed-up so far
    std::uint64_t spent_ms = 0;
    bool failed = false;
};
// What each has spent in the end, if all of `total_ms` is used: the rest goes by share times promise, which is the gain
// so far and one per cent. A kernel with a gain gets `least_ms` at least, for its final measurement; no kernel gets more
// than `most_ms`. An addition of less than `least_ms` is dropped. `each_ms`: the extra cost of a kernel that continues (its
// process, worker, calibration and final measurement). Only the most promising continue, so that they search about as long.
std::vector<std::uint64_t> targets_by_promise(const std::vector<RestOfKernel>& kernels,
                                              std::uint64_t total_ms, std::uint64_t most_ms,
                                              std::uint64_t least_ms, std::uint64_t each_ms = 0);

// What became of a kernel.
struct CampaignState {
    std::string state = "waiting";  // waiting (also between two passes), running, interrupted, done, failed
    std::uint64_t spent = 0;  // milliseconds or steps, as its session has them; while it runs, of the clock
    std::uint64_t allotted = 0;     // when it was last begun
    std::string error;
    std::map<std::string, double>
        seconds;            // of wall clock over all its processes, by phase (TuningSeconds), and "other"
    nlohmann::json result;  // the document that `tune --json` ended with; null: none yet
};
CampaignState read_campaign_state(const CampaignPlan& plan, const CampaignKernel& kernel);
Status write_campaign_state(const CampaignPlan& plan, const CampaignKernel& kernel,
                            const CampaignState& state);

// What the program itself says of the schedules (core/tuning/program/campaign_verify.h), in CAMPAIGN/program.json.
struct CampaignInProgram {
    std::optional<ProgramTime> all;            // of all kernels, with the schedules that were kept
    std::string note;                          // why there is no figure
    std::map<std::string, std::string> kept;   // by CampaignKernel::name: hash of its cubin
    struct Dropped {
        std::string hash, why;
    };
    std::map<std::string, Dropped> dropped;
};
Status write_in_program(const std::filesystem::path& out, const CampaignInProgram& seen);
std::optional<CampaignInProgram> read_in_program(const std::filesystem::path& out);

bool is_campaign(const std::filesystem::path& out);
// The best schedules of the campaign in `out` whose gains its report says a measurement supports; empty: there is none, or it is no campaign.
std::vector<std::filesystem::path> campaign_results(const std::filesystem::path& out);

// Files of a kernel in the campaign's folder: ".cubinlab.db", ".best.cubin", ".html", ".log".
std::filesystem::path campaign_file(const CampaignPlan& plan, const CampaignKernel& kernel,
                                    const char* suffix);

}  // namespace cubinlab
