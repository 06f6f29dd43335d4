// SPDX-License-Identifier: GPL-3.0-or-later
// The state of the shown run above its curves: budget and time left, outcomes as a bar, evaluator and
// calibration, and the GPU's clock, temperature and power. Without a GPU it says so.
#pragma once
#include <QColor>
#include <QTimer>
#include <QWidget>
#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "core/result/work_time.h"
#include "core/search/engine/tune_run.h"

class QProgressBar;

namespace cubinlab::ui {

class Document;
class FittingLabel;
class RewardChart;
class RunController;

struct GpuSample {
    float clock_mhz = -1, celsius = -1, watts = -1;  // -1: unknown
    std::uint32_t throttle = 0;                      // NVML clock event reasons that slow the GPU
};

// The state of a run computed from its steps: counts of outcomes, candidates per second, and the GPU's clock,
// temperature and power from NVML for each block of timing pairs. Constant memory.
class RunMonitor {
  public:
    static constexpr std::size_t kOutcomes = 8;      // of OutcomeKind
    static constexpr std::size_t kGpuSamples = 240;  // newest; older ones are dropped

    void clear();
    void add(const std::vector<StepRecord>& steps);

    std::uint64_t steps() const { return steps_; }
    std::uint64_t accepted() const { return accepted_; }
    std::uint64_t best() const { return best_; }
    std::uint64_t repeated() const { return repeated_; }
    std::uint64_t of(OutcomeKind kind) const { return outcomes_[static_cast<std::size_t>(kind)]; }
    std::uint64_t failed() const { return steps_ - of(OutcomeKind::Ok); }
    double rate() const;  // candidates/s over the last seconds; 0: unknown
    const std::deque<GpuSample>& gpu() const { return gpu_; }
    std::uint64_t throttled() const { return throttled_; }  // samples with a throttle reason

  private:
    std::uint64_t steps_ = 0, accepted_ = 0, best_ = 0, repeated_ = 0, throttled_ = 0;
    std::array<std::uint64_t, kOutcomes> outcomes_{};
    WorkTime work_;
    std::deque<std::pair<std::int64_t, std::uint64_t>> recent_;  // time_us of the part, steps until then
    std::deque<GpuSample> gpu_;
};

// Seconds until the budget is used up at the current rate; negative: unknown.
double seconds_left(double fraction, double seconds);

// NVML clock event reasons that mean the GPU was slowed down (nvml.h, nvmlClocksEventReason*): power caps and
// brakes, thermal slowdown. Idle and application clocks do not count.
std::uint32_t slowdown_reasons(std::uint32_t reasons);

// Two small charts of a run strip: a series of readings with its newest value, and a bar of shares.
class Sparkline : public QWidget {
    Q_OBJECT

  public:
    Sparkline(const QString& name, const QString& unit, QWidget* parent = nullptr);
    // Values below 0 are gaps; values with `alarm` are drawn red.
    void set_values(std::vector<float> values, std::vector<bool> alarm);
    QString text() const;  // "SM clock 1 980 MHz"
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    QString name_, unit_;
    std::vector<float> values_;
    std::vector<bool> alarm_;
};

struct Share {
    QString name;
    double count = 0;
    QColor color;
};

class OutcomeBar : public QWidget {
    Q_OBJECT

  public:
    explicit OutcomeBar(QWidget* parent = nullptr);
    void set_shares(std::vector<Share> shares);
    const std::vector<Share>& shares() const { return shares_; }
    QSize sizeHint() const override { return {160, 10}; }
    QSize minimumSizeHint() const override { return {60, 10}; }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    std::vector<Share> shares_;
};

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

// The agent dock: the state of the shown run above its curves.
class AgentPanel : public QWidget {
    Q_OBJECT

  public:
    AgentPanel(Document* document, RunController* runs, QWidget* parent = nullptr);
    RewardChart* chart() const { return chart_; }
    RunStrip* strip() const { return strip_; }
    QSize sizeHint() const override { return {640, 420}; }

  private:
    RunStrip* strip_ = nullptr;
    RewardChart* chart_ = nullptr;
};

}  // namespace cubinlab::ui
