// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sessions/learned_model.h"

#include "ui/base/format.h"
#include "ui/base/theme.h"

namespace cubinlab::ui {
namespace {

int alignment(int column) {
    return static_cast<int>((column == LearnedModel::Name ? Qt::AlignLeft : Qt::AlignRight) |
                            Qt::AlignVCenter);
}

// What chance does not explain, of what was measured.
bool tells(const TriedPattern& p) {
    return p.evaluator == EvaluatorKind::Gpu && p.stands_out;
}

QString interval_of(const TriedPattern& p) {
    const double half = p.half_width();
    if (half < 0) return LearnedModel::tr("too few");
    return interval_text(p.mean() - half, p.mean() + half) + (tells(p) ? QStringLiteral(" *") : QString());
}

}  // namespace

void LearnedModel::set_patterns(std::vector<LearnedPattern> patterns) {
    beginResetModel();
    patterns_ = std::move(patterns);
    endResetModel();
}

int LearnedModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(patterns_.size());
}

int LearnedModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(kColumns);
}

QVariant LearnedModel::text(const LearnedPattern& pattern, int column) {
    const TriedPattern& p = pattern.tried;
    switch (column) {
        case Name:
            return QString::fromStdString(p.key.text());
        case Effect:
            return p.evaluator == EvaluatorKind::Gpu ? percent_text(p.mean(), 3)
                                                     : tr("%1 modelled").arg(percent_text(p.mean(), 3));
        case Interval:
            return interval_of(p);
        case Tried:
            return grouped(static_cast<qint64>(p.tried));
        case Gained:
            return grouped(static_cast<qint64>(p.gained));
        case Best:
            return percent_text(p.best);
        case Kernels:
            return grouped(static_cast<qint64>(p.kernels.size()));
        case Here:
            return grouped(static_cast<qint64>(pattern.places.size()));
        default:
            return {};
    }
}

QVariant LearnedModel::sort_value(const LearnedPattern& pattern, int column) {
    const TriedPattern& p = pattern.tried;
    switch (column) {
        case Effect:
            return p.mean();
        case Interval:  // what the effect is at least
            return p.half_width() < 0 ? -1e9 : p.mean() - p.half_width();
        case Tried:
            return static_cast<qulonglong>(p.tried);
        case Gained:
            return static_cast<qulonglong>(p.gained);
        case Best:
            return p.best;
        case Kernels:
            return static_cast<qulonglong>(p.kernels.size());
        case Here:
            return static_cast<qulonglong>(pattern.places.size());
        default:
            return text(pattern, column);
    }
}

QVariant LearnedModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const LearnedPattern& pattern = patterns_[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    switch (role) {
        case Qt::DisplayRole:
            return text(pattern, column);
        case Qt::TextAlignmentRole:
            return alignment(column);
        case Qt::FontRole:
            return column == Name ? QVariant(Theme::instance().mono_font()) : QVariant();
        case Qt::ForegroundRole:
            if ((column == Effect || column == Interval) && tells(pattern.tried))
                return pattern.tried.mean() > 0 ? Theme::instance().colors().good
                                                : Theme::instance().colors().bad;
            return {};
        case SortRole:
            return sort_value(pattern, column);
        default:
            return {};
    }
}

QVariant LearnedModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= kColumns) return {};
    if (role == Qt::TextAlignmentRole) return alignment(section);
    const QString names[kColumns] = {tr("What was done"), tr("Effect"), tr("Interval"), tr("Tried"),
                                     tr("Gained"),        tr("Best"),   tr("Kernels"),  tr("Here")};
    const QString tips[kColumns] = {
        tr("Opcode, direction, class of what it mostly passed, control fields that changed"),
        tr("Mean gain against the schedule it was made from, over all tries, in vain or not"),
        tr("95 % interval of the mean, however often one looks; sorts by what the effect is at least. A "
           "star: chance alone "
           "takes none of all these kinds so far from nothing"),
        tr("Steps that did this and nothing else"),
        tr("Steps whose whole interval was above the schedule they were made from"),
        tr("Gain of the best of them"),
        tr("Kernels that it was tried in"),
        tr("Places of the schedule on the right where it could be tried")};
    if (role == Qt::DisplayRole) return names[section];
    return role == Qt::ToolTipRole ? QVariant(tips[section]) : QVariant();
}

}  // namespace cubinlab::ui
