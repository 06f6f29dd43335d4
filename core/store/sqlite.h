// SPDX-License-Identifier: GPL-3.0-or-later
// A small RAII wrapper over the SQLite C API: errors as values, one connection per thread (NOMUTEX).
//
//   auto db = TRY(sqlite::Database::open(path, sqlite::Mode::ReadOnly));
//   auto rows = TRY(db.prepare("SELECT step, edit FROM mutations WHERE run = ?"));
//   TRY(rows.bind(run));
//   while (true) {
//       const bool more = TRY(rows.step());
//       if (!more) break;
//       rows.text(1);
//   }
//
// Every connection is set up as SQLite's own page about untrusted files advises: defensive mode, an untrusted
// schema, no triggers, no views, checked cell sizes, and limits on lengths and counts.
#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/hash.h"
#include "core/base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace cubinlab::sqlite {

enum class Mode {
    ReadOnly,
    ReadWrite,
    Create,     // ReadWrite, made if absent
    Immutable,  // ReadOnly and nobody may be writing: for a folder that cannot take SQLite's side files
};

// The error of the last failed call on `db`, in words that say what to do. `where` is the file.
Error error_of(sqlite3* db, int code, const std::string& where);

// Longest text or blob that is read or written, bytes.
inline constexpr int kMostValueBytes = 256 << 20;

class Statement {
  public:
    Statement() = default;

    // Binds all parameters, after a reset. Texts and blobs are copied.
    template <class... Args>
    Status bind(const Args&... args) {
        reset();
        int index = 0;
        Status status;
        ((status = status ? bind_one(++index, args) : std::move(status)), ...);
        return status;
    }
    // One more parameter, from 1 on, of a statement that was bound or reset.
    template <class T>
    Status set(int index, const T& value) {
        return bind_one(index, value);
    }
    Result<bool> step();  // true: a row is there; false: done
    Status run();         // a statement with no rows, then reset
    void reset();

    bool null(int column) const;
    std::int64_t integer(int column) const;
    double real(int column) const;
    std::string text(int column) const;
    std::span<const std::byte> blob(int column) const;  // valid until the next step or reset

  private:
    friend class Database;
    Statement(sqlite3* db, sqlite3_stmt* handle, std::string where)
        : db_(db), handle_(handle), where_(std::move(where)) {}
    Status bind_integer(int index, std::int64_t value);
    template <std::integral T>
    Status bind_one(int index, T value) {
        return bind_integer(index, static_cast<std::int64_t>(value));
    }
    Status bind_one(int index, double value);
    Status bind_one(int index, std::string_view value);
    Status bind_one(int index, std::span<const std::byte> value);
    Status bind_one(int index, std::nullopt_t);
    template <class T>
    Status bind_one(int index, const std::optional<T>& value) {
        return value ? bind_one(index, *value) : bind_one(index, std::nullopt);
    }
    Status checked(int code);

    struct Finalize {
        void operator()(sqlite3_stmt* handle) const;
    };
    sqlite3* db_ = nullptr;
    std::unique_ptr<sqlite3_stmt, Finalize> handle_;
    std::string where_;
};

class Database {
  public:
    static Result<Database> open(const std::filesystem::path& path, Mode mode);
    // An empty database in memory.
    static Result<Database> open_scratch();
    Database() = default;

    Status exec(const std::string& sql);
    Result<Statement> prepare(std::string_view sql) const;
    // First column of the first row of a query; NotFound if it has none.
    Result<std::int64_t> integer(std::string_view sql) const;
    Result<std::string> text(std::string_view sql) const;
    std::int64_t last_insert_id() const;
    bool in_transaction() const;
    // Another file, or none, has the name under which this one was opened.
    bool moved() const;
    const std::string& where() const { return where_; }
    sqlite3* handle() const { return db_.get(); }

  private:
    struct Close {
        void operator()(sqlite3* db) const;
    };
    static Result<Database> open(const std::string& uri, int flags, std::string where);
    Status harden();
    Result<Statement> first_row(std::string_view sql) const;
    std::unique_ptr<sqlite3, Close> db_;
    std::string where_;
};

// One statement, run once.
template <class... Args>
Status run_once(Database& database, std::string_view sql, const Args&... args) {
    auto statement = TRY(database.prepare(sql));
    TRY(statement.bind(args...));
    return statement.run();
}

// What is read while one lives is of one moment, whatever somebody else commits meanwhile.
class Snapshot {
  public:
    static Result<Snapshot> begin(Database& database);
    Snapshot(Snapshot&& other) noexcept : database_(other.database_) { other.database_ = nullptr; }
    Snapshot& operator=(Snapshot&&) = delete;
    ~Snapshot();

  private:
    explicit Snapshot(Database& database) : database_(&database) {}
    Database* database_;
};

// Rolls back unless committed. Begins as a writer at once, so that it never fails half way for a lock.
class Transaction {
  public:
    static Result<Transaction> begin(Database& database);
    Transaction(Transaction&& other) noexcept : database_(other.database_) { other.database_ = nullptr; }
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    Transaction& operator=(Transaction&&) = delete;
    ~Transaction();
    Status commit();

  private:
    explicit Transaction(Database& database) : database_(&database) {}
    Database* database_;
};

}  // namespace cubinlab::sqlite
