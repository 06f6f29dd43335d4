// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/sparkline.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/base/format.h"
#include "ui/base/theme.h"

namespace cubinlab::ui {
namespace {
constexpr int kCurveWidth = 58, kHeight = 20;
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

}  // namespace cubinlab::ui
