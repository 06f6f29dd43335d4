// SPDX-License-Identifier: GPL-3.0-or-later
// A combo box that may be narrower than its item names. A name that does not fit loses its middle, since
// mangled and template names differ at the end; the elided part ends where two names differ. Numbers are
// never cut. A name with shorter wordings loses its tail instead.
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
