// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/schema.h"

#include <fmt/format.h>

#include <string>

#include "core/store/outcome_row.h"

namespace cubinlab {
namespace {

// These tables are as in schema 8.
constexpr const char* kUnchanged = R"sql(
CREATE TABLE kernels (
    id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, arch TEXT NOT NULL, name TEXT NOT NULL,
    instructions INTEGER NOT NULL, cubin BLOB NOT NULL, cubin_hash TEXT NOT NULL, listing BLOB NOT NULL) STRICT;
CREATE TABLE workloads (
    id INTEGER PRIMARY KEY, kernel INTEGER NOT NULL REFERENCES kernels(id), json TEXT NOT NULL) STRICT;
CREATE TABLE machines (
    id INTEGER PRIMARY KEY, evaluator TEXT NOT NULL, device TEXT NOT NULL, unit TEXT NOT NULL,
    original_cost REAL NOT NULL, timer_step_us REAL NOT NULL, aa_spread REAL NOT NULL, detectable REAL NOT NULL,
    deterministic INTEGER NOT NULL, json TEXT NOT NULL) STRICT;
CREATE TABLE keyframes (
    run INTEGER NOT NULL, step INTEGER NOT NULL, schedule_hash TEXT NOT NULL, schedule BLOB NOT NULL,
    PRIMARY KEY (run, step)) STRICT, WITHOUT ROWID;
CREATE TABLE metrics (
    run INTEGER NOT NULL, step INTEGER NOT NULL, name TEXT NOT NULL, value REAL,
    PRIMARY KEY (run, step, name)) STRICT, WITHOUT ROWID;
CREATE TABLE notes (
    id INTEGER PRIMARY KEY, run INTEGER NOT NULL, step INTEGER NOT NULL, text TEXT NOT NULL, made TEXT NOT NULL) STRICT;
CREATE TABLE parts (
    run INTEGER NOT NULL, first INTEGER NOT NULL, machine INTEGER NOT NULL REFERENCES machines(id),
    PRIMARY KEY (run, first)) STRICT, WITHOUT ROWID;
)sql";

// `mutations` is clustered by (run, step): rows arrive in that order, so an insert touches the last page only. Its one
// index is partial: only the few rows with best = 1 touch it.
std::string changed_tables() {
    return fmt::format(R"sql(
CREATE TABLE session (id TEXT NOT NULL, commits INTEGER NOT NULL) STRICT;
INSERT INTO session VALUES (lower(hex(randomblob(16))), 0);
CREATE TABLE runs (
    id INTEGER PRIMARY KEY, kernel INTEGER NOT NULL REFERENCES kernels(id),
    workload INTEGER NOT NULL REFERENCES workloads(id), machine INTEGER NOT NULL REFERENCES machines(id),
    agent TEXT NOT NULL, settings TEXT NOT NULL, seed INTEGER NOT NULL, budget TEXT NOT NULL,
    start_run INTEGER NOT NULL, start_step INTEGER NOT NULL, start_hash TEXT NOT NULL, locked TEXT NOT NULL,
    batch INTEGER NOT NULL, started TEXT NOT NULL, version TEXT NOT NULL, ended TEXT,
    end TEXT NOT NULL DEFAULT '', steps INTEGER NOT NULL DEFAULT 0, tuning INTEGER NOT NULL DEFAULT 0,
    code TEXT NOT NULL DEFAULT '', chosen INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE mutations (
    run INTEGER NOT NULL, step INTEGER NOT NULL, parent INTEGER NOT NULL, reference_step INTEGER, kind TEXT NOT NULL,
    instruction INTEGER, edit TEXT NOT NULL, reward REAL NOT NULL, accepted INTEGER NOT NULL, best INTEGER NOT NULL,
    repeated INTEGER NOT NULL, schedule_hash TEXT NOT NULL, time_us INTEGER NOT NULL, {0},
    PRIMARY KEY (run, step)) STRICT, WITHOUT ROWID;
CREATE INDEX mutations_best ON mutations(run, step) WHERE best = 1;
CREATE TABLE starts (
    run INTEGER NOT NULL, name TEXT NOT NULL, recipe BLOB NOT NULL, code TEXT, cubin BLOB, cubin_hash TEXT,
    problem TEXT NOT NULL, PRIMARY KEY (run, name)) STRICT;
CREATE INDEX starts_code ON starts(code) WHERE cubin IS NOT NULL;
CREATE TABLE measurements (
    id INTEGER PRIMARY KEY, run INTEGER NOT NULL, step INTEGER NOT NULL, purpose TEXT NOT NULL, made TEXT NOT NULL,
    json TEXT NOT NULL, {0}) STRICT;
)sql",
                       outcome_definitions());
}

// A file of schema 8 does not say what a step was compared with: reference_step stays NULL.
std::string migration_from_8() {
    const std::string outcome = outcome_columns(), from = outcome_columns_of_8();
    return "DROP TABLE states; DROP TABLE checkpoints; DROP INDEX mutations_best;"
           "ALTER TABLE runs RENAME TO runs_8; ALTER TABLE mutations RENAME TO mutations_8;"
           "ALTER TABLE measurements RENAME TO measurements_8;" +
           changed_tables() +
           fmt::format(R"sql(
INSERT INTO runs SELECT id, kernel, workload, machine, agent, settings, seed, budget, start_run, start_step, start_hash,
    coalesce(locked, ''), coalesce(batch, 0), started, version, ended, end, coalesce(steps, 0), 0, '', 0 FROM runs_8;
INSERT INTO mutations (run, step, parent, kind, instruction, edit, reward, accepted, best, repeated, schedule_hash,
    time_us, {0}) SELECT run, step, parent, kind, instruction, edit, reward, accepted, best, repeated, schedule_hash,
    time_us, {1} FROM mutations_8 ORDER BY run, step;
INSERT INTO measurements (id, run, step, purpose, made, json, {0})
    SELECT id, run, step, purpose, made, json, {1} FROM measurements_8 ORDER BY id;
DROP TABLE runs_8; DROP TABLE mutations_8; DROP TABLE measurements_8;
)sql",
                       outcome, from);
}

}  // namespace

