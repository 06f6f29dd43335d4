// SPDX-License-Identifier: GPL-3.0-or-later
// The scrubber of a replay: the whole run as one strip with accepted steps (bars), improvements (diamonds),
// failures (red feet) and, in a lane below, the essential edits (stars). Drag or click to scrub; arrow keys
// move by one step of the filter, Page keys by a twentieth, Home, End; hover describes a position. Accessible
// as a slider.
#pragma once
#include <QAbstractSlider>
#include <cstdint>
#include <vector>

#include "ui/run/mutation_model.h"

namespace cubinlab::ui {

// A run of any length in at most kBuckets counters, to draw it as one strip. When they are full, pairs are
// merged and each bucket covers twice as many steps. A step costs one addition; memory is constant. No Qt.
//
//   TimelineBuckets t;  t.add(1, brief, true);  t.bucket_of(1)
struct TimelineBucket {
    std::uint32_t steps = 0;
    std::uint32_t admitted = 0;  // by the filter in force
    std::uint32_t accepted = 0;
    std::uint32_t best = 0;
    std::uint32_t failed = 0;
    void add(const TimelineBucket& other);
    friend bool operator==(const TimelineBucket&, const TimelineBucket&) = default;
};

class TimelineBuckets {
  public:
    static constexpr std::size_t kBuckets = 4096;

    void clear();
    void add(StepId step, const StepBrief& brief, bool admitted);  // steps ascend from 1
    StepId width() const { return width_; }                        // steps a bucket, a power of two
    StepId last() const { return last_; }
    std::size_t size() const { return buckets_.size(); }
    std::size_t bucket_of(StepId step) const { return static_cast<std::size_t>((step - 1) / width_); }
    const TimelineBucket& at(std::size_t bucket) const { return buckets_[bucket]; }
    TimelineBucket sum(StepId from, StepId to) const;  // of the buckets that [from, to] touches

  private:
    void halve();

    StepId width_ = 1;
    StepId last_ = 0;
    std::vector<TimelineBucket> buckets_;
};

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
