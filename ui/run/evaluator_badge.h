// SPDX-License-Identifier: GPL-3.0-or-later
// Always shows the source of the displayed results: a GPU, or the model, whose cycles are not time.
#pragma once
#include <QLabel>

namespace cubinlab::ui {

class RunController;

class EvaluatorBadge : public QLabel {
    Q_OBJECT

  public:
    explicit EvaluatorBadge(RunController* controller, QWidget* parent = nullptr);

  private:
    void refresh();
    RunController* controller_;
};

}  // namespace cubinlab::ui
