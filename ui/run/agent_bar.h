// SPDX-License-Identifier: GPL-3.0-or-later
// The agent's tool bar: agent, evaluator, budget and seed; start, pause, stop; progress.
#pragma once
#include <QToolBar>

#include "ui/run/run_controller.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QToolButton;

namespace cubinlab::ui {

class Commands;
class FittingLabel;
class SeedBox;

class AgentBar : public QToolBar {
    Q_OBJECT

  public:
    AgentBar(RunController* controller, Commands* commands, QWidget* parent = nullptr);
    RunRequest request() const;
    void set_request(const RunRequest& request);

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void show_state();
    void show_progress();
    QStringList best_texts(const RunProgress& progress) const;
    void show_starts();  // the starting schedules that the chosen agent supports

    RunController* controller_;
    QComboBox* agent_;
    QComboBox* evaluator_;
    QComboBox* start_;
    QComboBox* budget_;
    SeedBox* seed_;
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

}  // namespace cubinlab::ui
