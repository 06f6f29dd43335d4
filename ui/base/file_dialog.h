// SPDX-License-Identifier: GPL-3.0-or-later
// Asks for a file or a folder. Without a native dialog, Qt's own dialog reads the beginning of every file in
// the folder on the GUI thread to find its type; one file that never answers (/proc/kmsg, a device, a lost
// share) blocks the window forever. This dialog determines types by name only.
#pragma once
#include <QString>
#include <QWidget>
#include <functional>

class QFileDialog;
class QFormLayout;
class QLineEdit;
class QPushButton;

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

// A line edit for a file or folder name, with a button that opens the dialog.
class PathField : public QWidget {
    Q_OBJECT

  public:
    // `name`: object name of the line; `label`: its accessible name and, without a `title`, the dialog's title.
    PathField(const QString& name, const QString& label, Ask what, QWidget* parent,
              const QString& title = {});
    QLineEdit* line() const { return line_; }
    QPushButton* button() const { return button_; }
    // A row of a form. The buddy of its label is the line; with a focus proxy, Tab would return to it from the button.
    void add_to(QFormLayout& form, const QString& text);

  Q_SIGNALS:
    void chosen(const QString& path);  // by the button, or by editing

  protected:
    // Enter after a new path accepts the path and does not press the dialog's default button.
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void take_typed();

    QLineEdit* line_;
    QPushButton* button_;
};

}  // namespace cubinlab::ui
