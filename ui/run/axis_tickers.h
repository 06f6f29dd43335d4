// SPDX-License-Identifier: GPL-3.0-or-later
// Axis ticks in natural numbers: steps are 0, 2, 4, while QCustomPlot would use 2.5 and print it as 2 or 3; a
// value is 20000, not 2e+04.
#pragma once
#include <algorithm>
#include <cmath>

#include "ui/base/qcp.h"

namespace cubinlab::ui {

class WholeTicker : public QCPAxisTicker {
  protected:
    double getTickStep(const QCPRange& range) override {
        const double step = std::max(1.0, QCPAxisTicker::getTickStep(range));
        return step == std::floor(step) ? step : std::ceil(step / 5) * 5;
    }
    int getSubTickCount(double step) override { return step == 1 ? 0 : QCPAxisTicker::getSubTickCount(step); }
};

class FigureTicker : public QCPAxisTicker {
  public:
    QString unit;  // after each value, if the axis has no name with the unit
    int room = 8;  // height of the axis in lines of text

  protected:
    // At least two ticks: one shows no scale.
    double getTickStep(const QCPRange& range) override {
        double step = QCPAxisTicker::getTickStep(range);
        for (int tries = 0; tries < 3; ++tries) {
            if (std::floor(range.upper / step) - std::ceil(range.lower / step) >= 1) break;
            step = cleanMantissa(step / 2);
        }
        return step;
    }
    // 1.13 to 1.28 has no step with two ticks, and three labels may not fit: every second label is omitted.
    QVector<QString> createLabelVector(const QVector<double>& ticks, const QLocale& locale, QChar format,
                                       int precision) override {
        QVector<QString> labels = QCPAxisTicker::createLabelVector(ticks, locale, format, precision);
        if (labels.size() > std::max(room, 2))
            for (qsizetype i = 1; i < labels.size(); i += 2)
                labels[i].clear();
        return labels;
    }
    QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override {
        return (std::abs(tick) >= 1000 ? locale.toString(tick, 'f', 0)
                                       : QCPAxisTicker::getTickLabel(tick, locale, format, precision)) +
               unit;
    }
};

}  // namespace cubinlab::ui
