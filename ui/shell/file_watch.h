// SPDX-License-Identifier: GPL-3.0-or-later
// Watches the file of the open kernel and reports a rebuild, like an editor does.
#pragma once
#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>
#include <filesystem>
#include <optional>

#include "core/base/hash.h"

namespace cubinlab::ui {

class Document;
class JobRunner;

class FileWatch : public QObject {
    Q_OBJECT

  public:
    FileWatch(const Document& document, JobRunner& jobs, QObject* parent);

  Q_SIGNALS:
    void looked();            // the file changed on disk and was read
    void holds_other_code();  // for the open kernel; once per version
    void holds_this_code_again();

  private:
    void follow();
    void look();

    const Document& document_;
    JobRunner& jobs_;
    QFileSystemWatcher watcher_;
    QTimer settled_;                           // a linker writes several times
    std::filesystem::file_time_type written_;  // at the last read
    std::optional<Hash128> told_;
};

}  // namespace cubinlab::ui
