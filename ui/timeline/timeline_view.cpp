// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_view.h"

#include <QComboBox>
#include <QDockWidget>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/base/commands.h"
#include "ui/base/fitting_label.h"
#include "ui/base/flow_layout.h"
#include "ui/base/job_runner.h"
#include "ui/base/theme.h"
#include "ui/document/document.h"
#include "ui/document/selection.h"
#include "ui/timeline/timeline_canvas.h"

namespace cubinlab::ui {

TimelineView::TimelineView(QWidget* parent) : QWidget(parent) {
    build();
}

void TimelineView::build() {
    setAccessibleName(tr("Issue timeline"));
    canvas_ = new TimelineCanvas;
    starts_ = new QComboBox;
    starts_->setAccessibleName(tr("Warp offset"));
    starts_->setToolTip(
        tr("Warps do not run in step on a GPU. The model's figures are means over these offsets; the "
           "timeline shows one offset."));
    starts_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    connect(starts_, &QComboBox::activated, this, [this](int index) {
        start_ = index;
        stale();
    });
    auto* row = row_ = new QHBoxLayout;
    row->setContentsMargins(6, 3, 6, 3);
    row->setSpacing(4);
    row->addWidget(starts_);
    const auto button = [&](const QString& text, const QString& tip, auto slot) {
        QToolButton* b = text_button(text, tip);
        connect(b, &QToolButton::clicked, canvas_, slot);
        row->addWidget(b);
    };
    button(QStringLiteral("\u2212"), tr("Zoom out (-)"), &TimelineCanvas::zoom_out);
    button(QStringLiteral("+"), tr("Zoom in (+)"), &TimelineCanvas::zoom_in);
    button(tr("Fit"), tr("Show the counted iterations (F)"), &TimelineCanvas::fit);
    legend_ = new QLabel;
    legend_->setAccessibleName(tr("Colours"));
    legend_->setTextFormat(Qt::RichText);
    legend_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    legend_->setWordWrap(true);  // between entries; in a narrow dock it takes a second line
    legend_->setContentsMargins(8, 0, 8, 2);
    row->addStretch(1);
    told_ = new FittingLabel;
    told_->setAccessibleName(tr("Issue under the pointer"));
    told_->setContentsMargins(8, 2, 8, 3);
    told_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    connect(canvas_, &TimelineCanvas::told_changed, told_, &FittingLabel::set_text);
    auto* column = column_ = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(row);
    column->addWidget(legend_);
    column->addWidget(canvas_, 1);
    column->addWidget(told_);
    setFocusProxy(canvas_);
    connect(&Theme::instance(), &Theme::changed, this, &TimelineView::apply_theme);
    apply_theme();
    set_timeline(nullptr);
}

void TimelineView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit_height();
}

// In a low dock the legend is hidden and the text line moves next to the buttons.
void TimelineView::fit_height() {
    const int legend = legend_->heightForWidth(width());
    const bool low = height() < row_->sizeHint().height() + std::max(0, legend) + canvas_->least_height() +
                                    told_->sizeHint().height();
    legend_->setVisible(!low);
    const bool beside = row_->indexOf(told_) >= 0;
    if (low == beside) return;
    (low ? static_cast<QBoxLayout*>(column_) : row_)->removeWidget(told_);
    if (low)
        row_->addWidget(told_, 4);
    else
        column_->addWidget(told_);
}

// The reasons that occur, with their colours.
void TimelineView::apply_theme() {
    QStringList parts;
    const std::pair<WaitReason, QString> named[] = {{WaitReason::None, tr("issued")},
                                                    {WaitReason::Stall, tr("stall count")},
                                                    {WaitReason::Scoreboard, tr("scoreboard")},
                                                    {WaitReason::Unit, tr("unit busy")},
                                                    {WaitReason::RegisterPort, tr("register port")},
                                                    {WaitReason::MemoryQueue, tr("memory queue")},
                                                    {WaitReason::Barrier, tr("barrier")},
                                                    {WaitReason::OtherWarp, tr("warp not selected")}};
    const TimelinePtr& timeline = canvas_->timeline();
    for (const auto& [reason, name] : named)
        if (timeline && timeline->reasons.count(reason) != 0)
            parts << QStringLiteral("<span style='color:%1'>\u25a0</span>&nbsp;%2")
                         .arg(timeline_color(reason).name(),
                              QString(name).replace(QLatin1Char(' '), QStringLiteral("&nbsp;")));
    legend_->setFont(Theme::instance().small_font());
    legend_->setText(parts.join(QStringLiteral(" &nbsp; ")));
    legend_->setToolTip(tr("Cycles of a warp by cause (SM model)") + QStringLiteral("<br>") +
                        legend_->text());
}

void TimelineView::set_timeline(TimelinePtr timeline) {
    const QSignalBlocker quiet(starts_);
    starts_->clear();
    if (timeline) {
        for (const std::uint64_t cycles : timeline->starts)
            starts_->addItem(cycles == 0 ? tr("Warps in step") : tr("Warp offset %1 cycles").arg(cycles));
        starts_->setCurrentIndex(static_cast<int>(timeline->start));
    }
    starts_->setVisible(timeline && timeline->starts.size() > 1);
    canvas_->set_timeline(std::move(timeline));
    apply_theme();
    fit_height();
}

QString TimelineView::told() const {
    return told_->text();
}

void add_timeline_commands(Commands& commands, TimelineView* view, QDockWidget* dock,
                           const DisabledReason& why_not) {
    commands.add("view.timeline", QObject::tr("Go to the &issue timeline"), "",
                 QKeySequence(QStringLiteral("Alt+I")),
                 QObject::tr("Show the modelled issue cycles and waits of each warp in the hot loop"),
                 {QStringLiteral("view/listing")}, why_not, [view, dock] {
                     dock->show();
                     dock->raise();
                     view->canvas()->setFocus();
                 });
}

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
    if (!document_->kernel()->arch().editable())
        return canvas_->set_message(tr("The model does not support %1.")
                                        .arg(QString::fromStdString(document_->kernel()->arch().name())));
    if (jobs_->busy(QStringLiteral("issue-timeline"))) return timer_.start(50);
    wanted_ = false;
    if (!explainer_) explainer_ = std::make_shared<KernelExplainer>();
    if (!canvas_->timeline()) canvas_->set_message(tr("Simulating the hot loop..."));
    jobs_->run<TimelinePtr>(
        QStringLiteral("issue-timeline"),
        [explainer = explainer_, left = document_->pair().left(), right = document_->pair().right(),
         workload = document_->workload(), start = static_cast<std::size_t>(start_),
         titles = std::pair(document_->pair().title(document_->pair().left_slot()),
                            document_->pair().title(document_->pair().right_slot()))](std::stop_token stop) -> TimelinePtr {
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
