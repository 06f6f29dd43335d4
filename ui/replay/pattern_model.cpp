// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/replay/pattern_model.h"

#include "ui/base/theme.h"

namespace cubinlab::ui {
namespace {

QString sum_text(const Pattern& p, EvaluatorKind kind) {
    const QString sum = percent_text(p.total_gain);
    if (kind == EvaluatorKind::Model) return sum;
    return sum + QLatin1Char(' ') + interval_text(p.total_gain - p.half_width, p.total_gain + p.half_width);
}

}  // namespace

PatternModel::PatternModel(QObject* parent) : RowsModel(parent) {
    name_columns();
}

void PatternModel::name_columns() {
    using Row = const Pattern&;
    const bool model = kind_ == EvaluatorKind::Model;
    set_fields(
        {{tr("What was done"),
          tr("Opcode that moved, direction, class of what it mostly passed, control fields changed"),
          Qt::AlignLeft, [](Row p) { return QString::fromStdString(p.key.text()); }},
         count(tr("Steps"), tr("Accepted steps that did this"), [](Row p) { return p.steps.size(); }),
         {model ? tr("Each, model") : tr("Each"), tr("Mean gain of such a step against the step before it"),
          Qt::AlignRight, [](Row p) { return percent_text(p.mean_gain()); },
          [](Row p) { return p.mean_gain(); }},
         {model ? tr("Together, model") : tr("Together"),
          tr("Sum of their gains; measured runs: with the interval of the sum"), Qt::AlignRight,
          [kind = kind_](Row p) { return sum_text(p, kind); }, [](Row p) { return p.total_gain; }},
         {tr("Best one"), tr("Gain of the best of them"), Qt::AlignRight,
          [](Row p) { return percent_text(p.best_gain); }, [](Row p) { return p.best_gain; }},
         {tr("Carrying"), tr("Steps with an edit that the minimised winner kept (Minimise)"), Qt::AlignRight,
          [](Row p) { return p.carrying == 0 ? QString() : grouped(static_cast<qint64>(p.carrying)); },
          [](Row p) { return static_cast<qulonglong>(p.carrying); }}});
}

void PatternModel::set_patterns(std::vector<Pattern> patterns, EvaluatorKind kind) {
    kind_ = kind;
    name_columns();
    set_rows(std::move(patterns));
}

QVariant PatternModel::look(const Pattern& p, int column, int role) const {
    switch (role) {
        case Qt::ToolTipRole:
            return tr("%1\n%n step(s). Enter goes through them.", nullptr, static_cast<int>(p.steps.size()))
                .arg(QString::fromStdString(p.key.text()));
        case Qt::FontRole:
            return column == Name ? QVariant(Theme::instance().mono_font()) : QVariant();
        case Qt::ForegroundRole:
            if (column == Carrying) return Theme::instance().colors().warn;
            if (column == Name || column == Steps || kind_ == EvaluatorKind::Model) return {};
            return p.total_gain - p.half_width > 0 ? QVariant(Theme::instance().colors().good) : QVariant();
        default:
            return {};
    }
}

}  // namespace cubinlab::ui
