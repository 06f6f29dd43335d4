// SPDX-License-Identifier: GPL-3.0-or-later
// A session as a reader has it. While nobody writes it is read as the plain file that it is, and nothing is
// made beside it; as soon as somebody writes, or left steps in the -wal file, it is read the way SQLite
// shares a log.
//
//   auto access = SessionAccess::open(path);
//   { auto use = access->use(); use->database().prepare(...); }        // nobody begins to write meanwhile
#pragma once
#include <filesystem>
#include <memory>

#include "core/store/session_lock.h"
#include "core/store/sqlite.h"

namespace cubinlab {

class SessionAccess {
  public:
    static Result<std::unique_ptr<SessionAccess>> open(const std::filesystem::path& path);
    SessionAccess(const SessionAccess&) = delete;
    SessionAccess& operator=(const SessionAccess&) = delete;
    ~SessionAccess();  // the last reader of a log that nobody writes moves it into the file, if it may

    // What the file holds does not change under a Use in any way that its connection would not see.
    class Use {
      public:
        explicit Use(SessionAccess* of) : of_(of) {}
        Use(Use&& other) noexcept : of_(std::exchange(other.of_, nullptr)) {}
        Use& operator=(Use&&) = delete;
        ~Use() {
            if (of_ != nullptr && of_->plain_) of_->file_.unshare();
        }

      private:
        SessionAccess* of_;
    };
    // `before_reopening` lets go of statements of the connection that is replaced.
    template <class Callback>
    Result<Use> use(Callback before_reopening) {
        if (still_as_it_was()) return Use(this);
        before_reopening();
        TRY(connect());
        return Use(this);
    }
    sqlite::Database& database() { return database_; }
    std::optional<int> writer() const { return file_.writer(); }

  private:
    explicit SessionAccess(std::filesystem::path path) : path_(std::move(path)) {}
    bool still_as_it_was();
    Status connect();  // on success the lock that a plain file needs is held

    std::filesystem::path path_;  // real
    SessionFile file_;            // outlives the connection
    bool plain_ = false;
    SessionFile::State state_;
    sqlite::Database database_;
};

}  // namespace cubinlab
