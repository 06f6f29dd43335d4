// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/sqlite.h"

#include <sqlite3.h>

#include <cerrno>
#include <utility>

namespace cubinlab::sqlite {

namespace {

// What our own statements and rows stay far below.
struct Limit {
    int id, value;
};
constexpr Limit kLimits[] = {
    {SQLITE_LIMIT_LENGTH, kMostValueBytes},
    {SQLITE_LIMIT_SQL_LENGTH, 100000},
    {SQLITE_LIMIT_COLUMN, 100},
    {SQLITE_LIMIT_EXPR_DEPTH, 40},
    {SQLITE_LIMIT_COMPOUND_SELECT, 4},
    {SQLITE_LIMIT_VDBE_OP, 100000},
    {SQLITE_LIMIT_FUNCTION_ARG, 16},
    {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100},
    {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
    {SQLITE_LIMIT_VARIABLE_NUMBER, 64},
    {SQLITE_LIMIT_WORKER_THREADS, 0},
};

// Whether a write failed for want of room. A failed commit is rolled back before anybody can ask for the connection's errno, so
// the files are asked for theirs, the log first.
bool no_room(sqlite3* db) {
    int of_log = 0, of_file = 0;
    sqlite3_file* log = nullptr;
    if (sqlite3_file_control(db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log) == SQLITE_OK && log != nullptr &&
        log->pMethods != nullptr)
        (void)log->pMethods->xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &of_log);
    (void)sqlite3_file_control(db, "main", SQLITE_FCNTL_LAST_ERRNO, &of_file);
    for (const int error : {sqlite3_system_errno(db), of_log, of_file})
        if (error == EFBIG || error == ENOSPC || error == EDQUOT) return true;
    return false;
}

// A path as an SQLite URI: the characters that mean something there are escaped.
std::string uri_of(const std::filesystem::path& path, const char* query) {
    // A file may be called ":memory:".
    std::string uri = path.is_relative() ? "file:./" : "file:";
    for (const char c : path.string()) {
        if (c == '?' || c == '#' || c == '%') {
            constexpr char kDigits[] = "0123456789abcdef";
            uri += '%';
            uri += kDigits[(static_cast<unsigned char>(c) >> 4) & 15];
            uri += kDigits[static_cast<unsigned char>(c) & 15];
        } else {
            uri += c;
        }
    }
    return uri + query;
}

}  // namespace

Error error_of(sqlite3* db, int code, const std::string& where) {
    const std::string said = db != nullptr ? sqlite3_errmsg(db) : sqlite3_errstr(code);
    switch (code & 0xff) {
        case SQLITE_NOTADB:
            return {ErrorCode::BadInput,
                    "not a CubinLab session (no SQLite database, or its first page is damaged)", where};
        case SQLITE_CORRUPT:
            return {ErrorCode::Corrupt,
                    "the session file is damaged or truncated (" + said +
                        "); a copy needs FILE-wal next to it where the session has one; else what is left can "
                        "be read "
                        "with: sqlite3 FILE .recover",
                    where};
        case SQLITE_FULL:
            return {ErrorCode::Io,
                    "no room to write the session (disk full, or its size limit reached); all steps "
                    "committed before are safe, free some space and resume the run",
                    where};
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
            return {ErrorCode::Busy, "another program has a write lock on the session; end its transaction",
                    where};
        case SQLITE_READONLY:
            return {ErrorCode::Io, "the session cannot be written (read-only file or folder)", where};
        case SQLITE_CANTOPEN:
            return {ErrorCode::Io,
                    "the session cannot be opened or created (does its folder exist, and may you write "
                    "there?)",
                    where};
        case SQLITE_TOOBIG:
            return {ErrorCode::Corrupt, "a value of the session is larger than any that is read or written",
                    where};
        case SQLITE_NOMEM:
            return {ErrorCode::Io, "out of memory while reading the session", where};
        case SQLITE_IOERR:
            if (db != nullptr && no_room(db)) return error_of(nullptr, SQLITE_FULL, where);
            return {ErrorCode::Io, "the system refused to read or write the session (" + said + ")", where};
        default:
            return {ErrorCode::Corrupt, "SQLite: " + said, where};
    }
}

void Statement::Finalize::operator()(sqlite3_stmt* handle) const {
    sqlite3_finalize(handle);
}

Status Statement::checked(int code) {
    if (code == SQLITE_OK) return {};
    return fail(error_of(db_, code, where_));
}

Status Statement::bind_integer(int index, std::int64_t value) {
    return checked(sqlite3_bind_int64(handle_.get(), index, value));
}
Status Statement::bind_one(int index, double value) {
    return checked(sqlite3_bind_double(handle_.get(), index, value));
}
Status Statement::bind_one(int index, std::nullopt_t) {
    return checked(sqlite3_bind_null(handle_.get(), index));
}
Status Statement::bind_one(int index, std::string_view value) {
    // A null pointer would bind NULL; an empty text is meant.
    const char* data = value.data() != nullptr ? value.data() : "";
    return checked(
        sqlite3_bind_text64(handle_.get(), index, data, value.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
}
Status Statement::bind_one(int index, std::span<const std::byte> value) {
    if (value.empty()) return checked(sqlite3_bind_zeroblob(handle_.get(), index, 0));
    return checked(sqlite3_bind_blob64(handle_.get(), index, value.data(), value.size(), SQLITE_TRANSIENT));
}

Result<bool> Statement::step() {
    const int code = sqlite3_step(handle_.get());
    if (code == SQLITE_ROW) return true;
    if (code == SQLITE_DONE) return false;
    Error error = error_of(db_, code, where_);
    sqlite3_reset(handle_.get());
    return fail(std::move(error));
}

Status Statement::run() {
    while (true) {
        bool row = TRY(step());
        if (!row) break;
    }
    reset();
    return {};
}

void Statement::reset() {
    sqlite3_reset(handle_.get());
}

bool Statement::null(int column) const {
    return sqlite3_column_type(handle_.get(), column) == SQLITE_NULL;
}
std::int64_t Statement::integer(int column) const {
    return sqlite3_column_int64(handle_.get(), column);
}
double Statement::real(int column) const {
    return sqlite3_column_double(handle_.get(), column);
}
std::string Statement::text(int column) const {
    const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(handle_.get(), column));
    return data != nullptr
               ? std::string(data, static_cast<std::size_t>(sqlite3_column_bytes(handle_.get(), column)))
               : std::string();
}
std::span<const std::byte> Statement::blob(int column) const {
    const auto* data = static_cast<const std::byte*>(sqlite3_column_blob(handle_.get(), column));
    return {data, static_cast<std::size_t>(sqlite3_column_bytes(handle_.get(), column))};
}

void Database::Close::operator()(sqlite3* db) const {
    sqlite3_close_v2(db);
}

Result<Database> Database::open(const std::string& uri, int flags, std::string where) {
    Database database;
    database.where_ = std::move(where);
    sqlite3* opened = nullptr;
    const int code = sqlite3_open_v2(uri.c_str(), &opened, flags | SQLITE_OPEN_NOMUTEX, nullptr);
    database.db_.reset(opened);
    if (code != SQLITE_OK) return fail(error_of(opened, code, database.where_));
    TRY(database.harden());
    return database;
}

Result<Database> Database::open(const std::filesystem::path& path, Mode mode) {
    constexpr int kFlags[] = {// by mode
                              SQLITE_OPEN_READONLY, SQLITE_OPEN_READWRITE,
                              SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, SQLITE_OPEN_READONLY};
    return open(uri_of(path, mode == Mode::Immutable ? "?immutable=1" : ""),
                kFlags[static_cast<std::size_t>(mode)] | SQLITE_OPEN_URI, path.string());
}

Result<Database> Database::open_scratch() {
    return open(":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY, {});
}

Status Database::harden() {
    sqlite3_extended_result_codes(db_.get(), 1);
    sqlite3_busy_timeout(db_.get(), 10000);
    sqlite3_db_config(db_.get(), SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(db_.get(), SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(db_.get(), SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    sqlite3_db_config(db_.get(), SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
    for (const Limit& limit : kLimits)
        sqlite3_limit(db_.get(), limit.id, limit.value);
    return exec("PRAGMA cell_size_check = ON");
}

Status Database::exec(const std::string& sql) {
    const int code = sqlite3_exec(db_.get(), sql.c_str(), nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) return fail(error_of(db_.get(), code, where_));
    return {};
}

Result<Statement> Database::prepare(std::string_view sql) const {
    sqlite3_stmt* handle = nullptr;
    const int code =
        sqlite3_prepare_v2(db_.get(), sql.data(), static_cast<int>(sql.size()), &handle, nullptr);
    if (code != SQLITE_OK) return fail(error_of(db_.get(), code, where_));
    return Statement(db_.get(), handle, where_);
}

Result<Statement> Database::first_row(std::string_view sql) const {
    auto statement = TRY(prepare(sql));
    auto row = TRY(statement.step());
    if (!row) return fail(ErrorCode::NotFound, "no such row", where_);
    return statement;
}

Result<std::int64_t> Database::integer(std::string_view sql) const {
    auto row = TRY(first_row(sql));
    return row.integer(0);
}

Result<std::string> Database::text(std::string_view sql) const {
    auto row = TRY(first_row(sql));
    return row.text(0);
}

std::int64_t Database::last_insert_id() const {
    return sqlite3_last_insert_rowid(db_.get());
}
bool Database::in_transaction() const {
    return sqlite3_get_autocommit(db_.get()) == 0;
}

bool Database::moved() const {
    int moved = 0;
    return sqlite3_file_control(db_.get(), "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved != 0;
}

Result<Snapshot> Snapshot::begin(Database& database) {
    TRY(database.exec("BEGIN"));
    return Snapshot(database);
}

Snapshot::~Snapshot() {
    if (database_ != nullptr && database_->in_transaction()) (void)database_->exec("COMMIT");
}

Result<Transaction> Transaction::begin(Database& database) {
    TRY(database.exec("BEGIN IMMEDIATE"));
    return Transaction(database);
}

Transaction::~Transaction() {
    // Some errors (a full disk) have rolled back by themselves already.
    if (database_ != nullptr && database_->in_transaction()) (void)database_->exec("ROLLBACK");
}

Status Transaction::commit() {
    TRY(database_->exec("COMMIT"));
    database_ = nullptr;
    return {};
}

}  // namespace cubinlab::sqlite
