// SPDX-License-Identifier: GPL-3.0-or-later
// A line edit that names a file or a folder, with the button that asks for one.
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
    // `name`: of the line, for tests; `label`: what a screen reader says and, without a `title`, what the dialog asks for.
    PathField(const QString& name, const QString& label, Ask what, QWidget* parent,
              const QString& title = {});
    QLineEdit* line() const { return line_; }
    QPushButton* button() const { return button_; }
    // A row of a form. Its label leads to the line, not to a focus proxy around line and button: Tab would come back to it
    // from the button.
    void add_to(QFormLayout& form, const QString& text);

  Q_SIGNALS:
    void chosen(const QString& path);  // with the button, or typed and done with

  protected:
    // Enter behind a new path takes it and presses no default button of the dialog.
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void take_typed();

    QLineEdit* line_;
    QPushButton* button_;
};

}  // namespace cubinlab::ui
