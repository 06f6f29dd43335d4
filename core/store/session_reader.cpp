// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/bounded_json.h"
#include "core/store/compress.h"
#include "core/store/measurement_row.h"
#include "core/store/outcome_row.h"
#include "core/store/reader.h"
#include "core/store/rows.h"
#include "core/store/session_checks.h"
#include "core/store/start_kernels.h"

namespace cubinlab {
namespace {

// What the machines of resumed parts say, far above what any session holds.
constexpr std::size_t kMostOfParts = std::size_t{1} << 26;  // bytes

}  // namespace

// What the log says of the run.
Result<RunInfo> Reader::complete(RunInfo info) {
    const std::string run = std::to_string(info.id);
    auto steps =
        TRY(access_->database().integer("SELECT coalesce(max(step), 0) FROM mutations WHERE run = " + run));
    info.steps = static_cast<std::uint64_t>(steps);
    const LastBest best = TRY(last_best(info.id));
    info.best_step = best.step;
    info.best_log_speedup = best.log_speedup;
    return info;
}

Result<Reader::Parts> Reader::later_parts(RunId run) {
    auto statement = TRY(access_->database().prepare(
        fmt::format("SELECT p.run, p.first, {} FROM parts p JOIN machines m ON m.id = p.machine {} "
                    "ORDER BY p.run, p.first",
                    kMachineColumns, run == 0 ? "" : "WHERE p.run = ?")));
    if (run != 0) TRY(statement.bind(run));
    Parts out;
    std::size_t bytes = 0;
    while (true) {
        auto more = TRY(statement.step());
        if (!more) return out;
        RunPart part{statement.integer(1), read_machine(statement, 2)};
        bytes += sizeof part + part.evaluator.device.size() + part.evaluator.unit.size() +
                 statement.text(10).size();
        if (part.first < 1 || bytes > kMostOfParts)
            return fail(ErrorCode::Corrupt, "the table of resumed parts is not one that this program writes",
                        path_.string());
        out[statement.integer(0)].push_back(std::move(part));
    }
}

Result<Reader::LastBest> Reader::last_best(RunId run) {
    auto best =
        TRY(access_->database().prepare("SELECT step, log_speedup FROM mutations INDEXED BY mutations_best "
                                        "WHERE run = ? AND best = 1 ORDER BY step DESC LIMIT 1"));
    TRY(best.bind(run));
    auto row = TRY(best.step());
    return row ? LastBest{best.integer(0), best.real(1)} : LastBest{};
}

Result<RunInfo> Reader::run_row(RunId id) {
    const std::string which = id == 0 ? "ORDER BY r.id DESC LIMIT 1" : "WHERE r.id = ?";
    auto found = TRY(id == 0 ? rows<RunInfo>(run_rows(which), read_run)
                             : rows<RunInfo>(run_rows(which), read_run, id));
    if (found.empty()) {
        return fail(ErrorCode::NotFound,
                    id == 0 ? std::string("the session has no run yet")
                            : "the session has no run " + std::to_string(id) +
                                  "; `cubinlab runs` lists those that it has",
                    path_.string());
    }
    return std::move(found.front());
}

Result<RunInfo> Reader::find_run(RunId id) {
    auto found = TRY(run_row(id));
    auto parts = TRY(later_parts(found.id));
    found.later_parts = std::move(parts[found.id]);
    return complete(std::move(found));
}

Result<KernelPtr> Reader::kernel() {
    const auto turn = TRY(begin());
    return stored_kernel();
}

Result<KernelPtr> Reader::stored_kernel() {
    auto statement = TRY(
        access_->database().prepare("SELECT name, hash, cubin, cubin_hash FROM kernels ORDER BY id LIMIT 1"));
    auto row = TRY(statement.step());
    const auto runs = TRY(access_->database().integer("SELECT count(*) FROM runs"));
    if (!row && runs == 0)
        return fail(
            ErrorCode::BadInput,
            "the session holds nothing yet: what made it was stopped before its first step, and a new "
            "run may begin in it",
            path_.string());
    if (!row) return fail(ErrorCode::Corrupt, "the session has runs, and no kernel", path_.string());
    const std::string name = statement.text(0);
    auto bytes = decompress(statement.blob(2));
    if (!bytes) return fail(ErrorCode::Corrupt, "the stored cubin: " + bytes.error().what, path_.string());
    if (hash_bytes(*bytes).hex() != statement.text(3))
        return fail(ErrorCode::Corrupt, "the stored cubin does not have the hash stored with it",
                    path_.string());
    auto cubin = TRY(Cubin::parse(std::move(*bytes), path_.string()));
    auto kernel = TRY(Kernel::load(cubin, name));
    if (kernel->hash().hex() != statement.text(1))
        return fail(ErrorCode::Corrupt, "the stored kernel's code does not have the hash stored with it",
                    path_.string());
    return KernelPtr(kernel);
}

Result<std::string> Reader::workload_json(RunId run) {
    const auto turn = TRY(begin());
    return access_->database().text(
        run == 0
            ? "SELECT json FROM workloads ORDER BY id DESC LIMIT 1"
            : fmt::format("SELECT w.json FROM runs r JOIN workloads w ON w.id = r.workload WHERE r.id = {}",
                          run));
}

Result<std::string> Reader::listing_text() {
    const auto turn = TRY(begin());
    auto statement = TRY(access_->database().prepare("SELECT listing FROM kernels ORDER BY id LIMIT 1"));
    auto row = TRY(statement.step());
    if (!row) return fail(ErrorCode::Corrupt, "the session contains no kernel", path_.string());
    auto bytes = decompress(statement.blob(0));
    if (!bytes) return fail(ErrorCode::Corrupt, "the stored listing: " + bytes.error().what, path_.string());
    return std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size());
}

