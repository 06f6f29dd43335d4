// SPDX-License-Identifier: GPL-3.0-or-later
// The scrubber of a replay: the whole run as one strip with accepted steps (bars), improvements (diamonds),
// failures (red feet) and, in a lane below, the essential edits (stars). Drag or click to scrub; arrow keys
// move by one step of the filter, Page keys by a twentieth, Home, End; hover describes a position. Accessible
// as a slider.
#pragma once
#include <QAbstractSlider>
#include <vector>

#include "ui/run/mutation_model.h"
#include "ui/run/timeline_buckets.h"

namespace cubinlab::ui {

class ReplayTimeline : public QAbstractSlider {
    Q_OBJECT

  public:
    explicit ReplayTimeline(const MutationModel* model, QWidget* parent = nullptr);

    void set_filter(const StepFilter& filter);  // other steps are drawn faint and skipped
    const StepFilter& filter() const { return filter_; }
    void set_carrying(std::vector<StepId> steps);  // steps with essential edits, ascending
    const std::vector<StepId>& carrying() const { return carrying_; }
    void take_steps();  // the model's steps have changed

    double x_of(StepId step) const;
    StepId step_at(double x) const;  // clamped to the run; an improvement near the pointer wins
    QString text_at(double x) const;
    const TimelineBuckets& buckets() const { return buckets_; }

    QSize sizeHint() const override { return {420, 64}; }
    QSize minimumSizeHint() const override { return {120, 56}; }

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void sliderChange(SliderChange change) override;

  private:
    QRectF track() const;
    void scrub(double x);
    void step_by(int direction);
    void paint_columns(class QPainter& painter) const;
    void paint_marks(QPainter& painter) const;
    void paint_carrying(QPainter& painter) const;
    void paint_playhead(QPainter& painter) const;

    const MutationModel* model_;
    StepFilter filter_;
    TimelineBuckets buckets_;
    std::vector<StepId> bests_;  // every improvement; there are few
    std::vector<StepId> carrying_;
};

}  // namespace cubinlab::ui
