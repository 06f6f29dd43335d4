// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/step_row.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

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
    if (!hash) return fail(ErrorCode::Corrupt, "the row holds no hash", where);
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

}  // namespace cubinlab