Result<std::vector<RunInfo>> Reader::runs() {
    const auto turn = TRY(begin());
    auto found = TRY(rows<RunInfo>(run_rows("ORDER BY r.id"), read_run));
    auto parts = TRY(later_parts(0));
    std::vector<RunInfo> result;
    std::size_t locked = 0;
    for (RunInfo& row : found) {
        locked += row.locked.size();
        if (locked > kMostLocked)
            return fail(ErrorCode::Corrupt, "the runs lock more instructions than kernels have",
                        path_.string());
        row.later_parts = std::move(parts[row.id]);
        result.push_back(TRY(complete(std::move(row))));
    }
    return result;
}

Result<RunInfo> Reader::run(RunId id) {
    const auto turn = TRY(begin());
    return find_run(id);
}

Result<std::vector<StepRecord>> Reader::page(RunId run, StepId after, std::size_t count, bool best_only) {
    const std::int64_t limit = count == 0 ? -1 : static_cast<std::int64_t>(count);
    // Checked as they come: in a damaged tree the same rows could come again and again.
    StepId last = after;
    return rows<StepRecord>(
        "SELECT " + step_columns() + " FROM mutations WHERE run = ? AND step > ?" +
            (best_only ? " AND best = 1" : "") + " ORDER BY step LIMIT ?",
        [&last, best_only](const sqlite::Statement& row) -> Result<StepRecord> {
            auto record = read_step(row);
            if (!record) return record;
            // Best steps may be far from each other.
            if (!follows(record->step, record->parent, best_only ? record->step - 1 : last) ||
                record->step <= last)
                return fail(ErrorCode::Corrupt, "a step's number or parent is out of order",
                            "step " + std::to_string(record->step));
            last = record->step;
            return record;
        },
        run, after, limit);
}

Result<std::vector<StepRecord>> Reader::steps(RunId run, StepId after, std::size_t count) {
    const auto turn = TRY(begin());
    const RunInfo info = TRY(run_row(run));
    return page(info.id, after, count);
}

Result<std::vector<StepRecord>> Reader::best_steps(RunId run, StepId after, std::size_t count) {
    const auto turn = TRY(begin());
    return page(run, after, count, true);
}

Result<std::vector<StepRecord>> Reader::steps_at(RunId run, std::span<const StepId> wanted) {
    const auto turn = TRY(begin());
    auto find = TRY(access_->database().prepare("SELECT " + step_columns() +
                                                " FROM mutations WHERE run = ? AND step = ?"));
    std::vector<StepRecord> out;
    for (const StepId step : wanted) {
        TRY(find.bind(run, step));
        auto there = TRY(find.step());
        if (!there) continue;
        auto record = read_step(find);
        if (!record) return fail(record.error().code, record.error().message(), path_.string());
        record->outcome = without_raw(std::move(record->outcome));
        out.push_back(std::move(*record));
    }
    return out;
}

