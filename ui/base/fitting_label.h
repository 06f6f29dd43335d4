// SPDX-License-Identifier: GPL-3.0-or-later
// A label that may be narrower than its text. It shows the first of its wordings that fits, or the last one
// elided. The full wording is its tooltip and its accessible text.
#pragma once
#include <QStringList>
#include <QWidget>

namespace cubinlab::ui {

class FittingLabel : public QWidget {
    Q_OBJECT

  public:
    explicit FittingLabel(QWidget* parent = nullptr);

    void set_text(const QString& text) { set_texts({text}); }
    void set_texts(const QStringList& longest_first);
    QString text() const { return texts_.value(0); }
    QString shown_text() const;  // what fits now
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    QStringList texts_;
};

}  // namespace cubinlab::ui
