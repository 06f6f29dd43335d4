// SPDX-License-Identifier: GPL-3.0-or-later
// Asks for a file or a folder. Where the desktop has no dialog of its own, Qt's is shown, and that reads the
// beginning of every file in the folder, in the GUI thread, to name its type: one file that never answers
// (/proc/kmsg, a device, a share that is gone) would hold the window for good. Here names alone tell types.
#pragma once
#include <QString>
#include <functional>

class QFileDialog;
class QWidget;

namespace cubinlab::ui {

enum class Ask { File, Folder, NewFile };

struct FileQuestion {
    Ask what = Ask::File;
    QString title = {};
    // Where it begins; a path of a file: in its folder, with it chosen. A new file: where the window's last one went, or
    // beside the file that is open in it (QWidget::windowFilePath()), and only without one there.
    QString folder = {};
    QString filters = {};  // as QFileDialog has them
    QString name = {};     // proposed for a new file
    QString suffix = {};   // given to a new file's name that has none
};

// Shown over `parent`, and not waited for; `take` gets the answer, if there is one while the parent lives.
// The dialog deletes itself.
QFileDialog* ask_for_file(QWidget* parent, const FileQuestion& question,
                          std::function<void(const QString&)> take);

// Over `parent`, and not waited for.
void show_warning(QWidget* parent, const QString& title, const QString& text);

}  // namespace cubinlab::ui
