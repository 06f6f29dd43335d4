// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sessions/campaign_model.h"

#include <algorithm>

#include "ui/base/core_words.h"
#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/document/kernel_name.h"

namespace cubinlab::ui {
namespace {

bool same_kernels(const CampaignReport& a, const CampaignReport& b) {
    return std::equal(
        a.rows.begin(), a.rows.end(), b.rows.begin(), b.rows.end(),
        [](const CampaignRow& x, const CampaignRow& y) { return x.kernel.name == y.kernel.name; });
}

QString amount(const CampaignPlan& plan, std::uint64_t value) {
    return plan.budget.time ? duration_text(static_cast<double>(value) / 1000)
                            : CampaignModel::tr("%1 steps").arg(grouped(static_cast<qint64>(value)));
}

}  // namespace

void CampaignModel::set_report(CampaignReport report) {
    if (same_kernels(report_, report)) {
        report_ = std::move(report);
        if (!report_.rows.empty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
        return;
    }
    beginResetModel();
    report_ = std::move(report);
    endResetModel();
}

void CampaignModel::clear() {
    set_report({});
}

const CampaignRow* CampaignModel::row(int at) const {
    return at < 0 || at >= rowCount() ? nullptr : &report_.rows[static_cast<std::size_t>(at)];
}

int CampaignModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(report_.rows.size());
}

int CampaignModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(kColumns);
}

QString CampaignModel::text(const CampaignRow& row, int column) const {
    const CampaignKernel& kernel = row.kernel;
    switch (column) {
        case Share:
            return kernel.skipped.empty() ? tr("%1 %").arg(kernel.share * 100, 0, 'f', 1) : QString();
        case Launches:
            return kernel.times.launches > 0 ? grouped(static_cast<qint64>(kernel.times.launches))
                                             : QString();
        case Mean:
            return kernel.times.mean_us > 0 ? QString::number(kernel.times.mean_us, 'f', 2) : QString();
        case State: {
            const std::string& why = kernel.skipped.empty() ? row.state.error : kernel.skipped;
            const QString state = core_word(row.state.state);
            return why.empty() ? state : tr("%1: %2").arg(state, QString::fromStdString(why));
        }
        case Spent:
            if (!kernel.skipped.empty()) return {};
            return tr("%1 of %2")
                .arg(amount(report_.plan, row.state.spent), amount(report_.plan, kernel.allotted));
        case Gain:
            return QString::fromStdString(gain_text(row));
        case KernelName:
            return called(QString::fromStdString(row.demangled));
        default:
            return {};
    }
}

QVariant CampaignModel::data(const QModelIndex& index, int role) const {
    const CampaignRow* row = index.isValid() ? this->row(index.row()) : nullptr;
    if (row == nullptr) return {};
    const int column = index.column();
    const ThemeColors& colors = Theme::instance().colors();
    switch (role) {
        case Qt::DisplayRole:
            return text(*row, column);
        case Qt::ToolTipRole:
            if (column == Gain && row->best_cost > 0)
                return tr("%1\nOriginal %2, best %3 %4 a launch. %5")
                    .arg(QString::fromStdString(row->device), QString::number(row->original_cost, 'f', 2),
                         QString::number(row->best_cost, 'f', 2), QString::fromStdString(row->unit),
                         row->gain       ? tr("The measurement supports a gain.")
                         : row->measured ? tr("No gain is claimed: the interval reaches zero.")
                                         : tr("Not measured: a model's figure."));
            return column == KernelName ? QString::fromStdString(row->demangled) : text(*row, column);
        case Qt::TextAlignmentRole:
            return static_cast<int>((column <= Mean ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        case Qt::FontRole:
            return column == KernelName ? QVariant(Theme::instance().mono_font()) : QVariant();
        case Qt::ForegroundRole:
            if (column == State && row->state.state == "failed") return colors.bad;
            if (column == State && (row->state.state == "interrupted" || row->state.state == "skipped"))
                return colors.warn;
            if (column == Gain && row->gain) return colors.good;
            return {};
        default:
            return {};
    }
}

QVariant CampaignModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= kColumns) return {};
    const QString names[kColumns] = {tr("Share"), tr("Launches"), tr("Mean, us"), tr("State"),
                                     tr("Spent"), tr("Best"),     tr("Kernel")};
    const QString tips[kColumns] = {
        tr("Of the captured kernels' time in the program"),
        tr("In the program that it was captured from"),
        tr("Of a launch there, by events"),
        tr("What became of it so far"),
        tr("Of what its share of the budget gives it"),
        tr("Best schedule against the original, with the interval of its measurement"),
        tr("Each is tuned by a process of its own, into a session of its own")};
    if (role == Qt::DisplayRole) return names[section];
    if (role == Qt::ToolTipRole) return tips[section];
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((section <= Mean ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    return {};
}

}  // namespace cubinlab::ui
