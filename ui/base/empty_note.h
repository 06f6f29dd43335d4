// SPDX-License-Identifier: GPL-3.0-or-later
// The text in the middle of an empty view: all of it, its first sentence, or nothing if not even that fits.
#pragma once
#include <QLabel>

namespace cubinlab::ui {

class EmptyNote : public QLabel {
    Q_OBJECT

  public:
    // Passes clicks to the view below.
    explicit EmptyNote(QWidget* parent);
    QString shown() const;  // the part of text() that fits

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    QRect room() const;
};

}  // namespace cubinlab::ui
