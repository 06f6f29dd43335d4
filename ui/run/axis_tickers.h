// SPDX-License-Identifier: GPL-3.0-or-later
// Ticks as people write them: steps are counted 0, 2, 4, never by the 2.5 that QCustomPlot likes and that would be written
// as 2 or 3; a figure is 20000, not 2e+04.
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
    QString unit;  // behind each figure, where the axis has no name that says it
    int room = 8;  // lines of text that the axis is high

  protected:
    // A single tick says nothing of how much there is: two at least.
    double getTickStep(const QCPRange& range) override {
        double step = QCPAxisTicker::getTickStep(range);
        for (int tries = 0; tries < 3; ++tries) {
            if (std::floor(range.upper / step) - std::ceil(range.lower / step) >= 1) break;
            step = cleanMantissa(step / 2);
        }
        return step;
    }
    // No step has two ticks in 1.13 to 1.28, and three names may be higher than the axis: every second one is left out.
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
