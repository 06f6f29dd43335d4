// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/run_strip.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <QProgressBar>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/base/fitting_label.h"
#include "ui/base/flow_layout.h"
#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/run/reward_chart.h"

namespace cubinlab::ui {
namespace {

constexpr std::int64_t kWindowUs = 4'000'000;  // of the rate

constexpr int kCurveWidth = 58, kHeight = 20;

constexpr int kRefreshMs = 100;

}  // namespace

std::uint32_t slowdown_reasons(std::uint32_t reasons) {
    constexpr std::uint32_t kSwPowerCap = 0x4, kHwSlowdown = 0x8, kSwThermal = 0x20, kHwThermal = 0x40,
                            kHwPowerBrake = 0x80;
    return reasons & (kSwPowerCap | kHwSlowdown | kSwThermal | kHwThermal | kHwPowerBrake);
}

double seconds_left(double fraction, double seconds) {
    if (fraction <= 0.005 || fraction >= 1 || seconds <= 0) return fraction >= 1 ? 0 : -1;
    return seconds * (1 - fraction) / fraction;
}

void RunMonitor::clear() {
    *this = {};
}

void RunMonitor::add(const std::vector<StepRecord>& steps) {
    for (const StepRecord& r : steps) {
        if (work_.add(r.time_us)) recent_ = {{0, steps_}};  // the run was resumed and its clock restarted
        ++steps_;
        accepted_ += r.accepted;
        best_ += r.best;
        repeated_ += r.repeated;
        ++outcomes_[std::min<std::size_t>(static_cast<std::size_t>(r.outcome.kind), kOutcomes - 1)];
        for (const GpuReading& seen : r.outcome.states) {
            const auto reasons =
                seen.throttle_reasons > 0 ? static_cast<std::uint32_t>(seen.throttle_reasons) : 0;
            const GpuSample sample{seen.sm_clock_mhz, seen.temperature_c, seen.power_w,
                                   slowdown_reasons(reasons)};
            throttled_ += sample.throttle != 0;
            gpu_.push_back(sample);
        }
    }
    while (gpu_.size() > kGpuSamples)
        gpu_.pop_front();
    if (steps.empty()) return;
    recent_.emplace_back(steps.back().time_us, steps_);
    while (recent_.size() > 2 && recent_.back().first - recent_[1].first > kWindowUs)
        recent_.pop_front();
}

double RunMonitor::rate() const {
    if (recent_.empty()) return 0;
    const auto [from, before] =
        recent_.size() > 1 ? recent_.front() : std::pair<std::int64_t, std::uint64_t>{0, 0};
    const auto [to, after] = recent_.back();
    return to > from ? static_cast<double>(after - before) * 1e6 / static_cast<double>(to - from) : 0;
}

Sparkline::Sparkline(const QString& name, const QString& unit, QWidget* parent)
    : QWidget(parent), name_(name), unit_(unit) {
    setFont(Theme::instance().small_font());
    setAccessibleName(name);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&Theme::instance(), &Theme::changed, this, [this] { update(); });
}

void Sparkline::set_values(std::vector<float> values, std::vector<bool> alarm) {
    const QSize before = sizeHint();
    values_ = std::move(values);
    alarm_ = std::move(alarm);
    setAccessibleDescription(text());
    setToolTip(text());
    if (sizeHint() != before) updateGeometry();
    update();
}

QString Sparkline::text() const {
    const bool known = !values_.empty() && values_.back() >= 0;
    return QStringLiteral("%1 %2").arg(
        name_, known ? grouped(std::lround(values_.back())) + QLatin1Char(' ') + unit_ : tr("unknown"));
}

QSize Sparkline::sizeHint() const {
    return {kCurveWidth + 8 + fontMetrics().horizontalAdvance(text()),
            std::max(kHeight, fontMetrics().height())};
}

