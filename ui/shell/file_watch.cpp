// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/file_watch.h"

#include <QFileInfo>
#include <utility>

#include "core/binary/kernel_list.h"
#include "core/store/session.h"
#include "ui/base/job_runner.h"
#include "ui/document/document.h"

namespace cubinlab::ui {
namespace {

constexpr int kSettledMs = 400;

struct Seen {
    std::filesystem::file_time_type written;
    std::optional<Hash128> code;  // empty: unchanged, unreadable, or without that kernel
};

std::optional<Hash128> code_in(const std::filesystem::path& file, const KernelQuery& wish, std::stop_token stop) {
    if (is_session_file(file)) return std::nullopt;  // its kernel does not change
    const auto container = Container::open(file);
    if (!container) return std::nullopt;
    const auto choice = choose_kernel(**container, wish, stop);
    if (!choice) return std::nullopt;
    const auto kernel = Kernel::load(choice->cubin, choice->kernel);
    if (!kernel) return std::nullopt;
    return (*kernel)->hash();
}

}  // namespace

FileWatch::FileWatch(const Document& document, JobRunner& jobs, QObject* parent)
    : QObject(parent), document_(document), jobs_(jobs) {
    settled_.setSingleShot(true);
    settled_.setInterval(kSettledMs);
    const auto touched = [this] { settled_.start(); };
    connect(&watcher_, &QFileSystemWatcher::fileChanged, this, touched);
    connect(&watcher_, &QFileSystemWatcher::directoryChanged, this, touched);
    connect(&settled_, &QTimer::timeout, this, &FileWatch::look);
    connect(&document_, &Document::opened, this, [this] {
        told_.reset();
        written_ = {};
        follow();
    });
    connect(&document_, &Document::leaving, this, [this] {
        settled_.stop();
        for (const QStringList& watched : {watcher_.files(), watcher_.directories()})
            if (!watched.isEmpty()) watcher_.removePaths(watched);
    });
}

// Watches the folder too: a file that is replaced under its name is no longer watched.
void FileWatch::follow() {
    const QFileInfo file(QString::fromStdString(document_.path().string()));
    if (!file.isFile()) return;
    if (!watcher_.files().contains(file.filePath())) watcher_.addPath(file.filePath());
    if (watcher_.directories().isEmpty()) watcher_.addPath(file.absolutePath());
}

void FileWatch::look() {
    if (!document_.is_open()) return;
    follow();
    jobs_.run<Seen>(
        QStringLiteral("file-watch"),
        [file = document_.path(), before = written_,
         wish = KernelQuery{document_.kernel()->name(), {}, document_.image().toStdString()}](
            std::stop_token stop) {
            // The folder's watch also reports other files; do not read a large library for each of them.
            std::error_code gone;
            const auto written = std::filesystem::last_write_time(file, gone);
            if (gone || written == before) return Seen{before, {}};
            return Seen{written, code_in(file, wish, stop)};
        },
        [this](const Seen& seen) {
            written_ = seen.written;
            if (seen.code == document_.original()->hash() && std::exchange(told_, {}))
                Q_EMIT holds_this_code_again();
            if (seen.code && seen.code != document_.original()->hash() && seen.code != told_) {
                told_ = seen.code;
                Q_EMIT holds_other_code();
            }
            Q_EMIT looked();
        });
}

}  // namespace cubinlab::ui
