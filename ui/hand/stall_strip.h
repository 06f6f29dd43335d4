// SPDX-License-Identifier: GPL-3.0-or-later
// The sixteen stall counts as cells: legal ones plain, illegal ones crossed out, the chosen one filled. A
// click chooses a value; the spin box next to it does the same by keyboard.
#pragma once
#include <QWidget>
#include <array>

namespace cubinlab::ui {

class StallStrip : public QWidget {
    Q_OBJECT

  public:
    explicit StallStrip(QWidget* parent = nullptr);
    void set_value(int stall, int present);                    // the chosen value and the schedule's
    void set_reasons(const std::array<QString, 16>& reasons);  // empty: legal
    QRect cell(int stall) const;
    QSize sizeHint() const override;

  Q_SIGNALS:
    void chosen(int stall);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

  private:
    int stall_at(const QPoint& at) const;  // -1: none

    int value_ = 0;
    int present_ = 0;
    std::array<QString, 16> reasons_;
};

}  // namespace cubinlab::ui
