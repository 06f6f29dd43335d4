// SPDX-License-Identifier: GPL-3.0-or-later
// Edit patterns of the shown run, of the open kernel or of all sessions in the folder, as a sortable table.
// Selecting a pattern of the shown run lists its steps; a click shows a step, Enter steps through them.
#pragma once
#include <QWidget>

#include "core/evidence/patterns.h"
#include "ui/base/rows_model.h"

class QComboBox;
class QLabel;
class QSortFilterProxyModel;
class QTableView;

namespace cubinlab::ui {

// Edit patterns as a table (core/evidence/patterns.h).
class PatternModel : public RowsModel<Pattern> {
  public:
    enum Column { Name, Steps, Each, Together, Best, Carrying, Runs, Kernels, kColumns };

    explicit PatternModel(QObject* parent = nullptr);
    // Over several runs each row names its evaluator, because the table mixes patterns of a GPU and of the
    // model.
    void set_patterns(std::vector<Pattern> patterns, PatternScope scope);

  protected:
    QVariant look(const Pattern& pattern, int column, int role) const override;

  private:
    void name_columns();

    PatternScope scope_ = PatternScope::Run;
    bool all_modelled_ = true;
};

class PatternsPage : public QWidget {
    Q_OBJECT

  public:
    explicit PatternsPage(QWidget* parent = nullptr);
    PatternScope scope() const;
    void set_report(PatternReport report);
    void set_message(const QString& message, bool busy = false);  // instead of the table
    PatternModel* model() const { return model_; }
    QTableView* table() const { return table_; }
    QComboBox* scope_chooser() const { return scope_; }

  Q_SIGNALS:
    void scope_chosen();
    void step_chosen(qint64 step);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    QWidget* build_scope_row();
    const Pattern* chosen() const;
    void show_columns();
    void show_steps();
    void fit_columns();
    void fit_name();
    void next_step();

    QComboBox* scope_ = nullptr;
    QLabel* counted_ = nullptr;               // runs and sessions of the table
    PatternScope shown_ = PatternScope::Run;  // of the table
    PatternModel* model_ = nullptr;
    QSortFilterProxyModel* sorted_ = nullptr;
    QTableView* table_ = nullptr;
    QLabel* steps_ = nullptr;
    QLabel* message_ = nullptr;
    int longest_ = 0;       // widest pattern of this run so far, pixels
    std::size_t next_ = 0;  // index in the selected pattern's steps, for Enter
};

}  // namespace cubinlab::ui
