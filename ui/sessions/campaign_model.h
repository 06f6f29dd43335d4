// SPDX-License-Identifier: GPL-3.0-or-later
// A campaign as a table that grows: a row for each captured kernel, as the core's report has it.
#pragma once
#include <QCoreApplication>

#include "core/tuning/campaign_report.h"
#include "ui/base/rows_model.h"

namespace cubinlab::ui {

class CampaignModel : public RowsModel<CampaignRow> {
    Q_DECLARE_TR_FUNCTIONS(cubinlab::ui::CampaignModel)

  public:
    enum Column { KernelName, Share, Launches, Mean, State, Spent, Gain, kColumns };

    explicit CampaignModel(QObject* parent = nullptr);
    // Rows that stay keep their selection.
    void set_report(CampaignReport report);
    const CampaignPlan& plan() const { return plan_; }
    std::optional<double> log_speedup_of_captured() const { return log_speedup_; }

  protected:
    QVariant look(const CampaignRow& row, int column, int role) const override;

  private:
    QString share(const CampaignRow& row) const;
    QString spent(const CampaignRow& row) const;

    CampaignPlan plan_;
    std::optional<double> log_speedup_;
    bool timed_ = false;  // the program's launches were
};

}  // namespace cubinlab::ui
