// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/step_panel.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSlider>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/flow_layout.h"
#include "ui/panels/format.h"

namespace cubinlab::ui {
namespace {
constexpr int kPatience = 40;  // timer ticks that play waits for a schedule before it goes on without
}

StepPanel::StepPanel(MutationModel* model, QWidget* parent) : QWidget(parent), model_(model) {
    build();
}

QToolButton* StepPanel::add_button(const QString& text, const QString& tip) {
    auto* button = new QToolButton;
    button->setText(text);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    button->setAutoRaise(true);
    button->setProperty("compact", true);
    return button;
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
            play_ = add_button(tr("Play"), tr("Play the steps one after the other"));
            play_->setObjectName(QStringLiteral("replay-play"));
            connect(play_, &QToolButton::clicked, this, [this] { playing() ? pause() : play(); });
            row->addWidget(play_);
        }
        QToolButton* button = add_button(j.text, j.tip);
        button->setObjectName(QString::fromLatin1(j.name));
        connect(button, &QToolButton::clicked, this,
                [this, d = j.direction, a = j.accepted, b = j.best] { jump(d, a, b); });
        row->addWidget(button);
    }
    what_ = new QComboBox;
    what_->addItems({tr("all steps"), tr("accepted"), tr("improvements")});
    what_->setAccessibleName(tr("Which steps are played"));
    rate_ = new QComboBox;
    for (const int r : {1, 2, 5, 10, 20, 60})
        rate_->addItem(tr("%1/s").arg(r), r);
    rate_->setCurrentIndex(2);
    for (QComboBox* box : {what_, rate_})
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    rate_->setAccessibleName(tr("Steps a second"));
    connect(rate_, &QComboBox::currentIndexChanged, this,
            [this] { timer_.setInterval(1000 / std::max(1, rate_->currentData().toInt())); });
    timer_.setInterval(200);
    row->addWidget(what_);
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
    slider_ = new QSlider(Qt::Horizontal);
    slider_->setAccessibleName(tr("Step of the run"));
    column->addWidget(slider_);
    connect(slider_, &QSlider::valueChanged, this, [this](int value) { go_to(value); });
    connect(box_, &QSpinBox::valueChanged, this, [this](int value) { go_to(value); });
    connect(&timer_, &QTimer::timeout, this, &StepPanel::advance);
    connect(model_, &MutationModel::total_changed, this, &StepPanel::total_changed);
    total_changed();
}

StepId StepPanel::step() const {
    return slider_->value();
}

void StepPanel::total_changed() {
    const int last = static_cast<int>(std::min<StepId>(model_->steps().last(), 0x7fffffff));
    const QSignalBlocker a(slider_), b(box_);
    const bool other_run = last < slider_->maximum();
    if (other_run) shown_ = 0;
    slider_->setRange(0, last);  // keeps the value: the slider may be in somebody's hand
    slider_->setPageStep(std::max(1, last / 20));
    box_->setRange(0, last);
    if (other_run) slider_->setValue(0);
    box_->setValue(slider_->value());
    setEnabled(last > 0);
    update_text();
}

void StepPanel::update_text() {
    const StepId last = model_->steps().last();
    text_->setText(last == 0 ? tr("no run") : tr("of %1").arg(grouped(last)));
}

void StepPanel::go_to(qint64 step) {
    const auto value = static_cast<int>(std::clamp<qint64>(step, 0, slider_->maximum()));
    {
        const QSignalBlocker a(slider_), b(box_);
        slider_->setValue(value);
        box_->setValue(value);
    }
    waited_ = 0;
    if (value == shown_) return;
    Q_EMIT step_chosen(model_->run().id, value);
}

void StepPanel::shown(StepId step) {
    shown_ = step;
    waited_ = 0;
    // While the slider is held, it is ahead of what is shown: it must not jump back under the hand.
    if (slider_->isSliderDown() || playing()) return;
    const QSignalBlocker a(slider_), b(box_);
    slider_->setValue(static_cast<int>(step));
    box_->setValue(static_cast<int>(step));
}

void StepPanel::jump(int direction, bool accepted, bool best) {
    StepFilter filter;
    filter.accepted_only = accepted;
    filter.best_only = best;
    const StepId next = model_->steps().next(step(), direction, filter);
    if (next > 0)
        go_to(next);
    else if (direction < 0)
        go_to(0);  // before the first: the run's start
}

void StepPanel::play() {
    if (step() >= model_->steps().last()) go_to(0);
    timer_.start();
    play_->setText(tr("Pause"));
}

void StepPanel::pause() {
    timer_.stop();
    play_->setText(tr("Play"));
}

void StepPanel::advance() {
    if (shown_ != step() && ++waited_ < kPatience) return;  // the last one is not in view yet
    StepFilter filter;
    filter.accepted_only = what_->currentIndex() == 1;
    filter.best_only = what_->currentIndex() == 2;
    const StepId next = model_->steps().next(step(), +1, filter);
    next > 0 ? go_to(next) : pause();
}

}  // namespace cubinlab::ui
