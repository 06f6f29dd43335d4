// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/format.h"

#include <QObject>
#include <cmath>

namespace cubinlab::ui {
namespace {
QString signed_number(double value, int decimals) {
    if (!std::isfinite(value)) return QStringLiteral("-");
    QString text = QString::number(std::abs(value), 'f', decimals);
    const bool zero = text.toDouble() == 0;
    return (zero ? QString() : value < 0 ? QString(QChar(0x2212)) : QStringLiteral("+")) + text;
}
}  // namespace

QString percent_number(double log_speedup) {
    return signed_number(percent_of(log_speedup), 2);
}

bool reads_zero(double log_speedup) {
    return std::abs(percent_of(log_speedup)) < 0.005;
}

QString percent_text(double log_speedup, int decimals) {
    return signed_number(percent_of(log_speedup), decimals) + QStringLiteral(" %");
}

QString percent_interval_text(const Speedup& speedup) {
    return percent_text(speedup.log) + QLatin1Char(' ') + interval_text(speedup);
}

QString interval_text(const Speedup& speedup) {
    return QStringLiteral("[%1, %2]").arg(percent_number(speedup.low), percent_number(speedup.high));
}

QString factor_text(double log_speedup) {
    return QString::fromStdString(cubinlab::factor_text(log_speedup));
}

QString factor_interval_text(const Speedup& speedup) {
    return QString::fromStdString(cubinlab::factor_text(speedup));
}

QString duration_text(double seconds) {
    if (seconds < 60) return QStringLiteral("%1 s").arg(seconds, 0, 'f', seconds < 10 ? 2 : 1);
    const auto whole = static_cast<qint64>(seconds);
    if (whole < 3600)
        return QStringLiteral("%1 m %2 s").arg(whole / 60).arg(whole % 60, 2, 10, QLatin1Char('0'));
    return QStringLiteral("%1 h %2 m").arg(whole / 3600).arg(whole / 60 % 60, 2, 10, QLatin1Char('0'));
}

QString figure_name(EvaluatorKind kind) {
    return kind == EvaluatorKind::Gpu ? QObject::tr("Measured gain") : QObject::tr("Modelled gain");
}

QString kind_title(MutationKind kind) {
    return QLatin1String(to_string(kind));
}

QString outcome_title(OutcomeKind kind) {
    return QString(QLatin1String(to_string(kind))).replace(QLatin1Char('-'), QLatin1Char(' '));
}

QString grouped(qint64 value) {
    QString text = QString::number(value < 0 ? -value : value);
    for (auto i = text.size() - 3; i > 0; i -= 3)
        text.insert(i, QChar(0x202F));  // narrow, and no line ends there
    return value < 0 ? QChar(0x2212) + text : text;
}

}  // namespace cubinlab::ui
