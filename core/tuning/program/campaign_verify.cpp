// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/program/campaign_verify.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/file.h"
#include "core/base/scratch_folder.h"
#include "core/evidence/proven_swap.h"

namespace cubinlab {
namespace {

namespace fs = std::filesystem;

struct Winner {
    const CampaignKernel* kernel = nullptr;
    std::string hash;  // of its cubin
    std::vector<ProvenSwap> swaps;
};

using Winners = std::vector<Winner>;

// A schedule that cannot be put into the program does not keep the others out of it.
Winners winners_of(const CampaignReport& report, CampaignInProgram& out) {
    Winners winners;
    for (const CampaignRow& row : report.rows) {
        if (!row.gain) continue;
        auto swaps = proven_swaps(row.best, {report.plan.folder / row.kernel.times.file});
        if (swaps)
            winners.push_back({&row.kernel, row.best_hash, std::move(*swaps)});
        else
            out.dropped[row.kernel.name] = {row.best_hash, "the program cannot take it: " + swaps.error().message()};
    }
    return winners;
}

class Verification {
  public:
    Verification(const std::vector<std::string>& command, bool output_to_errors, std::stop_token stop)
        : command_(command), output_to_errors_(output_to_errors), stop_(std::move(stop)) {}

    CampaignInProgram out;

    // Leaves the schedules that are kept in `winners`.
    Status judge(Winners& winners) {
        PreloadedRun run = TRY(run_with(winners));
        if (drop_slower(winners, run)) {
            if (winners.empty()) return {};
            run = TRY(run_with(winners));
        }
        out.all = time_of_program(run);
        if (!out.all) out.note = "too few steps to compare: " + missing_time_of_program(run);
        if (!out.all || out.all->speedup.high >= 0) return {};
        const std::string together = percent_text(out.all->speedup);
        const std::size_t before = winners.size();
        TRY(drop_harmful(winners, together));
        if (winners.size() == before) return {};
        out.all.reset();
        if (!winners.empty()) out.all = time_of_program(TRY(run_with(winners)));
        return {};
    }

  private:
    Result<PreloadedRun> run_with(const Winners& winners) {
        const ScratchFolder scratch = TRY(ScratchFolder::make());
        const fs::path schedules = scratch.path() / "schedules", results = scratch.path() / "out";
        std::vector<ProvenSwap> swaps;
        for (const Winner& one : winners)
            swaps.insert(swaps.end(), one.swaps.begin(), one.swaps.end());
        TRY(write_schedules(swaps, schedules));
        std::error_code error;
        fs::create_directories(results, error);
        auto run = TRY(run_preloaded({command_,
                                      {{"CUBINLAB_SCHEDULES", schedules.string()},
                                       {"CUBINLAB_QUIET", "1"},
                                       {"CUBINLAB_AB", "1"},
                                       {"CUBINLAB_AB_ALL", "1"}},
                                      results,
                                      output_to_errors_},
                                     stop_));
        if (run.exit_code != 0)
            return fail(ErrorCode::BadUse,
                        fmt::format("ended with {}, so nothing is known of its kernels' time", run.exit_code),
                        command_.front());
        return run;
    }

    void drop(Winners& winners, std::size_t i, std::string why) {
        out.dropped[winners[i].kernel->name] = {winners[i].hash, std::move(why)};
        winners.erase(winners.begin() + static_cast<std::ptrdiff_t>(i));
    }

    // By pairs of its own launches.
    bool drop_slower(Winners& winners, const PreloadedRun& run) {
        const std::size_t before = winners.size();
        for (std::size_t i = winners.size(); i-- > 0;)
            if (const auto seen = speedup_in_program(run, winners[i].kernel->kernel); seen && seen->high < 0)
                drop(winners, i, fmt::format("slower in the program: {}", percent_text(*seen)));
        return winners.size() != before;
    }

    // Each kernel may be faster and still slow others down.
    Status drop_harmful(Winners& winners, const std::string& together) {
        if (winners.size() == 1) {
            drop(winners, 0, "all kernels of the program are slower with it: " + together);
            return {};
        }
        for (std::size_t i = winners.size(); i-- > 0;) {
            const auto alone = time_of_program(TRY(run_with({winners[i]})));
            if (alone && alone->speedup.high < 0)
                drop(winners, i, "all kernels of the program are slower with it: " + percent_text(alone->speedup));
        }
        return {};
    }

    const std::vector<std::string>& command_;
    bool output_to_errors_;
    std::stop_token stop_;
};

}  // namespace

Result<CampaignInProgram> verify_campaign(const CampaignReport& report, const std::vector<std::string>& command,
                                          bool output_to_errors, std::stop_token stop) {
    Verification verification(command, output_to_errors, stop);
    Winners winners = winners_of(report, verification.out);
    if (winners.empty() && verification.out.dropped.empty())
        return fail(ErrorCode::BadUse, "no kernel of this campaign was measured faster: there is nothing to verify",
                    report.plan.out.string());
    if (!winners.empty()) TRY(verification.judge(winners));
    CampaignInProgram out = std::move(verification.out);
    if (winners.empty()) out.note = "no schedule is left";
    if (!out.all && out.note.empty()) out.note = "too few steps to compare what is left";
    for (const Winner& one : winners)
        out.kept[one.kernel->name] = one.hash;
    // What was dropped before stays dropped as long as its cubin is the same.
    if (const auto before = read_in_program(report.plan.out))
        for (const auto& [name, one] : before->dropped)
            out.dropped.try_emplace(name, one);
    TRY(write_in_program(report.plan.out, out));
    return out;
}

}  // namespace cubinlab
