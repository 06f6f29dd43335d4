// SPDX-License-Identifier: GPL-3.0-or-later
// Whether what a session says of a run fits together: its row, the log, and the schedules that the log gives.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/store/reader.h"
#include "core/store/run_checks.h"

namespace cubinlab {

Result<StepId> Reader::best_step(RunId run) {
    const auto turn = TRY(begin());
    const RunInfo info = TRY(find_run(run));
    TRY(row_agrees(info));
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
    if (rows == last) return {};
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
                    run, gap.integer(0), rows, last, path_.string(), run),
        path_.string());
}

Status Reader::whole(RunId run) {
    const auto turn = TRY(begin());
    const RunInfo info = TRY(run_row(run)).info;
    return log_is_whole(info.id);
}

// The row of a run that has ended repeats what its log says.
Status Reader::row_agrees(const RunInfo& info) {
    const auto differs = [&](const std::string& what) {
        return fail(ErrorCode::Corrupt,
                    fmt::format("run {} says {}: name the step that is meant", info.id, what),
                    path_.string());
    };
    TRY(log_is_whole(info.id));
    const auto counted = TRY(steps_counted(info.id));
    if (counted > static_cast<StepId>(info.steps))
        return differs(fmt::format("that it has {} steps, its log ends with step {}", counted, info.steps));
    const LastBest logged = TRY(last_best(info.id));
    if (logged.step != info.best_step)
        return differs(
            fmt::format("that step {} is its best, its log {}", info.best_step,
                        logged.step == 0 ? "has none" : fmt::format("that step {} is", logged.step)));
    auto row = TRY(access_->database().prepare(
        "SELECT r.best_log_speedup, coalesce(m.log_speedup, 0), r.best_low, coalesce(m.low, 0), r.best_high, "
        "coalesce(m.high, 0), r.best_cost, m.cost FROM runs r LEFT JOIN mutations m ON m.run = r.id AND "
        "m.step = "
        "r.best_step WHERE r.id = ? AND r.ended IS NOT NULL"));
    TRY(row.bind(info.id));
    auto ended = TRY(row.step());
    if (!ended) return {};
    constexpr const char* kNames[] = {"best figure", "lower end", "upper end", "cost"};
    for (int i = 0; i < 4; ++i) {
        if (row.null(2 * i) || row.null(2 * i + 1)) continue;  // not written then; the start is no step
        const double says = row.real(2 * i), is = row.real(2 * i + 1);
        if (i == 3 && says == 0) continue;  // not known
        if (std::abs(says - is) > 1e-9 * std::max(1.0, std::abs(is)))
            return differs(fmt::format("of step {} that its {} is {:.6g}, the step {:.6g}", info.best_step,
                                       kNames[i], says, is));
    }
    return {};
}

Result<std::uint64_t> Reader::verify(const KernelPtr& kernel, RunId run, Deviations* deviations) {
    const auto turn = TRY(begin());
    const RunInfo info = TRY(find_run(run));
    TRY(require_kernel(kernel));
    auto rebuilder = TRY(Rebuilder::create(access_->database(), kernel, info.id));
    auto start = rebuilder.at(0);
    if (!start) return fail(start.error().code, start.error().message(), path_.string());
    if (start->hash() != info.start_hash)
        return fail(ErrorCode::Corrupt, "the start schedule does not have the hash stored with it",
                    path_.string());
    std::optional<EditColumns> columns;
    if (deviations != nullptr) columns = TRY(EditColumns::create(access_->database(), info.id));
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
            if (columns) TRY(columns->compare(record, rebuilder, *schedule, *deviations));
            ++checked;
            after = record.step;
        }
        if (records.size() < kPage) break;
    }
    const auto counted = TRY(steps_counted(info.id));
    if (counted > after) return lost(after + 1);
    if (deviations != nullptr) TRY(check_run_rows(access_->database(), kernel, info, after, *deviations));
    return checked;
}

}  // namespace cubinlab
