// SPDX-License-Identifier: GPL-3.0-or-later
// The curves of a run, live or loaded, over its steps: gain of each candidate with the best so far as a step
// line (confirmed improvements filled; candidates far below the median are marks at the lower edge), reward (raw faint, smoothed on top), and one metric of the agent or
// the episode return. Re-measured steps (F8) are drawn with their intervals on a separate axis, because they
// are against the original and a run may be modelled. Earlier runs can be kept for comparison.
//
// Hover reads values, click shows that step's schedule; wheel zooms, drag pans, double click or F shows
// everything and follows again; Left/Right move the cursor by one step, with Ctrl to the next improvement;
// Enter shows it.
//
// Every value is kept in compact form (CurveStore). Only the visible part goes to the plot, at most two
// points per pixel column, 20 times a second.
#pragma once
#include <QTimer>
#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "ui/run/output_gate.h"
#include "ui/run/run_curves.h"
#include "ui/run/step_measurements.h"

class QCheckBox;
class QComboBox;
class QCustomPlot;
class QCPAxisRect;
class QCPErrorBars;
class QCPGraph;
class QCPItemStraightLine;
class QFrame;
class QLabel;
class QSlider;
class QToolButton;

namespace cubinlab::ui {

class FittingLabel;

class Document;
class RunController;

class RewardChart : public QWidget {
    Q_OBJECT

  public:
    RewardChart(Document* document, RunController* runs, QWidget* parent = nullptr);
    explicit RewardChart(QWidget* parent = nullptr);  // filled by the functions below
    ~RewardChart() override;

    void clear();  // removes all runs
    void begin_run(const RunInfo& run);
    void add_steps(const std::vector<StepRecord>& steps);
    void add_metrics(const std::vector<MetricPoint>& points);
    void add_episode(StepId step, double value);
    void set_measurements(const StepMeasurements& measured);  // of the current run; null: none
    void set_marked_step(StepId step);                        // the step whose schedule is shown; 0: none
    void set_cursor(StepId step);                             // reads values there
    StepId cursor() const { return cursor_; }

    const RunCurves* curves() const { return current_.get(); }
    std::size_t kept_runs() const { return kept_.size(); }
    std::size_t bytes() const;  // of all curves
    QCustomPlot* plot() const { return plot_; }
    QString readout() const;  // text of the line above the plot
    bool export_csv(const QString& path) const;
    bool export_image(const QString& path) const;  // .svg or .png
    // By suffix. Reports a failure or a refused path (ui/run/output_gate.h).
    bool export_to(const QString& path, Replace replace = Replace::OwnOnly);
    void ask_and_export(const QString& suffix);  // "csv", "svg" or "png"
    void set_preparing(bool on);                 // a run is about to start
    void set_log_steps(bool on);                 // gives early steps, which find most, more room

    QSize sizeHint() const override { return {640, 380}; }

  public Q_SLOTS:
    void show_all();
    void refresh_now();  // draws without waiting for the timer

  Q_SIGNALS:
    void step_chosen(qint64 run, qint64 step);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    enum Panel { Gain, Measured, Reward, Metric, kPanels };
    void build_toolbar();
    QWidget* build_smoothing();
    QToolButton* build_export();
    QToolButton* build_more(const class QMenu* exports);
    void fit_toolbar();
    std::vector<CurvePoint> sampled(const CurveStore& curve, std::size_t columns, bool smooth) const;
    void build_plot();
    void apply_theme();
    bool fit_axes();  // true: labels or ticks changed
    void schedule_refresh();
    void draw_curves();
    void zoom(double factor, double around);
    bool wheel_turned(class QWheelEvent* event);
    void move_cursor_lines(bool shown);
    void draw_run(const RunCurves& run, std::size_t slot, bool kept);
    void draw_measured();
    void draw_metric(const RunCurves& run, QCPGraph* raw, QCPGraph* smooth);
    void scale_values();
    std::optional<double> median_gain() const;
    void clip_gain(double* low, double high);
    void update_panels();
    int panels_that_fit() const;
    void update_metric_names();
    void update_readout();
    void visible_steps(StepId& from, StepId& to) const;
    StepId step_under(double pixel_x, bool exact) const;
    bool key_pressed(class QKeyEvent* event);
    QCPGraph* graph(Panel panel, std::size_t index);
    const CurveStore* chosen_metric(const RunCurves& run) const;
    void ask_for_metric();
    void list_metrics();

    QCustomPlot* plot_ = nullptr;
    QCPAxisRect* rects_[kPanels] = {};
    std::vector<QCPGraph*> graphs_[kPanels];
    QCPErrorBars* intervals_ = nullptr;  // of the measured steps
    StepMeasurements measured_;
    QCPItemStraightLine* cursor_lines_[kPanels] = {};
    QCPItemStraightLine* mark_lines_[kPanels] = {};
    FittingLabel* readout_ = nullptr;
    QLabel* empty_ = nullptr;
    QFrame* focus_ = nullptr;  // drawn around the curves while they have focus
    QCheckBox* show_[kPanels] = {};
    QComboBox* metric_ = nullptr;
    QSlider* smoothing_ = nullptr;
    QToolButton* keep_ = nullptr;
    QToolButton* log_ = nullptr;
    QToolButton* more_ = nullptr;
    class QMenu* metrics_menu_ = nullptr;  // of "More": the metrics, if their box does not fit
    static constexpr int kPanelHeight =
        60;                         // pixels; where there is no room for all curves, the last give way
    QWidget* tools_bar_ = nullptr;  // hidden before the last curve is
    class FlowLayout* tools_row_ = nullptr;
    std::vector<QWidget*> tools_;  // in "More" if they do not fit
    QString metric_wanted_;        // name of the requested metric
    QTimer timer_;
    std::unique_ptr<RunCurves> current_;
    std::vector<std::unique_ptr<RunCurves>> kept_;
    StepId cursor_ = 0, marked_ = 0;
    int panels_fit_ = 0;
    bool low_ = true;  // no room for step labels below the curve
    bool preparing_ = false;
    bool follow_ = true;
    bool log_steps_ = false;
    bool stale_ = false;         // the plot does not have the visible steps
    bool metric_asked_ = false;  // the user clicked the box: its state no longer follows the data
    QPointF press_at_;
};

}  // namespace cubinlab::ui
