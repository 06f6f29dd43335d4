// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sessions/campaign_model.h"

#include <algorithm>

#include "ui/base/format.h"
#include "ui/base/theme.h"

namespace cubinlab::ui {
namespace {

QString seconds(std::uint64_t milliseconds) {
    return duration_text(static_cast<double>(milliseconds) / 1000);
}

QString launches_text(const CampaignRow& row) {
    const auto launches = static_cast<qint64>(row.kernel.times.launches);
    return launches > 0 ? grouped(launches) : QString();
}

QString mean_text(const CampaignRow& row) {
    return row.kernel.times.mean_us > 0 ? QString::number(row.kernel.times.mean_us, 'f', 2) : QString();
}

QString how_it_stands(const CampaignRow& row) {
    const std::string& why = row.kernel.skipped.empty() ? row.state.error : row.kernel.skipped;
    const QString state = QString::fromStdString(row.state.state);
    return why.empty() ? state : CampaignModel::tr("%1: %2").arg(state, QString::fromStdString(why));
}

// As the report has it (gain_text).
QString gain_of(const CampaignRow& row) {
    if (row.best_cost <= 0)
        return row.state.result.is_null() ? QString() : CampaignModel::tr("nothing beat the original");
    return row.measured ? QString::fromStdString(gain_text(row))
                        : CampaignModel::tr("%1 modelled").arg(percent_text(row.speedup.log));
}

}  // namespace

CampaignModel::CampaignModel(QObject* parent) : RowsModel(parent) {
    using Row = const CampaignRow&;
    set_fields(
        {{tr("Kernel"), tr("Each is tuned by a process of its own, into a session of its own"), Qt::AlignLeft,
          [](Row row) { return QString::fromStdString(row.label); }},
         {tr("Share"), tr("Of the captured kernels' time in the program"), Qt::AlignRight,
          [this](Row row) { return share(row); }},
         {tr("Launches"), tr("In the program that it was captured from"), Qt::AlignRight, launches_text},
         {tr("Mean, us"), tr("Of a launch there, by events"), Qt::AlignRight, mean_text},
         {tr("State"), tr("What became of it so far"), Qt::AlignLeft, how_it_stands},
         {tr("Spent"), tr("Of what its share of the budget gives it"), Qt::AlignLeft,
          [this](Row row) { return spent(row); }},
         {tr("Best"), tr("Best schedule against the original, with the interval of its measurement"),
          Qt::AlignLeft, [](Row row) { return gain_of(row); }}});
}

// As the report has it (share_text): where no launch was timed, equal parts of the budget are no share of a time.
QString CampaignModel::share(const CampaignRow& row) const {
    if (!timed_ || !row.kernel.skipped.empty()) return {};
    return tr("%1 %").arg(row.kernel.share * 100, 0, 'f', 1);
}

QString CampaignModel::spent(const CampaignRow& row) const {
    if (!row.kernel.skipped.empty()) return {};
    if (!plan_.budget.time)
        return tr("%1 of %2 steps")
            .arg(grouped(static_cast<qint64>(row.state.spent)),
                 grouped(static_cast<qint64>(row.kernel.allotted)));
    return tr("%1 of %2").arg(seconds(row.state.spent), seconds(row.kernel.allotted));
}

void CampaignModel::set_report(CampaignReport report) {
    const bool same =
        std::equal(rows().begin(), rows().end(), report.rows.begin(), report.rows.end(),
                   [](const CampaignRow& x, const CampaignRow& y) { return x.kernel.name == y.kernel.name; });
    plan_ = std::move(report.plan);
    log_speedup_ = report.log_speedup_of_captured;
    timed_ = std::any_of(report.rows.begin(), report.rows.end(),
                         [](const CampaignRow& row) { return row.kernel.times.launches > 0; });
    set_rows(std::move(report.rows), same);
}

QVariant CampaignModel::look(const CampaignRow& row, int column, int role) const {
    const ThemeColors& colors = Theme::instance().colors();
    switch (role) {
        case Qt::ToolTipRole:
            if (column == KernelName) return QString::fromStdString(name_among(row));
            if (column != Gain || row.best_cost <= 0) return text(row, column);
            return tr("%1\nOriginal %2, best %3 %4 a launch. %5")
                .arg(QString::fromStdString(row.device), QString::number(row.original_cost, 'f', 2),
                     QString::number(row.best_cost, 'f', 2), QString::fromStdString(row.unit),
                     row.gain       ? tr("The measurement supports a gain.")
                     : row.measured ? tr("No gain is claimed: the interval reaches zero.")
                                    : tr("Not measured: a model's figure."));
        case Qt::FontRole:
            return column == KernelName ? QVariant(Theme::instance().mono_font()) : QVariant();
        case Qt::ForegroundRole:
            if (column == State && row.state.state == "failed") return colors.bad;
            if (column == State && (row.state.state == "interrupted" || row.state.state == "skipped"))
                return colors.warn;
            if (column == Gain && row.gain) return colors.good;
            return {};
        default:
            return {};
    }
}

}  // namespace cubinlab::ui
