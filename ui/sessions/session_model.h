// SPDX-License-Identifier: GPL-3.0-or-later
// Sessions of a folder as a table: kernel, agents, steps, best, date, state, file.
#pragma once
#include <QAbstractTableModel>
#include <vector>

#include "core/jobs/session_summary.h"

namespace cubinlab::ui {

class SessionModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Column {
        KernelColumn,
        AgentColumn,
        StepsColumn,
        BestColumn,
        DateColumn,
        StateColumn,
        SizeColumn,
        FileColumn,
        ColumnCount
    };
    static constexpr int kSortRole = Qt::UserRole + 1;

    using QAbstractTableModel::QAbstractTableModel;
    void set_sessions(std::vector<SessionSummary> sessions);
    const SessionSummary* session(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    std::vector<SessionSummary> sessions_;
    std::vector<QString> kernels_;  // of sessions_, as they are shown
};

QString agents_text(const SessionSummary& session);  // "greedy x2, hand"
QString best_text(const SessionSummary& session);    // "1.0883x modelled"
QString state_text(const SessionSummary& session);

}  // namespace cubinlab::ui
