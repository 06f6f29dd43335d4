// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/step_row.h"

#include <fmt/format.h>

#include <cmath>

#include "core/store/outcome_row.h"

namespace cubinlab {
namespace {

double finite(double value) {
    return std::isfinite(value) ? value : 0.0;
}

constexpr const char* kInserted =
    "run, step, parent, edit, reward, accepted, best, repeated, schedule_hash, time_us";
constexpr int kInsertedCount = 10, kEditCount = 7;

constexpr const char* kRead = "step, parent, edit, schedule_hash, reward, accepted, best, repeated, time_us";
constexpr int kReadCount = 9;

}  // namespace

const std::string& step_columns() {
    static const std::string columns = std::string(kRead) + ", " + outcome_columns();
    return columns;
}

std::optional<std::uint32_t> position_of_moved(const Mutation& mutation, const Schedule& schedule) {
    if (mutation.empty() || mutation.edits.front().kind == EditKind::Control ||
        mutation.instr() >= schedule.size())
        return std::nullopt;
    return schedule.position_of(mutation.instr());
}

const std::string& edit_columns() {
    static const std::string columns = [] {
        std::string out;
        for (const EditColumn& column : edit_values({}, {}))
            out += (out.empty() ? "" : ", ") + std::string(column.name);
        return out;
    }();
    return columns;
}

std::vector<EditColumn> edit_values(const StepRecord& record, const MovedFrom& moved) {
    const Mutation& mutation = record.mutation;
    std::optional<std::string> before, after;
    for (const Edit& edit : mutation.edits) {
        if (edit.kind != EditKind::Control) continue;
        before = edit.before.text();
        after = edit.after.text();
        break;
    }
    const auto number = [](std::optional<std::uint32_t> value) {
        return value ? std::optional(std::to_string(*value)) : std::nullopt;
    };
    return {
        {"kind", "edit", mutation.empty() ? "none" : to_string(mutation.kind())},
        {"instruction", "edit", number(mutation.empty() ? std::nullopt : std::optional(mutation.instr()))},
        {"from_position", "edit", number(moved.from)},
        {"to_position", "edit", number(moved.to)},
        {"control_before", "edit", before},
        {"control_after", "edit", after},
        {"legal", "outcome", record.outcome.kind != OutcomeKind::Illegal ? "1" : "0"}};
}

Result<sqlite::Statement> prepare_insert_step(const sqlite::Database& database) {
    return database.prepare(fmt::format("INSERT INTO mutations ({}, {}, {}) VALUES ({})", kInserted,
                                        edit_columns(), outcome_columns(),
                                        outcome_parameters(kInsertedCount + kEditCount)));
}

Status insert_step(sqlite::Statement& insert, RunId run, const StepRecord& record, const MovedFrom& moved) {
    TRY(insert.bind(run, record.step, record.parent, record.mutation.encode(), finite(record.reward),
                    record.accepted, record.best, record.repeated, record.schedule_hash.hex(),
                    record.time_us));
    int at = kInsertedCount;
    for (const EditColumn& column : edit_values(record, moved))
        TRY(insert.set(++at, column.value));  // a column of numbers takes them as such
    TRY(bind_outcome(insert, at + 1, record.outcome));
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
    record.outcome = TRY(read_outcome(row, kReadCount, where));
    return record;
}

}  // namespace cubinlab
