// SPDX-License-Identifier: GPL-3.0-or-later
// What the shown run learned, as a sortable table; choosing a pattern lists its steps, and a click on one (or
// Enter, again and again) shows it.
#pragma once
#include <QWidget>

#include "ui/replay/pattern_model.h"

class QLabel;
class QSortFilterProxyModel;
class QTableView;

namespace cubinlab::ui {

class PatternsPage : public QWidget {
    Q_OBJECT

  public:
    explicit PatternsPage(QWidget* parent = nullptr);
    void set_patterns(std::vector<Pattern> patterns, EvaluatorKind kind);
    void set_message(const QString& message, bool busy = false);  // instead of the table
    PatternModel* model() const { return model_; }
    QTableView* table() const { return table_; }

  Q_SIGNALS:
    void step_chosen(qint64 step);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    const Pattern* chosen() const;
    void show_steps();
    void fit_columns();
    void fit_name();
    void next_step();

    PatternModel* model_ = nullptr;
    QSortFilterProxyModel* sorted_ = nullptr;
    QTableView* table_ = nullptr;
    QLabel* steps_ = nullptr;
    QLabel* message_ = nullptr;
    int longest_ = 0;       // pattern of this run so far, in pixels
    std::size_t next_ = 0;  // of the chosen pattern's steps, for Enter
};

}  // namespace cubinlab::ui
