// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/comparison_text.h"

#include <QStringList>
#include <algorithm>
#include <string_view>

#include "core/evidence/claim_parts.h"
#include "ui/base/format.h"
#include "ui/run/shapes_text.h"
#include "ui/shell/schedule_actions.h"

namespace cubinlab::ui {
namespace {

QString outputs_text(const ShapesComparison& all) {
    return all.outputs_equal() ? ScheduleActions::tr("bitwise equal") : ScheduleActions::tr("DIFFERENT");
}

QString mean_text(const ShapesComparison& all) {
    const Outcome& o = all.outcome;
    const Comparison& first = all.first();
    return ScheduleActions::tr(
               "%1, %2, the mean of %3 shapes on %4; %5 fresh loads of each, outputs %6 on %7 input sets")
        .arg(QLatin1String(to_string(o.verdict)), factor_interval_text(o.speedup),
             QString::number(all.shapes.size()), QString::fromStdString(first.machine.device),
             QString::number(first.loads), outputs_text(all), QString::number(first.input_sets));
}

QString shape_text(const QString& name, const Comparison& shape) {
    const Outcome& o = shape.outcome;
    return ScheduleActions::tr("%1: %2, %3, %4 us against %5 us")
        .arg(name, QLatin1String(to_string(o.verdict)), factor_interval_text(o.speedup),
             QString::number(shape.cost_b_us, 'f', 3), QString::number(shape.cost_a_us, 'f', 3));
}

// As many lines as a message shows beside the mean and what got slower; of more shapes those that gain least, for which
// one looks.
QStringList shape_texts(const ShapesComparison& all) {
    constexpr std::size_t kLines = 4;
    const std::size_t most = all.shapes.size() > kLines ? kLines - 1 : kLines;
    std::vector<std::size_t> order(all.shapes.size());
    for (std::size_t k = 0; k < order.size(); ++k)
        order[k] = k;
    if (order.size() > most)
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return all.shapes[a].outcome.speedup.log < all.shapes[b].outcome.speedup.log;
        });
    QStringList out;
    for (const std::size_t k : order) {
        if (out.size() == static_cast<qsizetype>(most)) break;
        out << shape_text(QString::fromStdString(all.names[k]), all.shapes[k]);
    }
    if (order.size() > most)
        out << ScheduleActions::tr("and %n more shape(s) with at least this gain", "",
                                   static_cast<int>(order.size() - most));
    return out;
}

// The failed shapes and their failures, one per line; then the results of the other shapes.
QString without_mean(const ShapesComparison& all) {
    const bool failed = seen_to_fail(all.outcome.kind);
    QStringList lines{
        ScheduleActions::tr("%1: no figure over all %2 shapes")
            .arg(QLatin1String(failed ? to_string(all.outcome.kind) : to_string(all.outcome.verdict)),
                 QString::number(all.names.size()))};
    for (const bool ran : {false, true})
        for (std::size_t k = 0; k < all.shapes.size(); ++k) {
            const Outcome& o = all.shapes[k].outcome;
            const QString name = QString::fromStdString(all.names[k]);
            if (o.ok() != ran) continue;
            lines << (ran ? shape_text(name, all.shapes[k])
                          : QStringLiteral("%1: %2: %3")
                                .arg(name, QLatin1String(to_string(o.kind)),
                                     QString::fromStdString(o.detail)));
        }
    return lines.join(QLatin1Char('\n'));
}

QStringList mean_texts(const ShapesComparison& all) {
    QStringList lines{mean_text(all)};
    if (const QString slower = slower_text(all.figures(), all.outcome.speedup.log); !slower.isEmpty())
        lines << slower;
    return lines;
}

}  // namespace

QString cache_text(const ShapesComparison& all) {
    const bool cold = cache_of(all.first().machine) == Cache::Cold;
    const bool mean = all.several() && all.outcome.ok();
    return (cold ? ScheduleActions::tr("Cold cache: %1") : ScheduleActions::tr("Hot cache: %1"))
        .arg(mean ? mean_texts(all).join(QLatin1Char('\n')) : comparison_text(all));
}

QString comparison_text(const ShapesComparison& all) {
    const Outcome& o = all.outcome;
    if (!o.ok() && all.several()) return without_mean(all);
    if (!o.ok())
        return QStringLiteral("%1: %2").arg(QLatin1String(to_string(o.kind)),
                                            QString::fromStdString(o.detail));
    const Comparison& c = all.first();
    if (all.several()) return (mean_texts(all) + shape_texts(all)).join(QLatin1Char('\n'));
    return ScheduleActions::tr(
               "%1, %2, %3 us against %4 us on %5; %6 fresh loads of each, outputs %7 on %8 input sets")
        .arg(QLatin1String(to_string(o.verdict)), factor_interval_text(o.speedup),
             QString::number(c.cost_b_us, 'f', 3), QString::number(c.cost_a_us, 'f', 3),
             QString::fromStdString(c.machine.device), QString::number(c.loads), outputs_text(all),
             QString::number(c.input_sets));
}

HandFigure figure_of(const ShapesComparison& all) {
    const Outcome& o = all.outcome;
    HandFigure figure{EvaluatorKind::Gpu, o.kind, o.verdict, o.speedup, comparison_text(all)};
    if (o.ok() && !all.outputs_equal()) figure.outcome = OutcomeKind::WrongResult;
    return figure;
}

bool sound(const ShapesComparison& all) {
    return all.outcome.ok() && all.outputs_equal();
}

MessageKind kind_of(const ShapesComparison& all) {
    if (!sound(all)) return MessageKind::Error;
    if (!slower_shapes(all.figures()).empty()) return MessageKind::Warning;
    switch (all.outcome.verdict) {
        case Verdict::Faster:
            return MessageKind::Done;
        case Verdict::Slower:
            return MessageKind::Warning;
        default:
            return MessageKind::Info;
    }
}

}  // namespace cubinlab::ui
