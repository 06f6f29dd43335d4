// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/schema.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/store/outcome_row.h"

namespace cubinlab {
namespace {

// mutations and metrics are clustered by (run, step): rows arrive in that order, so an insert touches the
// last page only. The one index on mutations is partial: only the few rows with best = 1 touch it.
constexpr const char* kVersion1 = R"sql(
CREATE TABLE kernels (
    id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, arch TEXT NOT NULL, name TEXT NOT NULL,
    instructions INTEGER NOT NULL, cubin BLOB NOT NULL, cubin_hash TEXT NOT NULL, listing BLOB NOT NULL) STRICT;
CREATE TABLE workloads (
    id INTEGER PRIMARY KEY, kernel INTEGER NOT NULL REFERENCES kernels(id), json TEXT NOT NULL) STRICT;
CREATE TABLE machines (
    id INTEGER PRIMARY KEY, evaluator TEXT NOT NULL, device TEXT NOT NULL, unit TEXT NOT NULL,
    original_cost REAL NOT NULL, timer_step_us REAL NOT NULL, aa_spread REAL NOT NULL, detectable REAL NOT NULL,
    deterministic INTEGER NOT NULL, json TEXT NOT NULL) STRICT;
CREATE TABLE runs (
    id INTEGER PRIMARY KEY, kernel INTEGER NOT NULL REFERENCES kernels(id),
    workload INTEGER NOT NULL REFERENCES workloads(id),
    machine INTEGER NOT NULL REFERENCES machines(id), agent TEXT NOT NULL, settings TEXT NOT NULL,
    seed INTEGER NOT NULL, budget TEXT NOT NULL, start_run INTEGER NOT NULL, start_step INTEGER NOT NULL,
    start_hash TEXT NOT NULL, started TEXT NOT NULL, version TEXT NOT NULL,
    ended TEXT, end TEXT NOT NULL DEFAULT '', steps INTEGER, evaluated INTEGER, repeated INTEGER, failed INTEGER,
    best_step INTEGER, best_log_speedup REAL, best_low REAL, best_high REAL, best_cost REAL, seconds REAL) STRICT;
CREATE TABLE mutations (
    run INTEGER NOT NULL, step INTEGER NOT NULL, parent INTEGER NOT NULL, kind TEXT NOT NULL, instruction INTEGER,
    from_position INTEGER, to_position INTEGER, control_before TEXT, control_after TEXT, edit TEXT NOT NULL,
    legal INTEGER NOT NULL, outcome TEXT NOT NULL, verdict TEXT NOT NULL, reward REAL NOT NULL,
    log_speedup REAL NOT NULL, low REAL NOT NULL, high REAL NOT NULL, cost REAL NOT NULL, pairs INTEGER NOT NULL,
    accepted INTEGER NOT NULL, best INTEGER NOT NULL, repeated INTEGER NOT NULL, schedule_hash TEXT NOT NULL,
    time_us INTEGER NOT NULL, detail TEXT, samples BLOB, PRIMARY KEY (run, step)) STRICT, WITHOUT ROWID;
CREATE INDEX mutations_best ON mutations(run, step) WHERE best = 1;
CREATE TABLE keyframes (
    run INTEGER NOT NULL, step INTEGER NOT NULL, schedule_hash TEXT NOT NULL, schedule BLOB NOT NULL,
    PRIMARY KEY (run, step)) STRICT, WITHOUT ROWID;
CREATE TABLE measurements (
    id INTEGER PRIMARY KEY, run INTEGER NOT NULL, step INTEGER NOT NULL, purpose TEXT NOT NULL, made TEXT NOT NULL,
    outcome TEXT NOT NULL, verdict TEXT NOT NULL, log_speedup REAL NOT NULL, low REAL NOT NULL, high REAL NOT NULL,
    cost REAL NOT NULL, pairs INTEGER NOT NULL, samples BLOB, detail TEXT, json TEXT NOT NULL) STRICT;
CREATE TABLE metrics (
    run INTEGER NOT NULL, step INTEGER NOT NULL, name TEXT NOT NULL, value REAL,
    PRIMARY KEY (run, step, name)) STRICT, WITHOUT ROWID;
CREATE TABLE checkpoints (
    id INTEGER PRIMARY KEY, run INTEGER NOT NULL, step INTEGER NOT NULL, file TEXT NOT NULL, hash TEXT NOT NULL,
    made TEXT NOT NULL) STRICT;
CREATE TABLE notes (
    id INTEGER PRIMARY KEY, run INTEGER NOT NULL, step INTEGER NOT NULL, text TEXT NOT NULL, made TEXT NOT NULL) STRICT;
)sql";

// What a measurement is worth: which device of a pool made it, blocks set aside because the GPU was
// throttled, the error probability of the interval, energy, and the GPU's state during each block. NULL: not
// known.
constexpr const char* kVersion2 = R"sql(
ALTER TABLE mutations ADD COLUMN device INTEGER;
ALTER TABLE mutations ADD COLUMN set_aside INTEGER;
ALTER TABLE mutations ADD COLUMN alpha REAL;
ALTER TABLE mutations ADD COLUMN energy_mj REAL;
ALTER TABLE mutations ADD COLUMN reference_energy_mj REAL;
ALTER TABLE mutations ADD COLUMN states BLOB;
ALTER TABLE measurements ADD COLUMN device INTEGER;
ALTER TABLE measurements ADD COLUMN set_aside INTEGER;
ALTER TABLE measurements ADD COLUMN alpha REAL;
ALTER TABLE measurements ADD COLUMN energy_mj REAL;
ALTER TABLE measurements ADD COLUMN reference_energy_mj REAL;
ALTER TABLE measurements ADD COLUMN states BLOB;
)sql";

