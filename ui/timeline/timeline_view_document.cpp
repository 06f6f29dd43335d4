// SPDX-License-Identifier: GPL-3.0-or-later
// The part of TimelineView that follows a document: the shown pair and the job that simulates it.
#include "ui/base/job_runner.h"
#include "ui/document/document.h"
#include "ui/document/selection.h"
#include "ui/timeline/timeline_canvas.h"
#include "ui/timeline/timeline_view.h"

namespace cubinlab::ui {

TimelineView::TimelineView(Document* document, Selection* selection, JobRunner* jobs, QWidget* parent)
    : QWidget(parent), document_(document), jobs_(jobs) {
    build();
    const QString empty = tr("Open a cubin to see the issue cycles of each warp in its hot loop.");
    canvas_->set_message(empty);
    timer_.setSingleShot(true);
    connect(&timer_, &QTimer::timeout, this, &TimelineView::request);
    connect(document, &Document::opened, this, &TimelineView::stale);
    connect(&document->pair(), &ComparedPair::changed, this, &TimelineView::stale);
    connect(document, &Document::leaving, this, [this, empty] {
        timer_.stop();
        explainer_.reset();
        set_timeline(nullptr);
        canvas_->set_message(empty);
    });
    connect(selection, &Selection::changed, canvas_, &TimelineCanvas::set_selected);
    connect(canvas_, &TimelineCanvas::instr_chosen, selection, &Selection::select);
    stale();
}

void TimelineView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (wanted_) timer_.start(0);
}

// A running agent changes the pair ten times a second; a hidden dock does no work.
void TimelineView::stale() {
    constexpr int kPatienceMs = 120;
    wanted_ = true;
    if (isVisible() && !timer_.isActive()) timer_.start(canvas_->timeline() ? kPatienceMs : 0);
}

void TimelineView::request() {
    if (!document_ || !document_->is_open() || !document_->pair().right()) return;
    if (document_->kernel()->size() == 0) return canvas_->set_message(tr("This kernel has no instructions."));
    if (!document_->kernel()->arch().decodable())
        return canvas_->set_message(tr("%1 code is not decoded: the model does not support it.")
                                        .arg(QString::fromStdString(document_->kernel()->arch().name())));
    if (jobs_->busy(QStringLiteral("issue-timeline"))) return timer_.start(50);
    wanted_ = false;
    if (!explainer_) explainer_ = std::make_shared<KernelExplainer>();
    if (!canvas_->timeline()) canvas_->set_message(tr("Simulating the hot loop..."));
    jobs_->run<TimelinePtr>(
        QStringLiteral("issue-timeline"),
        [explainer = explainer_, left = document_->pair().left(), right = document_->pair().right(),
         workload = document_->workload(), start = static_cast<std::size_t>(start_),
         titles = std::pair(title_of(document_->pair().left_head()),
                            title_of(document_->pair().right_head()))](std::stop_token stop) -> TimelinePtr {
            const auto made = make_timeline(*explainer, left, right, workload, start, stop);
            if (!made) return nullptr;
            made->sides.back().title = titles.second;
            if (made->sides.size() > 1) made->sides.front().title = titles.first;
            return made;
        },
        [this](TimelinePtr timeline) {
            if (timeline && document_->is_open() && timeline->kernel == document_->kernel())
                set_timeline(std::move(timeline));
        });
}

}  // namespace cubinlab::ui