Result<std::vector<StepFigure>> Reader::figures(RunId run, StepId after, std::size_t count) {
    const auto turn = TRY(begin());
    StepId last = after;
    return rows<StepFigure>(
        "SELECT step, outcome, log_speedup, accepted, best, time_us, repeated, schedule_hash FROM mutations "
        "WHERE run = ? AND step > ? ORDER BY step LIMIT ?",
        [&last](const sqlite::Statement& row) -> Result<StepFigure> {
            StepFigure out;
            out.step = row.integer(0);
            const auto kind = parse_outcome(row.text(1));
            const auto hash = Hash128::from_hex(row.text(7));
            out.log_speedup = row.real(2);
            if (!kind || !hash || !std::isfinite(out.log_speedup) || out.step <= last)
                return fail(ErrorCode::Corrupt, "the row is unreadable", "step " + std::to_string(out.step));
            last = out.step;
            out.kind = *kind;
            out.accepted = row.integer(3) != 0;
            out.best = row.integer(4) != 0;
            out.time_us = row.integer(5);
            out.repeated = row.integer(6) != 0;
            out.hash = *hash;
            return out;
        },
        run, after, count == 0 ? std::int64_t{-1} : static_cast<std::int64_t>(count));
}

Result<std::uint64_t> Reader::confirmations(RunId run, StepId after, StepId last, double most) {
    const auto turn = TRY(begin());
    auto count = TRY(access_->database().prepare(
        "SELECT count(*) FROM mutations WHERE run = ? AND step > ? AND step <= ? AND repeated = 0 AND "
        "outcome = 'ok' AND alpha > 0 AND alpha <= ?"));
    TRY(count.bind(run, after, last, most));
    TRY(count.step());
    return static_cast<std::uint64_t>(count.integer(0));
}

Result<std::vector<std::pair<StepId, Hash128>>> Reader::hashes(RunId run, StepId after, StepId last,
                                                               std::size_t count) {
    const auto turn = TRY(begin());
    return rows<std::pair<StepId, Hash128>>(
        "SELECT step, schedule_hash FROM mutations WHERE run = ? AND step > ? AND step <= ? ORDER BY step "
        "LIMIT ?",
        [&after](const sqlite::Statement& row) -> Result<std::pair<StepId, Hash128>> {
            const auto hash = Hash128::from_hex(row.text(1));
            const StepId step = row.integer(0);
            if (!hash || step <= after)
                return fail(ErrorCode::Corrupt, "the row has no hash", "step " + std::to_string(step));
            after = step;
            return std::pair(step, *hash);
        },
        run, after, last, static_cast<std::int64_t>(count));
}

Result<std::vector<MetricPoint>> Reader::metrics(RunId run, StepId after) {
    const auto turn = TRY(begin());
    const RunInfo info = TRY(run_row(run));
    return rows<MetricPoint>(
        "SELECT step, name, value FROM metrics WHERE run = ? AND step > ? ORDER BY step, name",
        [](const sqlite::Statement& row) -> Result<MetricPoint> {
            const double none = std::numeric_limits<double>::quiet_NaN();
            return MetricPoint{row.integer(0), row.text(1), row.null(2) ? none : row.real(2)};
        },
        info.id, after);
}

Result<StartKernels> Reader::starts_with(const KernelPtr& kernel, RunId run) {
    auto hash = TRY(access_->database().text("SELECT hash FROM kernels ORDER BY id LIMIT 1"));
    if (kernel->hash().hex() == hash) return StartKernels(access_->database(), kernel);
    if (!original_) original_ = TRY(stored_kernel());
    StartKernels starts(access_->database(), original_);
    starts.remember(kernel);
    auto searched = TRY(starts.of_run(run));
    if (searched == kernel) return starts;
    return fail(ErrorCode::BadInput,
                "the session belongs to another kernel than " + kernel->name() + " (code " + kernel->hash().hex() +
                    ", the session's " + hash + ")",
                path_.string());
}

Result<KernelPtr> Reader::run_kernel(const KernelPtr& kernel, RunId run) {
    const auto turn = TRY(begin());
    auto starts = TRY(starts_with(kernel, run));
    return starts.of_run(run);
}