Result<int> schema_version(const sqlite::Database& database) {
    auto application = TRY(database.integer("PRAGMA application_id"));
    auto version = TRY(database.integer("PRAGMA user_version"));
    auto tables = TRY(database.integer("SELECT count(*) FROM sqlite_master"));
    const bool empty = tables == 0 && version == 0 && application == 0;
    if (empty) return 0;
    if (application != kApplicationId) {
        return fail(ErrorCode::BadInput,
                    "an SQLite database, but not a CubinLab session; choose another file", database.where());
    }
    if (version > kSchema)
        return fail(ErrorCode::BadInput,
                    fmt::format("written by a newer CubinLab (schema {}, this program knows {}); update "
                                "CubinLab to open it",
                                version, kSchema),
                    database.where());
    if (version < kOldestSchema)
        return fail(
            ErrorCode::BadInput,
            fmt::format("written by an older CubinLab (schema {}, this program reads {} and {}); open "
                        "it with CubinLab 0.1 and export what you need, or run it again with this "
                        "program into another file",
                        version, kOldestSchema, kSchema),
            database.where());
    return static_cast<int>(version);
}

Status migrate(sqlite::Database& database) {
    auto transaction = TRY(sqlite::Transaction::begin(database));
    // Inside the transaction: no other program changes the file meanwhile.
    const int version = TRY(schema_version(database));
    if (version == kSchema) return {};
    TRY(database.exec(version == 0 ? kUnchanged + changed_tables() : migration_from_8()));
    TRY(database.exec(
        fmt::format("PRAGMA user_version = {}; PRAGMA application_id = {}", kSchema, kApplicationId)));
    return transaction.commit();
}

}  // namespace cubinlab
