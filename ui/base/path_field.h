// SPDX-License-Identifier: GPL-3.0-or-later
// A line edit for a file or folder name, with a button that opens the dialog.
#pragma once
#include <QWidget>

#include "ui/base/file_dialog.h"

class QFormLayout;
class QLineEdit;
class QPushButton;

namespace cubinlab::ui {

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
