// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/run_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/bounded_json.h"
#include "core/base/hash.h"
#include "core/store/compress.h"
#include "core/store/keyframe.h"
#include "core/store/run_row.h"
#include "core/store/step_row.h"

namespace cubinlab {
namespace {

constexpr std::size_t kMostQuoted = 60;

std::string quoted(const std::string& text) {
    return text.size() <= kMostQuoted ? "'" + text + "'" : "'" + text.substr(0, kMostQuoted) + "...'";
}

std::string stored_text(const sqlite::Statement& row, int column) {
    return row.null(column) ? "NULL" : quoted(row.text(column));
}

std::string of_run(RunId run) {
    return fmt::format("run {}", run);
}

// Calls `each` with every row of a query.
template <class Each, class... Args>
Status each_row(const sqlite::Database& database, std::string_view sql, Each each, const Args&... args) {
    auto rows = TRY(database.prepare(sql));
    TRY(rows.bind(args...));
    while (true) {
        auto more = TRY(rows.step());
        if (!more) return {};
        TRY(each(rows));
    }
}

// The run's start is the schedule that it names: the original, or a step of another run.
Status check_start(const sqlite::Database& database, const KernelPtr& kernel, const RunInfo& run,
                   Deviations& out) {
    if (run.start_run == 0) {
        if (run.start_parent != 0)
            out.add(of_run(run.id),
                    fmt::format("start_step is {}, but it started from the original (start_run 0)",
                                run.start_parent));
        if (run.start_hash != Schedule(kernel).hash())
            out.add(of_run(run.id),
                    "start_run says that it started from the original, but its start is another schedule");
        return {};
    }
    // A step of itself would be no start.
    bool found = false;
    if (run.start_run < run.id)
        TRY(each_row(
            database,
            run.start_parent == 0 ? "SELECT start_hash FROM runs WHERE id = ? AND ? = 0"
                                  : "SELECT schedule_hash FROM mutations WHERE run = ? AND step = ?",
            [&](const sqlite::Statement& row) -> Status {
                found = true;
                if (row.text(0) != run.start_hash.hex())
                    out.add(of_run(run.id),
                            fmt::format(
                                "it says that it started from step {} of run {}, whose schedule is another",
                                run.start_parent, run.start_run));
                return {};
            },
            run.start_run, run.start_parent));
    if (!found)
        out.add(of_run(run.id),
                fmt::format("it says that it started from step {} of run {}, which is not there",
                            run.start_parent, run.start_run));
    return {};
}

// What a run that has ended says of its steps. Where a part was killed and gone on with by a version before 0.2, whose clock
// falls without a row in `parts`, its counters were never written.
Status check_counters(const sqlite::Database& database, const RunInfo& run, StepId last, Deviations& out) {
    struct Counted {
        std::int64_t evaluated = 0, repeated = 0, failed = 0, microseconds = 0, parts = 0;
    } counted;
    TRY(each_row(
        database,
        "WITH part AS (SELECT repeated, outcome, time_us, lead(time_us, 1, -1) OVER (ORDER BY step) < "
        "time_us AS "
        "ends FROM mutations WHERE run = ?1 AND step <= coalesce((SELECT steps FROM runs WHERE id = ?1), 0)) "
        "SELECT count(*) - sum(repeated <> 0), sum(repeated <> 0), sum(outcome <> 'ok'), "
        "total(iif(ends, time_us, 0)), sum(ends) FROM part",
        [&](const sqlite::Statement& row) -> Status {
            counted = {row.integer(0), row.integer(1), row.integer(2), row.integer(3), row.integer(4)};
            return {};
        },
        run.id));
    const bool said = counted.parts <= static_cast<std::int64_t>(run.later_parts.size()) + 1;
    return each_row(
        database,
        "SELECT evaluated, repeated, failed, seconds, steps, ended, end, best_cost FROM runs WHERE id = ?",
        [&](const sqlite::Statement& row) -> Status {
            const auto differs = [&](int column, const char* name, std::int64_t is) {
                if (said && !row.null(4) && row.integer(column) != is)
                    out.add(of_run(run.id),
                            fmt::format("{} is {}, its log has {}", name, stored_text(row, column), is));
            };
            differs(0, "evaluated", counted.evaluated);
            differs(1, "repeated", counted.repeated);
            differs(2, "failed", counted.failed);
            if (!row.null(5) && row.integer(4) != last)
                out.add(of_run(run.id),
                        fmt::format("steps is {}, its log has {}", stored_text(row, 4), last));
            // To the microsecond below: it is the same clock, read a little later.
            if (said && !row.null(5) && row.real(3) + 1e-6 < static_cast<double>(counted.microseconds) / 1e6)
                out.add(of_run(run.id),
                        fmt::format("seconds is {:.6g}, but the clock of its steps says {:.6g}", row.real(3),
                                    static_cast<double>(counted.microseconds) / 1e6));
            // Where nothing beat it, the best is the start, which costs what the original does where it is that.
            if (!row.null(5) && run.best_step == 0 && run.start_run == 0 && run.later_parts.empty() &&
                row.real(7) != 0 &&
                std::abs(row.real(7) - run.evaluator.original_cost) > 1e-9 * run.evaluator.original_cost)
                out.add(of_run(run.id),
                        fmt::format("best_cost is {}, nothing beat the original, which costs {:.6g}",
                                    stored_text(row, 7), run.evaluator.original_cost));
            if (row.null(5) != row.text(6).empty())
                out.add(of_run(run.id), fmt::format("ended is {} and end is {}: a run has both or neither",
                                                    stored_text(row, 5), stored_text(row, 6)));
            return {};
        },
        run.id);
}

// A run that ended because its steps were spent has as many; what claims at its end comes on top.
void check_budget(const RunInfo& run, StepId last, Deviations& out) {
    if (run.agent == "hand") return;
    const auto budget = Budget::parse(run.budget);
    if (!budget)
        out.add(of_run(run.id), fmt::format("budget is {}, which is none", quoted(run.budget)));
    else if (run.end == "budget" && run.later_parts.empty() && budget->steps && !budget->time &&
             static_cast<std::uint64_t>(last) < *budget->steps)
        out.add(of_run(run.id),
                fmt::format("budget is {} and spent, but the log ends at step {}", quoted(run.budget), last));
}

// Each keyframe is the schedule of its step.
Status check_keyframes(const sqlite::Database& database, const KernelPtr& kernel, const RunInfo& run,
                       Deviations& out) {
    return each_row(
        database,
        "SELECT k.step, k.schedule_hash, k.schedule, coalesce(m.schedule_hash, iif(k.step = 0, r.start_hash, "
        "NULL)) "
        "FROM keyframes k JOIN runs r ON r.id = k.run LEFT JOIN mutations m ON m.run = k.run AND m.step = "
        "k.step "
        "WHERE k.run = ?",
        [&](const sqlite::Statement& row) -> Status {
            const std::string where = at_step(run.id, row.integer(0));
            if (row.null(3))
                out.add(where, "it has a keyframe, but no row in the log");
            else if (row.text(1) != row.text(3))
                out.add(where, "the hash of its keyframe is not that of its row");
            const auto schedule = decode_schedule(kernel, row.blob(2));
            if (!schedule)
                out.add(where, "its keyframe is no schedule: " + schedule.error().what);
            else if (schedule->hash().hex() != row.text(1))
                out.add(where, "its keyframe is a schedule of another hash");
            return {};
        },
        run.id);
}

// What the columns of a GPU's machine repeat of its json. Of a pool the json has the first GPU's, the columns the widest of all.
void check_calibration(const sqlite::Statement& row, const std::string& where, Deviations& out) {
    const auto json = parse_json_or_discard(row.text(8));
    const auto object = [&](const char* key) {
        return json.is_object() && json.contains(key) && json[key].is_object() ? json[key]
                                                                               : nlohmann::json::object();
    };
    const auto facts = object("facts"), calibration = object("calibration");
    if (const std::string device = json_or(facts, "device", ""); !device.empty())
        if (const std::string named = device + ", driver " + json_or(facts, "driver", "");
            row.text(1) != named)
            out.add(where, fmt::format("device is {}, json says {}", stored_text(row, 1), quoted(named)));
    const auto same = [&](int column, const char* name, const char* key) {
        const double said = json_or(calibration, key, row.real(column));
        if (std::abs(said - row.real(column)) > 1e-9 * std::max(1.0, std::abs(said)))
            out.add(where, fmt::format("{} is {}, json says {:.9g}", name, stored_text(row, column), said));
    };
    same(3, "original_cost", "original_us");
    same(4, "timer_step_us", "timer_step_us");
    const bool pool = json.is_object() && json.contains("devices") && json["devices"].size() > 1;
    if (pool || json_or(json, "cache", "") == "both") return;
    same(5, "aa_spread", "pair_deviation");
    same(6, "detectable", "detectable");
    if (json_or(calibration, "deterministic", row.integer(7) != 0) != (row.integer(7) != 0))
        out.add(where, fmt::format("deterministic is {}, json says otherwise", stored_text(row, 7)));
}

// What a row of `machines` may say. Of the model nothing is calibrated.
void check_machine(const sqlite::Statement& row, const std::string& where, const Kernel& kernel,
                   Deviations& out) {
    const std::string kind = row.text(0);
    if (!parse_json_or_discard(row.text(8)).is_object())
        out.add(where, "json of what judged it is no JSON object");
    if (kind == to_string(EvaluatorKind::Gpu)) {
        if (row.text(2) != "us")
            out.add(where, fmt::format("unit is {}, a GPU's is us", stored_text(row, 2)));
        check_calibration(row, where, out);
        return;
    }
    if (kind != to_string(EvaluatorKind::Model)) {
        out.add(where, fmt::format("evaluator is {}, which is none", stored_text(row, 0)));
        return;
    }
    if (const std::string device = "SM model " + kernel.arch().name(); row.text(1) != device)
        out.add(where, fmt::format("the SM model judged it, but device is {} and not {}", stored_text(row, 1),
                                   device));
    if (row.text(2) != "modelled cycles")
        out.add(where, fmt::format("the SM model judged it, but unit is {}", stored_text(row, 2)));
    const char* const names[] = {"timer_step_us", "aa_spread", "detectable"};
    for (int i = 0; i < 3; ++i)
        if (row.real(4 + i) != 0)
            out.add(where,
                    fmt::format("the SM model judged it, but {} is {}", names[i], stored_text(row, 4 + i)));
    if (row.integer(7) != 1) out.add(where, "the SM model judged it, but deterministic is 0");
}

Status check_machines(const sqlite::Database& database, const KernelPtr& kernel, const RunInfo& run,
                      StepId last, Deviations& out) {
    const std::string columns = kMachineColumns;
    TRY(each_row(
        database,
        fmt::format("SELECT {} FROM runs r JOIN machines m ON m.id = r.machine WHERE r.id = ?", columns),
        [&](const sqlite::Statement& row) -> Status {
            check_machine(row, of_run(run.id), *kernel, out);
            return {};
        },
        run.id));
    return each_row(
        database,
        fmt::format("SELECT {}, m.id IS NULL, p.first FROM parts p LEFT JOIN machines m ON m.id = p.machine "
                    "WHERE p.run = ?",
                    columns),
        [&](const sqlite::Statement& row) -> Status {
            const StepId first = row.integer(10);
            const std::string where = fmt::format("run {}, its part from step {}", run.id, first);
            // One that went on and was stopped before a step begins behind the log.
            if (first < 1 || first > last + 1) out.add(where, fmt::format("the log ends at step {}", last));
            if (row.integer(9) != 0) {
                out.add(where, "the machine that judged it is not there");
                return {};
            }
            check_machine(row, where, *kernel, out);
            if (row.text(0) != to_string(run.evaluator.kind))
                out.add(where, fmt::format("evaluator is {}, that of the run {}", stored_text(row, 0),
                                           to_string(run.evaluator.kind)));
            return {};
        },
        run.id);
}

Status check_kernel(const sqlite::Database& database, const KernelPtr& kernel, Deviations& out) {
    return each_row(database, "SELECT arch, instructions, listing FROM kernels ORDER BY id",
                    [&, first = true](const sqlite::Statement& row) mutable -> Status {
                        if (!std::exchange(first, false)) {
                            out.add("kernels", "a second kernel, which no session has");
                            return {};
                        }
                        if (row.text(0) != kernel->arch().name())
                            out.add("kernels", fmt::format("arch is {}, the cubin's is {}",
                                                           stored_text(row, 0), kernel->arch().name()));
                        if (row.integer(1) != static_cast<std::int64_t>(kernel->size()))
                            out.add("kernels", fmt::format("instructions is {}, the code has {}",
                                                           stored_text(row, 1), kernel->size()));
                        if (!decompress(row.blob(2))) out.add("kernels", "the listing cannot be unpacked");
                        return {};
                    });
}

// What rows refer to is there.
Status check_references(const sqlite::Database& database, const RunInfo& run, StepId last, Deviations& out) {
    for (const char* table : {"mutations", "keyframes", "metrics", "parts", "measurements", "notes"})
        TRY(each_row(
            database,
            fmt::format("SELECT DISTINCT run FROM {} WHERE run NOT IN (SELECT id FROM runs) LIMIT 8", table),
            [&](const sqlite::Statement& row) -> Status {
                out.add(table, fmt::format("rows of a run {} that is not there", row.integer(0)));
                return {};
            }));
    for (const char* table : {"metrics", "measurements", "notes"})
        TRY(each_row(
            database,
            fmt::format("SELECT step FROM {} WHERE run = ? AND (step < 0 OR step > ?) LIMIT 8", table),
            [&](const sqlite::Statement& row) -> Status {
                out.add(at_step(run.id, row.integer(0)),
                        fmt::format("a row of {} is of it, but the log ends at step {}", table, last));
                return {};
            },
            run.id, last));
    return each_row(
        database,
        "SELECT k.id IS NULL, w.id IS NULL OR w.kernel <> r.kernel FROM runs r LEFT JOIN kernels k ON k.id = "
        "r.kernel "
        "LEFT JOIN workloads w ON w.id = r.workload WHERE r.id = ?",
        [&](const sqlite::Statement& row) -> Status {
            if (row.integer(0) != 0) out.add(of_run(run.id), "its kernel is not there");
            if (row.integer(1) != 0)
                out.add(of_run(run.id), "its workload is not there, or is another kernel's");
            return {};
        },
        run.id);
}

}  // namespace

Result<EditColumns> EditColumns::create(const sqlite::Database& database, RunId run) {
    EditColumns out;
    out.rows_ = TRY(database.prepare("SELECT step, " + edit_columns() +
                                     ", coalesce(length(samples) % 4, 0), coalesce(length(states) % 16, 0) "
                                     "FROM mutations WHERE run = ? ORDER BY step"));
    TRY(out.rows_.bind(run));
    out.run_ = run;
    return out;
}

Status EditColumns::compare(const StepRecord& record, Rebuilder& rebuilder, const Schedule& result,
                            Deviations& out) {
    auto there = TRY(rows_.step());
    if (!there || rows_.integer(0) != record.step) return {};  // told by whoever reads the steps
    MovedFrom moved;
    if (const auto to = position_of_moved(record.mutation, result)) {
        auto parent = TRY(rebuilder.at(record.parent));
        moved = {position_of_moved(record.mutation, parent), to};
    }
    int column = 1;
    for (const EditColumn& wanted : edit_values(record, moved)) {
        const bool null = rows_.null(column);
        if (null != !wanted.value || (!null && rows_.text(column) != *wanted.value))
            out.add(at_step(run_, record.step),
                    fmt::format("{} is {}, its {} gives {}", wanted.name, stored_text(rows_, column),
                                wanted.from, wanted.value ? quoted(*wanted.value) : "NULL"));
        ++column;
    }
    for (const char* list : {"samples", "states"})
        if (rows_.integer(column++) != 0)
            out.add(at_step(run_, record.step), fmt::format("{} ends inside a number or a reading", list));
    if (record.time_us < 0) out.add(at_step(run_, record.step), fmt::format("time_us is {}", record.time_us));
    return {};
}

Status check_run_rows(const sqlite::Database& database, const KernelPtr& kernel, const RunInfo& run,
                      StepId last, Deviations& out) {
    TRY(check_kernel(database, kernel, out));
    TRY(check_machines(database, kernel, run, last, out));
    TRY(check_start(database, kernel, run, out));
    TRY(check_counters(database, run, last, out));
    check_budget(run, last, out);
    TRY(check_keyframes(database, kernel, run, out));
    return check_references(database, run, last, out);
}

}  // namespace cubinlab
