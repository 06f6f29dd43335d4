// SPDX-License-Identifier: GPL-3.0-or-later
// The agent's tool bar: agent, evaluator, budget and seed; start, pause, stop; progress.
#pragma once
#include <QAbstractSpinBox>
#include <QLabel>
#include <QToolBar>
#include <cstdint>

#include "ui/base/fitting_label.h"
#include "ui/run/run_controller.h"

class QCheckBox;
class QComboBox;
class QProgressBar;
class QToolButton;

namespace cubinlab::ui {

class Commands;
class FittingLabel;
class RunController;

// The seed of a run: any 64-bit number, as on the command line.
class SeedBox : public QAbstractSpinBox {
    Q_OBJECT
    Q_PROPERTY(qulonglong value READ seed)  // for screen readers

  public:
    explicit SeedBox(QWidget* parent = nullptr);
    std::uint64_t seed() const { return text().toULongLong(); }
    void set_seed(std::uint64_t seed);
    QValidator::State validate(QString& input, int& at) const override;
    void fixup(QString& input) const override;
    void stepBy(int steps) override;

  protected:
    StepEnabled stepEnabled() const override;
};

class AgentBar : public QToolBar {
    Q_OBJECT

  public:
    AgentBar(RunController* controller, Commands* commands, QWidget* parent = nullptr);
    RunRequest request() const;
    void set_request(const RunRequest& request);
    // Where the PTX of the kernel comes from; empty: there is none, so only schedules are searched.
    void set_ptx(const QString& origin);

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void show_state();
    void show_progress();
    QStringList best_texts(const RunProgress& progress) const;
    void show_only_reschedules();
    void show_starts();  // the starting schedules that the chosen agent supports

    RunController* controller_;
    QComboBox* agent_;
    QComboBox* evaluator_;
    QComboBox* start_;
    QComboBox* budget_;
    QCheckBox* only_reschedules_;
    QString ptx_;
    SeedBox* seed_;
    std::vector<QAction*> names_;  // labels that a narrow bar leaves out
    QToolButton* run_ = nullptr;
    QToolButton* pause_ = nullptr;
    QToolButton* stop_ = nullptr;
    QProgressBar* progress_;
    QAction* facts_line_ = nullptr;
    QAction* progress_action_ = nullptr;
    FittingLabel* facts_;
    StepMeasurements measured_;  // of the shown run; null: none
    QString agent_settings_ = QStringLiteral("{}");
};

// The runs of the open session, hand edits included. Choosing one shows its curves, log and steps.
class RunChooser : public ElidingCombo {
    Q_OBJECT

  public:
    explicit RunChooser(RunController* runs, QWidget* parent = nullptr);

  Q_SIGNALS:
    void count_changed(int runs);

  private:
    void fill();
    void mark_shown();

    RunController* runs_;
};

// Always shows the source of the displayed results: a GPU, or the model, whose cycles are not time.
class EvaluatorBadge : public QLabel {
    Q_OBJECT

  public:
    explicit EvaluatorBadge(RunController* controller, QWidget* parent = nullptr);

  private:
    void refresh();
    RunController* controller_;
};

}  // namespace cubinlab::ui
