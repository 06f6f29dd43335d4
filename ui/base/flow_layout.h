// SPDX-License-Identifier: GPL-3.0-or-later
// Places items in lines and wraps when they do not fit, for tool strips of narrow docks. Each item gets at
// least its size hint, so nothing overlaps or is cut as long as one item fits.
#pragma once
#include <QLayout>
#include <QList>

namespace cubinlab::ui {

class FlowLayout : public QLayout {
  public:
    explicit FlowLayout(QWidget* parent = nullptr);
    ~FlowLayout() override;

    void addItem(QLayoutItem* item) override;
    int count() const override;
    QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    Qt::Orientations expandingDirections() const override;
    bool hasHeightForWidth() const override;
    int heightForWidth(int width) const override;
    QSize minimumSize() const override;
    QSize sizeHint() const override;  // all in one line
    void setGeometry(const QRect& rect) override;

  private:
    int place(const QRect& rect, bool move) const;  // returns the height used

    QList<QLayoutItem*> items_;
};

}  // namespace cubinlab::ui
