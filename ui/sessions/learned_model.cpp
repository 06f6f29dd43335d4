// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sessions/learned_model.h"

#include "ui/base/theme.h"

namespace cubinlab::ui {
namespace {

// What chance does not explain, of what was measured.
bool tells(const TriedPattern& p) {
    return p.evaluator == EvaluatorKind::Gpu && p.stands_out;
}

QString effect_of(const TriedPattern& p) {
    const QString mean = percent_text(p.mean(), 3);
    return p.evaluator == EvaluatorKind::Gpu ? mean : LearnedModel::tr("%1 modelled").arg(mean);
}

QString interval_of(const TriedPattern& p) {
    const double half = p.half_width();
    if (half < 0) return LearnedModel::tr("too few");
    return interval_text(p.mean() - half, p.mean() + half) + (tells(p) ? QStringLiteral(" *") : QString());
}

double at_least(const TriedPattern& p) {
    return p.half_width() < 0 ? -1e9 : p.mean() - p.half_width();
}

}  // namespace

LearnedModel::LearnedModel(QObject* parent) : RowsModel(parent) {
    using Row = const LearnedPattern&;
    set_fields(
        {{tr("What was done"),
          tr("Opcode, direction, class of what it mostly passed, control fields that changed"), Qt::AlignLeft,
          [](Row p) { return QString::fromStdString(p.tried.key.text()); }},
         {tr("Effect"), tr("Mean gain against the schedule it was made from, over all tries, in vain or not"),
          Qt::AlignRight, [](Row p) { return effect_of(p.tried); }, [](Row p) { return p.tried.mean(); }},
         {tr("Interval"),
          tr("95 % interval of the mean, however often one looks; sorts by what the effect is at least. A "
             "star: chance alone "
             "takes none of all these kinds so far from nothing"),
          Qt::AlignRight, [](Row p) { return interval_of(p.tried); },
          [](Row p) { return at_least(p.tried); }},
         count(tr("Tried"), tr("Steps that did this and nothing else"), [](Row p) { return p.tried.tried; }),
         count(tr("Gained"), tr("Steps whose whole interval was above the schedule they were made from"),
               [](Row p) { return p.tried.gained; }),
         {tr("Best"), tr("Gain of the best of them"), Qt::AlignRight,
          [](Row p) { return percent_text(p.tried.best); }, [](Row p) { return p.tried.best; }},
         count(tr("Kernels"), tr("Kernels that it was tried in"),
               [](Row p) { return p.tried.kernels.size(); }),
         count(tr("Here"), tr("Places of the schedule on the right where it could be tried"),
               [](Row p) { return p.places.size(); })});
}

QVariant LearnedModel::look(const LearnedPattern& pattern, int column, int role) const {
    const ThemeColors& colors = Theme::instance().colors();
    if (role == Qt::FontRole && column == Name) return Theme::instance().mono_font();
    if (role == Qt::ForegroundRole && (column == Effect || column == Interval) && tells(pattern.tried))
        return pattern.tried.mean() > 0 ? colors.good : colors.bad;
    return {};
}

}  // namespace cubinlab::ui
