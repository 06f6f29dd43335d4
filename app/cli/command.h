// SPDX-License-Identifier: GPL-3.0-or-later
// The headless commands. Each takes its parsed options, prints text or exactly one JSON document on standard
// output, and returns the exit code: 0 ok, 1 found problems, 2 bad use or bad input, 3 no GPU. CommandTable
// prints the error that a command returns.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/base/common_options.h"
#include "core/base/result.h"
#include "core/schedule/kernel.h"
#include "core/search/engine/default_agent.h"
#include "core/tuning/measure.h"

namespace cubinlab::cli {

struct InfoOptions : Common {
    std::string file;
};
struct ShowOptions : Common {
    std::string file;
    bool builtin = false;
};
struct CheckOptions : Common {
    std::string file, against;
    std::string repair;  // write the nearest legal schedule here
    bool force = false;
};
struct RescheduleOptions : Common {
    std::string file, block, out;
    bool tighten = false, force = false;
};
struct DiffOptions : Common {
    std::string a, b;
};
struct ExplainOptions : Common {
    std::string file, against, workload;
};
struct ExtractOptions : Common {
    std::string file, out;
    bool ptx = false, force = false;
};
struct InstallCommandOptions : Common {
    std::string cubin, into;
    bool undo = false, force = false;
    bool accept_slower = false;  // even if its stored figures say SLOWER
};
struct PatchMakeOptions : Common {
    std::string original, tuned, out;
    bool force = false;
};
struct PatchApplyOptions : Common {
    std::string patch, rebuilt, out;
    bool force = false;
    bool all = false;  // write nothing unless every block fits
};
struct MeasureOptions : Common {
    std::string a, b, workload;
    GpuOptions gpu;
    int loads = 12;
    std::uint64_t seed = 1;
    unsigned candidates_tried = 1;  // B is the best of so many: they share the error probability
    bool no_energy = false;
    bool allow_files = false;  // a session's workload may read files that are not next to it
    // If A is a session: the step to compare with the original.
    std::int64_t run = 0;
    std::string step = "best";
};
struct TuneOptions : Common {
    std::string file, workload, agent = kDefaultAgent, agent_settings = "{}", evaluator = "auto",
                                budget = "60s", session, out;
    GpuOptions gpu;
    std::uint64_t seed = 1;
    std::string lock;          // byte offsets of instructions that the agent does not edit
    std::int64_t resume = -1;  // run to continue; 0: the newest
    std::size_t batch = 0;     // 0: by evaluator
    int final_processes = kFinalProcesses;  // that measure the best of a run on a GPU at its end; 0: none
    bool force = false;     // --out may replace a file that this program did not write
    bool progress = false;  // print one JSON line per step on standard error once it is committed
    std::vector<std::string> from_schedules;  // earlier schedules, or folders of them, to begin from
    std::string ptx;                          // of the kernel; empty: searched in FILE and next to it
    bool only_reschedules = false;            // no other compilation is tried
    struct Given {
        bool agent = false, settings = false, seed = false;
    } given;  // on the command line
};
struct StartsOptions : Common {
    std::string file, ptx, workload;
    int count = 16;          // distinct codes
    std::uint64_t seed = 1;  // of the random orders
};
struct ReplayOptions : Common {
    std::string session, step = "best", out;
    std::int64_t run = 0;
    bool verify = false;
    bool patterns = false;
    std::string scope = "run";
    bool force = false;
};
struct ExportOptions : Common {
    std::string session, schedule = "best", out, bundle;
    GpuOptions gpu;
    std::int64_t run = 0;
    int loads = 12;  // with `bundle`
    bool force = false, allow_files = false;
};
struct ReportCommandOptions : Common {
    std::string session, out;
    GpuOptions gpu;
    bool minimise = false;  // even if this needs measurements on a GPU
    std::int64_t run = 0;   // 0: the newest
    bool force = false, allow_files = false;
};
struct VerifyOptions : Common {
    std::string bundle;
    GpuOptions gpu;
    int loads = 12;
    std::uint64_t seed = 2;
};
struct WorkloadInitOptions : Common {
    std::string file, out;
    bool force = false;
};
struct SessionsOptions : Common {
    std::vector<std::string> sessions;
};
struct LogOptions : Common {
    std::string session, outcome;
    std::int64_t run = 0, from = 1;
    std::size_t last = 0;  // 0: all
    bool accepted = false, best = false;
};
struct DoctorOptions : Common {
    GpuOptions gpu;
};
struct ProfileOptions : Common {
    std::string a, b, workload, ncu, worker;
    std::vector<std::string> imports;
    int device = 0;
};
struct CampaignOptions : Common {
    std::string folder, out, budget, agent = kDefaultAgent, evaluator = "auto", part;
    std::uint64_t seed = 1;
    bool report = false;  // only show the state
    GpuOptions gpu;
};

Result<int> run_info(const InfoOptions& options);
Result<int> run_show(const ShowOptions& options);
Result<int> run_check(const CheckOptions& options);
Result<int> run_repair(const CheckOptions& options);
Result<int> run_reschedule(const RescheduleOptions& options);
Result<int> run_diff(const DiffOptions& options);
Result<int> run_explain(const ExplainOptions& options);
Result<int> run_extract(const ExtractOptions& options);
Result<int> run_install(const InstallCommandOptions& options);
Result<int> run_patch_make(const PatchMakeOptions& options);
Result<int> run_patch_apply(const PatchApplyOptions& options);
Result<int> run_measure(const MeasureOptions& options);
Result<int> run_measure_step(const MeasureOptions& options);  // A is a session
Result<int> run_tune(const TuneOptions& options);
Result<int> run_starts(const StartsOptions& options);
Result<int> run_replay(const ReplayOptions& options);
Result<int> print_patterns(const ReplayOptions& options);
Result<int> run_export(const ExportOptions& options);
Result<int> run_report(const ReportCommandOptions& options);
Result<int> run_verify(const VerifyOptions& options);
Result<int> run_workload_init(const WorkloadInitOptions& options);
Result<int> run_runs(const SessionsOptions& options);
Result<int> run_compare(const SessionsOptions& options);
Result<int> run_log(const LogOptions& options);
Result<int> run_doctor(const DoctorOptions& options);
Result<int> run_profile_command(const ProfileOptions& options);
Result<int> run_campaign_command(const CampaignOptions& options);

// True if `word` names a headless command (everything else opens the window).
bool is_command(const std::string& word);
// An error if these arguments open no window: the first is neither a command nor a file. Empty: they may.
std::optional<Error> not_for_the_window(int argc, char** argv);
std::string version_line();
int run_cli(int argc, char** argv);

}  // namespace cubinlab::cli
