// SPDX-License-Identifier: GPL-3.0-or-later
// A session file in one line, for lists of sessions: kernel, runs, best, state. Reads little of the file.
#pragma once
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/evidence/best_figure.h"
#include "core/store/session.h"

namespace cubinlab {

enum class SessionState {
    Complete,     // every run ended
    Interrupted,  // a run has no end and nobody writes: the program was killed
    Writing,      // a process has it open
    Unreadable,   // `problem` says why
};

struct SessionSummary {
    std::filesystem::path path;
    std::uint64_t bytes = 0;  // with its side files
    std::chrono::system_clock::time_point changed;
    SessionState state = SessionState::Unreadable;
    std::optional<int> writer;  // process, while it is being written
    bool writable = true;       // by this user, from here (session_copy.h)
    std::string problem;
    std::string kernel, arch, cubin;
    std::vector<RunInfo> runs;      // oldest first
    std::vector<BestFigure> bests;  // of each of them
    std::uint64_t steps = 0;        // of all runs
    bool can_go_on()
        const;  // a run of an agent has no end; hand edits that have none do not go on by themselves
    // The largest, a measured one before a modelled one, one that did not run well when it was measured again behind all;
    // null: nothing beat its start.
    const BestFigure* best() const;
};

SessionSummary summarise_session(const std::filesystem::path& path);
// Every session (*.db) of a folder, newest first. NotFound: there is no such folder.
Result<std::vector<SessionSummary>> list_sessions(const std::filesystem::path& folder, std::stop_token stop);

// The session and SQLite's files next to it. Exported cubins are not part of it.
std::vector<std::filesystem::path> files_of_session(const std::filesystem::path& path);

}  // namespace cubinlab
