// SPDX-License-Identifier: GPL-3.0-or-later
// Both players of a tuning on one axis of working time: the gain of each start that was screened, and of each schedule that
// was searched on one, all against the original. Bands name the start that is searched; the line is the best so far.
//
// A click chooses the step under the pointer; wheel zooms, drag pans, double click shows all.
#pragma once
#include <QWidget>
#include <vector>

#include "core/tuning/tuning_log.h"

class QCPGraph;
class QCPItemRect;
class QCPItemText;
class QCustomPlot;

namespace cubinlab::ui {

class EmptyNote;
class FittingLabel;

// The highest and the lowest point of each of `columns` equal parts of the time, in order.
std::vector<TuningPart::Point> thinned(const std::vector<TuningPart::Point>& points, double from, double to, int columns);

class StartsChart : public QWidget {
    Q_OBJECT

  public:
    explicit StartsChart(QWidget* parent = nullptr);
    // `names`: of the searched starts, by part. `live`: the last part is active.
    void show_tuning(std::vector<TuningPart> parts, std::vector<QString> names, bool modelled, bool live);
    void clear() { show_tuning({}, {}, false, false); }
    QCustomPlot* plot() const { return plot_; }
    QSize sizeHint() const override { return {420, 220}; }

  public Q_SLOTS:
    void show_all();

  Q_SIGNALS:
    void step_chosen(qint64 run, qint64 step);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void build();
    void apply_theme();
    void draw();
    void draw_bands();
    void read_at(double pixel_x);
    void choose(const QPointF& at);
    double total() const { return parts_.empty() ? 0 : parts_.back().ends; }

    QCustomPlot* plot_ = nullptr;
    QCPGraph *starts_ = nullptr, *schedules_ = nullptr, *best_ = nullptr;
    std::vector<QCPItemRect*> bands_;
    std::vector<QCPItemText*> names_of_bands_;
    FittingLabel* readout_ = nullptr;
    EmptyNote* empty_ = nullptr;
    std::vector<TuningPart> parts_;
    std::vector<QString> names_;
    bool modelled_ = false, live_ = false, follow_ = true;
    QPointF press_at_;
};

}  // namespace cubinlab::ui
