// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session_hub.h"

#include <QDateTime>
#include <QStandardPaths>
#include <QString>

namespace cubinlab::ui {

std::string utc_now() {
    return QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString();
}

Result<std::filesystem::path> new_session_path(const Kernel& kernel) {
    const QString data = QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation);
    const std::filesystem::path folder = std::filesystem::path(data.toStdString()) / "cubinlab" / "sessions";
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        return fail(ErrorCode::Io, "cannot make the folder for sessions: " + error.message(),
                    folder.string());
    const std::string stem =
        std::filesystem::path(kernel.cubin().where()).stem().string() + "-" +
        QDateTime::currentDateTime().toString(QStringLiteral("yyyy-MM-ddTHH-mm-ss")).toStdString();
    std::filesystem::path path = folder / (stem + ".cubinlab.db");
    for (int i = 2; std::filesystem::exists(path, error); ++i)
        path = folder / (stem + "-" + std::to_string(i) + ".cubinlab.db");
    return path;
}

SessionHub::~SessionHub() {
    if (writer_) (void)writer_->close();
}

Result<std::shared_ptr<SessionWriter>> SessionHub::writer() {
    const std::lock_guard lock(writing_);
    if (!writer_) {
        auto opened = SessionWriter::open(path_, kernel_, workload_, listing_);
        if (!opened) return fail(opened.error());
        writer_ = std::move(*opened);
    }
    return writer_;
}

Result<std::shared_ptr<SessionReader>> SessionHub::reader() {
    {
        const std::lock_guard lock(writing_);
        if (writer_)
            if (auto flushed = writer_->flush(); !flushed) return fail(flushed.error());
    }
    if (!reader_) {
        auto opened = SessionReader::open(path_);
        if (!opened) return fail(opened.error());
        reader_ = std::move(*opened);
    }
    return reader_;
}

Result<std::vector<RunInfo>> SessionHub::runs() {
    const std::lock_guard lock(reading_);
    auto open = reader();
    if (!open) return fail(open.error());
    return (*open)->runs();
}

Result<RunInfo> SessionHub::run(RunId id) {
    const std::lock_guard lock(reading_);
    auto open = reader();
    if (!open) return fail(open.error());
    return (*open)->run(id);
}

Result<std::vector<StepRecord>> SessionHub::steps(RunId run, StepId after, std::size_t count) {
    const std::lock_guard lock(reading_);
    auto open = reader();
    if (!open) return fail(open.error());
    return (*open)->steps(run, after, count);
}

Result<std::vector<MetricPoint>> SessionHub::metrics(RunId run) {
    const std::lock_guard lock(reading_);
    auto open = reader();
    if (!open) return fail(open.error());
    return (*open)->metrics(run);
}

Result<Schedule> SessionHub::schedule_at(RunId run, StepId step) {
    const std::lock_guard lock(reading_);
    auto open = reader();
    if (!open) return fail(open.error());
    return (*open)->schedule_at(kernel_, run, step);
}

}  // namespace cubinlab::ui