void Sparkline::paintEvent(QPaintEvent*) {
    const ThemeColors& c = Theme::instance().colors();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box(0.5, (height() - kHeight) / 2.0 + 2, kCurveWidth, kHeight - 4);
    painter.setPen(QPen(c.border, 1));
    painter.setBrush(c.surface);
    painter.drawRoundedRect(box, 3, 3);
    float low = 1e30F, high = -1;
    for (const float v : values_)
        if (v >= 0) {
            low = std::min(low, v);
            high = std::max(high, v);
        }
    const bool alarmed = std::any_of(alarm_.begin(), alarm_.end(), [](bool on) { return on; });
    if (high >= 0) {
        // A flat series is drawn in the middle, so that noise is not magnified.
        const float room = std::max((high - low) * 0.15F, high * 0.02F + 0.5F);
        const auto at = [&](std::size_t i) {
            const double x =
                values_.size() < 2 ? 1 : static_cast<double>(i) / static_cast<double>(values_.size() - 1);
            const double y = (values_[i] - low + room) / (high - low + 2 * room);
            return QPointF(box.left() + 3 + x * (box.width() - 6), box.bottom() - 2 - y * (box.height() - 4));
        };
        QPainterPath path;
        bool down = false;
        for (std::size_t i = 0; i < values_.size(); ++i) {
            if (values_[i] < 0) {
                down = false;
                continue;
            }
            down ? path.lineTo(at(i)) : path.moveTo(at(i));
            down = true;
        }
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(c.accent, 1.3));
        painter.drawPath(path);
        painter.setPen(Qt::NoPen);
        painter.setBrush(c.bad);
        for (std::size_t i = 0; i < values_.size() && i < alarm_.size(); ++i)
            if (alarm_[i] && values_[i] >= 0) painter.drawEllipse(at(i), 1.8, 1.8);
    }
    painter.setPen(alarmed ? c.bad : c.text_dim);
    // The value matters more than its name, which the unit implies.
    const QRect place = rect().adjusted(kCurveWidth + 7, 0, 0, 0);
    const QFontMetrics metrics = painter.fontMetrics();
    QString shown = text();
    if (metrics.horizontalAdvance(shown) > place.width()) shown = shown.mid(name_.size() + 1);
    painter.drawText(place, Qt::AlignVCenter | Qt::AlignLeft,
                     metrics.elidedText(shown, Qt::ElideRight, place.width()));
}

OutcomeBar::OutcomeBar(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Outcomes of the candidates"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&Theme::instance(), &Theme::changed, this, [this] { update(); });
}

void OutcomeBar::set_shares(std::vector<Share> shares) {
    shares_ = std::move(shares);
    QStringList lines;
    for (const Share& share : shares_)
        if (share.count > 0) lines << tr("%1 %2").arg(grouped(static_cast<qint64>(share.count)), share.name);
    setToolTip(lines.join(QLatin1Char('\n')));
    setAccessibleDescription(lines.join(QStringLiteral(", ")));
    update();
}

void OutcomeBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box(0, (height() - 8) / 2.0, width(), 8);
    QPainterPath round;
    round.addRoundedRect(box, 3, 3);
    painter.setClipPath(round);
    painter.fillRect(box, Theme::instance().colors().border);
    double total = 0;
    for (const Share& share : shares_)
        total += share.count;
    if (total <= 0) return;
    double x = 0;
    for (const Share& share : shares_) {
        if (share.count <= 0) continue;
        // A single failure among thousands stays visible.
        const double w = std::max(2.0, box.width() * share.count / total);
        painter.fillRect(QRectF(x, box.top(), w, box.height()), share.color);
        x += w;
    }
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
        const QString least = QStringLiteral("%1 %").arg(percent_of(info->detectable), 0, 'f', 2);
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

AgentPanel::AgentPanel(Document* document, RunController* runs, QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Agent"));
    strip_ = new RunStrip(runs);
    chart_ = new RewardChart(document, runs);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(strip_);
    column->addWidget(chart_, 1);
    setFocusProxy(chart_);
    tab_as_laid_out(*this);  // the proxy put the curves before their tools
}

}  // namespace cubinlab::ui
