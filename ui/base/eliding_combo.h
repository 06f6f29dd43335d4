// SPDX-License-Identifier: GPL-3.0-or-later
// A choice that is narrower than some of its names: these lose their middle, since mangled names, and those of
// templates, differ at the end; where that would make two of them the same, what is left out ends where they differ.
// A number is never cut in its middle, and a name that has shorter wordings loses its tail instead.
#pragma once
#include <QComboBox>

namespace cubinlab::ui {

class ElidingCombo : public QComboBox {
    Q_OBJECT

  public:
    explicit ElidingCombo(QWidget* parent = nullptr);
    // Role of an item: QStringList, what is shown where there is no room for its name, longest first.
    static constexpr int kShorterRole = Qt::UserRole + 64;
    QString shown_text() const;  // of the current one, as far as there is room

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    QString elided(int index, int width) const;
};

}  // namespace cubinlab::ui
