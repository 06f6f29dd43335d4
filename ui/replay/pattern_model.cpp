// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/replay/pattern_model.h"

#include <QColor>

#include "ui/base/format.h"
#include "ui/base/theme.h"

namespace cubinlab::ui {

void PatternModel::set_patterns(std::vector<Pattern> patterns, EvaluatorKind kind) {
    beginResetModel();
    patterns_ = std::move(patterns);
    kind_ = kind;
    endResetModel();
}

int PatternModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(patterns_.size());
}

int PatternModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(kColumns);
}

int PatternModel::alignment(int column) {
    return static_cast<int>((column == Name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
}

QVariant PatternModel::text(const Pattern& p, int column) const {
    switch (column) {
        case Name:
            return QString::fromStdString(p.key.text());
        case Steps:
            return grouped(static_cast<qint64>(p.steps.size()));
        case Each:
            return percent_text(p.mean_gain());
        case Together: {
            const QString sum = percent_text(p.total_gain);
            if (kind_ == EvaluatorKind::Model) return sum;
            return sum + QLatin1Char(' ') +
                   interval_text(p.total_gain - p.half_width, p.total_gain + p.half_width);
        }
        case Best:
            return percent_text(p.best_gain);
        case Carrying:
            return p.carrying == 0 ? QString() : grouped(static_cast<qint64>(p.carrying));
        default:
            return {};
    }
}

QVariant PatternModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const Pattern& p = patterns_[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    switch (role) {
        case Qt::DisplayRole:
            return text(p, column);
        case Qt::ToolTipRole:
            return tr("%1\n%n step(s). Enter goes through them.", nullptr, static_cast<int>(p.steps.size()))
                .arg(QString::fromStdString(p.key.text()));
        case Qt::TextAlignmentRole:
            return alignment(column);
        case Qt::FontRole:
            return column == Name ? QVariant(Theme::instance().mono_font()) : QVariant();
        case Qt::ForegroundRole:
            if (column == Carrying) return Theme::instance().colors().warn;
            if (column == Name || column == Steps || kind_ == EvaluatorKind::Model) return {};
            return p.total_gain - p.half_width > 0 ? QVariant(Theme::instance().colors().good) : QVariant();
        case SortRole:
            switch (column) {
                case Name:
                    return QString::fromStdString(p.key.text());
                case Steps:
                    return static_cast<qulonglong>(p.steps.size());
                case Each:
                    return p.mean_gain();
                case Together:
                    return p.total_gain;
                case Best:
                    return p.best_gain;
                case Carrying:
                    return static_cast<qulonglong>(p.carrying);
                default:
                    return {};
            }
        default:
            return {};
    }
}

QVariant PatternModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) return alignment(section);
    const bool model = kind_ == EvaluatorKind::Model;
    if (role == Qt::DisplayRole) {
        const QString names[kColumns] = {tr("What was done"),
                                         tr("Steps"),
                                         model ? tr("Each, model") : tr("Each"),
                                         model ? tr("Together, model") : tr("Together"),
                                         tr("Best one"),
                                         tr("Carrying")};
        return section >= 0 && section < kColumns ? QVariant(names[section]) : QVariant();
    }
    if (role == Qt::ToolTipRole) {
        const QString tips[kColumns] = {
            tr("Opcode that moved, direction, class of what it mostly passed, control fields changed"),
            tr("Accepted steps that did this"),
            tr("Mean gain of such a step against the step before it"),
            tr("Sum of their gains; measured runs: with the interval of the sum"),
            tr("Gain of the best of them"),
            tr("Steps with an edit that the minimised winner kept (Minimise)")};
        return section >= 0 && section < kColumns ? QVariant(tips[section]) : QVariant();
    }
    return {};
}

}  // namespace cubinlab::ui
