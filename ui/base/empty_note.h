// SPDX-License-Identifier: GPL-3.0-or-later
// What an empty view says in its middle: all of it where there is room, its first sentence where there is little, and
// nothing rather than half a line.
#pragma once
#include <QLabel>

namespace cubinlab::ui {

class EmptyNote : public QLabel {
    Q_OBJECT

  public:
    // Lets clicks through to the view that it stands on.
    explicit EmptyNote(QWidget* parent);
    QString shown() const;  // of text(), in the room that it has

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    QRect room() const;
};

}  // namespace cubinlab::ui
