// SPDX-License-Identifier: GPL-3.0-or-later
// Looks after the file of the open kernel: whoever builds it anew is told, as an editor tells it.
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
    void looked();            // the file was touched and has been read
    void holds_other_code();  // of the open kernel; once for each such code
    void holds_this_code_again();

  private:
    void follow();
    void look();

    const Document& document_;
    JobRunner& jobs_;
    QFileSystemWatcher watcher_;
    QTimer settled_;  // a linker writes more than once
    std::filesystem::file_time_type written_;  // when it was looked at
    std::optional<Hash128> told_;
};

}  // namespace cubinlab::ui
