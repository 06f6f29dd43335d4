// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/session_summary.h"

#include <algorithm>
#include <tuple>

#include "core/base/file.h"
#include "core/tuning/session_copy.h"

namespace cubinlab {
namespace {

namespace fs = std::filesystem;

std::chrono::system_clock::time_point changed_at(const fs::path& path) {
    std::error_code error;
    const auto time = fs::last_write_time(path, error);
    if (error) return {};
    return std::chrono::time_point_cast<std::chrono::system_clock::duration>(
        time - fs::file_time_type::clock::now() + std::chrono::system_clock::now());
}

Status fill(SessionSummary& summary) {
    auto reader = TRY(SessionReader::open(summary.path));
    summary.writer = reader->writer_process();
    summary.writable = check_session_writable(summary.path).has_value();
    auto runs = TRY(reader->runs());
    auto kernel = TRY(reader->kernel());
    summary.kernel = kernel->name();
    summary.arch = kernel->arch().name();
    summary.cubin = kernel->cubin().where();
    for (const RunInfo& run : runs)
        summary.bests.push_back(best_figure(*reader, run));
    summary.runs = std::move(runs);
    bool open_end = false;
    for (const RunInfo& run : summary.runs) {
        summary.steps += run.steps;
        open_end = open_end || run.end.empty();
    }
    summary.state = summary.writer ? SessionState::Writing
                    : open_end     ? SessionState::Interrupted
                                   : SessionState::Complete;
    return {};
}

}  // namespace

bool SessionSummary::can_go_on() const {
    return std::any_of(runs.begin(), runs.end(),
                       [](const RunInfo& run) { return run.end.empty() && run.agent != "hand"; });
}

const BestFigure* SessionSummary::best() const {
    const BestFigure* best = nullptr;
    const auto rank = [](const BestFigure& b) {
        return std::tuple(b.failed.empty(), b.measured(), b.speedup().log);
    };
    for (const BestFigure& one : bests)
        if (one.step != 0 && (best == nullptr || rank(one) > rank(*best))) best = &one;
    return best;
}

SessionSummary summarise_session(const fs::path& path) {
    SessionSummary summary;
    summary.path = path;
    summary.changed = changed_at(path);
    std::error_code error;
    for (const fs::path& file : files_of_session(path)) {
        const auto size = fs::file_size(file, error);
        if (!error) summary.bytes += size;
    }
    if (auto filled = fill(summary); !filled) summary.problem = filled.error().message();
    return summary;
}

Result<std::vector<SessionSummary>> list_sessions(const fs::path& folder, std::stop_token stop) {
    const auto paths = TRY(files_of_folder(folder, ".db"));
    std::vector<SessionSummary> list;
    for (const fs::path& path : paths) {
        if (stop.stop_requested()) break;
        list.push_back(summarise_session(path));
    }
    std::sort(list.begin(), list.end(),
              [](const SessionSummary& a, const SessionSummary& b) { return a.changed > b.changed; });
    return list;
}

std::vector<fs::path> files_of_session(const fs::path& path) {
    std::vector<fs::path> files;
    std::error_code error;
    for (const char* suffix : {"", "-wal", "-shm", ".lock"})
        if (const fs::path file = path.string() + suffix; fs::exists(file, error)) files.push_back(file);
    return files;
}

}  // namespace cubinlab