Result<std::string> Reader::expected_hash(RunId run, StepId step) {
    const char* sql = step == 0 ? "SELECT start_hash FROM runs WHERE id = ? AND ? = 0"
                                : "SELECT schedule_hash FROM mutations WHERE run = ? AND step = ?";
    auto found = TRY(rows<std::string>(
        sql, [](const sqlite::Statement& row) -> Result<std::string> { return row.text(0); }, run, step));
    if (found.empty()) {
        auto last = rows<StepId>(
            "SELECT coalesce(max(step), 0) FROM mutations WHERE run = ?",
            [](const sqlite::Statement& row) -> Result<StepId> { return row.integer(0); }, run);
        return fail(ErrorCode::NotFound,
                    "run " + std::to_string(run) + " has no step " + std::to_string(step) +
                        (last && !last->empty() ? "; its last is " + std::to_string(last->front()) : ""),
                    path_.string());
    }
    return found.front();
}

Result<std::optional<StartRecord>> Reader::start(const KernelPtr& kernel, RunId run, const std::string& name) {
    const auto turn = TRY(begin());
    auto kernels = TRY(starts_with(kernel, run));
    return read_start(access_->database(), kernels, run, name);
}

Result<Schedule> Reader::schedule_at(const KernelPtr& kernel, RunId run, StepId step) {
    const auto turn = TRY(begin());
    const RunInfo info = TRY(run_row(run));
    auto hash = TRY(expected_hash(info.id, step));
    // Kept between calls: scrubbing through a run asks for neighbours.
    if (!rebuilder_ || rebuilder_run_ != info.id || rebuilder_kernel_ != kernel) {
        auto starts = TRY(starts_with(kernel, info.id));
        rebuilder_ = TRY(Rebuilder::create(access_->database(), std::move(starts), info.id));
        rebuilder_run_ = info.id;
        rebuilder_kernel_ = kernel;
    }
    auto schedule = rebuilder_->at(step);
    if (!schedule) return fail(schedule.error().code, schedule.error().message(), path_.string());
    if (schedule->hash().hex() != hash) {
        return fail(ErrorCode::Corrupt,
                    "run " + std::to_string(info.id) + ", step " + std::to_string(step) +
                        " rebuilds to another schedule than was logged",
                    path_.string());
    }
    return schedule;
}

Result<std::vector<MeasurementRecord>> Reader::measurements(RunId run) {
    const auto turn = TRY(begin());
    return rows<MeasurementRecord>(
        "SELECT run, step, purpose, json, made, " + outcome_columns() +
            " FROM measurements WHERE ?1 = 0 OR run = ?1 ORDER BY id",
        [](const sqlite::Statement& row) -> Result<MeasurementRecord> {
            MeasurementRecord record;
            record.run = row.integer(0);
            record.step = row.integer(1);
            record.purpose = row.text(2);
            read_measurement(parse_json_or_discard(row.text(3)), record);
            record.made = row.text(4);
            record.outcome =
                TRY(read_outcome(row, 5, "a measurement of step " + std::to_string(record.step)));
            return record;
        },
        run);
}

Result<std::vector<NoteRecord>> Reader::notes(RunId run) {
    const auto turn = TRY(begin());
    return rows<NoteRecord>(
        "SELECT run, step, text, made FROM notes WHERE ?1 = 0 OR run = ?1 ORDER BY id",
        [](const sqlite::Statement& row) -> Result<NoteRecord> {
            return NoteRecord{row.integer(0), row.integer(1), row.text(2), row.text(3)};
        },
        run);
}

Result<StepRecord> SessionReader::step(RunId run, StepId step) {
    auto rows = TRY(steps(run, step - 1, 1));
    if (rows.size() != 1 || rows.front().step != step)
        return fail(ErrorCode::NotFound,
                    "run " + std::to_string(run) + " has no step " + std::to_string(step));
    return std::move(rows.front());
}

Result<std::shared_ptr<SessionReader>> SessionReader::open(const std::filesystem::path& path) {
    auto access = TRY(SessionAccess::open(path));
    return std::make_shared<Reader>(path, std::move(access));
}

}  // namespace cubinlab