// What the agent had to leave alone (instruction_ranges.h). NULL: everything was open, or a version that did
// not say wrote it.
constexpr const char* kVersion3 = R"sql(
ALTER TABLE runs ADD COLUMN locked TEXT;
)sql";

// What a run needs to go on without proposing all of its steps again: the newest state of its agent and of the run
// itself, and how many proposals it has in flight. NULL: a version that did not say wrote it.
constexpr const char* kVersion4 = R"sql(
CREATE TABLE states (
    run INTEGER PRIMARY KEY, step INTEGER NOT NULL, hash TEXT NOT NULL, state BLOB NOT NULL) STRICT;
ALTER TABLE runs ADD COLUMN batch INTEGER;
)sql";

// What judged the later parts of a run that was resumed, from `first` on; runs.machine is that of its first part. What was
// resumed by a version before has no rows.
constexpr const char* kVersion6 = R"sql(
CREATE TABLE parts (
    run INTEGER NOT NULL, first INTEGER NOT NULL, machine INTEGER NOT NULL REFERENCES machines(id),
    PRIMARY KEY (run, first)) STRICT, WITHOUT ROWID;
)sql";

// What ties a log to its session (session_id.h): one row. A run is resumed by replay and an agent keeps no file.
constexpr const char* kVersion9 = R"sql(
CREATE TABLE session (id TEXT NOT NULL, commits INTEGER NOT NULL) STRICT;
INSERT INTO session VALUES (lower(hex(randomblob(16))), 0);
DROP TABLE IF EXISTS states;
DROP TABLE IF EXISTS checkpoints;
)sql";

// Rungs above the first release's, whatever else they bring.
constexpr int kNewest = 9;

std::string rung(int to) {
    const std::string own = to == 4 ? kVersion4 : to == 6 ? kVersion6 : to == 9 ? kVersion9 : "";
    return own + outcome_migration(to);
}

const std::vector<Migration>& ladder_of_releases() {
    static const std::vector<Migration> ladder = [] {
        std::vector<Migration> out = {
            {1, [](sqlite::Database& database) { return database.exec(kVersion1); }},
            {2, [](sqlite::Database& database) { return database.exec(kVersion2); }},
            {3, [](sqlite::Database& database) { return database.exec(kVersion3); }},
        };
        // Later ones bring the columns of new fields of an outcome, too, by its visitor.
        for (int to = kReleasedSchema + 1; to <= std::max(kNewest, newest_outcome_schema()); ++to)
            out.push_back({to, [to](sqlite::Database& database) { return database.exec(rung(to)); }});
        return out;
    }();
    return ladder;
}

}  // namespace

std::span<const Migration> session_migrations() {
    return ladder_of_releases();
}
int current_schema_version() {
    return session_migrations().back().to;
}

Result<int> schema_version(const sqlite::Database& database, std::span<const Migration> ladder) {
    auto application = TRY(database.integer("PRAGMA application_id"));
    auto version = TRY(database.integer("PRAGMA user_version"));
    auto tables = TRY(database.integer("SELECT count(*) FROM sqlite_master"));
    const bool empty = tables == 0 && version == 0 && application == 0;
    if (empty) return 0;
    if (application != kApplicationId) {
        return fail(ErrorCode::BadInput,
                    "an SQLite database, but not a CubinLab session; choose another file", database.where());
    }
    if (version > ladder.back().to) {
        return fail(ErrorCode::BadInput,
                    "written by a newer CubinLab (schema " + std::to_string(version) +
                        ", this program knows " + std::to_string(ladder.back().to) +
                        "); update CubinLab to open it",
                    database.where());
    }
    return static_cast<int>(version);
}

Status migrate(sqlite::Database& database, std::span<const Migration> ladder) {
    auto transaction = TRY(sqlite::Transaction::begin(database));
    // Inside the transaction: nobody changes it under us.
    auto version = TRY(schema_version(database, ladder));
    for (const Migration& migration : ladder) {
        if (migration.to <= version) continue;
        TRY(migration.apply(database));
        TRY(database.exec("PRAGMA user_version = " + std::to_string(migration.to)));
    }
    TRY(database.exec("PRAGMA application_id = " + std::to_string(kApplicationId)));
    return transaction.commit();
}

}  // namespace cubinlab
