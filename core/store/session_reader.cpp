// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <utility>

#include "core/store/compress.h"
#include "core/store/instruction_ranges.h"
#include "core/store/outcome_row.h"
#include "core/store/rebuilder.h"
#include "core/store/session.h"
#include "core/store/session_access.h"
#include "core/store/session_checks.h"
#include "core/store/step_row.h"

namespace cubinlab {
namespace {

// Locked instructions of all runs of a list together; far above what any session holds, far below what fills
// the memory.
constexpr std::size_t kMostLocked = std::size_t{1} << 22;

// The same for what the machines of resumed parts say.
constexpr std::size_t kMostOfParts = std::size_t{1} << 26;  // bytes

constexpr const char* kMachineColumns =
    "m.evaluator, m.device, m.unit, m.original_cost, m.timer_step_us, m.aa_spread, m.detectable, "
    "m.deterministic, m.json";

std::string run_rows(const std::string& which) {
    return fmt::format(
        "SELECT r.id, r.agent, r.settings, r.seed, r.budget, r.start_run, r.start_step, r.start_hash, "
        "r.started, r.version, r.ended IS NOT NULL, r.end, r.best_step, r.best_log_speedup, "
        "{}, r.locked, k.instructions, r.batch "
        "FROM runs r JOIN machines m ON m.id = r.machine JOIN kernels k ON k.id = r.kernel {}",
        kMachineColumns, which);
}

// A run's own row: what it says of its steps and its best counts only when it has ended.
struct RunRow {
    RunInfo info;
    bool ended = false;
};

// Every method holds the mutex for its whole query, so a reader may be shared between threads, and no
// statement stays open behind it (an open one would keep the WAL from starting over).
class Reader : public SessionReader {
  public:
    Reader(std::filesystem::path path, std::unique_ptr<SessionAccess> access)
        : path_(std::move(path)), access_(std::move(access)) {}

    Result<KernelPtr> kernel() override;
    Result<std::string> workload_json() override;
    Result<std::string> listing_text() override;
    Result<std::vector<RunInfo>> runs() override;
    Result<RunInfo> run(RunId id) override;
    Result<std::vector<StepRecord>> steps(RunId run, StepId after, std::size_t count) override;
    Result<std::vector<StepRecord>> steps_at(RunId run, std::span<const StepId> wanted) override;
    Result<std::vector<StepRecord>> best_steps(RunId run, StepId after, std::size_t count) override;
    Result<std::vector<StepFigure>> figures(RunId run, StepId after, std::size_t count) override;
    Result<std::uint64_t> confirmations(RunId run, StepId after, StepId last, double most) override;
    Result<std::vector<std::pair<StepId, Hash128>>> hashes(RunId run, StepId after, StepId last,
                                                           std::size_t count) override;
    Result<std::optional<SavedState>> state(RunId run) override;
    Result<std::vector<MetricPoint>> metrics(RunId run, StepId after) override;
    Result<Schedule> schedule_at(const KernelPtr& kernel, RunId run, StepId step) override;
    Result<StepId> best_step(RunId run) override;
    Status whole(RunId run) override;
    Result<std::uint64_t> verify(const KernelPtr& kernel, RunId run) override;
    Result<std::vector<MeasurementRecord>> measurements(RunId run) override;
    Result<std::vector<NoteRecord>> notes(RunId run) override;
    std::optional<int> writer_process() override { return access_->writer(); }

  private:
    template <class Row, class Read, class... Args>
    Result<std::vector<Row>> rows(const std::string& sql, Read read, const Args&... args) {
        auto statement = TRY(access_->database().prepare(sql));
        TRY(statement.bind(args...));
        std::vector<Row> result;
        while (true) {
            auto more = TRY(statement.step());
            if (!more) return result;
            Result<Row> row = read(statement);
            if (!row) return fail(row.error().code, row.error().message(), path_.string());
            result.push_back(std::move(*row));
        }
    }
    // The connection, for one caller at a time.
    struct Turn {
        std::unique_lock<std::mutex> guard;
        SessionAccess::Use use;
    };
    // To be held by a name: what nobody names is let go at once.
    Result<Turn> begin() {
        std::unique_lock guard(mutex_);
        auto use = TRY(access_->use([this] { rebuilder_.reset(); }));
        return Turn{std::move(guard), std::move(use)};
    }
    Result<std::vector<StepRecord>> page(RunId run, StepId after, std::size_t count, bool best_only = false);
    Result<RunInfo> complete(RunInfo info, bool ended);
    using Parts = std::map<RunId, std::vector<RunPart>>;
    Result<Parts> later_parts(RunId run);  // run 0: of all
    struct LastBest {
        StepId step = 0;
        double log_speedup = 0;
    };
    Result<LastBest> last_best(RunId run);
    Status row_agrees(const RunInfo& info);
    Status log_is_whole(RunId run);
    Result<StepId> steps_counted(RunId run);
    Result<RunRow> run_row(RunId id);  // id 0: the newest
    Result<RunInfo> find_run(RunId id);
    Status require_kernel(const KernelPtr& kernel);
    Result<std::string> expected_hash(RunId run, StepId step);

