// SPDX-License-Identifier: GPL-3.0-or-later
// The state of the shown run above its curves: budget and time left, outcomes as a bar, evaluator and
// calibration, and the GPU's clock, temperature and power. Without a GPU it says so.
#pragma once
#include <QTimer>
#include <QWidget>

#include "ui/run/run_monitor.h"

class QLabel;
class QProgressBar;

namespace cubinlab::ui {

class FittingLabel;
class OutcomeBar;
class RunController;
class Sparkline;

class RunStrip : public QWidget {
    Q_OBJECT

  public:
    explicit RunStrip(RunController* runs, QWidget* parent = nullptr);
    explicit RunStrip(QWidget* parent = nullptr);  // filled by the functions below

    void begin_run(std::uint64_t logged = 0);  // steps that are being read
    void add_steps(const std::vector<StepRecord>& steps);
    // `left_s` negative: unknown, or no active run.
    void set_budget(const QString& state, double fraction, double left_s, bool active);
    // Plain text; empty: takes no room.
    void set_doing(const QString& doing);
    void set_evaluator(const std::optional<EvaluatorInfo>& info,
                       const QStringList& otherwise);  // longest first
    const RunMonitor& monitor() const { return monitor_; }
    QString budget_text() const;
    QString doing_text() const;
    QString calibration_text() const;
    QString gpu_text() const;

  private:
    void build();
    void refresh();
    void show_gpu();

    RunMonitor monitor_;
    std::uint64_t logged_ = 0;
    QTimer timer_;
    QProgressBar* progress_ = nullptr;
    FittingLabel* budget_ = nullptr;
    FittingLabel* doing_ = nullptr;
    QWidget* doing_row_ = nullptr;
    OutcomeBar* outcomes_ = nullptr;
    FittingLabel* counts_ = nullptr;
    FittingLabel* calibration_ = nullptr;
    QWidget* gpu_row_ = nullptr;
    Sparkline* clock_ = nullptr;
    Sparkline* celsius_ = nullptr;
    Sparkline* watts_ = nullptr;
    FittingLabel* gpu_ = nullptr;
    bool measures_ = false;
};

}  // namespace cubinlab::ui
