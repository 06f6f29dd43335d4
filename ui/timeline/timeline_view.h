// SPDX-License-Identifier: GPL-3.0-or-later
// The issue timeline of the left and right schedules: which warps issue which instruction in which cycle of
// the hot loop, and what they wait for, by the SM model. Computed on a job thread while the dock is visible.
//
//   auto* view = new TimelineView(&document, &selection, &jobs);
//   add_timeline_commands(commands, view, dock, why_not);
#pragma once
#include <QTimer>
#include <QWidget>
#include <functional>
#include <memory>

#include "ui/timeline/timeline.h"

class QComboBox;
class QDockWidget;
class QHBoxLayout;
class QLabel;
class QVBoxLayout;

namespace cubinlab::ui {

class Commands;
class Document;
class FittingLabel;
class JobRunner;
class Selection;
class TimelineCanvas;

class TimelineView : public QWidget {
    Q_OBJECT

  public:
    TimelineView(Document* document, Selection* selection, JobRunner* jobs, QWidget* parent = nullptr);
    explicit TimelineView(QWidget* parent = nullptr);  // shows the timeline that it is given

    void set_timeline(TimelinePtr timeline);
    TimelineCanvas* canvas() const { return canvas_; }
    QComboBox* starts() const { return starts_; }
    QString told() const;

    QSize sizeHint() const override { return {760, 300}; }

  protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void build();
    void apply_theme();
    void fit_height();
    void stale();
    void request();

    Document* document_ = nullptr;
    JobRunner* jobs_ = nullptr;
    TimelineCanvas* canvas_ = nullptr;
    QComboBox* starts_ = nullptr;
    QLabel* legend_ = nullptr;
    QHBoxLayout* row_ = nullptr;
    QVBoxLayout* column_ = nullptr;
    FittingLabel* told_ = nullptr;
    std::shared_ptr<KernelExplainer> explainer_;
    QTimer timer_;
    bool wanted_ = false;
    int start_ = 1;  // index in Timeline::starts
};

// View > Issue timeline: brings the dock to the front and focuses it.
void add_timeline_commands(Commands& commands, TimelineView* view, QDockWidget* dock,
                           const std::function<QString()>& why_not);

}  // namespace cubinlab::ui
