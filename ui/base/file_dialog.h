// SPDX-License-Identifier: GPL-3.0-or-later
// Asks for a file or a folder. Without a native dialog, Qt's own dialog reads the beginning of every file in
// the folder on the GUI thread to find its type; one file that never answers (/proc/kmsg, a device, a lost
// share) blocks the window forever. This dialog determines types by name only.
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
    // The initial folder; for a file path, its folder with the file selected. For a new file: the folder of the window's
    // last one, else of the open file (QWidget::windowFilePath()), and only then this one.
    QString folder = {};
    QString filters = {};  // as QFileDialog has them
    QString name = {};     // proposed for a new file
    QString suffix = {};   // given to a new file's name that has none
};

// Opens over `parent` without blocking. `take` receives the path if the user accepts while the parent exists.
// The dialog deletes itself.
QFileDialog* ask_for_file(QWidget* parent, const FileQuestion& question,
                          std::function<void(const QString&)> take);

// Opens over `parent` without blocking.
void show_warning(QWidget* parent, const QString& title, const QString& text);

}  // namespace cubinlab::ui
