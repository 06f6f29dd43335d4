// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/replay/pattern_model.h"

#include <algorithm>

#include "core/gpu/client/gpu_evaluator.h"
#include "ui/base/theme.h"

namespace cubinlab::ui {
namespace {

// The cell names the kind of gain if the header does not.
QString gain_text(const QString& gain, const Pattern& p, bool head_says_it) {
    return p.evaluator == EvaluatorKind::Gpu || head_says_it ? gain
                                                             : PatternModel::tr("%1 modelled").arg(gain);
}

QString sum_text(const Pattern& p, bool head_says_it) {
    const QString sum = percent_text(p.total_gain);
    if (p.evaluator == EvaluatorKind::Model) return gain_text(sum, p, head_says_it);
    return percent_interval_text(
        Speedup{p.total_gain, p.total_gain - p.half_width, p.total_gain + p.half_width});
}

QString name_text(const Pattern& p, PatternScope scope) {
    const QString name = QString::fromStdString(p.key.text());
    return scope == PatternScope::Run ? name : name + QString::fromStdString(cache_words(p.cache));
}

}  // namespace

PatternModel::PatternModel(QObject* parent) : RowsModel(parent) {
    name_columns();
}

void PatternModel::name_columns() {
    using Row = const Pattern&;
    const bool model = all_modelled_;
    set_fields(
        {{tr("Edit pattern"),
          tr("Moved opcode, direction, class it mostly moved past, changed control fields"), Qt::AlignLeft,
          [scope = scope_](Row p) { return name_text(p, scope); }},
         count(tr("Steps"), tr("Accepted steps with this pattern"), [](Row p) { return p.steps.size(); }),
         {model ? tr("Mean, model") : tr("Mean"), tr("Mean gain of such a step over the previous step"),
          Qt::AlignRight, [model](Row p) { return gain_text(percent_text(p.mean_gain()), p, model); },
          [](Row p) { return p.mean_gain(); }},
         {model ? tr("Total, model") : tr("Total"),
          tr("Sum of their gains; measured runs: with the interval of the sum"), Qt::AlignRight,
          [model](Row p) { return sum_text(p, model); }, [](Row p) { return p.total_gain; }},
         {tr("Best"), tr("Gain of the best such step"), Qt::AlignRight,
          [model](Row p) { return gain_text(percent_text(p.best_gain), p, model); },
          [](Row p) { return p.best_gain; }},
         {tr("Essential"), tr("Steps with an essential edit (Find essential edits)"), Qt::AlignRight,
          [](Row p) { return p.carrying == 0 ? QString() : grouped(static_cast<qint64>(p.carrying)); },
          [](Row p) { return static_cast<qulonglong>(p.carrying); }},
         count(tr("Runs"), tr("Runs with such a step"), [](Row p) { return p.runs; }),
         count(tr("Kernels"), tr("Kernels with such a step"), [](Row p) { return p.kernels; })});
}

void PatternModel::set_patterns(std::vector<Pattern> patterns, PatternScope scope) {
    scope_ = scope;
    all_modelled_ = std::all_of(patterns.begin(), patterns.end(),
                                [](const Pattern& p) { return p.evaluator == EvaluatorKind::Model; });
    name_columns();
    set_rows(std::move(patterns));
}

QVariant PatternModel::look(const Pattern& p, int column, int role) const {
    switch (role) {
        case Qt::ToolTipRole:
            return (scope_ == PatternScope::Run
                        ? tr("%1\n%n step(s). Press Enter to step through them.", nullptr,
                             static_cast<int>(p.steps.size()))
                        : tr("%1\n%n step(s).", nullptr, static_cast<int>(p.steps.size())))
                .arg(QString::fromStdString(p.key.text()));
        case Qt::FontRole:
            return column == Name ? QVariant(Theme::instance().mono_font()) : QVariant();
        case Qt::ForegroundRole:
            if (column == Carrying) return Theme::instance().colors().warn;
            if (column == Name || column == Steps || column == Runs || column == Kernels ||
                p.evaluator == EvaluatorKind::Model)
                return {};
            return p.total_gain - p.half_width > 0 ? QVariant(Theme::instance().colors().good) : QVariant();
        default:
            return {};
    }
}

}  // namespace cubinlab::ui
