// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/run_strip.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QVBoxLayout>
#include <cmath>

#include "ui/base/fitting_label.h"
#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/run/sparkline.h"

namespace cubinlab::ui {
namespace {
constexpr int kRefreshMs = 100;
}

RunStrip::RunStrip(QWidget* parent) : QWidget(parent) {
    build();
}

void RunStrip::build() {
    setAccessibleName(tr("State of the run"));
    progress_ = new QProgressBar;
    progress_->setTextVisible(false);
    progress_->setRange(0, 1000);
    progress_->setFixedSize(72, 8);
    progress_->setAccessibleName(tr("Part of the budget used"));
    const auto label = [](const QString& name) {
        auto* text = new FittingLabel;
        text->setAccessibleName(name);
        text->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        return text;
    };
    budget_ = label(tr("Budget and time left"));
    doing_ = label(tr("Activity of the agent"));
    outcomes_ = new OutcomeBar;
    outcomes_->setFixedWidth(72);
    counts_ = label(tr("Outcomes"));
    calibration_ = label(tr("Evaluator and its calibration"));
    gpu_ = label(tr("State of the GPU"));
    clock_ = new Sparkline(tr("SM clock"), QStringLiteral("MHz"));
    celsius_ = new Sparkline(tr("temperature"), QStringLiteral("\u00b0C"));
    watts_ = new Sparkline(tr("power"), QStringLiteral("W"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 4, 8, 2);
    column->setSpacing(1);
    const auto row = [&](std::initializer_list<QWidget*> widgets) {
        auto* holder = new QWidget;
        auto* line = new QHBoxLayout(holder);
        line->setContentsMargins(0, 0, 0, 0);
        line->setSpacing(8);
        for (QWidget* widget : widgets)
            line->addWidget(widget);
        column->addWidget(holder);
        return holder;
    };
    row({progress_, budget_});
    doing_row_ = row({doing_});
    doing_row_->hide();
    row({outcomes_, counts_});
    row({calibration_});
    gpu_row_ = row({clock_, celsius_, watts_, gpu_});
    timer_.setSingleShot(true);
    timer_.setInterval(kRefreshMs);
    connect(&timer_, &QTimer::timeout, this, &RunStrip::refresh);
    connect(&Theme::instance(), &Theme::changed, this, &RunStrip::refresh);
    set_budget({}, 0, -1, false);
    set_evaluator({}, {});
    refresh();
}

void RunStrip::begin_run(std::uint64_t logged) {
    logged_ = logged;
    monitor_.clear();
    set_doing({});
    refresh();
}

void RunStrip::add_steps(const std::vector<StepRecord>& steps) {
    monitor_.add(steps);
    if (!timer_.isActive()) timer_.start();
}

void RunStrip::set_budget(const QString& state, double fraction, double left_s, bool active) {
    progress_->setValue(static_cast<int>(1000 * fraction));
    if (state.isEmpty()) {
        budget_->set_text(tr("No run"));
        return;
    }
    QString text = state;
    if (active)
        text += QStringLiteral("  \u00b7  ") + tr("%1 % of the budget").arg(std::floor(100 * fraction));
    const QString shorter = text;
    if (active && left_s >= 0)
        text += QStringLiteral("  \u00b7  ") + tr("%1 left").arg(duration_text(left_s));
    budget_->set_texts(
        {text, active && left_s >= 0 ? tr("%1 left").arg(duration_text(left_s)) : shorter, state});
}

void RunStrip::set_doing(const QString& doing) {
    doing_row_->setVisible(!doing.isEmpty());
    const QStringList parts = doing.split(QStringLiteral("; "));
    doing_->set_texts({doing, parts.front()});
    doing_->setToolTip(doing);
}

void RunStrip::set_evaluator(const std::optional<EvaluatorInfo>& info, const QStringList& otherwise) {
    measures_ = info && info->kind == EvaluatorKind::Gpu;
    if (!info) {
        calibration_->set_texts(otherwise.isEmpty() ? QStringList{tr("No evaluator yet")} : otherwise);
    } else if (!measures_) {
        const QString device = QString::fromStdString(info->device);
        calibration_->set_texts({tr("%1: modelled cycles, unmeasured; nothing to calibrate").arg(device),
                                 tr("%1: unmeasured").arg(device)});
    } else {
        const QString device = QString::fromStdString(info->device);
        const QString least = QStringLiteral("%1 %").arg(100 * std::expm1(info->detectable), 0, 'f', 2);
        const QString finds = tr("detects gains from %1").arg(least);
        const QString spread = tr("original against itself \u00b1%1 %").arg(100 * info->aa_spread, 0, 'f', 2);
        const QString timer = tr("timer resolution %1 us").arg(info->timer_step_us, 0, 'g', 3);
        const QString dot = QStringLiteral("  \u00b7  ");
        calibration_->set_texts({device + dot + timer + dot + spread + dot + finds,
                                 device + dot + spread + dot + finds, spread + dot + finds, finds});
        calibration_->setToolTip(tr("%1\n%2\n%3\nSmallest effect that a promoted comparison detects: %4")
                                     .arg(device, timer, spread, least));
    }
    show_gpu();
}

void RunStrip::refresh() {
    const ThemeColors& c = Theme::instance().colors();
    const RunMonitor& m = monitor_;
    const auto ok = m.of(OutcomeKind::Ok);
    const auto kept = std::min(m.accepted(), ok);
    std::vector<Share> shares{{tr("accepted"), static_cast<double>(kept), c.good},
                              {tr("ok, rejected"), static_cast<double>(ok - kept), c.accent}};
    QString failures;
    for (int k = 1; k <= static_cast<int>(OutcomeKind::Error); ++k) {
        const auto kind = static_cast<OutcomeKind>(k);
        const auto count = m.of(kind);
        shares.push_back(
            {outcome_title(kind), static_cast<double>(count), kind == OutcomeKind::Illegal ? c.warn : c.bad});
        if (count > 0)
            failures += QStringLiteral("  \u00b7  ") +
                        tr("%1 %2").arg(grouped(static_cast<qint64>(count)), outcome_title(kind));
    }
    outcomes_->set_shares(std::move(shares));
    if (m.steps() == 0) {
        counts_->set_text(logged_ > 0 ? tr("Reading %1 steps").arg(grouped(static_cast<qint64>(logged_)))
                                      : tr("No candidate yet"));
    } else {
        const QString dot = QStringLiteral("  \u00b7  ");
        const QString accepted =
            tr("%1 accepted of %2")
                .arg(grouped(static_cast<qint64>(m.accepted())), grouped(static_cast<qint64>(m.steps())));
        // An accepted candidate need not be better, and a better one need not be accepted.
        const QString bests =
            m.best() > 0 ? (m.best() == 1 ? tr("1 improvement")
                                          : tr("%1 improvements").arg(grouped(static_cast<qint64>(m.best()))))
                         : tr("no improvement");
        const QString text = accepted + dot + bests;
        const QString rate = m.rate() > 0 ? dot + tr("%1/s").arg(grouped(std::lround(m.rate()))) : QString();
        const QString again = m.repeated() > 0
                                  ? dot + tr("%1 seen before").arg(grouped(static_cast<qint64>(m.repeated())))
                                  : QString();
        counts_->set_texts({text + rate + failures + again, text + rate + failures, text + failures, text,
                            m.accepted() == 0 && m.best() > 0 ? bests : accepted});
    }
    show_gpu();
}

void RunStrip::show_gpu() {
    const auto& samples = monitor_.gpu();
    const bool any = !samples.empty();
    for (QWidget* line : std::initializer_list<QWidget*>{clock_, celsius_, watts_})
        line->setVisible(any);
    gpu_row_->setVisible(any || measures_);
    if (!any) {
        gpu_->set_text(tr("GPU clock, temperature and power: no reading"));
        return;
    }
    std::vector<float> clock, celsius, watts;
    std::vector<bool> slow;
    for (const GpuSample& s : samples) {
        clock.push_back(s.clock_mhz);
        celsius.push_back(s.celsius);
        watts.push_back(s.watts);
        slow.push_back(s.throttle != 0);
    }
    clock_->set_values(std::move(clock), slow);
    celsius_->set_values(std::move(celsius), {});
    watts_->set_values(std::move(watts), {});
    // The text is omitted if it does not fit: the clock's curve shows throttling in red.
    gpu_->set_texts(
        {monitor_.throttled() > 0
             ? tr("slowed down in %1 blocks").arg(grouped(static_cast<qint64>(monitor_.throttled())))
             : tr("not throttled"),
         QString()});
}

QString RunStrip::budget_text() const {
    return budget_->text();
}
QString RunStrip::doing_text() const {
    return doing_->text();
}
QString RunStrip::calibration_text() const {
    return calibration_->text();
}
QString RunStrip::gpu_text() const {
    return gpu_->text();
}

}  // namespace cubinlab::ui
