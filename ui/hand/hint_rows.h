// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of the control code editor for the cache hint of a load, store or copy. Hidden for other instructions. A value
// that the compiler never emits there is disabled, with the reason as its tooltip.
#pragma once
#include <QWidget>
#include <array>

#include "core/sass/cache_hint.h"

class QToolButton;

namespace cubinlab::ui {

class HintRows : public QWidget {
    Q_OBJECT

  public:
    explicit HintRows(QWidget* parent = nullptr);

    void show_hint(const Arch& arch, const Instruction& instruction, const CacheHint& hint);

  Q_SIGNALS:
    void chosen(const CacheHint& hint);

  private:
    QWidget* make_row(const QString& title, const char* help);
    QToolButton* make_chip(QWidget* row, const QString& text, const QString& name);

    CacheHint hint_;
    std::array<QToolButton*, 6> evictions_{};
    std::array<QToolButton*, 4> prefetches_{};
    QWidget* eviction_row_;
    QWidget* prefetch_row_;
};

}  // namespace cubinlab::ui