    std::filesystem::path path_;
    std::mutex mutex_;
    std::unique_ptr<SessionAccess> access_;
    std::optional<Rebuilder> rebuilder_;  // declared after the connection that its statements belong to
    RunId rebuilder_run_ = 0;
    KernelPtr rebuilder_kernel_;
};

// From kMachineColumns, the first of which is column `at`.
EvaluatorInfo read_machine(const sqlite::Statement& row, int at) {
    EvaluatorInfo out;
    out.kind = row.text(at) == to_string(EvaluatorKind::Gpu) ? EvaluatorKind::Gpu : EvaluatorKind::Model;
    out.device = row.text(at + 1);
    out.unit = row.text(at + 2);
    out.original_cost = row.real(at + 3);
    out.timer_step_us = row.real(at + 4);
    out.aa_spread = row.real(at + 5);
    out.detectable = row.real(at + 6);
    out.deterministic = row.integer(at + 7) != 0;
    out.json = row.text(at + 8);
    return out;
}

Result<RunRow> read_run(const sqlite::Statement& row) {
    RunRow result;
    RunInfo& info = result.info;
    info.id = row.integer(0);
    info.agent = row.text(1);
    info.agent_settings = row.text(2);
    info.seed = static_cast<std::uint64_t>(row.integer(3));
    info.budget = row.text(4);
    info.start_run = row.integer(5);
    info.start_parent = row.integer(6);
    const auto hash = Hash128::from_hex(row.text(7));
    if (!hash) return fail(ErrorCode::Corrupt, "run " + std::to_string(info.id) + " has no start hash");
    info.start_hash = *hash;
    info.started = row.text(8);
    info.version = row.text(9);
    result.ended = row.integer(10) != 0;
    info.end = row.text(11);
    info.best_step = row.integer(12);
    info.best_log_speedup = row.real(13);
    info.evaluator = read_machine(row, 14);
    const std::int64_t size = std::clamp<std::int64_t>(row.integer(24), 0, kMostLocked);
    const auto locked = ranges_from(row.text(23), static_cast<std::size_t>(size));
    if (!locked)
        return fail(ErrorCode::Corrupt,
                    "run " + std::to_string(info.id) +
                        " has unreadable locks: its column `locked` is not of the form \"3 7 12-15\", or "
                        "names instructions that the kernel does not have");
    info.locked = *locked;
    info.batch = static_cast<std::uint32_t>(std::clamp<std::int64_t>(row.integer(25), 0, kMostBatch));
    return result;
}

// What the run's own row does not say while it runs, or never says because it was killed.
Result<RunInfo> Reader::complete(RunInfo info, bool ended) {
    const std::string run = std::to_string(info.id);
    auto steps =
        TRY(access_->database().integer("SELECT coalesce(max(step), 0) FROM mutations WHERE run = " + run));
    info.steps = static_cast<std::uint64_t>(steps);
    if (ended) return info;
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
                 part.evaluator.json.size();
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

Result<RunRow> Reader::run_row(RunId id) {
    const std::string which = id == 0 ? "ORDER BY r.id DESC LIMIT 1" : "WHERE r.id = ?";
    auto found =
        TRY(id == 0 ? rows<RunRow>(run_rows(which), read_run) : rows<RunRow>(run_rows(which), read_run, id));
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
    auto parts = TRY(later_parts(found.info.id));
    found.info.later_parts = std::move(parts[found.info.id]);
    return complete(std::move(found.info), found.ended);
}

Result<KernelPtr> Reader::kernel() {
    const auto turn = TRY(begin());
    auto statement = TRY(
        access_->database().prepare("SELECT name, hash, cubin, cubin_hash FROM kernels ORDER BY id LIMIT 1"));
    auto row = TRY(statement.step());
    if (!row)
        return fail(ErrorCode::Corrupt,
                    "the session holds no kernel: what made it was stopped before its first step; remove the "
                    "file and "
                    "start again",
                    path_.string());
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

Result<std::string> Reader::workload_json() {
    const auto turn = TRY(begin());
    return access_->database().text("SELECT json FROM workloads ORDER BY id DESC LIMIT 1");
}

Result<std::string> Reader::listing_text() {
    const auto turn = TRY(begin());
    auto statement = TRY(access_->database().prepare("SELECT listing FROM kernels ORDER BY id LIMIT 1"));
    auto row = TRY(statement.step());
    if (!row) return fail(ErrorCode::Corrupt, "the session holds no kernel", path_.string());
    auto bytes = decompress(statement.blob(0));
    if (!bytes) return fail(ErrorCode::Corrupt, "the stored listing: " + bytes.error().what, path_.string());
    return std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size());
}

Result<std::vector<RunInfo>> Reader::runs() {
    const auto turn = TRY(begin());
    auto found = TRY(rows<RunRow>(run_rows("ORDER BY r.id"), read_run));
    auto parts = TRY(later_parts(0));
    std::vector<RunInfo> result;
    std::size_t locked = 0;
    for (RunRow& row : found) {
        locked += row.info.locked.size();
        if (locked > kMostLocked)
            return fail(ErrorCode::Corrupt, "the runs lock more instructions than kernels have",
                        path_.string());
        row.info.later_parts = std::move(parts[row.info.id]);
        auto info = TRY(complete(std::move(row.info), row.ended));
        result.push_back(std::move(info));
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
    const RunInfo info = TRY(run_row(run)).info;
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
                return fail(ErrorCode::Corrupt, "the row holds no hash", "step " + std::to_string(step));
            after = step;
            return std::pair(step, *hash);
        },
        run, after, last, static_cast<std::int64_t>(count));
}

// One that is damaged is none: everything can be proposed again.
Result<std::optional<SavedState>> Reader::state(RunId run) {
    const auto turn = TRY(begin());
    constexpr std::size_t kMost = std::size_t{64} << 20;
    auto found = TRY(rows<std::optional<SavedState>>(
        "SELECT step, hash, state FROM states WHERE run = ?",
        [](const sqlite::Statement& row) -> Result<std::optional<SavedState>> {
            auto bytes = decompress(row.blob(2), kMost);
            if (!bytes || hash_bytes(*bytes).hex() != row.text(1)) return std::optional<SavedState>();
            return std::optional(SavedState{row.integer(0), std::move(*bytes)});
        },
        run));
    return found.empty() ? std::optional<SavedState>() : std::move(found.front());
}

Result<std::vector<MetricPoint>> Reader::metrics(RunId run, StepId after) {
    const auto turn = TRY(begin());
    const RunInfo info = TRY(run_row(run)).info;
    return rows<MetricPoint>(
        "SELECT step, name, value FROM metrics WHERE run = ? AND step > ? ORDER BY step, name",
        [](const sqlite::Statement& row) -> Result<MetricPoint> {
            const double none = std::numeric_limits<double>::quiet_NaN();
            return MetricPoint{row.integer(0), row.text(1), row.null(2) ? none : row.real(2)};
        },
        info.id, after);
}

Status Reader::require_kernel(const KernelPtr& kernel) {
    auto hash = TRY(access_->database().text("SELECT hash FROM kernels ORDER BY id LIMIT 1"));
    if (kernel->hash().hex() == hash) return {};
    return fail(ErrorCode::BadInput,
                "the session is of another kernel than " + kernel->name() + " (code " + kernel->hash().hex() +
                    ", the session's " + hash + ")",
                path_.string());
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

Result<Schedule> Reader::schedule_at(const KernelPtr& kernel, RunId run, StepId step) {
    const auto turn = TRY(begin());
    const RunInfo info = TRY(run_row(run)).info;
    TRY(require_kernel(kernel));
    auto hash = TRY(expected_hash(info.id, step));
    // Kept between calls: scrubbing through a run asks for neighbours.
    if (!rebuilder_ || rebuilder_run_ != info.id || rebuilder_kernel_ != kernel) {
        rebuilder_ = TRY(Rebuilder::create(access_->database(), kernel, info.id));
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

Result<StepId> Reader::best_step(RunId run) {
    const auto turn = TRY(begin());
    const RunInfo info = TRY(find_run(run));
    TRY(row_agrees(info));
    return info.best_step;
}

// Steps are counted where a run or a part of it ends, and a state is kept behind its step, so the log never has fewer.
Result<StepId> Reader::steps_counted(RunId run) {
    return access_->database().integer(
        fmt::format("SELECT max(coalesce((SELECT steps FROM runs WHERE id = {0}), 0), "
                    "coalesce((SELECT max(step) FROM states WHERE run = {0}), 0))",
                    run));
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
                    "export {} --run {} --what step:N --out OUT.cubin`",
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

Result<std::uint64_t> Reader::verify(const KernelPtr& kernel, RunId run) {
    const auto turn = TRY(begin());
    const RunInfo info = TRY(run_row(run)).info;
    TRY(require_kernel(kernel));
    auto rebuilder = TRY(Rebuilder::create(access_->database(), kernel, info.id));
    auto start = rebuilder.at(0);
    if (!start) return fail(start.error().code, start.error().message(), path_.string());
    if (start->hash() != info.start_hash)
        return fail(ErrorCode::Corrupt, "the start schedule does not have the hash stored with it",
                    path_.string());
    constexpr std::size_t kPage = 4096;
    const auto lost = [&](StepId step) {
        return fail(ErrorCode::Corrupt,
                    fmt::format("run {}, step {} is missing from the log", info.id, step), path_.string());
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
            record.json = row.text(3);
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

}  // namespace

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
