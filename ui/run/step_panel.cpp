// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/step_panel.h"

#include <QComboBox>
#include <QLabel>
#include <QSpinBox>
#include <QTabBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/base/flow_layout.h"
#include "ui/base/format.h"
#include "ui/run/replay_timeline.h"

namespace cubinlab::ui {
namespace {
constexpr int kPatienceMs = 4000;  // playback waits this long for a schedule, then continues
constexpr int kFrameMs = 16;       // faster rates take several steps a frame
constexpr int kFastest = 0;        // rate: as fast as schedules come
}  // namespace

StepPanel::StepPanel(MutationModel* model, QWidget* parent) : QWidget(parent), model_(model) {
    build();
}

void StepPanel::build() {
    setAccessibleName(tr("Replay"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 4, 8, 4);
    column->setSpacing(2);
    auto* row = new FlowLayout;
    row->setSpacing(3);
    struct Jump {
        const char* name;
        QString text, tip;
        int direction;
        bool accepted, best;
    };
    const Jump jumps[] = {
        {"replay-prev-best", QStringLiteral("\u25C6\u2039"), tr("Previous improvement"), -1, false, true},
        {"replay-prev-accepted", QStringLiteral("\u25CF\u2039"), tr("Previous accepted step"), -1, true,
         false},
        {"replay-prev", QStringLiteral("\u2039"), tr("Previous step"), -1, false, false},
        {"replay-next", QStringLiteral("\u203A"), tr("Next step"), +1, false, false},
        {"replay-next-accepted", QStringLiteral("\u203A\u25CF"), tr("Next accepted step"), +1, true, false},
        {"replay-next-best", QStringLiteral("\u203A\u25C6"), tr("Next improvement"), +1, false, true}};
    for (const Jump& j : jumps) {
        if (j.direction > 0 && !play_) {
            play_ = text_button(tr("Play"), tr("Play the steps in order"));
            play_->setObjectName(QStringLiteral("replay-play"));
            connect(play_, &QToolButton::clicked, this, [this] { playing() ? pause() : play(); });
            row->addWidget(play_);
        }
        QToolButton* button = text_button(j.text, j.tip);
        button->setObjectName(QString::fromLatin1(j.name));
        connect(button, &QToolButton::clicked, this,
                [this, d = j.direction, a = j.accepted, b = j.best] { jump(d, a, b); });
        row->addWidget(button);
    }
    rate_ = new QComboBox;
    for (const int r : {1, 2, 5, 10, 20, 60, 500})
        rate_->addItem(tr("%1/s").arg(r), r);
    rate_->addItem(tr("fastest"), kFastest);
    rate_->setCurrentIndex(2);
    rate_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    rate_->setAccessibleName(tr("Steps per second"));
    const auto set_interval = [this] {
        const int rate = rate_->currentData().toInt();
        timer_.setInterval(rate == kFastest ? 0 : std::max(kFrameMs, 1000 / rate));
    };
    connect(rate_, &QComboBox::currentIndexChanged, this, set_interval);
    set_interval();
    row->addWidget(rate_);
    text_ = new QLabel;
    text_->setAccessibleName(tr("Position in the run"));
    box_ = new QSpinBox;
    box_->setAccessibleName(tr("Step"));
    box_->setKeyboardTracking(false);
    box_->setFixedWidth(box_->fontMetrics().horizontalAdvance(QStringLiteral("9 999 999")) + 24);
    row->addWidget(box_);
    row->addWidget(text_);
    column->addLayout(row);
    parts_bar_ = new QTabBar;
    parts_bar_->setObjectName(QStringLiteral("replay-parts"));
    parts_bar_->setAccessibleName(tr("Runs of the tuning, by the start that they search"));
    parts_bar_->setDrawBase(false);
    parts_bar_->setExpanding(false);
    parts_bar_->setElideMode(Qt::ElideNone);
    parts_bar_->setUsesScrollButtons(true);
    parts_bar_->hide();
    column->addWidget(parts_bar_);
    connect(parts_bar_, &QTabBar::currentChanged, this, [this](int index) {
        if (index < 0 || index >= static_cast<int>(parts_.size())) return;
        const RunId run = parts_[static_cast<std::size_t>(index)].run;
        if (run != model_->run().id) Q_EMIT run_asked(run);
    });
    timeline_ = new ReplayTimeline(model_);
    column->addWidget(timeline_);
    connect(timeline_, &ReplayTimeline::valueChanged, this, [this](int value) { go_to(value); });
    connect(box_, &QSpinBox::valueChanged, this, [this](int value) { go_to(value); });
    connect(&timer_, &QTimer::timeout, this, &StepPanel::advance);
    connect(model_, &MutationModel::total_changed, this, &StepPanel::total_changed);
    total_changed();
}

StepId StepPanel::step() const {
    return timeline_->value();
}

void StepPanel::total_changed() {
    const int last = static_cast<int>(std::min<StepId>(model_->steps().last(), 0x7fffffff));
    const QSignalBlocker a(timeline_), b(box_);
    const bool other_run = last < timeline_->maximum();
    if (other_run) shown_ = 0;
    timeline_->setRange(0, last);  // keeps the value: the user may be dragging the slider
    timeline_->setPageStep(std::max(1, last / 20));
    timeline_->take_steps();
    box_->setRange(0, last);
    if (other_run) timeline_->setValue(0);
    box_->setValue(timeline_->value());
    setEnabled(last > 0 || !parts_.empty());
    update_text();
    mark_part();
    if (last > 0 && asked_run_ != 0 && model_->run().id == asked_run_) enter_part();
}

// ---- the runs of a tuning ----

void StepPanel::set_parts(std::vector<ReplayPart> parts) {
    if (parts != parts_) {
        const QSignalBlocker quiet(parts_bar_);
        while (parts_bar_->count() > static_cast<int>(parts.size()))
            parts_bar_->removeTab(parts_bar_->count() - 1);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const int at = static_cast<int>(i);
            if (at == parts_bar_->count()) parts_bar_->addTab(QString());
            parts_bar_->setTabText(at, parts[i].name);
            parts_bar_->setTabToolTip(
                at, tr("Run %1, %2 steps").arg(parts[i].run).arg(grouped(static_cast<qint64>(parts[i].steps))));
        }
        parts_ = std::move(parts);
        parts_bar_->setVisible(parts_.size() > 1);
        updateGeometry();
    }
    mark_part();
}

void StepPanel::mark_part() {
    const QSignalBlocker quiet(parts_bar_);
    const auto here = std::ranges::find(parts_, model_->run().id, &ReplayPart::run);
    if (here != parts_.end()) parts_bar_->setCurrentIndex(static_cast<int>(here - parts_.begin()));
}

// False: there is none in that direction.
bool StepPanel::ask_for_part(int direction) {
    const auto here = std::ranges::find(parts_, model_->run().id, &ReplayPart::run);
    if (here == parts_.end()) return false;
    const auto at = here - parts_.begin() + direction;
    if (at < 0 || at >= static_cast<std::ptrdiff_t>(parts_.size())) return false;
    asked_run_ = parts_[static_cast<std::size_t>(at)].run;
    asked_direction_ = direction;
    waited_ = 0;
    Q_EMIT run_asked(asked_run_);
    return true;
}

void StepPanel::enter_part() {
    asked_run_ = 0;
    const StepId from = asked_direction_ > 0 ? 0 : model_->steps().last() + 1;
    go_to(model_->steps().next(from, asked_direction_, filter_));
}

void StepPanel::update_text() {
    const StepId last = model_->steps().last();
    text_->setText(last == 0 ? tr("no run") : tr("of %1").arg(grouped(last)));
}

void StepPanel::go_to(qint64 step) {
    const auto value = static_cast<int>(std::clamp<qint64>(step, 0, timeline_->maximum()));
    {
        const QSignalBlocker a(timeline_), b(box_);
        timeline_->setValue(value);
        box_->setValue(value);
    }
    waited_ = 0;
    if (value == shown_) return;
    Q_EMIT step_chosen(model_->run().id, value);
}

void StepPanel::shown(StepId step) {
    shown_ = step;
    waited_ = 0;
    // A dragged slider is ahead of the shown step and must not jump back.
    if (timeline_->isSliderDown() || playing()) return;
    const QSignalBlocker a(timeline_), b(box_);
    timeline_->setValue(static_cast<int>(step));
    box_->setValue(static_cast<int>(step));
}

void StepPanel::set_filter(const StepFilter& filter) {
    filter_ = filter;
    timeline_->set_filter(filter);
}

void StepPanel::jump(int direction, bool accepted, bool best) {
    StepFilter filter = filter_;
    filter.accepted_only |= accepted;
    filter.best_only |= best;
    const StepId next = model_->steps().next(step(), direction, filter);
    if (next > 0)
        go_to(next);
    else if (direction < 0 && step() > 0)
        go_to(0);  // before the first: the run's start
    else if (!accepted && !best)
        ask_for_part(direction);
}

void StepPanel::play() {
    const bool last_part = parts_.empty() || parts_.back().run == model_->run().id;
    if (step() >= model_->steps().last() && last_part) go_to(0);
    timer_.start();
    play_->setText(tr("Pause"));
}

void StepPanel::pause() {
    timer_.stop();
    asked_run_ = 0;
    play_->setText(tr("Play"));
}

void StepPanel::advance() {
    if (asked_run_ != 0) {
        if ((waited_ += std::max(1, timer_.interval())) >= kPatienceMs) pause();
        return;
    }
    if (shown_ != step() && (waited_ += std::max(1, timer_.interval())) < kPatienceMs) return;  // on its way
    const int rate = rate_->currentData().toInt();
    StepId next = 0;
    for (int i = std::max(1, rate * kFrameMs / 1000), from = static_cast<int>(step()); i > 0; --i) {
        const StepId found = model_->steps().next(from, +1, filter_);
        if (found <= 0) break;
        next = found;
        from = static_cast<int>(found);
    }
    if (next > 0) return go_to(next);
    if (!ask_for_part(+1)) pause();
}

}  // namespace cubinlab::ui
