// SPDX-License-Identifier: GPL-3.0-or-later
// A label that may be narrower than its text. It shows the first of its wordings that fits, or the last one
// elided. The full wording is its tooltip and its accessible text.
#pragma once
#include <QComboBox>
#include <QLabel>
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

// The text in the middle of an empty view: all of it, its first sentence, or nothing if not even that fits.
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

// A combo box that may be narrower than its item names. A name that does not fit loses its middle, since
// mangled and template names differ at the end; the elided part ends where two names differ. Numbers are
// never cut. A name with shorter wordings loses its tail instead.
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
