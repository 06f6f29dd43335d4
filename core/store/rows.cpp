// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/base/bounded_json.h"
#include "core/result/measurement_json.h"
#include "core/store/instruction_ranges.h"
#include "core/store/outcome_row.h"

namespace cubinlab {
namespace {

double finite(double value) {
    return std::isfinite(value) ? value : 0.0;
}

constexpr const char* kInserted =
    "run, step, parent, reference_step, kind, instruction, edit, reward, accepted, best, repeated, "
    "schedule_hash, "
    "time_us";
constexpr int kInsertedCount = 13;

constexpr const char* kRead =
    "step, parent, edit, schedule_hash, reward, accepted, best, repeated, time_us, reference_step";
constexpr int kReadCount = 10;

}  // namespace

const char* const kMachineColumns =
    "m.evaluator, m.device, m.unit, m.original_cost, m.timer_step_us, m.aa_spread, m.detectable, "
    "m.deterministic, m.json";

std::string run_rows(const std::string& which) {
    return fmt::format(
        "SELECT r.id, r.agent, r.settings, r.seed, r.budget, r.start_run, r.start_step, r.start_hash, "
        "r.started, r.version, r.end, {}, r.locked, k.instructions, r.batch, r.tuning, "
        "r.code, r.chosen "
        "FROM runs r JOIN machines m ON m.id = r.machine JOIN kernels k ON k.id = r.kernel {}",
        kMachineColumns, which);
}

EvaluatorInfo read_machine(const sqlite::Statement& row, int at) {
    EvaluatorInfo out;
    out.kind = row.text(at) == to_string(EvaluatorKind::Gpu) ? EvaluatorKind::Gpu : EvaluatorKind::Model;
    out.device = row.text(at + 1);
    out.unit = row.text(at + 2);
    // Whatever the file calls it: what the model made is shown as nothing else.
    if (out.kind == EvaluatorKind::Model) {
        if (!out.device.starts_with("SM model")) out.device = kNotItsDevice;
        out.unit = "modelled cycles";
    }
    out.original_cost = row.real(at + 3);
    out.timer_step_us = row.real(at + 4);
    out.aa_spread = row.real(at + 5);
    out.detectable = row.real(at + 6);
    out.deterministic = row.integer(at + 7) != 0;
    read_facts(parse_json_or_discard(row.text(at + 8)), out);
    return out;
}

Result<RunInfo> read_run(const sqlite::Statement& row) {
    RunInfo info;
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
    info.end = row.text(10);
    info.evaluator = read_machine(row, 11);
    const std::int64_t size = std::clamp<std::int64_t>(row.integer(21), 0, kMostLocked);
    const auto locked = ranges_from(row.text(20), static_cast<std::size_t>(size));
    if (!locked)
        return fail(ErrorCode::Corrupt,
                    "run " + std::to_string(info.id) +
                        " has unreadable locks: its column `locked` is not of the form \"3 7 12-15\", or "
                        "names instructions that the kernel does not have");
    info.locked = *locked;
    info.batch = static_cast<std::uint32_t>(std::clamp<std::int64_t>(row.integer(22), 0, kMostBatch));
    info.tuning = row.integer(23) > 0 ? row.integer(23) : info.id;
    if (const std::string code = row.text(24); !code.empty()) {
        const auto of_start = Hash128::from_hex(code);
        if (!of_start) return fail(ErrorCode::Corrupt, "run " + std::to_string(info.id) + " names no code");
        info.code = *of_start;
    }
    info.chosen = row.integer(25) != 0;
    return info;
}

const std::string& step_columns() {
    static const std::string columns = std::string(kRead) + ", " + outcome_columns();
    return columns;
}

Result<sqlite::Statement> prepare_insert_step(const sqlite::Database& database) {
    return database.prepare(fmt::format("INSERT INTO mutations ({}, {}) VALUES ({})", kInserted,
                                        outcome_columns(), outcome_parameters(kInsertedCount)));
}

Status insert_step(sqlite::Statement& insert, RunId run, const StepRecord& record) {
    const Mutation& mutation = record.mutation;
    const std::string kind = mutation.empty() ? "none" : to_string(mutation.kind());
    const auto instruction = mutation.empty() ? std::nullopt : std::optional(mutation.instr());
    TRY(insert.bind(run, record.step, record.parent, record.reference_step, kind, instruction,
                    mutation.encode(), finite(record.reward), record.accepted, record.best, record.repeated,
                    record.schedule_hash.hex(), record.time_us));
    TRY(bind_outcome(insert, kInsertedCount + 1, record.outcome));
    return insert.run();
}

Result<StepRecord> read_step(const sqlite::Statement& row) {
    StepRecord record;
    record.step = row.integer(0);
    record.parent = row.integer(1);
    const std::string where = "step " + std::to_string(record.step);
    if (const std::string edit = row.text(2); !edit.empty()) {
        auto mutation = Mutation::decode(edit);
        if (!mutation)
            return fail(ErrorCode::Corrupt, "the edit is unreadable: " + mutation.error().what, where);
        record.mutation = std::move(*mutation);
    }
    const auto hash = Hash128::from_hex(row.text(3));
    if (!hash) return fail(ErrorCode::Corrupt, "the row has no hash", where);
    record.schedule_hash = *hash;
    record.reward = row.real(4);
    if (!std::isfinite(record.reward)) return fail(ErrorCode::Corrupt, "its reward is not a number", where);
    record.accepted = row.integer(5) != 0;
    record.best = row.integer(6) != 0;
    record.repeated = row.integer(7) != 0;
    record.time_us = row.integer(8);
    record.reference_step = row.null(9) ? std::nullopt : std::optional(row.integer(9));
    record.outcome = TRY(read_outcome(row, kReadCount, where));
    return record;
}

Status store_step_count(sqlite::Database& database, RunId run) {
    return sqlite::run_once(
        database,
        "UPDATE runs SET steps = (SELECT coalesce(max(step), 0) FROM mutations WHERE run = ?1) WHERE id = ?1",
        run);
}

}  // namespace cubinlab
