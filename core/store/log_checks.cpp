// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the log of a run is whole, and gives the schedules that it names.
#include <fmt/format.h>

#include <algorithm>

#include "core/store/reader.h"

namespace cubinlab {

Result<StepId> Reader::best_step(RunId run) {
    const auto turn = TRY(begin());
    const RunInfo info = TRY(find_run(run));
    TRY(log_is_whole(info.id));
    return info.best_step;
}

// Steps are counted where a run or a part of it ends, so the log never has fewer.
Result<StepId> Reader::steps_counted(RunId run) {
    return access_->database().integer(
        fmt::format("SELECT coalesce((SELECT steps FROM runs WHERE id = {}), 0)", run));
}

// Steps are numbered without a gap, and nothing that writes a session takes one away.
Status Reader::log_is_whole(RunId run) {
    auto count = TRY(
        access_->database().prepare("SELECT count(*), coalesce(max(step), 0) FROM mutations WHERE run = ?"));
    TRY(count.bind(run));
    TRY(count.step());
    const StepId rows = count.integer(0), last = count.integer(1);
    const StepId counted = TRY(steps_counted(run));
    if (rows == last && counted <= last) return {};
    auto gap = TRY(access_->database().prepare(
        "SELECT min(lost) FROM (SELECT 1 AS lost WHERE NOT EXISTS (SELECT 1 FROM mutations WHERE run = ?1 "
        "AND "
        "step = 1) UNION ALL SELECT * FROM (SELECT step + 1 FROM mutations m WHERE run = ?1 AND NOT EXISTS "
        "(SELECT 1 FROM mutations n WHERE n.run = ?1 AND n.step = m.step + 1) ORDER BY step LIMIT 1))"));
    TRY(gap.bind(run));
    TRY(gap.step());
    return fail(
        ErrorCode::Corrupt,
        fmt::format("run {}: step {} is missing from its log, which has {} of {} steps; something else "
                    "changed the file. A step that does not build on it can still be had: `cubinlab "
                    "export {} --run {} --schedule step:N --out OUT.cubin`",
                    run, gap.integer(0), rows, std::max(last, counted), path_.string(), run),
        path_.string());
}

Status Reader::whole(RunId run) {
    const auto turn = TRY(begin());
    const RunInfo info = TRY(run_row(run));
    return log_is_whole(info.id);
}

Result<std::uint64_t> Reader::verify(const KernelPtr& kernel, RunId run) {
    const auto turn = TRY(begin());
    const RunInfo info = TRY(find_run(run));
    auto starts = TRY(starts_with(kernel, info.id));
    auto rebuilder = TRY(Rebuilder::create(access_->database(), std::move(starts), info.id));
    auto start = rebuilder.at(0);
    if (!start) return fail(start.error().code, start.error().message(), path_.string());
    if (start->hash() != info.start_hash)
        return fail(ErrorCode::Corrupt, "the start schedule does not have the hash stored with it",
                    path_.string());
    constexpr std::size_t kPage = 4096;
    const auto lost = [&](StepId step) {
        return fail(ErrorCode::Corrupt, fmt::format("run {}, step {} is missing from the log", info.id, step),
                    path_.string());
    };
    std::uint64_t checked = 0;
    StepId after = 0;
    while (true) {
        auto records = TRY(page(info.id, after, kPage));
        for (const StepRecord& record : records) {
            if (record.step != after + 1) return lost(after + 1);
            auto schedule = rebuilder.at(record.step);
            if (!schedule) return fail(schedule.error().code, schedule.error().message(), path_.string());
            if (schedule->hash() != record.schedule_hash) {
                return fail(ErrorCode::Corrupt,
                            "run " + std::to_string(info.id) + ", step " + std::to_string(record.step) +
                                " rebuilds to another schedule than was logged",
                            path_.string());
            }
            ++checked;
            after = record.step;
        }
        if (records.size() < kPage) break;
    }
    const auto counted = TRY(steps_counted(info.id));
    if (counted > after) return lost(after + 1);
    return checked;
}

}  // namespace cubinlab
