// SPDX-License-Identifier: GPL-3.0-or-later
// The mutations of a run as they are logged: filters, a table that follows the newest step until the user
// scrolls, and the shown step. Click, Up/Down, Page keys, Home/End; Enter shows the step again.
#pragma once
#include <QWidget>

#include "ui/run/mutation_model.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QScrollBar;
class QTableView;
class QToolButton;

namespace cubinlab::ui {

class Document;
class FittingLabel;
class FlowLayout;
class JobRunner;
class MutationModel;
class RunController;
class Selection;

// A step filter: kind, outcome, accepted, best, instruction. Used by the log and by replay.
class StepFilterBar : public QWidget {
    Q_OBJECT

  public:
    // The model resolves a text to instructions.
    explicit StepFilterBar(const MutationModel* model, QWidget* parent = nullptr);
    StepFilter filter() const;
    bool filters() const;       // whether it can exclude a step
    void clear();               // matches all steps
    void add(QWidget* widget);  // at the end of the strip

  Q_SIGNALS:
    void changed();

  private:
    const MutationModel* model_;
    FlowLayout* row_ = nullptr;
    QComboBox* kind_ = nullptr;
    QComboBox* outcome_ = nullptr;
    QCheckBox* accepted_ = nullptr;
    QCheckBox* best_ = nullptr;
    QLineEdit* instr_ = nullptr;
};

class MutationLog : public QWidget {
    Q_OBJECT

  public:
    MutationLog(Document* document, Selection* selection, RunController* runs, JobRunner* jobs,
                QWidget* parent = nullptr);
    explicit MutationLog(QWidget* parent = nullptr);  // filled through model()

    MutationModel* model() const { return model_; }
    QTableView* table() const { return table_; }
    bool following() const;
    void set_following(bool on);
    StepId current() const { return current_; }
    void set_current(StepId step, bool reveal = true);  // marks it; no signal
    // Marks a step selected elsewhere and, if it is out of view, scrolls it to the middle.
    void show_step(StepId step);
    // The text about a marked step that the filter hides; empty: none.
    QString left_out_text() const;

    QSize sizeHint() const override { return {760, 260}; }

  Q_SIGNALS:
    void step_chosen(qint64 run, qint64 step);
    void instr_chosen(quint32 instr);  // double click: the moved instruction

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void build();
    QWidget* build_filters();
    QWidget* build_left_out();
    void apply_filter();
    void fit_height();
    void total_changed();
    void update_window();
    void update_state_text();
    void update_left_out();
    void show_current_row();
    void choose_row(qint64 row);
    bool key_pressed(class QKeyEvent* event);
    int visible_rows() const;
    bool at_end() const;

    MutationModel* model_ = nullptr;
    QTableView* table_ = nullptr;
    QScrollBar* scroll_ = nullptr;
    StepFilterBar* filters_ = nullptr;
    QToolButton* follow_ = nullptr;
    QLabel* count_ = nullptr;
    QLabel* empty_ = nullptr;
    QWidget* left_out_ = nullptr;  // says that the filter hides the marked step
    FittingLabel* left_out_text_ = nullptr;
    StepId current_ = 0;
};

}  // namespace cubinlab::ui
