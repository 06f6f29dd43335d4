// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/session_hub.h"

#include <QDateTime>
#include <QString>
#include <fmt/format.h>

#include "core/evidence/claim.h"
#include "core/tuning/session_copy.h"
#include "ui/base/settings.h"

namespace cubinlab::ui {

namespace {

// In the folder for sessions, which is made; the first of STEM.db, STEM-2.db ... that is free.
Result<std::filesystem::path> free_path(const std::string& stem, const std::string& ending) {
    const std::filesystem::path folder = Settings().sessions_folder().toStdString();
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        return fail(ErrorCode::Io, "cannot create the folder for sessions: " + error.message(),
                    folder.string());
    std::filesystem::path path = folder / (stem + ending);
    for (int i = 2; std::filesystem::exists(path, error); ++i)
        path = folder / (stem + "-" + std::to_string(i) + ending);
    return path;
}

// File names have at most 255 bytes, and SQLite appends "-wal".
std::string cut_stem(std::string stem) {
    constexpr std::size_t kMostBytes = 180;
    if (stem.size() <= kMostBytes) return stem;
    std::size_t end = kMostBytes;
    while (end > 0 && (static_cast<unsigned char>(stem[end]) & 0xc0) == 0x80)
        --end;  // no part of a character
    stem.resize(end);
    return stem;
}

}  // namespace

Result<std::filesystem::path> new_session_path(const Kernel& kernel) {
    return free_path(
        cut_stem(std::filesystem::path(kernel.cubin().where()).stem().string()) + "-" +
            QDateTime::currentDateTime().toString(QStringLiteral("yyyy-MM-ddTHH-mm-ss")).toStdString(),
        ".cubinlab.db");
}

Result<std::filesystem::path> copy_to_sessions_folder(const std::filesystem::path& session) {
    const std::string name = session.filename().string();
    std::string ending = session.extension().string();
    if (name.ends_with(".cubinlab.db")) ending = ".cubinlab.db";
    auto path = free_path(cut_stem(name.substr(0, name.size() - ending.size())), ending);
    if (!path) return path;
    TRY(copy_session(session, *path));
    return path;
}

SessionHub::~SessionHub() {
    if (writer_) (void)writer_->close();
}

Result<std::shared_ptr<SessionWriter>> SessionHub::writer() {
    const std::lock_guard lock(writing_);
    drop_failed_writer();
    if (!writer_) {
        writer_ = TRY(SessionWriter::open(path_, kernel_, workload_, listing_));
    }
    return writer_;
}

void SessionHub::drop_failed_writer() {
    if (!writer_ || writer_->flush()) return;
    (void)writer_->close();
    writer_.reset();
    reader_stale_ = true;
}

Result<std::shared_ptr<SessionReader>> SessionHub::reader() {
    {
        const std::lock_guard lock(writing_);
        drop_failed_writer();  // the data on disk is still readable
    }
    if (reader_stale_.exchange(false)) reader_.reset();
    if (!reader_) {
        reader_ = TRY(SessionReader::open(path_));
    }
    return reader_;
}

Result<RunInfo> SessionHub::run(RunId id) {
    return read([&](SessionReader& r) { return r.run(id); });
}

Result<std::vector<StepRecord>> SessionHub::steps(RunId run, StepId after, std::size_t count) {
    return read([&](SessionReader& r) { return r.steps(run, after, count); });
}

Result<std::vector<MetricPoint>> SessionHub::metrics(RunId run) {
    return read([&](SessionReader& r) { return r.metrics(run); });
}

Result<Schedule> SessionHub::schedule_at(RunId run, StepId step) {
    return read([&](SessionReader& r) -> Result<Schedule> {
        auto schedule = TRY(r.schedule_at(kernel_, run, step));
        if (schedule.kernel() == kernel_) return schedule;
        return fail(ErrorCode::Unsupported,
                    fmt::format("run {}, step {} is of another compilation of the kernel; `cubinlab replay --out` writes it",
                                run, step));
    });
}

Result<std::vector<NoteRecord>> SessionHub::notes(RunId run) {
    return read([&](SessionReader& r) { return r.notes(run); });
}

Result<std::vector<MeasurementRecord>> SessionHub::measurements(RunId run) {
    return read([&](SessionReader& r) { return r.measurements(run); });
}

Result<std::string> SessionHub::workload_json(RunId run) {
    return read([&](SessionReader& r) { return r.workload_json(run); });
}

Result<Claim> SessionHub::claim(RunId run, StepId step) {
    return read([&](SessionReader& r) -> Result<Claim> {
        auto info = TRY(r.run(run));
        return claim_of(r, kernel_, info, step, path_.string());
    });
}

Status SessionHub::add_note(RunId run, StepId step, const std::string& text) {
    auto open = TRY(writer());
    TRY(open->add_note(run, step, text));
    return open->flush();
}

}  // namespace cubinlab::ui
