// SPDX-License-Identifier: GPL-3.0-or-later
// A campaign as a table that grows: a row for each captured kernel, as the core's report has it.
#pragma once
#include <QAbstractTableModel>

#include "core/jobs/campaign_report.h"

namespace cubinlab::ui {

class CampaignModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Column { Share, Launches, Mean, State, Spent, Gain, KernelName, kColumns };

    using QAbstractTableModel::QAbstractTableModel;
    // Rows that stay keep their selection.
    void set_report(CampaignReport report);
    void clear();
    const CampaignReport& report() const { return report_; }
    const CampaignRow* row(int at) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    QString text(const CampaignRow& row, int column) const;

    CampaignReport report_;
};

}  // namespace cubinlab::ui
