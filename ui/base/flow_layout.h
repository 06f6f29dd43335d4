// SPDX-License-Identifier: GPL-3.0-or-later
// Places items in lines and wraps when they do not fit, for tool strips of narrow docks. Each item gets at
// least its size hint, so nothing overlaps or is cut as long as one item fits.
#pragma once
#include <QLayout>
#include <QList>
#include <QPushButton>
#include <QToolButton>

class QWidget;

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

// Tab follows the layout of a view. Qt's default is the order in which the widgets were created.
// Orders the widgets of the layouts below `root` like their items, and leaves all others in place.
void tab_as_laid_out(QWidget& root);

// The small flat button of a tool row, and the button of a dialog.
// `tip` is also the accessible text.
inline QToolButton* text_button(const QString& text, const QString& tip) {
    auto* button = new QToolButton;
    button->setText(text);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    button->setAutoRaise(true);
    button->setProperty("compact", true);
    return button;
}

inline QPushButton* dialog_button(const QString& text, const QString& about, QWidget* parent) {
    auto* button = new QPushButton(text, parent);
    button->setToolTip(about);
    button->setAccessibleDescription(about);
    button->setAutoDefault(false);
    return button;
}

}  // namespace cubinlab::ui
